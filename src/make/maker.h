/* SPDX-License-Identifier: Apache-2.0 */
/* Makes records: generates, compiles, proves and writes them into a buffer. One maker per thread.
 *
 *     k.from = 64, k.to = 96, k.out = &piece->text, ...; maker_make(&k)
 *
 * appends the records 64 to 95. An index has one record; to find it, a maker draws candidates with
 * attempt 0, 1, 2, ... until one is good (maker.c). */
#ifndef WEFT_MAKE_MAKER_H
#define WEFT_MAKE_MAKER_H

#include "check/check.h"
#include "compose/compose.h"
#include "compose/script.h"
#include "driver/pipeline.h"
#include "make/repair.h"
#include "profile/profile.h"
#include "record/record_write.h"
#include "similar/near_index.h"
#include "similar/seen.h"
#include "store/stats.h"

/* How a record came to be: what deduplication needs to compare it, and to make it anew. */
typedef struct maker_made {
    fingerprint structure; /* similar/structure.h: the same for a renamed copy */
    minhash near;          /* with --near; else zero */
    uint32_t attempt;      /* candidate that it is */
    uint32_t refused;      /* good ones before it that were refused for what they are like, */
    uint32_t alike;        /* and how many of these were like an earlier record */
} maker_made;

/* What earlier records are like. */
typedef struct maker_known {
    seen seen;
    near_index near; /* with a threshold; has no more than `seen` has */
} maker_known;

typedef struct maker {
    const record_options *o;
    pipeline p;
    gen *g;
    const gen_plan *plan; /* of the run, or its own; with exercises only */
    library *own;         /* read by this maker; NULL: there is none, or it is the run's */
    composer *composer;
    scripter *scripter; /* with RECORD_SCRIPT; and the script in work: */
    script script;
    record_kind kind;       /* of the sample in work */
    checker *checker;       /* proves a sample by execution; in the pipeline's memory, as is: */
    structurer *structurer; /* finds the structure of a sample */
    const program *program; /* of the sample in work, as its structure */
    structure structure;
    fingerprint each[SCRIPT_KERNELS]; /* of a script's kernels */
    uint32_t neach;
    gen_sample sample;
    profile_wish wish;  /* of a sample with a purpose */
    strbuf texts;       /* of the sample in work */
    maker_known *known; /* earlier records, whose likes are not to be made; NULL: none */
    minhasher hasher;
    ptx_tools ptx;     /* with o->ptx */
    strbuf ptx_text;   /* what metadata have of it */
    repairer repairer; /* with RECORD_REPAIR */
    strbuf broken;     /* the broken source of the sample in work */
    record_defect defect;
    check_arg args[GEN_ARGS_MAX]; /* of the sample in work, and what is proved of it: */
    check_subject subject;
    strbuf tests;       /* of composed records */
    uint64_t from, to;  /* indexes to make; `from` rises, and is the index in work */
    strbuf *out;        /* records go here */
    uint64_t *ends;     /* where each record ends in out; NULL: not wanted */
    maker_made *made;   /* one for each record; NULL: not wanted */
    store_stats *stats; /* gains the records and the refused candidates */
    char message[512];  /* why a record cannot be made */
} maker;

/* The plan that all makers of a run share; lives as long as m. */
const gen_plan *make_plan(mem *m, const record_options *o, gen *g);
/* False: memory ran out. */
bool maker_init(maker *k, const record_options *o);
void maker_clear(maker *k);
/* Makes the records `from` up to `to`. Must run inside mem_try of k->p.c.mem and of out->m.
 * STATUS_OK or STATUS_BROKEN with a message. */
int maker_make(maker *k);
/* Makes the record of one candidate that was good before, without a look at earlier records. False:
 * it is not good now, which is a bug. Must run inside the same guards as maker_make, as
 * maker_refuse. */
bool maker_repeat(maker *k, uint64_t index, uint32_t attempt);
/* Refuses the candidate that made->attempt names, counts it under `why`, and makes the index's next
 * good one, which *made describes then. Returns what maker_make returns. */
int maker_refuse(maker *k, uint64_t index, maker_made *made, stats_rejection why);
/* The same, and counts all candidates before it as the run did that kept this one. */
bool maker_recount(maker *k, uint64_t index, uint32_t attempt);
/* Makes the record of an index from its first candidate on, which *made describes then. Returns
 * what maker_make returns. */
int maker_settle(maker *k, uint64_t index, maker_made *made);
/* What a candidate is like, without a proof. False: it is no good. */
bool maker_sketch(maker *k, uint64_t index, uint32_t attempt, minhash *out);

/* m: owns the set. */
void maker_known_init(maker_known *known, const record_options *o, mem *m);
void maker_known_clear(maker_known *known, const record_options *o);
/* Is the candidate refused, as an earlier record has its structure, or one that is near to it?
 * STATS_REJECTIONS: no. */
stats_rejection maker_known_refuses(maker_known *known, const record_options *o,
                                    const maker_made *made);
void maker_known_add(maker_known *known, const record_options *o, const maker_made *made);

#endif
