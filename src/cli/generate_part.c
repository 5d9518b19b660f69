/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a run is made here: --shard decides, else Slurm's variables of a job array. And the
 * values of --near and --exclude, which several commands have.
 *
 *     --shard 3/4                                    ->   part 3 of 4
 *     sbatch --array=1-4, in its third task          ->   part 3 of 4
 *     neither                                        ->   part 1 of 1, the whole run */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "cli/generate.h"

enum { PARTS_MAX = 1000000 };

static bool read_shard(const cli_args *args, const char *text, weft_generate_options *o)
{
    const char *end;
    uint64_t part, parts;
    if (!decimal_read_uint(text, &end, &part) || *end != '/' ||
        !decimal_read_uint(end + 1, &end, &parts) || *end || !part || part > parts ||
        parts > PARTS_MAX) {
        cli_usage_error(args, "--shard wants I/N with I from 1 to N, not '%s'", text);
        return false;
    }
    o->part = (uint32_t)part;
    o->parts = (uint32_t)parts;
    return true;
}

/* Reads a whole number from the environment into *is, which keeps its value if the variable is not
 * set or empty. False after a message: the text is no such number. */
static bool read_variable(const cli_args *args, const char *name, unsigned long *is)
{
    const char *text = getenv(name);
    const char *end;
    uint64_t x;
    if (!text || !*text)
        return true;
    if (decimal_read_uint(text, &end, &x) && !*end && x <= UINT32_MAX) {
        *is = (unsigned long)x;
        return true;
    }
    cli_usage_error(args, "%s is no whole number: '%s'; --shard I/N makes it unnecessary", name,
                    text);
    return false;
}

/* What Slurm sets for a task of `sbatch --array=MIN-MAX:STEP`. */
typedef struct slurm_array {
    unsigned long id, min, max, step, count; /* count 0: not known */
} slurm_array;

/* Variables that Slurm did not set describe an array of this one task. */
static bool read_array(const cli_args *args, slurm_array *s)
{
    *s = (slurm_array){.min = 1, .step = 1};
    if (!read_variable(args, "SLURM_ARRAY_TASK_ID", &s->id))
        return false;
    s->max = s->id;
    return read_variable(args, "SLURM_ARRAY_TASK_MIN", &s->min) &&
           read_variable(args, "SLURM_ARRAY_TASK_MAX", &s->max) &&
           read_variable(args, "SLURM_ARRAY_TASK_STEP", &s->step) &&
           read_variable(args, "SLURM_ARRAY_TASK_COUNT", &s->count);
}

/* Tasks 1 to 4 of a job array make the parts 1/4 to 4/4:
 *
 *     weft: task 3 of Slurm's job array: --shard 3/4
 *
 * An array such as 1,5,7 does not say which of how many parts a task is, nor does one that leaves
 * tasks out. */
static bool read_slurm(const cli_args *args, weft_generate_options *o)
{
    slurm_array s;
    if (!read_array(args, &s))
        return false;
    if (!s.step)
        s.step = 1;
    const bool ordered = s.min <= s.id && s.id <= s.max && (s.id - s.min) % s.step == 0;
    const unsigned long parts = ordered ? (s.max - s.min) / s.step + 1 : 0;
    if (!ordered || (s.count && s.count != parts) || parts > PARTS_MAX) {
        cli_usage_error(args, "this job array is no range of tasks: say --shard I/N");
        return false;
    }
    o->part = (uint32_t)((s.id - s.min) / s.step + 1);
    o->parts = (uint32_t)parts;
    if (!cli_has(args, OPT_QUIET))
        fprintf(stderr, "weft: task %lu of Slurm's job array: --shard %u/%u\n", s.id, o->part,
                o->parts);
    return true;
}

bool generate_read_part(const cli_args *args, weft_generate_options *o)
{
    const char *text = cli_get(args, OPT_SHARD), *task = getenv("SLURM_ARRAY_TASK_ID");
    o->part = o->parts = 1;
    if (text ? !read_shard(args, text, o) : task && *task && !read_slurm(args, o))
        return false;
    WEFT_ASSERT(o->part && o->part <= o->parts && o->parts <= PARTS_MAX);
    return true;
}

/* Only "0", "1" and decimals such as "0.85" with up to six digits are read: strtod would also take
 * "nan", "9e-1" and "0x1". */
static bool read_similarity(const cli_args *args, const char *text, double *threshold)
{
    enum { DIGITS = 6 };
    const char *end;
    if (!text)
        return true;
    const size_t digits = text[0] && text[1] == '.' ? strspn(text + 2, "0123456789") : 0;
    const bool plain = (text[0] == '0' || text[0] == '1') &&
                       (!text[1] || (digits <= DIGITS && text[1] == '.' && !text[2 + digits]));
    *threshold = plain ? decimal_read_double(text, &end) : 0;
    if (*threshold >= 0.5 && *threshold <= 1.0)
        return true;
    cli_usage_error(args, "--near wants a similarity from 0.5 to 1, such as 0.9, not '%s'", text);
    return false;
}

bool cli_read_near(const cli_args *args, double *threshold)
{
    return read_similarity(args, cli_get(args, OPT_NEAR), threshold);
}

bool generate_read_near(const cli_args *args, double *threshold)
{
    const char *text = cli_get(args, OPT_NEAR);
    if (!text || strcmp(text, "0") != 0)
        return read_similarity(args, text, threshold);
    *threshold = WEFT_NEAR_KEPT;
    return true;
}

/* The same files are read again by `weft merge`: standard input would be gone. */
bool cli_read_exclude(const cli_args *args, const char *const **paths, size_t *n)
{
    uint32_t given;
    *paths = cli_all(args, OPT_EXCLUDE, &given);
    *n = given;
    for (uint32_t i = 0; i < given; i++)
        if (strcmp((*paths)[i], "-") == 0) {
            cli_usage_error(args, "--exclude takes files and folders, not '-'");
            return false;
        }
    return true;
}
