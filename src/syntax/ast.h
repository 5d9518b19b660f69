/* The syntax tree of Python 3.11, as CPython's ast module names it. Nodes live in the arena that
 * the parser was given and refer to symbols of its interner. AST(BinOp, n)->left is the access. */
#ifndef WEFT_SYNTAX_AST_H
#define WEFT_SYNTAX_AST_H

#include "base/source.h"
#include "base/sym.h"

typedef enum node_kind {
#define NODE(name, group, fields) AST_##name,
#include "syntax/ast.def"
#undef NODE
    AST_COUNT
} node_kind;

typedef enum ast_op {
    OP_Add,
    OP_Sub,
    OP_Mult,
    OP_MatMult,
    OP_Div,
    OP_Mod,
    OP_Pow,
    OP_LShift,
    OP_RShift,
    OP_BitOr,
    OP_BitXor,
    OP_BitAnd,
    OP_FloorDiv,
    OP_Invert,
    OP_Not,
    OP_UAdd,
    OP_USub,
    OP_And,
    OP_Or,
    OP_Eq,
    OP_NotEq,
    OP_Lt,
    OP_LtE,
    OP_Gt,
    OP_GtE,
    OP_Is,
    OP_IsNot,
    OP_In,
    OP_NotIn,
    OP_COUNT
} ast_op;

typedef enum ast_ctx { CTX_Load, CTX_Store, CTX_Del } ast_ctx;

typedef struct node {
    uint8_t kind; /* node_kind */
    uint32_t line, col, end_line, end_col;
} node;

typedef struct node_list {
    node **v;
    uint32_t n;
} node_list;

typedef struct sym_list {
    const sym **v;
    uint32_t n;
} sym_list;

typedef struct op_list {
    uint8_t *v; /* ast_op */
    uint32_t n;
} op_list;

typedef enum const_kind {
    CONST_NONE,
    CONST_TRUE,
    CONST_FALSE,
    CONST_ELLIPSIS,
    CONST_INT,    /* i holds it */
    CONST_BIGINT, /* beyond 127 bits: text holds decimal digits, or "0x1f..." if they are many */
    CONST_FLOAT,
    CONST_IMAGINARY, /* f */
    CONST_STR,       /* text: UTF-8 (lone surrogates as WTF-8) */
    CONST_BYTES      /* text */
} const_kind;

typedef struct constant {
    const_kind kind;
    union {
        i128 i;
        double f;
        str text;
    };
} constant;

#define ID(f)   const sym *f;
#define OID(f)  const sym *f;
#define N(f)    node *f;
#define ON(f)   node *f;
#define L(f)    node_list f;
#define LO(f)   node_list f;
#define LID(f)  sym_list f;
#define OP(f)   uint8_t f;
#define LOP(f)  op_list f;
#define INT(f)  int f;
#define CTX(f)  uint8_t f;
#define CST(f)  constant f;
#define OSTR(f) str *f;
#define NODE(name, group, fields)                                                                  \
    typedef struct ast_##name {                                                                    \
        node base;                                                                                 \
        fields                                                                                     \
    } ast_##name;
#include "syntax/ast.def"
#undef NODE
#undef ID
#undef OID
#undef N
#undef ON
#undef L
#undef LO
#undef LID
#undef OP
#undef LOP
#undef INT
#undef CTX
#undef CST
#undef OSTR

/* n as its own class; n->kind must be AST_##name. */
#define AST(name, n) ((ast_##name *)(n))

/* Calls visit(arg, child) for every node directly below n. */
void ast_each_child(const node *n, void (*visit)(void *arg, const node *child), void *arg);

enum { AST_MAX_DEPTH = 3000 }; /* nodes above one another; CPython's default recursion limit * 3 */

/* A statement below which the tree is deeper than AST_MAX_DEPTH, or NULL. */
const node *ast_too_deep(const node *tree);

/* "FunctionDef", ... */
const char *node_kind_name(node_kind k);

static inline span node_span(const source *src, const node *n)
{
    return (span){src, n->line, n->col, n->end_line, n->end_col};
}

#endif
