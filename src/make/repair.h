/* SPDX-License-Identifier: Apache-2.0 */
/* Repair pairs: a kernel that is broken in one known way, what weft says of it, and the right
 * kernel. */
#ifndef WEFT_MAKE_REPAIR_H
#define WEFT_MAKE_REPAIR_H

#include "base/rng.h"
#include "check/check.h"
#include "driver/pipeline.h"
#include "record/defect.h"

/* What a broken source is tried on: the right kernel's name and launch. */
typedef struct repair_subject {
    defect_kind kind;
    str source, kernel;    /* the broken source; the kernel's name, for messages */
    str launch;            /* the dimensions of the right kernel's launch */
    const check_arg *args; /* one for each parameter */
    uint32_t nargs;
    uint64_t seed, index; /* of the record: they choose the inputs of a run */
} repair_subject;

/* A compiler of its own for broken sources. */
typedef struct repairer {
    pipeline p;
    checker *checker;
    strbuf diagnostic; /* as weft check prints it, or the message of the run */
    strbuf two[3];     /* a source with two defects, with the first and with the second */
} repairer;

/* False: memory ran out. */
bool repairer_init(repairer *t, size_t memory_limit);
void repairer_clear(repairer *t);

/* Is the source broken in this way? Then t->diagnostic says so. False: the repairer's memory ran
 * out. */
bool repair_try(repairer *t, const repair_subject *s, bool *shown);

/* The kinds take turns; where one does not fit a kernel, a later attempt of the same record may
 * take the next. */
defect_kind repair_kind(uint64_t turn, uint32_t attempt);
/* The kinds of a record with two defects; draws the second. */
void repair_kinds(uint64_t turn, uint32_t attempt, rng *r, defect_kind kinds[2]);
/* Breaks a source, s->source, in both ways; the broken one is t->two[0] then. *shown: each defect
 * shows alone, and of both one shows first. False: memory ran out. */
bool repair_plant_two(repairer *t, const repair_subject *s, const defect_kind kinds[2], rng *r,
                      bool *shown);
/* The stream that the edit of a record is drawn from. */
rng repair_stream(uint64_t seed, uint64_t index, uint32_t attempt);

#endif
