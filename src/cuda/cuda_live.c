/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness, and the two passes that remove statements by it.
 *
 * cuda_live_walk goes backwards through the tree with the set of variables that are read later. The
 * body of a loop is walked until the set at its head no longer grows; sets only grow, so that takes
 * at most as many rounds as there are variables.
 *
 * cuda_remove_dead drops what sets only variables that are not read later. A call whose result is
 * not read stays for its effect, without the assignment. Keeps: all effects.
 *
 * cuda_prune_adjoints first drops, in reverse code, sums that come from an adjoint which nothing
 * contributes to and which is therefore zero, until there are no more. Of "v = x[i]; if v > 0.0:
 * y[i] = wp.sin(v) * v" --dump s and --dump p print:
 *
 *     adj_%13 = zero()                                   adj_%13 = zero()
 *     adj_v%14 = zero()                                  adj_v%14 = zero()
 *     adj_%15 = zero()                                   adj_%18 = zero()
 *     adj_%18 = zero()                              ->   ...
 *     ...                                                %8 = sin(v%4)
 *     %8 = sin(v%4)                                      adj_%19 += load(element(adj_y%11, i%2))
 *     %9 = mul(%8, v%4)
 *     adj_%19 += load(element(adj_y%11, i%2))
 *
 * Needs: CUDA_STRUCTURED. Keeps: all effects but additions of zero to gradients. */
#include "cuda/cuda_live.h"

#include "base/assert.h"
#include "cuda/cuda_effect.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* An empty set of variables, as bits. */
static uint64_t *new_set(const cuda_live *l)
{
    return arena_zero(&l->f->c->module, l->words * sizeof(uint64_t));
}

/* Has a an element that b lacks? */
static bool has_more(const cuda_live *l, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < l->words; i++)
        if (a[i] & ~b[i])
            return true;
    return false;
}

static bool same_set(const cuda_live *l, const uint64_t *a, const uint64_t *b)
{
    return memcmp(a, b, l->words * sizeof *a) == 0;
}

static void copy_set(const cuda_live *l, uint64_t *to, const uint64_t *from)
{
    ctx_spend(l->f->c, l->words / 8 + 1);
    memcpy(to, from, l->words * sizeof *to);
}

/* Adds the one set to the other. True: there was something new. */
static bool add_set(const cuda_live *l, uint64_t *to, const uint64_t *from)
{
    WEFT_ASSERT(l->words > 0);
    bool more = false;
    for (uint32_t i = 0; i < l->words; i++) {
        more |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return more;
}

/* The variable is read. Of joined variables the one that stands for them is live (cuda_coalesce.c).
 */
static void add(void *arg, uint32_t var)
{
    const cuda_live *l = arg;
    var = cv_root(l->f, var);
    l->now[var / 64] |= 1ull << var % 64;
}

/* The variable is overwritten: what it was before is not read behind this. */
static void drop(const cuda_live *l, uint32_t var)
{
    var = cv_root(l->f, var);
    l->now[var / 64] &= ~(1ull << var % 64);
}

/* Effects that are visible outside of the function. */
enum { OUTSIDE = CX_WRITES_MEMORY | CX_WRITES_GRADIENT | CX_PRINTS };

/* Is one of the variables that are visited live? */
typedef struct any_live {
    const cuda_live *l;
    bool any;
} any_live;

static void note_live(void *arg, uint32_t var)
{
    any_live *a = arg;
    a->any |= live_has(a->l->now, cv_root(a->l->f, var));
}

/* Does the statement itself have an effect, or set a variable that is live? */
static bool matters(const cuda_live *l, const cs *s)
{
    if ((s->kind != CS_SET && s->kind != CS_CALL) || cs_effects(l->f, s) & OUTSIDE)
        return true;
    any_live a = {l, false};
    cs_writes(s, note_live, &a);
    return a.any;
}

static void walk_list(cuda_live *l, cs_list *list);

/* Live before a branch is what either arm needs, and the condition. */
static void walk_if(cuda_live *l, cs *s)
{
    uint64_t *after = new_set(l);
    copy_set(l, after, l->now);
    walk_list(l, &s->body);
    uint64_t *body = l->now;
    l->now = after;
    walk_list(l, &s->orelse);
    add_set(l, l->now, body);
    cs_reads(s, add, l);
}

/* Walks the body once. Before: `now` is live at its end; after: at the loop's head. */
static void walk_body(cuda_live *l, cs *s)
{
    walk_list(l, &s->body);
    if (s->kind == CS_FOR) {
        drop(l, s->var);
        cx_reads(s->stop, add, l);
        cx_reads(s->step, add, l);
    } else {
        cx_reads(s->e, add, l);
    }
}

/* The result for a loop: what is live at its head if `after` is live behind it. */
struct live_at_head {
    uint32_t walk; /* cuda_fn.walks */
    const uint64_t *after;
    uint64_t *head;
};

/* The fixpoint for a loop's head. It starts from the last result for this loop if no more was live
 * behind it then; otherwise nested loops would multiply the rounds of each other. */
static void find_head(cuda_live *l, cs *s, const struct live_at_head *known)
{
    const bool prune = l->prune, left_by_break = s->kind == CS_LOOP && !s->e;
    void (*const visit)(cuda_live *, const cs *) = l->visit;
    uint64_t *head = l->at_head;
    if (known && !has_more(l, known->after, l->after_loop))
        copy_set(l, head,
                 known->head); /* liveness is monotonic: at least that much is live again */
    if (!left_by_break)
        add_set(l, head, l->after_loop);
    l->prune = false; /* not before the set is final */
    l->visit = NULL;
    l->now = new_set(l);
    for (bool more = true; more;) {
        copy_set(l, l->now, head);
        walk_body(l, s);
        more = add_set(l, head, l->now);
    }
    l->prune = prune;
    l->visit = visit;
    if (!s->live)
        s->live = ARENA_NEW(&l->f->c->module, struct live_at_head);
    *s->live = (struct live_at_head){l->f->walks, l->after_loop, head};
}

/* The body is walked with the final set only where the caller wants it: to prune, or for `visit`.
 * The result is kept in the statement for the walks of an outer loop's further rounds. */
static void walk_loop(cuda_live *l, cs *s)
{
    uint64_t *const outer_after = l->after_loop, *const outer_head = l->at_head, *now = l->now;
    const struct live_at_head *known = s->live && s->live->walk == l->f->walks ? s->live : NULL;
    if (known && same_set(l, known->after, now)) {
        l->at_head = known->head;
    } else {
        uint64_t *after = new_set(l);
        copy_set(l, after, now);
        l->after_loop = after;
        l->at_head = new_set(l);
        find_head(l, s, known);
    }
    WEFT_ASSERT(s->live && s->live->walk == l->f->walks);
    l->after_loop = (uint64_t *)(uintptr_t)s->live->after;
    l->now = now;
    copy_set(l, now, l->at_head);
    if (l->prune || l->visit)
        walk_body(l, s);
    copy_set(l, now, l->at_head);
    if (l->visit)
        l->visit(l, s);
    cx_reads(s->start, add, l);
    l->after_loop = outer_after;
    l->at_head = outer_head;
}

/* Before a statement is live what is live behind it, without what it overwrites, and what it reads.
 * A jump leads elsewhere: what stands behind it does not count. */
static void walk_stmt(cuda_live *l, cs *s)
{
    uint32_t var;
    switch ((cs_kind)s->kind) {
    case CS_IF: walk_if(l, s); return;
    case CS_FOR:
    case CS_LOOP: walk_loop(l, s); return;
    case CS_BREAK: copy_set(l, l->now, l->after_loop); return;
    case CS_CONTINUE: copy_set(l, l->now, l->at_head); return;
    case CS_RETURN: copy_set(l, l->now, l->at_end); break;
    default: break;
    }
    if (l->visit)
        l->visit(l, s);
    if (cs_overwrites(s, &var))
        drop(l, var);
    for (uint32_t i = 0; i < s->noutputs && !s->updates; i++)
        drop(l, s->outputs[i]);
    cs_reads(s, add, l);
}

static bool acts(const cuda_live *l, const cs_list *list, const uint64_t *after);

/* Does a loop or branch have an effect, return, or set a variable of `after`? So it may not go.
 * Jumps that lead out of it are has_jump's matter; a loop's own breaks do not count. */
static bool stmt_acts(const cuda_live *l, const cs *s, const uint64_t *after)
{
    if (s->kind == CS_RETURN || (cs_effects(l->f, s) & OUTSIDE))
        return true;
    cuda_live at = *l;
    at.now = (uint64_t *)(uintptr_t)after;
    any_live a = {&at, false};
    cs_writes(s, note_live, &a);
    return a.any || acts(l, &s->body, after) || acts(l, &s->orelse, after);
}

/* The same of one of the statements of the list. */
static bool acts(const cuda_live *l, const cs_list *list, const uint64_t *after)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (stmt_acts(l, list->v[i], after))
            return true;
    return false;
}

/* Is there a break, continue or return in the list or inside of its statements? */
static bool has_jump(const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i]->kind == CS_BREAK || list->v[i]->kind == CS_CONTINUE ||
            list->v[i]->kind == CS_RETURN || has_jump(&list->v[i]->body) ||
            has_jump(&list->v[i]->orelse))
            return true;
    return false;
}

/* Can the statement go, with all inside of it? A branch may not hide a jump. A loop that does not
 * end counts as useless too: C++ assumes that loops end. */
static bool is_useless(const cuda_live *l, const cs *s)
{
    switch ((cs_kind)s->kind) {
    case CS_IF: {
        cs_list parts[] = {s->body, s->orelse};
        return !(cx_effects(l->f, s->e) & OUTSIDE) && !has_jump(&parts[0]) &&
               !has_jump(&parts[1]) && !acts(l, &s->body, l->now) && !acts(l, &s->orelse, l->now);
    }
    case CS_FOR:
    case CS_LOOP: return !stmt_acts(l, s, l->now);
    default: return !matters(l, s);
    }
}

/* A call whose result is not read stays for its effect, without the assignment. */
static void drop_result(const cuda_live *l, cs *s)
{
    WEFT_ASSERT(l->prune);
    uint32_t var;
    if (!cs_overwrites(s, &var) || cx_place_root(l->f, s->to) == CUDA_NO_VAR ||
        live_has(l->now, cv_root(l->f, var)) ||
        (s->e->kind != CX_ATOMIC && s->e->kind != CX_USER && s->e->kind != CX_CALL))
        return;
    s->kind = CS_CALL;
    s->to = NULL;
}

/* Walks the list from its end. Useless statements count as not there (strong), and are dropped
 * (prune). Statements that stay are moved to the end of the list's array, as the walk meets the
 * last ones first. */
static void walk_list(cuda_live *l, cs_list *list)
{
    if (!list->n)
        return;
    ctx_spend(l->f->c, list->n);
    uint32_t kept = list->n; /* from here on */
    for (uint32_t i = list->n; i-- > 0;) {
        cs *s = list->v[i];
        if (l->strong && is_useless(l, s)) {
            if (!l->prune)
                list->v[--kept] = s;
            continue;
        }
        if (l->prune)
            drop_result(l, s);
        walk_stmt(l, s);
        list->v[--kept] = s;
    }
    WEFT_ASSERT(kept <= list->n);
    list->n -= kept;
    memmove(list->v, list->v + kept, list->n * sizeof *list->v);
}

/* Results are live at the end: the caller reads them. */
void cuda_live_walk(cuda_live *l)
{
    cuda_fn *f = l->f;
    f->walks++;
    l->words = f->vars.n / 64 + 1;
    l->now = new_set(l);
    l->at_end = new_set(l);
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.v[i].out)
            add(l, i);
    copy_set(l, l->at_end, l->now);
    walk_list(l, &f->body);
}

static void count_use(void *arg, uint32_t var)
{
    cuda_fn *f = arg;
    f->vars.v[var].uses++;
}

static void count_def(void *arg, uint32_t var)
{
    cuda_fn *f = arg;
    f->vars.v[var].defs++;
}

static void count_list(cuda_fn *f, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs_reads(list->v[i], count_use, f);
        cs_writes(list->v[i], count_def, f);
        count_list(f, &list->v[i]->body);
        count_list(f, &list->v[i]->orelse);
    }
}

void cuda_count(cuda_fn *f)
{
    for (uint32_t i = 0; i < f->vars.n; i++)
        f->vars.v[i].uses = f->vars.v[i].defs = 0;
    count_list(f, &f->body);
}

/* Adds `by` to the count of each variable that the statements set or add to, the outputs of calls
 * among them. Assignments of zero do not count. */
static void count_contributions(cuda_fn *f, cs *const *v, uint32_t count, uint32_t *n, uint32_t by)
{
    ctx_spend(f->c, count);
    for (uint32_t i = 0; i < count; i++) {
        const cs *s = v[i];
        uint32_t root = CUDA_NO_VAR;
        if (s->to && (s->add || s->sub || s->e->kind != CX_ZERO))
            root = cx_place_root(f, s->to);
        if (root != CUDA_NO_VAR)
            n[root] += by;
        for (uint32_t k = 0; k < s->noutputs; k++)
            n[s->outputs[k]] += by;
        count_contributions(f, s->body.v, s->body.n, n, by);
        count_contributions(f, s->orelse.v, s->orelse.n, n, by);
    }
}

/* Drops statements that take from an adjoint without contributions (cs.from): they add zero. What
 * they add to has one contribution less at once, so that a chain of sums, which stands in order,
 * goes in one pass. */
static bool drop_zero_sums(cuda_fn *f, cs_list *list, uint32_t *contributions)
{
    uint32_t n = 0;
    bool any = false;
    ctx_spend(f->c, list->n);
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        const uint32_t from = s->from;
        if (from != CUDA_NO_VAR && !contributions[from] && !f->vars.v[from].out &&
            !f->vars.v[from].param) {
            count_contributions(f, &s, 1, contributions, UINT32_MAX);
            any = true;
            continue;
        }
        any |= drop_zero_sums(f, &s->body, contributions);
        any |= drop_zero_sums(f, &s->orelse, contributions);
        list->v[n++] = s;
    }
    list->n = n;
    return any;
}

/* Drops statements without effect whose results are not read. */
void cuda_remove_dead(cuda_fn *f)
{
    cuda_live l = {.f = f, .prune = true, .strong = true};
    cuda_live_walk(&l);
}

/* Each round may leave adjoints without contributions that had some, so there are as many rounds as
 * a chain of such adjoints is long. */
void cuda_prune_adjoints(cuda_fn *f)
{
    if (f->reverse) {
        uint32_t *n = arena_zero(&f->c->module, f->vars.n * sizeof *n);
        count_contributions(f, f->body.v, f->body.n, n, 1);
        while (drop_zero_sums(f, &f->body, n))
            ;
    }
    cuda_remove_dead(f);
}
