/* SPDX-License-Identifier: Apache-2.0 */
/* Options and progress of split and dedup, which both read records and write a part of them.
 *
 *     --output DIR --compress zstd   ->   weft_subset_options {"DIR", compress WEFT_ZSTD, repack}
 *
 * The tables at the end are those of cmd_split.c and cmd_dedup.c. */
#include "cli/subset.h"

#include <string.h>

bool subset_read_options(const cli_args *args, weft_subset_options *o)
{
    /* Without --compress the records stay packed as they are: compress is WEFT_PLAIN, unused. */
    o->size = sizeof *o;
    o->output = cli_get(args, OPT_OUTPUT);
    o->license = cli_get(args, OPT_LICENSE);
    o->repack = cli_has(args, OPT_COMPRESS);
    o->compress = 1 + cli_choice(args, OPT_COMPRESS, -1);
    if (!args->noperands)
        return cli_usage_error(args, "no data set given"), false;
    if (o->output && (!*o->output || strcmp(o->output, "-") == 0))
        return cli_usage_error(args, "--output wants a folder"), false;
    if (!cli_number(args, OPT_SHARD_ROWS, INT64_MAX, &o->shard_rows))
        return false;
    if (cli_has(args, OPT_SHARD_ROWS) && !o->shard_rows)
        return cli_usage_error(args, "--shard-rows is at least 1"), false;
    return true;
}

int subset_run(const cli_args *args, subset_function *run, const weft_subset_options *o,
               weft_subset *found)
{
    reporter t;
    reporter_init(&t, args);
    weft_callbacks c = reporter_callbacks(&t);
    c.progress = reporter_records;
    *found = (weft_subset){.size = sizeof *found};
    const weft_status status = run(args->operands, args->noperands, o, &c, found);
    reporter_end(&t);
    return cli_status(status);
}
