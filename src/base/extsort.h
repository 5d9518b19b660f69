/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting more items than memory holds: sorted runs on the disk, merged; what memory holds stays in
 * it. Used by `weft merge` for the structures of all samples of a run, and by `weft split` for
 * ids. Example:
 *
 *     extsort_init(&s, m, "out/.sort", 1 << 28);
 *     for (...) extsort_add(&s, &(sort_item){.high = h, .low = l, .index = i, .extra = x});
 *     for (extsort_begin(&s); !extsort_next(&s, &item, &any) && any;) ...
 *     extsort_clear(&s);
 */
#ifndef WEFT_BASE_EXTSORT_H
#define WEFT_BASE_EXTSORT_H

#include "base/vec.h"

/* A key of 128 bits (a hash) with an index, by which items are ordered, and a number that goes
 * along. Indices are unique. */
typedef struct sort_item {
    uint64_t high, low, index, extra;
} sort_item;

/* Items on the disk, in a file without a name. */
typedef struct item_file {
    int fd;            /* -1: closed */
    sort_item *buffer; /* of BUFFER_ITEMS */
    uint32_t n, at;    /* in the buffer: items, and the next one to read */
    bool reading;
} item_file;

/* `path` is used for a moment only. These return 0 or an errno value. */
int item_file_open(item_file *f, mem *m, const char *path);
int item_file_put(item_file *f, const sort_item *item);
/* From writing to reading, at the first item. */
int item_file_rewind(item_file *f);
/* *any is false at the end. */
int item_file_get(item_file *f, sort_item *item, bool *any);
void item_file_close(item_file *f, mem *m);

/* First filled (items), then merged (heads, heap). */
typedef struct extsort {
    mem *m;
    arena runs_arena;      /* of the lists below */
    const char *path;      /* for the runs, one after another: each gives up its name at once */
    sort_item *items;      /* in memory, not sorted yet */
    uint64_t n, room;      /* items in memory; as many fit */
    uint64_t at;           /* the next one, when there are no runs */
    VEC(item_file *) runs; /* on the disk, each sorted */
    sort_item *heads;      /* next item of each run, when merging */
    uint32_t *heap, nheap; /* numbers of the runs that are not empty, the least head first */
    bool ordered;          /* no more items come */
} extsort;

/* `memory`: bytes to take for items. */
void extsort_init(extsort *s, mem *m, const char *path, uint64_t memory);
/* Adds an item; writes a run when the memory is full. 0 or an errno value, as those below. */
int extsort_add(extsort *s, const sort_item *item);
/* No more items come. */
int extsort_begin(extsort *s);
/* The next item in order; *any is false at the end. */
int extsort_next(extsort *s, sort_item *item, bool *any);
/* Closes the runs and frees the items; due after a failure too. */
void extsort_clear(extsort *s);

/* The order: the key, then the index. */
bool sort_item_less(const sort_item *a, const sort_item *b);

#endif
