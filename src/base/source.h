/* A source file's text and places in it: for the lexer, which makes spans, and for diagnostics,
 * which print them. */
#ifndef WEFT_BASE_SOURCE_H
#define WEFT_BASE_SOURCE_H

#include "base/str.h"

typedef struct source {
    const char *path;  /* as the user gave it; NUL-terminated */
    const char *place; /* absolute: what comments in emitted text call it; NULL: path */
    str text;
    uint32_t *lines; /* offset of each line's first byte, lines[0] == 0; made by source_lines */
    uint32_t nlines;
} source;

/* Lines count from 1, columns from 0 in UTF-8 bytes, ends are exclusive: as in Python's ast. */
typedef struct span {
    const source *src; /* NULL: no place known */
    uint32_t line, col, end_line, end_col;
} span;

#endif
