/* SPDX-License-Identifier: Apache-2.0 */
/* Draws inputs that a kernel promises to take (metadata.launch; shape and magnitude of arguments).
 *
 *     launch "n", x: shape "n,3", magnitude 2    n = 7; x: 21 floats with |x| <= 4
 *
 * Everything is drawn from the pair's own stream, so a proof can be repeated. All memory of an
 * input set is one piece: parameters first (of an array: the pointer to its view), then the data of
 * arrays. So a state is saved, restored and compared by one call.
 *
 * The memory is laid out in a first pass over the parameters, which makes the slots; the second
 * pass fills a new image with data. Images for tangents and adjoints repeat the second pass alone.
 */
#include "base/assert.h"
#include "check/check_internal.h"

enum { SIZE_MAX_FIXED = 4096, LANES_LIMIT = 1 << 20, THREADS_LIMIT = 1 << 20 };

/* --- sizes --------------------------------------------------------------------------------- */

/* Launches are small, since each thread is executed many times, but of several blocks and seldom a
 * multiple of one; sizes of different letters differ, so that an index on the wrong axis shows. */
static int64_t draw_size(checker *k, const check_inputs *in, uint32_t level, bool launch, int ndim)
{
    static const uint8_t least[2][4] = {{5, 3, 2, 2}, {2, 1, 1, 1}},
                         most[2][4] = {{9, 4, 3, 2}, {3, 3, 2, 2}};
    const int at = ndim < 1 ? 0 : ndim > 4 ? 3 : ndim - 1;
    int lo = launch ? least[in->few][at] : 2, hi = launch ? most[in->few][at] : 5;
    hi += (int)level * (launch && ndim == 1 ? 6 : 1);
    WEFT_ASSERT(lo <= hi);
    int64_t n = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        n = rng_between(&k->draws, lo, hi);
        bool taken = false;
        for (int i = 0; i < 26; i++)
            taken |= in->letters[i] == n;
        if (!taken)
            break;
    }
    return n;
}

/* The digits at text.p[*i], behind which *i stands then; 1000 and more where there are too many. */
static int64_t read_digits(str text, size_t *i)
{
    int64_t n = 0;
    for (; *i < text.n && text.p[*i] >= '0' && text.p[*i] <= '9' && n < 1000; (*i)++)
        n = 10 * n + (text.p[*i] - '0');
    return n;
}

/* A dimension that is told by a letter, whose size is drawn if it is new: "n", "n=257", which sets
 * it, "n+1"; `times` of it. */
static int64_t read_letter(str text, size_t *i, int64_t times, int64_t *letter, check_size_fn *size,
                           void *arg, int dim)
{
    if (*i < text.n && text.p[*i] == '=') {
        ++*i;
        *letter = read_digits(text, i);
    } else if (!*letter) {
        *letter = size(arg, dim);
    }
    int64_t more = 0;
    if (*i + 1 < text.n && text.p[*i] == '+') {
        ++*i;
        more = read_digits(text, i);
    }
    return times * *letter + more;
}

/* Reads "n,3" or "2*n+2" (see check.h). A size that is 0, above `most`, or followed by anything but
 * a comma makes the text no shape. */
int check_read_shape(str text, int64_t *letters, check_size_fn *size, void *arg, int64_t most,
                     int64_t *shape)
{
    WEFT_ASSERT(most > 0);
    int n = 0;
    for (size_t i = 0; i < text.n; n++) {
        if (n == LAUNCH_DIMS)
            return -1;
        const size_t begin = i;
        shape[n] = read_digits(text, &i);
        const bool times = i > begin && i + 1 < text.n && text.p[i] == '*';
        i += times;
        if ((times || i == begin) && text.p[i] >= 'a' && text.p[i] <= 'z') {
            int64_t *letter = &letters[text.p[i++] - 'a'];
            shape[n] = read_letter(text, &i, times ? shape[n] : 1, letter, size, arg, n);
        }
        if (shape[n] < 1 || shape[n] > most || (i < text.n && (text.p[i++] != ',' || i == text.n)))
            return -1;
    }
    return n;
}

/* What draw_letter needs to draw one size. */
typedef struct size_draw {
    checker *k;
    const check_inputs *in;
    uint32_t level;
    bool launch;
    int ndim;
} size_draw;

/* Where each thread of a kernel with tiles has a value in them, its blocks have to be full: the
 * last dimension of the launch is one. */
static int64_t draw_letter(void *arg, int dim)
{
    const size_draw *d = arg;
    if (d->launch && dim == d->ndim - 1 && check_has_tiles(d->k))
        return CHECK_TILE_BLOCK;
    return draw_size(d->k, d->in, d->level, d->launch, d->ndim);
}

/* How many dimensions sizes are drawn for: "n,m" has two, "n=257,m" too. "n,256" counts as three,
 * so that sets of such launches keep the sizes that they have always had. */
static int drawn_dims(str text)
{
    return str_count(text, '=') + str_count(text, '+') ? (int)str_count(text, ',') + 1
                                                       : (int)(text.n + 1) / 2;
}

/* The sizes that a shape text means for this set; letters that are new are drawn. */
static int read_shape(checker *k, check_inputs *in, uint32_t level, str text, bool launch,
                      int64_t *shape)
{
    size_draw d = {k, in, level, launch, drawn_dims(text)};
    return check_read_shape(text, in->letters, draw_letter, &d, SIZE_MAX_FIXED, shape);
}

/* --- memory -------------------------------------------------------------------------------- */

/* The state of a pass over the parameters. */
typedef struct build {
    checker *k;
    check_inputs *in;
    check_image *image;
    uint32_t slot, room; /* the slot to fill next; room for slots */
    bool first;          /* lays memory out and makes slots, without an image */
    bool draws;          /* fills the image with numbers; else it stays zero */
    uint32_t level;      /* of the draw: check_draw */
} build;

/* Scalars in an array of this shape; above LANES_LIMIT when there are more. */
static size_t lanes_of(const type *elem, const int64_t *shape, int ndim)
{
    size_t n = (size_t)lane_count(elem);
    for (int i = 0; i < ndim; i++)
        n = n > LANES_LIMIT ? n : n * (size_t)shape[i];
    return n;
}

/* To 16 bytes, so that every element type is aligned. */
static size_t round_up(size_t n)
{
    return (n + 15) & ~(size_t)15;
}

static void add_slot(build *b, check_slot slot)
{
    check_inputs *in = b->in;
    if (in->nslots == b->room) {
        b->room = 2 * b->room + 8;
        check_slot *all = ARENA_ARRAY(&b->k->a, check_slot, b->room);
        if (in->nslots)
            memcpy(all, in->slots, in->nslots * sizeof *all);
        in->slots = all;
    }
    in->slots[in->nslots++] = slot;
}

/* Ends the proof: the argument has a type that no input is made for, such as a mesh. */
static bool cannot_make(build *b, const char *name)
{
    return check_end(b->k, CHECK_CANNOT, CHECK_REASON_MISSING, "cannot make an argument '%s'",
                     name);
}

/* "owner.field", in the pair's arena. */
static const char *field_path(build *b, const char *owner, const struct_field *f)
{
    const size_t n = strlen(owner), m = f->name->len;
    char *path = arena_alloc(&b->k->a, n + m + 2);
    memcpy(path, owner, n);
    path[n] = '.';
    memcpy(path + n + 1, f->name->s, m + 1);
    return path;
}

/* Arrays in structs are as long as the launch in each dimension. */
static void inner_shape(const check_inputs *in, int64_t *shape)
{
    int64_t n = 1;
    for (int j = 0; j < in->ndim; j++)
        n = in->dim[j] > n ? in->dim[j] : n;
    for (int d = 0; d < LAUNCH_DIMS; d++)
        shape[d] = n;
}

/* One slot for an array that is a field of `count` structs: their data one after the other. */
static bool add_inner(build *b, const char *path, const type *t, size_t home, size_t count)
{
    int64_t shape[LAUNCH_DIMS];
    check_inputs *in = b->in;
    const type *scalar = type_scalar_of(t->elem);
    if (!scalar || !type_is_value(t->elem) || t->array_class != ARRAY_PLAIN ||
        t->ndim > LAUNCH_DIMS)
        return cannot_make(b, path);
    inner_shape(in, shape);
    const size_t lanes = lanes_of(t->elem, shape, t->ndim);
    if (count && lanes > LANES_LIMIT / layout_size(scalar) / count)
        return check_end(b->k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS, "the array '%s' is too large",
                         path);
    add_slot(b, (check_slot){.name = path,
                             .elem = t->elem,
                             .at = in->size,
                             .home = home,
                             .lanes = lanes * count,
                             .scalar = scalar->kind,
                             .is_float = type_is_float(scalar),
                             .inner = true});
    in->size += round_up(lanes * count * layout_size(scalar));
    return true;
}

/* One slot of values for each field of `count` structs, the first of which begins at `at`. */
static bool add_fields(build *b, const char *name, const type *t, size_t home, size_t at,
                       size_t stride, size_t count)
{
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const struct_field *f = &t->st->fields[i];
        const char *path = field_path(b, name, f);
        const size_t begin = at + layout_field(t->st, i);
        if (f->type->kind == TYPE_STRUCT) {
            if (!add_fields(b, path, f->type, home, begin, stride, count))
                return false;
            continue;
        }
        if (f->type->kind == TYPE_ARRAY) {
            if (!add_inner(b, path, f->type, home, count))
                return false;
            continue;
        }
        const bool texture = texture_axes(f->type); /* bytes, which no kernel changes */
        if (!texture && !type_is_value(f->type))
            return cannot_make(b, path);
        const type *elem = texture ? type_scalar(b->k->c, TYPE_UINT8) : f->type;
        const type *scalar = type_scalar_of(elem);
        const uint32_t run =
            texture ? (uint32_t)layout_size(f->type) : (uint32_t)lane_count(f->type);
        add_slot(b, (check_slot){.name = path,
                                 .texture = texture ? f->type : NULL,
                                 .elem = elem,
                                 .at = begin,
                                 .home = home,
                                 .lanes = run * count,
                                 .stride = stride,
                                 .run = run,
                                 .scalar = scalar->kind,
                                 .is_float = type_is_float(scalar)});
    }
    return t->st->nfields || cannot_make(b, name);
}

/* Lays out the data of an array: one slot, or one for each field of its structs. */
static bool add_array(build *b, const char *name, const type *t, const int64_t *shape)
{
    check_inputs *in = b->in;
    const bool textures = texture_axes(t->elem);
    const type *scalar = textures ? type_scalar(b->k->c, TYPE_UINT8) : type_scalar_of(t->elem);
    const bool structs = t->elem->kind == TYPE_STRUCT;
    if ((!scalar && !structs) || t->array_class == ARRAY_FIXED || t->ndim > LAUNCH_DIMS)
        return cannot_make(b, name);
    const size_t width = layout_size(structs ? t->elem : scalar), begin = in->size;
    const size_t lanes = lanes_of(t->elem, shape, t->ndim) * (textures ? layout_size(t->elem) : 1);
    if (lanes > LANES_LIMIT / (structs ? width : 1))
        return check_end(b->k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS, "the array '%s' is too large",
                         name);
    in->size += round_up(lanes * width);
    if (structs)
        return add_fields(b, name, t->elem, begin, begin, width, lanes);
    add_slot(b, (check_slot){.name = name,
                             .texture = textures ? t->elem : NULL,
                             .elem = textures ? scalar : t->elem,
                             .at = begin,
                             .home = begin,
                             .lanes = lanes,
                             .scalar = scalar->kind,
                             .is_float = type_is_float(scalar)});
    return true;
}

/* Slots that the elements of an array take: one, or one per field. */
static uint32_t count_slots(const type *elem)
{
    uint32_t n = 0;
    if (elem->kind != TYPE_STRUCT)
        return 1;
    for (uint32_t i = 0; i < elem->st->nfields; i++)
        n += count_slots(elem->st->fields[i].type);
    return n;
}

/* A view of `shape`, whose strides are those of C order; *size: bytes of all. */
static array_view *view_of(build *b, const type *t, const int64_t *shape, int64_t *size)
{
    array_view *v = ARENA_NEW(&b->k->a, array_view);
    int64_t stride = (int64_t)layout_size(t->elem);
    *v = (array_view){.elem = t->elem, .ndim = t->ndim};
    for (int i = t->ndim - 1; i >= 0; i--) {
        v->shape[i] = shape[i];
        v->strides[i] = stride;
        stride *= shape[i];
    }
    *size = stride;
    return v;
}

/* The view's data, at this place of the image. */
static void give_data(build *b, array_view *v, const char *name, size_t at, int64_t size)
{
    array_data *data = ARENA_NEW(&b->k->a, array_data);
    *data = (array_data){.name = name, .bytes = b->image->bytes + at, .size = (size_t)size};
    v->data = data;
}

/* Each of `count` structs, the first of which begins at `at`, gets views of its own arrays. *slot:
 * that of the first field; those behind the last come next. */
static void put_views(build *b, const type *t, size_t at, size_t stride, size_t count,
                      uint32_t *slot)
{
    int64_t shape[LAUNCH_DIMS], size;
    inner_shape(b->in, shape);
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const type *field = t->st->fields[i].type;
        const size_t begin = at + layout_field(t->st, i);
        if (field->kind == TYPE_STRUCT) {
            put_views(b, field, begin, stride, count, slot);
            continue;
        }
        const check_slot *s = &b->in->slots[(*slot)++];
        for (size_t n = 0; field->kind == TYPE_ARRAY && n < count; n++) {
            array_view *v = view_of(b, field, shape, &size);
            if (b->draws || s->is_float)
                give_data(b, v, s->name, s->at + n * (size_t)size, size);
            memcpy(b->image->bytes + begin + n * stride, &v, sizeof v);
        }
    }
}

/* Needs: b->slot is the array's first. */
static const array_view *make_view(build *b, const type *t, const int64_t *shape, bool absent)
{
    WEFT_ASSERT(b->slot < b->in->nslots);
    const check_slot *s = &b->in->slots[b->slot];
    const size_t width = layout_size(t->elem);
    int64_t size;
    array_view *v = view_of(b, t, shape, &size);
    bool floats = false;
    uint32_t inner = b->slot;
    for (uint32_t n = count_slots(t->elem); n; n--)
        floats |= b->in->slots[b->slot++].is_float;
    if (absent || (!b->draws && !floats))
        return v;
    give_data(b, v, s->name, s->home, size);
    if (type_has_array(t->elem))
        put_views(b, t->elem, s->home, width, (size_t)size / width, &inner);
    return v;
}

/* --- numbers ------------------------------------------------------------------------------- */

/* Uniform in [0, 1), of 53 bits. */
static double draw_unit(checker *k)
{
    return (double)(rng_next(&k->draws) >> 11) * 0x1p-53;
}

double check_draw_direction(checker *k)
{
    const uint32_t x = rng_below(&k->draws, 256);
    return (x & 1 ? 1.0 : -1.0) * (128 + (int)(x >> 1)) * 0x1p-8;
}

/* A float within [-most, most]. Small ones and 1 are drawn more often than a uniform draw would:
 * products of large ones drown what a mutant changes. Level 0 draws no special values, which are
 * likely to be where there is no derivative. */
static double draw_float(checker *k, uint32_t level, double most)
{
    static const double odd[] = {0.0, 1.0, -1.0, 0.5, 2.0, -2.0};
    const uint32_t form = rng_below(&k->draws, 16);
    if (form > 11 && level && k->literals.n)
        return check_draw_near_literal(k, most);
    if (form == 0 && level) {
        const double x = odd[rng_below(&k->draws, 6)];
        return x > most || x < -most ? most : x;
    }
    const double limit = form < 3 && most > 0.0625 ? 0.0625 : form < 6 && most > 1.0 ? 1.0 : most;
    return limit * (2.0 * draw_unit(k) - 1.0);
}

/* A number of the scalar type, of magnitude up to 2^mag. */
static num draw_number(checker *k, uint32_t level, type_kind kind, int mag)
{
    if (kind == TYPE_BOOL)
        return (num){.i = rng_below(&k->draws, 2)};
    if (kind >= TYPE_FLOAT16)
        return num_cast(kind, TYPE_FLOAT64,
                        (num){.f = draw_float(k, level,
                                              mag > 1000    ? 0x1p1000
                                              : mag < -1000 ? 0x1p-1000
                                                            : __builtin_ldexp(1, mag))});
    static const uint8_t bits[] = {1, 7, 8, 15, 16, 31, 32, 63, 64};
    const bool is_signed =
        kind == TYPE_INT8 || kind == TYPE_INT16 || kind == TYPE_INT32 || kind == TYPE_INT64;
    int log = mag < 0 ? 0 : mag >= bits[kind] ? bits[kind] - 1 : mag;
    log = log > 62 ? 62 : log;
    if (log > 3 && rng_below(&k->draws, 2))
        log = 3; /* small ones meet more conditions */
    const int64_t most = INT64_C(1) << log;
    if (level && k->literals.n && rng_below(&k->draws, 4) == 0) {
        const int64_t near = (int64_t)check_draw_near_literal(k, (double)most);
        return (num){.i = near < 0 && !is_signed ? -near : near};
    }
    const int64_t x = (int64_t)(rng_next(&k->draws) >> 1) % (most + 1);
    return (num){.i = is_signed && rng_below(&k->draws, 2) ? -x : x};
}

/* Which numbers a place gets. */
typedef struct number_source {
    int mag;
    check_values values;
} number_source;

/* Not zero: a divisor, say, or the argument of a logarithm. */
static num positive_of(type_kind kind, num x, int mag)
{
    x.f = x.f < 0 ? -x.f : x.f;
    return x.f > 0 ? x : num_cast(kind, TYPE_FLOAT64, (num){.f = mag < 0 ? 0.0625 : 1.0});
}

/* The number if it lies within the bounds, else one that does. */
static num bring_between(checker *k, const check_values *v, type_kind kind, num x)
{
    if (x.f >= v->low && x.f <= v->high)
        return x;
    return num_cast(kind, TYPE_FLOAT64,
                    (num){.f = v->low + (v->high - v->low) * (0.03125 + 0.9375 * draw_unit(k))});
}

/* Numbers into consecutive scalars; `first` is the place of the first one in its array. */
static void fill(build *b, const number_source *s, type_kind kind, uint8_t *p, size_t first,
                 size_t lanes)
{
    const size_t width = layout_size(type_scalar(b->k->c, kind));
    const bool any = s->values.form == CHECK_VALUES_ANY;
    for (size_t i = 0; i < lanes; i++) {
        num x;
        if (any || !check_draw_value(b->k, &s->values, kind, first + i, &x))
            x = draw_number(b->k, b->level, kind, s->mag);
        if (s->values.form == CHECK_VALUES_BETWEEN && kind >= TYPE_FLOAT16)
            x = bring_between(b->k, &s->values, kind, x);
        if (s->values.positive && kind >= TYPE_FLOAT16)
            x = positive_of(kind, x, s->mag);
        num_store(kind, p + i * width, x);
    }
}

/* How many of the last scalars of a value have the length 1 together: four of a transform. */
static size_t unit_lanes(const type *t)
{
    return t->kind == TYPE_TRANSFORM ? 4 : (size_t)lane_count(t);
}

/* Gives each value of `lanes` scalars the length 1; what is too short becomes an axis. */
static void make_unit(const type *t, uint8_t *p, size_t lanes)
{
    const type *scalar = type_scalar_of(t);
    const type_kind kind = (type_kind)scalar->kind;
    const size_t width = layout_size(scalar), each = (size_t)lane_count(t), n = unit_lanes(t);
    for (size_t at = each - n; at + n <= lanes; at += each) {
        double squares = 0;
        for (size_t i = 0; i < n; i++) {
            const double x = num_load(kind, p + (at + i) * width).f;
            squares += x * x;
        }
        const double length = sqrt(squares);
        for (size_t i = 0; i < n; i++) {
            uint8_t *to = p + (at + i) * width;
            const double x = length < 0x1p-6 ? i + 1 == n : num_load(kind, to).f / length;
            num_store(kind, to, num_cast(kind, TYPE_FLOAT64, (num){.f = x}));
        }
    }
}

/* x[0] .. x[lanes - 1] are 0 .. lanes - 1: a turn and strides through all numbers below `to` give
 * others, all different. */
static void scatter_distinct(build *b, const check_values *v, type_kind kind, uint8_t *p,
                             size_t lanes)
{
    static const uint32_t strides[] = {1, 5, 7, 3};
    const uint32_t n = v->to > 0 ? (uint32_t)v->to : 1, turn = rng_below(&b->k->draws, n);
    uint32_t stride = strides[rng_below(&b->k->draws, 4)];
    stride = n % stride ? stride : 1;
    for (size_t i = 0; i < lanes; i++)
        num_store(kind, p + i * layout_size(type_scalar(b->k->c, kind)),
                  (num){.i = (int64_t)((turn + i * stride) % n)});
}

/* Numbers into all scalars of a slot, struct by struct where it is a field. */
static void fill_slot(build *b, const check_slot *s, const number_source *from)
{
    WEFT_ASSERT(s->lanes % (s->stride ? s->run : 1) == 0);
    const size_t run = s->stride ? s->run : s->lanes;
    const size_t width = layout_size(type_scalar_of(s->elem));
    for (size_t i = 0; i < s->lanes; i += run) {
        uint8_t *to = b->image->bytes + check_lane(s, width, i);
        fill(b, from, (type_kind)s->scalar, to, i, run);
        if (from->values.form == CHECK_VALUES_UNIT && s->is_float)
            make_unit(s->elem, to, run);
    }
    if (from->values.form == CHECK_VALUES_DISTINCT && !s->stride && !s->is_float)
        scatter_distinct(b, &from->values, (type_kind)s->scalar, b->image->bytes + s->at, s->lanes);
}

/* --- arguments ----------------------------------------------------------------------------- */

/* An argument or a field of one: `at` is its place in the image's memory. */
typedef struct place {
    const char *name;
    const type *t;
    size_t at;
    const int64_t *shape;
    int rank;
    number_source numbers;
} place;

static bool build_value(build *b, const place *p);

/* Textures into a slot, of which the first few are different ones. */
static void draw_textures(build *b, const check_slot *s)
{
    enum { DIFFERENT = 3 };
    const size_t width = layout_size(s->texture), step = s->stride ? s->stride : width;
    uint8_t *p = b->image->bytes + s->at;
    for (size_t i = 0; i < s->lanes / width; i++)
        if (i < DIFFERENT)
            check_draw_texture(b->k, s->texture, p + i * step);
        else
            memcpy(p + i * step, p + i % DIFFERENT * step, width);
}

/* The numbers of an array that was filled before, of the same type and size. */
static bool copy_same(build *b, const place *p, const array_view *v)
{
    const code *f = &b->k->s->kernel->code;
    const str name = p->numbers.values.name;
    for (uint32_t i = 0; i < f->nparams && b->in->params[i] < p->at; i++) {
        const array_view *from;
        if (!str_eq(sym_str(f->params[i].name), name) || f->params[i].type != p->t ||
            type_has_array(p->t->elem))
            continue;
        memcpy(&from, b->image->bytes + b->in->params[i], sizeof from);
        if (!from->data || from->data->size != v->data->size)
            break;
        memcpy(v->data->bytes, from->data->bytes, v->data->size);
        return true;
    }
    return check_end(b->k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS,
                     "'%s' cannot have the numbers of '%.*s'", p->name, (int)name.n, name.p);
}

/* The data of an array, and in the second pass the pointer to its view. */
static bool build_array(build *b, const place *p)
{
    static const int64_t none[LAUNCH_DIMS];
    const bool absent = p->numbers.values.form == CHECK_VALUES_NONE;
    const int64_t *shape = absent ? none : p->shape;
    if (b->first)
        return add_array(b, p->name, p->t, shape);
    const uint32_t first = b->slot;
    const array_view *v = make_view(b, p->t, shape, absent);
    for (uint32_t i = first; b->draws && i < b->slot; i++)
        if (b->in->slots[i].texture)
            draw_textures(b, &b->in->slots[i]);
        else
            fill_slot(b, &b->in->slots[i], &p->numbers);
    memcpy(b->image->bytes + p->at, &v, sizeof v);
    return !b->draws || p->numbers.values.form != CHECK_VALUES_SAME || copy_same(b, p, v);
}

/* Field by field; each is a place of its own in the struct's memory. */
static bool build_struct(build *b, const place *p)
{
    WEFT_ASSERT(p->t->kind == TYPE_STRUCT);
    for (uint32_t i = 0; i < p->t->st->nfields; i++) {
        const struct_field *f = &p->t->st->fields[i];
        place inner = *p;
        inner.name = field_path(b, p->name, f);
        inner.t = f->type;
        inner.at += layout_field(p->t->st, i);
        if (!build_value(b, &inner))
            return false;
    }
    return true;
}

/* A value that is passed by value, or a field of one. Floats get a slot, since they have adjoints.
 */
static void build_number(build *b, const place *p)
{
    const type_kind kind = (type_kind)type_scalar_of(p->t)->kind;
    const size_t lanes = (size_t)lane_count(p->t);
    if (b->first && kind >= TYPE_FLOAT16)
        add_slot(b, (check_slot){.name = p->name,
                                 .elem = p->t,
                                 .at = p->at,
                                 .lanes = lanes,
                                 .scalar = (uint8_t)kind,
                                 .is_float = true,
                                 .by_value = true});
    if (b->first)
        return;
    b->slot += kind >= TYPE_FLOAT16;
    if (!b->draws)
        return;
    if (p->rank == 1 && type_is_integer(p->t)) /* a dimension */
        num_store(kind, b->image->bytes + p->at, (num){.i = p->shape[0]});
    else
        fill(b, &p->numbers, kind, b->image->bytes + p->at, 0, lanes);
    if (p->numbers.values.form == CHECK_VALUES_UNIT && kind >= TYPE_FLOAT16 && lanes > 1)
        make_unit(p->t, b->image->bytes + p->at, lanes);
}

/* One argument or field: laid out in the first pass, filled in the second. */
static bool build_value(build *b, const place *p)
{
    if (p->t->kind == TYPE_STRUCT)
        return build_struct(b, p);
    if (p->t->kind == TYPE_ARRAY && p->t->ndim > p->rank)
        return check_end(b->k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS, "the array '%s' has no shape",
                         p->name);
    if (p->t->kind == TYPE_ARRAY)
        return build_array(b, p);
    if (texture_axes(p->t)) {
        if (b->draws)
            check_draw_texture(b->k, p->t, b->image->bytes + p->at);
        return true;
    }
    if (!type_is_value(p->t))
        return cannot_make(b, p->name);
    build_number(b, p);
    return true;
}

/* Shape of an argument; fields that are arrays take the launch's. */
static int shape_of(checker *k, check_inputs *in, uint32_t level, uint32_t i, int64_t *shape)
{
    const str text = check_alternative(k->s->args[i].shape, in->set);
    const int rank = read_shape(k, in, level, text, false, shape);
    if (rank || k->s->kernel->code.params[i].type->kind != TYPE_STRUCT)
        return rank;
    for (int d = 0; d < LAUNCH_DIMS; d++) {
        shape[d] = 1;
        for (int j = 0; j < in->ndim; j++)
            shape[d] = in->dim[j] > shape[d] ? in->dim[j] : shape[d];
    }
    return LAUNCH_DIMS;
}

/* A place for the hash of what volumes hold after a launch. */
static void add_stored(build *b)
{
    check_inputs *in = b->in;
    const type *t = type_scalar(b->k->c, TYPE_UINT64);
    in->stored = in->size;
    in->size += round_up(sizeof(uint64_t));
    add_slot(b, (check_slot){.name = "volumes",
                             .elem = t,
                             .at = in->stored,
                             .lanes = 1,
                             .scalar = TYPE_UINT64,
                             .by_value = true});
}

/* All parameters in order. Sizes are drawn where their letter first occurs, so the order matters
 * for repeating a proof. */
static bool build_args(build *b)
{
    checker *k = b->k;
    const code *f = &k->s->kernel->code;
    bool has_volumes = false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        int64_t shape[LAUNCH_DIMS];
        const check_arg *arg = &k->s->args[i];
        place p = {f->params[i].name->s, f->params[i].type, 0, shape, 0, {.mag = arg->mag}};
        p.rank = shape_of(k, b->in, b->level, i, shape);
        if (p.rank < 0 || (p.t->kind == TYPE_ARRAY && p.t->ndim != p.rank))
            return check_end(k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS,
                             "the shape of '%s' does not fit it", p.name);
        /* All letters are known in the second pass. */
        if (!check_read_values(check_alternative(arg->values, b->in->set), b->in->letters,
                               &p.numbers.values))
            return check_end(k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS,
                             "the numbers of '%s' cannot be read", p.name);
        if (p.numbers.values.has_mag)
            p.numbers.mag = p.numbers.values.mag;
        if (b->first) {
            b->in->params[i] = b->in->size;
            b->in->size += round_up(layout_size(p.t));
        }
        has_volumes |= p.numbers.values.form >= CHECK_VALUES_VOLUME;
        p.at = b->in->params[i];
        if (!build_value(b, &p))
            return false;
    }
    if (has_volumes && b->first)
        add_stored(b);
    return true;
}

void check_image_refresh(const checker *k, const check_inputs *in, check_image *image)
{
    const code *f = &k->s->kernel->code;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        uint8_t *bytes = image->bytes + in->params[i];
        rvalue *v = &image->args[i];
        *v = (rvalue){.type = t, .bytes = bytes};
        if (type_is_scalar(t))
            v->n = num_load((type_kind)t->kind, bytes);
        else if (t->kind == TYPE_ARRAY)
            memcpy(&v->array, bytes, sizeof v->array);
    }
}

/* A zeroed image of the layout, filled if b->draws. */
static bool build_image(build *b)
{
    WEFT_ASSERT(b->in->params != NULL && !b->first);
    checker *k = b->k;
    b->image->bytes = arena_zero(&k->a, b->in->size + 16);
    b->image->args = ARENA_ARRAY(&k->a, rvalue, k->s->kernel->code.nparams + 1);
    const bool good = build_args(b);
    if (good)
        check_image_refresh(k, b->in, b->image);
    return good;
}

/* Two passes over the parameters: the first lays memory out, the second fills it. */
bool check_draw(checker *k, uint32_t level, bool few, check_inputs *in)
{
    WEFT_ASSERT(in >= k->sets && in < k->sets + CHECK_INPUTS_MAX);
    *in = (check_inputs){.few = few, .set = k->drawn++};
    const str launch = check_alternative(k->s->launch, in->set);
    in->ndim = read_shape(k, in, level, launch, true, in->dim);
    if (in->ndim < 1)
        return check_end(k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS, "the launch has no dimensions");
    int64_t threads = 1;
    for (int d = 0; d < in->ndim && threads <= THREADS_LIMIT; d++)
        threads *= in->dim[d];
    if (threads > THREADS_LIMIT)
        return check_end(k, CHECK_CANNOT, CHECK_REASON_ARGUMENTS, "the launch is too large");
    in->params = ARENA_ARRAY(&k->a, size_t, k->s->kernel->code.nparams + 1);
    build b = {.k = k, .in = in, .image = &in->values, .first = true, .level = level};
    if (!build_args(&b))
        return false;
    b.first = false;
    b.draws = true;
    if (!build_image(&b))
        return false;
    in->initial = arena_alloc(&k->a, in->size + 16);
    in->expected = arena_alloc(&k->a, in->size + 16);
    memcpy(in->initial, in->values.bytes, in->size);
    return true;
}

void check_image_new(checker *k, const check_inputs *in, check_image *out)
{
    check_inputs same = *in; /* shapes are known: nothing is drawn */
    build b = {.k = k, .in = &same, .image = out};
    build_image(&b);
}
