/* SPDX-License-Identifier: Apache-2.0 */
/* Determinants and inverses of matrices of 2 to 4 rows, and transformations of points and vectors
 * by a matrix: the table of forms. The functions are in body_square.h. Only floats have them.
 * approx_inverse and inverse_approx are exact on the CPU, hence the same rows as inverse.
 *
 *     "inverse" (mat33f)                  ->  inverse3_f32; tangent inverse_f32_d, adj_inverse_f32
 *     "determinant" (mat44d)              ->  determinant4_f64, result float64
 *     "transform_point" (mat44f, vec3f)   ->  mat_point_f32, result vec3f
 *     "inverse" (mat55f)                  ->  no form: Warp has none, either
 *
 * First what the 4x4 case needs: the order of its terms, and the type that Warp computes in. */
#include "arith/linear.h"

/* A 3x3 cofactor of a 4x4 matrix is x[row[0]] * y[minor[0]] - x[row[1]] * y[minor[1]], plus or
 * minus x[row[2]] * y[minor[2]]: x is the other column of its half, y are the 2x2 minors of the
 * other half for rows 01 02 03 12 13 23. Warp writes all 16 out (mat.h, inverse_impl); the first
 * entry below is its z01, with x the elements of column 0:
 *
 *     z01 = x20 * y13 - x30 * y12 - x10 * y23;
 */
typedef struct cofactor_terms {
    uint8_t row[3], minor[3];
    bool plus;
} cofactor_terms;

/* For odd columns, then for even ones; by the row that is left out. */
static const cofactor_terms cofactor_order[2][4] = {
    {{{2, 3, 1}, {4, 3, 5}, false},
     {{0, 2, 3}, {5, 2, 1}, true},
     {{1, 3, 0}, {2, 0, 4}, false},
     {{0, 1, 2}, {3, 1, 0}, true}},
    {{{1, 2, 3}, {5, 4, 3}, true},
     {{2, 3, 0}, {2, 1, 5}, false},
     {{0, 1, 3}, {4, 2, 0}, true},
     {{1, 2, 0}, {1, 0, 3}, false}},
};

/* wide_KIND: what C++ computes with where Warp multiplies the kind by a double: a double, but for
 * 16-bit floats again the kind (builtin.h, operator*). */
typedef float wide_f16, wide_bf16;
typedef double wide_f32, wide_f64;

/* mixed_KIND: a number of the kind times a double, in the type wide_KIND. wide_round_KIND: a sum of
 * such products, rounded as C++ rounds that type. */
static inline float mixed_f16(float a, double x)
{
    return rounded_f16((float)((double)a * x));
}

/* Warp's operator* for bfloat16 makes a float of the double first; that of float16 does not. */
static inline float mixed_bf16(float a, double x)
{
    return rounded_bf16(a * (float)x);
}

static inline double mixed_f32(float a, double x)
{
    return (double)a * x;
}

static inline double mixed_f64(double a, double x)
{
    return a * x;
}

static inline float wide_round_f16(float x)
{
    return rounded_f16(x);
}

static inline float wide_round_bf16(float x)
{
    return rounded_bf16(x);
}

static inline double wide_round_f32(double x)
{
    return x;
}

static inline double wide_round_f64(double x)
{
    return x;
}

#define ARITH_BODY "arith/body_square.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY

/* The columns are those of linear_lanes.c. An inverse has one tangent and one adjoint for all
 * sizes: both work on the result and read its size from param[0]. */
const linear_form linear_square[] = {
    {"approx_inverse", match_square2, {LINEAR_FLOATS_BY(inverse2, inverse, adj_inverse)}, false},
    {"approx_inverse", match_square3, {LINEAR_FLOATS_BY(inverse3, inverse, adj_inverse)}, false},
    {"approx_inverse", match_square4, {LINEAR_FLOATS_BY(inverse4, inverse, adj_inverse)}, false},
    {"inverse_approx", match_square2, {LINEAR_FLOATS_BY(inverse2, inverse, adj_inverse)}, false},
    {"inverse_approx", match_square3, {LINEAR_FLOATS_BY(inverse3, inverse, adj_inverse)}, false},
    {"inverse_approx", match_square4, {LINEAR_FLOATS_BY(inverse4, inverse, adj_inverse)}, false},
    {"determinant", match_volume2, {LINEAR_FLOATS(determinant2, adj_determinant2)}, false},
    {"determinant", match_volume3, {LINEAR_FLOATS(determinant3, adj_determinant3)}, false},
    {"determinant", match_volume4, {LINEAR_FLOATS(determinant4, adj_determinant4)}, false},
    {"inverse", match_square2, {LINEAR_FLOATS_BY(inverse2, inverse, adj_inverse)}, false},
    {"inverse", match_square3, {LINEAR_FLOATS_BY(inverse3, inverse, adj_inverse)}, false},
    {"inverse", match_square4, {LINEAR_FLOATS_BY(inverse4, inverse, adj_inverse)}, false},
    {"transform_point", match_point, {LINEAR_FLOATS(mat_point, adj_mat_point)}, false},
    {"transform_vector", match_point, {LINEAR_FLOATS(mat_vector, adj_mat_vector)}, false},
    {0},
};
