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

#define W(g, lit) sb_put((g)->text.out, "" lit, sizeof(lit) - 1)

/* --- gen_type.c --------------------------------------------------------------------------- */
void put_type(gen *g, gtype t);     /* as an annotation or a dtype */
void declare_type(gen *g, gtype t); /* gives it its name, if it needs one of the file's */
void put_cast(gen *g, gtype t);     /* "float(" and the like, up to the bracket */
void put_array_type(gen *g, gtype t, int rank);
void put_type_name(strbuf *b, gtype t);  /* "vec3f": Warp's own name */
void put_fn(gen *g, gen_fn fn, gtype t); /* "wp.NAME(", called with t (gen_builtin.def says how) */
void put_prefix(gen *g, gen_fn fn);      /* the same, for builtins without a type */

/* --- gen_literal.c ------------------------------------------------------------------------ */
bound put_literal(gen *g, want w, int prec);
void put_int_literal(gen *g, gtype t, int value);
void put_float_literal(gen *g, gtype t, const char *text);

#endif
