/* SPDX-License-Identifier: Apache-2.0 */
/* weft check: prints diagnostics of Python programs, CUDA text, folders and data sets, and writes
 * nothing else.
 *
 *     bad.py:5:12: error: name 'nothing' is not defined [undefined-name]
 *             a[0] = nothing
 *                    ^~~~~~~
 *         hint: define it at module level, or assign it before this line on every path
 *
 * weft_check (api/weft_check.c) does the work; this file prints what it finds, file by file, and
 * combines the exit statuses. */
#include "cli/cli_context.h"
#include "cli/compile_job.h"

/* weft_check_options.checked: one file or record is checked, and the context holds its diagnostics
 * until this returns. A result other than 0 ends the check. */
static int show(void *arg, weft_context *c)
{
    const cli_args *args = arg;
    cli_show_diagnostics(args, c);
    return cli_interrupted();
}

/* weft_check_options.message: what is wrong with an operand itself, such as a folder that cannot be
 * read. Only errors come here, so the kind is not looked at. */
static void show_message(void *arg, int kind, const char *text)
{
    (void)arg;
    (void)kind;
    cli_error("%s", text);
}

/* Returns the largest exit status of all operands; only memory that runs out or an interrupt ends
 * the command before the last one. Names given by --kernel that no file has are reported at the
 * end, and only if every file was read: the kernel may be in the one that was not. */
static int check_operands(cli_args *args, weft_context *c)
{
    int status = CLI_OK;
    weft_check_options o = {
        .size = sizeof o, .checked = show, .message = show_message, .arg = args};
    o.found = compile_wanted_kernels(args, &o.kernels, &o.kernel_count);
    for (uint32_t i = 0; i < args->noperands && !cli_interrupted(); i++) {
        const weft_status found = weft_check(c, args->operands[i], &o);
        if (found == WEFT_NO_MEMORY) {
            compile_out_of_memory();
            return CLI_IO;
        }
        if (found != WEFT_STOPPED && cli_status(found) > status)
            status = cli_status(found);
    }
    const int missing =
        status < CLI_IO && !cli_interrupted() ? compile_missing_kernels(args, o.found) : CLI_OK;
    return missing > status ? missing : status;
}

/* One context serves all operands. Its timings cover them all; an interrupted check prints none. */
int cmd_check(cli_args *args)
{
    weft_context *c = NULL;
    int status = CLI_IO;
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    cli_end_at_once(true); /* it only reads */
    if (cli_context_new(args, 0, &c) == WEFT_OK)
        status = check_operands(args, c);
    else if (!cli_interrupted())
        compile_out_of_memory();
    if (cli_interrupted())
        status = CLI_INTERRUPTED;
    else if (c)
        cli_show_timings(c);
    weft_context_free(c);
    return status;
}
