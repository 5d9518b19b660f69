/* SPDX-License-Identifier: Apache-2.0 */
/* Mixes of kinds, read, written and drawn from.
 *
 *     "purpose=90,exercise=10"   ->   {9, 1}   ->   "purpose=9,exercise=1"
 *
 * Equal mixes are written alike, so that the commands of runs are compared as texts. */
#include "record/record_mix.h"

#include "base/assert.h"
#include "base/decimal.h"
#include "base/rng.h"

typedef struct kind_row {
    const char *name, *origin;
} kind_row;

static const kind_row rows[RECORD_KINDS] = {
#define KIND(ID, name, origin) {name, origin},
#include "record/record_kind.def"
#undef KIND
};

const char *record_kind_name(record_kind k)
{
    WEFT_ASSERT(k < RECORD_KINDS);
    return rows[k].name;
}

const char *record_kind_origin(record_kind k)
{
    WEFT_ASSERT(k < RECORD_KINDS);
    return rows[k].origin;
}

static bool kind_find(str name, record_kind *k)
{
    for (int i = 0; i < RECORD_KINDS; i++)
        if (str_eq(name, str_c(rows[i].name))) {
            *k = (record_kind)i;
            return true;
        }
    return false;
}

record_mix record_mix_of(record_kind k)
{
    record_mix m = {{0}};
    WEFT_ASSERT(k < RECORD_KINDS);
    m.share[k] = 1;
    return m;
}

record_mix record_mix_default(void)
{
    return (record_mix){{[RECORD_PURPOSE] = 9, [RECORD_EXERCISE] = 1}};
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* "purpose=9": one share of the mix. */
static const char *read_share(str part, record_mix *m, bool seen[RECORD_KINDS])
{
    const char *is = memchr(part.p, '=', part.n), *end;
    record_kind k;
    uint64_t x;
    if (!is)
        return "each kind needs a share: purpose=9";
    if (!kind_find((str){part.p, (size_t)(is - part.p)}, &k))
        return "the kinds are purpose and exercise";
    if (seen[k])
        return "it names a kind twice";
    if (!decimal_read_uint(is + 1, &end, &x) || end != part.p + part.n || x > RECORD_SHARE_MAX)
        return "a share is a whole number up to 1000";
    seen[k] = true;
    m->share[k] = (uint32_t)x;
    return NULL;
}

const char *record_mix_read(str text, record_mix *out)
{
    bool seen[RECORD_KINDS] = {false};
    uint32_t divisor = 0;
    *out = (record_mix){{0}};
    for (;;) {
        const char *comma = text.n ? memchr(text.p, ',', text.n) : NULL;
        const size_t n = comma ? (size_t)(comma - text.p) : text.n;
        const char *wrong = n ? read_share((str){text.p, n}, out, seen) : "a share is empty";
        if (wrong)
            return wrong;
        if (!comma)
            break;
        text = (str){text.p + n + 1, text.n - n - 1};
    }
    for (int i = 0; i < RECORD_KINDS; i++)
        divisor = common_divisor(out->share[i], divisor);
    for (int i = 0; i < RECORD_KINDS && divisor; i++)
        out->share[i] /= divisor;
    return divisor ? NULL : "all its shares are 0";
}

void record_mix_put(strbuf *b, const record_mix *m)
{
    bool first = true;
    for (int i = 0; i < RECORD_KINDS; i++) {
        if (!m->share[i])
            continue;
        sb_c(b, first ? "" : ",");
        sb_c(b, rows[i].name);
        SB_LIT(b, "=");
        sb_uint(b, m->share[i]);
        first = false;
    }
}

static uint32_t sum_of(const record_mix *m)
{
    uint32_t sum = 0;
    for (int i = 0; i < RECORD_KINDS; i++)
        sum += m->share[i];
    return sum;
}

bool record_mix_has(const record_mix *m, record_kind k)
{
    WEFT_ASSERT(k < RECORD_KINDS);
    return m->share[k] || (k == RECORD_EXERCISE && !sum_of(m));
}

bool record_mix_is_mixed(const record_mix *m)
{
    int kinds = 0;
    for (int i = 0; i < RECORD_KINDS; i++)
        kinds += record_mix_has(m, (record_kind)i);
    return kinds > 1;
}

/* A stream of its own: the sample's begins with draws that would go with the kind otherwise. */
record_kind record_mix_at(const record_mix *m, uint64_t seed, uint64_t index)
{
    const uint64_t KINDS = UINT64_C(0x6b696e64734f6673);
    const uint32_t sum = sum_of(m);
    if (!sum)
        return RECORD_EXERCISE;
    rng r = rng_stream(seed ^ KINDS, index);
    uint32_t at = rng_below(&r, sum);
    int k = 0;
    while (at >= m->share[k])
        at -= m->share[k++];
    WEFT_ASSERT(k < RECORD_KINDS);
    return (record_kind)k;
}
