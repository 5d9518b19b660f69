/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the heap: tools/check_layers.py finds calls of malloc elsewhere. A `mem` owns
 * every block taken through it. When memory runs out, control leaves by longjmp to the guard that
 * mem_try set, and mem_clear frees whatever is left. So no caller checks for NULL, and no failure
 * leaks. Not shared between threads. Example:
 *
 *     mem m;
 *     mem_init(&m);
 *     const bool enough = mem_try(&m, work, &job);     work uses mem_alloc(&m, n) freely
 *     mem_clear(&m);
 */
#ifndef WEFT_BASE_MEM_H
#define WEFT_BASE_MEM_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For structs: arenas align to 8, the plain type would want 16. */
typedef __int128 i128 __attribute__((aligned(8)));

typedef struct mem_block mem_block;

typedef struct mem {
    mem_block *blocks;       /* doubly linked, newest first */
    jmp_buf *guard;          /* where a failed allocation goes; set by mem_try */
    size_t used;             /* bytes held now, headers excluded */
    size_t limit;            /* refuse to hold more than this; 0: no limit */
    bool over_limit;         /* the last failure was one of the limit, not of the system */
    uint64_t fail_at;        /* test hook: the n-th allocation from now fails; 0: off */
    const atomic_bool *stop; /* an interrupt sets it: the next allocation fails; may be NULL */
    /* Asked while input or the reader of output is waited for: other than 0 ends the wait with
     * EINTR (io_read_ready). NULL: waits last. */
    int (*waiting)(void *arg);
    void *waiting_arg;
} mem;

/* Makes a zeroed owner without a limit. */
void mem_init(mem *m);
/* Frees every block. The owner may be used again. */
void mem_clear(mem *m);
/* n > 0 bytes, aligned to 16, uninitialised. Does not return on failure. */
void *mem_alloc(mem *m, size_t n);
/* Like realloc on a block of m; p may be NULL. Does not return on failure. */
void *mem_resize(mem *m, void *p, size_t n);
/* Gives a block of m back; p may be NULL. */
void mem_free(mem *m, void *p);
/* Runs fn(arg). False: memory ran out inside, and what fn built is to be thrown away. Nests. */
bool mem_try(mem *m, void (*fn)(void *), void *arg);
/* Leaves as a failed allocation would; for a size that overflowed, say. */
_Noreturn void mem_fail(mem *m);
/* Did an interrupt request the end of the work? */
static inline bool mem_stopped(const mem *m)
{
    return m->stop && atomic_load_explicit(m->stop, memory_order_relaxed);
}
/* a * b, or mem_fail on overflow. */
size_t mem_mul(mem *m, size_t a, size_t b);

/* Zeroed memory without an owner, for what threads share and for what holds a mem of its own: n
 * objects of `size` bytes. NULL: there is none. */
void *heap_zeroed(size_t n, size_t size);
void heap_free(void *p); /* p may be NULL */

#endif
