/* SPDX-License-Identifier: Apache-2.0 */
/* Body of arith_noise.c, for float32 and its tangent: gradient noise (Perlin) over lattices of one
 * to four dimensions, its gradient, and curl noise. Sums and products in the order of Warp 1.19
 * native/noise.h.
 *
 * Over the plane, with a position in cell (3, 5) at the place t = (tx, ty), 0 <= tx, ty < 1:
 *
 *     v00, v10, v01, v11    value at each corner: its direction . the way from it to the position
 *     a = v00 + (v10 - v00) fade(tx)    b = v01 + (v11 - v01) fade(tx)
 *     noise = a + (b - a) fade(ty)
 *
 * At a lattice point the way is zero, and so is the noise. All dimensions use one loop: `level` has
 * a value for each corner, bit i of the corner's number being its side in dimension i; each
 * dimension joins neighbours and halves the number of values. */

/* The interpolant 6t^5 - 15t^4 + 10t^3 and its slope. */
static NUM FN(fade)(NUM t)
{
    const NUM inner = SUB(MUL(t, NUMBER(6)), NUMBER(15));
    return MUL(MUL(MUL(t, t), t), ADD(MUL(t, inner), NUMBER(10)));
}

static NUM FN(fade_slope)(NUM t)
{
    const NUM inner = ADD(MUL(t, SUB(t, NUMBER(2))), NUMBER(1));
    return MUL(MUL(MUL(NUMBER(30), t), t), inner);
}

/* Finds the cell of x, and in `out` the place of x in it (0 to 1 in each dimension). With periods
 * (pnoise) the cell's bounds are taken modulo them. Not ARITH_OK: a period is zero, or the cell's
 * coordinate does not fit int32. */
static arith_status FN(enter)(cell *at, int dims, const NUM *x, const int32_t *periods, NUM *out)
{
    WEFT_ASSERT(dims > 0 && dims <= DIMS);
    at->dims = dims;
    for (int i = 0; i < dims; i++) {
        out[i] = SUB(x[i], FLOOR(x[i]));
        const arith_status status =
            cell_bounds(at, i, floor(ARITH_DO(plain)(x[i])), periods ? &periods[i] : NULL);
        if (status != ARITH_OK)
            return status;
    }
    return ARITH_OK;
}

/* Product of a corner's gradient with the way to it. */
static NUM FN(corner_value)(const cell *at, int corner, const NUM *t, const float *gradient)
{
    NUM r = NUMBER(0);
    for (int i = 0; i < at->dims; i++) {
        const NUM way = corner >> i & 1 ? SUB(t[i], NUMBER(1)) : t[i];
        const NUM term = MUL(way, NUMBER((double)gradient[i]));
        r = i ? ADD(r, term) : term;
    }
    return r;
}

/* The noise at place t of the cell: values at the corners, joined one dimension after the other. */
static NUM FN(noise_in)(uint32_t state, const cell *at, const NUM *t)
{
    WEFT_ASSERT(at->dims > 0 && at->dims <= DIMS);
    NUM level[CORNERS];
    for (int i = 0; i < 1 << at->dims; i++) {
        float gradient[DIMS];
        corner_gradient(state, at, i, gradient);
        level[i] = FN(corner_value)(at, i, t, gradient);
    }
    for (int k = 0; k < at->dims; k++)
        for (int i = 0; i < 1 << (at->dims - k - 1); i++) {
            const NUM a = level[2 * i], b = level[2 * i + 1];
            level[i] = ADD(MUL(SUB(b, a), FN(fade)(t[k])), a);
        }
    return level[0];
}

/* The gradient of noise_in by the position. Values and slopes are interpolated together: where a
 * and b are joined in dimension k, the slope in direction c is
 *
 *     da + (db - da) fade(t[k]) + [c == k] (b - a) fade_slope(t[k])
 *
 * The product with zero for c != k stays, since Warp has it and it turns an infinity into NaN. */
static void FN(gradient_in)(uint32_t state, const cell *at, const NUM *t, NUM *out)
{
    NUM level[CORNERS], slope[CORNERS][DIMS];
    for (int i = 0; i < 1 << at->dims; i++) {
        float gradient[DIMS];
        corner_gradient(state, at, i, gradient);
        level[i] = FN(corner_value)(at, i, t, gradient);
        for (int c = 0; c < at->dims; c++)
            slope[i][c] = NUMBER((double)gradient[c]);
    }
    for (int k = 0; k < at->dims; k++) {
        const NUM fade = FN(fade)(t[k]), steep = FN(fade_slope)(t[k]);
        for (int i = 0; i < 1 << (at->dims - k - 1); i++) {
            const NUM a = level[2 * i], b = level[2 * i + 1], rise = MUL(SUB(b, a), steep);
            for (int c = 0; c < at->dims; c++) {
                const NUM da = slope[2 * i][c], db = slope[2 * i + 1][c];
                const NUM along = MUL(rise, NUMBER(c == k));
                slope[i][c] = ADD(ADD(MUL(SUB(db, da), fade), along), da);
            }
            level[i] = ADD(MUL(SUB(b, a), fade), a);
        }
    }
    for (int c = 0; c < at->dims; c++)
        out[c] = slope[0][c];
}

/* Cell and place for the arguments of noise(state, position) and pnoise(state, position, period of
 * each dimension). */
static arith_status FN(enter_argument)(const arith_op *op, void *const *operands, cell *at, NUM *t)
{
    NUM x[DIMS];
    int32_t periods[DIMS];
    const int dims = op->param[0];
    ARGS(1, x, dims);
    for (int i = 0; op->n > 2 && i < dims; i++)
        periods[i] = load_i32(operands[2 + i], 0);
    return FN(enter)(at, dims, x, op->n > 2 ? periods : NULL, t);
}

/* noise and pnoise: 0 where the position is a lattice point. */
static arith_status FN(op_noise)(const arith_op *op, void *const *operands)
{
    cell at;
    NUM t[DIMS];
    const arith_status status = FN(enter_argument)(op, operands, &at, t);
    if (status == ARITH_OK)
        GIVE(0, 0, FN(noise_in)(load_u32(operands[0], 0), &at, t));
    return status;
}

/* An octave of curl noise adds amplitude * gradient to the sum of each field: one field over the
 * plane, else three. The fields differ in the state that chooses the corners' directions. */
static arith_status FN(add_octave)(uint32_t *state, int dims, const NUM *x, NUM amplitude,
                                   NUM sum[FIELDS][DIMS])
{
    cell at;
    NUM t[DIMS], gradient[DIMS];
    const arith_status status = FN(enter)(&at, dims, x, NULL, t);
    if (status != ARITH_OK)
        return status;
    for (int f = 0; f < (dims == 2 ? 1 : FIELDS); f++) {
        FN(gradient_in)(*state, &at, t, gradient);
        for (int c = 0; c < dims; c++)
            sum[f][c] = ADD(sum[f][c], MUL(amplitude, gradient[c]));
        *state = next_field(*state, dims, f);
    }
    return ARITH_OK;
}

/* curlnoise(state, position, octaves = 1, lacunarity = 2, gain = 0.5). In the plane the result is
 * the gradient of one field f turned by 90 degrees, (-df/dy, df/dx); in space it is the curl of
 * three fields. Each octave has the frequency times lacunarity and the amplitude times gain of the
 * one before. Too many octaves end with ARITH_MISSING, which bounds the time of one call. */
static arith_status FN(op_curlnoise)(const arith_op *op, void *const *operands)
{
    const int dims = op->param[0];
    const uint32_t octaves = octaves_of(op, operands);
    if (octaves > OCTAVES_MAX)
        return ARITH_MISSING;
    NUM sum[FIELDS][DIMS], x[DIMS], at[DIMS], frequency = NUMBER(1), amplitude = NUMBER(1);
    const NUM lacunarity = op->n > 3 ? ARG(3, 0) : NUMBER(2);
    const NUM gain = op->n > 4 ? ARG(4, 0) : NUMBER(0.5);
    uint32_t state = load_u32(operands[0], 0);
    ARGS(1, x, dims);
    for (int i = 0; i < FIELDS * DIMS; i++)
        sum[i / DIMS][i % DIMS] = NUMBER(0);
    for (uint32_t i = 0; i < octaves; i++) {
        for (int c = 0; c < dims; c++)
            at[c] = MUL(frequency, x[c]);
        const arith_status status = FN(add_octave)(&state, dims, at, amplitude, sum);
        if (status != ARITH_OK)
            return status;
        amplitude = MUL(amplitude, gain);
        frequency = MUL(frequency, lacunarity);
    }
    if (dims == 2) {
        GIVE(0, 0, NEG(sum[0][1]));
        GIVE(0, 1, sum[0][0]);
        return ARITH_OK;
    }
    GIVE(0, 0, SUB(sum[2][1], sum[1][2]));
    GIVE(0, 1, SUB(sum[0][2], sum[2][0]));
    GIVE(0, 2, SUB(sum[1][0], sum[0][1]));
    return ARITH_OK;
}
