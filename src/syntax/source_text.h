/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a file's bytes ready for the lexer: encoding, line ends, table of lines. Called by
 * parse_module. */
#ifndef WEFT_SYNTAX_SOURCE_TEXT_H
#define WEFT_SYNTAX_SOURCE_TEXT_H

#include "base/ctx.h"

/* Checks the encoding and replaces src->text by a copy in c->module without byte order mark and
 * with "\n" line ends only. The copy ends with "\n", which is not counted in src->text.n if the
 * file lacks it, and a NUL. Fills src->lines. False: a diagnostic was given. */
bool source_prepare(ctx *c, source *src);

#endif
