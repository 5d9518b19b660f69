/* SPDX-License-Identifier: Apache-2.0 */
/* Bump allocation with one lifetime for all: pointers stay valid until the arena is reset or
 * rewound past them. Chunks are kept for reuse, so a loop of work and reset runs in flat memory.
 *
 *     const arena_mark here = arena_save(a);
 *     char *name = arena_printf(a, "%s_%d", base, i);
 *     arena_rewind(a, here);                            name is gone */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"

typedef struct arena_chunk arena_chunk;

typedef struct arena {
    mem *m;             /* owns the chunks */
    char *p, *end;      /* free space of the current chunk */
    arena_chunk *first; /* all chunks, in order of use */
    arena_chunk *cur;
} arena;

/* A position: everything behind it can be forgotten. Marks nest like brackets. */
typedef struct arena_mark {
    arena_chunk *cur;
    char *p;
} arena_mark;

/* Takes no memory yet; chunks belong to m and die with mem_clear(m). */
void arena_init(arena *a, mem *m);
/* Forgets everything, keeps the chunks for reuse, but gives back those beyond 1 MiB in all. */
void arena_reset(arena *a);
/* Gives all memory back. The arena is as after arena_init. */
void arena_clear(arena *a);
/* The position to rewind to. Later resets of the arena make the mark invalid. */
arena_mark arena_save(const arena *a);
/* Forgets what was allocated since the mark; the chunks stay for reuse. */
void arena_rewind(arena *a, arena_mark mark);
void *arena_more(arena *a, size_t n); /* slow path of arena_alloc */

/* n bytes, aligned to 8, uninitialised. n may be 0; the pointer is then valid but holds nothing.
 * Does not return if memory runs out (base/mem.h). */
static inline void *arena_alloc(arena *a, size_t n)
{
    n = (n + 7) & ~(size_t)7;
    if ((size_t)(a->end - a->p) < n || !a->p)
        return arena_more(a, n);
    void *r = a->p;
    a->p += n;
    return r;
}

/* n bytes, aligned to 8, all zero. */
static inline void *arena_zero(arena *a, size_t n)
{
    return memset(arena_alloc(a, n), 0, n);
}

/* A copy of n bytes with a NUL after them. */
static inline char *arena_dup(arena *a, const char *s, size_t n)
{
    char *r = arena_alloc(a, n + 1);
    if (n) /* s may be NULL then */
        memcpy(r, s, n);
    r[n] = 0;
    return r;
}

/* A text in the arena, from the formats of base/format.h. */
char *arena_printf(arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_printf_v(arena *a, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* One zeroed T; n uninitialised Ts, where n * sizeof(T) may not overflow (mem_fail). */
#define ARENA_NEW(a, T)      ((T *)arena_zero((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), mem_mul((a)->m, (n), sizeof(T))))

#endif
