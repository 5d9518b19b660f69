/* One record of a data set, as a line of JSON. */
#ifndef WEFT_DATA_DATA_RECORD_H
#define WEFT_DATA_DATA_RECORD_H

#include "data/data_stats.h"
#include "data/messages.h"
#include "standalone/standalone.h"

/* "7-000000042" */
void record_put_id(strbuf *b, uint64_t seed, uint64_t index);
/* Appends the record and a newline. */
void record_put(strbuf *b, const data_options *o, uint64_t index, const gen_sample *s,
                const data_texts *t, const data_counts *counts);

/* "ID_CATEGORY", the folder of a record's program. */
void record_put_folder(strbuf *b, const data_options *o, uint64_t index);
/* The record of a program: its files one after another, as bundle.h has them. */
void record_put_program(strbuf *b, const data_options *o, uint64_t index, const gen_sample *s,
                        const standalone_program *p, const data_counts *counts);

#endif
