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
    PREC_TERNARY,
    PREC_OR,
    PREC_AND,
    PREC_NOT,
    PREC_COMPARE,
    PREC_BIT_OR,
    PREC_BIT_XOR,
    PREC_BIT_AND,
    PREC_SHIFT,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_POWER,
    PREC_ATOM
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
