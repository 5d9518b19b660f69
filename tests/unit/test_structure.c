/* SPDX-License-Identifier: Apache-2.0 */
/* Fingerprints of kernels: what does not count leaves them alone, what counts changes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "similar/structure.h"
#include "syntax/parser.h"
#include "types/type.h"

typedef struct fixture {
    ctx c;
    sym_mark names; /* those that stay from module to module */
    structurer *s;
} fixture;

static void build(void *arg)
{
    fixture *f = arg;
    ctx_init(&f->c);
    types_init(&f->c);
    f->names = sym_save(&f->c.syms);
    f->s = structurer_new(&f->c);
}

static int set_up(void **state)
{
    static fixture f;
    mem_init(&f.c.mem);
    *state = &f;
    return mem_try(&f.c.mem, build, &f) ? 0 : 1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ctx_clear(&f->c);
    return 0;
}

enum { KERNELS_MAX = 8 };

typedef struct found {
    structure v[KERNELS_MAX];
    uint32_t n;
} found;

static void keep(void *arg, const structure *s)
{
    found *f = arg;
    assert_true(f->n < KERNELS_MAX);
    f->v[f->n++] = *s;
}

typedef struct reading {
    fixture *f;
    const char *text;
    found out;
} reading;

static void read_inner(void *arg)
{
    reading *r = arg;
    source src = {.path = "k.py", .text = str_c(r->text)};
    const ast_Module *m = parse_module(&r->f->c, &src);
    assert_non_null(m);
    structure_each(r->f->s, m, keep, &r->out);
    ctx_reset_module(&r->f->c);
    sym_restore(&r->f->c.syms, r->f->names);
}

static found structures(fixture *f, const char *text)
{
    reading r = {f, text, {.n = 0}};
    assert_true(mem_try(&f->c.mem, read_inner, &r));
    return r.out;
}

static structure of(fixture *f, const char *text)
{
    const found out = structures(f, text);
    assert_int_equal(out.n, 1);
    return out.v[0];
}

static const char base[] =
    "import warp as wp\n"
    "\n"
    "K = wp.constant(2.5)\n"
    "\n"
    "@wp.struct\n"
    "class P:\n"
    "    x: wp.vec3\n"
    "    m: float\n"
    "\n"
    "@wp.func\n"
    "def half(v: float):\n"
    "    return v * 0.5\n"
    "\n"
    "@wp.kernel\n"
    "def k(ps: wp.array(dtype=P), out: wp.array(dtype=float, ndim=2), n: int):\n"
    "    i = wp.tid()\n"
    "    p = ps[i]\n"
    "    if i < n:\n"
    "        out[i, 0] = half(p.m) + wp.sin(p.x[1]) * K\n";

/* Other names, other literals, comments, other spellings of the types. */
static const char same[] =
    "\"\"\"What this is.\"\"\"\n"
    "import numpy as np\n"
    "import warp\n"
    "from warp import sin, tid\n"
    "\n"
    "warp.init()\n"
    "unused = 3\n"
    "real = warp.float32\n"
    "FACTOR = warp.constant(-7.0)  # a factor\n"
    "\n"
    "@warp.func\n"
    "def halve(value: real):\n"
    "    '''Half of it.'''\n"
    "    return value * -3.25\n"
    "\n"
    "@warp.struct\n"
    "class Particle:\n"
    "    '''One.'''\n"
    "    position: warp.types.vector(length=3, dtype=real)\n"
    "    mass: warp.float32\n"
    "\n"
    "@warp.kernel\n"
    "def step(parts: warp.array[Particle], result: warp.array2d(dtype=real), count: warp.int32):\n"
    "    \"\"\"Steps.\"\"\"\n"
    "    index = tid()\n"
    "    # the particle\n"
    "    particle = parts[index]\n"
    "    if (index < count):\n"
    "        result[index, 7] = halve(particle.mass) + sin(particle.position[0]) * FACTOR\n";

static void expect_same(fixture *f, const char *a, const char *b)
{
    const structure x = of(f, a), y = of(f, b);
    assert_true(fingerprint_eq(x.structure, y.structure));
    assert_true(fingerprint_eq(x.family, y.family));
}

static void expect_different(fixture *f, const char *a, const char *b, bool same_family)
{
    const structure x = of(f, a), y = of(f, b);
    assert_false(fingerprint_eq(x.structure, y.structure));
    assert_int_equal(fingerprint_eq(x.family, y.family), same_family);
}

static void what_does_not_count(void **state)
{
    expect_same(*state, base, same);
}

/* `base` with one place changed. */
static const char *changed(char *out, const char *from, const char *to)
{
    const char *at = strstr(base, from);
    assert_non_null(at);
    const size_t before = (size_t)(at - base), n = strlen(to);
    memcpy(out, base, before);
    memcpy(out + before, to, n);
    memcpy(out + before + n, at + strlen(from), strlen(at + strlen(from)) + 1);
    return out;
}

static void what_counts(void **state)
{
    static const struct {
        const char *from, *to;
        bool same_family;
    } changes[] = {
        {"half(p.m) +", "half(p.m) -", true},
        {"v * 0.5", "v / 0.5", true},
        {"i < n", "i <= n", true},
        {"wp.sin", "wp.cos", true},
        {"v: float", "v: wp.float64", true},
        {"n: int", "n: wp.uint8", true},
        {"wp.vec3", "wp.vec4", true},
        {"wp.vec3", "wp.mat33", true},
        {"ndim=2", "ndim=3", true},
        {"half(p.m) + wp.sin(p.x[1]) * K", "wp.sin(p.x[1]) * K + half(p.m)", false},
        {"half(p.m)", "half(half(p.m))", false},
        {"* K", "* 2.5", false},
        {"* K", "* p.m", false},
        {"p.x[1]", "p.m", false},
        {"wp.constant(2.5)", "wp.constant(2)", true},
        {"    m: float\n", "    m: float\n    z: float\n", false},
        {"if i < n", "while i < n", false},
        {"    i = wp.tid()\n", "    i = wp.tid()\n    i += 1\n", false},
        {", n: int", ", n: int, q: int", false},
    };
    char text[2048];
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        expect_different(*state, base, changed(text, changes[i].from, changes[i].to),
                         changes[i].same_family);
}

#define KERNEL(parameters, body)                                                                   \
    "import warp as wp\n@wp.kernel\ndef k(" parameters "):\n    " body "\n"

static void types_have_one_spelling(void **state)
{
    static const char *const groups[][5] = {
        {"wp.array(dtype=wp.vec3)", "wp.array[wp.vec3f]", "wp.array1d(dtype=wp.vec3f)",
         "wp.array(dtype=wp.types.vector(3, float))", "wp.array(dtype=wp.vec3, ndim=1)"},
        {"wp.array2d[int]", "wp.array(dtype=int, ndim=2)", "wp.array(ndim=2, dtype=wp.int32)",
         "wp.array2d(dtype=int)", "wp.types.array2d[wp.int32]"},
        {"wp.mat22", "wp.mat22f", "wp.types.matrix(shape=(2, 2), dtype=float)",
         "wp.types.matrix((2, 2), wp.float32)", "wp.types.mat22f"},
        {"wp.quat", "wp.quatf", "wp.types.quatf", "wp.types.quat", "wp.quatf"},
        {"wp.int64", "wp.types.int64", "wp.int64", "wp.int64", "wp.int64"},
    };
    enum { GROUPS = sizeof groups / sizeof *groups };
    fingerprint first[GROUPS];
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < 5; i++) {
            char text[256] = KERNEL("a: ", "");
            char *at = strstr(text, "a: ") + 3;
            strcpy(at, groups[g][i]);
            strcat(at, "):\n    pass\n");
            const structure s = of(*state, text);
            if (!i)
                first[g] = s.structure;
            assert_true(fingerprint_eq(s.structure, first[g]));
            for (int h = 0; h < g; h++)
                assert_false(fingerprint_eq(s.structure, first[h]));
        }
}

static void literals_of_other_types_are_one_family(void **state)
{
    expect_different(*state, KERNEL("a: wp.array(dtype=float)", "a[0] = a[1] * 0.5 + float(1.0)"),
                     KERNEL("a: wp.array(dtype=wp.float64)",
                            "a[0] = a[1] * wp.float64(0.25) + wp.float64(-1.0)"),
                     true);
    expect_different(*state, KERNEL("a: wp.array(dtype=int)", "a[0] = 1"),
                     KERNEL("a: wp.array(dtype=int)", "a[0] = 1.0"), true);
    expect_same(*state, KERNEL("a: wp.array(dtype=int)", "a[0] = -1"),
                KERNEL("a: wp.array(dtype=int)", "a[0] = 1"));
    expect_same(*state, KERNEL("a: wp.array(dtype=int)", "a[0] = max(a[1], a[2])"),
                KERNEL("a: wp.array(dtype=int)", "a[0] = wp.max(a[1], a[2])"));
}

/* Kernels that sema refuses, that stand in functions, or in a file without imports. */
static void any_file(void **state)
{
    fixture *f = *state;
    const found nested = structures(f, "import warp as wp\n"
                                       "def make(t, op):\n"
                                       "    @wp.func\n"
                                       "    def g(x: t):\n"
                                       "        return op(x)\n"
                                       "    @wp.kernel(enable_backward=False)\n"
                                       "    def k(a: wp.array(dtype=t)):\n"
                                       "        a[0] = g(a[1])\n"
                                       "    return k\n"
                                       "def other(kind, f):\n"
                                       "    if kind:\n"
                                       "        @wp.func\n"
                                       "        def h(y: kind):\n"
                                       "            return f(y)\n"
                                       "        @wp.kernel(enable_backward=True)\n"
                                       "        def q(b: wp.array(dtype=kind)):\n"
                                       "            b[4] = h(b[5])\n"
                                       "@wp.kernel\n"
                                       "def k(a: wp.array(dtype=t)):\n"
                                       "    a[0] = g(a[1])\n");
    assert_int_equal(nested.n, 3);
    assert_true(fingerprint_eq(nested.v[0].structure, nested.v[1].structure));
    assert_false(fingerprint_eq(nested.v[0].structure, nested.v[2].structure));
    assert_int_equal(structures(f, "").n, 0);
    assert_int_equal(structures(f, "def f():\n    pass\nkernel = 3\n").n, 0);
    of(f, "@wp.kernel\ndef k(a):\n    return [x for x in a if y] + undefined(**a)\n");
    of(f,
       "A = B\nB = A\nclass C(C):\n    c: C\n@wp.kernel\ndef k(a: A, c: C):\n    c.c.c.c = k(B)\n");
    of(f,
       "from warp import *\n@kernel\ndef k(a: array(dtype=float)):\n    global z\n    a[0] = z\n");
    expect_same(f, "@wp.kernel\ndef k(a: float):\n    pass\n", KERNEL("b: wp.float32", "pass"));
}

static void hexadecimal(void **state)
{
    (void)state;
    const fingerprint f = {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
    fingerprint g;
    char hex[FINGERPRINT_HEX];
    fingerprint_hex(f, hex);
    assert_memory_equal(hex, "0123456789abcdeffedcba9876543210", FINGERPRINT_HEX);
    assert_true(fingerprint_read((str){hex, FINGERPRINT_HEX}, &g));
    assert_true(fingerprint_eq(f, g));
    assert_false(fingerprint_read((str){hex, FINGERPRINT_HEX - 1}, &g));
    hex[3] = 'A';
    assert_false(fingerprint_read((str){hex, FINGERPRINT_HEX}, &g));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_count),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(types_have_one_spelling),
        cmocka_unit_test(literals_of_other_types_are_one_family),
        cmocka_unit_test(any_file),
        cmocka_unit_test(hexadecimal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
