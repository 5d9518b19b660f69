/* SPDX-License-Identifier: Apache-2.0 */
/* String views and the string builder. A builder's buffer is one heap block of its `mem`, always
 * grown by doubling; all text weft makes goes through it, without stdio. Example:
 *
 *     strbuf b;
 *     sb_init(&b, m);
 *     SB_LIT(&b, "x = "), sb_int(&b, 7);
 *     sb_view(&b)                           "x = 7", valid until the next append
 *     sb_clear(&b);
 */
#ifndef WEFT_BASE_STR_H
#define WEFT_BASE_STR_H

#include <string.h>

#include "base/assert.h"
#include "base/mem.h"

typedef struct str { /* borrowed bytes, not NUL-terminated */
    const char *p;
    size_t n;
} str;

/* A literal as a view. */
#define STR(lit) ((str){"" lit, sizeof(lit) - 1})

static inline bool str_eq(str a, str b)
{
    return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}

static inline str str_c(const char *s)
{
    return (str){s, strlen(s)};
}

/* Does s begin with the NUL-terminated text? */
static inline bool str_starts(str s, const char *with)
{
    const size_t n = strlen(with);
    return s.n >= n && memcmp(s.p, with, n) == 0;
}

/* Where `what`, which is not empty, first stands in s; NULL: nowhere. Both may contain NUL. */
const char *str_find(str s, str what);
/* Is word somewhere in s? An empty word is. */
static inline bool str_contains(str s, str word)
{
    return word.n == 0 || str_find(s, word);
}

/* How often the byte is in s. */
static inline uint32_t str_count(str s, char byte)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == byte;
    return n;
}

/* Is s one of the n NUL-terminated texts? A linear search, for short lists. */
bool str_is_in(str s, const char *const *list, size_t n);
/* The same for an array, whose size is known. */
#define STR_IS_IN(s, list) str_is_in((s), (list), sizeof(list) / sizeof *(list))

/* Takes the next word of a list whose words stand one blank apart; empty at the end.
 *
 *     for (str word; (word = str_take_word(&list)).n;) */
str str_take_word(const char **list);
/* Is it a word of such a list? */
bool str_has_word(const char *list, str word);

/* A growing text. p is NULL before the first append. */
typedef struct strbuf {
    mem *m;
    char *p;
    size_t n, cap;
} strbuf;

/* An empty builder; takes no memory yet. */
void sb_init(strbuf *b, mem *m);
/* Gives the buffer back; the builder may be used again. */
void sb_clear(strbuf *b);
void sb_grow(strbuf *b, size_t n); /* room for n more bytes */
/* Appends a NUL that does not count and returns the text; valid until the next append. */
char *sb_cstr(strbuf *b);

/* Appends n bytes from elsewhere; the buffer's own bytes need sb_again. */
static inline void sb_put(strbuf *b, const char *p, size_t n)
{
    WEFT_ASSERT((uintptr_t)p + n <= (uintptr_t)b->p || (uintptr_t)p >= (uintptr_t)b->p + b->cap);
    if (b->cap - b->n < n)
        sb_grow(b, n);
    if (n)
        memcpy(b->p + b->n, p, n);
    b->n += n;
}

/* Appends n of the buffer's own bytes, from `begin` on: growing moves them. */
static inline void sb_again(strbuf *b, size_t begin, size_t n)
{
    if (b->cap - b->n < n)
        sb_grow(b, n);
    WEFT_ASSERT(begin + n <= b->n);
    memcpy(b->p + b->n, b->p + begin, n);
    b->n += n;
}

static inline void sb_char(strbuf *b, char c)
{
    if (b->n == b->cap)
        sb_grow(b, 1);
    b->p[b->n++] = c;
}

/* Appends a view, which must not point into b. */
static inline void sb_str(strbuf *b, str s)
{
    sb_put(b, s.p, s.n);
}

/* Appends a literal, whose length the compiler computes. */
#define SB_LIT(b, lit) sb_put((b), "" lit, sizeof(lit) - 1)

/* The text so far, borrowed: valid until the next append. */
static inline str sb_view(const strbuf *b)
{
    return (str){b->p, b->n};
}

/* Appends a NUL-terminated text; then numbers in decimal. */
void sb_c(strbuf *b, const char *s);
void sb_uint(strbuf *b, uint64_t x);
void sb_int(strbuf *b, int64_t x);
/* A 128-bit number in decimal, for Python integers beyond 64 bits. */
void sb_int128(strbuf *b, __int128 x);
/* The last `digits` hexadecimal digits of x, with leading zeros. */
void sb_hex(strbuf *b, uint64_t x, int digits);
/* Appends c n times. */
void sb_repeat(strbuf *b, char c, size_t n);
/* Python's repr(float): shortest digits that read back equal, "1e-07", "inf", "nan", "2.0". */
void sb_float(strbuf *b, double x);
/* As printf, with the formats of base/format.h; for messages, not for the hot path. */
void sb_printf(strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_size(strbuf *b, uint64_t bytes); /* for people: "512 B", "9.6 kB" */

#endif
