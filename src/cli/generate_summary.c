/* The summary of a run: a table and what to do next. */
#include <stdio.h>

#include "cli/generate.h"
#include "store/stats.h"

static void put_table(strbuf *b, const store_outcome *r)
{
    const store_stats *s = &r->stats;
    SB_LIT(b, "category              pairs   mean size\n");
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (!s->records[c])
            continue;
        sb_printf(b, "%-18s %8llu   ", gen_category_name((gen_category)c),
                  (unsigned long long)s->records[c]);
        sb_size(b, s->bytes[c] / s->records[c]);
        SB_LIT(b, "\n");
    }
    sb_printf(b, "%-18s %8llu   ", "all", (unsigned long long)r->rows);
    sb_size(b, r->rows ? r->bytes / r->rows : 0);
    SB_LIT(b, "\n");
}

static void put_next(strbuf *b, const record_options *o, const store_outcome *r)
{
    if (!o->output)
        return;
    sb_printf(b, "written to %s", o->output);
    if (!r->sample) {
        SB_LIT(b, "\n");
        return;
    }
    SB_LIT(b, "; ");
    sb_printf(b,
              o->format != STORE_JSONL   ? "for a look: %s\n"
              : o->compress == PACK_ZSTD ? "for a look: zstdcat %s | head -1\n"
              : o->compress == PACK_GZIP ? "for a look: zcat %s | head -1\n"
                                         : "for a look: head -1 %s\n",
              r->sample);
    if (o->format == STORE_STANDALONE)
        sb_printf(b, "next: make -C FOLDER%s, and run what it built: it prints PASS or FAIL\n",
                  o->cpu_shim ? " cpu" : ", with nvcc (without CUDA: --cpu-shim)");
    else if (o->format == STORE_FILES)
        sb_printf(
            b,
            "next: more pairs in shards for training: weft generate --count 30000 --output DIR\n");
    else if (o->parts > 1)
        sb_printf(b, "next, when all %llu parts are there: weft merge PART... --output DIR\n",
                  (unsigned long long)o->parts);
    else
        sb_printf(b,
                  "next: in Python, datasets.load_dataset(\"%s\"); the card is %s/README.md; as a "
                  "page with plots and samples: weft report %s\n",
                  o->output, o->output, o->output);
}

static void put_proof(strbuf *b, const store_stats *s)
{
    bool first = true;
    for (uint32_t i = 0; i < CHECK_STATUSES; i++) {
        const unsigned long long n = stats_proved(s, (check_status)i);
        if (!n)
            continue;
        sb_printf(b, "%s%s %llu", first ? "verified: " : ", ", check_status_name((check_status)i),
                  n);
        first = false;
    }
    if (!first)
        sb_printf(b, "; %llu of %llu mutants killed\n", (unsigned long long)s->killed,
                  (unsigned long long)s->mutants);
}

static void put_rejections(strbuf *b, const store_stats *s)
{
    bool first = true;
    for (uint32_t i = 0; i < STATS_REJECTIONS; i++) {
        if (!s->rejected[i])
            continue;
        sb_printf(b, "%s%s %llu", first ? "made anew: " : ", ", stats_rejection_name(i),
                  (unsigned long long)s->rejected[i]);
        first = false;
    }
    if (!first)
        SB_LIT(b, "\n");
}

void summary_suspects(const store_outcome *r)
{
    if (r->stats.suspects)
        fprintf(stderr,
                "weft: candidates that failed in a way that points to a bug in weft, and were not "
                "written: %llu. The first: %s\n",
                (unsigned long long)r->stats.suspects, r->stats.suspect);
}

void summary_print(arena *a, const record_options *o, const store_outcome *r)
{
    strbuf b;
    sb_init(&b, a->m);
    if (r->was_there) {
        sb_printf(&b, "weft: %s already holds this data set, whole: %llu pairs; nothing was made\n",
                  o->output, (unsigned long long)r->rows);
        fwrite(b.p, 1, b.n, stderr);
        sb_clear(&b);
        return;
    }
    put_table(&b, r);
    sb_size(&b, r->bytes);
    sb_printf(&b, " in %.2f s: %.0f pairs/s", r->seconds,
              (double)(r->rows - r->kept) / (r->seconds + 1e-9));
    if (r->kept)
        sb_printf(&b, "; %llu pairs were there", (unsigned long long)r->kept);
    SB_LIT(&b, "\n");
    if (!o->no_verify)
        put_proof(&b, &r->stats);
    put_rejections(&b, &r->stats);
    put_next(&b, o, r);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

void summary_timings(arena *a, store_outcome *r)
{
    strbuf b;
    sb_init(&b, a->m);
    stage_report(&r->clock, &b);
    fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}
