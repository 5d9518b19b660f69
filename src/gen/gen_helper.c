/* SPDX-License-Identifier: Apache-2.0 */
/* Helper functions and constants, which stand before the kernel.
 *
 *     @wp.func
 *     def blend(a: float, b: float = 0.5):
 *         return a * b + 1.0
 *
 * A helper is written before something calls it, with the same statements and expressions as a
 * kernel: the parts of the state that belong to a body (buffer, scope, indentation, coverage) are
 * exchanged for the time, and the kernel's come back. Its parameters have fixed magnitudes
 * (`takes`), which callers keep, and its result has a bound that holds for all such arguments
 * (`gives`). What nothing calls is left out of the file. */
#include "gen/gen_helper.h"

#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* The type of a result or parameter that is not the kernel's own. */
static gtype other_type(gen *g)
{
    const uint8_t sc = g->s.sc;
    const int n = min_int(g->vec_rows, 4);
    const uint32_t k = below(g, 8);
    /* Integer kernels have no other types but int. */
    if (k < 2 || !gt_is_float(g->s))
        return k < 2 ? g->in : g->s;
    if (k == 2)
        return gt_scalar(GS_BOOL);
    /* Warp has no rotations of bfloat16. */
    if (k == 3 && n == 3 && sc != GS_BF16)
        return gt_quat(sc);
    return k < 6 && g->category == GEN_MATRIX ? gt_mat(sc, n, n) : gt_vec(sc, g->vec_rows);
}

/* The type of a parameter: the kernel's scalar mostly, vectors in vector kernels; the target's, if
 * that is a helper of a type. */
static gtype helper_param(gen *g)
{
    if (target_is(g, THING_HELPER))
        return g->target.type;
    if (below(g, 16) == 0)
        return other_type(g);
    if (gt_is_float(g->s) && (g->category == GEN_VECTOR || below(g, 8) == 0) && below(g, 2))
        return gt_vec(g->s.sc, g->vec_rows);
    return g->s;
}

/* "p: Particle", whose fields can be read. The first two count as unused, so that the helper reads
 * them. */
static void put_record_param(gen *g, const grecord *r)
{
    WEFT_ASSERT(g->defs.in_helper);
    const str name = name_wanted(g, r->one, NAME_PARAM);
    put(g, name);
    W(g, ": ");
    put(g, r->type);
    for (uint32_t i = 0; i < r->nfields; i++)
        var_add(g, name_path(g, name, r->fields[i].name), r->fields[i].t,
                bound_of(mag_field(r->fields[i].t), LOW_NONE), i < 2 ? V_LOCAL : 0);
}

/* A parameter with its type. What it takes: floats 2^10, half precision 2^2, integers 2^7, so that
 * bodies have room to compute. Only the last parameter may have a default, and only of type float,
 * as literals have it. */
static void put_param(gen *g, ghelper *h, uint32_t i)
{
    WEFT_ASSERT(i < h->nparams && h->nparams <= 4);
    const gtype t = h->params[i];
    /* Callers write arguments within these magnitudes: helper_call. */
    h->takes[i] = gt_is_half(t) ? 2 : gt_is_float(t) ? 10 : 7;
    const str name = name_new(g, NAME_PARAM);
    put(g, name);
    W(g, ": ");
    put_type(g, t);
    if (i + 1 == h->nparams && i && t.sc == GS_F32 && gt_is_scalar(t) &&
        (below(g, 4) == 0 || target_is(g, THING_HELPER_DEFAULT))) {
        W(g, " = ");
        put_literal(g, at_least(want_of(t, 3), LOW_ZERO), PREC_TERNARY);
        h->has_default = true;
        cover(g, THING_HELPER_DEFAULT);
    }
    var_add(g, name, t, bound_of(h->takes[i], LOW_NONE), V_LOCAL);
}

/* def NAME(...): with the result's type in half of the helpers, if there is one result. Parameters
 * that the helper has already (helper_plain) are kept. */
static void helper_signature(gen *g, ghelper *h)
{
    WEFT_ASSERT(g->text.out == &g->text.head);
    /* Drawn before the parameters, though it is written behind them. */
    const bool annotated = below(g, 2) != 0;
    const uint32_t fixed = h->nparams;
    W(g, "@wp.func\ndef ");
    put(g, h->name);
    W(g, "(");
    /* A struct may be all that a helper takes. */
    h->nparams = (uint8_t)(h->takes_record ? below(g, 3) : 1 + below(g, 3));
    if (target_is(g, THING_HELPER_DEFAULT))
        h->nparams = (uint8_t)max_int(h->nparams, 2);
    h->nparams = (uint8_t)max_int(h->nparams, (int)fixed);
    if (h->takes_record)
        put_record_param(g, &g->defs.records[h->takes_record - 1]);
    for (uint32_t i = 0; i < h->nparams; i++) {
        if (i || h->takes_record)
            W(g, ", ");
        if (i >= fixed)
            h->params[i] = helper_param(g);
        put_param(g, h, i);
    }
    W(g, ")");
    /* Several results would need a tuple type, which few people write. */
    if (annotated && h->results == 1) {
        W(g, " -> ");
        if (h->makes_record)
            put(g, g->defs.records[h->makes_record - 1].type);
        else
            put_type(g, h->result);
    }
    W(g, ":\n");
}

/* return a, b, ...; the bound is that of all results together. */
static bound helper_return(gen *g, const ghelper *h, int budget)
{
    const want w = varying(want_of(h->result, mag_limit(h->result) / 2));
    const bool outer = g->scope.consume;
    line_open(g);
    W(g, "return ");
    g->scope.consume = true;
    bound b = gen_expr(g, w, budget, PREC_TERNARY);
    for (int i = 1; i < h->results; i++) {
        W(g, ", ");
        const bound c = gen_expr(g, w, 2, PREC_TERNARY);
        /* One bound for all, as callers take them apart without knowing which is which. */
        b = bound_of(max_int(b.mag, c.mag), (gen_low)min_int(b.low, c.low));
    }
    g->scope.consume = outer;
    line_close(g);
    return b;
}

/* t = other(...), if there is one for the kernel's type; what was begun is taken back if not. */
static void let_helper(gen *g)
{
    bound b = {0};
    const size_t begin = g->text.out->n;
    line_open(g);
    const str name = name_new(g, NAME_LOCAL);
    put(g, name);
    W(g, " = ");
    if (put_helper_call(g, varying(want_of(g->s, mag_limit(g->s))), 3, &b)) {
        line_close(g);
        var_add(g, name, g->s, b, V_LOCAL);
    } else {
        g->text.out->n = begin;
    }
}

/* A docstring, some lines, an early return: all seldom. The bound is that of both returns. */
static bound helper_body(gen *g, const ghelper *h)
{
    uint32_t mark;
    /* The bound of no value: any other takes its place. */
    bound early = bound_of(-120, LOW_POS);
    if (below(g, 6) == 0)
        put_docstring(g);
    /* Definitions of the kernel's type; parameters of other types show up in them. */
    for (int i = some(g, 0, 2); i > 0; i--)
        stmt_let(g, g->s, some(g, 2, 4));
    if (g->defs.nhelpers && (below(g, 20) == 0 || target_is(g, THING_HELPER_CALLS)))
        let_helper(g);
    /* A condition needs something to compare. */
    if (below(g, 3) == 0 && var_any(g, g->s)) {
        line_open(g);
        W(g, "if ");
        cover(g, THING_IF);
        gen_cond(g, 1, PREC_TERNARY);
        block_open(g, &mark);
        early = helper_return(g, h, 2);
        block_close(g, mark);
        g->flow.branches++;
    }
    bound b = helper_return(g, h, some(g, 3, 6));
    return bound_of(max_int(b.mag, early.mag), (gen_low)min_int(b.low, early.low));
}

/* What a struct's field is set to. */
static void put_field_value(gen *g, gtype t)
{
    gen_expr(g, varying(want_of(t, mag_field(t))), some(g, 1, 3), PREC_TERNARY);
}

/* Type(x, y): with a value for each field. */
void put_construction(gen *g, const grecord *r)
{
    WEFT_ASSERT(r->nfields >= 1);
    cover(g, THING_STRUCT_CALL);
    put(g, r->type);
    W(g, "(");
    for (uint32_t i = 0; i < r->nfields; i++) {
        if (i)
            W(g, ", ");
        put_field_value(g, r->fields[i].t);
    }
    W(g, ")");
}

/* s = State(), then a line for each field. */
static void build_record(gen *g, const grecord *r, str name)
{
    line_open(g);
    cover(g, THING_BUILT_STRUCT);
    put(g, name);
    W(g, " = ");
    put(g, r->type);
    W(g, "()");
    line_close(g);
    for (uint32_t i = 0; i < r->nfields; i++) {
        line_open(g);
        put(g, name);
        W(g, ".");
        put(g, r->fields[i].name);
        W(g, " = ");
        put_field_value(g, r->fields[i].t);
        line_close(g);
    }
}

/* The body of a helper that makes a struct: s = State(); s.x = ...; return s. Or: return
 * State(...) */
static void making_body(gen *g, const grecord *r)
{
    const bool outer = g->scope.consume, built = below(g, 2) != 0;
    str name = {NULL, 0};
    g->scope.consume = true;
    if (built) {
        name = name_wanted(g, r->one, NAME_LOCAL);
        build_record(g, r, name);
    }
    line_open(g);
    W(g, "return ");
    if (built)
        put(g, name);
    else
        put_construction(g, r);
    line_close(g);
    g->scope.consume = outer;
}

/* Not in loops, branches or other helpers: a helper's text is complete before the kernel goes on,
 * and its names would mix with theirs. And only while there is room for its names and variables. */
bool can_add_helper(const gen *g)
{
    return g->defs.nhelpers < HELPERS_MAX && !g->defs.in_helper && !g->flow.loops &&
           g->flow.arms <= 0 && g->scope.nvars + 40 < VARS_MAX && g->names.ntaken + 32 < NAMES_MAX;
}

/* Productions of the declaration; part of the helper's own, since it may be left out. */
static void cover_helper(gen *g, const ghelper *h)
{
    if (h->takes_record)
        cover(g, THING_HELPER_STRUCT);
    if (h->makes_record)
        cover(g, THING_HELPER_MAKES);
    else
        cover_type(g, THING_HELPER, h->result);
    if (h->results > 1)
        cover(g, h->results == 2 ? THING_HELPER_TWO : THING_HELPER_THREE);
}

/* Writes the helper that `known` describes: name, result, and parameters that are given. All that
 * the kernel's body has is saved and set back. Needs: room for one more. */
static ghelper *helper_write(gen *g, const ghelper *known)
{
    WEFT_ASSERT(g->defs.nhelpers < HELPERS_MAX && !g->defs.in_helper && known->name.n);
    WEFT_ASSERT(!known->takes_record || known->takes_record <= g->defs.nrecords);
    ghelper *h = &g->defs.helpers[g->defs.nhelpers];
    strbuf *out = g->text.out;
    const uint32_t base = g->scope.base, nvars = g->scope.nvars, names = g->names.ntaken,
                   callees = g->defs.callees;
    const int indent = g->text.indent;
    uint64_t used[FN_WORDS];
    *h = *known;
    h->begin = (uint32_t)g->text.head.n;
    h->results = (uint8_t)max_int(h->results, 1);
    memcpy(used, g->coverage.used, sizeof used);
    /* The kernel's own productions are set aside: the helper's count only if it is called. */
    const gcover outside = g->coverage.had;
    g->coverage.had = (gcover){0};
    memset(g->coverage.used, 0, sizeof g->coverage.used);
    g->text.out = &g->text.head;
    /* From here on the kernel's variables are out of sight. */
    g->scope.base = g->scope.nvars;
    g->defs.in_helper = true;
    g->text.indent = 1;
    g->defs.callees = 0;
    helper_signature(g, h);
    if (h->makes_record)
        making_body(g, &g->defs.records[h->makes_record - 1]);
    else
        h->gives = helper_body(g, h);
    W(g, "\n\n");
    h->calls = (uint8_t)g->defs.callees;
    g->defs.callees = callees;
    /* Parameters and locals end; their names may be used again. */
    g->scope.nvars = nvars;
    g->scope.base = base;
    g->defs.in_helper = false;
    g->text.indent = indent;
    g->names.ntaken = names;
    g->text.out = out;
    h->end = (uint32_t)g->text.head.n;
    cover_helper(g, h);
    h->cover = g->coverage.had;
    g->coverage.had = outside;
    memcpy(h->used, g->coverage.used, sizeof used);
    memcpy(g->coverage.used, used, sizeof used);
    g->defs.nhelpers++;
    return h;
}

/* A helper for the kernel's own type mostly, or what the target needs: one result in seven of eight
 * cases, else two, seldom three. */
void helper_new(gen *g)
{
    if (g->defs.nhelpers == HELPERS_MAX)
        return;
    ghelper h = {.name = name_helper(g)};
    h.result = below(g, 10) ? g->s : other_type(g);
    /* Kernels of vectors get functions that make some. */
    if (g->category == GEN_VECTOR && below(g, 3) == 0)
        h.result = gt_vec(g->s.sc, g->vec_rows);
    if (target_is(g, THING_HELPER))
        h.result = g->target.type;
    const bool several = target_is(g, THING_HELPER_TWO) || target_is(g, THING_UNPACK);
    if (target_is(g, THING_HELPER_THREE))
        h.results = 3;
    else if (below(g, 8) == 0 || several)
        h.results = several || below(g, 4) ? 2 : 3;
    helper_write(g, &h);
}

ghelper *helper_of_record(gen *g, uint8_t record)
{
    const ghelper h = {
        .name = name_helper(g), .result = g->s, .takes_record = (uint8_t)(record + 1)};
    return can_add_helper(g) ? helper_write(g, &h) : NULL;
}

ghelper *helper_making_record(gen *g, uint8_t record)
{
    const ghelper h = {
        .name = name_helper(g), .result = g->s, .makes_record = (uint8_t)(record + 1)};
    return can_add_helper(g) ? helper_write(g, &h) : NULL;
}

ghelper *helper_plain(gen *g, str name, gtype t)
{
    const ghelper h = {.name = name, .result = t, .nparams = 1, .params = {t}};
    return can_add_helper(g) ? helper_write(g, &h) : NULL;
}

/* The helper and those that it calls have to stay in the file. Recursion ends: a helper calls only
 * those before it. */
static void use(gen *g, ghelper *h)
{
    WEFT_ASSERT(h < g->defs.helpers + g->defs.nhelpers);
    h->uses = 1;
    for (uint32_t i = 0; i < g->defs.nhelpers; i++)
        if (h->calls >> i & 1)
            use(g, &g->defs.helpers[i]); /* they stand before it */
}

/* A call with arguments within `takes`; one with a default is left out now and then. In another
 * helper the call is noted for `use`; in the kernel it is used at once. Its builtins and
 * productions count as the caller's: they stand in its file. */
void helper_call(gen *g, ghelper *h, str record, int budget)
{
    WEFT_ASSERT(h->end > h->begin && !h->takes_record == !record.n);
    uint32_t n = h->nparams;
    put(g, h->name);
    W(g, "(");
    put(g, record);
    /* The last argument is left to its default. */
    if (h->has_default && below(g, 2))
        n--;
    for (uint32_t i = 0; i < n; i++) {
        want a = want_of(h->params[i], h->takes[i]);
        /* The first argument varies, so that the call is not constant. */
        a.varies = i == 0;
        if (i || record.n)
            W(g, ", ");
        gen_expr(g, a, max_int(1, (budget - 1) / (int)n), PREC_TERNARY);
    }
    W(g, ")");
    if (g->defs.in_helper) {
        g->defs.callees |= 1u << (h - g->defs.helpers);
        cover(g, THING_HELPER_CALLS);
    } else {
        use(g, h);
    }
    for (int i = 0; i < FN_WORDS; i++)
        g->coverage.used[i] |= h->used[i];
    cover_all(g, &h->cover);
}

/* May an expression call it? One result, which is no struct, and parameters with types. */
static bool is_plain(const ghelper *h)
{
    return h->results == 1 && !h->takes_record && !h->makes_record && !h->generic;
}

/* a, b = helper(...), for each helper of several results that nothing has called. */
void stmt_unpack(gen *g)
{
    for (uint32_t k = 0; k < g->defs.nhelpers; k++) {
        ghelper *h = &g->defs.helpers[k];
        str names[RESULTS_MAX];
        /* Each such helper once: the next call would only repeat it. */
        if (h->results < 2 || h->uses)
            continue;
        line_open(g);
        for (int i = 0; i < h->results; i++) {
            if (i)
                W(g, ", ");
            names[i] = name_new(g, role_of_local(h->result));
            put(g, names[i]);
        }
        W(g, " = ");
        cover(g, THING_UNPACK);
        helper_call(g, h, (str){NULL, 0}, 3);
        line_close(g);
        for (int i = 0; i < h->results; i++)
            var_add(g, names[i], h->result, h->gives, V_LOCAL);
    }
}

/* The first helper, from a random one on, whose result stays within the want. False: there is
 * none. */
bool put_helper_call(gen *g, want w, int budget, bound *b)
{
    uint32_t at = g->defs.nhelpers ? below(g, g->defs.nhelpers) : 0;
    for (uint32_t k = 0; k < g->defs.nhelpers; k++) {
        ghelper *h = &g->defs.helpers[(at + k) % g->defs.nhelpers];
        /* Its arguments are bounded by `takes`, so only the result has to fit. */
        if (!is_plain(h) || !gt_same(h->result, w.t) || h->gives.mag > w.mag ||
            h->gives.low < w.low)
            continue;
        helper_call(g, h, (str){NULL, 0}, budget);
        *b = h->gives;
        return true;
    }
    return false;
}

/* NAME = wp.constant(0.5), or plainly NAME = 0.5, which Warp takes for float and int. A variable of
 * the whole kernel that is known at compile time. */
void constant_new(gen *g)
{
    if (g->defs.nconsts == CONSTS_MAX)
        return;
    gconst *c = &g->defs.consts[g->defs.nconsts++];
    strbuf *out = g->text.out;
    *c = (gconst){.t = g->s};
    c->name = name_constant(g);
    c->begin = (uint32_t)g->text.head.n;
    g->text.out = &g->text.head;
    put(g, c->name);
    W(g, " = ");
    /* A plain number of another type would change the type of expressions. */
    bool plain = below(g, 3) == 0 && (g->s.sc == GS_F32 || g->s.sc == GS_I32);
    if (!plain)
        W(g, "wp.constant(");
    bound b = put_literal(g, at_least(want_of(g->s, 4), LOW_ZERO), PREC_TERNARY);
    if (!plain)
        W(g, ")");
    W(g, "\n");
    g->text.out = out;
    c->end = (uint32_t)g->text.head.n;
    var_add(g, c->name, g->s, b, V_GLOBAL | V_FIXED);
}
