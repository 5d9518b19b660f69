/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by rule: the CALL rows of gen_builtin.def, for expressions (put_builtin_call), for
 * statements (stmt_call) and for targets (stmt_call_of).
 *
 *     row   CALL(lerp, VECTOR, FLOATS, "28", 5, "v", MAX, 2, NONE, "v vD s0z!")
 *     want  vec3 within 2^10
 *     ->    wp.lerp(v, u + w, wp.clamp(x, 0.0, 1.0))
 *           v and u + w within 2^8, not the same; the third in [0, 1], which the bound leaves out
 *
 * A row is chosen by weight among those of the result's kind and of the category's groups
 * (gen_category.def). Its letters are unified with the type of the want, its rule splits the want
 * among the arguments, and the bounds that they come with give the bound of the result. */
#include "gen/gen_call.h"

#include "gen/gen_arg.h"
#include "gen/gen_call_row.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

static uint32_t call_groups(const gen *g);

/* --- which scalar, which lengths ----------------------------------------------------------- */

/* The kernel's own scalar type where the row takes it; else, and seldom in its place, another. In
 * helpers only the kernel's own: parameters have no others. False: the row has no type that will
 * do. */
static bool choose_base(gen *g, const call_row *row, call_shape *s)
{
    s->sc = g->s.sc;
    /* Functions of floats stay with the kernel's type; others change it in a twelfth of the
     * calls. */
    if (row->bases >> s->sc & 1 && (row->group == CALL_MATH || below(g, 12)))
        return true;
    if (g->defs.in_helper)
        return row->bases >> s->sc & 1;
    /* The first type from a random one on that the row takes. */
    uint32_t at = below(g, GS_COUNT);
    for (uint32_t k = 0; k < GS_COUNT; k++) {
        s->sc = (uint8_t)((at + k) % GS_COUNT);
        if (row->bases >> s->sc & 1)
            return true;
    }
    return false;
}

/* N and M: those of some variable in scope, or the kernel's own; seldom others. Within the row's
 * limits. */
static void choose_lengths(gen *g, const call_row *row, call_shape *s)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    int n = g->vec_rows, m = g->vec_rows;
    /* The newest one wins. */
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++) {
        const gtype t = g->scope.vars[i].t;
        if ((t.kind == GK_VEC || t.kind == GK_MAT) && t.sc == s->sc && t.rows <= hi &&
            t.rows >= lo) {
            n = t.rows;
            m = t.kind == GK_MAT ? t.cols : m;
        }
    }
    /* Lengths that nothing in scope has: arguments are then built of scalars. */
    if (lo && below(g, 12) == 0) {
        n = lo + (int)below(g, (uint32_t)(hi - lo + 1));
        m = 2 + (int)below(g, 3);
    }
    s->n = (uint8_t)(n < lo ? lo : n > hi ? hi : n);
    s->m = (uint8_t)(m > 4 ? 4 : m);
}

/* Can the row give t? Then the letters are known, save lengths that only arguments have. Results of
 * a fixed type (i, u, b, U) leave the scalar free. */
static bool unify(gen *g, const call_row *row, gtype t, call_shape *s)
{
    WEFT_ASSERT(row->lengths[0] >= '0' && row->result[0]);
    const char letter = row->result[0];
    s->sc = t.sc;
    if (letter == 'i' || letter == 'u' || letter == 'b' || letter == 'U') {
        if (!choose_base(g, row, s))
            return false;
    } else if (!(row->bases >> t.sc & 1)) {
        return false;
    }
    choose_lengths(g, row, s);
    if (letter == 'v' || letter == 'm' || letter == 'r')
        s->n = t.rows;
    if (letter == 'r')
        s->m = t.cols;
    /* The result is MxN, so letters change places. */
    if (letter == 'x')
        s->n = t.cols, s->m = t.rows;
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    if (lo && (s->n < lo || s->n > hi))
        return false;
    return gt_same(call_letter_type(letter, s), t);
}

/* --- arguments ----------------------------------------------------------------------------- */

/* How often an argument's bound counts in the result's: not where the row says so, nor for text,
 * arrays and rotation matrices; twice for rotations, which multiply by the square of the
 * quaternion's length. */
static int share(const call_arg *a)
{
    if (a->apart || call_is_text(a->letter) || a->letter == 'a' || a->letter == 'R')
        return 0;
    return a->letter == 'q' || a->letter == 't' ? 2 : 1;
}

/* Text of a row with the call's types in place of S and U. */
static void put_names(gen *g, str text, const call_shape *s)
{
    for (size_t i = 0; i < text.n; i++) {
        const gtype base = gt_scalar((gen_scalar)s->sc);
        if (text.p[i] == 'S' &&
            g->defs.in_helper) { /* returns of float and wp.float32 would differ */
            W(g, "wp.");
            put_type_name(g->text.out, base);
        } else if (text.p[i] == 'S')
            put_type(g, base);
        else if (text.p[i] == 'U')
            put_type(g, call_letter_type('U', s));
        else
            sb_char(g->text.out, text.p[i]);
    }
}

/* Of unit length: a quaternion in scope of magnitude 0 will do; all else is normalized. What is
 * normalized is uneven, or its direction would be constant. */
static bound put_unit(gen *g, gtype t, int budget)
{
    /* Magnitude 0 is given only to unit quaternions: gen_quat. */
    gvar *v = t.kind == GK_QUAT ? var_pick(g, want_of(t, 0)) : NULL;
    if (v) {
        var_put(g, v);
        return bound_of(0, LOW_NONE);
    }
    const bool outer = g->scope.uneven;
    put_fn(g, FN_normalize, t);
    g->scope.uneven = true;
    gen_expr(g, varying(want_of(t, min_int(mag_limit(t) / 2 - 1, 20))), budget, PREC_TERNARY);
    g->scope.uneven = outer;
    W(g, ")");
    return bound_of(0, LOW_NONE);
}

/* v * v + 0.5 in each component: for divisors. The text of v is written twice. */
static bound put_away_from_zero(gen *g, gtype t)
{
    put_fn(g, FN_cw_mul, t);
    const size_t begin = g->text.out->n;
    bound b = gen_leaf(g, varying(want_of(t, 3)), PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    /* v * v by component: not negative, and no abs, whose slope jumps. */
    sb_again(g->text.out, begin, end - begin);
    W(g, ") + ");
    put_cast(g, t);
    for (int i = 0; i < (t.rows == 6 ? 6 : 1); i++) { /* a spatial_vector takes no single number */
        if (i)
            W(g, ", ");
        put_literal(g, at_least(want_of(scalar_of(t), 1), LOW_POS), PREC_TERNARY);
    }
    W(g, ")");
    return bound_of(2 * max_int(b.mag, 0) + 2, LOW_POS);
}

/* m^T m + I: never singular. Without a matrix in scope a positive multiple of the identity. */
static bound put_gram(gen *g, gtype t, int mag)
{
    WEFT_ASSERT(t.kind == GK_MAT && t.rows == t.cols);
    gvar *v = var_pick(g, varying(want_of(t, mag)));
    /* c I with c >= 1/64. */
    if (!v) {
        put_identity(g, t);
        W(g, " * ");
        gen_leaf(g, at_least(varying(want_of(scalar_of(t), 3)), LOW_POS), PREC_UNARY);
        return bound_of(3, LOW_NONE);
    }
    put_fn(g, FN_transpose, t);
    var_put(g, v);
    W(g, ") * ");
    var_put(g, v);
    W(g, " + ");
    put_identity(g, t);
    return bound_of(2 * max_int(v->mag, 0) + 3, LOW_NONE);
}

/* wp.diag(wp.vec3(4.0, 2.0, 1.0)) + m * 0.1: its singular values differ, as derivatives of a
 * decomposition need. Symmetric ones take m^T + m. */
static bound put_separate(gen *g, gtype t, bool symmetric)
{
    static const char *const values[] = {"4.0", "2.0", "1.0"};
    /* m is an input, within 2^2: a tenth of it moves the values 4, 2, 1 by less than their
     * distance. */
    const gtype s = scalar_of(t), v = gt_vec(t.sc, t.rows);
    gvar *m = var_pick(g, varying(want_of(t, MAG_INPUT)));
    put_fn(g, FN_diag, v);
    put_cast(g, v);
    for (int i = 0; i < t.rows; i++) {
        if (i)
            W(g, ", ");
        put_float_literal(g, s, values[i]);
    }
    W(g, "))");
    cover_type(g, THING_MUL, t);
    if (!m) {
        W(g, " * ");
        gen_leaf(g, at_least(varying(want_of(s, 2)), LOW_POS), PREC_UNARY);
        return bound_of(4, LOW_NONE);
    }
    cover_type(g, THING_ADD, t);
    W(g, " + ");
    if (symmetric) {
        W(g, "(");
        put_fn(g, FN_transpose, t);
        var_put(g, m);
        W(g, ") + ");
    }
    var_put(g, m);
    if (symmetric)
        W(g, ")");
    W(g, " * ");
    put_float_literal(g, s, "0.1");
    return bound_of(3, LOW_NONE);
}

/* A one-dimensional input of this type, or a new one. */
static void put_array(gen *g, gtype t)
{
    /* Its values are not sorted; the builtins of the ARRAY group search them all the same. */
    for (uint32_t k = 0; k < g->params.nargs; k++)
        if (g->params.args[k].mode == ARG_IN && g->params.args[k].rank == 1 &&
            gt_same(g->params.args[k].t, t)) {
            put(g, g->params.args[k].name);
            return;
        }
    const uint8_t dims[1] = {dim_new(g, DIM_FREE, 0)};
    put(g, arg_table(g, t, dims, 1)->name);
}

/* A fixed number of the row, as a literal of the type. */
static void put_number(gen *g, gtype t, str text)
{
    char number[8] = {0};
    int value = 0;
    memcpy(number, text.p, text.n < sizeof number ? text.n : sizeof number - 1);
    for (const char *p = number; *p >= '0' && *p <= '9'; p++)
        value = 10 * value + *p - '0';
    if (gt_is_float(t))
        put_float_literal(g, t, number);
    else
        put_int_literal(g, t, value);
}

/* One argument; `mag` is what the rule leaves for it. `first`: it has to vary, so that a call
 * depends on inputs. */
static bound put_arg(gen *g, const call_arg *a, const call_shape *s, int mag, int budget,
                     bool first)
{
    const gtype t = call_letter_type(a->letter, s);
    want w = at_least(want_of(t, min_int(min_int(mag, a->mag), mag_limit(t))), (gen_low)a->low);
    w.varies = first;
    /* Letters that are no expression of their own type. */
    switch (a->letter) {
    case '=': put(g, a->text); return bound_of(0, LOW_NONE);
    case '$': put_names(g, a->text, s); return bound_of(0, LOW_NONE);
    case 'a': put_array(g, t); return bound_of(0, LOW_NONE);
    case 'b': gen_cond(g, 1, PREC_TERNARY); return bound_of(0, LOW_NONE);
    case 'R':
        put_fn(g, FN_quat_to_matrix, gt_quat(s->sc));
        put_unit(g, gt_quat(s->sc), 1);
        W(g, ")");
        return bound_of(0, LOW_NONE);
    case '#': put_number(g, t, a->text); return bound_of(0, LOW_NONE);
    default: break;
    }
    if (a->literal)
        return put_literal(g, w, PREC_TERNARY);
    if (a->unit)
        return put_unit(g, t, 1);
    if (a->definite)
        return put_gram(g, t, w.mag);
    if (a->separate)
        return put_separate(g, t, a->symmetric);
    /* Vectors and matrices have no expressions with a lower bound. */
    if (a->low && t.kind != GK_SCALAR)
        return put_away_from_zero(g, t);
    return gen_expr(g, w, budget, PREC_TERNARY);
}

/* Splits the room that the rule leaves among the arguments, and bounds the result by the bounds
 * they came with: CALL_K leaves them free, CALL_SUM divides the want by the number of shares, the
 * others leave it whole but for what the builtin adds. An argument that repeats the first, where
 * the row forbids it, is replaced. */
static void put_call(gen *g, const call_row *row, const call_shape *s, int mag, int budget,
                     bound *b)
{
    int shares = 0, sum = 0, most = -120, first = -120, n = 0;
    call_arg a;
    for (const char *p = row->args; *p; n++) {
        p = call_read_arg(p, &a);
        shares += share(&a);
    }
    const int room = row->rule == CALL_SUM ? (mag - row->add) / max_int(shares, 1)
                     : row->rule == CALL_K ? NO_MAG
                                           : mag - row->add;
    /* The call is one operator; the others are split evenly. */
    const int each = max_int(1, (budget - 1) / n);
    put_fn(g, (gen_fn)row->fn, call_named_type(row, s));
    size_t begin = 0, end = 0;
    for (const char *p = row->args, *next; *p; p = next) {
        next = call_read_arg(p, &a);
        const size_t at = g->text.out->n;
        /* -120 is below all magnitudes: no argument has counted yet. */
        const bool is_first = first == -120;
        bound x = put_arg(g, &a, s, a.apart ? NO_MAG : room, each,
                          is_first || !gt_is_scalar(call_letter_type(a.letter, s)));
        /* The twin of the first argument, in a row that forbids it. */
        if (share(&a) && a.differs && end && is_twin(g, begin, end, at))
            x = untwin(
                g, begin, end, at, x,
                at_least(want_of(call_letter_type(a.letter, s), min_int(min_int(room, a.mag), 3)),
                         (gen_low)a.low),
                PREC_TERNARY);
        if (share(&a) && is_first)
            begin = at, end = g->text.out->n;
        if (share(&a)) {
            sum += share(&a) * max_int(x.mag, 0);
            most = max_int(most, x.mag);
            first = is_first ? x.mag : first;
        }
        if (*next)
            W(g, ", ");
    }
    W(g, ")");
    /* What the rule takes from the arguments; the row adds the rest. */
    const int of = row->rule == CALL_K     ? 0
                   : row->rule == CALL_SUM ? sum
                   : row->rule == CALL_MAX ? most
                                           : first;
    *b = bound_of(of + row->add, (gen_low)row->low);
}

/* --- the two ways to a call ---------------------------------------------------------------- */

/* Is the row of the category's groups? Arrays belong to the kernel, so helpers have none. */
static bool is_wanted(const gen *g, const call_row *row)
{
    return (call_groups(g) >> row->group & 1) && !(g->defs.in_helper && row->group == CALL_ARRAY);
}

/* Integers that wrap may be anything; other bounds are cut near the limit of the type. */
static bound settle(gtype t, bound b)
{
    if (!gt_is_float(t) && gt_wraps(t) && t.sc != GS_BOOL)
        return bound_of(mag_limit(t), LOW_NONE);
    return bound_of(min_int(b.mag, mag_limit(t) + 3), (gen_low)b.low);
}

/* Six rows are drawn at most: there may be none that fits. */
bool put_builtin_call(gen *g, want w, int budget, bound *b)
{
    const uint8_t class = w.t.kind != GK_SCALAR ? w.t.kind
                          : gt_is_float(w.t)    ? CALL_CLASS_FLOAT
                          : w.t.sc == GS_BOOL   ? CALL_CLASS_BOOL
                                                : CALL_CLASS_INT;
    const call_slots *slots = &g->calls->classes[class];
    for (int i = 0; i < 6 && slots->n; i++) {
        const call_row *row = &call_rows[slots->rows[below(g, slots->n)]];
        call_shape s;
        if (!is_wanted(g, row) || !call_has_room(row, w) || !unify(g, row, w.t, &s))
            continue;
        put_call(g, row, &s, w.mag, budget, b);
        *b = settle(w.t, *b);
        return true;
    }
    return false;
}

/* Letters of `result`, one for each value. */
static uint32_t count_results(const call_row *row)
{
    WEFT_ASSERT(row->result[0]);
    return (uint32_t)strlen(row->result);
}

/* a, b = wp.NAME(...): each value becomes a variable. All get one bound. */
static void let_values(gen *g, const call_row *row, const call_shape *s)
{
    const uint32_t n = count_results(row);
    str names[3];
    bound b;
    line_open(g);
    for (uint32_t i = 0; i < n && i < 3; i++) {
        const gtype t = call_letter_type(row->result[i], s);
        names[i] = name_new(g, role_of_local(t));
        if (i)
            W(g, ", ");
        put(g, names[i]);
    }
    W(g, " = ");
    /* A variable may be as large as its type allows. */
    put_call(g, row, s, mag_limit(call_letter_type(row->result[0], s)), 3, &b);
    line_close(g);
    for (uint32_t i = 0; i < n && i < 3; i++) {
        const gtype t = call_letter_type(row->result[i], s);
        var_add(g, names[i], t, settle(t, b), V_LOCAL);
    }
}

/* A statement that calls one row; of the scalar type that *sc says, or any. */
static void stmt_call_row(gen *g, uint32_t at, const gen_scalar *sc)
{
    const call_row *row = &call_rows[at];
    call_shape s;
    if (sc)
        s.sc = (uint8_t)*sc;
    else if (!choose_base(g, row, &s))
        return;
    choose_lengths(g, row, &s);
    const want w = want_of(call_letter_type(row->result[0], &s),
                           mag_limit(call_letter_type(row->result[0], &s)));
    /* Half precision has no room for some rows. */
    if (row->rule != CALL_K && !call_has_room(row, w))
        return;
    let_values(g, row, &s);
}

/* Eight rows are drawn at most; nothing is written where none is of the category's groups, or the
 * one that is has no room. */
void stmt_call(gen *g)
{
    const call_slots *slots = &g->calls->classes[CALL_CLASS_ANY];
    for (int i = 0; i < 8; i++) {
        const uint32_t at = slots->rows[below(g, slots->n)];
        if (!is_wanted(g, &call_rows[at]))
            continue;
        stmt_call_row(g, at, NULL);
        return;
    }
}

/* --- the table ----------------------------------------------------------------------------- */

/* The class of a row by the letter of its result. Matrices are the letters that are left. */
static call_class class_of(const call_row *row)
{
    switch (row->result[0]) {
    case 's': return row->bases & SC_FLOATS ? CALL_CLASS_FLOAT : CALL_CLASS_INT;
    case 'i':
    case 'u':
    case 'U': return CALL_CLASS_INT;
    case 'b': return CALL_CLASS_BOOL;
    case 'q': return CALL_CLASS_QUAT;
    case 't': return CALL_CLASS_XFORM;
    case 'v':
    case '2':
    case '3':
    case '4':
    case '6': return CALL_CLASS_VEC;
    default: return CALL_CLASS_MAT;
    }
}

/* A row as often as its weight says. */
static void add_slots(call_slots *s, uint32_t row)
{
    WEFT_ASSERT(row <= UINT8_MAX);
    for (int i = 0; i < call_rows[row].weight && s->n < CALL_SLOTS; i++)
        s->rows[s->n++] = (uint8_t)row;
}

/* Rows of several results are statements only. Rows for floats and integers stand in both
 * classes. */
void calls_init(call_table *t)
{
    WEFT_ASSERT((int)CALL_ROW_COUNT <= (int)CALL_SLOTS);
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < CALL_ROW_COUNT; i++) {
        const call_class class = class_of(&call_rows[i]);
        add_slots(&t->classes[CALL_CLASS_ANY], i);
        /* Expressions have one value. */
        if (count_results(&call_rows[i]) > 1)
            continue;
        add_slots(&t->classes[class], i);
        if (class == CALL_CLASS_FLOAT && call_rows[i].bases & SC_INTS)
            add_slots(&t->classes[CALL_CLASS_INT], i);
    }
}

/* Letters that make the row's first argument t, from random lengths on. False: there are none. */
static bool shape_for(gen *g, const call_row *row, gtype t, call_shape *s)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    const int width = hi - lo + 1, from = (int)below(g, (uint32_t)width);
    const int other = (int)below(g, 3);
    if (!(row->bases >> t.sc & 1))
        return false;
    for (int n = 0; n < width; n++)
        for (int m = 0; m < 3; m++) {
            *s = (call_shape){t.sc, (uint8_t)(lo + (from + n) % width),
                              (uint8_t)(2 + (other + m) % 3)};
            if (gt_same(type_counted_as(call_named_type(row, s)), t))
                return true;
        }
    return false;
}

/* The first row of the builtin that takes t, from a random one on: a builtin may have several. */
bool stmt_call_of(gen *g, gen_fn fn, gtype t)
{
    const uint32_t from = below(g, CALL_ROW_COUNT);
    for (uint32_t k = 0; k < CALL_ROW_COUNT; k++) {
        const call_row *row = &call_rows[(from + k) % CALL_ROW_COUNT];
        call_shape s;
        if (row->fn != fn || !shape_for(g, row, t, &s) || !call_fits_type(row, &s))
            continue;
        let_values(g, row, &s);
        return true;
    }
    return false;
}

_Static_assert(CALL_ROW_COUNT <= 256, "slots hold rows in a byte");

/* The groups of builtins that the category draws from. */
static uint32_t call_groups(const gen *g)
{
    static const uint16_t groups[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, alias, least, value, change, groups, mix, ...) [GEN_##ID] = (groups),
#include "gen/gen_category.def"
#undef CATEGORY
    };
    return groups[g->category];
}
