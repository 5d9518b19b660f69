/* SPDX-License-Identifier: Apache-2.0 */
/* A survey as a table for people (weft stats).
 *
 *     category                   records    share
 *       arithmetic                    25    8.3 %  mean 10031 bytes
 *       atomic                        25    8.3 %  mean 8720 bytes
 *
 * Long tallies are cut after some rows; survey_put_json has all of them. */
#include "base/format.h"
#include "report/survey.h"

/* Lowest, highest and mean of whole numbers. */
typedef struct range {
    uint64_t low, high;
    double mean;
} range;

/* Keys are digits only: tally_add_number made them. */
static range range_of(const tally *t)
{
    range r = {0};
    double sum = 0, n = 0;
    for (uint32_t i = 0; i < t->rows.n; i++) {
        uint64_t x = 0;
        for (size_t k = 0; k < t->rows.v[i].key.n; k++)
            x = x * 10 + (uint64_t)(t->rows.v[i].key.p[k] - '0');
        if (!i || x < r.low)
            r.low = x;
        if (!i || x > r.high)
            r.high = x;
        sum += (double)x * (double)t->rows.v[i].n;
        n += (double)t->rows.v[i].n;
    }
    r.mean = n > 0 ? sum / n : 0;
    return r;
}

/* Columns of the names in tables. */
enum { LABEL = 24 };

/* Text from the data, padded to `width` columns. Control characters become "?", since escape
 * sequences of a hostile record must not reach the terminal. */
static void put_shown(strbuf *b, str s, size_t width)
{
    size_t columns = 0;
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.p[i];
        sb_char(b, c < 0x20 || c == 0x7f ? '?' : s.p[i]);
        columns += (c & 0xc0) != 0x80;
    }
    sb_repeat(b, ' ', columns < width ? width - columns : 0);
}

/* The line above a table: its title, padded, and the names of its columns. */
static void put_wide_head(strbuf *b, const char *title, size_t width, const char *columns)
{
    SB_LIT(b, "\n");
    put_shown(b, str_c(title), width);
    sb_c(b, columns);
    SB_LIT(b, "\n");
}

static void put_head(strbuf *b, const char *title, const char *columns)
{
    put_wide_head(b, title, LABEL, columns);
}

static void put_share(strbuf *b, uint64_t n, uint64_t of)
{
    sb_printf(b, "%10llu %6.1f %%", (unsigned long long)n,
              of ? 100.0 * (double)n / (double)of : 0.0);
}

static void put_count(strbuf *b, const char *label, uint64_t n, uint64_t of)
{
    SB_LIT(b, "  ");
    put_shown(b, str_c(label), LABEL - 2);
    put_share(b, n, of);
    SB_LIT(b, "\n");
}

/* Room for the longest of the first keys. */
static size_t label_width(const tally *t, uint32_t most)
{
    size_t width = LABEL;
    for (uint32_t i = 0; i < t->rows.n && i < most; i++)
        if (t->rows.v[i].key.n + 2 > width)
            width = t->rows.v[i].key.n + 2;
    return width;
}

/* A tally: its first `most` rows, then a line with how many more there are, and one for the records
 * that lack the fact. */
static void put_tally(strbuf *b, const survey *s, survey_fact f, uint32_t most)
{
    const tally *t = &s->facts[f];
    const size_t width = label_width(t, most);
    if (!t->rows.n)
        return;
    put_wide_head(b, survey_fact_title(f), width, "   records    share");
    for (uint32_t i = 0; i < t->rows.n && i < most; i++) {
        SB_LIT(b, "  ");
        put_shown(b, t->rows.v[i].key, width - 2);
        WEFT_ASSERT(t->rows.v[i].n);
        put_share(b, t->rows.v[i].n, s->records);
        if (f == FACT_CATEGORY)
            sb_printf(b, "  mean %llu bytes",
                      (unsigned long long)(t->rows.v[i].bytes / t->rows.v[i].n));
        SB_LIT(b, "\n");
    }
    if (t->rows.n > most)
        sb_printf(b, "  and %u more\n", t->rows.n - most);
    if (s->missing[f])
        put_count(b, "(missing)", s->missing[f], s->records);
}

/* Facts that are whole numbers of many values, each as one line: lowest, mean, highest. */
static void put_ranges(strbuf *b, const survey *s)
{
    static const survey_fact facts[] = {FACT_LINES,    FACT_STATEMENTS, FACT_VARIABLES,
                                        FACT_BRANCHES, FACT_ARGUMENTS,  FACT_DEPTH};
    put_head(b, "per record", "       min       mean        max    missing");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const range r = range_of(&s->facts[facts[i]]);
        SB_LIT(b, "  ");
        put_shown(b, str_c(survey_fact_title(facts[i])), LABEL - 2);
        sb_printf(b, "%10llu %10.1f %10llu %10llu\n", (unsigned long long)r.low, r.mean,
                  (unsigned long long)r.high, (unsigned long long)s->missing[facts[i]]);
    }
}

static void put_keys(strbuf *b, const survey *s, const char *title, const survey_keys *k)
{
    put_head(b, title, "   records    share");
    if (k->n) {
        put_count(b, "different", k->distinct, s->records);
        put_count(b, "repeated", k->n - k->distinct, s->records);
        put_count(b, "most of one", k->largest, s->records);
    }
    if (k->missing)
        put_count(b, "(missing)", k->missing, s->records);
}

static void put_files(strbuf *b, const survey *s)
{
    enum { MOST = 20 };
    put_head(b, "files", "      rows       size");
    for (uint32_t i = 0; i < s->files.n && i < MOST; i++) {
        sb_printf(b, "%*s%10llu   ", LABEL, "", (unsigned long long)s->files.v[i].rows);
        sb_size(b, s->files.v[i].bytes);
        SB_LIT(b, "   ");
        put_shown(b, str_c(s->files.v[i].path), 0);
        SB_LIT(b, "\n");
    }
    if (s->files.n > MOST)
        sb_printf(b, "  and %u more\n", s->files.n - MOST);
}

/* The records' own keys, then the keys of metadata that this version of weft does not have. */
static void put_fields(strbuf *b, const survey *s)
{
    put_head(b, "fields", "   records   mean characters");
    for (uint32_t i = 0; i < s->fields.rows.n; i++) {
        const tally_row *row = &s->fields.rows.v[i];
        SB_LIT(b, "  ");
        put_shown(b, row->key, LABEL - 2);
        sb_printf(b, "%10llu", (unsigned long long)row->n);
        if (row->bytes)
            sb_printf(b, " %17llu", (unsigned long long)(row->bytes / row->n));
        SB_LIT(b, "\n");
    }
    for (uint32_t i = 0; i < s->strangers.rows.n; i++) {
        SB_LIT(b, "  metadata.");
        put_shown(b, s->strangers.rows.v[i].key, LABEL - 11);
        sb_printf(b, "%10llu   (not known here)\n", (unsigned long long)s->strangers.rows.v[i].n);
    }
}

/* What the records consist of. */
static void put_contents(strbuf *b, const survey *s)
{
    sb_printf(b, "bytes a record: min %llu, median %llu, mean %llu, max %llu\n",
              (unsigned long long)s->smallest, (unsigned long long)survey_median(s),
              (unsigned long long)survey_mean(s), (unsigned long long)s->largest);
    put_fields(b, s);
    put_tally(b, s, FACT_ORIGIN, UINT32_MAX);
    put_tally(b, s, FACT_CATEGORY, UINT32_MAX);
    put_tally(b, s, FACT_DIFFICULTY, UINT32_MAX);
    put_tally(b, s, FACT_TASK, UINT32_MAX);
    put_tally(b, s, FACT_DEFECT, UINT32_MAX);
    put_ranges(b, s);
    put_tally(b, s, FACT_DEPTH, 8);
    put_tally(b, s, FACT_STATUS, 12);
    put_tally(b, s, FACT_CLASS, 20);
    if (s->mutants)
        sb_printf(b, "  %.1f sets of inputs a record; %llu of %llu mutants killed\n",
                  (double)s->inputs / (double)s->records, (unsigned long long)s->killed,
                  (unsigned long long)s->mutants);
    put_keys(b, s, "structures", &s->structures);
    put_keys(b, s, "families", &s->families);
    put_tally(b, s, FACT_BUILTINS, 20);
    put_tally(b, s, FACT_TYPES, 20);
}

void survey_put_table(strbuf *b, const survey *s)
{
    sb_printf(b, "%llu record%s in %u file%s, ", (unsigned long long)s->records,
              plural_s(s->records), s->files.n, plural_s(s->files.n));
    sb_size(b, s->bytes);
    sb_printf(b, " (%llu byte%s)\n", (unsigned long long)s->bytes, plural_s(s->bytes));
    if (s->records)
        put_contents(b, s);
    if (s->files.n)
        put_files(b, s);
    if (s->problems)
        sb_printf(b, "\n%llu problem%s: see above\n", (unsigned long long)s->problems,
                  plural_s(s->problems));
}
