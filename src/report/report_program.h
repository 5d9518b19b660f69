/* SPDX-License-Identifier: Apache-2.0 */
/* The standalone CUDA of a record that has only Warp's text, for the page: the program that `weft
 * generate --format standalone` would have made of it. */
#ifndef WEFT_REPORT_REPORT_PROGRAM_H
#define WEFT_REPORT_REPORT_PROGRAM_H

#include "base/json_tree.h"
#include "driver/pipeline.h"

/* A compiler with its own memory, for one record after another. All zero is its initial state. */
typedef struct report_programs {
    bool ready; /* the pipeline is there: that happens at the first record */
    pipeline p;
    strbuf backward, why; /* of the record in work */
    const json_value *json;
    struct report_program *out;
} report_programs;

/* Both are valid until the next record. */
typedef struct report_program {
    str cu;            /* empty: none could be made */
    str why;           /* a sentence, if so */
    uint32_t expected; /* numbers that the program compares */
} report_program;

/* Makes it. The record may be anyone's: what is wrong with it is in out->why. False: memory ran
 * out, beyond what is granted to one record. */
bool report_program_make(report_programs *r, const json_value *json, report_program *out);
/* Frees all memory. */
void report_programs_clear(report_programs *r);

#endif
