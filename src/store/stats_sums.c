/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over records as rows of a table (stat.def): how two become one, and how they stand on the
 * disk in the notes of an unfinished run and in sums.json, for `weft merge`. Each is a list without
 * the zeros at its end:
 *
 *     {4, 0, 7, 0, 0}   <->   [4,0,7] */
#include <stdio.h>

#include "base/json.h"
#include "store/stats.h"

/* How two sums become one: ADD them, or keep the LEAST or the MOST. */
typedef enum stat_how { STAT_ADD, STAT_LEAST, STAT_MOST } stat_how;

typedef struct stat_row {
    const char *name;
    size_t at, n; /* place in store_stats, numbers */
    stat_how how;
} stat_row;

static const stat_row rows[] = {
#define STAT(name, dimensions, how)                                                                \
    {#name, offsetof(store_stats, name), sizeof((store_stats *)0)->name / sizeof(uint64_t),        \
     STAT_##how},
#include "store/stat.def"
#undef STAT
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Of the least, 0 means that there is none yet. */
static void merge_row(stat_how how, uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (how == STAT_ADD)
            to[i] += from[i];
        else if (how == STAT_MOST ? from[i] > to[i] : from[i] && (!to[i] || from[i] < to[i]))
            to[i] = from[i];
    }
}

/* The numbers of a row: store_stats has nothing but uint64_t there. */
static uint64_t *numbers_of(store_stats *s, const stat_row *row)
{
    WEFT_ASSERT(row->at + row->n * sizeof(uint64_t) <= sizeof *s);
    void *at = (char *)s + row->at;
    return at;
}

static const uint64_t *numbers_in(const store_stats *s, const stat_row *row)
{
    const void *at = (const char *)s + row->at;
    return at;
}

/* The first suspect stays, as pieces are merged in the order of their indexes. */
void stats_merge(store_stats *to, const store_stats *from)
{
    if (!to->suspects && from->suspects)
        memcpy(to->suspect, from->suspect, sizeof to->suspect);
    for (size_t i = 0; i < ROWS; i++)
        merge_row(rows[i].how, numbers_of(to, &rows[i]), numbers_in(from, &rows[i]), rows[i].n);
}

/* A least or a most cannot be taken back; the caller measures them anew. */
void stats_subtract(store_stats *to, const store_stats *what)
{
    for (size_t i = 0; i < ROWS; i++) {
        uint64_t *v = numbers_of(to, &rows[i]);
        const uint64_t *less = numbers_in(what, &rows[i]);
        for (size_t k = 0; k < rows[i].n && rows[i].how == STAT_ADD; k++) {
            WEFT_ASSERT(v[k] >= less[k]);
            v[k] -= less[k];
        }
    }
}

void stats_put_sums(strbuf *b, const store_stats *s)
{
    SB_LIT(b, "{");
    for (size_t i = 0; i < ROWS; i++) {
        const uint64_t *v = numbers_in(s, &rows[i]);
        size_t n = rows[i].n;
        while (n && !v[n - 1])
            n--;
        json_key(b, rows[i].name, i == 0);
        for (size_t k = 0; k < n; k++) {
            sb_c(b, k ? "," : "[");
            sb_uint(b, v[k]);
        }
        sb_c(b, n ? "]" : "[]");
    }
    json_key(b, "suspect", false);
    json_string(b, str_c(s->suspect));
    SB_LIT(b, "}");
}

/* Numbers are doubles in JSON: above 2^53 they are not exact, and are refused. */
static bool read_row(const json_value *object, const stat_row *row, store_stats *s)
{
    const json_value *list = json_get(object, row->name);
    uint64_t *v = numbers_of(s, row);
    size_t n = 0;
    if (!json_is(list, JSON_TYPE_ARRAY))
        return false;
    for (const json_value *e = list->child; e; e = e->next) {
        if (n == row->n || !json_is(e, JSON_TYPE_NUMBER) || json_number(e) < 0 ||
            json_number(e) > 9007199254740992.0)
            return false;
        v[n++] = (uint64_t)json_number(e);
    }
    return true;
}

bool stats_read_sums(const json_value *object, store_stats *s)
{
    const json_value *suspect = json_get(object, "suspect");
    *s = (store_stats){0};
    if (!json_is(suspect, JSON_TYPE_STRING))
        return false;
    snprintf(s->suspect, sizeof s->suspect, "%s", suspect->text.p);
    for (size_t i = 0; i < ROWS; i++)
        if (!read_row(object, &rows[i], s))
            return false;
    return true;
}
