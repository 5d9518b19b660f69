/* SPDX-License-Identifier: Apache-2.0 */
/* Textures of a run given as text:
 *
 *     "texture:@image.npy"                                       [height, width] or with 2 or 4
 *                                                                channels as the last dimension
 *     "texture:@image.npy,filter=closest,address=[wrap,border]"  for u and v
 *     "texture:@image.npy,normalized=false,mips=0"               all levels, to one texel
 *     "texture:@a.npy;@b.npy,filter=closest"                     an array of two textures
 *
 * As Warp's Texture1D, Texture2D and Texture3D make them with their defaults. */
#include "api/run_request.h"
#include "base/decimal.h"
#include "geometry/texture.h"

/* A text taken apart: the file, and options; NULL: not given. */
typedef struct texture_text {
    run_set *s;
    const char *path, *file;
    const char *filter, *address, *normalized, *mips, *mip_filter;
} texture_text;

static const char *const filters[] = {"closest", "linear"};
static const char *const addresses[] = {"wrap", "clamp", "mirror", "border"};
static const char *const truths[] = {"false", "true"};

static ctx *context_of(const texture_text *t)
{
    return &t->s->r->c->p.c;
}

static bool take_apart(texture_text *t, const char *text)
{
    const run_option options[] = {{"filter=", &t->filter},
                                  {"address=", &t->address},
                                  {"normalized=", &t->normalized},
                                  {"mips=", &t->mips},
                                  {"mipfilter=", &t->mip_filter}};
    return run_text_options(
        t->s, t->path, text, options, sizeof options / sizeof *options,
        "a texture: filter=, address=, normalized=, mips= and mipfilter=", &t->file);
}

/* The number of a word of n bytes; -1: it is none of them. */
static int number_of(const char *word, size_t n, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
            return i;
    return -1;
}

/* One of the words; `none` where the text is NULL. Reports another one, as -1. */
static int read_word(texture_text *t, const char *text, const char *const *words, int count,
                     int none)
{
    const int number = text ? number_of(text, strlen(text), words, count) : none;
    if (number < 0)
        run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "'%.200s' is none of %s, %s%s%s", text,
                         words[0], words[1], count > 2 ? ", mirror" : "",
                         count > 2 ? ", border" : "");
    return number;
}

/* "wrap", or a list of one for each axis; axes beyond the list have Warp's default. */
static bool read_addresses(texture_text *t, texture_form *f)
{
    const char *p = t->address;
    for (int i = 0; i < TEXTURE_AXES; i++)
        f->address[i] = TEXTURE_CLAMP;
    if (!p || *p != '[') {
        const int all = read_word(t, p, addresses, 4, TEXTURE_CLAMP);
        for (int i = 0; i < f->ndim; i++)
            f->address[i] = (texture_address)all;
        return all >= 0;
    }
    for (int i = 0; i < f->ndim && *p != ']'; i++) {
        const size_t n = strcspn(++p, ",]");
        const int one = number_of(p, n, addresses, 4);
        p += n;
        if (one < 0 || !*p)
            break;
        f->address[i] = (texture_address)one;
    }
    return strcmp(p, "]") == 0 ||
           run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                            "'%.200s' is no list of wrap, clamp, mirror or border for %d ax%s",
                            t->address, f->ndim, f->ndim == 1 ? "is" : "es");
}

/* False: there are no textures of such items. */
static bool find_items(const npy *a, texture_items *out)
{
    switch (run_item_kind(a)) {
    case TYPE_UINT8: *out = TEXTURE_UINT8; return true;
    case TYPE_UINT16: *out = TEXTURE_UINT16; return true;
    case TYPE_UINT32: *out = TEXTURE_UINT32; return true;
    case TYPE_INT8: *out = TEXTURE_INT8; return true;
    case TYPE_INT16: *out = TEXTURE_INT16; return true;
    case TYPE_INT32: *out = TEXTURE_INT32; return true;
    case TYPE_FLOAT16: *out = TEXTURE_FLOAT16; return true;
    case TYPE_FLOAT32: *out = TEXTURE_FLOAT32; return true;
    default: return false;
    }
}

/* Items, sizes and channels from the array: [depth, height, width, channels] without what is not
 * there. */
static bool read_shape(texture_text *t, const npy *a, texture_form *f)
{
    static const char *const shapes[] = {"width", "height, width", "depth, height, width"};
    if (!find_items(a, &f->items))
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "the items of a texture are integers of 8 to 32 bits, float16 or "
                                "float32");
    if (a->ndim != f->ndim && a->ndim != f->ndim + 1)
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "the texels of a %dD texture have the shape %s or %s, channels",
                                f->ndim, shapes[f->ndim - 1], shapes[f->ndim - 1]);
    for (int i = 0; i < f->ndim; i++) {
        const int64_t n = a->shape[f->ndim - 1 - i];
        f->size[i] = n < INT32_MAX ? (int32_t)n : INT32_MAX;
    }
    const int64_t channels = a->ndim > f->ndim ? a->shape[f->ndim] : 1;
    f->channels = channels <= TEXTURE_CHANNELS ? (int32_t)channels : 0;
    return true;
}

/* The defaults are those of Warp 1.19 Texture.__init__. */
static bool read_form(texture_text *t, const npy *a, texture_form *f)
{
    uint64_t mips = 1;
    if (!read_shape(t, a, f) || !read_addresses(t, f))
        return false;
    const bool words = f->items == TEXTURE_INT32 || f->items == TEXTURE_UINT32;
    const int none = words ? TEXTURE_CLOSEST : TEXTURE_LINEAR;
    const int filter = read_word(t, t->filter, filters, 2, none);
    const int mip_filter = filter < 0 ? -1 : read_word(t, t->mip_filter, filters, 2, none);
    const int normalized = mip_filter < 0 ? -1 : read_word(t, t->normalized, truths, 2, 1);
    if (normalized < 0)
        return false;
    const char *end = t->mips;
    if (end && (!decimal_read_uint(end, &end, &mips) || *end || mips > TEXTURE_LEVELS))
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "'%.200s' is no number of levels from 0 to %d", t->mips,
                                TEXTURE_LEVELS);
    f->filter = (texture_filter)filter;
    f->mip_filter = (texture_filter)mip_filter;
    f->normalized = normalized;
    f->levels = (int32_t)mips;
    const char *wrong = texture_misfit(f);
    return !wrong || run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path, "%s", wrong);
}

/* The value of a texture of type `item`, from what stands behind "texture:". */
static bool read_texture(texture_text *t, const char *text, const type *item, uint8_t *out)
{
    texture_form f = {.ndim = texture_axes(item)};
    npy a;
    if (!take_apart(t, text))
        return false;
    if (t->file[0] != '@')
        return run_refuse_value(t->s, WEFT_BAD_ARGUMENT, t->path,
                                "a texture is texture:@TEXELS.npy[,filter=closest][,address=wrap]"
                                "[,normalized=false][,mips=N][,mipfilter=closest]");
    if (!run_read_npy(t->s, &context_of(t)->module, t->path, t->file + 1, &a) ||
        !read_form(t, &a, &f))
        return false;
    double *items = ARENA_ARRAY(&context_of(t)->module, double, a.count + 1);
    const type_kind from = run_item_kind(&a);
    for (size_t i = 0; i < a.count; i++)
        items[i] = num_cast(TYPE_FLOAT64, from, num_load(from, a.items + a.width * i)).f;
    const uint64_t id = geometry_add_texture(context_of(t), &f, items);
    texture_value(context_of(t), id, out, layout_size(item));
    return true;
}

/* What stands behind "texture:"; NULL after a report. */
static const char *behind_prefix(run_set *s, const char *path, const type *item, const char *text)
{
    static const char prefix[] = "texture:";
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        return text + sizeof prefix - 1;
    run_refuse_text(s, path, "'%.200s' is no %s: write texture:@TEXELS.npy", text,
                    launch_type_name(&s->r->c->p.c, item));
    return NULL;
}

bool run_text_texture(run_set *s, const char *path, const type *t, const char *text, rvalue *out)
{
    texture_text parts = {.s = s, .path = path};
    uint8_t *bytes = arena_zero(&s->r->c->p.c.module, layout_size(t));
    text = behind_prefix(s, path, t, text);
    *out = (rvalue){.type = t, .bytes = bytes};
    return text && read_texture(&parts, text, t, bytes);
}

bool run_text_textures(run_set *s, arena *a, const char *path, const char *text, const type *item,
                       npy *out)
{
    size_t n = 1;
    text = behind_prefix(s, path, item, text);
    for (const char *p = text; p && *p; p++)
        n += *p == ';';
    *out = (npy){.kind = 'u', .width = layout_size(item), .ndim = 1, .shape = {(int64_t)n}};
    out->count = n;
    out->items = arena_zero(a, n * out->width);
    for (size_t i = 0; i < n && text; i++) {
        const size_t length = strcspn(text, ";");
        texture_text parts = {.s = s, .path = path};
        const char *one = arena_dup(a, text, length);
        if (!read_texture(&parts, one, item, out->items + i * out->width))
            return false;
        text += length + (text[length] != 0);
    }
    return text != NULL;
}
