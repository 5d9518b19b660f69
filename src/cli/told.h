/* How a command shows what the library tells it: messages and problems on stderr, progress as a bar
 * on a terminal or a line now and then, results on standard output. */
#ifndef WEFT_CLI_TOLD_H
#define WEFT_CLI_TOLD_H

#include "base/output.h"
#include "cli/cli.h"
#include "cli/repeats.h"
#include "weft.h"

typedef struct told {
    const cli_args *args;
    bool quiet;         /* notes and progress are not shown */
    bool terminal;      /* stderr is one */
    bool drawn;         /* a bar stands on it */
    bool failed;        /* an error was told */
    bool no_memory;     /* a callback ran out of it: told_rethrow */
    repeats repeats;    /* of problems */
    double start, last; /* seconds: when making began, when something was shown */
} told;

/* Reads --quiet; t lives as long as what is made of it. */
void told_start(told *t, const cli_args *args);
/* Messages, and an interrupt as the answer to `progress`, which shows nothing. The argument of all
 * callbacks is t. */
weft_callbacks told_callbacks(told *t);
void told_message(void *arg, int kind, const char *text);
/* progress.c: for a run of pairs, and for records that are read: "1200 records read". */
int told_pairs(void *arg, const weft_progress *p);
int told_records(void *arg, const weft_progress *p);
/* Takes the bar away. */
void told_end(told *t);

/* What a callback does that needs memory. A failed allocation must not leave through the library,
 * which would give nothing back: told_guarded ends the callback instead, and told_rethrow, once the
 * library has returned, ends the command. `job` begins with its told. */
typedef void told_work(void *job, const void *given, size_t n);
void told_guarded(void *job, told_work *work, const void *given, size_t n);
void told_rethrow(const told *t);

/* The exit status for what the library returned. */
int cli_status(weft_status status);
/* Writes to standard output; gives the exit status. */
int cli_print(const cli_args *args, str text);
/* A problem on stderr: "FILE:LINE: error: REASON". Of one kind, only the first few of a file. */
int told_problem(void *arg, const weft_problem *p);
/* Tells how many problems were held back. */
void told_problems_end(told *t);

#endif
