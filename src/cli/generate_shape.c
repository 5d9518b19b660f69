/* SPDX-License-Identifier: Apache-2.0 */
/* --difficulty, --min-lines and --max-lines of weft generate.
 *
 *     --difficulty 1,3-5   ->   weft_generate_options.difficulties with bits 1, 3, 4, 5
 *
 * Only the syntax is checked here. Whether kernels of these levels can have so many lines depends
 * on the categories; the library checks that. */
#include "cli/generate.h"

enum { LEVELS = 5 };

/* The level at p, a single digit from 1 to 5; 0: there is none ("12" is none). */
static uint32_t level_at(const char *p)
{
    const bool one = *p >= '1' && *p < '1' + LEVELS;
    return one && !(p[1] >= '0' && p[1] <= '9') ? (uint32_t)(*p - '0') : 0;
}

/* "3", "2-4" or "1,3,5", and these mixed. Ranges go upwards: "4-2" is refused. */
static bool read_levels(const char *text, unsigned *levels)
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
        WEFT_ASSERT(first && last <= LEVELS);
        for (uint32_t i = first; i <= last; i++)
            *levels |= 1u << i;
        if (!*p)
            return true;
        if (*p != ',')
            return false;
    }
}

/* One of the two bounds; *lines stays 0, no bound, without the option. */
static bool read_lines(const cli_args *args, cli_option_id id, uint32_t *lines)
{
    uint64_t n = 0;
    if (!cli_has(args, id))
        return true;
    if (!cli_number(args, id, UINT32_MAX, &n))
        return false;
    if (n < WEFT_LINES_MIN || n > WEFT_LINES_MAX) {
        cli_usage_error(args, "--%s wants a number from %d to %d: kernels have that many lines",
                        cli_options[id].name, WEFT_LINES_MIN, WEFT_LINES_MAX);
        return false;
    }
    *lines = (uint32_t)n;
    return true;
}

bool generate_read_shape(const cli_args *args, weft_generate_options *o)
{
    const char *levels = cli_get(args, OPT_DIFFICULTY);
    if (levels && !read_levels(levels, &o->difficulties)) {
        cli_usage_error(args,
                        "--difficulty wants levels from 1 to %d, such as 3, 2-4 or 1,3,5; not '%s'",
                        LEVELS, levels);
        return false;
    }
    return read_lines(args, OPT_MIN_LINES, &o->min_lines) &&
           read_lines(args, OPT_MAX_LINES, &o->max_lines);
}
