/* SPDX-License-Identifier: Apache-2.0 */
/* Overload resolution: what rows the arguments lead to, and how the C++ call looks. Broad checks
 * against warp-lang are in tools/check_builtins.py; these are the cases that decide about design.
 */

#include "builtin/rule.h"
#include "type_fixture.h"

typedef struct fixture {
    ctx c; /* first: end_context */
    call_arg args[8];
    call_kwarg kwargs[2];
    call_request r;
    call_plan plan;
} fixture;

#define named(f, name) type_named(&(f)->c, name)

static int setup(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    *state = &f;
    return 0;
}

/* A call with variables of the named types; n counts them. */
static bool call(fixture *f, const char *name, const char *const *types, uint32_t n)
{
    f->r = (call_request){.args = f->args, .nargs = n, .kwargs = f->kwargs};
    f->r.fn = builtin_find(&f->c, sym_c(&f->c.syms, name));
    for (uint32_t i = 0; i < n; i++)
        f->args[i] = (call_arg){.kind = ARG_VAR, .type = named(f, types[i]), .var = i};
    return builtin_resolve(&f->c, &f->r, &f->plan);
}

#define CALL(f, name, ...)                                                                         \
    call(f, name, (const char *const[]){__VA_ARGS__},                                              \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void assert_refused(fixture *f, bool ok, diag_id id)
{
    assert_false(ok);
    assert_int_equal(f->c.diags.n, 1);
    assert_int_equal(f->c.diags.v[0].id, id);
    ctx_reset_module(&f->c);
}

/* What the plan calls, as text. */
static void assert_callee(fixture *f, bool adjoint, const char *wanted)
{
    strbuf b;
    sb_init(&b, &f->c.mem);
    builtin_put_callee(&b, &f->plan.callee, adjoint);
    assert_string_equal(sb_cstr(&b), wanted);
    sb_clear(&b);
}

static void test_operators(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 2; round++) { /* the second time from memory */
        assert_true(CALL(f, "mul", "mat33", "vec3"));
        assert_callee(f, false, "wp::mul");
        assert_callee(f, true, "wp::adj_mul");
        assert_ptr_equal(f->plan.result_types[0], named(f, "vec3"));
        assert_int_equal(f->plan.nargs, 2);
        assert_true(CALL(f, "div", "float", "float"));
        assert_true(f->plan.needs_output_arg);
        assert_true(CALL(f, "floordiv", "int", "int"));
        assert_false(f->plan.differentiable);
    }
    assert_refused(f, CALL(f, "add", "int", "float"), DIAG_MIXED_TYPES);
    assert_refused(f, CALL(f, "mul", "mat33", "vec2"), DIAG_SHAPE_MISMATCH);
    assert_refused(f, CALL(f, "add", "bool", "bool"), DIAG_NO_OVERLOAD);
}

static void test_references_are_stripped(void **state)
{
    fixture *f = *state;
    const type *ref = type_ref(&f->c, named(f, "vec3"));
    f->r = (call_request){.args = f->args, .nargs = 1, .at = {0}};
    f->args[0] = (call_arg){.kind = ARG_VAR, .type = ref};
    f->r.fn = builtin_find(&f->c, sym_c(&f->c.syms, "length"));
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_ptr_equal(f->plan.result_types[0], named(f, "float"));
    assert_int_equal(f->plan.args[0].kind, NATIVE_VAR);
    f->r.fn = builtin_find(&f->c, sym_c(&f->c.syms, "load"));
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_int_equal(f->plan.args[0].kind, NATIVE_REF);
}

static void test_defaults_become_constants(void **state)
{
    fixture *f = *state;
    assert_true(CALL(f, "curlnoise", "uint32", "vec3"));
    assert_int_equal(f->plan.nargs, 5);
    assert_int_equal(f->plan.args[2].kind, NATIVE_CONST);
    assert_ptr_equal(f->plan.args[2].constant.type, named(f, "uint32"));
    assert_int_equal(f->plan.args[3].constant.kind, VALUE_FLOAT);
}

static void test_keywords(void **state)
{
    fixture *f = *state;
    const char *types[] = {"uint32"};
    call(f, "randf", types, 1);
    f->r.called = sym_c(&f->c.syms, "randf");
    f->kwargs[0] = (call_kwarg){sym_c(&f->c.syms, "high"), {.kind = ARG_VAR, .var = 7}};
    f->kwargs[1] = (call_kwarg){sym_c(&f->c.syms, "low"), {.kind = ARG_VAR, .var = 5}};
    f->kwargs[0].arg.type = f->kwargs[1].arg.type = named(f, "float");
    f->r.nkwargs = 2;
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_int_equal(f->plan.nargs, 3);
    assert_int_equal(f->plan.args[1].arg.var, 5);
    assert_int_equal(f->plan.args[2].arg.var, 7);
    f->r.nkwargs = 1;
    assert_refused(f, builtin_resolve(&f->c, &f->r, &f->plan), DIAG_ARGUMENT_COUNT);
}

static void test_outputs_choose(void **state)
{
    fixture *f = *state;
    f->r = (call_request){.fn = builtin_find(&f->c, sym_c(&f->c.syms, "tid")), .min_outputs = 3};
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_callee(f, false, "builtin_tid3d");
    assert_int_equal(f->plan.nresults, 3);
    f->r.min_outputs = 5;
    assert_refused(f, builtin_resolve(&f->c, &f->r, &f->plan), DIAG_RESULT_COUNT);
}

static void test_constructors(void **state)
{
    fixture *f = *state;
    value two = value_int(2);
    f->args[0] = (call_arg){.kind = ARG_VAR, .type = named(f, "int"), .constant = &two};
    f->r = (call_request){.fn = builtin_find(&f->c, sym_c(&f->c.syms, "vector")),
                          .args = f->args,
                          .nargs = 1,
                          .constructs = named(f, "vec3d")};
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_callee(f, false, "wp::vec_t<3, wp::float64>");
    assert_callee(f, true, "wp::adj_vec_t");
    assert_int_equal(f->plan.args[0].kind, NATIVE_CONST);
    assert_ptr_equal(f->plan.args[0].constant.type, named(f, "float64"));
    f->args[0].constant = NULL;
    assert_refused(f, builtin_resolve(&f->c, &f->r, &f->plan), DIAG_CONSTRUCT_TYPE);
    f->r.constructs = NULL;
    assert_refused(f, builtin_resolve(&f->c, &f->r, &f->plan), DIAG_CONSTRUCT_UNSIZED);
}

static void test_template_arguments(void **state)
{
    fixture *f = *state;
    value shape = value_int(4), dtype = value_type(named(f, "float64"));
    f->args[0] = (call_arg){.kind = ARG_VALUE, .constant = &shape};
    f->args[1] = (call_arg){.kind = ARG_VALUE, .constant = &dtype};
    f->r = (call_request){
        .fn = builtin_find(&f->c, sym_c(&f->c.syms, "zeros")), .args = f->args, .nargs = 2};
    assert_true(builtin_resolve(&f->c, &f->r, &f->plan));
    assert_callee(f, false, "wp::fixedarray_t<4, wp::float64>");
    assert_callee(f, true, "wp::adj_fixedarray_t");
}

static void test_lengths_are_constants(void **state)
{
    fixture *f = *state;
    assert_true(CALL(f, "len", "mat44"));
    assert_int_equal(f->plan.result, RESULT_VALUES);
    assert_true(f->plan.results[0].constant.i == 4);
}

static void test_erased_queries(void **state)
{
    fixture *f = *state;
    assert_true(CALL(f, "bvh_query_next", "_BvhQueryRay", "int"));
    assert_callee(f, false, "wp::bvh_query_ray_next");
    assert_true(CALL(f, "bvh_query_next", "BvhQuery", "int"));
    assert_callee(f, false, "wp::bvh_query_next_dynamic");
    assert_true(CALL(f, "iter_next", "MeshQueryAABB"));
    assert_true(CALL(f, "where", "bool", "_BvhQueryRay", "_BvhQuerySphere"));
    assert_ptr_equal(f->plan.result_types[0], named(f, "BvhQuery"));
}

static void test_accepts_is_silent(void **state)
{
    fixture *f = *state;
    assert_true(CALL(f, "add", "float", "float"));
    assert_true(builtin_accepts(&f->c, &f->r));
    f->args[1].type = named(f, "int");
    assert_false(builtin_accepts(&f->c, &f->r));
    assert_int_equal(f->c.diags.n, 0);
}

/* Texts that are no signatures are refused, and nothing is written beside the signature. */
static void test_no_signatures(void **state)
{
    static const char many[] = "f(a: int, a: int, a: int, a: int, a: int, a: int, a: int, a: int, "
                               "a: int, a: int, a: int, a: int, a: int, a: int, a: int, a: int, "
                               "a: int)";
    static const char *const texts[] = {
        "",
        "f",
        "f(",
        "f(a",
        "f(a: ",
        "f(a: float",
        "f(a: float = ",
        "f(a: float = ,5)",
        "f(a: float = 0,5)",
        "f(a: float = uint32(x))",
        "f(a: float = unknown(1))",
        "f(a: unknown)",
        "f(a: vec[x, float])",
        "f(a: vec[99999999999999999999, float])",
        "f(a: mat[2, float])",
        "f(a: list[float])",
        "f(a: tuple[])",
        "f(a: tuple[...])",
        "f(a: tuple[int, int, int, int, int])",
        "f() -> ",
        "f() -> (int, int, int, int, int)",
        "f() -> (int",
        "f() -> int int",
        many,
    };
    fixture *f = *state;
    struct {
        signature s;
        uint8_t behind[64];
    } out;
    memset(out.behind, 7, sizeof out.behind);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (sig_parse(&f->c, texts[i], &out.s))
            fail_msg("%s", texts[i]);
    for (size_t i = 0; i < sizeof out.behind; i++)
        assert_int_equal(out.behind[i], 7);
    assert_true(
        sig_parse(&f->c, "f(a: float = -0.5, *b: Any, c: int = 3) -> (int, float)", &out.s));
    assert_int_equal(out.s.nparams, 3);
    assert_int_equal(out.s.nresults, 2);
    assert_true(out.s.params[0].default_value.f == -0.5);
    assert_true(out.s.params[2].default_value.i == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_operators, setup, end_context),
        cmocka_unit_test_setup_teardown(test_no_signatures, setup, end_context),
        cmocka_unit_test_setup_teardown(test_references_are_stripped, setup, end_context),
        cmocka_unit_test_setup_teardown(test_defaults_become_constants, setup, end_context),
        cmocka_unit_test_setup_teardown(test_keywords, setup, end_context),
        cmocka_unit_test_setup_teardown(test_outputs_choose, setup, end_context),
        cmocka_unit_test_setup_teardown(test_constructors, setup, end_context),
        cmocka_unit_test_setup_teardown(test_template_arguments, setup, end_context),
        cmocka_unit_test_setup_teardown(test_lengths_are_constants, setup, end_context),
        cmocka_unit_test_setup_teardown(test_erased_queries, setup, end_context),
        cmocka_unit_test_setup_teardown(test_accepts_is_silent, setup, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
