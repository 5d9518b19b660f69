/* SPDX-License-Identifier: Apache-2.0 */
/* Types in plain CUDA C++: scalars have C's names, all others are small structs with the layout of
 * Warp's types, so that a host can pass the same bytes.
 *
 *     float32, int8, uint64        float, signed char, unsigned long long
 *     vec2..vec4, quat             members x, y, z, w:   struct vec3 { float x, y, z; };
 *     longer vectors               an array c:           struct vec6 { float c[6]; };
 *     matrices                     an array m of rows:   struct mat33 { float m[3][3]; };
 *     transformations              position and rotation: struct transform { vec3 p; quat q; };
 *
 * A struct of floats has no suffix; others have one for their scalar: vec3d, mat33h, quatd. The
 * names are those of Warp's Python types where it has them. */
#include "cudarule/cudarule_type.h"

#include "base/assert.h"
#include "cudarule/cudarule_def.h"

/* A row per scalar: what C++ calls it, and the suffix of composites of it. */
typedef struct scalar_form {
    const char *name;
    const char *suffix; /* of composites */
} scalar_form;

static const scalar_form scalar_forms[TYPE_FLOAT64 + 1] = {
    [TYPE_BOOL] = {"bool", "bool"},
    [TYPE_INT8] = {"signed char", "b"},
    [TYPE_UINT8] = {"unsigned char", "ub"},
    [TYPE_INT16] = {"short", "s"},
    [TYPE_UINT16] = {"unsigned short", "us"},
    [TYPE_INT32] = {"int", "i"},
    [TYPE_UINT32] = {"unsigned int", "ui"},
    [TYPE_INT64] = {"long long", "l"},
    [TYPE_UINT64] = {"unsigned long long", "ul"},
    [TYPE_FLOAT16] = {"__half", "h"},
    [TYPE_BFLOAT16] = {"__nv_bfloat16", "bf"},
    [TYPE_FLOAT32] = {"float", ""},
    [TYPE_FLOAT64] = {"double", "d"},
};

static const char letters[] = "xyzw";

/* Such lanes cannot be indexed: code goes through them one by one instead of in a loop. */
bool cuda_has_letters(const type *t)
{
    return t->kind == TYPE_QUAT || (t->kind == TYPE_VEC && t->rows >= 1 && t->rows <= 4);
}

/* The number of scalars in a value. */
int cuda_lanes(const type *t)
{
    WEFT_ASSERT(t && type_is_value(t));
    return type_is_scalar(t) ? 1 : t->kind == TYPE_MAT ? t->rows * t->cols : t->rows;
}

/* "mat1012" could be 10 x 12 or 1 x 012, so sizes of two digits are apart: "mat10x12". */
static str base_name(cuda_defs *n, const type *t)
{
    const str suffix = str_c(scalar_forms[t->elem->kind].suffix);
    const str rows = cuda_decimal(n, t->rows);
    switch (t->kind) {
    case TYPE_VEC: return cuda_text(n, "vec@@", rows, suffix);
    case TYPE_MAT:
        return cuda_text(n, t->rows > 9 || t->cols > 9 ? "mat@x@@" : "mat@@@", rows,
                         cuda_decimal(n, t->cols), suffix);
    case TYPE_QUAT: return cuda_text(n, "quat@", suffix);
    default: return cuda_text(n, "transform@", suffix);
    }
}

/* "float", "__half": the name of a scalar type, for a text that has it from now on. */
static str scalar_name(cuda_defs *n, const type *t)
{
    if (t->kind == TYPE_FLOAT16)
        cuda_use_extern(n, CUDA_EXTERN_HALF);
    if (t->kind == TYPE_BFLOAT16)
        cuda_use_extern(n, CUDA_EXTERN_BFLOAT16);
    return str_c(scalar_forms[t->kind].name);
}

/* The members' declarations. A transformation needs its parts' types, which are then defined
 * before. */
static str members(cuda_defs *n, const type *t)
{
    static const char *const lanes[] = {"", "x", "x, y", "x, y, z", "x, y, z, w"};
    const str scalar = scalar_name(n, t->elem);
    const str rows = cuda_decimal(n, t->rows);
    if (t->kind == TYPE_MAT)
        return cuda_text(n, "    @ m[@][@];\n", scalar, rows, cuda_decimal(n, t->cols));
    if (t->kind == TYPE_TRANSFORM) {
        const str p = cuda_type_name(n, type_vec(n->c, t->elem, 3));
        return cuda_text(n, "    @ p;\n    @ q;\n", p, cuda_type_name(n, type_quat(n->c, t->elem)));
    }
    if (cuda_has_letters(t))
        return cuda_text(n, "    @ @;\n", scalar, str_c(lanes[t->rows]));
    return cuda_text(n, "    @ c[@];\n", scalar, rows);
}

/* A scalar's name needs no definition. A name that the program uses itself gets an underscore. */
str cuda_type_name(cuda_defs *n, const type *t)
{
    if (t && t->kind == TYPE_NATIVE)
        return n->resolver->object_type(n, t);
    if (!t || !type_is_value(t))
        return (str){NULL, 0};
    if (type_is_scalar(t))
        return scalar_name(n, t);
    const str key = base_name(n, t);
    const cuda_def *def = cuda_def_find(n, key);
    if (def)
        return def->name;
    const str body = members(n, t), name = cuda_free_name(n, key);
    cuda_def_add(n, key, name, cuda_text(n, "struct @ {\n@};\n", name, body), true);
    return name;
}

/* ".x", ".q.w". */
static str letter(cuda_defs *n, const char *before, int k)
{
    return cuda_text(n, "@@", str_c(before), (str){&letters[k], 1});
}

/* The access to lane k, behind the value's text; lanes of a matrix are counted row by row. */
str cuda_lane(cuda_defs *n, const type *t, int k)
{
    WEFT_ASSERT(k >= 0 && k < cuda_lanes(t));
    if (t->kind == TYPE_MAT)
        return cuda_text(n, ".m[@][@]", cuda_decimal(n, k / t->cols), cuda_decimal(n, k % t->cols));
    if (t->kind == TYPE_TRANSFORM)
        return k < 3 ? letter(n, ".p.", k) : letter(n, ".q.", k - 3);
    return cuda_has_letters(t) ? letter(n, ".", k) : cuda_text(n, ".c[@]", cuda_decimal(n, k));
}

/* i and j, or what a rule that stands in a kernel's own lines uses instead. */
str cuda_loop_name(const cuda_defs *n, bool col)
{
    const str name = col ? n->col : n->row;
    return name.n ? name : col ? STR("j") : STR("i");
}

str cuda_lane_in_loop(cuda_defs *n, const type *t)
{
    const str row = cuda_loop_name(n, false), col = cuda_loop_name(n, true);
    return t->kind == TYPE_MAT ? cuda_text(n, ".m[@][@]", row, col) : cuda_text(n, ".c[@]", row);
}

/* Lane k of e, or with -1 that of the surrounding loop. A placeholder's component is one hole: if
 * the operand turns out to be "vec3{a, b, c}", the item is printed. */
cuda_expr cuda_lane_of(cuda_defs *n, const cuda_expr *e, int k)
{
    WEFT_ASSERT(type_is_composite(e->type));
    const type *t = e->type;
    if (e->operand && k >= 0 && t->kind == TYPE_VEC && cuda_has_letters(t)) {
        const cuda_hole h = {e->operand - 1, CUDA_POSTFIX, (int8_t)k, NULL};
        return cuda_expr_of(cuda_hole_text(n, h), t->elem, CUDA_POSTFIX);
    }
    const str lane = k < 0 ? cuda_lane_in_loop(n, t) : cuda_lane(n, t, k);
    return cuda_expr_of(cuda_text(n, "@@", cuda_before_member(n, e), lane), t->elem, CUDA_POSTFIX);
}
