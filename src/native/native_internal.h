/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of src/native share.
 *
 *     text -> lines that count   native_lines.c     -> tokens   native_token.c
 *     -> typed nodes             native_type.c, native_expr.c, native_call.c, native_stmt.c
 *     nodes run                  native_eval.c, native_call.c, native_stmt.c
 *
 * C++ has types before it runs, so a node has its type when it is read. A node that is run returns
 * the address of its value: that of the variable or element for what can be assigned to, else the
 * node's own room. A snippet does not call itself, so a node has one room. */
#ifndef WEFT_NATIVE_NATIVE_INTERNAL_H
#define WEFT_NATIVE_NATIVE_INTERNAL_H

#include <setjmp.h>

#include "arith/arith_op.h"
#include "base/assert.h"
#include "base/vec.h"
#include "native/native.h"

/* Limits for hostile text: depth of expressions and blocks; tokens; elements of a local array. */
enum { NATIVE_DEPTH = 100, NATIVE_TOKENS = 20000, NATIVE_ELEMENTS = 4096, NATIVE_ARGS = 32 };

/* Operators of nnode.op that are no single characters. */
enum { NOP_SHL = 'l', NOP_SHR = 'r', NOP_LE = 'L', NOP_GE = 'G', NOP_EQ = '=', NOP_NE = 'n' };

/* A type: t, or a pointer to t. {NULL, false}: void; {NULL, true}: nullptr's. */
typedef struct ntype {
    const type *t;
    bool ptr;
} ntype;

/* A pointer's value: `at` is in [begin, end) where it may be used. */
typedef struct nptr {
    uint8_t *at, *begin, *end;
    const array_data *data; /* NULL: a variable */
} nptr;

typedef enum ntoken_kind { NT_END, NT_NAME, NT_INT, NT_FLOAT, NT_STRING, NT_SIGN } ntoken_kind;

/* A name has its scopes with it: wp::vec3, std::min. */
typedef struct ntoken {
    ntoken_kind kind;
    str text;
    uint32_t line;
} ntoken;

typedef struct nnode nnode;
typedef struct nstmt nstmt;
typedef void *neval_fn(native_fn *f, nnode *n);

typedef struct nvar {
    str name;
    ntype type;
    uint8_t *at, *room; /* where it is; its own storage, of `size` bytes */
    size_t size;
    uint32_t count; /* elements of a local array; 0: none */
    bool set;       /* it has a value, as far as this run has come */
    uint8_t depth;  /* of the block that declares it */
} nvar;

struct nnode {
    neval_fn *eval;
    ntype type;
    nnode *kid[3];
    nnode **args; /* of a call */
    uint32_t nargs, line;
    void *room;
    nvar *var;
    int op;           /* a sign, a scalar_op, ... */
    size_t offset;    /* of a member */
    bool place;       /* it can be assigned to */
    bool writes;      /* it is assigned to */
    arith_op arith;   /* of a call */
    void **operands;  /* of arith */
    const void *what; /* a row of native_call.def */
};

typedef enum nflow { NFLOW_NEXT, NFLOW_BREAK, NFLOW_CONTINUE, NFLOW_RETURN } nflow;
typedef nflow nexec_fn(native_fn *f, nstmt *s);

struct nstmt {
    nexec_fn *exec;
    nnode *value, *step; /* a condition, an initializer ...; of `for` */
    nstmt *first, *body, *orelse, *next;
    nvar *var;
    nnode **items; /* of {...} */
    uint32_t nitems, line;
};

struct native_fn {
    ctx *c;
    arena *a;
    nvar **params;
    const native_param *declared;
    uint32_t nparams;
    const type *result;
    nstmt *body;
    /* while it runs */
    void *out;
    uint64_t steps;
    jmp_buf fail;
    native_end end;
    native_problem *why;
};

typedef struct nreader {
    ctx *c;
    arena *a;
    native_fn *f;
    jmp_buf fail;
    native_problem *why;
    VEC(ntoken) tokens;
    uint32_t at;
    VEC(nvar *) vars; /* those in scope, the innermost last */
    uint32_t depth, nesting;
} nreader;

/* --- reading; these leave by longjmp */
/* "cannot execute WHAT" is what the caller says. */
_Noreturn void native_refuse(nreader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
str native_lines(nreader *r, str text, bool cuda);
void native_tokens(nreader *r, str text);
const ntoken *native_peek(const nreader *r, uint32_t ahead);
bool native_is(const nreader *r, const char *text);
bool native_accept(nreader *r, const char *text);
void native_expect(nreader *r, const char *text);
/* Begins a type here? `auto` does not. */
bool native_type_starts(nreader *r);
/* A type without the & behind it. */
ntype native_type_read(nreader *r);
size_t native_size(ntype t);
nvar *native_declare(nreader *r, str name, ntype t, uint32_t count);
nnode *native_node(nreader *r, neval_fn *eval, ntype t);
nnode *native_expression(nreader *r); /* with commas */
nnode *native_assignment(nreader *r); /* without */
nnode *native_convert(nreader *r, nnode *n, ntype t);
nnode *native_condition(nreader *r, nnode *n);
nnode *native_to_place(nreader *r, nnode *n); /* it is assigned to */
nnode *native_call(nreader *r, str name, uint32_t line);
nnode *native_construct(nreader *r, const type *t, nnode **args, uint32_t n);
/* An operation of src/arith; NULL: there is none of this name and these types. */
nnode *native_arith(nreader *r, const char *name, const type *constructs, nnode **args, uint32_t n);

/* --- running; these leave by longjmp */
_Noreturn void native_fail(native_fn *f, const nnode *n, native_end end, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static inline void *native_eval(native_fn *f, nnode *n)
{
    return n->eval(f, n);
}
nflow native_exec(native_fn *f, nstmt *s);
num native_number(native_fn *f, nnode *n);
/* The address of n bytes behind the pointer, checked. */
uint8_t *native_access(native_fn *f, const nnode *n, const nptr *p, const type *t, bool writes);
void native_step(native_fn *f, const nnode *n);
/* native_operator.c: see the comments there for what a node of each has. */
neval_fn native_eval_room, native_eval_var, native_eval_decayed, native_eval_data,
    native_eval_extent, native_eval_deref, native_eval_component, native_eval_member,
    native_eval_address, native_eval_moved, native_eval_same_address, native_eval_not_null,
    native_eval_as, native_eval_same, native_eval_comma, native_eval_choice, native_eval_both,
    native_eval_unary, native_eval_compare, native_eval_binary, native_eval_assign,
    native_eval_cast;

static inline bool native_is_scalar(ntype t)
{
    return t.t && !t.ptr && type_is_scalar(t.t);
}

#endif
