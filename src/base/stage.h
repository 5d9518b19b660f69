/* SPDX-License-Identifier: Apache-2.0 */
/* How long each stage of work took (--timings). A clock is always in one stage; a stage that
 * begins within another takes its time from it. Example:
 *
 *     const work_stage before = stage_switch(c->clock, STAGE_PARSE);
 *     ... parse ...
 *     stage_switch(c->clock, before);
 */
#ifndef WEFT_BASE_STAGE_H
#define WEFT_BASE_STAGE_H

#include "base/str.h"

/* One value for each row of stage.def. */
typedef enum work_stage {
#define STAGE(id, name) STAGE_##id,
#include "base/stage.def"
#undef STAGE
    STAGE_COUNT
} work_stage;

typedef struct stage_clock {
    work_stage now;
    uint64_t since;              /* when the stage `now` was entered, ns */
    uint64_t spent[STAGE_COUNT]; /* ns in each stage, without what runs since `since` */
} stage_clock;

/* Starts a clock, in STAGE_OTHER. */
void stage_start(stage_clock *c);
/* stage_switch for a clock that is there. */
work_stage stage_switch_on(stage_clock *c, work_stage s);
/* Adds the times of another clock, such as another thread's. */
void stage_add(stage_clock *c, const stage_clock *other);
/* The stage's name in --timings. */
const char *stage_name(work_stage s);
/* One line per stage that took time: name, tab, seconds. */
void stage_report(stage_clock *c, strbuf *out);

/* Switches to stage s; returns the one before, to switch back to. c may be NULL: not measured. */
static inline work_stage stage_switch(stage_clock *c, work_stage s)
{
    return c ? stage_switch_on(c, s) : STAGE_OTHER;
}

#endif
