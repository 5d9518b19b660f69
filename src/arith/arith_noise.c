/* SPDX-License-Identifier: Apache-2.0 */
/* Noise: noise, pnoise, curlnoise (Warp 1.19 native/noise.h), all in float32. The position is split
 * into a lattice cell and a place in it; pseudo-random directions at the cell's corners are
 * interpolated. This file has the integer part and the adjoints, body_noise.h what is
 * differentiated.
 *
 *     noise(state, x)                 float32 or vec2f to vec4f -> float32; 0 at lattice points
 *     pnoise(state, x, px, py)        the same, but the lattice repeats after px, py cells
 *     curlnoise(state, x, octaves)    vec2f -> vec2f; vec3f and vec4f -> vec3f
 *
 * The state is read, not advanced: equal states and positions give equal noise. */
#include "arith/arith_family.h"

/* DIMS: the most dimensions. FIELDS: of a curl in space. OCTAVES_MAX bounds the time of one
 * call, as a kernel may pass any uint32. */
enum { DIMS = 4, CORNERS = 1 << DIMS, FIELDS = 3, OCTAVES_MAX = 10000 };

/* A lattice cell: in dimension i it goes from bound[0][i] to bound[1][i], the lower bound plus 1;
 * with a period both are remainders, so that the upper one may be 0. */
typedef struct cell {
    int dims;
    int32_t bound[2][DIMS];
} cell;

/* Remainder by the period as C's % has it; a period of zero is an error. */
static arith_status wrap(int32_t *x, int32_t period)
{
    const arith_status status = div_status_i32(*x, period);
    if (status == ARITH_OK)
        *x %= period;
    return status;
}

/* Coordinates of the cell in dimension i. ARITH_CONVERSION: `low` does not fit int32.
 *
 *     low 3, no period     3, 4
 *     low 3, period 4      3, 0
 *     low -1, period 4     -1, 0: C's remainder keeps the sign */
static arith_status cell_bounds(cell *at, int i, double low, const int32_t *period)
{
    WEFT_ASSERT(i >= 0 && i < DIMS);
    int32_t *a = &at->bound[0][i], *b = &at->bound[1][i];
    if (!fits_i32(low))
        return ARITH_CONVERSION;
    *a = (int32_t)low;
    arith_status status = period ? wrap(a, *period) : ARITH_OK;
    *b = add_i32(*a, 1);
    if (period && status == ARITH_OK)
        status = wrap(b, *period);
    return status;
}

/* A number in [0, 1) from the upper 24 bits; advances the state. */
static float uniform(uint32_t *state)
{
    *state = random_next(*state);
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

/* The direction at a corner: bit i of `corner` chooses the upper bound in dimension i. */
static void corner_gradient(uint32_t state, const cell *at, int corner, float *out)
{
    WEFT_ASSERT(at->dims > 0 && corner >> at->dims == 0);
    static const uint32_t primes[DIMS] = {73856093, 19349663, 53471161, 10000019};
    const int last = at->dims - 1;
    uint32_t index = 0;
    for (int i = 0; i <= last; i++) {
        const uint32_t term = (uint32_t)at->bound[corner >> i & 1][i] * primes[i];
        index ^= i == last ? term + state : term;
    }
    if (last == 0) {
        out[0] = 2.0f * uniform(&index) - 1.0f;
        return;
    }
    float square = 0;
    for (int i = 0; i <= last; i++) {
        out[i] = uniform(&index) - 0.5f;
        square += out[i] * out[i];
    }
    const float length = sqrtf(square);
    for (int i = 0; i <= last; i++)
        out[i] = length > 0 ? out[i] / length : 0;
}

/* The state of curl noise after field f; over the plane it has but one. */
static uint32_t next_field(uint32_t state, int dims, int f)
{
    WEFT_ASSERT(f < FIELDS);
    if (dims == 2 || f == FIELDS - 1)
        return state;
    return random_next(state + random_next(f == 0 ? 10019689 : 13112221));
}

/* Only curlnoise has octaves; 1 where they are not given. */
static uint32_t octaves_of(const arith_op *op, void *const *operands)
{
    return op->n > 2 ? load_u32(operands[2], 0) : 1;
}

/* plain_f32, plain_dual: the value alone, from which body_noise.h finds the cell. */
static double plain_f32(float x)
{
    return (double)x;
}

static double plain_dual(num_dual x)
{
    return x.v;
}

#define ARITH_BODY "arith/body_noise.h"
#include "arith/arith_float32.h"
#undef ARITH_BODY

/* adj_x += gradient * adj_r. State and periods, which are integers, have no adjoint. */
static arith_status adj_noise(const arith_op *op, void *const *operands)
{
    cell at;
    float t[DIMS], gradient[DIMS];
    const arith_status status = enter_argument_f32(op, operands, &at, t);
    if (status != ARITH_OK)
        return status;
    const float d = load_f32(operands[2 * op->n + 1], 0);
    gradient_in_f32(load_u32(operands[0], 0), &at, t, gradient);
    for (int i = 0; i < at.dims; i++)
        adj_add_f32(op, operands, 1, i, gradient[i] * d);
    return ARITH_OK;
}

/* A node of the interpolation: value, gradient and second derivatives by the position. The adjoint
 * of curlnoise needs the second ones, since its result is made of first derivatives. */
typedef struct node {
    float value, gradient[DIMS], second[DIMS][DIMS];
} node;

/* a and b interpolated in dimension k, where t is the place between them: out = a + (b - a)
 * fade(t), differentiated twice. `slope` and `bend` are the derivatives of fade. out may be a. */
static void interpolate(node *out, const node *a, const node *b, int dims, int k, float t)
{
    WEFT_ASSERT(k < dims && dims <= DIMS);
    const float fade = fade_f32(t), slope = fade_slope_f32(t);
    const float bend = 60.0f * t * (t * (t * 2.0f - 3.0f) + 1.0f), rise = b->value - a->value;
    float turn[DIMS];
    node r;
    r.value = a->value + rise * fade;
    for (int i = 0; i < dims; i++) {
        turn[i] = b->gradient[i] - a->gradient[i];
        r.gradient[i] = a->gradient[i] + turn[i] * fade;
        for (int j = 0; j < dims; j++)
            r.second[i][j] = a->second[i][j] + (b->second[i][j] - a->second[i][j]) * fade;
    }
    r.gradient[k] += rise * slope;
    for (int i = 0; i < dims; i++) {
        r.second[i][k] += turn[i] * slope;
        r.second[k][i] += turn[i] * slope;
    }
    r.second[k][k] += rise * bend;
    *out = r;
}

/* The matrix of second derivatives of noise. */
static void bend_in(uint32_t state, const cell *at, const float *t, float out[DIMS][DIMS])
{
    WEFT_ASSERT(at->dims > 1 && at->dims <= DIMS);
    node level[CORNERS];
    memset(level, 0, sizeof level);
    for (int i = 0; i < 1 << at->dims; i++) {
        corner_gradient(state, at, i, level[i].gradient);
        level[i].value = corner_value_f32(at, i, t, level[i].gradient);
    }
    for (int k = 0; k < at->dims; k++)
        for (int i = 0; i < 1 << (at->dims - k - 1); i++)
            interpolate(&level[i], &level[2 * i], &level[2 * i + 1], at->dims, k, t[k]);
    memcpy(out, level[0].second, sizeof level[0].second);
}

/* The adjoint of component c of the position for the result's adjoint d: the curl's terms, each
 * with one more derivative. bend[f] is the matrix of second derivatives of field f. */
static float curl_adjoint(const cell *at, float bend[FIELDS][DIMS][DIMS], const float *d, int c)
{
    WEFT_ASSERT(c < at->dims);
    if (at->dims == 2)
        return -bend[0][1][c] * d[0] + bend[0][0][c] * d[1];
    return d[0] * (bend[2][1][c] - bend[1][2][c]) + d[1] * (bend[0][2][c] - bend[2][0][c]) +
           d[2] * (bend[1][0][c] - bend[0][1][c]);
}

/* The octaves again as in op_curlnoise. Each multiplies the position by its frequency, hence the
 * factor amplitude * frequency. As in Warp, nothing goes to lacunarity and gain: `differs`. */
static arith_status adj_curlnoise(const arith_op *op, void *const *operands)
{
    const int dims = op->param[0];
    WEFT_ASSERT(dims > 1 && dims <= DIMS);
    const float lacunarity = op->n > 3 ? load_f32(operands[3], 0) : 2.0f;
    const float gain = op->n > 4 ? load_f32(operands[4], 0) : 0.5f;
    const float *d = operands[2 * op->n + 1];
    uint32_t state = load_u32(operands[0], 0), octaves = octaves_of(op, operands);
    float frequency = 1, amplitude = 1;
    for (uint32_t i = 0; i < octaves && octaves <= OCTAVES_MAX; i++) {
        cell at;
        float x[DIMS], t[DIMS], bend[FIELDS][DIMS][DIMS];
        for (int c = 0; c < dims; c++)
            x[c] = frequency * load_f32(operands[1], c);
        const arith_status status = enter_f32(&at, dims, x, NULL, t);
        if (status != ARITH_OK)
            return status;
        for (int f = 0; f < (dims == 2 ? 1 : FIELDS); f++) {
            bend_in(state, &at, t, bend[f]);
            state = next_field(state, dims, f);
        }
        const float k = amplitude * frequency;
        for (int c = 0; c < dims; c++)
            adj_add_f32(op, operands, 1, c, k * curl_adjoint(&at, bend, d, c));
        amplitude *= gain;
        frequency *= lacunarity;
    }
    return octaves <= OCTAVES_MAX ? ARITH_OK : ARITH_MISSING;
}

/* Dimensions of a position, 0: none. */
static int dims_of(const type *t)
{
    if (t->kind == TYPE_FLOAT32)
        return 1;
    return t->kind == TYPE_VEC && t->elem->kind == TYPE_FLOAT32 && t->rows <= DIMS ? t->rows : 0;
}

/* Have the arguments from number `from` on all this scalar kind? */
static bool all_of(const arith_request *q, uint32_t from, type_kind k)
{
    for (uint32_t i = from; i < q->n; i++)
        if (q->args[i]->kind != k)
            return false;
    return true;
}

/* noise and pnoise: the state, a position of 1 to 4 dimensions, then what the caller has checked.
 */
static bool find_noise(const arith_request *q, arith_op *op)
{
    if (q->n < 2 || q->args[0]->kind != TYPE_UINT32)
        return false;
    const int dims = dims_of(q->args[1]);
    *op = (arith_op){.run = op_noise_f32, .tangent = op_noise_f32_d, .adjoint = adj_noise};
    op->param[0] = dims;
    return dims && arith_set_types(q, op, type_scalar(q->c, TYPE_FLOAT32));
}

/* noise(state, x) */
static bool find_free_noise(const arith_request *q, arith_op *op)
{
    return q->n == 2 && find_noise(q, op);
}

/* pnoise(state, x, px, ...): one int32 period for each dimension of the position. */
static bool find_periodic_noise(const arith_request *q, arith_op *op)
{
    return all_of(q, 2, TYPE_INT32) && find_noise(q, op) && q->n == 2 + (uint32_t)op->param[0];
}

/* curlnoise(state, x [, octaves [, lacunarity [, gain]]]). `rounds` counts the octaves, so that
 * the reference interpreter takes fuel for each. */
static bool find_curlnoise(const arith_request *q, arith_op *op)
{
    if (q->n < 2 || q->n > 5 || q->args[0]->kind != TYPE_UINT32 || !all_of(q, 3, TYPE_FLOAT32) ||
        (q->n > 2 && q->args[2]->kind != TYPE_UINT32))
        return false;
    const int dims = dims_of(q->args[1]);
    *op = (arith_op){.run = op_curlnoise_f32,
                     .tangent = op_curlnoise_f32_d,
                     .adjoint = adj_curlnoise,
                     .rounds = octaves_of};
    op->param[0] = dims;
    op->differs = q->n > 3;
    return dims > 1 &&
           arith_set_types(q, op,
                           type_vec(q->c, type_scalar(q->c, TYPE_FLOAT32), dims == 2 ? 2 : 3));
}

static const arith_row rows[] = {
    {"curlnoise", find_curlnoise},
    {"noise", find_free_noise},
    {"pnoise", find_periodic_noise},
};

const arith_family arith_noises = {rows, sizeof rows / sizeof *rows};
