/* Options, progress and ends of split and dedup. */
#include "cli/subset.h"

#include <stdio.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/output.h"
#include "cli/generate.h"

bool subset_read_options(const cli_args *args, split_options *o)
{
    o->paths = args->operands;
    o->npaths = args->noperands;
    o->output = cli_get(args, OPT_OUTPUT);
    o->repack = cli_has(args, OPT_COMPRESS);
    o->compress = (pack_method)(1 + cli_choice(args, OPT_COMPRESS, -1));
    if (!args->noperands)
        return cli_usage_error(args, "no data set given"), false;
    if (o->output && (!*o->output || strcmp(o->output, "-") == 0))
        return cli_usage_error(args, "--output wants a folder"), false;
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

int subset_run(const cli_args *args, split_options *o, split_result *r)
{
    bool bar = isatty(STDERR_FILENO) && !cli_has(args, OPT_QUIET);
    o->progress = on_progress;
    o->arg = &bar;
    const int end = split_run(args->arena, o, r);
    if (bar)
        fputs("\r\033[K", stderr);
    return end;
}

int subset_tell_failure(const split_options *o, const split_result *r, int end)
{
    const char *message = r->message ? r->message : "";
    switch (end) {
    case STATUS_STOPPED: cli_error("interrupted; nothing was written"); return CLI_INTERRUPTED;
    case STATUS_MEMORY: cli_error("out of memory"); return CLI_IO;
    case STATUS_BROKEN: cli_error("%s", message); return CLI_BAD_INPUT;
    case STATUS_REFUSED: cli_error("%s: %s", o->output, message); return CLI_USAGE;
    default: cli_error("'%s': %s", message, error_text(end)); return CLI_IO;
    }
}

int subset_print(const cli_args *args, str text)
{
    output out;
    output_open(&out, args->arena, NULL);
    sb_str(&out.text, text);
    const int error = output_close(&out, true);
    if (!error || error == OUTPUT_CLOSED) /* closed: nobody reads on */
        return CLI_OK;
    cli_error("cannot write standard output: %s", error_text(error));
    return CLI_IO;
}
