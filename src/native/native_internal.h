/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of src/native share.
 *
 *     text -> lines that count   native_lines.c     -> tokens   native_token.c
 *     -> typed nodes             native_type.c, native_literal.c, native_expr.c, native_place.c,
 *                                native_call.c, native_atomic.c, native_stmt.c
 *     nodes run                  native_memory.c, native_operator.c, and what made the node
 *
 * C++ has types before it runs, so a node has its type when it is read. It is a value or a place:
 *
 *     a value: `eval` gives the address of its bytes, which are in the node's own room, or in that
 *              of a node below it. A snippet does not call itself, so a node has one room.
 *     a place: `find` gives a pointer to it. native_value puts a load above it where its value is
 *              wanted.
 *
 * A snippet is hostile until it is shown otherwise. No byte that it can reach holds an address of
 * this process: a pointer is the number of an object with a distance, an array is the number of a
 * view. Memory is reached by native_load and native_store alone, which check the object, that it
 * is alive, the bounds and the alignment; so a forged pointer would reach no more than a right one.
 * All the same there is no way to the bytes of pointers and arrays (native_is_plain). */
#ifndef WEFT_NATIVE_NATIVE_INTERNAL_H
#define WEFT_NATIVE_NATIVE_INTERNAL_H

#include <setjmp.h>

#include "arith/arith_op.h"
#include "base/assert.h"
#include "base/vec.h"
#include "native/native.h"

/* Limits for hostile text: nested expressions and blocks; operators above each other; tokens;
 * variables; elements of a local array; arguments; bytes of all variables and values. */
enum {
    NATIVE_NESTING = 64,
    NATIVE_DEPTH = 200,
    NATIVE_TOKENS = 20000,
    NATIVE_VARS = 400,
    NATIVE_ELEMENTS = 4096,
    NATIVE_ARGS = 32,
    NATIVE_BYTES = 1 << 20
};

/* Operators of nnode.op that are no single characters. */
enum { NOP_SHL = 'l', NOP_SHR = 'r', NOP_LE = 'L', NOP_GE = 'G', NOP_EQ = '=', NOP_NE = 'n' };

/* A type: t, a pointer to t, or an array of `count` t. {NULL}: void; {NULL, ptr}: nullptr's. */
typedef struct ntype {
    const type *t;
    bool ptr;
    uint32_t count;
} ntype;

/* The value of a pointer: byte `at` of an object in the life that it had then. Object 0: none. */
typedef struct nptr {
    uint32_t object, life;
    int64_t at;
} nptr;

/* What pointers can point into: a variable, or the data of an array. */
typedef struct nobject {
    uint8_t *bytes;
    uint8_t *set; /* for each byte: it has been written; NULL: all have */
    size_t size;
    uint32_t life;          /* grows whenever the variable begins or ends to live */
    const array_data *data; /* NULL: a variable */
    str name;
} nobject;

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
typedef nptr nfind_fn(native_fn *f, nnode *n);

typedef struct nvar {
    str name;
    ntype type;
    uint32_t object;   /* its number among the function's */
    bool is_reference; /* `bound` is where it is */
    bool sealed;
    nptr bound;
} nvar;

struct nnode {
    neval_fn *eval; /* a value */
    nfind_fn *find; /* a place */
    ntype type;
    nnode *kid[3];
    nnode **args; /* of a call */
    uint32_t nargs, line, depth;
    void *room;
    nvar *var;
    bool sealed;        /* a place within what holds arrays: it has no address */
    int op;             /* a sign, a scalar_op, ... */
    size_t offset;      /* of a member; bytes of a component */
    arith_op arith;     /* of a call */
    void **operands;    /* of arith */
    const void *native; /* a row of native_call.def */
};

typedef enum nflow { NFLOW_NEXT, NFLOW_BREAK, NFLOW_CONTINUE, NFLOW_RETURN } nflow;
typedef nflow nexec_fn(native_fn *f, nstmt *s);

typedef VEC(nvar *) nvars;

struct nstmt {
    nexec_fn *exec;
    nnode *value, *step; /* a condition, an initializer ...; of `for` */
    nstmt *first, *body, *orelse, *next;
    nvar *var;
    nvars ends;    /* variables that end to live behind it */
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
    VEC(nobject) objects; /* [0] is no object; then those of variables; while it runs, of arrays */
    uint32_t nvariables;
    VEC(native_use) uses;
    VEC(const array_view *) views; /* an array's value is a place here, plus one */
    bool cuda;
    /* while it runs */
    void *out;
    uint64_t steps, polled; /* left; since an interrupt was looked for */
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
    nvars vars; /* those in scope, the innermost last */
    uint32_t nesting, nvars, loops;
    size_t bytes;
} nreader;

/* --- reading; these leave by longjmp */
/* "cannot execute WHAT" is what the caller says. */
_Noreturn void native_refuse(nreader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Behind a comment, or `at` where none begins; behind a string or character. Those that are not
 * closed end with the text. */
size_t native_comment_end(str s, size_t at);
size_t native_string_end(str s, size_t at);
bool native_string_starts(str s, size_t at);
str native_lines(nreader *r, str text, bool cuda);
void native_tokens(nreader *r, str text);
const ntoken *native_peek(const nreader *r, uint32_t ahead);
bool native_is(const nreader *r, const char *text);
bool native_accept(nreader *r, const char *text);
void native_expect(nreader *r, const char *text);

/* native_type.c */
/* Begins a type here? `auto` does not. */
bool native_type_starts(nreader *r);
/* A type without the & behind it. */
ntype native_type_read(nreader *r);
size_t native_size(ntype t);
bool native_same_type(ntype a, ntype b);
/* Bytes that the snippet may see as what it likes: numbers, vectors, structs of such. */
bool native_is_plain(const type *t);
/* Plain, an array of plain elements, or a struct of such. */
bool native_is_param(const type *t);
nvar *native_declare(nreader *r, str name, ntype t, bool is_reference);
/* `size` bytes of zeros, which count. */
void *native_room(nreader *r, size_t size);

/* native_expr.c, native_literal.c, native_place.c */
nnode *native_node(nreader *r, neval_fn *eval, ntype t);
nnode *native_place(nreader *r, nfind_fn *find, ntype t);
void native_kids(nreader *r, nnode *n, nnode *a, nnode *b, nnode *c);
void native_args(nreader *r, nnode *n, nnode *const *args, uint32_t nargs);
nnode *native_constant(nreader *r, type_kind k, num x);
nnode *native_int_literal(nreader *r, str s);
nnode *native_float_literal(nreader *r, str s);
nnode *native_expression(nreader *r); /* with commas */
nnode *native_assignment(nreader *r); /* without */
/* A value: of a place what it holds; of a local array a pointer to its first element. */
nnode *native_value(nreader *r, nnode *n);
nnode *native_convert(nreader *r, nnode *n, ntype t);
nnode *native_condition(nreader *r, nnode *n);
nnode *native_variable(nreader *r, nvar *v);
nnode *native_subscript(nreader *r, nnode *n, nnode *k);
nnode *native_member(nreader *r, nnode *n); /* the name follows */
nnode *native_dereferenced(nreader *r, nnode *n);
/* The data of an array, as a pointer. */
nnode *native_member_data(nreader *r, nnode *n);
nnode *native_address(nreader *r, nnode *n);
/* reinterpret_cast<T &>(place) */
nnode *native_reinterpreted(nreader *r, nnode *n, ntype t);
/* place = from */
nnode *native_assigned(nreader *r, nnode *place, nnode *from);

/* native_call.c, native_atomic.c */
nnode *native_call(nreader *r, str name);
nnode *native_construct(nreader *r, const type *t, nnode **args, uint32_t n);
/* An operation of src/arith; NULL: there is none of this name and these types. */
nnode *native_arith(nreader *r, const char *name, const type *constructs, nnode **args, uint32_t n);
/* A function of C or CUDA on numbers; NULL: there is none of this name and these types. */
nnode *native_number_call(nreader *r, str name, nnode **args, uint32_t n);
/* Makes the room that a run needs: what the text machine allocates while it runs is gone with the
 * run. */
void native_reserve(native_fn *f);
/* wp::address(array, indices) */
nnode *native_element(nreader *r, nnode **args, uint32_t n);
/* NULL: no atomic operation, copy, load or store has this name. */
nnode *native_memory_call(nreader *r, str name, nnode **args, uint32_t n);

/* --- running; these leave by longjmp */
_Noreturn void native_fail(native_fn *f, const nnode *n, native_end end, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void native_spend(native_fn *f, const nnode *n, uint64_t steps);
/* Each node that is evaluated takes a step. */
void *native_eval(native_fn *f, nnode *n);
nptr native_find(native_fn *f, nnode *n);
nflow native_exec(native_fn *f, nstmt *s);
num native_number(native_fn *f, nnode *n);
/* Copies a value from or to where the pointer points, checked. */
void native_load(native_fn *f, const nnode *n, nptr p, ntype t, void *to);
void native_store(native_fn *f, const nnode *n, nptr p, ntype t, const void *from);
/* The same of bytes, whether they have been written or not. */
void native_copy(native_fn *f, const nnode *n, nptr to, nptr from, size_t size);
/* The pointer, moved; a distance that no object has ends the run. */
nptr native_moved(native_fn *f, const nnode *n, nptr p, int64_t count, size_t size);
/* The data of an array: its number among the objects. */
uint32_t native_object_of(native_fn *f, const array_data *data);
/* The view of an array's value; NULL: it has none. */
const array_view *native_view(const native_fn *f, const void *bytes);
/* A variable begins, or ends, to live. */
void native_begin(native_fn *f, nvar *v, bool all_set);
void native_finish(native_fn *f, const nvar *v);

/* native_operator.c: see the comments there for what a node of each has. */
neval_fn native_eval_room, native_eval_same_address, native_eval_moved, native_eval_not_null,
    native_eval_same, native_eval_comma, native_eval_choice, native_eval_both, native_eval_unary,
    native_eval_compare, native_eval_binary, native_eval_cast;

static inline bool native_is_scalar(ntype t)
{
    return t.t && !t.ptr && !t.count && type_is_scalar(t.t);
}

/* A composite, not a pointer to one. */
static inline bool native_is_composite(ntype t)
{
    return t.t && !t.ptr && !t.count && type_is_composite(t.t);
}

static inline bool native_is_array(ntype t)
{
    return t.t && !t.ptr && !t.count && t.t->kind == TYPE_ARRAY;
}

#endif
