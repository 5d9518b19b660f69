/* SPDX-License-Identifier: Apache-2.0 */
/* Statements on a piece of a value, for stmt_form and for targets; and lines that only print.
 *
 *     p0 = p[:2]                                      a slice of a vector
 *     axis = m[:, 1]                                  a column of a matrix
 *     pose = wp.transform(p, q)                       a transform,
 *     wp.transform_set_translation(pose, samples[i])  one of whose parts is set
 *     if i == 0:
 *         print(x)
 *
 * Each needs a value of its kind in scope, and returns false where there is none. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* A value of this kind and the kernel's scalar type, with so many rows, from a random place on;
 * NULL: there is none. */
static gvar *pick(gen *g, gen_kind kind, int least)
{
    WEFT_ASSERT(g->scope.base <= g->scope.nvars);
    const uint32_t n = g->scope.nvars - g->scope.base, at = n ? below(g, n) : 0;
    for (uint32_t k = 0; k < n; k++) {
        gvar *v = &g->scope.vars[g->scope.base + (at + k) % n];
        if (v->t.kind == kind && v->t.rows >= least && v->t.sc == g->s.sc && !(v->flags & V_HIDDEN))
            return v;
    }
    return NULL;
}

/* The number, or nothing where it is the default: v[:2], v[1:]. */
static void put_number(gen *g, int value, int unless)
{
    if (value != unless)
        sb_uint(g->text.out, (uint64_t)value);
}

/* xy = v[:2], v[1:], v[::2]. A slice has at least two components, and less than the whole. */
static bool slice(gen *g)
{
    gvar *v = pick(g, GK_VEC, 3);
    if (!v)
        return false;
    /* A step only where at least two components are left. */
    const int n = v->t.rows, step = n > 3 && below(g, 4) == 0 ? 2 : 1;
    const int first = step == 2 ? 0 : (int)below(g, (uint32_t)n - 1);
    const int last = first && below(g, 2) ? n : min_int(first + 2 + (int)below(g, 2), n);
    /* From the start it must end before the vector does, or it would be the whole. */
    const int end = step == 2 ? n : first ? last : min_int(last, n - 1);
    const gtype t = gt_vec(v->t.sc, (end - first + step - 1) / step);
    const bound b = bound_of(v->mag, LOW_NONE);
    line_open_as(g, LINE_LET);
    cover(g, THING_SLICE);
    const str name = name_new(g, NAME_LOCAL_VEC);
    put(g, name);
    W(g, " = ");
    var_put(g, v);
    W(g, "[");
    put_number(g, first, 0);
    W(g, ":");
    put_number(g, end, n);
    if (step == 2)
        W(g, ":2");
    W(g, "]");
    line_close(g);
    var_add(g, name, t, b, V_LOCAL);
    return true;
}

/* axis = m[:, 1] */
static bool column(gen *g)
{
    gvar *m = pick(g, GK_MAT, 2);
    /* Longer vectors have no name in Warp. */
    if (!m || m->t.rows > 4)
        return false;
    const gtype t = gt_vec(m->t.sc, m->t.rows);
    const bound b = bound_of(m->mag, LOW_NONE);
    line_open_as(g, LINE_LET);
    cover(g, THING_COLUMN);
    const str name = name_new(g, NAME_LOCAL_VEC);
    put(g, name);
    W(g, " = ");
    var_put(g, m);
    W(g, "[:, ");
    sb_uint(g->text.out, below(g, m->t.cols));
    W(g, "]");
    line_close(g);
    var_add(g, name, t, b, V_LOCAL);
    return true;
}

/* A transform whose point or rotation is set. Only where transforms are at home: in kernels of
 * vectors and matrices, or beside one in scope. The rotation that is set is normalized. */
static bool transform_parts(gen *g)
{
    const gtype t = gt_xform(g->s.sc);
    const bool turns = target_is(g, (gen_thing)FN_transform_set_rotation);
    const bool targeted = turns || target_is(g, (gen_thing)FN_transform_set_translation);
    const bool fits =
        targeted || g->category == GEN_VECTOR || g->category == GEN_MATRIX || var_any(g, t);
    if (!fits || (g->s.sc != GS_F32 && g->s.sc != GS_F64))
        return false;
    const str name = name_new(g, NAME_LOCAL_XFORM);
    line_open_as(g, LINE_LET);
    put(g, name);
    W(g, " = ");
    cover_type(g, THING_LET, t);
    put_rigid(g, g->s.sc);
    line_close(g);
    line_open(g);
    /* Drawn in any case: the target decides between the two, and nothing else changes. */
    const bool drawn = below(g, 2) != 0, point = targeted ? !turns : drawn;
    put_prefix(g, point ? FN_transform_set_translation : FN_transform_set_rotation);
    put(g, name);
    W(g, ", ");
    if (point) {
        gen_vec(g, varying(want_of(gt_vec(t.sc, 3), MAG_INPUT)), 2, PREC_TERNARY);
    } else {
        put_fn(g, FN_normalize, gt_quat(t.sc));
        gen_leaf(g, varying(want_of(gt_quat(t.sc), 4)), PREC_TERNARY);
        W(g, ")");
    }
    W(g, ")");
    line_close(g);
    var_add(g, name, t, bound_of(MAG_INPUT, LOW_NONE), V_LOCAL);
    return true;
}

/* if i == 0: print(x). By one thread, as people do; by print, or by printf with a format for the
 * type. It counts as no use of the variable. */
static bool printing(gen *g)
{
    const gvar *index = index_of(g, 0);
    /* Small enough for printf's formats. */
    gvar *v = var_pick(g, varying(want_of(g->s, 30)));
    uint32_t mark;
    /* Not deep inside of blocks; formats are for float and int. */
    if (!index || !v || g->text.indent > 2 || (g->s.sc != GS_F32 && g->s.sc != GS_I32))
        return false;
    const uint8_t uses = v->uses;
    line_open(g);
    cover(g, THING_IF);
    W(g, "if ");
    sb_put(g->text.out, index->s, index->n);
    W(g, " == 0");
    cover_type(g, THING_EQUAL, g->in);
    block_open(g, &mark);
    g->flow.branches++;
    line_open(g);
    const bool plain = below(g, 2) != 0, formatted = target_is(g, (gen_thing)FN_printf);
    /* A target decides between print and printf. */
    if (formatted ? false : plain || target_is(g, (gen_thing)FN_print)) {
        W(g, "print(");
        mark_used(g, FN_print);
    } else {
        put_prefix(g, FN_printf);
        sb_c(g->text.out, gt_is_float(g->s) ? "\"%f\\n\", " : "\"%d\\n\", ");
    }
    var_put(g, v);
    W(g, ")");
    line_close(g);
    block_close(g, mark);
    v->uses = uses; /* no result depends on it */
    return true;
}

/* The piece that is the target, of a value made for it. */
void piece_target(gen *g)
{
    const int n = max_int(g->vec_rows, 3);
    switch (g->target.thing) {
    case FN_print:
    case FN_printf:
        stmt_let(g, g->s, 3);
        printing(g);
        break;
    case FN_transform_set_rotation:
    case FN_transform_set_translation: transform_parts(g); break;
    case THING_SLICE:
        /* A vector to take the slice of; integer kernels may have none. */
        if (gt_is_float(g->s))
            stmt_let(g, gt_vec(g->s.sc, n), 2);
        slice(g);
        break;
    case THING_COLUMN:
        if (gt_is_float(g->s))
            stmt_let(g, gt_mat(g->s.sc, 3, 3), 2);
        column(g);
        break;
    default: break;
    }
}

/* Draws a piece. False: there is no room or no such value, and nothing is written. */
bool stmt_piece(gen *g, int space)
{
    WEFT_ASSERT(space >= 0);
    switch (below(g, 8)) {
    case 0: return space >= 2 && printing(g);
    case 1:
    case 2: return space >= 2 && transform_parts(g);
    case 3:
    case 4: return column(g);
    default: return slice(g);
    }
}
