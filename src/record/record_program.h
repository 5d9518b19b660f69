/* SPDX-License-Identifier: Apache-2.0 */
/* What metadata.json says of a program: names, hashes and sizes of its files, and what it does. In
 * a record of a data set it stands behind the metadata; `weft compile --emit standalone` writes it
 * for itself. */
#ifndef WEFT_RECORD_RECORD_PROGRAM_H
#define WEFT_RECORD_RECORD_PROGRAM_H

#include "record/record_field.h"
#include "standalone/standalone.h"

typedef struct record_program {
    str name, python; /* of the files; the source */
    const standalone_program *p;
    const char *differs; /* why the gradient is no derivative; or NULL */
} record_program;

/* The members of one of the objects FIELD_FILES, FIELD_FILE_SHA256, FIELD_FILE_BYTES and
 * FIELD_STANDALONE, without its braces. */
void record_program_put(strbuf *b, const record_program *r, record_field object);
/* metadata.json of a program that is no record, and a newline. */
void record_program_put_compiled(strbuf *b, const record_program *r, const kernel *k);

#endif
