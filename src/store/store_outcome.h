/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a run that makes or joins a data set: sums and range of rows, and after a failure
 * what the message is about. The run fills it, the card, the manifest and the program's last lines
 * are made from it:
 *
 *     84.0 kB in 0.09 s: 47 pairs/s
 *     verified: exact 4; 65 of 65 mutants killed */
#ifndef WEFT_STORE_STORE_OUTCOME_H
#define WEFT_STORE_STORE_OUTCOME_H

#include "base/stage.h"
#include "store/stats.h"

typedef struct store_outcome {
    store_stats stats;
    uint64_t first, rows, bytes; /* range of indexes; bytes of all records */
    uint64_t kept;               /* rows that an earlier run had written */
    bool was_there; /* the whole data set was: of it only its range and its bytes are known */
    double seconds;
    const char *sample;  /* path of the first record's file; NULL on a stream */
    const char *message; /* why the run was refused; in the arena */
    char failed[1024];   /* the file that an errno value is about; empty: standard output */
    stage_clock clock;   /* all threads together, with `timings` */
} store_outcome;

#endif
