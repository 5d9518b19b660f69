/* SPDX-License-Identifier: Apache-2.0 */
/* Records that a report shows: as many of each category, and in it of each difficulty, chosen by
 * their ids alone, so that the choice is the same on every run and does not depend on their
 * order. */
#ifndef WEFT_REPORT_REPORT_SAMPLE_H
#define WEFT_REPORT_REPORT_SAMPLE_H

#include "base/json_tree.h"
#include "base/vec.h"
#include "report/html.h"

/* Records that a page shows where the caller does not say, and at most; groups; bytes of the
 * longest record shown. */
enum { SAMPLES = 20, SAMPLES_MAX = 10000, SAMPLE_GROUPS = 96, SAMPLE_BYTES = 1 << 20 };

typedef struct sample_line {
    uint64_t key; /* hash of the record's id; the smallest ones stay */
    strbuf text;  /* the record as it was read: a line of JSON */
} sample_line;

typedef VEC(sample_line) sample_lines;

/* Those of one category and difficulty, by key. */
typedef struct sample_group {
    str category;      /* empty: the record's metadata name none */
    double difficulty; /* a level from 1 to 5; 0: none is named */
    sample_lines lines;
    uint32_t most;  /* lines that it may keep: more can never be shown */
    uint32_t shown; /* its first lines; set by samples_choose */
} sample_group;

/* Empty at first but for `a`, which owns the lines, and `wanted`, how many are shown: at most
 * SAMPLES_MAX. */
typedef struct samples {
    arena *a;
    uint32_t wanted;
    uint64_t too_long; /* records above SAMPLE_BYTES: they are never shown */
    uint64_t kept;     /* lines of all groups */
    VEC(sample_group) groups;
} samples;

/* Considers a record, whose line and tree are needed during the call only. */
void samples_take(samples *s, str line, const json_value *json);
/* Sorts the groups and sets `shown` of each; returns how many records that are. */
uint32_t samples_choose(samples *s);

#endif
