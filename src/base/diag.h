/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: what is wrong with the user's input, where, and what to do about it. They are
 * collected in the context and printed by the command line; they never end the program.
 *
 *     return diag_error(c, span, DIAG_BAD_NUMBER, "hexadecimal"); */
#ifndef WEFT_BASE_DIAG_H
#define WEFT_BASE_DIAG_H

#include "base/source.h"

typedef enum diag_id {
#define DIAG(id, name, text, hint) DIAG_##id,
#include "base/diag.def"
#undef DIAG
    DIAG_COUNT
} diag_id;

typedef struct diag {
    diag_id id;
    span at;
    const char *text; /* the finished sentence, in the context's module arena */
    const char *hint; /* what to do about it, or NULL */
    bool is_warning;  /* a warning, although others of its id are errors */
} diag;

struct ctx;

/* Records an error. `fmt` arguments must fit the row in diag.def. Returns false, so that a caller
 * may write `return diag_error(...)`. A second error of the same id at the same place is dropped.
 */
bool diag_error(struct ctx *c, span at, diag_id id, ...);
/* The same, of a row for errors, where the fault may do no harm, as in a function that nothing
 * calls. */
bool diag_warning(struct ctx *c, span at, diag_id id, ...);
/* "undefined-name", the sentence as a format ("name '%s' is not defined"), and the hint (or NULL),
 * a format as well where the row is a DIAG_HINT. */
const char *diag_name(diag_id id);
const char *diag_sentence(diag_id id);
const char *diag_hint(diag_id id);

#endif
