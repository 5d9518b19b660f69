/* Records by their structures, in order. */
#include "data/weed.h"

#include "base/json.h"
#include "data/json_peek.h"

void weed_init(weeder *w, mem *m)
{
    *w = (weeder){.m = m};
    seen_init(&w->seen, m);
}

void weed_clear(weeder *w)
{
    structure_finder_clear(&w->finder);
    seen_clear(&w->seen);
}

/* What the record itself says. */
static bool is_told(str record, fingerprint *out)
{
    str hex;
    return json_peek(record, "metadata.structure", &hex) && hex.n == FINGERPRINT_HEX + 2 &&
           fingerprint_read((str){hex.p + 1, FINGERPRINT_HEX}, out);
}

bool weed_record(weeder *w, str record, bool *stays)
{
    structure s;
    bool known = is_told(record, &s.structure);
    if (!known && !structure_find_record(&w->finder, record, &known, &s))
        return false;
    w->records++;
    *stays = !known || seen_add(&w->seen, s.structure);
    w->unread += !known;
    w->duplicates += !*stays;
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

void weed_put_json(strbuf *b, const weeder *w)
{
    SB_LIT(b, "{");
    json_key(b, "records", true);
    sb_uint(b, w->records);
    put_count(b, "duplicates", w->duplicates);
    json_key(b, "rate", false);
    put_rate(b, w->duplicates, w->records);
    put_count(b, "unread", w->unread);
    SB_LIT(b, "}");
}
