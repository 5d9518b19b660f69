/* SPDX-License-Identifier: Apache-2.0 */
/* weft_generate: a run of pairs by its options. The end is a message and a status, what was made
 * are figures. A run that was cut off gets the command that goes on:
 *
 *     weft generate --count 1000 --seed 7 --output set --resume */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/run_options.h"
#include "api/run_report.h"
#include "base/decimal.h"
#include "base/run_status.h"
#include "store/store_command.h"

/* One call of weft_generate. */
typedef struct run_request {
    mem m;
    arena a;
    weft_generate_options w;
    weft_callbacks c;
    void (*made)(void *arg, const weft_generated *made);
    record_options o;
    ptx_tools tools;
    bool refused; /* by the caller's `write` */
    weft_status status;
} run_request;

/* Hands a piece of records to the caller's `write`; a result other than 0 stops the run. The pieces
 * are whole records, so the caller needs no `ends`. */
static int give(void *arg, str text, const uint64_t *ends, uint32_t n)
{
    run_request *r = arg;
    (void)ends;
    (void)n;
    WEFT_ASSERT(r->w.write && text.n);
    r->refused = r->w.write(r->w.write_arg, text.p, text.n) != 0;
    return r->refused ? STATUS_STOPPED : STATUS_OK;
}

/* --- how to go on ---------------------------------------------------------------------------- */

/* A word of a shell's command.
 *
 *     set-1/x      ->  set-1/x
 *     my set       ->  'my set'
 *     it's         ->  'it'\''s' */
static void put_word(strbuf *b, const char *word)
{
    if (!word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-./=+,:@%")]) {
        sb_c(b, word);
        return;
    }
    sb_char(b, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            SB_LIT(b, "'\\'");
        sb_char(b, *word);
    }
    sb_char(b, '\'');
}

/* " --exclude FILE" for each value.
 *
 *     " --exclude ", {"a.py", "my set"}   ->    --exclude a.py --exclude 'my set' */
static void put_given(strbuf *b, const char *name, const char *const *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sb_c(b, name);
        put_word(b, values[i]);
    }
}

/* The whole command, so that it can be pasted; nothing for a stream, which cannot be resumed. */
static void note_how_to_resume(run_request *r)
{
    strbuf b;
    record_options named = r->o;
    if (!r->o.output)
        return;
    named.exclude = NULL; /* paths are reported instead of what was in them */
    sb_init(&b, &r->m);
    SB_LIT(&b, "what is in whole files is kept; to go on:\n    ");
    store_put_command(&b, &named);
    put_given(&b, " --exclude ", r->w.exclude, r->w.exclude_count);
    put_given(&b, " -I ", r->w.package_dirs, r->w.package_dir_count);
    put_given(&b, " --warp-include ", &r->w.warp_include, r->w.warp_include != NULL);
    SB_LIT(&b, " --output ");
    put_word(&b, r->o.output);
    SB_LIT(&b, " --resume");
    callbacks_say(&r->c, WEFT_CAUTION, "%s", sb_cstr(&b));
    sb_clear(&b);
}

/* --- the run --------------------------------------------------------------------------------- */

/* Options are read and files to exclude are parsed before callbacks_begin: up to there nothing is
 * written, and a caller may end the process. */
static void run(void *arg)
{
    run_request *r = arg;
    store_outcome outcome;
    const run_packages packages = {r->w.package_dirs, r->w.package_dir_count, r->w.warp_include};
    r->status = run_options_read(&r->a, &r->w, &r->c, &r->o);
    if (r->status == WEFT_OK)
        r->status = run_options_open_ptx(&r->a, &r->tools, &packages, &r->c, &r->o);
    if (r->status == WEFT_OK)
        r->status =
            run_options_exclude(&r->a, r->w.exclude, r->w.exclude_count, true, &r->c, &r->o);
    if (r->status != WEFT_OK)
        return;
    run_reporter t = {.c = &r->c, .o = &r->o};
    r->o.progress = run_report_progress;
    r->o.message = run_report_note;
    r->o.progress_arg = &t;
    if (!r->o.output) {
        r->o.take = give;
        r->o.take_arg = r;
    }
    callbacks_begin(&r->c);
    const int end = make_run(&r->a, &r->o, &outcome);
    r->status = r->refused ? WEFT_STOPPED : run_report_end(&t, &outcome, end);
    if (end == STATUS_STOPPED || (end > 0 && outcome.bytes))
        note_how_to_resume(r);
    if (r->status == WEFT_OK && r->made)
        run_report_made(&t, &r->a, &outcome, 0, r->made);
    else if (end == STATUS_OK || end == STATUS_BROKEN)
        run_report_suspects(&t, &outcome);
}

/* A mem of its own: there is no context, and nothing of the run stays. The caller's `waiting` is
 * called while the run waits for a pipe. */
weft_status weft_generate(const weft_generate_options *options, const weft_callbacks *callbacks,
                          void (*made)(void *arg, const weft_generated *made))
{
    run_request r = {.made = made};
    if (!options || !api_take_options(&r.w, sizeof r.w, options) ||
        !callbacks_take(&r.c, callbacks) || (!r.w.output && !r.w.write))
        return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    r.m.waiting = r.c.waiting;
    r.m.waiting_arg = r.c.arg;
    arena_init(&r.a, &r.m);
    if (!mem_try(&r.m, run, &r))
        r.status = callbacks_fail(&r.c, WEFT_NO_MEMORY, "out of memory");
    ptx_tools_close(&r.tools);
    mem_clear(&r.m);
    return r.status;
}

/* NULL ends a loop over the categories. */
const char *weft_category_name(size_t index)
{
    return index < GEN_CATEGORY_COUNT ? gen_category_name((gen_category)index) : NULL;
}

const char *weft_task_name(size_t index)
{
    return index < TASKS ? task_at((record_task)index)->name : NULL;
}

const char *weft_task_what(size_t index)
{
    return index < TASKS ? task_at((record_task)index)->what : NULL;
}

weft_status weft_read_number(const char *text, uint64_t *out)
{
    const char *end;
    uint64_t x;
    if (!text || !out || !decimal_read_count(text, &end, &x) || *end)
        return WEFT_BAD_ARGUMENT;
    *out = x;
    return WEFT_OK;
}
