/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of places, and sums over the eight voxels around one, for values of REAL, float or double:
 * the body of arith_volume.c. Weights are floats in both cases, and each sum is in Warp's order,
 * which OFFSETS of Warp 1.19 native/volume.h gives. Example: one lane, weights 1/2 along x:
 *
 *     value = 0.5 a + 0.5 b     slope = (b - a, ..., ...)     bend = 0 along x */

static const REAL *REAL_FN(matrix)(const volume *v, map_step step)
{
    const volume_map *map = volume_map_of(v);
    return is_backward(step) ? map->REAL_FN(to_index) : map->REAL_FN(to_world);
}

/* A direction by a matrix, in the order of PNanoVDB's pnanovdb_map_apply. */
static void REAL_FN(turn)(const REAL *m, const REAL *x, REAL *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = x[0] * m[3 * i] + x[1] * m[3 * i + 1] + x[2] * m[3 * i + 2];
}

static arith_status REAL_FN(map_point)(const arith_op *op, void *const *operands, map_step step)
{
    const volume *v = volume_of(op, operands);
    REAL x[3], out[3];
    if (!v)
        return ARITH_NO_OBJECT;
    const REAL *origin = volume_map_of(v)->REAL_FN(origin);
    for (int i = 0; i < 3; i++)
        x[i] = REAL_FN(load)(operands[1], i) - (step == MAP_TO_INDEX ? origin[i] : 0);
    REAL_FN(turn)(REAL_FN(matrix)(v, step), x, out);
    for (int i = 0; i < 3; i++)
        REAL_FN(store)(operands[2], i, step == MAP_TO_WORLD ? out[i] + origin[i] : out[i]);
    return ARITH_OK;
}

/* The value between the voxels. */
static void REAL_FN(between)(const volume *v, const corners *k, int lanes, REAL *out)
{
    memset(out, 0, (size_t)lanes * sizeof *out);
    for (int n = 0; n < 8; n++) {
        const corner x = corner_of(k, n);
        const REAL *voxel = (const REAL *)(const void *)volume_value(v, x.ijk);
        for (int i = 0; i < lanes; i++)
            out[i] = out[i] + (REAL)x.weight * voxel[i];
    }
}

/* Its derivatives by x, y, z: three for each lane. */
static void REAL_FN(slope)(const volume *v, const corners *k, int lanes, REAL *out)
{
    memset(out, 0, (size_t)lanes * 3 * sizeof *out);
    for (int n = 0; n < 8; n++) {
        const corner x = corner_of(k, n);
        const REAL *voxel = (const REAL *)(const void *)volume_value(v, x.ijk);
        for (int i = 0; i < 3 * lanes; i++)
            out[i] = out[i] + voxel[i / 3] * (REAL)x.slope[i % 3];
    }
}

/* How the slopes change along a direction. */
static void REAL_FN(bend)(const volume *v, const corners *k, int lanes, const float *way, REAL *out)
{
    memset(out, 0, (size_t)lanes * 3 * sizeof *out);
    for (int n = 0; n < 8; n++) {
        const corner x = corner_of(k, n);
        const REAL *voxel = (const REAL *)(const void *)volume_value(v, x.ijk);
        for (int i = 0; i < 3 * lanes; i++)
            for (int d = 0; d < 3; d++)
                out[i] += voxel[i / 3] * (REAL)x.bend[i % 3][d] * (REAL)way[d];
    }
}

/* What Warp's adj_volume_sample adds to the adjoint of the place, from the adjoint of the value and
 * from that of the slopes, which may be NULL; voxel by voxel, since sums round. */
static void REAL_FN(pull)(const volume *v, const corners *k, int lanes, const REAL *of_value,
                          const REAL *of_slope, float *out)
{
    for (int n = 0; n < 8; n++) {
        const corner x = corner_of(k, n);
        const REAL *voxel = (const REAL *)(const void *)volume_value(v, x.ijk);
        REAL dot = voxel[0] * of_value[0], row[3];
        for (int i = 1; i < lanes; i++)
            dot = dot + voxel[i] * of_value[i];
        for (int c = 0; c < 3; c++)
            out[c] = out[c] + (float)(dot * (REAL)x.slope[c]);
        for (int c = 0; of_slope && c < 3; c++) {
            row[c] = of_slope[c] * voxel[0];
            for (int i = 1; i < lanes; i++)
                row[c] = row[c] + of_slope[3 * i + c] * voxel[i];
        }
        for (int c = 0; of_slope && c < 3; c++)
            out[c] = out[c] + (float)(row[0] * (REAL)x.bend[0][c] + row[1] * (REAL)x.bend[1][c] +
                                      row[2] * (REAL)x.bend[2][c]);
    }
}
