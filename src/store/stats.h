/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a data set: sums over records, which threads add up piece by piece, and stats.json,
 * which is made of them. For runs, and for `weft merge`, which adds the sums of parts.
 *
 *     "records": 4, "bytes": 84017, "mean_bytes": 21004.25, ... "loop_depth": {"0": 3, "1": 1}
 *
 * Means are computed from sums at the end, so that pieces cut in any way give the same figures. */
#ifndef WEFT_STORE_STATS_H
#define WEFT_STORE_STATS_H

#include "base/json_tree.h"
#include "check/check.h"
#include "record/record_write.h"

/* Places of the histograms; the last one also counts what lies beyond. */
enum {
    STATS_LINES_MAX = 512,
    STATS_ARGS_MAX = SAMPLE_ARGS_MAX + 1,
    STATS_DEPTH_MAX = 8,
    STATS_BUILTINS_MAX = 256
};

/* Why a sample was thrown away and made anew. The numbers go on where check_reason ends, so that
 * one array counts both. */
typedef enum stats_rejection {
    STATS_REJECT_COMPILE = CHECK_REASONS, /* those before are check_reasons */
    STATS_REJECT_INADEQUATE,
    STATS_REJECT_GRADIENT,
    STATS_REJECT_SIZE,
    STATS_REJECT_EXCLUDED,
    STATS_REJECT_DUPLICATE,  /* an earlier sample has its structure */
    STATS_REJECT_NEAR,       /* one is near to it */
    STATS_REJECT_STANDALONE, /* no program of its own can be made of it, or none that checks itself
                              */
    STATS_REJECT_DEFECT,     /* it cannot be broken in the way that is wanted */
    STATS_REJECT_LONG,       /* it has more tokens than are wanted */
    STATS_REJECTIONS
} stats_rejection;
/* "duplicate", as stats.json has it; also of a check_reason. */
const char *stats_rejection_name(uint32_t r);

/* Sums over records; one for each thread's piece, added up in order. */
typedef struct store_stats {
#define STAT(name, dimensions, how) uint64_t name dimensions;
#include "store/stat.def"
#undef STAT
    char suspect[512]; /* the first of the suspects */
} store_stats;

/* Counts one record, whose text has so many bytes. */
void stats_add(store_stats *s, const gen_sample *sample, const record_counts *counts, size_t bytes);
/* Candidates thrown away, for all reasons together. */
uint64_t stats_rejected(const store_stats *s);
uint64_t stats_proved(const store_stats *s, check_status status);
/* stats_sums.c: adding up, and the exact sums as a JSON object. */
void stats_merge(store_stats *to, const store_stats *from);
/* Takes sums that were added out again; smallest and largest are left as they are. */
void stats_subtract(store_stats *to, const store_stats *what);
void stats_put_sums(strbuf *b, const store_stats *s);
/* Reads what stats_put_sums wrote. False: it is something else, or of another version. */
bool stats_read_sums(const json_value *object, store_stats *s);
/* The member "coverage" of stats.json, with a comma before it. */
void coverage_put_json(strbuf *b, const store_stats *s);
/* stats.json */
void stats_put_json(strbuf *b, const record_options *o, const store_stats *s);
uint64_t stats_records(const store_stats *s);
uint64_t stats_bytes(const store_stats *s);

#endif
