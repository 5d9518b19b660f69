/* SPDX-License-Identifier: Apache-2.0 */
/* A run, from options to a data set on the disk: takes the folder, keeps what an earlier run left,
 * makes or copies the missing shards, and writes the files beside them.
 *
 *     --count 60000 --shard 1/1   ->   3 shards, stats.json, README.md, manifest.json
 *
 * Threads make pieces of records (make_queue.c), which generate and prove them (maker.c). This
 * thread takes the pieces in order, replaces records that repeat an earlier one (make_dedup.c), and
 * writes. So the bytes on the disk depend on the options alone, and not on the number of
 * threads. */

#include "base/clock.h"
#include "base/run_status.h"
#include "make/make.h"
#include "make/make_resume.h"
#include "store/store_format.h"

/* The first index of the part after `part`: floor(count * part / parts), without overflow. Parts
 * are thus consecutive, and differ by one row at most.
 *
 *     share(10, 1, 3) = 3, share(10, 2, 3) = 6:   parts 0..2, 3..5, 6..9 */
static uint64_t share(uint64_t count, uint32_t part, uint32_t parts)
{
    WEFT_ASSERT(parts && part <= parts);
    return (uint64_t)((unsigned __int128)count * part / parts);
}

/* --- shards -------------------------------------------------------------------------------- */

/* The shard is durable; then its note, then the manifest that names it. In this order a killed run
 * leaves nothing that claims more than is there. */
static int end_shard(make_state *t, uint64_t number)
{
    store_shard shard;
    int error = writer_end(t->writer, &shard);
    if (error || !t->o->output)
        return error;
    if (!t->o->source) /* what is copied is not gone on with */
        error = work_folder_put_note(&t->folder, number, &shard, &t->sums);
    t->sums = (store_stats){0};
    if (error)
        return error;
    WEFT_ASSERT(number <= t->shards.n); /* shards end in order */
    if (number < t->shards.n)
        t->shards.v[number] = shard;
    else
        VEC_PUSH(t->a, &t->shards, shard);
    return make_companions_update(t);
}

/* Writes a piece to its shard, which it begins with the shard's first row and ends with its last
 * one, or with the last row of the run. */
static int write_piece(make_state *t, const make_piece *piece)
{
    store_outcome *r = t->r;
    const uint64_t each = store_shard_rows(t->o), row = piece->first - r->first;
    const uint64_t number = row / each, end = row + piece->n;
    WEFT_ASSERT(row % each + piece->n <= each); /* a piece lies within a shard */
    int error = row % each == 0 ? writer_begin(t->writer, number) : STATUS_OK;
    if (!error)
        error = writer_write(
            t->writer, &(record_batch){sb_view(&piece->text), piece->ends, piece->first, piece->n});
    if (error)
        return error;
    stats_merge(&r->stats, &piece->stats);
    stats_merge(&t->sums, &piece->stats);
    r->bytes += piece->text.n;
    return end % each == 0 || end == r->rows ? end_shard(t, number) : STATUS_OK;
}

/* Takes pieces in order until the queue is empty, something fails or the user stops the run. */
static int write_pieces(make_state *t)
{
    make_piece *piece;
    int status = STATUS_OK;
    stage_clock own, *clock = t->o->timings ? &own : NULL;
    if (clock)
        stage_start(clock);
    while (status == STATUS_OK && (piece = make_queue_next(t->queue))) {
        if (t->dedup && (status = make_dedup_piece(t->dedup, piece)) != STATUS_OK)
            break;
        stage_switch(clock, STAGE_WRITE);
        status = write_piece(t, piece);
        stage_switch(clock, STAGE_OTHER);
        t->done += piece->n;
        if (status == STATUS_OK)
            status = make_report(t);
    }
    if (clock) { /* the time that it waited is nobody's work */
        t->r->clock.spent[STAGE_WRITE] += own.spent[STAGE_WRITE];
        t->r->clock.since = own.since;
    }
    return status;
}

/* Writes the records [first, end) that come from elsewhere: those that `weft merge` reads from the
 * parts of a run. One thread is enough, as nothing is compiled but what has to be made anew. */
static int copy_shards(make_state *t, uint64_t first, uint64_t end)
{
    const make_source *from = t->o->source;
    const uint64_t each = store_shard_rows(t->o);
    make_piece *piece = ARENA_NEW(t->a, make_piece);
    int status = STATUS_OK;
    sb_init(&piece->text, t->a->m);
    for (; first < end && status == STATUS_OK; first += piece->n) {
        uint64_t n = each - (first - t->r->first) % each; /* rows up to the end of the shard */
        n = n < end - first ? n : end - first;
        piece->n = n < PIECE_RECORDS ? (uint32_t)n : PIECE_RECORDS;
        piece->first = first;
        status = from->next(from->arg, piece);
        if (status == STATUS_OK)
            status = write_piece(t, piece);
        t->done += piece->n;
        if (status == STATUS_OK)
            status = make_report(t);
    }
    sb_clear(&piece->text);
    return status;
}

/* Makes and writes the shards [begin, end), none of which is there. Deduplication has the
 * structures of the shards before them. */
static int make_shards(make_state *t, uint64_t begin, uint64_t end)
{
    const uint64_t each = store_shard_rows(t->o), first = t->r->first;
    const uint64_t last = end * each < t->r->rows ? end * each : t->r->rows;
    t->sums = (store_stats){0};
    WEFT_ASSERT(begin < end && begin * each < t->r->rows);
    if (t->o->source)
        return copy_shards(t, first + begin * each, first + last);
    maker_known *known = t->dedup ? &t->dedup->known : NULL;
    t->queue = make_queue_start(t->o, known, first + begin * each, first + last, each);
    if (!t->queue)
        return STATUS_MEMORY;
    const int written = write_pieces(t);
    make_queue *q = t->queue;
    t->queue = NULL; /* also if make_queue_finish does not return */
    const int made = make_queue_finish(q, t->a, t->r);
    if (t->dedup && t->dedup->message[0])
        t->r->message = t->dedup->message;
    return written == STATUS_OK ? made : written;
}

/* Does the manifest or a note of an earlier run say that this shard is there? */
static bool is_listed(const make_state *t, uint64_t number)
{
    return number < t->shards.n && t->shards.v[number].state == SHARD_LISTED;
}

/* Keeps a shard of an earlier run, or takes it off the manifest. */
static int keep_shard(make_state *t, uint32_t number)
{
    const int error = make_resume_shard(t, number);
    if (error)
        return error;
    if (t->shards.v[number].state == SHARD_MISSING)
        return make_companions_begin(t);
    t->done += t->shards.v[number].rows;
    return make_report(t);
}

/* Runs of consecutive missing shards are made by one queue, so that threads do not wait at the end
 * of each shard. Shards that are kept are read in their place: deduplication needs all before. */
static int run_shards(make_state *t)
{
    const uint64_t count = store_shard_count(t->o, t->r->rows);
    int status = STATUS_OK;
    for (uint64_t k = 0, end; k < count && status == STATUS_OK; k = end) {
        end = k + 1;
        if (is_listed(t, k))
            status = keep_shard(t, (uint32_t)k);
        if (status != STATUS_OK || (k < t->shards.n && t->shards.v[k].state == SHARD_WHOLE))
            continue;
        while (end < count && !is_listed(t, end))
            end++;
        status = make_shards(t, k, end);
    }
    return status;
}

/* --- a run --------------------------------------------------------------------------------- */

/* The lock comes first: until it is held another run may write here. */
static int enter(make_state *t)
{
    int error = work_folder_enter(&t->folder, t->a, t->o, t->r);
    if (!error)
        error = make_resume_look(t);
    if (!error)
        error = work_folder_clean(&t->folder);
    if (!error && !t->r->was_there)
        error = make_companions_begin(t);
    return error;
}

/* The file to look into first, for the last lines that `weft generate` prints. */
static const char *sample_path(make_state *t)
{
    strbuf path;
    sb_init(&path, t->a->m);
    sb_c(&path, t->o->output);
    SB_LIT(&path, "/");
    store_put_place(&path, t->o, t->r, t->r->first);
    const char *copy = arena_dup(t->a, path.p, path.n);
    sb_clear(&path);
    return copy;
}

/* As the writer calls it for each record that it reads again. */
static void add_to_dedup(void *arg, str record)
{
    make_dedup_add(arg, record);
}

/* The same options, with a plan and a library that all makers of the run share. */
static const record_options *with_plan(make_state *t)
{
    const record_options *o = t->o;
    record_options *planned = arena_alloc(t->a, sizeof *planned);
    *planned = *o;
    if (record_mix_has(&o->mix, RECORD_EXERCISE))
        planned->plan = make_plan(t->a->m, o, gen_new(t->a->m));
    if (record_mix_has(&o->mix, RECORD_PURPOSE) && !(planned->library = t->library = library_new()))
        mem_fail(t->a->m);
    return planned;
}

/* The run itself. Order matters: the folder is locked before the writer opens files in it, and the
 * companions are written when all shards are on the disk. */
static int run_all(make_state *t)
{
    const record_options *o = t->o;
    store_outcome *r = t->r;
    int error;
    *r = (store_outcome){.first = share(o->count, o->part - 1, o->parts)};
    r->rows = share(o->count, o->part, o->parts) - r->first;
    WEFT_ASSERT(o->part && o->part <= o->parts && r->first + r->rows <= o->count);
    const double start = clock_seconds();
    if (o->output && ((error = enter(t)) != STATUS_OK || r->was_there))
        return error;
    t->writer = writer_open(t->a, o, r, &error);
    if (!t->writer)
        return error;
    if (!o->source)
        t->o = o = with_plan(t);
    if (!o->no_dedup && !o->source) {
        t->dedup = arena_alloc(t->a, sizeof *t->dedup);
        make_dedup_init(t->dedup, o, t->a->m);
        writer_on_reread(t->writer, add_to_dedup, t->dedup);
    }
    error = run_shards(t);
    if (o->source)
        o->source->finish(o->source->arg, &r->stats);
    if (error == STATUS_OK && o->output) {
        error = make_companions_end(t);
        r->sample = r->rows ? sample_path(t) : NULL;
    }
    r->seconds = clock_seconds() - start;
    return error;
}

static void run_guarded(void *arg)
{
    make_state *t = arg;
    t->status = run_all(t);
}

/* Memory that runs out leaves run_guarded at any point: what it held is given back here. */
int make_run(arena *a, const record_options *o, store_outcome *r)
{
    make_state t = {.a = a, .o = o, .r = r, .folder = {.lock = -1}, .status = STATUS_MEMORY};
    if (!mem_try(a->m, run_guarded, &t))
        t.status = STATUS_MEMORY;
    if (t.queue)
        make_queue_finish(t.queue, NULL, r);
    if (t.dedup)
        make_dedup_clear(t.dedup);
    if (t.writer)
        writer_close(t.writer);
    library_free(t.library);
    work_folder_leave(&t.folder);
    return t.status;
}
