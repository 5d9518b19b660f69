/* Body of arith_noise.c, for float32 and its tangent: gradient noise (Perlin) over lattices of one
 * to four dimensions, its gradient, and curl noise. Sums and products in the order of Warp 1.19
 * native/noise.h. */

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

/* Where x lies in its cell, in out. Not ARITH_OK: a period is zero, or the cell has no number. */
static arith_status FN(enter)(cell *at, int dims, const NUM *x, const int32_t *periods, NUM *out)
{
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

static NUM FN(noise_in)(uint32_t state, const cell *at, const NUM *t)
{
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

/* Of noise and pnoise: state, position, periods. */
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

static arith_status FN(op_noise)(const arith_op *op, void *const *operands)
{
    cell at;
    NUM t[DIMS];
    const arith_status status = FN(enter_argument)(op, operands, &at, t);
    if (status == ARITH_OK)
        GIVE(0, 0, FN(noise_in)(load_u32(operands[0], 0), &at, t));
    return status;
}

/* An octave of curl noise adds to the gradients of its fields: one over the plane, else three. */
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

/* The curl of the fields: in the plane of one, in space of three. Each octave has the frequency
 * times lacunarity and the amplitude times gain of the one before. */
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
