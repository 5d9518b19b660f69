/* Calls by rule: the rows of gen_builtin.def. A call is asked for with a want, as any expression
 * is; or it becomes a variable of whatever type it has. */
#include "gen/gen_call.h"

#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_names.h"
#include "gen/gen_param.h"
#include "gen/gen_scope.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_text.h"

static uint32_t call_groups(const gen *g);

enum {
    SC_HALF = 1 << GS_F16,
    SC_BHALF = 1 << GS_BF16,
    SC_ONLY_F32 = 1 << GS_F32,
    SC_REAL = 1 << GS_F32 | 1 << GS_F64,
    SC_FLOATS = SC_REAL | SC_HALF | SC_BHALF,
    SC_HALFLESS = SC_REAL,
    SC_TURNS = SC_REAL | SC_HALF,
    SC_INTS = (1 << GS_F16) - 2,
    SC_ALL = SC_INTS | SC_FLOATS,
    SC_NUMBERS = SC_INTS | SC_REAL,
    SC_SIGNED = SC_FLOATS | 1 << GS_I8 | 1 << GS_I16 | 1 << GS_I32 | 1 << GS_I64,
    SC_CASTS = SC_REAL | SC_HALF | SC_INTS
};

typedef enum call_rule { CALL_K, CALL_MAX, CALL_SUM, CALL_FIRST } call_rule;

typedef struct call_row {
    uint8_t fn, group;
    uint16_t bases;
    const char *lengths;
    uint8_t weight;
    const char *result;
    uint8_t rule;
    int8_t add;
    uint8_t low;
    const char *args;
} call_row;

static const call_row rows[] = {
#define CALL(fn, group, bases, lengths, weight, result, rule, add, low, args)                      \
    {FN_##fn, CALL_##group, SC_##bases, lengths, weight, result, CALL_##rule, add, LOW_##low, args},
#include "gen/gen_builtin.def"
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* What a row's letters stand for in one call. */
typedef struct shape {
    uint8_t sc, n, m;
} shape;

/* The unsigned type as wide as this one, for builtins that give bits. */
static uint8_t unsigned_of(uint8_t sc)
{
    static const uint8_t of[GS_COUNT] = {
        [GS_I8] = GS_U8,   [GS_U8] = GS_U8,   [GS_I16] = GS_U16, [GS_U16] = GS_U16,
        [GS_I32] = GS_U32, [GS_U32] = GS_U32, [GS_I64] = GS_U64, [GS_U64] = GS_U64,
        [GS_F16] = GS_U16, [GS_F32] = GS_U32, [GS_F64] = GS_U64};
    return of[sc];
}

/* A letter of gen_builtin.def as a type; others than those listed are the scalar itself. */
static gtype type_of(char letter, const shape *s)
{
    switch (letter) {
    case 'v': return gt_vec(s->sc, s->n);
    case 'w': return gt_vec(s->sc, s->m);
    case '2':
    case '3':
    case '4':
    case '6': return gt_vec(s->sc, letter - '0');
    case 'm': return gt_mat(s->sc, s->n, s->n);
    case 'r': return gt_mat(s->sc, s->n, s->m);
    case 'x': return gt_mat(s->sc, s->m, s->n);
    case 'A': return gt_mat(s->sc, 2, 2);
    case 'R':
    case 'B': return gt_mat(s->sc, 3, 3);
    case 'C': return gt_mat(s->sc, 4, 4);
    case 'D': return gt_mat(s->sc, 6, 6);
    case 'q': return gt_quat(s->sc);
    case 't': return gt_xform(s->sc);
    case 'i': return gt_scalar(GS_I32);
    case 'u': return gt_scalar(GS_U32);
    case 'U': return gt_scalar((gen_scalar)unsigned_of(s->sc));
    case 'b': return gt_scalar(GS_BOOL);
    case 'f': return gt_scalar(GS_F32);
    default: return gt_scalar((gen_scalar)s->sc);
    }
}

/* --- which scalar, which lengths ----------------------------------------------------------- */

/* The kernel's own scalar type where the row takes it; else, seldom, another. */
static bool choose_base(gen *g, const call_row *row, shape *s)
{
    s->sc = g->s.sc;
    if (row->bases >> s->sc & 1 && (row->group == CALL_MATH || below(g, 12)))
        return true;
    if (g->defs.in_helper)
        return row->bases >> s->sc & 1;
    uint32_t at = below(g, GS_COUNT);
    for (uint32_t k = 0; k < GS_COUNT; k++) {
        s->sc = (uint8_t)((at + k) % GS_COUNT);
        if (row->bases >> s->sc & 1)
            return true;
    }
    return false;
}

/* A length that some variable in scope has, or the kernel's own. */
static void choose_lengths(gen *g, const call_row *row, shape *s)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    int n = g->vec_rows, m = g->vec_rows;
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++) {
        const gtype t = g->scope.vars[i].t;
        if ((t.kind == GK_VEC || t.kind == GK_MAT) && t.sc == s->sc && t.rows <= hi &&
            t.rows >= lo) {
            n = t.rows;
            m = t.kind == GK_MAT ? t.cols : m;
        }
    }
    if (lo && below(g, 12) == 0) {
        n = lo + (int)below(g, (uint32_t)(hi - lo + 1));
        m = 2 + (int)below(g, 3);
    }
    s->n = (uint8_t)(n < lo ? lo : n > hi ? hi : n);
    s->m = (uint8_t)(m > 4 ? 4 : m);
}

/* Can the row give t? Then the letters are known, save lengths that only arguments have. */
static bool unify(gen *g, const call_row *row, gtype t, shape *s)
{
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
    if (letter == 'x')
        s->n = t.cols, s->m = t.rows;
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    if (lo && (s->n < lo || s->n > hi))
        return false;
    return gt_same(type_of(letter, s), t);
}

/* --- arguments ----------------------------------------------------------------------------- */

typedef struct call_arg {
    char letter;
    int8_t mag; /* or NO_MAG */
    uint8_t low;
    bool unit, apart, literal, definite, separate, symmetric, differs;
    str text; /* letters '=', '$' and '#' */
} call_arg;

enum { NO_MAG = 127 };

/* Letters whose argument is text from the row, not an expression. */
static bool is_text(char letter)
{
    return letter == '=' || letter == '$' || letter == '#';
}

/* One argument of a row: a letter, then its bound and flags. Returns what follows it. */
static const char *read_arg(const char *p, call_arg *a)
{
    *a = (call_arg){.letter = *p, .mag = NO_MAG, .differs = *p == 's'};
    p++;
    if (is_text(a->letter)) {
        a->text.p = p;
        while (*p && *p != ' ')
            p++;
        a->text.n = (size_t)(p - a->text.p);
    }
    for (; *p && *p != ' '; p++) {
        if (*p >= '0' && *p <= '9')
            a->mag = (int8_t)((a->mag == NO_MAG ? 0 : 10 * a->mag) + *p - '0');
        else if (*p == '+' || *p == 'z')
            a->low = *p == '+' ? LOW_POS : LOW_ZERO;
        a->unit |= *p == 'u';
        a->apart |= *p == '!';
        a->literal |= *p == 'l';
        a->definite |= *p == 'P';
        a->separate |= *p == 'V';
        a->symmetric |= *p == 'Y';
        a->differs |= *p == 'D';
    }
    return *p ? p + 1 : p;
}

/* How often its bound counts: a rotation multiplies by the square of the quaternion's length. */
static int share(const call_arg *a)
{
    if (a->apart || is_text(a->letter) || a->letter == 'a' || a->letter == 'R')
        return 0;
    return a->letter == 'q' || a->letter == 't' ? 2 : 1;
}

/* Text of a row with the call's types in place of S and U. */
static void put_names(gen *g, str text, const shape *s)
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
            put_type(g, type_of('U', s));
        else
            sb_char(g->text.out, text.p[i]);
    }
}

/* A quaternion in scope of magnitude 0 will do; all else is normalized. */
static bound put_unit(gen *g, gtype t, int budget)
{
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

/* |v| + 1 in each component: for divisors. */
static bound put_away_from_zero(gen *g, gtype t)
{
    put_fn(g, FN_cw_mul, t);
    const size_t begin = g->text.out->n;
    bound b = gen_leaf(g, varying(want_of(t, 3)), PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
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

/* m^T m + I: never singular. */
static bound put_gram(gen *g, gtype t, int mag)
{
    gvar *v = var_pick(g, varying(want_of(t, mag)));
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
 * decomposition need. */
static bound put_separate(gen *g, gtype t, bool symmetric)
{
    static const char *const values[] = {"4.0", "2.0", "1.0"};
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

/* One argument; `mag` is what the rule leaves for it. */
static bound put_arg(gen *g, const call_arg *a, const shape *s, int mag, int budget, bool first)
{
    const gtype t = type_of(a->letter, s);
    want w = at_least(want_of(t, min_int(min_int(mag, a->mag), mag_limit(t))), (gen_low)a->low);
    w.varies = first;
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
    if (a->low && t.kind != GK_SCALAR)
        return put_away_from_zero(g, t);
    return gen_expr(g, w, budget, PREC_TERNARY);
}

/* The type that a call is counted under: its first argument's that has one, else its result's. */
static gtype named_type(const call_row *row, const shape *s)
{
    call_arg a;
    for (const char *p = row->args; *p;) {
        p = read_arg(p, &a);
        if (!is_text(a.letter) && a.letter != 'b')
            return type_of(a.letter, s);
    }
    return type_of(row->result[0], s);
}

/* Splits the room that the rule leaves among the arguments, and bounds the result by the bounds
 * they came with. */
static void put_call(gen *g, const call_row *row, const shape *s, int mag, int budget, bound *b)
{
    int shares = 0, sum = 0, most = -120, first = -120, n = 0;
    call_arg a;
    for (const char *p = row->args; *p; n++) {
        p = read_arg(p, &a);
        shares += share(&a);
    }
    const int room = row->rule == CALL_SUM ? (mag - row->add) / max_int(shares, 1)
                     : row->rule == CALL_K ? NO_MAG
                                           : mag - row->add;
    const int each = max_int(1, (budget - 1) / n);
    put_fn(g, (gen_fn)row->fn, named_type(row, s));
    size_t begin = 0, end = 0;
    for (const char *p = row->args, *next; *p; p = next) {
        next = read_arg(p, &a);
        const size_t at = g->text.out->n;
        const bool is_first = first == -120;
        bound x = put_arg(g, &a, s, a.apart ? NO_MAG : room, each,
                          is_first || !gt_is_scalar(type_of(a.letter, s)));
        if (share(&a) && a.differs && end && is_twin(g, begin, end, at))
            x = untwin(g, begin, end, at, x,
                       at_least(want_of(type_of(a.letter, s), min_int(min_int(room, a.mag), 3)),
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
    const int of = row->rule == CALL_K     ? 0
                   : row->rule == CALL_SUM ? sum
                   : row->rule == CALL_MAX ? most
                                           : first;
    *b = bound_of(of + row->add, (gen_low)row->low);
}

/* --- the two ways to a call ---------------------------------------------------------------- */

/* Arrays belong to the kernel. */
static bool is_wanted(const gen *g, const call_row *row)
{
    return (call_groups(g) >> row->group & 1) && !(g->defs.in_helper && row->group == CALL_ARRAY);
}

/* Would the result stay within w, and do the arguments have room? */
static bool has_room(const call_row *row, want w)
{
    if (w.low > row->low)
        return false;
    if (row->rule == CALL_K)
        return row->add <= w.mag;
    return w.mag >= row->add + (row->rule == CALL_SUM ? 8 : 2);
}

/* Integers that wrap may be anything; other bounds are cut near the limit of the type. */
static bound settle(gtype t, bound b)
{
    if (!gt_is_float(t) && gt_wraps(t) && t.sc != GS_BOOL)
        return bound_of(mag_limit(t), LOW_NONE);
    return bound_of(min_int(b.mag, mag_limit(t) + 3), (gen_low)b.low);
}

bool put_builtin_call(gen *g, want w, int budget, bound *b)
{
    const uint8_t class = w.t.kind != GK_SCALAR ? w.t.kind
                          : gt_is_float(w.t)    ? CALL_CLASS_FLOAT
                          : w.t.sc == GS_BOOL   ? CALL_CLASS_BOOL
                                                : CALL_CLASS_INT;
    const call_slots *slots = &g->calls->classes[class];
    for (int i = 0; i < 6 && slots->n; i++) {
        const call_row *row = &rows[slots->rows[below(g, slots->n)]];
        shape s;
        if (!is_wanted(g, row) || !has_room(row, w) || !unify(g, row, w.t, &s))
            continue;
        put_call(g, row, &s, w.mag, budget, b);
        *b = settle(w.t, *b);
        return true;
    }
    return false;
}

static uint32_t count_results(const call_row *row)
{
    return (uint32_t)strlen(row->result);
}

/* a, b = wp.NAME(...): each value becomes a variable. */
static void let_values(gen *g, const call_row *row, const shape *s)
{
    const uint32_t n = count_results(row);
    str names[3];
    bound b;
    line_open(g);
    for (uint32_t i = 0; i < n && i < 3; i++) {
        const gtype t = type_of(row->result[i], s);
        names[i] = name_new(g, role_of_local(t));
        if (i)
            W(g, ", ");
        put(g, names[i]);
    }
    W(g, " = ");
    put_call(g, row, s, mag_limit(type_of(row->result[0], s)), 3, &b);
    line_close(g);
    for (uint32_t i = 0; i < n && i < 3; i++) {
        const gtype t = type_of(row->result[i], s);
        var_add(g, names[i], t, settle(t, b), V_LOCAL);
    }
}

/* A statement that calls one row; of the scalar type that *sc says, or any. */
static void stmt_call_row(gen *g, uint32_t at, const gen_scalar *sc)
{
    const call_row *row = &rows[at];
    shape s;
    if (sc)
        s.sc = (uint8_t)*sc;
    else if (!choose_base(g, row, &s))
        return;
    choose_lengths(g, row, &s);
    const want w = want_of(type_of(row->result[0], &s), mag_limit(type_of(row->result[0], &s)));
    if (row->rule != CALL_K && !has_room(row, w))
        return;
    let_values(g, row, &s);
}

void stmt_call(gen *g)
{
    const call_slots *slots = &g->calls->classes[CALL_CLASS_ANY];
    for (int i = 0; i < 8; i++) {
        const uint32_t at = slots->rows[below(g, slots->n)];
        if (!is_wanted(g, &rows[at]))
            continue;
        stmt_call_row(g, at, NULL);
        return;
    }
}

/* --- the table ----------------------------------------------------------------------------- */

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

static void add_slots(call_slots *s, uint32_t row)
{
    WEFT_ASSERT(row <= UINT8_MAX);
    for (int i = 0; i < rows[row].weight && s->n < CALL_SLOTS; i++)
        s->rows[s->n++] = (uint8_t)row;
}

void calls_init(call_table *t)
{
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        const call_class class = class_of(&rows[i]);
        add_slots(&t->classes[CALL_CLASS_ANY], i);
        if (count_results(&rows[i]) > 1)
            continue;
        add_slots(&t->classes[class], i);
        if (class == CALL_CLASS_FLOAT && rows[i].bases & SC_INTS)
            add_slots(&t->classes[CALL_CLASS_INT], i);
    }
}

/* The longer vectors, and the matrices without a name, are counted as one type each: gen_shape.def.
 */
static gtype counted_as(gtype t)
{
    if (t.kind == GK_VEC && t.rows > 4)
        return gt_vec(t.sc, 8);
    return t.kind == GK_MAT && (t.rows != t.cols || t.rows > 4) ? gt_mat(t.sc, 2, 3) : t;
}

/* Have the results of such a call room in their type? */
static bool fits_type(const call_row *row, const shape *s)
{
    const gtype result = type_of(row->result[0], s);
    return row->rule == CALL_K || has_room(row, want_of(result, mag_limit(result)));
}

/* Is t what the row's first argument may be? */
static bool row_takes(const call_row *row, gtype t)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    if (!(row->bases >> t.sc & 1))
        return false;
    for (int n = lo; n <= hi; n++)
        for (int m = 2; m <= 4; m++) {
            const shape s = {t.sc, (uint8_t)n, (uint8_t)m};
            if (gt_same(counted_as(named_type(row, &s)), t))
                return fits_type(row, &s);
        }
    return false;
}

bool calls_with(gen_fn fn, gtype t)
{
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].fn == fn && row_takes(&rows[i], t))
            return true;
    return false;
}

void calls_types(gen_fn fn, uint64_t of[TYPE_WORDS])
{
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        for (uint32_t k = 0; rows[i].fn == fn && k < TYPE_COUNT; k++)
            if (row_takes(&rows[i], type_at(k)))
                of[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* Letters that make the row's first argument t. */
static bool shape_for(gen *g, const call_row *row, gtype t, shape *s)
{
    const int lo = row->lengths[0] - '0', hi = lo ? row->lengths[1] - '0' : 0;
    const int width = hi - lo + 1, from = (int)below(g, (uint32_t)width);
    const int other = (int)below(g, 3);
    if (!(row->bases >> t.sc & 1))
        return false;
    for (int n = 0; n < width; n++)
        for (int m = 0; m < 3; m++) {
            *s = (shape){t.sc, (uint8_t)(lo + (from + n) % width), (uint8_t)(2 + (other + m) % 3)};
            if (gt_same(counted_as(named_type(row, s)), t))
                return true;
        }
    return false;
}

bool stmt_call_of(gen *g, gen_fn fn, gtype t)
{
    const uint32_t from = below(g, ROW_COUNT);
    for (uint32_t k = 0; k < ROW_COUNT; k++) {
        const call_row *row = &rows[(from + k) % ROW_COUNT];
        shape s;
        if (row->fn != fn || !shape_for(g, row, t, &s) || !fits_type(row, &s))
            continue;
        let_values(g, row, &s);
        return true;
    }
    return false;
}

_Static_assert(ROW_COUNT <= 256, "slots hold rows in a byte");

/* What each category is about. */
static uint32_t call_groups(const gen *g)
{
    static const uint16_t groups[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, alias, least, value, change, groups, ...) [GEN_##ID] = (groups),
#include "gen/gen_category.def"
#undef CATEGORY
    };
    return groups[g->category];
}
