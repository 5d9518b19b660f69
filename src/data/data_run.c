/* A run from options to a data set on the disk. */
#include <time.h>

#include "data/data_manifest.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* floor(count * part / parts) without overflow. */
static uint64_t share(uint64_t count, uint32_t part, uint32_t parts)
{
    return (uint64_t)((unsigned __int128)count * part / parts);
}

static int write_pieces(const data_options *o, data_queue *q, data_sink *s, data_result *r)
{
    const data_piece *piece;
    int status = DATA_OK;
    uint64_t done = 0;
    stage_clock own, *clock = o->timings ? &own : NULL;
    if (clock)
        stage_start(clock);
    while (status == DATA_OK && (piece = queue_next(q))) {
        stage_switch(clock, STAGE_WRITE);
        status = sink_write(s, piece);
        stage_switch(clock, STAGE_OTHER);
        stats_merge(&r->stats, &piece->stats);
        done += piece->n;
        r->bytes += piece->text.n;
        data_progress p = {done, r->rows, r->bytes};
        if (status == DATA_OK && o->progress && !o->progress(o->progress_arg, &p))
            status = DATA_STOPPED;
    }
    if (clock) { /* the time that it waited is nobody's work */
        r->clock.spent[STAGE_WRITE] += own.spent[STAGE_WRITE];
        r->clock.since = own.since;
    }
    return status;
}

static int put_file(arena *a, const data_options *o, const char *name, const strbuf *text)
{
    strbuf path;
    sb_init(&path, a->m);
    sb_c(&path, o->output);
    SB_LIT(&path, "/");
    sb_c(&path, name);
    int err = atomic_file_put(a, sb_cstr(&path), sb_view(text), true);
    sb_clear(&path);
    return err;
}

/* The manifest comes last: what it names is there. */
static int put_companions(arena *a, const data_options *o, const data_sink *s, data_result *r)
{
    strbuf text;
    sb_init(&text, a->m);
    stats_put_json(&text, o, &r->stats);
    int err = put_file(a, o, "stats.json", &text);
    text.n = 0;
    card_put(&text, o, r);
    if (!err)
        err = put_file(a, o, "README.md", &text);
    text.n = 0;
    manifest_put(&text, o, r, s);
    if (!err)
        err = put_file(a, o, "manifest.json", &text);
    sb_clear(&text);
    return err;
}

/* A run, and what has to be given back when memory ends it. */
typedef struct data_run_state {
    arena *a;
    const data_options *o;
    data_result *r;
    data_sink *sink;
    data_queue *queue;
    int status;
} data_run_state;

/* Makes and writes the records. */
static int run_queue(data_run_state *t, uint64_t end)
{
    t->queue = queue_start(t->o, t->r->first, end);
    if (!t->queue)
        return DATA_MEMORY;
    const int written = write_pieces(t->o, t->queue, t->sink, t->r);
    data_queue *q = t->queue;
    t->queue = NULL; /* also if queue_finish does not return */
    const int made = queue_finish(q, t->a, t->r);
    return written == DATA_OK ? made : written;
}

static int close_sink(data_run_state *t, bool keep)
{
    const int status = t->sink ? sink_close(t->sink, keep) : DATA_OK;
    t->sink = NULL;
    return status;
}

static int run_all(data_run_state *t)
{
    arena *a = t->a;
    const data_options *o = t->o;
    data_result *r = t->r;
    int error, status = DATA_OK;
    *r = (data_result){.first = share(o->count, o->part - 1, o->parts)};
    uint64_t end = share(o->count, o->part, o->parts);
    r->rows = end - r->first;
    if (o->output && (error = manifest_check(a, o, r)) != DATA_OK)
        return error;
    double start = seconds();
    data_sink *s = t->sink = sink_open(a, o, r->rows, &error);
    if (!s)
        return error;
    if (r->rows)
        status = run_queue(t, end);
    const int closed = close_sink(t, status == DATA_OK);
    if (status == DATA_OK)
        status = closed;
    if (status == DATA_OK && o->output)
        status = put_companions(a, o, s, r);
    r->seconds = seconds() - start;
    r->sample = sink_sample(s);
    return status;
}

static void run_guarded(void *arg)
{
    data_run_state *t = arg;
    t->status = run_all(t);
}

int data_run(arena *a, const data_options *o, data_result *r)
{
    data_run_state t = {.a = a, .o = o, .r = r};
    if (mem_try(a->m, run_guarded, &t))
        return t.status;
    if (t.queue)
        queue_finish(t.queue, NULL, r);
    close_sink(&t, false);
    return DATA_MEMORY;
}
