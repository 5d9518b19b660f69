/* weft dedup: what of data sets says nothing new, and the data set that is left without it. */
#include "cli/generate.h"
#include "cli/subset.h"

static void put_row(strbuf *b, const char *name, uint64_t n, uint64_t of)
{
    sb_printf(b, "%-16s %10llu   %7.3f %%\n", name, (unsigned long long)n,
              of ? 100.0 * (double)n / (double)of : 0.0);
}

static void put_table(strbuf *b, const split_options *o, const split_result *r)
{
    const dedup *w = o->dedup;
    SB_LIT(b, "records              number       share\n");
    put_row(b, "read", w->records, w->records);
    put_row(b, "duplicates", w->duplicates, w->records);
    if (w->threshold)
        put_row(b, "near duplicates", w->nears, w->records);
    put_row(b, "left", r->rows, w->records);
    if (w->unread)
        sb_printf(b, "%llu of them are left since no single kernel can be read in them\n",
                  (unsigned long long)w->unread);
    if (o->output)
        sb_printf(b, "%llu records written to %s in %.2f s\n", (unsigned long long)r->rows,
                  o->output, r->seconds);
}

static int tell(const cli_args *args, const split_options *o, const split_result *r)
{
    strbuf text;
    sb_init(&text, args->arena->m);
    if (cli_has(args, OPT_JSON)) {
        dedup_put_json(&text, o->dedup);
        SB_LIT(&text, "\n");
    } else if (!cli_has(args, OPT_QUIET)) {
        put_table(&text, o, r);
    }
    const int status = subset_print(args, sb_view(&text));
    sb_clear(&text);
    return status;
}

int cmd_dedup(cli_args *args)
{
    split_options o = {.ratios = split_none()};
    split_result r;
    uint32_t threshold = 0;
    if (!subset_read_options(args, &o) || !cli_read_near(args, &threshold))
        return CLI_USAGE;
    o.dedup = ARENA_NEW(args->arena, dedup);
    dedup_init(o.dedup, args->arena->m, threshold);
    const int end = subset_run(args, &o, &r);
    const int status = end == STATUS_OK ? tell(args, &o, &r) : subset_tell_failure(&o, &r, end);
    dedup_clear(o.dedup);
    return status;
}
