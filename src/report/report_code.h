/* SPDX-License-Identifier: Apache-2.0 */
/* Program text as highlighted HTML, a span for each line. */
#ifndef WEFT_REPORT_REPORT_CODE_H
#define WEFT_REPORT_REPORT_CODE_H

#include "base/arena.h"
#include "base/str.h"

/* CODE_CUDA is the C++ that Warp emits, for either device; CODE_PLAIN may hold fenced blocks of the
 * other two. */
typedef enum code_language { CODE_PYTHON, CODE_CUDA, CODE_PLAIN, CODE_LANGUAGES } code_language;

/* Lines carry data-l, the line of the Python source that they belong to: in Python its own number,
 * in emitted text what Warp's comments say (<L n>). Appends to b; the scratch arena is as before
 * afterwards. */
void code_put(strbuf *b, arena *scratch, str text, code_language language);

#endif
