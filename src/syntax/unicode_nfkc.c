/* SPDX-License-Identifier: Apache-2.0 */
/* Compatibility composition (NFKC, UAX #15) of names, which Python applies to every identifier
 * beyond ASCII. Example: U+FB01 U+0065 U+0301 (the ligature fi, e, an acute accent) becomes "f",
 * "i", U+00E9. Three steps: decompose each character, sort the combining marks, compose. The
 * tables hold only characters that names may have. */
#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "syntax/unicode.h"

/* Hangul syllables are computed: S = S_BASE + (L * V_COUNT + V) * T_COUNT + T (Unicode 3.12). */
enum {
    S_BASE = 0xac00,
    L_BASE = 0x1100,
    V_BASE = 0x1161,
    T_BASE = 0x11a7,
    L_COUNT = 19,
    V_COUNT = 21,
    T_COUNT = 28,
    S_COUNT = L_COUNT * V_COUNT * T_COUNT
}; /* Hangul: Unicode 3.12 */

static const struct {
    uint32_t code;
    char to[10]; /* UTF-8 */
} decompositions[] = {
#define UNI_DECOMPOSE(code, to) {code, to},
#include "syntax/unicode_decompose.def"
#undef UNI_DECOMPOSE
};

static const struct {
    uint32_t first, second, to;
} compositions[] = {
#define UNI_COMPOSE(first, second, to) {first, second, to},
#include "syntax/unicode_compose.def"
#undef UNI_COMPOSE
};

static const struct {
    uint32_t first, last, class;
} classes[] = {
#define UNI_CLASS(first, last, class) {first, last, class},
#include "syntax/unicode_class.def"
#undef UNI_CLASS
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The canonical combining class: 0 for starters, else marks of lower classes are sorted first. */
static uint32_t class_of(uint32_t c)
{
    size_t low = 0, high = COUNT(classes);
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (c < classes[mid].first)
            high = mid;
        else if (c > classes[mid].last)
            low = mid + 1;
        else
            return classes[mid].class;
    }
    return 0;
}

/* The full compatibility decomposition (NFKD) as UTF-8; NULL: c stands for itself. */
static const char *decomposition(uint32_t c)
{
    size_t low = 0, high = COUNT(decompositions);
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (c < decompositions[mid].code)
            high = mid;
        else if (c > decompositions[mid].code)
            low = mid + 1;
        else
            return decompositions[mid].to;
    }
    return NULL;
}

/* Writes the decomposition of c; returns the number of codes. */
static size_t decompose(uint32_t c, uint32_t *out)
{
    size_t n = 0;
    if (c - S_BASE < S_COUNT) {
        uint32_t s = c - S_BASE, t = s % T_COUNT;
        out[n++] = L_BASE + s / (V_COUNT * T_COUNT);
        out[n++] = V_BASE + s / T_COUNT % V_COUNT;
        if (t)
            out[n++] = T_BASE + t;
        return n;
    }
    const char *to = c < 0x80 ? NULL : decomposition(c);
    if (!to) {
        out[0] = c;
        return 1;
    }
    while (*to)
        out[n++] = utf8_get(&to);
    return n;
}

/* Stable insertion sort of each run of combining marks by class. A starter (class 0) ends a run,
 * and is never moved. */
static void put_in_order(uint32_t *codes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t c = codes[i], class = class_of(c);
        size_t k = i;
        if (!class)
            continue;
        for (; k > 0 && class_of(codes[k - 1]) > class; k--)
            codes[k] = codes[k - 1];
        codes[k] = c;
    }
}

/* The composition of a and b, or 0: by the rules of Hangul, then by the table, which is sorted by
 * both. */
static uint32_t composed(uint32_t a, uint32_t b)
{
    /* Unsigned differences make one comparison of two: a below L_BASE becomes a large number. */
    if (a - L_BASE < L_COUNT && b - V_BASE < V_COUNT)
        return S_BASE + ((a - L_BASE) * V_COUNT + (b - V_BASE)) * T_COUNT;
    if (a - S_BASE < S_COUNT && (a - S_BASE) % T_COUNT == 0 && b > T_BASE && b < T_BASE + T_COUNT)
        return a + (b - T_BASE);
    size_t low = 0, high = COUNT(compositions);
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        uint32_t x = compositions[mid].first, y = compositions[mid].second;
        if (a < x || (a == x && b < y))
            high = mid;
        else if (a > x || b > y)
            low = mid + 1;
        else
            return compositions[mid].to;
    }
    return 0;
}

/* Composes in place; returns the new length. A mark joins the last starter unless a mark of the
 * same or a higher class, or a starter, stands between (UAX #15, "blocked"). starter is n as long
 * as there is none. */
static size_t compose(uint32_t *codes, size_t n)
{
    size_t out = 0, starter = n;
    uint32_t last = 0; /* class of the character before, if it is kept behind the starter */
    for (size_t i = 0; i < n; i++) {
        uint32_t c = codes[i], class = class_of(c);
        /* last is the class of the mark before; 0 there means that a starter stands between. */
        bool blocked = starter != n && out > starter + 1 && (last >= class || last == 0);
        uint32_t to = starter != n && !blocked ? composed(codes[starter], c) : 0;
        if (to) {
            codes[starter] = to;
            continue;
        }
        if (!class)
            starter = out;
        last = class;
        codes[out++] = c;
    }
    WEFT_ASSERT(out <= n);
    return out;
}

/* The three steps of the head, in place. */
size_t unicode_nfkc(const char *s, size_t n, uint32_t *codes)
{
    size_t count = 0;
    for (const char *end = s + n; s < end;)
        count += decompose(utf8_get(&s), codes + count);
    put_in_order(codes, count);
    return compose(codes, count);
}
