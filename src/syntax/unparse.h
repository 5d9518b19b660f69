/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions back to Python text, as a person would write them: brackets only where they are
 * needed. For programs that are put together from trees (compose/). Example: the tree of
 *
 *     (a * (b)) + f(x , y)[ 0]      ->   a * b + f(x, y)[0]
 */
#ifndef WEFT_SYNTAX_UNPARSE_H
#define WEFT_SYNTAX_UNPARSE_H

#include "base/str.h"
#include "syntax/ast.h"

/* How strongly an expression binds, weakest first. An operand that binds less than its place asks
 * for gets brackets. */
typedef enum unparse_prec {
    UNPARSE_TUPLE,
    UNPARSE_TERNARY,
    UNPARSE_OR,
    UNPARSE_AND,
    UNPARSE_NOT,
    UNPARSE_COMPARE,
    UNPARSE_BIT_OR,
    UNPARSE_BIT_XOR,
    UNPARSE_BIT_AND,
    UNPARSE_SHIFT,
    UNPARSE_SUM,
    UNPARSE_PRODUCT,
    UNPARSE_UNARY,
    UNPARSE_POWER,
    UNPARSE_ATOM
} unparse_prec;

/* Who wants to print some nodes in another way: `node` appends the text of n, in brackets if it
 * binds less than `least`, and returns true; or returns false, and n is printed as it stands. It
 * may call unparse for parts of n. */
typedef struct unparser {
    strbuf *out;
    bool (*node)(struct unparser *u, const node *n, unparse_prec least);
    void *arg;
} unparser;

/* Appends the text of the expression n. Comprehensions, lambdas, f-strings, `await`, `yield`, `:=`
 * and containers other than tuples and lists have no text: see unparse_can. */
void unparse(unparser *u, const node *n, unparse_prec least);
/* Has unparse a text for n, as far as `node` does not print it? */
bool unparse_can(const node *n);
/* How strongly the text of n binds, without brackets around it. */
unparse_prec unparse_prec_of(const node *n);
/* The operator as Python spells it: "+", "not in". */
const char *unparse_op(ast_op op);

#endif
