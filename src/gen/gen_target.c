/* SPDX-License-Identifier: Apache-2.0 */
/* Steering within a sample: statements that write the target, at the first place that suits. The
 * rest of the kernel is as ever; a sample that misses its target is tried again by gen_make.
 *
 *     target "operators/matrix @ matrix:mat22d"   ->   M0 = a[i] @ b[i]
 *                                                      and out1[i] = M0, so that it has an effect
 *
 * Expressions help: gen_float and its siblings take the operator of a target in place of the drawn
 * one (target_here). What neither writes is left to chance, and the plan has counted in which
 * categories it was seen in. */
#include "gen/gen_target.h"

#include "gen/gen_arg.h"
#include "gen/gen_call.h"
#include "gen/gen_call_row.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_kernel.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* A result of its own, so that what was written has an effect. The kernel's goal stays. */
static void put_result(gen *g, gtype t)
{
    const uint8_t goal = g->params.goal;
    garg *a = kernel_output(g, t);
    stmt_store(g, a, 2);
    g->params.goal = goal;
}

/* A state of type t with some updates; the one that the target is comes for certain. */
static void change_state(gen *g, gtype t)
{
    const uint32_t at = (uint32_t)(stmt_state(g, t) - g->scope.vars);
    for (int i = some(g, 1, 3); i > 0; i--)
        stmt_update(g, &g->scope.vars[at], 2);
    /* Plain updates of a vector change a component only now and then. */
    if (target_is(g, THING_STORE_COMPONENT))
        stmt_update_component(g, &g->scope.vars[at], 2);
    if (target_is(g, THING_MUL_ASSIGN) || target_is(g, THING_DIV_ASSIGN))
        stmt_update_scaled(g, &g->scope.vars[at]);
}

/* A new scalar argument that a definition reads. */
static void use_argument(gen *g, gtype t)
{
    /* The category may have used up its scalars. */
    g->params.scalars = (uint8_t)max_int(g->params.scalars, 1);
    if (can_add_scalar(g))
        arg_scalar(g, t);
    stmt_let(g, t, 2);
}

/* A load of a new input of this type; NULL: there is no room. */
static gvar *load(gen *g, gtype t)
{
    g->params.inputs = (uint8_t)max_int(g->params.inputs, 1);
    return stmt_load(g, t);
}

/* NAME = v.x, m[0, 1], m[1]; returns the type of the part. */
static gtype take_part(gen *g, gtype t)
{
    const gvar *whole = load(g, t);
    const bool row = target_is(g, THING_ROW);
    const gtype part = row ? gt_vec(t.sc, t.cols) : scalar_of(t);
    /* Nothing was written: the caller then makes no result of its own. */
    if (!whole)
        return g->s;
    const uint32_t at = (uint32_t)(whole - g->scope.vars);
    const bound b = var_bound(whole);
    line_open(g);
    const str name = name_new(g, role_of_local(part));
    put(g, name);
    W(g, " = ");
    if (row)
        put_row(g, &g->scope.vars[at]);
    else
        put_component(g, &g->scope.vars[at]);
    line_close(g);
    var_add(g, name, part, b, V_LOCAL);
    return part;
}

/* NAME = helper(...). kernel_prelude has written a helper of this type, if there was room. */
static gtype call_helper(gen *g, gtype t)
{
    bound b;
    line_open(g);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    /* Any bound will do for a variable of its own. Without such a helper the target is missed, and
     * another candidate is drawn. */
    if (!put_helper_call(g, varying(want_of(t, 120)), 3, &b))
        b = gen_expr(g, varying(want_of(t, mag_limit(t))), 2, PREC_TERNARY);
    line_close(g);
    var_add(g, name, t, b, V_LOCAL);
    return t;
}

/* wp.FN(v, v, ...) with so many vectors of one array. Returns their magnitude. */
static int put_vectors(gen *g, gen_fn fn, gtype v, int n)
{
    WEFT_ASSERT(n >= 1 && v.kind == GK_VEC);
    int mag = -120;
    put_fn(g, fn, v);
    for (int i = 0; i < n; i++) {
        if (i)
            W(g, ", ");
        mag = max_int(mag, gen_leaf(g, want_of(v, MAG_INPUT), PREC_TERNARY).mag);
    }
    W(g, ")");
    return mag;
}

/* NAME = ; returns the name. */
static str open_let(gen *g, gtype t)
{
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    return name;
}

/* A matrix out of vectors. Lengths above 4 are counted as one type; 5 stands for them. */
static gtype make_matrix(gen *g, gtype t, gen_fn fn)
{
    /* Warp has no names for vectors above 4; 5 stands for all that are counted as one type. */
    const int n = t.rows > 4 ? 5 : t.rows, args = fn == FN_diag ? 1 : fn == FN_outer ? 2 : n;
    const gtype v = gt_vec(t.sc, n), m = gt_mat(t.sc, n, n);
    load(g, v);
    /* Two different ones, so that leaves have a choice. */
    if (args > 1)
        load(g, v);
    const str name = open_let(g, m);
    const int mag = put_vectors(g, fn, v, args);
    line_close(g);
    var_add(g, name, m, bound_of(fn == FN_outer ? 2 * max_int(mag, 0) : mag, LOW_NONE), V_LOCAL);
    return m;
}

/* A multiple of the identity: with a shape that has no name, a larger one. */
static gtype make_identity(gen *g, gtype t)
{
    const int n = t.rows == t.cols ? t.rows : some(g, 5, 6);
    const gtype m = gt_mat(t.sc, n, n), s = scalar_of(t);
    const str name = open_let(g, m);
    put_identity(g, m);
    W(g, " * ");
    cover_type(g, THING_MUL, m);
    const bound b = gen_leaf(g, varying(want_of(s, 6)), PREC_UNARY);
    line_close(g);
    var_add(g, name, m, b, V_LOCAL);
    return m;
}

/* A number that a vector has, within the limits of the smallest type. */
static gtype measure(gen *g, gtype t, gen_fn fn)
{
    WEFT_ASSERT(t.kind == GK_VEC);
    const gtype s = scalar_of(t);
    load(g, t);
    const str name = open_let(g, s);
    const int mag = put_vectors(g, fn, t, 1);
    line_close(g);
    var_add(g, name, s, bound_of(2 * max_int(mag, 0) + 4, LOW_ZERO), V_LOCAL);
    return s;
}

/* A new output, stored to by components. */
static void part_output(gen *g, gtype t)
{
    const uint8_t goal = g->params.goal;
    const uint32_t number = (uint32_t)(kernel_output(g, t) - g->params.args);
    g->params.goal = goal;
    const int n = t.rows > 4 ? 2 : t.rows;
    /* Of longer vectors the first two components: the others keep what the output held. */
    for (int i = 0; i < n; i++) {
        line_open_as(g, LINE_STORE);
        cover_type(g, THING_STORE_PART, t);
        put_own_index(g, &g->params.args[number]);
        if (g->names.style.swizzle_names && t.rows <= 4) {
            W(g, ".");
            sb_char(g->text.out, "xyzw"[i]);
        } else {
            W(g, "[");
            sb_int(g->text.out, i);
            W(g, "]");
        }
        W(g, " = ");
        gen_expr(g, varying(want_of(scalar_of(t), mag_limit(t) / 2)), some(g, 2, 4), PREC_TERNARY);
        line_close(g);
    }
}

/* Writes a target that has a type; returns the type of the variable that it left behind. What has
 * no case of its own is an operator or a function, which the expression of a definition takes
 * up. */
static gtype write_typed(gen *g, gtype t)
{
    switch (g->target.thing) {
    case THING_STATE:
    case THING_ADD_ASSIGN:
    case THING_SUB_ASSIGN:
    case THING_MUL_ASSIGN:
    case THING_DIV_ASSIGN:
    case THING_REASSIGN:
    case THING_STORE_COMPONENT: change_state(g, t); return t;
    case THING_LOAD:
    case THING_ARG_INPUT: load(g, t); return t;
    case THING_ARG_SCALAR: use_argument(g, t); return t;
    /* put_result writes the output and the store. */
    case THING_STORE:
    case THING_ARG_OUTPUT: return t;
    case THING_COMPONENT:
    case THING_ROW: return take_part(g, t);
    /* The matrix has to be in scope; gen_vec then finds it. */
    case THING_MAT_VEC:
        load(g, t);
        stmt_let(g, gt_vec(t.sc, t.rows), 4);
        return gt_vec(t.sc, t.rows);
    case THING_HELPER: return call_helper(g, t);
    case THING_STORE_SLICE:
    case THING_STORE_ROW:
    case THING_STORE_COLUMN:
    case THING_STORE_ELEMENT: return part_store_of(g, t);
    case THING_COPY: load(g, t); return stmt_copy(g, t);
    case THING_STATIC:
    case THING_CONSTANT_VEC: return stmt_known(g, t);
    case THING_STORE_PART: part_output(g, t); return g->s;
    case FN_outer:
    case FN_diag:
    case FN_matrix_from_rows:
    case FN_matrix_from_cols: return make_matrix(g, t, (gen_fn)g->target.thing);
    case FN_identity: return make_identity(g, t);
    case FN_length_sq: return measure(g, t, FN_length_sq);
    default: stmt_let(g, t, some(g, 3, 6)); return t;
    }
}

/* Rows that do not name a place, and whose things no statement below writes, are
 * TARGET_ELSEWHERE. */
target_kind target_kind_of(const gen *g, uint32_t production)
{
    WEFT_ASSERT(production < g->productions.first[THING_COUNT]);
    const uint16_t thing = g->productions.things[production];
    /* Atomics need a shared array, which only that category has. */
    if (thing < FN_COUNT && (atomic_op((gen_fn)thing) < ATOMIC_OPS || thing == FN_atomic_cas ||
                             thing == FN_atomic_exch))
        return TARGET_ATOMIC;
    /* record_target and overload_target write them anywhere. */
    if (is_record_thing(thing) || is_overload_thing(thing))
        return TARGET_CHANGE;
    if (g->productions.types[production] == TYPE_COUNT)
        return TARGET_ELSEWHERE;
    switch (thing) {
    /* They take a state of random numbers. */
    case FN_noise:
    case FN_pnoise:
    case FN_curlnoise: return TARGET_RANDOM;
    case THING_ATOMIC_ASSIGN:
    case THING_ARG_SHARED: return TARGET_ATOMIC;
    case THING_ORDER:
    case THING_EQUAL:
    case THING_CHAIN: return TARGET_CONDITION;
    case THING_CONSTANT: return TARGET_NUMBER;
    case THING_STATE:
    case THING_ADD_ASSIGN:
    case THING_SUB_ASSIGN:
    case THING_MUL_ASSIGN:
    case THING_DIV_ASSIGN:
    case THING_REASSIGN:
    case THING_STORE_COMPONENT:
    case THING_COMPONENT:
    case THING_ROW:
    case THING_MAT_VEC:
    case THING_STORE_SLICE:
    case THING_STORE_ROW:
    case THING_STORE_COLUMN:
    case THING_STORE_ELEMENT:
    case THING_STORE_PART:
    case THING_COPY: return TARGET_CHANGE;
    default: return TARGET_VALUE;
    }
}

/* Not in helpers, loops or branches: what stands there may not be reached, or its variable is gone
 * at the end. The target counts as aimed at even where it could not be written, or each statement
 * would try again. */
void target_write(gen *g)
{
    if (g->target.aimed || g->target.thing < 0 || g->defs.in_helper || g->flow.loops ||
        g->flow.arms > 0)
        return;
    g->target.aimed = true;
    if (record_target(g) || overload_target(g))
        return;
    gtype t = g->target.type;
    if (!g->target.typed) {
        if (target_is(g, THING_FROM_END))
            take_part(g, gt_vec(g->s.sc, g->vec_rows));
        form_target(g);
        return;
    }
    /* The prelude has written the constant; the category writes the shared array. */
    if (target_is(g, THING_CONSTANT) || target_is(g, THING_ARG_SHARED) ||
        target_is(g, THING_ATOMIC_ASSIGN))
        return;
    /* A builtin with CALL rows for the type: its row writes it. The variable is the newest in
     * scope. */
    if (g->target.thing < FN_COUNT && calls_with((gen_fn)g->target.thing, t)) {
        if (!stmt_call_of(g, (gen_fn)g->target.thing, t))
            return;
        t = g->scope.vars[g->scope.nvars - 1].t;
    } else {
        t = write_typed(g, t);
    }
    /* A variable of the kernel's own type goes into its result anyway. */
    if (!gt_same(t, g->s) || target_is(g, THING_ARG_OUTPUT))
        put_result(g, t);
}
