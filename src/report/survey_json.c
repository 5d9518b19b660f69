/* SPDX-License-Identifier: Apache-2.0 */
/* A survey as JSON (weft stats --json), for programs.
 *
 *     {"records": 300, "bytes": 3105455, "sizes": {"min": 3792, "median": 9218, ...}, ...}
 *
 * The caller writes the braces, as it adds members of its own. Keys of tallies come from the data
 * and are escaped; the order of members is fixed. */
#include "base/json.h"
#include "report/survey.h"

static void put_number(strbuf *b, const char *key, uint64_t x, bool first)
{
    json_key(b, key, first);
    sb_uint(b, x);
}

/* A key that came with the data. */
static void put_key(strbuf *b, str key, bool first)
{
    if (!first)
        SB_LIT(b, ", ");
    json_string(b, key);
    SB_LIT(b, ": ");
}

/* {"loop": 250, ...}; with `bytes` a name for them, {"loop": {"records": 250, "bytes": 7}, ...} */
static void put_tally(strbuf *b, const tally *t, const char *bytes)
{
    SB_LIT(b, "{");
    for (uint32_t i = 0; i < t->rows.n; i++) {
        const tally_row *row = &t->rows.v[i];
        put_key(b, row->key, i == 0);
        if (!bytes) {
            sb_uint(b, row->n);
            continue;
        }
        SB_LIT(b, "{");
        put_number(b, "records", row->n, true);
        put_number(b, bytes, row->bytes, false);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "}");
}

static void put_sizes(strbuf *b, const survey *s)
{
    SB_LIT(b, ", \"sizes\": {");
    put_number(b, "min", s->smallest, true);
    put_number(b, "median", survey_median(s), false);
    put_number(b, "mean", survey_mean(s), false);
    put_number(b, "max", s->largest, false);
    SB_LIT(b, "}");
}

/* Facts that some records lack, by the key of the fact; {} if no record lacks any. */
static void put_missing(strbuf *b, const survey *s)
{
    bool first = true;
    SB_LIT(b, ", \"missing\": {");
    for (survey_fact f = 0; f < FACTS; f++) {
        if (!s->missing[f])
            continue;
        put_number(b, survey_fact_key(f), s->missing[f], first);
        first = false;
    }
    SB_LIT(b, "}");
}

/* {"different": 297, "repeated": 3, "largest": 2, "missing": 0}: "repeated" are those beyond the
 * first of each value, "largest" is how often the most frequent one comes. */
static void put_equals(strbuf *b, const char *key, const survey_keys *k)
{
    WEFT_ASSERT(k->distinct <= k->n);
    json_key(b, key, false);
    SB_LIT(b, "{");
    put_number(b, "different", k->distinct, true);
    put_number(b, "repeated", k->n - k->distinct, false);
    put_number(b, "largest", k->largest, false);
    put_number(b, "missing", k->missing, false);
    SB_LIT(b, "}");
}

/* All files, however many: a program that reads the JSON can cut the list itself. */
static void put_files(strbuf *b, const survey *s)
{
    SB_LIT(b, ", \"files\": [");
    for (uint32_t i = 0; i < s->files.n; i++) {
        sb_c(b, i ? ",\n{\"file\": " : "\n{\"file\": ");
        json_string(b, str_c(s->files.v[i].path));
        put_number(b, "rows", s->files.v[i].rows, false);
        put_number(b, "bytes", s->files.v[i].bytes, false);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "\n]");
}

/* Of the facts only categories have bytes beside their counts: their mean sizes are of interest. */
void survey_put_json(strbuf *b, const survey *s)
{
    put_number(b, "records", s->records, true);
    put_number(b, "bytes", s->bytes, false);
    put_sizes(b, s);
    SB_LIT(b, ", \"fields\": ");
    put_tally(b, &s->fields, "characters");
    put_missing(b, s);
    SB_LIT(b, ", \"unknown\": ");
    put_tally(b, &s->strangers, NULL);
    for (survey_fact f = 0; f < FACTS; f++) {
        json_key(b, survey_fact_key(f), false);
        put_tally(b, &s->facts[f], f == FACT_CATEGORY ? "bytes" : NULL);
    }
    put_number(b, "proved", s->proved, false);
    put_number(b, "inputs", s->inputs, false);
    put_number(b, "mutants", s->mutants, false);
    put_number(b, "killed", s->killed, false);
    put_equals(b, "structures", &s->structures);
    put_equals(b, "families", &s->families);
    put_files(b, s);
}
