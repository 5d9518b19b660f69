/* SPDX-License-Identifier: Apache-2.0 */
/* Running another program to its end: text in, text out. Used for nvcc and ptxas
 * when weft checks what they accept. */
#ifndef WEFT_BASE_PROCESS_H
#define WEFT_BASE_PROCESS_H

#include "base/arena.h"
#include "base/str.h"

typedef struct process_result {
    int status;   /* its exit status, or 128 + the signal that ended it */
    str out, err; /* what it wrote to its standard streams */
} process_result;

/* Runs argv[0] (a path), its standard input a file with `input`. The texts are in a. 0, or the
 * errno value of what could not be done. */
int process_run(arena *a, char *const *argv, str input, process_result *result);

#endif
