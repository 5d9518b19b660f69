/* weft compile --emit ptx: Python to CUDA text to PTX. */
#include "cli/compile_job.h"

void compile_write_ptx(compile_job *job, str cuda, const char *path)
{
    arena *a = job->args->arena;
    const ptx_source src = {.name = path, .text = cuda, .dialect = PTX_WARP};
    const nvrtc_result r = ptx_make(job->tools, a, &src, job->arch);
    if (r.good) {
        sb_str(&job->out->text, r.ptx);
        return;
    }
    /* Places are those of the text that `--emit cu` writes. */
    cli_error("%s: the CUDA text of this file does not compile:", path);
    fprintf(stderr, "%.*s\n", (int)r.log.n, r.log.n ? r.log.p : "");
    compile_raise(job, CLI_BAD_INPUT);
}

typedef struct search {
    ptx_tools tools;
    arena *a;
    const char *const *sites, *warp, *why;
    uint32_t nsites;
    bool can;
} search;

static void find_tools(void *arg)
{
    search *s = arg;
    ptx_tools_open(&s->tools, s->a, s->sites, s->nsites, s->warp);
    s->can = ptx_tools_can(&s->tools, s->a, PTX_WARP, &s->why);
}

int compile_operands_to_ptx(compile_job *job)
{
    const cli_args *args = job->args;
    ptx_arch archs[PTX_ARCHS_MAX];
    uint32_t n;
    str unknown;
    const char *list = cli_get(args, OPT_ARCH);
    if (!ptx_read_archs(list ? list : PTX_DEFAULT_ARCH, archs, &n, &unknown) || n != 1)
        return cli_usage_error(args, "--arch is one architecture (sm_75), not '%s'", list);
    search s = {.a = args->arena, .warp = cli_get(args, OPT_WARP_INCLUDE)};
    s.sites = cli_all(args, OPT_INCLUDE, &s.nsites);
    int status = CLI_IO;
    const bool enough = mem_try(args->arena->m, find_tools, &s);
    if (s.can) {
        job->tools = &s.tools;
        job->arch = archs;
        status = compile_operands(job);
    } else if (enough) {
        cli_error("%s", s.why);
    }
    ptx_tools_close(&s.tools);
    if (!enough)
        mem_fail(args->arena->m);
    return status;
}
