/* SPDX-License-Identifier: Apache-2.0 */
/* The whole program weft as one function. The Python package's library has it too, so that its
 * program is a few lines and the package has the code once. */
#ifndef WEFT_CLI_WEFT_MAIN_H
#define WEFT_CLI_WEFT_MAIN_H

#include "weft.h"

/* Runs the command that the arguments name, prints, and gives the exit status (cli.h). To be called
 * once in a process: it takes over SIGINT meanwhile. */
WEFT_API int weft_main(int argc, char **argv);

#endif
