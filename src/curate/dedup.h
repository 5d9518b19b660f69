/* SPDX-License-Identifier: Apache-2.0 */
/* Finds duplicates in data sets, for weft dedup: of records that share a structure the first stays,
 * all others go; with a threshold, so do those that are near to one that stays. Takes about 20
 * bytes of memory for each record that stays, with a threshold 240 to 930 more (near_index.h). */
#ifndef WEFT_CURATE_DEDUP_H
#define WEFT_CURATE_DEDUP_H

#include "similar/near_index.h"
#include "similar/seen.h"
#include "similar/source_structure.h"

/* The state of one deduplication. A record is compared with those before it that stay: the first of
 * a group of equals is kept, so the result depends on the order of the input and on nothing
 * else. */
typedef struct dedup {
    mem *m;
    seen seen;               /* structures of the records that stay */
    structure_finder finder; /* for records whose source must be parsed; has memory of its own */
    uint32_t threshold;      /* 0: near ones stay */
    near_index near;         /* signatures of the records that stay; with a threshold only */
    minhasher hasher;
    uint64_t records, duplicates, nears; /* seen so far; of these, dropped as equal and as near */
    uint64_t unread;                     /* kept, since their structure is not known */
} dedup;

/* m: owns the sets of structures and signatures. threshold: as for near_init, or 0. */
void dedup_init(dedup *w, mem *m, uint32_t threshold);
/* Frees all memory. The counts remain valid. */
void dedup_clear(dedup *w);
/* Is the record one that stays? `metadata` is the text of that member, or empty. False: memory ran
 * out; it may also leave through m. */
bool dedup_record(dedup *w, str record, str metadata, bool *stays);
/* {"records": 9, "duplicates": 1, "rate": 0.111111, ...} */
void dedup_put_json(strbuf *b, const dedup *w);

#endif
