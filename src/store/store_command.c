/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a command line: the options that its bytes depend on, each spelled in one way, so that
 * two commands are compared as texts.
 *
 *     record_options   <->   "weft generate --count 30 --seed 7 --device cuda ..."
 *
 * Folder and threads are left out: the bytes do not depend on them. What is written here is read
 * back here, option by option in the same order. */
#include "store/store_command.h"

#include <string.h>

#include "base/decimal.h"
#include "emit/emit.h"
#include "profile/profile.h"
#include "similar/exclude_set.h"
#include "similar/near_index.h"

/* --- written --------------------------------------------------------------------------------- */

/* The levels and sizes, where they are not all: " --difficulty 1,3 --max-lines 20". */
static void put_shape(strbuf *b, const gen_shape *shape)
{
    bool first = true;
    if (shape->levels != gen_shape_any().levels) {
        for (uint32_t i = 1; i <= GEN_LEVELS; i++) {
            if (!(shape->levels & 1u << i))
                continue;
            sb_c(b, first ? " --difficulty " : ",");
            sb_uint(b, i);
            first = false;
        }
    }
    if (shape->min_lines != GEN_LINES_MIN) {
        SB_LIT(b, " --min-lines ");
        sb_uint(b, shape->min_lines);
    }
    if (shape->max_lines != GEN_LINES_MAX) {
        SB_LIT(b, " --max-lines ");
        sb_uint(b, shape->max_lines);
    }
}

/* --kind of a set of one kind, --mix of one of more; and the profile. A command without either is
 * one of exercises: older sets have such. */
static void put_kinds(strbuf *b, const record_options *o)
{
    const record_mix *mix = &o->mix;
    if (record_mix_is_mixed(mix)) {
        SB_LIT(b, " --mix ");
        record_mix_put(b, mix);
    } else if (record_mix_has(mix, RECORD_PURPOSE)) {
        SB_LIT(b, " --kind purpose");
    } else {
        SB_LIT(b, " --kind exercise");
    }
    if (o->profile) {
        SB_LIT(b, " --profile ");
        profile_put_text(b, o->profile);
    }
}

/* --task, --style and --tasks, which a repair set has only if it is not the usual one. */
static void put_style(strbuf *b, const record_options *o)
{
    if (o->job == RECORD_REPAIR)
        SB_LIT(b, " --task repair");
    if (o->style == RECORD_SCRIPT)
        SB_LIT(b, " --style script");
    if (o->style != RECORD_MESSAGES)
        return;
    SB_LIT(b, " --style messages");
    if (o->job == RECORD_REPAIR && o->ntasks == 1 && o->tasks[0] == TASK_REPAIR)
        return;
    SB_LIT(b, " --tasks ");
    for (uint32_t i = 0; i < o->ntasks; i++) {
        if (i)
            SB_LIT(b, ",");
        sb_c(b, task_at(o->tasks[i])->name);
    }
}

void store_put_command(strbuf *b, const record_options *o)
{
    WEFT_ASSERT(o->ncategories && o->ncategories <= GEN_CATEGORY_COUNT && o->devices);
    SB_LIT(b, "weft generate --count ");
    sb_uint(b, o->count);
    SB_LIT(b, " --seed ");
    sb_uint(b, o->seed);
    SB_LIT(b, " --device ");
    sb_c(b, o->devices == EMIT_FOR_BOTH ? "both" : o->devices == EMIT_FOR_CUDA ? "cuda" : "cpu");
    SB_LIT(b, " --categories ");
    for (uint32_t i = 0; i < o->ncategories; i++) {
        if (i)
            SB_LIT(b, ",");
        sb_c(b, gen_category_name(o->categories[i]));
    }
    put_shape(b, &o->shape);
    SB_LIT(b, " --format ");
    sb_c(b, record_format_of(o)->name);
    if (o->cpu_shim)
        SB_LIT(b, " --cpu-shim");
    put_style(b, o);
    if (o->compress) {
        SB_LIT(b, " --compress ");
        sb_c(b, pack_name(o->compress));
    }
    if (o->shard_rows) {
        SB_LIT(b, " --shard-rows ");
        sb_uint(b, o->shard_rows);
    }
    if (o->parts > 1) {
        SB_LIT(b, " --shard ");
        sb_uint(b, o->part);
        SB_LIT(b, "/");
        sb_uint(b, o->parts);
    }
    if (o->warp != WARP_ANY && o->warp != WARP_DEFAULT) {
        SB_LIT(b, " --warp ");
        sb_c(b, warp_release_name(o->warp));
    }
    if (o->no_backward)
        SB_LIT(b, " --no-backward");
    if (o->no_verify)
        SB_LIT(b, " --no-verify");
    if (o->no_tests)
        SB_LIT(b, " --no-tests");
    if (o->max_tokens) {
        SB_LIT(b, " --max-tokens ");
        sb_uint(b, o->max_tokens);
    }
    put_kinds(b, o);
    if (o->no_dedup)
        SB_LIT(b, " --no-dedup");
    if (o->near_named) {
        SB_LIT(b, " --near ");
        near_put_threshold(b, o->near);
    }
    if (o->exclude) {
        SB_LIT(b, " --exclude sha256:");
        sb_put(b, o->exclude->sha256, SHA256_HEX);
    }
    if (o->gradients == RECORD_GRADIENTS_EXACT)
        SB_LIT(b, " --gradients exact");
    if (o->with_ptx)
        SB_LIT(b, " --with-ptx");
    if (o->ptx_compiler) {
        SB_LIT(b, " --ptx-compiler ");
        sb_c(b, o->ptx_compiler);
    }
    if (o->license) {
        SB_LIT(b, " --license ");
        sb_c(b, o->license);
    }
}

/* --- read back ------------------------------------------------------------------------------- */

/* The command's words, each option once and with its value. */
typedef struct words {
    const char *at;
    str value; /* of the option that was taken last */
} words;

static bool take_word(words *w, str *out)
{
    const size_t n = strcspn(w->at, " ");
    *out = (str){w->at, n};
    w->at += n + (w->at[n] == ' ');
    return n > 0;
}

/* Takes " NAME", if that comes next. */
static bool take_switch(words *w, const char *name)
{
    const size_t n = strlen(name);
    if (strncmp(w->at, name, n) != 0 || (w->at[n] && w->at[n] != ' '))
        return false;
    w->at += n + (w->at[n] == ' ');
    return true;
}

/* Takes " NAME VALUE", if that comes next. */
static bool take_option(words *w, const char *name)
{
    return take_switch(w, name) && take_word(w, &w->value);
}

/* An option that is not there leaves *out as it is. False: its value is no number up to `most`. */
static bool take_number(words *w, const char *name, uint64_t most, uint64_t *out)
{
    const char *end;
    uint64_t x;
    if (!take_option(w, name))
        return true;
    if (!decimal_read_uint(w->value.p, &end, &x) || end != w->value.p + w->value.n || x > most)
        return false;
    *out = x;
    return true;
}

/* The number of the value in a list of names; n: it is none of them. */
static uint32_t which(const words *w, const char *const *names, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && !str_eq(w->value, str_c(names[i])))
        i++;
    return i;
}

static const char *value_dup(arena *a, const words *w)
{
    return arena_dup(a, w->value.p, w->value.n);
}

/* "1,3,5" */
static bool read_levels(const words *w, unsigned *levels)
{
    for (size_t i = 0; i < w->value.n; i += 2) {
        const int level = w->value.p[i] - '0';
        if (level < 1 || level > GEN_LEVELS || (i + 1 < w->value.n && w->value.p[i + 1] != ','))
            return false;
        *levels |= 1u << level;
    }
    return *levels != 0;
}

static bool read_shape(arena *a, words *w, record_options *o)
{
    unsigned levels = 0;
    uint64_t least = 0, most = 0;
    if (take_option(w, "--difficulty") && !read_levels(w, &levels))
        return false;
    return take_number(w, "--min-lines", GEN_LINES_MAX, &least) &&
           take_number(w, "--max-lines", GEN_LINES_MAX, &most) &&
           !record_choose_shape(a, o, levels, (uint32_t)least, (uint32_t)most);
}

/* Count, seed, devices and categories, which every command has. */
static bool read_set(arena *a, words *w, record_options *o)
{
    static const char *const devices[] = {"cpu", "cuda", "both"};
    static const unsigned sets[] = {EMIT_FOR_CPU, EMIT_FOR_CUDA, EMIT_FOR_BOTH};
    str unknown;
    if (!take_number(w, "--count", RECORD_COUNT_MAX, &o->count) ||
        !take_number(w, "--seed", INT64_MAX, &o->seed) || !take_option(w, "--device"))
        return false;
    const uint32_t device = which(w, devices, 3);
    if (device == 3 || !take_option(w, "--categories"))
        return false;
    o->devices = sets[device];
    return record_choose_categories(o, value_dup(a, w), &unknown) && read_shape(a, w, o);
}

/* Format, job, style and compression. The value of --tasks is left in w->value for the caller. */
static bool read_form(words *w, record_options *o)
{
    static const char *const methods[] = {"zstd", "gzip"};
    if (!take_option(w, "--format") || !record_format_find(w->value, &o->format))
        return false;
    o->cpu_shim = take_switch(w, "--cpu-shim");
    o->job = take_switch(w, "--task repair") ? RECORD_REPAIR : RECORD_TRANSLATE;
    o->style = take_switch(w, "--style script")     ? RECORD_SCRIPT
               : take_switch(w, "--style messages") ? RECORD_MESSAGES
                                                    : RECORD_PAIR;
    o->tasks_named = take_option(w, "--tasks");
    const str tasks = w->value;
    if (take_option(w, "--compress")) {
        const uint32_t method = which(w, methods, 2);
        if (method == 2)
            return false;
        o->compress = (pack_method)(PACK_ZSTD + method);
    }
    w->value = tasks;
    return true;
}

/* --shard-rows N and --shard PART/PARTS: part 1 of 1 where the latter is missing. */
static bool read_part(words *w, record_options *o)
{
    const char *end;
    uint64_t part = 1, parts = 1;
    if (!take_number(w, "--shard-rows", INT64_MAX, &o->shard_rows))
        return false;
    if (take_option(w, "--shard") &&
        (!decimal_read_uint(w->value.p, &end, &part) || *end != '/' ||
         !decimal_read_uint(end + 1, &end, &parts) || end != w->value.p + w->value.n))
        return false;
    o->part = (uint32_t)part;
    o->parts = (uint32_t)parts;
    return part && part <= parts && parts <= RECORD_PARTS_MAX;
}

/* Of --exclude only the hash is written, so that the structures cannot be read back. */
static bool read_rest(arena *a, words *w, record_options *o)
{
    if (take_option(w, "--warp") &&
        (o->warp = warp_release_named(w->value.p, w->value.n)) == WARP_ANY)
        return false;
    o->no_backward = take_switch(w, "--no-backward");
    o->no_verify = take_switch(w, "--no-verify");
    o->no_tests = take_switch(w, "--no-tests");
    if (!take_number(w, "--max-tokens", INT64_MAX, &o->max_tokens))
        return false;
    const bool purpose = take_switch(w, "--kind purpose");
    o->mix = record_mix_of(purpose ? RECORD_PURPOSE : RECORD_EXERCISE);
    (void)take_switch(w, "--kind exercise");
    if (take_option(w, "--mix") && record_mix_read(w->value, &o->mix))
        return false;
    if (take_option(w, "--profile")) {
        profile *p = ARENA_NEW(a, profile);
        if (!profile_read_text(w->value, p))
            return false;
        o->profile = p;
    }
    o->no_dedup = take_switch(w, "--no-dedup");
    o->near_named = take_option(w, "--near");
    if (!o->near_named)
        o->near = record_near_of(o);
    else if (!str_eq(w->value, STR("0")) && !near_read_threshold(w->value, &o->near))
        return false;
    (void)take_option(w, "--exclude");
    if (take_switch(w, "--gradients exact"))
        o->gradients = RECORD_GRADIENTS_EXACT;
    o->with_ptx = take_switch(w, "--with-ptx");
    if (take_option(w, "--ptx-compiler"))
        o->ptx_compiler = value_dup(a, w);
    if (take_option(w, "--license"))
        o->license = value_dup(a, w);
    return !*w->at && (!o->license || record_is_license(o->license));
}

/* Names are checked as on the command line, and so are conflicts of options: a manifest that was
 * edited by hand is not read as something else. */
bool store_read_command(arena *a, const char *command, const char *output, record_options *o)
{
    words w = {command, {0}};
    str which;
    *o = (record_options){.output = output};
    if (!take_switch(&w, "weft") || !take_switch(&w, "generate") || !read_set(a, &w, o) ||
        !read_form(&w, o))
        return false;
    const char *tasks = o->tasks_named ? value_dup(a, &w) : NULL;
    return read_part(&w, o) && read_rest(a, &w, o) && !record_choose_tasks(o, tasks, &which) &&
           !record_conflict(o);
}

bool store_is_command(arena *a, const char *command, const record_options *o)
{
    strbuf b;
    sb_init(&b, a->m);
    store_put_command(&b, o);
    const bool same = strcmp(sb_cstr(&b), command) == 0;
    sb_clear(&b);
    return same;
}

const char *store_command_without(arena *a, const char *command, const char *option)
{
    WEFT_ASSERT(option[0] == ' ' && option[strlen(option) - 1] == ' ');
    const char *at = strstr(command, option);
    char *copy = arena_dup(a, command, strlen(command));
    if (at) {
        const char *rest = at + strlen(option);
        rest += strcspn(rest, " ");
        memmove(copy + (at - command), rest, strlen(rest) + 1);
    }
    return copy;
}

/* --- compared -------------------------------------------------------------------------------- */

/* The next " --NAME" or " --NAME VALUE" of a command, from *at on; false: there is none. */
static bool next_option(str command, size_t *at, str *option, size_t *name)
{
    while (*at + 3 <= command.n && memcmp(command.p + *at, " --", 3) != 0)
        ++*at;
    if (*at + 3 > command.n)
        return false;
    size_t end = *at + 3;
    while (end < command.n && command.p[end] != ' ')
        end++;
    *name = end - *at;
    while (end + 3 <= command.n && memcmp(command.p + end, " --", 3) != 0)
        end++;
    if (end + 3 > command.n)
        end = command.n;
    *option = (str){command.p + *at, end - *at};
    *at = end;
    return true;
}

/* The option of this name with its value; n is 0: the command has none. */
static str find_option(str command, str name)
{
    str option;
    size_t at = 0, n;
    while (next_option(command, &at, &option, &n))
        if (str_eq((str){option.p, n}, name))
            return option;
    return (str){0};
}

/* Long values, such as lists of categories, are not shown. */
const char *store_command_difference(arena *a, str first, str second)
{
    enum { SHOWN = 40 };
    str option;
    size_t at = 0, name;
    while (next_option(first, &at, &option, &name)) {
        const str other = find_option(second, (str){option.p, name});
        if (str_eq(option, other))
            continue;
        return option.n <= SHOWN ? arena_printf(a, "with%.*s", (int)option.n, option.p)
                                 : arena_printf(a, "with other%.*s", (int)name, option.p);
    }
    for (at = 0; next_option(second, &at, &option, &name);)
        if (!find_option(first, (str){option.p, name}).n)
            return arena_printf(a, "without%.*s", (int)(option.n <= SHOWN ? option.n : name),
                                option.p);
    return NULL;
}
