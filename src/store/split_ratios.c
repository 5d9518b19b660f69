/* SPDX-License-Identifier: Apache-2.0 */
/* Ratios of a split, and the part that a family belongs to.
 *
 *     "90,5,5", family "3f2a..."   ->   0 (train), 1 (validation) or 2 (test)
 *     "0.9,0.05,0.05"              ->   the same: fractions of 1 are percent, too
 *
 * The hash of the family decides, as a number from 0 to 100 percent: below 90 train, below 95
 * validation, else test. In integers, with WHOLE for 100 percent and XXH3 as the hash:
 *
 *     at = hash * WHOLE / 2^64          train if at < share[0],
 *                                       validation if at < share[0] + share[1], else test
 *
 * Nothing else counts, so records keep their parts when a set grows. */
#include "store/split_ratios.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* One percent, as a number with six digits behind the point; and a number as it is read, with
 * eight, so that a fraction of 1 and its percent are the same integer. */
enum { PERCENT = 1000000 };
#define UNIT  (UINT64_C(100) * PERCENT)
#define WHOLE UNIT

/* "80.5" -> 8050000000; false: it is no number, or is 0. Digits behind the eighth are rounded. */
static bool read_ratio(str s, uint64_t *out)
{
    size_t i = 0;
    uint64_t unit = UNIT;
    for (*out = 0; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && i < 4; i++)
        *out = *out * 10 + (uint64_t)(s.p[i] - '0');
    *out *= UNIT;
    if (!i)
        return false;
    if (i < s.n && s.p[i] == '.')
        for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++, unit /= 10)
            *out += unit > 1 ? unit / 10 * (uint64_t)(s.p[i] - '0') : unit && s.p[i] >= '5';
    return i == s.n && *out > 0;
}

/* One number after another up to the last comma, so that "90,,10" and "90,10," are refused. */
static const char *read_all(str text, split_ratios *r)
{
    *r = (split_ratios){0};
    for (bool more = true; more;) {
        const char *comma = text.n ? memchr(text.p, ',', text.n) : NULL;
        const size_t n = comma ? (size_t)(comma - text.p) : text.n;
        if (r->n == SPLITS_MAX)
            return "more than three ratios";
        if (!read_ratio((str){text.p, n}, &r->share[r->n++]))
            return "each ratio is a number above 0: percent, as in 90,5,5, or fractions, as in "
                   "0.9,0.05,0.05";
        more = comma != NULL;
        text = more ? (str){text.p + n + 1, text.n - n - 1} : text;
    }
    return r->n < 2 ? "at least two ratios are needed" : NULL;
}

/* Up to a millionth for each number, since 1/3 has no end. */
static bool is_nearly(uint64_t sum, uint64_t whole, uint32_t n)
{
    const uint64_t off = sum > whole ? sum - whole : whole - sum;
    return off <= (uint64_t)n * (UNIT / 1000000);
}

/* What the numbers lack, or have too much, the last one gets:
 *
 *     "0.3333333,0.6666667"   ->   33.33333, 66.66667
 *     "33.333333,33.333333,33.333333"   ->   33.333333, 33.333333, 33.333334 */
const char *split_read_ratios(str text, split_ratios *r)
{
    uint64_t sum = 0;
    const char *wrong = read_all(text, r);
    if (wrong)
        return wrong;
    for (uint32_t i = 0; i < r->n; i++)
        sum += r->share[i];
    const bool percent = is_nearly(sum, 100 * UNIT, r->n);
    if (!percent && !is_nearly(sum, UNIT, r->n))
        return "they add up neither to 100 percent nor to 1";
    uint64_t rest = WHOLE;
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t *share = &r->share[i];
        *share = i + 1 == r->n ? rest : percent ? (*share + 50) / 100 : *share;
        if (!*share || *share > rest)
            return "each ratio is at least a millionth of a percent";
        rest -= *share;
    }
    return NULL;
}

/* What `weft dedup` writes, as a split with one part. */
split_ratios split_none(void)
{
    return (split_ratios){1, {WHOLE}};
}

/* As they are read: 80500000 is written "80.5", without zeros at the end. The text is part of a
 * set's command, so each ratio has one spelling. */
void split_put_ratios(strbuf *b, const split_ratios *r)
{
    WEFT_ASSERT(r->n && r->n <= SPLITS_MAX);
    for (uint32_t i = 0; i < r->n; i++) {
        if (i)
            SB_LIT(b, ",");
        sb_uint(b, r->share[i] / PERCENT);
        uint64_t rest = r->share[i] % PERCENT;
        if (rest)
            SB_LIT(b, ".");
        for (uint64_t unit = PERCENT / 10; rest; rest %= unit, unit /= 10)
            sb_uint(b, rest / unit);
    }
}

/* Two ratios are train and test, without validation. */
const char *split_name(const split_ratios *r, uint32_t part)
{
    static const char *const names[SPLITS_MAX] = {"train", "validation", "test"};
    WEFT_ASSERT(part < r->n && r->n <= SPLITS_MAX);
    return names[part && r->n == 2 ? 2 : part];
}

/* The 64 bits of the hash are scaled by an integer product: with floating point, builds could
 * disagree at a border. The last part takes what is left. */
uint32_t split_of(const split_ratios *r, str family)
{
    const uint64_t hash = XXH3_64bits(family.p, family.n);
    const uint64_t at = (uint64_t)((unsigned __int128)hash * WHOLE >> 64);
    uint64_t end = 0;
    WEFT_ASSERT(r->n && r->n <= SPLITS_MAX);
    for (uint32_t i = 0; i + 1 < r->n; i++)
        if (at < (end += r->share[i]))
            return i;
    return r->n - 1;
}
