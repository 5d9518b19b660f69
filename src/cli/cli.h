/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: one table of commands (command.def), one of options (option.def), and what
 * commands share.
 *
 *     weft_main.c  finds the command
 *     args.c       parses its options and operands
 *     cmd_X.c      the command X: int cmd_X(cli_args *args)
 *
 * A command reads its options, calls the library (weft.h), prints what comes of it, and returns the
 * exit status. Results go to standard output or to files, messages and figures to standard error.
 * */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/assert.h"
#include "weft.h"

/* How much memory the context of a command may take, so that no input takes a whole machine's. */
enum { MEBIBYTE = 1 << 20, MEMORY_MEBIBYTES = 900 };

/* Exit statuses. They are ordered: the status of a command over several operands is the largest. */
enum {
    CLI_OK = 0,
    CLI_BAD_INPUT = 1,    /* the input has errors, or a check failed */
    CLI_USAGE = 2,        /* wrong options, or an output that may not be written */
    CLI_IO = 3,           /* or memory */
    CLI_INTERRUPTED = 130 /* 128 + SIGINT, as shells have it; for SIGTERM too */
};

/* One id for each row of option.def. Of rows with one name only the first id is ever given. */
typedef enum cli_option_id {
#define OPTION(id, name, letter, value, choices, help) OPT_##id,
#include "cli/option.def"
#undef OPTION
    OPT_COUNT_OF
} cli_option_id;

/* A row of option.def. */
typedef struct cli_option {
    const char *name;
    char letter;         /* 0: none */
    const char *value;   /* name of its value; NULL: a switch */
    const char *choices; /* "a|b|c", or NULL: any value */
    const char *help;
} cli_option;

struct cli_args;

/* A row of command.def. */
typedef struct cli_command {
    const char *name, *operands; /* operands: for the usage line, "FILE.py..." */
    bool hidden;                 /* left out of the overview, manual page and completion */
    const char *summary;
    const uint8_t *options; /* cli_option_id, OPT_HELP first */
    uint32_t noptions;
    int (*run)(struct cli_args *args); /* gives the exit status */
} cli_command;

extern const cli_option cli_options[OPT_COUNT_OF];
extern const cli_command cli_commands[];
extern const uint32_t cli_ncommands;

/* One option of a command line. */
typedef struct cli_given {
    uint8_t id;        /* the first id of its name */
    const char *value; /* as written; "" for a switch */
} cli_given;

/* A parsed command line. Texts are those of argv, or live in the arena. */
typedef struct cli_args {
    arena *arena; /* lives as long as the program */
    const cli_command *command;
    const char **operands; /* in order; "-" as written */
    uint32_t noperands;
    cli_given *given; /* in order, repeated options too */
    uint32_t ngiven;
} cli_args;

/* args.c. Fills *args from the words after the command's name; 0, or CLI_USAGE after a message. */
int cli_parse(cli_args *args, const cli_command *cmd, char **words, int n);
/* Was the option given? */
bool cli_has(const cli_args *a, cli_option_id id);
/* The last value given, or NULL. */
const char *cli_get(const cli_args *a, cli_option_id id);
/* All values given, in order; *n of them. */
const char *const *cli_all(const cli_args *a, cli_option_id id, uint32_t *n);
/* Index of the value in the option's choices, or `otherwise` when it was not given. */
int cli_choice(const cli_args *a, cli_option_id id, int otherwise);
/* Whether the last of the two switches given is `yes`. */
bool cli_switch(const cli_args *a, cli_option_id yes, cli_option_id no, bool otherwise);
/* A whole number up to `max`, as decimal_read_count reads it: "10k"; *out stays as it is when the
 * option was not given. False after a message: the command then returns CLI_USAGE. */
bool cli_number(const cli_args *a, cli_option_id id, uint64_t max, uint64_t *out);
/* "weft: " and a printf-like message; gives CLI_USAGE and points to --help. */
int cli_usage_error(const cli_args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "weft: error: " and a message. */
void cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What both print behind "weft: ", without the newline: a message of any length. */
void cli_put_error(const char *fmt, va_list ap);

/* help.c */
void cli_print_help(FILE *out, const cli_command *cmd);
void cli_print_overview(FILE *out);
/* tables.c: the command of this name, or NULL. */
const cli_command *cli_find_command(const char *name);

/* signals.c. After cli_catch_interrupts, Ctrl-C and SIGTERM set a flag the first time (the command
 * cleans up and returns CLI_INTERRUPTED) and end the program the second time. False: memory ran
 * out. cli_release_interrupts gives the memory back when all commands are done. */
bool cli_catch_interrupts(void);
void cli_release_interrupts(void);
bool cli_interrupted(void);
/* The switch that an interrupt sets, for the contexts of the library (weft_options.stop). */
const weft_stop *cli_stop(void);
/* cli_interrupted for mem.waiting. */
int cli_waiting(void *arg);
/* Blocks SIGINT and SIGTERM in this thread and in those that it starts later: cli_interrupted then
 * finds them pending. For NVRTC, whose own handler of SIGINT must not run. */
void cli_hold_interrupts(void);
/* With `yes`, the first interrupt already ends the program, at any point: for commands, and phases
 * of commands, that only read and so leave nothing half written. */
void cli_end_at_once(bool yes);

#define COMMAND_AS(id, name, operands, hidden, summary, ...) int cmd_##id(cli_args *args);
#include "cli/command.def"
#undef COMMAND_AS

#endif
