/* SPDX-License-Identifier: Apache-2.0 */
/* What a data set consists of, counted from its records alone: any set of JSON lines or files of
 * records, whoever made it. What a record lacks is counted as missing; a line that is no record is
 * reported as a problem, and the rest goes on.
 *
 *     survey s;
 *     survey_run(a, &(survey_options){.paths = paths, .npaths = 1}, &s, &message);
 *     survey_put_table(b, &s);        "300 records in 1 file, 3.1 MB (3105455 bytes)" ...
 *
 * Memory does not grow with the number of records, but for the fingerprints (survey_keys) and the
 * list of files. */
#ifndef WEFT_REPORT_SURVEY_H
#define WEFT_REPORT_SURVEY_H

#include "base/json_tree.h"
#include "report/tally.h"

/* FACT_CATEGORY, FACT_DIFFICULTY, ...: the rows of survey_fact.def. */
typedef enum survey_fact {
#define FACT(ID, field, optional, title) FACT_##ID,
#include "report/survey_fact.def"
#undef FACT
    FACTS
} survey_fact;

/* The fact's name in records and in JSON, and in tables for people. */
const char *survey_fact_key(survey_fact f);
const char *survey_fact_title(survey_fact f);

/* Sizes of records: exact below SIZES_EXACT bytes, in steps of less than one percent above. */
enum { SIZES_EXACT = 1 << 16, SIZES_STEPS = 128, SIZES_SLOTS = SIZES_EXACT + 32 * SIZES_STEPS };

/* Fingerprints of which equal ones are to be counted: eight bytes each. */
typedef struct survey_keys {
    uint64_t *v;      /* the first 16 hex digits of each; sorted by survey_finish */
    size_t n, cap;    /* that v has, and has room for */
    uint64_t missing; /* records without one */
    /* found by survey_finish */
    uint64_t distinct, largest; /* how many different ones; how often the most frequent one came */
} survey_keys;

/* A file that was read. `rows` counts its lines, those that are no records as well. */
typedef struct survey_file {
    const char *path;
    uint64_t rows, bytes; /* bytes of its records, unpacked */
} survey_file;

/* What is wrong with a line or a file; all of it lasts during the call that reports it. */
typedef struct survey_problem {
    const char *file;
    uint64_t line; /* 0: the whole file */
    str reason;
} survey_problem;

typedef struct survey {
    arena *a;
    uint64_t records, bytes, smallest, largest, problems;
    uint32_t *sizes; /* SIZES_SLOTS counters */
    tally fields;    /* the records' own keys, with the bytes of strings */
    tally facts[FACTS];
    uint64_t missing[FACTS];          /* records without it, or with another type */
    tally strangers;                  /* keys of metadata that are not known here */
    uint64_t proved;                  /* records that were executed */
    uint64_t inputs, mutants, killed; /* sums of what metadata.verification says */
    survey_keys structures, families; /* metadata.structure and metadata.family */
    VEC(survey_file) files;           /* in the order in which they were read */
    arena tree;                       /* of the record in work: */
    const json_value *json;           /* its root; NULL: the last line was no JSON */
    strbuf why;                       /* what is wrong with a line that is no record */
} survey;

typedef struct survey_options {
    const char *const *paths; /* folders of data sets, shards, files of one record; "-" */
    uint32_t npaths;
    void (*report)(void *arg, const survey_problem *p); /* or NULL: problems are only counted */
    bool (*progress)(void *arg, const survey *so_far);  /* false: stop; or NULL */
    /* Called with each record that was counted, or NULL. `json` is valid during the call only. */
    void (*record)(void *arg, str line, const json_value *json);
    void *arg;
} survey_options;

/* STATUS_OK, also when problems were found; STATUS_STOPPED, STATUS_MEMORY or an errno value, then
 * *message is the path. The survey lives in a. */
int survey_run(arena *a, const survey_options *o, survey *s, const char **message);

/* survey_record.c */
/* What is counted lives in a. */
void survey_init(survey *s, arena *a);
/* Forgets the record in work; sums stay. */
void survey_clear(survey *s);
/* Counts one record, `bytes` long. False, with s->why: it is none. */
bool survey_add(survey *s, str line, uint64_t bytes);
/* Counts what only the whole shows. */
void survey_finish(survey *s);
/* The smallest size that this slot counts. */
uint64_t survey_size_of_slot(uint32_t slot);
/* Bytes of a record, mean rounded to whole ones; 0 without records. */
uint64_t survey_median(const survey *s);
uint64_t survey_mean(const survey *s);

/* survey_json.c: an object's members, without its braces. */
void survey_put_json(strbuf *b, const survey *s);
/* survey_text.c: for people. */
void survey_put_table(strbuf *b, const survey *s);

#endif
