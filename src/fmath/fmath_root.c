/* The cube root, and the length of a vector of two. */
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

/* Three steps of Halley's method from a parabola's estimate, of m in [1/8, 1); then one of
 * Newton's, in pairs. */
static pair cube_root(double m)
{
    double y = 0.396 + m * (1.09 - 0.497 * m);
    for (int i = 0; i < 3; i++) {
        const double cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    const pair cube = pair_mul_double(pair_of_product(y, y), y);
    const double rest = pair_add_double(pair_neg(cube), m).hi;
    return pair_renormalize(y, rest / (3 * y * y));
}

double fmath_cbrt(double x)
{
    int e;
    if (x == 0 || !(fabs(x) < INFINITY))
        return x + x;
    const double m = frexp(fabs(x), &e);
    const int third = (e + 3000 + 2) / 3 - 1000; /* of e, rounded up */
    return copysign(fmath_rounded(cube_root(ldexp(m, e - 3 * third)), third), x);
}

double fmath_hypot(double x, double y)
{
    int e;
    const double a = fabs(x), b = fabs(y), most = a > b ? a : b;
    if (a == INFINITY || b == INFINITY)
        return INFINITY;
    if (a != a || b != b)
        return x + y;
    if (most == 0)
        return 0;
    frexp(most, &e);
    const double u = ldexp(a, -e), v = ldexp(b, -e);
    const pair sum = pair_add(pair_of_product(u, u), pair_of_product(v, v));
    return fmath_rounded(pair_sqrt(sum), e);
}
