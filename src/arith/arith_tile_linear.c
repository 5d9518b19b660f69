/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular matrices of tiles (arith_tile.h): Cholesky factors, solves, and their adjoints. Every
 * operation is rounded to the type of the elements, in the order of Warp's loops.
 *
 *     a = 4 2    l = 2 0    l x = y: x0 = y0 / 2, x1 = (y1 - x0) / 2
 *         2 5        1 2 */
#include <math.h>

#include "arith/arith_tile.h"
#include "base/assert.h"

static uint8_t *item(const tile_matrix *m, uint32_t i, uint32_t j)
{
    const int64_t size = m->kind == TYPE_FLOAT64 ? 8 : 4;
    return m->at + ((int64_t)i * m->row + (int64_t)j * m->column) * size;
}

static double load(const tile_matrix *m, uint32_t i, uint32_t j)
{
    return num_load(m->kind, item(m, i, j)).f;
}

static void store(const tile_matrix *m, uint32_t i, uint32_t j, double x)
{
    num_store(m->kind, item(m, i, j), num_wrap(m->kind, (num){.f = x}));
}

static double rounded(const tile_matrix *m, double x)
{
    return num_wrap(m->kind, (num){.f = x}).f;
}

/* The tangent of an element; 0: there are none. */
static double slope(const tile_dual *d, uint32_t i, uint32_t j)
{
    return d->tangent.at ? load(&d->tangent, i, j) : 0;
}

static void store_slope(const tile_dual *d, uint32_t i, uint32_t j, double x)
{
    if (d->tangent.at)
        store(&d->tangent, i, j, x);
}

/* sum - a b */
static double less(const tile_matrix *m, double sum, double a, double b)
{
    return rounded(m, sum - rounded(m, a * b));
}

tile_matrix tile_transposed(tile_matrix m)
{
    return (tile_matrix){m.kind, m.at, m.column, m.row};
}

/* Element (i, j) of the factor before its division by the diagonal; *tangent is that of it. */
static double remainder_of(const tile_dual *a, const tile_dual *l, uint32_t i, uint32_t j,
                           double *tangent)
{
    double sum = load(&a->value, i, j), t = slope(a, i, j);
    for (uint32_t k = 0; k < j; k++) {
        const double x = load(&l->value, i, k), y = load(&l->value, j, k);
        sum = less(&a->value, sum, x, y);
        t -= slope(l, i, k) * y + x * slope(l, j, k);
    }
    *tangent = t;
    return sum;
}

void tile_factorize(const tile_dual *a, const tile_dual *l, uint32_t n)
{
    WEFT_ASSERT(a->value.kind == l->value.kind);
    for (uint32_t j = 0; j < n; j++) {
        double t;
        const double diagonal = rounded(&a->value, sqrt(remainder_of(a, l, j, j, &t)));
        const double inverse = rounded(&a->value, 1.0 / diagonal), bend = t / (2 * diagonal);
        store(&l->value, j, j, diagonal);
        store_slope(l, j, j, bend);
        for (uint32_t i = j + 1; i < n; i++) {
            const double x = rounded(&a->value, remainder_of(a, l, i, j, &t) * inverse);
            store(&l->value, i, j, x);
            store_slope(l, i, j, (t - x * bend) / diagonal);
        }
        for (uint32_t k = j + 1; k < n; k++) {
            store(&l->value, j, k, 0);
            store_slope(l, j, k, 0);
        }
    }
}

/* Row i of column k of x. */
static void substitute_item(const tile_dual *l, const tile_dual *x, uint32_t n, uint32_t i,
                            uint32_t k, bool back)
{
    const tile_matrix *m = &l->value;
    double s = load(&x->value, i, k), t = slope(x, i, k);
    for (uint32_t j = back ? i + 1 : 0; j < (back ? n : i); j++) {
        const uint32_t row = back ? j : i, column = back ? i : j;
        const double a = load(m, row, column), b = load(&x->value, j, k);
        s = less(m, s, a, b);
        t -= slope(l, row, column) * b + a * slope(x, j, k);
    }
    const double diagonal = load(m, i, i);
    if (diagonal != 0) {
        s = rounded(m, s / diagonal);
        t = (t - s * slope(l, i, i)) / diagonal;
    }
    store(&x->value, i, k, s);
    store_slope(x, i, k, t);
}

void tile_substitute(const tile_dual *l, const tile_dual *x, uint32_t n, uint32_t columns,
                     bool back)
{
    WEFT_ASSERT(l->value.kind == x->value.kind);
    for (uint32_t k = 0; k < columns; k++)
        for (uint32_t i = 0; i < n; i++)
            substitute_item(l, x, n, back ? n - 1 - i : i, k, back);
}

static void add(const tile_matrix *m, uint32_t i, uint32_t j, double x)
{
    store(m, i, j, load(m, i, j) + x);
}

/* Murray, Differentiation of the Cholesky decomposition (2016), as Warp 1.19
 * cooperative_scalar_cholesky_adj. */
void tile_adj_factorize(const tile_matrix *l, const tile_matrix *dl, const tile_matrix *da,
                        uint32_t n, bool upper, uint8_t *work)
{
    const int64_t size = l->kind == TYPE_FLOAT64 ? 8 : 4, row = n;
    const tile_dual lower = {*l, {0}};
    tile_dual w1 = {{l->kind, work, row, 1}, {0}},
              w2 = {{l->kind, work + row * row * size, row, 1}, {0}};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum = rounded(l, sum + rounded(l, load(l, k, i) * load(dl, k, j)));
            store(&w1.value, i, j, sum);
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            store(&w2.value, i, j, load(&w1.value, i < j ? j : i, i < j ? i : j));
    tile_substitute(&lower, &w2, n, n, true);
    w2.value = tile_transposed(w2.value);
    tile_substitute(&lower, &w2, n, n, true);
    const tile_matrix sum = upper ? w2.value : tile_transposed(w2.value);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++)
            add(da, i, j, rounded(da, (i == j ? 0.5 : 1) * load(&sum, j, i)));
}

void tile_adj_substitute(const tile_solution *s, uint32_t n, uint32_t columns, uint8_t *work)
{
    const tile_dual lower = {s->l, {0}}, w = {{s->l.kind, work, columns, 1}, {0}};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < columns; k++)
            store(&w.value, i, k, load(&s->dx, i, k));
    tile_substitute(&lower, &w, n, columns, true);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < columns; k++)
            add(&s->dy, i, k, load(&w.value, i, k));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < columns; k++)
                sum = rounded(&s->dl,
                              sum + rounded(&s->dl, load(&w.value, i, k) * load(&s->x, j, k)));
            add(&s->dl, i, j, -sum);
        }
}
