/* SPDX-License-Identifier: Apache-2.0 */
/* Indices as text, and the pass that marks counters which cannot be negative. In Warp a negative
 * index counts from the array's end:
 *
 *     x[-1]          ->   x[x_n - 1]
 *     x[i]           ->   x[i]                  i cannot be negative, or the job does not wrap
 *     x[j]           ->   x[from_end(j, x_n)]   j may be negative and the job wraps
 *
 * cuda_mark_counters sets cv.counts for loop counters that start at 0 or above and go up. Needs:
 * CUDA_DECLARED, as it reads cv.defs. Keeps: the tree. Does nothing if the job does not wrap. */
#include "base/assert.h"
#include "cuda/cuda_array.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cudarule/cudarule_call.h"

/* Is it a thread's index that nothing changes, or a loop's counter that never is negative? */
static bool is_counter(const cuda_fn *f, uint32_t var)
{
    for (int d = 0; d < 4; d++)
        if (f->tid[d] == var && f->vars.v[var].defs == 0)
            return true;
    return f->vars.v[var].counts;
}

/* An integer that is known. */
static bool constant_of(const cx *e, int64_t *x)
{
    if (e->kind == CX_NUMBER)
        *x = e->number;
    else if (e->kind == CX_CONST && e->k && value_is_number(e->k) && !value_has_f(e->k))
        *x = (int64_t)e->k->i;
    else
        return false;
    return true;
}

/* What a variable was first set to may name the variable itself, since several have become one: so
 * the search ends after some nodes. */
enum { MOST_VISITS = 500 };

static bool is_natural_by(const cuda_fn *f, const cx *e, uint32_t *left)
{
    WEFT_ASSERT(e != NULL);
    int64_t x;
    if (!*left)
        return false;
    --*left;
    if (constant_of(e, &x))
        return x >= 0;
    const type_kind k = e->type ? (type_kind)e->type->kind : TYPE_VOID;
    if (e->kind == CX_SIZE || k == TYPE_BOOL || k == TYPE_UINT8 || k == TYPE_UINT16)
        return true;
    if (e->kind == CX_VAR) {
        const cv *v = &f->vars.v[e->var];
        return is_counter(f, e->var) ||
               (v->defs == 1 && !v->param && !v->out && v->origin && v->origin->kind != CX_VAR &&
                is_natural_by(f, v->origin, left));
    }
    if (e->kind == CX_COND)
        return is_natural_by(f, e->args[1], left) && is_natural_by(f, e->args[2], left);
    if (e->kind != CX_CALL || !e->nargs)
        return false;
    const unsigned properties = cuda_op_properties(e->op);
    if (properties & CUDA_OP_NATURAL_FIRST)
        return type_is_integer(e->args[0]->type) && is_natural_by(f, e->args[0], left);
    if (e->op == CUDA_OP_MAX && e->nargs == 2)
        return is_natural_by(f, e->args[0], left) || is_natural_by(f, e->args[1], left);
    if (properties & CUDA_OP_NATURAL && e->nargs == 2)
        return is_natural_by(f, e->args[0], left) && is_natural_by(f, e->args[1], left);
    return false;
}

/* Is the integer certainly not negative? A conservative check: sums, products and the like of such
 * values, launch indices and marked counters are. */
static bool is_natural(const cuda_fn *f, const cx *e)
{
    uint32_t left = MOST_VISITS;
    return is_natural_by(f, e, &left);
}

/* Inner loops may start from outer counters, so outer loops come first. */
static void note_list(cuda_fn *f, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        int64_t step;
        if (s->kind == CS_FOR && f->vars.v[s->var].defs <= 1 && constant_of(s->step, &step) &&
            step > 0)
            f->vars.v[s->var].counts = is_natural(f, s->start);
        note_list(f, &s->body);
        note_list(f, &s->orelse);
    }
}

void cuda_mark_counters(cuda_fn *f)
{
    if (f->job->wraps)
        note_list(f, &f->body);
}

/* A call of the device function from_end: index < 0 ? index + length : index. */
static str wrapped(cuda_fn *f, const cx *index, str length)
{
    const cuda_expr args[] = {
        cuda_expr_of(cuda_print_at(f, index, CUDA_ASSIGN), cuda_int(f), CUDA_ASSIGN),
        cuda_expr_of(length, cuda_int(f), CUDA_PRIMARY),
    };
    return cuda_call(f->job->defs, STR("from_end"), cuda_int(f), args, 2).text;
}

/* x < 0 ? x + n : x, as lowering makes a tile's index count from the end, is x if that is never
 * negative. Other choices stay: x == 3 ? 7 : x. */
const cx *cuda_tile_index(const cuda_fn *f, const cx *e)
{
    const cx *test = e->kind == CX_COND ? e->args[0] : NULL;
    int64_t bound;
    const bool wraps = test && test->kind == CX_COMPARE && str_eq(test->name, STR("<")) &&
                       constant_of(test->args[1], &bound) && bound == 0 &&
                       cx_same(test->args[0], e->args[2]);
    return wraps && is_natural(f, e->args[2]) ? e->args[2] : e;
}

/* Has the index to be checked while the kernel runs? */
static bool may_wrap(const cuda_fn *f, const cx *index)
{
    return f->job->wraps && !is_natural(f, index);
}

/* A constant that counts from the end is subtracted from the size when the text is made. */
str cuda_index_text(cuda_fn *f, const cx *array, uint32_t dim, const cx *index, cuda_prec least)
{
    WEFT_ASSERT(array->type->kind == TYPE_ARRAY);
    int64_t x;
    if (constant_of(index, &x) && x < 0) {
        const str n = cuda_size_text(f, array, dim);
        return cuda_sprintf(f, least > CUDA_ADD ? "(%.*s - %lld)" : "%.*s - %lld", (int)n.n, n.p,
                            (long long)-x);
    }
    if (may_wrap(f, index))
        return wrapped(f, index, cuda_size_text(f, array, dim));
    return cuda_print_at(f, index, least);
}

/* Of a vector or matrix, whose length is known. Constants are not passed here: the printer counts
 * them from the front (cuda_print_expr.c). */
str cuda_component_text(cuda_fn *f, const cx *index, int length)
{
    if (may_wrap(f, index))
        return wrapped(f, index, cuda_sprintf(f, "%d", length));
    return cuda_print_at(f, index, CUDA_ASSIGN);
}
