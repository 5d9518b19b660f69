/* What commands share that write records of data sets into a new one: split and dedup. */
#ifndef WEFT_CLI_SUBSET_H
#define WEFT_CLI_SUBSET_H

#include "cli/cli.h"
#include "curate/split.h"

/* Reads operands, --compress, --shard-rows and --license. False after a message. */
bool subset_read_options(const cli_args *args, split_options *o);
/* Runs it, and shows on a terminal how far it is; STATUS_OK or what split_run returns. */
int subset_run(const cli_args *args, split_options *o, split_result *r);
/* Tells why it failed; gives the exit status. */
int subset_tell_failure(const split_options *o, const split_result *r, int end);
/* Writes to standard output; gives the exit status. */
int subset_print(const cli_args *args, str text);

#endif
