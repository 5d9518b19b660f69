/* Steering within a sample: what writes the thing that was asked for. The rest of the kernel is as
 * ever; a sample that misses its target is tried again by gen_make. */
#include "gen/gen_internal.h"

bool asks_for(const gen *g, gen_thing thing)
{
    return g->target == (int)thing;
}

/* A result of its own, so that what was written has an effect. */
static void put_result(gen *g, gtype t)
{
    const uint8_t goal = g->goal;
    garg *a = kernel_output(g, t);
    stmt_store(g, a, 2);
    g->goal = goal;
}

static void change_state(gen *g, gtype t)
{
    const uint32_t at = (uint32_t)(stmt_state(g, t) - g->vars);
    for (int i = some(g, 1, 3); i > 0; i--)
        stmt_update(g, &g->vars[at], 2);
    if (asks_for(g, THING_STORE_COMPONENT))
        stmt_update_component(g, &g->vars[at], 2);
    if (asks_for(g, THING_MUL_ASSIGN))
        stmt_update_scaled(g, &g->vars[at]);
}

static void use_argument(gen *g, gtype t)
{
    g->scalars = (uint8_t)max_int(g->scalars, 1);
    if (can_add_scalar(g))
        arg_scalar(g, t);
    stmt_let(g, t, 2);
}

static gvar *load(gen *g, gtype t)
{
    g->inputs = (uint8_t)max_int(g->inputs, 1);
    return stmt_load(g, t);
}

/* NAME = v.x, m[0, 1], m[1] */
static gtype take_part(gen *g, gtype t)
{
    const gvar *whole = load(g, t);
    const bool row = asks_for(g, THING_ROW);
    const gtype part = row ? gt_vec(t.sc, t.cols) : scalar_of(t);
    if (!whole)
        return g->s;
    const uint32_t at = (uint32_t)(whole - g->vars);
    const bound b = var_bound(whole);
    line_open(g);
    const str name = name_new(g, role_of_local(part));
    put(g, name);
    W(g, " = ");
    if (row)
        put_row(g, &g->vars[at]);
    else
        put_component(g, &g->vars[at]);
    line_close(g);
    var_add(g, name, part, b, V_LOCAL);
    return part;
}

/* NAME = helper(...) */
static gtype call_helper(gen *g, gtype t)
{
    bound b;
    line_open(g);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    if (!put_helper_call(g, varying(want_of(t, 120)), 3, &b))
        b = gen_expr(g, varying(want_of(t, mag_limit(t))), 2, PREC_TERNARY);
    line_close(g);
    var_add(g, name, t, b, V_LOCAL);
    return t;
}

/* Out of vectors; the longer ones count as one. */
static gtype make_matrix(gen *g, gtype t)
{
    const int n = t.rows > 4 ? 5 : t.rows;
    g->vec_rows = (uint8_t)n;
    load(g, gt_vec(t.sc, n));
    stmt_let(g, gt_mat(t.sc, n, n), 3);
    return gt_mat(t.sc, n, n);
}

/* The type of what it left behind. */
static gtype write_typed(gen *g, gtype t)
{
    switch (g->target) {
    case THING_STATE:
    case THING_ADD_ASSIGN:
    case THING_SUB_ASSIGN:
    case THING_MUL_ASSIGN:
    case THING_REASSIGN:
    case THING_STORE_COMPONENT: change_state(g, t); return t;
    case THING_LOAD:
    case THING_ARG_INPUT: load(g, t); return t;
    case THING_ARG_SCALAR: use_argument(g, t); return t;
    case THING_STORE:
    case THING_ARG_OUTPUT: return t;
    case THING_COMPONENT:
    case THING_ROW: return take_part(g, t);
    case THING_MAT_VEC:
        load(g, t);
        stmt_let(g, gt_vec(t.sc, t.rows), 4);
        return gt_vec(t.sc, t.rows);
    case THING_HELPER: return call_helper(g, t);
    case FN_outer:
    case FN_diag:
    case FN_matrix_from_rows:
    case FN_matrix_from_cols: return make_matrix(g, t);
    default: stmt_let(g, t, some(g, 3, 6)); return t;
    }
}

bool target_is_free(const gen *g, uint32_t production)
{
    static const uint16_t things[] = {THING_STATE,      THING_ADD_ASSIGN, THING_SUB_ASSIGN,
                                      THING_MUL_ASSIGN, THING_REASSIGN,   THING_STORE_COMPONENT,
                                      THING_LOAD,       THING_ARG_INPUT,  THING_STORE,
                                      THING_ARG_OUTPUT, THING_ARG_SCALAR, THING_COMPONENT,
                                      THING_ROW,        THING_FIELD,      THING_FIELD_ARRAY};
    const uint16_t thing = g->things[production];
    if (g->types[production] == TYPE_COUNT)
        return false;
    if (thing < FN_COUNT)
        return calls_with((gen_fn)thing, type_at(g->types[production]));
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        if (things[i] == thing)
            return true;
    return false;
}

void target_write(gen *g)
{
    if (g->aimed || g->target < 0 || g->in_helper || g->loops || g->arms > 0)
        return;
    g->aimed = true;
    gtype t = g->target_type;
    if (!g->typed || asks_for(g, THING_CONSTANT) || asks_for(g, THING_ARG_SHARED) ||
        asks_for(g, THING_ATOMIC_ASSIGN))
        return;
    if (g->target < FN_COUNT && calls_with((gen_fn)g->target, t)) {
        if (!stmt_call_of(g, (gen_fn)g->target, t))
            return;
        t = g->vars[g->nvars - 1].t;
    } else {
        t = write_typed(g, t);
    }
    if (!gt_same(t, g->s) || asks_for(g, THING_ARG_OUTPUT))
        put_result(g, t);
}

gen_scalar target_scalar(const gen *g, gen_scalar drawn, bool integers)
{
    const uint8_t sc = g->target_type.sc;
    const bool wide = sc == GS_I32 || sc == GS_U32 || sc == GS_I64 || sc == GS_U64;
    if (!g->typed || sc == GS_BOOL || (sc < GS_F16 && !integers))
        return drawn;
    if (g->category == GEN_ATOMIC && !wide && sc < GS_F32)
        return drawn;
    return (gen_scalar)sc;
}
