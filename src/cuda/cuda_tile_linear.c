/* SPDX-License-Identifier: Apache-2.0 */
/* Factors of symmetric tiles, and solves with triangular ones, in the loops of Warp's headers:
 *
 *     l = wp.tile_cholesky(a)
 *     ->
 *     if (threadIdx.x == 0) {
 *         for (int j = 0; j < 4; ++j) {
 *             float sum = a[j][j];
 *             for (int k = 0; k < j; ++k)
 *                 sum -= l[j][k] * l[j][k];
 *             l[j][j] = sqrtf(sum);
 *             ...
 *
 * One thread factorizes, and solves for a vector; the columns of a matrix have a thread each. An
 * upper matrix is a lower one whose indices change places. */
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tree.h"

/* A matrix, or a vector of one column. */
typedef struct matrix {
    cuda_tile *tile;
    bool turned;
} matrix;

static void place_indices(const matrix *m, cx *i, cx *j, cx **at)
{
    at[0] = m->turned ? j : i;
    at[1] = m->turned ? i : j;
}

static cx *element(cuda_fn *f, const matrix *m, cx *i, cx *j)
{
    cx *at[CUDA_TILE_DIMS];
    place_indices(m, i, j, at);
    return cuda_tile_element(f, m->tile, at);
}

static cx *number(cuda_fn *f, const matrix *m, cx *i, cx *j)
{
    cx *at[CUDA_TILE_DIMS];
    place_indices(m, i, j, at);
    return cuda_tile_value(f, m->tile, at);
}

/* for (var = from; var < to; ++var), or with `down` for (var = to - 1; var >= from; --var) */
static cs_list *count(cuda_fn *f, cs_list *out, cx *from, cx *to, bool down, const char *name,
                      uint32_t *var)
{
    cs *s = cs_put(f, out, CS_FOR);
    *var = s->var = cv_new(f, cuda_int(f), str_c(name));
    s->start = down ? cuda_int_sum(f, to, cx_number(f, -1)) : from;
    s->stop = down ? cuda_int_sum(f, from, cx_number(f, -1)) : to;
    s->step = cx_number(f, down ? -1 : 1);
    return &s->body;
}

/* sum -= a * b */
static void reduce(cuda_fn *f, cs_list *out, cx *sum, cx *a, cx *b)
{
    cs_set(f, out, sum, cx_call2(f, CUDA_OP_MUL, a->type, a, b))->sub = true;
}

/* sum = a(i, j) less the products of rows i and j of l to the left of column j */
static cx *remainder_of(cuda_fn *f, cs_list *out, const matrix *a, const matrix *l, uint32_t i,
                        uint32_t j)
{
    uint32_t k;
    cx *sum =
        cuda_tile_new_var(f, out, a->tile->elem, "sum", number(f, a, cx_var(f, i), cx_var(f, j)));
    cs_list *body = count(f, out, cx_number(f, 0), cx_var(f, j), false, "k", &k);
    reduce(f, body, sum, number(f, l, cx_var(f, i), cx_var(f, k)),
           number(f, l, cx_var(f, j), cx_var(f, k)));
    return sum;
}

static void factorize(cuda_fn *f, cs_list *out, const matrix *a, const matrix *l)
{
    const type *t = l->tile->elem;
    cx *n = cx_number(f, l->tile->dims[0]);
    uint32_t i, j;
    cs_list *column = count(f, out, cx_number(f, 0), n, false, "j", &j);
    cx *root = cuda_tile_builtin(f, STR("sqrt"), t, 1);
    root->args[0] = remainder_of(f, column, a, l, j, j);
    cs_set(f, column, element(f, l, cx_var(f, j), cx_var(f, j)), root);
    cs_list *row =
        count(f, column, cuda_int_sum(f, cx_var(f, j), cx_number(f, 1)), n, false, "i", &i);
    cx *sum = remainder_of(f, row, a, l, i, j);
    cs_set(f, row, element(f, l, cx_var(f, i), cx_var(f, j)),
           cx_call2(f, CUDA_OP_DIV, t, sum, number(f, l, cx_var(f, j), cx_var(f, j))));
    cs_set(f, row, element(f, l, cx_var(f, j), cx_var(f, i)), cx_new(f, CX_ZERO, t, 0));
}

/* Where the first thread alone works; a tile of one element is a variable of each thread. */
static cs_list *by_first(cuda_fn *f, cs_list *out, const cuda_tile *t)
{
    if (t->kind == CUDA_TILE_SINGLE)
        return out;
    cs *s = cs_put(f, out, CS_IF);
    s->e = cuda_tile_builtin(f, STR("block_first"), type_scalar(f->c, TYPE_BOOL), 0);
    return &s->body;
}

static bool is_square(const cuda_tile *t)
{
    return t && t->ndim == 2 && t->dims[0] == t->dims[1] && type_is_float(t->elem);
}

/* The zeros ahead of the tiles stand for functions of MathDx. */
static uint32_t zeros(const tile_call *r)
{
    uint32_t n = 0;
    while (n < r->n && !cuda_tile_operand(r, n))
        n++;
    return n;
}

bool cuda_tile_read_factor(const tile_call *r)
{
    cuda_fn *f = r->f;
    const uint32_t at = zeros(r);
    const bool upper = cuda_tile_template(r, 0) != 0;
    cuda_tile *a = cuda_tile_operand(r, at), *l = cuda_tile_operand(r, r->n - 1);
    if (r->n != at + (r->result ? 2 : 1) || !is_square(a) || !is_square(l) ||
        l->kind == CUDA_TILE_COMPUTED || a->elem != l->elem)
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{l, true, false}, {a, false, false}};
    cuda_tile_meet(f, r->out, uses, a == l ? 1 : 2);
    factorize(f, by_first(f, r->out, l), &(matrix){a, upper}, &(matrix){l, upper});
    return true;
}

/* x, from y, of column k: with l, or with `back` its transposed. */
static void substitute(cuda_fn *f, cs_list *out, const matrix *l, const matrix *y, const matrix *x,
                       cx *column, bool back)
{
    const type *t = x->tile->elem;
    cx *n = cx_number(f, l->tile->dims[0]);
    uint32_t i, j;
    cs_list *row = count(f, out, cx_number(f, 0), n, back, "i", &i);
    cx *sum = cuda_tile_new_var(f, row, t, "sum", number(f, y, cx_var(f, i), column));
    cx *first = back ? cuda_int_sum(f, cx_var(f, i), cx_number(f, 1)) : cx_number(f, 0);
    cs_list *body = count(f, row, first, back ? n : cx_var(f, i), false, "j", &j);
    reduce(f, body, sum, number(f, l, cx_var(f, back ? j : i), cx_var(f, back ? i : j)),
           number(f, x, cx_var(f, j), column));
    cx *diagonal = number(f, l, cx_var(f, i), cx_var(f, i)), *e = cx_new(f, CX_COND, t, 3);
    cx *some =
        cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), diagonal, cx_new(f, CX_ZERO, t, 0));
    some->name = STR("!=");
    e->args[0] = some;
    e->args[1] = cx_call2(f, CUDA_OP_DIV, t, sum, number(f, l, cx_var(f, i), cx_var(f, i)));
    e->args[2] = sum;
    cs_set(f, row, element(f, x, cx_var(f, i), column), e);
}

/* The threads that solve, and the column that each has. */
static cs_list *by_columns(cuda_fn *f, cs_list *out, const cuda_tile *x, cx **column)
{
    *column = cx_number(f, 0);
    if (x->ndim == 1 || x->kind == CUDA_TILE_SINGLE)
        return by_first(f, out, x);
    const cuda_tile columns = {
        .kind = CUDA_TILE_OWN, .elem = x->elem, .ndim = 1, .dims = {x->dims[1]}};
    const cuda_tile_loop l = cuda_tile_each(f, out, &columns);
    *column = l.at[0];
    return l.body;
}

bool cuda_tile_read_solve(const tile_call *r)
{
    cuda_fn *f = r->f;
    const uint32_t at = zeros(r);
    const bool both = str_starts(r->name, "tile_cholesky"),
               back = str_starts(r->name, "tile_upper");
    const bool upper = both ? cuda_tile_template(r, 0) != 0 : back;
    cuda_tile *a = cuda_tile_operand(r, at), *y = cuda_tile_operand(r, at + 1),
              *x = cuda_tile_operand(r, r->n - 1);
    if (r->n != at + (r->result ? 3 : 2) || !is_square(a) || !y || !x || y->ndim > 2 ||
        x->ndim != y->ndim || x->kind == CUDA_TILE_COMPUTED || y->dims[0] != a->dims[0] ||
        x->elem != a->elem || y->elem != a->elem)
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{x, true, false}, {a, false, false}, {y, false, false}};
    cuda_tile_meet(f, r->out, uses, x == y ? 2 : 3);
    const matrix l = {a, upper}, from = {y, false}, to = {x, false};
    cx *column;
    cs_list *body = by_columns(f, r->out, x, &column);
    if (both || !back)
        substitute(f, body, &l, &from, &to, column, false);
    if (both || back)
        substitute(f, body, &l, both ? &to : &from, &to, column, true);
    return true;
}
