/* SPDX-License-Identifier: Apache-2.0 */
/* Operations by type, of every family and row: at random points the tangent is the derivative of
 * the value (by central differences), and the adjoint is the transposed tangent, unless the row
 * says that Warp's differs. */
#include <math.h>

#include "arith/arith_family.h"
#include "base/rng.h"
#include "type_fixture.h"

enum {
    TYPES = 16,
    ARGS_MAX = 4,
    BYTES = 256,
    ROUNDS = 12,
    OPERANDS = 2 * (ARGS_MAX + ARITH_RESULTS_MAX)
};

typedef struct fixture {
    ctx c; /* first: end_context */
    const type *pool[TYPES];
    rng random;                                        /* of the operation at hand */
    uint32_t operations, tangents, adjoints, failures; /* tangents, adjoints: points */
} fixture;

static int setup(void **state)
{
    static fixture f;
    static const char *const names[TYPES] = {
        "float64",    "vec2d", "vec3d",  "vec4d",   "mat22d", "mat33d", "mat44d",  "quatd",
        "transformd", "int32", "uint32", "float32", "vec3",   "vec2",   "float16", "bfloat16"};
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    for (int i = 0; i < TYPES; i++)
        f.pool[i] = type_named(&f.c, names[i]);
    *state = &f;
    return 0;
}

/* Operands of an operation: arguments, results, and the same again for tangents or adjoints. */
typedef struct point {
    _Alignas(8) uint8_t bytes[OPERANDS][BYTES];
    void *at[OPERANDS];
} point;

static void clear(point *p)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < OPERANDS; i++)
        p->at[i] = p->bytes[i];
}

static double uniform(fixture *f, double low, double high)
{
    return low + (high - low) * ((double)(rng_next(&f->random) >> 11) * 0x1p-53);
}

static double get(const type *t, const void *p, int i)
{
    const type *s = type_scalar_of(t);
    return type_is_float(s) ? num_load(s->kind, (const uint8_t *)p + (size_t)i * layout_size(s)).f
                            : 0;
}

static void set(const type *t, void *p, int i, double x)
{
    const type *s = type_scalar_of(t);
    const num n = num_cast(s->kind, TYPE_FLOAT64, (num){.f = x});
    num_store(s->kind, (uint8_t *)p + (size_t)i * layout_size(s), n);
}

static void fill(fixture *f, const type *t, void *p, double low, double high)
{
    const bool whole = !type_is_float(type_scalar_of(t));
    for (int i = 0; i < lane_count(t); i++)
        set(t, p, i, whole ? uniform(f, 1, 5) : uniform(f, low, high));
}

static void fill_all(fixture *f, const arith_op *op, point *p, uint32_t from, double low,
                     double high)
{
    const uint32_t n = from == op->n + op->nresults ? op->n : op->nresults;
    for (uint32_t i = 0; i < (from == 0 ? op->n : n); i++) {
        const type *t = op->types[from == 2 * op->n + op->nresults ? op->n + i : i];
        if (from == 0 || type_is_float(type_scalar_of(t)))
            fill(f, t, p->at[from + i], low, high);
    }
}

/* Adds the terms' magnitudes to *size. */
static double product(const type *t, const void *a, const void *b, double *size)
{
    double r = 0;
    for (int i = 0; i < lane_count(t); i++) {
        const double term = get(t, a, i) * get(t, b, i);
        r += term;
        *size += fabs(term);
    }
    return r;
}

/* Runs op at x + h v into out; v: the tangents in p. */
static bool run_beside(const arith_op *op, const point *p, double h, point *out)
{
    clear(out);
    for (uint32_t i = 0; i < op->n; i++) {
        const type *t = op->types[i];
        memcpy(out->at[i], p->at[i], BYTES);
        for (int k = 0; type_is_float(type_scalar_of(t)) && k < lane_count(t); k++)
            set(t, out->at[i], k,
                get(t, p->at[i], k) + h * get(t, p->at[op->n + op->nresults + i], k));
    }
    return op->run(op, out->at) == ARITH_OK;
}

/* What can be asked of the narrowest float among the types: the step of differences (0: none), the
 * error allowed to them, and that allowed to adjoints. */
typedef struct precision {
    double step, slope, adjoint;
} precision;

static precision precision_of(const arith_op *op)
{
    precision worst = {1e-6, 1e-6, 1e-9};
    for (uint32_t i = 0; i < op->n + op->nresults; i++) {
        const type_kind k = type_scalar_of(op->types[i])->kind;
        if (k == TYPE_FLOAT16 || k == TYPE_BFLOAT16)
            return (precision){0, 0, 2e-2};
        if (k == TYPE_FLOAT32)
            worst = (precision){4e-3, 3e-2, 1e-4};
    }
    return worst;
}

static bool complain(fixture *f, const arith_op *op, const char *what, double got, double want)
{
    print_message("%s(", op->name ? op->name : op->types[op->n]->pyname.p);
    for (uint32_t i = 0; i < op->n; i++)
        print_message("%s%s", i ? ", " : "", op->types[i]->pyname.p);
    print_message("): %s %.9g, should be %.9g\n", what, got, want);
    f->failures++;
    return false;
}

/* Differences are compared where those to the left and to the right agree. At a kink between the
 * points they differ by twice what the difference over both is wrong by. */
static bool check_tangent(fixture *f, const arith_op *op, const point *p)
{
    const precision allowed = precision_of(op);
    const double h = allowed.step;
    point left, right;
    if (h == 0 || !run_beside(op, p, -h, &left) || !run_beside(op, p, h, &right))
        return true;
    for (uint32_t k = 0; k < op->nresults; k++) {
        const type *t = op->types[op->n + k];
        for (int i = 0; i < lane_count(t); i++) {
            const double a = get(t, left.at[op->n + k], i), b = get(t, right.at[op->n + k], i);
            const double middle = get(t, p->at[op->n + k], i), slope = (b - a) / (2 * h);
            const double d = get(t, p->at[2 * op->n + op->nresults + k], i);
            const double error = allowed.slope * (1 + fabs(d) + fabs(a) + fabs(b));
            if (!(fabs(b - 2 * middle + a) / h <= 2 * error))
                continue;
            if (!(fabs(slope - d) <= error))
                return complain(f, op, "tangent", d, slope);
            f->tangents++;
        }
    }
    return true;
}

static bool check_adjoint(fixture *f, const arith_op *op, const point *p, bool *differs)
{
    const uint32_t n = op->n, all = op->n + op->nresults;
    point q;
    clear(&q);
    memcpy(q.bytes, p->bytes, all * sizeof *q.bytes);
    fill_all(f, op, &q, all + n, -1, 1);
    double forward = 0, backward = 0, size = 1e-3;
    for (uint32_t k = 0; k < op->nresults; k++)
        forward += product(op->types[n + k], p->at[all + n + k], q.at[all + n + k], &size);
    if (op->adjoint && op->adjoint(op, q.at) != ARITH_OK)
        return complain(f, op, "adjoint's status", 1, 0);
    for (uint32_t i = 0; i < n; i++)
        backward += product(op->types[i], p->at[all + i], q.at[all + i], &size);
    const double tolerance = precision_of(op).adjoint * size;
    const bool agree = fabs(forward - backward) <= tolerance;
    f->adjoints++;
    if (op->differs)
        *differs = *differs || !agree;
    else if (!agree)
        return complain(f, op, "adjoint", backward, forward);
    return true;
}

static bool finite_results(const arith_op *op, const point *p)
{
    for (uint32_t k = 0; k < op->nresults; k++)
        for (int i = 0; i < lane_count(op->types[op->n + k]); i++)
            if (!isfinite(get(op->types[op->n + k], p->at[op->n + k], i)))
                return false;
    return true;
}

/* The operation's own numbers, whatever other operations there are. */
static rng random_of(const arith_op *op)
{
    uint64_t h = 0;
    for (const char *p = op->name ? op->name : ""; *p; p++)
        h = h * 31 + (uint8_t)*p;
    for (uint32_t i = 0; i < op->n + op->nresults; i++)
        h = h * 31 + op->types[i]->id;
    return rng_stream(1, h);
}

static void check_operation(fixture *f, const arith_op *op)
{
    bool differs = false, tried = false, good = true;
    f->random = random_of(op);
    f->operations++;
    for (int i = 0; i < ROUNDS && good && !op->in_place; i++) {
        point p;
        clear(&p);
        fill_all(f, op, &p, 0, i % 3 == 2 ? -0.9 : 0.1, i % 3 == 2 ? -0.1 : 0.9);
        fill_all(f, op, &p, op->n + op->nresults, -1, 1);
        if (op->run(op, p.at) != ARITH_OK || !finite_results(op, &p))
            continue;
        if (op->tangent && op->tangent(op, p.at) != ARITH_OK)
            continue;
        tried = true;
        good = check_tangent(f, op, &p) && check_adjoint(f, op, &p, &differs);
    }
    if (good && tried && op->nresults && op->differs && !differs)
        complain(f, op, "said to differ:", 0, 1);
}

/* The operations of a row, for all its types out of the pool. */
static void check_row(fixture *f, const arith_row *row, const type *constructs)
{
    const type *args[ARGS_MAX];
    for (uint32_t n = 1; n <= ARGS_MAX; n++) {
        uint32_t tuples = 1;
        for (uint32_t i = 0; i < n; i++)
            tuples *= TYPES;
        for (uint32_t tuple = 0; tuple < tuples; tuple++) {
            for (uint32_t i = 0, rest = tuple; i < n; i++, rest /= TYPES)
                args[i] = f->pool[rest % TYPES];
            const arena_mark mark = arena_save(&f->c.scratch);
            const arith_request q = {.c = &f->c,
                                     .a = &f->c.scratch,
                                     .name = constructs ? NULL : row->name,
                                     .constructs = constructs,
                                     .args = args,
                                     .n = n};
            arith_op op;
            if (row->resolve(&q, &op))
                check_operation(f, &op);
            arena_rewind(&f->c.scratch, mark);
        }
    }
}

static void check_families(void *p)
{
    fixture *f = p;
    for (const arith_family *const *family = arith_families; *family; family++)
        for (uint32_t i = 0; i < (*family)->n; i++) {
            const arith_row *row = &(*family)->rows[i];
            if (i && strcmp(row[-1].name, row->name) == 0)
                continue; /* a family may have a row for each overload, with one resolver */
            for (int k = 0; k < TYPES && !*row->name; k++)
                check_row(f, row, f->pool[k]);
            if (*row->name)
                check_row(f, row, NULL);
        }
}

static void test_derivatives(void **state)
{
    fixture *f = *state;
    assert_true(mem_try(&f->c.mem, check_families, f));
    print_message("%u operations: %u tangents and %u adjoints checked\n", f->operations,
                  f->tangents, f->adjoints);
    assert_int_equal(f->failures, 0);
}

static void test_rows_sorted(void **state)
{
    (void)state;
    for (const arith_family *const *family = arith_families; *family; family++)
        for (uint32_t i = 1; i < (*family)->n; i++)
            assert_true(strcmp((*family)->rows[i - 1].name, (*family)->rows[i].name) <= 0);
}

static void test_result_types(void **state)
{
    fixture *f = *state;
    static const char *const rows[][4] = {
        {"add", "uint8", "uint8", "uint8"}, {"bit_count", "int64", NULL, "int32"},
        {"unot", "bool", NULL, "bool"},     {"where", "bool", "quat", "quatf"},
        {"float", "int8", NULL, "float32"}, {"isnan", "float16", NULL, "bool"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool two = rows[i][2] != NULL;
        const type *second = two ? type_named(&f->c, rows[i][2]) : NULL;
        const type *args[] = {type_named(&f->c, rows[i][1]), second, second};
        const uint32_t n = !two ? 1 : strcmp(rows[i][0], "where") == 0 ? 3 : 2;
        const arith_request q = {
            .c = &f->c, .a = &f->c.scratch, .name = rows[i][0], .args = args, .n = n};
        arith_op op;
        assert_true(arith_find(&q, &op));
        assert_text(op.types[n]->pyname, rows[i][3]);
    }
}

/* What a cast of x, a float64, to the type ends with. */
static arith_status cast_status(fixture *f, double x, const char *to)
{
    const type *from = type_named(&f->c, "float64");
    const arith_request q = {
        .c = &f->c, .a = &f->c.scratch, .constructs = type_named(&f->c, to), .args = &from, .n = 1};
    arith_op op;
    uint64_t out = 0;
    assert_true(arith_find(&q, &op));
    return op.run(&op, (void *[]){&x, &out});
}

/* On both sides of each end of what an integer holds: its fraction does not count. */
static void test_conversions_out_of_range(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *type;
        double least, below, most, above;
    } ends[] = {
        {"int8", -128.999, -129, 127.999, 128},
        {"uint8", -0.999, -1, 255.999, 256},
        {"int16", -32768.99, -32769, 32767.99, 32768},
        {"uint16", -0.999, -1, 65535.99, 65536},
        {"int32", -2147483648.99, -2147483649.0, 2147483647.99, 2147483648.0},
        {"uint32", -0.999, -1, 4294967295.99, 4294967296.0},
        {"int64", -0x1p63, -0x1.0000000000001p63, 0x1.fffffffffffffp62, 0x1p63},
        {"uint64", -0.999, -1, 0x1.fffffffffffffp63, 0x1p64},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *to = ends[i].type;
        assert_int_equal(cast_status(f, ends[i].least, to), ARITH_OK);
        assert_int_equal(cast_status(f, ends[i].most, to), ARITH_OK);
        assert_int_equal(cast_status(f, ends[i].below, to), ARITH_CONVERSION);
        assert_int_equal(cast_status(f, ends[i].above, to), ARITH_CONVERSION);
        assert_int_equal(cast_status(f, (double)NAN, to), ARITH_CONVERSION);
        assert_int_equal(cast_status(f, -(double)INFINITY, to), ARITH_CONVERSION);
    }
    assert_int_equal(cast_status(f, (double)NAN, "bool"), ARITH_OK);
    assert_int_equal(cast_status(f, 1e300, "float32"), ARITH_OK);
}

/* Narrow integers are shifted in 32 bits. */
static void test_shifts_out_of_range(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {"int8", "uint32", "int64", "uint64"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const type *t = type_named(&f->c, names[i]), *args[] = {t, t};
        const arith_request q = {
            .c = &f->c, .a = &f->c.scratch, .name = "lshift", .args = args, .n = 2};
        const int64_t width = layout_size(t) == 8 ? 64 : 32;
        arith_op op;
        assert_true(arith_find(&q, &op));
        for (int64_t by = -1; by < 70; by++) {
            uint64_t a = 1, out = 0;
            const arith_status status = op.run(&op, (void *[]){&a, (int64_t[]){by}, &out});
            assert_int_equal(status, by >= 0 && by < width ? ARITH_OK : ARITH_SHIFT);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_conversions_out_of_range, setup, end_context),
        cmocka_unit_test_setup_teardown(test_shifts_out_of_range, setup, end_context),
        cmocka_unit_test(test_rows_sorted),
        cmocka_unit_test_setup_teardown(test_result_types, setup, end_context),
        cmocka_unit_test_setup_teardown(test_derivatives, setup, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
