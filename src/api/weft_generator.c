/* SPDX-License-Identifier: Apache-2.0 */
/* weft_generator: the records of a run one after another, for callers that pull (Python's
 * iterator).
 *
 *     weft_generator_new(&options, &g);
 *     while (weft_generator_next(g, &json, &size) == WEFT_OK && json) ...   one JSON object each
 *     weft_generator_free(g);
 *
 * The run pushes its records, so it has a thread of its own. It hands over a piece of many records
 * at a time and waits until the caller has taken them all: `full` passes between the two like a
 * baton, and whoever does not hold it leaves the piece alone. The records are those that `weft
 * generate` writes for the same options. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "api/api.h"
#include "api/run_options.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "make/make.h"

struct weft_generator {
    mem owner; /* of this struct */
    mem mem;   /* of the run */
    arena arena;
    record_options o;
    store_outcome result;
    weft_status status; /* of the next call, unless WEFT_OK */
    char message[600];
    bool started; /* and not joined */
    pid_t process;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    /* under the lock */
    bool full, ended, stop;
    int end; /* of the run, once ended */
    /* The piece that is being taken, while `full`. */
    str text;
    const uint64_t *ends;
    uint32_t n;
    /* the caller's own */
    bool holding; /* a piece, */
    uint32_t at;  /* of which so many records are taken */
};

/* The failure is kept: every later call returns it again. */
static weft_status fail(weft_generator *g, weft_status status, const char *message)
{
    snprintf(g->message, sizeof g->message, "%s", message);
    return g->status = status;
}

/* --- the run's side ------------------------------------------------------------------------- */

/* Called by the run: shows a piece and waits until the caller has taken it. The texts are
 * not copied, so the run must not go on before.
 *
 *     the run's thread                       the caller's
 *     give: full = true, waits      ->       take_piece: holding = true
 *                                            next, next, ... until at == n
 *     goes on, full is false        <-       take_piece: full = false, waits */
static int give(void *arg, str text, const uint64_t *ends, uint32_t n)
{
    weft_generator *g = arg;
    pthread_mutex_lock(&g->lock);
    WEFT_ASSERT(!g->full && !g->ended); /* the piece before is taken */
    g->text = text;
    g->ends = ends;
    g->n = n;
    g->full = true;
    pthread_cond_signal(&g->given);
    while (g->full && !g->stop)
        pthread_cond_wait(&g->taken, &g->lock);
    const bool stop = g->stop;
    pthread_mutex_unlock(&g->lock);
    return stop ? STATUS_STOPPED : STATUS_OK;
}

/* The thread: the whole run, then `ended`. */
static void *run(void *arg)
{
    weft_generator *g = arg;
    const int end = make_run(&g->arena, &g->o, &g->result);
    pthread_mutex_lock(&g->lock);
    g->end = end;
    g->ended = true;
    pthread_cond_signal(&g->given);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* --- the caller's side ---------------------------------------------------------------------- */

/* Signals are the caller's matter: no thread of ours takes them. */
static bool start(weft_generator *g)
{
    sigset_t all, before;
    WEFT_ASSERT(!g->started && !g->ended);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    g->process = getpid();
    g->started = pthread_create(&g->thread, NULL, run, g) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return g->started;
}

/* Wakes a run that waits for the caller and waits for its end. */
static void join(weft_generator *g)
{
    WEFT_ASSERT(g->started && g->process == getpid());
    pthread_mutex_lock(&g->lock);
    g->stop = true;
    pthread_cond_signal(&g->taken);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    g->started = false;
}

/* The run's end as a status, which is kept for later calls; WEFT_OK without a record means that
 * there are no more.
 *
 *     STATUS_OK        WEFT_OK with *json NULL: the end
 *     STATUS_BROKEN    WEFT_FAILED, "no candidate for a sample was good: ..." */
static weft_status finish(weft_generator *g)
{
    char text[sizeof g->message];
    join(g);
    const char *why = g->result.message ? g->result.message : "";
    switch (g->end) {
    case STATUS_OK: return WEFT_OK;
    case STATUS_MEMORY:
        return fail(g, WEFT_NO_MEMORY, "out of memory, or no thread could be started");
    case STATUS_BROKEN:
        snprintf(text, sizeof text, "no candidate for a sample was good: %.500s", why);
        return fail(g, WEFT_FAILED, text);
    default: return fail(g, WEFT_FAILED, *why ? why : g->end > 0 ? error_text(g->end) : "stopped");
    }
}

/* Waits for the next piece; false: the run has ended. */
static bool take_piece(weft_generator *g)
{
    WEFT_ASSERT(g->started);
    pthread_mutex_lock(&g->lock);
    if (g->holding) {
        g->full = false;
        pthread_cond_signal(&g->taken);
    }
    while (!g->full && !g->ended)
        pthread_cond_wait(&g->given, &g->lock);
    g->holding = g->full;
    pthread_mutex_unlock(&g->lock);
    g->at = 0;
    return g->holding;
}

/* The thread starts with the first record, so that options can be checked without one. After fork,
 * only the parent can go on: threads stay there. */
weft_status weft_generator_next(weft_generator *g, const char **json, size_t *size)
{
    if (!g || !json || !size)
        return WEFT_BAD_ARGUMENT;
    *json = NULL;
    *size = 0;
    if (g->status != WEFT_OK || (!g->started && g->ended))
        return g->status;
    if (g->started && g->process != getpid())
        return fail(g, WEFT_BAD_ARGUMENT, "a generator cannot go on in a child process");
    if (!g->started && !start(g))
        return fail(g, WEFT_NO_MEMORY, "no thread could be started");
    if ((!g->holding || g->at == g->n) && !take_piece(g))
        return finish(g);
    WEFT_ASSERT(g->holding && g->at < g->n);
    const uint64_t from = g->at ? g->ends[g->at - 1] : 0, to = g->ends[g->at];
    g->at++;
    *json = g->text.p + from;
    WEFT_ASSERT(to > from);
    *size = (size_t)(to - from) - 1; /* without the newline */
    return WEFT_OK;
}

/* Why the last call failed; or, of a good generator, the first text that could not be excluded. */
const char *weft_generator_message(const weft_generator *g)
{
    return g ? g->message : "";
}

/* In a child process nothing of the thread's may be touched: its locks may be held for ever. */
void weft_generator_free(weft_generator *g)
{
    if (!g)
        return;
    if (g->started && g->process != getpid()) {
        mem owner = g->owner; /* the threads, and what they hold, stayed in the parent */
        mem_clear(&owner);
        return;
    }
    if (g->started)
        join(g);
    pthread_cond_destroy(&g->given);
    pthread_cond_destroy(&g->taken);
    pthread_mutex_destroy(&g->lock);
    mem_clear(&g->mem);
    mem owner = g->owner;
    mem_clear(&owner);
}

/* --- options -------------------------------------------------------------------------------- */

/* For mem_try: the generator to fill, and its options. */
typedef struct new_request {
    weft_generator *g;
    const weft_generate_options *w;
} new_request;

/* An error, or the first of what could not be parsed. */
static void keep_message(void *arg, int kind, const char *text)
{
    weft_generator *g = arg;
    if (kind == WEFT_ERROR || kind == WEFT_USAGE || !g->message[0])
        snprintf(g->message, sizeof g->message, "%s", text);
}

/* The records are taken by `give`, whatever the options say of output. */
static void read_options(void *arg)
{
    const new_request *r = arg;
    weft_generator *g = r->g;
    const weft_callbacks c = {.size = sizeof c, .message = keep_message, .arg = g};
    g->status = run_options_read(&g->arena, r->w, &c, &g->o);
    if (g->status == WEFT_OK)
        g->status =
            run_options_exclude(&g->arena, r->w->exclude, r->w->exclude_count, false, &c, &g->o);
    g->o.take = give;
    g->o.take_arg = g;
}

/* False: a path to exclude is missing. */
static bool has_paths(const weft_generate_options *w)
{
    if (w->exclude_count > UINT32_MAX || (w->exclude_count && !w->exclude))
        return false;
    for (size_t i = 0; i < w->exclude_count; i++)
        if (!w->exclude[i])
            return false;
    return true;
}

/* Options of files have no meaning here and are ignored. A generator with wrong options is still
 * made: it holds the message. */
weft_status weft_generator_new(const weft_generate_options *options, weft_generator **out)
{
    mem owner;
    weft_generate_options w;
    if (!out)
        return WEFT_BAD_ARGUMENT;
    *out = NULL;
    if (!options || !api_take_options(&w, sizeof w, options))
        return WEFT_BAD_ARGUMENT;
    w.output = NULL;
    w.format = w.compress = w.resume = w.cpu_shim = w.with_ptx = w.timings = 0;
    w.ptx_compiler = NULL;
    weft_generator *g = api_new(&owner, sizeof *g);
    if (!g)
        return WEFT_NO_MEMORY;
    g->owner = owner;
    mem_init(&g->mem);
    arena_init(&g->arena, &g->mem);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->given, NULL);
    pthread_cond_init(&g->taken, NULL);
    *out = g;
    new_request r = {g, &w};
    if (!has_paths(&w))
        return fail(g, WEFT_BAD_ARGUMENT, "a path to exclude is missing");
    return mem_try(&g->mem, read_options, &r) ? g->status
                                              : fail(g, WEFT_NO_MEMORY, "out of memory");
}
