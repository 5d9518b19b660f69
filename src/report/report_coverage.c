/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Coverage": what the generator can express, and in how many records each thing came,
 * as stats.json has it.
 *
 *     "expressible": 3376                     ->   a tile
 *     "launch": {"1 dimension": 24,           ->   bars
 *                "2 dimensions": 5, ...}
 *     "builtins": {"sin": {"float16": 0,      ->   a heat map, a row for each thing (sin) and a
 *                          "float64": 1},          column for each type (float16)
 *                  ...}
 *
 * No name of a group or thing is fixed here, so what the generator adds appears by itself. All of
 * it is input: members of other forms are passed over. */
#include <stdlib.h>

#include "report/report_page.h"

/* Keys of the JSON tree, which they point into. */
typedef VEC(str) names;

/* A number of records: no number that a uint64_t or a double would not hold exactly. */
static bool is_count(const json_value *v)
{
    return json_is(v, JSON_TYPE_NUMBER) && json_number(v) >= 0 && json_number(v) < 0x1p53;
}

/* --- order of types ------------------------------------------------------------------------ */

/* Places a type in the order of columns: things without a type first, then scalars, vectors,
 * matrices, quaternions, and last what begins with none of these words. */
static int rank(str s)
{
    static const char *const kinds[] = {"bool", "int", "uint", "float", "vec", "mat", "quat"};
    if (!s.n)
        return -1;
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        const size_t n = strlen(kinds[i]);
        if (s.n >= n && memcmp(s.p, kinds[i], n) == 0)
            return i;
    }
    return 99;
}

/* By rank, then by length, so that int8 comes before int16, then by bytes. */
static int by_type(const void *pa, const void *pb)
{
    const str *a = pa, *b = pb;
    const int ra = rank(*a), rb = rank(*b);
    if (ra != rb)
        return ra < rb ? -1 : 1;
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    return a->n ? memcmp(a->p, b->p, a->n) : 0;
}

/* --- one group ----------------------------------------------------------------------------- */

/* A linear search: a group has at most some dozens of types. */
static void add_name(arena *a, names *all, str name)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (str_eq(all->v[i], name))
            return;
    VEC_PUSH(a, all, name);
}

/* The types of all things of a group, in order: the columns of its heat map. */
static names types_of(arena *a, const json_value *group)
{
    names all = {0};
    for (const json_value *thing = group->child; thing; thing = thing->next) {
        if (is_count(thing))
            add_name(a, &all, (str){"", 0});
        for (const json_value *t = json_is(thing, JSON_TYPE_OBJECT) ? thing->child : NULL; t;
             t = t->next)
            if (is_count(t))
                add_name(a, &all, t->key);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_type);
    return all;
}

/* types->n: there is no such column. */
static uint32_t column_of(const names *types, str name)
{
    uint32_t i = 0;
    while (i < types->n && !str_eq(types->v[i], name))
        i++;
    return i;
}

/* The cells of one thing: its count for each type, HEAT_NONE for types that it does not have. A
 * plain count stands in the column of the empty name. */
static void fill_row(int64_t *cells, const names *types, const json_value *thing)
{
    WEFT_ASSERT(types->n);
    for (uint32_t i = 0; i < types->n; i++)
        cells[i] = HEAT_NONE;
    if (is_count(thing))
        cells[column_of(types, (str){"", 0})] = (int64_t)json_number(thing);
    for (const json_value *t = json_is(thing, JSON_TYPE_OBJECT) ? thing->child : NULL; t;
         t = t->next)
        if (is_count(t))
            cells[column_of(types, t->key)] = (int64_t)json_number(t);
}

/* A group as a heat map. The column of counts without a type is titled "any". */
static void put_heat(report_page *p, const char *title, const json_value *group, names types)
{
    const uint32_t n = (uint32_t)json_size(group);
    WEFT_ASSERT(n && types.n);
    int64_t *cells = ARENA_ARRAY(p->a, int64_t, mem_mul(p->a->m, n, types.n));
    str *rows = ARENA_ARRAY(p->a, str, n);
    uint32_t row = 0;
    for (const json_value *thing = group->child; thing; thing = thing->next, row++) {
        rows[row] = thing->key;
        fill_row(cells + (size_t)row * types.n, &types, thing);
    }
    for (uint32_t i = 0; i < types.n; i++)
        if (!types.v[i].n)
            types.v[i] = STR("any");
    WEFT_ASSERT(row == n);
    const plot_heat heat = {title, "", rows, types.v, n, types.n, cells};
    plot_put_heat(p->b, &heat);
}

/* A group whose things are plain counts, as bars. Members of another form have none. */
static void put_counts(report_page *p, const char *title, const json_value *group)
{
    plot_bars bars = {0};
    for (const json_value *thing = group->child; thing; thing = thing->next) {
        if (!is_count(thing))
            continue;
        const plot_bar bar = {thing->key, (uint64_t)json_number(thing), NULL};
        VEC_PUSH(p->a, &bars, bar);
    }
    WEFT_ASSERT(bars.n); /* the group has the column of plain counts */
    plot_put_bars(p->b, title, "records", &bars, p->s->records);
}

/* A key as a title, with `more` after it: "builtins", " by type" gives "Builtins by type". */
static const char *titled(report_page *p, const char *key, const char *more)
{
    const size_t n = strlen(key), m = strlen(more);
    char *title = arena_zero(p->a, n + m + 1);
    memcpy(title, key, n);
    if (*title >= 'a' && *title <= 'z')
        *title = (char)(*title - 'a' + 'A');
    for (char *c = title; *c; c++)
        if (*c == '_')
            *c = ' ';
    memcpy(title + n, more, m);
    return title;
}

/* With `heat` the groups whose things have types, else those whose things are plain counts. There
 * are two passes because plots of bars stand side by side, and heat maps below each other. */
static void put_groups(report_page *p, const json_value *coverage, bool heat)
{
    for (const json_value *group = coverage->child; group; group = group->next) {
        if (!json_is(group, JSON_TYPE_OBJECT) || !group->child)
            continue;
        const names types = types_of(p->a, group);
        const bool plain = types.n == 1 && !types.v[0].n;
        if (types.n && plain != heat) {
            if (heat)
                put_heat(p, titled(p, group->key.p, " by type"), group, types);
            else
                put_counts(p, titled(p, group->key.p, ""), group);
        }
    }
}

/* The members of the coverage that are plain counts ("expressible", "seen", "unlisted"), as
 * tiles. */
static void put_figures(report_page *p, const json_value *coverage)
{
    SB_LIT(p->b, "<dl class=\"tiles\">");
    for (const json_value *v = coverage->child; v; v = v->next) {
        if (!is_count(v))
            continue;
        SB_LIT(p->b, "<div><dt>");
        html_c(p->b, titled(p, v->key.p, ""));
        SB_LIT(p->b, "</dt><dd>");
        html_count(p->b, (uint64_t)json_number(v));
        SB_LIT(p->b, "</dd></div>");
    }
    SB_LIT(p->b, "</dl>\n");
}

void report_put_coverage(report_page *p)
{
    const json_value *coverage = json_get(p->stats, "coverage");
    report_open_section(p, "coverage", "Coverage");
    if (!json_is(coverage, JSON_TYPE_OBJECT)) {
        SB_LIT(p->b,
               "<p class=\"absent\">There is no coverage in <code>stats.json</code>: only the "
               "run that makes a data set knows what could have come.</p>\n</section>\n");
        return;
    }
    SB_LIT(p->b,
           "<p>What the generator can express, and in how many records it came. A cross marks "
           "what came in none; where there is no cell, there is no such thing.</p>\n");
    put_figures(p, coverage);
    SB_LIT(p->b, "<div class=\"plots\">\n");
    put_groups(p, coverage, false);
    SB_LIT(p->b, "</div>\n");
    put_groups(p, coverage, true);
    SB_LIT(p->b, "</section>\n");
}
