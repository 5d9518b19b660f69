/* No two samples of a run share a structure. The set of structures is asked and filled in the order
 * of indexes: the first sample that has a structure keeps it, a later one is made anew by its next
 * attempts. So a sample depends on the options, its index and those before it. */
#ifndef WEFT_MAKE_MAKE_DEDUP_H
#define WEFT_MAKE_MAKE_DEDUP_H

#include "make/make_queue.h"
#include "similar/source_structure.h"

typedef struct data_dedup {
    const data_options *o;
    data_known known;
    data_maker maker; /* for samples that are made anew */
    bool has_maker;
    strbuf text; /* of a record; belongs to the maker */
    data_stats sums;
    data_made *heard; /* of the shard that is being read; in the set's memory */
    structure_finder finder;
    minhasher hasher;
    uint64_t nheard, room;
    char message[512]; /* why a record cannot be made */
} data_dedup;

/* m: owns the set. */
void dedup_init(data_dedup *d, const data_options *o, mem *m);
void dedup_clear(data_dedup *d);
/* Makes the piece's records that share a structure anew, its sums as well. DATA_OK, DATA_MEMORY or
 * what maker_make returns. */
int dedup_piece(data_dedup *d, data_piece *piece);

/* A record of an earlier run. */
void dedup_hear(data_dedup *d, str record);
/* Those that were heard since are in the set from now on, or are forgotten. */
void dedup_keep(data_dedup *d, bool keep);

#endif
