/* Types as CUDA C++ knows them: scalars by C's names, small structs for the others. Lengths up to
 * four have members x, y, z, w; longer vectors an array c, matrices an array m of rows; a
 * transformation has a position p and a rotation q. All are laid out as Warp's. */
#include "cuda/cuda_internal.h"

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

static str base_name(cuda_needs *n, const type *t)
{
    const char *suffix = scalar_forms[t->elem->kind].suffix;
    switch (t->kind) {
    case TYPE_VEC: return cuda_printf(n, "vec%d%s", t->rows, suffix);
    case TYPE_MAT:
        if (t->rows > 9 || t->cols > 9)
            return cuda_printf(n, "mat%dx%d%s", t->rows, t->cols, suffix);
        return cuda_printf(n, "mat%d%d%s", t->rows, t->cols, suffix);
    case TYPE_QUAT: return cuda_printf(n, "quat%s", suffix);
    default: return cuda_printf(n, "transform%s", suffix);
    }
}

static str members(cuda_needs *n, const type *t)
{
    static const char *const lanes[] = {"", "x", "x, y", "x, y, z", "x, y, z, w"};
    const char *scalar = scalar_forms[t->elem->kind].name;
    if (t->kind == TYPE_MAT)
        return cuda_printf(n, "    %s m[%d][%d];\n", scalar, t->rows, t->cols);
    if (t->kind == TYPE_TRANSFORM) {
        const str p = cuda_type_name(n, type_vec(n->c, t->elem, 3));
        const str q = cuda_type_name(n, type_quat(n->c, t->elem));
        return cuda_printf(n, "    %.*s p;\n    %.*s q;\n", (int)p.n, p.p, (int)q.n, q.p);
    }
    if (cuda_has_letters(t))
        return cuda_printf(n, "    %s %s;\n", scalar, lanes[t->rows]);
    return cuda_printf(n, "    %s c[%d];\n", scalar, t->rows);
}

bool cuda_has_letters(const type *t)
{
    return t->kind == TYPE_QUAT || (t->kind == TYPE_VEC && t->rows >= 1 && t->rows <= 4);
}

str cuda_type_name(cuda_needs *n, const type *t)
{
    if (!t || !type_is_value(t))
        return (str){NULL, 0};
    if (type_is_scalar(t))
        return str_c(scalar_forms[t->kind].name);
    const str key = base_name(n, t);
    const cuda_def *def = cuda_def_find(n, key);
    if (def)
        return def->name;
    const str body = members(n, t), name = cuda_free_name(n, key);
    const str text =
        cuda_printf(n, "struct %.*s {\n%.*s};\n", (int)name.n, name.p, (int)body.n, body.p);
    return cuda_def_add(n, key, name, text, true)->name;
}
