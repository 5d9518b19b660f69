/* SPDX-License-Identifier: Apache-2.0 */
/* What commands that write results (base/output.h) share: the message and exit status of an output
 * that failed, the paths that must not be written, and text made safe for a terminal. */
#ifndef WEFT_CLI_OUTPUT_H
#define WEFT_CLI_OUTPUT_H

#include "base/output.h"
#include "cli/cli.h"

/* Prints why `path` (NULL and "-": standard output) was not written, and returns the exit status:
 * CLI_USAGE if the path is an input or another output, CLI_OK without a message if the reader of a
 * pipe went away or `error` is 0, CLI_INTERRUPTED, else CLI_IO. `error` is an errno or one of
 * base/output.h. */
int cli_output_failed(const char *path, int error);
/* Appends the text with '?' for control characters: names of files and records come from anyone,
 * and an escape sequence in them must not reach the terminal. */
void cli_put_shown(strbuf *b, const char *text);
/* Appends a message of weft_diagnostic_kind: "cannot read '%s': %s" -> "cannot read '...': ..." */
void cli_put_pattern(strbuf *b, const char *message);

#endif
