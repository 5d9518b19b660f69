/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry objects of a run given as text. The kernel's parameter is a uint64 and gets the id:
 *
 *     "mesh:@points.npy,@indices.npy"             also with ",@velocities.npy"
 *     "mesh:@bunny.obj"                           faces with more corners become fans of triangles
 *     "hashgrid:@points.npy,0.5"                  cells of width 0.5, 128x128x128 of them
 *     "hashgrid:@points.npy,0.5,64x64x64"
 *     "bvh:@lowers.npy,@uppers.npy"
 *
 * As Warp's wp.Mesh, wp.HashGrid.build and wp.Bvh make them with their defaults. run_volume.c has
 * volumes, run_texture.c textures. */
#include "api/run_request.h"
#include "base/c_locale.h"
#include "base/decimal.h"
#include "geometry/geometry.h"

enum { PARTS_MAX = 3 };

/* A text and what it has been taken apart into. */
typedef struct geometry_text {
    run_set *s;
    const char *path;
    const char *part[PARTS_MAX];
    int n;
} geometry_text;

static arena *module_of(const run_set *s)
{
    return &s->r->c->p.c.module;
}

/* Parts between commas. */
static bool take_apart(geometry_text *t, const char *text)
{
    for (const char *p = text;; p++) {
        const size_t n = strcspn(p, ",");
        if (t->n == PARTS_MAX)
            return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "'%.200s' has too many parts",
                                    text);
        t->part[t->n++] = arena_dup(module_of(t->s), p, n);
        p += n;
        if (!*p)
            return true;
    }
}

/* The bytes up to a comma that stands in no list. */
static size_t part_length(const char *text)
{
    size_t n = 0;
    for (int depth = 0; text[n] && (depth > 0 || text[n] != ','); n++)
        depth += text[n] == '[' ? 1 : text[n] == ']' ? -1 : 0;
    return n;
}

/* Puts an option into its place; false: there is no such option, or it is given twice. */
static bool take_option(const run_option *options, size_t count, const char *part)
{
    for (size_t i = 0; i < count; i++) {
        const size_t n = strlen(options[i].name);
        if (strncmp(part, options[i].name, n) != 0)
            continue;
        const bool first = !*options[i].to;
        *options[i].to = part + n;
        return first;
    }
    return false;
}

bool run_text_options(run_set *s, const char *path, const char *text, const run_option *options,
                      size_t n, const char *what, const char **first)
{
    for (int i = 0;; i++) {
        const size_t length = part_length(text);
        const char *part = arena_dup(module_of(s), text, length);
        if (i == 0)
            *first = part;
        else if (!take_option(options, n, part))
            return run_refuse_value(s, WEFT_BAD_ARGUMENT, path,
                                    "'%.200s' is no option of %s, each once", part, what);
        if (!text[length])
            return true;
        text += length + 1;
    }
}

/* The items of a part, "@FILE.npy", of type `item` in one dimension; they live as long as the run.
 */
static bool read_items(geometry_text *t, int part, const type *item, npy *out)
{
    return run_text_array(t->s, module_of(t->s), t->path, t->part[part], item, 1, out);
}

static const type *vec3_type(geometry_text *t)
{
    ctx *c = &t->s->r->c->p.c;
    return type_vec(c, type_scalar(c, TYPE_FLOAT32), 3);
}

/* "64x64x64" */
static bool read_dims(const char *text, int32_t dims[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        if (!decimal_read_uint(text, &text, &n) || n > INT32_MAX || *text != (i < 2 ? 'x' : 0))
            return false;
        dims[i] = (int32_t)n;
        text += i < 2;
    }
    return true;
}

static bool read_grid(geometry_text *t, uint64_t *out)
{
    npy points;
    int32_t dims[3] = {128, 128, 128};
    const char *end = "?";
    if (t->n < 2 || (t->n == 3 && !read_dims(t->part[2], dims)))
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "a hash grid is hashgrid:@POINTS.npy,WIDTH[,NxMxK]");
    const double width = decimal_read_double(t->part[1], &end);
    if (end == t->part[1] || *end)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "'%.200s' is no width of cells",
                                t->part[1]);
    if (!read_items(t, 0, vec3_type(t), &points))
        return false;
    *out = geometry_add_hash_grid(&t->s->r->c->p.c, (const vec3 *)(const void *)points.items,
                                  (int32_t)points.shape[0], (float)width, dims);
    return *out ||
           run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                            "a hash grid has cells wider than 0, and 16777216 of them at most");
}

static bool read_bvh(geometry_text *t, uint64_t *out)
{
    npy lowers, uppers;
    if (t->n != 2)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "a BVH is bvh:@LOWERS.npy,@UPPERS.npy");
    if (!read_items(t, 0, vec3_type(t), &lowers) || !read_items(t, 1, vec3_type(t), &uppers))
        return false;
    if (lowers.shape[0] != uppers.shape[0])
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "there are %lld lower and %lld upper corners",
                                (long long)lowers.shape[0], (long long)uppers.shape[0]);
    *out = geometry_add_bvh(&t->s->r->c->p.c, (const vec3 *)(const void *)lowers.items,
                            (const vec3 *)(const void *)uppers.items, (int32_t)lowers.shape[0]);
    return *out ||
           run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "a BVH has 67108864 boxes at most");
}

/* --- Wavefront .obj: its lines "v X Y Z" and "f A B C ..." */

typedef struct obj_mesh {
    VEC(vec3) points;
    VEC(int32_t) indices;
} obj_mesh;

/* Three numbers behind "v". */
static bool read_vertex(const char *s, vec3 *out)
{
    float x[3];
    for (int i = 0; i < 3; i++) {
        const char *end;
        s += strspn(s, " \t");
        x[i] = (float)decimal_read_double(s, &end);
        if (end == s)
            return false;
        s = end;
    }
    *out = (vec3){x[0], x[1], x[2]};
    return true;
}

/* Corners "1/2/3" or "-1", of which the first number counts: from 1, or from the last one. */
static bool read_face(arena *a, const char *s, obj_mesh *m)
{
    int32_t corner[3] = {0, 0, 0};
    int n = 0;
    for (s += strspn(s, " \t\r"); *s; s += strspn(s, " \t\r")) {
        const bool minus = *s == '-';
        uint64_t at;
        if (!decimal_read_uint(s + minus, &s, &at) || at == 0 || at > m->points.n)
            return false;
        corner[n < 2 ? n : 2] = minus ? (int32_t)(m->points.n - at) : (int32_t)(at - 1);
        n++;
        s += strcspn(s, " \t\r");
        if (n < 3)
            continue;
        for (int i = 0; i < 3; i++)
            VEC_PUSH(a, &m->indices, corner[i]);
        corner[1] = corner[2];
    }
    return n >= 3;
}

/* Is the line's end, before its newline, a backslash? Then the next line goes on with it. */
static bool goes_on(const char *line, const char *eol)
{
    eol -= eol > line && eol[-1] == '\r';
    return eol > line && eol[-1] == '\\';
}

/* The line at *p with those that go on with it, in a; *p is behind them, *number counts them. */
static const char *next_line(arena *a, const char **p, const char *end, uint32_t *number)
{
    const char *from = *p, *eol;
    bool more;
    do {
        eol = memchr(*p, '\n', (size_t)(end - *p));
        more = eol && eol + 1 < end && goes_on(*p, eol);
        *p = eol ? eol + 1 : end;
        ++*number;
    } while (more);
    const size_t n = (size_t)((eol ? eol : end) - from);
    char *line = arena_dup(a, from, n);
    for (char *at = line; (at = memchr(at, '\n', n - (size_t)(at - line)));)
        for (; at >= line && (*at == '\n' || *at == '\r' || *at == '\\'); at--)
            *at = ' ';
    return line;
}

/* The number of the first wrong line; 0: there is none. */
static uint32_t read_obj(arena *a, str text, obj_mesh *m)
{
    uint32_t lines = 0;
    for (const char *p = text.p, *end = text.p + text.n; p < end;) {
        const uint32_t number = lines + 1;
        const char *line = next_line(a, &p, end, &lines);
        vec3 v;
        if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
            if (!read_vertex(line + 1, &v))
                return number;
            VEC_PUSH(a, &m->points, v);
        } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t')) {
            if (!read_face(a, line + 1, m))
                return number;
        }
    }
    return 0;
}

/* velocities: NULL, if there are none. */
static bool add_mesh(geometry_text *t, const vec3 *points, const vec3 *velocities, int64_t npoints,
                     const int32_t *indices, int64_t nindices, uint64_t *out)
{
    *out = geometry_add_mesh(&t->s->r->c->p.c, points, velocities, (int32_t)npoints, indices,
                             (int32_t)(nindices / 3));
    return *out ||
           run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                            "a mesh has a triangle at least, and its indices name its points");
}

static bool read_obj_file(geometry_text *t, uint64_t *out)
{
    ctx *c = &t->s->r->c->p.c;
    const char *file = t->part[0] + 1;
    obj_mesh m = {0};
    str text;
    if (!run_read_file(t->s, t->path, file, &text))
        return false;
    const uint32_t wrong = read_obj(&c->module, text, &m);
    arena_reset(&t->s->file);
    if (wrong)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "cannot use '%s': line %u is no vertex or face", file, wrong);
    return add_mesh(t, m.points.v, NULL, m.points.n, m.indices.v, m.indices.n, out);
}

static bool read_mesh(geometry_text *t, uint64_t *out)
{
    ctx *c = &t->s->r->c->p.c;
    npy points, indices, velocities = {0};
    const size_t n = strlen(t->part[0]);
    if (t->n == 1 && t->part[0][0] == '@' && n > 5 && strcmp(t->part[0] + n - 4, ".obj") == 0)
        return read_obj_file(t, out);
    if (t->n < 2)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "a mesh is mesh:@FILE.obj or mesh:@POINTS.npy,@INDICES.npy");
    if (!read_items(t, 0, vec3_type(t), &points) ||
        !read_items(t, 1, type_scalar(c, TYPE_INT32), &indices) ||
        (t->n == 3 && !read_items(t, 2, vec3_type(t), &velocities)))
        return false;
    if (t->n == 3 && velocities.shape[0] != points.shape[0])
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "there are %lld points and %lld velocities",
                                (long long)points.shape[0], (long long)velocities.shape[0]);
    if (indices.shape[0] % 3)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "%lld indices make no triangles",
                                (long long)indices.shape[0]);
    return add_mesh(t, (const vec3 *)(const void *)points.items,
                    (const vec3 *)(const void *)velocities.items, points.shape[0],
                    (const int32_t *)(const void *)indices.items, indices.shape[0], out);
}

/* The kinds, by what stands before the colon. What stands behind it is taken apart for `read`, but
 * not for `read_whole`. */
static const struct {
    const char *prefix;
    bool (*read)(geometry_text *t, uint64_t *out);
    bool (*read_whole)(run_set *s, const char *path, const char *text, uint64_t *out);
} kinds[] = {{"mesh:", read_mesh, NULL},
             {"hashgrid:", read_grid, NULL},
             {"bvh:", read_bvh, NULL},
             {"volume:", NULL, run_text_volume},
             {"indexvolume:", NULL, run_text_index_volume}};

/* What a file alone is, by the end of its name: "@bunny.obj" is "mesh:@bunny.obj". NULL: no object.
 */
static const char *prefix_of_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    return text[0] != '@' || !dot      ? NULL
           : strcmp(dot, ".obj") == 0  ? "mesh:"
           : strcmp(dot, ".nvdb") == 0 ? "volume:"
                                       : NULL;
}

bool run_is_geometry(const char *text)
{
    if (prefix_of_file(text))
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
            return true;
    return false;
}

bool run_text_geometry(run_set *s, const char *path, const type *t, const char *text, rvalue *out)
{
    geometry_text parts = {.s = s, .path = path};
    uint64_t id = 0;
    if (t->kind != TYPE_UINT64)
        return run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "'%.200s' is the value of a uint64",
                                text);
    const char *of_file = prefix_of_file(text);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t n = strlen(kinds[i].prefix);
        if (strncmp(of_file ? of_file : text, kinds[i].prefix, n) != 0)
            continue;
        const char *rest = of_file ? text : text + n;
        if (kinds[i].read_whole ? !kinds[i].read_whole(s, path, rest, &id)
                                : !take_apart(&parts, rest) || !kinds[i].read(&parts, &id))
            return false;
    }
    *out = (rvalue){.type = t, .n = {.i = (int64_t)id}};
    return true;
}
