/* weft compile: the kernels of Python files, as text. */
#include "cli/cli.h"

int cmd_compile(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    return CLI_OK;
}
