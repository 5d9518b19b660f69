/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two texts of one kernel, identifier by identifier.
 *
 *     square_0(var_x);   // y = ...  <L 12>         the same as
 *     square_3(var_x);   // y = ...  <L 7>          if square_0 is square_3 everywhere
 *
 * Warp counts functions of one name over the whole program, and a struct's name has a hash of its
 * content, which names the structs within it. */
#include "collect/same_text.h"

#include "base/str_map.h"
#include "base/vec.h"

/* The names of the one text that stand for names of the other, in both directions. */
typedef struct renames {
    arena *a;
    str_map there, back; /* numbers of pairs, plus one */
    uint32_t n;
} renames;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* The identifier or number at the begin of a text. */
static size_t word_length(str s)
{
    size_t n = 0;
    while (n < s.n && is_letter(s.p[n]))
        n++;
    return n;
}

/* "square" of "square_12", "Pair" of "Pair_1a2b3c4d"; the whole, if no number or hash is behind
 * it. */
static str stem_of(str word)
{
    size_t n = word.n;
    bool digits = true;
    while (n && word.p[n - 1] != '_') {
        const char c = word.p[--n];
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
            return word;
        digits = digits && c >= '0' && c <= '9';
    }
    const size_t end = word.n - n;
    if (!n || !end || (!digits && end != 8))
        return word;
    return (str){word.p, n - 1};
}

/* Is y the name for x, from the first time on? */
static bool renamed(renames *r, str x, str y)
{
    const uint32_t there = str_map_get(&r->there, x), back = str_map_get(&r->back, y);
    if (there || back)
        return there == back;
    r->n++;
    str_map_set(r->a, &r->there, x, r->n);
    str_map_set(r->a, &r->back, y, r->n);
    return true;
}

static bool same_word(renames *r, str x, str y)
{
    const str a = stem_of(x), b = stem_of(y);
    if (a.n == x.n || b.n == y.n || !str_eq(a, b) || str_starts(a, "var") || str_eq(a, STR("adj")))
        return str_eq(x, y);
    return renamed(r, x, y);
}

/* Behind "<L " and its number, or 0: such a mark does not stand here. */
static size_t mark_length(str s)
{
    size_t n = 3;
    if (!str_starts(s, "<L "))
        return 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n > 3 && n < s.n && s.p[n] == '>' ? n + 1 : 0;
}

/* The comment before a function, "// file.py:12", or 0. */
static size_t place_length(str s)
{
    size_t n = 3, digits = 0;
    if (!str_starts(s, "// "))
        return 0;
    while (n < s.n && s.p[n] != '\n')
        n++;
    while (digits < n && s.p[n - 1 - digits] >= '0' && s.p[n - 1 - digits] <= '9')
        digits++;
    const size_t end = n - digits;
    return digits && end > 6 && memcmp(s.p + end - 4, ".py:", 4) == 0 ? n : 0;
}

/* A mark of a place in the source, of either form. */
static size_t place_of(str s)
{
    const size_t n = mark_length(s);
    return n ? n : place_length(s);
}

static str rest_of(str s, size_t n)
{
    return (str){s.p + n, s.n - n};
}

/* The line that holds the begin of `rest`, a tail of `all`. */
static str line_of(str all, str rest)
{
    size_t from = all.n - rest.n, end = from;
    while (from && all.p[from - 1] != '\n')
        from--;
    while (end < all.n && all.p[end] != '\n')
        end++;
    while (from < end && all.p[from] == ' ')
        from++;
    return (str){all.p + from, end - from};
}

static bool same_tails(renames *r, str *tail, str *other)
{
    str x = *tail, y = *other;
    while (x.n && y.n) {
        const size_t m = place_of(x), n = place_of(y);
        const size_t i = word_length(x), k = word_length(y);
        if (m && n) {
            x = rest_of(x, m);
            y = rest_of(y, n);
        } else if (i && k) {
            if (!same_word(r, (str){x.p, i}, (str){y.p, k}))
                break;
            x = rest_of(x, i);
            y = rest_of(y, k);
        } else if (*x.p != *y.p) {
            break;
        } else {
            x = rest_of(x, 1);
            y = rest_of(y, 1);
        }
    }
    *tail = x;
    *other = y;
    return !x.n && !y.n;
}

bool same_text(arena *a, str x, str y, str *where)
{
    renames r = {.a = a};
    str tail = x, other = y;
    const bool same = same_tails(&r, &tail, &other);
    *where = line_of(y, other);
    return same;
}
