/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one record of a data set as a line of JSON, for make/:
 *
 *     {"id": "7-000000000", "python_source": "...", "cuda_ir_forward": "...", ...,
 *      "metadata": {"schema": "weft-pair-1", ..., "category": "arithmetic", "difficulty": 1, ...}}
 *
 * record_field.def lists the fields; record_read.h reads them back. */
#ifndef WEFT_RECORD_RECORD_WRITE_H
#define WEFT_RECORD_RECORD_WRITE_H

#include "check/check.h"
#include "record/fingerprint.h"
#include "record/found_facts.h"
#include "record/messages.h"
#include "record/record_options.h"
#include "standalone/standalone.h"

/* How a record's kernel was broken. */
typedef struct record_defect {
    defect_kind kind;
    str broken, diagnostic; /* the source with the defect; the error that compiling it gives */
    bool two;               /* there is a second one: */
    defect_kind second;
} record_defect;

/* What the compiler and the checker know of a record. */
typedef struct record_counts {
    uint32_t variables;        /* of the forward text */
    const check_result *proof; /* NULL: not verified */
    fingerprint structure, family;
    uint32_t attempt;            /* the candidate's number: those before it were refused */
    const record_defect *defect; /* NULL: the record is no repair pair */
    str ptx;                     /* the members of metadata.ptx; empty: there is none */
    const record_origin *origin; /* NULL: the kernel was made */
    str cuda_source;             /* plain CUDA, if the record has it */
    record_kind kind;            /* of a kernel that was made */
    str tests;                   /* if the record has them: a list in JSON; why it is empty, */
    const char *no_tests;        /* or NULL */
    const str *kernels;          /* of a script: their names */
    uint32_t nkernels;
    uint32_t block_dim; /* threads of a block that launches must have; 0: any number */
} record_counts;

/* Does the record show plain CUDA, if the kernel has that form: as a field, or for its task? */
bool record_needs_plain(const record_options *o, uint64_t index, const gen_sample *s,
                        const record_texts *t, bool collected);
/* Tokens of the longest text of a pair, or of all messages of a conversation. Of `counts`
 * cuda_source and defect are read. */
uint64_t record_measure(mem *m, const record_options *o, uint64_t index, const gen_sample *s,
                        const record_texts *t, const record_counts *counts);
/* The task of a record of a repair set. */
record_task record_repair_task(const record_options *o, uint64_t index);
/* Is there a task of the run that the record has all for? */
bool record_has_task(const record_options *o, const gen_sample *s, const record_texts *t,
                     bool collected);

/* Appends a pair or a conversation, as o->style says, and a newline. */
void record_put(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                const record_texts *t, const record_counts *counts);

/* The record of a program: its files one after another, as bundle.h has them. */
void record_put_program(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                        const standalone_program *p, const record_counts *counts);

#endif
