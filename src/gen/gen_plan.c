/* Steering. A pilot makes some samples of each category and counts their productions. What was rare
 * among them becomes a target of later samples: a quarter of each category's samples, chosen by
 * the seed, are asked to have one rare production each, in a random but fixed order. So the plan,
 * like a sample, is a function of the options that describe a set. */
#include "gen/gen_internal.h"

enum {
    PILOT = 192,    /* samples of each category */
    ENOUGH = 2,     /* a production that so many pilot samples have needs no help */
    SHARE = 4,      /* one sample in so many is steered */
    TARGETS = 2048, /* most of a category */
    PATIENCE = 32,  /* attempts thrown away before a sample may be any */
    ROOM = 6,       /* lines for a target, besides those that make a category */
    FINE = 1 << 20,
    LOAD = 16,
    WAYS = 2 /* categories that are to show what no pilot sample had */
};

typedef struct target {
    uint16_t production;
    uint8_t lines; /* of the shortest kernel that had it */
} target;

struct gen_plan {
    uint64_t seed;
    uint32_t ncategories, n[GEN_CATEGORY_COUNT];
    gen_shape shape;
    target *targets[GEN_CATEGORY_COUNT];
};

typedef struct pilot {
    uint16_t seen[GEN_CATEGORY_COUNT][GEN_PRODUCTIONS_MAX];
    uint8_t lines[GEN_PRODUCTIONS_MAX];
} pilot;

static void note(pilot *p, const gen_request *q, const gen_sample *s)
{
    for (uint32_t word = 0; word < COVER_WORDS; word++)
        for (uint64_t bits = s->productions[word]; bits; bits &= bits - 1) {
            const uint32_t i = 64 * word + (uint32_t)__builtin_ctzll(bits);
            p->seen[q->category][i]++;
            if (!p->lines[i] || q->lines < p->lines[i])
                p->lines[i] = q->lines;
        }
}

static void fly(gen *g, const gen_plan *plan, const gen_category *categories, pilot *p)
{
    gen_sample s;
    for (uint32_t c = 0; c < plan->ncategories; c++)
        for (uint32_t i = 0; i < PILOT; i++) {
            gen_request q = {.seed = plan->seed ^ UINT64_C(0x70696c6f74),
                             .index = i * plan->ncategories + c,
                             .category = categories[c]};
            gen_choose(&plan->shape, &q);
            if (gen_make(g, &q, &s))
                note(p, &q, &s);
        }
}

static uint32_t total(const pilot *p, uint32_t production)
{
    uint32_t n = 0;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        n += p->seen[c][production];
    return n;
}

/* How often the pilot's samples of a category had the thing of a production, with any type. */
static uint32_t kin(const gen *g, const pilot *p, int category, uint32_t production)
{
    const uint32_t thing = g->things[production];
    uint32_t n = 0;
    for (uint32_t i = g->first[thing]; i < g->first[thing + 1]; i++)
        n += p->seen[category][i];
    return n;
}

static void add(gen_plan *plan, const pilot *p, int category, uint32_t production)
{
    const uint32_t room = gen_least_lines((gen_category)category) + ROOM;
    const uint32_t lines = p->lines[production] > room ? p->lines[production] : room;
    if (plan->n[category] < TARGETS)
        plan->targets[category][plan->n[category]++] =
            (target){(uint16_t)production, (uint8_t)lines};
}

/* Categories whose samples had it, or had the like of it, often, and that have not much to show. */
static void assign(gen *g, gen_plan *plan, const pilot *p, const gen_category *categories,
                   uint32_t production)
{
    const bool seen = total(p, production) > 0;
    const bool free = target_is_free(g, production);
    uint32_t weights[GEN_CATEGORY_COUNT], given = 0;
    for (uint32_t c = 0; c < plan->ncategories; c++) {
        const int category = (int)categories[c];
        weights[c] = seen ? p->seen[category][production] : kin(g, p, category, production);
        if (free) /* where it goes into the smallest kernels, too */
            weights[c] = gen_least_lines(categories[c]) + ROOM <= gen_level_at(1)->max_lines;
    }
    for (; given < WAYS; given++) {
        uint32_t best = 0, most = 0;
        for (uint32_t c = 0; c < plan->ncategories; c++) {
            const uint32_t load = plan->n[categories[c]] + LOAD;
            const uint32_t fit = weights[c] * FINE / load * LOAD / load;
            if (weights[c] && fit >= most) {
                best = c;
                most = fit;
            }
        }
        if (!weights[best])
            break;
        weights[best] = 0;
        add(plan, p, (int)categories[best], production);
    }
    for (uint32_t c = 0; c < plan->ncategories && !given; c++)
        add(plan, p, (int)categories[c], production);
}

static void shuffle(gen_plan *plan, uint32_t category)
{
    rng r = rng_stream(plan->seed ^ UINT64_C(0x74617267657473), category);
    target *v = plan->targets[category];
    for (uint32_t i = plan->n[category]; i > 1; i--) {
        const uint32_t k = rng_below(&r, i);
        const target t = v[i - 1];
        v[i - 1] = v[k];
        v[k] = t;
    }
}

const gen_plan *gen_plan_new(mem *m, gen *g, uint64_t seed, const gen_category *categories,
                             uint32_t n, const gen_shape *shape)
{
    gen_plan *plan = mem_alloc(m, sizeof *plan);
    pilot *p = mem_alloc(m, sizeof *p);
    *plan = (gen_plan){.seed = seed, .ncategories = n, .shape = *shape};
    memset(p, 0, sizeof *p);
    fly(g, plan, categories, p);
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        plan->targets[c] = mem_alloc(m, TARGETS * sizeof *plan->targets[c]);
    for (uint32_t i = 0; i < g->first[THING_COUNT]; i++)
        if (total(p, i) < ENOUGH)
            assign(g, plan, p, categories, i);
    mem_free(m, p);
    for (uint32_t c = 0; c < GEN_CATEGORY_COUNT; c++)
        shuffle(plan, c);
    return plan;
}

void gen_aim(const gen_plan *plan, gen_request *q)
{
    const uint64_t turn = q->index / plan->ncategories; /* which of its category's samples it is */
    const uint32_t n = plan->n[q->category];
    rng r = rng_stream(plan->seed ^ UINT64_C(0x737465657273),
                       turn / SHARE * GEN_CATEGORY_COUNT + (uint32_t)q->category);
    q->target = 0;
    if (!n || q->attempt >= PATIENCE || turn % SHARE != rng_below(&r, SHARE))
        return;
    const int most = min_int(gen_level_at(q->level)->max_lines, plan->shape.max_lines);
    for (uint32_t k = 0; k < n && !q->target; k++) {
        const target *t = &plan->targets[q->category][(turn / SHARE + k) % n];
        if (t->lines > most)
            continue;
        q->target = t->production + 1u;
        q->lines = (uint8_t)max_int(q->lines, t->lines);
    }
}
