/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which samples move when the parts of a run are joined that refused near ones.
 *
 *     part 1: A B, part 2: C D, where C is near to B   ->   A B E D: the third sample is made anew
 *
 * Samples are taken in the order of their indexes and compared with all before them, as in a run of
 * one machine. To be near is not transitive, so a sample may also come back to a candidate that its
 * part refused: D was refused for C, and now that C is gone, it is not. That is looked for only
 * where it can happen, among refused candidates that are near to one that has moved; they are drawn
 * anew for it, but not proved. All other samples keep the candidate of their part, and nothing is
 * made for them.
 *
 * The sums of a sample that moves are counted anew: what it had added to those of its part is taken
 * away, and what it adds now is added. */
#include "base/run_status.h"
#include "curate/merge_state.h"
#include "similar/source_structure.h"

typedef struct near_merge {
    const record_options *o;
    maker_known known;       /* all samples before the one in work */
    maker_known gone;        /* candidates that parts kept, and the whole does not */
    bool moved;              /* there are some */
    structure_finder finder; /* reads structures from records */
    minhasher hasher;
    strbuf line; /* a record of its own file or folder, as a line of JSON */
} near_merge;

/* What is to be found out about a sample, and what was. */
typedef struct settling {
    making t;
    maker_made part, whole; /* the candidate of its part; the one it has in the whole run */
    bool free;              /* a candidate before that of the part may be good now */
} settling;

static void begin(merger *g)
{
    near_merge *n = ARENA_NEW(g->a, near_merge);
    *n = (near_merge){.o = &g->m->o, .hasher = {.m = g->a->m}};
    maker_known_init(&n->known, n->o, g->a->m);
    maker_known_init(&n->gone, n->o, g->a->m);
    sb_init(&n->line, g->a->m);
    g->near = n;
}

void merge_near_clear(merger *g)
{
    near_merge *n = g->near;
    if (!n)
        return;
    maker_known_clear(&n->known, n->o);
    maker_known_clear(&n->gone, n->o);
    structure_finder_clear(&n->finder);
    mem_free(n->hasher.m, n->hasher.grams);
    sb_clear(&n->line);
    g->near = NULL;
}

/* The record as JSON that has its source. */
static str whole_line(merger *g, const merge_record *record)
{
    strbuf *b = &g->near->line;
    const store_each *each = store_format_of(&g->m->o)->each;
    if (!each)
        return record->stated;
    b->n = 0;
    each->put_line(b, &g->in.one);
    return sb_view(b);
}

/* For the maker: what the part's candidate is like. */
static void sketch(void *arg)
{
    settling *s = arg;
    s->t.status = maker_sketch(&s->t.g->maker, s->t.item.index, s->part.attempt, &s->part.near)
                      ? STATUS_OK
                      : merge_no_such_record(s->t.g);
}

/* What the next record of the parts is like, in s->part. A conversation may have no source of its
 * kernel, or not the whole one: then that is drawn anew. A status. */
static int read_next(merger *g, settling *s)
{
    near_merge *n = g->near;
    merge_record record;
    structure st;
    bool found;
    sort_item *item = &s->t.item;
    int status = merge_next(&g->in, &record);
    if (status == STATUS_OK)
        status = merge_read_item(g, &record, item->index, item);
    if (status != STATUS_OK)
        return status;
    s->part = (maker_made){.structure = {item->high, item->low}, .attempt = (uint32_t)item->extra};
    if (!structure_find_record(&n->finder, whole_line(g, &record), &found, &st))
        return STATUS_MEMORY;
    if (!found || !fingerprint_eq(st.structure, s->part.structure))
        return merge_run_maker(g, &s->t, sketch);
    minhash_of(&n->hasher, &st, &s->part.near);
    return STATUS_OK;
}

/* For the maker: is one of the candidates before that of the part near to one that is gone? */
static void look_before(void *arg)
{
    enum { OFTEN = 256 };
    settling *s = arg;
    near_merge *n = s->t.g->near;
    maker *k = &s->t.g->maker;
    k->stats = &s->t.g->single; /* nobody reads them */
    s->t.status = STATUS_OK;
    for (uint32_t i = 0; i < s->part.attempt && !s->free && s->t.status == STATUS_OK; i++) {
        minhash near;
        if (i % OFTEN == OFTEN - 1)
            s->t.status = merge_report(s->t.g, s->t.item.index);
        s->free = maker_sketch(k, s->t.item.index, i, &near) && near_has(&n->gone.near, &near);
    }
}

/* For the maker: goes through all candidates, as a run of one machine does. */
static void settle_anew(void *arg)
{
    settling *s = arg;
    merger *g = s->t.g;
    maker *k = &g->maker;
    memset(&g->single, 0, sizeof g->single);
    g->text.n = 0;
    k->out = &g->text;
    k->stats = &g->single;
    if (!maker_recount(k, s->t.item.index, s->part.attempt)) {
        s->t.status = merge_no_such_record(g);
        return;
    }
    stats_subtract(&g->sums, &g->single);
    g->text.n = 0;
    k->stats = &g->sums;
    k->known = &g->near->known;
    s->t.status = maker_settle(k, s->t.item.index, &s->whole);
    k->known = NULL;
}

/* The sample has another candidate than in its part. */
static void note_move(merger *g, const settling *s)
{
    near_merge *n = g->near;
    const merge_move move = {s->t.item.index, s->whole.attempt};
    VEC_PUSH(g->a, &g->moves, move);
    maker_known_add(&n->gone, n->o, &s->part);
    n->moved = true;
}

static int settle_sample(merger *g, uint64_t index)
{
    near_merge *n = g->near;
    settling s = {.t = {.g = g, .item = {.index = index}}};
    int status = read_next(g, &s);
    if (status != STATUS_OK)
        return status;
    s.whole = s.part;
    s.free = near_has(&n->known.near, &s.part.near);
    if (!s.free && n->moved && s.part.attempt)
        status = merge_run_maker(g, &s.t, look_before);
    if (status == STATUS_OK && s.free)
        status = merge_run_maker(g, &s.t, settle_anew);
    if (status != STATUS_OK)
        return status;
    if (s.whole.attempt != s.part.attempt)
        note_move(g, &s);
    maker_known_add(&n->known, n->o, &s.whole);
    return STATUS_OK;
}

int merge_settle_near(merger *g)
{
    int status = STATUS_OK;
    begin(g);
    for (uint64_t i = 0; i < g->m->o.count && status == STATUS_OK; i++) {
        status = settle_sample(g, i);
        if (status == STATUS_OK && i % PIECE_RECORDS == 0)
            status = merge_report(g, i);
    }
    return status == STATUS_OK ? merge_finish(&g->in) : status;
}
