/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the operation for a name and the types of its arguments, in the tables of the families.
 *
 *     "add" (int32, int32)     arith_scalars: op_add_i32, which wraps
 *     "add" (vec3f, vec3f)     arith_linear: lanes_add_f32 with param[0] = 3
 *     "add" (quatf, quatf)     arith_rotation: quat_add_f32
 *     "add" (int32, float32)   none: false
 *
 * Families are tried in the order below; the first that has a row of this name whose resolver
 * accepts the types fills the operation. Also here: the texts for results that C++ leaves open. */
#include "arith/arith_family.h"
#include "base/format.h"
#include <stdio.h>

/* Constructors are rows of the name "". */
const arith_family *const arith_families[] = {
    &arith_scalars,   /* formula_scalar.h */
    &arith_maths,     /* formula_math.h */
    &arith_choices,   /* where, copy, assign */
    &arith_casts,     /* between scalars */
    &arith_noises,    /* noise, pnoise, curlnoise */
    &arith_randoms,   /* rand_init, randi, sample_... */
    &arith_linear,    /* vectors and matrices */
    &arith_rotation,  /* arith_rotation.def */
    &arith_edges,     /* closest_point_edge_edge */
    &arith_triangles, /* intersect_tri_tri */
    &arith_geometry,  /* hash_grid_query, mesh_query_point, ... */
    &arith_volumes,   /* volume_sample_f, volume_lookup, ... */
    &arith_textures,  /* texture_sample */
    NULL,
};

/* Binary search. Rows of one name have one resolver, which chooses among the overloads. */
static const arith_row *find_row(const arith_family *f, const char *name)
{
    WEFT_ASSERT(f->n > 0 && name);
    uint32_t low = 0, high = f->n;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        WEFT_ASSERT(middle == 0 || strcmp(f->rows[middle - 1].name, f->rows[middle].name) <= 0);
        const int order = strcmp(f->rows[middle].name, name);
        if (order == 0)
            return &f->rows[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Slices are indices of elements, which only arith_linear has; queries are arith_geometry's,
 * textures arith_textures', and arrays of what voxels have arith_volumes'. */
static bool takes(const arith_family *f, const type *t)
{
    return t && (type_is_value(t) || (t->kind == TYPE_SLICE && f == &arith_linear) ||
                 (t->kind == TYPE_ARRAY && f == &arith_volumes) ||
                 (t->kind == TYPE_NATIVE && (f == &arith_geometry || f == &arith_textures)));
}

/* Families compute with values only, but for what `takes` has; a struct fits none. */
static bool takes_all(const arith_family *f, const arith_request *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (!takes(f, q->args[i]))
            return false;
    return true;
}

/* Steps of fuel for the loops over large vectors and matrices, so that fuel bounds the time of a
 * run whatever the types are: a product of 60x60 matrices is 216,000 multiplications, one step of
 * fuel and 3,375 for the work. Elements times the longest side bounds the multiplications of every
 * operation on matrices. Up to 6x6, what kernels usually have, there is no such count.
 *
 *     "mul" (mat33f, vec3f)          27 multiplications at most     0
 *     "mul" (mat60x60, mat60x60)     216,000                        3,375
 *     "add" (vec of 1000, the same)  1,000                          15 */
static uint32_t work_of(const arith_op *op)
{
    enum { LEAST = 256, ELEMENTS_OF_A_STEP = 64 };
    uint64_t most = 0;
    for (uint32_t i = 0; i < op->n + op->nresults; i++) {
        const type *t = type_strip_ref(op->types[i]);
        const uint64_t rows = type_is_composite(t) ? (uint64_t)t->rows : 1;
        const uint64_t cols = t->kind == TYPE_MAT ? (uint64_t)t->cols : 1;
        const uint64_t elements = rows * cols;
        const uint64_t work = cols > 1 ? elements * (rows > cols ? rows : cols) : elements;
        most = work > most ? work : most;
    }
    most = most > LEAST ? most / ELEMENTS_OF_A_STEP : 0;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/* A name may be in several families ("add", "mul"): a resolver that returns false leaves the
 * request to the next one. */
bool arith_find(const arith_request *q, arith_op *op)
{
    WEFT_ASSERT((q->constructs || q->name) && q->nresults <= ARITH_RESULTS_MAX);
    for (uint32_t i = 0; arith_families[i]; i++) {
        if (!takes_all(arith_families[i], q))
            continue;
        const arith_row *row = find_row(arith_families[i], q->constructs ? "" : q->name);
        if (!row || !row->resolve(q, op))
            continue;
        WEFT_ASSERT(op->run && op->types && op->nresults <= ARITH_RESULTS_MAX);
        op->constructs = q->constructs != NULL;
        op->work = work_of(op);
        WEFT_ASSERT(op->n <= q->n);
        return true;
    }
    return false;
}

/* The first lane of a cast's argument that does not fit the result; NAN where op is no cast. */
static double unfit_lane(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->nresults > 0);
    const type *from = type_scalar_of(op->types[0]), *to = type_scalar_of(op->types[op->n]);
    for (int i = 0; op->n == 1 && type_is_float(from) && i < lane_count(op->types[0]); i++) {
        const num x =
            num_load(from->kind, (const uint8_t *)operands[0] + (size_t)i * layout_size(from));
        if (!num_fits(to->kind, from->kind, x))
            return x.f;
    }
    return (double)NAN;
}

/* The first shift count that is negative or not below the width. Narrow integers are shifted in 32
 * bits, so that a count of 20 is valid for int8.
 *
 *     int32 1 << (3, 40, -1), lane by lane   ->   40 */
static int64_t unfit_shift(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 2);
    const type *t = type_scalar_of(op->types[1]);
    int64_t by = 0;
    for (int i = 0; i < lane_count(op->types[1]); i++) {
        by = num_load(t->kind, (const uint8_t *)operands[1] + (size_t)i * layout_size(t)).i;
        if ((uint64_t)by >= (layout_size(t) == 8 ? 64 : 32))
            break;
    }
    return by;
}

/* How each of these sentences ends. */
static const char open[] = "C++ leaves the result open, and CPUs and GPUs differ";

void arith_explain_cast(double x, const type *to, char *text, size_t size)
{
    WEFT_ASSERT(type_is_scalar(to) && size > 0);
    char number[32] = "NaN"; /* whose sign is another one on another machine */
    if (x == x)
        format_text(number, sizeof number, "%.9g", x);
    snprintf(text, size, "conversion out of range: %s to %s: %s", number, to->pyname.p, open);
}

void arith_explain(const arith_op *op, void *const *operands, arith_status status, char *text,
                   size_t size)
{
    WEFT_ASSERT(status == ARITH_CONVERSION || status == ARITH_SHIFT || status == ARITH_NAN_SIGN);
    if (status == ARITH_NAN_SIGN) {
        snprintf(text, size, "the sign of a NaN in %s: %s", op->name, open);
        return;
    }
    if (status == ARITH_SHIFT)
        snprintf(text, size, "shift out of range: %s by %lld bits: %s",
                 type_scalar_of(op->types[0])->pyname.p, (long long)unfit_shift(op, operands),
                 open);
    else if (op->n == 1)
        arith_explain_cast(unfit_lane(op, operands), type_scalar_of(op->types[1]), text, size);
    else
        snprintf(text, size, "conversion out of range in %s: %s", op->name, open);
}

bool arith_knows(const char *name)
{
    for (uint32_t i = 0; arith_families[i]; i++)
        if (find_row(arith_families[i], name))
            return true;
    return false;
}
