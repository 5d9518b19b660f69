/* SPDX-License-Identifier: Apache-2.0 */
/* The Python files that operands name: a file itself, or those in a folder and below it. Where the
 * caller takes data sets, a folder or a shard of records stands for itself. */
#ifndef WEFT_CLI_SOURCE_FILES_H
#define WEFT_CLI_SOURCE_FILES_H

#include "cli/cli.h"

/* `path` + `start` names the file below its operand: for pkg/sub/a.py of the operand pkg that is
 * "sub/a.py", for a file named as such its last component. */
typedef struct source_file {
    const char *path;
    size_t start;
    bool is_set; /* it holds records */
} source_file;

typedef struct source_files {
    source_file *v;
    uint32_t n, cap;
    bool takes_sets; /* the caller's: data sets are listed, too */
} source_files;

/* Lists all operands, in the arena of `args`; gives the exit status. A folder that cannot be read,
 * or without a Python file, is reported, and the others are listed all the same. */
int source_files_list(const cli_args *args, source_files *list);

#endif
