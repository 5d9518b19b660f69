/* SPDX-License-Identifier: Apache-2.0 */
/* Quaternions, transformations and spatial vectors: derivatives, and what can be found. */
#include "arith_fixture.h"

typedef struct smooth_row {
    const char *name, *args;
} smooth_row;

static const smooth_row smooth_rows[] = {
    {"add", "quatd quatd"},
    {"add", "transformd transformd"},
    {"sub", "quatd quatd"},
    {"sub", "transformd transformd"},
    {"mul", "quatd quatd"},
    {"mul", "quatd float64"},
    {"mul", "float64 quatd"},
    {"mul", "transformd transformd"},
    {"mul", "transformd float64"},
    {"mul", "float64 transformd"},
    {"neg", "quatd"},
    {"neg", "transformd"},
    {"pos", "quatd"},
    {"pos", "transformd"},
    {"dot", "quatd quatd"},
    {"length_sq", "quatd"},
    {"length", "quatd"},
    {"normalize", "quatd"},
    {"lerp", "quatd quatd float64"},
    {"lerp", "transformd transformd float64"},
    {"extract", "quatd int32"},
    {"extract", "transformd int32"},
    {"assign_copy", "quatd int32 float64"},
    {"assign_copy", "transformd int64 float64"},
    {"assign_inplace", "quatd int32 float64"},
    {"assign_inplace", "transformd int32 float64"},
    {"add_inplace", "quatd int32 float64"},
    {"add_inplace", "transformd int32 float64"},
    {"sub_inplace", "quatd int32 float64"},
    {"sub_inplace", "transformd int32 float64"},
    {"quat_from_axis_angle", "vec3d float64"},
    {"quat_to_axis_angle", "quatd"},
    {"quat_from_matrix", "mat33d"},
    {"quat_from_matrix", "mat44d"},
    {"quat_rpy", "float64 float64 float64"},
    {"quat_inverse", "quatd"},
    {"quat_rotate", "quatd vec3d"},
    {"quat_rotate_inv", "quatd vec3d"},
    {"quat_slerp", "quatd quatd float64"},
    {"quat_to_matrix", "quatd"},
    {"transform_get_translation", "transformd"},
    {"transform_get_rotation", "transformd"},
    {"transform_set_translation", "transformd vec3d"},
    {"transform_set_rotation", "transformd quatd"},
    {"transform_set_translation_copy", "transformd vec3d"},
    {"transform_set_rotation_copy", "transformd quatd"},
    {"transform_add_inplace", "transformd vec3d"},
    {"transform_sub_inplace", "transformd vec3d"},
    {"transform_multiply", "transformd transformd"},
    {"transform_point", "transformd vec3d"},
    {"transform_point", "mat44d vec3d"},
    {"transform_vector", "transformd vec3d"},
    {"transform_vector", "mat44d vec3d"},
    {"transform_inverse", "transformd"},
    {"spatial_adjoint", "mat33d mat33d"},
    {"spatial_dot", "spatial_vectord spatial_vectord"},
    {"spatial_cross", "spatial_vectord spatial_vectord"},
    {"spatial_cross_dual", "spatial_vectord spatial_vectord"},
    {"spatial_top", "spatial_vectord"},
    {"spatial_bottom", "spatial_vectord"},
    {"=quatd", "float64 float64 float64 float64"},
    {"=quatd", "vec3d float64"},
    {"=quatd", "quatd"},
    {"=transformd", "vec3d quatd"},
    {"=transformd", "float64"},
    {"=transformd", "float64 float64 float64 float64 float64 float64 float64"},
    {"=spatial_vectord", "vec3d vec3d"},
};

static void test_derivatives(void **state)
{
    for (size_t i = 0; i < sizeof smooth_rows / sizeof *smooth_rows; i++)
        check_operation(*state, smooth_rows[i].name, smooth_rows[i].args, "", -1, 1);
}

static void test_quotients(void **state)
{
    check_operation(*state, "div", "quatd float64", "", 0.5, 2);
    check_operation(*state, "div", "float64 quatd", "", 0.5, 2);
    check_operation(*state, "approx_div", "quatd float64", "", 0.5, 2);
    check_operation(*state, "approx_div", "float64 quatd", "", 0.5, 2);
}

/* The place where Warp writes the results may be given as arguments. */
static void test_outputs_as_arguments(void **state)
{
    arith_fixture *f = *state;
    arith_op op, same;
    values a = {{{0.1, 0.2, 0.3, -0.4}}}, b = a;
    assert_true(find_named(f, "quat_to_axis_angle", "quatd", "", &op));
    assert_true(find_named(f, "quat_to_axis_angle", "quatd vec3d float64", "", &same));
    assert_int_equal(op.nresults, 2);
    assert_int_equal(same.nresults, 0);
    assert_int_equal(call_run(&op, &a), ARITH_OK);
    assert_int_equal(call_run(&same, &b), ARITH_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(same.differs && !op.differs);
}

static void test_results_given(void **state)
{
    arith_fixture *f = *state;
    arith_op op;
    values v = {0};
    assert_true(find_named(f, "quat_identity", "", "", &op));
    assert_int_equal(op.types[0]->elem->kind, TYPE_FLOAT32);
    assert_true(find_named(f, "transform_identity", "", "transformd", &op));
    assert_int_equal(call_run(&op, &v), ARITH_OK);
    assert_float_equal(v.lanes[0][6], 1, 0);
    assert_false(find_named(f, "quat_slerp", "quatd quatd float64", "quatf", &op));
    assert_false(find_named(f, "quat_to_matrix", "vec4d", "", &op));
    assert_false(find_named(f, "quat_rpy", "float32 float64 float64", "", &op));
    assert_false(find_named(f, "=transformd", "vec3d", "", &op));
}

static void test_elements(void **state)
{
    arith_fixture *f = *state;
    arith_op op;
    values v = {{{1, 2, 3, 4}}};
    assert_true(find_named(f, "extract", "quatd int64", "", &op));
    num_store(TYPE_INT64, (uint8_t *)v.lanes[1], (num){.i = -1});
    assert_int_equal(call_run(&op, &v), ARITH_OK);
    assert_float_equal(v.lanes[2][0], 4, 0);
    num_store(TYPE_INT64, (uint8_t *)v.lanes[1], (num){.i = 4});
    assert_int_equal(call_run(&op, &v), ARITH_OUT_OF_RANGE);
    num_store(TYPE_INT64, (uint8_t *)v.lanes[1], (num){.i = -5});
    assert_int_equal(call_run(&op, &v), ARITH_OUT_OF_RANGE);
}

/* No derivative: where a length is zero, and where a quaternion's real part changes its sign. */
static void test_kinks(void **state)
{
    arith_fixture *f = *state;
    arith_op op;
    values zero = {0}, along = {{{0.5, 0.25, 1, 1}}};
    assert_true(find_named(f, "normalize", "quatd", "", &op));
    assert_int_equal(call_two(op.tangent, &op, &zero, &along), ARITH_KINK);
    assert_true(find_named(f, "length", "quatd", "", &op));
    assert_int_equal(call_two(op.tangent, &op, &zero, &along), ARITH_KINK);
    assert_true(find_named(f, "quat_to_axis_angle", "quatd", "", &op));
    values half_turn = {{{1, 0, 0, 0}}};
    assert_int_equal(call_two(op.tangent, &op, &half_turn, &along), ARITH_KINK);
    memset(&along, 0, sizeof along);
    assert_int_equal(call_two(op.tangent, &op, &half_turn, &along), ARITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_derivatives, setup_arith, end_context),
        cmocka_unit_test_setup_teardown(test_quotients, setup_arith, end_context),
        cmocka_unit_test_setup_teardown(test_outputs_as_arguments, setup_arith, end_context),
        cmocka_unit_test_setup_teardown(test_results_given, setup_arith, end_context),
        cmocka_unit_test_setup_teardown(test_elements, setup_arith, end_context),
        cmocka_unit_test_setup_teardown(test_kinks, setup_arith, end_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
