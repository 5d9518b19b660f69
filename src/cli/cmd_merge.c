/* SPDX-License-Identifier: Apache-2.0 */
/* weft merge: the parts of a run (generate --shard I/N) joined into what one machine makes; or
 * whole sets, of which one at least was collected.
 *
 *     weft merge --output DIR PART1 PART2 ...
 *
 * weft_merge does the work. At the end this file prints how many pairs had to be made anew: parts
 * are made without knowledge of each other, so two of them can draw the same structure. */
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "cli/cli_context.h"
#include "cli/generate.h"
#include "cli/reporter.h"

/* What the callbacks share; begins with what messages and progress need. */
typedef struct merge_job {
    reporter reporter;
    const char *output;
} merge_job;

static void on_made(void *arg, const weft_generated *made)
{
    merge_job *job = arg;
    const uint32_t parts = job->reporter.args->noperands;
    reporter_end(&job->reporter);
    if (job->reporter.quiet)
        return;
    if (made->was_there) {
        fprintf(stderr, "%llu pair%s of %u part%s: %s has them already\n",
                (unsigned long long)made->rows, plural_s(made->rows), parts, plural_s(parts),
                job->output);
        return;
    }
    if (!made->category_count) {
        fprintf(stderr,
                "%llu record%s of %u set%s written to %s; %llu left out, since an earlier one had "
                "their structure\nnext: weft validate %s\n",
                (unsigned long long)made->rows, plural_s(made->rows), parts, plural_s(parts),
                job->output, (unsigned long long)made->moved, job->output);
        return;
    }
    fprintf(stderr,
            "%llu pair%s of %u part%s written to %s; %llu made anew, since another part had their "
            "structure\nnext: weft validate %s\n",
            (unsigned long long)made->rows, plural_s(made->rows), parts, plural_s(parts),
            job->output, (unsigned long long)made->moved, job->output);
}

/* From here on files are written: an interrupt must let the command clean up. */
static void on_begin(void *arg)
{
    (void)arg;
    cli_end_at_once(false);
}

int cmd_merge(cli_args *args)
{
    merge_job job = {.output = cli_get(args, OPT_OUTPUT)};
    weft_merge_options o = {.size = sizeof o, .output = job.output, .memory_mb = 256};
    uint32_t n;
    reporter_init(&job.reporter, args);
    if (!args->noperands)
        return cli_usage_error(args, "no folder given");
    for (uint32_t i = 0; i < args->noperands; i++)
        if (strcmp(args->operands[i], "-") == 0)
            return cli_usage_error(args, "merge takes folders, not '-': the manifest of a part "
                                         "says which part it is");
    if (!o.output || !*o.output || strcmp(o.output, "-") == 0)
        return cli_usage_error(args, "--output wants a folder");
    if (!cli_number(args, OPT_MEMORY, 1 << 20, &o.memory_mb) ||
        !cli_read_exclude(args, &o.exclude, &o.exclude_count))
        return CLI_USAGE;
    o.memory_mb = o.memory_mb ? o.memory_mb : 1;
    o.warp_include = cli_get(args, OPT_WARP_INCLUDE);
    o.package_dirs = cli_all(args, OPT_INCLUDE, &n);
    o.package_dir_count = n;
    cli_warn_missing_folders(args);
    weft_callbacks c = reporter_callbacks(&job.reporter);
    c.progress = reporter_pairs;
    c.begin = on_begin;
    cli_end_at_once(o.exclude_count > 0); /* until all is read, nothing is written */
    const weft_status status = weft_merge(args->operands, args->noperands, &o, &c, on_made);
    cli_end_at_once(false);
    reporter_end(&job.reporter);
    return cli_status(status);
}
