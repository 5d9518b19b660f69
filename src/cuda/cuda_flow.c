/* SPDX-License-Identifier: Apache-2.0 */
/* Reaching definitions over the tree, for cuda_flow_compare.c: which statements may have set what
 * each operand reads, and in which order memory is touched. For
 *
 *     s%5 = float(0.0)                              statement 1
 *     for j%7 in range(0, n%2, 1) {
 *         s%17 = add(s%5, load(element(x%0, j%7)))  statement 3: operand 0 of `add` reads 1 and 3
 *         s%5 = s%17                                a copy, no definition: s%5 is what 3 set
 *     }
 *
 * one walk holds a set of definitions for each variable. Changes are logged, so that a branch can
 * be undone; where paths meet, what they changed is united. A loop is walked until the state at its
 * head no longer changes, and once more to record. A loop inside of it goes on from the state that
 * its last walk ended with: starting over would double the walks with every level of nesting. Sets
 * only grow from round to round, so the walk of a loop ends after as many rounds as it has
 * definitions, at the most.
 *
 * Nodes that are copied keep their id, and their records are united at the end. */
#include "cuda/cuda_flow.h"

#include <stdlib.h>

#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_tree.h"

enum {
    /* slots of statements' own expressions */
    SLOT_VALUE = 1,
    SLOT_TO,
    SLOT_START,
    SLOT_STOP,
    SLOT_STEP,
    SLOT_RESULTS
};

/* A variable and what may have set it: what it was (log), or what it has become (path). */
typedef struct change {
    uint32_t var;
    cuda_ids ids;
} change;

/* What one path through a block has changed. */
typedef struct path {
    change *v; /* each variable once */
    uint32_t n;
} path;

/* What the last walk of a loop leaves for the next one, which finds more at the head, never less.
 */
typedef struct loop_memory {
    const cs *s; /* the loop */
    path head;   /* the state at its head, as far as it differs from that before the loop */
    VEC(struct loop_memory *) inner; /* the loops directly inside, in order */
} loop_memory;

/* A loop that the walk is in. */
typedef struct loop_walk {
    struct loop_walk *outer; /* NULL: of the function's body */
    loop_memory *memory;
    uint32_t inner;              /* how many loops this round has met */
    uint32_t mark;               /* of the log, at its head */
    VEC(path) breaks, continues; /* the states there, since the head */
} loop_walk;

/* The state of the walk. */
typedef struct walker {
    cuda_fn *f;
    arena *a;
    cuda_flow *flow;
    cuda_ids *now;   /* by variable */
    VEC(change) log; /* what `now` was */
    uint32_t *stamp; /* by variable: of the last collection that had it */
    uint32_t *place; /* and where in it */
    uint32_t stamps;
    bool dead;               /* nothing comes here */
    bool recording;          /* it is the last round of all loops around */
    uint32_t at;             /* touches so far: the order in which they run */
    const cuda_block *block; /* that the walk is in */
    loop_walk *loop;         /* the innermost loop; NULL: none */
    const cs *s;             /* the statement that the walk is at, for messages */
    const cs *given;         /* the call whose operands may be results, which are not read */
} walker;

/* The set of one definition. */
static cuda_ids single(const walker *w, uint32_t id)
{
    uint32_t *v = ARENA_ARRAY(w->a, uint32_t, 1);
    *v = id;
    return (cuda_ids){v, 1};
}

static bool same_ids(cuda_ids a, cuda_ids b)
{
    return a.n == b.n && (a.v == b.v || memcmp(a.v, b.v, a.n * sizeof *a.v) == 0);
}

/* Merges two sorted sets. Sets are never changed, so a result may be one of the operands, and the
 * same set again costs no memory. */
cuda_ids cuda_join_ids(arena *a, cuda_ids x, cuda_ids y)
{
    if (!y.n || same_ids(x, y))
        return x;
    if (!x.n)
        return y;
    uint32_t *v = ARENA_ARRAY(a, uint32_t, x.n + y.n), n = 0, i = 0, k = 0;
    while (i < x.n || k < y.n) {
        const bool first = k == y.n || (i < x.n && x.v[i] <= y.v[k]);
        const uint32_t id = first ? x.v[i++] : y.v[k++];
        if (!n || v[n - 1] != id)
            v[n++] = id;
    }
    return (cuda_ids){v, n};
}

/* Changes what has set the variable, and logs what was. */
static void set(walker *w, uint32_t var, cuda_ids ids)
{
    WEFT_ASSERT(var < w->f->vars.n);
    const change c = {var, w->now[var]};
    VEC_PUSH(w->a, &w->log, c);
    w->now[var] = ids;
}

/* Goes back to the state at the mark of the log. */
static void undo(walker *w, uint32_t mark)
{
    WEFT_ASSERT(mark <= w->log.n);
    while (w->log.n > mark) {
        const change *c = &w->log.v[--w->log.n];
        w->now[c->var] = c->ids;
    }
}

/* What has changed since the mark of the log: each variable once, with its present value. */
static path path_since(walker *w, uint32_t mark)
{
    WEFT_ASSERT(mark <= w->log.n);
    path p = {ARENA_ARRAY(w->a, change, w->log.n - mark + 1), 0};
    const uint32_t stamp = ++w->stamps;
    for (uint32_t i = mark; i < w->log.n; i++) {
        const uint32_t var = w->log.v[i].var;
        if (w->stamp[var] == stamp)
            continue;
        w->stamp[var] = stamp;
        p.v[p.n++] = (change){var, w->now[var]};
    }
    return p;
}

/* Unites the paths that meet. A variable that one of them did not change also keeps what it was in
 * `now`, the state that all paths began with. w->place has a variable's index in the result as long
 * as its stamp is the present one, so that no table has to be cleared. */
static path meet(walker *w, const path *paths, uint32_t n)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += paths[i].n;
    path all = {ARENA_ARRAY(w->a, change, total + 1), 0};
    const uint32_t stamp = ++w->stamps;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < paths[i].n; k++) {
            const uint32_t var = paths[i].v[k].var;
            if (w->stamp[var] == stamp)
                continue;
            w->stamp[var] = stamp;
            w->place[var] = all.n;
            all.v[all.n++] = (change){var, {NULL, 0}};
        }
    /* How many of the paths changed each: where not all did, the old definitions get through. */
    uint32_t *times = arena_zero(w->a, (all.n + 1) * sizeof *times);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < paths[i].n; k++) {
            const uint32_t at = w->place[paths[i].v[k].var];
            all.v[at].ids = cuda_join_ids(w->a, all.v[at].ids, paths[i].v[k].ids);
            times[at]++;
        }
    for (uint32_t i = 0; i < all.n; i++)
        if (times[i] < n)
            all.v[i].ids = cuda_join_ids(w->a, all.v[i].ids, w->now[all.v[i].var]);
    return all;
}

/* Goes on from the end of the path. */
static void take_path(walker *w, const path *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        set(w, p->v[i].var, p->v[i].ids);
}

/* --- records --- */

static void record_read(walker *w, uint32_t parent, uint32_t slot, uint32_t var)
{
    WEFT_ASSERT(var < w->f->vars.n);
    const cuda_read r = {parent, slot, w->now[var], w->s ? w->s->id : 0, false};
    if (w->recording)
        VEC_PUSH(w->a, &w->flow->reads, r);
}

static void record_def(walker *w, uint32_t id, cuda_ids gives, cuda_ids prior)
{
    const cuda_written d = {id, gives, prior};
    if (w->recording)
        VEC_PUSH(w->a, &w->flow->defs, d);
}

/* Counts touches in rounds that are not recorded, too: walk_loop sets w->at back before the last
 * one. */
static void record_touch(walker *w, uint32_t id, unsigned effects, bool sum)
{
    /* Writes to variables are definitions; compare_reads looks after them. */
    const cuda_touch t = {id, w->at++, effects, sum, w->block, w->s};
    if (w->recording && effects & ~(unsigned)CX_WRITES_VARS)
        VEC_PUSH(w->a, &w->flow->touches, t);
}

/* The variable has what node `id` gives. */
static void define(walker *w, uint32_t var, uint32_t id)
{
    set(w, var, single(w, id));
    record_def(w, id, w->now[var], (cuda_ids){NULL, 0});
}

/* An atomic addition whose old value is not used: such may come in any order. */
static bool is_sum(const cx *e)
{
    return e->kind == CX_ATOMIC && e->nargs == 2 && e->op == CUDA_OP_ATOMIC_ADD;
}

/* Results come last: a variable that is one, and no operand behind it, is not read. */
static bool is_result(const walker *w, uint32_t parent, uint32_t slot, uint32_t var)
{
    uint32_t other;
    if (!w->given || w->given->e->id != parent || !cs_gives(w->given, var))
        return false;
    for (uint32_t i = slot + 1; i < w->given->e->nargs; i++)
        if (cx_is_var(w->given->e->args[i], &other) && other == var)
            return false;
    return true;
}

/* Records what the expression reads and touches, in the order in which it is evaluated: operands
 * first. `place`: e is named, not read, as the target of an assignment; the indices in it are read.
 */
static void visit(walker *w, const cx *e, uint32_t parent, uint32_t slot, bool place)
{
    uint32_t var;
    if (!e)
        return;
    if (cx_is_var(e, &var)) {
        if (!place && !is_result(w, parent, slot, var))
            record_read(w, parent, slot, var);
        return;
    }
    const bool part = e->kind == CX_FIELD || e->kind == CX_COMPONENT;
    for (uint32_t i = 0; i < e->nargs; i++)
        visit(w, e->args[i], e->id, i, place && part && !i);
    record_touch(w, e->id, cx_own_effects(w->f, e), is_sum(e));
    if (cx_changes_argument(e) && cx_is_var(e->args[0], &var))
        define(w, var, e->id);
}

/* --- statements --- */

static void walk_list(walker *w, const cs_list *list);

/* A reference that is bound, a shape and a view name memory without reading it. A sum, or an
 * assignment to a part, sets the variable and keeps something of what was there (prior). */
static void walk_set(walker *w, const cs *s)
{
    cuda_fn *f = w->f;
    uint32_t var, from;
    const bool names = cs_binds(f, s) || s->e->kind == CX_SHAPE || s->e->kind == CX_VIEW;
    visit(w, s->e, s->id, SLOT_VALUE, names);
    visit(w, s->to, s->id, SLOT_TO, !s->add && !s->sub);
    if (!names && cx_place_root(f, s->to) == CUDA_NO_VAR) {
        record_touch(w, s->id, cs_store_effects(f, s), false);
        return;
    }
    if (!cs_overwrites(s, &var)) {
        var = cx_place_root(f, s->to);
        const cuda_ids prior = w->now[var];
        set(w, var, single(w, s->id));
        record_def(w, s->id, w->now[var], prior);
    } else if (cx_is_var(s->e, &from)) {
        record_def(w, s->id, w->now[from], (cuda_ids){NULL, 0});
        set(w, var, w->now[from]);
    } else {
        define(w, var, s->id);
    }
}

/* Both arms begin with the state before the branch. An arm that ends with a jump does not reach the
 * end. */
static void walk_if(walker *w, const cs *s)
{
    visit(w, s->e, s->id, SLOT_VALUE, false);
    const cuda_block *outer = w->block;
    const uint32_t mark = w->log.n;
    path paths[2];
    uint32_t n = 0;
    for (uint32_t arm = 0; arm < 2; arm++) {
        const cuda_block inner = {outer, s->id, arm, outer->depth + 1, false};
        cuda_block *b = ARENA_NEW(w->a, cuda_block);
        *b = inner;
        w->block = b;
        w->dead = false;
        walk_list(w, arm ? &s->orelse : &s->body);
        if (!w->dead)
            paths[n++] = path_since(w, mark);
        undo(w, mark);
    }
    w->block = outer;
    w->dead = n == 0;
    const path all = meet(w, paths, n);
    take_path(w, &all);
}

/* One round; `end`: where the body ends, if it is reached. */
static bool walk_round(walker *w, const cs *s, loop_walk *l, path *end)
{
    l->breaks.n = l->continues.n = l->inner = 0;
    w->dead = false;
    visit(w, s->stop, s->id, SLOT_STOP, false);
    visit(w, s->step, s->id, SLOT_STEP, false);
    visit(w, s->e, s->id, SLOT_VALUE, false);
    if (s->kind == CS_FOR)
        define(w, s->var, s->id);
    walk_list(w, &s->body);
    /* A body that ends with a jump on all ways does not come back to the head by its end. */
    if (w->dead)
        return false;
    *end = path_since(w, l->mark);
    return true;
}

/* Needs: both are sorted by variable. */
static bool same_path(const path *a, const path *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].var != b->v[i].var || !same_ids(a->v[i].ids, b->v[i].ids))
            return false;
    return true;
}

static int by_var(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return x->var < y->var ? -1 : x->var > y->var;
}

/* The state at the loop's head: before the loop, after each continue, and at the body's end. */
static path head_of(walker *w, loop_walk *l, const path *end)
{
    const uint32_t n = l->continues.n;
    path *paths = ARENA_ARRAY(w->a, path, n + 2);
    if (n)
        memcpy(paths, l->continues.v, n * sizeof *paths);
    paths[n] = (path){NULL, 0}; /* from before the loop: nothing has changed */
    if (end)
        paths[n + 1] = *end;
    path head = meet(w, paths, n + 1 + (end != NULL));
    if (head.n)
        qsort(head.v, head.n, sizeof *head.v, by_var);
    return head;
}

/* Every round of a loop meets the same loops in the same order: what is dead does not depend on
 * the state. */
static loop_memory *memory_of(walker *w, const cs *s)
{
    loop_walk *outer = w->loop;
    if (outer && outer->inner < outer->memory->inner.n) {
        loop_memory *m = outer->memory->inner.v[outer->inner++];
        WEFT_ASSERT(m->s == s);
        return m;
    }
    loop_memory *m = arena_zero(w->a, sizeof *m);
    m->s = s;
    if (outer) {
        VEC_PUSH(w->a, &outer->memory->inner, m);
        outer->inner++;
    }
    return m;
}

/* Walks the loop, without recording, until its head is stable: the state there. `l` then has the
 * jumps of the last round. */
static path settle(walker *w, const cs *s, loop_walk *l)
{
    const path before[2] = {l->memory->head, {NULL, 0}};
    path head = meet(w, before, 2), end;
    for (;;) {
        take_path(w, &head);
        const bool ends = walk_round(w, s, l, &end);
        undo(w, l->mark);
        const path next = head_of(w, l, ends ? &end : NULL);
        if (same_path(&head, &next))
            return l->memory->head = head;
        head = next;
    }
}

/* Where the walk is recorded, the last round is walked again with the final state, and its touches
 * count from where the loop began. Behind the loop comes what its breaks, or its condition, leave.
 */
static void walk_loop(walker *w, const cs *s)
{
    WEFT_ASSERT(s->kind == CS_FOR || s->kind == CS_LOOP);
    visit(w, s->start, s->id, SLOT_START, false);
    loop_walk l = {.outer = w->loop, .memory = memory_of(w, s), .mark = w->log.n};
    const cuda_block *outer = w->block;
    cuda_block *b = ARENA_NEW(w->a, cuda_block);
    *b = (cuda_block){outer, s->id, 0, outer->depth + 1, true};
    w->block = b;
    w->loop = &l;
    const bool recording = w->recording;
    const uint32_t at = w->at;
    w->recording = false;
    const path head = settle(w, s, &l);
    w->recording = recording;
    if (recording) {
        path end;
        w->at = at;
        take_path(w, &head);
        walk_round(w, s, &l, &end);
        undo(w, l.mark);
    }
    w->loop = l.outer;
    w->block = outer;
    if (s->kind == CS_FOR || s->e) /* it is left at its head, too */
        VEC_PUSH(w->a, &l.breaks, head);
    w->dead = l.breaks.n == 0;
    const path all = meet(w, l.breaks.v, l.breaks.n);
    take_path(w, &all);
}

/* What the caller finds. */
static void read_results(walker *w, uint32_t parent)
{
    for (uint32_t i = 0; i < w->f->vars.n; i++)
        if (w->f->vars.v[i].out)
            record_read(w, parent, SLOT_RESULTS + i, i);
}

static void walk_jump(walker *w, const cs *s)
{
    visit(w, s->e, s->id, SLOT_VALUE, false);
    if (s->kind == CS_RETURN) {
        read_results(w, s->id);
    } else if (w->loop) { /* outside of a loop the tree is wrong, which cuda_verify reports */
        const path p = path_since(w, w->loop->mark);
        if (s->kind == CS_BREAK)
            VEC_PUSH(w->a, &w->loop->breaks, p);
        else
            VEC_PUSH(w->a, &w->loop->continues, p);
    }
    w->dead = true;
}

/* A call that gives results does not read those operands. One that updates its outputs, and a text,
 * do. */
static void walk_call(walker *w, const cs *s)
{
    WEFT_ASSERT(s->e != NULL);
    w->given = s->updates || s->e->kind == CX_TEXT ? NULL : s;
    visit(w, s->e, s->id, SLOT_VALUE, false);
    w->given = NULL;
    for (uint32_t i = 0; i < s->noutputs; i++)
        define(w, s->outputs[i], s->id);
}

static void walk_stmt(walker *w, const cs *s)
{
    w->s = s;
    switch ((cs_kind)s->kind) {
    case CS_SET: walk_set(w, s); return;
    case CS_CALL: walk_call(w, s); return;
    case CS_IF: walk_if(w, s); return;
    case CS_FOR:
    case CS_LOOP: walk_loop(w, s); return;
    case CS_BREAK:
    case CS_CONTINUE:
    case CS_RETURN: walk_jump(w, s); return;
    case CS_ASSERT:
        visit(w, s->e, s->id, SLOT_VALUE, false);
        record_touch(w, s->id, CX_PRINTS, false);
        return;
    case CS_GOTO:
    case CS_LABEL: w->flow->jumps = true; return;
    }
}

/* What stands behind a jump does not run. */
static void walk_list(walker *w, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n && !w->dead; i++)
        walk_stmt(w, list->v[i]);
}

/* For qsort: reads by the node and its operand. */
static int by_parent(const void *a, const void *b)
{
    const cuda_read *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int by_id(const void *a, const void *b)
{
    const cuda_written *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* For qsort: touches by the node, then in the order of running. */
static int by_touch(const void *a, const void *b)
{
    const cuda_touch *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Reads and definitions of one node, which stands in several places, become one. */
static void unite(arena *a, cuda_flow *flow)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < flow->reads.n; i++) {
        cuda_read *r = &flow->reads.v[i], *last = n ? &flow->reads.v[n - 1] : NULL;
        if (!last || last->parent != r->parent || last->slot != r->slot) {
            flow->reads.v[n++] = *r;
            continue;
        }
        last->from = cuda_join_ids(a, last->from, r->from);
        last->again = true;
    }
    flow->reads.n = n;
    n = 0;
    for (uint32_t i = 0; i < flow->defs.n; i++) {
        cuda_written *d = &flow->defs.v[i], *last = n ? &flow->defs.v[n - 1] : NULL;
        if (!last || last->id != d->id) {
            flow->defs.v[n++] = *d;
            continue;
        }
        last->gives = cuda_join_ids(a, last->gives, d->gives);
        last->prior = cuda_join_ids(a, last->prior, d->prior);
    }
    flow->defs.n = n;
}

/* At the beginning each parameter and result has a definition of its own, above the ids of all
 * nodes, and all other variables are undefined. */
cuda_flow *cuda_flow_of(cuda_fn *f)
{
    arena *a = &f->c->module;
    static const cuda_block whole = {0};
    walker w = {.f = f, .a = a, .recording = true, .block = &whole};
    w.flow = ARENA_NEW(a, cuda_flow);
    w.now = ARENA_ARRAY(a, cuda_ids, f->vars.n + 1);
    w.stamp = arena_zero(a, (f->vars.n + 1) * sizeof *w.stamp);
    w.place = arena_zero(a, (f->vars.n + 1) * sizeof *w.place);
    const cuda_ids none = single(&w, CUDA_UNDEFINED);
    for (uint32_t i = 0; i < f->vars.n; i++)
        w.now[i] =
            f->vars.v[i].param || f->vars.v[i].out ? single(&w, CUDA_UNDEFINED - 1 - i) : none;
    walk_list(&w, &f->body);
    w.s = NULL;
    if (!w.dead)
        read_results(&w, 0);
    cuda_flow *flow = w.flow;
    if (flow->reads.n)
        qsort(flow->reads.v, flow->reads.n, sizeof *flow->reads.v, by_parent);
    if (flow->defs.n)
        qsort(flow->defs.v, flow->defs.n, sizeof *flow->defs.v, by_id);
    if (flow->touches.n)
        qsort(flow->touches.v, flow->touches.n, sizeof *flow->touches.v, by_touch);
    unite(a, flow);
    return flow;
}
