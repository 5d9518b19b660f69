/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts more items than memory holds (extsort.h). Items gather until the memory is full; that run
 * is sorted and written. At the end a heap of the runs' heads merges them:
 *
 *     5 2 | 9 1 | 3   ->   runs 2 5, 1 9, 3   ->   heads 1 2 3   ->   1 2 3 5 9
 *
 * n items in r runs take O(n log n) comparisons in memory and O(n log r) when merging; each item
 * is written and read once. The order is total, so the result does not depend on the memory or on
 * qsort. */
#include "base/extsort.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/io.h"

enum { BUFFER_ITEMS = 1 << 13 }; /* items of a file's buffer: 256 KiB */

bool sort_item_less(const sort_item *a, const sort_item *b)
{
    if (a->high != b->high)
        return a->high < b->high;
    return a->low != b->low ? a->low < b->low : a->index < b->index;
}

/* For qsort. No two items are equal: their indices differ. */
static int compare(const void *a, const void *b)
{
    return sort_item_less(a, b) ? -1 : sort_item_less(b, a);
}

/* --- files --------------------------------------------------------------------------------- */

/* The name goes at once: the space is free again when the process ends, however it ends. */
int item_file_open(item_file *f, mem *m, const char *path)
{
    *f = (item_file){.fd = -1};
    f->buffer = mem_alloc(m, sizeof *f->buffer * BUFFER_ITEMS);
    f->fd = io_open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (f->fd < 0)
        return errno;
    return io_unlink(path) == 0 ? 0 : errno;
}

/* Writes the buffer and empties it. */
static int flush(item_file *f)
{
    const str bytes = {(const char *)f->buffer, f->n * sizeof *f->buffer};
    f->n = 0;
    return write_fully(f->fd, bytes);
}

int item_file_put(item_file *f, const sort_item *item)
{
    WEFT_ASSERT(f->fd >= 0 && !f->reading && f->n < BUFFER_ITEMS);
    f->buffer[f->n++] = *item;
    return f->n == BUFFER_ITEMS ? flush(f) : 0;
}

int item_file_rewind(item_file *f)
{
    /* Rewinding twice reads again from the start. */
    const int error = f->reading ? 0 : flush(f);
    f->reading = true;
    f->n = f->at = 0;
    if (error)
        return error;
    return lseek(f->fd, 0, SEEK_SET) == 0 ? 0 : errno;
}

/* Reads until the buffer is full: a short read may end within an item. */
static int fill(item_file *f)
{
    char *to = (char *)f->buffer;
    size_t n = 0;
    const size_t room = BUFFER_ITEMS * sizeof *f->buffer;
    while (n < room) {
        const ssize_t got = io_read(f->fd, to + n, room - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (!got)
            break;
        n += (size_t)got;
    }
    /* Files hold whole items, so nothing is left over. */
    f->n = (uint32_t)(n / sizeof *f->buffer);
    f->at = 0;
    return 0;
}

int item_file_get(item_file *f, sort_item *item, bool *any)
{
    WEFT_ASSERT(f->reading && f->at <= f->n);
    const int error = f->at == f->n ? fill(f) : 0;
    *any = !error && f->at < f->n;
    if (*any)
        *item = f->buffer[f->at++];
    return error;
}

void item_file_close(item_file *f, mem *m)
{
    if (f->fd >= 0)
        io_close(f->fd);
    f->fd = -1;
    mem_free(m, f->buffer);
    f->buffer = NULL;
}

/* --- sorting ------------------------------------------------------------------------------- */

void extsort_init(extsort *s, mem *m, const char *path, uint64_t memory)
{
    enum { LEAST = 1 << 10 };
    *s = (extsort){.m = m, .path = path, .room = memory / sizeof *s->items};
    arena_init(&s->runs_arena, m);
    /* Tiny runs would need too many open files. */
    if (s->room < LEAST)
        s->room = LEAST;
    s->items = mem_alloc(m, mem_mul(m, s->room, sizeof *s->items));
}

/* The run is registered before it is opened, so that extsort_clear closes it after a failure. */
static int write_run(extsort *s)
{
    item_file *f = ARENA_NEW(&s->runs_arena, item_file);
    f->fd = -1;
    VEC_PUSH(&s->runs_arena, &s->runs, f);
    qsort(s->items, s->n, sizeof *s->items, compare);
    /* All runs use the same path; each is unlinked before the next is made. */
    int error = item_file_open(f, s->m, s->path);
    for (uint64_t i = 0; i < s->n && !error; i++)
        error = item_file_put(f, &s->items[i]);
    s->n = 0;
    return error ? error : item_file_rewind(f);
}

int extsort_add(extsort *s, const sort_item *item)
{
    WEFT_ASSERT(s->items && s->n <= s->room);
    const int error = s->n == s->room ? write_run(s) : 0;
    s->items[s->n++] = *item;
    return error;
}

static bool is_before(const extsort *s, uint32_t a, uint32_t b)
{
    return sort_item_less(&s->heads[s->heap[a]], &s->heads[s->heap[b]]);
}

/* Restores the heap from `at` downwards: its run's head may be larger than those below it. */
static void sift_down(extsort *s, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < s->nheap && is_before(s, child, least))
                least = child;
        if (least == at)
            return;
        const uint32_t run = s->heap[at];
        s->heap[at] = s->heap[least];
        s->heap[least] = run;
        at = least;
    }
}

/* The items' memory is free from here on, unless all are in it: merging needs one buffer for each
 * run. */
int extsort_begin(extsort *s)
{
    WEFT_ASSERT(s->items && !s->ordered);
    s->ordered = true;
    if (!s->runs.n) {
        qsort(s->items, s->n, sizeof *s->items, compare);
        return 0;
    }
    int error = s->n ? write_run(s) : 0;
    mem_free(s->m, s->items);
    s->items = NULL;
    s->heads = ARENA_ARRAY(&s->runs_arena, sort_item, s->runs.n);
    s->heap = ARENA_ARRAY(&s->runs_arena, uint32_t, s->runs.n);
    for (uint32_t i = 0; i < s->runs.n && !error; i++) {
        bool any;
        error = item_file_get(s->runs.v[i], &s->heads[i], &any);
        if (any)
            s->heap[s->nheap++] = i;
    }
    /* Builds the heap from its leaves, in linear time. */
    for (uint32_t i = s->nheap; i-- > 0;)
        sift_down(s, i);
    return error;
}

/* Takes the least head and replaces it by the next item of its run; a run that is empty leaves the
 * heap. */
int extsort_next(extsort *s, sort_item *item, bool *any)
{
    WEFT_ASSERT(s->ordered);
    *any = s->nheap > 0 || s->at < (s->runs.n ? 0 : s->n);
    if (!*any)
        return 0;
    if (!s->runs.n) {
        *item = s->items[s->at++];
        return 0;
    }
    const uint32_t run = s->heap[0];
    bool more;
    *item = s->heads[run];
    const int error = item_file_get(s->runs.v[run], &s->heads[run], &more);
    /* The last run of the heap takes the place of the one that is empty. */
    if (!more)
        s->heap[0] = s->heap[--s->nheap];
    sift_down(s, 0);
    return error;
}

void extsort_clear(extsort *s)
{
    for (uint32_t i = 0; i < s->runs.n; i++)
        item_file_close(s->runs.v[i], s->m);
    s->runs.n = 0;
    mem_free(s->m, s->items);
    s->items = NULL;
}
