/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for several types, each with its calls, for stmt_form and for targets:
 *
 *     two of one name        def blend(x: float) ...     def blend(v: wp.vec3) ...
 *     generic                def mix(a: Any, b: Any):
 *                                return a + (b - a) * 0.25
 *     nested                 a helper that calls the one before it
 *
 * Which of two a call means follows from its argument, so both are called. */
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_var.h"

/* NAME = helper(...) */
static void let_call(gen *g, ghelper *h)
{
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(h->result));
    put(g, name);
    W(g, " = ");
    helper_call(g, h, (str){NULL, 0}, 3);
    line_close(g);
    var_add(g, name, h->result, h->gives, V_LOCAL);
}

/* A type that a second helper is for: vectors beside floats, floats beside integers. */
static gtype another_type(const gen *g)
{
    return gt_is_float(g->s) ? gt_vec(g->s.sc, g->vec_rows) : gt_scalar(GS_F32);
}

/* y = blend(x, 0.5), w = blend(v, 0.5) */
static void form_overloads(gen *g)
{
    const gtype other = another_type(g);
    const str name = name_helper(g);
    const uint32_t first = g->defs.nhelpers;
    /* Should only the first be written, nothing calls it, and it is left out. */
    if (g->defs.nhelpers + 2 > HELPERS_MAX || !helper_plain(g, name, g->s) ||
        !helper_plain(g, name, other))
        return;
    cover(g, THING_HELPER_OVERLOAD);
    let_call(g, &g->defs.helpers[first]);
    let_call(g, &g->defs.helpers[first + 1]);
}

/* A helper that calls the one before it. */
static void form_nested(gen *g)
{
    const uint32_t first = g->defs.nhelpers;
    const str inner = name_helper(g), outer = name_helper(g);
    if (g->defs.nhelpers + 2 > HELPERS_MAX || !helper_plain(g, inner, g->s) ||
        !helper_plain(g, outer, g->s))
        return;
    let_call(g, &g->defs.helpers[first + 1]);
}

/* --- generic ------------------------------------------------------------------------------- */

/* Bodies of generic helpers: sums of what is passed, which exist for scalars and vectors; `more`:
 * by how many powers of two they exceed it. $ is a number of the kernel's type. */
static const struct {
    const char *params, *text;
    uint8_t n, more;
    const char *number;
} bodies[] = {{"a: Any, b: Any", "a + (b - a) * $", 2, 2, "0.25"},
              {"x: Any, y: Any", "(x + y) * $", 2, 1, "0.5"},
              {"a: Any, b: Any", "a * $ + b", 2, 1, "0.5"},
              {"x: Any, y: Any", "x - y * $", 2, 1, "0.1"},
              {"left: Any, right: Any", "(right - left) * $", 2, 1, "0.5"},
              {"x: Any", "x * $ + x", 1, 1, "0.5"},
              {"u: Any, v: Any", "u * $ - v", 2, 2, "2.0"}};

/* Writes a generic helper; returns its row. It is used at once, so it always stays in the file. */
static uint32_t generic_new(gen *g)
{
    WEFT_ASSERT(g->defs.nhelpers < HELPERS_MAX);
    strbuf *out = g->text.out;
    const uint32_t kind = below(g, sizeof bodies / sizeof *bodies);
    ghelper *h = &g->defs.helpers[g->defs.nhelpers++];
    *h = (ghelper){.name = name_helper(g),
                   .begin = (uint32_t)g->text.head.n,
                   .results = 1,
                   .uses = 1,
                   .generic = true};
    /* Its body needs no scope: it is a fixed text. */
    g->text.out = &g->text.head;
    W(g, "@wp.func\ndef ");
    put(g, h->name);
    W(g, "(");
    sb_c(g->text.out, bodies[kind].params);
    W(g, "):\n    return ");
    /* The number in the text. */
    const char *mark = strchr(bodies[kind].text, '$');
    sb_put(g->text.out, bodies[kind].text, (size_t)(mark - bodies[kind].text));
    put_float_literal(g, g->s, bodies[kind].number);
    sb_c(g->text.out, mark + 1);
    W(g, "\n\n\n");
    h->end = (uint32_t)g->text.head.n;
    g->text.out = out;
    return kind;
}

/* NAME = helper(...) with arguments of type t. */
static void call_generic(gen *g, const ghelper *h, uint32_t kind, gtype t)
{
    WEFT_ASSERT(h->generic && kind < sizeof bodies / sizeof *bodies);
    int mag = 0;
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(t));
    put(g, name);
    W(g, " = ");
    put(g, h->name);
    W(g, "(");
    for (int i = 0; i < bodies[kind].n; i++) {
        if (i)
            W(g, ", ");
        const want w = varying(want_of(t, 6));
        mag = max_int(mag, gen_expr(g, w, some(g, 1, 2), PREC_TERNARY).mag);
    }
    W(g, ")");
    line_close(g);
    /* All bodies multiply, for each type that they are called with. */
    cover_type(g, THING_MUL, t);
    var_add(g, name, t, bound_of(mag + bodies[kind].more, LOW_NONE), V_LOCAL);
}

/* A generic helper, called with one type or with two. */
static void form_generic(gen *g)
{
    const uint32_t at = g->defs.nhelpers, kind = generic_new(g);
    cover(g, THING_HELPER_GENERIC);
    call_generic(g, &g->defs.helpers[at], kind, g->s);
    if (room(g) > 1 && below(g, 2))
        call_generic(g, &g->defs.helpers[at], kind, another_type(g));
}

/* --- which --------------------------------------------------------------------------------- */

bool is_overload_thing(int thing)
{
    return thing == THING_HELPER_OVERLOAD || thing == THING_HELPER_GENERIC ||
           thing == THING_HELPER_CALLS || thing == THING_HELPER_THREE;
}

/* Writes what is the target. False: it is none of these, or there is no room. */
bool overload_target(gen *g)
{
    if (!can_add_helper(g))
        return false;
    if (target_is(g, THING_HELPER_OVERLOAD))
        form_overloads(g);
    else if (target_is(g, THING_HELPER_CALLS))
        form_nested(g);
    else if (target_is(g, THING_HELPER_THREE))
        stmt_unpack(g); /* kernel_prelude wrote it */
    else if (target_is(g, THING_HELPER_GENERIC) && gt_is_float(g->s))
        form_generic(g);
    else
        return false;
    return true;
}

/* The draw comes first, as in stmt_record. Generic bodies multiply by floats, so integer kernels
 * have none. */
bool stmt_overload(gen *g, int space)
{
    const uint32_t k = below(g, 4);
    if (space < 2 || !can_add_helper(g))
        return false;
    if (k == 0 && gt_is_float(g->s))
        form_generic(g);
    else if (k == 1)
        form_nested(g);
    else
        form_overloads(g);
    return true;
}
