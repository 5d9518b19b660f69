/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the records that a report shows, while they are read.
 *
 *     5000 records, 12 categories, 20 wanted   ->   8 categories with 2, 4 with 1; of a category
 *                                                   those of each difficulty whose ids hash lowest
 *
 * The choice depends on ids alone, not on the order of records: a hash of the id is as good as a
 * draw, and the same records give the same page. report.c passes each record to samples_take while
 * the survey reads it, since records are not kept. */
#include "report/report_sample.h"

#include <stdlib.h>
#include <xxhash.h>

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
                                .difficulty = difficulty,
                                .most = s->wanted};
    VEC_PUSH(s->a, &s->groups, group);
    return &s->groups.v[s->groups.n - 1];
}

/* --- shares -------------------------------------------------------------------------------- */

/* Gives out `total` as evenly as have[] allows: one to each in turn. The last round begins with
 * number `turn`. What one gets never rises when others have more, which samples_take relies on. */
static void share(const uint64_t *have, uint32_t n, uint32_t total, uint32_t turn, uint32_t *gets)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++) {
        all += have[i];
        gets[i] = 0;
    }
    uint32_t left = all < total ? (uint32_t)all : total;
    while (left) {
        uint32_t open = 0;
        for (uint32_t i = 0; i < n; i++)
            open += gets[i] < have[i];
        WEFT_ASSERT(open); /* left is no more than what they have */
        const bool last = left < open;
        for (uint32_t k = 0; k < n && left; k++) {
            const uint32_t i = last ? (turn + k) % n : k;
            if (gets[i] == have[i])
                continue;
            gets[i]++;
            left--;
        }
    }
}

/* By category, then by difficulty, so that a category's groups are neighbours. */
static int by_group(const void *pa, const void *pb)
{
    const sample_group *a = pa, *b = pb;
    const size_t n = a->category.n < b->category.n ? a->category.n : b->category.n;
    const int order = n ? memcmp(a->category.p, b->category.p, n) : 0;
    if (order || a->category.n != b->category.n)
        return order ? order : a->category.n < b->category.n ? -1 : 1;
    return (a->difficulty > b->difficulty) - (a->difficulty < b->difficulty);
}

/* Shares the wanted number among the categories, and each category's among its difficulties. These
 * take turns in being first, so that all come where a category shows only one. */
uint32_t samples_choose(samples *s)
{
    uint64_t have[SAMPLE_GROUPS] = {0}, of[SAMPLE_GROUPS];
    uint32_t first[SAMPLE_GROUPS + 1], gets[SAMPLE_GROUPS], parts[SAMPLE_GROUPS];
    uint32_t n = 0, sum = 0;
    WEFT_ASSERT(s->groups.n <= SAMPLE_GROUPS && s->wanted <= SAMPLES_MAX);
    if (s->groups.n)
        qsort(s->groups.v, s->groups.n, sizeof *s->groups.v, by_group);
    for (uint32_t i = 0; i < s->groups.n; i++) {
        if (i == 0 || !str_eq(s->groups.v[i].category, s->groups.v[i - 1].category))
            first[n++] = i;
        have[n - 1] += s->groups.v[i].lines.n;
    }
    first[n] = s->groups.n;
    share(have, n, s->wanted, 0, gets);
    for (uint32_t c = 0; c < n; c++) {
        sample_group *g = s->groups.v + first[c];
        const uint32_t m = first[c + 1] - first[c];
        for (uint32_t i = 0; i < m; i++)
            of[i] = g[i].lines.n;
        share(of, m, gets[c], c, parts);
        for (uint32_t i = 0; i < m; i++)
            g[i].shown = parts[i];
        sum += gets[c];
    }
    return sum;
}

/* --- keeping ------------------------------------------------------------------------------- */

/* Drops what no further record can bring back. A group that has more than its share never gets a
 * larger one, but for one line that the last round gives: as others grow, there are fewer rounds.
 * So memory holds about twice the records that are shown. */
static void drop(samples *s)
{
    (void)samples_choose(s);
    s->kept = 0;
    for (uint32_t i = 0; i < s->groups.n; i++) {
        sample_group *g = &s->groups.v[i];
        if (g->lines.n > g->shown)
            g->most = g->shown + 1;
        while (g->lines.n > g->most)
            sb_clear(&g->lines.v[--g->lines.n].text);
        s->kept += g->lines.n;
    }
}

/* Where a line with this key belongs: behind those with the same. */
static uint32_t place_of(const sample_lines *lines, uint64_t key)
{
    uint32_t low = 0, high = lines->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (lines->v[middle].key <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Keeps the group's lines sorted by hash; where it is full, a new one pushes out the largest and
 * takes over its buffer. A record without an id is hashed as a whole. */
void samples_take(samples *s, str line, const json_value *json)
{
    const str id = string_in(json, "id"), key = id.n ? id : line;
    if (line.n > SAMPLE_BYTES) {
        s->too_long++;
        return;
    }
    sample_group *g = group_of(s, json_get(json, "metadata"));
    const uint64_t hash = XXH3_64bits(key.p, key.n);
    const uint32_t at = place_of(&g->lines, hash);
    if (at >= g->most)
        return;
    sample_line new = {.key = hash};
    if (g->lines.n < g->most) {
        sb_init(&new.text, s->a->m);
        VEC_PUSH(s->a, &g->lines, new);
        s->kept++;
    }
    WEFT_ASSERT(at < g->lines.n && g->lines.n <= g->most);
    new.text = g->lines.v[g->lines.n - 1].text;
    memmove(g->lines.v + at + 1, g->lines.v + at, (g->lines.n - 1 - at) * sizeof *g->lines.v);
    new.text.n = 0;
    sb_str(&new.text, line);
    g->lines.v[at] = new;
    if (s->kept > 2 * s->wanted + 2 * SAMPLE_GROUPS)
        drop(s);
}
