/* SPDX-License-Identifier: Apache-2.0 */
/* Values in the longer forms that people write: wp.vector(...) and wp.matrix(...) with a length or
 * a shape, copies, and what Python computes before the kernel is compiled.
 *
 *     wp.vector(dx, 0.7, 0.1, 8.0, length=4, dtype=float)
 *     wp.matrix(s_i, shape=(4, 4))
 *     t0 = in0[tid] - wp.static(0.7 * 32.0)
 *     coeff * wp.static(to_radians(2.5))      with def to_radians(x): ... at the top of the file
 */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* ", dtype=float", for calls that name the type of their numbers. */
static void put_dtype(gen *g, gtype t)
{
    W(g, ", dtype=");
    put_type(g, scalar_of(t));
}

/* n numbers of which the first varies; returns their magnitude. */
static int put_numbers(gen *g, gtype t, int n, int mag)
{
    WEFT_ASSERT(n >= 1);
    int most = -120;
    for (int i = 0; i < n; i++) {
        want part = want_of(scalar_of(t), mag);
        part.varies = i == 0;
        if (i)
            W(g, ", ");
        /* A third of the further numbers are literals. */
        const bool same = i && below(g, 3) == 0;
        const bound b = same ? put_literal(g, part, PREC_TERNARY) : gen_leaf(g, part, PREC_TERNARY);
        most = max_int(most, b.mag);
    }
    return most;
}

/* One number stands for all places if the length is given. Without dtype Warp takes that of the
 * numbers. */
bound vec_called(gen *g, want w)
{
    WEFT_ASSERT(w.t.kind == GK_VEC);
    const int n = w.t.rows;
    /* All components are written out for short vectors; `uneven` forbids one for all. */
    const bool each = n <= 4 && (g->scope.uneven || below(g, 2)), sized = !each || below(g, 2);
    W(g, "wp.vector(");
    count_builtin(g, FN_vector);
    cover_type(g, THING_VECTOR_CALL, w.t);
    const int mag = put_numbers(g, w.t, each ? n : 1, w.mag);
    if (sized) {
        W(g, ", length=");
        sb_int(g->text.out, n);
    }
    if (sized && below(g, 3))
        put_dtype(g, w.t);
    W(g, ")");
    return bound_of(mag, LOW_NONE);
}

/* All elements, or one for every place. */
bound mat_called(gen *g, want w)
{
    WEFT_ASSERT(w.t.kind == GK_MAT);
    const int n = w.t.rows * w.t.cols;
    W(g, "wp.matrix(");
    count_builtin(g, FN_matrix);
    cover_type(g, THING_MATRIX_CALL, w.t);
    const int mag = put_numbers(g, w.t, n <= 9 && below(g, 3) ? n : 1, w.mag);
    W(g, ", shape=(");
    sb_uint(g->text.out, w.t.rows);
    W(g, ", ");
    sb_uint(g->text.out, w.t.cols);
    W(g, ")");
    if (below(g, 3))
        put_dtype(g, w.t);
    W(g, ")");
    return bound_of(mag, LOW_NONE);
}

/* u = wp.vec3(v), which is then changed: without the conversion u would be another name for v.
 * Vectors of 6 have no such conversion. The update adds less than 2^6 to a component. */
gtype stmt_copy(gen *g, gtype t)
{
    /* The copy is changed below, so its bound is larger than its source's. */
    const gvar *from = var_any(g, t);
    if (!from || t.rows == 6)
        return t;
    const uint32_t at = (uint32_t)(from - g->scope.vars);
    const bound b = var_bound(from);
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    cover_type(g, THING_COPY, t);
    put_cast(g, t);
    var_put(g, &g->scope.vars[at]);
    W(g, ")");
    line_close(g);
    gvar *v = var_add(g, name, t, bound_of(max_int(b.mag, MAG_INPUT) + 6, LOW_NONE), V_LOCAL);
    stmt_update_component(g, v, 2);
    return t;
}

/* --- known at compile time ------------------------------------------------------------------ */

/* Functions of the module that Python calls, not the kernel. */
static const struct {
    const char *name, *body;
    int8_t mag; /* of its result, where its argument is in [1/64, 4] */
} functions[] = {{"square", "x * x", 4},
                 {"half", "0.5 * x", 1},
                 {"inverse_of", "1.0 / (1.0 + x)", 0},
                 {"disc_area", "3.14159 * x * x", 6},
                 {"to_radians", "x * 3.14159 / 180.0", 0},
                 {"decay_rate", "0.693147 / (x + 0.5)", 1}};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* Names of functions are fixed: a kernel that has the name already does without. */
static bool is_name_free(const gen *g, str name)
{
    for (uint32_t i = 0; i < g->names.ntaken; i++)
        if (str_eq(g->names.taken[i], name))
            return false;
    return true;
}

/* NAME(0.5) with a function that is written for it. False: there is no room for one, or the name is
 * taken. Its text lies among the constants, and is always copied into the file. */
static bool put_function_call(gen *g, bound *b)
{
    const uint32_t k = below(g, FUNCTIONS);
    const str name = str_c(functions[k].name);
    /* Nothing is written yet, so the caller may go on with another form. */
    if (g->defs.nconsts == CONSTS_MAX || !is_name_free(g, name))
        return false;
    gconst *c = &g->defs.consts[g->defs.nconsts++];
    *c = (gconst){.name = name_keep(g, name), .begin = (uint32_t)g->text.head.n, .function = true};
    strbuf *out = g->text.out;
    g->text.out = &g->text.head;
    W(g, "\n\ndef ");
    put(g, name);
    W(g, "(x):\n    return ");
    sb_c(g->text.out, functions[k].body);
    W(g, "\n");
    g->text.out = out;
    c->end = (uint32_t)g->text.head.n;
    cover(g, THING_STATIC_CALL);
    put(g, name);
    W(g, "(");
    put_literal(g, at_least(want_of(g->s, 2), LOW_POS), PREC_TERNARY);
    W(g, ")");
    /* The argument lies in [1/64, 4], and so the result is not negative. */
    *b = (bound){functions[k].mag, LOW_ZERO, true};
    return true;
}

/* 2.0 * 0.5, RATE + 1.0: of literals and constants of the module. Sums of positive numbers stay
 * away from zero, products may come near it. */
static bound put_known(gen *g, want w)
{
    const bool sums = w.low == LOW_POS || below(g, 2);
    want a = at_least(want_of(w.t, sums ? w.mag - 1 : w.mag / 2), LOW_POS);
    gvar *v = var_pick(g, a);
    bound x;
    /* A constant of the module; indexes of unrolled loops are fixed too, but Python does not see
     * them. */
    if (v && (v->flags & V_FIXED) && (v->flags & V_GLOBAL)) {
        var_put(g, v);
        x = var_bound(v);
    } else {
        x = put_literal(g, a, PREC_PRODUCT);
    }
    sb_c(g->text.out, sums ? " + " : " * ");
    /* What the left operand leaves. */
    a.mag = (int8_t)(sums ? w.mag - 1 : w.mag - max_int(x.mag, 0));
    const bound y = put_literal(g, a, PREC_UNARY);
    const int mag = sums ? max_int(x.mag, y.mag) + 1 : x.mag + y.mag;
    return (bound){(int8_t)mag, sums ? LOW_POS : LOW_ZERO, true};
}

/* wp.vec3(0.0, 1.0, 0.0), of literals only. */
static bound static_vec(gen *g, want w)
{
    int mag = -120;
    put_type(g, w.t);
    W(g, "(");
    for (int i = 0; i < w.t.rows; i++) {
        if (i)
            W(g, ", ");
        mag = max_int(mag, put_literal(g, want_of(scalar_of(w.t), 3), PREC_TERNARY).mag);
    }
    W(g, ")");
    return (bound){(int8_t)mag, LOW_NONE, true};
}

/* wp.static(...) around what is known at compile time. False, and nothing written: in helpers, for
 * small wants and for types that it does not take. */
bool put_static(gen *g, want w, bound *b)
{
    if (g->defs.in_helper || w.mag < 6 || !takes(THING_STATIC, w.t))
        return false;
    /* Results of functions are only known not to be negative. */
    const bool calls = gt_is_scalar(w.t) && gt_is_float(w.t) && w.low != LOW_POS &&
                       (below(g, 4) == 0 || target_is(g, THING_STATIC_CALL));
    W(g, "wp.static(");
    cover_type(g, THING_STATIC, w.t);
    if (!gt_is_scalar(w.t))
        *b = static_vec(g, w);
    else if (!calls || !put_function_call(g, b))
        *b = put_known(g, w);
    W(g, ")");
    return true;
}

/* UP = wp.constant(wp.vec3(0.0, 1.0, 0.0)), or plainly UP = wp.vec3(...). NULL: there is no
 * room. */
static gvar *constant_vec_new(gen *g, gtype t)
{
    if (g->defs.nconsts == CONSTS_MAX)
        return NULL;
    gconst *c = &g->defs.consts[g->defs.nconsts++];
    strbuf *out = g->text.out;
    const bool wrapped = below(g, 3) != 0;
    *c = (gconst){.name = name_constant(g), .begin = (uint32_t)g->text.head.n, .t = t};
    /* Its alias, if it needs one, stands before the constant. */
    declare_type(g, t);
    g->text.out = &g->text.head;
    put(g, c->name);
    W(g, " = ");
    sb_c(g->text.out, wrapped ? "wp.constant(" : "");
    const bound b = static_vec(g, want_of(t, 3));
    sb_c(g->text.out, wrapped ? ")\n" : "\n");
    g->text.out = out;
    c->end = (uint32_t)g->text.head.n;
    return var_add(g, c->name, t, b, V_GLOBAL | V_FIXED);
}

/* NAME = v + UP, NAME = x + wp.static(2.0 * 0.5): for targets. */
gtype stmt_known(gen *g, gtype t)
{
    const gvar *constant = target_is(g, THING_CONSTANT_VEC) ? constant_vec_new(g, t) : NULL;
    const uint32_t at = constant ? (uint32_t)(constant - g->scope.vars) : 0;
    bound b, y;
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    b = gen_leaf(g, varying(want_of(t, 8)), PREC_SUM);
    W(g, " + ");
    cover_type(g, THING_ADD, t);
    if (constant) {
        y = var_bound(&g->scope.vars[at]);
        var_put(g, &g->scope.vars[at]);
    } else if (!put_static(g, want_of(t, 8), &y)) {
        y = gen_leaf(g, want_of(t, 8), PREC_PRODUCT);
    }
    line_close(g);
    var_add(g, name, t, bound_of(max_int(b.mag, y.mag) + 1, LOW_NONE), V_LOCAL);
    return t;
}
