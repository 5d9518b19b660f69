/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Warp's name that one which it lacks was meant to be: the word that NumPy or CUDA has for
 * it, else the name at the least edit distance, if it is near and the only one. Examples:
 *
 *     wp.arctan2  ->  atan2      wp.lenght  ->  length      wp.lanch  ->  launch
 *     wp.sine     ->  sin        wp.zeroes  ->  zeros       wp.foo    ->  nothing
 *
 * For the hints of diagnostics: "did you mean 'length'?". */
#include "base/nearest.h"
#include "builtin/builtin.h"
#include "sema/sema.h"

static const char *synonym_of(const char *name)
{
    static const char *const rows[][2] = {
#define SYNONYM(word, name) {word, name},
#include "sema/warp_synonyms.def"
#undef SYNONYM
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i][0]) == 0)
            return rows[i][1];
    return NULL;
}

static void offer(void *near, const char *name)
{
    nearest_offer(near, str_c(name));
}

const char *warp_similar(const ctx *c, const sym *name)
{
    const char *word = synonym_of(name->s);
    const builtin *b;
    nearest near;
    if (word)
        return word;
    nearest_init(&near, sym_str(name));
    warp_each_name(offer, &near);
    for (uint32_t at = 0; (b = builtin_next(c, &at)) != NULL;)
        if (builtin_name(b)->s[0] != '_')
            offer(&near, builtin_name(b)->s);
    return near.best.p;
}
