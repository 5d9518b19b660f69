/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra on tiles: factors of symmetric matrices, solves with triangular ones, and Fourier
 * transforms of rows.
 *
 *     l = wp.tile_cholesky(a)                     itile_op_cholesky
 *     x = wp.tile_cholesky_solve(l, y)            itile_op_cholesky_solve
 *     wp.tile_upper_solve_inplace(u, x)           itile_op_upper_solve_inplace
 *     wp.tile_fft(t)                              itile_op_fft
 *
 * An upper matrix is a lower one transposed (arith_tile.h). */
#include "interp/interp_tile.h"

/* fill_mode is "lower" or "upper", which the front end has checked. */
static bool is_upper(interp *in, const inode *n, uint32_t position)
{
    const iv *v = meet_named(in, 0, "fill_mode", position);
    if (!v || (!v->type && !v->object))
        return false;
    if (!v->object || v->object->kind != VALUE_STR)
        interp_refuse(in, n->at, "this fill_mode");
    return strcmp(v->object->s->s, "upper") == 0;
}

static tile_matrix matrix_of(interp *in, const inode *n, const itile *t, uint8_t *at)
{
    const type_kind k = t->type->elem->kind;
    if (t->ndim > 2 || (k != TYPE_FLOAT32 && k != TYPE_FLOAT64))
        interp_refuse(in, n->at, "linear algebra with these tiles");
    return (tile_matrix){k, at, t->stride[0], t->ndim == 2 ? t->stride[1] : 0};
}

static tile_dual dual_of(interp *in, const inode *n, const itile *t, bool upper)
{
    tile_dual d = {matrix_of(in, n, t, t->data), matrix_of(in, n, t, in->dual ? t->tangent : NULL)};
    if (upper)
        d = (tile_dual){tile_transposed(d.value), tile_transposed(d.tangent)};
    return d;
}

/* Rows of a square matrix; no lanes may be missing. */
static uint32_t begin(interp *in, const inode *n, const itile *a, int64_t columns)
{
    if (in->group->shape.lanes < in->group->shape.width)
        interp_refuse(in, n->at, "linear algebra in a block that is not full");
    if (a->ndim != 2 || a->shape[0] != a->shape[1])
        interp_fail(in, n->at, "linear algebra with a matrix that is not square");
    interp_spend(in, n->at, (uint64_t)(a->shape[0] * a->shape[0] * columns));
    return (uint32_t)a->shape[0];
}

static void factorize(interp *in, inode *n, bool inplace)
{
    itile *a = meet_tile(in, n, 0, "A", 0);
    const uint32_t rows = begin(in, n, a, a->shape[0]);
    itile *l = inplace ? a : itile_make_resolved(in, n);
    const bool upper = is_upper(in, n, 1);
    const tile_dual from = dual_of(in, n, a, upper), to = dual_of(in, n, l, upper);
    tile_factorize(&from, &to, rows);
    if (inplace)
        meet_give_nothing(in);
    else
        meet_give_tile(in, l);
}

void itile_op_cholesky(interp *in, inode *n)
{
    factorize(in, n, false);
}

void itile_op_cholesky_inplace(interp *in, inode *n)
{
    factorize(in, n, true);
}

static void copy_items(interp *in, const itile *to, const itile *from)
{
    const size_t size = layout_size(to->type->elem);
    for (uint32_t e = 0; e < itile_elements(to); e++) {
        const iv a = itile_item(in, to, e), b = itile_item(in, from, e);
        memmove(a.p, b.p, size);
        if (a.t && b.t)
            memmove(a.t, b.t, size);
    }
}

/* A solve by its parameters' names: with the lower matrix, its transposed one, or both. */
typedef struct solver {
    const char *matrix, *side;
    bool forward, back, inplace;
} solver;

static void solve(interp *in, inode *n, const solver *s)
{
    const itile *a = meet_tile(in, n, 0, s->matrix, 0);
    itile *y = meet_tile(in, n, 0, s->side, 1);
    const uint32_t columns = y->ndim == 2 ? (uint32_t)y->shape[1] : 1;
    const uint32_t rows = begin(in, n, a, columns);
    itile *x = s->inplace ? y : itile_make_resolved(in, n);
    const bool both = s->forward && s->back, upper = both ? is_upper(in, n, 2) : s->back;
    const tile_dual l = dual_of(in, n, a, upper), to = dual_of(in, n, x, false);
    if (y->ndim < 1 || y->shape[0] != a->shape[0] || l.value.kind != to.value.kind)
        interp_fail(in, n->at, "a system of tiles whose shapes do not fit");
    if (x != y)
        copy_items(in, x, y);
    if (s->forward)
        tile_substitute(&l, &to, rows, columns, false);
    if (s->back)
        tile_substitute(&l, &to, rows, columns, true);
    if (s->inplace)
        meet_give_nothing(in);
    else
        meet_give_tile(in, x);
}

void itile_op_cholesky_solve(interp *in, inode *n)
{
    solve(in, n, &(solver){"L", "y", true, true, false});
}

void itile_op_cholesky_solve_inplace(interp *in, inode *n)
{
    solve(in, n, &(solver){"L", "y", true, true, true});
}

void itile_op_lower_solve(interp *in, inode *n)
{
    solve(in, n, &(solver){"L", "y", true, false, false});
}

void itile_op_lower_solve_inplace(interp *in, inode *n)
{
    solve(in, n, &(solver){"L", "y", true, false, true});
}

void itile_op_upper_solve(interp *in, inode *n)
{
    solve(in, n, &(solver){"U", "z", false, true, false});
}

void itile_op_upper_solve_inplace(interp *in, inode *n)
{
    solve(in, n, &(solver){"U", "z", false, true, true});
}

/* Rows of vec2; a tangent is transformed as its value is. */
static void fourier(interp *in, inode *n, bool inverse)
{
    itile *t = meet_tile(in, n, 0, "inout", 0);
    const type *elem = t->type->elem;
    const uint32_t length = (uint32_t)t->shape[t->ndim - 1], count = itile_elements(t);
    const size_t size = layout_size(elem);
    const arena_mark mark = arena_save(&in->thread);
    if (in->group->shape.lanes < in->group->shape.width)
        interp_refuse(in, n->at, "a Fourier transform in a block that is not full");
    uint8_t *row = arena_zero(&in->thread, 3 * length * size);
    const tile_row numbers = {elem->elem->kind, row, length};
    const tile_row slopes = {elem->elem->kind, row + length * size, length};
    const bool alone = in->group->shape.width == 1;
    interp_spend(in, n->at, count / length * tile_fourier_steps(length));
    for (uint32_t first = 0; first < count; first += length) {
        for (uint32_t e = 0; e < length; e++) {
            const iv x = itile_item(in, t, first + e);
            memcpy(numbers.at + e * size, x.p, size);
            if (x.t)
                memcpy(slopes.at + e * size, x.t, size);
        }
        tile_fourier(&numbers, inverse, alone, row + 2 * length * size);
        if (in->dual)
            tile_fourier(&slopes, inverse, alone, row + 2 * length * size);
        for (uint32_t e = 0; e < length; e++) {
            const iv x = itile_item(in, t, first + e);
            memcpy(x.p, numbers.at + e * size, size);
            if (x.t)
                memcpy(x.t, slopes.at + e * size, size);
        }
    }
    arena_rewind(&in->thread, mark);
    meet_give_nothing(in);
}

void itile_op_fft(interp *in, inode *n)
{
    fourier(in, n, false);
}

void itile_op_ifft(interp *in, inode *n)
{
    fourier(in, n, true);
}
