/* SPDX-License-Identifier: Apache-2.0 */
/* MinHash signatures: n-grams of a structure's tokens, and of each hash function their least value.
 *
 *     tokens t1 t2 t3 t4 t5 t6   ->   n-grams t1-t5, t2-t6   ->   128 bytes
 *
 * The idea: under a random permutation of all possible n-grams, the least n-gram of two sets is the
 * same one with a probability of |A and B| / |A or B|, their Jaccard similarity. So the share of
 * permutations under which two kernels agree estimates how similar they are, and the kernels need
 * not be compared: a signature of fixed size is. The cost is 128 * n-grams for a signature, and 128
 * comparisons of bytes for a pair.
 *
 * Only eight bits of each least value are kept: 128 bytes for a kernel, at the price that values
 * which differ agree by chance once in 256; near_index.c takes that out. For kernels that end
 * in `y[i] = a * x[i]`,
 *
 *     `+` for `*`                           ->   102 of 128 agree: 0.796078
 *     `y[i] = y[i] + 1.0` appended          ->    96 of 128 agree: 0.749019
 *     other names                           ->   128 of 128 agree: 1 */
#include "similar/minhash.h"

#include "similar/structure_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- n-grams ------------------------------------------------------------------------------- */

/* The last tokens: each in the upper half, the hash that follows it (token_has_hash) in the lower,
 * which is 0 for all others. */
typedef struct window {
    uint64_t v[MINHASH_GRAM];
} window;

/* Is it a name, whose number depends on what precedes the window? */
static bool is_numbered(uint64_t token)
{
    const uint32_t tag = (uint32_t)(token >> 32) & 0xff000000;
    return tag == TOKEN_LOCAL || tag == TOKEN_GLOBAL;
}

/* Names count by their first place in the window, so that
 *
 *     x = 1; a[i] = b[i]   and   a[i] = b[i]
 *
 * have n-grams in common although the new x shifts the numbers of later names. */
static uint64_t hash_window(const window *w, uint32_t n)
{
    uint64_t v[MINHASH_GRAM];
    WEFT_ASSERT(n > 0 && n <= MINHASH_GRAM);
    for (uint32_t i = 0; i < n; i++) {
        v[i] = w->v[i];
        if (!is_numbered(v[i]))
            continue;
        uint32_t first = 0;
        while (w->v[first] != w->v[i])
            first++;
        v[i] = (w->v[i] >> 56 << 56) | first;
    }
    return XXH3_64bits(v, n * sizeof *v);
}

/* Writes the hashes of the n-grams of nv tokens and returns how many there are, at most nv, which
 * is the room that grams needs. Tokens too few for an n-gram are one. */
static uint32_t minhash_grams(const uint32_t *v, uint32_t nv, uint64_t *grams)
{
    window w;
    uint32_t n = 0, filled = 0;
    for (uint32_t i = 0; i < nv; i++) {
        uint64_t token = (uint64_t)v[i] << 32;
        if (token_has_hash(v[i]) && i + 1 < nv)
            token |= v[++i];
        if (filled == MINHASH_GRAM)
            memmove(w.v, w.v + 1, sizeof w.v - sizeof *w.v);
        else
            filled++;
        w.v[filled - 1] = token;
        if (filled == MINHASH_GRAM)
            grams[n++] = hash_window(&w, filled);
    }
    if (!n && filled)
        grams[n++] = hash_window(&w, filled);
    WEFT_ASSERT(n <= nv);
    return n;
}

/* --- signatures ---------------------------------------------------------------------------- */

/* The functions: x * factor + offset modulo 2^64. Factors are odd, so that each is a permutation of
 * the 64-bit numbers. Factors and offsets come from a hash of k: the same in every build, with no
 * table of random numbers. */
typedef struct functions {
    uint64_t factor[MINHASH_SIZE], offset[MINHASH_SIZE];
} functions;

static void functions_of(functions *f)
{
    for (uint32_t k = 0; k < MINHASH_SIZE; k++) {
        const XXH128_hash_t h = XXH3_128bits(&k, sizeof k);
        f->factor[k] = h.low64 | 1;
        f->offset[k] = h.high64;
    }
}

/* Of the least value of each function bits 32 to 39, as the lower bits of a product mix less. GROUP
 * functions at a time take turns, since the least value so far is soon ready, a product is not. */
static inline __attribute__((always_inline)) void sign(const uint64_t *grams, uint32_t n,
                                                       const functions *f, minhash *out)
{
    enum { GROUP = 8 };
    _Static_assert(MINHASH_SIZE % GROUP == 0, "groups are whole");
    for (uint32_t first = 0; first < MINHASH_SIZE; first += GROUP) {
        const uint64_t *factor = &f->factor[first], *offset = &f->offset[first];
        uint64_t min[GROUP];
        for (uint32_t k = 0; k < GROUP; k++)
            min[k] = UINT64_MAX;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < GROUP; k++) {
                const uint64_t x = grams[i] * factor[k] + offset[k];
                min[k] = x < min[k] ? x : min[k];
            }
        for (uint32_t k = 0; k < GROUP; k++)
            out->v[first + k] = (uint8_t)(min[k] >> 32);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* Eight products at once. */
__attribute__((target("avx512f,avx512dq"))) static void sign_wide(const uint64_t *grams, uint32_t n,
                                                                  const functions *f, minhash *out)
{
    sign(grams, n, f, out);
}

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
#else
static void sign_wide(const uint64_t *grams, uint32_t n, const functions *f, minhash *out)
{
    sign(grams, n, f, out);
}

static bool has_wide(void)
{
    return false;
}
#endif

void minhash_sign(const uint64_t *grams, uint32_t n, minhash *out)
{
    functions f;
    functions_of(&f);
    if (has_wide())
        sign_wide(grams, n, &f, out);
    else
        sign(grams, n, &f, out);
}

uint32_t minhash_agree(const minhash *a, const minhash *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MINHASH_SIZE; i++)
        n += a->v[i] == b->v[i];
    return n;
}

void minhash_of(minhasher *h, const structure *s, minhash *out)
{
    WEFT_ASSERT(s->tokens && s->ntokens);
    if (h->room < s->ntokens) {
        h->room = s->ntokens + s->ntokens / 2;
        h->grams = mem_resize(h->m, h->grams, mem_mul(h->m, h->room, sizeof *h->grams));
    }
    minhash_sign(h->grams, minhash_grams(s->tokens, s->ntokens, h->grams), out);
}
