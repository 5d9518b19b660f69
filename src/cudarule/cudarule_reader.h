/* SPDX-License-Identifier: Apache-2.0 */
/* The language of rules: words, the variables and types that they name, expressions, statements. */
#ifndef WEFT_CUDARULE_READER_H
#define WEFT_CUDARULE_READER_H

#include "cudarule/cudarule_code.h"
#include "cudarule/cudarule_match.h"

/* A name in a rule's text. */
typedef struct cuda_var {
    str name;
    cuda_expr e;
    bool is_array; /* of e.type */
    bool unwanted; /* an adjoint: statements that change it are left out */
} cuda_var;

/* One reading of a rule's text for the types and arguments of one call. */
typedef struct cuda_run {
    cuda_defs *n;
    const cuda_binding *b;
    const char *p; /* rest of the rule's text */
    VEC(cuda_var) vars;
    cuda_codes *out; /* statements */
    int lane;        /* of '#'; -1: in a loop */
    uint32_t temps;  /* variables made for sums */
    bool in_place;   /* among the caller's lines: the rule must declare no variable */
} cuda_run;

void cuda_skip_space(cuda_run *r);
bool cuda_accept(cuda_run *r, const char *token);
/* Tables are ours: a rule that lacks the token is a fault of the program. */
void cuda_expect(cuda_run *r, const char *token);
str cuda_word(cuda_run *r); /* an identifier; empty: none stands here */
cuda_var *cuda_var_find(cuda_run *r, str name);
const type *cuda_named_type(cuda_run *r, str name);
/* A statement of one line. */
void cuda_put_line(cuda_run *r, str text);
/* "for (int i = from; i < to; i++)" */
cuda_code *cuda_put_loop(cuda_run *r, str i, str from, str to);
/* `lanes` loops, one for each of the type's dimensions: statements go into the inner one from now
 * on, until r->out is what it was. */
void cuda_put_loops(cuda_run *r, const type *t, int from);

/* cudarule_expr.c */
/* An expression in a rule's text: a number still without a type has type NULL. */
typedef struct cuda_term {
    cuda_expr e;
    double number;
} cuda_term;

cuda_term cuda_term_read(cuda_run *r);
cuda_expr cuda_typed(cuda_run *r, const cuda_term *t, const type *want);

/* cudarule_stmt.c */
void cuda_statements(cuda_run *r); /* up to the text's end or '}' */

#endif
