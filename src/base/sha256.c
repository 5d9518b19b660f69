/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4): portable rounds, and the same by the x86 SHA instructions, chosen when the
 * program starts. Example: the digest of "abc" begins with ba7816bf. Variables are named as in the
 * standard: a block of 64 bytes is expanded to 64 words w, and 64 rounds mix them into the state h
 * (a..h). */
#include "base/sha256.h"

#include <string.h>

/* K of FIPS 180-4, section 4.2.2. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* ROTR of the standard; 0 < n < 32. */
static inline uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* Big-endian words, on any machine. */
static inline uint32_t load_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be(uint8_t *p, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* The message schedule (section 6.2.2): 16 words of the block become 64. */
static void expand(uint32_t w[64], const uint8_t *p)
{
    for (int i = 0; i < 16; i++)
        w[i] = load_be(p + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
}

/* The state shifts by one word in each round: s[1..7] is the old s[0..6]. */
void sha256_blocks_portable(uint32_t h[8], const uint8_t *p, size_t blocks)
{
    for (; blocks; blocks--, p += 64) {
        uint32_t w[64], s[8];
        expand(w, p);
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t e1 = rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25);
            uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
            uint32_t t1 = s[7] + e1 + choice + round_constants[i] + w[i];
            uint32_t e0 = rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22);
            uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t1;
            s[0] = t1 + e0 + majority;
        }
        for (int i = 0; i < 8; i++)
            h[i] += s[i];
    }
}

/* Without SHA instructions there is nothing to gain from two at once. */
static void pairs_portable(uint32_t h[2][8], const uint8_t *p, const uint8_t *q, size_t blocks)
{
    sha256_blocks_portable(h[0], p, blocks);
    sha256_blocks_portable(h[1], q, blocks);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

/* Four rounds on (abef, cdgh) with the message words m of rounds 4 * i onwards. One instruction
 * makes two rounds; the roles of the two halves alternate. */
SHA_TARGET static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i m, int i)
{
    __m128i k = _mm_loadu_si128((const __m128i *)(const void *)(round_constants + 4 * i));
    __m128i sum = _mm_add_epi32(m, k);
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

/* The next four message words from the last sixteen, oldest first. */
SHA_TARGET static inline __m128i next_words(__m128i a, __m128i b, __m128i c, __m128i d)
{
    __m128i t = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
    return _mm_sha256msg2_epu32(t, d);
}

/* A state as the instructions want it. */
typedef struct sha_lane {
    __m128i abef, cdgh;
} sha_lane;

/* Reorders a state from the standard's order; store_lane does the opposite. */
SHA_TARGET static inline sha_lane load_lane(const uint32_t h[8])
{
    __m128i lo = _mm_loadu_si128((const __m128i *)(const void *)h);       /* d c b a */
    __m128i hi = _mm_loadu_si128((const __m128i *)(const void *)(h + 4)); /* h g f e */
    /* Swaps words so that the two halves can be joined: {a b e f} and {c d g h}. */
    lo = _mm_shuffle_epi32(lo, 0xB1);
    hi = _mm_shuffle_epi32(hi, 0x1B);
    return (sha_lane){_mm_alignr_epi8(lo, hi, 8), _mm_blend_epi16(hi, lo, 0xF0)};
}

SHA_TARGET static inline void store_lane(uint32_t h[8], sha_lane s)
{
    __m128i lo = _mm_shuffle_epi32(s.abef, 0x1B);
    __m128i hi = _mm_shuffle_epi32(s.cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(lo, hi, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(hi, lo, 8));
}

/* The 16 words of a block, bytes swapped to big-endian. */
SHA_TARGET static inline void load_words(__m128i m[4], const uint8_t *p)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    for (int i = 0; i < 4; i++)
        m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)), swap);
}

/* Rounds 4 * (i + j) to 4 * (i + j) + 3: the words of the block itself first, then the expanded
 * ones. */
SHA_TARGET static inline void step(sha_lane *s, __m128i m[4], int i, int j)
{
    if (i)
        m[j] = next_words(m[j], m[(j + 1) & 3], m[(j + 2) & 3], m[(j + 3) & 3]);
    four_rounds(&s->abef, &s->cdgh, m[j], i + j);
}

/* The state of the block before is added at the end of each block. */
SHA_TARGET static inline void add_lane(sha_lane *s, sha_lane before)
{
    s->abef = _mm_add_epi32(s->abef, before.abef);
    s->cdgh = _mm_add_epi32(s->cdgh, before.cdgh);
}

SHA_TARGET static void blocks_by_instruction(uint32_t h[8], const uint8_t *p, size_t blocks)
{
    sha_lane s = load_lane(h);
    for (; blocks; blocks--, p += 64) {
        sha_lane before = s;
        __m128i m[4];
        load_words(m, p);
        for (int i = 0; i < 16; i += 4)
            for (int j = 0; j < 4; j++)
                step(&s, m, i, j);
        add_lane(&s, before);
    }
    store_lane(h, s);
}

/* Two messages at once: the instructions of one wait for each other, those of two do not. */
SHA_TARGET static void pairs_by_instruction(uint32_t h[2][8], const uint8_t *p, const uint8_t *q,
                                            size_t blocks)
{
    sha_lane s = load_lane(h[0]), t = load_lane(h[1]);
    for (; blocks; blocks--, p += 64, q += 64) {
        sha_lane s0 = s, t0 = t;
        __m128i m[4], n[4];
        load_words(m, p);
        load_words(n, q);
        for (int i = 0; i < 16; i += 4)
            for (int j = 0; j < 4; j++) {
                step(&s, m, i, j);
                step(&t, n, i, j);
            }
        add_lane(&s, s0);
        add_lane(&t, t0);
    }
    store_lane(h[0], s);
    store_lane(h[1], t);
}

typedef void blocks_fn(uint32_t h[8], const uint8_t *p, size_t blocks);
typedef void pairs_fn(uint32_t h[2][8], const uint8_t *p, const uint8_t *q, size_t blocks);

/* Sets yes to whether the processor has SHA, SSSE3 and SSE4.1 (cpuid leaf 7 EBX bit 29; leaf 1 ECX
 * bits 9 and 19). Runs when the program is linked at its start: cpuid costs microseconds in a
 * virtual machine. No calls here: an instrumented callee would run before its sanitizer has
 * started. */
#define HAS_INSTRUCTIONS(yes)                                                                      \
    do {                                                                                           \
        unsigned a, b, c, d, simd, leaves;                                                         \
        __asm__ volatile("cpuid" : "=a"(leaves), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0));      \
        __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(simd), "=d"(d) : "a"(1), "c"(0));        \
        __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));           \
        (yes) = leaves >= 7 && (simd >> 9 & simd >> 19 & b >> 29 & 1) != 0;                        \
    } while (0)

/* Functions that the dynamic linker calls to choose an implementation (ifunc). */
#define RESOLVER __attribute__((used, no_sanitize("address", "undefined"))) static

RESOLVER blocks_fn *choose_blocks(void)
{
    bool yes;
    HAS_INSTRUCTIONS(yes);
    return yes ? blocks_by_instruction : sha256_blocks_portable;
}

RESOLVER pairs_fn *choose_pairs(void)
{
    bool yes;
    HAS_INSTRUCTIONS(yes);
    return yes ? pairs_by_instruction : pairs_portable;
}

static blocks_fn blocks_of __attribute__((ifunc("choose_blocks")));
static pairs_fn pairs_of __attribute__((ifunc("choose_pairs")));
#else
static void blocks_of(uint32_t h[8], const uint8_t *p, size_t blocks)
{
    sha256_blocks_portable(h, p, blocks);
}

static void pairs_of(uint32_t h[2][8], const uint8_t *p, const uint8_t *q, size_t blocks)
{
    pairs_portable(h, p, q, blocks);
}
#endif

/* The initial state of section 5.3.3. */
void sha256_start(sha256 *s)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->h, start, sizeof start);
    s->total = 0;
}

/* Fills the waiting block first; whole blocks are then hashed in place, without a copy. Bytes that
 * are left wait in s->part. */
void sha256_add(sha256 *s, const void *p, size_t n)
{
    const uint8_t *from = p;
    size_t held = s->total & 63;
    s->total += n;
    if (held) {
        size_t take = n < 64 - held ? n : 64 - held;
        memcpy(s->part + held, from, take);
        from += take;
        n -= take;
        if (held + take < 64)
            return;
        /* The waiting block is full. */
        blocks_of(s->h, s->part, 1);
    }
    if (n >= 64)
        blocks_of(s->h, from, n / 64);
    if (n & 63)
        memcpy(s->part, from + (n & ~(size_t)63), n & 63);
}

/* Padding: a 1 bit, zeros, and the length in bits, up to a whole block (section 5.1.1). */
void sha256_finish(sha256 *s, uint8_t out[SHA256_SIZE])
{
    uint64_t bits = s->total * 8;
    uint8_t end[128] = {0x80};
    size_t held = s->total & 63;
    /* Zeros up to 8 bytes before the end of a block, in this block or the next. */
    size_t n = (held < 56 ? 56 : 120) - held;
    store_be(end + n, (uint32_t)(bits >> 32));
    store_be(end + n + 4, (uint32_t)bits);
    sha256_add(s, end, n + 8);
    for (int i = 0; i < 8; i++)
        store_be(out + 4 * i, s->h[i]);
}

void sha256_of(const void *p, size_t n, uint8_t out[SHA256_SIZE])
{
    sha256 s;
    sha256_start(&s);
    sha256_add(&s, p, n);
    sha256_finish(&s, out);
}

/* The common length goes in pairs of blocks, the rest of each text alone. */
void sha256_of_two(str a, str b, uint8_t out[2][SHA256_SIZE])
{
    sha256 s, t;
    sha256_start(&s);
    sha256_start(&t);
    size_t blocks = (a.n < b.n ? a.n : b.n) / 64;
    uint32_t h[2][8];
    memcpy(h[0], s.h, sizeof s.h);
    memcpy(h[1], t.h, sizeof t.h);
    pairs_of(h, (const uint8_t *)a.p, (const uint8_t *)b.p, blocks);
    memcpy(s.h, h[0], sizeof s.h);
    memcpy(t.h, h[1], sizeof t.h);
    /* From here on the two go their own ways; an empty text may be NULL. */
    const size_t done = blocks * 64;
    s.total = t.total = done;
    if (a.n > done)
        sha256_add(&s, a.p + done, a.n - done);
    if (b.n > done)
        sha256_add(&t, b.p + done, b.n - done);
    sha256_finish(&s, out[0]);
    sha256_finish(&t, out[1]);
}

void sha256_hex(const uint8_t digest[SHA256_SIZE], char out[SHA256_HEX])
{
    for (int i = 0; i < SHA256_SIZE; i++) {
        out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
}
