/* SPDX-License-Identifier: Apache-2.0 */
/* Reads options of a run that are lists or ranges, and says which options do not go together
 * (record_conflict.def). For the library, and for what a manifest says of a run.
 *
 *     "loop,math"    ->   o->categories, in the order of the table
 *     "loop,maths"   ->   false, with *unknown = "maths" */
#include "record/record_options.h"

#include <string.h>

#include "base/conflict.h"
#include "compose/compose.h"
#include "emit/emit.h"
#include "record/messages.h"

static const record_format_row formats[RECORD_FORMATS] = {
#define FORMAT(ID, name, programs, shards, data, functions, next, next_cpu)                        \
    {name, programs, shards, data, next, next_cpu},
#include "record/record_format.def"
#undef FORMAT
};

const record_format_row *record_format_of(const record_options *o)
{
    WEFT_ASSERT(o->format < RECORD_FORMATS);
    return &formats[o->format];
}

bool record_format_find(str name, record_format *f)
{
    for (uint32_t i = 0; i < RECORD_FORMATS; i++)
        if (str_eq(name, str_c(formats[i].name))) {
            *f = (record_format)i;
            return true;
        }
    return false;
}

bool record_choose_categories(record_options *o, const char *list, str *unknown)
{
    bool wanted[GEN_CATEGORY_COUNT] = {false};
    *unknown = STR("");
    for (const char *s = list; s && *s;) {
        const str name = {s, strcspn(s, ",")};
        gen_category c;
        if (!gen_category_find(name, &c)) {
            *unknown = name;
            return false;
        }
        wanted[c] = true;
        s += name.n + (s[name.n] == ',');
    }
    o->ncategories = 0;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        if (!list || wanted[c])
            o->categories[o->ncategories++] = (gen_category)c;
    return o->ncategories > 0;
}

/* What all records of a run may have. */
static unsigned run_has(const record_options *o)
{
    const bool purpose = record_mix_has(&o->mix, RECORD_PURPOSE);
    return task_has_texts(o->devices, !o->no_backward) | (purpose ? TASK_PROMPT : 0u) |
           (o->devices & EMIT_FOR_CUDA ? TASK_PLAIN : 0u) | TASK_NUMBERS | TASK_OWN_RANDOM |
           TASK_THREADS | TASK_MADE;
}

/* What is wrong with a task for this run, behind its name; NULL: nothing. */
static const char *task_conflict(const record_options *o, record_task t)
{
    const unsigned lacks = task_at(t)->needs & ~run_has(o);
    if (task_is_repair(t) != (o->job == RECORD_REPAIR))
        return task_is_repair(t) ? "is for --task repair" : "does not go with --task repair";
    if (!lacks)
        return NULL;
    if (lacks == TASK_PROMPT)
        return "needs kernels with a purpose: leave out --kind exercise";
    if (lacks == TASK_BACKWARD_TEXT)
        return "needs the backward texts: leave out --no-backward";
    return lacks & TASK_BACKWARD_TEXT
               ? "needs the backward texts of both devices: add --device both, and leave "
                 "out --no-backward"
               : "needs the texts of another device: add --device both";
}

/* Without a list, all tasks that the run allows; of exercises the usual ones, and of a repair set
 * the one with a diagnostic. A list that names another is refused. */
static bool is_default(const record_options *o, record_task t)
{
    if (task_conflict(o, t))
        return false;
    return task_at(t)->usual ||
           (record_mix_has(&o->mix, RECORD_PURPOSE) && o->job != RECORD_REPAIR);
}

const char *record_choose_tasks(record_options *o, const char *list, str *which)
{
    bool wanted[TASKS] = {false};
    *which = STR("");
    o->ntasks = 0;
    for (const char *s = list; s && *s;) {
        const str name = *which = (str){s, strcspn(s, ",")};
        record_task t;
        if (!task_find(name, &t))
            return "unknown task";
        const char *wrong = task_conflict(o, t);
        if (wrong)
            return wrong;
        wanted[t] = true;
        s += name.n + (s[name.n] == ',');
    }
    for (int t = 0; t < TASKS; t++)
        if (list ? wanted[t] : is_default(o, (record_task)t))
            o->tasks[o->ntasks++] = (record_task)t;
    return o->ntasks ? NULL : "no task given";
}

/* record_conflict.def has two kinds of rows: HOLDS names a condition on the options, CONFLICT a
 * pair of conditions that exclude each other. The conditions become bits; the first row whose two
 * bits are set gives the message. */
const char *record_conflict(const record_options *o)
{
    enum {
#define HOLDS(ID, condition) HOLDS_##ID,
#define CONFLICT(first, second, message)
#include "record/record_conflict.def"
#undef HOLDS
#undef CONFLICT
        CONDITIONS
    };
    static const conflict rows[] = {
#define HOLDS(ID, condition)
#define CONFLICT(first, second, message) {HOLDS_##first, HOLDS_##second, message},
#include "record/record_conflict.def"
#undef HOLDS
#undef CONFLICT
    };
    const bool holds[CONDITIONS] = {
#define HOLDS(ID, condition) condition,
#define CONFLICT(first, second, message)
#include "record/record_conflict.def"
#undef HOLDS
#undef CONFLICT
    };
    uint64_t bits = 0;
    for (uint32_t i = 0; i < CONDITIONS; i++)
        bits |= (uint64_t)holds[i] << i;
    return conflict_find(rows, sizeof rows / sizeof *rows, bits);
}

bool record_is_license(const char *id)
{
    enum { MOST = 60 };
    const size_t n = strlen(id);
    return n && n <= MOST && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789.-+") == n;
}

/* Why a level that was named by its number has no kernels of that many lines. */
static const char *check_levels(arena *a, const gen_shape *s)
{
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        const gen_level *v = gen_level_at(i);
        if ((s->levels & 1u << i) && (v->max_lines < s->min_lines || v->min_lines > s->max_lines))
            return arena_printf(a, "kernels of difficulty %u have %d to %d lines, not %d to %d",
                                (unsigned)i, v->min_lines, v->max_lines, s->min_lines,
                                s->max_lines);
    }
    return NULL;
}

/* A category has a least number of lines: a nested loop does not fit in three. */
static const char *check_categories(arena *a, const record_options *o)
{
    for (uint32_t c = 0; c < o->ncategories; c++) {
        bool any = false;
        for (uint32_t i = 1; i <= GEN_LEVELS; i++)
            any |= gen_shape_allows(&o->shape, o->categories[c], i);
        if (!any)
            return arena_printf(a, "a kernel of category %s has at least %u lines, more than %d",
                                gen_category_name(o->categories[c]),
                                (unsigned)gen_least_lines(o->categories[c]), o->shape.max_lines);
    }
    return NULL;
}

const char *record_choose_shape(arena *a, record_options *o, unsigned levels, uint32_t min_lines,
                                uint32_t max_lines)
{
    gen_shape *s = &o->shape;
    *s = gen_shape_any();
    if (levels & ~(unsigned)s->levels)
        return arena_printf(a, "difficulties are numbers from 1 to %d", GEN_LEVELS);
    if (min_lines > GEN_LINES_MAX || max_lines > GEN_LINES_MAX ||
        (max_lines && max_lines < GEN_LINES_MIN))
        return arena_printf(a, "kernels have %d to %d lines", GEN_LINES_MIN, GEN_LINES_MAX);
    s->levels = levels ? (uint8_t)levels : s->levels;
    s->min_lines = min_lines > GEN_LINES_MIN ? (uint8_t)min_lines : s->min_lines;
    s->max_lines = max_lines ? (uint8_t)max_lines : s->max_lines;
    if (s->min_lines > s->max_lines)
        return arena_printf(a, "--min-lines %d is more than --max-lines %d", s->min_lines,
                            s->max_lines);
    return NULL;
}

bool record_tasks_want_purpose(const record_options *o)
{
    for (uint32_t i = 0; i < o->ntasks; i++)
        if (!(task_at(o->tasks[i])->needs & TASK_PROMPT))
            return false;
    return o->ntasks > 0;
}

/* Levels and lines of exercises bound each other: a level that was named must have kernels within
 * the lines, and of levels that were not named at least one must have some for each category. */
const char *record_fit_categories(arena *a, record_options *o, bool named)
{
    uint32_t n = 0;
    const char *wrong = NULL;
    if (record_mix_has(&o->mix, RECORD_EXERCISE)) {
        const bool all = o->shape.levels == gen_shape_any().levels;
        wrong = all ? NULL : check_levels(a, &o->shape);
        wrong = wrong ? wrong : check_categories(a, o);
    }
    if (wrong || !record_mix_has(&o->mix, RECORD_PURPOSE) || o->style == RECORD_SCRIPT)
        return wrong;
    for (uint32_t i = 0; i < o->ncategories; i++) {
        const gen_category c = o->categories[i];
        if (compose_levels(c) & o->shape.levels)
            o->categories[n++] = c;
        else if (named)
            return arena_printf(a,
                                "kernels with a purpose of category %s have none of these "
                                "difficulties: leave it out, or add --kind exercise",
                                gen_category_name(c));
    }
    o->ncategories = n;
    return NULL;
}
