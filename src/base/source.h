/* SPDX-License-Identifier: Apache-2.0 */
/* A source file's text and places in it: for the lexer, which makes spans, and for diagnostics,
 * which print them. Example: in "x = a\ny = b\n" lines is {0, 6, 12}, and the name b has the span
 * line 2, col 4, end_line 2, end_col 5. */
#ifndef WEFT_BASE_SOURCE_H
#define WEFT_BASE_SOURCE_H

#include "base/str.h"

/* A file. Whoever reads it sets path, place and text; source_prepare (syntax) replaces text by the
 * normalised one and sets lines. */
typedef struct source {
    const char *path;  /* as the user gave it; NUL-terminated */
    const char *place; /* absolute: what comments in emitted text call it; NULL: path */
    str text;
    uint32_t
        *lines; /* offset of each line's first byte, lines[0] == 0; NULL before source_prepare */
    uint32_t nlines;
    bool decoded; /* the text is UTF-8, whatever encoding it names: that of records and callers */
} source;

/* Lines count from 1, columns from 0 in UTF-8 bytes, ends are exclusive: as in Python's ast. */
typedef struct span {
    const source *src; /* NULL: no place known */
    uint32_t line, col, end_line, end_col;
} span;

#endif
