/* Python 3.11 text to syntax tree. */
#ifndef WEFT_SYNTAX_PARSER_H
#define WEFT_SYNTAX_PARSER_H

#include "base/ctx.h"
#include "syntax/ast.h"

/* Parses src->text (UTF-8, BOM allowed) and fills src->lines. The tree lives in c->module; strings
 * in it may point into src->text, which must outlive it. NULL after a syntax error, which is then
 * in c->diags (CPython's line); one error per file, as CPython gives. */
ast_Module *parse_module(ctx *c, source *src);

/* Appends ast.dump(m, include_attributes=True) of CPython 3.11, without a newline, in pieces:
 * flush(arg, out) is called now and then, and empties out. */
void ast_dump_module(strbuf *out, const ast_Module *m, void (*flush)(void *, strbuf *), void *arg);

#endif
