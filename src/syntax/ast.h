/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax tree of Python, with the classes and fields of CPython's ast module (ast.def).
 * Nodes live in the arena that the parser was given and refer to symbols of its interner; nobody
 * changes a tree after parse_module has returned it.
 *
 * Example: `x = a + 1` is
 *
 *     Assign(targets=[Name(id='x', ctx=Store())],
 *            value=BinOp(left=Name(id='a', ctx=Load()), op=Add(), right=Constant(value=1)))
 *
 * and AST(BinOp, n)->left is the Name `a`. */
#ifndef WEFT_SYNTAX_AST_H
#define WEFT_SYNTAX_AST_H

#include "base/source.h"
#include "base/sym.h"

/* AST_Module, AST_FunctionDef, ...: one value for each row of ast.def. */
typedef enum node_kind {
#define NODE(name, group, fields) AST_##name,
#include "syntax/ast.def"
#undef NODE
    AST_COUNT
} node_kind;

/* Operators of all four kinds of CPython (operator, unaryop, boolop, cmpop) in one enum: a field
 * of class OP holds any of them. */
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

/* What happens to a name, attribute, item, tuple or list: it is read, assigned or deleted. */
typedef enum ast_ctx { CTX_Load, CTX_Store, CTX_Del } ast_ctx;

/* The head of every node. Places are CPython's: lines from 1, columns from 0 in bytes of UTF-8,
 * and the end is behind the last byte. Classes without a place (ast.def) have 0 or an internal
 * place that is never printed. */
typedef struct node {
    uint8_t kind; /* node_kind */
    uint32_t line, col, end_line, end_col;
} node;

/* Lists are arrays in the tree's arena; v is NULL if n is 0. */
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

/* Which value a Constant has, and which member of the union holds it. */
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
#define LE(f)   node_list f;
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
#undef LE
#undef LID
#undef OP
#undef LOP
#undef INT
#undef CTX
#undef CST
#undef OSTR

/* n as its own class; n->kind must be AST_##name. */
#define AST(name, n) ((ast_##name *)(n))

/* Calls visit(arg, child) for every node directly below n, in the order of the fields. Missing
 * children (NULL) are skipped. */
void ast_each_child(const node *n, void (*visit)(void *arg, const node *child), void *arg);

/* "wp.array" of a name or a chain of attributes; NULL: the expression is another. In the arena. */
const char *ast_dotted(arena *a, const node *n);

enum { AST_MAX_DEPTH = 3000 }; /* nodes above one another; three times CPython's recursion limit */

/* Returns a statement below which the tree is deeper than AST_MAX_DEPTH, or NULL. Passes recurse
 * over the tree, and `a + a + a + ...` makes one level for each operator. */
const node *ast_too_deep(const node *tree);

/* The class as Python spells it: "FunctionDef". For messages. */
const char *node_kind_name(node_kind k);

/* The place of n as diagnostics take it. src: the file that n was parsed from. */
static inline span node_span(const source *src, const node *n)
{
    return (span){src, n->line, n->col, n->end_line, n->end_col};
}

#endif
