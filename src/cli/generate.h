/* What `weft generate` tells at its end. */
#ifndef WEFT_CLI_GENERATE_H
#define WEFT_CLI_GENERATE_H

#include "cli/cli.h"
#include "emit/emit.h"
#include "make/make.h"

/* Shows how far a run is. */
typedef struct progress {
    const record_options *o;
    bool shown, terminal, drawn; /* drawn: a bar stands on the terminal */
    double start, last;          /* seconds: when making began, when something was shown */
} progress;

void progress_start(progress *p, const record_options *o, bool quiet);
/* For record_options; arg is the progress. */
bool progress_step(void *arg, const make_progress *d);
void progress_note(void *arg, const char *text);
/* Takes the bar away. */
void progress_end(progress *p);

/* The table of categories, size, speed, a sample's path and what to do next, on stderr. */
void summary_print(arena *a, const record_options *o, const store_outcome *r);
/* What points to a bug in weft. */
void summary_suspects(const store_outcome *r);
void summary_timings(arena *a, store_outcome *r);

/* generate_part.c. Reads --shard, or Slurm's variables of a job array. False after a message. */
bool generate_read_part(const cli_args *args, record_options *o);
/* Reads --license, of any command; NULL: not given. False after a message. */
bool cli_read_license(const cli_args *args, const char **license);

/* Reads --near, of any command, in millionths; left alone if not given. False after a message. */
bool cli_read_near(const cli_args *args, uint32_t *threshold);

/* generate_ptx.c. Reads --with-ptx and --ptx-compiler; the device is read. False after a message.
 */
bool generate_read_ptx(const cli_args *args, record_options *o);
/* Finds the compiler that they ask for: CLI_OK, or CLI_IO after a message. */
int generate_open_ptx(const cli_args *args, record_options *o);

/* cmd_generate.c. Reads the options that describe a run, but not what is excluded. False after a
 * message. */
bool generate_read_options(const cli_args *args, record_options *o);
int generate_read_excluded(const cli_args *args, record_options *o, bool quiet);
/* Tells how a run ended; gives the exit status. */
int generate_tell_end(const cli_args *args, const record_options *o, const store_outcome *r,
                      int status);

/* generate_command.c. Reads the options of a command that store_put_command wrote; what is excluded
 * is not read. False: it is none, after a message if it looks like one. */
bool generate_read_command(arena *a, const char *command, const char *output, record_options *o);
/* The command without such an option and its value: " --shard ". */
const char *generate_without(arena *a, const char *command, const char *option);
bool generate_is_command(arena *a, const char *command, const record_options *o);

/* generate_shape.c. Reads --difficulty, --min-lines and --max-lines; the categories are read. False
 * after a message. */
bool generate_read_shape(const cli_args *args, record_options *o);

#endif
