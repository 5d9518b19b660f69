/* weft check: diagnostics only. */
#include "cli/cli.h"

int cmd_check(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    return CLI_OK;
}
