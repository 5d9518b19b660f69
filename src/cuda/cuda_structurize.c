/* SPDX-License-Identifier: Apache-2.0 */
/* Structurizing, the first pass, and the splitting of counters.
 *
 * cuda_structurize resolves gotos, which only go forward, merges adjacent branches on one variable,
 * and moves Warp's merges into the branches:
 *
 *     if (c) { a; goto L; } b; L: d;    ->   if (c) { a; } else { b; } d;
 *     if (c) { a; } if (!c) { b; }      ->   if (c) { a; } else { b; }
 *     if (c) { a; } r = c ? x : y;      ->   if (c) { a; r = x; } else { r = y; }
 *
 * as of an if statement that sets t in both branches (--dump r, then s; shortened):
 *
 *     if %5 {                              if %5 {
 *         t%9 = mul(%10, 2.0)                  t%9 = mul(%10, 2.0)
 *     }                                        t%17 = t%9
 *     if not(%5) {                    ->   } else {
 *         t%13 = mul(%14, 3.0)                 t%13 = mul(%14, 3.0)
 *     }                                        t%17 = t%13
 *     t%17 = choose(%5, t%9, t%13)         }
 *
 * Other gotos set a flag "returned", and what they skip is put under `if (!returned)`. Needs:
 * nothing; the tree as it was read. Gives: CUDA_STRUCTURED. Keeps: values, sums, origins. Drops
 * statements that nothing reaches.
 *
 * cuda_split_counters gives a loop a counter of its own where Python's variable is changed in the
 * body or read behind the loop (--dump s, then n):
 *
 *     for j%5 in range(0, n%1, 1) {              for step%22 in range(0, n%1, 1) {
 *         element(x%0, j%5) = 1.0          ->        j%5 = step%22
 *     }                                              element(x%0, j%5) = 1.0
 *     %7 = float(j%5)                            }
 *                                                %7 = float(j%5)
 *
 * Needs: CUDA_STRUCTURED. Gives: CUDA_OWN_COUNTERS. Keeps: all. */
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* Is there a statement of that kind and label in the list, at any depth? */
static bool contains(const cs_list *list, cs_kind kind, uint32_t label)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        if ((s->kind == kind && s->label == label) || contains(&s->body, kind, label) ||
            contains(&s->orelse, kind, label))
            return true;
    }
    return false;
}

/* The statement of the list that contains it, or is it; list->n: none. */
static uint32_t index_of(const cs_list *list, cs_kind kind, uint32_t label)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        if ((s->kind == kind && s->label == label) || contains(&s->body, kind, label) ||
            contains(&s->orelse, kind, label))
            return i;
    }
    return list->n;
}

/* The list is one longer; what stood at i follows. */
static void insert_at(cuda_fn *f, cs_list *list, uint32_t i, cs *s)
{
    WEFT_ASSERT(i <= list->n);
    cs_push(f, list, s);
    memmove(list->v + i + 1, list->v + i, (list->n - i - 1) * sizeof *list->v);
    list->v[i] = s;
}

/* Moves statements from..to-1 to the end of `into`. */
static void move_range(cuda_fn *f, cs_list *list, uint32_t from, uint32_t to, cs_list *into)
{
    WEFT_ASSERT(from <= to && to <= list->n);
    for (uint32_t i = from; i < to; i++)
        cs_push(f, into, list->v[i]);
    memmove(list->v + from, list->v + to, (list->n - to) * sizeof *list->v);
    list->n -= to - from;
}

/* An empty `if (!flag)`. */
static cs *unless(cuda_fn *f, uint32_t flag)
{
    cs *s = cs_new(f, CS_IF);
    cx *v = cx_var(f, flag);
    s->e = cx_unary(f, CX_NOT, v->type, v);
    return s;
}

/* A literal true or false. */
static cx *boolean(cuda_fn *f, bool x)
{
    cx *e = cx_number(f, x);
    e->type = type_scalar(f->c, TYPE_BOOL);
    return e;
}

/* Puts statements from..to-1 under `if (!flag)`. */
static void wrap(cuda_fn *f, cs_list *list, uint32_t from, uint32_t to, uint32_t flag)
{
    if (from >= to)
        return;
    cs *s = unless(f, flag);
    move_range(f, list, from, to, &s->body);
    insert_at(f, list, from, s);
}

/* The branch of s that has the goto or label. */
static cs_list *inner_with(cs *s, cs_kind kind, uint32_t label)
{
    return contains(&s->body, kind, label) ? &s->body : &s->orelse;
}

/* Replaces the goto by setting the flag, and skips what follows it in the blocks that it leaves. */
static void leave(cuda_fn *f, cs_list *list, uint32_t label, uint32_t flag)
{
    const uint32_t i = index_of(list, CS_GOTO, label);
    cs *s = list->v[i];
    if (s->kind == CS_GOTO) {
        list->n = i;
        cs_set(f, list, cx_var(f, flag), boolean(f, true));
        return;
    }
    wrap(f, list, i + 1, list->n, flag);
    leave(f, inner_with(s, CS_GOTO, label), label, flag);
}

/* Drops the label, and skips what stands before it in the blocks that the jump enters. */
static void enter(cuda_fn *f, cs_list *list, uint32_t label, uint32_t flag)
{
    const uint32_t i = index_of(list, CS_LABEL, label);
    cs *s = list->v[i];
    if (s->kind == CS_LABEL)
        cs_remove_at(list, i);
    else
        enter(f, inner_with(s, CS_LABEL, label), label, flag);
    wrap(f, list, 0, i, flag);
}

/* if (c) { ...; goto L; } ... L:  or  ... if (c) { L: ... }: no flag is needed, what stands between
 * becomes the else branch. */
static bool simple_jump(const cs_list *list, uint32_t i, uint32_t j, uint32_t label)
{
    const cs *from = list->v[i], *to = list->v[j];
    if (from->kind != CS_IF || !from->body.n || from->body.v[from->body.n - 1]->kind != CS_GOTO ||
        from->body.v[from->body.n - 1]->label != label)
        return false;
    return to->kind == CS_LABEL ||
           (to->kind == CS_IF && to->body.n && to->body.v[0]->kind == CS_LABEL &&
            to->body.v[0]->label == label);
}

/* Removes the label and the jump to it, which comes before it. Where the two stand in blocks of one
 * list, what is between them becomes an else branch, or is skipped by a flag. */
static void resolve_label(cuda_fn *f, cs_list *list, uint32_t label)
{
    const uint32_t i = index_of(list, CS_GOTO, label), j = index_of(list, CS_LABEL, label);
    if (j == list->n)
        return;
    if (i == list->n) { /* nothing jumps here */
        if (list->v[j]->kind == CS_LABEL)
            cs_remove_at(list, j);
        else
            resolve_label(f, inner_with(list->v[j], CS_LABEL, label), label);
        return;
    }
    cs *from = list->v[i], *to = list->v[j];
    if (i == j) {
        resolve_label(f, inner_with(from, CS_LABEL, label), label);
    } else if (from->kind == CS_GOTO && to->kind == CS_LABEL) {
        list->v[j] = from; /* between them is nothing that runs */
        cs_list dropped = {0};
        move_range(f, list, i, j + 1, &dropped);
    } else if (simple_jump(list, i, j, label)) {
        from->body.n--;
        if (to->kind == CS_LABEL)
            cs_remove_at(list, j);
        else
            cs_remove_at(&to->body, 0);
        move_range(f, list, i + 1, j, &from->orelse);
    } else {
        const uint32_t flag = cv_new(f, type_scalar(f->c, TYPE_BOOL), STR("returned"));
        enter(f, from->kind == CS_GOTO ? list : inner_with(to, CS_LABEL, label), label, flag);
        wrap(f, list, i + 1, j, flag);
        if (from->kind == CS_GOTO)
            list->v[i] = cs_set(f, &(cs_list){0}, cx_var(f, flag), boolean(f, true));
        else
            leave(f, inner_with(from, CS_GOTO, label), label, flag);
        cs_list init = {0};
        insert_at(f, list, i, cs_set(f, &init, cx_var(f, flag), boolean(f, false)));
    }
}

/* One more than the largest label; 0: there is none. */
static uint32_t last_label(const cs_list *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        uint32_t inner = s->kind == CS_LABEL ? s->label + 1 : last_label(&s->body);
        const uint32_t other = last_label(&s->orelse);
        inner = other > inner ? other : inner;
        n = inner > n ? inner : n;
    }
    return n;
}

/* Nothing behind such a list runs. */
static bool ends_in_jump(const cs_list *list)
{
    return list->n && list->v[list->n - 1]->kind >= CS_BREAK &&
           list->v[list->n - 1]->kind <= CS_RETURN;
}

/* Is s a branch on a variable, or on its negation? */
static bool is_branch_on(const cs *s, uint32_t *var, bool *negated)
{
    if (s->kind != CS_IF)
        return false;
    *negated = s->e->kind == CX_NOT;
    return cx_is_var(*negated ? s->e->args[0] : s->e, var);
}

static void append(cuda_fn *f, cs_list *to, const cs_list *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        cs_push(f, to, from->v[i]);
}

/* Appends b, which follows a, to a if both branch on the same variable and a does not change it. */
static bool merge_branches(cuda_fn *f, cs *a, const cs *b)
{
    uint32_t va, vb;
    bool na, nb;
    if (!is_branch_on(a, &va, &na) || !is_branch_on(b, &vb, &nb) || va != vb ||
        cs_list_writes(f, &a->body, va) || cs_list_writes(f, &a->orelse, va))
        return false;
    cs_list *same = na == nb ? &a->body : &a->orelse, *other = na == nb ? &a->orelse : &a->body;
    if (ends_in_jump(same) || (b->orelse.n && ends_in_jump(other)))
        return false;
    append(f, same, &b->body);
    append(f, other, &b->orelse);
    return true;
}

/* Are both called alike in Python? Then the merge is one of that variable and no conditional
 * expression. */
static bool same_hint(const cuda_fn *f, const cx *e, uint32_t var)
{
    const cv *v = &f->vars.v[var];
    return e->kind == CX_VAR && f->vars.v[e->var].python && v->python &&
           str_eq(f->vars.v[e->var].hint, v->hint);
}

/* Moves r = c ? a : b, which follows a branch on c, into the branches: r = a and r = b. `choice`
 * marks those of a conditional expression, which fold turns back. */
static bool lower_merge(cuda_fn *f, cs *branch, const cs *s)
{
    uint32_t tested_var, c, r;
    bool negated;
    if (!is_branch_on(branch, &tested_var, &negated) || !cs_overwrites(s, &r) ||
        s->e->kind != CX_COND || !cx_is_var(s->e->args[0], &c) || c != tested_var ||
        cs_list_writes(f, &branch->body, c) || cs_list_writes(f, &branch->orelse, c))
        return false;
    const bool choice = !same_hint(f, s->e->args[1], r) && !same_hint(f, s->e->args[2], r);
    for (int i = 0; i < 2; i++) {
        cs_list *list = (i == 0) != negated ? &branch->body : &branch->orelse;
        if (ends_in_jump(list))
            continue;
        cs *set = cs_set(f, list, s->to, s->e->args[1 + i]);
        set->choice = choice;
        set->id = s->id; /* both are what the merge was */
    }
    return true;
}

/* Merges neighbours. Jumps and labels that are still there have no partner and go. */
static void shape_list(cuda_fn *f, cs_list *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i], *last = n ? list->v[n - 1] : NULL;
        if (s->kind == CS_LABEL || s->kind == CS_GOTO)
            continue;
        if (last && (merge_branches(f, last, s) || lower_merge(f, last, s)))
            continue;
        list->v[n++] = s;
    }
    list->n = n;
    for (uint32_t i = 0; i < n; i++) {
        shape_list(f, &list->v[i]->body);
        shape_list(f, &list->v[i]->orelse);
    }
}

/* Notes counters that are live at the head of their loop or behind it. */
static void note_kept(cuda_live *l, const cs *s)
{
    bool *kept = l->arg;
    if (s->kind == CS_FOR && live_has(l->now, s->var))
        kept[s->var] = true;
}

/* In Python a loop variable keeps its last value after the loop, and changing it in the body does
 * not affect the loop. In C both need a counter apart from the variable. */
static void free_counters(cuda_fn *f, cs_list *list, const bool *kept)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        if (s->kind == CS_FOR && (kept[s->var] || cs_list_writes(f, &s->body, s->var))) {
            const uint32_t counter = cv_new(f, cuda_int(f), STR("step"));
            cs_list set = {0};
            insert_at(f, &s->body, 0, cs_set(f, &set, cx_var(f, s->var), cx_var(f, counter)));
            s->var = counter;
        }
        free_counters(f, &s->body, kept);
        free_counters(f, &s->orelse, kept);
    }
}

void cuda_split_counters(cuda_fn *f)
{
    bool *kept = arena_zero(&f->c->module, f->vars.n);
    cuda_live l = {.f = f, .visit = note_kept, .arg = kept};
    cuda_live_walk(&l);
    free_counters(f, &f->body, kept);
}

void cuda_structurize(cuda_fn *f)
{
    WEFT_ASSERT(!f->body.n || f->body.v);
    const uint32_t labels = last_label(&f->body);
    for (uint32_t i = 0; i < labels; i++)
        resolve_label(f, &f->body, i);
    shape_list(f, &f->body);
}
