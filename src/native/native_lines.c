/* SPDX-License-Identifier: Apache-2.0 */
/* The preprocessor of snippets: conditional lines. Lines that do not count become empty, so that
 * the others keep their numbers.
 *
 *     #if defined(__CUDA_ARCH__)
 *         return __popcll(x);              on CUDA
 *     #else
 *         return __builtin_popcountll(x);  on the CPU
 *     #endif
 */
#include "native/native_internal.h"

enum { NESTED_MAX = 20, CUDA_ARCH = 750 };

typedef struct cursor {
    nreader *r;
    const char *p, *end;
    bool cuda;
    uint32_t depth;
} cursor;

static void skip(cursor *k)
{
    while (k->p < k->end && (*k->p == ' ' || *k->p == '\t' || *k->p == '\r'))
        k->p++;
}

static bool sign(cursor *k, const char *s)
{
    skip(k);
    const size_t n = strlen(s);
    if ((size_t)(k->end - k->p) < n || memcmp(k->p, s, n) != 0)
        return false;
    k->p += n;
    return true;
}

static bool is_letter(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' ||
           (ch >= '0' && ch <= '9');
}

static str word(cursor *k)
{
    skip(k);
    const char *from = k->p;
    while (k->p < k->end && is_letter(*k->p))
        k->p++;
    return (str){from, (size_t)(k->p - from)};
}

static bool is_defined(const cursor *k, str name)
{
    return k->cuda && (str_eq(name, STR("__CUDA_ARCH__")) || str_eq(name, STR("__CUDACC__")));
}

static int64_t either(cursor *k);

static int64_t primary(cursor *k)
{
    if (k->depth++ > NESTED_MAX)
        native_refuse(k->r, "this condition of the preprocessor");
    int64_t x = 0;
    if (sign(k, "!")) {
        x = !primary(k);
    } else if (sign(k, "(")) {
        x = either(k);
        if (!sign(k, ")"))
            native_refuse(k->r, "this condition of the preprocessor");
    } else {
        const str w = word(k);
        if (str_eq(w, STR("defined"))) {
            const bool paren = sign(k, "(");
            x = is_defined(k, word(k));
            if (paren && !sign(k, ")"))
                native_refuse(k->r, "this condition of the preprocessor");
        } else if (w.n && w.p[0] >= '0' && w.p[0] <= '9') {
            for (size_t i = 0; i < w.n && w.p[i] >= '0' && w.p[i] <= '9' && x < 100000000; i++)
                x = x * 10 + (w.p[i] - '0');
        } else if (w.n) {
            x = is_defined(k, w) ? CUDA_ARCH : 0;
        } else {
            native_refuse(k->r, "this condition of the preprocessor");
        }
    }
    k->depth--;
    return x;
}

static int64_t compared(cursor *k)
{
    const int64_t x = primary(k);
    if (sign(k, ">="))
        return x >= primary(k);
    if (sign(k, "<="))
        return x <= primary(k);
    if (sign(k, "=="))
        return x == primary(k);
    if (sign(k, "!="))
        return x != primary(k);
    if (sign(k, ">"))
        return x > primary(k);
    if (sign(k, "<"))
        return x < primary(k);
    return x;
}

static int64_t both(cursor *k)
{
    int64_t x = compared(k);
    while (sign(k, "&&")) {
        const int64_t y = compared(k);
        x = x && y;
    }
    return x;
}

static int64_t either(cursor *k)
{
    int64_t x = both(k);
    while (sign(k, "||")) {
        const int64_t y = both(k);
        x = x || y;
    }
    return x;
}

/* An open #if: does the present branch count; has one counted; does what is around count? */
typedef struct open_if {
    bool counts, met, outer;
} open_if;

/* A line that begins with '#', from behind it on. */
static void directive(cursor *k, open_if *stack, uint32_t *n)
{
    const str w = word(k);
    open_if *top = *n ? &stack[*n - 1] : NULL;
    const bool counts = !top || top->counts;
    if (str_eq(w, STR("if")) || str_eq(w, STR("ifdef")) || str_eq(w, STR("ifndef"))) {
        if (*n == NESTED_MAX)
            native_refuse(k->r, "so many conditions of the preprocessor");
        bool truth = false;
        if (counts && w.n == 2)
            truth = either(k) != 0;
        else if (counts)
            truth = is_defined(k, word(k)) == (w.n == 5);
        stack[(*n)++] = (open_if){counts && truth, truth, counts};
    } else if (str_eq(w, STR("elif")) && top) {
        top->counts = top->outer && !top->met && either(k) != 0;
        top->met |= top->counts;
    } else if (str_eq(w, STR("else")) && top) {
        top->counts = top->outer && !top->met;
        top->met = true;
    } else if (str_eq(w, STR("endif")) && top) {
        (*n)--;
    } else if (counts && !str_eq(w, STR("pragma"))) {
        native_refuse(k->r, "#%.*s", (int)(w.n < 40 ? w.n : 40), w.p);
    }
}

/* Comments become spaces, but for their line ends. */
static void blank_comments(nreader *r, char *p, size_t n)
{
    const str s = {p, n};
    for (size_t at = 0; at < n;) {
        const size_t end = native_comment_end(s, at);
        if (end == at) {
            at = native_string_starts(s, at) ? native_string_end(s, at) : at + 1;
            continue;
        }
        if (p[at + 1] == '*' && (end < at + 4 || p[end - 1] != '/' || p[end - 2] != '*'))
            native_refuse(r, "a comment that does not end");
        for (; at < end; at++)
            if (p[at] != '\n')
                p[at] = ' ';
    }
}

/* The text with spaces for what does not count; a copy. */
str native_lines(nreader *r, str text, bool cuda)
{
    open_if stack[NESTED_MAX];
    uint32_t n = 0;
    char *copy = ARENA_ARRAY(r->a, char, text.n + 1);
    if (text.n)
        memcpy(copy, text.p, text.n);
    blank_comments(r, copy, text.n);
    for (size_t at = 0; at < text.n;) {
        size_t end = at;
        while (end < text.n && copy[end] != '\n')
            end++;
        cursor k = {r, copy + at, copy + end, cuda, 0};
        const bool counts = !n || stack[n - 1].counts, is_directive = sign(&k, "#");
        if (is_directive)
            directive(&k, stack, &n);
        if (is_directive || !counts)
            memset(copy + at, ' ', end - at);
        at = end + 1;
    }
    if (n)
        native_refuse(r, "#if without #endif");
    return (str){copy, text.n};
}
