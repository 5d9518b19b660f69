/* SPDX-License-Identifier: Apache-2.0 */
/* Types: identity, spellings, names, matching; spelling of constants. */
#include <math.h>

#include "type_fixture.h"
#include "types/value.h"

typedef struct fixture {
    ctx c; /* first: end_context */
    strbuf out;
} fixture;

#define named(f, name) type_named(&(f)->c, name)

static int setup(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    new_context(&f.c);
    sb_init(&f.out, &f.c.mem);
    *state = &f;
    return 0;
}

static void test_identity(void **state)
{
    fixture *f = *state;
    const type *f32 = type_scalar(&f->c, TYPE_FLOAT32);
    assert_ptr_equal(type_vec(&f->c, f32, 3), named(f, "vec3"));
    assert_ptr_equal(named(f, "vec3f"), named(f, "vec3"));
    assert_ptr_equal(named(f, "spatial_vector"), type_vec(&f->c, f32, 6));
    assert_ptr_not_equal(named(f, "quat"), named(f, "vec4"));
    assert_ptr_equal(named(f, "mat44d")->elem, type_scalar(&f->c, TYPE_FLOAT64));
    assert_null(named(f, "vec5"));
    assert_null(named(f, "mat22i"));
}

static void test_spellings(void **state)
{
    fixture *f = *state;
    assert_text(named(f, "vec3")->cname, "wp::vec_t<3, wp::float32>");
    assert_text(named(f, "mat22h")->cname, "wp::mat_t<2, 2, wp::float16>");
    assert_text(named(f, "transformd")->cname, "wp::transform_t<wp::float64>");
    assert_text(named(f, "bool")->cname, "bool");
    const type *arr = type_array(&f->c, ARRAY_INDEXED, named(f, "vec4ub"), 2);
    assert_text(arr->cname, "wp::indexedarray_t<wp::vec_t<4, wp::uint8>>");
    assert_text(arr->pyname, "indexedarray(ndim=2, dtype=vec4ub)");
    assert_text(type_fixed_array(&f->c, named(f, "float"), 2, 6)->cname,
                "wp::fixedarray_t<6, wp::float32>");
    assert_text(type_ref(&f->c, named(f, "quat"))->cname, "wp::quat_t<wp::float32>*");
    const type *items[] = {named(f, "int"), named(f, "vec2d")};
    assert_text(type_tuple(&f->c, items, 2)->cname,
                "wp::tuple_t<wp::int32, wp::vec_t<2, wp::float64>>");
    assert_text(named(f, "BvhQuery")->cname, "wp::bvh_query_t");
    assert_text(type_vec(&f->c, named(f, "float64"), 7)->pyname, "vector(length=7, dtype=float64)");
    int64_t shape[] = {4, 8};
    tile_layout layout = {shape, NULL, 2, false, false, false};
    assert_text(type_tile(&f->c, named(f, "float"), &layout)->cname,
                "wp::tile_register_t<wp::float32,"
                "wp::tile_layout_register_t<wp::tile_shape_t<4,8>>>");
    layout.shared = true;
    assert_text(type_tile(&f->c, named(f, "float"), &layout)->cname,
                "wp::tile_shared_t<wp::float32,wp::tile_layout_strided_t<"
                "wp::tile_shape_t<4,8>, wp::tile_stride_t<8,1>>, true>");
}

static void test_matching(void **state)
{
    fixture *f = *state;
    ctx *c = &f->c;
    const type *any_vec = type_vec(c, type_scalar(c, TYPE_FLOAT), TYPE_ANY_DIM);
    assert_true(type_matches(any_vec, named(f, "vec3")));
    assert_false(type_matches(any_vec, named(f, "vec3i")));
    assert_false(type_matches(any_vec, named(f, "quat")));
    assert_false(type_matches(type_scalar(c, TYPE_SCALAR), named(f, "bool")));
    assert_true(type_matches(type_scalar(c, TYPE_ANY), named(f, "bool")));
    const type *a1 = type_array(c, ARRAY_PLAIN, named(f, "vec3"), 1);
    const type *a2 = type_array(c, ARRAY_PLAIN, named(f, "vec3"), 2);
    const type *any1 = type_array(c, ARRAY_PLAIN, type_scalar(c, TYPE_ANY), 1);
    assert_true(type_matches(any1, a2)); /* rank does not decide between builtins */
    assert_false(type_fits(any1, a2));   /* but between user functions it does */
    assert_true(type_fits(any1, a1));
    assert_true(type_equal(a1, a2));
    assert_true(type_fits(type_array(c, ARRAY_PLAIN, named(f, "int"), 1),
                          type_fixed_array(c, named(f, "int"), 1, 9)));
    assert_ptr_equal(type_erasure_join(named(f, "_BvhQueryRay"), named(f, "_BvhQueryAabb")),
                     named(f, "BvhQuery"));
    assert_null(type_erasure_join(named(f, "BvhQuery"), named(f, "MeshQuery")));
}

static void test_slices(void **state)
{
    fixture *f = *state;
    static const struct {
        int64_t bounds[3], n, want;
    } rows[] = {
        {{SLICE_BEGIN, SLICE_END, 1}, 5, 5},
        {{1, 4, 2}, 5, 2},
        {{SLICE_BEGIN, SLICE_END, -1}, 5, 5},
        {{3, SLICE_END, 1}, 3, 0},
        {{0, 2, 0}, 3, -1},
        {{SLICE_BEGIN, 99, 1}, 4, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(type_slice_length(type_slice(&f->c, rows[i].bounds), rows[i].n),
                         rows[i].want);
}

static void test_reset(void **state)
{
    fixture *f = *state;
    uint32_t before = type_vec(&f->c, named(f, "int"), 11)->id;
    struct_def *st = ARENA_NEW(&f->c.module, struct_def);
    *st = (struct_def){.name = sym_c(&f->c.syms, "S"), .native_name = STR("S_00000000")};
    const type *s = type_array(&f->c, ARRAY_PLAIN, type_struct(&f->c, st), 1);
    assert_true(s->in_module);
    assert_text(s->cname, "wp::array_t<S_00000000>");
    ctx_reset_module(&f->c);
    types_reset(&f->c);
    assert_int_equal(type_vec(&f->c, named(f, "int"), 12)->id, before + 1);
}

static void assert_emits(fixture *f, value v, const char *want)
{
    f->out.n = 0;
    value_emit(&f->out, &v);
    assert_string_equal(sb_cstr(&f->out), want);
}

static void test_constants(void **state)
{
    fixture *f = *state;
    assert_emits(f, value_bool(true), "true");
    assert_emits(f, value_int(-7), "-7");
    assert_emits(f, value_float(1e22), "1e+22");
    assert_emits(f, value_float(-INFINITY), "-INFINITY");
    assert_emits(f, value_float(NAN), "NAN");
    value three = value_int(3), tenth = value_float(0.1), yes = value_bool(true);
    assert_emits(f, value_scalar(named(f, "float64"), &three), "3");
    assert_emits(f, value_scalar(named(f, "uint32"), &three), "3u");
    assert_emits(f, value_scalar(named(f, "int64"), &three), "3ll");
    assert_emits(f, value_scalar(named(f, "uint64"), &three), "3ull");
    assert_emits(f, value_scalar(named(f, "float16"), &tenth), "0.1");
    assert_emits(f, value_scalar(named(f, "float32"), &yes), "True");
    value str_value = {.kind = VALUE_STR, .s = sym_c(&f->c.syms, "a\n\"\xc3\xa9\t\x01")};
    assert_emits(f, str_value, "\"a\\n\"\\xe9\\t\\x01\"");
}

static void test_composite_constants(void **state)
{
    fixture *f = *state;
    double x[] = {0.1, 2, INFINITY, 1e20};
    value v = {.kind = VALUE_COMPOSITE, .type = named(f, "vec3"), .elems = x};
    assert_emits(f, v, "wp::initializer_array<3,wp::float32>{0.10000000149011612, 2.0, inf}");
    v.type = type_vec(&f->c, named(f, "float16"), 2);
    assert_emits(f, v, "wp::initializer_array<2,wp::float16>{0.0999755859375, 2.0}");
    v.type = type_vec(&f->c, named(f, "bfloat16"), 2);
    assert_emits(f, v, "wp::initializer_array<2,wp::bfloat16>{0.10009765625, 2.0}");
    int64_t i[] = {1, 0, 300};
    v = (value){.kind = VALUE_COMPOSITE, .type = named(f, "vec3ub"), .ielems = i};
    assert_emits(f, v, "wp::initializer_array<3,wp::uint8>{1, 0, 44}");
    v.type = type_vec(&f->c, named(f, "bool"), 2);
    assert_emits(f, v, "wp::initializer_array<2,bool>{true, false}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identity, setup, end_context),
        cmocka_unit_test_setup_teardown(test_spellings, setup, end_context),
        cmocka_unit_test_setup_teardown(test_matching, setup, end_context),
        cmocka_unit_test_setup_teardown(test_slices, setup, end_context),
        cmocka_unit_test_setup_teardown(test_reset, setup, end_context),
        cmocka_unit_test_setup_teardown(test_constants, setup, end_context),
        cmocka_unit_test_setup_teardown(test_composite_constants, setup, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
