/* SPDX-License-Identifier: Apache-2.0 */
/* Effects: what evaluating an expression, or running a statement, does besides giving a value.
 * Passes query them before they move, merge or drop it:
 *
 *     load(element(x, i))                CX_READS_MEMORY
 *     atomic_add(element(adj_x, i), e)   CX_READS_GRADIENT | CX_WRITES_GRADIENT
 *     randf(state)                       CX_WRITES_VARS
 *     printf(...)                        CX_PRINTS
 *
 * Values and gradients are different memory, so a load of x[i] may cross a sum into adj_x[i].
 * Arrays are not distinguished beyond that: two parameters may be the same array. A function of the
 * program reads memory, and writes and prints if one of its statements, or a function that it
 * calls, does. */
#include "cuda/cuda_effect.h"

#include "base/assert.h"
#include "cuda/cuda_tree.h"

/* The builtin that the statement's operand `at` names. */
static cuda_op called_op(const ir_unit *u, uint32_t stmt, uint32_t at)
{
    return cuda_op_called(&u->callees.v[ir_index(u->args.v[u->stmts.v[stmt].args + at])]);
}

/* Does a statement of the function itself do more than compute its result? A native snippet may do
 * anything. A void call other than `assign` stores or prints. */
static bool has_own_effect(const ir_unit *u)
{
    if (u->func && u->func->snippet)
        return true;
    for (uint32_t i = 0; i < u->stmts.n; i++)
        switch (u->stmts.v[i].op) {
        case IR_CALL_VOID:
        case IR_CALL_VOID_LIST:
            if (called_op(u, i, 0) != CUDA_OP_ASSIGN)
                return true;
            break;
        case IR_SLOT_STORE:
        case IR_SLOT_SET:
        case IR_SLOT_ATOMIC:
        case IR_STORE_REF:
        case IR_ASSERT: return true;
        case IR_CALL:
            if (cuda_op_properties(called_op(u, i, 1)) & CUDA_OP_ATOMIC)
                return true;
            break;
        default: break;
        }
    return false;
}

/* Memory reached from an adjoint's pointer. Adjoints are variables vars.n to 2 * vars.n - 1. */
static bool is_gradient(const cuda_fn *f, const cx *place)
{
    while (place->nargs && place->kind != CX_VAR)
        place = place->args[0];
    return place->kind == CX_VAR && place->var >= f->u->vars.n && place->var < 2 * f->u->vars.n;
}

/* Has a value of the type, passed on, gradients in memory: an array of floats, or one in a struct?
 */
static bool holds_gradients(const type *t)
{
    if (t->kind == TYPE_ARRAY)
        return !cuda_is_integral(t->elem);
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (holds_gradients(t->st->fields[i].type))
            return true;
    return false;
}

/* Can the adjoint of the function reach gradients in memory? */
static bool takes_gradients(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->nparams; i++)
        if (holds_gradients(u->vars.v[u->params[i]].type))
            return true;
    return false;
}

/* Functions come in the order in which they may call each other, so one round is enough; a function
 * cannot call itself. */
void cuda_note_effects(cuda_job *job)
{
    const uint32_t n = job->m->funcs.n;
    job->acts = arena_zero(&job->c->module, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const ir_unit *u = job->m->funcs.v[i];
        bool any = has_own_effect(u);
        for (uint32_t k = 0; k < u->called.n && !any; k++) {
            WEFT_ASSERT(u->called.v[k]->index < i);
            any = job->acts[u->called.v[k]->index];
        }
        job->acts[i] = any;
    }
}

/* Of a builtin, which touches no memory but through operands, and that of volumes. */
static unsigned call_effects(const cx *e)
{
    if (e->op == CUDA_OP_BLOCK_SYNC)
        return CX_PRINTS | CX_READS_MEMORY | CX_WRITES_MEMORY | CX_READS_GRADIENT |
               CX_WRITES_GRADIENT;
    if (cuda_op_properties(e->op) & CUDA_OP_PRINTS)
        return CX_PRINTS;
    if (cuda_op_properties(e->op) & CUDA_OP_WRITES)
        return CX_READS_MEMORY | CX_WRITES_MEMORY;
    if (str_starts(e->name, "volume_"))
        return CX_READS_MEMORY;
    return cx_changes_argument(e) ? CX_WRITES_VARS : 0;
}

unsigned cx_own_effects(const cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e->kind < CX_KINDS);
    unsigned r = 0;
    ctx_spend(f->c, 1);
    switch ((cx_kind)e->kind) {
    case CX_LOAD:
        if (cx_place_root(f, e->args[0]) == CUDA_NO_VAR)
            r |= is_gradient(f, e->args[0]) ? CX_READS_GRADIENT : CX_READS_MEMORY;
        break;
    case CX_ATOMIC:
        r |= is_gradient(f, e->args[0]) ? CX_READS_GRADIENT | CX_WRITES_GRADIENT
                                        : CX_READS_MEMORY | CX_WRITES_MEMORY;
        break;
    case CX_CALL: r |= call_effects(e); break;
    case CX_USER:
        WEFT_ASSERT(e->callee->index < f->job->m->funcs.n);
        r |= CX_READS_MEMORY;
        if (f->job->acts[e->callee->index])
            r |= CX_WRITES_MEMORY | CX_PRINTS;
        if (e->adjoint)
            r |= CX_READS_GRADIENT | (takes_gradients(e->callee) ? CX_WRITES_GRADIENT : 0);
        break;
    default: break;
    }
    /* lower_bound and the like read an array that they are given. */
    for (uint32_t i = 0; i < e->nargs && e->kind == CX_CALL; i++)
        if (e->args[i]->type && e->args[i]->type->kind == TYPE_ARRAY)
            r |= CX_READS_MEMORY;
    return r;
}

unsigned cx_effects(const cuda_fn *f, const cx *e)
{
    if (!e)
        return 0;
    unsigned r = cx_own_effects(f, e);
    for (uint32_t i = 0; i < e->nargs; i++)
        r |= cx_effects(f, e->args[i]);
    return r;
}

bool cs_binds(const cuda_fn *f, const cs *s)
{
    uint32_t var;
    return cs_overwrites(s, &var) && f->vars.v[var].type->kind == TYPE_REF &&
           (s->e->kind == CX_ELEMENT || s->e->kind == CX_COMPONENT || s->e->kind == CX_FIELD) &&
           !f->vars.v[var].param;
}

/* A sum into memory reads it, too. So does one into a gradient; an assignment to a gradient counts
 * as one, so that sums and assignments keep their order. */
unsigned cs_store_effects(const cuda_fn *f, const cs *s)
{
    if (!s->to || cx_place_root(f, s->to) != CUDA_NO_VAR)
        return 0;
    if (is_gradient(f, s->to))
        return CX_READS_GRADIENT | CX_WRITES_GRADIENT;
    return s->add || s->sub ? CX_READS_MEMORY | CX_WRITES_MEMORY : CX_WRITES_MEMORY;
}

/* Without those of inner statements. An assertion prints, and ends the program, so nothing that
 * prints may cross it. */
unsigned cs_effects(const cuda_fn *f, const cs *s)
{
    unsigned r = cx_effects(f, s->e) | cx_effects(f, s->start) | cx_effects(f, s->stop) |
                 cx_effects(f, s->step);
    r |= cx_effects(f, s->to) | cs_store_effects(f, s);
    if (s->kind == CS_ASSERT)
        r |= CX_PRINTS;
    return r;
}
