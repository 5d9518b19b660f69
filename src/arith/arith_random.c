/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers as warp/native/rand.h of Warp 1.19 makes them: the PCG hash and the distributions
 * computed from it, in float32. The state is the first argument and is advanced in place, so equal
 * seeds give equal numbers on every machine.
 *
 *     state = wp.rand_init(42)    1223963391
 *     wp.randf(state)             0.6485052, and state is 2785308739
 *
 * A state is also the random number: 32 bits, of which floats take the upper 24. None of the
 * functions has an adjoint in Warp. */
#include "arith/arith_family.h"

#define TWO_PI (2.0f * 3.14159265358979323846f)

/* poisson by rejection: so many candidates in a row are refused by no usable state. */
enum { POISSON_TRIES = 100000 };

/* PCG-RXS-M-XS of 32 bits: a step of a linear congruential generator, then a permutation of its
 * bits. */
uint32_t random_next(uint32_t state)
{
    const uint32_t b = state * 747796405u + 2891336453u;
    const uint32_t c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u;
    return (c >> 22) ^ c;
}

/* The next 32 random bits. */
static uint32_t draw(uint32_t *state)
{
    return *state = random_next(*state);
}

/* A number in [0, 1) from the upper 24 bits of the next state. */
static float draw_unit(uint32_t *state)
{
    return (float)(draw(state) >> 8) * (1.0f / 16777216.0f);
}

/* Warp 1.19 rand.h randf(state, min, max): the factor first, so that the rounding is the same. */
static float draw_between(uint32_t *state, float low, float high)
{
    return (high - low) * draw_unit(state) + low;
}

/* rand_init(seed): hash(seed); rand_init(seed, offset): hash(seed + hash(offset)), so that threads
 * which give their index as the offset have different sequences. */
static arith_status run_rand_init(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 1 || op->n == 2);
    const uint32_t offset = op->n == 2 ? random_next(load_u32(operands[1], 0)) : 0;
    store_u32(operands[op->n], 0, random_next(load_u32(operands[0], 0) + offset));
    return ARITH_OK;
}

/* randi and randu: the same bits. */
static arith_status run_bits(const arith_op *op, void *const *operands)
{
    (void)op;
    store_u32(operands[1], 0, draw(operands[0]));
    return ARITH_OK;
}

/* low + bits modulo (high - low); an empty range divides by zero. randi and randu: the same bits.
 *
 *     randi(state, 3, 3)   ARITH_DIVIDES_BY_ZERO; the state has advanced all the same */
static arith_status run_bits_between(const arith_op *op, void *const *operands)
{
    (void)op;
    const uint32_t low = load_u32(operands[1], 0), width = load_u32(operands[2], 0) - low;
    const uint32_t x = draw(operands[0]);
    if (!width)
        return ARITH_DIVIDES_BY_ZERO;
    store_u32(operands[3], 0, x % width + low);
    return ARITH_OK;
}

/* randf(state), from 0 to 1 without 1 */
static arith_status run_randf(const arith_op *op, void *const *operands)
{
    (void)op;
    store_f32(operands[1], 0, draw_unit(operands[0]));
    return ARITH_OK;
}

/* randf(state, low, high) */
static arith_status run_randf_between(const arith_op *op, void *const *operands)
{
    (void)op;
    const float low = load_f32(operands[1], 0), high = load_f32(operands[2], 0);
    store_f32(operands[3], 0, draw_between(operands[0], low, high));
    return ARITH_OK;
}

/* The number that was drawn is recovered from the result. */
static arith_status tangent_randf_between(const arith_op *op, void *const *operands)
{
    (void)op;
    const double low = (double)load_f32(operands[1], 0), high = (double)load_f32(operands[2], 0);
    const double d_low = (double)load_f32(operands[5], 0),
                 d_high = (double)load_f32(operands[6], 0);
    const double u = high == low ? 0 : ((double)load_f32(operands[3], 0) - low) / (high - low);
    store_f32(operands[7], 0, (float)(d_low + u * (d_high - d_low)));
    return high == low && d_high != d_low ? ARITH_KINK : ARITH_OK;
}

bool random_item(type_kind k, uint32_t *state, const void *low, const void *high, void *out)
{
    WEFT_ASSERT(k == TYPE_FLOAT32 || k == TYPE_INT32);
    if (k == TYPE_FLOAT32) {
        store_f32(out, 0,
                  low ? draw_between(state, load_f32(low, 0), load_f32(high, 0))
                      : draw_unit(state));
        return true;
    }
    const uint32_t first = low ? load_u32(low, 0) : 0;
    const uint32_t width = low ? load_u32(high, 0) - first : 0, x = draw(state);
    store_u32(out, 0, width ? x % width + first : x);
    return !low || width;
}

/* Box-Muller; the small summand keeps the logarithm finite. */
static arith_status run_randn(const arith_op *op, void *const *operands)
{
    (void)op;
    const float radius = sqrtf(-2.0f * fmath_logf(draw_unit(operands[0]) + 5.96e-8f));
    store_f32(operands[1], 0, radius * fmath_cosf(TWO_PI * draw_unit(operands[0])));
    return ARITH_OK;
}

/* A point of the unit square or cube around 0, as long as the result. */
static arith_status run_box(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->types[1]->kind == TYPE_VEC);
    for (int i = 0; i < op->types[1]->rows; i++)
        store_f32(operands[1], i, draw_unit(operands[0]) - 0.5f);
    return ARITH_OK;
}

/* Writes a point of the plane. */
static void give_polar(void *p, float radius, float angle)
{
    store_f32(p, 0, radius * fmath_cosf(angle));
    store_f32(p, 1, radius * fmath_sinf(angle));
}

/* sample_unit_ring: a point on the circle of radius 1. */
static arith_status run_ring(const arith_op *op, void *const *operands)
{
    (void)op;
    give_polar(operands[1], 1.0f, draw_between(operands[0], 0.0f, TWO_PI));
    return ARITH_OK;
}

/* The square root spreads the points evenly over the area. */
static arith_status run_disk(const arith_op *op, void *const *operands)
{
    (void)op;
    const float radius = sqrtf(draw_unit(operands[0]));
    give_polar(operands[1], radius, draw_between(operands[0], 0.0f, TWO_PI));
    return ARITH_OK;
}

/* The first two barycentric coordinates of a point spread evenly over a triangle. */
static arith_status run_triangle(const arith_op *op, void *const *operands)
{
    (void)op;
    const float r = sqrtf(draw_unit(operands[0]));
    store_f32(operands[1], 0, 1.0f - r);
    store_f32(operands[1], 1, draw_unit(operands[0]) * r);
    return ARITH_OK;
}

/* An evenly spread direction: the cosine of the polar angle is 1 - spread * u. `spread`: 2 for all
 * directions, 1 for the upper half. With `inside` a point of the ball: the cube root of a uniform
 * number as the radius spreads the points evenly over the volume. */
static void give_direction(uint32_t *state, float *out, float spread, bool inside)
{
    WEFT_ASSERT(spread == 1.0f || spread == 2.0f);
    const float phi = fmath_acosf(1.0f - spread * draw_unit(state));
    const float theta = draw_between(state, 0.0f, TWO_PI);
    const float r = inside ? fmath_powf(draw_unit(state), 1.0f / 3.0f) : 1.0f;
    out[0] = r * fmath_cosf(theta) * fmath_sinf(phi);
    out[1] = r * fmath_sinf(theta) * fmath_sinf(phi);
    out[2] = r * fmath_cosf(phi);
}

#define DIRECTION(name, spread, inside)                                                            \
    static arith_status run_##name(const arith_op *op, void *const *operands)                      \
    {                                                                                              \
        (void)op;                                                                                  \
        give_direction(operands[0], operands[1], spread, inside);                                  \
        return ARITH_OK;                                                                           \
    }
DIRECTION(sphere, 2.0f, true)
DIRECTION(sphere_surface, 2.0f, false)
DIRECTION(hemisphere, 1.0f, true)
DIRECTION(hemisphere_surface, 1.0f, false)

/* The logarithm of the gamma function: shifted to x >= 7, then Stirling's series (S. Zhang and J.
 * Jin, Computation of Special Functions, 1996). */
static float log_gamma(float x)
{
    WEFT_ASSERT(!(x < 1.0f));
    static const float series[10] = {8.333333333333333e-02f, -2.777777777777778e-03f,
                                     7.936507936507937e-04f, -5.952380952380952e-04f,
                                     8.417508417508418e-04f, -1.917526917526918e-03f,
                                     6.410256410256410e-03f, -2.955065359477124e-02f,
                                     1.796443723688307e-01f, -1.39243221690590e+00f};
    if (x == 1.0f || x == 2.0f)
        return 0.0f;
    const int shift = x < 7.0f ? (int)(7.0f - x) : 0;
    float at = x + (float)shift, sum = series[9];
    const float inverse = (1.0f / at) * (1.0f / at);
    for (int i = 8; i >= 0; i--)
        sum = sum * inverse + series[i];
    float r = sum / at + 0.5f * 1.8378770664093453f + (at - 0.5f) * fmath_logf(at) - at;
    for (int i = 1; i <= shift; i++) {
        r -= fmath_logf(at - 1.0f);
        at -= 1.0f;
    }
    return r;
}

/* Knuth's method, for small means: the number of uniform factors whose product stays above
 * exp(-mean). It takes about `mean` steps.
 *
 *     mean 2: exp(-2) = 0.135; 0.5, 0.5 * 0.6 = 0.3, 0.3 * 0.4 = 0.12   ->   2 */
static uint32_t poisson_by_product(uint32_t *state, float mean)
{
    WEFT_ASSERT(!(mean >= 10.0f));
    const float limit = fmath_expf(-mean);
    uint32_t n = 0;
    for (float product = draw_unit(state); product > limit; product *= draw_unit(state))
        n++;
    return n;
}

/* Transformed rejection (W. Hoermann, 1993), for means of 10 and more: most candidates are accepted
 * at once (`sure`), the others by the logarithm of the distribution at k. ARITH_MISSING: all of
 * POISSON_TRIES candidates were refused; ARITH_CONVERSION: the number does not fit uint32.
 *
 *     mean 1e10   ->   ARITH_CONVERSION: no uint32 holds the number */
static arith_status poisson_by_rejection(uint32_t *state, float mean, uint32_t *out)
{
    WEFT_ASSERT(mean >= 10.0f);
    const float log_mean = fmath_logf(mean), b = 0.931f + 2.53f * sqrtf(mean),
                a = -0.059f + 0.02483f * b;
    const float inverse = 1.1239f + 1.1328f / (b - 3.4f), sure = 0.9277f - 3.6224f / (b - 2.0f);
    for (int i = 0; i < POISSON_TRIES; i++) {
        const float u = draw_unit(state) - 0.5f, v = draw_unit(state), s = 0.5f - fabsf(u);
        const float k = floorf((2.0f * a / s + b) * u + mean + 0.43f);
        if (!(s >= 0.07f && v <= sure)) {
            if (k < 0.0f || (s < 0.013f && v > s))
                continue;
            if (!(fmath_logf(v) + fmath_logf(inverse) - fmath_logf(a / (s * s) + b) <=
                  -mean + k * log_mean - log_gamma(k + 1.0f)))
                continue;
        }
        if (!fits_u32((double)k))
            return ARITH_CONVERSION;
        *out = (uint32_t)k;
        return ARITH_OK;
    }
    return ARITH_MISSING;
}

/* poisson(state, mean). Warp switches the method at 10; a mean of 0 draws nothing, so that the
 * state stays. */
static arith_status run_poisson(const arith_op *op, void *const *operands)
{
    (void)op;
    const float mean = load_f32(operands[1], 0);
    if (mean >= 10.0f)
        return poisson_by_rejection(operands[0], mean, operands[2]);
    store_u32(operands[2], 0, mean == 0.0f ? 0 : poisson_by_product(operands[0], mean));
    return ARITH_OK;
}

/* A row of the table: one overload. Types are letters: u uint32, i int32, f float32; results also 2
 * and 3: vectors of float32. A first argument u is the state, which changes in place. */
typedef struct random_form {
    const char *name, *args;
    char result;
    arith_fn *run, *tangent;
} random_form;

/* One row for each overload; rows of one name stand together. */
static const random_form forms[] = {
    {"poisson", "uf", 'u', run_poisson, NULL},
    {"rand_init", "i", 'u', run_rand_init, NULL},
    {"rand_init", "ii", 'u', run_rand_init, NULL},
    {"randf", "u", 'f', run_randf, NULL},
    {"randf", "uff", 'f', run_randf_between, tangent_randf_between},
    {"randi", "u", 'i', run_bits, NULL},
    {"randi", "uii", 'i', run_bits_between, NULL},
    {"randn", "u", 'f', run_randn, NULL},
    {"randu", "u", 'u', run_bits, NULL},
    {"randu", "uuu", 'u', run_bits_between, NULL},
    {"sample_triangle", "u", '2', run_triangle, NULL},
    {"sample_unit_cube", "u", '3', run_box, NULL},
    {"sample_unit_disk", "u", '2', run_disk, NULL},
    {"sample_unit_hemisphere", "u", '3', run_hemisphere, NULL},
    {"sample_unit_hemisphere_surface", "u", '3', run_hemisphere_surface, NULL},
    {"sample_unit_ring", "u", '2', run_ring, NULL},
    {"sample_unit_sphere", "u", '3', run_sphere, NULL},
    {"sample_unit_sphere_surface", "u", '3', run_sphere_surface, NULL},
    {"sample_unit_square", "u", '2', run_box, NULL},
};

/* The type of a letter. For 2 and 3 it is float32, of which find_random makes the vector. */
static const type *coded_type(const ctx *c, char code)
{
    WEFT_ASSERT(code && strchr("uif23", code));
    return type_scalar(c, code == 'u' ? TYPE_UINT32 : code == 'i' ? TYPE_INT32 : TYPE_FLOAT32);
}

/* Names, counts and types of arguments must agree: there are no conversions. */
static bool fits(const arith_request *q, const random_form *f)
{
    if (strcmp(q->name, f->name) != 0 || q->n != strlen(f->args))
        return false;
    for (uint32_t i = 0; i < q->n; i++)
        if (!type_equal(q->args[i], coded_type(q->c, f->args[i])))
            return false;
    return true;
}

/* Searches row by row: there are few, and an operation is looked up once for each call in a
 * program. */
static bool find_random(const arith_request *q, arith_op *op)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const random_form *f = &forms[i];
        if (!fits(q, f))
            continue;
        const type *t = coded_type(q->c, f->result);
        *op = (arith_op){.run = f->run, .tangent = f->tangent};
        op->in_place = f->args[0] == 'u';
        op->differs = f->tangent != NULL; /* no adjoint at all */
        if (f->result == '2' || f->result == '3')
            t = type_vec(q->c, t, f->result - '0');
        return arith_set_types(q, op, t);
    }
    return false;
}

static const arith_row rows[] = {
    {"poisson", find_random},
    {"rand_init", find_random},
    {"randf", find_random},
    {"randi", find_random},
    {"randn", find_random},
    {"randu", find_random},
    {"sample_triangle", find_random},
    {"sample_unit_cube", find_random},
    {"sample_unit_disk", find_random},
    {"sample_unit_hemisphere", find_random},
    {"sample_unit_hemisphere_surface", find_random},
    {"sample_unit_ring", find_random},
    {"sample_unit_sphere", find_random},
    {"sample_unit_sphere_surface", find_random},
    {"sample_unit_square", find_random},
};

const arith_family arith_randoms = {rows, sizeof rows / sizeof *rows};
