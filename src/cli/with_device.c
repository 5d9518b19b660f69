/* A device for the time of one command. */
#include "cli/with_device.h"

typedef struct device_job {
    cli_args *args;
    int (*run)(cli_args *args, device *d, void *arg);
    void *arg;
    device device;
    int status;
} device_job;

static void run_with_device(void *arg)
{
    device_job *j = arg;
    uint32_t n;
    const char *why = NULL;
    const char *const *sites = cli_all(j->args, OPT_INCLUDE, &n);
    if (device_open(&j->device, j->args->arena, sites, n, &why)) {
        j->status = j->run(j->args, &j->device, j->arg);
        return;
    }
    cli_error("--device cuda: %s", why);
    j->status = CLI_IO;
}

int cli_with_device(cli_args *args, int (*run)(cli_args *args, device *d, void *arg), void *arg)
{
    device_job j = {.args = args, .run = run, .arg = arg};
    const bool enough = mem_try(args->arena->m, run_with_device, &j);
    device_close(&j.device);
    if (!enough)
        mem_fail(args->arena->m);
    return j.status;
}
