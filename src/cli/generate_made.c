/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of weft generate: a table, what was verified, and what to do next.
 *
 *     category              pairs   mean size
 *     arithmetic                1   12.5 kB
 *     conditional               1   7.5 kB
 *     ...
 *     all                       6   8.8 kB
 *     52.5 kB in 0.09 s: 66 pairs/s
 *     verified: exact 6; 79 of 80 mutants killed
 *     written to gs; for a look: weft show gs 0-000000000 */
#include <stdio.h>

#include "base/format.h"
#include "cli/generate.h"

static void put_table(strbuf *b, const weft_generated *made)
{
    SB_LIT(b, "category              pairs   mean size\n");
    for (size_t i = 0; i < made->category_count; i++) {
        const weft_count *c = &made->categories[i];
        WEFT_ASSERT(c->records); /* others are not listed */
        sb_printf(b, "%-18s %8llu   ", c->name, (unsigned long long)c->records);
        sb_size(b, c->bytes / c->records);
        SB_LIT(b, "\n");
    }
    sb_printf(b, "%-18s %8llu   ", "all", (unsigned long long)made->rows);
    sb_size(b, made->rows ? made->bytes / made->rows : 0);
    SB_LIT(b, "\n");
}

/* Prints a command that shows the first record, and what to do with the set: a format may have its
 * own sentence (made->next), a part of a run is merged before it is loaded. Nothing for a stream.
 * */
static void put_next(strbuf *b, const weft_generate_options *o, const weft_generated *made)
{
    if (!o->output)
        return;
    sb_printf(b, "written to %s", o->output);
    if (!made->sample) {
        SB_LIT(b, "\n");
        return;
    }
    if (made->shards)
        sb_printf(b, "; for a look: weft show %s %s\n", o->output, made->first);
    else
        sb_printf(b, "; for a look: %s\n", made->sample);
    if (made->next)
        sb_printf(b, "next: %s\n", made->next);
    else if (o->parts > 1)
        sb_printf(b, "next, when all %llu parts are there: weft merge PART... --output DIR\n",
                  (unsigned long long)o->parts);
    else
        sb_printf(b,
                  "next: datasets.load_dataset(\"%s\") in Python; the card is %s/README.md\n"
                  "      plots and samples as a page: weft report %s\n",
                  o->output, o->output, o->output);
}

/* "made anew: size 3, duplicate 1\n"; nothing, if there is nothing. */
static bool put_counts(strbuf *b, const char *title, const weft_count *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sb_printf(b, "%s%s %llu", i ? ", " : title, counts[i].name,
                  (unsigned long long)counts[i].records);
    return n > 0;
}

/* The speed counts only pairs made in this run: those kept by --resume took no time. */
static void put_all(strbuf *b, const weft_generate_options *o, const weft_generated *made)
{
    WEFT_ASSERT(made->kept <= made->rows && made->killed <= made->mutants);
    if (made->was_there) {
        sb_printf(b, "weft: %s already holds this data set, whole: %llu pair%s; nothing was made\n",
                  o->output, (unsigned long long)made->rows, plural_s(made->rows));
        return;
    }
    put_table(b, made);
    sb_size(b, made->bytes);
    sb_printf(b, " in %.2f s: %.0f pairs/s", made->seconds,
              (double)(made->rows - made->kept) / (made->seconds + 1e-9));
    if (made->kept)
        sb_printf(b, "; %llu pair%s there", (unsigned long long)made->kept,
                  made->kept == 1 ? " was" : "s were");
    SB_LIT(b, "\n");
    if (made->kind_count > 1 && put_counts(b, "kinds: ", made->kinds, made->kind_count))
        SB_LIT(b, "\n");
    if (!o->no_verify && put_counts(b, "verified: ", made->proofs, made->proof_count))
        sb_printf(b, "; %llu of %llu mutants killed\n", (unsigned long long)made->killed,
                  (unsigned long long)made->mutants);
    if (put_counts(b, "made anew: ", made->refused, made->refused_count))
        SB_LIT(b, "\n");
    put_next(b, o, made);
}

void generate_put_made(strbuf *b, const weft_generate_options *o, bool quiet,
                       const weft_generated *made)
{
    if (!quiet)
        put_all(b, o, made);
    if (made->suspects)
        sb_printf(b,
                  "weft: candidates that failed in a way that points to a bug in weft, and were "
                  "not written: %llu. The first: %s\n",
                  (unsigned long long)made->suspects, made->suspect);
    if (made->timings)
        sb_c(b, made->timings);
}
