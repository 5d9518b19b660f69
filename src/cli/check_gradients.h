/* SPDX-License-Identifier: Apache-2.0 */
/* What `weft check --gradients` prints: a line for each kernel, or an object in JSON.
 *
 *     k.py:5: scale: right
 *     k.py:12: settle: wrong */
#ifndef WEFT_CLI_CHECK_GRADIENTS_H
#define WEFT_CLI_CHECK_GRADIENTS_H

#include "cli/cli_output.h"
#include "weft.h"

enum { GRADIENT_KINDS = WEFT_GRADIENT_CUSTOM + 1 };

typedef struct check_gradients {
    bool wanted;      /* --gradients */
    bool json, lines; /* the form; neither: nothing is printed, as with --quiet and with SARIF */
    output out;
    uint64_t found[GRADIENT_KINDS];
} check_gradients;

/* Opens standard output where something is printed. Returns 0, or an exit status after a message.
 */
int check_gradients_open(check_gradients *g, const cli_args *args);
/* Prints and counts one kernel. */
void check_gradients_put(check_gradients *g, const weft_gradient *found);
/* Writes out the rest; `status` or the exit status of a failure. */
int check_gradients_close(check_gradients *g, int status);
/* Appends "; gradients: 3 right, 1 wrong". */
void check_gradients_put_summary(const check_gradients *g, strbuf *b);

#endif
