/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a data set: counts a record into the sums, and writes stats.json from them.
 *
 *     sums   ->   {"command": "weft generate ...", "records": 300, ..., "loop_depth": {"0": 210}}
 *
 * All figures are computed by integers, so that every build writes the same bytes. */
#include "store/stats.h"

#include "base/json.h"
#include "store/store_command.h"

/* The place of x in a histogram of n places. */
static uint32_t capped(uint32_t x, uint32_t n)
{
    WEFT_ASSERT(n);
    return x < n ? x : n - 1;
}

/* Values beyond a histogram are counted in its last place. */
void stats_add(store_stats *s, const gen_sample *sample, const record_counts *counts, size_t bytes)
{
    WEFT_ASSERT(sample->category < GEN_CATEGORY_COUNT && sample->level <= GEN_LEVELS);
    s->records[sample->category]++;
    s->kinds[counts->kind]++;
    s->bytes[sample->category] += bytes;
    if (!s->smallest || bytes < s->smallest)
        s->smallest = bytes;
    if (bytes > s->largest)
        s->largest = bytes;
    s->source_bytes += sample->source.n;
    s->statements += sample->statements;
    s->branches += sample->branches;
    s->variables += counts->variables;
    if (counts->proof) {
        WEFT_ASSERT(counts->proof->status < CHECK_STATUSES);
        WEFT_ASSERT(counts->proof->killed <= counts->proof->mutants);
        s->proved[sample->category][counts->proof->status]++;
        s->mutants += counts->proof->mutants;
        s->killed += counts->proof->killed;
    }
    s->lines[capped(sample->lines, STATS_LINES_MAX)]++;
    s->args[capped(sample->nargs, STATS_ARGS_MAX)]++;
    s->levels[sample->level]++;
    s->depth[capped(sample->loop_depth, STATS_DEPTH_MAX)]++;
    for (uint32_t i = 0; i < sample->nbuiltins; i++)
        s->builtins[sample->builtins[i] % STATS_BUILTINS_MAX]++;
    /* productions are a set of bits: count those that are set; composed kernels have none */
    for (uint32_t word = 0; sample->productions && word < GEN_PRODUCTIONS_MAX / 64; word++)
        for (uint64_t bits = sample->productions[word]; bits; bits &= bits - 1)
            s->productions[64 * word + (uint32_t)__builtin_ctzll(bits)]++;
    s->unlisted += sample->unlisted;
}

static void add_all(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static uint64_t sum(const uint64_t *v, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += v[i];
    return total;
}

uint64_t stats_records(const store_stats *s)
{
    return sum(s->records, GEN_CATEGORY_COUNT);
}

uint64_t stats_bytes(const store_stats *s)
{
    return sum(s->bytes, GEN_CATEGORY_COUNT);
}

uint64_t stats_rejected(const store_stats *s)
{
    return sum(s->rejected, STATS_REJECTIONS);
}

uint64_t stats_proved(const store_stats *s, check_status status)
{
    WEFT_ASSERT(status < CHECK_STATUSES);
    uint64_t n = 0;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        n += s->proved[c][status];
    return n;
}

/* As stats.json calls it. */
const char *stats_rejection_name(uint32_t r)
{
    WEFT_ASSERT(r < STATS_REJECTIONS);
    switch (r) {
    case STATS_REJECT_COMPILE: return "compile";
    case STATS_REJECT_INADEQUATE: return "inadequate";
    case STATS_REJECT_GRADIENT: return "gradient";
    case STATS_REJECT_EXCLUDED: return "excluded";
    case STATS_REJECT_DUPLICATE: return "duplicate";
    case STATS_REJECT_NEAR: return "near_duplicate";
    case STATS_REJECT_SIZE: return "size";
    case STATS_REJECT_STANDALONE: return "no_standalone";
    case STATS_REJECT_DEFECT: return "defect";
    case STATS_REJECT_LONG: return "too_long";
    default: return check_reason_name((check_reason)r);
    }
}

/* Rounded to two places by integer arithmetic, so that every build writes the same. */
static void put_ratio(strbuf *b, uint64_t total, uint64_t count)
{
    uint64_t hundredths = count ? (total * 100 + count / 2) / count : 0;
    sb_uint(b, hundredths / 100);
    sb_char(b, '.');
    sb_char(b, (char)('0' + hundredths / 10 % 10));
    sb_char(b, (char)('0' + hundredths % 10));
}

static void put_number(strbuf *b, const char *key, uint64_t x)
{
    SB_LIT(b, ",\n  \"");
    sb_c(b, key);
    SB_LIT(b, "\": ");
    sb_uint(b, x);
}

/* "mean_bytes": 21004.25, after a comma; 0.00 where there is nothing to count. */
static void put_mean(strbuf *b, const char *key, uint64_t total, uint64_t count)
{
    SB_LIT(b, ",\n  \"");
    sb_c(b, key);
    SB_LIT(b, "\": ");
    put_ratio(b, total, count);
}

/* {"3": 17, "5": 2}: values that occur. */
static void put_histogram(strbuf *b, const char *key, const uint64_t *v, size_t n)
{
    bool first = true;
    SB_LIT(b, ",\n  \"");
    sb_c(b, key);
    SB_LIT(b, "\": {");
    for (size_t i = 0; i < n; i++) {
        if (!v[i])
            continue;
        sb_c(b, first ? "\"" : ", \"");
        sb_uint(b, i);
        SB_LIT(b, "\": ");
        sb_uint(b, v[i]);
        first = false;
    }
    SB_LIT(b, "}");
}

/* , "exact": 95, "warp_differs": 3, ...: a failed pair is never written, so it has no place. */
static void put_statuses(strbuf *b, const uint64_t *proved)
{
    for (uint32_t i = 0; i < CHECK_FAILED; i++) {
        json_key(b, check_status_name((check_status)i), false);
        sb_uint(b, proved[i]);
    }
}

static void put_verification(strbuf *b, const store_stats *s)
{
    uint64_t all[CHECK_STATUSES] = {0};
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        add_all(all, s->proved[c], CHECK_STATUSES);
    SB_LIT(b, ",\n  \"verification\": {\"mutants\": ");
    sb_uint(b, s->mutants);
    SB_LIT(b, ", \"killed\": ");
    sb_uint(b, s->killed);
    put_statuses(b, all);
    SB_LIT(b, ", \"suspects\": ");
    sb_uint(b, s->suspects);
    SB_LIT(b, "}");
    SB_LIT(b, ",\n  \"rejected\": {\"all\": ");
    sb_uint(b, stats_rejected(s));
    for (uint32_t i = 0; i < STATS_REJECTIONS; i++) {
        json_key(b, stats_rejection_name(i), false);
        sb_uint(b, s->rejected[i]);
    }
    SB_LIT(b, "}");
}

/* Of the good candidates, the percentage that was refused because an earlier one is like it. */
static void put_duplicates(strbuf *b, const store_stats *s)
{
    const uint64_t equal = s->rejected[STATS_REJECT_DUPLICATE],
                   near = s->rejected[STATS_REJECT_NEAR];
    const uint64_t good = stats_records(s) + equal + near;
    put_mean(b, "duplicate_percent", 100 * equal, good);
    put_mean(b, "near_duplicate_percent", 100 * near, good);
}

/* "categories": {"loop": {"records": 1, "bytes": 16910, "mean_bytes": 16910.00, ...}} */
static void put_categories(strbuf *b, const store_stats *s)
{
    bool first = true;
    SB_LIT(b, ",\n  \"categories\": {");
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (!s->records[c])
            continue;
        sb_c(b, first ? "\n    \"" : ",\n    \"");
        sb_c(b, gen_category_name((gen_category)c));
        SB_LIT(b, "\": {\"records\": ");
        sb_uint(b, s->records[c]);
        SB_LIT(b, ", \"bytes\": ");
        sb_uint(b, s->bytes[c]);
        SB_LIT(b, ", \"mean_bytes\": ");
        put_ratio(b, s->bytes[c], s->records[c]);
        put_statuses(b, s->proved[c]);
        SB_LIT(b, "}");
        first = false;
    }
    SB_LIT(b, "\n  }");
}

/* "kinds": {"purpose": 27, "exercise": 3} */
static void put_kinds(strbuf *b, const store_stats *s)
{
    bool first = true;
    SB_LIT(b, ",\n  \"kinds\": {");
    for (int i = 0; i < RECORD_KINDS; i++) {
        if (!s->kinds[i])
            continue;
        json_key(b, record_kind_name((record_kind)i), first);
        sb_uint(b, s->kinds[i]);
        first = false;
    }
    SB_LIT(b, "}");
}

/* "builtins": {"acos": 1, ...}: how many records use each; those that none uses are left out. */
static void put_builtins(strbuf *b, const store_stats *s)
{
    WEFT_ASSERT(gen_builtin_count() <= STATS_BUILTINS_MAX);
    bool first = true;
    SB_LIT(b, ",\n  \"builtins\": {");
    for (uint32_t i = 0; i < gen_builtin_count(); i++) {
        if (!s->builtins[i])
            continue;
        json_key(b, gen_builtin_name(i), first);
        sb_uint(b, s->builtins[i]);
        first = false;
    }
    SB_LIT(b, "}");
}

void stats_put_json(strbuf *b, const record_options *o, const store_stats *s)
{
    uint64_t n = stats_records(s);
    SB_LIT(b, "{\n  \"command\": \"");
    store_put_command(b, o);
    SB_LIT(b, "\"");
    put_number(b, "records", n);
    put_kinds(b, s);
    put_number(b, "bytes", stats_bytes(s));
    put_mean(b, "mean_bytes", stats_bytes(s), n);
    put_number(b, "smallest_bytes", s->smallest);
    put_number(b, "largest_bytes", s->largest);
    put_verification(b, s);
    put_duplicates(b, s);
    put_mean(b, "mean_source_bytes", s->source_bytes, n);
    put_mean(b, "mean_statements", s->statements, n);
    put_mean(b, "mean_variables", s->variables, n);
    put_mean(b, "mean_branches", s->branches, n);
    put_histogram(b, "difficulty", s->levels, GEN_LEVELS + 1);
    put_histogram(b, "source_lines", s->lines, STATS_LINES_MAX);
    put_histogram(b, "arguments", s->args, STATS_ARGS_MAX);
    put_histogram(b, "loop_depth", s->depth, STATS_DEPTH_MAX);
    put_categories(b, s);
    put_builtins(b, s);
    coverage_put_json(b, s);
    SB_LIT(b, "\n}\n");
}
