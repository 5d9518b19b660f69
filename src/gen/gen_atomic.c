/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic updates of arrays that all threads share. An array has one operation only, so that the
 * order of threads does not matter: sums of floats differ by rounding, which comparisons of records
 * allow for.
 *
 *     bin = wp.clamp(int(x * 8.0), 0, nbins - 1)
 *     wp.atomic_add(bins, bin, x)             or bins[bin] += x
 *     out[i] = wp.atomic_cas(dst, i, d, e)    each thread in its own element
 */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* Atomics take numbers of 32 bits or more; the nearest of the same kind. */
gtype atomic_type(gtype t)
{
    WEFT_ASSERT(t.sc != GS_BOOL);
    static const uint8_t wide[GS_COUNT] = {
        [GS_I8] = GS_I32,  [GS_U8] = GS_U32,   [GS_I16] = GS_I32, [GS_U16] = GS_U32,
        [GS_I32] = GS_I32, [GS_U32] = GS_U32,  [GS_I64] = GS_I64, [GS_U64] = GS_U64,
        [GS_F16] = GS_F32, [GS_BF16] = GS_F32, [GS_F32] = GS_F32, [GS_F64] = GS_F64};
    t.sc = wide[t.sc];
    return t;
}

/* bin = wp.clamp(int(x * 8.0), 0, nbins - 1): an index into dimension `dim`, as a histogram has it;
 * or a remainder of something not negative. Returns the variable. */
static gvar *stmt_bin(gen *g, uint8_t dim)
{
    bool real = gt_is_float(g->s);
    line_open(g);
    str name = name_new(g, NAME_LOCAL_INT);
    put(g, name);
    W(g, " = ");
    /* Not negative, so the remainder is within the dimension. */
    if (below(g, 3) == 0) {
        W(g, "(");
        gen_int(g, varying(at_least(want_of(g->in, 20), LOW_ZERO)), 2, PREC_TERNARY);
        W(g, ") % ");
        cover_type(g, THING_MOD, g->in);
        dim_put_size(g, dim);
    } else {
        put_fn(g, FN_clamp, g->in);
        /* A float within 2^20 converts to an int; the clamp does the rest. */
        if (real && below(g, 3)) {
            put_cast(g, g->in);
            gen_float(g, varying(want_of(g->s, min_int(20, mag_limit(g->s)))), 2, PREC_TERNARY);
            W(g, ")");
        } else {
            gen_int(g, varying(want_of(g->in, 20)), 1, PREC_TERNARY);
        }
        W(g, ", 0, ");
        dim_put_last(g, dim);
        W(g, ")");
    }
    line_close(g);
    gvar *v = var_add(g, name, g->in, bound_of(LOG_DIM, LOW_ZERO), V_INDEX);
    /* From now on index_of finds it for this dimension. */
    v->dim = dim;
    return v;
}

/* "i, j": the index of each dimension of the array, in bounds. */
static void put_target_index(gen *g, const garg *a)
{
    WEFT_ASSERT(a->rank >= 1 && a->rank <= RANK_MAX);
    for (int k = 0; k < a->rank; k++) {
        if (k)
            W(g, ", ");
        put_index(g, a->dim[k], 0);
    }
}

/* For var_unused. */
static bool is_same(const gvar *v, gtype t)
{
    return gt_same(v->t, t);
}

/* What is joined with an element: what nothing has used yet, if it fits. Sums have to stay small:
 * 2^10 times the amount is within the bound of a state. An extremum beyond the numbers that stand
 * there says little, so integers stay near inputs. Counts are sums of 1. */
static bound put_amount(gen *g, gtype t, bool sums, int budget)
{
    const gvar *left = var_unused(g, is_same, t);
    const int whole = sums ? 12 : max_int(left ? left->mag : 0, MAG_INT_INPUT);
    const bool outer = g->scope.consume;
    /* A count. */
    if (!gt_is_float(t) && sums && !left && below(g, 3) == 0) {
        put_int_literal(g, t, 1);
        return bound_of(0, LOW_POS);
    }
    g->scope.consume = true;
    const want e = varying(want_of(t, gt_is_float(t) ? mag_state(t) - 10 : whole));
    const bound b = gen_expr(g, e, budget, PREC_TERNARY);
    g->scope.consume = outer;
    return b;
}

/* The builtin of garg.op. An array draws its row: add stands first and four times. */
static const gen_fn fns[ATOMIC_OPS] = {FN_atomic_add, FN_atomic_add, FN_atomic_add, FN_atomic_add,
                                       FN_atomic_sub, FN_atomic_max, FN_atomic_min, FN_atomic_sub,
                                       FN_atomic_and, FN_atomic_or,  FN_atomic_xor};

uint8_t atomic_op(gen_fn fn)
{
    WEFT_ASSERT(fn < FN_COUNT);
    uint8_t op = 0;
    while (op < ATOMIC_OPS && fns[op] != fn)
        op++;
    return op;
}

/* Dimensions without an index in scope get one first, on lines of their own; those with one, of
 * fixed size, get another in three of four cases, which makes histograms. */
void stmt_atomic(gen *g, garg *a, int budget)
{
    WEFT_ASSERT(a->mode == ARG_ATOMIC && a->op <= ATOMIC_OPS);
    /* The target may add arguments. */
    uint32_t number = (uint32_t)(a - g->params.args);
    budget += more_to_say(g);
    target_write(g);
    for (int k = 0; k < a->rank; k++)
        if (!index_of(g, a->dim[k]) && g->params.dims[a->dim[k]].kind != DIM_FIXED)
            stmt_bin(g, a->dim[k]);
        else if (g->params.dims[a->dim[k]].size > 1 && below(g, 4))
            stmt_bin(g, a->dim[k]);
    a = &g->params.args[number];
    gen_fn fn = a->op < ATOMIC_OPS ? fns[a->op] : FN_atomic_add;
    bool sums = fn == FN_atomic_add || fn == FN_atomic_sub;
    line_open_as(g, sums ? LINE_ATOMIC : LINE_PLAIN);
    /* Warp makes an atomic of += on an array's element. */
    if (sums && below(g, 5) == 0) {
        put(g, a->name);
        W(g, "[");
        put_target_index(g, a);
        sb_c(g->text.out, fn == FN_atomic_add ? "] += " : "] -= ");
        cover_type(g, THING_ATOMIC_ASSIGN, a->t);
        put_amount(g, a->t, true, budget);
    } else {
        put_fn(g, fn, a->t);
        put(g, a->name);
        W(g, ", ");
        put_target_index(g, a);
        W(g, ", ");
        put_amount(g, g->params.args[number].t, sums, budget);
        W(g, ")");
    }
    line_close(g);
}

/* An array in which each thread exchanges its own element, since the order of threads is free. */
static garg *exchanged(gen *g, gtype t)
{
    const uint8_t dims[RANK_MAX] = {0, 1, 2, 3};
    garg *a = arg_output(g, t, ARG_ATOMIC, dims, g->params.launch_dims);
    /* No atomic of fns may use it: shared arrays have one kind. */
    a->op = ATOMIC_OPS;
    return a;
}

/* old[i] = wp.atomic_exch(slots, i, x), up to the value: backward text must not read what an
 * exchange gave, so that it is stored at once, or left. */
static void put_exchange(gen *g, gen_fn fn, gtype t, uint32_t number)
{
    const uint8_t dims[RANK_MAX] = {0, 1, 2, 3};
    line_open(g);
    if (below(g, 2)) {
        put_own_index(g, arg_output(g, t, ARG_OWN, dims, g->params.launch_dims));
        cover_type(g, THING_STORE, t);
        W(g, " = ");
    }
    put_fn(g, fn, t);
    put(g, g->params.args[number].name);
    W(g, ", ");
    put_target_index(g, &g->params.args[number]);
    W(g, ", ");
}

/* held = slots[i]: what an exchange is to find there. */
static gvar *held_value(gen *g, const garg *a)
{
    line_open(g);
    cover_type(g, THING_LOAD, a->t);
    const str name = name_new(g, role_of_local(a->t));
    put(g, name);
    W(g, " = ");
    put_own_index(g, a);
    line_close(g);
    return var_add(g, name, a->t, bound_of(a->mag, LOW_NONE), V_LOCAL);
}

/* A compare-and-swap needs something to find: what was there before, or, for integers, one of few
 * values. */
void stmt_exchange(gen *g, int budget)
{
    const bool targeted =
        target_is(g, (gen_thing)FN_atomic_cas) || target_is(g, (gen_thing)FN_atomic_exch);
    const gtype t = targeted ? g->target.type : atomic_type(g->s);
    const bool compares = targeted ? target_is(g, (gen_thing)FN_atomic_cas) : below(g, 2) != 0;
    garg *a = exchanged(g, t);
    const uint32_t number = (uint32_t)(a - g->params.args);
    if (!compares) {
        put_exchange(g, FN_atomic_exch, t, number);
    } else if (gt_is_float(t) || below(g, 2)) {
        const str held = {held_value(g, a)->s, g->scope.vars[g->scope.nvars - 1].n};
        /* The exchange reads it. */
        g->scope.vars[g->scope.nvars - 1].uses = 1;
        put_exchange(g, FN_atomic_cas, t, number);
        put(g, held);
        W(g, ", ");
    } else {
        a->mag = 0; /* few values, so that some are the one */
        put_exchange(g, FN_atomic_cas, t, number);
        put_int_literal(g, t, (int)below(g, 2));
        W(g, ", ");
    }
    put_amount(g, t, false, budget);
    W(g, ")");
    line_close(g);
}
