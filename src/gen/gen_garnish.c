/* SPDX-License-Identifier: Apache-2.0 */
/* What people put around an amount before they store it or add it up: a weight, an offset, a limit,
 * a choice, a function. Purposes are fixed texts; this makes two kernels of one purpose differ.
 *
 *     out[i] = x[i]     ->  out[i] = wp.clamp(x[i], 0.0, 1.0)
 *     acc += a * b      ->  acc += (a * b + 0.5) * k
 *
 * It works on text that is written already, at the end of the buffer: takes it off, and writes it
 * again inside of an operation. gen_idiom.c and stmt_store call it. */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"

/* Longer amounts say enough as they are. */
enum { AMOUNT_MAX = 400 };

/* The text, and the precedence of its weakest operator, by which it gets brackets. */
typedef struct amount {
    char text[AMOUNT_MAX];
    size_t n;
    int prec;
    gtype t;
} amount;

/* The precedence of the weakest operator outside of brackets: operators are what stands between
 * spaces, as the generator writes them. What is no arithmetic sign ("if", "<", "and") counts as the
 * weakest of all. */
static int weakest(const char *p, size_t n)
{
    int prec = n && p[0] == '-' ? PREC_UNARY : PREC_ATOM, depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += (p[i] == '(' || p[i] == '[') - (p[i] == ')' || p[i] == ']');
        if (depth || p[i] != ' ' || i + 2 >= n)
            continue;
        const char c = p[i + 1];
        const int own = c == '+' || c == '-'                           ? PREC_SUM
                        : c == '*' || c == '/' || c == '%' || c == '@' ? PREC_PRODUCT
                                                                       : PREC_TERNARY;
        if (strchr("+-*/%@&|^<>=i", c))
            prec = min_int(prec, own);
    }
    return prec;
}

/* The amount in a place of this precedence. */
static void put_amount(gen *g, const amount *a, int prec)
{
    const bool bracket = open_bracket(g, a->prec, prec);
    sb_put(g->text.out, a->text, a->n);
    close_bracket(g, bracket);
}

/* A small expression that varies. */
static void put_small(gen *g, gtype t, int mag, int prec)
{
    gen_expr(g, varying(want_of(t, mag)), 1 + (int)below(g, 3), prec);
}

/* x * w, w * x, x / 2.0, x / (wp.abs(w) + 0.1) */
static void weighted(gen *g, const amount *a)
{
    const gtype one = scalar_of(a->t);
    const uint32_t k = below(g, 8);
    if (k < 3) {
        put_small(g, one, 2, PREC_PRODUCT);
        W(g, " * ");
        put_amount(g, a, PREC_UNARY);
    } else if (k < 6) {
        put_amount(g, a, PREC_PRODUCT);
        W(g, " * ");
        put_small(g, one, 2, PREC_UNARY);
    } else {
        put_amount(g, a, PREC_PRODUCT);
        W(g, " / ");
        gen_expr(g, at_least(varying(want_of(one, 10)), LOW_POS), 2, PREC_UNARY);
    }
    cover_type(g, k < 6 ? THING_MUL : THING_DIV, a->t);
}

/* x + c, c - x, ...: of the amount's own type. */
static void shifted(gen *g, const amount *a)
{
    const uint32_t k = below(g, 8);
    const bool minus = k == 2 || k == 3 || k == 6;
    if (k < 4) {
        put_amount(g, a, PREC_SUM);
        sb_c(g->text.out, minus ? " - " : " + ");
        put_small(g, a->t, 6, PREC_PRODUCT);
    } else {
        put_small(g, a->t, 6, PREC_SUM);
        sb_c(g->text.out, minus ? " - " : " + ");
        put_amount(g, a, PREC_PRODUCT);
    }
    cover_type(g, minus ? THING_SUB : THING_ADD, a->t);
}

/* wp.max(x, 0.0), wp.min(x, c), wp.clamp(x, 0.0, 1.0) */
static void limited(gen *g, const amount *a)
{
    static const char *const ranges[][2] = {
        {"0.0", "1.0"}, {"-1.0", "1.0"}, {"0.0", "10.0"}, {"-5.0", "5.0"}};
    const uint32_t k = below(g, 8);
    if (k < 3) {
        const char *const *range = ranges[below(g, 4)];
        put_fn(g, FN_clamp, a->t);
        put_amount(g, a, PREC_TERNARY);
        W(g, ", ");
        put_float_literal(g, a->t, range[0]);
        W(g, ", ");
        put_float_literal(g, a->t, range[1]);
    } else {
        put_fn(g, k & 1 ? FN_max : FN_min, a->t);
        put_amount(g, a, PREC_TERNARY);
        W(g, ", ");
        if (k < 5)
            put_float_literal(g, a->t, k & 1 ? "0.0" : "1.0");
        else
            put_small(g, a->t, 3, PREC_TERNARY);
    }
    W(g, ")");
}

/* x if c else y, or wp.where(c, x, y) by the style. */
static void chosen(gen *g, const amount *a)
{
    if (g->names.style.ternary) {
        cover_type(g, THING_TERNARY, a->t);
        put_amount(g, a, PREC_OR);
        W(g, " if ");
        gen_cond(g, 1 + (int)below(g, 3), PREC_OR);
        W(g, " else ");
        put_small(g, a->t, 4, PREC_OR);
        return;
    }
    put_fn(g, FN_where, a->t);
    gen_cond(g, 1 + (int)below(g, 3), PREC_TERNARY);
    W(g, ", ");
    const size_t begin = g->text.out->n;
    put_amount(g, a, PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    put_small(g, a->t, 4, PREC_TERNARY);
    untwin(g, begin, end, end + 2, bound_of(4, LOW_NONE), want_of(a->t, 4), PREC_TERNARY);
    W(g, ")");
}

/* wp.tanh(x) and the like: into [-1, 1] or near it. */
static void squashed(gen *g, const amount *a)
{
    static const uint8_t fns[] = {FN_abs, FN_tanh, FN_sin, FN_atan};
    put_fn(g, (gen_fn)fns[below(g, 4)], a->t);
    put_amount(g, a, PREC_TERNARY);
    W(g, ")");
}

/* Scalars get any form, vectors and matrices a weight or an offset. Quaternions and transforms are
 * left as they are: a sum of such is no rotation. */
void garnish(gen *g, size_t at, gtype t)
{
    WEFT_ASSERT(at <= g->text.out->n);
    amount a = {.n = g->text.out->n - at, .t = t};
    if (a.n >= AMOUNT_MAX || !gt_is_float(t) || t.kind > GK_MAT)
        return;
    memcpy(a.text, g->text.out->p + at, a.n);
    a.prec = weakest(a.text, a.n);
    g->text.out->n = at;
    const uint32_t k = below(g, t.kind == GK_SCALAR ? 16 : 10);
    if (k < 6)
        weighted(g, &a);
    else if (k < 10)
        shifted(g, &a);
    else if (k < 12)
        limited(g, &a);
    else if (k < 14)
        chosen(g, &a);
    else
        squashed(g, &a);
}
