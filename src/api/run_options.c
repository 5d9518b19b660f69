/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a run: weft_generate_options checked and made into record_options, and what they name
 * found: the compiler of PTX, the structures to exclude.
 *
 *     {.count = 100, .categories = "loop,vector"}
 *     ->   {.count = 100, .devices = EMIT_FOR_CUDA, .part = 1, .parts = 1, ...}
 *
 * Messages name options as the command line does, which a caller in C finds by the same words. */
#include "api/run_options.h"

#include <errno.h>
#include <string.h>

#include "api/api.h"
#include "base/c_locale.h"
#include "base/file.h"
#include "base/format.h"
#include "base/version.h"
#include "emit/emit.h"
#include "make/exclude.h"
#include "profile/profile.h"
#include "similar/near_index.h"
#include "store/parquet_pipe.h"

_Static_assert((int)WEFT_LINES_MIN == (int)GEN_LINES_MIN &&
                   (int)WEFT_LINES_MAX == (int)GEN_LINES_MAX,
               "in weft.h too");
#define FORMAT(ID, name, programs, shards, data, functions, next, next_cpu)                        \
    _Static_assert((int)WEFT_##ID == (int)RECORD_FORMAT_##ID, "in weft.h too");
#include "record/record_format.def"
#undef FORMAT
_Static_assert((int)WEFT_ZSTD == (int)PACK_ZSTD && (int)WEFT_GZIP == (int)PACK_GZIP,
               "in weft.h too");

/* --- read ------------------------------------------------------------------------------------ */

static weft_status read_categories(const weft_generate_options *w, const weft_callbacks *c,
                                   record_options *o)
{
    str unknown;
    if (record_choose_categories(o, w->categories, &unknown))
        return WEFT_OK;
    const char *names[GEN_CATEGORY_COUNT];
    for (int i = 0; i < GEN_CATEGORY_COUNT; i++)
        names[i] = gen_category_name((gen_category)i);
    return callbacks_unknown(c, "category", unknown, w->categories, names, GEN_CATEGORY_COUNT);
}

/* The message of record_choose_tasks may concern one word of the list, which is then shown. */
static weft_status read_tasks(const weft_generate_options *w, const weft_callbacks *c,
                              record_options *o)
{
    str which;
    const char *wrong = record_choose_tasks(o, w->tasks, &which);
    const char *names[TASKS];
    record_task t;
    if (wrong && which.n && task_find(which, &t))
        return callbacks_misuse(c, "the task '%.*s' %s", (int)which.n, which.p, wrong);
    for (int i = 0; i < TASKS; i++)
        names[i] = task_at((record_task)i)->name;
    if (wrong)
        return callbacks_unknown(c, "task", which, w->tasks, names, TASKS);
    if (!record_tasks_want_purpose(o) || !record_mix_has(&o->mix, RECORD_EXERCISE))
        return WEFT_OK;
    if (w->mix)
        return callbacks_misuse(c, "the tasks '%s' need kernels with a purpose: no exercises",
                                w->tasks);
    o->mix = record_mix_of(RECORD_PURPOSE);
    return WEFT_OK;
}

static bool near_is_valid(double near)
{
    return near == 0 || near == WEFT_NEAR_KEPT || (near >= 0.5 && near <= 1.0);
}

/* Refuses numbers that no data set can have. The program checks most of them before, by the names
 * of its options; these messages are for callers from C and Python. */
static weft_status check_numbers(const weft_generate_options *w, const weft_callbacks *c)
{
    if (w->devices & ~(unsigned)(WEFT_CPU | WEFT_CUDA))
        return callbacks_misuse(c, "there are two devices, WEFT_CPU and WEFT_CUDA");
    if (w->count > RECORD_COUNT_MAX || w->seed > INT64_MAX || w->shard_rows > INT64_MAX ||
        w->max_tokens > INT64_MAX)
        return callbacks_misuse(c, "the count is more than 10^12, or the seed than 2^63 - 1");
    if ((w->part || w->parts) && (!w->part || w->part > w->parts || w->parts > RECORD_PARTS_MAX))
        return callbacks_misuse(c, "a part is a number from 1 to that of the parts");
    if (!near_is_valid(w->near))
        return callbacks_misuse(c, "a similarity that counts as near is from 0.5 to 1");
    if (w->format < 0 || w->format >= (int)RECORD_FORMATS || w->compress < WEFT_PLAIN ||
        w->compress > WEFT_GZIP)
        return callbacks_misuse(c, "unknown format or compression");
    if (w->warp && warp_release_named(w->warp, strlen(w->warp)) == WARP_ANY)
        return callbacks_misuse(c, "weft does not write the text of Warp %s", w->warp);
    if (w->license && !record_is_license(w->license))
        return callbacks_misuse(c, "--license wants an id such as mit or cc0-1.0, not '%s'",
                                w->license);
    return WEFT_OK;
}

/* Parquet is written by another program, which must be there before the first pair is made. */
static weft_status check_parquet(const record_options *o, const weft_callbacks *c)
{
    if (o->format != RECORD_FORMAT_PARQUET || parquet_is_here())
        return WEFT_OK;
    return callbacks_misuse(c, "--format parquet: %s", error_text(ENOPKG));
}

/* Zero means the default throughout, as weft.h says: a caller fills only what it wants.
 * {.devices = 0, .parts = 0, .jobs = 0, .near = 0.9} -> {.devices = EMIT_FOR_CUDA, .part = 1,
 * .parts = 1, .jobs = as many as cores, ...} */
static void fill(const weft_generate_options *w, record_options *o)
{
    WEFT_ASSERT(near_is_valid(w->near));
    const unsigned devices = w->devices ? w->devices : WEFT_CUDA;
    *o = (record_options){
        .count = w->count,
        .seed = w->seed,
        .devices =
            (devices & WEFT_CPU ? EMIT_FOR_CPU : 0u) | (devices & WEFT_CUDA ? EMIT_FOR_CUDA : 0u),
        .format = (record_format)w->format,
        .job = w->repair ? RECORD_REPAIR : RECORD_TRANSLATE,
        .style = w->scripts    ? RECORD_SCRIPT
                 : w->messages ? RECORD_MESSAGES
                               : RECORD_PAIR,
        .tasks_named = w->tasks != NULL,
        .output = w->output,
        .license = w->license,
        .part = w->part ? w->part : 1,
        .parts = w->parts ? w->parts : 1,
        .shard_rows = w->shard_rows,
        .jobs = api_jobs(w->jobs),
        .compress = (pack_method)w->compress,
        .no_backward = w->no_backward != 0,
        .no_verify = w->no_verify != 0,
        .no_tests = w->no_tests != 0,
        .max_tokens = w->max_tokens,
        .cpu_shim = w->cpu_shim != 0,
        .no_dedup = w->no_dedup != 0,
        .mix = w->purpose || w->scripts ? record_mix_of(RECORD_PURPOSE) : record_mix_default(),
        .near = w->near > 0 ? (uint32_t)(w->near * MINHASH_UNIT + 0.5) : 0,
        .near_named = w->near != 0,
        .gradients = w->exact_gradients ? RECORD_GRADIENTS_EXACT : RECORD_GRADIENTS_ANY,
        .with_ptx = w->with_ptx != 0,
        .ptx_compiler = w->ptx_compiler,
        .resume = w->resume != 0,
        .timings = w->timings != 0,
        .warp = w->warp ? warp_release_named(w->warp, strlen(w->warp)) : WARP_DEFAULT};
}

/* Shares of kinds, and which kind alone: not both. */
static weft_status read_mix(const weft_generate_options *w, const weft_callbacks *c,
                            record_options *o)
{
    if (!w->mix)
        return WEFT_OK;
    if (w->purpose)
        return callbacks_misuse(c, "--kind and --mix exclude each other");
    const char *wrong = record_mix_read(str_c(w->mix), &o->mix);
    return wrong ? callbacks_misuse(c, "--mix %s: %s", w->mix, wrong) : WEFT_OK;
}

/* The figures of a file, or those that a run's command states. */
static weft_status read_profile(arena *a, const char *from, const weft_callbacks *c,
                                record_options *o)
{
    str text;
    strbuf why;
    profile *p = ARENA_NEW(a, profile);
    o->profile = p;
    if (profile_is_text(str_c(from)))
        return profile_read_text(str_c(from), p)
                   ? WEFT_OK
                   : callbacks_misuse(c, "--profile: the figures are damaged");
    const int error = file_read(a, from, &text);
    if (error)
        return callbacks_fail(c, WEFT_IO_ERROR, "cannot read '%s': %s", from, error_text(error));
    sb_init(&why, a->m);
    const json_value *json = json_read(a, text, &why);
    const bool good = json && profile_read(json, p, &why);
    const weft_status status =
        good ? WEFT_OK : callbacks_misuse(c, "%s: no profile: %s", from, sb_cstr(&why));
    sb_clear(&why);
    return status;
}

/* Numbers first: what follows relies on them being in range. */
weft_status run_options_read(arena *a, const weft_generate_options *w, const weft_callbacks *c,
                             record_options *o)
{
    weft_status status = check_numbers(w, c);
    if (status)
        return status;
    if (w->scripts && w->messages)
        return callbacks_misuse(c, "a record is a script or a conversation, not both");
    fill(w, o);
    if ((status = read_mix(w, c, o)) != WEFT_OK)
        return status;
    if (!o->near_named)
        o->near = record_near_of(o);
    if (w->profile && (status = read_profile(a, w->profile, c, o)) != WEFT_OK)
        return status;
    const char *wrong = record_conflict(o);
    if (wrong)
        return callbacks_misuse(c, "%s", wrong);
    if ((status = check_parquet(o, c)) != WEFT_OK || (status = read_tasks(w, c, o)) != WEFT_OK ||
        (status = read_categories(w, c, o)) != 0)
        return status;
    wrong = record_choose_shape(a, o, w->difficulties, w->min_lines, w->max_lines);
    if (!wrong)
        wrong = record_fit_categories(a, o, w->categories != NULL);
    return wrong ? callbacks_misuse(c, "%s", wrong) : WEFT_OK;
}

/* --- the compiler of PTX --------------------------------------------------------------------- */

/* "NVRTC 12.9" as a word of a command.
 *
 *     "NVRTC 12.9"   ->   "NVRTC-12.9" */
static const char *as_word(arena *a, const char *compiler)
{
    char *word = arena_dup(a, compiler, strlen(compiler));
    for (char *p = word; *p; p++)
        if (*p == ' ')
            *p = '-';
    return word;
}

/* What makes the PTX of every record; NULL, and *why, if it is not here. All records of a set must
 * come from one compiler, so NVRTC is required, and of Warp the release whose text is made. */
static const char *compiler_of_set(const ptx_tools *tools, arena *a, const record_options *o,
                                   const char **why)
{
    const bool programs = record_format_of(o)->programs;
    const char *warp = warp_release_version(o->warp);
    if (!ptx_tools_can(tools, a, programs ? PTX_PLAIN : PTX_WARP, why))
        return NULL;
    if (!tools->has_nvrtc) {
        *why = tools->why_not;
        return NULL;
    }
    if (!programs) {
        const ptx_source part = {.dialect = PTX_WARP_PART};
        if (tools->warp_version && strcmp(tools->warp_version, warp) == 0)
            return ptx_compiler_of(tools, a, &part);
        *why = arena_printf(a, "'%s' holds no headers of warp-lang %s", tools->warp, warp);
        return NULL;
    }
    const ptx_source some = {.text = STR("#include <cuda_fp16.h>"), .dialect = PTX_PLAIN};
    if (tools->headers)
        return ptx_compiler_of(tools, a, &some);
    *why = ptx_no_headers;
    return NULL;
}

/* The compiler becomes part of o, since records made by another one are not the same bytes. */
weft_status run_options_open_ptx(arena *a, ptx_tools *tools, const run_packages *p,
                                 const weft_callbacks *c, record_options *o)
{
    const char *why = NULL;
    if (!o->with_ptx)
        return WEFT_OK;
    WEFT_ASSERT(!o->ptx);
    ptx_tools_open(tools, a, p->dirs, (uint32_t)p->ndirs, p->warp_include);
    o->ptx = tools;
    const char *compiler = compiler_of_set(tools, a, o, &why);
    if (!compiler)
        return callbacks_fail(c, WEFT_IO_ERROR, "%s", why);
    compiler = as_word(a, compiler);
    if (o->ptx_compiler && strcmp(o->ptx_compiler, compiler) != 0)
        return callbacks_fail(c, WEFT_IO_ERROR,
                              "the PTX is to be made by %s, and %s is what is here (WEFT_NVRTC "
                              "names another)",
                              o->ptx_compiler, compiler);
    o->ptx_compiler = compiler;
    return WEFT_OK;
}

/* --- what is excluded ------------------------------------------------------------------------ */

/* How many texts that cannot be parsed are noted one by one. A folder may have thousands. */
enum { NOTES_MAX = 20 };

/* What note_not_parsed needs: whom to report to, and how often it has. */
typedef struct exclude_notes {
    weft_callbacks callbacks;
    uint64_t n; /* found so far, reported or not */
} exclude_notes;

/* For exclude_read. Lines are those of a data set; 0: the whole file is one text. */
static void note_not_parsed(void *arg, const char *file, uint64_t line, const char *why)
{
    exclude_notes *notes = arg;
    const weft_callbacks *c = &notes->callbacks;
    if (++notes->n > NOTES_MAX)
        return;
    if (line)
        callbacks_say(c, WEFT_NOTE, "%s:%llu: nothing is excluded for it: %s", file,
                      (unsigned long long)line, why);
    else
        callbacks_say(c, WEFT_NOTE, "%s: nothing is excluded for it: %s", file, why);
}

/* The set lives in a, as long as o. A file that cannot be read ends the call; a text that cannot
 * be parsed is only noted. */
weft_status run_options_exclude(arena *a, const char *const *paths, size_t n, bool count,
                                const weft_callbacks *c, record_options *o)
{
    const char *failed = "";
    exclude_notes notes = {*c, 0};
    if (!n)
        return WEFT_OK;
    exclude_set *set = ARENA_NEW(a, exclude_set);
    const int error = exclude_read(a, paths, (uint32_t)n, note_not_parsed, &notes, set, &failed);
    o->exclude = set;
    if (notes.n > NOTES_MAX)
        callbacks_say(c, WEFT_NOTE,
                      "%llu more texts cannot be parsed, and nothing is excluded for them",
                      (unsigned long long)(notes.n - NOTES_MAX));
    if (error)
        return callbacks_fail(c, WEFT_IO_ERROR, "cannot read '%s': %s", failed, error_text(error));
    if (count)
        callbacks_say(c, WEFT_NOTE, "%llu structure%s of %llu kernel%s in %llu file%s %s excluded",
                      (unsigned long long)set->n, plural_s(set->n),
                      (unsigned long long)set->kernels, plural_s(set->kernels),
                      (unsigned long long)set->files, plural_s(set->files),
                      set->n == 1 ? "is" : "are");
    return WEFT_OK;
}
