/* Records one after another. The run that weft generate makes goes on in a thread of its own; it
 * hands over a piece of records at a time and waits until the caller has taken them all. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "api/api.h"
#include "base/c_locale.h"
#include "make/exclude.h"
#include "make/make.h"
#include "similar/minhash.h"

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

static weft_status fail(weft_generator *g, weft_status status, const char *message)
{
    snprintf(g->message, sizeof g->message, "%s", message);
    return g->status = status;
}

/* --- the run's side ------------------------------------------------------------------------- */

static int give(void *arg, str text, const uint64_t *ends, uint32_t n)
{
    weft_generator *g = arg;
    pthread_mutex_lock(&g->lock);
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
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    g->process = getpid();
    g->started = pthread_create(&g->thread, NULL, run, g) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return g->started;
}

static void join(weft_generator *g)
{
    pthread_mutex_lock(&g->lock);
    g->stop = true;
    pthread_cond_signal(&g->taken);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    g->started = false;
}

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
    const uint64_t from = g->at ? g->ends[g->at - 1] : 0, to = g->ends[g->at];
    g->at++;
    *json = g->text.p + from;
    *size = (size_t)(to - from) - 1; /* without the newline */
    return WEFT_OK;
}

const char *weft_generator_message(const weft_generator *g)
{
    return g ? g->message : "";
}

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

static weft_status fail_on(weft_generator *g, const char *what, str which)
{
    char text[300];
    const int n = (int)(which.n < 100 ? which.n : 100);
    snprintf(text, sizeof text, n ? "%s '%.*s'" : "%s%.*s", what, n, which.p);
    return fail(g, WEFT_BAD_ARGUMENT, text);
}

static weft_status check(weft_generator *g, const weft_generate_options *w)
{
    record_options *o = &g->o;
    str unknown;
    if (w->devices & ~(unsigned)(WEFT_CPU | WEFT_CUDA))
        return fail(g, WEFT_BAD_ARGUMENT, "there are two devices, WEFT_CPU and WEFT_CUDA");
    if (w->count > RECORD_COUNT_MAX || w->seed > INT64_MAX)
        return fail(g, WEFT_BAD_ARGUMENT,
                    "the count is more than 10^12, or the seed than 2^63 - 1");
    if ((w->part || w->parts) && (!w->part || w->part > w->parts || w->parts > RECORD_PARTS_MAX))
        return fail(g, WEFT_BAD_ARGUMENT, "a part is a number from 1 to that of the parts");
    if (w->exact_gradients && (w->no_verify || w->no_backward))
        return fail(g, WEFT_BAD_ARGUMENT,
                    "exact gradients need pairs that are verified, with both passes");
    if (!record_choose_categories(o, w->categories, &unknown))
        return fail_on(g, unknown.n ? "unknown category" : "no category given", unknown);
    if (!record_choose_shape(o, w->difficulties, w->min_lines, w->max_lines))
        return fail(g, WEFT_BAD_ARGUMENT, "no kernels of these difficulties have so many lines");
    if (w->tasks && !w->messages)
        return fail(g, WEFT_BAD_ARGUMENT, "tasks are for messages");
    if (w->near != 0 && !(w->near >= 0.5 && w->near <= 1.0))
        return fail(g, WEFT_BAD_ARGUMENT, "a similarity that counts as near is from 0.5 to 1");
    if (w->near != 0 && (w->no_dedup || o->parts > 1))
        return fail(g, WEFT_BAD_ARGUMENT,
                    "near ones are refused with deduplication only, and not in parts");
    const char *wrong = record_choose_tasks(o, w->tasks, &unknown);
    return wrong ? fail_on(g, wrong, unknown) : WEFT_OK;
}

static void fill(weft_generator *g, const weft_generate_options *w)
{
    record_options *o = &g->o;
    const unsigned devices = w->devices ? w->devices : WEFT_CUDA;
    o->count = w->count;
    o->seed = w->seed;
    o->devices =
        (devices & WEFT_CPU ? EMIT_FOR_CPU : 0u) | (devices & WEFT_CUDA ? EMIT_FOR_CUDA : 0u);
    o->part = w->part ? w->part : 1;
    o->parts = w->parts ? w->parts : 1;
    o->jobs = api_jobs(w->jobs);
    o->no_verify = w->no_verify != 0;
    o->no_dedup = w->no_dedup != 0;
    o->near = w->near >= 0.5 && w->near <= 1.0 ? (uint32_t)(w->near * MINHASH_UNIT + 0.5) : 0;
    o->no_backward = w->no_backward != 0;
    o->gradients = w->exact_gradients ? RECORD_GRADIENTS_EXACT : RECORD_GRADIENTS_ANY;
    o->job = w->repair ? RECORD_REPAIR : RECORD_TRANSLATE;
    o->style = w->messages ? RECORD_MESSAGES : RECORD_PAIR;
    o->take = give;
    o->take_arg = g;
}

typedef struct exclude_request {
    weft_generator *g;
    const weft_generate_options *w;
} exclude_request;

static void note_unread(void *arg, const char *file, uint64_t line, const char *why)
{
    weft_generator *g = arg;
    char place[24] = "";
    if (line)
        snprintf(place, sizeof place, ":%llu", (unsigned long long)line);
    if (!g->message[0])
        snprintf(g->message, sizeof g->message, "%.300s%s: nothing is excluded for it: %.200s",
                 file, place, why);
}

static void read_excluded(void *arg)
{
    const exclude_request *r = arg;
    weft_generator *g = r->g;
    const char *failed = "";
    char text[sizeof g->message];
    exclude_set *set = ARENA_NEW(&g->arena, exclude_set);
    const int error = exclude_read(&g->arena, r->w->exclude, (uint32_t)r->w->exclude_count,
                                   note_unread, g, set, &failed);
    g->o.exclude = set;
    if (!error)
        return;
    snprintf(text, sizeof text, "cannot read '%.400s': %s", failed, error_text(error));
    fail(g, WEFT_IO_ERROR, text);
}

static weft_status exclude(weft_generator *g, const weft_generate_options *w)
{
    exclude_request r = {g, w};
    if (!w->exclude_count)
        return WEFT_OK;
    if (!w->exclude || w->exclude_count > UINT32_MAX)
        return fail(g, WEFT_BAD_ARGUMENT, "the paths to exclude are missing");
    for (size_t i = 0; i < w->exclude_count; i++)
        if (!w->exclude[i])
            return fail(g, WEFT_BAD_ARGUMENT, "a path to exclude is missing");
    if (!mem_try(&g->mem, read_excluded, &r))
        return fail(g, WEFT_NO_MEMORY, "out of memory");
    return g->status;
}

weft_status weft_generator_new(const weft_generate_options *options, weft_generator **out)
{
    mem owner;
    weft_generate_options w;
    if (!out)
        return WEFT_BAD_ARGUMENT;
    *out = NULL;
    if (!options || !api_take_options(&w, sizeof w, options))
        return WEFT_BAD_ARGUMENT;
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
    fill(g, &w);
    const weft_status status = check(g, &w);
    return status == WEFT_OK ? exclude(g, &w) : status;
}
