/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of operations (arith_op.h) whatever their family: on random points the tangent must be the
 * central difference of run in float64, and the adjoint the transposed tangent, unless the
 * operation says that Warp's is not. */
#ifndef WEFT_TESTS_ARITH_FIXTURE_H
#define WEFT_TESTS_ARITH_FIXTURE_H

#include <math.h>

#include "arith/arith_op.h"
#include "base/rng.h"
#include "type_fixture.h"

enum { VALUES_MAX = 40, LANES_MAX = 64 };

typedef struct arith_fixture {
    ctx c; /* first: end_context */
    rng random;
} arith_fixture;

/* Arguments, then results. */
typedef struct values {
    double lanes[VALUES_MAX][LANES_MAX];
} values;

static inline int setup_arith(void **state)
{
    static arith_fixture f;
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    f.random = rng_stream(1, 2);
    *state = &f;
    return 0;
}

/* "quatd vec3d": by Warp's names. */
static inline uint32_t types_named(ctx *c, const char *names, const type **out)
{
    uint32_t n = 0;
    char name[64];
    for (const char *p = names; *p; n++) {
        const size_t length = strcspn(p, " ");
        assert_true(length < sizeof name && n < VALUES_MAX);
        memcpy(name, p, length);
        name[length] = '\0';
        out[n] = type_named(c, name);
        assert_non_null(out[n]);
        p += length + (p[length] == ' ');
    }
    return n;
}

/* The builtin of this name; "=quatd": the constructor of a type. */
static inline bool find_named(arith_fixture *f, const char *name, const char *args,
                              const char *results, arith_op *op)
{
    const type **types = ARENA_ARRAY(&f->c.perm, const type *, 2 * VALUES_MAX);
    arith_request q = {.c = &f->c, .a = &f->c.perm, .name = name, .args = types};
    if (name[0] == '=')
        q.constructs = type_named(&f->c, name + 1);
    q.n = types_named(&f->c, args, types);
    q.results = types + q.n;
    q.nresults = types_named(&f->c, results, types + q.n);
    return arith_find(&q, op);
}

static inline void point_at(values *v, void **out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = v->lanes[i];
}

static inline arith_status call_two(arith_fn *fn, const arith_op *op, values *first, values *second)
{
    void *operands[2 * VALUES_MAX];
    const uint32_t n = op->n + op->nresults;
    point_at(first, operands, n);
    point_at(second, operands + n, n);
    return fn(op, operands);
}

static inline arith_status call_run(const arith_op *op, values *v)
{
    void *operands[VALUES_MAX];
    point_at(v, operands, op->n + op->nresults);
    return op->run(op, operands);
}

static inline bool is_real(const type *t)
{
    return type_scalar_of(t)->kind == TYPE_FLOAT64;
}

/* Numbers in (low, high); an integer is an index into argument 0. */
static inline void draw(arith_fixture *f, const arith_op *op, uint32_t i, double low, double high,
                        double *out)
{
    const type *t = op->types[i];
    if (type_is_integer(t)) {
        const int n = op->types[0]->rows;
        num_store(t->kind, (uint8_t *)out, (num){.i = rng_between(&f->random, -n, n - 1)});
        return;
    }
    for (int j = 0; is_real(t) && j < lane_count(t); j++)
        out[j] = low + (high - low) * (double)(rng_next(&f->random) >> 11) * 0x1p-53;
}

/* What an operation gives: its results, or the argument it changes. */
static inline bool is_given(const arith_op *op, uint32_t i)
{
    return is_real(op->types[i]) && (op->in_place ? i == 0 : i >= op->n);
}

static inline void move(const arith_op *op, values *x, const values *along, double by)
{
    for (uint32_t i = 0; i < op->n; i++)
        for (int j = 0; is_real(op->types[i]) && j < lane_count(op->types[i]); j++)
            x->lanes[i][j] += by * along->lanes[i][j];
    assert_int_equal(call_run(op, x), ARITH_OK);
}

static inline void check_difference(const arith_op *op, const values *x, const values *along,
                                    const values *rates)
{
    static values low, high;
    const double h = 1e-6;
    low = high = *x;
    move(op, &low, along, -h);
    move(op, &high, along, h);
    for (uint32_t i = 0; i < op->n + op->nresults; i++)
        for (int j = 0; is_given(op, i) && j < lane_count(op->types[i]); j++) {
            const double slope = (high.lanes[i][j] - low.lanes[i][j]) / (2 * h);
            if (fabs(slope - rates->lanes[i][j]) > 1e-5 * (1 + fabs(slope)))
                fail_msg("%s: operand %u, element %d: tangent %g, difference %g", op->name, i, j,
                         rates->lanes[i][j], slope);
        }
}

static inline void check_adjoint(arith_fixture *f, const arith_op *op, values *after,
                                 const values *along, const values *rates)
{
    static values adjoints;
    double forward = 0, backward = 0;
    memset(&adjoints, 0, sizeof adjoints);
    for (uint32_t i = 0; i < op->n + op->nresults; i++)
        if (is_given(op, i))
            draw(f, op, i, -1, 1, adjoints.lanes[i]);
    for (uint32_t i = 0; i < op->n + op->nresults; i++)
        for (int j = 0; is_given(op, i) && j < lane_count(op->types[i]); j++)
            forward += adjoints.lanes[i][j] * rates->lanes[i][j];
    assert_int_equal(call_two(op->adjoint, op, after, &adjoints), ARITH_OK);
    for (uint32_t i = 0; i < op->n; i++)
        for (int j = 0; is_real(op->types[i]) && j < lane_count(op->types[i]); j++)
            backward += adjoints.lanes[i][j] * along->lanes[i][j];
    if (fabs(forward - backward) > 1e-9 * (1 + fabs(forward)))
        fail_msg("%s: adjoint gives %.12g, tangent %.12g", op->name, backward, forward);
}

/* One random point of a float64 operation; false: it has no derivative there. */
static inline bool check_point(arith_fixture *f, const arith_op *op, double low, double high)
{
    static values x, after, along, rates;
    memset(&x, 0, sizeof x);
    memset(&along, 0, sizeof along);
    for (uint32_t i = 0; i < op->n; i++) {
        draw(f, op, i, low, high, x.lanes[i]);
        if (!type_is_integer(op->types[i]))
            draw(f, op, i, -1, 1, along.lanes[i]);
    }
    after = x;
    rates = along;
    assert_int_equal(call_run(op, &after), ARITH_OK);
    const arith_status status = call_two(op->tangent, op, &after, &rates);
    assert_true(status == ARITH_OK || status == ARITH_KINK);
    if (status == ARITH_KINK)
        return false;
    check_difference(op, &x, &along, &rates);
    if (!op->differs)
        check_adjoint(f, op, &after, &along, &rates);
    return true;
}

/* 50 random points, arguments in (low, high). */
static inline void check_operation(arith_fixture *f, const char *name, const char *args,
                                   const char *results, double low, double high)
{
    arith_op op;
    if (!find_named(f, name, args, results, &op))
        fail_msg("%s(%s) is not found", name, args);
    op.name = name;
    int smooth = 0;
    for (int i = 0; i < 50; i++)
        smooth += check_point(f, &op, low, high);
    if (smooth < 40)
        fail_msg("%s(%s): only %d of 50 points are smooth", name, args, smooth);
}

#endif
