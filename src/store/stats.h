/* Sums over records, and what is told of them. */
#ifndef WEFT_STORE_STATS_H
#define WEFT_STORE_STATS_H

#include <cjson/cJSON.h>

#include "check/check.h"
#include "record/record_write.h"

enum {
    DATA_LINES_MAX = 128,
    DATA_ARGS_MAX = GEN_ARGS_MAX + 1,
    DATA_DEPTH_MAX = 8,
    DATA_BUILTINS_MAX = 256
};

/* Why a sample was thrown away and made anew. */
typedef enum data_rejection {
    DATA_REJECT_COMPILE = CHECK_REASONS, /* those before are check_reasons */
    DATA_REJECT_INADEQUATE,
    DATA_REJECT_GRADIENT,
    DATA_REJECT_SIZE,
    DATA_REJECT_EXCLUDED,
    DATA_REJECT_DUPLICATE,  /* an earlier sample has its structure */
    DATA_REJECT_NEAR,       /* one is near to it */
    DATA_REJECT_STANDALONE, /* no program of its own can be made of it, or none that checks itself
                             */
    DATA_REJECT_DEFECT,     /* it cannot be broken in the way that is wanted */
    DATA_REJECTIONS
} data_rejection;
const char *data_rejection_name(uint32_t r);

/* Sums over records; one for each thread's piece, added up in order. */
typedef struct data_stats {
#define STAT(name, dimensions, how) uint64_t name dimensions;
#include "store/stat.def"
#undef STAT
    char suspect[512]; /* the first of the suspects */
} data_stats;

void stats_add(data_stats *s, const gen_sample *sample, const data_counts *counts, size_t bytes);
uint64_t stats_rejected(const data_stats *s);
uint64_t stats_proved(const data_stats *s, check_status status);
/* stats_sums.c: adding up, and the exact sums as a JSON object. */
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
