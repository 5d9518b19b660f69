/* SPDX-License-Identifier: Apache-2.0 */
/* svd2, svd3, qr3 and eig3: one argument and two or three results.
 *
 *     u, s, v = wp.svd3(m)    1 argument, 3 results
 *     wp.svd3(m, u, s, v)     4 arguments, no result; Warp's C++ function has this form
 *
 * In both forms the results' operands follow the argument, so that the functions of
 * body_decompose.h serve both: the operation always has one argument and the results. */
#include "arith/linear.h"

/* Is the kind a float64? body_decompose.h pastes the kind to this name: Warp does more sweeps and
 * has smaller limits for it. */
enum {
    decompose_double_f16 = false,
    decompose_double_bf16 = false,
    decompose_double_f32 = false,
    decompose_double_f64 = true,
    decompose_double_f16_d = false,
    decompose_double_bf16_d = false,
    decompose_double_f32_d = false,
    decompose_double_f64_d = true
};

#define ARITH_BODY "arith/body_decompose.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY

static const arith_fns svd2_fns[] = FLOAT_FNS(svd2);
static const arith_fns svd3_fns[] = FLOAT_FNS(svd3);
static const arith_fns qr3_fns[] = FLOAT_FNS(qr3);
static const arith_fns eig3_fns[] = FLOAT_FNS(eig3);

/* Fills op if the request has one of the two forms and these types: of the argument, then of the
 * results. `fns` is indexed by kind - TYPE_FLOAT16.
 *
 *     svd3(m) with results (mat33f, vec3f, mat33f), or with none given   ->   true
 *     svd3(m, u, s, v)                                                   ->   true
 *     svd3(m, u)                                                         ->   false */
static bool take_results(const arith_request *q, const arith_fns *fns, const type *const *types,
                         uint32_t nresults, arith_op *op)
{
    WEFT_ASSERT(nresults < ARITH_RESULTS_MAX && type_is_float(types[0]->elem));
    const bool filled = q->n == 1 + nresults && !q->nresults;
    if (!filled && (q->n != 1 || (q->nresults && q->nresults != nresults)))
        return false;
    for (uint32_t i = 0; i < (filled || q->nresults ? nresults : 0); i++)
        if ((filled ? q->args[1 + i] : q->results[i]) != types[1 + i])
            return false;
    const arith_fns *f = &fns[types[0]->elem->kind - TYPE_FLOAT16];
    const type **kept = ARENA_ARRAY(q->a, const type *, 1 + nresults);
    memcpy(kept, types, (1 + nresults) * sizeof *types);
    *op = (arith_op){.run = f->run,
                     .tangent = f->tangent,
                     .adjoint = f->adjoint,
                     .name = q->name,
                     .types = kept,
                     .n = 1,
                     .nresults = nresults};
    return true;
}

/* The argument, if it is a square matrix of n rows of floats. */
static const type *square_of(const arith_request *q, int n)
{
    const type *t = q->n ? q->args[0] : NULL;
    const bool fits = t && t->kind == TYPE_MAT && t->rows == n && t->cols == n;
    return fits && type_is_float(t->elem) ? t : NULL;
}

/* Results: U, the singular values, V. */
bool linear_svd(const arith_request *q, arith_op *op)
{
    const int n = strcmp(q->name, "svd2") == 0 ? 2 : 3;
    const type *m = square_of(q, n);
    return m && take_results(q, n == 2 ? svd2_fns : svd3_fns,
                             (const type *[]){m, m, type_vec(q->c, m->elem, n), m}, 3, op);
}

/* Results: Q, R. */
bool linear_qr(const arith_request *q, arith_op *op)
{
    const type *m = square_of(q, 3);
    return m && take_results(q, qr3_fns, (const type *[]){m, m, m}, 2, op);
}

/* Warp takes the matrix for symmetric; the algorithm reads the lower half of it for the vectors
 * and all of it for the values, so that adjoints of single elements are others. */
bool linear_eig(const arith_request *q, arith_op *op)
{
    const type *m = square_of(q, 3);
    if (!m || !take_results(q, eig3_fns, (const type *[]){m, m, type_vec(q->c, m->elem, 3)}, 2, op))
        return false;
    op->differs = true;
    return true;
}
