/* weft run: one kernel, executed by the reference interpreter. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/compile.h"
#include "cli/run_args.h"

typedef struct run_job {
    compile_job base;
    run_args args;
    interp_launch launch;
} run_job;

/* "4" or "4,3": up to four sizes. */
static bool read_dims(const cli_args *args, interp_launch *launch)
{
    const char *text = cli_get(args, OPT_DIM);
    if (!text) {
        cli_usage_error(args, "--dim is missing: how many threads?");
        return false;
    }
    for (const char *s = text;; s++) {
        char *end;
        const unsigned long long n = strtoull(s, &end, 10);
        if (end == s || *s < '0' || *s > '9' || n > INT32_MAX || launch->ndim == LAUNCH_DIMS ||
            (*end && *end != ',')) {
            cli_usage_error(args, "--dim wants N[,M[,K[,L]]], not '%s'", text);
            return false;
        }
        launch->dim[launch->ndim++] = (int64_t)n;
        s = end;
        if (!*s)
            return true;
    }
}

/* The kernel that --kernel names, or the only one there is. */
static const kernel *find_kernel(run_job *job, const program *prog)
{
    uint32_t n;
    const kernel *const *all = program_kernels(prog, &n);
    const char *name = cli_get(job->base.args, OPT_KERNEL);
    for (uint32_t i = 0; i < n; i++)
        if (name ? str_eq(all[i]->key, str_c(name)) || !strcmp(all[i]->code.name->s, name) : n == 1)
            return all[i];
    if (name)
        cli_error("no kernel is called '%s'", name);
    else
        cli_error(n ? "there are several kernels: name one by --kernel" : "there is no kernel");
    job->base.status = CLI_BAD_INPUT;
    return NULL;
}

static int execute(run_job *job, const kernel *k)
{
    ctx *c = &job->base.p.c;
    strbuf error;
    rvalue *values = ARENA_ARRAY(&c->module, rvalue, k->code.nparams + 1);
    if (!run_args_read(&job->args, k, values) || !run_args_check(&job->args))
        return job->args.status;
    job->launch.kernel = k;
    job->launch.args = values;
    sb_init(&error, &c->mem);
    if (interp_run(c, &job->launch, &error))
        return run_args_save(&job->args);
    cli_error("%s", sb_cstr(&error));
    return CLI_BAD_INPUT;
}

static void run(void *arg)
{
    run_job *job = arg;
    pipeline *p = &job->base.p;
    const program *prog = pipeline_load(p, job->base.args->operands[0]);
    const kernel *k = prog ? find_kernel(job, prog) : NULL;
    if (k)
        pipeline_lower(p, prog, k); /* for its diagnostics */
    compile_tell(&job->base);
    if (k && job->base.status == CLI_OK)
        job->base.status = execute(job, k);
}

int cmd_run(cli_args *args)
{
    run_job job = {.base = {.args = args}, .args = {.args = args}};
    pipeline_options options = {0};
    uint32_t n;
    if (args->noperands != 1)
        return cli_usage_error(args, "give one file");
    if (!read_dims(args, &job.launch) || !cli_number(args, OPT_FUEL, UINT64_MAX, &job.launch.fuel))
        return CLI_USAGE;
    options.dirs = cli_all(args, OPT_INCLUDE, &n);
    options.ndirs = n;
    options.memory_limit = (size_t)4 << 30;
    job.base.wanted = cli_all(args, OPT_KERNEL, &job.base.nwanted);
    job.base.form = (diag_form)cli_choice(args, OPT_DIAGNOSTICS, DIAG_AS_TEXT);
    job.base.color = job.base.form == DIAG_AS_TEXT && diag_wants_color(STDERR_FILENO);
    job.args.c = &job.base.p.c;
    if (!pipeline_init(&job.base.p, &options) || !mem_try(&job.base.p.c.mem, run, &job)) {
        cli_error("out of memory");
        job.base.status = CLI_IO;
    }
    pipeline_clear(&job.base.p);
    return job.base.status;
}
