/* What commands share that write records of data sets into a new one: split and dedup. */
#ifndef WEFT_CLI_SUBSET_H
#define WEFT_CLI_SUBSET_H

#include "cli/reporter.h"

typedef weft_status subset_function(const char *const *paths, size_t count,
                                    const weft_subset_options *options,
                                    const weft_callbacks *callbacks, weft_subset *out);

/* Reads operands, --output, --compress, --shard-rows and --license. False after a message. */
bool subset_read_options(const cli_args *args, weft_subset_options *o);
/* Runs it, and shows on a terminal how far it is; gives the exit status. */
int subset_run(const cli_args *args, subset_function *run, const weft_subset_options *o,
               weft_subset *found);

#endif
