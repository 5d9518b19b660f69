/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the tree that a function of the intermediate form becomes on its way to plain CUDA C++:
 * expressions (cx), statements (cs) and variables (cv). All of them live in c->module.
 *
 * Expressions do not change once they are part of a statement, so that several statements may
 * share one; a statement stands in one list. */
#ifndef WEFT_CUDA_NODE_H
#define WEFT_CUDA_NODE_H

#include "cudarule/cudarule_template.h"
#include "ir/ir.h"

#define CUDA_NO_VAR UINT32_MAX

typedef enum cx_kind {
    CX_VAR,       /* a variable; of a reference type: the place it refers to */
    CX_CONST,     /* k */
    CX_NUMBER,    /* an int, in `number` */
    CX_CALL,      /* of a builtin `name` */
    CX_USER,      /* of a function of the program, `callee`; its adjoint if `adjoint` */
    CX_COMPARE,   /* args[0] name args[1] */
    CX_AND,       /* of two bools */
    CX_OR,        /* of two bools */
    CX_NOT,       /* of a bool */
    CX_COND,      /* args[0] ? args[1] : args[2] */
    CX_LOAD,      /* the value at a place */
    CX_ELEMENT,   /* place: array args[0] at the indices behind it */
    CX_VIEW,      /* array args[0] at indices and slices: an array of fewer dimensions */
    CX_SLICE,     /* start, stop, step; an open bound is NULL */
    CX_FIELD,     /* place: member `name` of the place args[0] */
    CX_COMPONENT, /* place: component of the vector or matrix at args[0]; one or two indices */
    CX_SHAPE,     /* of array args[0] */
    CX_SIZE,      /* of the shape args[0] in dimension args[1] */
    CX_STRUCT,    /* a struct of all its fields, or of none */
    CX_ATOMIC,    /* builtin `name` at the place args[0], with values; gives the old value */
    CX_TEXT,      /* `text` with args in its holes */
    CX_ZERO       /* T{} */
} cx_kind;
enum { CX_KINDS = CX_ZERO + 1 };

typedef struct cx {
    uint8_t kind;
    bool adjoint;
    bool block_size; /* TEXT: the number of threads of a block */
    uint8_t op;      /* CALL, ATOMIC: cuda_op (cuda_builtin.h) */
    uint32_t nargs;
    uint32_t id; /* the same for what a pass copies or moves: cuda_flow.h follows it */
    uint32_t var;
    uint32_t line; /* of the Python statement; 0: of none */
    int64_t number;
    const type *type;
    const value *k;
    str name;
    const ir_unit *callee;
    const cuda_template *text;
    struct cx **args;
} cx;

typedef enum cs_kind {
    CS_SET,  /* to = e; `add`: to += e; `sub`: to -= e */
    CS_CALL, /* e for its effects; outputs are written */
    CS_IF,
    CS_FOR,
    CS_LOOP, /* while (e) body; e NULL: for ever */
    CS_BREAK,
    CS_CONTINUE,
    CS_RETURN, /* e or NULL */
    CS_ASSERT, /* e; text */
    CS_GOTO,   /* label: only until cuda_structurize */
    CS_LABEL
} cs_kind;

typedef struct cs cs;

typedef struct cs_list {
    cs **v;
    uint32_t n, cap;
} cs_list;

struct cs {
    uint8_t kind;
    bool add, sub;
    bool choice;    /* SET that a conditional expression of Python became */
    bool declares;  /* SET, FOR: `to` is declared here */
    bool reverse;   /* FOR: from the last to the first */
    bool back;      /* FOR: of the reverse list */
    bool strided;   /* FOR from 0 by 1: the threads of a block share its rounds */
    bool is_const;  /* declares: nothing else writes to it */
    uint32_t id;    /* as an expression's: of what it sets or does */
    uint32_t from;  /* an adjoint that is summed up: nothing happens if it is zero */
    uint32_t line;  /* of the source */
    uint32_t label; /* GOTO, LABEL */
    uint32_t var;   /* FOR */
    cx *to, *e;
    cx *start, *stop, *step; /* FOR */
    cs_list body, orelse;
    bool updates;      /* CALL: its outputs are read before they are written */
    uint32_t *outputs; /* CALL: variables among the arguments that it writes */
    uint32_t noutputs;
    str text;
    struct live_at_head *live; /* LOOP, FOR: what cuda_live.c knows of it */
    VEC(uint32_t) decls;       /* variables that are declared before it, without a value */
};

typedef struct cv {
    const type *type;
    str hint;                 /* Python's name, or one made of the first definition; may be empty */
    bool python;              /* the hint is Python's */
    bool param, adjoint, out; /* out: a reference parameter, read by the caller */
    bool zero;                /* may be read before it is set */
    uint32_t defs, uses;
    uint32_t same;          /* the variable it is joined with, or itself */
    str name;               /* in the end */
    cx *value;              /* fold: what stands for it */
    cx *view;               /* arrays: what it is a view of, as it was read */
    const cx *origin;       /* for its name: what it was first set to */
    uint8_t sizes, strides; /* arrays: which of them the text says, by dimension */
    uint8_t indices;        /* wp.indexedarray: the same of its lists of indices */
    bool written;           /* arrays: something is stored through the pointer */
    bool mentioned;         /* the text names it */
    bool bound, aliased; /* a local reference that has a place; a variable that is changed by one */
    bool counts;         /* FOR: never negative */
    bool
        escapes; /* arrays: differs in each round of the loop that sets it, and is used behind it */
} cv;

#endif
