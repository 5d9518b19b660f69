/* SPDX-License-Identifier: Apache-2.0 */
/* weft split: a data set divided into train, validation and test. weft_split does the work and
 * keeps the records of one family in one split; this file prints the table:
 *
 *     split        records      share   size
 *     train              3    50.000 %   26.0 kB
 *     test               3    50.000 %   26.4 kB
 *     6 records written to sp in 0.04 s; no family is in two splits */
#include "base/format.h"
#include "cli/subset.h"

/* Shares are of the records written. */
static void put_summary(strbuf *b, const char *folder, const weft_subset *r)
{
    SB_LIT(b, "split        records      share   size\n");
    for (uint32_t i = 0; i < r->part_count; i++) {
        sb_printf(b, "%-10s %9llu   %7.3f %%   ", r->parts[i].name,
                  (unsigned long long)r->parts[i].records,
                  r->left ? 100.0 * (double)r->parts[i].records / (double)r->left : 0.0);
        sb_size(b, r->parts[i].bytes);
        SB_LIT(b, "\n");
    }
    sb_printf(b, "%llu record%s written to %s in %.2f s; no family is in two splits\n",
              (unsigned long long)r->left, plural_s(r->left), folder, r->seconds);
}

int cmd_split(cli_args *args)
{
    weft_subset_options o = {.ratios = cli_get(args, OPT_RATIOS)};
    weft_subset found;
    strbuf text;
    if (!subset_read_options(args, &o))
        return CLI_USAGE;
    int status = subset_run(args, weft_split, &o, &found);
    if (status != CLI_OK || cli_has(args, OPT_QUIET))
        return status;
    sb_init(&text, args->arena->m);
    put_summary(&text, o.output, &found);
    status = cli_print(args, sb_view(&text));
    sb_clear(&text);
    return status;
}
