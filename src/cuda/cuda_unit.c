/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the tree of a unit of the intermediate form, and reads its adjoint. For cuda_reroll.c and
 * cuda_snippet.c.
 *
 * A tree's variables are, in this order: the unit's n variables, their n adjoints, one for each
 * result, one for each result's adjoint; then those that passes make. So of a unit with 8 variables
 * %3 has the adjoint adj_%11, and the first result is %16.
 *
 * The reverse text is the forward part again (replay), then the reverse list. All adjoints start at
 * zero:
 *
 *     adj_%11 = zero()                                  put_zeroes
 *     ...
 *     %6 = load(%3)                                     u->replay
 *     ...
 *     adj_a%13 += load(element(adj_y%9, i%2))           u->reverse */
#include "cuda/cuda_unit.h"

#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_param.h"
#include "cuda/cuda_read.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tile_place.h"
#include "cuda/cuda_tree.h"

/* A tree without statements. Python's names are hints for those that the text will have. 0xff in
 * `range` and `tid` is CUDA_NO_VAR. */
cuda_fn *cuda_fn_new(cuda_job *job, const ir_unit *u, bool reverse)
{
    WEFT_ASSERT(job && u && u->code);
    ctx *c = job->c;
    cuda_fn *f = ARENA_NEW(&c->module, cuda_fn);
    f->c = c;
    f->job = job;
    f->u = u;
    f->reverse = reverse;
    job->making = u->code;
    job->line = u->code->def->base.line;
    const uint32_t n = u->vars.n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        const ir_var *v = &u->vars.v[i % n];
        const uint32_t k = cv_new(f,
                                  v->type->kind == TYPE_TILE    ? cuda_tile_item(job, v->type)
                                  : i < n                       ? cuda_tuple_struct(job, v->type)
                                  : v->type->kind == TYPE_ARRAY ? v->type
                                                                : type_strip_ref(v->type),
                                  (str){NULL, 0});
        cv *x = &f->vars.v[k];
        x->adjoint = i >= n;
        if (i < n && v->name) {
            x->hint = sym_str(v->name);
            x->python = true;
        }
    }
    for (uint32_t i = 0; i < 2 * u->nreturns; i++) {
        const type *t = type_strip_ref(u->vars.v[u->returns[i % u->nreturns]].type);
        const uint32_t k = cv_new(f, t, (str){NULL, 0});
        f->vars.v[k].adjoint = false;
    }
    f->named = arena_zero(&c->module, (n + 1) * sizeof *f->named);
    f->named_adj = arena_zero(&c->module, (n + 1) * sizeof *f->named_adj);
    f->reversed = arena_zero(&c->module, n + 1);
    f->defined = arena_zero(&c->module, n + 1);
    f->range = ARENA_ARRAY(&c->module, uint32_t, n + 1);
    memset(f->range, 0xff, (n + 1) * sizeof *f->range);
    memset(f->tid, 0xff, sizeof f->tid);
    if (job->shares_tiles && u->kernel)
        f->tiles = arena_zero(&c->module, (n + 1) * sizeof *f->tiles);
    cuda_name_params(f);
    return f;
}

/* Sets each adjoint that is not a parameter to zero; cuda_zero.c moves the zeros. Constants and
 * integers have no adjoints. */
static void put_zeroes(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->vars.n; i++) {
        cv *v = &f->vars.v[u->vars.n + i];
        const ir_var *x = &u->vars.v[i];
        if (x->kind > IR_VAR_PARAM || x->constant || v->out || v->param ||
            cuda_is_integral(v->type) || v->type->kind == TYPE_TILE)
            continue; /* tiles' follow when they are known */
        cs_set(f, &f->body, cx_var(f, u->vars.n + i), cx_new(f, CX_ZERO, v->type, 0));
    }
}

/* Adjoints of arrays are parameters (pointers). In functions, those of other parameters are
 * references that the caller reads. */
void cuda_name_adjoints(cuda_fn *f)
{
    for (uint32_t i = 0; i < f->u->nparams; i++) {
        const uint32_t v = f->u->params[i];
        cv *adjoint = &f->vars.v[f->u->vars.n + v];
        const bool pointer = adjoint->type->kind == TYPE_ARRAY;
        adjoint->param = pointer || (f->u->kernel && type_has_array(adjoint->type));
        adjoint->out = !pointer && !f->u->kernel && !cuda_is_integral(adjoint->type);
    }
}

void cuda_read_reverse(cuda_fn *f)
{
    WEFT_ASSERT(f->reverse);
    cuda_name_adjoints(f);
    cuda_find_active(f);
    if (f->tiles)
        cuda_tile_find_needed(f);
    put_zeroes(f);
    cuda_read_list(f, &f->u->replay, &f->body);
    cuda_read_list(f, &f->u->reverse, &f->body);
    cuda_tile_zero_gradients(f, &f->body);
}
