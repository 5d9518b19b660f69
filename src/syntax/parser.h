/* SPDX-License-Identifier: Apache-2.0 */
/* From Python 3.11 text to its syntax tree, and from the tree to the text of ast.dump: the entry
 * of this folder. Used by the driver for each file and each imported module. Example: `x = 1`
 * becomes
 *
 *     Module(body=[Assign(targets=[Name(id='x', ctx=Store(), ...)],
 *                         value=Constant(value=1, ...), ...)], type_ignores=[]) */
#ifndef WEFT_SYNTAX_PARSER_H
#define WEFT_SYNTAX_PARSER_H

#include "base/ctx.h"
#include "syntax/ast.h"

/* Parses src->text (UTF-8, a byte order mark allowed), replaces it by the normalised text and
 * fills src->lines. The tree lives in c->module; strings in it may point into src->text, which
 * must outlive it. NULL after a syntax error, which is then in c->diags, on CPython's line; one
 * error per file, as CPython gives. What CPython refuses only when it compiles (scoping.h) is a
 * syntax error, too. */
ast_Module *parse_module(ctx *c, source *src);
/* The same of a text that need not compile: part of a function may be in it, or the cells of a
 * notebook, where `return` or `await` stand alone. */
ast_Module *parse_snippet(ctx *c, source *src);

/* Appends ast.dump(m, include_attributes=True) of CPython 3.11, without a newline, in pieces:
 * flush(arg, out) is called now and then, and empties out. */
void ast_dump_module(strbuf *out, const ast_Module *m, void (*flush)(void *, strbuf *), void *arg);

#endif
