/* Makes a file's bytes ready for the lexer. */
#ifndef WEFT_SYNTAX_SOURCE_TEXT_H
#define WEFT_SYNTAX_SOURCE_TEXT_H

#include "base/ctx.h"

/* Checks encoding and replaces src->text by a copy in c->module without byte order mark, with "\n"
 * line ends only, ended by "\n" (not counted if the file lacks it) and a NUL; fills src->lines.
 * False: a diagnostic was given. */
bool source_prepare(ctx *c, source *src);

#endif
