/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report that are figures and plots: summary, contents, verification, making.
 * Their figures come from the survey, that is from the records; stats.json adds the candidates that
 * were thrown away, and manifest.json the command.
 *
 *     30 records of 282,807 bytes   ->
 *
 *     <dl class="tiles"><div><dt>Records</dt><dd>30</dd></div>
 *     <div><dt>Size</dt><dd>282.8 kB</dd></div> ...
 *
 * All three may be damaged or of another program: what is missing is left out of the page. */
#include "base/format.h"
#include "report/report_page.h"

/* A string member; NULL where it is missing, has another type, or there is no object. */
static const char *text_in(const json_value *object, const char *key)
{
    const json_value *v = json_get(object, key);
    return json_is(v, JSON_TYPE_STRING) ? v->text.p : NULL;
}

/* --- tallies as plots ---------------------------------------------------------------------- */

/* The first `most` rows as bars, one for the others together, and one for records that lack the
 * fact. A record has several builtins and types: the others of these are no number of records. */
static plot_bars bars_of(report_page *p, survey_fact f, uint32_t most)
{
    const tally *t = &p->s->facts[f];
    plot_bars bars = {0};
    uint64_t others = t->others;
    for (uint32_t i = 0; i < t->rows.n; i++) {
        const plot_bar bar = {t->rows.v[i].key, t->rows.v[i].n, NULL};
        if (i < most)
            VEC_PUSH(p->a, &bars, bar);
        else
            others += t->rows.v[i].n;
    }
    if (others && f != FACT_BUILTINS && f != FACT_TYPES) {
        const plot_bar bar = {STR("(others)"), others, "other"};
        VEC_PUSH(p->a, &bars, bar);
    }
    if (p->s->missing[f]) {
        const plot_bar bar = {STR("(missing)"), p->s->missing[f], "other"};
        VEC_PUSH(p->a, &bars, bar);
    }
    return bars;
}

/* A fact's tally as a plot, which is left out if no record has the fact. */
static void put_bars(report_page *p, const char *title, survey_fact f, uint32_t most)
{
    const plot_bars bars = bars_of(p, f, most);
    if (bars.n && p->s->facts[f].rows.n)
        plot_put_bars(p->b, title, "records", &bars, p->s->records);
}

/* Keys of number tallies are digits only: tally_add_number made them. */
static uint64_t number_of(str s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n = n * 10 + (uint64_t)(s.p[i] - '0');
    WEFT_ASSERT(s.n);
    return n;
}

/* Whole numbers, in bins so wide that at most BINS of them reach the value below which 99.5 % of
 * the records lie; those above stand in the last bin. */
static void put_numbers(report_page *p, const char *title, const char *x, survey_fact f)
{
    enum { BINS = 48 };
    static const uint64_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    const tally *t = &p->s->facts[f];
    const uint64_t all = tally_sum(t);
    uint64_t bins[BINS + 1] = {0}, seen = 0, last = 0;
    uint32_t k = 0;
    if (!t->rows.n)
        return;
    for (uint32_t i = 0; i < t->rows.n && 1000 * seen < 995 * all; i++) {
        seen += t->rows.v[i].n;
        last = number_of(t->rows.v[i].key);
    }
    while (k + 1 < sizeof steps / sizeof *steps && last / steps[k] >= BINS)
        k++;
    uint64_t n = last / steps[k] + 1;
    if (n > BINS)
        n = BINS;
    uint64_t above = 0;
    for (uint32_t i = 0; i < t->rows.n; i++) {
        const uint64_t bin = number_of(t->rows.v[i].key) / steps[k];
        if (bin < n)
            bins[bin] += t->rows.v[i].n;
        else
            above += t->rows.v[i].n;
    }
    strbuf note;
    sb_init(&note, p->a->m);
    sb_printf(&note, above == 1 ? "%llu record lies above." : "%llu records lie above.",
              (unsigned long long)above);
    WEFT_ASSERT(n >= 1 && n <= BINS);
    const plot_histogram h = {.title = title,
                              .x = x,
                              .y = "records",
                              .bins = bins,
                              .n = (uint32_t)n,
                              .step = (double)steps[k],
                              .whole = true,
                              .note = above ? sb_cstr(&note) : NULL};
    plot_put_histogram(p->b, &h);
    sb_clear(&note);
}

/* Sizes in kB, with the bins chosen as in put_numbers. The survey keeps counters of sizes and not
 * the sizes: `last` is the slot below which 99.5 % of the records lie, and each counter goes to the
 * bin of its slot's smallest size. */
static void put_sizes(report_page *p)
{
    enum { BINS = 50 };
    static const double steps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000};
    const survey *s = p->s;
    uint64_t bins[BINS] = {0}, seen = 0, above = 0;
    uint32_t last = 0, k = 0;
    for (; last + 1 < SIZES_SLOTS && 1000 * seen < 995 * s->records; last++)
        seen += s->sizes[last];
    const double end = (double)survey_size_of_slot(last) / 1000;
    while (k + 1 < sizeof steps / sizeof *steps && end / steps[k] >= BINS)
        k++;
    for (uint32_t i = 0; i < SIZES_SLOTS; i++) {
        const double bin = (double)survey_size_of_slot(i) / 1000 / steps[k];
        if (bin < BINS && i <= last)
            bins[(uint32_t)bin] += s->sizes[i];
        else
            above += s->sizes[i];
    }
    strbuf note;
    sb_init(&note, p->a->m);
    sb_printf(&note, "%llu record%s larger, up to %.1f kB.", (unsigned long long)above,
              above == 1 ? " is" : "s are", (double)s->largest / 1000);
    const uint32_t n = (uint32_t)(end / steps[k]) + 1;
    const plot_histogram h = {.title = "Size of a record",
                              .x = "kB (1,000 bytes of JSON)",
                              .y = "records",
                              .bins = bins,
                              .n = n < BINS ? n : BINS,
                              .step = steps[k],
                              .mark = (double)survey_median(s) / 1000,
                              .mark_name = "median",
                              .note = above ? sb_cstr(&note) : NULL};
    plot_put_histogram(p->b, &h);
    sb_clear(&note);
}

/* --- summary ------------------------------------------------------------------------------- */

void report_open_tile(report_page *p, const char *title)
{
    SB_LIT(p->b, "<div><dt>");
    html_c(p->b, title);
    SB_LIT(p->b, "</dt><dd>");
}

static void put_tile(report_page *p, const char *title, uint64_t n)
{
    report_open_tile(p, title);
    html_count(p->b, n);
    SB_LIT(p->b, "</dd></div>");
}

static void put_size_tile(report_page *p, const char *title, uint64_t bytes)
{
    report_open_tile(p, title);
    sb_size(p->b, bytes);
    SB_LIT(p->b, "</dd></div>");
}

/* Fingerprints and problems have tiles only where there are any. */
static void put_tiles(report_page *p)
{
    const survey *s = p->s;
    SB_LIT(p->b, "<dl class=\"tiles\">");
    put_tile(p, "Records", s->records);
    put_size_tile(p, "Size", s->bytes);
    put_size_tile(p, "Mean record", survey_mean(s));
    report_open_tile(p, "Executed and proved");
    html_share(p->b, s->proved, s->records);
    SB_LIT(p->b, "</dd></div>");
    if (s->structures.n)
        put_tile(p, "Different structures", s->structures.distinct);
    if (s->families.n)
        put_tile(p, "Families", s->families.distinct);
    if (s->problems)
        put_tile(p, "Problems", s->problems);
    SB_LIT(p->b, "</dl>\n");
}

/* A row of a table of facts; none where the value is NULL. `code`: in a font of fixed width. */
static void put_row(report_page *p, const char *name, const char *value, bool code)
{
    if (!value)
        return;
    SB_LIT(p->b, "<tr><th scope=\"row\">");
    html_c(p->b, name);
    sb_c(p->b, code ? "</th><td><code>" : "</th><td>");
    html_c(p->b, value);
    sb_c(p->b, code ? "</code></td></tr>\n" : "</td></tr>\n");
}

/* The value that most records have; NULL: no record has one. The first row is that value, since
 * survey_finish sorts the rows of this fact by count. */
static const char *most_frequent(const report_page *p, survey_fact f)
{
    const tally *t = &p->s->facts[f];
    return t->rows.n ? arena_dup(p->a, t->rows.v[0].key.p, t->rows.v[0].key.n) : NULL;
}

/* Below the folder, where the path says so. */
static str short_path(const report_page *p, const char *path)
{
    const size_t n = strlen(p->o->path);
    if (strncmp(path, p->o->path, n) == 0 && path[n] == '/')
        return str_c(path + n + 1);
    return str_c(path);
}

/* At most 200 rows: a set of programs may have a file for each of any number of records. */
static void put_files(report_page *p)
{
    enum { MOST = 200 };
    const survey *s = p->s;
    SB_LIT(p->b, "<details class=\"table\"><summary>");
    html_count(p->b, s->files.n);
    sb_printf(p->b, " file%s", plural_s(s->files.n));
    SB_LIT(p->b, "</summary><div class=\"wide\" tabindex=\"0\"><table><thead><tr><th "
                 "scope=\"col\">file</th><th scope=\"col\" class=\"number\">rows</th><th "
                 "scope=\"col\" class=\"number\">size</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < s->files.n && i < MOST; i++) {
        SB_LIT(p->b, "<tr><td><code>");
        html_text(p->b, short_path(p, s->files.v[i].path));
        SB_LIT(p->b, "</code></td><td class=\"number\">");
        html_count(p->b, s->files.v[i].rows);
        SB_LIT(p->b, "</td><td class=\"number\">");
        sb_size(p->b, s->files.v[i].bytes);
        SB_LIT(p->b, "</td></tr>\n");
    }
    SB_LIT(p->b, "</tbody></table></div>");
    if (s->files.n > MOST)
        SB_LIT(p->b, "<p class=\"note\">The first 200.</p>");
    SB_LIT(p->b, "</details>\n");
}

void report_put_summary(report_page *p)
{
    report_open_section(p, "summary", "Summary");
    put_tiles(p);
    SB_LIT(p->b, "<table class=\"facts\">\n");
    put_row(p, "Command", text_in(p->manifest, "command"), true);
    put_row(p, "Schema", most_frequent(p, FACT_SCHEMA), true);
    put_row(p, "weft", most_frequent(p, FACT_WEFT), false);
    put_row(p, "warp-lang", most_frequent(p, FACT_WARP), false);
    put_row(p, "Device", most_frequent(p, FACT_DEVICE), false);
    SB_LIT(p->b, "</table>\n");
    put_files(p);
    SB_LIT(p->b, "</section>\n");
}

/* --- contents ------------------------------------------------------------------------------ */

/* One sentence that names the facts that some records lack, each with the number of these records:
 * without it, the sums of a plot would seem wrong. */
static void put_missing(report_page *p)
{
    bool any = false;
    for (survey_fact f = 0; f < FACTS; f++) {
        if (!p->s->missing[f])
            continue;
        sb_c(p->b, any ? ", <code>" : "<p class=\"note\">Missing in some records: <code>");
        html_c(p->b, survey_fact_key(f));
        SB_LIT(p->b, "</code> (");
        html_count(p->b, p->s->missing[f]);
        SB_LIT(p->b, ")");
        any = true;
    }
    if (any)
        SB_LIT(p->b, ".</p>\n");
}

void report_put_contents(report_page *p)
{
    report_open_section(p, "contents", "Contents");
    SB_LIT(p->b, "<div class=\"plots\">\n");
    put_bars(p, "Categories", FACT_CATEGORY, 40);
    put_sizes(p);
    put_numbers(p, "Lines of the Python source", "lines", FACT_LINES);
    put_bars(p, "Difficulty, from 1 to 5", FACT_DIFFICULTY, 12);
    put_bars(p, "Depth of loops", FACT_DEPTH, 12);
    put_numbers(p, "Arguments of a kernel", "arguments", FACT_ARGUMENTS);
    put_numbers(p, "Statements of a kernel", "statements", FACT_STATEMENTS);
    put_bars(p, "Tasks of conversations", FACT_TASK, 20);
    put_bars(p, "Mistakes to be mended", FACT_DEFECT, 24);
    put_bars(p, "Builtins, the most frequent", FACT_BUILTINS, 24);
    put_bars(p, "Types of arguments, the most frequent", FACT_TYPES, 24);
    SB_LIT(p->b, "</div>\n");
    put_missing(p);
    SB_LIT(p->b, "</section>\n");
}

/* --- verification and duplicates ----------------------------------------------------------- */

/* The values of metadata.verification.status and what they mean; the style has a colour for
 * each. */
static const char *const meanings[][2] = {
    {"exact", "the text computes what the source computes, and the backward text is its adjoint"},
    {"warp_differs", "the forward text is proved; Warp's own backward text is not the adjoint"},
    {"nondifferentiable", "the forward text is proved; no slope was met on the inputs tried"},
    {"forward", "the forward text is proved; there is no backward text"},
    {"not_run", "nothing was executed"}};

/* Only those that come in this set. */
static void put_meanings(report_page *p)
{
    SB_LIT(p->b, "<table class=\"facts\">\n");
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (tally_of(&p->s->facts[FACT_STATUS], str_c(meanings[i][0])))
            put_row(p, meanings[i][0], meanings[i][1], false);
    SB_LIT(p->b, "</table>\n");
}

/* How the records were proved. The kind of a bar is the status itself, by which assets/report.css
 * colours it; a status that this version does not have keeps the usual colour. */
static void put_statuses(report_page *p)
{
    plot_bars bars = bars_of(p, FACT_STATUS, 12);
    for (uint32_t i = 0; i < bars.n; i++)
        for (size_t k = 0; k < sizeof meanings / sizeof *meanings; k++)
            if (str_eq(bars.v[i].label, str_c(meanings[k][0])))
                bars.v[i].kind = meanings[k][0];
    if (bars.n)
        plot_put_bars(p->b, "Verification", "records", &bars, p->s->records);
}

/* How many fingerprints differ, and how often the most frequent one comes. */
static void put_equals(report_page *p, const char *title, const survey_keys *k)
{
    WEFT_ASSERT(k->distinct <= k->n && k->largest <= k->n);
    plot_bars bars = {0};
    const plot_bar rows[] = {{STR("different"), k->distinct, NULL},
                             {STR("repeated"), k->n - k->distinct, "other"},
                             {STR("most of one"), k->largest, "other"},
                             {STR("(missing)"), k->missing, "other"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (i < 3 ? k->n > 0 : k->missing > 0)
            VEC_PUSH(p->a, &bars, rows[i]);
    if (bars.n)
        plot_put_bars(p->b, title, "records", &bars, p->s->records);
}

void report_put_verification(report_page *p)
{
    const survey *s = p->s;
    report_open_section(p, "verification", "Verification and duplicates");
    if (s->mutants) {
        SB_LIT(p->b, "<p>Of ");
        html_count(p->b, s->mutants);
        SB_LIT(p->b, " small changes of the texts that were tried, ");
        html_count(p->b, s->killed);
        SB_LIT(p->b, " (");
        html_share(p->b, s->killed, s->mutants);
        SB_LIT(p->b, ") gave another result on the inputs chosen.</p>\n");
    }
    put_meanings(p);
    SB_LIT(p->b, "<div class=\"plots\">\n");
    put_statuses(p);
    put_bars(p, "Errors of Warp's own gradients, by class", FACT_CLASS, 24);
    put_equals(p, "Structures: names and constants made equal", &s->structures);
    put_equals(p, "Families: operators and types made equal, too", &s->families);
    SB_LIT(p->b, "</div>\n</section>\n");
}

/* --- how it was made ----------------------------------------------------------------------- */

/* A number that can be converted to uint64_t and that a double holds exactly. */
static bool is_count(const json_value *v)
{
    return json_is(v, JSON_TYPE_NUMBER) && json_number(v) >= 0 && json_number(v) < 0x1p53;
}

/* The member "rejected" of stats.json: {"all": 1, "arguments": 0, ..., "inadequate": 1, ...}. "all"
 * is the sum of the others, and reasons that did not occur have no bar. */
static void put_rejected(report_page *p, const json_value *rejected)
{
    plot_bars bars = {0};
    for (const json_value *v = rejected ? rejected->child : NULL; v; v = v->next) {
        const plot_bar bar = {v->key, is_count(v) ? (uint64_t)json_number(v) : 0, NULL};
        if (bar.n && strcmp(v->key.p, "all") != 0)
            VEC_PUSH(p->a, &bars, bar);
    }
    if (bars.n)
        plot_put_bars(p->b, "Candidates that were made anew, by reason", "candidates", &bars, 0);
    else if (rejected)
        SB_LIT(p->b, "<p>No candidate had to be made anew.</p>");
}

/* Whole numbers with commas, others as they are, texts escaped, true and false as words. */
static void put_value(strbuf *b, const json_value *v)
{
    if (is_count(v) && json_number(v) == (double)(uint64_t)json_number(v))
        html_count(b, (uint64_t)json_number(v));
    else if (json_is(v, JSON_TYPE_NUMBER))
        sb_float(b, json_number(v));
    else
        html_c(b, json_is(v, JSON_TYPE_STRING) ? v->text.p : json_is_true(v) ? "yes" : "no");
}

static bool is_value(const json_value *v)
{
    return json_is(v, JSON_TYPE_NUMBER) || json_is(v, JSON_TYPE_STRING) ||
           json_is(v, JSON_TYPE_BOOL);
}

static void put_value_row(report_page *p, const char *of, const json_value *v)
{
    SB_LIT(p->b, "<tr><th scope=\"row\">");
    html_c(p->b, of);
    sb_c(p->b, *of ? ": " : "");
    html_c(p->b, v->key.p);
    SB_LIT(p->b, "</th><td>");
    put_value(p->b, v);
    SB_LIT(p->b, "</td></tr>\n");
}

/* The members of stats.json that no other section shows, whatever they are; of an object its own
 * members, one level deep. Figures that a later version adds thus appear by themselves. */
static void put_other_facts(report_page *p)
{
    static const char *const elsewhere[] = {
        "command",   "categories", "builtins",   "coverage",     "rejected",    "source_lines",
        "arguments", "loop_depth", "difficulty", "kernel_lines", "verification"};
    SB_LIT(p->b, "<details class=\"table\"><summary>What <code>stats.json</code> says besides"
                 "</summary><table class=\"facts\">\n");
    for (const json_value *v = p->stats->child; v; v = v->next) {
        if (STR_IS_IN(v->key, elsewhere))
            continue;
        if (is_value(v))
            put_value_row(p, "", v);
        for (const json_value *w = json_is(v, JSON_TYPE_OBJECT) ? v->child : NULL; w; w = w->next)
            if (is_value(w))
                put_value_row(p, v->key.p, w);
    }
    SB_LIT(p->b, "</table></details>\n");
}

void report_put_making(report_page *p)
{
    report_open_section(p, "making", "Making");
    if (!p->stats) {
        SB_LIT(p->b, "<p class=\"absent\">There is no <code>stats.json</code> beside the records: "
                     "how many candidates were thrown away is not known.</p>\n");
    } else {
        SB_LIT(p->b, "<div class=\"plots\">\n");
        put_rejected(p, json_get(p->stats, "rejected"));
        SB_LIT(p->b, "</div>\n");
        put_other_facts(p);
    }
    SB_LIT(p->b, "</section>\n");
}
