/* How commands write their results (base/output.h), and say that they could not. */
#ifndef WEFT_CLI_OUTPUT_H
#define WEFT_CLI_OUTPUT_H

#include "base/output.h"
#include "cli/cli.h"

/* Says why `path` (NULL and "-": standard output) was not written. Gives the exit status: CLI_USAGE
 * if it may not be, CLI_OK if the reader of a pipe went away, CLI_INTERRUPTED, CLI_IO. 0 is no
 * error. */
int cli_output_failed(const char *path, int error);
/* Adds the files named on the command line, "-" included. */
void cli_add_operands(file_set *used, const cli_args *args);
/* Control characters of hostile names and records do not reach the terminal. */
void cli_put_shown(strbuf *b, const char *text);

#endif
