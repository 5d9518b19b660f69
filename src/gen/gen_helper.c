/* What stands before the kernel: helper functions and constants. */
#include "gen/gen_internal.h"

/* Mostly the kernel's own number; seldom something else. */
static gtype other_type(gen *g)
{
    const uint8_t sc = g->s.sc;
    const int n = min_int(g->vec_rows, 4);
    const uint32_t k = below(g, 8);
    if (k < 2 || !gt_is_float(g->s))
        return k < 2 ? g->in : g->s;
    if (k == 2)
        return gt_scalar(GS_BOOL);
    if (k == 3 && n == 3 && sc != GS_BF16)
        return gt_quat(sc);
    return k < 6 && g->category == GEN_MATRIX ? gt_mat(sc, n, n) : gt_vec(sc, g->vec_rows);
}

static gtype helper_param(gen *g)
{
    if (asks_for(g, THING_HELPER))
        return g->target_type;
    if (below(g, 16) == 0)
        return other_type(g);
    if (gt_is_float(g->s) && (g->category == GEN_VECTOR || below(g, 8) == 0) && below(g, 2))
        return gt_vec(g->s.sc, g->vec_rows);
    return g->s;
}

static void helper_signature(gen *g, ghelper *h)
{
    bool annotated = below(g, 2) != 0;
    W(g, "@wp.func\ndef ");
    put(g, h->name);
    W(g, "(");
    h->nparams = (uint8_t)(1 + below(g, 3));
    if (asks_for(g, THING_HELPER_DEFAULT))
        h->nparams = (uint8_t)max_int(h->nparams, 2);
    for (uint32_t i = 0; i < h->nparams; i++) {
        gtype t = helper_param(g);
        h->params[i] = t;
        h->takes[i] = gt_is_half(t) ? 2 : gt_is_float(t) ? 10 : 7;
        str name = name_new(g, NAME_PARAM);
        put(g, name);
        W(g, ": ");
        put_type(g, t);
        if (i + 1 == h->nparams && i && t.sc == GS_F32 && gt_is_scalar(t) &&
            (below(g, 4) == 0 || asks_for(g, THING_HELPER_DEFAULT))) {
            W(g, " = ");
            put_literal(g, at_least(want_of(t, 3), LOW_ZERO), PREC_TERNARY);
            h->has_default = true;
            cover(g, THING_HELPER_DEFAULT);
        }
        if (i + 1 < h->nparams)
            W(g, ", ");
        var_add(g, name, t, bound_of(h->takes[i], LOW_NONE), V_LOCAL);
    }
    W(g, ")");
    if (annotated && !h->two) {
        W(g, " -> ");
        put_type(g, h->result);
    }
    W(g, ":\n");
}

static bound helper_return(gen *g, const ghelper *h, int budget)
{
    want w = varying(want_of(h->result, mag_limit(h->result) / 2));
    line_open(g);
    W(g, "return ");
    bool outer = g->consume;
    g->consume = true;
    bound b = gen_expr(g, w, budget, PREC_TERNARY);
    if (h->two) {
        W(g, ", ");
        bound c = gen_expr(g, w, 2, PREC_TERNARY);
        b = bound_of(max_int(b.mag, c.mag), (gen_low)min_int(b.low, c.low));
    }
    g->consume = outer;
    line_close(g);
    return b;
}

static bound helper_body(gen *g, const ghelper *h)
{
    uint32_t mark;
    bound early = bound_of(-120, LOW_POS);
    if (below(g, 6) == 0)
        put_docstring(g);
    for (int i = some(g, 0, 2); i > 0; i--)
        stmt_let(g, g->s, some(g, 2, 4));
    if (below(g, 3) == 0) {
        line_open(g);
        W(g, "if ");
        cover(g, THING_IF);
        gen_cond(g, 1, PREC_TERNARY);
        block_open(g, &mark);
        early = helper_return(g, h, 2);
        block_close(g, mark);
        g->branches++;
    }
    bound b = helper_return(g, h, some(g, 3, 6));
    return bound_of(max_int(b.mag, early.mag), (gen_low)min_int(b.low, early.low));
}

void helper_new(gen *g)
{
    if (g->nhelpers == HELPERS_MAX)
        return;
    ghelper *h = &g->helpers[g->nhelpers];
    strbuf *out = g->out;
    uint32_t base = g->scope_base;
    int indent = g->indent;
    *h = (ghelper){.name = name_helper(g), .begin = (uint32_t)g->head.n};
    h->result = below(g, 10) ? g->s : other_type(g);
    if (g->category == GEN_VECTOR && below(g, 3) == 0)
        h->result = gt_vec(g->s.sc, g->vec_rows);
    if (asks_for(g, THING_HELPER))
        h->result = g->target_type;
    const bool two = asks_for(g, THING_HELPER_TWO) || asks_for(g, THING_UNPACK);
    h->two = below(g, 8) == 0 || two;
    uint32_t names = g->nnames;
    uint64_t used[FN_WORDS];
    memcpy(used, g->used, sizeof used);
    const gcover outside = g->cover;
    g->cover = (gcover){0};
    memset(g->used, 0, sizeof g->used);
    g->out = &g->head;
    g->scope_base = g->nvars;
    g->in_helper = true;
    g->indent = 1;
    helper_signature(g, h);
    h->gives = helper_body(g, h);
    W(g, "\n\n");
    g->nvars = g->scope_base;
    g->scope_base = base;
    g->in_helper = false;
    g->indent = indent;
    g->nnames = names;
    g->out = out;
    h->end = (uint32_t)g->head.n;
    cover_type(g, THING_HELPER, h->result);
    if (h->two)
        cover(g, THING_HELPER_TWO);
    h->cover = g->cover;
    g->cover = outside;
    memcpy(h->used, g->used, sizeof used);
    memcpy(g->used, used, sizeof used);
    g->nhelpers++;
}

static void put_call(gen *g, ghelper *h, int budget)
{
    uint32_t n = h->nparams;
    put(g, h->name);
    W(g, "(");
    if (h->has_default && below(g, 2))
        n--;
    for (uint32_t i = 0; i < n; i++) {
        want a = want_of(h->params[i], h->takes[i]);
        a.varies = i == 0;
        gen_expr(g, a, max_int(1, (budget - 1) / (int)n), PREC_TERNARY);
        if (i + 1 < n)
            W(g, ", ");
    }
    W(g, ")");
    h->uses = 1;
    for (int i = 0; i < FN_WORDS; i++)
        g->used[i] |= h->used[i];
    cover_all(g, &h->cover);
}

void stmt_unpack(gen *g)
{
    for (uint32_t k = 0; k < g->nhelpers; k++) {
        ghelper *h = &g->helpers[k];
        if (!h->two || h->uses)
            continue;
        line_open(g);
        str a = name_new(g, role_of_local(h->result));
        str b = name_new(g, role_of_local(h->result));
        put(g, a);
        W(g, ", ");
        put(g, b);
        W(g, " = ");
        cover(g, THING_UNPACK);
        put_call(g, h, 3);
        line_close(g);
        var_add(g, a, h->result, h->gives, V_LOCAL);
        var_add(g, b, h->result, h->gives, V_LOCAL);
    }
}

bool put_helper_call(gen *g, want w, int budget, bound *b)
{
    uint32_t at = g->nhelpers ? below(g, g->nhelpers) : 0;
    for (uint32_t k = 0; k < g->nhelpers; k++) {
        ghelper *h = &g->helpers[(at + k) % g->nhelpers];
        if (h->two || !gt_same(h->result, w.t) || h->gives.mag > w.mag || h->gives.low < w.low)
            continue;
        put_call(g, h, budget);
        *b = h->gives;
        return true;
    }
    return false;
}

/* NAME = wp.constant(0.5), or plainly NAME = 0.5. */
void constant_new(gen *g)
{
    if (g->nconsts == CONSTS_MAX)
        return;
    gconst *c = &g->consts[g->nconsts++];
    strbuf *out = g->out;
    *c = (gconst){.t = g->s};
    c->name = name_constant(g);
    c->begin = (uint32_t)g->head.n;
    g->out = &g->head;
    put(g, c->name);
    W(g, " = ");
    bool plain = below(g, 3) == 0 && (g->s.sc == GS_F32 || g->s.sc == GS_I32);
    if (!plain)
        W(g, "wp.constant(");
    bound b = put_literal(g, at_least(want_of(g->s, 4), LOW_ZERO), PREC_TERNARY);
    if (!plain)
        W(g, ")");
    W(g, "\n");
    g->out = out;
    c->end = (uint32_t)g->head.n;
    var_add(g, c->name, g->s, b, V_GLOBAL | V_FIXED);
}
