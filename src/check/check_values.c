/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers an argument takes, where its magnitude says too little (check_arg.values):
 *
 *     "0:n"         integers from 0 to n - 1, such as indexes of an array of shape "n"
 *     "n-2:n+1"     n - 2, n - 1 or n: a size that a kernel compares its threads with
 *     "0.5 to 2"    floats from 0.5 to 2
 *     "rising:2"    number i is 2 i, 2 i + 1 or 2 i + 2: offsets of the rows of a sparse matrix
 *                   (a float lies between 2 i and 2 i + 2: sorted knots)
 *     "rising:2<m"  the same, but none above m
 *     "starts:n/g"  where the g parts of n things begin, and their end: part i has about i in g of
 *                   them, the first may be empty: 0 0 2 4 8 for 8/4
 *     "sizes:n/g"   how many things each of these parts has: 0 2 2 4
 *     "part:n/g"    the part that thing i is in: 1 1 2 2 3 3 3 3
 *     "distinct:n"  numbers from 0 to n - 1, all different if there are at most n
 *     "unit"        vectors, quaternions and rotations of transforms of length 1
 *     "0:n or -1"   the same, one of eight is -1 instead: no neighbour
 *     "0:n by 3,1,2"
 *                   number i is (1 (i / 3) + 2 (i mod 3)) mod n: 0 2 4 1 3 5 2 ...
 *     "0:9 bits 12" as "0:9", but the bits of 12 are turned over by chance: flags
 *     "0:n off 4"   number i is not i / 4, if there is another one: neighbors of each row of four,
 *                   none its own; "0:n off 2,1": nor i / 2 - 1, for rows of "rising:2"
 *     "-1:n apart 4"
 *                   in each row of four no number from 0 on stands twice; what is none is the first
 *                   of the range
 *     "same x"      those of the array x, a parameter before it of its type and shape
 *     "apart3:n"    numbers from 0 to n - 1, three by three different if n is 3 or more: corners of
 *                   triangles; "apart2:n", "apart4:n"
 *     "mesh"        the id of a mesh, "bvh" of a bounding volume hierarchy, "grid" of a hash grid
 *     "bvh:n"       that of a hierarchy of n boxes, "grid:n" of a grid of n points
 *     "volume"      the id of a volume of float32, "volume.vec3" and "volume.int" of others
 *     "none"        no array: Warp's None
 *     "zeros"       one float in three is zero
 *     "+"           floats above zero; it may stand behind one of the others: "0:n+"
 *     "^3"          a magnitude of its own, at the end: "0:n+^3"
 *     "0:n|none|+"  the first, fourth, ... set of inputs has the first, the second the second
 *
 * An empty text: numbers of either sign. A struct's fields share the text of their parameter. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "check/check_internal.h"
#include "geometry/texture.h"
#include "geometry/volume.h"

/* "n", "n-2" or "-3" at the begin of a text. Gives the bytes read; 0: it is neither. */
static size_t read_bound(str s, const int64_t *letters, int64_t *out)
{
    size_t i = 0, digits = 0;
    int64_t x = 0, sign = 1;
    *out = 0;
    if (s.n && s.p[0] >= 'a' && s.p[0] <= 'z') {
        *out = letters[s.p[i++] - 'a'];
        if (i == s.n || (s.p[i] != '-' && s.p[i] != '+') || i + 1 == s.n)
            return i;
    }
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
        sign = s.p[i++] == '-' ? -1 : 1;
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && digits < 10; digits++)
        x = 10 * x + (s.p[i++] - '0');
    *out += sign * x;
    return digits ? i : 0;
}

/* "0.5 to 2": numbers without exponents, the first not above the second. */
static bool read_between(str text, check_values *out)
{
    char copy[48];
    if (text.n >= sizeof copy || !str_contains(text, STR(" to ")))
        return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = 0;
    const char *end;
    out->low = decimal_read_double(copy, &end);
    if (end == copy || strncmp(end, " to ", 4) != 0)
        return false;
    const char *second = end + 4;
    out->high = decimal_read_double(second, &end);
    out->form = CHECK_VALUES_BETWEEN;
    return end != second && !*end && out->low <= out->high && out->high - out->low < 1e30;
}

/* Takes "^3" off the end of *text. False: what follows the ^ is no magnitude. */
static bool take_mag(str *text, check_values *out)
{
    static const int64_t none[26];
    const char *at = text->n ? memchr(text->p, '^', text->n) : NULL;
    if (!at)
        return true;
    const size_t before = (size_t)(at - text->p);
    const str rest = {at + 1, text->n - before - 1};
    int64_t mag = 0;
    if (!rest.n || read_bound(rest, none, &mag) != rest.n || mag < -100 || mag > 100)
        return false;
    out->has_mag = true;
    out->mag = (int)mag;
    text->n = before;
    return true;
}

/* Forms that are one word. */
static bool read_word(str text, check_values *out)
{
    static const struct {
        const char *word;
        check_values_form form;
    } words[] = {{"mesh", CHECK_VALUES_MESH},
                 {"bvh", CHECK_VALUES_BVH},
                 {"grid", CHECK_VALUES_GRID},
                 {"volume", CHECK_VALUES_VOLUME},
                 {"volume.vec3", CHECK_VALUES_VOLUME_VEC3},
                 {"volume.int", CHECK_VALUES_VOLUME_INT},
                 {"none", CHECK_VALUES_NONE},
                 {"unit", CHECK_VALUES_UNIT},
                 {"zeros", CHECK_VALUES_ZEROS}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(text, str_c(words[i].word))) {
            out->form = words[i].form;
            return true;
        }
    return false;
}

/* A number at *at, behind which *at stands then. */
static bool take_count(str text, size_t *at, int64_t most, uint32_t *out)
{
    static const int64_t none[26];
    int64_t x;
    const size_t n = read_bound((str){text.p + *at, text.n - *at}, none, &x);
    *at += n;
    *out = (uint32_t)x;
    return n && x >= 0 && x <= most;
}

/* What may stand behind a range: " or -1", " by 3,1,1", " off 4", " apart 4", " bits 12"; nothing
 * is fine. */
static bool read_rule(str text, const int64_t *letters, check_values *out)
{
    enum { OF = 1 << 20 };
    inputs_lattice *l = &out->lattice;
    size_t at = 4;
    if (str_starts(text, " or ") && text.n > at) {
        out->has_other = true;
        return read_bound((str){text.p + at, text.n - at}, letters, &out->other) == text.n - at;
    }
    if (str_starts(text, " by "))
        return take_count(text, &at, OF, &l->group) && l->group && at < text.n &&
               text.p[at++] == ',' && take_count(text, &at, OF, &l->of_group) && at < text.n &&
               text.p[at++] == ',' && take_count(text, &at, OF, &l->of_item) && at == text.n;
    at = sizeof " off " - 1;
    if (str_starts(text, " off ")) {
        if (!take_count(text, &at, OF, &out->row) || !out->row)
            return false;
        return at == text.n || (text.p[at++] == ',' &&
                                take_count(text, &at, OF, &out->rows_before) && at == text.n);
    }
    at = sizeof " apart " - 1;
    if (str_starts(text, " apart "))
        return take_count(text, &at, OF, &out->apart) && out->apart && at == text.n;
    at = sizeof " bits " - 1;
    if (str_starts(text, " bits "))
        return take_count(text, &at, INT32_MAX, &out->mask) && out->mask && at == text.n;
    return text.n == 0;
}

/* "same x" */
static bool read_same(str text, check_values *out)
{
    const size_t begin = sizeof "same " - 1;
    if (!str_starts(text, "same ") || text.n == begin)
        return false;
    out->form = CHECK_VALUES_SAME;
    out->name = (str){text.p + begin, text.n - begin};
    return true;
}

/* "starts:n/g", "sizes:n/g", "part:n/g". No set of inputs has as many parts as are refused here. */
static bool read_parts(str text, const int64_t *letters, check_values *out)
{
    enum { PARTS_MAX = 1 << 20 };
    const bool starts = str_starts(text, "starts:"), sizes = str_starts(text, "sizes:");
    const size_t begin = starts  ? sizeof "starts:" - 1
                         : sizes ? sizeof "sizes:" - 1
                                 : sizeof "part:" - 1;
    const str all = {text.p + begin, text.n - begin};
    const size_t n = read_bound(all, letters, &out->to);
    out->form = starts ? CHECK_VALUES_STARTS : sizes ? CHECK_VALUES_SIZES : CHECK_VALUES_PART;
    if (!n || n + 1 >= all.n || all.p[n] != '/')
        return false;
    const str parts = {all.p + n + 1, all.n - n - 1};
    return read_bound(parts, letters, &out->from) == parts.n && out->to < INT32_MAX &&
           out->from <= PARTS_MAX;
}

/* Where the first alternative ends. */
static size_t first_end(str text)
{
    const char *bar = text.n ? memchr(text.p, '|', text.n) : NULL;
    return bar ? (size_t)(bar - text.p) : text.n;
}

uint32_t check_count_alternatives(str text)
{
    return str_count(text, '|') + 1;
}

str check_alternative(str text, uint32_t set)
{
    for (uint32_t at = set % check_count_alternatives(text); at; at--) {
        const size_t end = first_end(text);
        WEFT_ASSERT(end < text.n);
        text = (str){text.p + end + 1, text.n - end - 1};
    }
    return (str){text.p, first_end(text)};
}

bool check_are_values(str text)
{
    static const int64_t letters[26];
    check_values ignored;
    for (uint32_t i = check_count_alternatives(text); i-- > 0;)
        if (!check_read_values(check_alternative(text, i), letters, &ignored))
            return false;
    return true;
}

bool check_read_values(str text, const int64_t *letters, check_values *out)
{
    *out = (check_values){.form = CHECK_VALUES_ANY};
    if (!take_mag(&text, out))
        return false;
    if (text.n && text.p[text.n - 1] == '+') {
        out->positive = true;
        text.n--;
    }
    if (!text.n || read_word(text, out) || read_between(text, out) || read_same(text, out))
        return true;
    if (str_starts(text, "apart2:") || str_starts(text, "apart3:") || str_starts(text, "apart4:")) {
        const str bound = {text.p + 7, text.n - 7};
        out->form = CHECK_VALUES_APART;
        out->from = text.p[5] - '0';
        return bound.n && read_bound(bound, letters, &out->to) == bound.n;
    }
    if (str_starts(text, "starts:") || str_starts(text, "sizes:") || str_starts(text, "part:"))
        return read_parts(text, letters, out);
    if (str_starts(text, "bvh:") || str_starts(text, "grid:")) {
        const size_t begin = text.p[0] == 'b' ? sizeof "bvh:" - 1 : sizeof "grid:" - 1;
        const str bound = {text.p + begin, text.n - begin};
        out->form = text.p[0] == 'b' ? CHECK_VALUES_BVH : CHECK_VALUES_GRID;
        return bound.n && read_bound(bound, letters, &out->to) == bound.n && out->to < 1000;
    }
    if (str_starts(text, "distinct:")) {
        const size_t begin = sizeof "distinct:" - 1;
        out->form = CHECK_VALUES_DISTINCT;
        return text.n > begin &&
               read_bound((str){text.p + begin, text.n - begin}, letters, &out->to) ==
                   text.n - begin &&
               out->to <= UINT32_MAX;
    }
    const bool rising = str_starts(text, "rising:");
    size_t n = 0;
    if (!rising) {
        n = read_bound(text, letters, &out->from);
        if (!n || n == text.n || text.p[n] != ':')
            return false;
        n++;
    } else {
        n = sizeof "rising:" - 1;
    }
    out->form = rising ? CHECK_VALUES_RISING : CHECK_VALUES_RANGE;
    const size_t rest = read_bound((str){text.p + n, text.n - n}, letters, &out->to);
    if (rising && n + rest < text.n && text.p[n + rest] == '<') {
        const str most = {text.p + n + rest + 1, text.n - n - rest - 1};
        if (!most.n || read_bound(most, letters, &out->from) != most.n)
            return false;
        text.n -= most.n + 1;
    }
    n += rest;
    if (rising)
        return rest && n == text.n && out->to > 0 && out->to < 1000;
    return rest && read_rule((str){text.p + n, text.n - n}, letters, out);
}

/* --- geometry ------------------------------------------------------------------------------ */

enum { POINTS = 24, SPLIT = 12 };

static float draw_coordinate(checker *k)
{
    return (float)((int)rng_below(&k->draws, 2049) - 1024) * 0x1p-9f;
}

static vec3 *draw_points(checker *k, int n)
{
    vec3 *p = ARENA_ARRAY(&k->c->module, vec3, (size_t)n);
    for (int i = 0; i < n; i++)
        p[i] = (vec3){draw_coordinate(k), draw_coordinate(k), draw_coordinate(k)};
    return p;
}

/* An octahedron, a little out of shape so that no two distances are equal: closed, for the queries
 * that want to know what is inside. */
static uint64_t draw_mesh(checker *k)
{
    static const int8_t corners[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const int32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                      2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    vec3 *p = draw_points(k, 6), *v = draw_points(k, 6);
    int32_t *indices = ARENA_ARRAY(&k->c->module, int32_t, 24);
    memcpy(indices, faces, sizeof faces);
    for (int i = 0; i < 6; i++)
        p[i] =
            (vec3){1.25f * corners[i][0] + 0.125f * p[i].x, 1.25f * corners[i][1] + 0.125f * p[i].y,
                   1.25f * corners[i][2] + 0.125f * p[i].z};
    return geometry_add_mesh(k->c, p, v, 6, indices, 8);
}

static uint64_t draw_boxes(checker *k, int n)
{
    vec3 *lower = draw_points(k, n), *upper = draw_points(k, n);
    for (int i = 0; i < n; i++)
        upper[i] = (vec3){lower[i].x + 0.25f * fabsf(upper[i].x) + 0.125f,
                          lower[i].y + 0.25f * fabsf(upper[i].y) + 0.125f,
                          lower[i].z + 0.25f * fabsf(upper[i].z) + 0.125f};
    return geometry_add_bvh(k->c, lower, upper, n);
}

static const int32_t volume_shape[3] = {16, 8, 24};

/* Two blocks along x, one along y and three along z, around the origin of the world; voxels are
 * wider along y. */
static uint64_t draw_volume(checker *k, check_values_form form)
{
    static const float size[3] = {0.25f, 0.5f, 0.25f}, origin[3] = {-2, -2, -3};
    const int n = volume_shape[0] * volume_shape[1] * volume_shape[2];
    const vec3 *values = draw_points(k, n), *background = draw_points(k, 1);
    volume_map map;
    volume_make_map(size, origin, &map);
    if (form != CHECK_VALUES_VOLUME_INT)
        return geometry_add_volume(k->c,
                                   form == CHECK_VALUES_VOLUME ? VOLUME_FLOAT32 : VOLUME_VEC3F,
                                   values, volume_shape, background, &map);
    int32_t *whole = ARENA_ARRAY(&k->c->module, int32_t, (size_t)n);
    for (int i = 0; i < n; i++)
        whole[i] = (int32_t)(values[i].x * 16);
    const int32_t outside = (int32_t)(background->x * 16);
    return geometry_add_volume(k->c, VOLUME_INT32, whole, volume_shape, &outside, &map);
}

/* All voxels of a drawn volume. */
static uint64_t hash_volume(const volume *v, uint64_t seed)
{
    const size_t size = volume_value_size(volume_kind_of(v));
    int32_t at[3];
    for (at[0] = 0; size && at[0] < volume_shape[0]; at[0]++)
        for (at[1] = 0; at[1] < volume_shape[1]; at[1]++)
            for (at[2] = 0; at[2] < volume_shape[2]; at[2]++)
                seed = XXH3_64bits_withSeed(volume_value(v, at), size, seed);
    return seed;
}

void check_note_volumes(const checker *k, check_inputs *in)
{
    const code *f = &k->s->kernel->code;
    uint64_t hash = 1;
    if (!in->stored)
        return;
    for (uint32_t i = 0; i < f->nparams; i++) {
        uint64_t id = 0;
        if (f->params[i].type->kind == TYPE_UINT64)
            memcpy(&id, in->values.bytes + in->params[i], sizeof id);
        const volume *v = volume_find(k->c, id);
        hash = v ? hash_volume(v, hash) : hash;
    }
    memcpy(in->values.bytes + in->stored, &hash, sizeof hash);
}

/* Coordinates in texels or from 0 to 1, all of four levels. It begins again or is reflected beyond
 * its edges, so that samples differ wherever they are. */
void check_draw_texture(checker *k, const type *t, uint8_t *to)
{
    texture_form f = {.ndim = texture_axes(t),
                      .size = {12, 9, 8},
                      .channels = 4,
                      .items = TEXTURE_FLOAT32,
                      .mip_filter = TEXTURE_LINEAR};
    size_t n = 4;
    for (int i = 0; i < f.ndim; i++) {
        f.address[i] = rng_below(&k->draws, 2) ? TEXTURE_WRAP : TEXTURE_MIRROR;
        n *= (size_t)f.size[i];
    }
    f.filter = rng_below(&k->draws, 4) ? TEXTURE_LINEAR : TEXTURE_CLOSEST;
    f.normalized = rng_below(&k->draws, 2);
    double *texels = ARENA_ARRAY(&k->c->module, double, n);
    for (size_t i = 0; i < n; i++)
        texels[i] = (double)draw_coordinate(k);
    texture_value(k->c, geometry_add_texture(k->c, &f, texels), to, layout_size(t));
}

/* Few points lie nearer to each other, so that queries find some. */
static uint64_t draw_grid(checker *k, int n)
{
    static const int32_t dims[3] = {8, 8, 8};
    vec3 *p = draw_points(k, n);
    for (int i = 0; n < POINTS && i < n; i++)
        p[i] = (vec3){0.5f * p[i].x, 0.5f * p[i].y, 0.5f * p[i].z};
    return geometry_add_hash_grid(k->c, p, n, 0.5f, dims);
}

static uint64_t draw_object(checker *k, const check_values *v)
{
    const int n = v->to > 0 ? (int)v->to : 0;
    switch (v->form) {
    case CHECK_VALUES_MESH: return draw_mesh(k);
    case CHECK_VALUES_BVH: return draw_boxes(k, n ? n : SPLIT);
    case CHECK_VALUES_VOLUME:
    case CHECK_VALUES_VOLUME_VEC3:
    case CHECK_VALUES_VOLUME_INT: return draw_volume(k, v->form);
    default: return draw_grid(k, n ? n : POINTS);
    }
}

/* Number `at` of groups of `of`, each of which takes its numbers from parts of 0 .. n - 1 of their
 * own; the parts go round from group to group. */
static int64_t draw_apart(checker *k, int64_t of, int64_t n, size_t at)
{
    if (n < of)
        return n > 1 ? rng_below(&k->draws, (uint32_t)n) : 0;
    const int64_t group = (int64_t)at / of, part = (int64_t)at % of;
    const int64_t first = part * n / of, width = (part + 1) * n / of - first;
    return (first + rng_below(&k->draws, (uint32_t)width) + group) % n;
}

/* --- numbers ------------------------------------------------------------------------------- */

/* The nearest number that the type has. */
static int64_t into_type(type_kind kind, int64_t x)
{
    static const uint8_t bits[] = {1, 7, 8, 15, 16, 31, 32, 63, 63};
    const bool is_signed =
        kind == TYPE_INT8 || kind == TYPE_INT16 || kind == TYPE_INT32 || kind == TYPE_INT64;
    const int64_t most = (int64_t)((UINT64_C(1) << bits[kind]) - 1);
    const int64_t least = is_signed ? -most : 0;
    return x < least ? least : x > most ? most : x;
}

/* The next number that is none of a thing's own rows, those from `first` to `row`; behind the last
 * number comes the first. Where all are its own, it is one of them. */
static int64_t off_row(const check_values *v, size_t at, int64_t x, uint32_t width)
{
    const int64_t row = (int64_t)(at / v->row), first = row - v->rows_before;
    if (x < first || x > row)
        return x;
    if (row + 1 < v->from + width)
        return row + 1;
    return v->from < first ? v->from : v->from + (x - v->from + v->rows_before + 1) % width;
}

/* The number near x that is left for its column: those with a remainder of its own. Rows take the
 * remainders in turn, so that each column has all numbers. */
static int64_t apart_in_row(const check_values *v, size_t at, int64_t x)
{
    const int64_t columns = v->apart, row = (int64_t)(at / v->apart);
    const int64_t rest = ((int64_t)(at % v->apart) + row % columns) % columns;
    const int64_t near = x < 0 ? x : x - x % columns + rest;
    return near < v->to ? near : v->from;
}

/* Number `at` of an array that has a range, and its rule. */
static int64_t draw_range(checker *k, const check_values *v, size_t at)
{
    const int64_t many = v->to > v->from ? v->to - v->from : 1;
    const uint32_t width = many < UINT32_MAX ? (uint32_t)many : UINT32_MAX;
    if (v->lattice.group)
        return v->from + inputs_lattice_at(&v->lattice, (uint32_t)at, width);
    if (v->has_other && rng_below(&k->draws, 8) == 0)
        return v->other;
    const int64_t x = v->from + rng_below(&k->draws, width);
    if (v->row)
        return off_row(v, at, x, width);
    if (v->apart)
        return apart_in_row(v, at, x);
    return v->mask ? x ^ (int64_t)(rng_next(&k->draws) & v->mask) : x;
}

/* Where part `i` of `parts` begins among `all` things; later ones have more. */
static int64_t part_start(int64_t all, int64_t parts, int64_t i)
{
    const int64_t at = i < parts ? i : parts;
    return parts > 0 ? (int64_t)((double)all * (double)at * (double)(at + 1) /
                                 ((double)parts * (double)(parts + 1)))
                     : 0;
}

/* The last part that begins at the thing or before it, found by bisection: records are anyone's,
 * and state up to a million parts. */
static int64_t part_of(int64_t all, int64_t parts, int64_t thing)
{
    int64_t low = 0, high = parts;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (part_start(all, parts, middle) <= thing)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Number `at` of rising floats, at most `from`, if that is above 0, and what the type has. */
static double draw_rising(checker *k, const check_values *v, type_kind kind, size_t at)
{
    static const double half_max = 65504;
    const double part = (double)rng_below(&k->draws, 1024) * 0x1p-10;
    double x = (double)v->to * ((double)at + part);
    if (v->from > 0 && x > (double)v->from)
        x = (double)v->from;
    return kind == TYPE_FLOAT16 && x > half_max ? half_max : x;
}

bool check_draw_value(checker *k, const check_values *v, type_kind kind, size_t at, num *out)
{
    WEFT_ASSERT(kind <= TYPE_FLOAT64);
    if (v->form == CHECK_VALUES_ZEROS && kind >= TYPE_FLOAT16) {
        *out = (num){.f = 0};
        return rng_below(&k->draws, 3) == 0;
    }
    if (v->form == CHECK_VALUES_RISING && kind >= TYPE_FLOAT16) {
        *out = num_cast(kind, TYPE_FLOAT64, (num){.f = draw_rising(k, v, kind, at)});
        return true;
    }
    if (v->form == CHECK_VALUES_BETWEEN || kind >= TYPE_FLOAT16 || kind == TYPE_BOOL)
        return false;
    switch (v->form) {
    case CHECK_VALUES_ANY:
    case CHECK_VALUES_NONE:
    case CHECK_VALUES_SAME:
    case CHECK_VALUES_ZEROS:
    case CHECK_VALUES_UNIT:
    case CHECK_VALUES_BETWEEN: return false;
    case CHECK_VALUES_DISTINCT: /* fill_slot() shuffles them */
        out->i = into_type(kind, v->to > 0 ? (int64_t)at % v->to : 0);
        return true;
    case CHECK_VALUES_RANGE: out->i = into_type(kind, draw_range(k, v, at)); return true;
    case CHECK_VALUES_APART:
        out->i = into_type(kind, draw_apart(k, v->from, v->to, at));
        return true;
    case CHECK_VALUES_STARTS:
        out->i = into_type(kind, part_start(v->to, v->from, (int64_t)at));
        return true;
    case CHECK_VALUES_SIZES:
        out->i = into_type(kind, part_start(v->to, v->from, (int64_t)at + 1) -
                                     part_start(v->to, v->from, (int64_t)at));
        return true;
    case CHECK_VALUES_PART:
        out->i = into_type(kind, part_of(v->to, v->from, (int64_t)at));
        return true;
    case CHECK_VALUES_RISING: {
        const uint32_t step = (uint32_t)v->to;
        const int64_t x = (int64_t)(step * at) + rng_below(&k->draws, step + 1);
        out->i = into_type(kind, v->from > 0 && x > v->from ? v->from : x);
        return true;
    }
    default:
        if (kind != TYPE_UINT64)
            return false;
        out->i = (int64_t)draw_object(k, v);
        return true;
    }
}
