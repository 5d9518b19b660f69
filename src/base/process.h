/* SPDX-License-Identifier: Apache-2.0 */
/* Running other programs: to their end, text in, text out (nvcc and ptxas, when weft checks what
 * they accept), or beside weft, with descriptors as their standard streams. */
#ifndef WEFT_BASE_PROCESS_H
#define WEFT_BASE_PROCESS_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

typedef struct process_result {
    int status;   /* its exit status, or 128 + the signal that ended it */
    str out, err; /* what it wrote to its standard streams */
} process_result;

/* Runs argv[0] (a path), its standard input a file with `input`. The texts are in a. 0, or the
 * errno value of what could not be done. */
int process_run(arena *a, char *const *argv, str input, process_result *result);

/* A process that was started and not yet waited for; 0: none. */
typedef pid_t process;

enum { PROCESS_STREAMS = 3 }; /* standard input, output and error */

/* Starts argv[0] (a path) with these streams. It is no part of the terminal's foreground, so that
 * an interrupt reaches weft alone, and takes signals whatever the calling thread blocks. 0 or an
 * errno value. */
int process_start(process *p, const char *const *argv, const int fds[PROCESS_STREAMS]);
/* Waits for its end. *status: as in process_result. 0 or an errno value. */
int process_wait(process p, int *status);
/* Ends it at once; it is still to be waited for. */
void process_kill(process p);

#endif
