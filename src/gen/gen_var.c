/* SPDX-License-Identifier: Apache-2.0 */
/* Variables in scope, for everything that writes expressions: which one to use, and which outlive a
 * block. Preferred is what nothing has used yet, so that few variables stay without a use.
 *
 *     in scope: x {mag 2, used}, s {mag 2, unused}, big {mag 30}
 *     want |x| <= 2^4  ->  s three times of four, else x or s as they come
 */
#include "gen/gen_var.h"

#include "gen/gen_coverage.h"
#include "gen/gen_state.h"

/* Where the array is full, the newest gives way: a long kernel loses a leaf, nothing else. */
gvar *var_add(gen *g, str text, gtype t, bound b, int flags)
{
    if (g->scope.nvars == VARS_MAX)
        g->scope.nvars--; /* the newest gives way: a long kernel loses a leaf, nothing else */
    WEFT_ASSERT(text.p && text.n && text.n <= UINT8_MAX && g->scope.nvars >= g->scope.base);
    gvar *v = &g->scope.vars[g->scope.nvars++];
    *v = (gvar){.s = text.p,
                .n = (uint8_t)text.n,
                .t = t,
                .mag = b.mag,
                .low = b.low,
                .flags = (uint8_t)flags,
                .dim = NO_DIM,
                .loop = (uint8_t)g->flow.loops};
    if (b.fixed)
        v->flags |= V_FIXED;
    return v;
}

/* Does v fit the want? What still holds the literal that it began with does not: a condition or a
 * sum with it would say nothing. In a loop it does, since turns change it. */
static bool fits(const gen *g, const gvar *v, want w)
{
    const bool literal = (v->flags & V_START) && g->flow.loops == v->loop;
    return !literal && gt_same(v->t, w.t) && v->mag <= w.mag && v->low >= w.low &&
           !(v->flags & V_HIDDEN) && !(w.varies && (v->flags & V_FIXED));
}

/* From a random place on: the first that nothing has used yet, else one that fits. One draw of 64
 * bits gives the place and, in a quarter of the cases, the leave to take the first that fits even
 * if it is used, unless it was used last. `consume` takes that leave away. */
gvar *var_pick(gen *g, want w)
{
    WEFT_ASSERT(g->scope.base <= g->scope.nvars);
    uint32_t n = g->scope.nvars - g->scope.base;
    if (!n)
        return NULL;
    uint64_t bits = rng_next(&g->r);
    uint32_t at = (uint32_t)((bits >> 32) * n >> 32);
    bool contented = !g->scope.consume && (bits & 3) == 0;
    gvar *best = NULL;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = g->scope.base + (at + k < n ? at + k : at + k - n);
        gvar *v = &g->scope.vars[i];
        if (!fits(g, v, w))
            continue;
        if (!v->uses || (contented && i != g->scope.last_leaf))
            return v;
        if (!best || best == &g->scope.vars[g->scope.last_leaf])
            best = v;
    }
    return best;
}

/* Any bound will do: the caller makes the value small. Flags still count: what is hidden stays
 * so. */
gvar *var_any(gen *g, gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT);
    want w = want_of(t, 127);
    return var_pick(g, w);
}

/* From the newest on: a computation uses what was computed last. */
gvar *var_unused(gen *g, bool (*suits)(const gvar *v, gtype t), gtype t)
{
    for (uint32_t i = g->scope.nvars; i-- > g->scope.base;) {
        gvar *v = &g->scope.vars[i];
        if (!v->uses && (v->flags & V_LOCAL) && suits(v, t))
            return v;
    }
    return NULL;
}

/* last_leaf lets gen_leaf avoid the same variable twice in a row. */
void var_put(gen *g, gvar *v)
{
    WEFT_ASSERT(v >= g->scope.vars && v < g->scope.vars + g->scope.nvars);
    sb_put(g->text.out, v->s, v->n);
    if (v->uses < 255)
        v->uses++;
    g->scope.last_leaf = (uint8_t)(v - g->scope.vars);
    if ((v->flags & V_INDEX) && (v->flags & V_GLOBAL))
        mark_used(g, FN_tid); /* its name may be "wp.tid()" */
}

bound var_bound(const gvar *v)
{
    WEFT_ASSERT(v);
    return (bound){v->mag, v->low, (v->flags & V_FIXED) != 0};
}

/* The mark is the number of variables. */
uint32_t scope_open(gen *g)
{
    return g->scope.nvars;
}

/* Variables made inside are forgotten. Those that belong to the whole kernel move down into the
 * gap, in their order: their addresses change, so callers keep indexes across blocks and not
 * pointers. */
void scope_close(gen *g, uint32_t mark)
{
    WEFT_ASSERT(mark <= g->scope.nvars && mark >= g->scope.base);
    uint32_t kept = mark;
    for (uint32_t i = mark; i < g->scope.nvars; i++)
        if (g->scope.vars[i].flags & V_GLOBAL)
            g->scope.vars[kept++] = g->scope.vars[i];
    g->scope.nvars = kept;
}
