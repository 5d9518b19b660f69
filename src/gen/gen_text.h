/* How text is written: the buffer that it goes to, precedences, types and numbers as source text.
 * There is no tree: an expression is written from left to right, and what binds weaker than its
 * place asks for gets brackets: (PREC_SUM, in the place of a factor) a + b -> (a + b). */
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

enum { INDENT_MAX = 12, ALIASES_MAX = 24 };

/* A name of the file for a vector or matrix type: `Vec5 = wp.types.vector(length=5, ...)`. */
typedef struct galias {
    gtype t;
    str name;
} galias;

typedef struct gen_text {
    strbuf *out;  /* where text goes now: body, or head while a helper is written */
    strbuf head;  /* definitions before the kernel, each found by its range of bytes */
    strbuf body;  /* of the kernel */
    strbuf whole; /* the file, put together last; before, room for pieces */
    strbuf type_names;
    galias aliases[ALIASES_MAX];
    uint32_t naliases;
    int indent;
} gen_text;

#endif
