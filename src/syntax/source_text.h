/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a file's bytes ready for the lexer: encoding, line ends, table of lines. Called by
 * parse_module. */
#ifndef WEFT_SYNTAX_SOURCE_TEXT_H
#define WEFT_SYNTAX_SOURCE_TEXT_H

#include "base/ctx.h"

/* Replaces src->text by a copy in c->module that is UTF-8, without byte order mark and with "\n"
 * line ends only. The copy ends with "\n", which is not counted in src->text.n if the file lacks
 * it, and a NUL. Fills src->lines. The text is decoded then: like CPython with a str, what is
 * called decoded already is taken as UTF-8, and the encoding that it names is not looked at. False:
 * a diagnostic was given. */
bool source_prepare(ctx *c, source *src);

/* The text of a prepared source as a file of UTF-8: where its first lines name another encoding,
 * they name this one. Lives in a, or is the source's own.
 *
 *     # -*- coding: latin-1 -*-   ->   # -*- coding: utf-8 -*- */
str source_as_utf8_file(arena *a, const source *src);

#endif
