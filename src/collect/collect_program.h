/* SPDX-License-Identifier: Apache-2.0 */
/* Found kernels as programs of their own (weft collect --format standalone):
 *
 *     a proved kernel   ->   a line of JSON with the program's texts, for the journal
 *     the line          ->   FOLDER/0-12_loop/ with NAME.py, NAME.cu, Makefile, metadata.json */
#ifndef WEFT_COLLECT_COLLECT_PROGRAM_H
#define WEFT_COLLECT_COLLECT_PROGRAM_H

#include "driver/pipeline.h"
#include "record/record_write.h"

/* A kernel that was compiled alone, with its texts and what the record states. */
typedef struct program_subject {
    const program *program;
    const compiled_kernel *compiled;
    const gen_sample *sample;
    const record_texts *texts;
    const record_counts *counts;
    uint64_t index;
} program_subject;

/* Appends the line. NULL, or why the kernel has no program, in p->c.module. Its inputs are
 * planned as those of `weft compile --emit standalone` are. */
const char *collect_put_program(pipeline *p, const record_options *o, const program_subject *s,
                                strbuf *line);
/* Writes the line's program below the folder, not durably yet. 0, or an errno value about *at;
 * EILSEQ: the line is none. */
int collect_save_program(arena *a, const char *folder, str line, const char **at);

#endif
