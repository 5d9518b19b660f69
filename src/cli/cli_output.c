/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of commands that fail: the message, and the exit status that follows.
 *
 *     OUTPUT_IS_INPUT for m.py
 *     ->  weft: error: cannot write 'm.py': this command reads that file; status 2 */
#include "cli/cli_output.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"

/* A reader that went away is no failure: `weft ... | head` ends with status 0. EINTR alone is not
 * enough for CLI_INTERRUPTED: the flag of signals.c must be set as well. */
int cli_output_failed(const char *path, int error)
{
    if (!error || error == OUTPUT_CLOSED)
        return CLI_OK;
    if (error == EINTR && cli_interrupted())
        return CLI_INTERRUPTED;
    if (!path || strcmp(path, "-") == 0)
        cli_error("cannot write standard output: %s", output_error_text(error));
    else
        cli_error("cannot write '%s': %s", path, output_error_text(error));
    return error == OUTPUT_IS_INPUT || error == OUTPUT_IS_TAKEN ? CLI_USAGE : CLI_IO;
}

void cli_put_shown(strbuf *b, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        sb_char(b, c < 0x20 || c == 0x7f ? '?' : *text);
    }
}

/* A directive ends with one of these letters: diag.def has no others. */
void cli_put_pattern(strbuf *b, const char *message)
{
    for (; *message; message++) {
        if (*message != '%') {
            sb_char(b, *message);
        } else if (message[1] == '%') {
            sb_char(b, *message++);
        } else {
            SB_LIT(b, "...");
            message += strcspn(message, "sducxzlf");
            message += strspn(message, "zl");
        }
    }
}
