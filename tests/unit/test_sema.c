/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluator of modules: what names stand for, native names as warp-lang 1.19.0 gives them
 * (measured on the same text), kernels, and what must not hang or crash it. */
#include "type_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sema/sema.h"

typedef struct fixture {
    ctx c; /* first: end_context */
    program *p;
} fixture;

static int setup(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    *state = &f;
    return 0;
}

static void load(fixture *f, const char *text)
{
    ctx_reset_module(&f->c);
    types_reset(&f->c);
    f->p = program_load_text(&f->c, "m.py", str_c(text), &(program_options){0});
    assert_non_null(f->p);
}

/* The value of a Python expression after the module has run. */
static value eval(fixture *f, const char *expression)
{
    char text[512];
    snprintf(text, sizeof text,
             "import warp as wp\nimport math\nfrom typing import Any\nv = %s\n@wp.kernel\ndef k(): "
             "pass\n",
             expression);
    load(f, text);
    uint32_t n;
    const kernel *const *k = program_kernels(f->p, &n);
    value v;
    assert_true(env_lookup(k[0]->code.env, sym_c(&f->c.syms, "v"), &v));
    return v;
}

static void expect_int(fixture *f, const char *expression, int64_t want)
{
    value v = eval(f, expression);
    assert_int_equal(v.kind, VALUE_INT);
    assert_int_equal((int64_t)v.i, want);
}

static void expect_unknown(fixture *f, const char *expression)
{
    value v = eval(f, expression);
    assert_int_equal(v.kind, VALUE_UNKNOWN);
    assert_non_null(v.why);
}

static const kernel *only_kernel(fixture *f)
{
    uint32_t n;
    const kernel *const *k = program_kernels(f->p, &n);
    assert_int_equal(n, 1);
    return k[0];
}

static value lookup(fixture *f, const char *name)
{
    uint32_t n;
    const kernel *const *k = program_kernels(f->p, &n);
    value v;
    assert_true(n > 0);
    assert_true(env_lookup(k[n - 1]->code.env, sym_c(&f->c.syms, name), &v));
    return v;
}

static void test_expressions(void **state)
{
    fixture *f = *state;
    expect_int(f, "-7 // 3", -3);
    expect_int(f, "-7 % 3", 2);
    expect_int(f, "2 ** 40", (int64_t)1 << 40);
    expect_int(f, "sum([i * i for i in range(5) if i % 2])", 10);
    expect_int(f, "{'a': 1, **{'b': 2}}['b']", 2);
    expect_int(f, "len((1, 2, *[3, 4])[1:-1])", 2);
    expect_int(f, "max(min(3, 5), int('2'))", 3);
    expect_int(f, "(lambda a, b=4, *c, d=1: a + b + d + len(c))(1, 2, 3, d=10)", 14);
    expect_int(f, "math.floor(2.7) if 'x' in 'xyz' and not None else 0", 2);
    expect_int(f, "wp.constant(7)", 7);
    expect_unknown(f, "1 // 0");
    expect_unknown(f, "2 ** 1000");
    expect_unknown(f, "undefined_name + 1");
    expect_unknown(f, "[1] * 10 ** 12");
}

static void test_types(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *expression, *cname;
    } rows[] = {
        {"wp.vec3", "wp::vec_t<3, wp::float32>"},
        {"wp.types.vector(length=5, dtype=wp.float64)", "wp::vec_t<5, wp::float64>"},
        {"wp.types.matrix((2, 3), int)", "wp::mat_t<2, 3, wp::int32>"},
        {"wp.array(dtype=wp.vec3, ndim=2)", "wp::array_t<wp::vec_t<3, wp::float32>>"},
        {"wp.array2d[float]", "wp::array_t<wp::float32>"},
        {"wp.indexedarray(dtype=int)", "wp::indexedarray_t<wp::int32>"},
        {"wp.ref[wp.mat22]", "wp::mat_t<2, 2, wp::float32>*"},
        {"wp.array(dtype=wp.mat33).dtype", "wp::mat_t<3, 3, wp::float32>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        value v = eval(f, rows[i].expression);
        assert_int_equal(v.kind, VALUE_TYPE);
        assert_text(v.type->cname, rows[i].cname);
    }
    assert_ptr_equal(eval(f, "wp.mat33d").type, type_named(&f->c, "mat33d"));
    assert_int_equal(eval(f, "wp.array(dtype=float, ndim=3)").type->ndim, 3);
    assert_true(eval(f, "wp.array[Any]").type->generic);
    expect_unknown(f, "wp.array([1.0, 2.0], dtype=float)");
}

static void test_composites(void **state)
{
    fixture *f = *state;
    value v = eval(f, "(wp.vec3(1.0, 2.0, 3.0) * 2.0 + wp.vec3(1.0))");
    assert_int_equal(v.kind, VALUE_COMPOSITE);
    assert_true(v.elems[0] == 3.0 && v.elems[1] == 5.0 && v.elems[2] == 7.0);
    v = eval(f, "wp.mat22(1, 2, 3, 4)[1, 0]");
    assert_true(v.kind == VALUE_FLOAT && v.f == 3.0);
    v = eval(f, "wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat_identity()).q.w");
    assert_true(v.kind == VALUE_FLOAT && v.f == 1.0);
}

static void test_imports(void **state)
{
    fixture *f = *state;
    load(f, "import warp\nfrom warp import vec3 as v3, kernel, config\nimport warp.types as wt\n"
            "import warp.optim\nimport nowhere\n"
            "@kernel\ndef k(a: v3, b: warp.float64, c: wt.vector(2, int)): pass\n");
    const kernel *k = only_kernel(f);
    assert_text(k->code.params[0].type->cname, "wp::vec_t<3, wp::float32>");
    assert_text(k->code.params[1].type->cname, "wp::float64");
    assert_text(k->code.params[2].type->cname, "wp::vec_t<2, wp::int32>");
    assert_int_equal(lookup(f, "nowhere").kind, VALUE_UNKNOWN);
}

static void test_struct_names(void **state)
{
    fixture *f = *state;
    load(f,
         "import warp as wp\n"
         "@wp.struct\nclass Inner:\n    v: wp.vec3\n"
         "@wp.struct\nclass Outer:\n    a: wp.array(dtype=float)\n    n: int\n    inner: Inner\n"
         "    ms: wp.array2d(dtype=Inner)\n    m: wp.types.matrix(shape=(2, 3), dtype=wp.float64)\n"
         "class Space:\n    @wp.struct\n    class Nested:\n        flag: bool\n        q: wp.quat\n"
         "@wp.kernel\ndef k(o: Outer, n: Space.Nested): pass\n");
    const kernel *k = only_kernel(f);
    assert_text(k->code.params[0].type->st->native_name, "Outer_a5ef21aa");
    assert_text(k->code.params[1].type->st->native_name, "Space__Nested_a270c31c");
    assert_text(lookup(f, "Inner").type->st->native_name, "Inner_c5309d32");
}

static void test_overloads(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\nfrom typing import Any\n"
            "@wp.func\ndef f(x: float): return x\n"
            "@wp.func\ndef f(x: int): return x\n"
            "@wp.func\ndef f(x: Any): return x\n"
            "@wp.func\ndef f(x: float): return x + 1.0\n"
            "@wp.func\ndef norm_l1(x: float): return x\n"
            "@wp.kernel\ndef k(): pass\n");
    const func *fn = lookup(f, "f").p;
    assert_ptr_equal(fn->head, fn);
    assert_text(fn->native_name, "f_3");
    assert_text(fn->next->native_name, "f_1");
    assert_text(fn->next->next->native_name, "f_2");
    assert_true(fn->next->next->code.generic && !fn->next->code.generic);
    assert_null(fn->next->next->next);
    /* `import warp` has defined one already. */
    assert_text(((const func *)lookup(f, "norm_l1").p)->native_name, "norm_l1_1");
}

static void test_factories(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\n"
            "def make(n, dtype):\n"
            "    @wp.func\n    def g(x: dtype): return x * dtype(n)\n"
            "    @wp.kernel(enable_backward=False)\n    def k(a: wp.array(dtype=dtype)): a[0] = "
            "g(a[0])\n"
            "    return k\n"
            "k2 = make(2, float)\nk3 = make(3, wp.float64)\nk4 = make(3, wp.float64)\n");
    uint32_t n;
    const kernel *const *all = program_kernels(f->p, &n);
    value v;
    assert_int_equal(n, 2); /* the last two are the same */
    assert_text(all[0]->key, "make__locals__k");
    assert_text(all[0]->code.params[0].type->cname, "wp::array_t<wp::float32>");
    assert_true(env_lookup(all[0]->code.env, sym_c(&f->c.syms, "n"), &v) && v.i == 2);
    const kernel *k = all[1];
    assert_text(k->key, "make__locals__k");
    assert_false(k->is_static);
    assert_int_equal(k->code.options.enable_backward, 0);
    assert_text(k->code.params[0].type->cname, "wp::array_t<wp::float64>");
    assert_true(env_lookup(k->code.env, sym_c(&f->c.syms, "n"), &v) && v.i == 3);
    assert_true(env_lookup(k->code.env, sym_c(&f->c.syms, "g"), &v));
    assert_text(((const func *)v.p)->native_name, "make__locals__g_2");
}

static void test_enums_and_classes(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\nfrom enum import IntEnum, IntFlag, auto\n"
            "class Kind(IntEnum):\n    A = auto()\n    B = 7\n    C = auto()\n"
            "class Flag(IntFlag):\n    X = auto()\n    Y = auto()\n"
            "class NS:\n    N = 4\n    M = N + 1\n    @wp.kernel\n    def k(a: int): pass\n"
            "c = Kind.C\nxy = Flag.X | Flag.Y\nm = NS.M\nname = Kind(7).name\n");
    const kernel *k = only_kernel(f);
    assert_text(k->key, "NS__k");
    assert_true(k->is_static);
    assert_true(lookup(f, "c").kind == VALUE_ENUM && lookup(f, "c").i == 8);
    assert_true(lookup(f, "xy").i == 3 && lookup(f, "m").i == 5);
    assert_string_equal(lookup(f, "name").s->s, "B");
}

static void test_conditions(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\nimport nowhere\n"
            "if __name__ == '__main__':\n    x = 1\nelse:\n    x = 2\n"
            "y = 5\nif nowhere.flag:\n    y = 6\n    z = 3\n"
            "try:\n    import absent\n    has = True\nexcept ImportError:\n    has = False\n"
            "for i in range(3):\n    last = i\n"
            "@wp.kernel\ndef k(): pass\n");
    assert_int_equal((int)lookup(f, "x").i, 2);
    assert_int_equal(lookup(f, "y").kind, VALUE_UNKNOWN);
    assert_int_equal((int)lookup(f, "z").i, 3);
    assert_int_equal(lookup(f, "has").kind, VALUE_UNKNOWN);
    assert_int_equal((int)lookup(f, "last").i, 2);
}

static void test_options(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\nwp.config.max_unroll = 4\n"
            "wp.set_module_options({'enable_backward': False})\n"
            "@wp.kernel(grid_stride=True)\ndef k(): pass\n"
            "@wp.kernel(module='unique', module_options={'max_unroll': 2})\ndef u(): pass\n");
    uint32_t n;
    const kernel *const *k = program_kernels(f->p, &n);
    code_options o = module_options(f->p->main);
    assert_int_equal(n, 2);
    assert_true(o.enable_backward == 0 && o.max_unroll == 4 && o.grid_stride == -1);
    assert_int_equal(k[0]->code.options.grid_stride, 1);
    assert_int_equal(k[0]->code.options.enable_backward, -1);
    assert_int_equal(k[1]->code.options.enable_backward, 1);
    assert_int_equal(k[1]->code.options.max_unroll, 2);
}

static void test_grad_and_replay(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\n"
            "@wp.func\ndef g(x: float):\n    return x\n"
            "@wp.func_grad(g)\ndef adj_g(x: float, adj_ret: float): pass\n"
            "@wp.func_replay(g)\ndef replay_g(x: float): return x\n"
            "@wp.func_native('return x;', 'adj_x += adj_ret;')\ndef n(x: float) -> float: ...\n"
            "@wp.kernel\ndef k(): pass\n");
    const func *g = lookup(f, "g").p, *n = lookup(f, "n").p;
    assert_true(g->custom_grad && g->custom_grad->is_custom_grad);
    assert_text(g->custom_grad->native_name, "g_0");
    assert_text(g->custom_replay->native_name, "replay_g_0");
    assert_string_equal(n->snippet, "return x;");
    assert_string_equal(n->adj_snippet, "adj_x += adj_ret;");
    assert_null(n->replay_snippet);
    assert_text(n->code.returns->cname, "wp::float32");
}

static void test_statics(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\nN = 3\n"
            "@wp.kernel\ndef k(a: wp.array(dtype=float)):\n"
            "    a[0] = wp.static(float(N) * 2.0)\n"
            "    for i in range(2):\n        a[i] = wp.static(float(i))\n"
            "N = 4\n");
    const code *k = &only_kernel(f)->code;
    assert_int_equal(k->nstatics, 1);
    assert_true(k->statics[0].value.f == 6.0);
    assert_ptr_equal(code_static(k, k->statics[0].call), &k->statics[0].value);
}

static void test_errors(void **state)
{
    fixture *f = *state;
    load(f, "import warp as wp\n"
            "@wp.kernel\ndef a(x, y: float): pass\n"
            "@wp.kernel\ndef b(x: nowhere) -> float: pass\n"
            "@wp.kernel\ndef c(x: 'wp.vec3', y: \"float\") -> None: pass\n");
    uint32_t n;
    const kernel *const *k = program_kernels(f->p, &n);
    assert_int_equal(n, 3);
    assert_false(code_check(&f->c, &k[0]->code));
    assert_int_equal(f->c.diags.v[0].id, DIAG_NO_ANNOTATION);
    assert_false(code_check(&f->c, &k[1]->code));
    assert_int_equal(f->c.diags.n, 3);
    assert_int_equal(f->c.diags.v[1].id, DIAG_BAD_ANNOTATION);
    assert_int_equal(f->c.diags.v[1].at.line, 5);
    assert_int_equal(f->c.diags.v[2].id, DIAG_KERNEL_ANNOTATED);
    assert_true(code_check(&f->c, &k[2]->code));
    assert_text(k[2]->code.params[0].type->cname, "wp::vec_t<3, wp::float32>");
}

/* Python that never ends, or nests without bound, ends here. */
static void test_bounds(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {
        "while True: pass\n",
        "def f(): return f()\nx = f()\n",
        "f = lambda g: g(g)\nf(f)\n",
        "x = []\nfor i in range(10**9): x.append(x)\n",
        "x = ['a']\nwhile x: x = x + x\n",
        "s = 'a'\nwhile s: s = s + s\n",
        "d = {}\nfor i in range(99999): d[i] = d\n",
        "class A(A): pass\nclass B:\n    def __getattr__(self, n): return self.x\nB().y\n",
        "class A:\n    @property\n    def p(self): return self.p\nA().p\n",
        "import warp as wp\n@wp.func\ndef f(x: float): return f(x)\nf(1.0)\nwp.config.x.y = 3\n",
        "a = []\na.append(a)\na[0] = a\nb = [a]\nb[0] = b\nx = a == b\ny = a < b\nz = str(a)\n",
        "x = [1]\ny = [1]\nfor i in range(60):\n    x = [x, x]\n    y = [y, y]\nz = x == y\n",
        "t = (1,)\nfor i in range(90000): t = (t,)\nisinstance(1, t)\nu = t == (t,)\n",
        "from functools import partial\nf = len\nfor i in range(90000): f = partial(f)\nf()\n",
        "class A: pass\nfor i in range(90000):\n    class A(A, A): pass\nA().x\nhasattr(A, 'y')\n",
        "import warp as wp\nt = float\nfor i in range(9999): t = tuple[t, t]\nu = wp.ref[t]\n",
        "import warp as wp\nt = float\nfor i in range(9999): t = wp.array[t]\n",
        "from . import a\nfrom .. import *\nfrom warp import *\n[*1]\n{**2}\n(*x, y) = 3\ndel z\n",
        "x = 1\nx.y = 2\nx[0] = 3\n(1)[2]\n''.join(3)\n'%d' % 'a'\n'{}{'.format(1)\nf'{1:}'\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        load(f, texts[i]);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* A package of two files, imported relatively and by name. */
static void test_files(void **state)
{
    fixture *f = *state;
    char dir[] = "/tmp/weft_sema_XXXXXX", path[3][64];
    assert_non_null(mkdtemp(dir));
    snprintf(path[0], sizeof path[0], "%s/__init__.py", dir);
    snprintf(path[1], sizeof path[1], "%s/other.py", dir);
    snprintf(path[2], sizeof path[2], "%s/main.py", dir);
    write_file(path[0], "SCALE = 3\n");
    write_file(path[1], "import warp as wp\n@wp.func\ndef h(x: float): return x\nT = wp.vec2\n");
    write_file(path[2], "import warp as wp\nfrom .other import *\nfrom . import SCALE, other\n"
                        "@wp.func\ndef h2(x: float): return x\n"
                        "@wp.kernel\ndef k(t: other.T): pass\n");
    f->p = program_load(&f->c, path[2], &(program_options){0});
    assert_non_null(f->p);
    assert_text(only_kernel(f)->code.params[0].type->cname, "wp::vec_t<2, wp::float32>");
    assert_int_equal((int)lookup(f, "SCALE").i, 3);
    assert_text(((const func *)lookup(f, "h").p)->native_name, "h_0");
    for (int i = 0; i < 3; i++)
        unlink(path[i]);
    rmdir(dir);
    assert_null(program_load(&f->c, path[2], &(program_options){0}));
    assert_int_equal(f->c.diags.v[0].id, DIAG_CANNOT_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_expressions, setup, end_context),
        cmocka_unit_test_setup_teardown(test_types, setup, end_context),
        cmocka_unit_test_setup_teardown(test_composites, setup, end_context),
        cmocka_unit_test_setup_teardown(test_imports, setup, end_context),
        cmocka_unit_test_setup_teardown(test_struct_names, setup, end_context),
        cmocka_unit_test_setup_teardown(test_overloads, setup, end_context),
        cmocka_unit_test_setup_teardown(test_factories, setup, end_context),
        cmocka_unit_test_setup_teardown(test_enums_and_classes, setup, end_context),
        cmocka_unit_test_setup_teardown(test_conditions, setup, end_context),
        cmocka_unit_test_setup_teardown(test_options, setup, end_context),
        cmocka_unit_test_setup_teardown(test_grad_and_replay, setup, end_context),
        cmocka_unit_test_setup_teardown(test_statics, setup, end_context),
        cmocka_unit_test_setup_teardown(test_errors, setup, end_context),
        cmocka_unit_test_setup_teardown(test_bounds, setup, end_context),
        cmocka_unit_test_setup_teardown(test_files, setup, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
