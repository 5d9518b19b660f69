/* SPDX-License-Identifier: Apache-2.0 */
/* weft generate: training pairs. Reads the options, shows progress, and sums up at the end.
 *
 *     --count 40 --device both --output DIR   ->   weft_generate({.count = 40, .devices = 3, ...})
 *
 * The library checks which options exclude each other (record/record_conflict.def): a caller
 * from C or Python gets the same messages. Options that come in several texts are read in
 * generate_part.c (--shard, --near) and generate_shape.c (--difficulty); generate_made.c writes the
 * summary. */
#include <string.h>

#include "base/decimal.h"
#include "cli/cli_output.h"
#include "cli/generate.h"
#include "cli/reporter.h"

#define COUNT_MAX UINT64_C(1000000000000)

/* What the callbacks share; begins with what messages and progress need. */
typedef struct generate_job {
    reporter reporter;
    weft_generate_options o;
    output out; /* of a stream: --output - */
    int status;
} generate_job;

/* --jobs 0 means one; without it o->jobs stays 0, with which the library takes all cores. */
static bool read_numbers(const cli_args *args, weft_generate_options *o)
{
    uint64_t jobs = 1;
    if (!cli_number(args, OPT_COUNT, COUNT_MAX, &o->count) ||
        !cli_number(args, OPT_SEED, INT64_MAX, &o->seed) ||
        !cli_number(args, OPT_SHARD_ROWS, INT64_MAX, &o->shard_rows) ||
        !cli_number(args, OPT_MAX_TOKENS, INT64_MAX, &o->max_tokens) ||
        !cli_number(args, OPT_JOBS, 1024, &jobs))
        return false;
    if (cli_has(args, OPT_SHARD_ROWS) && !o->shard_rows)
        return cli_usage_error(args, "--shard-rows wants at least 1"), false;
    if (cli_has(args, OPT_MAX_TOKENS) && !o->max_tokens)
        return cli_usage_error(args, "--max-tokens wants at least 1"), false;
    if (!cli_has(args, OPT_COUNT))
        return cli_usage_error(args, "--count is missing"), false;
    if (!o->count)
        return cli_usage_error(args, "--count wants at least 1"), false;
    if (cli_has(args, OPT_JOBS))
        o->jobs = jobs ? (uint32_t)jobs : 1;
    return true;
}

/* Choices are indexes into option.def's lists, in the order of weft.h's values. */
static bool read_switches(const cli_args *args, weft_generate_options *o)
{
    static const unsigned devices[] = {WEFT_CPU, WEFT_CUDA, WEFT_CPU | WEFT_CUDA};
    o->devices = devices[cli_choice(args, OPT_DEVICE, 1)];
    o->format = cli_choice(args, OPT_FORMAT, WEFT_JSONL);
    o->repair = cli_choice(args, OPT_TASK, 0);
    o->messages = cli_choice(args, OPT_STYLE, 0) == 1;
    o->scripts = cli_choice(args, OPT_STYLE, 0) == 2;
    o->compress = 1 + cli_choice(args, OPT_COMPRESS, -1);
    o->no_backward = cli_has(args, OPT_NO_BACKWARD);
    o->no_verify = !cli_switch(args, OPT_VERIFY, OPT_NO_VERIFY, true);
    o->no_tests = cli_has(args, OPT_NO_TESTS);
    o->cpu_shim = cli_has(args, OPT_CPU_SHIM);
    o->no_dedup = cli_has(args, OPT_NO_DEDUP);
    o->exact_gradients = cli_choice(args, OPT_GRADIENTS, 0);
    o->resume = cli_has(args, OPT_RESUME);
    o->timings = cli_has(args, OPT_TIMINGS);
    o->with_ptx = cli_has(args, OPT_WITH_PTX);
    return generate_read_near(args, &o->near) &&
           cli_read_exclude(args, &o->exclude, &o->exclude_count);
}

static void read_texts(const cli_args *args, weft_generate_options *o)
{
    uint32_t n;
    o->categories = cli_get(args, OPT_CATEGORIES);
    o->tasks = cli_get(args, OPT_TASKS);
    o->license = cli_get(args, OPT_LICENSE);
    o->profile = cli_get(args, OPT_PROFILE);
    o->warp = cli_get(args, OPT_WARP);
    o->ptx_compiler = cli_get(args, OPT_PTX_COMPILER);
    o->warp_include = cli_get(args, OPT_WARP_INCLUDE);
    o->package_dirs = cli_all(args, OPT_INCLUDE, &n);
    o->package_dir_count = n;
}

/* --kind K is --mix K=1. False: both were given. */
static bool read_mix(const cli_args *args, weft_generate_options *o)
{
    static const char *const alone[] = {"exercise=1", "purpose=1"};
    o->mix = cli_get(args, OPT_MIX);
    if (!cli_has(args, OPT_KIND))
        return true;
    if (o->mix)
        return cli_usage_error(args, "--kind and --mix exclude each other"), false;
    o->mix = alone[cli_choice(args, OPT_KIND, 0)];
    return true;
}

/* A number is meant for --count. */
static void refuse_operand(const cli_args *args)
{
    const char *end, *word = args->operands[0];
    uint64_t n;
    cli_usage_error(args, "unexpected '%s'", word);
    if (!cli_has(args, OPT_COUNT) && decimal_read_count(word, &end, &n) && !*end)
        fprintf(stderr, "    hint: --count %s\n", word);
}

static bool read_options(const cli_args *args, weft_generate_options *o)
{
    const char *path = cli_get(args, OPT_OUTPUT);
    o->size = sizeof *o;
    if (args->noperands)
        return refuse_operand(args), false;
    if (!path || !*path)
        return cli_usage_error(args, "--output is missing"), false;
    o->output = strcmp(path, "-") == 0 ? NULL : path;
    read_texts(args, o);
    return read_mix(args, o) && read_switches(args, o) && read_numbers(args, o) &&
           generate_read_part(args, o) && generate_read_shape(args, o);
}

/* --- callbacks ------------------------------------------------------------------------------- */

/* Records of a stream. The library stops the run if on_records does not return 0. */
static void put_records(void *arg, const void *given, size_t n)
{
    generate_job *job = arg;
    (void)output_write(&job->out, (str){given, n});
}

static int on_records(void *arg, const char *text, size_t n)
{
    const generate_job *job = arg;
    reporter_guarded(arg, put_records, text, n);
    return job->out.error || job->reporter.no_memory;
}

/* Up to here an interrupt may end the program, as nothing is written. With --with-ptx interrupts
 * are blocked from here on, since NVRTC's own handler of SIGINT must not run. */
static void on_begin(void *arg)
{
    const generate_job *job = arg;
    cli_end_at_once(false);
    if (job->o.with_ptx)
        cli_hold_interrupts();
}

/* Figures go to standard error: standard output may carry the records. */
static void put_made(void *arg, const void *given, size_t n)
{
    generate_job *job = arg;
    const weft_generated *made = given;
    strbuf b;
    (void)n;
    reporter_end(&job->reporter);
    sb_init(&b, job->reporter.args->arena->m);
    generate_put_made(&b, &job->o, job->reporter.quiet, made);
    if (b.n)
        fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

static void on_made(void *arg, const weft_generated *made)
{
    reporter_guarded(arg, put_made, made, 1);
}

/* --- the command ----------------------------------------------------------------------------- */

/* A stream whose reader went away ended well. */
static int finish_stream(generate_job *job, int status)
{
    const int error = output_close(&job->out, true);
    if (error == OUTPUT_CLOSED)
        return CLI_OK;
    return error ? cli_output_failed(NULL, error) : status;
}

int cmd_generate(cli_args *args)
{
    generate_job job = {.o = {.size = sizeof job.o}};
    reporter_init(&job.reporter, args);
    if (!read_options(args, &job.o))
        return CLI_USAGE;
    weft_callbacks c = reporter_callbacks(&job.reporter);
    c.progress = reporter_pairs;
    c.begin = on_begin;
    if (!job.o.output) {
        output_open(&job.out, args->arena, NULL, NULL);
        job.o.write = on_records;
        job.o.write_arg = &job;
    }
    cli_end_at_once(job.o.exclude_count > 0); /* until all is read, nothing is written */
    const int status = cli_status(weft_generate(&job.o, &c, on_made));
    cli_end_at_once(false);
    reporter_end(&job.reporter);
    reporter_rethrow(&job.reporter);
    return job.o.output ? status : finish_stream(&job, status);
}
