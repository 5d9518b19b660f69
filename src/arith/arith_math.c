/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions of floats (Warp 1.19 native/builtin.h): the rows are in formula_math.h. Here
 * are the functions that C's library lacks, such as erfinv, with their derivatives.
 *
 *     "sin" (float32)     op_sin_f32, from fmath, which rounds alike on every machine
 *     "sin" (float16)     op_sin_f16: computed in float32, then rounded
 *     "sin" (int32)       false: only floats have these functions
 *     erfinv(1.0)         infinity; erfinv(2.0) is NaN */
#include "arith/arith_family.h"
#include "arith/arith_formula.h"

#define DEGREES_OF_RADIAN 57.29577951308232087679
#define RADIANS_OF_DEGREE 0.01745329251994329577
#define TWO_BY_ROOT_PI    1.1283791670955125739
#define HALF_ROOT_PI      0.88622692545275801364

/* c[0] x^n + ... + c[n] */
static double polynomial(double x, const double *c, int n)
{
    WEFT_ASSERT(n >= 0);
    double r = c[0];
    for (int i = 1; i <= n; i++)
        r = r * x + c[i];
    return r;
}

/* A rational function: a numerator of degree `degree` by a denominator of degree 8, highest powers
 * first. */
typedef struct fraction {
    double numerator[9], denominator[9];
    int degree;
} fraction;

/* factor * f(x) */
static double fraction_at(const fraction *f, double x, double factor)
{
    WEFT_ASSERT(f->degree > 0 && f->degree <= 8);
    return factor * polynomial(x, f->numerator, f->degree) / polynomial(x, f->denominator, 8);
}

/* The argument at which the normal distribution function is y, 0 < y < 1: the rational functions of
 * Cephes' ndtri (S. Moshier), as Warp 1.19 native/crt.h evaluates them.
 *
 *     y 0.5      0
 *     y 0.975    1.959963984540054 */
static double normal_quantile(double y)
{
    WEFT_ASSERT(y > 0 && y < 1);
    static const fraction centre = {
        {-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
         1.39312609387279679503e1, -1.23916583867381258016e0},
        {1, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
         -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
         1.59056225126211695515e1, -1.18331621121330003142e0},
        4};
    static const fraction tail = {
        {4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
         4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
         -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4},
        {1, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
         1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
         -3.80806407691578277194e-2, -9.33259480895457427372e-4},
        8};
    static const fraction far_tail = {
        {3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
         1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
         3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9},
        {1, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
         2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
         2.89247864745380683936e-6, 6.79019408009981274425e-9},
        8};
    static const double limit = 0.13533528323661269189; /* exp(-2) */
    /* Near 1/2 an odd function of h = y - 1/2. Nearer to 0 or 1 a function of z = 1 / x, where
     * x = sqrt(-2 log(p)) and p is the distance to the end; x < 8 holds for p > exp(-32). */
    const bool upper = y > 1.0 - limit;
    const double p = upper ? 1.0 - y : y;
    if (p > limit) {
        const double h = p - 0.5, h2 = h * h;
        return (h + h * fraction_at(&centre, h2, h2)) * 2.50662827463100050242;
    }
    const double x = sqrt(-2.0 * fmath_log(p)), z = 1.0 / x;
    const double r = x - fmath_log(x) / x - fraction_at(x < 8.0 ? &tail : &far_tail, z, z);
    return upper ? r : -r;
}

/* quantile((z + 1) / 2) / sqrt(2), where quantile is that of the normal distribution; NaN outside
 * of [-1, 1].
 *
 *     inverse_erf(0.5)   0.476936...     inverse_erf(1)   infinity     inverse_erf(2)   NaN */
static double inverse_erf(double z)
{
    if (z == 0.0)
        return 0.0;
    if (!(z >= -1.0 && z <= 1.0))
        return NAN;
    const double y = (z + 1.0) / 2.0;
    if (y <= 0.0 || y >= 1.0)
        return y <= 0.0 ? -HUGE_VAL : HUGE_VAL;
    return normal_quantile(y) / sqrt(2.0);
}

/* The derivative of erfinv is sqrt(pi) / 2 exp(r^2), where r is its result. */
static num_dual erfinv_dual(num_dual x)
{
    const double r = inverse_erf(x.v);
    return chain_dual(x, r, HALF_ROOT_PI * fmath_exp(r * r));
}

/* erfcinv(x) = erfinv(1 - x). */
static num_dual erfcinv_dual(num_dual x)
{
    return erfinv_dual(sub_dual(from_dual(1), x));
}

/* x times a constant, for degrees and radians. */
static num_dual times_dual(num_dual x, double factor)
{
    return mul_dual(x, from_dual(factor));
}

/* erfinv, erfcinv, x times a constant, and c exp(power), each computed in double or with C's float
 * functions and rounded once. S is the suffix of the C functions of that precision.
 *
 * Per kind: what the bodies need beside the operations of arith_number.h. */
#define MATH_OF(KIND, S)                                                                           \
    static num_##KIND erfinv_##KIND(num_##KIND x)                                                  \
    {                                                                                              \
        return rounded_##KIND((num_##KIND)inverse_erf((double)x));                                 \
    }                                                                                              \
    static num_##KIND erfcinv_##KIND(num_##KIND x)                                                 \
    {                                                                                              \
        return rounded_##KIND((num_##KIND)inverse_erf(1.0 - (double)x));                           \
    }                                                                                              \
    static num_##KIND times_##KIND(num_##KIND x, double factor)                                    \
    {                                                                                              \
        return rounded_##KIND((num_##KIND)((double)x * factor));                                   \
    }                                                                                              \
    static num_##KIND factor_##KIND(double c, num_##KIND power)                                    \
    {                                                                                              \
        return rounded_##KIND((num_##KIND)c * fmath_exp##S(power));                                \
    }

MATH_OF(f16, f)
MATH_OF(bf16, f)
MATH_OF(f32, f)
MATH_OF(f64, )

#define ARITH_BODY "arith/formula_math.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY

#define FLOATS(body) .floats = FLOAT_FNS(op_##body)
#define FORMULA(fn, body, count, kinds, given, wrong)                                              \
    DEFINE_FORMULA(find_##fn, count, kinds(body), given, wrong)
#include "arith/formula_math.h"
#undef FORMULA

/* The rows of formula_math.h: each name with the resolver that FORMULA has defined above. */
static const arith_row rows[] = {
#define FORMULA(fn, body, count, kinds, given, wrong) {#fn, find_##fn},
#include "arith/formula_math.h"
#undef FORMULA
};

const arith_family arith_maths = {rows, sizeof rows / sizeof *rows};
