/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a run free of duplicates: no two samples share a structure (similar/structure.h) or, with
 * --near, are nearly alike. The set of structures is looked up and filled in the order of indexes:
 * the first sample that has a structure keeps it, a later one is made anew by its next attempts. So
 * a sample depends on the options, its index and the samples before it, and on nothing else. */
#ifndef WEFT_MAKE_MAKE_DEDUP_H
#define WEFT_MAKE_MAKE_DEDUP_H

#include "make/make_queue.h"
#include "similar/source_structure.h"

typedef struct make_dedup {
    const record_options *o;
    maker_known known;       /* all records before the one in work */
    maker maker;             /* for samples that are made anew */
    bool has_maker;          /* it is made when the first sample needs it */
    strbuf text;             /* of a record; belongs to the maker */
    store_stats sums;        /* of one record, to be taken out of its piece's */
    maker_made *pending;     /* of the shard that is being read again; in the set's memory */
    structure_finder finder; /* with --near: reads structures from records of an earlier run */
    minhasher hasher;        /* with --near; its `m` is the memory of the whole set */
    uint64_t npending, cap;  /* records that `pending` has, and has room for */
    char message[512];       /* why a record cannot be made */
} make_dedup;

/* m: owns the set. */
void make_dedup_init(make_dedup *d, const record_options *o, mem *m);
void make_dedup_clear(make_dedup *d);
/* Makes the piece's records that share a structure anew, its sums as well. STATUS_OK, STATUS_MEMORY
 * or what maker_make returns. */
int make_dedup_piece(make_dedup *d, make_piece *piece);

/* A record of an earlier run, which is pending until make_dedup_keep. Text that is no record is
 * ignored. Leaves by mem_fail where memory runs out. */
void make_dedup_add(make_dedup *d, str record);
/* Ends a shard: with `keep` the pending records are in the set from now on; else, as when their
 * shard is damaged and made anew, they are forgotten. */
void make_dedup_keep(make_dedup *d, bool keep);

#endif
