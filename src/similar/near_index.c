/* SPDX-License-Identifier: Apache-2.0 */
/* Finds signatures near to a given one (locality-sensitive hashing): each signature is cut into
 * bands, and only those that agree in all rows of some band are compared in full.
 *
 *     threshold 0.9   ->   14 bands of 9 rows, and 116 of 128 bytes must agree
 *     threshold 0.5   ->   42 bands of 3 rows, and 65 must
 *
 * Each band is a hash table of its own with chaining. Tables have `room` heads, a power of two, in
 * `heads`; the chains run through `next`, which has a link per signature and band. Links are 1 +
 * the index of a signature, 0 ends a chain. A search costs one chain per band; chains are short
 * unless many kernels share a band. */
#include "similar/near_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- thresholds ---------------------------------------------------------------------------- */

enum { DIGITS = 6 };

/* Read digit by digit into millionths: the same on every machine and in every locale. One digit,
 * and at most six behind a point: "0.9", "1", "0.875". */
bool near_read_threshold(str text, uint32_t *out)
{
    uint32_t unit = MINHASH_UNIT, digits = 0;
    size_t i = 1;
    if (!text.n || (text.p[0] != '0' && text.p[0] != '1'))
        return false;
    *out = (uint32_t)(text.p[0] - '0') * unit;
    if (i < text.n && text.p[i] == '.')
        for (i++; i < text.n && text.p[i] >= '0' && text.p[i] <= '9' && digits < DIGITS; digits++)
            *out += (unit /= 10) * (uint32_t)(text.p[i++] - '0');
    return i == text.n && *out >= NEAR_LEAST && *out <= NEAR_MOST;
}

/* Without zeros at the end: 900000 -> 0.9, 1000000 -> 1. */
void near_put_threshold(strbuf *b, uint32_t threshold)
{
    sb_uint(b, threshold / MINHASH_UNIT);
    uint32_t rest = threshold % MINHASH_UNIT;
    if (rest)
        SB_LIT(b, ".");
    for (uint32_t unit = MINHASH_UNIT / 10; rest; rest %= unit, unit /= 10)
        sb_uint(b, rest / unit);
}

/* How likely a pair of that similarity never meets: (1 - s^rows)^bands. By multiplication, as pow()
 * may round differently between libraries. */
static double miss(double similarity, near_bands by)
{
    double all = 1, none = 1;
    for (uint32_t i = 0; i < by.rows; i++)
        all *= similarity;
    for (uint32_t i = 0; i < by.bands; i++)
        none *= 1 - all;
    return none;
}

/* The most rows for which at most one near pair in 200 is missed: with more rows fewer pairs meet
 * that are not near, so fewer are compared. */
near_bands near_bands_for(uint32_t threshold)
{
    const double similarity = (double)threshold / MINHASH_UNIT, bound = 5e-3;
    near_bands by = {1, MINHASH_SIZE}, more = {2, MINHASH_SIZE / 2};
    while (more.bands && miss(similarity, more) <= bound) {
        by = more;
        more.rows++;
        more.bands = MINHASH_SIZE / more.rows;
    }
    WEFT_ASSERT(by.rows * by.bands <= MINHASH_SIZE);
    return by;
}

/* --- the index ----------------------------------------------------------------------------- */

void near_init(near_index *x, mem *m, uint32_t threshold)
{
    /* One in 256 of the functions that differ agrees by chance: with `agree` out of N the estimate
     * s solves agree / N = s + (1 - s) / 256, so s = (256 agree - N) / (255 N). That s >=
     * threshold, solved for agree and rounded up; in integers, for the same value in every build.
     */
    const uint64_t least = (uint64_t)threshold * 255 * MINHASH_SIZE;
    const uint64_t unit = UINT64_C(256) * MINHASH_UNIT;
    WEFT_ASSERT(threshold >= NEAR_LEAST && threshold <= NEAR_MOST);
    *x = (near_index){.m = m, .by = near_bands_for(threshold)};
    x->agree = (uint32_t)((least + (uint64_t)MINHASH_UNIT * MINHASH_SIZE + unit - 1) / unit);
    WEFT_ASSERT(x->agree > 0 && x->agree <= MINHASH_SIZE);
    pthread_rwlock_init(&x->lock, NULL);
}

static void drop(mem *m, near_index *x)
{
    mem_free(m, x->v);
    mem_free(m, x->heads);
    mem_free(m, x->next);
}

void near_clear(near_index *x)
{
    drop(x->m, x);
    pthread_rwlock_destroy(&x->lock);
}

/* The by.rows bytes of a signature that make up a band. */
static const uint8_t *rows_of(const near_index *x, const minhash *h, uint32_t band)
{
    return h->v + (size_t)band * x->by.rows;
}

/* The head of the chain in which signatures with these rows are. */
static uint32_t *head(const near_index *x, const minhash *h, uint32_t band)
{
    const uint64_t hash = XXH3_64bits(rows_of(x, h, band), x->by.rows);
    WEFT_ASSERT(band < x->by.bands && x->room && !(x->room & (x->room - 1)));
    return &x->heads[(size_t)band * x->room + (hash & (x->room - 1))];
}

/* Is a signature in the band's chain near to h? Other rows may share the chain, as their hashes
 * share the lower bits, so rows are compared first: that is cheaper than minhash_agree. */
static bool meets(const near_index *x, const minhash *h, uint32_t band)
{
    const uint8_t *rows = rows_of(x, h, band);
    for (uint32_t i = *head(x, h, band); i; i = x->next[(size_t)(i - 1) * x->by.bands + band]) {
        WEFT_ASSERT(i <= x->n);
        const minhash *other = &x->v[i - 1];
        if (memcmp(rows_of(x, other, band), rows, x->by.rows) == 0 &&
            minhash_agree(other, h) >= x->agree)
            return true;
    }
    return false;
}

bool near_has(near_index *x, const minhash *h)
{
    bool found = false;
    pthread_rwlock_rdlock(&x->lock);
    for (uint32_t band = 0; band < x->by.bands && x->n && !found; band++)
        found = meets(x, h, band);
    pthread_rwlock_unlock(&x->lock);
    return found;
}

/* Puts signature i at the front of its chain in every band. */
static void link(near_index *x, uint32_t i)
{
    WEFT_ASSERT(i < x->room);
    for (uint32_t band = 0; band < x->by.bands; band++) {
        uint32_t *first = head(x, &x->v[i], band);
        x->next[(size_t)i * x->by.bands + band] = *first;
        *first = i + 1;
    }
}

static void allocate(void *arg)
{
    near_index *x = arg;
    const size_t links = mem_mul(x->m, x->room, x->by.bands * sizeof *x->heads);
    x->v = mem_alloc(x->m, mem_mul(x->m, x->room, sizeof *x->v));
    x->heads = mem_alloc(x->m, links);
    x->next = mem_alloc(x->m, links);
    memset(x->heads, 0, links);
}

/* Doubles the room. The larger index is built beside the old one, which readers go on using; the
 * lock is held only to exchange them. Memory may run out, which leaves by longjmp: the lock must
 * not be held then, and what was allocated so far is freed first. */
static void grow(near_index *x)
{
    enum { LEAST = 1024 };
    if (x->room > UINT32_MAX / 2)
        mem_fail(x->m);
    near_index more = {.m = x->m, .by = x->by, .n = x->n, .room = x->room ? x->room * 2 : LEAST};
    if (!mem_try(x->m, allocate, &more)) {
        drop(x->m, &more);
        mem_fail(x->m);
    }
    if (x->n)
        memcpy(more.v, x->v, x->n * sizeof *x->v);
    for (uint32_t i = 0; i < x->n; i++)
        link(&more, i);
    near_index old = *x;
    pthread_rwlock_wrlock(&x->lock);
    x->v = more.v;
    x->heads = more.heads;
    x->next = more.next;
    x->room = more.room;
    pthread_rwlock_unlock(&x->lock);
    drop(x->m, &old);
}

/* x->n is read without the lock: only this thread writes. */
void near_add(near_index *x, const minhash *h)
{
    if (x->n == x->room)
        grow(x);
    WEFT_ASSERT(x->n < x->room);
    pthread_rwlock_wrlock(&x->lock);
    x->v[x->n] = *h;
    link(x, x->n++);
    pthread_rwlock_unlock(&x->lock);
}
