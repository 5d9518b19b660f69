/* SPDX-License-Identifier: Apache-2.0 */
/* What quantities are called in sentences.
 *
 *     rest length     "the rest length of each spring", "the rest lengths, of shape (n, 4)"
 *     joint angle     of each joint: "the angle of each joint"
 *     number of hits  "the number of hits for each ray"
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* "pose" of "pose of a body in the world": what stands before the first word that begins a part of
 * its own. */
static str head_of(str noun)
{
    static const char *const ends[] = {" of ",  " to ",    " in ",    " for ",  " that ", " from ",
                                       " at ",  " by ",    " on ",    " with ", " over ", " per ",
                                       " and ", " above ", " below ", " (",     ","};
    for (size_t i = 1; i < noun.n; i++) {
        const str rest = {noun.p + i, noun.n - i};
        for (size_t k = 0; (*rest.p == ' ' || *rest.p == ',') && k < sizeof ends / sizeof *ends;
             k++)
            if (str_starts(rest, ends[k]))
                return (str){noun.p, i};
    }
    return noun;
}

static bool ends_in(str s, const char *end)
{
    const size_t n = strlen(end);
    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

bool noun_is_plural(str noun)
{
    static const char *const others[] = {"maxima",   "minima", "momenta", "data",
                                         "criteria", "radii",  " met"};
    const str head = head_of(noun);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_in(head, others[i]))
            return true;
    const char before = head.n > 1 ? head.p[head.n - 2] : 's';
    return head.n && head.p[head.n - 1] == 's' && !strchr("aius", before);
}

bool noun_is_whole(str noun)
{
    static const char *const wholes[] = {"matrix",  "image",   "map",        "vector",    "volume",
                                         "product", "kernel",  "table",      "cache",     "window",
                                         "light",   "pattern", "divergence", "vorticity", "flow"};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (ends_in(head_of(noun), wholes[i]))
            return true;
    return false;
}

str noun_plural(arena *a, str noun, bool whole)
{
    static const struct {
        const char *one, *many;
    } forms[] = {{"mass", "masses"},     {"axis", "axes"},       {"matrix", "matrices"},
                 {"vertex", "vertices"}, {"index", "indices"},   {"radius", "radii"},
                 {"basis", "bases"},     {"momentum", "momenta"}};
    const str head = head_of(noun), rest = {noun.p + head.n, noun.n - head.n};
    if (!head.n || noun_is_plural(noun) || ends_in(head, "information") ||
        str_find(noun, STR(" of each ")) || (whole && noun_is_whole(noun)))
        return noun;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ends_in(head, forms[i].one))
            return str_c(arena_printf(a, "%.*s%s%.*s", (int)(head.n - strlen(forms[i].one)), head.p,
                                      forms[i].many, (int)rest.n, rest.p));
    const bool y = head.n > 1 && head.p[head.n - 1] == 'y' && !strchr("aeou", head.p[head.n - 2]);
    const bool hisses =
        ends_in(head, "s") || ends_in(head, "x") || ends_in(head, "ch") || ends_in(head, "sh");
    return str_c(arena_printf(a, "%.*s%s%.*s", (int)(head.n - y), head.p,
                              y        ? "ies"
                              : hisses ? "es"
                                       : "s",
                              (int)rest.n, rest.p));
}

/* "pose of a body" of each body is its pose, and the "joint angle" of each joint its angle. */
str noun_short(composer *c, str noun, str of)
{
    const str end = str_c(arena_printf(&c->text, " of a %.*s", (int)of.n, of.p));
    if (!of.n)
        return noun;
    if (noun.n > end.n && memcmp(noun.p + noun.n - end.n, end.p, end.n) == 0)
        return (str){noun.p, noun.n - end.n};
    if (noun.n > of.n + 1 && memcmp(noun.p, of.p, of.n) == 0 && noun.p[of.n] == ' ')
        return (str){noun.p + of.n + 1, noun.n - of.n - 1};
    return noun;
}

/* Is the word in the noun, or one that begins with it: "pixels" for "pixel"? */
static bool has_word(str noun, str word)
{
    for (size_t i = 0; i + word.n <= noun.n; i++)
        if ((!i || noun.p[i - 1] == ' ') && memcmp(noun.p + i, word.p, word.n) == 0)
            return true;
    return false;
}

const char *noun_of_each(str noun, str of)
{
    const bool whose = str_starts(noun, "number of ") || str_find(noun, STR(" of a ")) ||
                       str_find(noun, STR(" of an ")) || str_find(noun, STR(" from ")) ||
                       str_find(noun, STR(" that ")) || str_find(noun, STR(" of each ")) ||
                       has_word(noun, of);
    static const char *const bodies[] = {"particle", "atom", "body",   "grain", "vertex", "node",
                                         "charge",   "bead", "walker", "boid",  "agent"};
    const str head = head_of(noun);
    return whose ? " for each "
           : ends_in(head, "force") && !str_find(noun, STR(" and ")) && STR_IS_IN(of, bodies)
               ? " on each "
               : " of each ";
}

const char *noun_filled(composer *c, str pattern, str result)
{
    const char *star = memchr(pattern.p, '*', pattern.n);
    if (!star)
        return arena_dup(&c->text, pattern.p, pattern.n);
    const size_t before = (size_t)(star - pattern.p), after = pattern.n - before - 1;
    char *filled = arena_alloc(&c->text, before + result.n + after + 1);
    memcpy(filled, pattern.p, before);
    memcpy(filled + before, result.p, result.n);
    memcpy(filled + before + result.n, star + 1, after);
    filled[before + result.n + after] = 0;
    return filled;
}

str noun_given(composer *c, const plan_step *s)
{
    const str noun = s->f->result->noun;
    const lib_part *part = s->ending.part;
    return part && part->gives.n ? str_c(noun_filled(c, part->gives, noun)) : noun;
}
