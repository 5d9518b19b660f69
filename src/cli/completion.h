/* SPDX-License-Identifier: Apache-2.0 */
/* Completion scripts for shells. */
#ifndef WEFT_CLI_COMPLETION_H
#define WEFT_CLI_COMPLETION_H

#include "cli/cli.h"

/* Prints the script for a shell, by its index in the choices of --completion in option.def. */
void completion_print(int shell);

#endif
