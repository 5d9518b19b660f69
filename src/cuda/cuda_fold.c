/* SPDX-License-Identifier: Apache-2.0 */
/* Folding. Warp's text sets a variable for each operation. This pass moves the expressions to where
 * their variables are used. As --dump z and --dump f print it:
 *
 *     %20 = >(i%3, 3)
 *     %18 = %20
 *     if %18 {
 *         %22 = >(n%2, 2)
 *         %18 = and(%18, %22)     ->    element(y%1, i%3) =
 *     }                                     choose(and(>(i%3, 3), >(n%2, 2)), s%5, 1.0)
 *     if %18 {
 *         %24 = s%5
 *     } else {
 *         %24 = 1.0
 *     }
 *     element(y%1, i%3) = %24
 *
 * Single expressions and statements are rewritten on the way (cuda_rewrite.c).
 *
 * An assignment waits (folder.wait) until its variable is used. A statement that it must not move
 * across makes it a statement again, before that one. Constants, variables that are set once, and
 * places of such operands have no such limits: they replace their variable everywhere (cv.value).
 *
 * Needs: CUDA_OWN_COUNTERS. Keeps: all. Not folded: variables with a Python name, with several uses
 * (places excepted), results and parameters, expressions that write memory or print; nothing moves
 * into or out of a loop, except bounds that do not change. */
#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_rewrite.h"
#include "cuda/cuda_tree.h"

/* An assignment that has not been put into its use yet. */
typedef struct waiting {
    uint32_t var;     /* used once, later in this list or in a branch of it */
    cs *s;            /* var = e */
    unsigned effects; /* of e: a set of CX_READS_MEMORY and so on */
} waiting;

/* The folding of one list of statements. */
typedef struct folder {
    cuda_fn *f;
    cs_list out;       /* the new list, up to the statement that is looked at */
    VEC(waiting) wait; /* in the order of the old list */
} folder;

static bool list_writes_any(cuda_fn *f, const cs_list *list, const cx *e);

/* Places and views have no value of their own: they may be repeated at each use. References,
 * arrays, slices, and shapes. */
static bool is_place_type(const type *t)
{
    return t->kind == TYPE_REF || t->kind == TYPE_ARRAY || t->kind == TYPE_SLICE ||
           type_is_shape(t);
}

/* Is it set once, and by this function alone? A parameter is set by the caller, too, and a result
 * is read by it. */
static bool is_single(const cuda_fn *f, uint32_t var)
{
    const cv *v = &f->vars.v[var];
    return v->defs == 1 && !v->param && !v->out && !v->escapes;
}

/* May the variable's definition move to its use? A value must be used once, so that it is not
 * computed twice, and have no name in Python, which a reader would look for. */
static bool may_fold(const cuda_fn *f, uint32_t var)
{
    const cv *v = &f->vars.v[var];
    if (!is_single(f, var))
        return false;
    if (is_place_type(v->type))
        return true;
    return v->uses == 1 && !v->python;
}

/* Constants, variables that never change and, with `places`, places made of them: they mean the
 * same anywhere. With `y = x[i]` of a steady i the place x[i] is steady, but not the value that is
 * loaded from it. */
static bool is_steady(const cuda_fn *f, const cx *e, bool places)
{
    if (!e || e->kind == CX_CONST || e->kind == CX_NUMBER)
        return true;
    if (e->kind == CX_VAR) {
        const cv *v = &f->vars.v[e->var];
        return !v->out && (v->param ? v->defs == 0 : v->defs == 1);
    }
    if (!places || (e->kind != CX_VIEW && e->kind != CX_ELEMENT && e->kind != CX_FIELD &&
                    e->kind != CX_COMPONENT && e->kind != CX_SHAPE && e->kind != CX_SLICE))
        return false;
    for (uint32_t i = 0; i < e->nargs; i++) {
        /* the contents of the base may change; its place does not */
        const bool base = i == 0 && e->kind != CX_SLICE;
        if (base ? e->args[0]->kind != CX_VAR && !is_steady(f, e->args[0], true)
                 : !is_steady(f, e->args[i], true))
            return false;
    }
    return true;
}

/* Does b touch variables of a? */
typedef struct conflict {
    const cs *a, *b;
    bool found;
} conflict;

/* b must not write what a reads. */
static void check_read(void *arg, uint32_t var)
{
    conflict *x = arg;
    x->found |= cs_writes_var(x->b, var);
}

/* b must neither read nor write what a writes. */
static void check_write(void *arg, uint32_t var)
{
    conflict *x = arg;
    x->found |= cs_reads_var(x->b, var) || cs_writes_var(x->b, var);
}

/* Is it wrong to move the waiting statement behind s? If it reads memory or gradients that s
 * writes, variables that s writes, or, as randf(state) does, changes variables that s reads or
 * writes. */
static bool blocks(const waiting *w, const cs *s, unsigned effects)
{
    if ((w->effects & CX_READS_MEMORY && effects & CX_WRITES_MEMORY) ||
        (w->effects & CX_READS_GRADIENT && effects & CX_WRITES_GRADIENT))
        return true;
    conflict x = {w->s, s, false};
    cx_reads(w->s->e, check_read, &x);
    if (w->effects & CX_WRITES_VARS) {
        /* its own variable is set once, here, and used where it is put */
        conflict y = {w->s, s, false};
        cs only = *w->s;
        only.to = NULL;
        cs_writes(&only, check_write, &y);
        x.found |= y.found;
    }
    return x.found;
}

/* Keeps the order: statements that wait are emitted in the order in which they stood. */
static void drop_waiting(folder *d, uint32_t i)
{
    WEFT_ASSERT(i < d->wait.n);
    memmove(d->wait.v + i, d->wait.v + i + 1, (d->wait.n - i - 1) * sizeof *d->wait.v);
    d->wait.n--;
}

static cx *simple_place(folder *d, cx *e);

/* The waiting statement becomes a statement again, at the end of the new list. A view does not: a
 * pointer would lose its sizes. Its indices get variables, as they are now. */
static void emit_waiting(folder *d, uint32_t i)
{
    cs *s = d->wait.v[i].s;
    const uint32_t var = d->wait.v[i].var;
    drop_waiting(d, i);
    if (s->e->kind == CX_VIEW && d->f->vars.v[var].type->kind == TYPE_ARRAY)
        d->f->vars.v[var].value = simple_place(d, s->e);
    else
        cs_push(d->f, &d->out, s);
}

/* Before what nothing moves across: loops, jumps, the end of the list. */
static void emit_all(folder *d)
{
    while (d->wait.n)
        emit_waiting(d, 0);
}

/* Emits the waiting statements that must not move behind s, one at a time, in the order in which
 * they wait. */
static void emit_blocked(folder *d, const cs *s)
{
    const unsigned effects = cs_effects(d->f, s);
    for (bool again = true; again;) {
        again = false;
        ctx_spend(d->f->c, d->wait.n);
        for (uint32_t i = 0; i < d->wait.n; i++) {
            if (!blocks(&d->wait.v[i], s, effects))
                continue;
            emit_waiting(d, i);
            again = true;
            break;
        }
    }
}

/* Emits before a branch what waits and must not move behind one of its statements, or is used by
 * one: only a use in the list itself has what waits put in. */
static void emit_for(folder *d, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n && d->wait.n; i++) {
        ctx_spend(d->f->c, d->wait.n);
        for (uint32_t k = 0; k < d->wait.n; k++)
            if (cs_uses_itself(list->v[i], d->wait.v[k].var))
                emit_waiting(d, k--);
        emit_blocked(d, list->v[i]);
        emit_for(d, &list->v[i]->body);
        emit_for(d, &list->v[i]->orelse);
    }
}

/* Does the text take a component (".x") of operand i? Then the operand should be a variable. */
static bool takes_component(const cx *e, uint32_t i)
{
    for (uint32_t k = 0; e->kind == CX_TEXT && k < e->text->n; k++) {
        const cuda_piece *p = &e->text->v[k];
        if (p->has_hole && p->hole.operand == i && p->hole.part != CUDA_WHOLE)
            return true;
    }
    return false;
}

/* Is it a text "vec3{...}"? */
static bool is_list(const cx *e)
{
    return e->kind == CX_TEXT && e->text->list;
}

/* Where a text takes a component (".x") of an adjoint that waits, the adjoint becomes a variable: a
 * component of a sum of vectors would be computed for each lane. A list "vec3{a, b, c}" may go in,
 * as a component of it is one of its items. */
static void emit_for_component(folder *d, uint32_t var)
{
    for (uint32_t i = 0; i < d->wait.n; i++)
        if (d->wait.v[i].var == var && d->f->vars.v[var].adjoint && !is_list(d->wait.v[i].s->e)) {
            emit_waiting(d, i);
            return;
        }
}

/* e with variables replaced by their waiting or steady expressions. Expressions of statements do
 * not change, so e is copied as far as something in it is replaced.
 *
 * `whole`: e is all that a statement sets or adds. Only there a choice of adjoints goes in, which
 * cuda_branch.c turns into a branch: in "g += c ? a : 0", but not in "g += (c ? a : 0) * b". */
static cx *put_in(folder *d, cx *e, bool whole)
{
    if (!e)
        return NULL;
    if (e->kind == CX_VAR) {
        const cv *v = &d->f->vars.v[e->var];
        if (v->value) /* steady: at each use */
            return put_in(d, v->value, whole);
        for (uint32_t i = 0; i < d->wait.n; i++) {
            cx *r = d->wait.v[i].s->e;
            if (d->wait.v[i].var != e->var)
                continue;
            if (r->kind == CX_COND && v->adjoint && !whole) {
                emit_waiting(d, i);
                return e;
            }
            drop_waiting(d, i);
            return r;
        }
        return e;
    }
    cx *c = NULL;
    for (uint32_t i = 0; i < e->nargs; i++) {
        uint32_t var;
        if (cx_is_var(e->args[i], &var) && takes_component(e, i))
            emit_for_component(d, var);
        cx *a = put_in(d, e->args[i], e->kind == CX_ATOMIC);
        if (a == e->args[i])
            continue;
        if (!c)
            c = cuda_copy_node(d->f, e);
        c->args[i] = a;
    }
    c = c ? c : e;
    return c->kind == CX_ELEMENT ? cuda_plain_element(d->f, c) : c;
}

/* Puts expressions into a statement. A variable that is set stays, unless it is a reference with a
 * steady place. */
static void put_into_stmt(folder *d, cs *s)
{
    uint32_t var;
    if (s->to && !cx_is_var(s->to, &var))
        s->to = put_in(d, s->to, false);
    else if (s->to && d->f->vars.v[var].value)
        s->to = d->f->vars.v[var].value;
    s->e = put_in(d, s->e, true);
    s->start = put_in(d, s->start, false);
}

/* A place that may be repeated: indices that are neither constants nor variables set once are put
 * into new variables.
 *
 *     r = x[i * 2]; ... r ... r    ->   t = i * 2; ... x[t] ... x[t] */
static cx *simple_place(folder *d, cx *e)
{
    cuda_fn *f = d->f;
    uint32_t var;
    if (!e || e->kind == CX_CONST || e->kind == CX_NUMBER)
        return e;
    if (cx_is_var(e, &var) && (f->vars.v[var].defs <= 1 || is_place_type(f->vars.v[var].type)))
        return e;
    if (e->kind == CX_VIEW || e->kind == CX_ELEMENT || e->kind == CX_FIELD ||
        e->kind == CX_COMPONENT || e->kind == CX_SHAPE || e->kind == CX_SLICE) {
        cx *c = cuda_copy_node(f, e);
        for (uint32_t i = 0; i < e->nargs; i++)
            if (i || e->kind == CX_SLICE)
                c->args[i] = simple_place(d, e->args[i]);
            else if (e->args[i]->kind != CX_VAR)
                c->args[i] = simple_place(d, e->args[i]);
        return c;
    }
    const uint32_t t = cv_new(f, e->type, STR(""));
    f->vars.v[t].defs = 1;
    f->vars.v[t].uses = 2;
    cs *s = cs_set(f, &(cs_list){0}, cx_var(f, t), e);
    emit_blocked(d, s);
    cs_push(f, &d->out, s);
    return cx_var(f, t);
}

static void fold_list(cuda_fn *f, cs_list *list);

/* v = a; if (v) v = v && b;  ->  v = a && b;  The same with !v and ||, as Python's `and` and `or`
 * are lowered. Needs: nothing waits, so that the statement before the branch is the one that set v.
 * b may read memory: it still runs only where a allows it. */
static bool to_and_or(folder *d, cs *s)
{
    WEFT_ASSERT(s->kind == CS_IF);
    cuda_fn *f = d->f;
    cs *last = d->out.n ? d->out.v[d->out.n - 1] : NULL;
    const bool is_or = s->e->kind == CX_NOT;
    uint32_t tested, set, inner, first;
    if (!last || s->orelse.n || s->body.n != 1 || d->wait.n || !cs_overwrites(last, &first) ||
        !cx_is_var(is_or ? s->e->args[0] : s->e, &tested) || tested != first ||
        !cs_overwrites(s->body.v[0], &set) || set != tested)
        return false;
    const cx *e = s->body.v[0]->e;
    if (e->kind != (is_or ? CX_OR : CX_AND) || !cx_is_var(e->args[0], &inner) || inner != tested ||
        cx_reads_var(e->args[1], tested) || cx_reads_var(last->e, tested) ||
        (cx_effects(f, e) & ~(unsigned)(CX_READS_MEMORY | CX_READS_GRADIENT)))
        return false;
    s->kind = CS_SET;
    s->to = last->to;
    s->id = s->body.v[0]->id;
    s->e = cx_binary(f, is_or ? CX_OR : CX_AND, e->type, last->e, e->args[1]);
    s->body.n = 0;
    d->out.n--;
    f->vars.v[tested].defs--;
    f->vars.v[tested].uses -= 2;
    return true;
}

/* C evaluates a loop's bound at each step, so it is folded only if the body cannot change it: if it
 * reads no memory, and no variable that the body writes. A choice stays a variable. */
static cx *steady(folder *d, const cs *loop, cx *bound)
{
    uint32_t var;
    if (!cx_is_var(bound, &var))
        return bound;
    if (d->f->vars.v[var].value)
        return d->f->vars.v[var].value;
    for (uint32_t i = 0; i < d->wait.n; i++) {
        if (d->wait.v[i].var != var)
            continue;
        const cx *e = d->wait.v[i].s->e;
        if (d->wait.v[i].effects || e->kind == CX_COND || list_writes_any(d->f, &loop->body, e)) {
            emit_waiting(d, i);
            return bound;
        }
        return put_in(d, bound, false);
    }
    return bound;
}

/* An assignment becomes steady, or waits, or is emitted. A place that has several uses is repeated
 * at each (cv.value), with its indices in variables (simple_place). */
static void fold_set(folder *d, cs *s)
{
    cuda_fn *f = d->f;
    uint32_t var;
    s->e = cuda_fold_constants(f, s->e);
    /* A constant, or another variable's value, replaces the variable at all its uses. */
    if (cs_overwrites(s, &var) && is_single(f, var) && !f->vars.v[var].python &&
        is_steady(f, s->e, false)) {
        f->vars.v[var].value = s->e;
        return;
    }
    if (cs_overwrites(s, &var) && may_fold(f, var) &&
        !(cx_effects(f, s->e) & (CX_WRITES_MEMORY | CX_WRITES_GRADIENT | CX_PRINTS))) {
        if (is_steady(f, s->e, is_place_type(f->vars.v[var].type))) {
            f->vars.v[var].value = s->e;
            return;
        }
        /* The place depends on variables that may change: its indices are kept as they are now. */
        emit_blocked(d, s);
        if (is_place_type(f->vars.v[var].type) && f->vars.v[var].uses != 1) {
            f->vars.v[var].value = simple_place(d, s->e);
            return;
        }
        const waiting w = {var, s, cx_effects(f, s->e)};
        WEFT_ASSERT(s->kind == CS_SET && f->vars.v[var].defs == 1);
        VEC_PUSH(&f->c->module, &d->wait, w);
        return;
    }
    emit_blocked(d, s);
    cs_push(f, &d->out, s);
}

/* Moves waiting statements whose variable only this branch uses to its head, so that they are not
 * computed where the other branch is taken. What they read does not change on the way: a condition
 * writes nothing. */
static void enter_branch(folder *d, const cs *s, cs_list *branch, const cs_list *other)
{
    for (uint32_t i = d->wait.n; i-- > 0;) {
        const uint32_t var = d->wait.v[i].var;
        if (!cs_list_uses(d->f, branch, var) || cs_list_uses(d->f, other, var) ||
            cs_uses_itself(s, var))
            continue;
        cs_push(d->f, branch, d->wait.v[i].s);
        memmove(branch->v + 1, branch->v, (branch->n - 1) * sizeof *branch->v);
        branch->v[0] = d->wait.v[i].s;
        drop_waiting(d, i);
    }
}

/* A branch that is a conditional expression, or an and/or, becomes an assignment. Otherwise what
 * waits and is used inside, or must not move across what is inside, is emitted before it. */
static void fold_branch(folder *d, cs *s)
{
    cuda_fn *f = d->f;
    enter_branch(d, s, &s->body, &s->orelse);
    enter_branch(d, s, &s->orelse, &s->body);
    fold_list(f, &s->body);
    fold_list(f, &s->orelse);
    /* The new assignment may itself be put into its use, so that choices and ands nest. */
    if (to_and_or(d, s)) {
        fold_set(d, s);
        return;
    }
    if (cuda_to_choice(f, s)) {
        put_into_stmt(d, s);
        fold_set(d, s);
        return;
    }
    s->e = put_in(d, s->e, false);
    emit_for(d, &s->body);
    emit_for(d, &s->orelse);
    cs_push(f, &d->out, s);
}

/* Bounds that are evaluated at each step in C are folded only if they are steady. Of a loop that
 * goes back those are start and step, and stop is where it begins. */
static void fold_loop(folder *d, cs *s)
{
    if (s->kind == CS_FOR) {
        s->step = steady(d, s, s->step);
        s->start = s->reverse ? steady(d, s, s->start) : put_in(d, s->start, false);
        s->stop = s->reverse ? put_in(d, s->stop, false) : steady(d, s, s->stop);
    }
    /* The body may run several times: what waits is computed before the loop. */
    emit_all(d);
    fold_list(d->f, &s->body);
    if (s->kind == CS_LOOP)
        cuda_find_condition(d->f, s);
    cs_push(d->f, &d->out, s);
}

static void fold_list(cuda_fn *f, cs_list *list)
{
    folder d = {.f = f};
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        switch ((cs_kind)s->kind) {
        case CS_IF: fold_branch(&d, s); break;
        case CS_FOR:
        case CS_LOOP: fold_loop(&d, s); break;
        case CS_BREAK:
        case CS_CONTINUE:
        case CS_RETURN:
            s->e = put_in(&d, s->e, false);
            emit_all(&d);
            cs_push(f, &d.out, s);
            break;
        case CS_SET:
            put_into_stmt(&d, s);
            fold_set(&d, s);
            break;
        default:
            put_into_stmt(&d, s);
            emit_blocked(&d, s);
            cs_push(f, &d.out, s);
        }
    }
    emit_all(&d);
    WEFT_ASSERT(d.wait.n == 0);
    *list = d.out;
}

/* Does the list, or a list inside of it, write a variable? */
typedef struct any_write {
    cuda_fn *f;
    const cs_list *list;
    bool found;
} any_write;

static void check_any(void *arg, uint32_t var)
{
    any_write *a = arg;
    ctx_spend(a->f->c, a->list->n);
    for (uint32_t i = 0; i < a->list->n && !a->found; i++) {
        const cs *s = a->list->v[i];
        a->found |= cs_writes_var(s, var);
        any_write inner = {a->f, &s->body, a->found};
        check_any(&inner, var);
        inner.list = &s->orelse;
        check_any(&inner, var);
        a->found |= inner.found;
    }
}

/* Does the list write a variable that e reads? */
static bool list_writes_any(cuda_fn *f, const cs_list *list, const cx *e)
{
    any_write a = {f, list, false};
    cx_reads(e, check_any, &a);
    return a.found;
}

/* `row = a[j]` in the body of a loop over j: behind the loop a[j] would be another row. */
static void find_escape(cuda_fn *f, const cs *s, const cs *loop)
{
    uint32_t var;
    if (!cs_overwrites(s, &var) || f->vars.v[var].type->kind != TYPE_ARRAY)
        return;
    const bool counter = loop->kind == CS_FOR && cx_reads_var(s->e, loop->var);
    if (counter || list_writes_any(f, &loop->body, s->e))
        f->vars.v[var].escapes |=
            cs_count_users(f, &f->body, var) != cs_count_users(f, &loop->body, var);
}

/* In the list, which is in the body of the loop; NULL: in none. */
static void find_escapes(cuda_fn *f, const cs_list *list, const cs *loop)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        const bool inner = s->kind == CS_FOR || s->kind == CS_LOOP;
        if (loop)
            find_escape(f, s, loop);
        find_escapes(f, &s->body, inner ? s : loop);
        find_escapes(f, &s->orelse, loop);
    }
}

void cuda_fold(cuda_fn *f)
{
    cuda_count(f);
    find_escapes(f, &f->body, NULL);
    fold_list(f, &f->body);
}
