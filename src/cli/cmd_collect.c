/* SPDX-License-Identifier: Apache-2.0 */
/* weft collect: the kernels of folders and packages as a data set, and what became of each.
 *
 *     kernels found             112
 *     records                    98
 *       exact                    80
 *       not_run                  18
 *     skipped                    14
 *       made in a function       14 */
#include <string.h>

#include "base/format.h"
#include "cli/cli_context.h"
#include "cli/generate.h"
#include "cli/reporter.h"
#include "weft_collect.h"

static bool read_options(const cli_args *args, weft_collect_options *o)
{
    static const unsigned devices[] = {WEFT_CPU, WEFT_CUDA, WEFT_CPU | WEFT_CUDA};
    uint32_t n;
    uint64_t jobs = 1;
    o->size = sizeof *o;
    o->output = cli_get(args, OPT_OUTPUT);
    if (!args->noperands)
        return cli_usage_error(args, "no file, folder or package given"), false;
    for (uint32_t i = 0; i < args->noperands; i++)
        if (strcmp(args->operands[i], "-") == 0)
            return cli_usage_error(args, "collect takes files, folders and packages, not '-': a "
                                         "record names its file and licence"),
                   false;
    if (!o->output || !*o->output || strcmp(o->output, "-") == 0)
        return cli_usage_error(args, "--output wants a folder"), false;
    o->include_dirs = cli_all(args, OPT_INCLUDE, &n);
    o->include_dir_count = n;
    o->licenses = cli_get(args, OPT_LICENSES);
    o->license = cli_get(args, OPT_LICENSE);
    o->devices = devices[cli_choice(args, OPT_DEVICE, 1)];
    o->compress = 1 + cli_choice(args, OPT_COMPRESS, -1);
    o->no_backward = cli_has(args, OPT_NO_BACKWARD);
    o->messages = cli_choice(args, OPT_STYLE, 0) == 1;
    o->tasks = cli_get(args, OPT_TASKS);
    o->warp = cli_get(args, OPT_WARP);
    o->resume = cli_has(args, OPT_RESUME);
    o->cpu_shim = cli_has(args, OPT_CPU_SHIM);
    o->format = cli_choice(args, OPT_FORMAT, WEFT_JSONL);
    o->no_verify = !cli_switch(args, OPT_VERIFY, OPT_NO_VERIFY, true);
    if (!cli_number(args, OPT_JOBS, 1024, &jobs) ||
        !cli_number(args, OPT_SHARD_ROWS, INT64_MAX, &o->shard_rows) ||
        !cli_read_near(args, &o->near) || !cli_read_exclude(args, &o->exclude, &o->exclude_count))
        return false;
    if (cli_has(args, OPT_JOBS))
        o->jobs = jobs ? (uint32_t)jobs : 1;
    return true;
}

static void put_row(strbuf *b, const char *indent, const char *name, uint64_t n)
{
    sb_printf(b, "%s%s", indent, name);
    const size_t used = strlen(indent) + strlen(name);
    sb_repeat(b, ' ', used < 26 ? 26 - used : 1);
    sb_printf(b, "%8llu\n", (unsigned long long)n);
}

static void put_table(strbuf *b, const weft_collect_options *o, const weft_collected *r)
{
    put_row(b, "", "files", r->files);
    if (r->unlicensed)
        put_row(b, "  ", "left out by licence", r->unlicensed);
    if (r->unloaded)
        put_row(b, "  ", "not loaded", r->unloaded);
    put_row(b, "", "kernels found", r->kernels);
    put_row(b, "", "records", r->records);
    for (size_t i = 0; i < r->proof_count; i++)
        put_row(b, "  ", r->proofs[i].name, r->proofs[i].records);
    put_row(b, "", "skipped", r->kernels - r->records);
    for (size_t i = 0; i < r->skipped_count; i++)
        put_row(b, "  ", r->skipped[i].name, r->skipped[i].records);
    sb_printf(b, "%llu record%s written to %s in %.2f s\n", (unsigned long long)r->records,
              plural_s(r->records), o->output, r->seconds);
}

int cmd_collect(cli_args *args)
{
    weft_collect_options o = {0};
    weft_collected found = {.size = sizeof found};
    reporter t;
    strbuf text;
    if (!read_options(args, &o))
        return CLI_USAGE;
    cli_warn_missing_folders(args);
    reporter_init(&t, args);
    weft_callbacks c = reporter_callbacks(&t);
    c.progress = reporter_files;
    int status = cli_status(weft_collect(args->operands, args->noperands, &o, &c, &found));
    reporter_end(&t);
    if (status != CLI_OK || cli_has(args, OPT_QUIET))
        return status;
    sb_init(&text, args->arena->m);
    if (found.complete)
        sb_printf(&text, "%s is complete: nothing to do\n", o.output);
    else
        put_table(&text, &o, &found);
    status = cli_print(args, sb_view(&text));
    sb_clear(&text);
    return status;
}
