/* A ring of pieces under one lock. Piece number k lives in slot k % slots. */
#include "make/make_queue.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLOTS_PER_THREAD = 4 };

typedef struct data_thread {
    data_queue *q;
    pthread_t id;
    bool started;
    data_maker maker;
    data_piece *piece; /* in work */
    int status;
} data_thread;

struct data_queue {
    const data_options *o;
    data_known *known;
    uint64_t next, left, end;  /* indexes that no thread began; that the caller did not take; all */
    uint64_t shard_rows, room; /* of a shard; indexes from `next` to the end of its shard */
    uint64_t begun, taken;     /* pieces begun by threads, taken by the caller */
    bool stop;
    bool holding; /* the caller holds piece `taken` - 1 */
    uint32_t nslots, nthreads;
    mem mem;
    pthread_mutex_t lock;
    pthread_cond_t made, freed;
    data_piece *slots;
    data_thread *threads;
};

/* --- threads ------------------------------------------------------------------------------- */

/* Rows of the next piece: it ends where its shard ends. An interrupt waits for a piece, and PTX
 * takes a second a row. */
static uint32_t piece_rows(const data_queue *q)
{
    const uint32_t most = q->o->with_ptx ? 1 : PIECE_RECORDS;
    uint64_t n = q->end - q->next;
    if (n > q->room)
        n = q->room;
    return n < most ? (uint32_t)n : most;
}

/* The next piece to make, or NULL when there is none left. */
static data_piece *begin_piece(data_queue *q)
{
    data_piece *piece = NULL;
    pthread_mutex_lock(&q->lock);
    while (!q->stop && q->next < q->end && q->begun - (q->taken - q->holding) >= q->nslots)
        pthread_cond_wait(&q->freed, &q->lock);
    if (!q->stop && q->next < q->end) {
        piece = &q->slots[q->begun++ % q->nslots];
        piece->first = q->next;
        piece->n = piece_rows(q);
        q->next += piece->n;
        q->room -= piece->n;
        if (!q->room)
            q->room = q->shard_rows;
    }
    pthread_mutex_unlock(&q->lock);
    return piece;
}

static void end_piece(data_queue *q, data_piece *piece, int status)
{
    pthread_mutex_lock(&q->lock);
    piece->ready = status == DATA_OK;
    if (status != DATA_OK)
        q->stop = true;
    pthread_cond_broadcast(&q->made);
    if (q->stop)
        pthread_cond_broadcast(&q->freed);
    pthread_mutex_unlock(&q->lock);
}

static void fill_inner(void *arg)
{
    data_thread *t = arg;
    t->status = maker_make(&t->maker);
}

static void fill_outer(void *arg)
{
    data_thread *t = arg;
    if (!mem_try(&t->maker.p.c.mem, fill_inner, t))
        t->status = DATA_MEMORY;
}

/* Both owners of memory are guarded: the compiler's and the piece's. */
static int fill_piece(data_thread *t, data_piece *piece)
{
    data_maker *k = &t->maker;
    piece->text.n = 0;
    piece->stats = (data_stats){0};
    k->from = piece->first;
    k->to = piece->first + piece->n;
    k->out = &piece->text;
    k->ends = piece->ends;
    k->made = piece->made;
    k->known = t->q->known;
    k->stats = &piece->stats;
    if (!mem_try(&piece->mem, fill_outer, t))
        t->status = DATA_MEMORY;
    return t->status;
}

static void *run_thread(void *arg)
{
    data_thread *t = arg;
    data_piece *piece;
    if (!maker_init(&t->maker, t->q->o)) {
        t->status = DATA_MEMORY;
        pthread_mutex_lock(&t->q->lock);
        t->q->stop = true;
        pthread_cond_broadcast(&t->q->made);
        pthread_mutex_unlock(&t->q->lock);
        return NULL;
    }
    stage_clock *clock = t->maker.p.c.clock;
    while (stage_switch(clock, STAGE_WAIT), piece = begin_piece(t->q)) {
        stage_switch(clock, STAGE_OTHER);
        end_piece(t->q, piece, fill_piece(t, piece));
    }
    return NULL;
}

/* --- the caller's side --------------------------------------------------------------------- */

static void alloc_queue(void *arg)
{
    data_queue *q = arg;
    q->slots = mem_alloc(&q->mem, sizeof *q->slots * q->nslots);
    memset(q->slots, 0, sizeof *q->slots * q->nslots);
    q->threads = mem_alloc(&q->mem, sizeof *q->threads * q->nthreads);
    memset(q->threads, 0, sizeof *q->threads * q->nthreads);
    for (uint32_t i = 0; i < q->nslots; i++) {
        mem_init(&q->slots[i].mem);
        sb_init(&q->slots[i].text, &q->slots[i].mem);
    }
}

static void free_queue(data_queue *q)
{
    for (uint32_t i = 0; i < q->nslots; i++)
        mem_clear(&q->slots[i].mem);
    pthread_cond_destroy(&q->made);
    pthread_cond_destroy(&q->freed);
    pthread_mutex_destroy(&q->lock);
    mem_clear(&q->mem);
    free(q);
}

data_queue *queue_start(const data_options *o, data_known *known, uint64_t first, uint64_t end,
                        uint64_t shard_rows)
{
    data_queue *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->o = o;
    q->known = known;
    q->next = first;
    q->end = end;
    q->left = end - first;
    q->shard_rows = q->room = shard_rows;
    q->nthreads = o->jobs;
    q->nslots = q->nthreads * SLOTS_PER_THREAD;
    mem_init(&q->mem);
    if (!mem_try(&q->mem, alloc_queue, q)) {
        mem_clear(&q->mem);
        free(q);
        return NULL;
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->made, NULL);
    pthread_cond_init(&q->freed, NULL);
    uint32_t running = 0;
    for (uint32_t i = 0; i < q->nthreads; i++) {
        data_thread *t = &q->threads[i];
        t->q = q;
        t->started = pthread_create(&t->id, NULL, run_thread, t) == 0;
        running += t->started;
    }
    if (!running) {
        free_queue(q);
        return NULL;
    }
    return q;
}

data_piece *queue_next(data_queue *q)
{
    data_piece *piece = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->holding) {
        q->holding = false;
        q->slots[(q->taken - 1) % q->nslots].ready = false;
        pthread_cond_broadcast(&q->freed);
    }
    if (q->left) {
        piece = &q->slots[q->taken % q->nslots];
        while (!piece->ready && !q->stop)
            pthread_cond_wait(&q->made, &q->lock);
        if (piece->ready) {
            q->taken++;
            q->left -= piece->n;
            q->holding = true;
        } else {
            piece = NULL;
        }
    }
    pthread_mutex_unlock(&q->lock);
    return piece;
}

int queue_finish(data_queue *q, arena *a, data_result *r)
{
    int status = DATA_OK;
    char message[sizeof q->threads->maker.message] = "";
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->freed);
    pthread_mutex_unlock(&q->lock);
    for (uint32_t i = 0; i < q->nthreads; i++) {
        data_thread *t = &q->threads[i];
        if (!t->started)
            continue;
        pthread_join(t->id, NULL);
        if (t->maker.p.c.clock)
            stage_add(&r->clock, t->maker.p.c.clock);
        if (t->status != DATA_OK) {
            status = t->status;
            if (t->maker.message[0])
                memcpy(message, t->maker.message, sizeof message);
        }
        maker_clear(&t->maker);
    }
    free_queue(q);
    if (a && message[0]) /* only now, as this may leave */
        r->message = arena_dup(a, message, strlen(message));
    return status;
}
