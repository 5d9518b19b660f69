/* Stores to parts of values: slices of vectors, rows, columns and elements of matrices, components
 * of an output's elements. What is stored to is a local variable or the thread's own element. */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* A variable of its own name, not an element of something. */
static bool is_plain(const gvar *v)
{
    return !memchr(v->s, '[', v->n) && !memchr(v->s, '.', v->n);
}

static gvar *pick(gen *g)
{
    const uint32_t n = g->scope.nvars - g->scope.base, at = n ? below(g, n) : 0;
    for (uint32_t k = 0; k < n; k++) {
        gvar *v = &g->scope.vars[g->scope.base + (at + k) % n];
        const bool sized = v->t.kind == GK_VEC || v->t.kind == GK_MAT;
        if (sized && gt_is_float(v->t) && (v->flags & V_LOCAL) && !(v->flags & V_HIDDEN) &&
            is_plain(v))
            return v;
    }
    return NULL;
}

static void put_number(gen *g, int value, bool shown)
{
    if (shown)
        sb_int(g->text.out, value);
}

/* "[1:3]", the bounds left out where people do: gives how long it is. */
static int put_slice(gen *g, int n)
{
    const int first = n > 2 ? (int)below(g, (uint32_t)n - 1) : 0;
    const int last = min_int(first + 2 + (int)below(g, 2), n);
    W(g, "[");
    put_number(g, first, first > 0 || below(g, 2));
    W(g, ":");
    put_number(g, last, last < n || below(g, 3) == 0);
    W(g, "]");
    return last - first;
}

/* "[1]", and seldom "[-1]" for the last. */
static void put_place(gen *g, int n)
{
    const int k = (int)below(g, (uint32_t)n);
    const bool back = k + 1 == n && below(g, 3) == 0;
    W(g, "[");
    sb_int(g->text.out, back ? -1 : k);
    W(g, "]");
    if (back)
        cover(g, THING_FROM_END);
}

/* What a part is set to: of an earlier line's type, if there is such a value. */
static void put_value(gen *g, uint32_t at, gtype t, bool adds)
{
    const int mag = max_int(g->scope.vars[at].mag, MAG_INPUT);
    const want w = varying(want_of(t, min_int(mag, mag_limit(t) - 2)));
    sb_c(g->text.out, adds ? " += " : " = ");
    const bound b = gen_expr(g, w, some(g, 1, 3), PREC_TERNARY);
    gvar *v = &g->scope.vars[at];
    const int sum = max_int(v->mag, b.mag) + 1;
    v->mag = (int8_t)(adds ? sum : max_int(v->mag, b.mag));
    v->low = LOW_NONE;
    v->uses = 0; /* what was changed had better show */
    v->flags &= (uint8_t)~V_START;
}

static void store_slice(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_SLICE, t);
    const int n = put_slice(g, t.rows);
    put_value(g, at, gt_vec(t.sc, n), below(g, 4) == 0);
}

static void store_row(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_ROW, t);
    put_place(g, t.rows);
    put_value(g, at, gt_vec(t.sc, t.cols), below(g, 4) == 0);
}

static void store_column(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_COLUMN, t);
    W(g, "[:, ");
    sb_uint(g->text.out, below(g, t.cols));
    W(g, "]");
    put_value(g, at, gt_vec(t.sc, t.rows), false);
}

static void store_element(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    const uint32_t row = below(g, t.rows);
    cover_type(g, THING_STORE_ELEMENT, t);
    W(g, "[");
    sb_uint(g->text.out, row);
    W(g, ", ");
    sb_uint(g->text.out, below(g, t.cols));
    W(g, "]");
    put_value(g, at, scalar_of(t), below(g, 3) == 0);
}

static gen_thing way_of(gen *g, gtype t)
{
    static const gen_thing ways[] = {THING_STORE_ROW, THING_STORE_COLUMN, THING_STORE_ELEMENT,
                                     THING_STORE_ELEMENT};
    if (t.kind == GK_VEC)
        return THING_STORE_SLICE;
    for (size_t i = 0; i < 3; i++)
        if (target_is(g, ways[i]))
            return ways[i];
    return ways[below(g, 4)];
}

static void store_to(gen *g, uint32_t at)
{
    const gen_thing way = way_of(g, g->scope.vars[at].t);
    line_open_as(g, LINE_UPDATE);
    sb_put(g->text.out, g->scope.vars[at].s, g->scope.vars[at].n);
    if (way == THING_STORE_ROW)
        store_row(g, at);
    else if (way == THING_STORE_COLUMN)
        store_column(g, at);
    else if (way == THING_STORE_ELEMENT)
        store_element(g, at);
    else
        store_slice(g, at);
    line_close(g);
}

bool part_store(gen *g)
{
    const gvar *v = g->flow.loops || g->flow.arms > 0 ? NULL : pick(g);
    if (!v)
        return false;
    store_to(g, (uint32_t)(v - g->scope.vars));
    return true;
}

gtype part_store_of(gen *g, gtype t)
{
    const uint32_t at = (uint32_t)(stmt_let(g, t, 2) - g->scope.vars);
    if (is_plain(&g->scope.vars[at]))
        store_to(g, at);
    return t;
}
