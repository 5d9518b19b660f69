/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a licence file with the texts of licences (license_text.h). What they explain is taken
 * away; a word in the rest that conditions are made of tells that there are some.
 *
 *     MIT License / Copyright ... / Permission is hereby granted ... / It may not be sold.
 *     the rest: mit license it may not be sold   ->   "may": the file says more */
#include "collect/license_text.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/vec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* GRAM: words in a row that are compared; REST_MOST: words of the rest, names of authors, say. */
enum { GRAM = 4, REST_MOST = 200 };

static const char *const texts[] = {
#define TEXT(words) words,
#define BODY(first, last, least, most)
#include "collect/license_text.def"
#undef BODY
#undef TEXT
};

typedef struct long_text {
    const char *first, *last;
    uint32_t least, most;
} long_text;

static const long_text bodies[] = {
#define TEXT(words)
#define BODY(first, last, least, most) {first, last, least, most},
#include "collect/license_text.def"
#undef BODY
#undef TEXT
};

/* A condition has one of them: whole words, and beginnings of words. */
static const char *const whole[] = {"only",   "not",    "no",       "must",   "shall",
                                    "may",    "sell",   "evil",     "unless", "never",
                                    "except", "resale", "provided", "however"};
static const char *const begins[] = {
    "prohibit", "restricted",      "restrictions", "condition",  "require",     "forbid",
    "permit",   "commercial",      "noncommerc",   "academic",   "educational", "military",
    "royalt",   "agree",           "exclu",        "obligation", "additional",  "exception",
    "consent",  "notwithstanding", "personal",     "evaluat",    "payment",     "grant"};

/* A text as small words with single spaces between them, and where each begins. */
typedef struct word_list {
    char *text;
    VEC(uint32_t) at; /* of each word, and of the end */
    uint32_t n;
} word_list;

static bool is_of_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

static void split(arena *a, str text, word_list *w)
{
    uint32_t n = 0;
    *w = (word_list){.text = arena_alloc(a, text.n + 2)};
    for (size_t i = 0; i < text.n; i++) {
        const bool begins_word = is_of_word(text.p[i]) && (i == 0 || !is_of_word(text.p[i - 1]));
        if (begins_word && w->n)
            w->text[n++] = ' ';
        if (begins_word) {
            VEC_PUSH(a, &w->at, n);
            w->n++;
        }
        if (is_of_word(text.p[i]))
            w->text[n++] = ascii_lower(text.p[i]);
    }
    VEC_PUSH(a, &w->at, n + 1);
    w->text[n] = 0;
}

/* `n` words from the one at `from`, with the spaces between them. */
static str words_of(const word_list *w, uint32_t from, uint32_t n)
{
    WEFT_ASSERT(from + n <= w->n);
    return (str){w->text + w->at.v[from], w->at.v[from + n] - 1 - w->at.v[from]};
}

/* --- what is explained ----------------------------------------------------------------------- */

typedef VEC(uint64_t) gram_list;

static uint64_t gram_at(const word_list *w, uint32_t at)
{
    const str gram = words_of(w, at, GRAM);
    return XXH3_64bits(gram.p, gram.n);
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Hashes of all runs of four words of the short texts, sorted. */
static void read_texts(arena *a, gram_list *grams)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        word_list w;
        split(a, str_c(texts[i]), &w);
        for (uint32_t k = 0; k + GRAM <= w.n; k++)
            VEC_PUSH(a, grams, gram_at(&w, k));
    }
    qsort(grams->v, grams->n, sizeof *grams->v, compare);
}

static void explain_short(arena *a, const word_list *w, bool *known)
{
    gram_list grams = {0};
    read_texts(a, &grams);
    for (uint32_t i = 0; i + GRAM <= w->n; i++) {
        const uint64_t gram = gram_at(w, i);
        if (bsearch(&gram, grams.v, grams.n, sizeof *grams.v, compare))
            memset(known + i, 1, GRAM);
    }
}

/* Where the phrase begins, from the word at `from` on; w->n: nowhere. */
static uint32_t find_phrase(const word_list *w, uint32_t from, const char *phrase)
{
    const uint32_t n = (uint32_t)str_count(str_c(phrase), ' ') + 1;
    for (uint32_t i = from; i + n <= w->n; i++)
        if (str_eq(words_of(w, i, n), str_c(phrase)))
            return i;
    return w->n;
}

/* A long text that is as long as it should be. */
static void explain_long(const word_list *w, const long_text *t, bool *known)
{
    const uint32_t more = (uint32_t)str_count(str_c(t->last), ' ') + 1;
    uint32_t end = 0;
    for (uint32_t i = 0; (i = find_phrase(w, i, t->first)) < w->n; i++) {
        if (end < i || !end)
            end = find_phrase(w, i, t->last);
        if (end < w->n && end - i >= t->least && end - i <= t->most)
            memset(known + i, 1, end - i + more);
    }
}

/* --- the rest -------------------------------------------------------------------------------- */

static bool is_condition(str word)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (str_eq(word, str_c(whole[i])))
            return true;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (str_starts(word, begins[i]))
            return true;
    return false;
}

bool license_text_has_more(arena *a, str text)
{
    const arena_mark mark = arena_save(a);
    word_list w;
    uint32_t rest = 0;
    bool any = false;
    split(a, text, &w);
    bool *known = arena_zero(a, w.n + 1);
    explain_short(a, &w, known);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        explain_long(&w, &bodies[i], known);
    for (uint32_t i = 0; i < w.n && !any; i++) {
        rest += !known[i];
        any = !known[i] && is_condition(words_of(&w, i, 1));
    }
    arena_rewind(a, mark);
    return any || rest > REST_MOST;
}
