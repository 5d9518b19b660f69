/* SPDX-License-Identifier: Apache-2.0 */
/* Stores to parts of local variables, for stmt_form and for targets:
 *
 *     p[1:] = p0                 a slice of a vector
 *     m[0] = wp.vec2(x, 1.0)     a row of a matrix
 *     m[:, 1] = v                a column
 *     m[0, 1] += x               an element
 *     v[-1] = ...                the last, from the end
 *
 * The whole keeps the larger of both bounds. */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* Is it a variable with its own name, not an element of something? Stores to "x[i]" would write an
 * input. */
static bool is_plain(const gvar *v)
{
    return !memchr(v->s, '[', v->n) && !memchr(v->s, '.', v->n);
}

/* A local vector or matrix of floats, from a random place on; NULL: there is none. */
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

/* The number, or nothing where people leave it out. */
static void put_number(gen *g, int value, bool shown)
{
    if (shown)
        sb_int(g->text.out, value);
}

/* "[1:3]", the bounds left out where people do; returns how long it is, two or three. */
static int put_slice(gen *g, int n)
{
    WEFT_ASSERT(n >= 2);
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
    WEFT_ASSERT(n >= 1);
    const int k = (int)below(g, (uint32_t)n);
    const bool back = k + 1 == n && below(g, 3) == 0;
    W(g, "[");
    sb_int(g->text.out, back ? -1 : k);
    W(g, "]");
    if (back)
        cover(g, THING_FROM_END);
}

/* What a part is set to, and what that makes of the whole at index `at` of the scope. Takes the
 * index, since expressions may add variables. The value counts as unused again, and holds no
 * literal any more. */
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

/* v[0:2] = u */
static void store_slice(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_SLICE, t);
    const int n = put_slice(g, t.rows);
    put_value(g, at, gt_vec(t.sc, n), below(g, 4) == 0);
}

/* m[1] = v */
static void store_row(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_ROW, t);
    put_place(g, t.rows);
    put_value(g, at, gt_vec(t.sc, t.cols), below(g, 4) == 0);
}

/* m[:, 0] = v */
static void store_column(gen *g, uint32_t at)
{
    const gtype t = g->scope.vars[at].t;
    cover_type(g, THING_STORE_COLUMN, t);
    W(g, "[:, ");
    sb_uint(g->text.out, below(g, t.cols));
    W(g, "]");
    put_value(g, at, gt_vec(t.sc, t.rows), false);
}

/* m[0, 1] = x */
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

/* What is stored to: of a vector a slice, of a matrix the target or one of three. */
static gen_thing way_of(gen *g, gtype t)
{
    WEFT_ASSERT(t.kind == GK_VEC || t.kind == GK_MAT);
    static const gen_thing ways[] = {THING_STORE_ROW, THING_STORE_COLUMN, THING_STORE_ELEMENT,
                                     THING_STORE_ELEMENT};
    if (t.kind == GK_VEC)
        return THING_STORE_SLICE;
    for (size_t i = 0; i < 3; i++)
        if (target_is(g, ways[i]))
            return ways[i];
    return ways[below(g, 4)];
}

/* One store to a part of the variable at this index. */
static void store_to(gen *g, uint32_t at)
{
    WEFT_ASSERT(at < g->scope.nvars);
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

/* Outside of loops and branches alone: there the bound of the whole would have to hold for all
 * turns. */
bool part_store(gen *g)
{
    const gvar *v = g->flow.loops || g->flow.arms > 0 ? NULL : pick(g);
    if (!v)
        return false;
    store_to(g, (uint32_t)(v - g->scope.vars));
    return true;
}

/* A new variable of this type, and a store to a part of it. */
gtype part_store_of(gen *g, gtype t)
{
    const uint32_t at = (uint32_t)(stmt_let(g, t, 2) - g->scope.vars);
    if (is_plain(&g->scope.vars[at]))
        store_to(g, at);
    return t;
}
