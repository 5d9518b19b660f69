/* SPDX-License-Identifier: Apache-2.0 */
/* Tile operations on triangular matrices: factors, solves, and their adjoints. The zeros in front
 * stand for functions of MathDx.
 *
 *     var_5 = wp::tile_cholesky<false>(0, 0, 0, var_2, var_5);        read_factor
 *     var_7 = tile_lower_solve(0, 0, var_5, var_6, var_7);            read_solve
 *     tile_upper_solve_inplace(0, var_5, var_7);                      the same */
#include <string.h>

#include "base/assert.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* tile_info.param: what is done, and above SHIFT the place of the matrix among the arguments. */
enum { UPPER = 1, FORWARD = 2, BACK = 4, INPLACE = 8, SHIFT = 4 };

/* ---- readers ---- */

/* Argument a: a shared tile of float32 or float64 with that many rows, or with any for 0. */
static const type *floats_arg(reader *r, const call *k, uint32_t a, const type *like)
{
    const type *t = tile_arg_type(r, k, a);
    if (!t->shared || t->ndim > 2 ||
        (t->elem->kind != TYPE_FLOAT32 && t->elem->kind != TYPE_FLOAT64))
        tile_wrong(r, k);
    if (like && (t->elem != like->elem || t->dims[0] != like->dims[0]))
        tile_wrong(r, k);
    return t;
}

static const type *square_arg(reader *r, const call *k, uint32_t a, const type *like)
{
    const type *t = floats_arg(r, k, a, like);
    if (t->ndim != 2 || t->dims[0] != t->dims[1])
        tile_wrong(r, k);
    return t;
}

/* The first n arguments are constants of type int. */
static void zeros(reader *r, const call *k, uint32_t first, uint32_t n)
{
    for (uint32_t a = first; a < first + n; a++)
        if (a >= k->n || !int_operand(&k->args[a]))
            tile_wrong(r, k);
}

/* What the row of the table says: "2 forward inplace". */
static int32_t flags_of(reader *r, const call *k, const tile_call *t, const char *op, bool filled)
{
    const int zeros_ahead = op[0] - '0';
    int32_t flags = zeros_ahead << SHIFT;
    WEFT_ASSERT(zeros_ahead >= 1 && zeros_ahead <= 3);
    flags |= strstr(op, "inplace") ? INPLACE : 0;
    flags |= strstr(op, "forward") || strstr(op, "both") ? FORWARD : 0;
    flags |= strstr(op, "back") || strstr(op, "both") ? BACK : 0;
    if (t->ntargs != filled || (filled && t->targs[0].t))
        tile_wrong(r, k);
    return flags | (filled && t->tnums[0] ? UPPER : 0);
}

/* A result is also the last argument, where the operation writes it. */
static void emit_linear(reader *r, call *k, tile_fn *run, int32_t flags)
{
    if ((k->result != NULL) == !!(flags & INPLACE) ||
        (k->result && k->result != k->args[k->n - 1].v))
        tile_wrong(r, k);
    if (k->result)
        var_define(r, k->result);
    k->result = NULL;
    tile_changes(&k->args[k->n - 1]);
    tile_skip(k, (uint32_t)flags >> SHIFT);
    tile_emit(r, k, run)->param = flags;
}

static tile_fn run_factor, run_solve, run_adj_factor, run_adj_solve;

void read_factor(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const int32_t flags = flags_of(r, k, t, op, true);
    const uint32_t at = (uint32_t)flags >> SHIFT;
    zeros(r, k, 0, at);
    if (k->n != at + (flags & INPLACE ? 1 : 2))
        tile_wrong(r, k);
    square_arg(r, k, k->n - 1, square_arg(r, k, at, NULL));
    emit_linear(r, k, run_factor, flags);
}

void read_solve(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    const int32_t flags = flags_of(r, k, t, op, strstr(op, "both") != NULL);
    const uint32_t at = (uint32_t)flags >> SHIFT;
    zeros(r, k, 0, at);
    if (k->n != at + (flags & INPLACE ? 2 : 3))
        tile_wrong(r, k);
    const type *y = floats_arg(r, k, at + 1, square_arg(r, k, at, NULL));
    const type *x = floats_arg(r, k, k->n - 1, y);
    if (x->ndim != y->ndim || (x->ndim == 2 && x->dims[1] != y->dims[1]))
        tile_wrong(r, k);
    emit_linear(r, k, run_solve, flags);
}

/* Half of the arguments, their adjoints, and the result's adjoint, which is the last of these. */
static uint32_t adjoint_args(reader *r, call *k, uint32_t ahead, uint32_t tiles)
{
    const uint32_t half = ahead + tiles;
    if (k->n != 2 * half + 1 || k->result || k->args[2 * half].v != k->args[2 * half - 1].v)
        tile_wrong(r, k);
    zeros(r, k, 0, ahead);
    zeros(r, k, half, ahead);
    for (uint32_t a = ahead; a < half; a++) {
        if (!vt_same(k->args[a].type, k->args[half + a].type))
            type_fail(r, k->args[a].type, k->args[half + a].type);
        tile_changes(&k->args[half + a]);
    }
    for (uint32_t a = 0; a < half; a++)
        var_pair(r, k->args[a].v, k->args[half + a].v);
    return half;
}

/* 3 zeros, a, l, and their adjoints */
void read_adj_factor(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (t->ntargs != 1 || t->targs[0].t)
        tile_wrong(r, k);
    adjoint_args(r, k, 3, 2);
    square_arg(r, k, 4, square_arg(r, k, 3, NULL));
    tile_emit(r, k, run_adj_factor)->param = t->tnums[0] ? UPPER : 0;
}

/* 2 zeros, l, y, x, and their adjoints */
void read_adj_solve(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (t->ntargs)
        tile_wrong(r, k);
    adjoint_args(r, k, 2, 3);
    floats_arg(r, k, 3, square_arg(r, k, 2, NULL));
    if (!vt_same(k->args[3].type, k->args[4].type))
        type_fail(r, k->args[3].type, k->args[4].type);
    tile_emit(r, k, run_adj_solve);
}

/* ---- execution ---- */

/* A vector has one column. */
static tile_matrix matrix(const ins *i, const tile_info *info, uint32_t a, bool grad)
{
    const type *t = info->args[a].type;
    const vm_tile *tile = tile_at(i, a);
    return (tile_matrix){t->elem->kind, grad ? tile->grad : tile->data, t->dims[t->ndim],
                         t->ndim == 2 ? t->dims[3] : 0};
}

static uint32_t rows_of(const tile_info *info, uint32_t a)
{
    return (uint32_t)info->args[a].type->dims[0];
}

static uint32_t columns_of(const tile_info *info, uint32_t a)
{
    const type *t = info->args[a].type;
    return t->ndim == 2 ? (uint32_t)t->dims[1] : 1;
}

/* The steps; no lanes may be missing. */
static bool may_solve(machine *m, const ins *i, uint32_t n, uint32_t columns)
{
    if (block_shape(m)->lanes < block_shape(m)->width) {
        vm_fault(m, i, TEXTVM_MISSING, "cannot execute linear algebra in a block that is not full");
        return false;
    }
    return spend(m, i, n * n * columns + 1);
}

/* An upper matrix is a lower one whose indices change places. */
static tile_matrix turned(tile_matrix m, bool upper)
{
    return upper ? tile_transposed(m) : m;
}

/* Without tangents. */
static tile_dual plain(tile_matrix m, bool upper)
{
    return (tile_dual){turned(m, upper), {0}};
}

static bool run_factor(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t at = (uint32_t)info->param >> SHIFT, out = info->n - 1, n = rows_of(info, at);
    const bool upper = info->param & UPPER;
    const tile_dual a = plain(matrix(i, info, at, false), upper),
                    l = plain(matrix(i, info, out, false), upper);
    if (!may_solve(m, i, n, n))
        return false;
    tile_factorize(&a, &l, n);
    return true;
}

/* The solution takes the right side's place, and has its values first. */
static bool run_solve(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t at = (uint32_t)info->param >> SHIFT, out = info->n - 1;
    const uint32_t n = rows_of(info, at), columns = columns_of(info, out);
    const bool both = (info->param & FORWARD) && (info->param & BACK);
    const bool upper = both ? info->param & UPPER : info->param & BACK;
    const tile_dual l = plain(matrix(i, info, at, false), upper),
                    x = plain(matrix(i, info, out, false), false);
    if (!may_solve(m, i, n, columns))
        return false;
    for (uint32_t e = 0; out != at + 1 && e < n * columns; e++)
        memmove(item(i, info, out, e), item(i, info, at + 1, e),
                vm_type_size(info->args[out].type->elem));
    if (info->param & FORWARD)
        tile_substitute(&l, &x, n, columns, false);
    if (info->param & BACK)
        tile_substitute(&l, &x, n, columns, true);
    return true;
}

static bool run_adj_factor(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = rows_of(info, 3);
    const bool upper = info->param & UPPER;
    const tile_matrix l = turned(matrix(i, info, 4, false), upper),
                      dl = turned(matrix(i, info, 9, true), upper),
                      da = turned(matrix(i, info, 8, true), upper);
    if (!may_solve(m, i, n, 4 * n))
        return false;
    if (!dl.at || !da.at)
        return fault(m, i, "a factor of tiles without gradients");
    const arena_mark mark = arena_save(m->views);
    tile_adj_factorize(&l, &dl, &da, n, upper, scratch(m, (size_t)2 * n * n, 8));
    arena_rewind(m->views, mark);
    return true;
}

static bool run_adj_solve(machine *m, const ins *i, const tile_info *info)
{
    const uint32_t n = rows_of(info, 2), columns = columns_of(info, 4);
    const tile_solution s = {matrix(i, info, 2, false), matrix(i, info, 4, false),
                             matrix(i, info, 7, true), matrix(i, info, 9, true),
                             matrix(i, info, 8, true)};
    if (!may_solve(m, i, n, 2 * columns + n))
        return false;
    if (!s.dl.at || !s.dx.at || !s.dy.at)
        return fault(m, i, "a solution of tiles without gradients");
    const arena_mark mark = arena_save(m->views);
    tile_adj_substitute(&s, n, columns, scratch(m, (size_t)n * columns, 8));
    arena_rewind(m->views, mark);
    return true;
}
