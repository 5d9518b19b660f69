/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which samples move when the parts of a run are joined, and gives make_run the records of
 * all parts in order, with those that moved made anew.
 *
 *     part 1: structures A B, part 2: A C   ->   A B D C: the third sample is made anew
 *
 * The algorithm, for samples that are each a sequence of candidates (attempts):
 *
 *   1. Sort all (structure, index). Of equal structures the first index is the holder; the others
 *      are displaced.
 *   2. Each displaced sample goes to its next candidate that is good by itself. The new structures
 *      are sorted and merged with the list of holders. A sample that meets a holder of a higher
 *      index takes the structure from it; otherwise it is displaced again.
 *   3. Repeat 2 until nothing is displaced.
 *
 * Invariant: the file of holders is sorted, with one item for each structure. A sample only moves
 * to later candidates, so the rounds end; few samples move, so they are kept in memory, while step
 * 1 uses an external sort (extsort) of bounded memory. merge.h says why the result is that of a
 * single run. */
#include "curate/merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/json_peek.h"
#include "base/run_status.h"
#include "curate/merge_copy.h"
#include "curate/merge_state.h"

/* Refuses the folder to write to, as opposed to a part. */
static int refuse_output(merger *g, const char *what)
{
    g->r->taken = true;
    return merge_refuse(&g->in, g->m->o.output, what);
}

static int fail(merger *g, const char *path, int error)
{
    return merge_fail(&g->in, path, error);
}

/* --- who keeps a structure ----------------------------------------------------------------- */

/* What the sort compares and carries: the sample's structure as the key, its index, with its
 * attempt as the extra number. Read from metadata by peeks, as a merge goes through all records.
 * False: the record lacks one of them, or is not the one that belongs at this index. */
static bool read_item(str line, uint64_t index, sort_item *item)
{
    enum { ATTEMPTS = 1 << 16 }; /* more than a run makes for a sample */
    str metadata, number;
    fingerprint f;
    uint64_t stated;
    if (!json_peek(line, "metadata", &metadata) || !fingerprint_peek(metadata, "structure", &f) ||
        !json_peek(metadata, "attempt", &number) || !json_peek_count(number, &item->extra) ||
        !json_peek(metadata, "index", &number) || !json_peek_count(number, &stated) ||
        stated != index || item->extra > ATTEMPTS)
        return false;
    item->high = f.high;
    item->low = f.low;
    item->index = index;
    return true;
}

int merge_read_item(merger *g, const merge_record *record, uint64_t index, sort_item *item)
{
    if (read_item(record->stated, index, item))
        return STATUS_OK;
    return merge_refuse(
        &g->in, g->m->parts[g->in.part].folder,
        "a record has no structure, another index, or a number of attempts that no run makes");
}

/* Do both have the same structure? The index, by which sort_item_less goes on, does not matter. */
static bool same_key(const sort_item *a, const sort_item *b)
{
    return a->high == b->high && a->low == b->low;
}

int merge_report(merger *g, uint64_t done)
{
    const record_options *o = &g->m->o;
    const make_progress p = {done, &g->r->run};
    return o->progress && !o->progress(o->progress_arg, &p) ? STATUS_STOPPED : STATUS_OK;
}

/* Reads all parts once, and adds their structures to the sort. */
static int collect(merger *g)
{
    for (uint64_t i = 0; i < g->m->o.count; i++) {
        merge_record record;
        sort_item item;
        int status = merge_next(&g->in, &record);
        if (status == STATUS_OK)
            status = merge_read_item(g, &record, i, &item);
        if (status == STATUS_OK && (status = extsort_add(&g->sort, &item)) != STATUS_OK)
            fail(g, g->path, status);
        if (status == STATUS_OK && i % PIECE_RECORDS == 0)
            status = merge_report(g, i);
        if (status != STATUS_OK)
            return status;
    }
    return merge_finish(&g->in);
}

/* Step 1: the sort gives equal structures in order of index, so the first of equals is the holder.
 */
static int settle_first(merger *g)
{
    sort_item item, last = {0};
    bool any = true, first = true;
    int error = extsort_begin(&g->sort);
    if (!error)
        error = item_file_open(&g->holders, g->a->m, g->path);
    while (!error && !(error = extsort_next(&g->sort, &item, &any)) && any) {
        if (!first && same_key(&item, &last)) {
            VEC_PUSH(g->a, &g->displaced, item);
            continue;
        }
        last = item;
        first = false;
        error = item_file_put(&g->holders, &item);
    }
    return error ? fail(g, g->path, error) : STATUS_OK;
}

/* Writes the new holder of one structure: the least index among its holder, if it has one (held),
 * and all candidates for it, which are adjacent in g->next from *at on. All others are displaced.
 */
static int settle_one(merger *g, sort_item holder, bool held, uint32_t *at)
{
    WEFT_ASSERT(held || *at < g->next.n);
    while (*at < g->next.n && (!held || same_key(&g->next.v[*at], &holder))) {
        sort_item other = g->next.v[(*at)++];
        if (held && other.index < holder.index) {
            const sort_item lost = holder;
            holder = other;
            other = lost;
        } else if (!held) {
            holder = other;
            held = true;
            continue;
        }
        VEC_PUSH(g->a, &g->displaced, other);
    }
    return item_file_put(&g->settled, &holder);
}

static int compare(const void *a, const void *b)
{
    return sort_item_less(a, b) ? -1 : sort_item_less(b, a);
}

/* By index, then by attempt: of a sample's moves the last one comes last. */
static int by_index(const void *a, const void *b)
{
    const merge_move *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->attempt < y->attempt ? -1 : x->attempt > y->attempt;
}

/* Step 2: merges the candidates in g->next with the holders; both are sorted by structure. The
 * result replaces the file of holders.
 *
 *     holders    A:0  B:1  C:7           C is held by sample 7; samples 3 and 5 come to it and to D
 *     next            C:3  D:5      ->   A:0  B:1  C:3  D:5, and sample 7 is displaced
 *
 * One pass over both, so a round costs as much as reading the holders once. */
static int settle(merger *g)
{
    sort_item holder;
    bool any;
    uint32_t at = 0;
    g->displaced.n = 0;
    qsort(g->next.v, g->next.n, sizeof *g->next.v, compare);
    int error = item_file_rewind(&g->holders);
    if (!error)
        error = item_file_open(&g->settled, g->a->m, g->path);
    while (!error && !(error = item_file_get(&g->holders, &holder, &any)) && any) {
        while (!error && at < g->next.n && compare(&g->next.v[at], &holder) < 0 &&
               !same_key(&g->next.v[at], &holder))
            error = settle_one(g, holder, false, &at);
        if (!error)
            error = settle_one(g, holder, true, &at);
    }
    while (!error && at < g->next.n)
        error = settle_one(g, (sort_item){0}, false, &at);
    item_file_close(&g->holders, g->a->m);
    g->holders = g->settled;
    g->settled = (item_file){.fd = -1};
    return error ? fail(g, g->path, error) : STATUS_OK;
}

/* --- making anew --------------------------------------------------------------------------- */

/* The parts were made by a weft whose generator differs. */
int merge_no_such_record(merger *g)
{
    g->in.refused = true;
    g->r->run.message = "the parts hold records that this weft does not make";
    return STATUS_REFUSED;
}

/* Makes the record of a candidate that is known to be good: into g->text, its sums into g->single.
 */
static int repeat(merger *g, uint64_t index, uint64_t attempt)
{
    maker *k = &g->maker;
    memset(&g->single, 0, sizeof g->single);
    g->text.n = 0;
    k->out = &g->text;
    k->stats = &g->single;
    if (maker_repeat(k, index, (uint32_t)attempt))
        return STATUS_OK;
    return merge_no_such_record(g);
}

/* Subtracts the sums of the candidate that is left from the run's, and makes the next one. The
 * run's sums must be those of a run that had refused the candidate as a duplicate: hence
 * maker_refuse. */
static void make_next(void *arg)
{
    making *t = arg;
    merger *g = t->g;
    maker_made made = {.attempt = (uint32_t)t->item.extra};
    t->status = repeat(g, t->item.index, t->item.extra);
    if (t->status != STATUS_OK)
        return;
    stats_subtract(&g->sums, &g->single);
    g->text.n = 0;
    g->maker.stats = &g->sums;
    t->status = maker_refuse(&g->maker, t->item.index, &made, STATS_REJECT_DUPLICATE);
    t->item.high = made.structure.high;
    t->item.low = made.structure.low;
    t->item.extra = made.attempt;
}

/* For mem_try: makes the candidate that a sample has settled on. */
static void make_record(void *arg)
{
    making *t = arg;
    t->status = repeat(t->g, t->item.index, t->item.extra);
}

int merge_run_maker(merger *g, making *t, void (*make)(void *))
{
    if (!g->has_maker) {
        g->has_maker = true;
        g->planned = g->m->o;
        g->planned.plan = make_plan(g->a->m, &g->m->o, gen_new(g->a->m));
        if (!maker_init(&g->maker, &g->planned))
            return STATUS_MEMORY;
        sb_init(&g->text, &g->maker.p.c.mem);
    }
    if (!mem_try(&g->maker.p.c.mem, make, t))
        return STATUS_MEMORY;
    if ((t->status == STATUS_BROKEN || t->status == STATUS_EXHAUSTED) && g->maker.message[0])
        g->r->run.message = arena_dup(g->a, g->maker.message, strlen(g->maker.message));
    return t->status;
}

/* Moves each displaced sample to its next candidate, into g->next. */
static int move_displaced(merger *g)
{
    g->next.n = 0;
    for (uint32_t i = 0; i < g->displaced.n; i++) {
        making t = {.g = g, .item = g->displaced.v[i]};
        int status = merge_report(g, g->m->o.count);
        if (status == STATUS_OK)
            status = merge_run_maker(g, &t, make_next);
        if (status != STATUS_OK)
            return status;
        const merge_move move = {t.item.index, t.item.extra};
        VEC_PUSH(g->a, &g->next, t.item);
        VEC_PUSH(g->a, &g->moves, move);
    }
    g->r->rounds++;
    return STATUS_OK;
}

/* Reduces the moves to the last one of each sample, by index, as give_record goes through them. */
static void order_moves(merger *g)
{
    uint32_t n = 0;
    if (g->moves.n)
        qsort(g->moves.v, g->moves.n, sizeof *g->moves.v, by_index);
    for (uint32_t i = 0; i < g->moves.n; i++) {
        if (n && g->moves.v[n - 1].index == g->moves.v[i].index)
            n--;
        g->moves.v[n++] = g->moves.v[i];
        WEFT_ASSERT(n < 2 || g->moves.v[n - 2].index < g->moves.v[n - 1].index);
    }
    g->moves.n = n;
    g->r->moved = n;
}

/* Each round moves the samples that lost a structure, and compares where they went. It ends, since
 * a sample never goes back to an earlier candidate. */
static int settle_equal(merger *g)
{
    const uint64_t all = (g->m->o.count + 1) * sizeof(sort_item);
    extsort_init(&g->sort, g->a->m, g->path, all < g->m->memory ? all : g->m->memory);
    g->sorts = true;
    int status = collect(g);
    if (status == STATUS_OK)
        status = settle_first(g);
    extsort_clear(&g->sort); /* holds the disk's room, and files open */
    while (status == STATUS_OK && g->displaced.n) {
        status = move_displaced(g);
        if (status == STATUS_OK)
            status = settle(g);
    }
    return status;
}

static int settle_all(merger *g)
{
    const int status = g->m->o.near ? merge_settle_near(g) : settle_equal(g);
    order_moves(g);
    merge_restart(&g->in);
    return status;
}

/* --- the whole run's records --------------------------------------------------------------- */

/* Appends a record of the whole run: that of its part, or the one made anew. The part's record is
 * read in either case, as its bytes belong to the hash of the shard. */
static int give_record(merger *g, uint64_t index, make_piece *piece)
{
    WEFT_ASSERT(g->move >= g->moves.n || g->moves.v[g->move].index >= index);
    merge_record record;
    int status = merge_next(&g->in, &record);
    if (status != STATUS_OK)
        return status;
    if (g->move < g->moves.n && g->moves.v[g->move].index == index) {
        making t = {.g = g, .item = {.index = index, .extra = g->moves.v[g->move++].attempt}};
        status = merge_run_maker(g, &t, make_record);
        sb_str(&piece->text, sb_view(&g->text));
        return status;
    }
    sb_str(&piece->text, record.text);
    return STATUS_OK;
}

/* make_source.next: pieces come in order and cover all indexes. Only sizes are summed here; the
 * other sums come from give_sums. */
static int give_piece(void *arg, make_piece *piece)
{
    merger *g = arg;
    store_stats *s = &piece->stats;
    piece->text.n = 0;
    s->smallest = s->largest = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        const size_t before = piece->text.n;
        const int status = give_record(g, piece->first + i, piece);
        if (status != STATUS_OK)
            return status;
        const uint64_t bytes = piece->text.n - before;
        piece->ends[i] = piece->text.n;
        s->smallest = !s->smallest || bytes < s->smallest ? bytes : s->smallest;
        s->largest = bytes > s->largest ? bytes : s->largest;
    }
    return piece->first + piece->n == g->m->o.count ? merge_finish(&g->in) : STATUS_OK;
}

/* make_source.finish. */
static void give_sums(void *arg, store_stats *sums)
{
    merger *g = arg;
    g->sums.smallest = g->sums.largest = 0; /* those that the pieces have */
    stats_merge(sums, &g->sums);
}

/* Writing is make_run's: with the records of the parts as its source it writes shards, manifest and
 * statistics as for a run of its own. */
static int merge_parts(merger *g)
{
    WEFT_ASSERT(g->m->nparts > 1);
    const make_source own = {give_piece, give_sums, g};
    record_options o = g->m->o;
    merge_reader_init(&g->in, g->a, g->m, g->r);
    const int error = make_folders(g->a, o.output);
    if (error)
        return fail(g, o.output, error);
    g->path = path_join(g->a, o.output, STR(".weft-merge"));
    g->r->run.rows = o.count;
    for (uint32_t i = 0; i < g->m->nparts; i++)
        stats_merge(&g->sums, &g->m->parts[i].sums);
    const int status = o.no_dedup ? STATUS_OK : settle_all(g);
    if (status != STATUS_OK)
        return status;
    o.source = &own;
    o.resume = true; /* of an unfinished merge nothing is kept */
    const int end = make_run(g->a, &o, &g->r->run);
    return end == STATUS_REFUSED && !g->in.refused ? refuse_output(g, g->r->run.message) : end;
}

/* Runs under mem_try: a failed allocation anywhere below ends here. */
static void merge_guarded(void *arg)
{
    merger *g = arg;
    const merge_options *m = g->m;
    WEFT_ASSERT(m->nparts > 0);
    g->status = m->nparts == 1 ? merge_copy(g->a, m, g->r) : merge_parts(g);
}

/* After a failure nothing is left of an output folder that was not there before. */
int merge_run(arena *a, const merge_options *m, merge_result *r)
{
    merger *g = ARENA_NEW(a, merger);
    const bool is_new = path_is_free(m->o.output);
    *r = (merge_result){0};
    g->a = a;
    g->m = m;
    g->r = r;
    g->holders.fd = g->settled.fd = -1;
    if (!mem_try(a->m, merge_guarded, g))
        g->status = STATUS_MEMORY;
    merge_reader_clear(&g->in);
    item_file_close(&g->holders, a->m);
    item_file_close(&g->settled, a->m);
    if (g->sorts)
        extsort_clear(&g->sort);
    merge_near_clear(g);
    if (g->has_maker)
        maker_clear(&g->maker);
    if (g->status && is_new)
        io_rmdir(m->o.output); /* which keeps one that has files */
    return g->status;
}
