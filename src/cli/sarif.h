/* SPDX-License-Identifier: Apache-2.0 */
/* What commands find in programs, as one SARIF 2.1.0 document, for code scanners and editors:
 *
 *     bad.py:5:12: error: name 'nothing' is not defined [undefined-name]
 *     ->   {"runs": [{"tool": ..., "results": [{"ruleId": "undefined-name", ...}]}]} */
#ifndef WEFT_CLI_SARIF_H
#define WEFT_CLI_SARIF_H

#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"

/* Gathers results; the document is written at the end, when its rules are known. */
typedef struct sarif {
    strbuf results;
    strbuf notes;            /* what could not be checked: tool notifications */
    VEC(const char *) rules; /* ids that the results have; they live as long as the program */
    arena *a;
} sarif;

void sarif_init(sarif *s, arena *a);
/* Adds the diagnostics of the context's last call; with `quiet` the errors only. */
void sarif_add(sarif *s, weft_context *c, bool quiet);
/* Adds an error that has no place: a file that cannot be read. */
void sarif_note(sarif *s, const char *sentence);
/* Appends the whole document. */
void sarif_put(const sarif *s, strbuf *out);
/* Also after an end by failed memory. */
void sarif_clear(sarif *s);

#endif
