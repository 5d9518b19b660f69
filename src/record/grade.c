/* SPDX-License-Identifier: Apache-2.0 */
/* Columns for trainers and graders (grade.h):
 *
 *     "Write a Warp kernel called ..."   ->   problem_id "5d41402abc4b2a76b9719d911017c592"
 *     "y[i] = 2.0 * x[i]"   ->   13 tokens
 *     ->   verification_info {"language": "python", "kernel_name": "scale", "arguments": [...],
 *                             "block_dim": 0, "tests": [...], "no_tests_because": ""} */
#include "record/grade.h"

#include "base/json.h"
#include "base/sha256.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Half of the digits of the SHA-256. */
void grade_problem_id(str prompt, str source, char id[GRADE_ID])
{
    const str of = prompt.n ? prompt : source;
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(of.p, of.n, digest);
    sha256_hex(digest, hex);
    memcpy(id, hex, GRADE_ID);
}

/* --- tokens ---------------------------------------------------------------------------------- */

/* Of a run of letters one token for each 8, of a run of signs one for each 2, one for each digit
 * and each line break; spaces belong to what follows. Texts are read 64 bytes at a time, a bit for
 * each byte. */
enum { BLOCK = 64, LETTERS = 8 };

typedef struct classes { /* of the bytes of a block */
    uint64_t letters, digits, breaks, spaces;
} classes;

#if defined(__SSE2__)
/* Which of 16 bytes are from `low` to `low` + `width`. */
static inline uint64_t between(__m128i v, char low, char width)
{
    const __m128i from = _mm_sub_epi8(v, _mm_set1_epi8(low));
    const __m128i is = _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8(width)), from);
    return (uint64_t)(unsigned)_mm_movemask_epi8(is);
}

static inline classes classes_of(const char *p)
{
    classes c = {0};
    for (int i = 0; i < BLOCK; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        const __m128i lower = _mm_or_si128(v, _mm_set1_epi8(32));
        c.letters |= between(lower, 'a', 'z' - 'a') << i;
        c.digits |= between(v, '0', 9) << i;
        c.breaks |= between(v, '\n', 0) << i;
        c.spaces |= (between(v, ' ', 0) | between(v, '\t', 0) | between(v, '\r', 0)) << i;
    }
    return c;
}
#else
static inline classes classes_of(const char *p)
{
    classes c = {0};
    for (int i = 0; i < BLOCK; i++) {
        const char lower = (char)(p[i] | 32);
        c.letters |= (uint64_t)(lower >= 'a' && lower <= 'z') << i;
        c.digits |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
        c.breaks |= (uint64_t)(p[i] == '\n') << i;
        c.spaces |= (uint64_t)(p[i] == ' ' || p[i] == '\t' || p[i] == '\r') << i;
    }
    return c;
}
#endif

static uint64_t ones(uint64_t bits)
{
    return (uint64_t)__builtin_popcountll(bits);
}

/* How many of the lowest bits are set. */
static uint32_t run_length(uint64_t bits)
{
    return ~bits ? (uint32_t)__builtin_ctzll(~bits) : BLOCK;
}

/* Where tokens of letters begin, up to the LETTERS-th of a run; *n gains the others. *run letters
 * have ended the block before. */
static uint64_t letter_tokens(uint64_t bits, uint64_t *run, uint64_t *n)
{
    const uint32_t first = run_length(bits);
    const uint64_t all = *run + first;
    *n += (all + LETTERS - 1) / LETTERS - (*run + LETTERS - 1) / LETTERS;
    *run = all;
    if (first == BLOCK)
        return 0;
    const uint64_t others = bits >> first << first;
    /* Where LETTERS + 1 of them begin. */
    uint64_t more = others & others >> 1;
    more &= more >> 2;
    more &= more >> 4;
    more &= others >> LETTERS;
    while (more) {
        const uint64_t begin = more & (0 - more), run_bits = more & ~(more + begin);
        *n += (ones(run_bits) + LETTERS - 1) / LETTERS;
        more &= ~run_bits;
    }
    *run = (uint32_t)__builtin_clzll(~others);
    return others & ~(others << 1);
}

/* Where tokens of signs begin, of which each second one of a run begins one. *open: the last of the
 * block before was a sign; *odd: and the next one of its run begins none. */
static uint64_t sign_tokens(uint64_t bits, bool *open, bool *odd)
{
    const uint64_t EVEN = UINT64_C(0x5555555555555555);
    const uint64_t begins = bits & ~(bits << 1 | *open);
    const uint64_t even_begins = (begins & EVEN) | (bits & (uint64_t)(*open && !*odd));
    /* A sum with the first bit of a run of ones clears it. */
    const uint64_t even = bits & ~(bits + even_begins);
    *open = bits >> (BLOCK - 1);
    *odd = !(even >> (BLOCK - 1));
    return (even & EVEN) | (bits & ~even & ~EVEN);
}

uint64_t grade_tokens(str text)
{
    uint64_t n = 0, run = 0;
    bool open = false, odd = false;
    char last[BLOCK];
    for (size_t i = 0; i < text.n; i += BLOCK) {
        const char *p = text.p + i;
        if (text.n - i < BLOCK) {
            memset(last, ' ', sizeof last);
            p = memcpy(last, p, text.n - i);
        }
        const classes c = classes_of(p);
        const uint64_t signs = ~(c.letters | c.digits | c.breaks | c.spaces);
        const uint64_t begins = letter_tokens(c.letters, &run, &n) |
                                sign_tokens(signs, &open, &odd) | c.digits | c.breaks;
        n += ones(begins);
    }
    return n;
}

/* --- what a grader gets ---------------------------------------------------------------------- */

void grade_put_info(strbuf *b, const grade_subject *s)
{
    SB_LIT(b, "{\"language\": \"");
    sb_c(b, s->language);
    SB_LIT(b, "\", \"kernel_name\": \"");
    sb_str(b, s->kernel);
    SB_LIT(b, "\", \"arguments\": [");
    for (uint32_t i = 0; i < s->nargs; i++) {
        sb_c(b, i ? ", {\"name\": \"" : "{\"name\": \"");
        sb_str(b, s->args[i].name);
        SB_LIT(b, "\", \"type\": \"");
        sb_str(b, s->args[i].type);
        SB_LIT(b, "\"}");
    }
    SB_LIT(b, "], \"block_dim\": ");
    sb_uint(b, s->block_dim);
    SB_LIT(b, ", \"tests\": ");
    sb_str(b, s->tests);
    SB_LIT(b, ", \"no_tests_because\": ");
    json_string(b, str_c(s->why ? s->why : ""));
    SB_LIT(b, "}");
}

bool grade_is_untested(str info)
{
    static const char end[] = "\"no_tests_because\": \"" GRADE_NO_TESTS "\"}";
    enum { N = sizeof end - 1 };
    return info.n >= N && memcmp(info.p + info.n - N, end, N) == 0;
}
