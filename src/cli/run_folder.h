/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a folder that has the kernel which `weft run DIR --kernel NAME` is to execute. */
#ifndef WEFT_CLI_RUN_FOLDER_H
#define WEFT_CLI_RUN_FOLDER_H

#include "cli/cli.h"

/* The one Python file in the folder or below it whose kernel --kernel names, in the arena of args.
 * NULL after a message: *status is the exit status. */
const char *run_find_file(const cli_args *args, int *status);

#endif
