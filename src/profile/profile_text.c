/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles and wishes as single words and lines: a profile in the command of a run, so that its
 * bytes can be made again from the command alone; a wish in a record's metadata.target.
 *
 *     profile   <->   "weft-profile:200:gather=90,guard=40:0,0,0,2,11,..."
 *     wish      <->   "19 gather guard", "19 level=2 least=10 gather guard" */
#include <stdio.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "profile/profile.h"

/* --- wishes ---------------------------------------------------------------------------------- */

/* "level=2", "level=3" are bits of `levels`. */
static const char word_level[] = "level=", word_least[] = "least=", word_most[] = "most=";

static void put_limit(strbuf *b, const char *name, uint32_t n)
{
    SB_LIT(b, " ");
    sb_c(b, name);
    sb_uint(b, n);
}

static void put_limits(strbuf *b, const profile_wish *w)
{
    for (uint32_t i = 0; i < 8; i++)
        if (w->levels >> i & 1)
            put_limit(b, word_level, i);
    if (w->least)
        put_limit(b, word_least, w->least);
    if (w->most)
        put_limit(b, word_most, w->most);
}

/* The number behind the name; false: the word is none of the kind. */
static bool read_limit(str word, const char *name, uint32_t *n)
{
    const char *end;
    uint64_t x;
    const size_t at = strlen(name);
    if (!str_starts(word, name) || !decimal_read_uint(word.p + at, &end, &x) ||
        end != word.p + word.n || !x || x > UINT8_MAX)
        return false;
    *n = (uint32_t)x;
    return true;
}

/* False: the word states no limit. */
static bool read_limits(str word, profile_wish *w)
{
    uint32_t n;
    if (read_limit(word, word_level, &n) && n < 8)
        w->levels |= (uint8_t)(1u << n);
    else if (read_limit(word, word_least, &n))
        w->least = (uint8_t)n;
    else if (read_limit(word, word_most, &n))
        w->most = (uint8_t)n;
    else
        return false;
    return true;
}

void profile_put_wish(strbuf *b, const profile_wish *w)
{
    if (w->lines + 1u < PROFILE_STEPS)
        sb_uint(b, profile_step_end(w->lines));
    else
        sb_c(b, w->lines < PROFILE_STEPS ? "more" : "any");
    put_limits(b, w);
    for (int i = 0; i < PROFILE_FEATURES; i++)
        if (w->wanted >> i & 1)
            sb_c(b, " "), sb_c(b, profile_feature_name((profile_feature)i));
    const uint64_t all = UINT64_MAX >> (64 - PROFILE_FEATURES);
    if (w->known == all)
        return;
    SB_LIT(b, " any");
    for (int i = 0; i < PROFILE_FEATURES; i++)
        if (!(w->known >> i & 1))
            sb_c(b, " "), sb_c(b, profile_feature_name((profile_feature)i));
}

/* What stands before the mark, which is taken off with it. */
static str take_part(str *text, char mark)
{
    const char *end = text->n ? memchr(text->p, mark, text->n) : NULL;
    const str part = {text->p, end ? (size_t)(end - text->p) : text->n};
    const size_t n = part.n + (end != NULL);
    *text = (str){text->p + n, text->n - n};
    return part;
}

static bool read_lines(str word, profile_wish *w)
{
    for (w->lines = 0; w->lines < PROFILE_STEPS; w->lines++) {
        char end[16];
        snprintf(end, sizeof end, "%u", (unsigned)profile_step_end(w->lines));
        if (str_eq(word, w->lines + 1u < PROFILE_STEPS ? str_c(end) : STR("more")))
            return true;
    }
    return str_eq(word, STR("any"));
}

bool profile_read_wish(str text, profile_wish *w)
{
    bool any = false;
    *w = (profile_wish){.known = UINT64_MAX >> (64 - PROFILE_FEATURES)};
    if (!read_lines(take_part(&text, ' '), w))
        return false;
    while (text.n) {
        const str word = take_part(&text, ' ');
        profile_feature f;
        if (!any && str_eq(word, STR("any"))) {
            any = true;
            continue;
        }
        if (!any && read_limits(word, w))
            continue;
        if (!profile_feature_find(word, &f))
            return false;
        if (any)
            w->known &= ~(UINT64_C(1) << f);
        else
            w->wanted |= UINT64_C(1) << f;
    }
    return !(w->wanted & ~w->known);
}

/* --- profiles -------------------------------------------------------------------------------- */

#define MARK "weft-profile:"

void profile_put_text(strbuf *b, const profile *p)
{
    bool first = true;
    SB_LIT(b, MARK);
    sb_uint(b, p->kernels);
    SB_LIT(b, ":");
    for (int i = 0; i < PROFILE_FEATURES; i++) {
        if (p->features[i] == PROFILE_UNKNOWN)
            continue;
        sb_c(b, first ? "" : ",");
        sb_c(b, profile_feature_name((profile_feature)i));
        SB_LIT(b, "=");
        sb_uint(b, p->features[i]);
        first = false;
    }
    SB_LIT(b, ":");
    for (int i = 0; i < PROFILE_STEPS; i++) {
        sb_c(b, i ? "," : "");
        sb_uint(b, p->numbers[PROFILE_LINES][i]);
    }
}

bool profile_is_text(str text)
{
    return str_starts(text, MARK);
}

static bool read_number(str word, uint64_t most, uint64_t *out)
{
    const char *end;
    return word.n && decimal_read_uint(word.p, &end, out) && end == word.p + word.n && *out <= most;
}

bool profile_read_text(str text, profile *p)
{
    profile_feature f;
    uint64_t lines = 0;
    *p = (profile){0};
    for (int i = 0; i < PROFILE_FEATURES; i++)
        p->features[i] = PROFILE_UNKNOWN;
    if (!profile_is_text(text))
        return false;
    (void)take_part(&text, ':');
    if (!read_number(take_part(&text, ':'), UINT32_MAX, &p->kernels) || !p->kernels)
        return false;
    for (str list = take_part(&text, ':'); list.n;) {
        str value = take_part(&list, ',');
        const str name = take_part(&value, '=');
        if (!profile_feature_find(name, &f) || !read_number(value, p->kernels, &p->features[f]))
            return false;
    }
    for (int i = 0; i < PROFILE_STEPS; i++) {
        if (!read_number(take_part(&text, ','), p->kernels, &p->numbers[PROFILE_LINES][i]))
            return false;
        lines += p->numbers[PROFILE_LINES][i];
    }
    return !text.n && (lines == p->kernels || !lines);
}
