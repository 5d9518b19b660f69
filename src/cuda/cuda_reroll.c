/* SPDX-License-Identifier: Apache-2.0 */
/* Rerolling. Warp unrolls short loops; plain CUDA text should have them as loops:
 *
 *     s += x[0]; s += x[1]; s += x[2];   ->   for (int i = 0; i < 3; i++) s += x[i];
 *
 * Nothing is rolled up: the program is lowered a second time without unrolling, and cuda_make_unit
 * takes that form of a unit if it means the same. Forward it always does. Backward, the forward
 * loops run first; then each loop runs from its last iteration to its first, and each iteration
 * repeats its forward part on the values that the loop has left behind. Of `s += x[j] * x[j]`
 * (--dump l):
 *
 *     for var j%6 in range(0, 3, 1) reversed {
 *         atomic_add(element(adj_x%13, j%6), mul(load(element(x%0, j%6)), adj_s%17))
 *         atomic_add(element(adj_x%13, j%6), mul(load(element(x%0, j%6)), adj_s%17))
 *     }
 *
 * That is right if
 *
 *   - nothing in or behind the backward loop reads a value of the forward loop that the iteration
 *     does not compute itself (check_head),
 *   - no iteration reads a value that its forward part takes from the iteration before (carried),
 *   - nothing behind the forward loop reads a variable that only its body sets, whose adjoint the
 *     backward loop would begin with (check_behind),
 *   - the body has no jumps, and no loop writes memory.
 *
 * Otherwise the unrolled form is used. */
#include "cuda/cuda_reroll.h"

#include "cuda/cuda_effect.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_read.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unit.h"

/* Did lowering unroll a loop anywhere in the program? */
static bool has_unrolled_loop(const ir_module *m)
{
    bool any = m->kernel->has_unrolled_loop;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        any |= m->funcs.v[i]->has_unrolled_loop;
    return any;
}

/* Are both lowerings of the same function, with the same parameters and results? Then calls from
 * other units fit both. */
static bool same_unit(const ir_unit *a, const ir_unit *b)
{
    if (a->code->name != b->code->name || a->nparams != b->nparams || a->nreturns != b->nreturns ||
        a->launch_dim != b->launch_dim)
        return false;
    if (a->func && !str_eq(a->func->native_name, b->func->native_name))
        return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (a->vars.v[a->params[i]].type != b->vars.v[b->params[i]].type)
            return false;
    for (uint32_t i = 0; i < a->nreturns; i++)
        if (type_strip_ref(a->vars.v[a->returns[i]].type) !=
            type_strip_ref(b->vars.v[b->returns[i]].type))
            return false;
    return true;
}

/* The program lowered without unrolling. NULL: that makes no difference, or the units do not
 * correspond one to one. */
const ir_module *cuda_lower_rolled(ctx *c, const program *p, const kernel *k, const ir_module *m)
{
    const ir_module *r = has_unrolled_loop(m) ? lower_rolled(c, p, k) : NULL;
    if (!r || r->tangled || r->funcs.n != m->funcs.n || !same_unit(m->kernel, r->kernel))
        return NULL;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (!same_unit(m->funcs.v[i], r->funcs.v[i]))
            return NULL;
    return r;
}

/* The same unit, lowered without unrolling; NULL: no difference. */
static const ir_unit *rolled_unit(const cuda_job *job, const ir_unit *u)
{
    if (!job->rolled || !u->has_unrolled_loop)
        return NULL;
    return u->func ? job->rolled->funcs.v[u->index] : job->rolled->kernel;
}

/* --- backward -------------------------------------------------------------------------------- */

typedef struct roll_check {
    cuda_fn *f;     /* the adjoint, simplified */
    uint32_t nvars; /* of the unit: values, no adjoints */
    bool *written;  /* by variable: in the forward text of the loop in question */
    bool *carried;  /* of these: what an iteration reads before it writes it */
    uint32_t var;   /* of that loop */
    bool *set;      /* of all variables: those that something outside of the loop writes, */
    bool *wanted;   /* or reads */
    bool good;
} roll_check;

/* Variables that cs_writes or cs_reads finds, in one of the arrays of a roll_check. */
typedef struct found_vars {
    bool *v;
    uint32_t n;
} found_vars;

static void note(void *arg, uint32_t var)
{
    const found_vars *found = arg;
    if (var < found->n)
        found->v[var] = true;
}

static bool is_jump(const cs *s)
{
    return s->kind == CS_RETURN || s->kind == CS_GOTO || s->kind == CS_BREAK ||
           s->kind == CS_CONTINUE;
}

/* Notes what the loop's body writes, and that a jump makes it unfit. */
static void note_body(roll_check *r, const cs_list *list)
{
    found_vars written = {r->written, r->nvars};
    for (uint32_t i = 0; i < list->n; i++) {
        cs_writes(list->v[i], note, &written);
        r->good &= !is_jump(list->v[i]);
        note_body(r, &list->v[i]->body);
        note_body(r, &list->v[i]->orelse);
    }
}

/* At the loop's head: what is live there and written in the body comes from the iteration
 * before. */
static void note_carried(cuda_live *l, const cs *s)
{
    roll_check *r = l->arg;
    for (uint32_t v = 0; s->kind == CS_FOR && s->var == r->var && v < r->nvars; v++)
        r->carried[v] = r->written[v] && live_has(l->now, v);
}

static void check_read(void *arg, uint32_t var)
{
    roll_check *r = arg;
    if (var < r->nvars && r->carried[var])
        r->good = false;
}

/* Fails if an iteration of the backward loop reads a carried value. */
static void check_body(roll_check *r, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs_reads(list->v[i], check_read, r);
        check_body(r, &list->v[i]->body);
        check_body(r, &list->v[i]->orelse);
    }
}

/* Fails if the backward loop, or what follows it, reads a value that the forward loop left behind.
 */
static void check_head(cuda_live *l, const cs *s)
{
    roll_check *r = l->arg;
    if (s->kind != CS_FOR || !s->back || s->var != r->var)
        return;
    for (uint32_t v = 0; v < r->nvars; v++)
        if (r->written[v] && live_has(l->now, v))
            r->good = false;
    check_body(r, &s->body);
}

/* What all but the loop writes and reads. */
static void note_others(roll_check *r, const cs_list *list, const cs *loop)
{
    found_vars set = {r->set, r->nvars}, wanted = {r->wanted, r->nvars};
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->v[i] == loop)
            continue;
        cs_writes(list->v[i], note, &set);
        cs_reads(list->v[i], note, &wanted);
        note_others(r, &list->v[i]->body, loop);
        note_others(r, &list->v[i]->orelse, loop);
    }
}

/* Fails if something else reads what only the loop writes. Needs: note_body.
 *
 *     for j in range(3):
 *         a = x[i] * 0.5
 *     y[i] = a */
static void check_behind(roll_check *r, const cs_list *all, const cs *loop)
{
    memset(r->set, 0, r->nvars * sizeof *r->set);
    memset(r->wanted, 0, r->nvars * sizeof *r->wanted);
    note_others(r, all, loop);
    for (uint32_t v = 0; v < r->nvars; v++)
        r->good &= !(r->written[v] && r->wanted[v] && !r->set[v]);
}

/* Checks each loop, outer ones first. It walks the forward tree for what is carried, and the
 * backward tree for what is read. */
static void check_loops(roll_check *r, cuda_fn *forward, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n && r->good; i++) {
        const cs *s = list->v[i];
        if (s->kind == CS_FOR) {
            memset(r->written, 0, r->nvars * sizeof *r->written);
            memset(r->carried, 0, r->nvars * sizeof *r->carried);
            r->written[s->var] = true;
            r->var = s->var;
            note_body(r, &s->body);
            check_behind(r, &forward->body, s);
            cuda_live before = {.f = forward, .visit = note_carried, .arg = r};
            cuda_live_walk(&before);
            cuda_live l = {.f = r->f, .visit = check_head, .arg = r};
            cuda_live_walk(&l);
        }
        check_loops(r, forward, &s->body);
        check_loops(r, forward, &s->orelse);
    }
}

/* Does a loop write memory? A replayed call would repeat the write in another order. */
static bool writes_memory(const cuda_fn *f, const cs_list *list, bool in_loop)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        const bool inner = in_loop || s->kind == CS_FOR;
        const unsigned effects = cs_binds(f, s) ? cx_effects(f, s->e) : cs_effects(f, s);
        if ((in_loop && effects & CX_WRITES_MEMORY) || writes_memory(f, &s->body, inner) ||
            writes_memory(f, &s->orelse, inner))
            return true;
    }
    return false;
}

/* Does the adjoint of a rolled unit, simplified, compute what that of the unrolled one does? */
static bool rolls_back(cuda_fn *f)
{
    cuda_fn *forward = cuda_fn_new(f->job, f->u, false);
    cuda_read_list(forward, &f->u->forward, &forward->body);
    if (f->job->failed || writes_memory(f, &f->body, false))
        return false;
    roll_check r = {.f = f, .nvars = f->u->vars.n, .good = true};
    r.written = arena_zero(&f->c->module, r.nvars + 1);
    r.carried = arena_zero(&f->c->module, r.nvars + 1);
    r.set = arena_zero(&f->c->module, r.nvars + 1);
    r.wanted = arena_zero(&f->c->module, r.nvars + 1);
    check_loops(&r, forward, &forward->body);
    return r.good;
}

/* --- both ------------------------------------------------------------------------------------
 */

/* The unit's tree after the first passes. */
static cuda_fn *read_as(cuda_job *job, const ir_unit *u, bool reverse, const cuda_maker *maker)
{
    cuda_fn *f = cuda_fn_new(job, u, reverse);
    if (maker->prepare)
        maker->prepare(f, maker->arg);
    if (reverse)
        cuda_read_reverse(f);
    else
        cuda_read_list(f, &u->forward, &f->body);
    if (!job->failed)
        cuda_simplify(f);
    return f;
}

/* Makes the text of a unit from its rolled form. False: it would mean something else or has no
 * plain text. Then definitions and errors of the attempt are withdrawn. */
static bool make_rolled(cuda_job *job, const ir_unit *u, bool reverse, const cuda_maker *maker)
{
    const ir_unit *rolled = rolled_unit(job, u);
    if (!rolled || (reverse && rolled->unlike_backward))
        return false;
    const ir_module *m = job->m;
    const uint32_t before = job->c->diags.n, begin = cuda_uses_begin(job->defs);
    job->m = job->rolled;
    cuda_fn *f = read_as(job, rolled, reverse, maker);
    bool good = !job->failed && (!reverse || rolls_back(f));
    if (good)
        maker->make(f, maker->arg);
    good &= !job->failed;
    if (!good)
        (void)cuda_uses_end(job->defs, begin);
    job->m = m;
    job->failed = false;
    job->c->diags.n = before;
    return good;
}

/* Tries the rolled form first; its errors are withdrawn with it. */
void cuda_make_unit(cuda_job *job, const ir_unit *u, bool reverse, const cuda_maker *maker)
{
    if (make_rolled(job, u, reverse, maker))
        return;
    cuda_fn *f = read_as(job, u, reverse, maker);
    if (!job->failed)
        maker->make(f, maker->arg);
}
