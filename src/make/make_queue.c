/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of pieces under one lock. Threads begin pieces in order and finish them in any order; the
 * caller takes them in order, so that what is written does not depend on the number of threads.
 *
 *     threads:  begin 0 1 2 3,  finish 2 0 3 1   ->   caller: 0 1 2 3
 *
 * Piece number k lives in slot k % slots. A slot goes round: free, in work by a thread, `ready`,
 * held by the caller, free. The caller holds one piece at most, that of its last make_queue_next.
 *
 * Invariant: taken <= begun <= taken + nslots. So memory is bounded, and since the piece that the
 * caller waits for is always begun before later ones, the run cannot lock up. */
#include "make/make_queue.h"

#include "base/run_status.h"

#include <pthread.h>

/* How many pieces a thread may be ahead of the caller. With one, a thread would wait each time a
 * piece before its own takes longer; more than a few only cost memory. */
enum { SLOTS_PER_THREAD = 4 };

/* A thread and what it owns. The caller reads `status` and the maker's message only after the
 * thread has ended. */
typedef struct queue_thread {
    make_queue *q;
    pthread_t id;
    bool started;      /* id is valid and has to be joined */
    maker maker;       /* a compiler, a generator and a prover, which no other thread uses */
    make_piece *piece; /* in work */
    int status;        /* STATUS_OK until it fails */
} queue_thread;

struct make_queue {
    const record_options *o;
    maker_known *known;
    uint64_t next;             /* the first index that no thread has begun */
    uint64_t left;             /* indexes that the caller has not taken */
    uint64_t end;              /* behind the last index */
    uint64_t shard_rows, room; /* of a shard; indexes from `next` to the end of its shard */
    uint64_t begun, taken;     /* pieces begun by threads, taken by the caller */
    bool stop;                 /* no piece is begun any more */
    bool holding;              /* the caller still reads piece `taken` - 1 */
    uint32_t nslots, nthreads;
    mem mem;
    pthread_mutex_t lock; /* of all above, and of the slots' `ready` */
    pthread_cond_t made;  /* a piece is ready, or the run stops: the caller waits for it */
    pthread_cond_t freed; /* a slot is free, or the run stops: threads wait for it */
    make_piece *slots;
    queue_thread *threads;
};

/* --- threads ------------------------------------------------------------------------------- */

/* Rows of the next piece: it ends where its shard ends. An interrupt waits for a piece, and PTX
 * takes a second a row. */
static uint32_t piece_rows(const make_queue *q)
{
    WEFT_ASSERT(q->next < q->end && q->room && q->room <= q->shard_rows);
    const uint32_t most = q->o->with_ptx ? 1 : PIECE_RECORDS;
    uint64_t n = q->end - q->next;
    if (n > q->room)
        n = q->room;
    return n < most ? (uint32_t)n : most;
}

/* The next piece to make, or NULL when there is none left. It waits until the piece's slot is free:
 * slot k % nslots is, once the caller has given piece k - nslots back. */
static make_piece *begin_piece(make_queue *q)
{
    make_piece *piece = NULL;
    pthread_mutex_lock(&q->lock);
    while (!q->stop && q->next < q->end && q->begun - (q->taken - q->holding) >= q->nslots)
        pthread_cond_wait(&q->freed, &q->lock);
    if (!q->stop && q->next < q->end) {
        piece = &q->slots[q->begun++ % q->nslots];
        WEFT_ASSERT(!piece->ready);
        piece->first = q->next;
        piece->n = piece_rows(q);
        WEFT_ASSERT(piece->n && piece->n <= PIECE_RECORDS);
        q->next += piece->n;
        q->room -= piece->n;
        if (!q->room)
            q->room = q->shard_rows;
    }
    pthread_mutex_unlock(&q->lock);
    return piece;
}

/* A failure stops all: threads that wait for a free slot must wake up, too. */
static void end_piece(make_queue *q, make_piece *piece, int status)
{
    WEFT_ASSERT(status != STATUS_OK || piece->n == 0 || piece->ends[piece->n - 1] == piece->text.n);
    pthread_mutex_lock(&q->lock);
    piece->ready = status == STATUS_OK;
    if (status != STATUS_OK)
        q->stop = true;
    pthread_cond_broadcast(&q->made);
    if (q->stop)
        pthread_cond_broadcast(&q->freed);
    pthread_mutex_unlock(&q->lock);
}

/* fill_inner runs in the guard of the compiler's memory, fill_outer in that of the piece's. */
static void fill_inner(void *arg)
{
    queue_thread *t = arg;
    t->status = maker_make(&t->maker);
}

static void fill_outer(void *arg)
{
    queue_thread *t = arg;
    if (!mem_try(&t->maker.p.c.mem, fill_inner, t))
        t->status = STATUS_MEMORY;
}

/* Both owners of memory are guarded, the compiler's and the piece's: a record's text grows in the
 * one while it is made in the other. */
static int fill_piece(queue_thread *t, make_piece *piece)
{
    maker *k = &t->maker;
    piece->text.n = 0;
    piece->stats = (store_stats){0};
    k->from = piece->first;
    k->to = piece->first + piece->n;
    k->out = &piece->text;
    k->ends = piece->ends;
    k->made = piece->made;
    k->known = t->q->known;
    k->stats = &piece->stats;
    if (!mem_try(&piece->mem, fill_outer, t))
        t->status = STATUS_MEMORY;
    return t->status;
}

/* A thread that gets no memory for its maker stops the run: the piece that it would have made would
 * be waited for in vain. */
static void *run_thread(void *arg)
{
    queue_thread *t = arg;
    make_piece *piece;
    if (!maker_init(&t->maker, t->q->o)) {
        t->status = STATUS_MEMORY;
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

/* All that one queue has beside the struct itself; may leave by mem_fail. */
static void alloc_queue(void *arg)
{
    make_queue *q = arg;
    q->slots = mem_alloc(&q->mem, sizeof *q->slots * q->nslots);
    memset(q->slots, 0, sizeof *q->slots * q->nslots);
    q->threads = mem_alloc(&q->mem, sizeof *q->threads * q->nthreads);
    memset(q->threads, 0, sizeof *q->threads * q->nthreads);
    for (uint32_t i = 0; i < q->nslots; i++) {
        mem_init(&q->slots[i].mem);
        sb_init(&q->slots[i].text, &q->slots[i].mem);
    }
}

static void free_queue(make_queue *q)
{
    for (uint32_t i = 0; i < q->nslots; i++)
        mem_clear(&q->slots[i].mem);
    pthread_cond_destroy(&q->made);
    pthread_cond_destroy(&q->freed);
    pthread_mutex_destroy(&q->lock);
    mem_clear(&q->mem);
    heap_free(q);
}

make_queue *make_queue_start(const record_options *o, maker_known *known, uint64_t first,
                             uint64_t end, uint64_t shard_rows)
{
    make_queue *q = heap_zeroed(1, sizeof *q);
    if (!q)
        return NULL;
    WEFT_ASSERT(first <= end && shard_rows && o->jobs);
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
        heap_free(q);
        return NULL;
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->made, NULL);
    pthread_cond_init(&q->freed, NULL);
    uint32_t running = 0; /* fewer threads than requested make the same records */
    for (uint32_t i = 0; i < q->nthreads; i++) {
        queue_thread *t = &q->threads[i];
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

/* The slot of the piece that the caller had is free from now on, and not before: its text is read
 * until then. */
make_piece *make_queue_next(make_queue *q)
{
    make_piece *piece = NULL;
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
            WEFT_ASSERT(piece->n && piece->n <= q->left);
            q->taken++;
            WEFT_ASSERT(q->taken <= q->begun && q->begun <= q->taken + q->nslots);
            q->left -= piece->n;
            q->holding = true;
        } else {
            piece = NULL;
        }
    }
    pthread_mutex_unlock(&q->lock);
    return piece;
}

/* The message is kept apart until the queue is freed: arena_dup may leave this function. */
int make_queue_finish(make_queue *q, arena *a, store_outcome *r)
{
    int status = STATUS_OK;
    char message[sizeof q->threads->maker.message] = "";
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->freed);
    pthread_mutex_unlock(&q->lock);
    for (uint32_t i = 0; i < q->nthreads; i++) {
        queue_thread *t = &q->threads[i];
        if (!t->started)
            continue;
        pthread_join(t->id, NULL);
        if (t->maker.p.c.clock)
            stage_add(&r->clock, t->maker.p.c.clock);
        if (t->status != STATUS_OK) {
            status = t->status;
            if (t->maker.message[0])
                memcpy(message, t->maker.message, sizeof message);
        }
        maker_clear(&t->maker);
    }
    free_queue(q);
    if (a && message[0])
        r->message = arena_dup(a, message, strlen(message));
    return status;
}
