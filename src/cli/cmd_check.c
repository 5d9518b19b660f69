/* weft check: diagnostics only. */
#include "cli/compile.h"

int cmd_check(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    cli_end_at_once(true); /* it only reads */
    compile_job job = {.args = args, .kind = COMPILE_NONE};
    return compile_files(&job);
}
