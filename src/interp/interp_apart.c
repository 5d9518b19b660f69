/* SPDX-License-Identifier: Apache-2.0 */
/* Launches whose threads run apart: none sees what another has stored to an array, as if all ran at
 * once. A result that is another one hangs on the order of threads, even where it is the same from
 * the first thread to the last and back:
 *
 *     n[0] = n[0] + 1       280 threads: 280 more, in any order of them; apart 1 more
 *
 * Atomics are seen, and with atomic_cas and atomic_exch, by which threads wait for each other, all
 * that the thread has stored before. So are the stores of a block's lanes once they have met.
 *
 * A store notes the bytes that were there. When the thread ends, what it has stored is kept for the
 * end of the launch, and the old bytes are put back. The lanes of a block have it one step finer:
 *
 *     lane      between two meetings    kept, put back
 *     meeting   what the lanes have kept is stored, and noted for the block
 *     block     at its end              kept, put back
 *     launch    at its end: what blocks or threads have kept is stored, the last first: what
 *               several have stored to one element is the first one's */
#include "interp/interp_internal.h"

/* Bytes of an array: what was there before a store, or what is to be stored. */
typedef struct patch {
    uint8_t *at, *bytes;
    size_t size;
} patch;

typedef VEC(patch) patches;

/* Where an array of the launch lies. */
typedef struct extent {
    const uint8_t *at;
    size_t size;
} extent;

struct apart {
    arena a;
    VEC(extent) arrays;
    patches lane, block; /* noted */
    patches met, ended;  /* kept: of lanes, of threads or blocks */
    uint32_t writers;    /* threads or blocks that have stored to the watched byte */
    bool whole;          /* a block stores, not a lane of it */
    bool blind;          /* something stored what cannot be noted */
};

static void add_array(struct apart *p, const array_view *v)
{
    if (v && v->data && v->data->size)
        VEC_PUSH(&p->a, &p->arrays, ((extent){v->data->bytes, v->data->size}));
}

/* Arrays in fields lie there as pointers. */
static void add_fields(struct apart *p, const type *t, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const type *field = t->st->fields[i].type;
        const uint8_t *at = bytes + layout_field(t->st, i);
        const array_view *v;
        if (field->kind == TYPE_STRUCT)
            add_fields(p, field, at);
        if (field->kind != TYPE_ARRAY)
            continue;
        memcpy(&v, at, sizeof v);
        add_array(p, v);
    }
}

void interp_begin_apart(interp *in)
{
    const interp_launch *l = in->launch;
    in->apart = NULL;
    if (!l->apart)
        return;
    struct apart *p = in->apart = ARENA_NEW(in->a, struct apart);
    arena_init(&p->a, &in->c->mem);
    for (uint32_t i = 0; i < in->kernel->code->nparams; i++) {
        const rvalue *v = &l->args[i];
        if (v->type && v->type->kind == TYPE_ARRAY)
            add_array(p, v->array);
        else if (v->type && v->type->kind == TYPE_STRUCT)
            add_fields(p, v->type, v->bytes);
    }
}

static void note(struct apart *p, patches *to, uint8_t *at, size_t size)
{
    uint8_t *bytes = arena_alloc(&p->a, size);
    memcpy(bytes, at, size);
    VEC_PUSH(&p->a, to, ((patch){at, bytes, size}));
}

void interp_note_store(interp *in, void *at, size_t size)
{
    struct apart *p = in->apart;
    const uintptr_t from = (uintptr_t)at;
    for (uint32_t i = 0; i < p->arrays.n; i++)
        if (from - (uintptr_t)p->arrays.v[i].at < p->arrays.v[i].size) {
            note(p, p->whole ? &p->block : &p->lane, at, size);
            return;
        }
}

/* Keeps what has been stored since, and puts the old bytes back, the last first. */
static void put_back(struct apart *p, patches *noted, patches *kept)
{
    for (uint32_t i = 0; i < noted->n; i++)
        note(p, kept, noted->v[i].at, noted->v[i].size);
    while (noted->n) {
        const patch *old = &noted->v[--noted->n];
        memcpy(old->at, old->bytes, old->size);
    }
}

/* Stores what has been kept, the last first: of several threads that have stored to one element the
 * first one wins, where in their order the last one does. noted: NULL, or what was there goes to
 * it. */
static void store(struct apart *p, patches *kept, patches *noted)
{
    for (uint32_t i = kept->n; i-- > 0;) {
        const patch *new = &kept->v[i];
        if (noted)
            note(p, noted, new->at, new->size);
        memcpy(new->at, new->bytes, new->size);
    }
    kept->n = 0;
}

void interp_end_apart_lane(interp *in)
{
    if (in->apart)
        put_back(in->apart, &in->apart->lane, &in->apart->met);
}

void interp_end_apart_meeting(interp *in)
{
    if (in->apart)
        store(in->apart, &in->apart->met, &in->apart->block);
}

/* Counts a thread, or a block, that has stored to the watched byte. */
static void count_writer(const interp *in, const patches *noted)
{
    const uintptr_t watched = (uintptr_t)in->launch->watched;
    for (uint32_t i = 0; watched && i < noted->n; i++)
        if (watched - (uintptr_t)noted->v[i].at < noted->v[i].size) {
            in->apart->writers++;
            return;
        }
}

void interp_end_apart_block(interp *in)
{
    if (!in->apart)
        return;
    count_writer(in, &in->apart->block);
    put_back(in->apart, &in->apart->block, &in->apart->ended);
}

void interp_end_apart_thread(interp *in)
{
    if (!in->apart)
        return;
    count_writer(in, &in->apart->lane);
    put_back(in->apart, &in->apart->lane, &in->apart->ended);
}

void interp_share_stores(interp *in)
{
    if (in->apart)
        in->apart->lane.n = 0;
}

bool interp_apart_whole(interp *in, bool whole)
{
    const bool before = in->apart && in->apart->whole;
    if (in->apart)
        in->apart->whole = whole;
    return before;
}

void interp_blind_apart(interp *in)
{
    if (in->apart)
        in->apart->blind = true;
}

void interp_end_apart(interp *in)
{
    struct apart *p = in->apart;
    in->kept_apart = p && !p->blind;
    in->stores_met = p && p->writers > 1;
    if (!p)
        return;
    store(p, &p->ended, NULL);
    arena_clear(&p->a);
    in->apart = NULL;
}
