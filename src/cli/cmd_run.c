/* weft run: one kernel, executed on values and arrays from the command line. */
#include <unistd.h>

#include "base/decimal.h"
#include "cli/compile.h"
#include "cli/run_args.h"
#include "cli/with_device.h"

static const uint64_t DEFAULT_FUEL = 20 * 1000 * 1000;

typedef struct run_job {
    compile_job base;
    run_args args, adjoints;
    launch_job launch;
    device *device; /* NULL: nothing runs on one */
    file_set used;  /* what is read, and where arrays are saved */
} run_job;

/* "4" or "4,3": up to four sizes. */
static bool read_dims(const cli_args *args, launch_job *launch)
{
    const char *text = cli_get(args, OPT_DIM);
    int64_t threads = 1;
    if (!text) {
        cli_usage_error(args, "--dim is missing: how many threads?");
        return false;
    }
    for (const char *s = text;; s++) {
        const char *end;
        uint64_t n;
        if (!decimal_read_uint(s, &end, &n) || n > INT32_MAX || launch->ndim == LAUNCH_DIMS ||
            (*end && *end != ',')) {
            cli_usage_error(args, "--dim wants N[,M[,K[,L]]], not '%s'", text);
            return false;
        }
        if (__builtin_mul_overflow(threads, (int64_t)n, &threads)) {
            cli_usage_error(args, "--dim %s: so many threads cannot be counted", text);
            return false;
        }
        launch->dim[launch->ndim++] = (int64_t)n;
        s = end;
        if (!*s)
            return true;
    }
}

/* Options that need no file, so that mistakes are reported before work begins. */
static bool read_options(const cli_args *args, launch_job *launch)
{
    launch->executor = (launch_executor)cli_choice(args, OPT_EXECUTOR, LAUNCH_REFERENCE);
    launch->fuel = DEFAULT_FUEL;
    if (!read_dims(args, launch) || !cli_number(args, OPT_FUEL, UINT64_MAX, &launch->fuel))
        return false;
    return run_saves_differ(args);
}

/* The kernel that --kernel names, or the only one there is. */
static const kernel *find_kernel(run_job *job, const program *prog)
{
    uint32_t n;
    const char *name = cli_get(job->base.args, OPT_KERNEL);
    const kernel *found = launch_find_kernel(prog, name, &n);
    if (found)
        return found;
    if (name)
        cli_error("no kernel is called '%s'", name);
    else
        cli_error(n ? "there are several kernels: name one by --kernel" : "there is no kernel");
    job->base.status = CLI_BAD_INPUT;
    return NULL;
}

/* Fills the arguments, and the adjoints with --grad. */
static int read_values(run_job *job, const kernel *k)
{
    const bool grad = cli_has(job->base.args, OPT_GRAD);
    if (grad && !k->code.options.enable_backward) {
        cli_error("the kernel '%s' has no backward pass: its option enable_backward is off",
                  k->code.name->s);
        return CLI_BAD_INPUT;
    }
    if (!run_args_read(&job->args, k) || !run_args_check_saves(&job->args))
        return job->args.status;
    job->launch.args = job->args.set.values;
    if (!grad)
        return CLI_OK;
    if (!run_args_mirror(&job->adjoints, k, &job->args) || !run_args_check_saves(&job->adjoints))
        return job->adjoints.status;
    job->launch.adjoints = job->adjoints.set.values;
    return CLI_OK;
}

/* Why the launch ended: its own message, or diagnostics; and a hint when the fuel was spent. */
static int tell_stuck(run_job *job)
{
    if (job->launch.error)
        cli_error("%s", job->launch.error);
    else
        compile_tell(&job->base);
    if (job->launch.out_of_fuel)
        fputs("    hint: --fuel STEPS allows more; 0: no limit\n", stderr);
    return CLI_BAD_INPUT;
}

/* A difference is an error of the result, not of the run: arrays are saved all the same. */
static int execute_on_device(run_job *job, const program *prog, bool *differs)
{
    device *d = job->device;
    device_kernel k;
    device_result r = {0};
    device_end end = device_load(d, prog, &job->launch, job->launch.adjoints != NULL, &k);
    if (end == DEVICE_DONE)
        end = device_run(d, &k, &job->launch, &r);
    if (device_unload(d) != DEVICE_DONE && end == DEVICE_DONE)
        end = DEVICE_BROKEN;
    switch (end) {
    case DEVICE_STUCK: return tell_stuck(job);
    case DEVICE_BROKEN: cli_error("%s", d->gpu.why); return CLI_IO;
    case DEVICE_DONE: break;
    }
    for (uint32_t i = 0; i < r.differences.n; i++)
        cli_error("the device gives another result than the reference: %s",
                  device_tell(&job->base.p.c.module, &r.differences.v[i]));
    *differs = r.differences.n;
    return CLI_OK;
}

static int execute(run_job *job, const program *prog, const kernel *k)
{
    const run_args *sets[] = {&job->args, &job->adjoints};
    const int status = read_values(job, k);
    if (status)
        return status;
    bool differs = false;
    if (job->device) {
        const int end = execute_on_device(job, prog, &differs);
        if (end)
            return end;
    } else if (!launch_execute(&job->launch)) {
        return tell_stuck(job);
    }
    cli_end_at_once(false);
    const int saved = run_args_save(sets, job->launch.adjoints ? 2 : 1);
    return saved || !differs ? saved : CLI_BAD_INPUT;
}

/* Under mem_try: load, lower, execute. */
static void run(void *arg)
{
    run_job *job = arg;
    pipeline *p = &job->base.p;
    const program *prog = pipeline_load(p, job->base.args->operands[0]);
    const kernel *k = prog ? find_kernel(job, prog) : NULL;
    if (k)
        job->launch.compiled = pipeline_lower(p, prog, k);
    compile_tell(&job->base);
    if (k && job->base.status == CLI_OK)
        job->base.status = execute(job, prog, k);
}

/* Both sets of arguments read the same command line by other options. */
static void start(run_job *job)
{
    compile_job *base = &job->base;
    base->wanted = cli_all(base->args, OPT_KERNEL, &base->nwanted);
    base->form = (diag_form)cli_choice(base->args, OPT_DIAGNOSTICS, DIAG_AS_TEXT);
    base->color = base->form == DIAG_AS_TEXT && diag_wants_color(STDERR_FILENO);
    job->args = (run_args){.args = base->args, .from = OPT_ARG, .to = OPT_SAVE};
    job->adjoints = (run_args){.args = base->args, .from = OPT_ADJOINT, .to = OPT_SAVE_GRAD};
    job->args.c = job->adjoints.c = &base->p.c;
    job->launch.p = &base->p;
}

/* All memory of a run is one pipeline's, with a limit. */
static int run_file(run_job *job, const cli_args *args)
{
    uint32_t n;
    pipeline_options options = {.memory_limit = (size_t)MEMORY_MEBIBYTES * MEBIBYTE,
                                .devices = launch_devices(job->launch.executor),
                                .stop = cli_stop_flag()};
    options.dirs = cli_all(args, OPT_INCLUDE, &n);
    options.ndirs = n;
    start(job);
    const bool enough = pipeline_init(&job->base.p, &options);
    file_set_init(&job->used, &job->base.p.c.perm);
    job->base.p.c.mem.waiting = cli_waiting;
    job->base.p.c.files = &job->used;
    if (!enough || !mem_try(&job->base.p.c.mem, run, job)) {
        cli_error("out of memory: a run takes %d MiB at most", MEMORY_MEBIBYTES);
        job->base.status = CLI_IO;
    }
    pipeline_clear(&job->base.p);
    return job->base.status;
}

static int run_with_device(cli_args *args, device *d, void *arg)
{
    run_job *job = arg;
    job->device = d;
    return run_file(job, args);
}

int cmd_run(cli_args *args)
{
    run_job job = {.base = {.args = args}};
    const char *name = cli_get(args, OPT_DEVICE);
    const bool cuda = name && strcmp(name, "cuda") == 0;
    cli_end_at_once(true);
    if (args->noperands != 1)
        return cli_usage_error(args, "give one file");
    if (!read_options(args, &job.launch))
        return CLI_USAGE;
    return cuda ? cli_with_device(args, run_with_device, &job) : run_file(&job, args);
}
