/* How long each stage of work took. A clock is always in one stage; a stage that begins within
 * another takes its time from it. */
#ifndef WEFT_BASE_STAGE_H
#define WEFT_BASE_STAGE_H

#include "base/str.h"

typedef enum work_stage {
#define STAGE(id, name) STAGE_##id,
#include "base/stage.def"
#undef STAGE
    STAGE_COUNT
} work_stage;

typedef struct stage_clock {
    work_stage now;
    uint64_t since;              /* when it began, ns */
    uint64_t spent[STAGE_COUNT]; /* ns */
} stage_clock;

/* Begins in STAGE_OTHER. */
void stage_start(stage_clock *c);
work_stage stage_switch_on(stage_clock *c, work_stage s);
/* Adds the times of another clock, of another thread say. */
void stage_add(stage_clock *c, const stage_clock *other);
/* As --timings prints it. */
const char *stage_name(work_stage s);
/* One line per stage that took time: name, tab, seconds. */
void stage_report(stage_clock *c, strbuf *out);

/* Goes over to stage s; returns the one before, to switch back to. c may be NULL: not measured. */
static inline work_stage stage_switch(stage_clock *c, work_stage s)
{
    return c ? stage_switch_on(c, s) : STAGE_OTHER;
}

#endif
