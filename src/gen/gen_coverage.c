/* SPDX-License-Identifier: Apache-2.0 */
/* What the generator can express: productions, which are things (builtins, operators, statements,
 * ...) with the types that the tables allow them. Productions are numbered thing by thing, and by
 * type in each; a sample holds a bit for each that it has.
 *
 *     cover_type(g, FN_dot, vec3d)   ->  the bit of "builtins/dot:vec3d"
 *     cover(g, THING_WHILE)          ->  the bit of "statements/while"
 *
 * A set of samples covers a production if one of them has its bit: stats.json counts those. */
#include "gen/gen_coverage.h"

#include <string.h>

#include "gen/gen_call_row.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"

/* A builtin has its class, for calls that the code writes itself, and its CALL rows. */
bool takes(gen_thing thing, gtype t)
{
    WEFT_ASSERT(thing < THING_COUNT);
    return class_has(thing_rows[thing].class, t) ||
           (thing < (gen_thing)FN_COUNT && calls_with((gen_fn)thing, t));
}

/* All types that it takes, a bit for each number of type_at. */
static void types_of(gen_thing thing, uint64_t of[TYPE_WORDS])
{
    memset(of, 0, TYPE_WORDS * sizeof *of);
    for (uint32_t k = 0; k < TYPE_COUNT; k++)
        if (class_has(thing_rows[thing].class, type_at(k)))
            of[k >> 6] |= UINT64_C(1) << (k & 63);
    if (thing < (gen_thing)FN_COUNT)
        calls_types((gen_fn)thing, of);
}

/* Is type number k in the set? */
static bool has_type(const uint64_t of[TYPE_WORDS], uint32_t k)
{
    return of[k >> 6] >> (k & 63) & 1;
}

/* Gives the next number, n, to a thing with a type; returns the number after it. */
static uint32_t number(gen *g, uint32_t n, uint32_t thing, uint32_t type)
{
    WEFT_ASSERT(n < GEN_PRODUCTIONS_MAX);
    g->productions.things[n] = (uint16_t)thing;
    g->productions.types[n] = (uint16_t)type;
    return n + 1;
}

/* Things of class ONE have one production without a type; all others one for each type. */
void cover_start(gen *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        g->productions.first[i] = (uint16_t)n;
        if (thing_rows[i].class == CLASS_ONE)
            n = number(g, n, i, TYPE_COUNT);
        types_of((gen_thing)i, g->productions.of[i]);
        for (uint32_t k = 0; k < TYPE_COUNT; k++)
            if (has_type(g->productions.of[i], k))
                n = number(g, n, i, k);
    }
    /* One behind the last, so that first[i + 1] is the end of each thing. */
    g->productions.first[THING_COUNT] = (uint16_t)n;
    WEFT_ASSERT(n <= GEN_PRODUCTIONS_MAX);
}

/* The sample, or the helper that is written, has the production. */
static void mark(gen *g, uint32_t production)
{
    WEFT_ASSERT(production < g->productions.first[THING_COUNT]);
    g->coverage.had.bits[production >> 6] |= UINT64_C(1) << (production & 63);
}

/* The number is that of the thing's first type plus the rank of the type among the thing's: the
 * bits below it are counted. Runs for each operator of each sample, hence no search. */
void cover_type(gen *g, gen_thing thing, gtype t)
{
    WEFT_ASSERT(thing < THING_COUNT && t.sc < GS_COUNT);
    const uint32_t type = type_number(t);
    const uint64_t *of = g->productions.of[thing], bit = UINT64_C(1) << (type & 63);
    /* A mistake in a table or in the code that writes: tests/generate/coverage_check.py lets one
     * sample in a thousand have such. */
    if (!(of[type >> 6] & bit)) {
        g->coverage.unlisted = true;
        return;
    }
    uint32_t rank = (uint32_t)__builtin_popcountll(of[type >> 6] & (bit - 1));
    /* Whole words below the type's own. */
    for (uint32_t i = 0; i < type >> 6; i++)
        rank += (uint32_t)__builtin_popcountll(of[i]);
    mark(g, g->productions.first[thing] + rank);
}

/* For things of class ONE, which have no type. */
void cover(gen *g, gen_thing thing)
{
    WEFT_ASSERT(thing < THING_COUNT);
    if (thing_rows[thing].class == CLASS_ONE)
        mark(g, g->productions.first[thing]);
    else
        g->coverage.unlisted = true;
}

/* A builtin without a type, written by other means than put_prefix. */
void mark_used(gen *g, gen_fn fn)
{
    WEFT_ASSERT(fn < FN_COUNT);
    g->coverage.used[fn >> 6] |= UINT64_C(1) << (fn & 63);
    cover(g, (gen_thing)fn);
}

void count_builtin(gen *g, gen_fn fn)
{
    WEFT_ASSERT(fn < FN_COUNT);
    g->coverage.used[fn >> 6] |= UINT64_C(1) << (fn & 63);
}

/* The same with a type, by other means than put_fn. */
void mark_used_type(gen *g, gen_fn fn, gtype t)
{
    g->coverage.used[fn >> 6] |= UINT64_C(1) << (fn & 63);
    cover_type(g, (gen_thing)fn, t);
}

void cover_all(gen *g, const gcover *c)
{
    for (int i = 0; i < COVER_WORDS; i++)
        g->coverage.had.bits[i] |= c->bits[i];
}

void target_set(gen *g, uint32_t production)
{
    WEFT_ASSERT(production <= g->productions.first[THING_COUNT]);
    g->target.production = production;
    g->target.thing = production ? g->productions.things[production - 1] : -1;
    /* TYPE_COUNT stands for no type. */
    const uint32_t type = production ? g->productions.types[production - 1] : TYPE_COUNT;
    g->target.typed = type < TYPE_COUNT;
    g->target.type = g->target.typed ? type_at(type) : (gtype){0};
}

bool target_met(const gen *g, uint32_t production)
{
    WEFT_ASSERT(production <= g->productions.first[THING_COUNT]);
    return !production ||
           g->coverage.had.bits[(production - 1) >> 6] >> ((production - 1) & 63) & 1;
}

bool target_is_typed(const gen *g, gen_thing thing, gtype t)
{
    return g->target.thing == (int)thing && gt_same(g->target.type, t);
}

bool target_is(const gen *g, gen_thing thing)
{
    return g->target.thing == (int)thing;
}

int target_here(const gen *g, gtype t)
{
    return g->target.typed && gt_same(g->target.type, t) && !target_met(g, g->target.production)
               ? g->target.thing
               : -1;
}

/* "builtins/dot" */
static void put_thing(strbuf *b, uint32_t thing)
{
    sb_c(b, thing_group_name(thing));
    SB_LIT(b, "/");
    sb_c(b, thing_rows[thing].name);
}

/* "builtins/dot:vec3d"; without a type no colon. */
static void put_production(gen *g, strbuf *b, uint32_t production)
{
    put_thing(b, g->productions.things[production]);
    if (g->productions.types[production] == TYPE_COUNT)
        return;
    SB_LIT(b, ":");
    put_type_name(b, type_at(g->productions.types[production]));
}

str target_text(gen *g, uint32_t production)
{
    strbuf *b = &g->text.whole;
    const size_t begin = b->n;
    if (!production)
        return (str){"", 0};
    put_production(g, b, production - 1);
    const str s = pool_take(g, b, begin);
    b->n = begin;
    return s;
}

/* Compares names of things first, since writing out all productions for each look-up would take
 * long. */
uint32_t gen_production_find(gen *g, str name)
{
    strbuf *b = &g->text.whole;
    for (uint32_t t = 0; name.n && t < THING_COUNT; t++) {
        b->n = 0;
        put_thing(b, t);
        /* "builtins/atan" begins "builtins/atan2:float32" too; the whole names decide. */
        if (b->n > name.n || memcmp(b->p, name.p, b->n) != 0)
            continue;
        for (uint32_t i = g->productions.first[t]; i < g->productions.first[t + 1]; i++) {
            b->n = 0;
            put_production(g, b, i);
            if (str_eq(sb_view(b), name))
                return i + 1;
        }
    }
    return 0;
}

/* The same numbers as cover_start's, without a generator: gen_production_list has none. */
static uint32_t gen_production_count(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        uint64_t of[TYPE_WORDS];
        types_of((gen_thing)i, of);
        n += thing_rows[i].class == CLASS_ONE;
        for (uint32_t k = 0; k < TYPE_COUNT; k++)
            n += has_type(of, k);
    }
    return n;
}

/* The name of a type in the arena; b is room to write it. */
static str type_text(arena *a, strbuf *b, gtype t)
{
    b->n = 0;
    put_type_name(b, t);
    return (str){arena_dup(a, b->p, b->n), b->n};
}

uint32_t gen_production_list(arena *a, gen_production **list)
{
    strbuf text;
    uint32_t n = 0;
    gen_production *all = arena_alloc(a, sizeof *all * gen_production_count());
    sb_init(&text, a->m);
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        const thing_row *row = &thing_rows[i];
        const gen_production p = {thing_group_name(i), row->name, {"", 0}};
        /* The same order as cover_start, by which bits are numbered. */
        if (row->class == CLASS_ONE)
            all[n++] = p;
        uint64_t of[TYPE_WORDS];
        types_of((gen_thing)i, of);
        for (uint32_t k = 0; k < TYPE_COUNT; k++) {
            if (!has_type(of, k))
                continue;
            all[n] = p;
            all[n++].type = type_text(a, &text, type_at(k));
        }
    }
    sb_clear(&text);
    *list = all;
    return n;
}
