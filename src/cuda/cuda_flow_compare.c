/* SPDX-License-Identifier: Apache-2.0 */
/* What a pass must keep, from the flows of the tree before and after it (cuda_flow.h):
 * - an operand that was read before reads the same definitions; what passes merged or made anew is
 * let through, and where several copies of a node became fewer, so are fewer definitions;
 * - nothing is read that is set on no way there, if it was set before;
 * - what touches memory, gradients or the output is neither repeated nor, unless the pass drops
 * things, lost; and it comes before, or behind, the same others as it did, in the same loops.
 *
 * A pass that moved the load of x[i] across the store to x[i] would be reported so (cuda_verify.c),
 * and the debug build aborts:
 *
 *     element(x%0, i%1) = 0                         element(x%0, i%1) = 0
 *     y%2 = load(element(x%0, i%1))   <- behind     "it changed places with something that writes"
 *
 * Not seen: an effect that moved under another condition, and a wrong formula. */
#include <stdlib.h>

#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_flow.h"
#include "cuda/cuda_string.h"

enum {
    WRITES = CX_WRITES_MEMORY | CX_WRITES_GRADIENT | CX_PRINTS,
    PAIRS_MAX = 4000000 /* of touches; of more, not all are looked at */
};

/* One comparison; it ends with the first fault. */
typedef struct comparison {
    cuda_fn *f;
    const cuda_flow *before, *after;
    unsigned keeps;   /* a set of cuda_kept */
    cuda_fault fault; /* .what is empty: none so far */
} comparison;

/* The definition by node `id`, or NULL. Definitions are sorted by id. */
static const cuda_written *find_def(const cuda_flow *flow, uint32_t id)
{
    uint32_t low = 0, high = flow->defs.n;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (flow->defs.v[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < flow->defs.n && flow->defs.v[low].id == id ? &flow->defs.v[low] : NULL;
}

/* Of a parameter, or of what nothing has set: cuda_flow_of gives those ids above all nodes. */
static bool is_entry(const comparison *c, uint32_t id)
{
    return id > c->f->nodes;
}

/* Is it one of the set? */
static bool has_id(cuda_ids ids, uint32_t id)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (ids.v[i] == id)
            return true;
    return false;
}

/* Definitions of the tree after, in terms of that before: what was a copy is what it copied. */
static cuda_ids in_old_terms(const comparison *c, cuda_ids from)
{
    cuda_ids all = {NULL, 0};
    for (uint32_t i = 0; i < from.n; i++) {
        const cuda_written *d = find_def(c->before, from.v[i]);
        all = cuda_join_ids(&c->f->c->module, all, d ? d->gives : (cuda_ids){&from.v[i], 1});
    }
    return all;
}

/* What was read before; what has become a copy is what it copies. */
static cuda_ids as_copied(const comparison *c, cuda_ids from)
{
    cuda_ids all = {NULL, 0};
    for (uint32_t i = 0; i < from.n; i++) {
        const cuda_written *d = find_def(c->after, from.v[i]);
        all = cuda_join_ids(&c->f->c->module, all,
                            d ? in_old_terms(c, d->gives) : (cuda_ids){&from.v[i], 1});
    }
    return all;
}

/* May the definition show through one of those: was it there before a sum that a pass may skip
 * because it adds nothing? */
static bool shows_through(const comparison *c, uint32_t id, cuda_ids ids, int depth)
{
    for (uint32_t i = 0; i < ids.n && depth < 64; i++) {
        const cuda_written *d = find_def(c->before, ids.v[i]);
        if (d && (has_id(d->prior, id) || shows_through(c, id, d->prior, depth + 1)))
            return true;
    }
    return false;
}

/* Is the definition by statement `id` read where nothing may be set instead, or by a statement
 * whose own is? An expression that a pass moves from there to its use then reads what is not set
 * where the variable was not:
 *
 *     if c { k = i + 1; row = view(a, k) }        if c { k = i + 1 }
 *     if d { x = row[0] }                         if d { x = view(a, k)[0] }     k may be unset
 */
static bool may_be_unset(const comparison *c, uint32_t id, bool *seen)
{
    seen[id] = true;
    for (uint32_t i = 0; i < c->before->reads.n; i++) {
        const cuda_read *r = &c->before->reads.v[i];
        if (has_id(r->from, id) &&
            (has_id(r->from, CUDA_UNDEFINED) || (!seen[r->in] && may_be_unset(c, r->in, seen))))
            return true;
    }
    return false;
}

/* Is that so for the statement that the operand stood in? */
static bool stood_where_unset(const comparison *c, const cuda_read *old)
{
    return may_be_unset(c, old->in, arena_zero(&c->f->c->module, c->f->nodes + 1));
}

/* One operand that both trees have. `fresh`: it may read something new, because the node stands in
 * several places or reads a definition that the pass made. */
static void compare_read(comparison *c, const cuda_read *old, const cuda_read *new)
{
    WEFT_ASSERT(old->parent == new->parent && old->slot == new->slot);
    const cuda_ids want = as_copied(c, old->from), got = in_old_terms(c, new->from);
    bool fresh = old->again || new->again || !(c->keeps & CUDA_KEEPS_READS);
    for (uint32_t i = 0; i < got.n; i++) {
        const uint32_t id = got.v[i];
        if (!is_entry(c, id) && !find_def(c->before, id))
            fresh = true;
        else if (!has_id(want, id) && !has_id(old->from, id) && !shows_through(c, id, want, 0) &&
                 !(id == CUDA_UNDEFINED && stood_where_unset(c, old)))
            c->fault.what =
                id == CUDA_UNDEFINED
                    ? cuda_sprintf(c->f, "operand %u of node %u is read before it is set",
                                   new->slot, new->parent)
                    : cuda_sprintf(c->f, "operand %u of node %u reads what %u sets, as it did not",
                                   new->slot, new->parent, id);
    }
    /* Of several it may read fewer: a pass may find that one does not get there. */
    const bool fewer = got.n && want.n > 1;
    for (uint32_t i = 0; i < want.n && !fresh && !fewer && !c->fault.what.n; i++)
        if (want.v[i] != CUDA_UNDEFINED && !has_id(got, want.v[i]) &&
            (is_entry(c, want.v[i]) || find_def(c->after, want.v[i])))
            c->fault.what = cuda_sprintf(c->f, "operand %u of node %u no longer reads what %u sets",
                                         new->slot, new->parent, want.v[i]);
}

/* Merges the two lists, which are sorted alike. Operands of only one tree are not compared. */
static void compare_reads(comparison *c)
{
    const cuda_read *old = c->before->reads.v, *end = old ? old + c->before->reads.n : old;
    for (uint32_t i = 0; i < c->after->reads.n && !c->fault.what.n; i++) {
        const cuda_read *new = &c->after->reads.v[i];
        while (old < end &&
               (old->parent < new->parent || (old->parent == new->parent && old->slot < new->slot)))
            old++;
        if (old < end && old->parent == new->parent && old->slot == new->slot)
            compare_read(c, old, new);
    }
}

/* The innermost block around both. *exclusive: they stand in the two arms of one branch, so that
 * only one of them runs. Walks outwards from the deeper one, or from both. */
static const cuda_block *common_block(const cuda_block *a, const cuda_block *b, bool *exclusive)
{
    *exclusive = false;
    while (a != b) { /* the outermost block is the same for all */
        WEFT_ASSERT(a && b);
        const uint32_t x = a->depth, y = b->depth;
        if (x == y)
            *exclusive = a->owner == b->owner; /* the two arms of one branch */
        a = x >= y ? a->outer : a;
        b = y >= x ? b->outer : b;
    }
    return a;
}

/* How two touches lie to each other. */
typedef struct relation {
    int order; /* -1: the first runs before the second; 1: behind it; 0: only one of them runs */
    uint32_t loop; /* id of the innermost loop that holds both; 0: none */
} relation;

static relation relate(const cuda_touch *a, const cuda_touch *b)
{
    bool exclusive;
    const cuda_block *common = common_block(a->block, b->block, &exclusive);
    while (common->outer && !common->loop)
        common = common->outer;
    relation r = {exclusive ? 0 : a->at < b->at ? -1 : 1, common->loop ? common->owner : 0};
    return r;
}

/* Must the two keep their order? One writes what the other reads or writes, or both print. Sums are
 * free among themselves. */
static bool conflict(const cuda_touch *a, const cuda_touch *b)
{
    const unsigned x = a->effects, y = b->effects;
    return !(a->sum && b->sum) &&
           ((x & CX_WRITES_MEMORY && y & (CX_READS_MEMORY | CX_WRITES_MEMORY)) ||
            (x & CX_WRITES_GRADIENT && y & (CX_READS_GRADIENT | CX_WRITES_GRADIENT)) ||
            (x & CX_PRINTS && y & CX_PRINTS));
}

/* Touches that both trees have once. */
typedef struct pair {
    const cuda_touch *old, *new;
} pair;

/* How often the node of touch i occurs. Touches are sorted by node. */
static uint32_t times(const cuda_flow *flow, uint32_t i)
{
    WEFT_ASSERT(i < flow->touches.n);
    uint32_t n = 1;
    while (i + n < flow->touches.n && flow->touches.v[i + n].id == flow->touches.v[i].id)
        n++;
    return n;
}

/* Do the n touches from i on exclude each other, so that one of them runs at the most? */
static bool run_once(const cuda_flow *flow, uint32_t i, uint32_t n)
{
    WEFT_ASSERT(i + n <= flow->touches.n);
    for (uint32_t k = i; k < i + n; k++)
        for (uint32_t m = k + 1; m < i + n; m++)
            if (relate(&flow->touches.v[k], &flow->touches.v[m]).order)
                return false;
    return true;
}

/* The first fault is reported; the comparison ends with it. */
static void blame(comparison *c, const cuda_touch *t, const char *what)
{
    c->fault = (cuda_fault){t->s, str_c(what)};
}

/* Each writing touch with each other, so quadratic: PAIRS_MAX bounds the time of debug builds, and
 * of very large functions the rest is not compared. */
static void compare_pairs(comparison *c, const pair *pairs, uint32_t n)
{
    uint32_t looked = 0;
    for (uint32_t i = 0; i < n && !c->fault.what.n; i++) {
        if (!(pairs[i].old->effects & pairs[i].new->effects &WRITES))
            continue;
        for (uint32_t k = 0; k < n && looked < PAIRS_MAX; k++, looked++) {
            if (i == k || !conflict(pairs[i].old, pairs[k].old) ||
                !conflict(pairs[i].new, pairs[k].new))
                continue;
            const relation old = relate(pairs[i].old, pairs[k].old),
                           new = relate(pairs[i].new, pairs[k].new);
            if (old.order * new.order < 0)
                blame(c, pairs[k].new, "it changed places with something that writes");
            else if (old.order && new.order && old.loop != new.loop)
                blame(c, pairs[k].new, "it left, or entered, a loop with something that writes");
        }
    }
}

/* What must be there after the pass, too: values and output, or additions to gradients, if the pass
 * keeps them (cuda_pass.keeps). A load may always go. */
static bool must_stay(const comparison *c, const cuda_touch *t)
{
    return (t->effects & (CX_WRITES_MEMORY | CX_PRINTS) && c->keeps & CUDA_KEEPS_VALUES) ||
           (t->effects & CX_WRITES_GRADIENT && c->keeps & CUDA_KEEPS_SUMS);
}

/* Merges the two lists by node. A node that both trees have once is compared with others as to its
 * order. */
static void compare_touches(comparison *c)
{
    const cuda_flow *old = c->before, *new = c->after;
    pair *pairs = ARENA_ARRAY(&c->f->c->module, pair, new->touches.n + 1);
    uint32_t n = 0, i = 0, k = 0;
    while ((i < old->touches.n || k < new->touches.n) && !c->fault.what.n) {
        const uint32_t a = i < old->touches.n ? old->touches.v[i].id : UINT32_MAX,
                       b = k < new->touches.n ? new->touches.v[k].id : UINT32_MAX;
        const uint32_t na = a <= b ? times(old, i) : 0, nb = b <= a ? times(new, k) : 0;
        if (na && !nb && must_stay(c, &old->touches.v[i]))
            c->fault =
                (cuda_fault){NULL, cuda_sprintf(c->f, "node %u, which has an effect, is gone", a)};
        else if (nb > 1 && new->touches.v[k].effects & WRITES && !run_once(new, k, nb) &&
                 (!na || run_once(old, i, na)))
            blame(c, &new->touches.v[k], "it has an effect and runs more than once");
        else if (na == 1 && nb == 1)
            pairs[n++] = (pair){&old->touches.v[i], &new->touches.v[k]};
        i += na;
        k += nb;
    }
    compare_pairs(c, pairs, n);
}

/* Trees with gotos are not compared: the order of running is not that of the statements. */
cuda_fault cuda_compare_flow(cuda_fn *f, const cuda_flow *before, const cuda_flow *after,
                             unsigned keeps)
{
    comparison c = {.f = f, .before = before, .after = after, .keeps = keeps};
    if (before->jumps || after->jumps)
        return c.fault;
    if (keeps & CUDA_KEEPS_ORIGINS)
        compare_reads(&c);
    if (!c.fault.what.n)
        compare_touches(&c);
    return c.fault;
}
