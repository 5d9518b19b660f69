/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report in the making, and the sections that it consists of. */
#ifndef WEFT_REPORT_REPORT_PAGE_H
#define WEFT_REPORT_REPORT_PAGE_H

#include "report/report_plot.h"
#include "report/report_sample.h"
#include "report/survey.h"

struct record_options;
struct report_programs;
struct report_speed;

/* What the caller of report_run wants. The three functions may be NULL. */
typedef struct report_options {
    const char *path; /* a folder, or a file of records */
    uint32_t samples; /* records that the page shows, at most SAMPLES_MAX; 0: none */
    /* What is wrong with a line or file; the report goes on. */
    void (*report)(void *arg, const survey_problem *p);
    bool (*progress)(void *arg, const survey *so_far); /* false: stop */
    /* Reads the command of a manifest into *o; false: it is no command of weft. NULL: no speed is
     * measured, and the page has no section "Throughput". */
    bool (*read_command)(void *arg, const char *command, struct record_options *o);
    void *arg; /* for all three */
} report_options;

/* What a page is made from. All sections append to b. */
typedef struct report_page {
    strbuf *b;
    arena *a;                           /* of titles, bars and cells; lives as long as the page */
    const report_options *o;            /* its path is the title's source */
    const survey *s;                    /* finished */
    samples *samples;                   /* not const: samples_choose sorts them */
    struct report_programs *programs;   /* makes the standalone CUDA of samples */
    const json_value *stats, *manifest; /* NULL: not there, or damaged */
    const struct report_speed *speed;   /* NULL: the options request no measurement */
    bool stopped;                       /* by o->progress; the page is not whole */
} report_page;

/* report_page.c: all of it. */
void report_put_page(report_page *p);
/* report_section.c */
void report_put_summary(report_page *p);
void report_put_contents(report_page *p);
void report_put_verification(report_page *p);
void report_put_making(report_page *p);
/* report_speed.c; `speed` is there. */
void report_put_speed(report_page *p);
/* report_record.c: the record of this line of JSON; nothing if it is none. `number`, from 1 on,
 * makes the id "record-1", to which others may link; the first is open. */
void report_put_record(report_page *p, str line, uint32_t number);
/* report_coverage.c: what the generator can express, and how often it came. */
void report_put_coverage(report_page *p);

/* "<section ...><h2>": to be closed by </section>. */
void report_open_section(report_page *p, const char *id, const char *title);
/* "<div><dt>title</dt><dd>": to be closed by </dd></div>. */
void report_open_tile(report_page *p, const char *title);

#endif
