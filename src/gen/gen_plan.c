/* SPDX-License-Identifier: Apache-2.0 */
/* Steering: which samples get which rare productions as targets, for the makers of data sets
 * (gen_aim).
 *
 * Left alone, the generator would write `wp.dot` of three float32 thousands of times before
 * `wp.dot` of two bfloat16 once. So a plan is made before a run:
 *
 *     1. A pilot generates PILOT samples of each category and counts their productions.
 *     2. Each production that was rare becomes a target of up to three categories: those that can
 *        show it best and have the least to show (assign).
 *     3. A quarter of each category's samples, chosen by the seed, get one target each, in a
 *        random but fixed order (gen_aim).
 *
 *     weft generate --seed 5, the pair of index 2, category loop
 *     ->  target "statements/store:mat22bf"
 *     ->  the kernel has an output out1: wp.array(dtype=mat22bf), and stores to it
 *
 * A plan is a function of the options that describe a set, and the target of a sample one of plan
 * and index. So every part of a run, on whatever machine, comes to the same targets. */
#include "gen/gen_state.h"
#include "gen/gen_target.h"

enum {
    PILOT = 192,    /* samples of each category: a production of one sample in 60 is seen */
    SHARE = 4,      /* one sample in so many is steered */
    TARGETS = 2048, /* most of a category */
    ROOM = 6,       /* lines for a target, besides those that make a category */
    FINE = 1 << 20, /* for whole quotients: assign() */
    LOAD = 16,      /* targets that a category counts as having from the start */
    MOST = 256      /* a weight: kernels of all sizes have room for it */
};

/* A target of a category. */
typedef struct target {
    uint16_t production;
    uint8_t lines; /* of the shortest kernel that had it */
} target;

/* The targets of each category in the order in which its samples get them; and what gen_aim needs
 * of the run's options. */
struct gen_plan {
    uint64_t seed;
    uint32_t ncategories, n[GEN_CATEGORY_COUNT];
    gen_shape shape;
    target *targets[GEN_CATEGORY_COUNT];
};

/* What the pilot saw: samples of each category with each production, the lines of the shortest one
 * with it, and what has been assigned since. */
typedef struct pilot {
    uint16_t seen[GEN_CATEGORY_COUNT][GEN_PRODUCTIONS_MAX];
    uint8_t lines[GEN_PRODUCTIONS_MAX];
    uint16_t assigned[GEN_PRODUCTIONS_MAX]; /* categories that have it as a target, a bit each */
} pilot;

_Static_assert(GEN_CATEGORY_COUNT <= 16, "pilot.assigned has a bit for each category");

/* Counts the productions of one sample of the pilot. */
static void count_sample(pilot *p, const gen_request *q, const gen_sample *s)
{
    WEFT_ASSERT(q->lines >= GEN_LINES_MIN && q->lines <= GEN_LINES_MAX);
    for (uint32_t word = 0; word < COVER_WORDS; word++)
        for (uint64_t bits = s->productions[word]; bits; bits &= bits - 1) {
            const uint32_t i = 64 * word + (uint32_t)__builtin_ctzll(bits);
            p->seen[q->category][i]++;
            if (!p->lines[i] || q->lines < p->lines[i])
                p->lines[i] = q->lines;
        }
}

/* The pilot's samples have another seed than the run's: they are no part of the set. A sample that
 * cannot be made is left out. */
static void run_pilot(gen *g, const gen_plan *plan, const gen_category *categories, pilot *p)
{
    gen_sample s;
    for (uint32_t c = 0; c < plan->ncategories; c++)
        for (uint32_t i = 0; i < PILOT; i++) {
            gen_request q = {.seed = plan->seed ^ UINT64_C(0x70696c6f74),
                             .index = i * plan->ncategories + c,
                             .category = categories[c]};
            gen_choose(&plan->shape, &q);
            if (gen_make(g, &q, &s))
                count_sample(p, &q, &s);
        }
}

/* How many of the pilot's samples had it, of all categories. */
static uint32_t total(const pilot *p, uint32_t production)
{
    WEFT_ASSERT(production < GEN_PRODUCTIONS_MAX);
    uint32_t n = 0;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        n += p->seen[c][production];
    return n;
}

/* How often the pilot's samples of a category had the thing of a production, with any type. Where a
 * thing stands with one type, it may stand with another. */
static uint32_t seen_of_thing(const gen *g, const pilot *p, int category, uint32_t production)
{
    const uint32_t thing = g->productions.things[production];
    uint32_t n = 0;
    for (uint32_t i = g->productions.first[thing]; i < g->productions.first[thing + 1]; i++)
        n += p->seen[category][i];
    return n;
}

/* Lines that a kernel of a category needs with such a target: its shortest kernel and what
 * gen_category.def says that a value or a change adds. Things that statements do not write by
 * themselves need as many as the pilot's shortest. */
static uint32_t lines_for(const pilot *p, int category, uint32_t production, target_kind kind)
{
    WEFT_ASSERT(category >= 0 && category < GEN_CATEGORY_COUNT);
    static const uint8_t more[GEN_CATEGORY_COUNT][2] = {
    /* a value, a statement that changes something */
#define CATEGORY(ID, name, alias, least, value, change, ...) [GEN_##ID] = {value, change},
#include "gen/gen_category.def"
#undef CATEGORY
    };
    const uint32_t least = gen_least_lines((gen_category)category);
    if (kind == TARGET_ELSEWHERE)
        return p->lines[production] > least + ROOM ? p->lines[production] : least + ROOM;
    return least + more[category][kind == TARGET_CHANGE];
}

/* How well a category can show a production; 0: not at all. MOST where kernels of level 1 have room
 * for it, since those are most of a set, 1 where only larger ones have. Where the place of a thing
 * is left to chance, categories count as often as the pilot saw it there; 16 times as much as its
 * thing with another type. */
static uint32_t weight_of(const gen *g, const pilot *p, int category, uint32_t production)
{
    const target_kind kind = target_kind_of(g, production);
    const bool small = lines_for(p, category, production, kind) <= gen_level_at(1)->max_lines;
    switch (kind) {
    case TARGET_VALUE:
    case TARGET_CHANGE: break;
    case TARGET_ATOMIC: return category == GEN_ATOMIC;
    case TARGET_RANDOM: return category == GEN_RANDOM_MATH;
    case TARGET_CONDITION:
        return category == GEN_CONDITIONAL ? MOST : category == GEN_MULTI_CONDITIONAL;
    case TARGET_NUMBER:
        return category == GEN_ARITHMETIC || category == GEN_CONDITIONAL || category == GEN_LOOP;
    case TARGET_ELSEWHERE:
        return p->seen[category][production] ? 16 * p->seen[category][production]
                                             : seen_of_thing(g, p, category, production);
    }
    return small ? MOST : 1;
}

/* Gives the production to one more category: of those that can show it, the one with the least to
 * show, by weight / (targets so far + LOAD). FINE keeps the quotient whole; LOAD keeps the first
 * targets of an empty category from all going there. The search begins at a category that depends
 * on the production, so that ties do not all go to the first. */
static void assign(gen *g, gen_plan *plan, pilot *p, const gen_category *categories,
                   uint32_t production)
{
    uint32_t best = GEN_CATEGORY_COUNT, most = 0;
    const uint32_t from = production % plan->ncategories;
    for (uint32_t k = 0; k < plan->ncategories; k++) {
        const uint32_t c = categories[(from + k) % plan->ncategories];
        const uint32_t weight = weight_of(g, p, (int)c, production);
        const uint32_t fit = weight * FINE / (plan->n[c] + LOAD);
        if (fit <= most || plan->n[c] == TARGETS || p->assigned[production] >> c & 1)
            continue;
        best = c;
        most = fit;
    }
    if (best == GEN_CATEGORY_COUNT)
        return;
    WEFT_ASSERT(best < GEN_CATEGORY_COUNT && plan->n[best] < TARGETS);
    p->assigned[production] |= (uint16_t)(1u << best);
    const uint32_t lines = lines_for(p, (int)best, production, target_kind_of(g, production));
    plan->targets[best][plan->n[best]++] = (target){(uint16_t)production, (uint8_t)lines};
}

/* Puts a round's targets of a category in a random order, or neighbours by number, which are alike,
 * would come together. */
static void shuffle(gen_plan *plan, uint32_t category, uint32_t from, uint32_t round)
{
    rng r =
        rng_stream(plan->seed ^ UINT64_C(0x74617267657473), round * GEN_CATEGORY_COUNT + category);
    WEFT_ASSERT(from <= plan->n[category]);
    target *v = plan->targets[category] + from;
    for (uint32_t i = plan->n[category] - from; i > 1; i--) {
        const uint32_t k = rng_below(&r, i);
        const target t = v[i - 1];
        v[i - 1] = v[k];
        v[k] = t;
    }
}

/* Rounds of targets: what was never seen is in all three, what was seen up to five times in the
 * first alone. The first round comes first, so that small sets show many things once rather than
 * few things thrice. */
static void fill_plan(gen *g, gen_plan *plan, pilot *p, const gen_category *categories)
{
    static const uint8_t enough[] = {6, 4, 1};
    for (uint32_t round = 0; round < sizeof enough; round++) {
        uint32_t from[GEN_CATEGORY_COUNT];
        memcpy(from, plan->n, sizeof from);
        for (uint32_t i = 0; i < g->productions.first[THING_COUNT]; i++)
            if (total(p, i) < enough[round])
                assign(g, plan, p, categories, i);
        for (uint32_t c = 0; c < GEN_CATEGORY_COUNT; c++)
            shuffle(plan, c, from[c], round);
    }
}

const gen_plan *gen_plan_new(mem *m, gen *g, uint64_t seed, const gen_category *categories,
                             uint32_t n, const gen_shape *shape)
{
    gen_plan *plan = mem_alloc(m, sizeof *plan);
    pilot *p = mem_alloc(m, sizeof *p);
    *plan = (gen_plan){.seed = seed, .ncategories = n, .shape = *shape};
    memset(p, 0, sizeof *p);
    run_pilot(g, plan, categories, p);
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        plan->targets[c] = mem_alloc(m, TARGETS * sizeof *plan->targets[c]);
    fill_plan(g, plan, p, categories);
    mem_free(m, p);
    return plan;
}

/* A target that was missed gets more room with each attempt, a line for two of them, if need be
 * that of the next level. */
static void give_room(const gen_plan *plan, gen_request *q, int lines)
{
    lines = min_int(max_int(q->lines, lines) + (int)q->attempt / 2, plan->shape.max_lines);
    for (uint32_t level = q->level; level <= GEN_LEVELS; level++)
        if (gen_shape_allows(&plan->shape, q->category, level)) {
            q->level = (uint8_t)level;
            if (lines <= gen_level_at(level)->max_lines)
                break;
        }
    const gen_level *level = gen_level_at(q->level);
    q->lines = (uint8_t)min_int(max_int(lines, level->min_lines), level->max_lines);
}

/* Of every SHARE samples of a category one is steered, at a place that a stream of its own draws.
 * It takes the next target that its level has room for. After STEERED_ATTEMPTS attempts the sample
 * goes without. */
void gen_aim(const gen_plan *plan, gen_request *q)
{
    WEFT_ASSERT(plan->ncategories && q->category < GEN_CATEGORY_COUNT);
    const uint64_t turn = q->index / plan->ncategories; /* which of its category's samples it is */
    const uint32_t n = plan->n[q->category];
    rng r = rng_stream(plan->seed ^ UINT64_C(0x737465657273),
                       turn / SHARE * GEN_CATEGORY_COUNT + (uint32_t)q->category);
    q->target = 0;
    if (!n || q->attempt >= STEERED_ATTEMPTS || turn % SHARE != rng_below(&r, SHARE))
        return;
    const int most = min_int(gen_level_at(q->level)->max_lines, plan->shape.max_lines);
    for (uint32_t k = 0; k < n && !q->target; k++) {
        const target *t = &plan->targets[q->category][(turn / SHARE + k) % n];
        if (t->lines > most)
            continue;
        q->target = t->production + 1u;
        give_room(plan, q, t->lines);
    }
}
