/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles added up, written, read and drawn from. */
#include "profile/profile.h"

#include "base/assert.h"
#include "base/json.h"

#include <stdio.h>

static const uint32_t ends[PROFILE_STEPS] = {0,  1,  2,  3,  4,  5,  6,  8,  10,  12,
                                             15, 19, 24, 30, 38, 48, 60, 80, 120, UINT32_MAX};

/* The step of a number. */
static uint32_t step_of(uint32_t number)
{
    uint32_t step = 0;
    while (number > ends[step])
        step++;
    WEFT_ASSERT(step < PROFILE_STEPS);
    return step;
}

uint32_t profile_step_end(uint32_t step)
{
    WEFT_ASSERT(step < PROFILE_STEPS);
    return ends[step];
}

void profile_add(profile *p, const profile_facts *f)
{
    p->kernels++;
    for (int i = 0; i < PROFILE_FEATURES; i++)
        p->features[i] += profile_has(f, (profile_feature)i);
    for (int i = 0; i < PROFILE_NUMBERS; i++)
        p->numbers[i][step_of(f->numbers[i])]++;
}

const profile *profile_default(void)
{
    static const profile figures = {
#define KERNELS(n)      .kernels = n,
#define FEATURE(ID, n)  .features[PROFILE_##ID] = n,
#define NUMBER(ID, ...) .numbers[PROFILE_##ID] = {__VA_ARGS__},
#include "profile/profile_default.def"
#undef KERNELS
#undef FEATURE
#undef NUMBER
    };
    return &figures;
}

/* --- written --------------------------------------------------------------------------------- */

/* {"0": 3, ..., "120": 7, "more": 1}: numbers up to each end. */
static void put_steps(strbuf *b, const uint64_t *steps)
{
    bool first = true;
    SB_LIT(b, "{");
    for (uint32_t i = 0; i < PROFILE_STEPS; i++) {
        if (!steps[i])
            continue;
        sb_c(b, first ? "\"" : ", \"");
        if (i + 1 < PROFILE_STEPS)
            sb_uint(b, ends[i]);
        else
            SB_LIT(b, "more");
        SB_LIT(b, "\": ");
        sb_uint(b, steps[i]);
        first = false;
    }
    SB_LIT(b, "}");
}

void profile_put_json(strbuf *b, const profile *p)
{
    SB_LIT(b, "{\"schema\": \"weft-profile-1\", \"kernels\": ");
    sb_uint(b, p->kernels);
    SB_LIT(b, ",\n \"features\": {");
    for (int i = 0; i < PROFILE_FEATURES; i++) {
        json_key(b, profile_feature_name((profile_feature)i), i == 0);
        sb_uint(b, p->features[i]);
    }
    SB_LIT(b, "},\n \"numbers\": {");
    for (int i = 0; i < PROFILE_NUMBERS; i++) {
        json_key(b, profile_number_name((profile_number)i), i == 0);
        put_steps(b, p->numbers[i]);
    }
    SB_LIT(b, "}}\n");
}

/* The end of the step in which the kernel lies that is the `permille`-th of all. */
static void put_quantile(strbuf *b, const profile *p, const uint64_t *steps, uint64_t permille)
{
    uint64_t seen = 0;
    uint32_t i = 0;
    while (i + 1 < PROFILE_STEPS && (seen += steps[i]) * 1000 < p->kernels * permille)
        i++;
    if (i + 1 < PROFILE_STEPS)
        sb_printf(b, "%8u", (unsigned)ends[i]);
    else
        SB_LIT(b, "    more");
}

void profile_put_table(strbuf *b, const profile *p)
{
    sb_printf(b, "%llu different kernels\n\n%-16s  kernels    share\n",
              (unsigned long long)p->kernels, "feature");
    for (int i = 0; i < PROFILE_FEATURES && p->kernels; i++) {
        const uint64_t tenths = (p->features[i] * 1000 + p->kernels / 2) / p->kernels;
        sb_printf(b, "%-16s %8llu  %3llu.%llu %%  %s\n", profile_feature_name((profile_feature)i),
                  (unsigned long long)p->features[i], (unsigned long long)(tenths / 10),
                  (unsigned long long)(tenths % 10), profile_feature_what((profile_feature)i));
    }
    sb_printf(b, "\n%-16s  at most, of 25 %%, 50 %%, 75 %%, 95 %% of the kernels\n", "number");
    for (int i = 0; i < PROFILE_NUMBERS && p->kernels; i++) {
        static const uint64_t permilles[] = {250, 500, 750, 950};
        sb_printf(b, "%-16s ", profile_number_name((profile_number)i));
        for (int k = 0; k < 4; k++)
            put_quantile(b, p, p->numbers[i], permilles[k]);
        sb_printf(b, "  %s\n", profile_number_what((profile_number)i));
    }
}

/* --- read ------------------------------------------------------------------------------------ */

static bool say(strbuf *why, const char *what, str which)
{
    sb_c(why, what);
    if (which.n) {
        SB_LIT(why, " '");
        sb_str(why, (str){which.p, which.n < 80 ? which.n : 80});
        SB_LIT(why, "'");
    }
    return false;
}

/* A count of kernels, which no more than all have. */
static bool read_count(const json_value *v, uint64_t most, uint64_t *out)
{
    if (!json_is_count(v) || json_count(v) > most)
        return false;
    *out = json_count(v);
    return true;
}

static bool read_features(const json_value *object, profile *p, strbuf *why)
{
    for (const json_value *v = object ? object->child : NULL; v; v = v->next) {
        profile_feature f;
        if (!profile_feature_find(v->key, &f))
            return say(why, "there is no feature", v->key);
        if (!read_count(v, p->kernels, &p->features[f]))
            return say(why, "not all of the kernels, nor a part of them, have the feature", v->key);
    }
    return true;
}

static bool read_steps(const json_value *object, const profile *p, uint64_t *steps, strbuf *why)
{
    uint64_t all = 0;
    for (const json_value *v = object->child; v; v = v->next) {
        uint32_t i = 0;
        char end[16];
        for (; i < PROFILE_STEPS; i++) {
            snprintf(end, sizeof end, "%u", (unsigned)ends[i]);
            if (str_eq(v->key, i + 1 < PROFILE_STEPS ? str_c(end) : STR("more")))
                break;
        }
        if (i == PROFILE_STEPS)
            return say(why, "numbers are not counted up to", v->key);
        if (!read_count(v, p->kernels, &steps[i]))
            return say(why, "the numbers of a step are not counted right:", v->key);
        all += steps[i];
    }
    return all == p->kernels || say(why, "the numbers are not those of all kernels", (str){0});
}

static bool read_numbers(const json_value *object, profile *p, strbuf *why)
{
    for (const json_value *v = object ? object->child : NULL; v; v = v->next) {
        int i = 0;
        while (i < PROFILE_NUMBERS &&
               !str_eq(v->key, str_c(profile_number_name((profile_number)i))))
            i++;
        if (i == PROFILE_NUMBERS || !json_is(v, JSON_TYPE_OBJECT))
            return say(why, "there is no number", v->key);
        if (!read_steps(v, p, p->numbers[i], why))
            return false;
    }
    return true;
}

bool profile_read(const json_value *json, profile *p, strbuf *why)
{
    const json_value *features = json_get(json, "features"), *numbers = json_get(json, "numbers");
    *p = (profile){0};
    for (int i = 0; i < PROFILE_FEATURES; i++)
        p->features[i] = PROFILE_UNKNOWN;
    if (!json_is(json, JSON_TYPE_OBJECT) ||
        !str_eq(json_text(json_get(json, "schema")), STR("weft-profile-1")))
        return say(why, "it is no profile as `weft stats --profile --json` writes it", (str){0});
    if (!read_count(json_get(json, "kernels"), UINT32_MAX, &p->kernels) || !p->kernels)
        return say(why, "it does not say of how many kernels it is", (str){0});
    if ((features && !json_is(features, JSON_TYPE_OBJECT)) ||
        (numbers && !json_is(numbers, JSON_TYPE_OBJECT)))
        return say(why, "features and numbers are no objects", (str){0});
    return read_features(features, p, why) && read_numbers(numbers, p, why);
}

/* --- drawn ----------------------------------------------------------------------------------- */

/* A stream of its own, so that what follows in the sample's stream does not go with the wish. */
profile_wish profile_draw(const profile *p, uint64_t seed, uint64_t index)
{
    const uint64_t WISHES = UINT64_C(0x7769736865736f66);
    profile_wish w = {.lines = PROFILE_STEPS};
    rng r = rng_stream(seed ^ WISHES, index);
    WEFT_ASSERT(p->kernels && p->kernels <= UINT32_MAX);
    for (int i = 0; i < PROFILE_FEATURES; i++) {
        if (p->features[i] == PROFILE_UNKNOWN)
            continue;
        w.known |= UINT64_C(1) << i;
        if (rng_below(&r, (uint32_t)p->kernels) < p->features[i])
            w.wanted |= UINT64_C(1) << i;
    }
    uint64_t at = rng_below(&r, (uint32_t)p->kernels);
    for (uint32_t i = 0; i < PROFILE_STEPS && w.lines == PROFILE_STEPS; i++) {
        if (at < p->numbers[PROFILE_LINES][i])
            w.lines = (uint8_t)i;
        else
            at -= p->numbers[PROFILE_LINES][i];
    }
    return w;
}

void profile_limit_lines(profile_wish *w, uint32_t least, uint32_t most)
{
    WEFT_ASSERT(least <= UINT8_MAX && most <= UINT8_MAX && (!most || least <= most));
    w->least = (uint8_t)least;
    w->most = (uint8_t)most;
    if (w->lines == PROFILE_STEPS)
        return;
    if (w->lines < step_of(least))
        w->lines = (uint8_t)step_of(least);
    if (most && w->lines > step_of(most))
        w->lines = (uint8_t)step_of(most);
}

uint32_t profile_difference(const profile_wish *w, uint64_t features, uint64_t looked_at)
{
    static const uint8_t weights[PROFILE_FEATURES][2] = {
#define WEIGHT(ID, lacks, has) [PROFILE_##ID] = {lacks, has},
#include "profile/profile_weight.def"
#undef WEIGHT
    };
    uint32_t sum = 0;
    for (uint64_t bits = (w->wanted ^ features) & w->known & looked_at; bits; bits &= bits - 1) {
        const uint32_t f = (uint32_t)__builtin_ctzll(bits);
        sum += weights[f][features >> f & 1];
    }
    return sum;
}

uint32_t profile_distance(const profile_wish *w, const profile_facts *f)
{
    enum { LINES = 6 }; /* for each step */
    uint32_t d = profile_difference(w, f->features, UINT64_MAX);
    if (w->lines < PROFILE_STEPS) {
        const int steps = (int)step_of(f->numbers[PROFILE_LINES]) - w->lines;
        d += LINES * (uint32_t)(steps < 0 ? -steps : steps);
    }
    return d;
}
