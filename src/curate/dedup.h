/* Which records of data sets say nothing new: of those that share a structure the first stays, all
 * others go; so do those that are near to one that stays, if asked. Takes about 20 bytes of memory
 * for each record that stays; near ones 240 to 930 more (near_index.h). */
#ifndef WEFT_CURATE_DEDUP_H
#define WEFT_CURATE_DEDUP_H

#include "similar/near_index.h"
#include "similar/seen.h"
#include "similar/source_structure.h"

typedef struct dedup {
    mem *m;
    seen seen;
    structure_finder finder;
    uint32_t threshold; /* 0: near ones stay */
    near_index near;
    minhasher hasher;
    uint64_t records, duplicates, nears;
    uint64_t unread; /* kept, since their structure is not known */
} dedup;

/* m: owns what is kept in mind. threshold: as for near_init, or 0. */
void dedup_init(dedup *w, mem *m, uint32_t threshold);
/* Gives back what belongs to m. */
void dedup_clear(dedup *w);
/* Is the record one that stays? `metadata` is the text of that member, or empty. False: memory ran
 * out; it may also leave through m. */
bool dedup_record(dedup *w, str record, str metadata, bool *stays);
/* {"records": 9, "duplicates": 1, "rate": 0.111111, ...} */
void dedup_put_json(strbuf *b, const dedup *w);

#endif
