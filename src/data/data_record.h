/* One record of a data set, as a line of JSON. */
#ifndef WEFT_DATA_DATA_RECORD_H
#define WEFT_DATA_DATA_RECORD_H

#include "data/data_stats.h"
#include "emit/emit.h"

/* The texts of a sample; an empty one where its device or pass was not asked for. */
typedef struct data_texts {
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES];
} data_texts;

/* "7-000000042" */
void record_put_id(strbuf *b, uint64_t seed, uint64_t index);
/* Appends the record and a newline. */
void record_put(strbuf *b, const data_options *o, uint64_t index, const gen_sample *s,
                const data_texts *t, const data_counts *counts);

#endif
