/* weft merge: the parts of a run, joined. */
#include <stdio.h>

#include "base/c_locale.h"
#include "cli/generate.h"
#include "curate/merge.h"

static const char *whole_command(arena *a, const char *command)
{
    return generate_without(a, command, " --shard ");
}

static int refuse(const char *folder, const char *what)
{
    cli_error("%s: %s", folder, what);
    return CLI_USAGE;
}

/* Puts the parts in order; each must be there once, and be of one run. */
static int order_parts(cli_args *args, merge_part *parts, uint32_t n)
{
    arena *a = args->arena;
    merge_part *sorted = ARENA_ARRAY(a, merge_part, n);
    const char *command = whole_command(a, parts[0].command);
    memset(sorted, 0, n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++) {
        const merge_part *p = &parts[i];
        if (strcmp(whole_command(a, p->command), command) != 0 || p->parts != parts[0].parts)
            return refuse(p->folder, "it is part of another run than the first folder");
        if (p->part <= n && sorted[p->part - 1].folder)
            return refuse(p->folder, "another folder is the same part");
        if (p->part <= n)
            sorted[p->part - 1] = *p;
    }
    for (uint32_t i = 0; i < parts[0].parts; i++)
        if (i >= n || !sorted[i].folder) {
            cli_error("part %u of %u is missing", i + 1, parts[0].parts);
            return CLI_USAGE;
        }
    memcpy(parts, sorted, n * sizeof *parts);
    return CLI_OK;
}

static int check_run(const record_options *o, const merge_part *parts, uint32_t n)
{
    uint64_t next = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t rows = 0;
        for (uint32_t k = 0; k < parts[i].shards.n; k++)
            rows += parts[i].shards.v[k].rows;
        if (parts[i].first != next || rows != parts[i].rows)
            return refuse(parts[i].folder, "its indexes do not go on where the part before ends");
        next += rows;
    }
    return next == o->count ? CLI_OK : refuse(parts[0].folder, "the parts are not the whole run");
}

static int check_excluded(const cli_args *args, const merge_part *p, record_options *o, bool quiet)
{
    const int status = generate_read_excluded(args, o, quiet);
    if (status != CLI_OK)
        return status;
    return generate_is_command(args->arena, whole_command(args->arena, p->command), o)
               ? CLI_OK
               : refuse(p->folder, "it was made with another --exclude than is given here");
}

static int read_parts(cli_args *args, merge_options *m, bool quiet)
{
    const char *message, *output = cli_get(args, OPT_OUTPUT);
    uint64_t memory = 256;
    if (!args->noperands)
        return cli_usage_error(args, "no folder given");
    if (!output || !*output || strcmp(output, "-") == 0)
        return cli_usage_error(args, "--output wants a folder");
    if (!cli_number(args, OPT_MEMORY, 1 << 20, &memory))
        return CLI_USAGE;
    m->memory = memory << 20;
    m->nparts = args->noperands;
    m->parts = ARENA_ARRAY(args->arena, merge_part, m->nparts);
    for (uint32_t i = 0; i < m->nparts; i++) {
        const int error = merge_look(args->arena, args->operands[i], &m->parts[i], &message);
        if (error == STATUS_OK)
            continue;
        cli_error("%s", message);
        return error > 0 ? CLI_IO : CLI_BAD_INPUT;
    }
    int status = order_parts(args, m->parts, m->nparts);
    if (status != CLI_OK)
        return status;
    const char *command = whole_command(args->arena, m->parts[0].command);
    if (!generate_read_command(args->arena, command, output, &m->o))
        return refuse(m->parts[0].folder, "its command cannot be read");
    status = check_run(&m->o, m->parts, m->nparts);
    if (status == CLI_OK)
        status = generate_open_ptx(args, &m->o);
    return status == CLI_OK ? check_excluded(args, &m->parts[0], &m->o, quiet) : status;
}

static int tell_end(const cli_args *args, const merge_options *m, const merge_result *r, int end)
{
    if (end > 0) {
        cli_error("'%s': %s", r->run.failed, error_text(end));
        return CLI_IO;
    }
    if (end == STATUS_REFUSED) {
        cli_error("%s", r->run.message ? r->run.message : "refused");
        return r->taken ? CLI_USAGE : CLI_BAD_INPUT;
    }
    if (end == STATUS_STOPPED) {
        cli_error("interrupted; the same command begins anew");
        return CLI_INTERRUPTED;
    }
    return generate_tell_end(args, &m->o, &r->run, end);
}

int cmd_merge(cli_args *args)
{
    merge_options m = {0};
    merge_result r;
    progress p;
    const bool quiet = cli_has(args, OPT_QUIET);
    int status = read_parts(args, &m, quiet);
    if (status != CLI_OK)
        return status;
    progress_start(&p, &m.o, quiet);
    m.o.progress = progress_step;
    m.o.progress_arg = &p;
    status = merge_run(args->arena, &m, &r);
    progress_end(&p);
    status = tell_end(args, &m, &r, status);
    if (status == CLI_OK && !quiet)
        fprintf(stderr,
                "%llu pairs of %u part%s written to %s; %llu made anew, since another part had "
                "their structure\nnext: weft validate %s\n",
                (unsigned long long)r.run.rows, m.nparts, m.nparts == 1 ? "" : "s", m.o.output,
                (unsigned long long)r.moved, m.o.output);
    return status;
}
