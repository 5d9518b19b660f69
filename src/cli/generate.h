/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `weft generate` that cmd_generate.c calls: readers of options with a syntax of their
 * own, and the summary at the end. A reader fills its members of weft_generate_options. */
#ifndef WEFT_CLI_GENERATE_H
#define WEFT_CLI_GENERATE_H

#include "base/str.h"
#include "cli/cli.h"
#include "weft.h"

/* generate_part.c. Reads --shard, or Slurm's variables of a job array. False after a message. */
bool generate_read_part(const cli_args *args, weft_generate_options *o);
/* Reads --near of weft generate, which may be 0; left alone if not given. False after a message. */
bool generate_read_near(const cli_args *args, double *threshold);
/* Reads --near of other commands; left alone if not given. False after a message. */
bool cli_read_near(const cli_args *args, double *threshold);
/* Reads --exclude, of any command: all paths given. False after a message. */
bool cli_read_exclude(const cli_args *args, const char *const **paths, size_t *n);

/* generate_shape.c. Reads --difficulty, --min-lines and --max-lines. False after a message. */
bool generate_read_shape(const cli_args *args, weft_generate_options *o);

/* generate_made.c: the table of categories, size, speed, a sample's path and what to do next; not
 * if `quiet`. What points to a bug in weft, and the times of --timings, in any case. */
void generate_put_made(strbuf *b, const weft_generate_options *o, bool quiet,
                       const weft_generated *made);

#endif
