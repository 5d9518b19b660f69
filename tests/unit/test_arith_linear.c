/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on vectors and matrices: tangents against differences of values, adjoints against
 * tangents, and how indices and divisions fail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arith/arith_op.h"
#include "base/rng.h"

enum { OPERANDS_MAX = 48, BYTES_MAX = 256, POINTS = 12 };

/* Types by shape: s scalar, i int32, S a slice of two, v3 a vector, m23 a matrix. */
typedef struct operation {
    const char *name, *constructs, *args, *results;
} operation;

static const operation operations[] = {
    {"abs", "", "v3", "v3"},
    {"abs", "", "m23", "m23"},
    {"add", "", "v5 v5", "v5"},
    {"add", "", "m23 m23", "m23"},
    {"add_inplace", "", "v3 i s", ""},
    {"add_inplace", "", "m33 i i s", ""},
    {"add_inplace", "", "m33 i v3", ""},
    {"add_inplace", "", "m33 S S m22", ""},
    {"approx_div", "", "v3 s", "v3"},
    {"approx_inverse", "", "m33", "m33"},
    {"assign_copy", "", "v4 i s", "v4"},
    {"assign_copy", "", "m34 i v4", "m34"},
    {"assign_copy", "", "v4 S v2", "v4"},
    {"assign_copy", "", "m34 S i v2", "m34"},
    {"assign_inplace", "", "v4 i s", ""},
    {"assign_inplace", "", "m34 S m24", ""},
    {"cross", "", "v3 v3", "v3"},
    {"cw_div", "", "v2 v2", "v2"},
    {"cw_mul", "", "m22 m22", "m22"},
    {"ddot", "", "m23 m23", "s"},
    {"determinant", "", "m22", "s"},
    {"determinant", "", "m33", "s"},
    {"determinant", "", "m44", "s"},
    {"diag", "", "v3", "m33"},
    {"div", "", "v3 s", "v3"},
    {"div", "", "s v3", "v3"},
    {"div", "", "m23 s", "m23"},
    {"div", "", "s m22", "m22"},
    {"dot", "", "v2 v2", "s"},
    {"dot", "", "v5 v5", "s"},
    {"eig3", "", "m33", "m33 v3"},
    {"extract", "", "v3 i", "s"},
    {"extract", "", "m34 i", "v4"},
    {"extract", "", "m34 i i", "s"},
    {"extract", "", "m34 S i", "v2"},
    {"extract", "", "m34 i S", "v2"},
    {"extract", "", "m34 S", "m24"},
    {"extract", "", "v4 S", "v2"},
    {"get_diag", "", "m33", "v3"},
    {"identity", "", "", "m33"},
    {"inverse", "", "m22", "m22"},
    {"inverse", "", "m33", "m33"},
    {"inverse", "", "m44", "m44"},
    {"length", "", "v2", "s"},
    {"length", "", "v4", "s"},
    {"length_sq", "", "v3", "s"},
    {"lerp", "", "v3 v3 s", "v3"},
    {"lerp", "", "m22 m22 s", "m22"},
    {"matrix_from_cols", "", "v3 v3", "m32"},
    {"matrix_from_rows", "", "v3 v3", "m23"},
    {"max", "", "v3 v3", "v3"},
    {"max", "", "v3", "s"},
    {"min", "", "v3 v3", "v3"},
    {"min", "", "v4", "s"},
    {"mod", "", "v3 v3", "v3"},
    {"mul", "", "v3 s", "v3"},
    {"mul", "", "s v4", "v4"},
    {"mul", "", "m23 s", "m23"},
    {"mul", "", "s m23", "m23"},
    {"mul", "", "m23 v3", "v2"},
    {"mul", "", "v2 m23", "v3"},
    {"mul", "", "m23 m34", "m24"},
    {"neg", "", "m23", "m23"},
    {"normalize", "", "v3", "v3"},
    {"normalize", "", "v5", "v5"},
    {"outer", "", "v2 v3", "m23"},
    {"pos", "", "v3", "v3"},
    {"qr3", "", "m33", "m33 m33"},
    {"sign", "", "v3", "v3"},
    {"skew", "", "v3", "m33"},
    {"sub", "", "v3 v3", "v3"},
    {"sub_inplace", "", "v3 i s", ""},
    {"svd2", "", "m22", "m22 v2 m22"},
    {"svd3", "", "m33", "m33 v3 m33"},
    {"trace", "", "m33", "s"},
    {"transform_point", "", "m44 v3", "v3"},
    {"transform_vector", "", "m44 v3", "v3"},
    {"transpose", "", "m23", "m32"},
    {"", "v3", "", "v3"},
    {"", "v3", "s", "v3"},
    {"", "v3", "s s s", "v3"},
    {"", "v6", "v3 v3", "v6"},
    {"", "v3", "v3", "v3"},
    {"", "m22", "s s s s", "m22"},
    {"", "m23", "m23", "m23"},
};

typedef struct operands {
    const arith_op *op;
    size_t sizes[OPERANDS_MAX];
    _Alignas(16) uint8_t values[OPERANDS_MAX][BYTES_MAX], moves[OPERANDS_MAX][BYTES_MAX];
    void *at[2 * OPERANDS_MAX];
} operands;

static const type *shape_type(ctx *c, type_kind k, const char *shape)
{
    const type *elem = type_scalar(c, k);
    switch (shape[0]) {
    case 's': return elem;
    case 'i': return type_scalar(c, TYPE_INT32);
    case 'S': return type_slice(c, NULL);
    case 'v': return type_vec(c, elem, shape[1] - '0');
    default: return type_mat(c, elem, shape[1] - '0', shape[2] - '0');
    }
}

static uint32_t shape_types(ctx *c, type_kind k, const char *shapes, const type **out)
{
    uint32_t n = 0;
    for (const char *s = shapes; *s; s += strcspn(s, " "), s += *s == ' ')
        out[n++] = shape_type(c, k, s);
    return n;
}

static bool find(ctx *c, const operation *o, type_kind k, arith_op *op)
{
    const type *args[OPERANDS_MAX], *results[ARITH_RESULTS_MAX];
    const arith_request q = {.c = c,
                             .a = &c->perm,
                             .name = o->name,
                             .constructs = *o->constructs ? shape_type(c, k, o->constructs) : NULL,
                             .args = args,
                             .n = shape_types(c, k, o->args, args),
                             .results = results,
                             .nresults = shape_types(c, k, o->results, results)};
    return arith_find(&q, op);
}

static bool is_moving(const type *t)
{
    return type_is_value(t) && type_is_float(type_scalar_of(t));
}

static double lane(const type *t, const void *p, int i)
{
    const type *elem = type_scalar_of(t);
    const uint8_t *bytes = p;
    return num_load(elem->kind, bytes + (size_t)i * layout_size(elem)).f;
}

static void set_lane(const type *t, void *p, int i, double x)
{
    const type *elem = type_scalar_of(t);
    uint8_t *bytes = p;
    num_store(elem->kind, bytes + (size_t)i * layout_size(elem),
              (num){.f = value_rounded(elem->kind, x)});
}

static void fill(rng *r, const type *t, void *p)
{
    if (t->kind == TYPE_SLICE)
        memcpy(p, (int32_t[]){1, 3, 1}, 3 * sizeof(int32_t));
    else if (!is_moving(t))
        memcpy(p, &(int32_t){rng_between(r, -2, 1)}, sizeof(int32_t));
    for (int i = 0; is_moving(t) && i < lane_count(t); i++)
        set_lane(t, p, i, (double)(rng_next(r) >> 11) * 0x1p-51 - 2);
}

static void set_up(operands *o, const arith_op *op)
{
    *o = (operands){.op = op};
    for (uint32_t i = 0; i < op->n + op->nresults; i++) {
        o->sizes[i] = layout_size(op->types[i]);
        assert_true(o->sizes[i] <= BYTES_MAX);
        o->at[i] = o->values[i];
        o->at[op->n + op->nresults + i] = o->moves[i];
    }
}

/* What the operation changes: its results, or argument 0. */
static void outputs(const arith_op *op, uint32_t *first, uint32_t *n)
{
    *first = op->in_place ? 0 : op->n;
    *n = op->in_place ? 1 : op->nresults;
}

static double dot(const type *t, const void *a, const void *b)
{
    double sum = 0;
    for (int i = 0; is_moving(t) && i < lane_count(t); i++)
        sum += lane(t, a, i) * lane(t, b, i);
    return sum;
}

/* The operation's value at o moved by h along its tangents. */
static void run_beside(const operands *o, double h, operands *out)
{
    const arith_op *op = o->op;
    *out = *o;
    set_up(out, op);
    memcpy(out->values, o->values, sizeof o->values);
    for (uint32_t i = 0; i < op->n; i++)
        for (int j = 0; is_moving(op->types[i]) && j < lane_count(op->types[i]); j++)
            set_lane(op->types[i], out->values[i], j,
                     lane(op->types[i], o->values[i], j) + h * lane(op->types[i], o->moves[i], j));
    assert_int_equal(op->run(op, out->at), ARITH_OK);
}

static void check_close(const operation *o, const char *what, double got, double want,
                        double tolerance)
{
    if (fabs(got - want) > tolerance * (1 + fabs(want)))
        fail_msg("%s%s(%s): %s is %.12g, not %.12g", o->name, o->constructs, o->args, what, got,
                 want);
}

static void check_tangent(const operation *o, const operands *start, const operands *ran)
{
    const double h = 1e-6;
    operands up, down;
    const arith_op *op = start->op;
    uint32_t first, n;
    run_beside(start, h, &up);
    run_beside(start, -h, &down);
    outputs(op, &first, &n);
    for (uint32_t i = first; i < first + n; i++)
        for (int j = 0; is_moving(op->types[i]) && j < lane_count(op->types[i]); j++) {
            const type *t = op->types[i];
            const double slope = (lane(t, up.values[i], j) - lane(t, down.values[i], j)) / (2 * h);
            check_close(o, "the tangent", lane(t, ran->moves[i], j), slope, 1e-5);
        }
}

static void check_adjoint(const operation *o, rng *r, const operands *start, const operands *ran,
                          double tolerance)
{
    operands back = *ran;
    const arith_op *op = start->op;
    uint32_t first, n;
    double forward = 0, backward = 0;
    set_up(&back, op);
    memcpy(back.values, ran->values, sizeof ran->values);
    outputs(op, &first, &n);
    for (uint32_t i = first; i < first + n; i++) {
        fill(r, op->types[i], back.moves[i]);
        forward += dot(op->types[i], back.moves[i], ran->moves[i]);
    }
    if (op->adjoint)
        assert_int_equal(op->adjoint(op, back.at), ARITH_OK);
    for (uint32_t i = 0; i < op->n; i++)
        backward += dot(op->types[i], back.moves[i], start->moves[i]);
    if (!op->differs)
        check_close(o, "the adjoint's product", backward, forward, tolerance);
}

static void check_point(const operation *o, const arith_op *op, rng *r, double tolerance)
{
    operands start, ran;
    set_up(&start, op);
    for (uint32_t i = 0; i < op->n; i++) {
        fill(r, op->types[i], start.values[i]);
        if (is_moving(op->types[i]))
            fill(r, op->types[i], start.moves[i]);
    }
    ran = start;
    set_up(&ran, op);
    memcpy(ran.values, start.values, sizeof start.values);
    memcpy(ran.moves, start.moves, sizeof start.moves);
    assert_int_equal(op->run(op, ran.at), ARITH_OK);
    if (op->tangent && op->tangent(op, ran.at) != ARITH_OK)
        return; /* a kink */
    if (tolerance < 1e-6)
        check_tangent(o, &start, &ran);
    check_adjoint(o, r, &start, &ran, tolerance);
}

static void check_operations(ctx *c, type_kind k, double tolerance)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        arith_op op;
        rng r = rng_stream(7, i);
        if (!find(c, &operations[i], k, &op))
            fail_msg("%s(%s) is not found", operations[i].name, operations[i].args);
        for (int j = 0; j < POINTS; j++)
            check_point(&operations[i], &op, &r, tolerance);
    }
}

static void start_context(void *p)
{
    ctx *c = p;
    ctx_init(c);
    types_init(c);
}

static int start(void **state)
{
    static ctx c;
    mem_init(&c.mem);
    assert_true(mem_try(&c.mem, start_context, &c));
    *state = &c;
    return 0;
}

static int end(void **state)
{
    ctx_clear(*state);
    return 0;
}

static void float64_derivatives(void **state)
{
    check_operations(*state, TYPE_FLOAT64, 1e-7);
}

static void float32_adjoints(void **state)
{
    check_operations(*state, TYPE_FLOAT32, 5e-3);
}

static void indices(void **state)
{
    ctx *c = *state;
    arith_op op;
    assert_true(find(c, &(operation){"extract", "", "v3 i", "s"}, TYPE_FLOAT32, &op));
    const float v[] = {1, 2, 3};
    float out = 0;
    int32_t i = -1;
    assert_int_equal(op.run(&op, (void *[]){(float[]){1, 2, 3}, &i, &out}), ARITH_OK);
    assert_true(out == v[2]);
    for (i = -5; i < 6; i++)
        assert_int_equal(op.run(&op, (void *[]){(float[]){1, 2, 3}, &i, &out}),
                         i >= -3 && i < 3 ? ARITH_OK : ARITH_OUT_OF_RANGE);
    assert_true(find(c, &(operation){"extract", "", "v3 S", "v2"}, TYPE_INT16, &op));
    int16_t two[2];
    int32_t reversed[] = {2, 0, -1}, beyond[] = {2, 4, 1}, shorter[] = {1, 2, 1};
    int16_t shorts[] = {1, 2, 3};
    assert_int_equal(op.run(&op, (void *[]){shorts, reversed, two}), ARITH_OK);
    assert_true(two[0] == 3 && two[1] == 2);
    assert_int_equal(op.run(&op, (void *[]){shorts, beyond, two}), ARITH_OUT_OF_RANGE);
    assert_int_equal(op.run(&op, (void *[]){shorts, shorter, two}), ARITH_OUT_OF_RANGE);
}

static void integers(void **state)
{
    ctx *c = *state;
    arith_op op;
    int32_t a[] = {7, INT32_MIN, 3}, b = 0, r[3];
    assert_true(find(c, &(operation){"div", "", "v3 s", "v3"}, TYPE_INT32, &op));
    assert_int_equal(op.run(&op, (void *[]){a, &b, r}), ARITH_DIVIDES_BY_ZERO);
    b = -1;
    assert_int_equal(op.run(&op, (void *[]){a, &b, r}), ARITH_OVERFLOWS);
    b = -2;
    assert_int_equal(op.run(&op, (void *[]){a, &b, r}), ARITH_OK);
    assert_true(r[0] == -3 && r[1] == 1 << 30 && r[2] == -1);
    assert_true(find(c, &(operation){"mul", "", "v3 s", "v3"}, TYPE_INT32, &op));
    assert_int_equal(op.run(&op, (void *[]){a, &b, r}), ARITH_OK);
    assert_true(r[0] == -14 && r[1] == 0);
    assert_false(find(c, &(operation){"add", "", "v3 v2", "v3"}, TYPE_INT32, &op));
    assert_false(find(c, &(operation){"add", "", "v3 v3", "v2"}, TYPE_INT32, &op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float64_derivatives),
        cmocka_unit_test(float32_adjoints),
        cmocka_unit_test(indices),
        cmocka_unit_test(integers),
    };
    return cmocka_run_group_tests(tests, start, end);
}
