/* SPDX-License-Identifier: Apache-2.0 */
/* Reads calls of tile builtins that load and store, make tiles of numbers, and take elements and
 * views of them (vm_tile_calls.c has the table).
 *
 *     var_3 = wp::tile_load<wp::float32, true, false, 64>(var_x, var_4);     read_load
 *     var_30 = wp::tile_transpose(var_29);                                   read_view */
#include "base/assert.h"
#include "textvm/vm_tile_read.h"

/* ---- memory ---- */

/* (array, indices, axis, offsets ...): an indexed access. */
static bool is_indexed(const call *k)
{
    static const char end[] = "_indexed";
    const str s = k->id->s;
    return s.n > sizeof end && memcmp(s.p + s.n - sizeof end + 1, end, sizeof end - 1) == 0;
}

/* <T, bounds check, aligned, shape ...>(array, offsets ..., ...): the array's element is T. Returns
 * how many offsets there are from argument 1 on. */
static uint32_t array_args(reader *r, call *k, const type *tile)
{
    const type *elem = array_elem(r, k->n ? k->args[0].type : (vt){0});
    if (elem != tile->elem)
        type_fail(r, (vt){tile->elem, false}, (vt){elem, false});
    const bool indexed = is_indexed(k);
    const uint32_t n = (uint32_t)tile->ndim + (indexed ? 2 : 0);
    if (k->n < 1 + n || tile->ndim > 4)
        tile_wrong(r, k);
    if (indexed &&
        (tile_arg_type(r, k, 1)->elem->kind != TYPE_INT32 || tile_arg_type(r, k, 1)->ndim != 1))
        tile_wrong(r, k);
    for (uint32_t a = indexed ? 2 : 1; a <= n; a++)
        if (!int_operand(&k->args[a]))
            tile_wrong(r, k);
    return n;
}

static void check_element(reader *r, const call *k, const tile_call *t, const type *tile)
{
    if (!t->ntargs || t->targs[0].t != tile->elem || t->targs[0].ptr)
        tile_wrong(r, k);
}

void tile_check_dims(reader *r, const call *k, const tile_call *t, uint32_t from, const type *tile)
{
    if (t->ntargs != from + (uint32_t)tile->ndim)
        tile_wrong(r, k);
    for (int d = 0; d < tile->ndim; d++)
        if (t->targs[from + (uint32_t)d].t || t->tnums[from + (uint32_t)d] != tile->dims[d])
            tile_wrong(r, k);
}

void read_load(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *out = tile_result(r, k);
    const bool indexed = is_indexed(k);
    if (!indexed)
        check_element(r, k, t, out);
    tile_check_dims(r, k, t, indexed ? 0 : 3, out);
    if (k->n != 1 + array_args(r, k, out))
        tile_wrong(r, k);
    tile_info *info = tile_emit(r, k, run);
    info->param = indexed || t->tnums[1];
    info->indexed = indexed;
}

/* store(array, offsets, tile) and the atomic addition, which gives the old elements */
void read_store(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const type *tile = tile_arg_type(r, k, k->n - 1);
    const bool indexed = is_indexed(k);
    if (!indexed)
        check_element(r, k, t, tile);
    if (t->ntargs < (indexed ? 0u : 2u) || k->n != 2 + array_args(r, k, tile) ||
        (k->result != NULL) != (*op == 'r'))
        tile_wrong(r, k);
    if (k->result && tile_result(r, k)->elem != tile->elem)
        tile_wrong(r, k);
    const accum *sum = *op == 'r' ? accum_of(r, tile->elem, false) : NULL;
    tile_info *info = tile_emit(r, k, run);
    info->param = indexed || t->tnums[1];
    info->indexed = indexed;
    info->accum = sum;
}

/* adj_load(array, offsets, adj_array, adj_offsets, adj_tile) */
void read_adj_load(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)op;
    const type *tile = tile_arg_type(r, k, k->n - 1);
    const uint32_t n = array_args(r, k, tile);
    if (k->n != 2 * (1 + n) + 1 || k->result)
        tile_wrong(r, k);
    for (uint32_t a = 0; a <= n; a++)
        var_pair(r, k->args[a].v, k->args[1 + n + a].v);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_info *info = tile_emit(r, k, run);
    info->accum = sum;
    info->indexed = is_indexed(k);
}

/* adj_store(array, offsets, tile, adj_array, adj_offsets, adj_tile[, adj_result]) */
void read_adj_store(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    const bool atomic = *op == 'r';
    if (k->n < 4)
        tile_wrong(r, k);
    const uint32_t half = (k->n - atomic) / 2;
    const type *tile = tile_arg_type(r, k, half - 1);
    const uint32_t n = array_args(r, k, tile);
    if (half != 2 + n || k->n != 2 * half + atomic || k->result ||
        tile_arg_type(r, k, 2 * half - 1) != tile)
        tile_wrong(r, k);
    for (uint32_t a = 0; a < half; a++)
        var_pair(r, k->args[a].v, k->args[half + a].v);
    tile_changes(&k->args[2 * half - 1]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_info *info = tile_emit(r, k, run);
    info->accum = sum;
    info->param = atomic;
    info->indexed = is_indexed(k);
}

/* ---- made of numbers ---- */

/* <T, shape ...>(), or (value). op: "0", "1", "empty", "full" */
void read_fill(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const type *out = tile_result(r, k);
    check_element(r, k, t, out);
    tile_check_dims(r, k, t, 1, out);
    const bool full = *op == 'f';
    if (k->n != full || (full && (k->args[0].type.ptr || k->args[0].type.t != out->elem)))
        tile_wrong(r, k);
    if (*op == '1' && !type_scalar_of(out->elem))
        read_missing(r, k->id->s);
    tile_emit(r, k, run)->param = *op;
}

void read_arange(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *out = tile_result(r, k);
    check_element(r, k, t, out);
    tile_check_dims(r, k, t, 1, out);
    if (k->n != 3 || out->ndim != 1 || !type_is_scalar(out->elem))
        tile_wrong(r, k);
    for (uint32_t a = 0; a < 3; a++)
        if (k->args[a].type.ptr || k->args[a].type.t != out->elem)
            tile_wrong(r, k);
    tile_emit(r, k, run);
}

void read_from_thread(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *out = tile_result(r, k);
    check_element(r, k, t, out);
    tile_check_dims(r, k, t, 1, out);
    if (k->n != 2 || k->args[0].type.ptr || k->args[0].type.t != out->elem ||
        !int_operand(&k->args[1]))
        tile_wrong(r, k);
    tile_emit(r, k, run);
}

/* A tile of one value for each lane: (width), (length, width) of vectors, (rows, columns, width) of
 * matrices; or with preserved type (width) of any elements. */
static void check_lanes(reader *r, const call *k, const type *tile, const type *own)
{
    const type *scalar = type_scalar_of(own);
    const bool whole_value = tile->elem == own && tile->ndim == 1;
    const bool vec = own->kind == TYPE_VEC && tile->ndim == 2 && tile->dims[0] == own->rows;
    const bool mat = own->kind == TYPE_MAT && tile->ndim == 3 && tile->dims[0] == own->rows &&
                     tile->dims[1] == own->cols;
    if (!whole_value && !((vec || mat) && tile->elem == scalar))
        tile_wrong(r, k);
}

void read_tile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)op;
    const type *out = tile_result(r, k);
    if (k->n != 1 || k->args[0].type.ptr || !out->owner)
        tile_wrong(r, k);
    check_lanes(r, k, out, k->args[0].type.t);
    tile_emit(r, k, run);
}

/* adj_tile(x, adj_x, adj_tile) */
void read_adj_tile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)op;
    const type *tile = tile_arg_type(r, k, 2);
    if (k->n != 3 || !vt_same(k->args[0].type, k->args[1].type) || k->args[0].type.ptr)
        tile_wrong(r, k);
    check_lanes(r, k, tile, k->args[0].type.t);
    var_pair(r, k->args[0].v, k->args[1].v);
    tile_changes(&k->args[1]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_emit(r, k, run)->accum = sum;
}

void read_untile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)op;
    if (!k->result || k->result->type.ptr || k->n != 1)
        tile_wrong(r, k);
    check_lanes(r, k, tile_arg_type(r, k, 0), k->result->type.t);
    tile_emit(r, k, run);
}

/* adj_untile(tile, adj_tile, adj_value) */
void read_adj_untile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)op;
    const type *tile = tile_arg_type(r, k, 0);
    if (k->n != 3 || tile_arg_type(r, k, 1) != tile || k->args[2].type.ptr)
        tile_wrong(r, k);
    /* Warp adds to a copy of the data, and assigns that: the gradient of a shared tile is lost,
     * and its data are changed. */
    if (tile->shared)
        read_missing(r, STR("adj_untile of a shared tile"));
    check_lanes(r, k, tile, k->args[2].type.t);
    var_pair(r, k->args[0].v, k->args[1].v);
    tile_changes(&k->args[1]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_emit(r, k, run)->accum = sum;
}

/* ---- elements and views ---- */

/* The element type at n indices of a tile, which may go on into a vector or matrix. NULL: none. */
static const type *element_at(reader *r, const type *tile, uint32_t n)
{
    const type *e = tile->elem;
    const uint32_t rank = (uint32_t)tile->ndim;
    if (n == rank)
        return e;
    if (n == rank + 1 && e->kind == TYPE_VEC)
        return e->elem;
    if (n == rank + 1 && e->kind == TYPE_MAT)
        return type_vec(r->c, e->elem, e->cols);
    return n == rank + 2 && e->kind == TYPE_MAT ? e->elem : NULL;
}

/* The tile at argument 0 and n indices behind it. */
static const type *indexed_tile(reader *r, call *k, uint32_t n)
{
    const type *tile = tile_arg_type(r, k, 0);
    if (k->n < 1 + n || !element_at(r, tile, n))
        tile_wrong(r, k);
    for (uint32_t a = 1; a <= n; a++)
        if (!int_operand(&k->args[a]))
            tile_wrong(r, k);
    return tile;
}

/* Reading a shared tile's element needs no other lane; a register tile's does. */
void read_extract(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const uint32_t n = k->n - 1;
    if (!k->n || t->ntargs || !k->result || k->result->type.ptr)
        tile_wrong(r, k);
    const type *tile = indexed_tile(r, k, n), *e = element_at(r, tile, n);
    if (!vt_same(k->result->type, (vt){e, false}))
        type_fail(r, k->result->type, (vt){e, false});
    const uint32_t at = r->code.n;
    tile_info *info = tile_emit(r, k, run);
    info->param = (int32_t)n;
    for (uint32_t c = at; tile->shared && c < r->code.n; c++)
        if (r->code.v[c].aux == info)
            r->code.v[c].run = do_tile_extract;
}

/* adj_tile_extract(tile, i, ..., adj_tile, adj_i, ..., adj_result) */
void read_adj_extract(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const uint32_t half = (k->n - 1) / 2;
    if (k->n < 5 || k->n % 2 == 0 || t->ntargs || k->result)
        tile_wrong(r, k);
    const type *tile = indexed_tile(r, k, half - 1);
    const type *e = element_at(r, tile, half - 1);
    if (tile_arg_type(r, k, half) != tile || k->args[k->n - 1].type.t != e)
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[half].v);
    tile_changes(&k->args[half]);
    const accum *sum = accum_of(r, e, false);
    tile_info *info = tile_emit(r, k, run);
    info->param = (int32_t)half - 1;
    info->accum = sum;
}

/* tile_assign(to, from, offsets ...) of tiles */
void read_assign_tile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *to = tile_arg_type(r, k, 0), *from = tile_arg_type(r, k, 1);
    if (t->ntargs || k->result || k->n != 2 + (uint32_t)to->ndim || to->ndim != from->ndim ||
        to->elem != from->elem || !to->shared)
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_emit(r, k, run);
}

/* adj_tile_assign(to, from, offsets ..., adj_to, adj_from, adj_offsets ...) */
void read_adj_assign_tile(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *to = tile_arg_type(r, k, 0), *from = tile_arg_type(r, k, 1);
    const uint32_t half = 2 + (uint32_t)to->ndim;
    if (t->ntargs || k->result || k->n != 2 * half || to->ndim != from->ndim ||
        to->elem != from->elem || tile_arg_type(r, k, half) != to ||
        tile_arg_type(r, k, half + 1) != from)
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[half].v);
    var_pair(r, k->args[1].v, k->args[half + 1].v);
    tile_changes(&k->args[half + 1]);
    const accum *sum = accum_of(r, to->elem, false);
    tile_emit(r, k, run)->accum = sum;
}

/* A view gets another tile's memory: transposed, broadcast, a part of it, in another shape. The
 * result's type has the strides; offsets are given for tile_view alone. */
void read_view(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const bool part = *op == 'p';
    if (out->elem != tile->elem || !tile->shared || (!part && k->n != 1))
        tile_wrong(r, k);
    if (out->owner)
        read_missing(r, k->id->s); /* a view that is copied at once */
    if (t->ntargs == 1 && t->targs[0].t && t->targs[0].t != out)
        type_fail(r, (vt){out, false}, t->targs[0]);
    for (uint32_t a = 1; a < k->n; a++)
        if (!int_operand(&k->args[a]) || k->n > 1 + (uint32_t)tile->ndim)
            tile_wrong(r, k);
    tile_emit(r, k, run);
}

/* The adjoint of a view adds nothing: the gradient is shared, too. */
void read_nothing(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    (void)run;
    (void)op;
    if (k->result)
        tile_wrong(r, k);
    for (uint32_t a = 0; a < k->n; a++)
        k->args[a].v->written = true;
}

/* adj_tile_transpose(tile, adj_tile, adj_result) */
void read_adj_transpose(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *tile = tile_arg_type(r, k, 0), *out = tile_arg_type(r, k, 2);
    if (t->ntargs || k->n != 3 || tile_arg_type(r, k, 1) != tile || tile->ndim != 2 ||
        out->ndim != 2 || out->dims[0] != tile->dims[1] || out->dims[1] != tile->dims[0])
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[1].v);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_emit(r, k, run)->accum = sum;
}

/* A shared matrix of floats. */
static const type *matrix_arg(reader *r, const call *k, uint32_t a)
{
    const type *t = tile_arg_type(r, k, a);
    if (t->ndim != 2 || !t->shared || !type_is_float(t->elem))
        tile_wrong(r, k);
    return t;
}

/* (0, 0, 0, a, b, c, alpha, beta), for an adjoint followed by the same of adjoints and, of the form
 * with a result, the result's. The zeros stand for functions of MathDx. op: "acc", "" */
static void matmul_args(reader *r, const call *k, uint32_t n)
{
    if (k->n < n)
        tile_wrong(r, k);
    for (uint32_t a = 0; a < 3; a++)
        if (!int_operand(&k->args[a]) || !k->args[a].v->is_const)
            tile_wrong(r, k);
    const type *a = matrix_arg(r, k, 3), *b = matrix_arg(r, k, 4), *c = matrix_arg(r, k, 5);
    if (a->dims[1] != b->dims[0] || c->dims[0] != a->dims[0] || c->dims[1] != b->dims[1])
        tile_wrong(r, k);
    for (uint32_t i = 6; i < 8; i++)
        if (k->args[i].type.ptr || !type_is_scalar(k->args[i].type.t))
            tile_wrong(r, k);
    for (uint32_t i = 0; i < 8 && n > 8; i++) {
        if (!vt_same(k->args[i].type, k->args[8 + i].type))
            type_fail(r, k->args[i].type, k->args[8 + i].type);
        var_pair(r, k->args[i].v, k->args[8 + i].v);
    }
}

void read_matmul(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const bool sums = *op == 'a';
    matmul_args(r, k, 8);
    if (t->ntargs || k->n != 8 || (k->result != NULL) == sums ||
        (k->result && k->result != k->args[5].v))
        tile_wrong(r, k);
    if (k->result)
        var_define(r, k->result);
    k->result = NULL;
    tile_changes(&k->args[5]);
    tile_skip(k, 3);
    if (!sums) /* beta is not read */
        k->args[7] = k->args[6];
    tile_emit(r, k, run)->param = sums;
}

void read_adj_matmul(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const bool sums = *op == 'a';
    matmul_args(r, k, 16);
    if (t->ntargs || k->n != (sums ? 16u : 17u) || k->result)
        tile_wrong(r, k);
    for (uint32_t i = 3; i < 6; i++)
        tile_changes(&k->args[8 + i]);
    for (uint32_t i = 0; i < 3; i++) /* the functions that a GPU calls are not read */
        k->args[i] = k->args[6];
    tile_emit(r, k, run)->param = sums;
}

/* assign(tile, i, ..., value) */
void tile_element_assign(reader *r, call *k)
{
    const uint32_t n = k->n < 2 ? 0 : k->n - 2;
    const type *tile = indexed_tile(r, k, n);
    if (k->result || !tile->shared || k->args[k->n - 1].type.t != element_at(r, tile, n) ||
        k->args[k->n - 1].type.ptr)
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_emit(r, k, tile_run_assign)->param = (int32_t)n;
}

/* adj_assign(tile, i, ..., value, adj_tile, adj_i, ..., adj_value) */
void tile_element_adj_assign(reader *r, call *k)
{
    const uint32_t half = k->n / 2, n = half < 2 ? 0 : half - 2;
    const type *tile = indexed_tile(r, k, n), *e = element_at(r, tile, n);
    if (k->result || k->n % 2 || !tile->shared || k->args[k->n - 1].type.t != e ||
        tile_arg_type(r, k, half) != tile)
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[half].v);
    var_pair(r, k->args[half - 1].v, k->args[k->n - 1].v);
    tile_changes(&k->args[k->n - 1]);
    const accum *sum = accum_of(r, e, false);
    tile_info *info = tile_emit(r, k, tile_run_adj_assign);
    info->param = (int32_t)n;
    info->accum = sum;
}
