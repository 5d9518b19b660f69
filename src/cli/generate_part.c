/* Which part of a run is made here: what --shard says, else what Slurm's job array says. */
#include <stdlib.h>

#include "base/decimal.h"
#include "cli/generate.h"
#include "similar/near_index.h"

static bool read_shard(const cli_args *args, const char *text, record_options *o)
{
    const char *end;
    uint64_t part, parts;
    if (!decimal_read_uint(text, &end, &part) || *end != '/' ||
        !decimal_read_uint(end + 1, &end, &parts) || *end || !part || part > parts ||
        parts > RECORD_PARTS_MAX) {
        cli_usage_error(args, "--shard wants I/N with I from 1 to N, not '%s'", text);
        return false;
    }
    o->part = (uint32_t)part;
    o->parts = (uint32_t)parts;
    return true;
}

/* A whole number from the environment; *is is what it is when it is not set. False: it is none. */
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

typedef struct slurm_array {
    unsigned long id, min, max, step, count; /* count 0: not told */
} slurm_array;

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

/* Of an array such as 1,5,7 nobody can tell which of how many a task is; nor where an array leaves
 * tasks out. */
static bool read_slurm(const cli_args *args, record_options *o)
{
    slurm_array s;
    if (!read_array(args, &s))
        return false;
    if (!s.step)
        s.step = 1;
    const bool ordered = s.min <= s.id && s.id <= s.max && (s.id - s.min) % s.step == 0;
    const unsigned long parts = ordered ? (s.max - s.min) / s.step + 1 : 0;
    if (!ordered || (s.count && s.count != parts) || parts > RECORD_PARTS_MAX) {
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

bool generate_read_part(const cli_args *args, record_options *o)
{
    const char *text = cli_get(args, OPT_SHARD), *task = getenv("SLURM_ARRAY_TASK_ID");
    o->part = o->parts = 1;
    if (text ? !read_shard(args, text, o) : task && *task && !read_slurm(args, o))
        return false;
    if (o->parts > 1 && o->near)
        return cli_usage_error(args, "--near is for one machine, as a part does not know what the "
                                     "others hold: merge the parts, then weft dedup --near"),
               false;
    return true;
}

bool cli_read_license(const cli_args *args, const char **license)
{
    const char *id = cli_get(args, OPT_LICENSE);
    enum { MOST = 60 };
    if (id && (!*id || strlen(id) > MOST ||
               strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789.-+") != strlen(id))) {
        cli_usage_error(args, "--license wants an id such as mit or cc0-1.0, not '%s'", id);
        return false;
    }
    *license = id;
    return true;
}

bool cli_read_near(const cli_args *args, uint32_t *threshold)
{
    const char *text = cli_get(args, OPT_NEAR);
    if (!text || near_read_threshold(str_c(text), threshold))
        return true;
    cli_usage_error(args, "--near wants a similarity from 0.5 to 1, such as 0.9, not '%s'", text);
    return false;
}
