/* Sums over records, and what is told of them. */
#ifndef WEFT_DATA_DATA_STATS_H
#define WEFT_DATA_DATA_STATS_H

#include <cjson/cJSON.h>

#include "data/data.h"
#include "data/defect.h"
#include "data/structure.h"

/* How a record's kernel was broken. */
typedef struct data_defect {
    defect_kind kind;
    str broken, diagnostic;
} data_defect;

/* What the compiler and the checker know of a record. */
typedef struct data_counts {
    uint32_t variables;
    const check_result *proof; /* NULL: not verified */
    const structure *structure;
    uint32_t attempt;
    const data_defect *defect; /* NULL: the record is no repair pair */
    str ptx;                   /* what metadata have of PTX, with its key; or empty */
} data_counts;

void stats_add(data_stats *s, const gen_sample *sample, const data_counts *counts, size_t bytes);
uint64_t stats_rejected(const data_stats *s);
uint64_t stats_proved(const data_stats *s, check_status status);
/* data_sums.c: adding up, and the exact sums as a JSON object. */
void stats_merge(data_stats *to, const data_stats *from);
/* Takes sums that were added out again; smallest and largest are left as they are. */
void stats_subtract(data_stats *to, const data_stats *what);
void stats_put_sums(strbuf *b, const data_stats *s);
/* Reads what stats_put_sums wrote. False: it is something else, or of another version. */
bool stats_read_sums(const cJSON *object, data_stats *s);
/* The member "coverage" of stats.json, with a comma before it. */
void coverage_put_json(strbuf *b, const data_stats *s);
/* stats.json */
void stats_put_json(strbuf *b, const data_options *o, const data_stats *s);
uint64_t stats_records(const data_stats *s);
uint64_t stats_bytes(const data_stats *s);

#endif
