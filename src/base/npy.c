/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing of .npy files, by which `weft run` gets and saves arrays; the format is
 * NumPy's NEP 1. The header is a Python dictionary, read by a small parser for exactly its three
 * keys:
 *
 *     \x93NUMPY 1 0 <length> {'descr': '<f4', 'fortran_order': False, 'shape': (3,), } <items>
 *
 * Functions that may fail return what is wrong as half a sentence, for "cannot read 'PATH': ...",
 * or NULL. */
#include "base/npy.h"

#include "base/assert.h"

#define MAGIC "\x93NUMPY"

/* What is left of a header to read. */
typedef struct header {
    const char *p, *end;
} header;

/* strchr would find the NUL of every set. */
static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static void skip_spaces(header *h)
{
    while (h->p < h->end && is_one_of(*h->p, " \t\n"))
        h->p++;
}

/* Takes a word if it is next, spaces before it included. */
static bool take(header *h, const char *word)
{
    const size_t n = strlen(word);
    skip_spaces(h);
    if ((size_t)(h->end - h->p) < n || memcmp(h->p, word, n) != 0)
        return false;
    h->p += n;
    return true;
}

/* Takes a string without escapes, in either quotes. */
static bool take_string(header *h, str *out)
{
    skip_spaces(h);
    const char quote = h->p < h->end ? *h->p : 0;
    if (quote != '\'' && quote != '"')
        return false;
    const char *stop = memchr(h->p + 1, quote, (size_t)(h->end - h->p - 1));
    if (!stop)
        return false;
    *out = (str){h->p + 1, (size_t)(stop - h->p - 1)};
    h->p = stop + 1;
    return true;
}

/* Takes a number of items. Limited so far below INT64_MAX that a further digit cannot overflow. */
static bool take_size(header *h, int64_t *out)
{
    skip_spaces(h);
    const char *start = h->p;
    for (*out = 0; h->p < h->end && *h->p >= '0' && *h->p <= '9'; h->p++) {
        if (*out > INT64_MAX / 16)
            return false;
        *out = *out * 10 + (*h->p - '0');
    }
    return h->p > start;
}

/* "(3, 4)", "(3,)", "()"; Python 2 wrote "(3L,)". At most NPY_DIMS dimensions. */
static const char *take_shape(header *h, npy *out)
{
    if (!take(h, "("))
        return "its shape is not readable";
    while (!take(h, ")")) {
        if (out->ndim == NPY_DIMS)
            return "it has too many dimensions";
        if (!take_size(h, &out->shape[out->ndim++]))
            return "its shape is not readable";
        take(h, "L");
        if (!take(h, ",") && !(h->p < h->end && *h->p == ')'))
            return "its shape is not readable";
    }
    return NULL;
}

/* "<f4": byte order, kind, width. NumPy writes '<', '>' or, for single bytes, '|'; objects would
 * need Python. */
static const char *read_descr(str d, npy *out, bool *swapped)
{
    if (d.n >= 2 && d.p[1] == 'O')
        return "its items are Python objects";
    if (d.n != 3 || !is_one_of(d.p[0], "<>|=") || !is_one_of(d.p[1], "biuf") ||
        !is_one_of(d.p[2], "1248"))
        return "its items are no booleans, integers or floats of up to 8 bytes";
    *swapped = d.p[0] == '>';
    out->kind = d.p[1];
    out->width = (size_t)(d.p[2] - '0');
    /* NumPy has neither a bool of two bytes nor a float of one. */
    if ((out->kind == 'b' && out->width != 1) || (out->kind == 'f' && out->width == 1))
        return "its items are no booleans, integers or floats of up to 8 bytes";
    return NULL;
}

/* What a header says beside the fields of npy: how items are stored, and which keys were seen. */
typedef struct order {
    bool swapped, fortran;
    bool has_descr, has_shape, has_fortran;
} order;

/* Reads the value behind `key`. */
static const char *read_entry(header *h, str key, npy *out, order *o)
{
    bool *known = str_eq(key, STR("descr"))           ? &o->has_descr
                  : str_eq(key, STR("shape"))         ? &o->has_shape
                  : str_eq(key, STR("fortran_order")) ? &o->has_fortran
                                                      : NULL;
    str descr;
    if (!known)
        return "its header has an unknown key";
    if (*known)
        return "its header has a key twice";
    *known = true;
    if (known == &o->has_shape)
        return take_shape(h, out);
    if (known == &o->has_descr)
        return take_string(h, &descr) ? read_descr(descr, out, &o->swapped)
                                      : "its items are records";
    o->fortran = take(h, "True");
    return o->fortran || take(h, "False") ? NULL : "its fortran_order is not readable";
}

/* All three keys must be there, once each, in any order. */
static const char *read_header(header *h, npy *out, order *o)
{
    str key;
    bool more = true;
    if (!take(h, "{"))
        return "its header is no dictionary";
    while (!take(h, "}")) {
        if (!more || !take_string(h, &key) || !take(h, ":"))
            return "its header is not readable";
        const char *wrong = read_entry(h, key, out, o);
        if (wrong)
            return wrong;
        more = take(h, ",");
    }
    skip_spaces(h);
    if (h->p != h->end)
        return "its header goes on behind the dictionary";
    return o->has_descr && o->has_shape && o->has_fortran ? NULL : "its header is not complete";
}

/* The place that item number i of the file, in Fortran order (first index fastest), has in C order
 * (last index fastest). */
static size_t c_order(const npy *a, size_t i)
{
    WEFT_ASSERT(i < a->count);
    size_t at[NPY_DIMS], r = 0;
    for (int d = 0; d < a->ndim; d++) {
        at[d] = i % (size_t)a->shape[d];
        i /= (size_t)a->shape[d];
    }
    for (int d = 0; d < a->ndim; d++)
        r = r * (size_t)a->shape[d] + at[d];
    return r;
}

/* Copies the items to C order and little-endian bytes. A bool may be any byte in a file. */
static void copy_items(npy *a, const uint8_t *from, const order *o)
{
    for (size_t i = 0; i < a->count; i++) {
        uint8_t *to = a->items + (o->fortran ? c_order(a, i) : i) * a->width;
        for (size_t b = 0; b < a->width; b++)
            to[b] = from[i * a->width + (o->swapped ? a->width - 1 - b : b)];
        if (a->kind == 'b')
            *to = *to != 0;
    }
}

/* False: the items would not fit the address space, whatever their width. */
static bool count_items(npy *a)
{
    a->count = 1;
    for (int i = 0; i < a->ndim; i++)
        if (__builtin_mul_overflow(a->count, (size_t)a->shape[i], &a->count) ||
            a->count > SIZE_MAX / 16)
            return false;
    return true;
}

/* The checks follow the order of the file; only a file whose length fits exactly is read. */
const char *npy_read(arena *a, str text, npy *out)
{
    const uint8_t *p = (const uint8_t *)text.p;
    order o = {0};
    *out = (npy){0};
    if (text.n < 10 || memcmp(text.p, MAGIC, 6) != 0)
        return "it is no .npy file";
    if (p[6] < 1 || p[6] > 3)
        return "its version is not known";
    /* Version 1 has 16 bits for the header's length, later ones 32. */
    size_t start = p[6] == 1 ? 10 : 12, n = p[8] | (size_t)p[9] << 8;
    if (p[6] > 1 && text.n >= 12)
        n |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    if (text.n < start || text.n - start < n)
        return "it ends in its header";
    header h = {text.p + start, text.p + start + n};
    const char *wrong = read_header(&h, out, &o);
    if (wrong)
        return wrong;
    if (!count_items(out))
        return "its shape is too large";
    /* count_items has bounded the product, so it does not overflow. */
    if (text.n - start - n != out->count * out->width)
        return text.n - start - n < out->count * out->width ? "it ends before its last item"
                                                            : "it goes on behind its last item";
    out->items = arena_alloc(a, out->count * out->width);
    copy_items(out, p + start + n, &o);
    return NULL;
}

/* NumPy pads the header with spaces so that the items begin at a multiple of 64. */
void npy_write_header(strbuf *b, const npy *array)
{
    WEFT_ASSERT(array->ndim >= 0 && array->ndim <= NPY_DIMS);
    const size_t start = b->n;
    sb_put(b, MAGIC "\1\0\0\0", 10);
    sb_printf(b, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
              array->width == 1 ? '|' : '<', array->kind, (int)array->width);
    for (int i = 0; i < array->ndim; i++)
        sb_printf(b, i ? ", %lld" : "%lld", (long long)array->shape[i]);
    sb_c(b, array->ndim == 1 ? ",), }" : "), }");
    sb_repeat(b, ' ', 63 - (b->n - start) % 64);
    sb_char(b, '\n');
    /* The length is known only now; its two bytes were written as 0. */
    const size_t n = b->n - start - 10;
    b->p[start + 8] = (char)(n & 255);
    b->p[start + 9] = (char)(n >> 8);
}
