/* SPDX-License-Identifier: Apache-2.0 */
/* Sum sinking. An atomic addition to a gradient moves into the branch that gives it a value, so
 * that nothing is added where the value is zero:
 *
 *     v = 0; if (c) v = e; atomic_add(g, v);   ->   if (c) atomic_add(g, e);
 *     atomic_add(g, c ? e : 0);                ->   if (c) atomic_add(g, e);
 *     g += c ? e : 0;                          ->   if (c) g += e;
 *
 * An example, of "v = x[i]; if v > 0.0: y[i] = v * 3.0", as --dump f and --dump b print its
 * backward tree:
 *
 *     adj_v%28 = zero()                                  if >(v%5, 0.0) {
 *     if >(v%5, 0.0) {                                       adj_%33 = load(element(adj_y%24, i%3))
 *         adj_%33 = load(element(adj_y%24, i%3))             element(adj_y%24, i%3) = zero()
 *         element(adj_y%24, i%3) = zero()           ->       atomic_add(element(adj_x%23, i%3),
 *         adj_v%28 = mul(3.0, adj_%33)                                  mul(3.0, adj_%33))
 *     }                                                  }
 *     atomic_add(element(adj_x%23, i%3), adj_v%28)
 *
 * Needs: no gotos. Keeps: the order of memory accesses other than additions to gradients, which may
 * be reordered among themselves. Reverse code only. Not done where the branch changes a variable of
 * the place g, or where the addition would move across a read or write of gradients, a write to
 * memory, or a jump. */
#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* An atomic addition whose old value is not used. */
static bool is_addition(const cs *s)
{
    return s->kind == CS_CALL && s->e->kind == CX_ATOMIC && s->e->nargs == 2 &&
           s->e->op == CUDA_OP_ATOMIC_ADD;
}

/* atomic_add(place, e) */
static cs *addition(cuda_fn *f, cx *place, cx *e)
{
    cs *s = cs_new(f, CS_CALL);
    s->e = cx_atomic(f, CUDA_OP_ATOMIC_ADD, place, e);
    return s;
}

static bool is_zero(const cx *e)
{
    return e->kind == CX_ZERO;
}

/* add(place, c ? e : 0)  ->  if (c) add(place, e). Exactly one arm has to be zero. The inner
 * statement keeps the ids of the old one, by which cuda_flow.c recognizes it. */
static void branch_on_choice(cuda_fn *f, cs *s)
{
    cx *sum = s->kind == CS_SET && s->add ? s->e : is_addition(s) ? s->e->args[1] : NULL;
    if (!sum || sum->kind != CX_COND || is_zero(sum->args[1]) == is_zero(sum->args[2]))
        return;
    const bool swap = is_zero(sum->args[1]);
    cx *e = sum->args[swap ? 2 : 1], *condition = sum->args[0];
    cs *inner;
    if (s->kind == CS_SET) {
        inner = cs_new(f, CS_SET);
        inner->to = s->to;
        inner->e = e;
        inner->add = true;
    } else {
        inner = addition(f, s->e->args[0], e);
        inner->e->id = s->e->id;
    }
    inner->id = s->id;
    s->kind = CS_IF;
    s->add = false;
    s->to = NULL;
    s->e = swap ? cx_unary(f, CX_NOT, condition->type, condition) : condition;
    cs_push(f, &s->body, inner);
}

/* Looks for variables of a place that a branch writes. */
typedef struct place_check {
    const cuda_fn *f;
    const cs *branch;
    bool moves; /* one was found: inside of the branch the place would be another one */
} place_check;

static void check_place(void *arg, uint32_t var)
{
    place_check *c = arg;
    c->moves |= cs_list_writes(c->f, &c->branch->body, var) ||
                cs_list_writes(c->f, &c->branch->orelse, var);
}

/* The statement of the list that sets var or adds to it without reading it; NULL: there is none. */
static cs *contribution(const cs_list *list, uint32_t var)
{
    uint32_t to;
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        if (s->kind == CS_SET && cx_is_var(s->to, &to) && to == var && !cx_reads_var(s->e, var))
            return s;
    }
    return NULL;
}

/* Must an addition not move across statements from..to-1? They access gradients, write memory or
 * jump. Other additions are no hindrance: sums may come in any order. */
static bool bars_addition(const cuda_fn *f, const cs_list *list, uint32_t from, uint32_t to)
{
    WEFT_ASSERT(to <= list->n);
    const unsigned bars = CX_READS_GRADIENT | CX_WRITES_GRADIENT | CX_WRITES_MEMORY;
    for (uint32_t i = from; i < to; i++) {
        const cs *s = list->v[i];
        const unsigned does = is_addition(s)
                                  ? cx_effects(f, s->e->args[0]) | cx_effects(f, s->e->args[1])
                                  : cs_effects(f, s);
        if (does & bars || (s->kind >= CS_BREAK && s->kind <= CS_RETURN) ||
            bars_addition(f, &s->body, 0, s->body.n) ||
            bars_addition(f, &s->orelse, 0, s->orelse.n))
            return true;
    }
    return false;
}

/* Must an addition not move from the list's end to s? False if s is NULL: that branch has no
 * contribution, and nothing moves there. */
static bool is_barred(const cuda_fn *f, const cs_list *list, const cs *s)
{
    uint32_t i = 0;
    while (i < list->n && list->v[i] != s)
        i++;
    return s && bars_addition(f, list, i + 1, list->n);
}

/* Turns s, which sets the value, into the addition of it to the place of `sum`. */
static void add_there(cuda_fn *f, cs *s, const cx *sum)
{
    WEFT_ASSERT(s->kind == CS_SET && sum->kind == CX_ATOMIC);
    const cs *call =
        addition(f, sum->args[0], s->sub ? cx_call1(f, CUDA_OP_NEG, s->e->type, s->e) : s->e);
    s->kind = CS_CALL;
    s->e = call->e;
    s->e->id = sum->id;
    s->to = NULL;
    s->add = s->sub = false;
}

/* v = 0 (at i); if (c) v = e; add(place, v);
 *
 * Statement k is the branch and m the addition. Between i and k nothing may use v; between k and m
 * there may be other additions only. Beside the zero and the addition at most one contribution in
 * each arm may use v: anything else makes the count of users differ. */
static bool move_addition(cuda_fn *f, cs_list *list, uint32_t i, uint32_t var)
{
    uint32_t k = i + 1, added;
    while (k < list->n && !cs_uses(f, list->v[k], var))
        k++;
    if (k == list->n || list->v[k]->kind != CS_IF || cs_uses_itself(list->v[k], var))
        return false;
    const cs *branch = list->v[k];
    WEFT_ASSERT(branch->kind == CS_IF && k > i);
    uint32_t m = k + 1;
    while (m < list->n && is_addition(list->v[m]) && !cs_uses(f, list->v[m], var))
        m++;
    if (m == list->n || !is_addition(list->v[m]) || !cx_is_var(list->v[m]->e->args[1], &added) ||
        added != var)
        return false;
    const cx *sum = list->v[m]->e, *place = sum->args[0];
    cs *a = contribution(&branch->body, var), *b = contribution(&branch->orelse, var);
    place_check c = {f, branch, cx_reads_var(place, var)};
    cx_reads(place, check_place, &c);
    if (bars_addition(f, list, k + 1, m) || is_barred(f, &branch->body, a) ||
        is_barred(f, &branch->orelse, b))
        return false;
    if (c.moves || cs_count_users(f, &f->body, var) != 2u + (a != NULL) + (b != NULL))
        return false;
    if (a)
        add_there(f, a, sum);
    if (b)
        add_there(f, b, sum);
    cs_remove_at(list, m);
    cs_remove_at(list, i);
    return true;
}

/* Zeroes are tried from the last one on, so that moving an addition does not shift those that are
 * still to come. */
static void branch_list(cuda_fn *f, cs_list *list)
{
    for (uint32_t i = list->n; i-- > 0;) {
        uint32_t var;
        const cs *s = list->v[i];
        if (cs_overwrites(s, &var) && is_zero(s->e) && f->vars.v[var].adjoint &&
            !f->vars.v[var].out && !f->vars.v[var].param)
            move_addition(f, list, i, var);
    }
    for (uint32_t i = 0; i < list->n; i++) {
        branch_on_choice(f, list->v[i]);
        branch_list(f, &list->v[i]->body);
        branch_list(f, &list->v[i]->orelse);
    }
}

void cuda_sink_sums(cuda_fn *f)
{
    if (f->reverse)
        branch_list(f, &f->body);
}
