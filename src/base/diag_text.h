/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics as people and programs read them: text for a terminal, or one JSON object each.
 *
 *     m.py:3:9: error: name 'x' is not defined [undefined-name]
 *             y = x + 1
 *                 ^ */
#ifndef WEFT_BASE_DIAG_TEXT_H
#define WEFT_BASE_DIAG_TEXT_H

#include "base/diag.h"
#include "base/str.h"

typedef enum diag_form { DIAG_AS_TEXT, DIAG_AS_JSON, DIAG_AS_SARIF } diag_form;

/* Should what goes to this descriptor be coloured? */
bool diag_wants_color(int fd);
typedef enum diag_severity { DIAG_IS_ERROR, DIAG_IS_WARNING } diag_severity;

/* FILE:LINE:COL: error: sentence [id], the source line, a caret, a hint; columns count characters
 * from 1. */
void diag_put_text(strbuf *out, const diag *d, diag_severity severity, bool color);
/* The same as a JSON object, without a newline. */
void diag_put_json(strbuf *out, const diag *d, diag_severity severity);
/* The same as a result object of SARIF 2.1.0, whose columns count characters, too. */
void diag_put_sarif(strbuf *out, const diag *d, diag_severity severity);

#endif
