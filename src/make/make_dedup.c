/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps equal structures out of a run: takes pieces in order and compares each record with all
 * before it.
 *
 *     structures A B A C   ->   A B D C: the third record is made anew by its next attempts
 *
 * The threads that make pieces look up the set as well and refuse most repetitions themselves. It
 * only grows, so a structure that they find in it is a repetition for certain. What is left for
 * this file are records that were made at the same time as an earlier one like them.
 *
 * The result does not depend on who finds a repetition: record I is its first candidate that no
 * record before I is like, however many threads there are. */
#include "make/make_dedup.h"

#include "base/json_peek.h"
#include "base/run_status.h"

void make_dedup_init(make_dedup *d, const record_options *o, mem *m)
{
    memset(d, 0, sizeof *d);
    d->o = o;
    d->hasher.m = m;
    maker_known_init(&d->known, o, m);
}

/* `text` is the maker's and goes with it. */
void make_dedup_clear(make_dedup *d)
{
    if (d->has_maker)
        maker_clear(&d->maker);
    structure_finder_clear(&d->finder);
    mem_free(d->hasher.m, d->hasher.grams);
    mem_free(d->hasher.m, d->pending);
    maker_known_clear(&d->known, d->o);
}

/* One record that is made anew: arguments and result of make_anew and splice, which run in guards
 * of different memories. */
typedef struct replacement {
    make_dedup *d;
    make_piece *piece;
    uint32_t at;         /* of the record in the piece */
    stats_rejection why; /* duplicate or near, for the counts */
    int status;
} replacement;

/* Makes the refused record once more to learn its sums, takes them out of the piece's, and goes on
 * with the next attempts. A piece keeps the sums of all its records together, so those of one are
 * not there. Runs in the maker's memory. */
static void make_anew(void *arg)
{
    replacement *r = arg;
    maker *k = &r->d->maker;
    const uint64_t index = r->piece->first + r->at;
    maker_made *made = &r->piece->made[r->at];
    memset(&r->d->sums, 0, sizeof r->d->sums);
    k->out = &r->d->text;
    k->out->n = 0;
    k->stats = &r->d->sums;
    if (!maker_repeat(k, index, made->attempt)) {
        r->status = STATUS_BROKEN;
        return;
    }
    stats_subtract(&r->piece->stats, &r->d->sums);
    k->out->n = 0;
    k->stats = &r->piece->stats;
    r->status = maker_refuse(k, index, made, r->why);
}

/* Puts the new text into the place of the old one; runs in the piece's memory. */
static void splice(void *arg)
{
    replacement *r = arg;
    make_piece *piece = r->piece;
    const str text = sb_view(&r->d->text);
    const size_t from = r->at ? (size_t)piece->ends[r->at - 1] : 0;
    const size_t end = (size_t)piece->ends[r->at], tail = piece->text.n - end;
    WEFT_ASSERT(r->at < piece->n && from <= end && end <= piece->text.n);
    if (text.n > end - from)
        sb_grow(&piece->text, text.n - (end - from));
    memmove(piece->text.p + from + text.n, piece->text.p + end, tail);
    memcpy(piece->text.p + from, text.p, text.n);
    piece->text.n = from + text.n + tail;
    for (uint32_t i = r->at; i < piece->n; i++)
        piece->ends[i] = piece->ends[i] - end + from + text.n;
    WEFT_ASSERT(piece->ends[piece->n - 1] == piece->text.n);
}

/* Smallest and largest record of a piece: they cannot be subtracted, so they are measured anew. */
static void measure(make_piece *piece)
{
    store_stats *s = &piece->stats;
    s->smallest = s->largest = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        const uint64_t bytes = piece->ends[i] - (i ? piece->ends[i - 1] : 0);
        WEFT_ASSERT(bytes <= piece->text.n);
        s->smallest = !s->smallest || bytes < s->smallest ? bytes : s->smallest;
        s->largest = bytes > s->largest ? bytes : s->largest;
    }
}

/* The maker is made when the first record needs it. */
static int start_maker(make_dedup *d)
{
    if (d->has_maker)
        return STATUS_OK;
    d->has_maker = true;
    if (!maker_init(&d->maker, d->o))
        return STATUS_MEMORY;
    d->maker.known = &d->known;
    sb_init(&d->text, &d->maker.p.c.mem);
    return STATUS_OK;
}

/* Makes record `at` of the piece anew; its text, its ends, its sums and its maker_made change. */
static int replace(make_dedup *d, make_piece *piece, uint32_t at, stats_rejection why)
{
    replacement r = {d, piece, at, why, start_maker(d)};
    if (r.status != STATUS_OK)
        return r.status;
    if (!mem_try(&d->maker.p.c.mem, make_anew, &r))
        return STATUS_MEMORY;
    if (r.status != STATUS_OK) {
        memcpy(d->message, d->maker.message, sizeof d->message);
        return r.status;
    }
    return mem_try(&piece->mem, splice, &r) ? STATUS_OK : STATUS_MEMORY;
}

/* Every record is added, whether it was made anew or not: one that was has been compared with all
 * before it by maker_refuse. */
int make_dedup_piece(make_dedup *d, make_piece *piece)
{
    WEFT_ASSERT(piece->n && piece->n <= PIECE_RECORDS);
    bool changed = false;
    for (uint32_t i = 0; i < piece->n; i++) {
        const maker_made *made = &piece->made[i];
        const stats_rejection why = maker_known_refuses(&d->known, d->o, made);
        if (why != STATS_REJECTIONS) {
            const int status = replace(d, piece, i, why);
            if (status != STATUS_OK)
                return status;
            changed = true;
        }
        maker_known_add(&d->known, d->o, made);
    }
    if (changed)
        measure(piece);
    return STATUS_OK;
}

/* --- records of an earlier run ------------------------------------------------------------- */

/* An argument of sketch: the record of an index, and what it is like. */
typedef struct sketching {
    make_dedup *d;
    uint64_t index;
    maker_made *made;
    bool good;
} sketching;

static void sketch(void *arg)
{
    sketching *s = arg;
    maker *k = &s->d->maker;
    k->stats = &s->d->sums; /* nobody reads them */
    s->good = maker_sketch(k, s->index, s->made->attempt, &s->made->near);
}

/* Of a conversation that has no source of its kernel, or not the whole one; false: it is no record
 * of ours. */
static bool draw_anew(make_dedup *d, str record, maker_made *made)
{
    enum { ATTEMPTS = 1 << 20 }; /* more than a run makes */
    str number;
    uint64_t attempt;
    sketching s = {.d = d, .made = made};
    if (!json_peek(record, "metadata.index", &number) || !json_peek_count(number, &s.index) ||
        !json_peek(record, "metadata.attempt", &number) || !json_peek_count(number, &attempt) ||
        attempt > ATTEMPTS)
        return false;
    made->attempt = (uint32_t)attempt;
    if (start_maker(d) != STATUS_OK || !mem_try(&d->maker.p.c.mem, sketch, &s))
        mem_fail(d->hasher.m);
    return s.good;
}

/* What the record is like, but for its structure. */
static bool see_near(make_dedup *d, str record, maker_made *made)
{
    structure s;
    bool found;
    if (!structure_find_record(&d->finder, record, &found, &s))
        mem_fail(d->hasher.m);
    if (!found || !fingerprint_eq(s.structure, made->structure))
        return draw_anew(d, record, made);
    minhash_of(&d->hasher, &s, &made->near);
    return true;
}

/* Only notes what the record is like: whether its shard is whole is known when all of it was read,
 * and then make_dedup_keep decides. */
void make_dedup_add(make_dedup *d, str record)
{
    maker_made made = {.attempt = 0};
    mem *m = d->hasher.m;
    if (!fingerprint_peek(record, "metadata.structure", &made.structure) ||
        (d->o->near && !see_near(d, record, &made)))
        return; /* no record of ours: its shard is not whole */
    WEFT_ASSERT(d->npending <= d->cap);
    if (d->npending == d->cap) {
        d->cap = d->cap ? d->cap * 2 : 4096;
        d->pending = mem_resize(m, d->pending, mem_mul(m, d->cap, sizeof *d->pending));
    }
    d->pending[d->npending++] = made;
}

void make_dedup_keep(make_dedup *d, bool keep)
{
    for (uint64_t i = 0; keep && i < d->npending; i++)
        maker_known_add(&d->known, d->o, &d->pending[i]);
    d->npending = 0;
}
