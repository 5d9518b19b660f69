/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that read Python programs share (compile, check, run): a context of the library
 * as their options want it, and its diagnostics:
 *
 *     m.py:4:12: error: name 'nothing' is not defined [undefined-name]
 *             a[0] = nothing
 *                    ^~~~~~~ */
#ifndef WEFT_CLI_CONTEXT_H
#define WEFT_CLI_CONTEXT_H

#include "base/diag_text.h"
#include "cli/sarif.h"

/* Checks --block-dim, which the functions below read; false after a message. */
bool cli_check_block_dim(const cli_args *args);
/* Warns of folders of -I that are not there. */
void cli_warn_missing_folders(const cli_args *args);
/* Makes a context by -I, --no-backward and --timings, with the limit of memory and the switch of
 * interrupts that every program gets. `devices` as in weft_options. */
weft_status cli_context_new(const cli_args *args, unsigned devices, weft_context **out);
/* The same for the text of release `warp`, whatever --warp says. */
weft_status cli_context_for(const cli_args *args, unsigned devices, const char *warp,
                            weft_context **out);
/* Where a command's diagnostics go, by --diagnostics: as text or JSON to stderr at once, with
 * colours where stderr is a terminal that shows them and NO_COLOR is not set; as SARIF into one
 * document, which is printed at the end. */
typedef struct cli_diagnostics {
    const cli_args *args;
    diag_form form;
    sarif sarif;
} cli_diagnostics;

void cli_diagnostics_init(cli_diagnostics *d, const cli_args *args);
/* Shows the diagnostics of the context's last call; --quiet leaves the warnings out. May fail by
 * lack of memory. */
void cli_show_diagnostics(cli_diagnostics *d, weft_context *c);
/* Shows an error that is no diagnostic, as it has no place in a file. */
void cli_show_problem(cli_diagnostics *d, const char *sentence);
/* Prints the SARIF document, if that is the form, unless the command was interrupted; gives the
 * exit status. Frees what was gathered. */
int cli_diagnostics_end(cli_diagnostics *d, int status);
/* Prints the times of the stages, if --timings is there; else nothing. */
void cli_show_timings(weft_context *c);

#endif
