/* Makes records: generates, compiles, writes them into a buffer. One maker per thread. */
#ifndef WEFT_MAKE_MAKER_H
#define WEFT_MAKE_MAKER_H

#include "check/check.h"
#include "driver/pipeline.h"
#include "make/repair.h"
#include "record/record_write.h"
#include "similar/near_index.h"
#include "similar/seen.h"
#include "store/stats.h"

/* How a record came to be. */
typedef struct data_made {
    fingerprint structure;
    minhash near;     /* with a threshold */
    uint32_t attempt; /* candidate that it is */
    uint32_t refused; /* good ones before it that were refused for what they are like */
} data_made;

/* What earlier records are like. */
typedef struct data_known {
    seen seen;
    near_index near; /* with a threshold; has no more than `seen` has */
} data_known;

typedef struct data_maker {
    const data_options *o;
    pipeline p;
    gen *g;
    const gen_plan *plan;
    checker *checker;
    structurer *structurer;
    const program *program; /* of the sample in work, as its structure */
    structure structure;
    gen_sample sample;
    strbuf texts;      /* of the sample in work */
    data_known *known; /* earlier records, whose likes are not to be made; NULL: none */
    minhasher hasher;
    minhash near;      /* of the sample in work, with a threshold */
    ptx_tools ptx;     /* with o->ptx */
    strbuf ptx_text;   /* what metadata have of it */
    repairer repairer; /* with DATA_REPAIR */
    strbuf broken;     /* the broken source of the sample in work */
    data_defect defect;
    uint64_t from, to; /* indexes wanted */
    strbuf *out;       /* records go here */
    uint64_t *ends;    /* where each record ends in out; NULL: not wanted */
    data_made *made;   /* one for each record; NULL: not wanted */
    data_stats *stats;
    char message[512]; /* why a record cannot be made */
} data_maker;

/* The plan that all makers of a run share; lives as long as m. */
const gen_plan *data_plan(mem *m, const data_options *o, gen *g);
/* False: memory ran out. */
bool maker_init(data_maker *k, const data_options *o);
void maker_clear(data_maker *k);
/* Makes the records `from` up to `to`. Must run inside mem_try of k->p.c.mem and of out->m. DATA_OK
 * or DATA_BROKEN with a message. */
int maker_make(data_maker *k);
/* The record of this very candidate; false: it is none. */
bool maker_repeat(data_maker *k, uint64_t index, uint32_t attempt);
/* Refuses the record that was made, and makes the next one of its index. */
int maker_refuse(data_maker *k, uint64_t index, data_made *made, data_rejection why);
/* Has an earlier record the structure, or one that is near to it? DATA_REJECTIONS: no. */
data_rejection known_refuses(data_known *known, const data_options *o, fingerprint f,
                             const minhash *near);
void known_add(data_known *known, const data_options *o, fingerprint f, const minhash *near);

#endif
