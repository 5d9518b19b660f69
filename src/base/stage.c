/* SPDX-License-Identifier: Apache-2.0 */
/* Measures stages of work by a monotonic clock (stage.h). Example of what `weft generate
 * --timings` prints, a name and seconds for each stage that took time:
 *
 *     generate	0.012345
 *     parse	0.023456
 */
#include "base/stage.h"

#include <time.h>

static const char *const names[] = {
#define STAGE(id, name) name,
#include "base/assert.h"
#include "base/stage.def"
#undef STAGE
};

/* Nanoseconds since some moment in the past. */
static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void stage_start(stage_clock *c)
{
    memset(c, 0, sizeof *c);
    c->since = now();
}

/* Only one clock read for each switch: what one stage ends, the next begins. */
work_stage stage_switch_on(stage_clock *c, work_stage s)
{
    WEFT_ASSERT(s < STAGE_COUNT);
    const work_stage before = c->now;
    const uint64_t t = now();
    c->spent[before] += t - c->since;
    c->since = t;
    c->now = s;
    return before;
}

void stage_add(stage_clock *c, const stage_clock *other)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        c->spent[i] += other->spent[i];
}

const char *stage_name(work_stage s)
{
    WEFT_ASSERT(s < STAGE_COUNT);
    return names[s];
}

/* Switching to the current stage adds its time up to now. */
void stage_report(stage_clock *c, strbuf *out)
{
    stage_switch_on(c, c->now);
    for (int i = 0; i < STAGE_COUNT; i++)
        if (c->spent[i])
            sb_printf(out, "%s\t%.6f\n", names[i], (double)c->spent[i] * 1e-9);
}
