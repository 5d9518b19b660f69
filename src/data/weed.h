/* Which records of data sets say nothing new: of those that share a structure the first stays, all
 * others go. Takes about 20 bytes of memory for each record that stays. */
#ifndef WEFT_DATA_WEED_H
#define WEFT_DATA_WEED_H

#include "data/seen.h"
#include "data/source_structure.h"

typedef struct weeder {
    mem *m;
    seen seen;
    structure_finder finder;
    uint64_t records, duplicates;
    uint64_t unread; /* kept, since their structure is not known */
} weeder;

/* m: owns what is kept in mind. */
void weed_init(weeder *w, mem *m);
void weed_clear(weeder *w);
/* Is the record one that stays? False: memory ran out; it may also leave through m. */
bool weed_record(weeder *w, str record, bool *stays);
/* {"records": 9, "duplicates": 1, "rate": 0.111111, "unread": 0} */
void weed_put_json(strbuf *b, const weeder *w);

#endif
