/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing. Lowering makes a new variable for each assignment to a Python name. This pass joins
 * them again where they are not live at the same time. As --dump u and --dump c print a loop with
 * "if x[j] > 0.0: s += x[j] * 2.0":
 *
 *     s%5 = float(0.0)                                   s%17 = float(0.0)
 *     for j%7 in range(0, n%2, 1) {                      for j%7 in range(0, n%2, 1) {
 *         if >(load(element(x%0, j%7)), 0.0) {               if >(load(element(x%0, j%7)), 0.0) {
 *             s%16 = add(s%5, mul(..., 2.0))        ->           s%17 = add(s%17, mul(..., 2.0))
 *             s%17 = s%16                                    }
 *         } else {                                       }
 *             s%17 = s%5
 *         }
 *         s%5 = s%17
 *     }
 *
 * Joined are the two sides of a copy (of one name, of no name, or adjoints), then all variables of
 * one Python name. Liveness gives the interference: two variables meet if one is set while the
 * other is live. A copy v = w does not make v and w meet, since they hold the same value. Joined
 * variables meet what either of them met. The relation is a matrix of bits, one row for each
 * variable that occurs: joining is a union of rows, and the pass takes time and space in the square
 * of the variables.
 *
 * Needs: no gotos. Keeps: all effects and their order. Not joined: variables of different types,
 * arrays, references, results, two parameters, a value with an adjoint; and by name alone, no loop
 * counters. */
#include "base/assert.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* The variables that occur in the tree, and which of them meet. */
typedef struct joiner {
    cuda_fn *f;
    uint32_t *slot;     /* by variable: its row, or CUDA_NO_VAR if it does not occur */
    uint32_t words;     /* of a row */
    uint64_t *meets;    /* vars.n rows: bit k of row i, variables i and k are live together */
    VEC(uint32_t) vars; /* by row */
} joiner;

/* Gives the variable a row when it occurs first. */
static void note_var(void *arg, uint32_t var)
{
    joiner *j = arg;
    if (j->slot[var] != CUDA_NO_VAR)
        return;
    j->slot[var] = j->vars.n;
    VEC_PUSH(&j->f->c->module, &j->vars, var);
}

static void note_list(joiner *j, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs_reads(list->v[i], note_var, j);
        cs_writes(list->v[i], note_var, j);
        note_list(j, &list->v[i]->body);
        note_list(j, &list->v[i]->orelse);
    }
}

/* The relation is symmetric. Variables that do not occur meet nothing. */
static void set_meeting(joiner *j, uint32_t a, uint32_t b)
{
    const uint32_t x = j->slot[a], y = j->slot[b];
    if (x == CUDA_NO_VAR || y == CUDA_NO_VAR || x == y)
        return;
    j->meets[x * j->words + y / 64] |= 1ull << y % 64;
    j->meets[y * j->words + x / 64] |= 1ull << x % 64;
}

/* For note_def: the walk, where it is. */
typedef struct def_visit {
    cuda_live *l;
    joiner *j;
    const cs *s; /* the statement that sets the variable */
} def_visit;

/* var is set here: it meets all that is live, except the source of a copy, which has its value. */
static void note_def(void *arg, uint32_t var)
{
    const def_visit *d = arg;
    uint32_t from;
    const bool copy = cs_overwrites(d->s, &from) && cx_is_var(d->s->e, &from);
    ctx_spend(d->j->f->c, d->l->words / 8 + 1);
    for (uint32_t i = 0; i < d->l->words; i++)
        for (uint64_t left = d->l->now[i]; left; left &= left - 1) {
            const uint32_t other = i * 64 + (uint32_t)__builtin_ctzll(left);
            if (!(copy && other == from))
                set_meeting(d->j, var, other);
        }
}

/* The variables that one call sets meet each other, even where none is live behind it: the call
 * writes them one after the other. */
static void visit(cuda_live *l, const cs *s)
{
    def_visit d = {l, l->arg, s};
    cs_writes(s, note_def, &d);
    for (uint32_t i = 1; i < s->noutputs; i++)
        set_meeting(l->arg, s->outputs[0], s->outputs[i]);
}

/* Of two parameters neither can take the name of the other. */
static bool may_join(const cuda_fn *f, uint32_t a, uint32_t b)
{
    const cv *x = &f->vars.v[a], *y = &f->vars.v[b];
    return x->type == y->type && !x->out && !y->out && x->adjoint == y->adjoint &&
           x->type->kind != TYPE_ARRAY && x->type->kind != TYPE_REF && !(x->param && y->param);
}

/* Needs: both occur. */
static bool meet(const joiner *j, uint32_t a, uint32_t b)
{
    const uint32_t x = j->slot[a], y = j->slot[b];
    WEFT_ASSERT(x < j->vars.n && y < j->vars.n);
    return j->meets[x * j->words + y / 64] >> y % 64 & 1;
}

/* Has Python a name for the variable, or for what it is the adjoint of? */
static bool is_named(const cuda_fn *f, uint32_t v)
{
    const uint32_t n = f->u->vars.n;
    return f->vars.v[v].python || (v >= n && v < 2 * n && f->vars.v[v - n].python);
}

/* b becomes another name of a. A parameter, or else a variable with a Python name, is the one that
 * remains. */
static void join(joiner *j, uint32_t a, uint32_t b)
{
    cuda_fn *f = j->f;
    if (f->vars.v[b].param || (is_named(f, b) && !is_named(f, a))) {
        const uint32_t t = a;
        a = b;
        b = t;
    }
    WEFT_ASSERT(f->vars.v[a].same == a && f->vars.v[b].same == b);
    f->vars.v[b].same = a;
    const uint32_t x = j->slot[a], y = j->slot[b];
    ctx_spend(f->c, j->vars.n / 4);
    for (uint32_t i = 0; i < j->words; i++)
        j->meets[x * j->words + i] |= j->meets[y * j->words + i];
    for (uint32_t i = 0; i < j->vars.n; i++)
        if (j->meets[y * j->words + i / 64] >> i % 64 & 1)
            j->meets[i * j->words + x / 64] |= 1ull << x % 64;
}

/* Joins what the two variables stand for by now, unless they meet. */
static void try_join(joiner *j, uint32_t a, uint32_t b)
{
    a = cv_root(j->f, a);
    b = cv_root(j->f, b);
    if (a != b && may_join(j->f, a, b) && !meet(j, a, b))
        join(j, a, b);
}

/* Have both the same name in Python? Of adjoints, the variables that they belong to. */
static bool one_name(const cuda_fn *f, uint32_t a, uint32_t b)
{
    const uint32_t n = f->u->vars.n;
    if (f->vars.v[a].adjoint && f->vars.v[b].adjoint && a < 2 * n && b < 2 * n) {
        const cv *p = &f->vars.v[a - n], *q = &f->vars.v[b - n];
        return p->python && q->python && str_eq(p->hint, q->hint);
    }
    const cv *x = &f->vars.v[cv_root(f, a)], *y = &f->vars.v[cv_root(f, b)];
    return x->python && y->python && str_eq(x->hint, y->hint);
}

/* A temporary of lowering, which may take any name. */
static bool is_nameless(const cuda_fn *f, uint32_t a)
{
    const cv *x = &f->vars.v[cv_root(f, a)];
    return !x->python && !x->param && !x->adjoint;
}

/* Joins the sides of copies between variables of one name, or of none, and between adjoints. */
static void join_copies(joiner *j, const cs_list *list)
{
    cuda_fn *f = j->f;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        uint32_t a, b;
        if (cs_overwrites(s, &a) && cx_is_var(s->e, &b) &&
            (one_name(f, a, b) || is_nameless(f, a) || is_nameless(f, b) ||
             (f->vars.v[a].adjoint && f->vars.v[b].adjoint)))
            try_join(j, a, b);
        join_copies(j, &s->body);
        join_copies(j, &s->orelse);
    }
}

/* Marks counters: a counter that was joined with another variable by name alone would be set
 * outside of its loop. */
static void note_loop_vars(const cs_list *list, bool *is_loop_var)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->v[i]->kind == CS_FOR)
            is_loop_var[list->v[i]->var] = true;
        note_loop_vars(&list->v[i]->body, is_loop_var);
        note_loop_vars(&list->v[i]->orelse, is_loop_var);
    }
}

/* Joins all pairs of one Python name. */
static void join_names(joiner *j)
{
    cuda_fn *f = j->f;
    bool *loops = arena_zero(&f->c->module, f->vars.n);
    note_loop_vars(&f->body, loops);
    for (uint32_t i = 0; i < j->vars.n; i++) {
        ctx_spend(f->c, j->vars.n / 4);
        for (uint32_t k = i + 1; k < j->vars.n; k++) {
            const uint32_t a = j->vars.v[i], b = j->vars.v[k];
            if (!loops[a] && !loops[b] && cv_root(f, a) != cv_root(f, b) && one_name(f, a, b))
                try_join(j, a, b);
        }
    }
}

/* Expressions may be shared between statements, and renaming one twice changes nothing: roots are
 * fixed by now. */
static void rename_expr(cuda_fn *f, cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_VAR)
        e->var = cv_root(f, e->var);
    for (uint32_t i = 0; i < e->nargs; i++)
        rename_expr(f, e->args[i]);
}

/* Replaces each variable by the one it was joined into; drops copies to itself and branches that
 * become empty. */
static void rename_list(cuda_fn *f, cs_list *list)
{
    uint32_t n = 0, a, b;
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        rename_expr(f, s->to);
        rename_expr(f, s->e);
        rename_expr(f, s->start);
        rename_expr(f, s->stop);
        rename_expr(f, s->step);
        if (s->kind == CS_FOR)
            s->var = cv_root(f, s->var);
        for (uint32_t k = 0; k < s->noutputs; k++)
            s->outputs[k] = cv_root(f, s->outputs[k]);
        rename_list(f, &s->body);
        rename_list(f, &s->orelse);
        if (cs_overwrites(s, &a) && cx_is_var(s->e, &b) && a == b)
            continue;
        if (s->kind == CS_IF && !s->body.n && !s->orelse.n)
            continue;
        list->v[n++] = s;
    }
    list->n = n;
}

/* Copies come first: such a join removes a statement, and a join by name may make it impossible. */
void cuda_coalesce(cuda_fn *f)
{
    joiner j = {.f = f};
    j.slot = ARENA_ARRAY(&f->c->module, uint32_t, f->vars.n);
    memset(j.slot, 0xff, f->vars.n * sizeof *j.slot);
    note_list(&j, &f->body);
    j.words = j.vars.n / 64 + 1;
    WEFT_ASSERT(j.vars.n <= f->vars.n);
    ctx_spend(f->c, (uint64_t)j.words * j.vars.n / 8);
    j.meets = arena_zero(&f->c->module, mem_mul(f->c->module.m, j.vars.n + 1, j.words * 8));
    cuda_live l = {.f = f, .visit = visit, .arg = &j};
    cuda_live_walk(&l);
    /* parameters are set at the entry: they meet what is live there */
    for (uint32_t i = 0; i < j.vars.n; i++)
        for (uint32_t k = 0; f->vars.v[j.vars.v[i]].param && k < j.vars.n; k++)
            if (live_has(l.now, j.vars.v[k]))
                set_meeting(&j, j.vars.v[i], j.vars.v[k]);
    join_copies(&j, &f->body);
    join_names(&j);
    rename_list(f, &f->body);
}
