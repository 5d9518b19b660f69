/* SPDX-License-Identifier: Apache-2.0 */
/* Python's repr of constants, used by ast_dump.c. Examples: "it's" is put in double quotes, 1e16
 * becomes 1e+16, the byte 0 '\x00'. */
#ifndef WEFT_SYNTAX_PY_REPR_H
#define WEFT_SYNTAX_PY_REPR_H

#include "syntax/ast.h"

/* repr(str) of UTF-8 text (lone surrogates allowed), quotes included. */
void py_repr_str(strbuf *out, str s);
/* repr of a Constant's value; of integers beyond 127 bits the text that the tree holds. */
void py_repr_constant(strbuf *out, const constant *c);

#endif
