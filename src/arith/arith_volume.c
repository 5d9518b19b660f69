/* SPDX-License-Identifier: Apache-2.0 */
/* Look-ups and samples of volumes, and their maps, as operations: the glue between
 * src/geometry/volume.h and operands. After Warp 1.19 native/volume.h.
 *
 *     "volume_sample_f" (uint64, vec3f, int32)            float32
 *     "volume_lookup" (uint64, int32, int32, int32)       what the request says: dtype=wp.vec3
 *     "volume_sample_grad_f" (uint64, vec3f, int32, vec3f)   sets its last argument
 *
 * A volume of other values than the builtin's gives zero. Places beyond the range of int32 end the
 * run, as does an id that names no volume. op->param: lanes of a value, is it of float64, its
 * volume_kind. */
#include "arith/arith_family.h"
#include "geometry/volume.h"

enum { CLOSEST, LINEAR, LANES_MAX = 4 };

static volume *volume_of(const arith_op *op, void *const *operands)
{
    uint64_t id;
    memcpy(&id, operands[0], sizeof id);
    return volume_find(op->aux, id);
}

typedef enum map_step { MAP_TO_WORLD, MAP_TO_INDEX, MAP_DIR_TO_WORLD, MAP_DIR_TO_INDEX } map_step;

static bool is_backward(map_step step)
{
    return step == MAP_TO_INDEX || step == MAP_DIR_TO_INDEX;
}

/* The cell of eight voxels that a place lies in, and the weights of its two sides. */
typedef struct corners {
    int32_t base[3];
    float sides[3][2];
} corners;

/* One of the eight: its voxel, its weight, that weight's derivatives by x, y, z, and theirs. */
typedef struct corner {
    int32_t ijk[3];
    float weight, slope[3], bend[3][3];
} corner;

/* False: the place has no coordinates in int32. */
static bool find_corners(const float *at, corners *out)
{
    for (int i = 0; i < 3; i++) {
        const float down = floorf(at[i]), rest = at[i] - down;
        if (!fits_i32((double)down))
            return false;
        out->base[i] = (int32_t)down;
        out->sides[i][0] = 1 - rest;
        out->sides[i][1] = rest;
    }
    return true;
}

static corner corner_of(const corners *k, int n)
{
    const int side[3] = {n >> 2, n >> 1 & 1, n & 1};
    corner out;
    float sign[3], w[3];
    for (int i = 0; i < 3; i++) {
        out.ijk[i] = k->base[i] + side[i];
        sign[i] = side[i] ? 1.0f : -1.0f;
        w[i] = k->sides[i][side[i]];
    }
    out.weight = w[0] * w[1] * w[2];
    out.slope[0] = sign[0] * w[1] * w[2];
    out.slope[1] = sign[1] * w[0] * w[2];
    out.slope[2] = sign[2] * w[0] * w[1];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            out.bend[a][b] = a == b ? 0.0f : sign[a] * sign[b] * w[3 - a - b];
    return out;
}

#define REAL_BODY "arith/body_volume.h"
#include "arith/arith_each_real.h"
#undef REAL_BODY

/* --- maps ------------------------------------------------------------------------------------- */

/* Operands: id, place, result, tangents of all three. */
static arith_status map_tangent(const arith_op *op, void *const *operands, map_step step)
{
    const volume *v = volume_of(op, operands);
    if (v && op->param[1])
        turn_f64(matrix_f64(v, step), operands[4], operands[5]);
    else if (v)
        turn_f32(matrix_f32(v, step), operands[4], operands[5]);
    return v ? ARITH_OK : ARITH_NO_OBJECT;
}

/* Operands: id, place, result, adjoints of all three. Warp transposes the matrix with doubles
 * only. */
static arith_status map_adjoint(const arith_op *op, void *const *operands, map_step step)
{
    const volume *v = volume_of(op, operands);
    float out[3];
    if (!v)
        return ARITH_NO_OBJECT;
    if (op->param[1]) {
        const double *m = matrix_f64(v, step), *x = operands[5];
        for (int i = 0; i < 3; i++)
            adj_add_f64(op, operands, 1, i, x[0] * m[i] + x[1] * m[3 + i] + x[2] * m[6 + i]);
        return ARITH_OK;
    }
    turn_f32(matrix_f32(v, step), operands[5], out);
    for (int i = 0; i < 3; i++)
        adj_add_f32(op, operands, 1, i, out[i]);
    return ARITH_OK;
}

#define MAP(name, step)                                                                            \
    static arith_status run_##name(const arith_op *op, void *const *operands)                      \
    {                                                                                              \
        return op->param[1] ? map_point_f64(op, operands, step)                                    \
                            : map_point_f32(op, operands, step);                                   \
    }                                                                                              \
    static arith_status tangent_##name(const arith_op *op, void *const *operands)                  \
    {                                                                                              \
        return map_tangent(op, operands, step);                                                    \
    }                                                                                              \
    static arith_status adj_##name(const arith_op *op, void *const *operands)                      \
    {                                                                                              \
        return map_adjoint(op, operands, step);                                                    \
    }

MAP(to_world, MAP_TO_WORLD)
MAP(to_index, MAP_TO_INDEX)
MAP(dir_to_world, MAP_DIR_TO_WORLD)
MAP(dir_to_index, MAP_DIR_TO_INDEX)

/* --- look-ups --------------------------------------------------------------------------------- */

static void place_of(void *const *operands, int32_t ijk[3])
{
    for (int i = 0; i < 3; i++)
        ijk[i] = load_i32(operands[1 + i], 0);
}

/* Does the volume hold the values that the builtin reads? */
static bool has_kind(const arith_op *op, const volume *v)
{
    return volume_kind_of(v) == (volume_kind)op->param[2];
}

/* The value there, or zero where the volume has others. */
static void give_value(const arith_op *op, const volume *v, const int32_t ijk[3], void *out)
{
    const size_t size = volume_value_size((volume_kind)op->param[2]);
    if (has_kind(op, v))
        memcpy(out, volume_value(v, ijk), size);
    else
        memset(out, 0, size);
}

static arith_status run_lookup(const arith_op *op, void *const *operands)
{
    const volume *v = volume_of(op, operands);
    int32_t ijk[3];
    if (!v)
        return ARITH_NO_OBJECT;
    place_of(operands, ijk);
    give_value(op, v, ijk, operands[4]);
    return ARITH_OK;
}

static arith_status run_number(const arith_op *op, void *const *operands)
{
    const volume *v = volume_of(op, operands);
    int32_t ijk[3];
    if (!v)
        return ARITH_NO_OBJECT;
    place_of(operands, ijk);
    store_i32(operands[4], 0, (int32_t)(volume_number(v, ijk) - 1));
    return ARITH_OK;
}

static arith_status run_count(const arith_op *op, void *const *operands)
{
    const volume *v = volume_of(op, operands);
    if (v)
        store_i32(operands[1], 0, volume_count(v));
    return v ? ARITH_OK : ARITH_NO_OBJECT;
}

/* Voxels outside the blocks stay as they are. */
static arith_status run_store(const arith_op *op, void *const *operands)
{
    volume *v = volume_of(op, operands);
    int32_t ijk[3];
    if (!v)
        return ARITH_NO_OBJECT;
    place_of(operands, ijk);
    uint8_t *place = has_kind(op, v) ? volume_place(v, ijk) : NULL;
    if (place)
        memcpy(place, operands[4], volume_value_size(volume_kind_of(v)));
    return ARITH_OK;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* The nearest voxel, ties away from zero; false: there is none in int32. */
static bool round_place(const float *at, int32_t ijk[3])
{
    for (int i = 0; i < 3; i++) {
        const float x = roundf(at[i]);
        if (!fits_i32((double)x))
            return false;
        ijk[i] = (int32_t)x;
    }
    return true;
}

static arith_status give_nearest(const arith_op *op, const volume *v, void *const *operands)
{
    int32_t ijk[3];
    if (!round_place(operands[1], ijk))
        return ARITH_CONVERSION;
    give_value(op, v, ijk, operands[op->n]);
    return ARITH_OK;
}

/* Integers are not interpolated here; volume_sample_i has no mode. */
static arith_status run_nearest(const arith_op *op, void *const *operands)
{
    const volume *v = volume_of(op, operands);
    const int32_t mode = op->n > 2 ? load_i32(operands[2], 0) : CLOSEST;
    if (!v)
        return ARITH_NO_OBJECT;
    if (mode == CLOSEST || !has_kind(op, v))
        return give_nearest(op, v, operands);
    memset(operands[op->n], 0, layout_size(op->types[op->n]));
    return mode == LINEAR ? ARITH_MISSING : ARITH_OK;
}

/* The value, and with four arguments the slopes: those of the nearest voxel are zero. */
static arith_status sample(const arith_op *op, void *const *operands, bool slope)
{
    const volume *v = volume_of(op, operands);
    const int32_t mode = load_i32(operands[2], 0), lanes = op->param[0];
    corners k;
    if (!v)
        return ARITH_NO_OBJECT;
    memset(operands[op->n], 0, layout_size(op->types[op->n]));
    if (slope)
        memset(operands[3], 0, layout_size(op->types[3]));
    if (!has_kind(op, v) || (mode != LINEAR && mode != CLOSEST))
        return ARITH_OK;
    if (mode == CLOSEST)
        return give_nearest(op, v, operands);
    if (!find_corners(operands[1], &k))
        return ARITH_CONVERSION;
    if (op->param[1]) {
        between_f64(v, &k, lanes, operands[op->n]);
        if (slope)
            slope_f64(v, &k, lanes, operands[3]);
    } else {
        between_f32(v, &k, lanes, operands[op->n]);
        if (slope)
            slope_f32(v, &k, lanes, operands[3]);
    }
    return ARITH_OK;
}

static arith_status run_sample(const arith_op *op, void *const *operands)
{
    return sample(op, operands, false);
}

static arith_status run_slope(const arith_op *op, void *const *operands)
{
    return sample(op, operands, true);
}

/* The element of voxel ijk, or the background; NULL: the array has no such element. */
static const void *numbered(const volume *v, const array_view *data, const void *background,
                            const int32_t ijk[3])
{
    const int64_t at = volume_number(v, ijk) - 1;
    if (at < 0)
        return background;
    if (!data || !data->data || data->ndim != 1 || at >= data->shape[0])
        return NULL;
    return data->data->bytes + data->offset + at * data->strides[0];
}

/* Of values in an array, by the numbers of the voxels. Operands: id, place, mode, array,
 * background, result. */
static arith_status run_by_number(const arith_op *op, void *const *operands)
{
    const volume *v = volume_of(op, operands);
    const int32_t mode = load_i32(operands[2], 0), lanes = op->param[0];
    const array_view *data;
    int32_t ijk[3];
    corners k;
    if (!v)
        return ARITH_NO_OBJECT;
    memcpy(&data, operands[3], sizeof data);
    memset(operands[5], 0, layout_size(op->types[5]));
    if (mode == CLOSEST) {
        if (!round_place(operands[1], ijk))
            return ARITH_CONVERSION;
        const void *x = numbered(v, data, operands[4], ijk);
        if (x)
            memcpy(operands[5], x, layout_size(op->types[5]));
        return x ? ARITH_OK : ARITH_NO_ELEMENT;
    }
    if (mode == LINEAR && !find_corners(operands[1], &k))
        return ARITH_CONVERSION;
    for (int n = 0; mode == LINEAR && n < 8; n++) {
        const corner c = corner_of(&k, n);
        const void *x = numbered(v, data, operands[4], c.ijk);
        if (!x)
            return ARITH_NO_ELEMENT;
        for (int i = 0; i < lanes; i++)
            if (op->param[1])
                store_f64(operands[5], i,
                          load_f64(operands[5], i) + (double)c.weight * load_f64(x, i));
            else
                store_f32(operands[5], i, load_f32(operands[5], i) + c.weight * load_f32(x, i));
    }
    return ARITH_OK;
}

static arith_status missing(const arith_op *op, void *const *operands)
{
    (void)op;
    (void)operands;
    return ARITH_MISSING;
}

/* Is there a derivative? On the sides of a cell there is that of one side only. */
static bool has_kink(const corners *k, const float *way)
{
    for (int i = 0; i < 3; i++)
        if (k->sides[i][1] == 0 && way[i] != 0)
            return true;
    return false;
}

/* out = slopes times the direction */
static void along(const arith_op *op, const void *slopes, const float *way, void *out)
{
    for (int i = 0; i < op->param[0]; i++)
        if (op->param[1])
            store_f64(out, i,
                      load_f64(slopes, 3 * i) * (double)way[0] +
                          load_f64(slopes, 3 * i + 1) * (double)way[1] +
                          load_f64(slopes, 3 * i + 2) * (double)way[2]);
        else
            store_f32(out, i,
                      load_f32(slopes, 3 * i) * way[0] + load_f32(slopes, 3 * i + 1) * way[1] +
                          load_f32(slopes, 3 * i + 2) * way[2]);
}

/* Operands: arguments, result, tangents of the arguments, tangent of the result. That of the slopes
 * is written, too. */
static arith_status tangent(const arith_op *op, void *const *operands, bool slope)
{
    const volume *v = volume_of(op, operands);
    const float *way = operands[op->n + 2];
    void *of_slope = slope ? operands[op->n + 4] : NULL, *out = operands[2 * op->n + 1];
    double room[3 * LANES_MAX] = {0};
    corners k;
    memset(out, 0, layout_size(op->types[op->n]));
    if (slope)
        memset(of_slope, 0, layout_size(op->types[3]));
    if (!v || !has_kind(op, v) || load_i32(operands[2], 0) != LINEAR)
        return v ? ARITH_OK : ARITH_NO_OBJECT;
    if (!find_corners(operands[1], &k))
        return ARITH_CONVERSION;
    if (op->param[1])
        slope_f64(v, &k, op->param[0], room);
    else
        slope_f32(v, &k, op->param[0], (float *)room);
    along(op, room, way, out);
    if (slope && op->param[1])
        bend_f64(v, &k, op->param[0], way, of_slope);
    else if (slope)
        bend_f32(v, &k, op->param[0], way, of_slope);
    return has_kink(&k, way) ? ARITH_KINK : ARITH_OK;
}

static arith_status tangent_sample(const arith_op *op, void *const *operands)
{
    return tangent(op, operands, false);
}

static arith_status tangent_slope(const arith_op *op, void *const *operands)
{
    return tangent(op, operands, true);
}

/* Operands: arguments, result, adjoints of the arguments, adjoint of the result. The values of the
 * volume have no adjoint in Warp. */
static arith_status adjoint(const arith_op *op, void *const *operands, bool slope)
{
    const volume *v = volume_of(op, operands);
    float *out = operands[op->n + 2];
    const void *of_slope = slope ? operands[op->n + 4] : NULL, *of_value = operands[2 * op->n + 1];
    corners k;
    if (!v || !has_kind(op, v) || load_i32(operands[2], 0) != LINEAR)
        return v ? ARITH_OK : ARITH_NO_OBJECT;
    if (!find_corners(operands[1], &k))
        return ARITH_CONVERSION;
    if (op->param[1])
        pull_f64(v, &k, op->param[0], of_value, of_slope, out);
    else
        pull_f32(v, &k, op->param[0], of_value, of_slope, out);
    return ARITH_OK;
}

static arith_status adj_sample(const arith_op *op, void *const *operands)
{
    return adjoint(op, operands, false);
}

static arith_status adj_slope(const arith_op *op, void *const *operands)
{
    return adjoint(op, operands, true);
}

/* --- the table -------------------------------------------------------------------------------- */

typedef struct volume_row {
    const char *name, *types; /* arguments, then the result */
    arith_fn *run, *tangent, *adjoint;
    bool sets_last, stores;
} volume_row;

static const volume_row volume_rows[] = {
#define VOLUME(name, types, f)  {name, types, run_##f, NULL, NULL, false, false},
#define SMOOTH(name, types, f)  {name, types, run_##f, tangent_##f, adj_##f, false, false},
#define SLOPE(name, types, f)   {name, types, run_##f, tangent_##f, adj_##f, true, false},
#define STORE(name, types, f)   {name, types, run_##f, NULL, NULL, false, true},
#define LACKING(name, types, f) {name, types, run_##f, missing, missing, false, false},
#include "arith/arith_volume.def"
#undef LACKING
#undef VOLUME
#undef SMOOTH
#undef SLOPE
#undef STORE
};
enum { ROWS = sizeof volume_rows / sizeof *volume_rows };

/* What a volume with values of this type is; VOLUME_INDEX: there is none. */
static volume_kind kind_of(const type *t)
{
    const bool three = t->kind == TYPE_VEC && t->rows == 3,
               four = t->kind == TYPE_VEC && t->rows == 4;
    switch (three || four ? t->elem->kind : t->kind) {
    case TYPE_INT32: return three || four ? VOLUME_INDEX : VOLUME_INT32;
    case TYPE_INT64: return three || four ? VOLUME_INDEX : VOLUME_INT64;
    case TYPE_UINT32: return three || four ? VOLUME_INDEX : VOLUME_UINT32;
    case TYPE_FLOAT32: return three ? VOLUME_VEC3F : four ? VOLUME_VEC4F : VOLUME_FLOAT32;
    case TYPE_FLOAT64: return three ? VOLUME_VEC3D : four ? VOLUME_VEC4D : VOLUME_FLOAT64;
    default: return VOLUME_INDEX;
    }
}

/* Is t the type of three slopes for each lane of a value? */
static bool is_slope_of(const type *t, const type *held)
{
    if (type_is_scalar(held))
        return t->kind == TYPE_VEC && t->rows == 3 && t->elem == held;
    return t->kind == TYPE_MAT && t->rows == held->rows && t->cols == 3 && t->elem == held->elem;
}

static bool fits_code(char code, const type *t, const type *held)
{
    const bool place = t->kind == TYPE_VEC && t->rows == 3;
    switch (code) {
    case 'U': return t->kind == TYPE_UINT64;
    case 'i': return t->kind == TYPE_INT32;
    case 'f': return t->kind == TYPE_FLOAT32;
    case 'v': return place && t->elem->kind == TYPE_FLOAT32;
    case 'w': return place && t->elem->kind == TYPE_FLOAT64;
    case 'G': return is_slope_of(t, held);
    case 'A':
        return t->kind == TYPE_ARRAY && t->array_class == ARRAY_PLAIN && type_equal(t->elem, held);
    case 'S': return kind_of(t) != VOLUME_INDEX && type_is_float(type_scalar_of(t));
    default: return kind_of(t) != VOLUME_INDEX;
    }
}

/* The result's type where the request leaves it open; NULL: it cannot be left open. */
static const type *result_of(ctx *c, char code)
{
    const type *f = type_scalar(c, code == 'w' ? TYPE_FLOAT64 : TYPE_FLOAT32);
    return code == 'v' || code == 'w' ? type_vec(c, f, 3)
           : code == 'f'              ? f
           : code == 'i'              ? type_scalar(c, TYPE_INT32)
                                      : NULL;
}

/* Fits the row the request? Fills the types, then. */
static bool row_fits(const arith_request *q, const volume_row *row, const type **types)
{
    if (strcmp(row->name, q->name) != 0 || strlen(row->types) != q->n + 1u ||
        q->nresults > (row->stores ? 0 : 1))
        return false;
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = row->stores   ? NULL
                  : q->nresults ? q->results[0]
                                : result_of(q->c, row->types[q->n]);
    const type *held = row->stores ? q->args[q->n - 1] : types[q->n];
    if (!held)
        return false;
    for (uint32_t i = 0; i < q->n + (row->stores ? 0 : 1); i++)
        if (!fits_code(row->types[i], types[i], held))
            return false;
    return true;
}

static bool find_volume(const arith_request *q, arith_op *op)
{
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 2u);
    for (int i = 0; i < ROWS; i++) {
        const volume_row *row = &volume_rows[i];
        if (!row_fits(q, row, types))
            continue;
        const type *held = row->stores ? types[q->n - 1] : types[q->n];
        *op = (arith_op){.run = row->run,
                         .tangent = row->tangent,
                         .adjoint = row->adjoint,
                         .name = row->name,
                         .types = types,
                         .n = q->n,
                         .nresults = row->stores ? 0 : 1,
                         .param = {lane_count(held), type_scalar_of(held)->kind == TYPE_FLOAT64,
                                   (int32_t)kind_of(held)},
                         .aux = q->c,
                         .first_set = (uint8_t)(q->n - 1),
                         .nset = row->sets_last,
                         .has_effect = row->stores};
        return true;
    }
    return false;
}

/* As in arith_geometry.c: a name stands here as often as it has overloads. */
static const arith_row rows[] = {
#define VOLUME(name, types, f) {name, find_volume},
#define SMOOTH                 VOLUME
#define SLOPE                  VOLUME
#define STORE                  VOLUME
#define LACKING                VOLUME
#include "arith/arith_volume.def"
#undef LACKING
#undef VOLUME
#undef SMOOTH
#undef SLOPE
#undef STORE
};

const arith_family arith_volumes = {rows, sizeof rows / sizeof *rows};
