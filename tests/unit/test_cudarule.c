/* SPDX-License-Identifier: Apache-2.0 */
/* The text of single calls (cudarule_call.h): precedence, names that a program has, adjoints that
 * are not wanted. Whether the texts mean the right thing is tests/cuda/calls_check.py's question.
 */
#include "cudarule/cudarule_call.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_template.h"
#include "cudarule/cudarule_type.h"
#include "type_fixture.h"

typedef struct fixture {
    ctx c; /* first: end_context */
    cuda_defs *defs;
    const char *taken;
} fixture;

static bool is_taken(const void *arg, str name)
{
    const fixture *f = arg;
    return f->taken && str_eq(name, str_c(f->taken));
}

static int setup(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    f.defs = cuda_defs_make(&f.c, &f.c.module, is_taken, &f);
    *state = &f;
    return 0;
}

static cuda_expr var(fixture *f, const char *name, const char *type_name)
{
    return cuda_expr_of(str_c(name), type_named(&f->c, type_name), CUDA_PRIMARY);
}

static cuda_expr call2(fixture *f, const char *name, cuda_expr a, cuda_expr b)
{
    return cuda_call(f->defs, str_c(name), NULL, (cuda_expr[]){a, b}, 2);
}

static cuda_expr call1(fixture *f, const char *name, cuda_expr a)
{
    return cuda_call(f->defs, str_c(name), NULL, &a, 1);
}

static void test_precedence(void **state)
{
    fixture *f = *state;
    const cuda_expr a = var(f, "a", "float32"), b = var(f, "b", "float32");
    const cuda_expr i = var(f, "i", "int32"), j = var(f, "j", "int32");
    const cuda_expr sum = call2(f, "add", a, b), difference = call2(f, "sub", a, b);
    assert_text(call2(f, "mul", sum, b).text, "(a + b) * b");
    assert_text(call2(f, "sub", a, difference).text, "a - (a - b)");
    assert_text(call2(f, "sub", difference, a).text, "a - b - a");
    assert_text(call1(f, "neg", call1(f, "neg", a)).text, "-(-a)");
    assert_text(call1(f, "sqrt", sum).text, "sqrtf(a + b)");
    assert_text(call2(f, "bit_or", call2(f, "bit_and", i, j), j).text, "(i & j) | j");
    assert_text(call2(f, "lshift", call2(f, "add", i, j), j).text, "(i + j) << j");
    const cuda_expr three[] = {var(f, "c", "bool"), sum, b};
    const cuda_expr chosen = cuda_call(f->defs, STR("where"), NULL, three, 3);
    assert_text(chosen.text, "c ? a + b : b");
    assert_text(call2(f, "add", chosen, b).text, "(c ? a + b : b) + b");
}

static void test_scalar_kinds(void **state)
{
    fixture *f = *state;
    const cuda_expr h = var(f, "h", "float16"), x = var(f, "x", "float64");
    const cuda_expr s = var(f, "s", "int16"), u = var(f, "u", "uint8");
    assert_text(call1(f, "sin", h).text, "__half(sinf((float)h))");
    assert_text(call1(f, "sin", x).text, "sin(x)");
    assert_text(call2(f, "add", s, s).text, "(short)(s + s)");
    assert_text(call1(f, "bit_count", u).text, "__popc(u)");
    assert_text(cuda_call(f->defs, STR("float64"), x.type, &s, 1).text, "(double)s");
    assert_text(cuda_number(f->defs, x.type, 0.5).text, "0.5");
    assert_text(cuda_number(f->defs, h.type, -2).text, "__half(-2.0f)");
    assert_text(cuda_number(f->defs, type_named(&f->c, "uint32"), 7).text, "7u");
}

static void test_elements(void **state)
{
    fixture *f = *state;
    const cuda_expr v = var(f, "v", "vec3f"), m = var(f, "m", "mat33f");
    const type *t = type_named(&f->c, "int32");
    const cuda_expr two = cuda_literal(STR("2"), t, CUDA_PRIMARY, 2);
    const cuda_expr last = cuda_literal(STR("-1"), t, CUDA_UNARY, -1);
    const cuda_expr i = var(f, "i", "int32");
    assert_text(call2(f, "extract", v, two).text, "v.z");
    assert_text(call2(f, "extract", v, last).text, "v.z");
    assert_text(call2(f, "extract", v, i).text, "component(v, i)");
    const cuda_expr args[] = {m, last, two};
    assert_text(cuda_call(f->defs, STR("extract"), NULL, args, 3).text, "m.m[2][2]");
}

static void print(fixture *f, strbuf *b)
{
    sb_init(b, &f->c.mem);
    cuda_defs_print(f->defs, b);
}

/* Definitions are there once, in order; what the program calls "dot" and "vec3" stays its own. */
static void test_definitions(void **state)
{
    fixture *f = *state;
    strbuf b;
    f->taken = "dot";
    const cuda_expr v = var(f, "v", "vec3f");
    assert_text(call2(f, "dot", v, v).text, "dot_(v, v)");
    assert_text(call1(f, "length", v).text, "length(v)");
    assert_text(call1(f, "length", v).text, "length(v)");
    print(f, &b);
    assert_text(sb_view(&b), "struct vec3 {\n"
                             "    float x, y, z;\n"
                             "};\n\n"
                             "__device__ inline float dot_(vec3 a, vec3 b)\n"
                             "{\n"
                             "    return a.x * b.x + a.y * b.y + a.z * b.z;\n"
                             "}\n\n"
                             "__device__ inline float length(vec3 a)\n"
                             "{\n"
                             "    return sqrtf(dot_(a, a));\n"
                             "}\n\n");
}

static str adjoint(fixture *f, const char *name, cuda_expr *args, uint32_t n, cuda_expr *adj,
                   cuda_expr d)
{
    cuda_codes codes = {0};
    const cuda_expr none = cuda_expr_of((str){NULL, 0}, d.type, CUDA_NO_FORM);
    assert_true(cuda_adj_call(f->defs, &codes, str_c(name), d.type, args, n, adj, &none, &d));
    strbuf b;
    sb_init(&b, &f->c.mem);
    cuda_print_codes(&b, &codes, STR(""));
    const str s = {arena_dup(&f->c.module, b.p ? b.p : "", b.n), b.n};
    sb_clear(&b);
    return s;
}

/* Statements for adjoints that nobody wants are left out, and conditions with them. */
static void test_adjoints(void **state)
{
    fixture *f = *state;
    const cuda_expr d = var(f, "adj_r", "float32");
    cuda_expr args[] = {var(f, "x", "float32"), var(f, "0.0f", "float32"),
                        var(f, "1.0f", "float32")};
    cuda_expr adj[] = {var(f, "adj_x", "float32"), var(f, "", "float32"), var(f, "", "float32")};
    assert_text(adjoint(f, "mul", args, 2, adj, d), "adj_x += 0.0f * adj_r;\n");
    assert_text(adjoint(f, "sub", args, 2, adj, d), "adj_x += adj_r;\n");
    assert_text(adjoint(f, "sqrt", args, 1, adj, d), "adj_x += 0.5f / sqrtf(x) * adj_r;\n");
    assert_text(adjoint(f, "max", args, 2, adj, d), "if (x > 0.0f) {\n    adj_x += adj_r;\n}\n");
    assert_text(adjoint(f, "clamp", args, 3, adj, d),
                "if (x >= 0.0f && x < 1.0f) {\n    adj_x += adj_r;\n}\n");
    assert_text(adjoint(f, "floor", args, 1, adj, d), "");
    cuda_expr y = var(f, "adj_y", "float32");
    cuda_expr second[] = {adj[1], y};
    assert_text(adjoint(f, "min", args, 2, second, d),
                "if (!(x < 0.0f)) {\n    adj_y += adj_r;\n}\n");
}

static void assert_piece(const cuda_piece *p, const char *text, uint32_t operand, cuda_prec least)
{
    assert_text(p->text, text);
    assert_true(p->has_hole);
    assert_int_equal(p->hole.operand, operand);
    assert_int_equal(p->hole.least, least);
}

/* da += b * pow(a, b - 1) * d: each hole asks for what stands there. */
static void test_template(void **state)
{
    fixture *f = *state;
    const type *t = type_named(&f->c, "float32");
    cuda_expr x[6];
    cuda_codes codes = {0};
    cuda_template_begin(f->defs);
    for (uint32_t i = 0; i < 6; i++) /* a, b, da, db, r, d */
        x[i] = cuda_placeholder(f->defs, i, t);
    x[3].text.n = 0; /* db is not wanted */
    assert_true(cuda_adj_call(f->defs, &codes, STR("pow"), t, x, 2, x + 2, &x[4], &x[5]));
    assert_int_equal(codes.n, 1);
    assert_int_equal(codes.v[0].to.operand, 3);
    const cuda_template *k = cuda_template_of(f->defs, &codes.v[0].e, (cuda_uses){0});
    assert_int_equal(k->n, 4);
    assert_piece(&k->v[0], "", 0, CUDA_MUL);
    assert_piece(&k->v[1], " * powf(", 1, CUDA_ASSIGN);
    assert_piece(&k->v[2], ", ", 0, CUDA_ADD);
    assert_ptr_equal(k->v[2].hole.less_one, t);
    assert_piece(&k->v[3], ") * ", 2, CUDA_UNARY);
    assert_int_equal(k->prec, CUDA_MUL);
    assert_int_equal(k->noperands, 3);
    assert_int_equal(k->operands[0], 1);
    assert_int_equal(k->operands[1], 0);
    assert_int_equal(k->operands[2], 5);
}

/* A component of a placeholder is one hole; the items of a list can be printed apart. */
static void test_template_parts(void **state)
{
    fixture *f = *state;
    const type *t = type_named(&f->c, "float32");
    cuda_template_begin(f->defs);
    const cuda_expr v = cuda_placeholder(f->defs, 7, type_named(&f->c, "vec2f"));
    const cuda_expr y = cuda_lane_of(f->defs, &v, 1);
    const cuda_expr list =
        cuda_braces(f->defs, v.type, STR("vec2"), STR(""), (cuda_expr[]){y, y}, 2);
    const cuda_template *k = cuda_template_of(f->defs, &list, (cuda_uses){0});
    assert_int_equal(k->n, 3);
    assert_piece(&k->v[0], "vec2{", 0, CUDA_POSTFIX);
    assert_int_equal(k->v[0].hole.part, 1);
    assert_text(k->v[2].text, "}");
    assert_int_equal(k->nitems, 2);
    assert_int_equal(k->items[1].n, 1);
    const cuda_expr x = cuda_placeholder(f->defs, 8, t), minus = call1(f, "neg", x);
    k = cuda_template_of(f->defs, &minus, (cuda_uses){0});
    assert_piece(&k->v[0], "-", 0, CUDA_POSTFIX);
    assert_non_null(k->negates);
    assert_piece(&k->negates->v[0], "", 0, CUDA_ASSIGN);
    assert_true(cuda_template_same(k, cuda_template_of(f->defs, &minus, (cuda_uses){0})));
    assert_false(cuda_template_same(k, k->negates));
}

/* What has no form: arrays, unknown names, types that do not fit. */
static void test_no_form(void **state)
{
    fixture *f = *state;
    const cuda_expr v = var(f, "v", "vec3f"), x = var(f, "x", "float32");
    const cuda_expr array = cuda_expr_of(
        STR("a"), type_array(&f->c, ARRAY_PLAIN, type_named(&f->c, "float32"), 1), CUDA_PRIMARY);
    assert_int_equal(call1(f, "mesh_refit", x).prec, CUDA_NO_FORM);
    assert_int_equal(call1(f, "len", array).prec, CUDA_NO_FORM);
    assert_int_equal(call2(f, "add", v, x).prec, CUDA_NO_FORM);
    assert_int_equal(call1(f, "sin", v).prec, CUDA_NO_FORM);
    assert_int_equal(cuda_type_name(f->defs, array.type).n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_precedence, setup, end_context),
        cmocka_unit_test_setup_teardown(test_scalar_kinds, setup, end_context),
        cmocka_unit_test_setup_teardown(test_elements, setup, end_context),
        cmocka_unit_test_setup_teardown(test_definitions, setup, end_context),
        cmocka_unit_test_setup_teardown(test_adjoints, setup, end_context),
        cmocka_unit_test_setup_teardown(test_template, setup, end_context),
        cmocka_unit_test_setup_teardown(test_template_parts, setup, end_context),
        cmocka_unit_test_setup_teardown(test_no_form, setup, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
