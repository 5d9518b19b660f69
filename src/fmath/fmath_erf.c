/* The error function and its complement.
 *
 * For |x| < 6, x = a + h with a = i / 16, and erfc(a + h) = erfc(a) - 2 / sqrt(pi) e^(-a^2) s,
 * where s is the integral of e^(-2 a t - t^2) for t from 0 to h; its series is summed up. From 6 on
 * erf is 1, and from 4 on erfc is a continued fraction. */
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

enum { STEPS = 16, ERF_IS_1 = 6, SERIES_END = 4, DEPTH = 40 };

typedef struct erfc_row {
    pair at, slope; /* erfc(a), and by what factor it falls */
} erfc_row;

static const erfc_row rows[] = {
#define ROW(hi, lo, slope, slope_lo) {{hi, lo}, {slope, slope_lo}},
#include "fmath/fmath_erfc.def"
#undef ROW
};

/* s: h - a h^2 + ..., the third term and those behind it as doubles. The integrand's factors of t^n
 * follow from each other, (n + 1) g' = -2 a g - 2 g_before; here they are times h^(n + 1). */
static pair integral(double a, double h)
{
    const double end = fabs(h) * 0x1p-76;
    double before = h, g = -2 * a * h * h, rest = 0; /* times h^(n + 1) */
    for (int n = 1; fabs(before) + fabs(g) > end; n++) {
        const double next = -2 * h * (a * g + h * before) / (n + 1);
        before = g;
        g = next;
        rest += g / (n + 2);
    }
    const pair second = pair_mul_double(pair_of_product(h, h), -a);
    return pair_add(pair_add_double(second, rest), (pair){h, 0});
}

/* Of 0 <= x <= ERF_IS_1: *at is erfc(a), and erfc(x) is less by *fallen. */
static void complement(double x, pair *at, pair *fallen)
{
    const int i = (int)rint(x * STEPS);
    const double a = (double)i / STEPS;
    *at = rows[i].at;
    *fallen = pair_mul(rows[i].slope, integral(a, x - a));
}

double fmath_erf(double x)
{
    pair at, fallen;
    const double size = fabs(x);
    if (!(size < ERF_IS_1))
        return size != size ? x + x : copysign(1, x);
    if (size < 0x1p-300) /* where errors of products would be lost */
        return fmath_rounded(pair_mul_double(rows[0].slope, x * 0x1p+800), -800);
    complement(size, &at, &fallen);
    const pair rest = pair_add_double(pair_neg(at), 1);
    return copysign(fmath_rounded(pair_add(rest, fallen), 0), x);
}

/* e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + 1 / (x + (3/2) / (x + ...)))) */
static double complement_far(double x)
{
    static const pair factor = {BY_ROOT_PI_HI, BY_ROOT_PI_LO};
    int exponent;
    pair bottom = {x, 0};
    for (int n = DEPTH; n > 0; n--)
        bottom = pair_add_double(pair_div((pair){n * 0.5, 0}, bottom), x);
    const pair e = fmath_exp_pair(pair_neg(pair_of_product(x, x)), &exponent);
    return fmath_rounded(pair_div(pair_mul(e, factor), bottom), exponent);
}

double fmath_erfc(double x)
{
    pair at, fallen;
    if (!(x < SERIES_END))
        return x != x ? x + x : x > 27.3 ? 0 : complement_far(x);
    if (x < -ERF_IS_1)
        return 2;
    complement(fabs(x), &at, &fallen);
    const pair r = pair_add(at, pair_neg(fallen));
    return fmath_rounded(x < 0 ? pair_add_double(pair_neg(r), 2) : r, 0);
}
