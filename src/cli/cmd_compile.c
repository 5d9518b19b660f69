/* weft compile: the kernels of Python files, as text. */
#include "cli/compile.h"

/* Without --emit the device decides. */
static compile_kind kind_of(const cli_args *args)
{
    static const compile_kind by_device[] = {COMPILE_CPP, COMPILE_CU, COMPILE_BOTH};
    const int what = cli_choice(args, OPT_EMIT, -1);
    return what >= 0 ? (compile_kind)what : by_device[cli_choice(args, OPT_DEVICE, 1)];
}

/* After errors there is a file only if some kernel was good. */
static int finish(compile_job *job, const char *path, int status)
{
    const bool any = status == CLI_OK || job->out->any || job->out->text.n;
    const bool keep = status != CLI_INTERRUPTED && status != CLI_IO && any;
    const int error = output_close(job->out, keep);
    if (!error || error == OUTPUT_CLOSED)
        return error ? CLI_OK : status;
    cli_error("cannot write '%s': %s", path ? path : "standard output", strerror(error));
    return status == CLI_INTERRUPTED ? status : CLI_IO;
}

int cmd_compile(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    output out;
    compile_job job = {.args = args, .kind = kind_of(args), .out = &out};
    const char *path = cli_get(args, OPT_OUTPUT);
    const int error = output_open(&out, args->arena, path);
    if (error) {
        cli_error("cannot write '%s': %s", path, strerror(error));
        return CLI_IO;
    }
    return finish(&job, path, compile_files(&job));
}
