/* weft check: diagnostics only. */
#include "cli/compile.h"

int cmd_check(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    compile_job job = {.args = args, .kind = COMPILE_NONE};
    return compile_files(&job);
}
