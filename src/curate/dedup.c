/* SPDX-License-Identifier: Apache-2.0 */
/* Deduplication of existing sets (weft dedup): in the order of the input, the first record of each
 * structure stays; with --near, the first of each neighbourhood by MinHash.
 *
 *     structures A B A C B   ->   A B C
 *
 * A record states its structure in metadata.structure; without that, its source is parsed. Parsing
 * is also needed for --near, as a signature is made of tokens. Three lines of python_source, two of
 * which differ only in names:
 *
 *     weft dedup a.jsonl   ->   read 3, duplicates 1, left 2 */
#include "curate/dedup.h"

#include "base/json.h"

void dedup_init(dedup *w, mem *m, uint32_t threshold)
{
    *w = (dedup){.m = m, .threshold = threshold, .hasher = {.m = m}};
    seen_init(&w->seen, m);
    if (threshold)
        near_init(&w->near, m, threshold);
}

void dedup_clear(dedup *w)
{
    structure_finder_clear(&w->finder);
    seen_clear(&w->seen);
    mem_free(w->m, w->hasher.grams);
    if (w->threshold)
        near_clear(&w->near);
}

/* Is a structure that no earlier record has near to one that stays? If not, it stays itself and is
 * added to the index. Needs its tokens. */
static bool is_near(dedup *w, const structure *s)
{
    WEFT_ASSERT(w->threshold && s->ntokens);
    minhash h;
    minhash_of(&w->hasher, s, &h);
    if (near_has(&w->near, &h))
        return true;
    near_add(&w->near, &h);
    return false;
}

/* The stated structure is trusted and looked up first, which avoids parsing most duplicates. A
 * record whose structure is neither stated nor found stays, and is counted as unread: dropping what
 * cannot be compared would lose data. */
bool dedup_record(dedup *w, str record, str metadata, bool *stays)
{
    structure s = {.ntokens = 0};
    fingerprint stated;
    const bool is_known = fingerprint_peek(metadata, "structure", &stated);
    bool found = false;
    w->records++;
    WEFT_ASSERT(w->duplicates + w->nears < w->records);
    *stays = !is_known || !seen_has(&w->seen, stated);
    if (!*stays) {
        w->duplicates++;
        return true;
    }
    if ((!is_known || w->threshold) && !structure_find_record(&w->finder, record, &found, &s))
        return false;
    w->unread += !is_known && !found;
    if (!is_known && found && seen_has(&w->seen, s.structure)) {
        *stays = false;
        w->duplicates++;
    } else if (found && w->threshold && is_near(w, &s)) {
        *stays = false;
        w->nears++;
    } else if (is_known || found) {
        seen_add(&w->seen, is_known ? stated : s.structure);
    }
    return true;
}

static void put_count(strbuf *b, const char *key, uint64_t n)
{
    json_key(b, key, false);
    sb_uint(b, n);
}

/* A share in six places, rounded by integers, so that every build writes the same. */
static void put_rate(strbuf *b, uint64_t n, uint64_t of)
{
    const uint64_t unit = 1000000;
    const uint64_t share = of ? (uint64_t)(((unsigned __int128)n * unit + of / 2) / of) : 0;
    sb_uint(b, share / unit);
    SB_LIT(b, ".");
    for (uint64_t digit = unit / 10; digit; digit /= 10)
        sb_uint(b, share / digit % 10);
}

void dedup_put_json(strbuf *b, const dedup *w)
{
    WEFT_ASSERT(w->duplicates + w->nears <= w->records);
    SB_LIT(b, "{");
    json_key(b, "records", true);
    sb_uint(b, w->records);
    put_count(b, "duplicates", w->duplicates);
    json_key(b, "rate", false);
    put_rate(b, w->duplicates, w->records);
    if (w->threshold) {
        put_count(b, "near_duplicates", w->nears);
        json_key(b, "near_rate", false);
        put_rate(b, w->nears, w->records);
    }
    put_count(b, "unread", w->unread);
    SB_LIT(b, "}");
}
