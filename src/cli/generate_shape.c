/* --difficulty, --min-lines and --max-lines of weft generate, and what they cannot be together. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/generate.h"

/* A digit that is a level; 0: none. */
static uint32_t level_at(const char *p)
{
    const bool one = *p >= '1' && *p < '1' + GEN_LEVELS;
    return one && !(p[1] >= '0' && p[1] <= '9') ? (uint32_t)(*p - '0') : 0;
}

/* "3", "2-4" or "1,3,5", and these mixed. */
static bool read_levels(const char *text, uint8_t *levels)
{
    *levels = 0;
    for (const char *p = text;; p++) {
        const uint32_t first = level_at(p);
        uint32_t last = first;
        if (!first)
            return false;
        if (*++p == '-') {
            last = level_at(++p);
            p += last != 0;
        }
        if (last < first)
            return false;
        for (uint32_t i = first; i <= last; i++)
            *levels |= (uint8_t)(1u << i);
        if (!*p)
            return true;
        if (*p != ',')
            return false;
    }
}

static bool read_lines(const cli_args *args, cli_option_id id, const char *name, uint8_t *lines)
{
    uint64_t n = *lines;
    if (!cli_number(args, id, UINT32_MAX, &n))
        return false;
    if (n < GEN_LINES_MIN || n > GEN_LINES_MAX) {
        cli_usage_error(args, "%s wants a number from %d to %d: kernels have that many lines", name,
                        GEN_LINES_MIN, GEN_LINES_MAX);
        return false;
    }
    *lines = (uint8_t)n;
    return true;
}

static bool check_levels(const cli_args *args, const gen_shape *shape)
{
    for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
        const gen_level *v = gen_level_at(i);
        if (!cli_has(args, OPT_DIFFICULTY) || !(shape->levels & 1u << i))
            continue;
        if (v->max_lines >= shape->min_lines && v->min_lines <= shape->max_lines)
            continue;
        cli_usage_error(args, "kernels of difficulty %u have %d to %d lines, not %d to %d",
                        (unsigned)i, v->min_lines, v->max_lines, shape->min_lines,
                        shape->max_lines);
        return false;
    }
    return true;
}

static bool check_categories(const cli_args *args, const record_options *o)
{
    for (uint32_t c = 0; c < o->ncategories; c++) {
        bool any = false;
        for (uint32_t i = 1; i <= GEN_LEVELS; i++)
            any |= gen_shape_allows(&o->shape, o->categories[c], i);
        if (any)
            continue;
        cli_usage_error(args, "a kernel of category %s has at least %u lines, more than %d",
                        gen_category_name(o->categories[c]),
                        (unsigned)gen_least_lines(o->categories[c]), o->shape.max_lines);
        return false;
    }
    return true;
}

bool generate_read_shape(const cli_args *args, record_options *o)
{
    const char *levels = cli_get(args, OPT_DIFFICULTY);
    o->shape = gen_shape_any();
    if (levels && !read_levels(levels, &o->shape.levels)) {
        cli_usage_error(args,
                        "--difficulty wants levels from 1 to %d, such as 3, 2-4 or 1,3,5; not '%s'",
                        GEN_LEVELS, levels);
        return false;
    }
    if (!read_lines(args, OPT_MIN_LINES, "--min-lines", &o->shape.min_lines) ||
        !read_lines(args, OPT_MAX_LINES, "--max-lines", &o->shape.max_lines))
        return false;
    if (o->shape.min_lines > o->shape.max_lines) {
        cli_usage_error(args, "--min-lines %d is more than --max-lines %d", o->shape.min_lines,
                        o->shape.max_lines);
        return false;
    }
    return check_levels(args, &o->shape) && check_categories(args, o);
}
