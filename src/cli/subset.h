/* SPDX-License-Identifier: Apache-2.0 */
/* What split and dedup share: both read records of data sets and write some of them into a new one.
 * cmd_split.c and cmd_dedup.c read the options of their own and print the table at the end. */
#ifndef WEFT_CLI_SUBSET_H
#define WEFT_CLI_SUBSET_H

#include "cli/reporter.h"

/* weft_split or weft_dedup. */
typedef weft_status subset_function(const char *const *paths, size_t count,
                                    const weft_subset_options *options,
                                    const weft_callbacks *callbacks, weft_subset *out);

/* Reads operands, --output, --compress, --shard-rows and --license. False after a message. */
bool subset_read_options(const cli_args *args, weft_subset_options *o);
/* Runs it, and shows on a terminal how far it is; gives the exit status. */
int subset_run(const cli_args *args, subset_function *run, const weft_subset_options *o,
               weft_subset *found);

#endif
