/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that read Python programs share (compile, check, run): a context of the library
 * as their options want it, and its diagnostics on stderr:
 *
 *     m.py:4:12: error: name 'nothing' is not defined [undefined-name]
 *             a[0] = nothing
 *                    ^~~~~~~ */
#ifndef WEFT_CLI_CONTEXT_H
#define WEFT_CLI_CONTEXT_H

#include "cli/cli.h"

/* Makes a context by -I, --no-backward and --timings, with the limit of memory and the switch of
 * interrupts that every program gets. `devices` as in weft_options. */
weft_status cli_context_new(const cli_args *args, unsigned devices, weft_context **out);
/* Prints the diagnostics of the context's last call on stderr, as text or JSON (--diagnostics),
 * with colours where stderr is a terminal that shows them and NO_COLOR is not set; --quiet leaves
 * the warnings out. */
void cli_show_diagnostics(const cli_args *args, weft_context *c);
/* Prints the times of the stages, if --timings is there; else nothing. */
void cli_show_timings(weft_context *c);

#endif
