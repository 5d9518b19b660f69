/* SPDX-License-Identifier: Apache-2.0 */
/* weft compile --emit ptx: Python to CUDA text to PTX. The CUDA text is that of `--emit cu`, and
 * the lines in the compiler's messages are lines of it.
 *
 *     m.py   ->  weft_emit_file, CU  ->  job->cuda  ->  weft_ptx_text  ->  PTX into job->out */
#include "cli/compile_job.h"

static weft_ptx_options read_options(const cli_args *args)
{
    uint32_t n;
    const char *const *sites = cli_all(args, OPT_INCLUDE, &n);
    return (weft_ptx_options){.size = sizeof(weft_ptx_options),
                              .arch = cli_get(args, OPT_ARCH),
                              .package_dirs = sites,
                              .package_dir_count = n,
                              .warp_include = cli_get(args, OPT_WARP_INCLUDE)};
}

/* What the compiler printed is shown whole: its diagnostics have notes and source lines. */
void compile_write_ptx(compile_job *job, str cuda, const char *path)
{
    WEFT_ASSERT(job->ptx && job->out && cuda.n);
    const weft_ptx_options o = read_options(job->args);
    const char *ptx, *statistics;
    size_t n, size;
    const weft_status status =
        weft_ptx_text(job->ptx, path, cuda.p, cuda.n, &o, &ptx, &n, &statistics, &size);
    switch (status) {
    case WEFT_OK: sb_put(&job->out->text, ptx, n); return;
    case WEFT_STOPPED: return;
    case WEFT_NO_MEMORY: mem_fail(job->args->arena->m);
    case WEFT_INPUT_ERRORS:
        cli_error("%s: the CUDA text of this file does not compile:", path);
        fprintf(stderr, "%s\n", weft_message(job->ptx));
        break;
    default: cli_error("%s", weft_message(job->ptx));
    }
    compile_raise(job, cli_status(status));
}

/* Before the first operand: without a compiler no text is made. A wrong --arch is a wrong usage, a
 * compiler or headers that are missing are CLI_IO. */
static int find_compiler(const compile_job *job)
{
    const weft_ptx_options o = read_options(job->args);
    const weft_status status = weft_ptx_available(job->ptx, &o);
    if (status == WEFT_BAD_ARGUMENT)
        return cli_usage_error(job->args, "--%s", weft_message(job->ptx));
    if (status == WEFT_FAILED)
        cli_error("%s", weft_message(job->ptx));
    else if (status == WEFT_NO_MEMORY)
        compile_out_of_memory();
    return status == WEFT_OK ? CLI_OK : CLI_IO;
}

/* The PTX has a context of its own, since that of the program holds its diagnostics meanwhile. */
int compile_operands_to_ptx(compile_job *job)
{
    const weft_options o = {.size = sizeof o, .stop = cli_stop()};
    if (weft_context_new(&o, &job->ptx) != WEFT_OK) {
        compile_out_of_memory();
        return CLI_IO;
    }
    const int found = find_compiler(job);
    const int status = found ? found : compile_operands(job);
    weft_context_free(job->ptx);
    return status;
}
