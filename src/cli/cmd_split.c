/* weft split: a data set divided into train, validation and test. */
#include <stdio.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/cli.h"
#include "cli/generate.h"
#include "data/split.h"

static bool read_options(const cli_args *args, split_options *o)
{
    const char *ratios = cli_get(args, OPT_RATIOS);
    o->output = cli_get(args, OPT_OUTPUT);
    o->paths = args->operands;
    o->npaths = args->noperands;
    o->repack = cli_has(args, OPT_COMPRESS);
    o->compress = (pack_method)(1 + cli_choice(args, OPT_COMPRESS, -1));
    if (!args->noperands)
        return cli_usage_error(args, "no data set given"), false;
    if (!o->output || !*o->output || strcmp(o->output, "-") == 0)
        return cli_usage_error(args, "--output wants a folder"), false;
    if (!ratios)
        return cli_usage_error(args, "--ratios is missing"), false;
    const char *wrong = split_read_ratios(str_c(ratios), &o->ratios);
    if (wrong)
        return cli_usage_error(args, "--ratios '%s': %s", ratios, wrong), false;
    if (!cli_read_license(args, &o->license) ||
        !cli_number(args, OPT_SHARD_ROWS, INT64_MAX, &o->shard_rows))
        return false;
    if (cli_has(args, OPT_SHARD_ROWS) && !o->shard_rows)
        return cli_usage_error(args, "--shard-rows is at least 1"), false;
    return true;
}

static bool on_progress(void *arg, uint64_t records)
{
    const bool *bar = arg;
    if (*bar)
        fprintf(stderr, "\r%llu records read ", (unsigned long long)records);
    return !cli_interrupted();
}

static void put_summary(strbuf *b, const split_options *o, const split_result *r)
{
    SB_LIT(b, "split        records      share        size\n");
    for (uint32_t i = 0; i < o->ratios.n; i++) {
        const split_part *p = &r->part[i];
        sb_printf(b, "%-10s %9llu   %7.3f %%  %7.1f MB\n", split_name(&o->ratios, i),
                  (unsigned long long)p->rows,
                  r->rows ? 100.0 * (double)p->rows / (double)r->rows : 0.0,
                  1e-6 * (double)p->bytes);
    }
    sb_printf(b, "%llu records written to %s in %.2f s; no family is in two splits\n",
              (unsigned long long)r->rows, o->output, r->seconds);
}

static int tell_summary(arena *a, const split_options *o, const split_result *r)
{
    output out;
    output_open(&out, a, NULL);
    put_summary(&out.text, o, r);
    const int error = output_close(&out, true);
    if (!error || error == OUTPUT_CLOSED)
        return CLI_OK;
    cli_error("cannot write standard output: %s", strerror(error));
    return CLI_IO;
}

static int tell_end(const split_options *o, const split_result *r, int end)
{
    const char *message = r->message ? r->message : "";
    switch (end) {
    case DATA_OK: return CLI_OK;
    case DATA_STOPPED: cli_error("interrupted; nothing was written"); return CLI_INTERRUPTED;
    case DATA_MEMORY: cli_error("out of memory"); return CLI_IO;
    case DATA_BROKEN: cli_error("%s", message); return CLI_BAD_INPUT;
    case DATA_REFUSED: cli_error("%s: %s", o->output, message); return CLI_USAGE;
    default: cli_error("'%s': %s", message, strerror(end)); return CLI_IO;
    }
}

int cmd_split(cli_args *args)
{
    split_options o = {0};
    split_result r;
    bool bar = isatty(STDERR_FILENO) && !cli_has(args, OPT_QUIET);
    if (!read_options(args, &o))
        return CLI_USAGE;
    o.progress = on_progress;
    o.arg = &bar;
    const int end = split_run(args->arena, &o, &r);
    if (bar)
        fputs("\r\033[K", stderr);
    if (end != DATA_OK || cli_has(args, OPT_QUIET))
        return tell_end(&o, &r, end);
    return tell_summary(args->arena, &o, &r);
}
