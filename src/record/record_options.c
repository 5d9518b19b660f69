/* Options of a run that are lists of names. */
#include "record/record_options.h"
#include "record/messages.h"

const char *store_format_name(store_format f)
{
    static const char *const names[] = {
        [STORE_JSONL] = "jsonl", [STORE_FILES] = "files", [STORE_STANDALONE] = "standalone"};
    return names[f];
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

const char *record_choose_tasks(record_options *o, const char *list, str *which)
{
    bool wanted[TASKS] = {false};
    *which = STR("");
    o->ntasks = 0;
    if (o->job == RECORD_REPAIR) {
        o->tasks[o->ntasks++] = TASK_REPAIR;
        return list ? "no list of tasks goes with --task repair" : NULL;
    }
    for (const char *s = list; s && *s;) {
        const str name = *which = (str){s, strcspn(s, ",")};
        record_task t;
        if (!task_find(name, &t) || t == TASK_REPAIR)
            return "unknown task";
        if (!task_fits(t, o->devices, !o->no_backward))
            return "other texts than --device and --no-backward leave are needed for the task";
        wanted[t] = true;
        s += name.n + (s[name.n] == ',');
    }
    for (int t = 0; t < TASK_REPAIR; t++)
        if (list ? wanted[t] : task_fits((record_task)t, o->devices, !o->no_backward))
            o->tasks[o->ntasks++] = (record_task)t;
    return o->ntasks ? NULL : "no task given";
}

bool record_choose_shape(record_options *o, unsigned levels, uint32_t min_lines, uint32_t max_lines)
{
    gen_shape *s = &o->shape;
    *s = gen_shape_any();
    if (levels & ~(unsigned)s->levels || min_lines > GEN_LINES_MAX || max_lines > GEN_LINES_MAX)
        return false;
    s->levels = levels ? (uint8_t)levels : s->levels;
    s->min_lines = min_lines > GEN_LINES_MIN ? (uint8_t)min_lines : s->min_lines;
    s->max_lines = max_lines ? (uint8_t)max_lines : s->max_lines;
    for (uint32_t c = 0; c < o->ncategories; c++) {
        bool any = false;
        for (uint32_t i = 1; i <= GEN_LEVELS; i++)
            any |= gen_shape_allows(s, o->categories[c], i);
        if (!any)
            return false;
    }
    return true;
}
