/* SPDX-License-Identifier: Apache-2.0 */
/* The reporter of a command: shows messages and problems of the library on stderr, and its progress
 * as a bar on a terminal or as a line now and then. For weft_callbacks:
 *
 *     {"a.jsonl", 3, ..., "not JSON"}   ->   a.jsonl:3: error: not JSON */
#ifndef WEFT_CLI_REPORTER_H
#define WEFT_CLI_REPORTER_H

#include "base/output.h"
#include "cli/cli.h"
#include "cli/repeats.h"
#include "weft.h"

/* State of the messages of one command. A command with more to share puts this first in a struct of
 * its own. */
typedef struct reporter {
    const cli_args *args;
    bool quiet;         /* notes and progress are not shown */
    bool terminal;      /* stderr is one */
    bool drawn;         /* a bar stands on it */
    bool failed;        /* an error was reported */
    bool no_memory;     /* a callback ran out of it: reporter_rethrow */
    repeats repeats;    /* of problems */
    double start, last; /* seconds: when making began, when something was shown */
} reporter;

/* Reads --quiet and whether stderr is a terminal. r lives as long as the callbacks made of it. */
void reporter_init(reporter *r, const cli_args *args);
/* Callbacks that print messages, and whose `progress` shows nothing but returns 1 after an
 * interrupt. Their argument is r. Commands replace `progress` and add others, such as `problem`. */
weft_callbacks reporter_callbacks(reporter *r);
void reporter_message(void *arg, int kind, const char *text);
/* progress.c: for a run of pairs, for files, for threads of a kernel, and for records that are
 * read: "1200 records read". */
int reporter_pairs(void *arg, const weft_progress *p);
int reporter_files(void *arg, const weft_progress *p);
void reporter_threads(void *arg, uint64_t done, uint64_t total);
int reporter_records(void *arg, const weft_progress *p);
/* "1200 records checked", on a terminal only. */
void reporter_count(reporter *t, uint64_t records, const char *what);
/* For folders, on a terminal only: "412 files checked, 1290 folders searched"; no folders: 0. */
void reporter_search(reporter *t, uint64_t files, const char *what, uint64_t folders);
/* A bar for the files of a command that prints diagnostics, on a terminal only. */
void reporter_sources(reporter *t, uint64_t done, uint64_t total);
/* Takes the bar away. */
void reporter_end(reporter *r);

/* What a callback does that needs memory. A failed allocation is a longjmp; it must not jump over
 * frames of the library, which would then free nothing. reporter_guarded catches it and ends the
 * callback; reporter_rethrow, called once the library has returned, fails again and ends the
 * command. `job` begins with its reporter. */
typedef void reporter_work(void *job, const void *given, size_t n);
void reporter_guarded(void *job, reporter_work *work, const void *given, size_t n);
void reporter_rethrow(const reporter *r);

/* The exit status for what the library returned. */
int cli_status(weft_status status);
/* Writes to standard output; gives the exit status. */
int cli_print(const cli_args *args, str text);
/* A problem on stderr: "FILE:LINE: error: REASON". Of one kind, only the first few of a file. */
int reporter_problem(void *arg, const weft_problem *p);
/* Prints how many problems were held back. */
void reporter_problems_end(reporter *r);

#endif
