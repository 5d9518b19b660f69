/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions: comparisons of what is in scope, and these joined by and, or, not. A condition that
 * always holds would say nothing, and a branch behind it would never be tested, so
 *
 *     operands that repeat are replaced       x < x            ->  x < 0.75
 *     thresholds lie among likely inputs      x within 2^2     ->  x < 0.5 and not x < 30.0
 *     integers are compared by remainders     i % 3 == 1, (k & 1) != 0
 *     what all threads share is hidden        limit < 0.5 holds for all of them or for none
 */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_var.h"

/* Equality or order. Floats are never compared for equality. */
static void put_compare(gen *g, bool equality, gtype t)
{
    static const char *const order[] = {" < ", " > ", " <= ", " >= ", " < ", " > "};
    static const char *const equal[] = {" == ", " != "};
    cover_type(g, equality ? THING_EQUAL : THING_ORDER, t);
    sb_c(g->text.out, equality ? equal[below(g, 2)] : order[below(g, 6)]);
}

/* Hides what is the same in all threads, save in one condition of six: it decides little. `hidden`
 * keeps which. */
static void hide_shared(gen *g, bool hidden[VARS_MAX])
{
    /* One condition in six may compare what all threads share. */
    const bool all = below(g, 6) == 0;
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++) {
        gvar *v = &g->scope.vars[i];
        hidden[i] = !all && (v->flags & V_SHARED) && !(v->flags & V_HIDDEN);
        if (hidden[i])
            v->flags |= V_HIDDEN;
    }
}

/* Undoes hide_shared for the variables that it hid; `n` were in scope then, and arguments may have
 * come since. */
static void show_shared(gen *g, const bool hidden[VARS_MAX], uint32_t n)
{
    /* New arguments stand behind the n of before. */
    for (uint32_t i = g->scope.base; i < n && i < g->scope.nvars; i++)
        if (hidden[i])
            g->scope.vars[i].flags &= (uint8_t)~V_HIDDEN;
}

/* A number of this thread to decide by: an input, if there is none yet. Even where the body has
 * used up its inputs. */
static void need_value(gen *g)
{
    const want w = varying(want_of(g->s, mag_limit(g->s)));
    if (!g->defs.in_helper && !var_pick(g, w) && g->params.nargs + 4 < GEN_ARGS_MAX &&
        below(g, 8)) {
        g->params.inputs = (uint8_t)max_int(g->params.inputs, 1);
        arg_input(g, g->s);
    }
}

/* A variable or small expression against another or a literal: two in five times zero, if the left
 * side may be negative, else a number below the left side's bound. The variable on the left is the
 * decider: stmt_if lets the next arm compare another one. */
static void float_compare(gen *g, int budget)
{
    want a = varying(want_of(g->s, mag_limit(g->s)));
    bool hidden[VARS_MAX];
    const uint32_t n = g->scope.nvars;
    hide_shared(g, hidden);
    need_value(g);
    const size_t begin = g->text.out->n;
    const bound x = gen_float(g, a, below(g, 3) ? 1 : budget, PREC_BIT_OR);
    show_shared(g, hidden, n);
    /* The last leaf of the left side stands for all of it. */
    g->scope.decider = g->scope.last_leaf;
    const want b =
        /* A quarter of the left side's bound, and no more than 2: inputs are within 4. */
        at_least(want_of(g->s, min_int(max_int(x.mag - 2, -1), 1)), x.low ? LOW_ZERO : LOW_NONE);
    const size_t end = g->text.out->n;
    put_compare(g, false, g->s);
    const size_t right = g->text.out->n;
    /* The sign is what people test most. */
    if (x.low == LOW_NONE && below(g, 5) < 2) {
        put_float_literal(g, g->s, "0.0");
    } else if (below(g, 3)) {
        put_literal(g, b, PREC_BIT_OR);
    } else {
        const bound y = gen_leaf(g, want_of(g->s, mag_limit(g->s)), PREC_BIT_OR);
        untwin(g, begin, end, right, y, b, PREC_BIT_OR);
    }
}

/* Three of five are a remainder or a mask against a number below it, which holds for a share of the
 * threads. The others compare with a literal of a few bits or a variable. */
static void int_compare(gen *g, gtype t, int budget)
{
    static const uint8_t by[] = {2, 2, 2, 3, 3, 4, 5};
    want a = varying(want_of(t, mag_limit(t)));
    uint32_t k = below(g, 5);
    bool hidden[VARS_MAX];
    const uint32_t vars = g->scope.nvars;
    hide_shared(g, hidden);
    if (k < 3) {
        uint32_t n = by[below(g, sizeof by)];
        /* A mask for powers of two. */
        bool mask = k == 0 && (n & (n - 1)) == 0;
        /* & binds weaker than comparisons in C++, and Python writers bracket it as well. */
        if (mask)
            W(g, "(");
        gen_int(g, a, 1, PREC_PRODUCT);
        show_shared(g, hidden, vars);
        if (mask) {
            W(g, " & ");
            cover_type(g, THING_BIT_AND, t);
            put_int_literal(g, t, (int)n - 1);
            W(g, ")");
        } else {
            W(g, " % ");
            cover_type(g, THING_MOD, t);
            put_int_literal(g, t, (int)n);
        }
        put_compare(g, true, t);
        put_int_literal(g, t, (int)below(g, n));
        return;
    }
    const size_t begin = g->text.out->n;
    const bound x = gen_int(g, a, budget, PREC_BIT_OR);
    show_shared(g, hidden, vars);
    const size_t end = g->text.out->n;
    put_compare(g, k == 4 && below(g, 3) == 0, t);
    const size_t right = g->text.out->n;
    const want b = at_least(want_of(t, min_int(max_int(x.mag - 1, 1), x.mag == LOG_DIM ? 2 : 3)),
                            x.low ? LOW_ZERO : LOW_NONE);
    if (below(g, 2)) {
        put_literal(g, b, PREC_BIT_OR);
    } else {
        const bound y = gen_leaf(g, b, PREC_BIT_OR);
        untwin(g, begin, end, right, y, b, PREC_BIT_OR);
    }
}

/* 0.0 < x < 1.0: Python's chain, which Warp takes. */
static void chained_compare(gen *g)
{
    WEFT_ASSERT(gt_is_float(g->s));
    static const char *const lows[] = {"0.0", "-1.0", "-0.5", "0.1", "-2.0"};
    static const char *const highs[] = {"1.0", "0.5", "2.0", "1.5", "3.0"};
    const char *op = below(g, 2) ? " < " : " <= ";
    cover_type(g, THING_CHAIN, g->s);
    put_float_literal(g, g->s, lows[below(g, 5)]);
    sb_c(g->text.out, op);
    gen_leaf(g, varying(want_of(g->s, mag_limit(g->s))), PREC_BIT_OR);
    sb_c(g->text.out, op);
    put_float_literal(g, g->s, highs[below(g, 5)]);
}

/* is_inside(x), flags[i]: a helper that gives a bool, or an input of bools. Not wp.isfinite(x),
 * which holds always. False: neither is possible. */
static bool rare_cond(gen *g)
{
    bound b;
    /* A helper of the kernel that returns a bool. */
    const want flag = varying(want_of(gt_scalar(GS_BOOL), 1));
    if (below(g, 2) && put_helper_call(g, flag, 2, &b))
        return true;
    if (can_add_input(g) && below(g, 3) == 0) {
        var_put(g, arg_input(g, gt_scalar(GS_BOOL)));
        return true;
    }
    return false;
}

/* One comparison, or a boolean in scope, perhaps negated. Kernels of floats compare an integer in a
 * quarter of the cases; helpers have no thread index, so they do not. */
static void simple_cond(gen *g, int budget, int prec)
{
    gvar *flag = below(g, 4) == 0 ? var_any(g, gt_scalar(GS_BOOL)) : NULL;
    if (flag) {
        bool not = below(g, 3) == 0;
        bool bracket = not &&open_bracket(g, PREC_NOT, prec);
        if (not ) {
            W(g, "not ");
            cover(g, THING_NOT);
        }
        var_put(g, flag);
        close_bracket(g, bracket);
        return;
    }
    if (below(g, 12) == 0 && rare_cond(g))
        return;
    bool bracket = open_bracket(g, PREC_COMPARE, prec);
    bool integer = !gt_is_float(g->s);
    uint32_t k = below(g, integer || !g->defs.in_helper ? 16 : 12);
    if ((k == 0 || target_here(g, g->s) == THING_CHAIN) && !integer)
        chained_compare(g);
    else if (!integer && k < 12)
        float_compare(g, budget);
    else
        int_compare(g, integer && k < 12 ? g->s : g->in, budget);
    close_bracket(g, bracket);
}

/* Up to a budget: one comparison, or several joined by "and" (three in five) or "or". The left one
 * is simple, so that chains read from left to right. A joined condition inside one of the other
 * kind gets brackets by its precedence. */
void gen_cond(gen *g, int budget, int prec)
{
    WEFT_ASSERT(prec >= PREC_TERNARY && prec <= PREC_ATOM);
    if (budget <= 2 || below(g, 3) == 0) {
        simple_cond(g, max_int(budget, 1), prec);
        return;
    }
    bool and = below(g, 5) < 3;
    int own = and? PREC_AND : PREC_OR;
    cover(g, and? THING_AND : THING_OR);
    bool bracket = open_bracket(g, own, prec);
    simple_cond(g, 1, own + 1);
    if (and)
        W(g, " and ");
    else
        W(g, " or ");
    if (budget > 5)
        gen_cond(g, budget - 3, own + 1);
    else
        simple_cond(g, budget - 2, own + 1);
    close_bracket(g, bracket);
}
