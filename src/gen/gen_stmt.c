/* SPDX-License-Identifier: Apache-2.0 */
/* Statements without loops, for the categories and gen_fill.c: definitions, updates, stores,
 * branches.
 *
 *     stmt_let      d = 4.0 * (x - y)
 *     stmt_load     x = xs[i]
 *     stmt_state    acc = float(0.0)
 *     stmt_update   acc = acc * 0.25 + x
 *     stmt_if       if x < 0.5: acc += x
 *     stmt_store    out[i] = acc - d
 *
 * A result uses what nothing has used yet (put_final), so no line of a kernel is without effect. */
#include "gen/gen_stmt.h"

#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* Four spaces for each block. */
static void put_indent(gen *g)
{
    WEFT_ASSERT(g->text.indent >= 1 && g->text.indent <= INDENT_MAX);
    sb_put(g->text.out, "                                                ",
           (size_t)(4 * min_int(g->text.indent, INDENT_MAX)));
}

/* A comment above the line counts as a line of the kernel, so it needs room; helpers have no limit.
 * Only kinds with words of their own get one. */
void line_open_as(gen *g, line_kind kind)
{
    if (g->names.style.comments && kind != LINE_PLAIN && chance(g, 2u * g->names.style.comments) &&
        (g->defs.in_helper || room(g) > 1)) {
        put_indent(g);
        put_comment_text(g, kind);
        cover(g, THING_COMMENT);
        W(g, "\n");
    }
    put_indent(g);
    g->flow.statements++;
}

void line_open(gen *g)
{
    line_open_as(g, LINE_PLAIN);
}

void line_close(gen *g)
{
    W(g, "\n");
}

/* After the head of a block: the colon, and a scope. */
void block_open(gen *g, uint32_t *mark)
{
    W(g, ":\n");
    WEFT_ASSERT(g->text.indent < INDENT_MAX);
    g->text.indent++;
    *mark = scope_open(g);
}

void block_close(gen *g, uint32_t mark)
{
    WEFT_ASSERT(g->text.indent > 1);
    g->text.indent--;
    scope_close(g, mark);
}

/* A variable is known to be fixed only where the scope says so: Warp makes a variable of every
 * assignment, whatever its value, hence b.fixed = false. */
gvar *stmt_let(gen *g, gtype t, int budget)
{
    target_write(g);
    cover_type(g, THING_LET, t);
    line_open_as(g, LINE_LET);
    str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    bound b = gen_expr(g, varying(want_of(t, mag_limit(t))), budget, PREC_TERNARY);
    line_close(g);
    /* Wrong is only the flag: the magnitude of a constant holds for the variable. */
    b.fixed = false;
    return var_add(g, name, t, b, V_LOCAL);
}

/* The element is hidden from then on: x - xs[i] would say nothing. */
gvar *stmt_load(gen *g, gtype t)
{
    if (!can_add_input(g))
        return NULL;
    cover_type(g, THING_LOAD, t);
    line_open_as(g, LINE_LOAD);
    str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    /* arg_input may write nothing here: the element's text is put together in the scratch
     * buffer. */
    gvar *v = arg_input(g, t);
    bound b = var_bound(v);
    var_put(g, v);
    v->flags |= V_HIDDEN; /* x - xs[i] would say nothing */
    line_close(g);
    return var_add(g, name, t, b, V_LOCAL);
}

/* A first value that Warp does not take for a constant: float(0.0), wp.vec3(). Warp refuses to
 * change a variable that holds a plain literal in a loop that it does not unroll. Returns false
 * where the value depends on the inputs instead: in a ninth of the floats, a third of the integers,
 * and of quaternions always. */
static bool put_start(gen *g, gtype t)
{
    /* A state that begins with an input is no start from zero, so its first update may as well
     * scale it. */
    if (t.kind == GK_QUAT || !gt_is_float(t) || below(g, 3) == 0) {
        if (t.kind == GK_QUAT || below(g, 3) == 0) {
            gen_leaf(g, varying(want_of(t, 8)), PREC_TERNARY);
            return false;
        }
    }
    put_cast(g, t);
    /* wp.vec3(): Warp fills it with zeros. */
    if (t.kind != GK_SCALAR && below(g, 2)) {
        W(g, ")");
        return true;
    }
    const bool six = t.kind == GK_VEC && t.rows == 6; /* not of a single number */
    int n = t.kind == GK_VEC && (six || below(g, 2)) ? t.rows : 1;
    for (int i = 0; i < n; i++) {
        if (i)
            W(g, ", ");
        /* Zero mostly, as sums begin; 1 is for products. */
        if (t.kind == GK_SCALAR && gt_is_float(t))
            sb_c(g->text.out, below(g, 4) ? "0.0" : below(g, 2) ? "1.0" : "0.5");
        else if (t.kind == GK_SCALAR)
            sb_c(g->text.out, below(g, 3) ? "0" : "1");
        else if (gt_is_float(t))
            put_float_literal(g, scalar_of(t), "0.0");
        else
            put_int_literal(g, scalar_of(t), 0);
    }
    W(g, ")");
    return true;
}

/* The bound is that of all values that updates will give it, from the start on. */
gvar *stmt_state(gen *g, gtype t)
{
    bool counter = t.kind == GK_SCALAR && !gt_is_float(t);
    target_write(g);
    cover_type(g, THING_STATE, t);
    line_open_as(g, LINE_STATE);
    str name = name_new(g, counter ? NAME_COUNTER : NAME_STATE);
    put(g, name);
    W(g, " = ");
    const int start = put_start(g, t) ? V_START : 0;
    line_close(g);
    return var_add(g, name, t, bound_of(mag_state(t), LOW_NONE), V_LOCAL | V_MUTABLE | start);
}

/* From a random place on. */
gvar *state_pick(gen *g)
{
    uint32_t n = g->scope.nvars - g->scope.base;
    uint32_t at = n ? below(g, n) : 0;
    for (uint32_t k = 0; k < n; k++) {
        gvar *v = &g->scope.vars[g->scope.base + (at + k) % n];
        if (v->flags & V_MUTABLE)
            return v;
    }
    return NULL;
}

/* A factor below 1: a state that is scaled by it in each turn stays within its bound. */
static void put_factor(gen *g, gtype t)
{
    static const char *const factors[] = {"0.5", "0.25", "0.1", "0.75", "0.3", "0.6"};
    put_float_literal(g, scalar_of(t), factors[below(g, 6)]);
}

/* v *= 0.5, v /= 2.0 */
static void put_scaling(gen *g, gtype t, bool divides)
{
    WEFT_ASSERT(gt_is_float(t));
    if (divides) {
        W(g, " /= ");
        cover_type(g, THING_DIV_ASSIGN, t);
        put_float_literal(g, t, below(g, 2) ? "2.0" : "1.5");
    } else {
        W(g, " *= ");
        cover_type(g, THING_MUL_ASSIGN, t);
        put_factor(g, t);
    }
}

/* The right side of an update; keeps |v| <= 2^mag_state whatever the number of turns. What is added
 * in one turn is within 2^(mag - log_turns - 4): 2^log_turns times that is a sixteenth of the bound
 * at most, and the rest is for the updates of other statements.
 *
 * Forms: v += e in seven of 16 draws, v = v + e, v = max(v, e), v = v * f + e, v *= f, v = e in a
 * branch, v = e + f * v elsewhere. A state that must not be read before the result (V_HIDDEN: see
 * keep_sums) gets sums only. Quaternions are normalized anew. */
static void put_update(gen *g, gvar *v, int budget)
{
    static const char *const augmented[] = {" += ", " += ", " += ", " -= "};
    /* Outside of loops log_turns is 0; the 4 leaves room for fifteen other updates of this size. */
    int room = max_int(v->mag - g->flow.log_turns - 4, 0);
    str name = {v->s, v->n};
    gtype t = v->t;
    bool real = gt_is_float(t) && t.kind != GK_QUAT;
    const bool less = target_is_typed(g, THING_SUB_ASSIGN, t);
    uint32_t k = below(g, 16);
    want e = varying(want_of(t, room));
    /* The first seven draws are augmented assignments. */
    if (less || target_is_typed(g, THING_ADD_ASSIGN, t))
        k = 0;
    put(g, name);
    if (t.kind == GK_QUAT) {
        W(g, " = ");
        cover_type(g, THING_REASSIGN, t);
        /* A sum of rotations is none, so the new value is made anew and normalized. */
        put_fn(g, FN_normalize, t);
        gen_quat(g, varying(want_of(t, 4)), budget, PREC_TERNARY);
        W(g, ")");
    } else if (k < 7) {
        const uint32_t way = less ? 3 : below(g, 4);
        sb_c(g->text.out, augmented[way]);
        cover_type(g, way < 3 ? THING_ADD_ASSIGN : THING_SUB_ASSIGN, t);
        gen_expr(g, e, budget, PREC_TERNARY);
    } else if (k < 9) {
        W(g, " = ");
        put(g, name);
        W(g, " + ");
        cover_type(g, THING_REASSIGN, t);
        cover_type(g, THING_ADD, t);
        gen_expr(g, e, budget, PREC_PRODUCT);
    } else if (k < 11 && t.kind != GK_MAT && !(v->flags & V_HIDDEN)) {
        W(g, " = ");
        cover_type(g, THING_REASSIGN, t);
        /* The result is one of both, so no turn makes it larger than they are. It reads the state
         * in a way that Warp's replay of loops gets wrong, hence not for hidden ones. */
        put_fn(g, below(g, 2) ? FN_max : FN_min, t);
        put(g, name);
        W(g, ", ");
        gen_expr(g, e, budget, PREC_TERNARY);
        W(g, ")");
    } else if (k < 13 && real) {
        W(g, " = ");
        put(g, name);
        W(g, " * ");
        /* A decaying sum: the factor is below 1, so the old value shrinks while e is added. */
        put_factor(g, t);
        W(g, " + ");
        cover_type(g, THING_REASSIGN, t);
        cover_type(g, THING_MUL, t);
        cover_type(g, THING_ADD, t);
        gen_expr(g, e, budget, PREC_PRODUCT);
        /* Scaling what still holds zero says nothing. */
    } else if (k == 13 && real && !(v->flags & V_START)) {
        put_scaling(g, t, t.kind == GK_SCALAR && below(g, 3) == 0);
        /* In a branch the old value may be dropped, since other threads keep it. */
    } else if (g->flow.arms > 0 && !(v->flags & V_HIDDEN)) {
        cover_type(g, THING_REASSIGN, t);
        W(g, " = ");
        gen_expr(g, e, budget + 1, PREC_TERNARY);
    } else { /* elsewhere all that was computed before would be lost */
        W(g, " = ");
        gen_expr(g, e, budget, PREC_SUM);
        W(g, " + ");
        cover_type(g, THING_REASSIGN, t);
        cover_type(g, THING_ADD, t);
        if (real) {
            cover_type(g, THING_MUL, t);
            put_factor(g, t);
            W(g, " * ");
        }
        put(g, name);
    }
}

/* v.x = ..., v[1] += ... */
void stmt_update_component(gen *g, gvar *v, int budget)
{
    line_open_as(g, LINE_UPDATE);
    put_component(g, v);
    cover_type(g, THING_STORE_COMPONENT, v->t);
    sb_c(g->text.out, below(g, 2) ? " = " : " += ");
    gen_expr(g, varying(want_of(scalar_of(v->t), v->mag - g->flow.log_turns - 4)), budget,
             PREC_TERNARY);
    line_close(g);
    v->uses = 0; /* what was changed had better show */
    v->flags &= (uint8_t)~V_START;
}

void stmt_update_scaled(gen *g, gvar *v)
{
    line_open_as(g, LINE_UPDATE);
    sb_put(g->text.out, v->s, v->n);
    put_scaling(g, v->t, target_is(g, THING_DIV_ASSIGN));
    line_close(g);
}

/* Vectors are changed by component now and then. The variable counts as unused again, since its new
 * value had better go into a result; and it holds no literal any more. */
void stmt_update(gen *g, gvar *v, int budget)
{
    WEFT_ASSERT(v->flags & V_MUTABLE);
    uint32_t at = (uint32_t)(v - g->scope.vars);
    if (v->t.kind == GK_VEC && !(v->flags & V_HIDDEN) && below(g, 12) == 0) {
        stmt_update_component(g, v, budget);
    } else {
        line_open_as(g, LINE_UPDATE);
        put_update(g, v, budget);
        line_close(g);
    }
    if (at < g->scope.nvars) {
        g->scope.vars[at].uses = 0;
        g->scope.vars[at].flags &= (uint8_t)~V_START;
    }
}

/* --- stores -------------------------------------------------------------------------------- */

/* A result that no float goes into has no derivative: an input is added in 15 of 16 such
 * kernels. */
static void need_input(gen *g, gtype t)
{
    if (!gt_is_float(t) || g->defs.in_helper || g->params.nargs + 4 >= GEN_ARGS_MAX ||
        below(g, 16) == 0)
        return;
    /* Any float argument will do that the kernel reads and does not write. */
    for (uint32_t i = 0; i < g->params.nargs; i++)
        if (gt_is_float(g->params.args[i].t) && g->params.args[i].mode != ARG_OWN &&
            g->params.args[i].mode != ARG_ATOMIC && g->params.args[i].mode != ARG_STRUCTS_OUT &&
            g->params.args[i].mode != ARG_DIM)
            return;
    g->params.inputs = (uint8_t)max_int(g->params.inputs, 1);
    /* Marked as a local variable, so that the result must use it. */
    arg_input(g, scalar_of(t))->flags |= V_LOCAL;
}

/* The expression that ends a computation: it uses what is still unused, up to four variables, as
 * further terms. Rotations and bools have no sums. */
static void put_final(gen *g, gtype t, int budget)
{
    bool sums = t.kind != GK_QUAT && t.kind != GK_XFORM && t.sc != GS_BOOL;
    need_input(g, t);
    /* Further terms need headroom: with four of them the sum grows by less than 2^3. */
    gvar *left = sums ? var_unused(g, term_suits, t) : NULL;
    int mag = mag_limit(t);
    /* While this is set, var_pick takes what nothing has used before anything else. */
    bool outer = g->scope.consume;
    g->scope.consume = true;
    gen_expr(g, varying(want_of(t, left ? mag - 3 : mag)), budget, left ? PREC_SUM : PREC_TERNARY);
    for (int i = 0; i < 4 && sums && left; i++) {
        gvar *v = var_unused(g, term_suits, t);
        if (!v)
            break;
        const bool plus = below(g, 4) != 0;
        if (plus)
            W(g, " + ");
        else
            W(g, " - ");
        cover_type(g, plus ? THING_ADD : THING_SUB, t);
        put_term(g, v, t);
    }
    g->scope.consume = outer;
}

/* Where little has been said so far, the result says more: operators to be added to its budget. */
int more_to_say(gen *g)
{
    const int said = (int)g->flow.statements;
    return said > 3 || g->defs.in_helper ? 0 : (said < 2) + (int)below(g, (uint32_t)(5 - said));
}

/* Is the text from `at` on "x[i]", and nothing else? A kernel that copies says little. */
static bool is_element(const gen *g, size_t at)
{
    const char *p = g->text.out->p + at;
    const size_t n = g->text.out->n - at;
    return n > 1 && p[n - 1] == ']' && !memchr(p, ' ', n) && !memchr(p, '(', n) &&
           !memchr(p, '.', n);
}

/* For var_unused. */
static bool is_same_type(const gvar *v, gtype t)
{
    return gt_same(v->t, t);
}

/* out[i] = ... . Small integers get a cast of an int32 expression, since arithmetic with them
 * wraps. Outputs of floats may read their old value (`again`): out[i] * 0.5 + ..., and a second
 * line out[i] += ... where there is room. The element is the thread's own, so that is no race. */
void stmt_store(gen *g, garg *a, int budget)
{
    WEFT_ASSERT(a->mode == ARG_OWN);
    budget += more_to_say(g);
    bool again = a->mode == ARG_OWN && gt_is_float(a->t) && a->t.kind < GK_QUAT;
    bool narrow =
        a->t.kind == GK_SCALAR && a->t.sc < GS_I32 && a->t.sc != GS_BOOL && !gt_same(a->t, g->s);
    /* The target may add arguments and store results of its own; this one comes behind. */
    const uint32_t number = (uint32_t)(a - g->params.args);
    target_write(g);
    a = &g->params.args[number];
    cover_type(g, THING_STORE, a->t);
    line_open_as(g, LINE_STORE);
    put_own_index(g, a);
    W(g, " = ");
    /* Small integers wrap: computed as an int32 within 2^7, and converted at the end. */
    if (narrow) {
        put_cast(g, a->t);
        gen_int(g, varying(want_of(g->in, 7)), budget, PREC_TERNARY);
        W(g, ")");
        gvar *left = var_unused(g, is_same_type, a->t);
        if (left) {
            W(g, " + ");
            cover_type(g, THING_ADD, a->t);
            var_put(g, left);
        }
    } else {
        if (again && below(g, 16) == 0) {
            put_own_index(g, a);
            W(g, " * ");
            put_factor(g, a->t);
            W(g, " + ");
            cover_type(g, THING_MUL, a->t);
            cover_type(g, THING_ADD, a->t);
        }
        const size_t at = g->text.out->n;
        put_final(g, a->t, budget);
        /* out[i] = x[i] becomes out[i] = x[i] * w or the like. */
        if (is_element(g, at))
            garnish(g, at, a->t);
    }
    line_close(g);
    if (a->mode == ARG_OWN && !narrow && again && below(g, 24) == 0 &&
        room(g) + g->size.reserve > 1) {
        line_open(g);
        put_own_index(g, a);
        W(g, " += ");
        cover(g, THING_ADD_TO_OUTPUT);
        gen_expr(g, varying(want_of(a->t, 10)), 2, PREC_TERNARY);
        line_close(g);
    }
}

/* --- branches ------------------------------------------------------------------------------ */

/* Something that has an effect: an update of a state, or a store where there is no state. */
static void stmt_effect(gen *g)
{
    gvar *v = state_pick(g);
    if (v)
        stmt_update(g, v, some(g, 1, 4));
    else
        stmt_store(g, &g->params.args[g->params.goal], some(g, 1, 5));
}

/* In place of a statement that would be repeated: v -= literal, or out[i] = literal. */
static void put_other_effect(gen *g)
{
    gvar *v = state_pick(g);
    line_open(g);
    if (v && v->t.kind == GK_SCALAR) {
        sb_put(g->text.out, v->s, v->n);
        W(g, " -= ");
        cover_type(g, THING_SUB_ASSIGN, v->t);
        put_literal(g, want_of(v->t, max_int(v->mag - g->flow.log_turns - 4, 0)), PREC_TERNARY);
        v->flags &= (uint8_t)~V_START;
    } else {
        const garg *a = &g->params.args[g->params.goal];
        put_own_index(g, a);
        W(g, " = ");
        if (a->t.kind != GK_SCALAR)
            put_cast(g, a->t);
        for (int i = 0; i < (a->t.rows == 6 ? 6 : 1); i++) { /* spatial_vector(1.0) is refused */
            if (i)
                W(g, ", ");
            put_literal(g, want_of(scalar_of(a->t), 2), PREC_TERNARY);
        }
        if (a->t.kind != GK_SCALAR)
            W(g, ")");
    }
    line_close(g);
}

/* What a branch does: a definition now and then, a branch in the branch, and an effect. */
static void arm_body(gen *g, int depth)
{
    g->flow.arms++;
    if (extra(g, 30))
        stmt_let(g, g->s, some(g, 2, 4));
    if (depth > 0 && extra(g, 35))
        stmt_if(g, 1, depth - 1, 50);
    else
        stmt_effect(g);
    if (extra(g, 15) && state_pick(g))
        stmt_effect(g);
    g->flow.arms--;
}

/* One arm. What the other arms assign is not assigned here: `started` are the variables that hold a
 * literal where the arms begin, and they hold it again where the next arm begins. An arm must not
 * say what the one before said, whose text is from *last to *last_end. */
static void put_arm(gen *g, int depth, size_t *last, size_t *last_end, uint64_t started[2])
{
    uint32_t mark;
    uint64_t before[2] = {started[0], started[1]};
    block_open(g, &mark);
    const size_t begin = g->text.out->n;
    arm_body(g, depth);
    /* Other effects of a quaternion would be the same text again, so those may repeat. */
    if (*last_end && g->params.args[g->params.goal].t.kind != GK_QUAT &&
        is_twin(g, *last, *last_end, begin)) {
        g->text.out->n = begin;
        put_other_effect(g);
    }
    *last = begin;
    *last_end = g->text.out->n;
    /* The scope's flags go back to what they were before this arm; what it assigned is taken out of
     * `started`. */
    for (uint32_t i = g->scope.base; i < mark; i++) {
        gvar *v = &g->scope.vars[i];
        const uint64_t bit = UINT64_C(1) << (i & 63);
        if (!(before[i >> 6] & bit))
            continue;
        if (!(v->flags & V_START))
            started[i >> 6] &= ~bit;
        v->flags |= V_START;
    }
    block_close(g, mark);
    g->flow.branches++;
}

/* The variables that hold the literal that they began with, a bit each. */
static void literals_held(const gen *g, uint64_t started[2])
{
    WEFT_ASSERT(g->scope.nvars <= VARS_MAX);
    started[0] = started[1] = 0;
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++)
        if (g->scope.vars[i].flags & V_START)
            started[i >> 6] |= UINT64_C(1) << (i & 63);
}

/* After the arms: what any of them assigned is no literal any more. `n` variables were there
 * before. */
static void drop_literals(gen *g, const uint64_t started[2], uint32_t n)
{
    for (uint32_t i = g->scope.base; i < n; i++)
        if (!(started[i >> 6] >> (i & 63) & 1))
            g->scope.vars[i].flags &= (uint8_t)~V_START;
}

/* Productions of a branch, and of where it stands. */
static void cover_if(gen *g, gen_thing thing)
{
    cover(g, thing);
    if (g->flow.loops)
        cover(g, THING_IF_IN_LOOP);
    if (g->flow.arms > 0)
        cover(g, THING_IF_IN_IF);
}

/* An else that does nothing, as some people write it. */
static void stmt_pass(gen *g)
{
    uint32_t mark;
    block_open(g, &mark);
    line_open(g);
    W(g, "pass");
    cover(g, THING_PASS);
    line_close(g);
    block_close(g, mark);
    g->flow.branches++;
}

/* A condition that compares another number than the arm before. Arms that decide by one number
 * often leave nothing for the next: x < 1.0, x < 0.5. Thread indexes may come again: remainders of
 * them differ. */
static void other_cond(gen *g, uint8_t decider)
{
    gvar *before = decider < g->scope.nvars ? &g->scope.vars[decider] : NULL;
    /* Hidden for the time of one condition only. */
    const bool hides = before && !(before->flags & (V_HIDDEN | V_INDEX));
    if (hides)
        before->flags |= V_HIDDEN;
    g->scope.decider = NO_DECIDER;
    gen_cond(g, some(g, 1, 3), PREC_TERNARY);
    if (hides)
        before->flags &= (uint8_t)~V_HIDDEN;
}

/* A target `pass` needs the else. Variables that an arm defines end with it. */
void stmt_if(gen *g, int arms, int depth, uint32_t else_percent)
{
    WEFT_ASSERT(arms >= 1 && depth >= 0 && else_percent <= 100);
    size_t last = 0, last_end = 0;
    uint64_t started[2];
    uint8_t decider = NO_DECIDER;
    const uint32_t n = g->scope.nvars;
    literals_held(g, started);
    for (int i = 0; i < arms; i++) {
        /* An elif gets no comment above it: there it would stand between the arms. */
        if (i) {
            put_indent(g);
            g->flow.statements++;
        } else {
            line_open_as(g, LINE_IF);
        }
        sb_c(g->text.out, i ? "elif " : "if ");
        cover_if(g, i ? THING_ELIF : THING_IF);
        other_cond(g, decider);
        decider = g->scope.decider;
        put_arm(g, depth, &last, &last_end, started);
    }
    const bool passes = target_is(g, THING_PASS);
    if (!passes && chance(g, else_percent)) {
        put_indent(g);
        W(g, "else");
        cover(g, THING_ELSE);
        put_arm(g, depth, &last, &last_end, started);
    } else if (passes || (below(g, 24) == 0 && room(g) > 3)) {
        put_indent(g);
        W(g, "else");
        cover(g, THING_ELSE);
        stmt_pass(g);
    }
    drop_literals(g, started, n < g->scope.nvars ? n : g->scope.nvars);
}

/* if ...: return. Half of the threads that leave store something first, unless there is a state,
 * which the others store. */
void stmt_exit(gen *g)
{
    uint32_t mark;
    line_open_as(g, LINE_EXIT);
    W(g, "if ");
    cover_if(g, THING_IF);
    gen_cond(g, some(g, 1, 3), PREC_TERNARY);
    block_open(g, &mark);
    /* Without a store the threads that leave keep what the output held. */
    if (below(g, 2) && !state_pick(g))
        stmt_store(g, &g->params.args[g->params.goal], 2);
    line_open(g);
    W(g, "return");
    cover(g, THING_RETURN);
    line_close(g);
    block_close(g, mark);
    g->flow.branches++;
}
