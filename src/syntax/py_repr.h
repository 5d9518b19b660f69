/* Python's repr of constants. */
#ifndef WEFT_SYNTAX_PY_REPR_H
#define WEFT_SYNTAX_PY_REPR_H

#include "syntax/ast.h"

/* repr(str) of UTF-8 text (lone surrogates allowed), quotes included. */
void py_repr_str(strbuf *out, str s);
void py_repr_constant(strbuf *out, const constant *c);

#endif
