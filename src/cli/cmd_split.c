/* weft split: a data set divided into train, validation and test. */
#include "cli/subset.h"

static bool read_options(const cli_args *args, split_options *o)
{
    const char *ratios = cli_get(args, OPT_RATIOS);
    if (!subset_read_options(args, o))
        return false;
    if (!o->output)
        return cli_usage_error(args, "--output wants a folder"), false;
    if (!ratios)
        return cli_usage_error(args, "--ratios is missing"), false;
    const char *wrong = split_read_ratios(str_c(ratios), &o->ratios);
    if (wrong)
        return cli_usage_error(args, "--ratios '%s': %s", ratios, wrong), false;
    return true;
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

static int tell_summary(const cli_args *args, const split_options *o, const split_result *r)
{
    strbuf text;
    sb_init(&text, args->arena->m);
    put_summary(&text, o, r);
    const int status = subset_print(args, sb_view(&text));
    sb_clear(&text);
    return status;
}

int cmd_split(cli_args *args)
{
    split_options o = {0};
    split_result r;
    if (!read_options(args, &o))
        return CLI_USAGE;
    const int end = subset_run(args, &o, &r);
    if (end != STATUS_OK)
        return subset_tell_failure(&o, &r, end);
    return cli_has(args, OPT_QUIET) ? CLI_OK : tell_summary(args, &o, &r);
}
