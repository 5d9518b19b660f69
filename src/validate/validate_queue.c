/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that check pieces: a ring under one lock. The calling thread fills pieces, threads check
 * them, and the caller takes them back in the order in which it filled them.
 *
 *     fill 0 1 2, checked 1 0 2   ->   taken 0 1 2
 *
 * Three counters that only grow describe the ring; the slot of piece k is k % nslots:
 *
 *     0 .. ntaken      taken and given back: free slots
 *     .. nbegun        with a thread, or done
 *     .. nfilled       filled, waiting for a thread
 *
 * Taking in order makes the report independent of the number of threads. It costs little: a slow
 * piece stops the others only when all slots behind it are done. */
#include <pthread.h>

#include "validate/validate_work.h"

/* Pieces that may be filled ahead for each thread: one in work, one that waits, and one that is
 * done while an earlier one is not. */
enum { SLOTS_PER_THREAD = 3 };

typedef struct validate_thread {
    validate_queue *q;
    pthread_t id;
    bool started;
    validate_worker worker;
} validate_thread;

struct validate_queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;            /* there is a piece to check, or nothing more to do */
    pthread_cond_t done;              /* a piece was checked, or a thread failed */
    uint64_t nfilled, nbegun, ntaken; /* pieces from the start; taken <= begun <= filled */
    bool stop;                        /* threads end after the piece in work */
    bool failed;                      /* a thread ran out of memory */
    uint32_t nslots, nthreads;
    validate_piece *slots;
    validate_thread *threads;
};

/* The next piece to check, or NULL: the thread ends. */
static validate_piece *begin(validate_queue *q)
{
    validate_piece *piece = NULL;
    pthread_mutex_lock(&q->lock);
    while (!q->stop && q->nbegun == q->nfilled)
        pthread_cond_wait(&q->filled, &q->lock);
    if (!q->stop)
        piece = &q->slots[q->nbegun++ % q->nslots];
    WEFT_ASSERT(q->ntaken <= q->nbegun && q->nbegun <= q->nfilled);
    pthread_mutex_unlock(&q->lock);
    return piece;
}

/* A thread that ran out of memory stops all: the piece it leaves undone would be waited for. */
static void end(validate_queue *q, validate_piece *piece, bool good)
{
    pthread_mutex_lock(&q->lock);
    WEFT_ASSERT(!piece->done);
    piece->done = true;
    q->failed |= !good;
    q->stop |= !good;
    pthread_cond_signal(&q->done);
    if (!good)
        pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

/* Until `begin` has nothing more: after validate_queue_stop, or after a failure of any thread. */
static void *run_thread(void *arg)
{
    validate_thread *t = arg;
    validate_piece *piece;
    while ((piece = begin(t->q)))
        end(t->q, piece, validate_worker_run(&t->worker, piece));
    return NULL;
}

static void free_all(validate_queue *q)
{
    for (uint32_t i = 0; i < q->nslots && q->slots; i++)
        validate_piece_clear(&q->slots[i]);
    heap_free(q->slots);
    heap_free(q->threads);
    heap_free(q);
}

/* A system that refuses some of the threads gets a slower run; only without any is there none. */
validate_queue *validate_queue_start(const validate_options *o)
{
    WEFT_ASSERT(o->jobs);
    validate_queue *q = heap_zeroed(1, sizeof *q);
    uint32_t running = 0;
    if (!q)
        return NULL;
    q->nthreads = o->jobs;
    q->nslots = o->jobs * SLOTS_PER_THREAD;
    q->slots = heap_zeroed(q->nslots, sizeof *q->slots);
    q->threads = heap_zeroed(q->nthreads, sizeof *q->threads);
    if (!q->slots || !q->threads) {
        free_all(q);
        return NULL;
    }
    for (uint32_t i = 0; i < q->nslots; i++)
        validate_piece_init(&q->slots[i]);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    pthread_cond_init(&q->done, NULL);
    for (uint32_t i = 0; i < q->nthreads; i++) {
        validate_thread *t = &q->threads[i];
        t->q = q;
        validate_worker_init(&t->worker, o);
        t->started = pthread_create(&t->id, NULL, run_thread, t) == 0;
        running += t->started;
    }
    if (running)
        return q;
    free_all(q);
    return NULL;
}

/* Without the lock: only the calling thread changes nfilled and ntaken. */
validate_piece *validate_queue_free(validate_queue *q)
{
    WEFT_ASSERT(q->ntaken <= q->nfilled && q->nfilled - q->ntaken <= q->nslots);
    return q->nfilled - q->ntaken < q->nslots ? &q->slots[q->nfilled % q->nslots] : NULL;
}

void validate_queue_submit(validate_queue *q)
{
    WEFT_ASSERT(q->nfilled - q->ntaken < q->nslots);
    pthread_mutex_lock(&q->lock);
    q->nfilled++;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

/* Waits for the oldest piece itself, not for any: those behind it stay in their slots. */
validate_piece *validate_queue_wait(validate_queue *q)
{
    validate_piece *piece = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->ntaken < q->nfilled) {
        piece = &q->slots[q->ntaken % q->nslots];
        while (!piece->done && !q->failed)
            pthread_cond_wait(&q->done, &q->lock);
        if (q->failed)
            piece = NULL;
    }
    pthread_mutex_unlock(&q->lock);
    return piece;
}

/* Without the lock, too: the piece was checked, so no thread looks at this slot. */
void validate_queue_release(validate_queue *q)
{
    WEFT_ASSERT(q->ntaken < q->nfilled && q->slots[q->ntaken % q->nslots].done);
    validate_piece_reset(&q->slots[q->ntaken++ % q->nslots]);
}

bool validate_queue_failed(const validate_queue *q)
{
    return q->failed;
}

void validate_queue_stop(validate_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->lock);
    for (uint32_t i = 0; i < q->nthreads; i++) {
        if (!q->threads[i].started)
            continue;
        pthread_join(q->threads[i].id, NULL);
        validate_worker_clear(&q->threads[i].worker);
    }
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->done);
    pthread_mutex_destroy(&q->lock);
    free_all(q);
}
