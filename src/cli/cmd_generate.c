/* weft generate: training pairs. Reads the options, shows progress, and sums up at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "cli/cli.h"
#include "cli/generate.h"
#include "make/exclude.h"
#include "store/store_command.h"

static void unknown_category(const cli_args *args, str name)
{
    strbuf known;
    sb_init(&known, args->arena->m);
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        sb_c(&known, c ? ", " : "");
        sb_c(&known, gen_category_name((gen_category)c));
    }
    cli_usage_error(args, "unknown category '%.*s'; known are %s", (int)name.n, name.p,
                    sb_cstr(&known));
    sb_clear(&known);
}

static bool read_categories(const cli_args *args, record_options *o)
{
    str unknown;
    if (record_choose_categories(o, cli_get(args, OPT_CATEGORIES), &unknown))
        return true;
    if (unknown.n)
        unknown_category(args, unknown);
    else
        cli_usage_error(args, "no category given");
    return false;
}

static bool read_tasks(const cli_args *args, record_options *o)
{
    str which;
    const char *wrong = record_choose_tasks(o, cli_get(args, OPT_TASKS), &which);
    if (wrong && which.n)
        return cli_usage_error(args, "%s '%.*s'", wrong, (int)which.n, which.p), false;
    if (wrong)
        return cli_usage_error(args, "%s", wrong), false;
    if (cli_has(args, OPT_TASKS) && o->style != RECORD_MESSAGES)
        return cli_usage_error(args, "--tasks is for --style messages"), false;
    return true;
}

static uint64_t cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (uint64_t)n;
}

static bool read_numbers(const cli_args *args, record_options *o)
{
    uint64_t jobs = cores();
    if (!cli_number(args, OPT_COUNT, RECORD_COUNT_MAX, &o->count) ||
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

/* What goes with programs of their own. */
static bool generate_read_standalone(const cli_args *args, const record_options *o)
{
    if (!o->output)
        return cli_usage_error(args, "--format standalone wants a folder"), false;
    if (o->devices != EMIT_FOR_CUDA)
        return cli_usage_error(args, "--format standalone is CUDA: no other --device"), false;
    if (o->style != RECORD_PAIR || o->job != RECORD_TRANSLATE)
        return cli_usage_error(args, "--format standalone goes with no --style and no --task"),
               false;
    return true;
}

bool generate_read_options(const cli_args *args, record_options *o)
{
    static const unsigned devices[] = {EMIT_FOR_CPU, EMIT_FOR_CUDA, EMIT_FOR_BOTH};
    const char *output = cli_get(args, OPT_OUTPUT);
    if (args->noperands)
        return cli_usage_error(args, "unexpected '%s'", args->operands[0]), false;
    if (!output || !*output)
        return cli_usage_error(args, "--output is missing"), false;
    o->output = strcmp(output, "-") == 0 ? NULL : output;
    o->devices = devices[cli_choice(args, OPT_DEVICE, 1)];
    o->format = (store_format)cli_choice(args, OPT_FORMAT, STORE_JSONL);
    o->job = (record_job)cli_choice(args, OPT_TASK, RECORD_TRANSLATE);
    o->style = (record_style)cli_choice(args, OPT_STYLE, RECORD_PAIR);
    o->compress = (pack_method)(1 + cli_choice(args, OPT_COMPRESS, -1));
    o->no_backward = cli_has(args, OPT_NO_BACKWARD);
    o->no_verify = !cli_switch(args, OPT_VERIFY, OPT_NO_VERIFY, true);
    o->cpu_shim = cli_has(args, OPT_CPU_SHIM);
    o->no_dedup = cli_has(args, OPT_NO_DEDUP);
    if (!cli_read_near(args, &o->near))
        return false;
    if (o->near && o->no_dedup)
        return cli_usage_error(args, "--near and --no-dedup exclude each other"), false;
    o->gradients = (record_gradients)cli_choice(args, OPT_GRADIENTS, RECORD_GRADIENTS_ANY);
    if (o->gradients == RECORD_GRADIENTS_EXACT && (o->no_verify || o->no_backward))
        return cli_usage_error(args, "--gradients exact needs pairs that are verified, with both "
                                     "passes"),
               false;
    o->resume = cli_has(args, OPT_RESUME);
    o->timings = cli_has(args, OPT_TIMINGS);
    if (o->format == STORE_STANDALONE && !generate_read_standalone(args, o))
        return false;
    if (o->cpu_shim && o->format != STORE_STANDALONE)
        return cli_usage_error(args, "--cpu-shim is for --format standalone"), false;
    if (o->compress && (!o->output || o->format != STORE_JSONL))
        return cli_usage_error(args, "--compress is for shards in a folder"), false;
    return read_tasks(args, o) && read_numbers(args, o) && cli_read_license(args, &o->license) &&
           generate_read_part(args, o) && generate_read_ptx(args, o) && read_categories(args, o) &&
           generate_read_shape(args, o);
}

/* --- ends ---------------------------------------------------------------------------------- */

/* A word of a shell's command. */
static void put_word(strbuf *b, const char *word)
{
    if (!word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-./=+,:@%")]) {
        sb_c(b, word);
        return;
    }
    sb_char(b, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            SB_LIT(b, "'\\'");
        sb_char(b, *word);
    }
    sb_char(b, '\'');
}

/* An option as it was given, each time it was. */
static void put_given(strbuf *b, const cli_args *args, cli_option_id option, const char *name)
{
    uint32_t n;
    const char *const *values = cli_all(args, option, &n);
    for (uint32_t i = 0; i < n; i++) {
        sb_c(b, name);
        put_word(b, values[i]);
    }
}

static void tell_how_to_go_on(const cli_args *args, const record_options *o)
{
    strbuf b;
    record_options named = *o;
    if (!o->output)
        return;
    named.exclude = NULL; /* paths are told, instead of what was in them */
    sb_init(&b, args->arena->m);
    SB_LIT(&b, "what is in whole files is kept; to go on:\n    ");
    store_put_command(&b, &named);
    put_given(&b, args, OPT_EXCLUDE, " --exclude ");
    put_given(&b, args, OPT_INCLUDE, " -I ");
    put_given(&b, args, OPT_WARP_INCLUDE, " --warp-include ");
    SB_LIT(&b, " --output ");
    put_word(&b, o->output);
    SB_LIT(&b, " --resume");
    fprintf(stderr, "weft: %s\n", sb_cstr(&b));
    sb_clear(&b);
}

int generate_tell_end(const cli_args *args, const record_options *o, const store_outcome *r,
                      int status)
{
    switch (status) {
    case STATUS_OK:
    case STATUS_CLOSED: return CLI_OK;
    case STATUS_STOPPED:
        cli_error("interrupted");
        tell_how_to_go_on(args, o);
        return CLI_INTERRUPTED;
    case STATUS_MEMORY: cli_error("out of memory, or no thread could be started"); return CLI_IO;
    case STATUS_BROKEN:
        cli_error("no candidate for a sample was good: %s", r->message ? r->message : "");
        return CLI_BAD_INPUT;
    case STATUS_EXHAUSTED: cli_error("%s", r->message ? r->message : ""); return CLI_BAD_INPUT;
    case STATUS_REFUSED:
        cli_error("%s: %s", o->output, r->message ? r->message : "refused");
        return CLI_USAGE;
    default:
        cli_error("cannot write '%s': %s", *r->failed ? r->failed : "standard output",
                  error_text(status));
        if (r->bytes)
            tell_how_to_go_on(args, o);
        return CLI_IO;
    }
}

static void tell_not_parsed(void *arg, const char *file, uint64_t line, const char *why)
{
    const bool *quiet = arg;
    if (*quiet)
        return;
    if (line)
        fprintf(stderr, "weft: %s:%llu: nothing is excluded for it: %s\n", file,
                (unsigned long long)line, why);
    else
        fprintf(stderr, "weft: %s: nothing is excluded for it: %s\n", file, why);
}

int generate_read_excluded(const cli_args *args, record_options *o, bool quiet)
{
    uint32_t n;
    const char *failed, *const *paths = cli_all(args, OPT_EXCLUDE, &n);
    if (!n)
        return CLI_OK;
    exclude_set *set = ARENA_NEW(args->arena, exclude_set);
    cli_end_at_once(true); /* it only reads */
    const int error = exclude_read(args->arena, paths, n, tell_not_parsed, &quiet, set, &failed);
    cli_end_at_once(false);
    o->exclude = set;
    if (error) {
        cli_error("cannot read '%s': %s", failed, error_text(error));
        return CLI_IO;
    }
    if (!quiet)
        fprintf(stderr, "weft: %llu structures of %llu kernels in %llu files are excluded\n",
                (unsigned long long)set->n, (unsigned long long)set->kernels,
                (unsigned long long)set->files);
    return CLI_OK;
}

int cmd_generate(cli_args *args)
{
    record_options o = {0};
    store_outcome r;
    progress p;
    if (!generate_read_options(args, &o))
        return CLI_USAGE;
    bool quiet = cli_has(args, OPT_QUIET);
    const int opened = generate_open_ptx(args, &o);
    if (opened != CLI_OK)
        return opened;
    const int excluded = generate_read_excluded(args, &o, quiet);
    if (excluded != CLI_OK)
        return excluded;
    progress_start(&p, &o, quiet);
    o.progress = progress_step;
    o.note = progress_note;
    o.progress_arg = &p;
    if (o.with_ptx)
        cli_hold_interrupts();
    const int end = make_run(args->arena, &o, &r);
    progress_end(&p);
    const int status = generate_tell_end(args, &o, &r, end);
    quiet |= end == STATUS_CLOSED;
    if (status == CLI_OK && !quiet)
        summary_print(args->arena, &o, &r);
    if (end == STATUS_OK || end == STATUS_BROKEN)
        summary_suspects(&r);
    if (status == CLI_OK && o.timings)
        summary_timings(args->arena, &r);
    return status;
}
