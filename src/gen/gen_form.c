/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of statements that are rarer than definitions, updates and stores, for gen_fill.c and for
 * targets:
 *
 *     a, b = x[i], 2.0 * y[i]                two names at once
 *     if lo > hi:                            two variables sorted
 *         lo, hi = hi, lo
 *     p = Params()                           a struct filled field by field
 *     p.mass = x[i]
 *     v = wp.vec3()                          a vector filled by component
 *     v[0] = x[i]
 *     row = table[i]                         a row of an array, and a loop over it
 *     code = int(x * 8.0)                    an integer changed in place
 *     code ^= 5
 *     assert x < 100.0                       a check that holds for all promised inputs
 *
 * Each form adds what it made to the variables in scope. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* a, b = x[i], 2.0 * y[i]. Both right sides are written before either name is in scope: Python
 * evaluates them first. */
static void form_pair(gen *g)
{
    const want w = varying(want_of(g->s, 10));
    line_open(g);
    cover(g, THING_PAIR);
    str a = name_new(g, NAME_LOCAL), b = {NULL, 0};
    put(g, a);
    W(g, ", ");
    b = name_new(g, NAME_LOCAL);
    put(g, b);
    W(g, " = ");
    const bound x = gen_expr(g, w, some(g, 1, 3), PREC_TERNARY);
    W(g, ", ");
    const bound y = gen_expr(g, w, some(g, 1, 3), PREC_TERNARY);
    line_close(g);
    var_add(g, a, g->s, bound_of(x.mag, (gen_low)x.low), V_LOCAL);
    var_add(g, b, g->s, bound_of(y.mag, (gen_low)y.low), V_LOCAL);
}

/* The variable's text, without counting a use. */
static void put_name(gen *g, const gvar *v)
{
    sb_put(g->text.out, v->s, v->n);
}

/* lo = ...; hi = ...; if lo > hi: lo, hi = hi, lo. The names are bound to values on lines of their
 * own: a tuple would bind names to elements of arrays, which Warp does not swap with values.
 * Afterwards each may hold either, so both get the larger bound. */
static void form_sort(gen *g)
{
    uint32_t mark;
    /* Pointers stay valid: variables are only added here. */
    gvar *a = stmt_let(g, g->s, some(g, 2, 4)), *b;
    b = stmt_let(g, g->s, some(g, 2, 4));
    line_open(g);
    cover(g, THING_SWAP);
    cover(g, THING_IF);
    W(g, "if ");
    put_name(g, a);
    sb_c(g->text.out, below(g, 2) ? " > " : " < ");
    cover_type(g, THING_ORDER, g->s);
    put_name(g, b);
    block_open(g, &mark);
    line_open(g);
    put_name(g, a);
    W(g, ", ");
    put_name(g, b);
    W(g, " = ");
    put_name(g, b);
    W(g, ", ");
    put_name(g, a);
    line_close(g);
    block_close(g, mark);
    g->flow.branches++;
    /* After the branch either may hold either. */
    a->mag = b->mag = (int8_t)max_int(a->mag, b->mag);
    a->low = b->low = LOW_NONE;
}

/* p = Params(); p.mass = ...; ... The struct's text goes to the head; a kernel has one such struct
 * at most (struct_begin, struct_end). Its fields are variables "p.mass" from then on. */
static void form_struct(gen *g)
{
    WEFT_ASSERT(!g->defs.struct_end && !g->defs.in_helper);
    strbuf *out = g->text.out;
    str fields[3];
    const int n = 2 + (int)below(g, 2);
    const str type = name_struct(g), owner = name_new(g, NAME_LOCAL);
    g->text.out = &g->text.head;
    g->defs.struct_begin = (uint32_t)g->text.head.n;
    W(g, "@wp.struct\nclass ");
    put(g, type);
    W(g, ":\n");
    for (int i = 0; i < n; i++) {
        fields[i] = name_new(g, NAME_FIELD);
        cover_type(g, THING_FIELD, g->s);
        W(g, "    ");
        put(g, fields[i]);
        W(g, ": ");
        put_type(g, g->s);
        W(g, "\n");
    }
    W(g, "\n\n");
    g->defs.struct_end = (uint32_t)g->text.head.n;
    g->text.out = out;
    line_open(g);
    cover(g, THING_BUILT_STRUCT);
    put(g, owner);
    W(g, " = ");
    put(g, type);
    W(g, "()");
    line_close(g);
    bound b[3];
    for (int i = 0; i < n; i++) {
        line_open(g);
        put(g, owner);
        W(g, ".");
        put(g, fields[i]);
        W(g, " = ");
        b[i] = gen_expr(g, varying(want_of(g->s, 10)), some(g, 1, 3), PREC_TERNARY);
        line_close(g);
    }
    /* Only now are all fields set, so only now may expressions read them. */
    for (int i = 0; i < n; i++) {
        strbuf *t = &g->text.whole;
        const size_t begin = t->n;
        sb_str(t, owner);
        SB_LIT(t, ".");
        sb_str(t, fields[i]);
        const str s = pool_take(g, t, begin);
        t->n = begin;
        var_add(g, s, g->s, bound_of(b[i].mag, LOW_NONE), V_LOCAL);
    }
}

/* v = wp.vec3(); v[0] = ...; v.y = ...: all components, or some would stay zero. */
static void form_vector(gen *g)
{
    const gtype t = gt_vec(g->s.sc, g->vec_rows);
    line_open(g);
    cover(g, THING_BUILT_VEC);
    const str name = name_new(g, NAME_LOCAL_VEC);
    put(g, name);
    W(g, " = ");
    cover_type(g, THING_BUILD, t);
    put_cast(g, t);
    W(g, ")");
    line_close(g);
    int mag = 0;
    for (uint32_t i = 0; i < t.rows; i++) {
        line_open(g);
        put(g, name);
        if (g->names.style.swizzle_names && t.rows <= 4) {
            W(g, ".");
            sb_char(g->text.out, "xyzw"[i]);
        } else {
            W(g, "[");
            sb_uint(g->text.out, i);
            W(g, "]");
        }
        cover_type(g, THING_STORE_COMPONENT, t);
        W(g, " = ");
        /* Within 2^8, which all float types have. */
        mag = max_int(mag, gen_expr(g, varying(want_of(g->s, 8)), some(g, 1, 3), PREC_TERNARY).mag);
        line_close(g);
    }
    var_add(g, name, t, bound_of(mag, LOW_NONE), V_LOCAL);
}

/* row = table[i]; for k in range(row.shape[0]): acc += row[k]. The row is a view of an array of two
 * dimensions. The sum is hidden afterwards until the result takes it: see keep_sums in
 * gen_loop.c. */
static void form_row(gen *g)
{
    WEFT_ASSERT(g->params.launch_dims >= 1);
    /* A row for each thread of the first dimension. */
    const uint8_t dims[RANK_MAX] = {0, dim_new(g, DIM_FREE, 0)};
    uint32_t mark;
    garg *a = arg_table(g, g->s, dims, 2);
    const str table = a->name;
    const gvar *index = index_of(g, 0);
    gvar *v = stmt_state(g, g->s);
    const uint32_t at = (uint32_t)(v - g->scope.vars);
    line_open(g);
    cover(g, THING_ROW_VIEW);
    const str row = name_wanted(g, below(g, 2) ? "row" : "line", NAME_SCALAR_ARRAY);
    put(g, row);
    W(g, " = ");
    put(g, table);
    W(g, "[");
    put_name(g, index);
    W(g, "]");
    line_close(g);
    line_open_as(g, LINE_LOOP);
    cover(g, THING_FOR_SIZE);
    const str k = name_new(g, NAME_LOOP);
    W(g, "for ");
    put(g, k);
    W(g, " in range(");
    put(g, row);
    W(g, ".shape[0]");
    W(g, ")");
    block_open(g, &mark);
    cover(g, THING_LOOP_1);
    line_open(g);
    put_name(g, &g->scope.vars[at]);
    W(g, " += ");
    cover_type(g, THING_ADD_ASSIGN, g->s);
    /* An element is within 2^2, the factor within 2^6: the state of a float32 has room for all
     * 2^LOG_DIM of them. */
    if (below(g, 2)) {
        gen_leaf(g, varying(want_of(g->s, 6)), PREC_PRODUCT);
        W(g, " * ");
        cover_type(g, THING_MUL, g->s);
    }
    put(g, row);
    W(g, "[");
    put(g, k);
    W(g, "]");
    line_close(g);
    block_close(g, mark);
    g->flow.max_loops = g->flow.max_loops ? g->flow.max_loops : 1;
    g->scope.vars[at].uses = 0;
    g->scope.vars[at].flags = (uint8_t)((g->scope.vars[at].flags & ~V_START) | V_HIDDEN);
}

/* code = int(x * 8.0); code ^= 5; code %= 7. Each operation keeps an int32 of 2^10 within 2^20: the
 * table has the operands that do. */
static void form_integer(gen *g)
{
    static const struct {
        const char *text;
        int8_t least, most;
    } ways[] = {{" ^= ", 1, 63}, {" &= ", 3, 63}, {" |= ", 1, 31}, {" %= ", 3, 17}, {" //= ", 2, 5},
                {" <<= ", 1, 2}, {" >>= ", 1, 2}, {" *= ", 2, 7},  {" += ", 1, 20}, {" -= ", 1, 9}};
    line_open(g);
    const str name = name_new(g, NAME_LOCAL_INT);
    put(g, name);
    W(g, " = ");
    put_cast(g, g->in);
    cover_type(g, THING_CAST, g->in);
    const bool real = gt_is_float(g->s);
    /* Floats within 2^10 have defined conversions. */
    gen_expr(g, varying(want_of(real ? g->s : g->in, 10)), 2, PREC_TERNARY);
    W(g, ")");
    line_close(g);
    for (int i = 1 + (int)below(g, 2); i > 0; i--) {
        const uint32_t k = below(g, sizeof ways / sizeof *ways);
        const int span = ways[k].most - ways[k].least + 1;
        line_open(g);
        cover(g, THING_INT_ASSIGN);
        put(g, name);
        sb_c(g->text.out, ways[k].text);
        sb_int(g->text.out, ways[k].least + (int)below(g, (uint32_t)span));
        line_close(g);
    }
    var_add(g, name, g->in, bound_of(20, LOW_NONE), V_LOCAL);
}

/* assert x < 100.0: a bound that the variable has anyway, so that no launch stops. The rows'
 * magnitudes are rounded down: 2^3 < 10. It counts as no use of the variable, since no result
 * depends on it. */
static void form_assert(gen *g)
{
    static const struct {
        const char *text;
        int8_t mag;
    } limits[] = {{"10.0", 3}, {"100.0", 6}, {"1000.0", 9}, {"10000.0", 13}};
    gvar *v = var_pick(g, varying(want_of(g->s, 13)));
    if (!v || !gt_is_float(g->s) || g->s.sc == GS_F16)
        return;
    const uint8_t uses = v->uses;
    /* The last row is above all that var_pick may return. */
    uint32_t k = 0;
    while (limits[k].mag < v->mag)
        k++;
    line_open(g);
    cover(g, THING_ASSERT);
    W(g, "assert ");
    var_put(g, v);
    sb_c(g->text.out, below(g, 2) ? " < " : " <= ");
    cover_type(g, THING_ORDER, g->s);
    put_float_literal(g, g->s, limits[k].text);
    line_close(g);
    v->uses = uses; /* no result depends on it */
}

/* The form that is the target, if the kernel's type allows it; else gen_piece.c may have it. */
void form_target(gen *g)
{
    const bool real = gt_is_float(g->s);
    switch (g->target.thing) {
    case THING_PAIR: form_pair(g); break;
    case THING_SWAP: form_sort(g); break;
    case THING_BUILT_STRUCT:
        if (!g->defs.struct_end)
            form_struct(g);
        break;
    case THING_BUILT_VEC:
        if (real)
            form_vector(g);
        break;
    case THING_ROW_VIEW: form_row(g); break;
    case THING_INT_ASSIGN: form_integer(g); break;
    case THING_ASSERT:
        stmt_let(g, g->s, 2);
        form_assert(g);
        break;
    default: piece_target(g); break;
    }
}

/* Draws a form. Those that do not fit into `space` lines or the kernel's type fall through to the
 * last branch, which may write nothing. */
bool stmt_form(gen *g, int space)
{
    WEFT_ASSERT(space > 0);
    const uint32_t k = below(g, 23);
    /* Of 23 draws: 4 pairs, 2 sorts, 2 structs, 2 vectors, 1 row, 3 integers, 1 assert, 4 pieces, 1
     * store to a part, 2 structs of arrays or overloads; the rest writes nothing. */
    if (k == 20)
        return part_store(g);
    if (k < 4)
        form_pair(g);
    else if (k < 6 && space >= 4 && g->scope.nvars + 8 < VARS_MAX)
        form_sort(g);
    else if (k < 8 && space >= 4 && !g->defs.struct_end && !g->flow.loops)
        form_struct(g);
    else if (k < 10 && space >= g->vec_rows + 2 && gt_is_float(g->s))
        form_vector(g);
    else if (k < 11 && space >= 5 && g->params.nargs + 4 < GEN_ARGS_MAX)
        form_row(g);
    else if (k < 14 && space >= 3)
        form_integer(g);
    else if (k == 14)
        form_assert(g);
    else
        return k < 19 ? stmt_piece(g, space) : k > 20 && stmt_form_of_own(g, space);
    return true;
}

/* Levels without a prelude have no functions of their own, so structs take their share. */
bool stmt_form_of_own(gen *g, int space)
{
    const bool functions = g->size.level->prelude > 0;
    return !functions || below(g, 5) ? stmt_record(g, space) : stmt_overload(g, space);
}
