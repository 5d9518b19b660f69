/* weft generate: training pairs. Reads the options, shows progress, and sums up at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/generate.h"

static bool read_categories(const cli_args *args, data_options *o)
{
    str unknown;
    if (data_choose_categories(o, cli_get(args, OPT_CATEGORIES), &unknown))
        return true;
    if (unknown.n)
        cli_usage_error(args, "unknown category '%.*s'", (int)unknown.n, unknown.p);
    else
        cli_usage_error(args, "no category given");
    return false;
}

/* "2/3" */
static bool read_part(const cli_args *args, data_options *o)
{
    const char *text = cli_get(args, OPT_SHARD);
    o->part = o->parts = 1;
    if (!text)
        return true;
    char *end;
    unsigned long part = strtoul(text, &end, 10), parts = 0;
    if (*end == '/')
        parts = strtoul(end + 1, &end, 10);
    if (*end || !part || part > parts || parts > DATA_PARTS_MAX ||
        strspn(text, "0123456789/") != strlen(text)) {
        cli_usage_error(args, "--shard wants I/N with I from 1 to N, not '%s'", text);
        return false;
    }
    o->part = (uint32_t)part;
    o->parts = (uint32_t)parts;
    return true;
}

static uint64_t cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (uint64_t)n;
}

static bool read_numbers(const cli_args *args, data_options *o)
{
    uint64_t jobs = cores();
    if (!cli_number(args, OPT_COUNT, DATA_COUNT_MAX, &o->count) ||
        !cli_number(args, OPT_SEED, INT64_MAX, &o->seed) ||
        !cli_number(args, OPT_SHARD_ROWS, INT64_MAX, &o->shard_rows) ||
        !cli_number(args, OPT_JOBS, 1024, &jobs))
        return false;
    if (cli_has(args, OPT_SHARD_ROWS) && !o->shard_rows)
        return cli_usage_error(args, "--shard-rows wants at least 1"), false;
    if (!cli_has(args, OPT_COUNT))
        return cli_usage_error(args, "--count is missing"), false;
    o->jobs = jobs ? (uint32_t)jobs : 1;
    return true;
}

static bool read_options(const cli_args *args, data_options *o)
{
    static const unsigned devices[] = {EMIT_FOR_CPU, EMIT_FOR_CUDA, EMIT_FOR_BOTH};
    const char *output = cli_get(args, OPT_OUTPUT);
    if (args->noperands)
        return cli_usage_error(args, "unexpected '%s'", args->operands[0]), false;
    if (!output || !*output)
        return cli_usage_error(args, "--output is missing"), false;
    o->output = strcmp(output, "-") == 0 ? NULL : output;
    o->devices = devices[cli_choice(args, OPT_DEVICE, 1)];
    o->format = (data_format)cli_choice(args, OPT_FORMAT, DATA_JSONL);
    o->compress = (pack_method)(1 + cli_choice(args, OPT_COMPRESS, -1));
    o->no_backward = cli_has(args, OPT_NO_BACKWARD);
    o->no_verify = !cli_switch(args, OPT_VERIFY, OPT_NO_VERIFY, true);
    o->gradients = (data_gradients)cli_choice(args, OPT_GRADIENTS, DATA_GRADIENTS_ANY);
    if (o->gradients == DATA_GRADIENTS_EXACT && (o->no_verify || o->no_backward))
        return cli_usage_error(args, "--gradients exact needs pairs that are verified, with both "
                                     "passes"),
               false;
    o->resume = cli_has(args, OPT_RESUME);
    o->timings = cli_has(args, OPT_TIMINGS);
    if (o->compress && (!o->output || o->format != DATA_JSONL))
        return cli_usage_error(args, "--compress is for shards in a folder"), false;
    return read_numbers(args, o) && read_part(args, o) && read_categories(args, o) &&
           generate_read_shape(args, o);
}

/* --- progress ------------------------------------------------------------------------------ */

typedef struct progress {
    bool shown, terminal;
    double start, last;
} progress;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw_bar(const progress *p, const data_progress *d, double rate)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    size_t full = (size_t)(d->done * WIDTH / (d->of ? d->of : 1));
    memset(bar, '-', WIDTH);
    memset(bar, '#', full);
    bar[WIDTH] = 0;
    double left = rate > 0 ? (double)(d->of - d->done) / rate : 0;
    fprintf(stderr, "\r[%s] %llu / %llu pairs, %.0f pairs/s, %.0f s left ", bar,
            (unsigned long long)d->done, (unsigned long long)d->of, rate, left);
    if (d->done == d->of)
        fprintf(stderr, "\r\033[K");
    (void)p;
}

/* A bar on a terminal, else a line every ten seconds. */
static bool on_progress(void *arg, const data_progress *d)
{
    progress *p = arg;
    if (cli_interrupted())
        return false;
    if (!p->shown)
        return true;
    double t = seconds(), rate = (double)d->done / (t - p->start + 1e-9);
    bool last = d->done == d->of;
    if (p->terminal && (last || t - p->last >= 0.1)) {
        draw_bar(p, d, rate);
        p->last = t;
    } else if (!p->terminal && t - p->last >= 10.0) {
        fprintf(stderr, "weft: %llu / %llu pairs, %.0f pairs/s\n", (unsigned long long)d->done,
                (unsigned long long)d->of, rate);
        p->last = t;
    }
    return true;
}

/* --- ends ---------------------------------------------------------------------------------- */

static int tell_end(const data_options *o, const data_result *r, int status)
{
    const char *where = o->output ? o->output : "standard output";
    switch (status) {
    case DATA_OK:
    case DATA_CLOSED: return CLI_OK;
    case DATA_STOPPED:
        cli_error("interrupted; --resume with the same command goes on from the last whole file");
        return CLI_INTERRUPTED;
    case DATA_MEMORY: cli_error("out of memory, or no thread could be started"); return CLI_IO;
    case DATA_BROKEN:
        cli_error("no candidate for a sample was good: %s", r->message ? r->message : "");
        return CLI_BAD_INPUT;
    case DATA_REFUSED:
        cli_error("%s: %s", where, r->message ? r->message : "refused");
        return CLI_USAGE;
    default: cli_error("cannot write '%s': %s", where, strerror(status)); return CLI_IO;
    }
}

int cmd_generate(cli_args *args)
{
    data_options o = {0};
    data_result r;
    progress p = {.terminal = isatty(STDERR_FILENO) != 0};
    if (!read_options(args, &o))
        return CLI_USAGE;
    bool quiet = cli_has(args, OPT_QUIET);
    p.shown = !quiet;
    p.start = p.last = seconds();
    o.progress = on_progress;
    o.progress_arg = &p;
    const int end = data_run(args->arena, &o, &r);
    const int status = tell_end(&o, &r, end);
    quiet |= end == DATA_CLOSED;
    if (status == CLI_OK && !quiet)
        summary_print(args->arena, &o, &r);
    if (end == DATA_OK || end == DATA_BROKEN)
        summary_suspects(&r);
    if (status == CLI_OK && o.timings)
        summary_timings(args->arena, &r);
    return status;
}
