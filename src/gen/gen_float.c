/* SPDX-License-Identifier: Apache-2.0 */
/* Float expressions: an operator is drawn by the weights of the category (gen_category.def), and
 * its operands get wants that keep the result within the caller's:
 *
 *     want |x| <= 2^4, 3 operators     ->  a * b + wp.sin(c)
 *       sum:      each operand within 2^3
 *       product:  a within 2^2, b within 2^(4 - mag of a)
 *       quotient: a within 2^(4 - 6), the divisor at least 1/64
 *       call:     the argument within the domain that the FN1 row of gen_builtin.def has
 *
 * Where a want leaves no room for the operator that was drawn, a leaf is written instead. */
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* How the bound of a result follows from the argument's: see FN1 in gen_builtin.def. */
typedef enum fn_rule {
    RULE_MAG, /* 2^out_mag whatever x is: sin */
    RULE_ADD, /* out_mag more than x: degrees */
    RULE_ROOT /* a root of degree out_mag: sqrt, cbrt */
} fn_rule;

/* A FN1 row: the domain of a function of one float, and the range of its results. */
typedef struct fn_row {
    uint8_t fn;      /* gen_fn */
    int8_t in_mag;   /* the domain: |x| <= 2^in_mag, */
    uint8_t in_low;  /* and x at least that */
    uint8_t rule;    /* fn_rule */
    int8_t out_mag;  /* the rule's number */
    uint8_t out_low; /* results are at least that */
} fn_row;

static const fn_row rows[] = {
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low)                                   \
    {FN_##name, in_mag, in_low, rule, out_mag, out_low},
#include "gen/gen_builtin.def"
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* The magnitude of a function's result by its row's rule, for an argument within 2^in. RULE_ROOT:
 * the square root of 2^4 is 2^2. */
static int out_mag(const fn_row *row, int in)
{
    WEFT_ASSERT(row >= rows && row < rows + ROW_COUNT);
    switch ((fn_rule)row->rule) {
    case RULE_MAG: return row->out_mag;
    case RULE_ADD: return in + row->out_mag;
    case RULE_ROOT: return (in + 1) / row->out_mag + 1;
    }
    return in;
}

/* Operands get one power of two less than the sum may have. A sum that must not be negative has no
 * minus, and one operand may be zero if the other is positive. The right operand may be constant,
 * but not the left operand once more: x - x says nothing. */
static bound gen_sum(gen *g, want w, int budget, int prec, bool minus)
{
    bool bracket = open_bracket(g, PREC_SUM, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), b = w;
    a.mag = b.mag = (int8_t)(w.mag - 1);
    /* Positive plus not negative is positive. */
    if (w.low)
        minus = false, b.low = LOW_ZERO;
    b.varies = false;
    const size_t begin = g->text.out->n;
    bound x = gen_float(g, a, left, PREC_SUM);
    const size_t end = g->text.out->n;
    if (minus)
        W(g, " - ");
    else
        W(g, " + ");
    cover_type(g, minus ? THING_SUB : THING_ADD, w.t);
    const size_t right = g->text.out->n;
    bound y = gen_float(g, b, budget - 1 - left, PREC_PRODUCT);
    if (minus)
        y = untwin(g, begin, end, right, y, b, PREC_PRODUCT);
    close_bracket(g, bracket);
    gen_low low = minus || !x.low || !y.low ? LOW_NONE : (gen_low)max_int(x.low, y.low);
    return bound_of(max_int(x.mag, y.mag) + 1, low);
}

/* Magnitudes add up: the right operand gets what the left one left over. The left one gets most of
 * it where there is much, so that products of three do not starve the last. */
static bound gen_product(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w);
    a.mag = (int8_t)(w.mag > 8 ? w.mag - 4 : w.mag / 2);
    bound x = gen_float(g, a, left, PREC_PRODUCT);
    W(g, " * ");
    cover_type(g, THING_MUL, w.t);
    want b = w;
    b.varies = false;
    b.mag = (int8_t)(w.mag - x.mag);
    bound y = gen_float(g, b, budget - 1 - left, PREC_UNARY);
    close_bracket(g, bracket);
    return bound_of(x.mag + y.mag, x.low && y.low ? LOW_ZERO : LOW_NONE);
}

/* 0.5 * x, x * 2.0: a product with a literal of at most 2^4, the commonest form of all. */
static bound gen_scaled(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    cover_type(g, THING_MUL, w.t);
    want a = varying(w), l = w;
    l.varies = false;
    bound x, y;
    if (below(g, 3)) {
        /* The literal comes first and takes at most half; the rest is for x. */
        l.mag = (int8_t)min_int(4, w.mag / 2);
        x = put_literal(g, l, PREC_UNARY);
        W(g, " * ");
        a.mag = (int8_t)(w.mag - x.mag);
        y = gen_float(g, a, budget - 1, PREC_UNARY);
    } else {
        a.mag = (int8_t)(w.mag > 8 ? w.mag - 4 : w.mag / 2);
        x = gen_float(g, a, budget - 1, PREC_PRODUCT);
        W(g, " * ");
        l.mag = (int8_t)min_int(4, w.mag - x.mag);
        y = put_literal(g, l, PREC_UNARY);
    }
    close_bracket(g, bracket);
    return bound_of(x.mag + y.mag, x.low && y.low ? LOW_ZERO : LOW_NONE);
}

/* The divisor is at least 2^-6 and positive: the quotient grows by 6 powers of two at most. x / x
 * says nothing. */
static bound gen_quotient(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), d = at_least(want_of(w.t, min_int(mag_limit(w.t), 40)), LOW_POS);
    a.mag = (int8_t)(w.mag - 6);
    const size_t begin = g->text.out->n;
    bound x = gen_float(g, a, left, PREC_PRODUCT);
    const size_t end = g->text.out->n;
    W(g, " / ");
    cover_type(g, THING_DIV, w.t);
    bound y = gen_float(g, d, budget - 1 - left, PREC_UNARY);
    /* " / " has three characters. The bound of the quotient does not depend on the divisor. */
    untwin(g, begin, end, end + 3, y, d, PREC_UNARY);
    close_bracket(g, bracket);
    return bound_of(x.mag + 6, x.low ? LOW_ZERO : LOW_NONE);
}

/* -x. Binds weaker than a power, so a power inside stays without brackets and a sum gets them. */
static bound gen_negated(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_UNARY, prec);
    W(g, "-");
    cover_type(g, THING_NEG, w.t);
    bound x = gen_float(g, varying(w), budget - 1, PREC_POWER);
    close_bracket(g, bracket);
    return bound_of(x.mag, LOW_NONE);
}

/* Is this thing a builtin of one number, with a FN1 row? */
static bool is_row(int fn)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].fn == fn)
            return true;
    return false;
}

/* Can the function's result stay within the want, and does it exist for the type? Half precision
 * lacks some. */
static bool row_fits(const fn_row *row, want w)
{
    /* The least magnitude that results have, whatever the argument. */
    int least = row->rule == RULE_ADD ? row->out_mag : row->rule == RULE_ROOT ? 1 : row->out_mag;
    if (least > w.mag || row->out_low < w.low)
        return false;
    return takes((gen_thing)row->fn, w.t);
}

/* exp(-(x * x)), exp(-wp.abs(x)): a negative exponent may be large, so these take arguments that
 * wp.exp alone does not. The result is in [0, 1]. */
static bound gen_bell(gen *g, want w)
{
    gvar *v = var_any(g, w.t);
    put_fn(g, FN_exp, w.t);
    W(g, "-");
    if (v && v->mag <= 20) {
        /* Squares of 2^20 are finite in all types that come here. */
        var_put(g, v);
        W(g, " * ");
        sb_put(g->text.out, v->s, v->n);
    } else {
        put_fn(g, FN_abs, w.t);
        gen_leaf(g, varying(want_of(w.t, 40)), PREC_TERNARY);
        W(g, ")");
    }
    W(g, ")");
    return bound_of(0, LOW_ZERO);
}

/* Functions without a slope: a kernel that ends in one has no gradient, so they are drawn less
 * often. frac is rare for another reason: Warp's adjoint of it is wrong. */
static bool is_flat(const fn_row *row)
{
    static const uint8_t flat[] = {FN_floor, FN_ceil, FN_round, FN_rint,
                                   FN_trunc, FN_sign, FN_step,  FN_nonzero};
    return memchr(flat, row->fn, sizeof flat) != NULL;
}

/* A row is drawn; one that does not fit is drawn again a few times; that of a target goes first.
 * Then the argument's want is the row's domain, cut to what the result may be: for RULE_ADD the
 * want less what the function adds, for RULE_ROOT its power. */
static bound gen_call(gen *g, want w, int budget, int prec)
{
    const fn_row *row = &rows[below(g, ROW_COUNT)];
    if ((is_flat(row) || row->fn == FN_frac) && below(g, 4))
        row = &rows[below(g, ROW_COUNT)];
    for (int i = 0; i < 4 && !row_fits(row, w); i++)
        row = &rows[below(g, ROW_COUNT)];
    for (uint32_t i = 0; g->target.thing >= 0 && i < ROW_COUNT; i++)
        if (target_is_typed(g, (gen_thing)rows[i].fn, w.t) && row_fits(&rows[i], w))
            row = &rows[i];
    if (!row_fits(row, w))
        return gen_leaf(g, w, prec);
    /* A bell may underflow to zero, so it is not positive. */
    if (row->fn == FN_exp && w.low != LOW_POS && !gt_is_half(w.t) && below(g, 2))
        return gen_bell(g, w);
    want a = varying(at_least(want_of(w.t, row->in_mag), (gen_low)row->in_low));
    int limit = row->rule == RULE_ADD    ? w.mag - row->out_mag
                : row->rule == RULE_ROOT ? (w.mag - 1) * row->out_mag - 1
                                         : mag_limit(w.t);
    a.mag = (int8_t)min_int(a.mag, min_int(limit, mag_limit(w.t)));
    put_fn(g, (gen_fn)row->fn, w.t);
    bound x = gen_float(g, a, budget - 1, PREC_TERNARY);
    W(g, ")");
    return bound_of(out_mag(row, x.mag), (gen_low)row->out_low);
}

/* The result is as large as the larger operand. Of wp.max the better lower bound holds, of wp.min
 * the worse. */
static bound gen_minmax(gen *g, want w, int budget)
{
    bool max = below(g, 2) != 0;
    int left = budget_split(g, budget - 1);
    put_fn(g, max ? FN_max : FN_min, w.t);
    const size_t begin = g->text.out->n;
    bound x = gen_float(g, varying(w), left, PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    want b = w;
    b.varies = false;
    bound y = gen_float(g, b, budget - 1 - left, PREC_TERNARY);
    y = untwin(g, begin, end, end + 2, y, b, PREC_TERNARY);
    W(g, ")");
    int low = max ? max_int(x.low, y.low) : min_int(x.low, y.low);
    return bound_of(max_int(x.mag, y.mag), (gen_low)low);
}

/* wp.lerp(a, b, t) = a + (b - a) * t for t in [0, 1]; rounding of b - a may double the magnitude,
 * hence two powers of two less for a and b. */
static bound gen_lerp(gen *g, want w, int budget)
{
    want a = varying(w), t = at_least(want_of(w.t, 0), LOW_ZERO);
    a.mag = (int8_t)(w.mag - 2);
    put_fn(g, FN_lerp, w.t);
    const size_t begin = g->text.out->n;
    bound x = gen_float(g, a, budget_split(g, budget - 2), PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    bound y = gen_leaf(g, a, PREC_TERNARY);
    y = untwin(g, begin, end, end + 2, y, a, PREC_TERNARY);
    W(g, ", ");
    gen_leaf(g, t, PREC_TERNARY);
    W(g, ")");
    return bound_of(max_int(x.mag, y.mag) + 2, x.low && y.low ? LOW_ZERO : LOW_NONE);
}

/* min and max half of the time and for wants with a lower bound; else lerp, smoothstep between
 * literals, atan2 with a positive second argument (its slope at zero is not defined), copysign. */
static bound gen_two_argument_call(gen *g, want w, int budget, int prec)
{
    want any = varying(want_of(w.t, mag_limit(w.t)));
    uint32_t k = below(g, 8);
    /* lerp, atan2 and copysign keep no lower bound. */
    if (w.low || k < 4 || w.mag < 2)
        return w.mag >= 1 || w.low ? gen_minmax(g, w, budget) : gen_leaf(g, w, prec);
    /* Half precision lacks the others. */
    if (k == 4 || gt_is_half(w.t))
        return gen_lerp(g, w, budget);
    if (k == 5) {
        put_fn(g, FN_smoothstep, w.t);
        put_float_literal(g, w.t, below(g, 2) ? "0.0" : "-1.0");
        W(g, ", ");
        put_float_literal(g, w.t, below(g, 2) ? "1.0" : "2.0");
        W(g, ", ");
        gen_float(g, any, budget - 1, PREC_TERNARY);
        W(g, ")");
        return bound_of(0, LOW_ZERO);
    }
    put_fn(g, k == 6 ? FN_atan2 : FN_copysign, w.t);
    bound x = gen_float(g, k == 6 ? any : varying(w), budget_split(g, budget - 1), PREC_TERNARY);
    W(g, ", ");
    gen_float(g, at_least(any, k == 6 ? LOW_POS : LOW_NONE), 1, PREC_TERNARY);
    W(g, ")");
    return k == 6 ? bound_of(2, LOW_NONE) : bound_of(x.mag, LOW_NONE);
}

/* Any value, cut to a range that stays within the want: the way from large numbers back to small
 * ones. */
static bound gen_clamped(gen *g, want w, int budget)
{
    static const struct {
        const char *lo, *hi;
        int8_t mag;
        uint8_t low;
    } ranges[] = {{"-0.5", "0.5", -1, LOW_NONE}, {"0.0", "0.5", -1, LOW_ZERO},
                  {"0.0", "1.0", 0, LOW_ZERO},   {"-1.0", "1.0", 0, LOW_NONE},
                  {"0.1", "1.0", 0, LOW_POS},    {"0.5", "2.0", 1, LOW_POS},
                  {"-2.0", "2.0", 1, LOW_NONE},  {"-5.0", "5.0", 3, LOW_NONE},
                  {"0.01", "10.0", 4, LOW_ZERO}, {"0.25", "4.0", 2, LOW_POS}};
    uint32_t k = below(g, 10);
    /* Drawn again a few times, so that ranges near the want are common. */
    for (int i = 0; i < 4 && (ranges[k].mag > w.mag || ranges[k].low < w.low); i++)
        k = below(g, 10);
    if (ranges[k].mag > w.mag || ranges[k].low < w.low)
        return gen_leaf(g, w, PREC_ATOM);
    put_fn(g, FN_clamp, w.t);
    gen_float(g, varying(want_of(w.t, mag_limit(w.t))), budget - 1, PREC_TERNARY);
    W(g, ", ");
    put_float_literal(g, w.t, ranges[k].lo);
    W(g, ", ");
    put_float_literal(g, w.t, ranges[k].hi);
    W(g, ")");
    return bound_of(ranges[k].mag, (gen_low)ranges[k].low);
}

/* wp.where(c, a, b) or a if c else b, as the style says. Both alternatives are within the want,
 * whatever the condition. Alternatives that are the same would make it pointless. */
static bound gen_choice(gen *g, want w, int budget, int prec)
{
    want a = varying(w);
    bound x, y;
    if (g->names.style.ternary || target_is(g, THING_TERNARY)) {
        cover_type(g, THING_TERNARY, w.t);
        bool bracket = open_bracket(g, PREC_TERNARY, prec);
        const size_t begin = g->text.out->n;
        x = gen_float(g, a, budget_split(g, budget - 2), PREC_OR);
        const size_t end = g->text.out->n;
        W(g, " if ");
        gen_cond(g, 1, PREC_OR);
        W(g, " else ");
        const size_t right = g->text.out->n;
        y = gen_float(g, a, 1, PREC_OR);
        y = untwin(g, begin, end, right, y, a, PREC_OR);
        close_bracket(g, bracket);
    } else {
        put_fn(g, FN_where, w.t);
        gen_cond(g, 1, PREC_TERNARY);
        W(g, ", ");
        const size_t begin = g->text.out->n;
        x = gen_float(g, a, budget_split(g, budget - 2), PREC_TERNARY);
        const size_t end = g->text.out->n;
        W(g, ", ");
        y = gen_float(g, a, 1, PREC_TERNARY);
        y = untwin(g, begin, end, end + 2, y, a, PREC_TERNARY);
        W(g, ")");
    }
    return bound_of(max_int(x.mag, y.mag), (gen_low)min_int(x.low, y.low));
}

/* A positive base of moderate size to a small power: x ** 1.5, wp.pow(x, 2.0). The base gets the
 * want divided by the exponent. */
static bound gen_power(gen *g, want w, int budget, int prec)
{
    static const struct {
        const char *text;
        int num, den;
    } powers[] = {{"2.0", 2, 1}, {"0.5", 1, 2}, {"1.5", 3, 2}, {"3.0", 3, 1}, {"0.25", 1, 4}};
    uint32_t k = below(g, 5);
    /* What the base may be: 2^8 at most, and its power within the want. */
    int mag = min_int(8, w.mag) * powers[k].den / powers[k].num;
    if (mag < 1)
        return gen_leaf(g, w, prec);
    want a = varying(at_least(want_of(w.t, mag), LOW_POS));
    bool call = below(g, 2) != 0;
    /* Python's ** binds from the right, so its left side has to be an atom. */
    bool bracket = !call && open_bracket(g, PREC_POWER, prec);
    if (call)
        put_fn(g, FN_pow, w.t);
    bound x = gen_float(g, a, budget - 1, call ? PREC_TERNARY : PREC_ATOM);
    if (call)
        W(g, ", ");
    else
        W(g, " ** ");
    if (!call)
        cover_type(g, THING_POW, w.t);
    put_float_literal(g, w.t, powers[k].text);
    if (call)
        W(g, ")");
    close_bracket(g, bracket);
    return bound_of(max_int(x.mag, 0) * powers[k].num / powers[k].den + 1, LOW_ZERO);
}

/* An integer expression as a float, of at most 2 operators and 2^20, which float32 holds
 * exactly. */
static bound gen_cast(gen *g, want w, int budget)
{
    WEFT_ASSERT(budget >= 1);
    want a = varying(want_of(g->in, min_int(w.mag, 20)));
    a.low = w.low;
    put_cast(g, w.t);
    bound x = gen_int(g, a, min_int(budget - 1, 2), PREC_TERNARY);
    W(g, ")");
    return bound_of(x.mag, (gen_low)x.low);
}

/* Forms that cannot be negative, or not near zero: wp.max(x, 0.1), a clamp, x * x + 0.5, wp.abs(x)
 * + 0.5, a function whose results are such. */
static bound gen_raised(gen *g, want w, int budget, int prec)
{
    /* Functions (k >= 4) may be not negative, but seldom positive. */
    want any = varying(want_of(w.t, w.mag - 1));
    uint32_t k = below(g, w.low == LOW_POS ? 4 : 6);
    if (k == 0 && w.mag >= 1) {
        put_fn(g, FN_max, w.t);
        any.mag++;
        bound x = gen_float(g, any, budget - 1, PREC_TERNARY);
        W(g, ", ");
        put_float_literal(g, w.t, w.low == LOW_POS ? "0.1" : "0.0");
        W(g, ")");
        return bound_of(max_int(x.mag, 0), (gen_low)w.low);
    }
    if (k == 1)
        return gen_clamped(g, w, budget);
    if (k >= 4)
        return gen_call(g, w, budget, prec);
    if (w.mag < 2)
        return put_literal(g, w, prec);
    bool bracket = open_bracket(g, PREC_SUM, prec);
    bound x;
    /* The square needs half of the want, and the literal a power of two. */
    gvar *v = k == 2 ? var_pick(g, varying(want_of(w.t, (w.mag - 1) / 2))) : NULL;
    if (v) {
        var_put(g, v);
        W(g, " * ");
        sb_put(g->text.out, v->s, v->n);
        x = bound_of(2 * v->mag, LOW_ZERO);
    } else {
        put_fn(g, FN_abs, w.t);
        x = gen_float(g, any, budget - 1, PREC_TERNARY);
        W(g, ")");
    }
    W(g, " + ");
    want l = at_least(want_of(w.t, 0), LOW_POS);
    put_literal(g, l, PREC_PRODUCT);
    close_bracket(g, bracket);
    return bound_of(max_int(x.mag, 0) + 1, LOW_POS);
}

/* Values with a lower bound, for divisors, roots and logarithms: a variable that has it, a sum of
 * such, or a form of gen_raised. At the end of the budget a small form is written all the same,
 * since a leaf would mostly be a literal. */
static bound gen_low_float(gen *g, want w, int budget, int prec)
{
    /* A variable that fits ends the expression, if nothing has used it or little budget is left. */
    gvar *v = below(g, 3) ? var_pick(g, w) : NULL;
    if (v && (budget <= 2 || !v->uses)) {
        var_put(g, v);
        return var_bound(v);
    }
    if (budget <= 1 && (w.mag < 2 || (below(g, 3) == 0 && !w.varies)))
        return gen_leaf(g, w, prec);
    if (budget > 2 && w.mag > 3 && below(g, 3) == 0)
        return gen_sum(g, w, budget, prec, false);
    return gen_raised(g, w, max_int(budget, 2), prec);
}

/* The operator of the target, or the one drawn. */
static float_op op_for(int thing, float_op drawn)
{
    switch (thing) {
    case THING_SUB: return OP_SUB;
    case THING_DIV: return OP_DIV;
    case THING_NEG: return OP_NEG;
    case THING_POW: return OP_POWER;
    case THING_TERNARY: return OP_CHOOSE;
    default: return thing >= 0 && thing < FN_COUNT && is_row(thing) ? OP_CALL : drawn;
    }
}

/* Draws an operator by the category's weights. Wants below 2^4 leave little room for sums and
 * products, so these become calls and clamps, whose results are small whatever their arguments. */
bound gen_float(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(gt_is_scalar(w.t) && gt_is_float(w.t));
    bound b;
    w.mag = (int8_t)min_int(w.mag, mag_limit(w.t));
    if (w.low)
        return gen_low_float(g, w, budget, prec);
    if (budget <= 1 || w.mag < 0)
        return gen_leaf(g, w, prec);
    /* One of 64 slots: gen_new. */
    const float_op drawn = (float_op)g->ops[g->category][below(g, OP_SLOTS)];
    float_op op = op_for(target_here(g, w.t), drawn);
    if (w.mag < 4 && op <= OP_SCALE)
        op = below(g, 2) ? OP_CALL : OP_CLAMP;
    switch (op) {
    case OP_ADD:
    case OP_SUB: return gen_sum(g, w, budget, prec, op == OP_SUB);
    case OP_MUL: return gen_product(g, w, budget, prec);
    case OP_SCALE: return gen_scaled(g, w, budget, prec);
    /* The quotient takes 6 of the want. */
    case OP_DIV: return w.mag < 10 ? gen_leaf(g, w, prec) : gen_quotient(g, w, budget, prec);
    case OP_NEG: return gen_negated(g, w, budget, prec);
    case OP_CALL:
        if (below(g, 5) == 0 && put_builtin_call(g, w, budget, &b))
            return b;
        return gen_call(g, w, budget, prec);
    case OP_CALL2:
        if (below(g, 3) == 0 && put_builtin_call(g, w, budget, &b))
            return b;
        return gen_two_argument_call(g, w, budget, prec);
    case OP_CLAMP: return gen_clamped(g, w, budget);
    case OP_CHOOSE: return gen_choice(g, w, budget, prec);
    case OP_POWER: return gt_is_half(w.t) ? gen_leaf(g, w, prec) : gen_power(g, w, budget, prec);
    case OP_CAST: return gen_cast(g, w, budget);
    case OP_REDUCE: return put_reduction(g, w, &b) ? b : gen_leaf(g, w, prec);
    case OP_HELPER: return put_helper_call(g, w, budget, &b) ? b : gen_leaf(g, w, prec);
    case FLOAT_OP_COUNT: break;
    }
    return gen_leaf(g, w, prec);
}
