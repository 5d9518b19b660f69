/* SPDX-License-Identifier: Apache-2.0 */
/* Characters by name, for "\N{BULLET}" in string literals. Names are not stored: unicode_names.def
 * has a hash of each, 280 kB instead of 890 kB of text. Ideographs and Hangul syllables have names
 * made by rule, and are worked out:
 *
 *     "CJK UNIFIED IDEOGRAPH-4E00" is U+4E00, "HANGUL SYLLABLE GAG" is U+AC01.
 */
#include <string.h>

#include "syntax/unicode.h"

enum { NAME_MAX = 256 };

/* The upper 43 bits of a name's FNV-1a hash over its code point (21 bits), in ascending order. No
 * two names of the table share a hash (gen_unicode.py checks it); a misspelt name is taken for one
 * of them with a chance of 35,000 in 2^43, which is 4e-9. */
static const uint64_t names[] = {
#include "syntax/unicode_names.def"
};

/* The blocks of CJK unified ideographs of Unicode 14.0. */
static const struct {
    uint32_t first, last;
} ideographs[] = {
    {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0x20000, 0x2a6df}, {0x2a700, 0x2b738},
    {0x2b740, 0x2b81d}, {0x2b820, 0x2cea1}, {0x2ceb0, 0x2ebe0}, {0x30000, 0x3134a},
};

/* Looks the name up, in either case. -1: no name has this hash. */
static int32_t by_hash(const char *s, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c >= 'a' && c <= 'z')
            c = (unsigned char)(c - 32);
        hash = (hash ^ c) * 0x100000001b3u;
    }
    hash >>= 21;
    size_t low = 0, high = sizeof names / sizeof *names;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        uint64_t here = names[mid] >> 21;
        if (here == hash)
            return (int32_t)(names[mid] & 0x1fffff);
        if (here < hash)
            low = mid + 1;
        else
            high = mid;
    }
    return -1;
}

/* s: the code in four or five hexadecimal digits, capitals as in CPython. -1: no ideograph has
 * this code. */
static int32_t ideograph(const char *s, size_t n)
{
    uint32_t c = 0;
    if (n != 4 && n != 5)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *digits = "0123456789ABCDEF", *d = s[i] ? strchr(digits, s[i]) : NULL;
        if (!d)
            return -1;
        c = c << 4 | (uint32_t)(d - digits);
    }
    for (size_t i = 0; i < sizeof ideographs / sizeof *ideographs; i++)
        if (c >= ideographs[i].first && c <= ideographs[i].last)
            return (int32_t)c;
    return -1;
}

/* The longest of the n words that s begins with; moves s behind it. -1: none. An empty word always
 * fits. */
static int longest(const char **s, const char *end, const char *const *words, int n)
{
    int best = -1;
    size_t best_len = 0;
    for (int i = 0; i < n; i++) {
        size_t len = strlen(words[i]);
        bool fits = len <= (size_t)(end - *s) && memcmp(*s, words[i], len) == 0;
        if (fits && (best < 0 || len > best_len)) {
            best = i;
            best_len = len;
        }
    }
    *s += best_len;
    return best;
}

/* Short names of the Jamo (Unicode 4.8). */
static const char *const leads[] = {"G",  "GG", "N", "D",  "DD", "R", "M", "B", "BB", "S",
                                    "SS", "",   "J", "JJ", "C",  "K", "T", "P", "H"};
static const char *const vowels[] = {"A",   "AE", "YA", "YAE", "EO", "E",  "YEO",
                                     "YE",  "O",  "WA", "WAE", "OE", "YO", "U",
                                     "WEO", "WE", "WI", "YU",  "EU", "YI", "I"};
static const char *const tails[] = {"",   "G",  "GG", "GS", "N",  "NJ", "NH", "D", "L",  "LG",
                                    "LM", "LB", "LS", "LT", "LP", "LH", "M",  "B", "BS", "S",
                                    "SS", "NG", "J",  "C",  "K",  "T",  "P",  "H"};

/* A syllable is a leading consonant, a vowel and perhaps a trailing consonant (Unicode 3.12,
 * arithmetic of Hangul syllables). Their names follow each other without a separator, so each
 * takes the longest name that fits. */
static int32_t hangul(const char *s, size_t n)
{
    const char *end = s + n;
    int l = longest(&s, end, leads, 19), v = longest(&s, end, vowels, 21);
    int t = longest(&s, end, tails, 28);
    if (l < 0 || v < 0 || t < 0 || s != end)
        return -1;
    return 0xac00 + (l * 21 + v) * 28 + t;
}

/* No name has NAME_MAX bytes; longer ones need not be hashed. */
int32_t unicode_by_name(const char *s, size_t n)
{
    static const char cjk[] = "CJK UNIFIED IDEOGRAPH-", syllable[] = "HANGUL SYLLABLE ";
    if (n >= NAME_MAX)
        return -1;
    if (n > sizeof cjk - 1 && memcmp(s, cjk, sizeof cjk - 1) == 0)
        return ideograph(s + sizeof cjk - 1, n - (sizeof cjk - 1));
    if (n > sizeof syllable - 1 && memcmp(s, syllable, sizeof syllable - 1) == 0)
        return hangul(s + sizeof syllable - 1, n - (sizeof syllable - 1));
    return by_hash(s, n);
}
