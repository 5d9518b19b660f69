/* SPDX-License-Identifier: Apache-2.0 */
/* The reference interpreter's tangents: along a direction they must be the central difference of
 * its values, through every kind of statement that carries numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/pipeline.h"
#include "interp/interp.h"

enum { SIZE = 8, THREADS = 4 };

#define HEAD                                                                                       \
    "import warp as wp\n"                                                                          \
    "F = wp.float64\n"                                                                             \
    "@wp.struct\n"                                                                                 \
    "class Pair:\n"                                                                                \
    "    a: wp.float64\n"                                                                          \
    "    v: wp.vec3d\n"                                                                            \
    "    n: int\n"                                                                                 \
    "@wp.struct\n"                                                                                 \
    "class Outer:\n"                                                                               \
    "    inner: Pair\n"                                                                            \
    "    data: wp.array(dtype=wp.float64)\n"                                                       \
    "@wp.func\n"                                                                                   \
    "def twice(x: wp.float64, by: wp.float64 = wp.float64(2.0)):\n"                                \
    "    return x * by\n"                                                                          \
    "@wp.func\n"                                                                                   \
    "def both(x: wp.float64, y: wp.float64):\n"                                                    \
    "    return x * y, x - y\n"                                                                    \
    "@wp.func\n"                                                                                   \
    "def apply(f: wp.Function, x: wp.float64):\n"                                                  \
    "    return f(x) * x\n"                                                                        \
    "@wp.func\n"                                                                                   \
    "def square(x: wp.float64):\n"                                                                 \
    "    return x * x\n"                                                                           \
    "@wp.func\n"                                                                                   \
    "def grow(x: wp.ref[wp.float64], by: wp.float64):\n"                                           \
    "    x = x * by\n"                                                                             \
    "@wp.kernel(enable_backward=False)\n"                                                          \
    "def k(x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64)):\n"                       \
    "    i = wp.tid()\n"

static const char *const kernels[] = {
    HEAD "    y[i] = x[i] * x[i + 1] + x[0]\n",
    HEAD "    s = F(0.0)\n    for j in range(3):\n        s += x[j] * x[j + i]\n    y[i] = s\n",
    HEAD "    s = x[i]\n    n = i\n    while n < 5:\n        s = s * s + x[n]\n        n += 1\n"
         "        if n == 3:\n            continue\n    y[i] = s\n",
    HEAD "    if x[i] > F(0.0):\n        y[i] = x[i] * x[1]\n    else:\n        y[i] = x[2]\n",
    HEAD "    y[i] = twice(x[i]) + twice(x[1], by=x[2])\n",
    HEAD "    a, b = both(x[i], x[i + 1])\n    a, b = b, a * b\n    y[i] = a + b * x[0]\n",
    HEAD "    y[i] = apply(square, x[i])\n",
    HEAD "    v = wp.vec3d()\n    v[1] = x[i]\n    v[2] = x[1]\n    v[0] = v[1] * v[2]\n    v.y += "
         "x[3]\n"
         "    y[i] = v[0] * v[1] + v.z\n",
    HEAD "    m = wp.mat22d()\n    m[0, 0] = x[i]\n    m[1, 0] = x[2]\n    m[0, 1] = x[1]\n    "
         "m[0, 1] *= x[4]\n    r = m[0]\n"
         "    y[i] = r[0] * r[1] + m[1][0]\n",
    HEAD "    p = Pair()\n    p.a = x[i]\n    p.v[0] = x[1]\n    p.v[1] = p.a\n"
         "    q = p\n    q.a = p.v[1] * p.v[0]\n    y[i] = q.a * p.a\n",
    HEAD
    "    o = Outer()\n    o.inner.a = x[i]\n    o.data = x\n    y[i] = o.data[1] * o.inner.a\n",
    HEAD "    old = wp.atomic_add(y, 0, x[i] * x[i])\n    wp.atomic_sub(y, 1, old * x[0])\n",
    HEAD "    wp.atomic_max(y, 0, x[i])\n    wp.atomic_min(y, 1, x[i] * x[0])\n",
    HEAD "    b = x[1:5]\n    c = b[::2]\n    y[i] = b[i] * c[1]\n",
    HEAD "    v = wp.vec4d()\n    v[1] = x[1]\n    v[2] = x[2]\n    v[3] = x[i]\n    w = v[1:3]\n  "
         "  v[0:2] = w\n"
         "    y[i] = w[0] * v[0] * v[3] * v[1]\n",
    HEAD "    t = x[i]\n    grow(t, x[1])\n    y[i] = t * t\n",
    HEAD "    t = x[i] if x[i] < x[1] else x[2] * x[i]\n    y[i] = -t + wp.float64(int(t))\n",
    HEAD "    a = wp.zeros(shape=(3,), dtype=wp.float64)\n    a[0] = x[i]\n    a[1] = a[0] * x[1]\n"
         "    y[i] = a[1] * a[0] + a[2]\n",
    HEAD
    "    t = wp.transformd()\n    wp.transform_set_translation(t, wp.vec3d(x[i], x[1], x[2]))\n"
    "    wp.transform_set_rotation(t, wp.quatd(x[2], x[i], x[0], x[1]))\n    t.p += t.p\n"
    "    y[i] = t.p[0] * t.p[1] * t.q[1] + t[5]\n",
    HEAD "    axis = wp.vec3d()\n    angle = wp.float64(0.0)\n"
         "    wp.quat_to_axis_angle(wp.quatd(x[i], x[1], x[2], F(0.5)), axis, angle)\n"
         "    y[i] = axis[0] * axis[1] * angle\n",
    HEAD "    m = wp.mat22d(x[i], x[1], x[2], x[3])\n    v = m * wp.vec2d(x[0], x[4])\n"
         "    y[i] = wp.dot(v, m[1]) + wp.determinant(m)\n",
    HEAD
    "    q = wp.quat_from_axis_angle(wp.vec3d(x[0], x[1], x[2]), x[i])\n"
    "    v = wp.quat_rotate(q, wp.normalize(wp.vec3d(x[3], x[i], x[1])))\n"
    "    y[i] = v[0] * v.y + wp.sin(x[i]) * wp.exp(x[1]) + wp.where(x[i] > x[1], x[2], x[3])\n",
    HEAD
    "    a, b = x[i] * x[2], x[1] * x[3]\n    for j in range(i + 2):\n        a, b = b, a + b\n"
    "    y[i] = a * b\n",
    HEAD
    "    a = x[i] * F(2.0)\n    b = x[1] * F(1.0)\n    for j in range(i + 2):\n"
    "        a, b = b, a * b\n        if a < b:\n            a, b = b, a\n    y[i] = a - b * b\n",
    HEAD "    y[i] = x[i]\n    y[i] += x[i] * x[1]\n    y[i] -= x[2]\n    y[i] *= x[3]\n",
};

typedef struct fixture {
    pipeline p;
    interp *in;
    const kernel *kernel;
    double x[SIZE], dx[SIZE], y[SIZE], dy[SIZE];
    const char *source;
    bool wants_kink;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    const pipeline_options o = {0};
    *state = &f;
    return pipeline_init(&f.p, &o) ? 0 : 1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((fixture *)*state)->p);
    return 0;
}

static array_view view_of(fixture *f, array_data *data, double *items)
{
    *data = (array_data){.name = "x", .bytes = (uint8_t *)items, .size = SIZE * sizeof *items};
    return (array_view){.data = data,
                        .elem = type_scalar(&f->p.c, TYPE_FLOAT64),
                        .ndim = 1,
                        .shape = {SIZE},
                        .strides = {sizeof *items}};
}

static void launch(fixture *f, bool dual)
{
    double *items[] = {f->x, f->y, f->dx, f->dy};
    array_data data[4];
    array_view views[4];
    rvalue args[4];
    const type *t = type_array(&f->p.c, ARRAY_PLAIN, type_scalar(&f->p.c, TYPE_FLOAT64), 1);
    for (int i = 0; i < 4; i++) {
        views[i] = view_of(f, &data[i], items[i]);
        args[i] = (rvalue){.type = t, .array = &views[i]};
    }
    const interp_launch l = {.kernel = f->kernel,
                             .args = args,
                             .tangents = dual ? args + 2 : NULL,
                             .ndim = 1,
                             .dim = {THREADS},
                             .fuel = 10000};
    strbuf error;
    sb_init(&error, &f->p.c.mem);
    for (int i = 0; i < SIZE; i++)
        f->y[i] = f->dy[i] = 0;
    if (!interp_launch_run(f->in, &l, &error))
        fail_msg("%s\n%s", f->source, sb_cstr(&error));
    sb_clear(&error);
}

static void check_differences(fixture *f)
{
    double start[SIZE], low[SIZE], rate[SIZE];
    const double h = 1e-6;
    for (int i = 0; i < SIZE; i++) {
        start[i] = f->x[i] = 0.3 + 0.21 * i - 0.02 * i * i;
        f->dx[i] = 0.7 - 0.3 * i + 0.05 * i * i;
    }
    launch(f, true);
    for (int i = 0; i < SIZE; i++) {
        rate[i] = f->dy[i];
        f->x[i] = start[i] - h * f->dx[i];
    }
    launch(f, false);
    for (int i = 0; i < SIZE; i++) {
        low[i] = f->y[i];
        f->x[i] = start[i] + h * f->dx[i];
    }
    launch(f, false);
    double size = 0;
    for (int i = 0; i < SIZE; i++) {
        const double slope = (f->y[i] - low[i]) / (2 * h);
        size += fabs(slope);
        if (fabs(slope - rate[i]) > 1e-6 * (1 + fabs(slope)))
            fail_msg("%s\ny[%d]: tangent %g, difference %g", f->source, i, rate[i], slope);
    }
    if (size == 0)
        fail_msg("%s\nnothing depends on x", f->source);
}

static void prepare_and_check(void *arg)
{
    fixture *f = arg;
    uint32_t n;
    const program *p = pipeline_load_text(&f->p, "k.py", str_c(f->source));
    assert_non_null(p);
    f->kernel = program_kernels(p, &n)[0];
    pipeline_lower(&f->p, p, f->kernel);
    if (f->p.c.diags.n)
        fail_msg("%s\n%s", f->source, f->p.c.diags.v[0].text);
    f->in = interp_new(&f->p.c, f->kernel);
    check_differences(f);
    check_differences(f); /* a launch leaves nothing behind */
    pipeline_reset(&f->p);
}

static void test_tangents_are_the_differences_of_values(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        f->source = kernels[i];
        assert_true(mem_try(&f->p.c.mem, prepare_and_check, f));
    }
}

/* Kernels at a point without derivative, and the same beside it. */
static const char *const ties[] = {
    HEAD "    y[i] = wp.min(x[i], x[i + 1])\n",
    HEAD "    y[i] = wp.abs(x[i] - x[i + 1])\n",
    HEAD "    if x[i] <= x[i + 1]:\n        y[i] = x[i]\n",
    HEAD "    wp.atomic_max(y, 0, x[i])\n",
};

static const char *const smooth[] = {
    HEAD "    y[i] = wp.min(x[i], x[i] + F(1.0)) + wp.abs(x[i] + F(9.0))\n",
    HEAD "    if x[i] < x[i] + F(1.0) and i == i:\n        y[i] = x[i]\n",
};

static void check_kink(void *arg)
{
    fixture *f = arg;
    uint32_t n;
    const program *p = pipeline_load_text(&f->p, "k.py", str_c(f->source));
    f->kernel = program_kernels(p, &n)[0];
    f->in = interp_new(&f->p.c, f->kernel);
    for (int i = 0; i < SIZE; i++) {
        f->x[i] = 0.5;
        f->dx[i] = i;
    }
    launch(f, true);
    if (interp_met_kink(f->in) != f->wants_kink)
        fail_msg("%s\nis %s", f->source, f->wants_kink ? "taken for smooth" : "taken for a kink");
    pipeline_reset(&f->p);
}

static void test_points_without_derivative_are_told(void **state)
{
    fixture *f = *state;
    f->wants_kink = true;
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        f->source = ties[i];
        assert_true(mem_try(&f->p.c.mem, check_kink, f));
    }
    f->wants_kink = false;
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        f->source = smooth[i];
        assert_true(mem_try(&f->p.c.mem, check_kink, f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_without_derivative_are_told),
        cmocka_unit_test(test_tangents_are_the_differences_of_values),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
