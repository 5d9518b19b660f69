/* SPDX-License-Identifier: Apache-2.0 */
/* weft dedup: counts the records whose structure an earlier record has, and with --output writes
 * the data set without them. With --near also those that are similar to an earlier one.
 *
 *     records              number       share
 *     read                      6   100.000 %
 *     duplicates                0     0.000 %
 *     left                      6   100.000 % */
#include "base/format.h"
#include "cli/generate.h"
#include "cli/subset.h"

/* The share is in per cent of the records read. */
static void put_row(strbuf *b, const char *name, uint64_t n, uint64_t of)
{
    sb_printf(b, "%-16s %10llu   %7.3f %%\n", name, (unsigned long long)n,
              of ? 100.0 * (double)n / (double)of : 0.0);
}

static void put_table(strbuf *b, const weft_subset_options *o, const weft_subset *r)
{
    WEFT_ASSERT(r->left + r->duplicates + r->nears == r->records);
    SB_LIT(b, "records              number       share\n");
    put_row(b, "read", r->records, r->records);
    put_row(b, "duplicates", r->duplicates, r->records);
    if (o->near > 0)
        put_row(b, "near duplicates", r->nears, r->records);
    put_row(b, "left", r->left, r->records);
    if (r->unread)
        sb_printf(b, "%llu of them are left since no single kernel can be read in them\n",
                  (unsigned long long)r->unread);
    if (o->output)
        sb_printf(b, "%llu record%s written to %s in %.2f s\n", (unsigned long long)r->left,
                  plural_s(r->left), o->output, r->seconds);
}

int cmd_dedup(cli_args *args)
{
    weft_subset_options o = {0};
    weft_subset found;
    strbuf text;
    if (!subset_read_options(args, &o) || !cli_read_near(args, &o.near))
        return CLI_USAGE;
    int status = subset_run(args, weft_dedup, &o, &found);
    if (status != CLI_OK)
        return status;
    sb_init(&text, args->arena->m);
    if (cli_has(args, OPT_JSON)) {
        sb_c(&text, found.json);
        SB_LIT(&text, "\n");
    } else if (!cli_has(args, OPT_QUIET)) {
        put_table(&text, &o, &found);
    }
    status = cli_print(args, sb_view(&text));
    sb_clear(&text);
    return status;
}
