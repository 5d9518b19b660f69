/* SPDX-License-Identifier: Apache-2.0 */
/* The family of quaternions, transformations and spatial vectors: finds the operation of
 * arith_rotation.def for the types of its arguments.
 *
 *     "mul" (quatf, quatf)           "QQ"    quat_mul_f32
 *     "mul" (quatf, float32)         "Qs"    quat_scale_f32
 *     "mul" (transformd, transformd) "TT"    transform_multiply_f64
 *
 * The scalar type is that of the first argument or result that has a float type; every letter then
 * stands for one type. The rows of one name are tried in order. Functions: body_rotation_all.h. */
#include "arith/arith_rotation.h"

#include "arith/arith_family.h"

/* Terms of adj_quat_slerp that Warp writes with 0.5, a double: for a float32 they are computed in
 * double and rounded once; half an angle times the scalar's operators is a 16-bit float again. */
#define SLERP_TERMS(KIND)                                                                          \
    static inline num_##KIND slerp_axis_##KIND(num_##KIND t, num_##KIND axis, num_##KIND by,       \
                                               num_##KIND cosine, num_##KIND rest)                 \
    {                                                                                              \
        const double turned = 0.5 * (double)t * (double)axis * (double)by * (double)cosine;        \
        return (num_##KIND)(turned + (double)rest);                                                \
    }                                                                                              \
    static inline num_##KIND slerp_real_##KIND(num_##KIND t, num_##KIND by, num_##KIND sine)       \
    {                                                                                              \
        return (num_##KIND)(-0.5 * (double)t * (double)by * (double)sine);                         \
    }
#define SLERP_TERMS_16(KIND)                                                                       \
    static inline num_##KIND slerp_axis_##KIND(num_##KIND t, num_##KIND axis, num_##KIND by,       \
                                               num_##KIND cosine, num_##KIND rest)                 \
    {                                                                                              \
        const num_##KIND half = mul_##KIND(0.5F, t);                                               \
        const num_##KIND turned = mul_##KIND(mul_##KIND(mul_##KIND(half, axis), by), cosine);      \
        return add_##KIND(turned, rest);                                                           \
    }                                                                                              \
    static inline num_##KIND slerp_real_##KIND(num_##KIND t, num_##KIND by, num_##KIND sine)       \
    {                                                                                              \
        return mul_##KIND(mul_##KIND(mul_##KIND(-0.5F, t), by), sine);                             \
    }
SLERP_TERMS_16(f16)
SLERP_TERMS_16(bf16)
SLERP_TERMS(f32)
SLERP_TERMS(f64)

#define ARITH_BODY "arith/body_rotation_all.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY

/* Does `is` hold for an element of the quaternion at p? isnan, isinf and isfinite are one function
 * for all float kinds, which reads the kind from the type: they have no derivatives and no order of
 * operations. */
static bool any_lane(const arith_op *op, const void *p, bool (*is)(double))
{
    WEFT_ASSERT(op->types[0]->kind == TYPE_QUAT);
    bool found = false;
    const type *t = op->types[0];
    const size_t size = layout_size(t->elem);
    for (int j = 0; j < t->rows; j++)
        found = found || is(num_load(t->elem->kind, (const uint8_t *)p + (size_t)j * size).f);
    return found;
}

/* Functions, since isnan and its like are macros. */
static bool is_nan(double x)
{
    return isnan(x);
}

static bool is_inf(double x)
{
    return isinf(x);
}

static bool is_not_finite(double x)
{
    return !isfinite(x);
}

/* True if any element is NaN; quat_isinf likewise. */
static arith_status quat_isnan(const arith_op *op, void *const *operands)
{
    *(uint8_t *)operands[1] = any_lane(op, operands[0], is_nan);
    return ARITH_OK;
}

static arith_status quat_isinf(const arith_op *op, void *const *operands)
{
    *(uint8_t *)operands[1] = any_lane(op, operands[0], is_inf);
    return ARITH_OK;
}

/* True if no element is infinite or NaN. */
static arith_status quat_isfinite(const arith_op *op, void *const *operands)
{
    *(uint8_t *)operands[1] = !any_lane(op, operands[0], is_not_finite);
    return ARITH_OK;
}

/* len(q) is 4, len(t) of a transformation is 7. */
static arith_status lanes_length(const arith_op *op, void *const *operands)
{
    *(int32_t *)operands[1] = op->types[0]->rows;
    return ARITH_OK;
}

/* quat_identity and transform_identity: zeros, but w, the last element of both, is 1. */
static arith_status last_is_one(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 0 && op->nresults == 1);
    const type *t = op->types[0];
    const size_t size = layout_size(t->elem);
    for (int j = 0; j < t->rows; j++)
        num_store(t->elem->kind, (uint8_t *)operands[0] + (size_t)j * size,
                  (num){.f = j == t->rows - 1});
    return ARITH_OK;
}

/* Bits of rotation_row.flags; they become in_place and differs of arith_op. */
enum { IN_PLACE = 1, DIFFERS = 2 };

/* A row of arith_rotation.def: argument and result types as strings of letters. */
typedef struct rotation_row {
    const char *name, *args, *results;
    arith_fns fns[4]; /* by kind - TYPE_FLOAT16 */
    int flags;
} rotation_row;

/* A table of one function for all four float kinds, without derivatives. */
#define EVERY_KIND(f)                                                                              \
    {                                                                                              \
        {f, NULL, NULL}, {f, NULL, NULL}, {f, NULL, NULL}, {f, NULL, NULL},                        \
    }
/* All rows of arith_rotation.def in its order; CONSTANT ones have no derivatives. */
static const rotation_row rotation_rows[] = {
#define ROTATION(name, args, results, fns, flags) {name, args, results, FLOAT_FNS(fns), flags},
#define CONSTANT(name, args, results, f)          {name, args, results, EVERY_KIND(f), 0},
#include "arith/arith_rotation.def"
#undef ROTATION
#undef CONSTANT
};
enum { ROTATION_ROWS = sizeof rotation_rows / sizeof *rotation_rows };

/* The scalar type of the first argument or result with a float type. Results matter for functions
 * without arguments: quat_identity with the result quatd. float32 if there is none.
 *
 *     (vec3d, float64)                     float64
 *     () with the result quatd             float64
 *     (int32) without results              float32 */
static const type *float_of(const arith_request *q)
{
    for (uint32_t i = 0; i < q->n + q->nresults; i++) {
        const type *t = i < q->n ? q->args[i] : q->results[i - q->n];
        const type *s = t && !t->generic ? type_scalar_of(t) : NULL;
        if (s && type_is_float(s))
            return s;
    }
    return type_scalar(q->c, TYPE_FLOAT32);
}

/* Is t a vector of so many rows, or a matrix of rows and columns? */
static bool shaped(const type *t, type_kind k, int rows, int cols)
{
    return t->kind == k && t->rows == rows && (k != TYPE_MAT || t->cols == cols);
}

/* Is t what the letter of arith_rotation.def stands for, with this scalar type? */
static bool rotation_fits(char letter, const type *t, const type *scalar)
{
    if (letter == 'n' || letter == 'b')
        return t->kind == (letter == 'n' ? TYPE_INT32 : TYPE_BOOL);
    if (!type_is_value(t) || type_scalar_of(t)->kind != scalar->kind)
        return false;
    switch (letter) {
    case 's': return type_is_scalar(t);
    case 'v': return shaped(t, TYPE_VEC, 3, 0);
    case 'V': return shaped(t, TYPE_VEC, 6, 0);
    case 'Q': return t->kind == TYPE_QUAT;
    case 'T': return t->kind == TYPE_TRANSFORM;
    case 'm': return shaped(t, TYPE_MAT, 3, 3);
    case 'M': return shaped(t, TYPE_MAT, 4, 4);
    default: return shaped(t, TYPE_MAT, 6, 6);
    }
}

/* The type that a letter stands for; M is no letter of results.
 *
 *     'V' with float32   vec6f          'n'   int32 */
static const type *lettered(ctx *c, char letter, const type *scalar)
{
    WEFT_ASSERT(letter != 'M');
    switch (letter) {
    case 'n': return type_scalar(c, TYPE_INT32);
    case 'b': return type_scalar(c, TYPE_BOOL);
    case 's': return scalar;
    case 'v': return type_vec(c, scalar, 3);
    case 'V': return type_vec(c, scalar, 6);
    case 'Q': return type_quat(c, scalar);
    case 'T': return type_transform(c, scalar);
    case 'm': return type_mat(c, scalar, 3, 3);
    default: return type_mat(c, scalar, 6, 6);
    }
}

bool rotation_all_fit(const char *letters, const type *const *types, uint32_t n, const type *scalar)
{
    for (uint32_t i = 0; i < n; i++)
        if (!letters[i] || !types[i] || !rotation_fits(letters[i], types[i], scalar))
            return false;
    return letters[n] == '\0';
}

/* Does the request give the result's type? Warp declares some results by a pattern alone (generic),
 * which gives none. */
static bool results_given(const arith_request *q)
{
    return q->nresults && q->results[0] && !q->results[0]->generic;
}

/* Fills op from a row that fits. The types are copied, since the request may not last. */
static void make_op(const arith_request *q, const rotation_row *row, const type *scalar,
                    arith_op *op)
{
    WEFT_ASSERT(type_is_float(scalar) && strlen(row->results) <= ARITH_RESULTS_MAX);
    const arith_fns *fns = &row->fns[scalar->kind - TYPE_FLOAT16];
    const uint32_t nresults = (uint32_t)strlen(row->results);
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + nresults + 1);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    for (uint32_t i = 0; i < nresults; i++)
        types[q->n + i] =
            results_given(q) ? q->results[i] : lettered(q->c, row->results[i], scalar);
    *op = (arith_op){.run = fns->run, .tangent = fns->tangent, .adjoint = fns->adjoint};
    op->name = row->name;
    op->types = types;
    op->n = q->n;
    op->nresults = nresults;
    op->in_place = row->flags & IN_PLACE;
    op->differs = row->flags & DIFFERS;
}

/* The resolver of every name in the table. */
static bool resolve_rotation(const arith_request *q, arith_op *op)
{
    const type *scalar = float_of(q);
    for (uint32_t i = 0; i < ROTATION_ROWS; i++) {
        const rotation_row *row = &rotation_rows[i];
        if (strcmp(row->name, q->name) == 0 && rotation_all_fit(row->args, q->args, q->n, scalar) &&
            (!results_given(q) ||
             rotation_all_fit(row->results, q->results, q->nresults, scalar))) {
            make_op(q, row, scalar, op);
            return true;
        }
    }
    return false;
}

/* A name stands here as often as it has overloads; find_row may return any of them, since all
 * have the same resolver. */
static const arith_row rows[] = {
    {"", rotation_construct},
#define ROTATION(name, args, results, fns, flags) {name, resolve_rotation},
#define CONSTANT(name, args, results, f)          {name, resolve_rotation},
#include "arith/arith_rotation.def"
#undef ROTATION
#undef CONSTANT
};

const arith_family arith_rotation = {rows, sizeof rows / sizeof *rows};
