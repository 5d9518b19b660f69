/* SPDX-License-Identifier: Apache-2.0 */
/* Finds records of one id or source by sorting hashes of 128 bits (split_twins.h). A source counts
 * as in weft validate: without its comments.
 *
 *     records 0 to 3, ids A B A C   ->   sorted: A 0, A 2, B 1, C 3   ->   records 0 and 2 */
#include "curate/split_twins.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "base/json_peek.h"
#include "record/record_name.h"
#include "record/source_body.h"

/* Of 32 bytes: ids and sources of half a million records. */
enum { MEMORY = 1 << 25 };

/* A hash is of an id or of a source; the number of a record is doubled, to tell its two items
 * apart. */
enum { OF_ID, OF_SOURCE, KINDS };

/* The folder that is there already, of those that the output will be in. */
static const char *place_beside(arena *a, const char *output)
{
    str folder = str_c(output);
    while (folder.n && path_is_free(arena_dup(a, folder.p, folder.n))) {
        while (folder.n && folder.p[folder.n - 1] == '/')
            folder.n--;
        while (folder.n && folder.p[folder.n - 1] != '/')
            folder.n--;
    }
    return path_join(a, folder.n ? arena_dup(a, folder.p, folder.n) : ".", STR(".weft-keys"));
}

void split_twins_init(split_twins *s, arena *a, const char *output)
{
    extsort_init(&s->sort, a->m, place_beside(a, output), MEMORY);
    sb_init(&s->text, a->m);
    sb_init(&s->body, a->m);
    s->on = true;
}

static int add(split_twins *s, str text, uint64_t number, uint64_t kind)
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(text.p, text.n, kind);
    return extsort_add(&s->sort,
                       &(sort_item){hash.high64, hash.low64, number * KINDS + kind, kind});
}

/* A conversation that shows no Python has the hash of its source. */
static bool find_source(split_twins *s, str record, str metadata)
{
    str raw;
    s->text.n = s->body.n = 0;
    if (json_peek(record, "python_source", &raw) && json_peek_string(raw, &s->text))
        record_put_body(&s->body, sb_view(&s->text));
    else if (json_peek(metadata, "sha256.python_source", &raw))
        sb_str(&s->body, raw);
    return s->body.n > 0;
}

int split_twins_add(split_twins *s, str record, str metadata, uint64_t number, bool sources)
{
    uint64_t seed, index;
    str raw;
    int error = 0;
    s->text.n = 0;
    if (json_peek(record, "id", &raw) && json_peek_string(raw, &s->text) &&
        record_read_id(sb_view(&s->text), &seed, &index))
        error = add(s, sb_view(&s->text), number, OF_ID);
    if (!error && sources && find_source(s, record, metadata))
        error = add(s, sb_view(&s->body), number, OF_SOURCE);
    return error;
}

static bool same_key(const sort_item *x, const sort_item *y)
{
    return x->high == y->high && x->low == y->low && x->extra == y->extra;
}

/* Items of one key come in the order of their records. */
static void take_pair(split_pair *pair, const sort_item *first, const sort_item *second)
{
    const split_pair fresh = {first->index / KINDS, second->index / KINDS, true,
                              second->extra == OF_ID, second->extra == OF_SOURCE};
    if (pair->any && fresh.second == pair->second && fresh.first == pair->first)
        pair->same_id = pair->same_source = true;
    else if (!pair->any || fresh.second < pair->second ||
             (fresh.second == pair->second && fresh.same_id))
        *pair = fresh;
}

int split_twins_find(split_twins *s, split_pair *pair)
{
    sort_item item, first = {.extra = KINDS};
    bool any = true;
    *pair = (split_pair){.any = false};
    int error = extsort_begin(&s->sort);
    while (!error && !(error = extsort_next(&s->sort, &item, &any)) && any) {
        if (same_key(&item, &first))
            take_pair(pair, &first, &item);
        else
            first = item;
    }
    return error;
}

void split_twins_clear(split_twins *s)
{
    if (!s->on)
        return;
    extsort_clear(&s->sort);
    sb_clear(&s->text);
    sb_clear(&s->body);
    s->on = false;
}
