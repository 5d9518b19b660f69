/* The section "Coverage": what the generator can express, and in how many records each thing came,
 * as stats.json has it.
 *
 *     {"group": {"thing": {"float32": 3, "int32": 0}, "other": 7}, "figure": 12}
 *
 *     a figure                           ->   a tile
 *     a group whose things are counts    ->   bars
 *     a group whose things have types    ->   a heat map, a row for each thing and a column
 *                                             for each type
 *
 * No name of a group or thing is fixed here, so what the generator adds appears by itself. All of
 * it is input: members of other forms are passed over. */
#include <stdlib.h>

#include "report/report_page.h"

typedef VEC(str) names;

static bool is_count(const json_value *v)
{
    return json_is(v, JSON_TYPE_NUMBER) && json_number(v) >= 0 && json_number(v) < 0x1p53;
}

/* --- order of types ------------------------------------------------------------------------ */

/* Things without a type first, then scalars, vectors, matrices. */
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
    for (uint32_t i = 0; i < types->n; i++)
        cells[i] = HEAT_NONE;
    if (is_count(thing))
        cells[column_of(types, (str){"", 0})] = (int64_t)json_number(thing);
    for (const json_value *t = json_is(thing, JSON_TYPE_OBJECT) ? thing->child : NULL; t;
         t = t->next)
        if (is_count(t))
            cells[column_of(types, t->key)] = (int64_t)json_number(t);
}

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
    const plot_heat heat = {title, "", rows, types.v, n, types.n, cells};
    plot_put_heat(p->b, &heat);
}

static void put_counts(report_page *p, const char *title, const json_value *group)
{
    plot_bars bars = {0};
    for (const json_value *thing = group->child; thing; thing = thing->next) {
        const plot_bar bar = {thing->key, (uint64_t)json_number(thing), NULL};
        VEC_PUSH(p->a, &bars, bar);
    }
    plot_put_bars(p->b, title, "records", &bars, p->s->records);
}

/* "Builtins by type" */
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

/* Plots of bars stand side by side, heat maps below each other. */
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
