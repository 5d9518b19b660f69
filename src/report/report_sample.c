/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a report: chooses records while they are read, and prints each as its source
 * beside the texts made of it.
 *
 *     all records   ->   of each category and difficulty the SAMPLES whose ids hash lowest,
 *                        and of these SAMPLES in all, categories and difficulties in turn
 *
 * The choice depends on ids alone, not on the order of records: a hash of the id is as good as a
 * draw, and the same records give the same page. report.c passes each record to samples_take while
 * the survey reads it, since records are not kept. */
#include "report/report_sample.h"

#include <stdlib.h>
#include <xxhash.h>

#include "report/report_code.h"

/* --- the choice ---------------------------------------------------------------------------- */

/* A string member, or nothing where it is missing or has another type: any set may come. */
static str string_in(const json_value *object, const char *key)
{
    const json_value *v = json_get(object, key);
    return json_is(v, JSON_TYPE_STRING) ? v->text : (str){0};
}

/* The group of a record's category and difficulty, made when its first record comes. When there is
 * no room for a further group, its records go to the first. */
static sample_group *group_of(samples *s, const json_value *metadata)
{
    const str category = string_in(metadata, "category");
    const json_value *v = json_get(metadata, "difficulty");
    const double difficulty = json_is(v, JSON_TYPE_NUMBER) ? json_number(v) : 0;
    for (uint32_t i = 0; i < s->groups.n; i++)
        if (str_eq(s->groups.v[i].category, category) && s->groups.v[i].difficulty == difficulty)
            return &s->groups.v[i];
    if (s->groups.n == SAMPLE_GROUPS)
        return &s->groups.v[0];
    const sample_group group = {.category = {arena_dup(s->a, category.p, category.n), category.n},
                                .difficulty = difficulty};
    VEC_PUSH(s->a, &s->groups, group);
    return &s->groups.v[s->groups.n - 1];
}

/* Keeps the group's lines sorted by hash; a new one pushes out the largest, whose buffer it takes
 * over. Records above SAMPLE_BYTES are left out. A record without an id is hashed as a whole. */
void samples_take(samples *s, str line, const json_value *json)
{
    const str id = string_in(json, "id"), key = id.n ? id : line;
    const json_value *metadata = json_get(json, "metadata");
    if (line.n > SAMPLE_BYTES)
        return;
    sample_group *g = group_of(s, metadata);
    const uint64_t hash = XXH3_64bits(key.p, key.n);
    if (g->n == SAMPLES && hash >= g->lines[SAMPLES - 1].key)
        return;
    if (g->n < SAMPLES)
        sb_init(&g->lines[g->n++].text, s->a->m);
    sample_line last = g->lines[g->n - 1];
    WEFT_ASSERT(g->n >= 1 && g->n <= SAMPLES);
    uint32_t at = g->n - 1;
    for (; at && hash < g->lines[at - 1].key; at--)
        g->lines[at] = g->lines[at - 1];
    last.key = hash;
    last.text.n = 0;
    sb_str(&last.text, line);
    g->lines[at] = last;
}

/* By category, then by difficulty, so that a category's groups are neighbours for choose(). */
static int by_group(const void *pa, const void *pb)
{
    const sample_group *a = pa, *b = pb;
    const size_t n = a->category.n < b->category.n ? a->category.n : b->category.n;
    const int order = n ? memcmp(a->category.p, b->category.p, n) : 0;
    if (order || a->category.n != b->category.n)
        return order ? order : a->category.n < b->category.n ? -1 : 1;
    return (a->difficulty > b->difficulty) - (a->difficulty < b->difficulty);
}

/* Of the groups from..end, which are one category's, the next that has more than is shown, from
 * `turn` on. False: none has. */
static bool take_one(const samples *s, uint32_t *shown, uint32_t from, uint32_t end, uint32_t turn)
{
    WEFT_ASSERT(from < end && end <= s->groups.n);
    for (uint32_t k = 0; k < end - from; k++) {
        const uint32_t i = from + (turn + k) % (end - from);
        if (shown[i] == s->groups.v[i].n)
            continue;
        shown[i]++;
        return true;
    }
    return false;
}

/* Sets shown[i], how many of group i are shown: one of each category, then a second one, until
 * there are enough. `turn` is the difficulty to begin with: it rises from category to category and
 * from round to round, so that all difficulties come. */
static void choose(samples *s, uint32_t *shown)
{
    WEFT_ASSERT(s->groups.n <= SAMPLE_GROUPS);
    const sample_group *g = s->groups.v;
    uint32_t left = SAMPLES;
    if (s->groups.n)
        qsort(s->groups.v, s->groups.n, sizeof *g, by_group);
    bool more = left > 0;
    for (uint32_t round = 0; more; round++) {
        uint32_t turn = round;
        more = false;
        for (uint32_t i = 0, end; i < s->groups.n && left; i = end, turn++) {
            for (end = i + 1; end < s->groups.n && str_eq(g[i].category, g[end].category); end++)
                ;
            if (!take_one(s, shown, i, end, turn))
                continue;
            left--;
            more = true;
        }
    }
}

/* --- one sample ---------------------------------------------------------------------------- */

/* A box with a title and highlighted text. The class `python` makes the style show the
 * numbers of lines. */
static void put_pane(strbuf *b, arena *a, const char *title, str text, code_language language)
{
    SB_LIT(b, "<section class=\"pane\"><h4>");
    html_c(b, title);
    SB_LIT(b, "</h4><pre tabindex=\"0\" class=\"code");
    sb_c(b, language == CODE_PYTHON ? " python\"><code>" : "\"><code>");
    code_put(b, a, text, language);
    SB_LIT(b, "</code></pre></section>\n");
}

static void put_badge(strbuf *b, const char *name, str value)
{
    if (!value.n)
        return;
    SB_LIT(b, " <span class=\"badge ");
    html_c(b, name);
    SB_LIT(b, "\">");
    html_text(b, value);
    SB_LIT(b, "</span>");
}

static void put_count(strbuf *b, const json_value *object, const char *key, const char *before,
                      const char *after)
{
    const json_value *v = json_get(object, key);
    if (json_is(v, JSON_TYPE_NUMBER))
        sb_printf(b, " <span class=\"fact\">%s%.0f%s</span>", before, json_number(v), after);
}

/* The line that stays visible when the sample is closed: the kernel's name, or the id of a record
 * without one, and the facts that its metadata have. */
static void put_summary(strbuf *b, const json_value *json)
{
    const json_value *metadata = json_get(json, "metadata");
    const json_value *counts = json_get(metadata, "counts");
    const str name = string_in(metadata, "kernel_name"), id = string_in(json, "id");
    SB_LIT(b, "<summary><span class=\"kernel\">");
    html_text(b, name.n ? name : id);
    SB_LIT(b, "</span>");
    put_badge(b, "category", string_in(metadata, "category"));
    put_badge(b, "task", string_in(json, "task"));
    put_badge(b, "defect", string_in(json, "defect"));
    put_badge(b, "status", string_in(json_get(metadata, "verification"), "status"));
    put_count(b, metadata, "difficulty", "difficulty ", "");
    put_count(b, counts, "source_lines", "", " lines");
    SB_LIT(b, " <span class=\"fact id\">");
    html_text(b, name.n ? id : (str){0});
    SB_LIT(b, "</span></summary>\n");
}

/* How a text of a record is shown: its key there, the title of its pane, its language. */
typedef struct pane_kind {
    const char *key, *title;
    code_language language;
} pane_kind;

/* The texts that stand beside the source. */
static const pane_kind kinds[] = {
    {"broken_source", "Python, broken", CODE_PYTHON},
    {"diagnostic", "weft's diagnostic", CODE_PLAIN},
    {"cuda_ir_forward", "CUDA, forward", CODE_CUDA},
    {"cuda_ir_backward", "CUDA, backward", CODE_CUDA},
    {"cuda_source", "CUDA program", CODE_CUDA},
    {"cpp_forward", "C++, forward", CODE_CUDA},
    {"cpp_backward", "C++, backward", CODE_CUDA},
};

/* NULL: a key that weft's records do not have. */
static const pane_kind *kind_of(const char *key)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].key, key) == 0)
            return &kinds[i];
    return NULL;
}

/* Turns of a conversation (--style messages), each in a pane titled with its role. */
static void put_messages(strbuf *b, arena *a, const json_value *json)
{
    const json_value *list = json_get(json, "messages");
    if (!json_is(list, JSON_TYPE_ARRAY))
        return;
    for (const json_value *turn = list->child; turn; turn = turn->next) {
        const str role = string_in(turn, "role"), content = string_in(turn, "content");
        const char *title = role.n ? role.p : "turn";
        put_pane(b, a, title, content, CODE_PLAIN);
    }
}

/* All texts of the record, those of unknown keys as well: it need not be weft's. */
static void put_texts(strbuf *b, arena *a, const json_value *json)
{
    for (const json_value *v = json->child; v; v = v->next) {
        const pane_kind *kind = kind_of(v->key.p);
        if (!json_is(v, JSON_TYPE_STRING) || !*v->text.p || strcmp(v->key.p, "id") == 0 ||
            strcmp(v->key.p, "python_source") == 0 || strcmp(v->key.p, "task") == 0 ||
            strcmp(v->key.p, "defect") == 0)
            continue;
        put_pane(b, a, kind ? kind->title : v->key.p, v->text,
                 kind                         ? kind->language
                 : strstr(v->key.p, "source") ? CODE_PYTHON
                                              : CODE_PLAIN);
    }
}

/* The line was kept and not its tree, so it is parsed again. */
static void put_sample(strbuf *b, samples *s, str line, bool open)
{
    size_t at;
    const char *wrong;
    const arena_mark mark = arena_save(s->a);
    const json_value *json = json_parse(s->a, line, JSON_LINE, &wrong, &at);
    if (!json)
        return;
    const str source = string_in(json, "python_source");
    sb_c(b, open ? "<details class=\"sample\" open>" : "<details class=\"sample\">");
    put_summary(b, json);
    SB_LIT(b, "<div class=\"pair\"><div class=\"side\">");
    if (source.n)
        put_pane(b, s->a, "Python", source, CODE_PYTHON);
    put_messages(b, s->a, json);
    SB_LIT(b, "</div><div class=\"side texts\">");
    put_texts(b, s->a, json);
    SB_LIT(b, "</div></div></details>\n");
    arena_rewind(s->a, mark);
}

void samples_put(strbuf *b, samples *s)
{
    uint32_t shown[SAMPLE_GROUPS] = {0};
    choose(s, shown);
    bool first = true;
    for (uint32_t i = 0; i < s->groups.n; i++)
        for (uint32_t k = 0; k < shown[i]; k++, first = false) {
            WEFT_ASSERT(k < s->groups.v[i].n);
            put_sample(b, s, sb_view(&s->groups.v[i].lines[k].text), first);
        }
}
