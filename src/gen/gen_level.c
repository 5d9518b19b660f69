/* SPDX-License-Identifier: Apache-2.0 */
/* Difficulty and size: what levels there are, and which level and how many lines a request gets.
 * Both are drawn from a stream of their own, so that a body does not depend on how they were drawn.
 *
 *     shares 78, 17, 3, 1, 1 of gen_level.def, only levels 2 and 3 allowed
 *     ->  level 2 in 17 of 20 requests
 */
#include "gen/gen_state.h"

static const gen_level levels[GEN_LEVELS] = {
#define LEVEL(number, lo, hi, share, thrift, inputs, prelude, depth, words)                        \
    {number, lo, hi, share, thrift, inputs, prelude, depth, words},
#include "gen/gen_level.def"
#undef LEVEL
};

/* The shortest kernel of a category: its decorator, its first line, and what makes the category. */
static const uint8_t least[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, alias, least, ...) [GEN_##ID] = (least),
#include "gen/gen_category.def"
#undef CATEGORY
};

const gen_level *gen_level_at(uint32_t level)
{
    WEFT_ASSERT(level >= 1 && level <= GEN_LEVELS);
    return &levels[level - 1];
}

uint8_t gen_level_of(uint32_t lines)
{
    uint8_t level = 1;
    while (level < GEN_LEVELS && lines > levels[level - 1].max_lines)
        level++;
    return level;
}

uint32_t gen_least_lines(gen_category category)
{
    WEFT_ASSERT(category < GEN_CATEGORY_COUNT);
    return least[category];
}

/* The lines that a kernel of this category and level may have within the shape; none if *lo >
 * *hi. */
static void lines_of(const gen_shape *shape, gen_category category, uint32_t level, int *lo,
                     int *hi)
{
    const gen_level *v = &levels[level - 1];
    *lo = max_int(max_int(v->min_lines, least[category]), (int)shape->min_lines);
    *hi = min_int(v->max_lines, (int)shape->max_lines);
}

bool gen_shape_allows(const gen_shape *shape, gen_category category, uint32_t level)
{
    WEFT_ASSERT(level >= 1 && level <= GEN_LEVELS);
    int lo, hi;
    lines_of(shape, category, level, &lo, &hi);
    return (shape->levels & 1u << level) && lo <= hi;
}

/* Level: by its share among the levels that the shape allows. Lines: the least of four draws, so
 * that short kernels are common at each level.
 *
 * A further attempt draws other lines: the shortest kernels have few structures, and where several
 * were refused as duplicates a longer one is more likely to be new. */
void gen_choose(const gen_shape *shape, gen_request *q)
{
    WEFT_ASSERT(q->category < GEN_CATEGORY_COUNT);
    rng r = rng_stream(q->seed ^ UINT64_C(0x6c6576656c), q->index);
    uint32_t sum = 0, level = 1;
    int lo, hi;
    for (uint32_t i = 1; i <= GEN_LEVELS; i++)
        sum += gen_shape_allows(shape, q->category, i) ? levels[i - 1].share : 0;
    uint32_t x = rng_below(&r, sum ? sum : 1);
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        const uint32_t share = gen_shape_allows(shape, q->category, i) ? levels[i - 1].share : 0;
        if (share)
            level = i;
        if (x < share)
            break;
        x -= share;
    }
    for (uint32_t i = 0; i < q->attempt; i++)
        rng_next(&r);
    lines_of(shape, q->category, level, &lo, &hi);
    q->level = (uint8_t)level;
    const int a = rng_between(&r, lo, max_int(lo, hi));
    const int b = rng_between(&r, lo, max_int(lo, hi));
    const int c = rng_between(&r, lo, max_int(lo, hi));
    const int d = rng_between(&r, lo, max_int(lo, hi));
    /* The shortest have few structures: not where several have been refused already. */
    if (q->attempt > 2)
        q->lines = (uint8_t)max_int(a, min_int(b, c));
    else
        q->lines = (uint8_t)min_int(min_int(a, b), min_int(c, d));
}
