/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Warp's name that one which it lacks was meant to be: the word that NumPy or CUDA has for
 * it, else the name at the least edit distance, if it is near and the only one. Examples:
 *
 *     wp.arctan2  ->  atan2      wp.lenght  ->  length      wp.lanch  ->  launch
 *     wp.sine     ->  sin        wp.Vec3    ->  vec3        wp.foo    ->  nothing
 *
 * For the hints of diagnostics: "did you mean 'length'?". */
#include "base/ascii.h"
#include "base/nearest.h"
#include "builtin/builtin.h"
#include "sema/sema.h"

static const char *synonym_of(const char *name)
{
    static const char *const rows[][2] = {
#define SYNONYM(word, name) {word, name},
#define ADVICE(word, text)
#include "sema/warp_synonyms.def"
#undef ADVICE
#undef SYNONYM
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i][0]) == 0)
            return rows[i][1];
    return NULL;
}

const char *warp_advice(const sym *name)
{
    static const char *const rows[][2] = {
#define SYNONYM(word, name)
#define ADVICE(word, text) {word, text},
#include "sema/warp_synonyms.def"
#undef ADVICE
#undef SYNONYM
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name->s, rows[i][0]) == 0)
            return rows[i][1];
    return NULL;
}

/* The names in work. */
typedef struct search {
    nearest near;
    str word;
    const char *same; /* but for capitals; NULL: none is */
} search;

static bool is_same(str a, const char *b)
{
    size_t i = 0;
    while (i < a.n && b[i] && ascii_lower(a.p[i]) == ascii_lower(b[i]))
        i++;
    return i == a.n && !b[i];
}

static void offer(void *arg, const char *name)
{
    search *s = arg;
    nearest_offer(&s->near, str_c(name));
    if (!s->same && is_same(s->word, name))
        s->same = name;
}

const char *warp_similar(const ctx *c, const sym *name)
{
    const char *word = synonym_of(name->s);
    const builtin *b;
    search s = {.word = sym_str(name)};
    if (word)
        return word;
    nearest_init(&s.near, s.word);
    warp_each_name(offer, &s);
    for (uint32_t at = 0; (b = builtin_next(c, &at)) != NULL;)
        if (builtin_name(b)->s[0] != '_')
            offer(&s, builtin_name(b)->s);
    return s.same ? s.same : s.near.best.p;
}
