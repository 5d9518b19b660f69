/* SPDX-License-Identifier: Apache-2.0 */
/* Records that a report shows: some of each category and of each difficulty, chosen by their ids
 * alone, so that the choice is the same on every run and does not depend on their order. */
#ifndef WEFT_REPORT_REPORT_SAMPLE_H
#define WEFT_REPORT_REPORT_SAMPLE_H

#include "base/json_tree.h"
#include "base/vec.h"
#include "report/html.h"

/* Lines that a page shows, and that each group keeps; groups; bytes of the longest line kept. */
enum { SAMPLES = 20, SAMPLE_GROUPS = 96, SAMPLE_BYTES = 256 << 10 };

typedef struct sample_line {
    uint64_t key; /* hash of the record's id; the smallest ones stay */
    strbuf text;  /* the record as it was read: a line of JSON */
} sample_line;

/* Those of one category and difficulty, by key. */
typedef struct sample_group {
    str category;      /* empty: the record's metadata name none */
    double difficulty; /* a level from 1 to 5; 0: none is named */
    sample_line lines[SAMPLES];
    uint32_t n; /* lines that are filled */
} sample_group;

/* Empty at first but for `a`, which owns the lines. */
typedef struct samples {
    arena *a;
    VEC(sample_group) groups;
} samples;

/* Considers a record, whose line and tree are needed during the call only. */
void samples_take(samples *s, str line, const json_value *json);
/* Chooses SAMPLES records and writes them; the first is open. Sorts the groups. */
void samples_put(strbuf *b, samples *s);
#endif
