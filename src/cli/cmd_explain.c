/* SPDX-License-Identifier: Apache-2.0 */
/* weft explain: what a diagnostic means, with a wrong and a right program. It takes an id, or what
 * a user copies from a message, in one operand or several:
 *
 *     weft explain undefined-name
 *     weft explain kernel.py:6:5: error: name x is not defined [undefined-name] */
#include "cli/cli_context.h"
#include "cli/reporter.h"

static int print_entry(const cli_args *args, weft_context *c, const char *text)
{
    const char *entry;
    size_t size;
    const weft_status status = weft_explain(c, text, &entry, &size);
    if (status == WEFT_OK)
        fwrite(entry, 1, size, stdout);
    else if (status == WEFT_BAD_ARGUMENT)
        cli_usage_error(args, "%s", weft_message(c));
    else
        cli_error("%s", weft_status_text(status));
    return cli_status(status);
}

int cmd_explain(cli_args *args)
{
    weft_context *c;
    if (!args->noperands)
        return cli_usage_error(args, "which diagnostic? Give the id in brackets at the end of a "
                                     "message: weft explain undefined-name");
    const char *text = args->operands[0];
    for (uint32_t i = 1; i < args->noperands; i++)
        text = arena_printf(args->arena, "%s %s", text, args->operands[i]);
    if (cli_context_new(args, WEFT_CPU, &c) != WEFT_OK) {
        cli_error("out of memory");
        return cli_status(WEFT_NO_MEMORY);
    }
    const int status = print_entry(args, c, text);
    weft_context_free(c);
    return status;
}
