/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes of a run given as text (run_geometry.c has the other objects):
 *
 *     "volume:@values.npy"                              [x, y, z]: floats or integers
 *     "volume:@values.npy,voxel=0.1,origin=[-1,0,2]"    voxel (0, 0, 0) lies at the origin
 *     "volume:@values.npy,voxel=[0.1,0.1,0.2],background=[0,0,1]"    [x, y, z, 3], outside 0, 0, 1
 *     "indexvolume:@voxels.npy,voxel=0.1"               [n, 3]: voxels that get numbers
 *     "volume:@file.nvdb"                               the first grid of a file of NanoVDB
 *
 * As Warp's Volume.load_from_numpy and Volume.allocate_by_voxels make them. The type follows from
 * the items of the file: float32, int32, vec3f or vec4f. */
#include <math.h>

#include "api/run_request.h"
#include "base/c_locale.h"
#include "base/folder_walk.h"
#include "geometry/volume.h"

enum { LANES_MAX = 4 };

/* A text taken apart: the file, and options "voxel=0.1". */
typedef struct volume_text {
    run_set *s;
    const char *path, *file;
    const char *voxel, *origin, *background; /* NULL: not given */
} volume_text;

static ctx *context_of(const volume_text *t)
{
    return &t->s->r->c->p.c;
}

static bool take_apart(volume_text *t, const char *text)
{
    const run_option options[] = {
        {"voxel=", &t->voxel}, {"origin=", &t->origin}, {"background=", &t->background}};
    return run_text_options(t->s, t->path, text, options, sizeof options / sizeof *options,
                            "a volume: voxel=, origin= and background=", &t->file);
}

/* Floats of an option: one for all, or as many in a list. NULL leaves them as they are. */
static bool read_floats(volume_text *t, const char *text, int n, float *out)
{
    ctx *c = context_of(t);
    const type *f = type_scalar(c, TYPE_FLOAT32);
    const bool list = text && text[0] == '[';
    rvalue v;
    if (!text)
        return true;
    if (!run_text_value(t->s, t->path, list && n > 1 ? type_vec(c, f, n) : f, text, &v))
        return false;
    for (int i = 0; i < n; i++)
        out[i] = list && n > 1 ? (float)num_load(TYPE_FLOAT32, v.bytes + 4 * i).f : (float)v.n.f;
    return true;
}

static bool read_map(volume_text *t, volume_map *out)
{
    float size[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    if (!read_floats(t, t->voxel, 3, size) || !read_floats(t, t->origin, 3, origin))
        return false;
    for (int i = 0; i < 3; i++)
        if (!(size[i] > 0) || isinf(size[i]))
            return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                    "voxels are wider than 0, and finite");
    volume_make_map(size, origin, out);
    return true;
}

/* --- values of a file ------------------------------------------------------------------------- */

type_kind run_item_kind(const npy *a)
{
    const int size = a->width == 1 ? 0 : a->width == 2 ? 1 : a->width == 4 ? 2 : 3;
    static const uint8_t ints[] = {TYPE_INT8, TYPE_INT16, TYPE_INT32, TYPE_INT64};
    static const uint8_t uints[] = {TYPE_UINT8, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64};
    static const uint8_t floats[] = {TYPE_FLOAT16, TYPE_FLOAT16, TYPE_FLOAT32, TYPE_FLOAT64};
    WEFT_ASSERT(a->width && a->width <= 8);
    return a->kind == 'b'   ? TYPE_BOOL
           : a->kind == 'i' ? (type_kind)ints[size]
           : a->kind == 'u' ? (type_kind)uints[size]
                            : (type_kind)floats[size];
}

/* The items as int32 or float32, which are as wide. */
static uint8_t *convert(volume_text *t, const npy *a, type_kind to)
{
    const type_kind from = run_item_kind(a);
    uint8_t *out = arena_zero(&context_of(t)->module, a->count * 4 + 1);
    for (size_t i = 0; i < a->count; i++)
        num_store(to, out + 4 * i, num_cast(to, from, num_load(from, a->items + a->width * i)));
    return out;
}

/* The background, one number or one for each lane; zeros. */
static bool read_background(volume_text *t, bool integers, int lanes, uint8_t *out)
{
    float values[LANES_MAX] = {0};
    rvalue v;
    if (integers && t->background) {
        if (!run_text_value(t->s, t->path, type_scalar(context_of(t), TYPE_INT32), t->background,
                            &v))
            return false;
        num_store(TYPE_INT32, out, v.n);
        return true;
    }
    if (!read_floats(t, t->background, lanes, values))
        return false;
    memcpy(out, values, sizeof values);
    return true;
}

static bool read_dense(volume_text *t, uint64_t *out)
{
    uint8_t background[VOLUME_VALUE_MAX] = {0};
    int32_t shape[3];
    npy a;
    volume_map map;
    if (!run_read_npy(t->s, &context_of(t)->module, t->path, t->file + 1, &a))
        return false;
    const int lanes = a.ndim == 4 && a.shape[3] >= 3 && a.shape[3] <= 4 ? (int)a.shape[3]
                      : a.ndim == 3                                     ? 1
                                                                        : 0;
    if (!lanes)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "the values of a volume have the shape x, y, z or x, y, z, 3 or "
                                "x, y, z, 4");
    for (int i = 0; i < 3; i++)
        shape[i] = a.shape[i] < INT32_MAX ? (int32_t)a.shape[i] : 0;
    const bool integers = lanes == 1 && a.kind != 'f';
    if (!read_map(t, &map) || !read_background(t, integers, lanes, background))
        return false;
    const volume_kind kind = integers     ? VOLUME_INT32
                             : lanes == 1 ? VOLUME_FLOAT32
                             : lanes == 3 ? VOLUME_VEC3F
                                          : VOLUME_VEC4F;
    const uint8_t *values = convert(t, &a, integers ? TYPE_INT32 : TYPE_FLOAT32);
    *out = geometry_add_volume(context_of(t), kind, values, shape, background, &map);
    return *out || run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                    "a volume has a voxel at least, and 1 GiB of values at most");
}

/* Such a file says where its voxels are. */
static bool read_nvdb(volume_text *t, uint64_t *out)
{
    const char *file = t->file + 1;
    str text;
    if (t->voxel || t->origin || t->background)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "a .nvdb file has its own voxels, origin and background");
    if (!run_read_file(t->s, t->path, file, &text))
        return false;
    const char *wrong = geometry_add_nvdb(context_of(t), text, out);
    arena_reset(&t->s->file);
    return !wrong ||
           run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "cannot use '%s': %s", file, wrong);
}

bool run_text_volume(run_set *s, const char *path, const char *text, uint64_t *out)
{
    volume_text t = {.s = s, .path = path};
    if (!take_apart(&t, text))
        return false;
    if (t.file[0] != '@')
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path,
                                "a volume is volume:@FILE.nvdb or volume:@VALUES.npy[,voxel=SIZE]"
                                "[,origin=[X,Y,Z]][,background=VALUE]");
    return path_ends_with(t.file, ".nvdb") ? read_nvdb(&t, out) : read_dense(&t, out);
}

bool run_text_index_volume(run_set *s, const char *path, const char *text, uint64_t *out)
{
    volume_text t = {.s = s, .path = path};
    volume_map map;
    npy a;
    if (!take_apart(&t, text))
        return false;
    if (t.file[0] != '@' || t.background)
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path,
                                "an index volume is indexvolume:@VOXELS.npy[,voxel=SIZE]"
                                "[,origin=[X,Y,Z]]");
    const type *i32 = type_scalar(context_of(&t), TYPE_INT32);
    if (!run_text_array(s, &context_of(&t)->module, path, t.file, type_vec(context_of(&t), i32, 3),
                        1, &a) ||
        !read_map(&t, &map))
        return false;
    *out = geometry_add_index_volume(context_of(&t), (const int32_t *)(const void *)a.items,
                                     a.shape[0] < INT32_MAX ? (int32_t)a.shape[0] : 0, &map);
    return *out ||
           run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "an index volume has a voxel at least");
}
