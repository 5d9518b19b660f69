/* One record of a data set, as a line of JSON. */
#ifndef WEFT_RECORD_RECORD_WRITE_H
#define WEFT_RECORD_RECORD_WRITE_H

#include "check/check.h"
#include "record/fingerprint.h"
#include "record/messages.h"
#include "record/record_options.h"
#include "standalone/standalone.h"

/* How a record's kernel was broken. */
typedef struct record_defect {
    defect_kind kind;
    str broken, diagnostic;
} record_defect;

/* What the compiler and the checker know of a record. */
typedef struct record_counts {
    uint32_t variables;
    const check_result *proof; /* NULL: not verified */
    fingerprint structure, family;
    uint32_t attempt;
    const record_defect *defect; /* NULL: the record is no repair pair */
    str ptx;                     /* the members of metadata.ptx; empty: there is none */
} record_counts;

/* Appends the record and a newline. */
void record_put(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                const record_texts *t, const record_counts *counts);

/* The record of a program: its files one after another, as bundle.h has them. */
void record_put_program(strbuf *b, const record_options *o, uint64_t index, const gen_sample *s,
                        const standalone_program *p, const record_counts *counts);

#endif
