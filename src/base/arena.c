/* SPDX-License-Identifier: Apache-2.0 */
/* Chunk handling behind the inline fast path of arena.h. The chunks of an arena form a list in
 * order of use; those behind `cur` are free and wait for reuse:
 *
 *     first -> [full] -> [full] -> [cur: used up to p, free up to end] -> [free] -> ...
 *
 * An arena_save in the first chunk and a rewind to it make all chunks behind it free. */
#include "base/arena.h"

#include <stdarg.h>

#include "base/assert.h"
#include "base/format.h"

enum {
    CHUNK_MIN = 64 * 1024,
    KEEP_MAX = 1024 * 1024
}; /* bytes: of a chunk at least; that a reset keeps */

/* The head of a chunk. Its size is a multiple of 8, so that what follows stays aligned. */
struct arena_chunk {
    arena_chunk *next;
    size_t size; /* of the payload that follows */
};

static char *payload(arena_chunk *c)
{
    return (char *)(c + 1);
}

void arena_init(arena *a, mem *m)
{
    *a = (arena){.m = m};
}

/* Makes c the current chunk, all of it free. */
static void use_chunk(arena *a, arena_chunk *c)
{
    a->cur = c;
    a->p = payload(c);
    a->end = a->p + c->size;
}

/* The next chunk is reused if the request fits. Otherwise a new one goes in front of it: the list
 * stays in order of use, and the small chunk serves later. */
void *arena_more(arena *a, size_t n)
{
    WEFT_ASSERT(n % 8 == 0);
    arena_chunk *next = a->cur ? a->cur->next : a->first;
    if (!next || next->size < n) {
        size_t size = n > CHUNK_MIN ? n : CHUNK_MIN;
        arena_chunk *c = mem_alloc(a->m, sizeof *c + size);
        c->size = size;
        c->next = next;
        if (a->cur)
            a->cur->next = c;
        else
            a->first = c;
        next = c;
    }
    WEFT_ASSERT(next->size >= n);
    use_chunk(a, next);
    void *r = a->p;
    a->p += n;
    return r;
}

/* One large module must not hold its memory for the rest of a long run: chunks beyond KEEP_MAX go
 * back. The first one always stays. */
void arena_reset(arena *a)
{
    size_t kept = 0;
    for (arena_chunk **at = &a->first, *c; (c = *at);) {
        kept += c->size;
        if (kept > KEEP_MAX && c != a->first) {
            *at = c->next;
            mem_free(a->m, c);
        } else {
            at = &c->next;
        }
    }
    a->cur = NULL;
    a->p = a->end = NULL;
    if (a->first)
        use_chunk(a, a->first);
}

void arena_clear(arena *a)
{
    for (arena_chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        mem_free(a->m, c);
    }
    arena_init(a, a->m);
}

arena_mark arena_save(const arena *a)
{
    return (arena_mark){a->cur, a->p};
}

/* A mark from before the first allocation has no chunk: that is the empty arena. */
void arena_rewind(arena *a, arena_mark mark)
{
    if (!mark.cur) {
        arena_reset(a);
        return;
    }
    WEFT_ASSERT(payload(mark.cur) <= mark.p && mark.p <= payload(mark.cur) + mark.cur->size);
    a->cur = mark.cur;
    a->p = mark.p;
    a->end = payload(mark.cur) + mark.cur->size;
}

/* Formats twice: once for the length, once into place. */
char *arena_printf_v(arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    const size_t n = format_text_v(NULL, 0, fmt, again);
    va_end(again);
    char *text = arena_alloc(a, n + 1);
    format_text_v(text, n + 1, fmt, ap);
    return text;
}

char *arena_printf(arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_printf_v(a, fmt, ap);
    va_end(ap);
    return text;
}
