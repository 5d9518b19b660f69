/* SPDX-License-Identifier: Apache-2.0 */
/* How text is written: the buffers, and the precedences of Python. There is no tree: an expression
 * is written from left to right, and what binds weaker than its place allows gets brackets:
 *
 *     a + b in the place of a factor (PREC_PRODUCT)  ->  (a + b)
 */
#ifndef WEFT_GEN_GEN_TEXT_H
#define WEFT_GEN_GEN_TEXT_H

#include "gen/gen_thing.h"

/* Python's precedences, weakest first. */
enum {
    PREC_TERNARY, /* a if c else b; a place that takes anything */
    PREC_OR,      /* a or b */
    PREC_AND,     /* a and b */
    PREC_NOT,     /* not a */
    PREC_COMPARE, /* a < b */
    PREC_BIT_OR,  /* a | b */
    PREC_BIT_XOR, /* a ^ b */
    PREC_BIT_AND, /* a & b */
    PREC_SHIFT,   /* a << 2 */
    PREC_SUM,     /* a + b, a - b */
    PREC_PRODUCT, /* a * b, a / b, a % b, a @ b */
    PREC_UNARY,   /* -a, ~a */
    PREC_POWER,   /* a ** b */
    PREC_ATOM     /* names, literals, calls, elements */
};

/* Blocks in blocks; types of a file that Warp has no name for. No kernel comes near either. */
enum { INDENT_MAX = 12, ALIASES_MAX = 24 };

/* A name of the file for a vector or matrix type: `Vec5 = wp.types.vector(length=5, ...)`. */
typedef struct galias {
    gtype t;
    str name;
} galias;

/* Where text goes, and what it is put together from in the end. */
typedef struct gen_text {
    strbuf *out;       /* where text goes now: body, or head while a helper is written */
    strbuf head;       /* definitions before the kernel, each found by its range of bytes */
    strbuf body;       /* of the kernel */
    strbuf whole;      /* the file, put together last; before, room for pieces */
    strbuf type_names; /* the lines of `aliases`, in front of everything but the imports */
    galias aliases[ALIASES_MAX];
    uint32_t naliases;
    int indent;
} gen_text;

#endif
