/* MinHash signatures: n-grams of a structure's tokens, and of each hash function their least value.
 *
 *     tokens t1 t2 t3 t4 t5 t6   ->   n-grams t1-t5, t2-t6   ->   128 bytes
 *
 * Kept are eight bits of each least value: 128 bytes for a kernel, at the price that values which
 * differ agree by chance once in 256; minhash_similarity takes that out. */
#include "similar/minhash.h"

#include "similar/structure_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- n-grams ------------------------------------------------------------------------------- */

/* The last tokens, each with the hash that belongs to it in the lower half. */
typedef struct window {
    uint64_t v[MINHASH_GRAM];
} window;

static bool is_numbered(uint64_t token)
{
    const uint32_t tag = (uint32_t)(token >> 32) & 0xff000000;
    return tag == TOKEN_LOCAL || tag == TOKEN_GLOBAL;
}

/* Names by their first place in the window. */
static uint64_t hash_window(const window *w, uint32_t n)
{
    uint64_t v[MINHASH_GRAM];
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

/* The hashes of the n-grams of nv tokens; the room for them is one for each token. Fewer
 * tokens than an n-gram has are one. */
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

/* The function's least value; functions are x * factor + offset, its upper half. */
static uint8_t least(const uint64_t *grams, uint32_t n, uint64_t factor, uint64_t offset)
{
    uint64_t min = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t x = grams[i] * factor + offset;
        min = x < min ? x : min;
    }
    return (uint8_t)(min >> 32);
}

/* Factors are odd, so that each function is a permutation of the 64-bit numbers. */
void minhash_sign(const uint64_t *grams, uint32_t n, minhash *out)
{
    for (uint32_t k = 0; k < MINHASH_SIZE; k++) {
        const XXH128_hash_t h = XXH3_128bits(&k, sizeof k);
        out->v[k] = least(grams, n, h.low64 | 1, h.high64);
    }
}

uint32_t minhash_agree(const minhash *a, const minhash *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MINHASH_SIZE; i++)
        n += a->v[i] == b->v[i];
    return n;
}

/* Of those that differ one in 256 agrees by chance. */
uint32_t minhash_similarity(const minhash *a, const minhash *b)
{
    const uint64_t n = 256 * (uint64_t)minhash_agree(a, b);
    if (n <= MINHASH_SIZE)
        return 0;
    return (uint32_t)((n - MINHASH_SIZE) * MINHASH_UNIT / (255 * MINHASH_SIZE));
}

void minhash_of(minhasher *h, const structure *s, minhash *out)
{
    if (h->room < s->ntokens) {
        h->room = s->ntokens + s->ntokens / 2;
        h->grams = mem_resize(h->m, h->grams, mem_mul(h->m, h->room, sizeof *h->grams));
    }
    minhash_sign(h->grams, minhash_grams(s->tokens, s->ntokens, h->grams), out);
}
