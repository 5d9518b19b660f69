/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a tree exactly as ast.dump(tree, include_attributes=True) of CPython 3.11 does, for `weft
 * compile --emit ast`. Example: `x` becomes
 *
 *     Module(body=[Expr(value=Name(id='x', ctx=Load(), lineno=1, col_offset=0, end_lineno=1,
 *     end_col_offset=1), lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)], type_ignores=[])
 *
 * in one line. tests/oracle/ast_check.py compares both outputs byte for byte over the standard
 * library, which shows that the parser agrees with CPython. */
#include "base/assert.h"
#include "syntax/parser.h"
#include "syntax/py_repr.h"

typedef struct dumper {
    strbuf *out;
    bool first; /* no comma before the next field */
} dumper;

static void dump(strbuf *out, const node *n);

static const char *const op_names[OP_COUNT] = {
    [OP_Add] = "Add",
    [OP_Sub] = "Sub",
    [OP_Mult] = "Mult",
    [OP_MatMult] = "MatMult",
    [OP_Div] = "Div",
    [OP_Mod] = "Mod",
    [OP_Pow] = "Pow",
    [OP_LShift] = "LShift",
    [OP_RShift] = "RShift",
    [OP_BitOr] = "BitOr",
    [OP_BitXor] = "BitXor",
    [OP_BitAnd] = "BitAnd",
    [OP_FloorDiv] = "FloorDiv",
    [OP_Invert] = "Invert",
    [OP_Not] = "Not",
    [OP_UAdd] = "UAdd",
    [OP_USub] = "USub",
    [OP_And] = "And",
    [OP_Or] = "Or",
    [OP_Eq] = "Eq",
    [OP_NotEq] = "NotEq",
    [OP_Lt] = "Lt",
    [OP_LtE] = "LtE",
    [OP_Gt] = "Gt",
    [OP_GtE] = "GtE",
    [OP_Is] = "Is",
    [OP_IsNot] = "IsNot",
    [OP_In] = "In",
    [OP_NotIn] = "NotIn",
};

/* Writes "name=" and the comma before it. */
static void key(dumper *d, const char *name)
{
    if (!d->first)
        SB_LIT(d->out, ", ");
    d->first = false;
    sb_c(d->out, name);
    sb_char(d->out, '=');
}

static void put_sym(dumper *d, const char *name, const sym *s)
{
    key(d, name);
    py_repr_str(d->out, sym_str(s));
}

/* ast.dump leaves out optional fields that are None; that holds for all three put_optional
 * functions. */
static void put_optional_sym(dumper *d, const char *name, const sym *s)
{
    if (s)
        put_sym(d, name, s);
}

static void put_node(dumper *d, const char *name, const node *n)
{
    key(d, name);
    dump(d->out, n);
}

static void put_optional_node(dumper *d, const char *name, const node *n)
{
    if (n)
        put_node(d, name, n);
}

/* A NULL item is printed as None: kw_defaults=[None, Constant(...)]. */
static void put_list(dumper *d, const char *name, node_list list)
{
    key(d, name);
    sb_char(d->out, '[');
    for (uint32_t i = 0; i < list.n; i++) {
        if (i)
            SB_LIT(d->out, ", ");
        if (list.v[i])
            dump(d->out, list.v[i]);
        else
            SB_LIT(d->out, "None");
    }
    sb_char(d->out, ']');
}

static void put_nonempty_list(dumper *d, const char *name, node_list list)
{
    if (list.n)
        put_list(d, name, list);
}

static void put_syms(dumper *d, const char *name, sym_list list)
{
    key(d, name);
    sb_char(d->out, '[');
    for (uint32_t i = 0; i < list.n; i++) {
        if (i)
            SB_LIT(d->out, ", ");
        py_repr_str(d->out, sym_str(list.v[i]));
    }
    sb_char(d->out, ']');
}

/* Operators are nodes without fields in CPython: "Add()". */
static void put_op_name(dumper *d, uint8_t op)
{
    WEFT_ASSERT(op < OP_COUNT);
    sb_c(d->out, op_names[op]);
    SB_LIT(d->out, "()");
}

static void put_op(dumper *d, const char *name, uint8_t op)
{
    key(d, name);
    put_op_name(d, op);
}

static void put_ops(dumper *d, const char *name, op_list list)
{
    key(d, name);
    sb_char(d->out, '[');
    for (uint32_t i = 0; i < list.n; i++) {
        if (i)
            SB_LIT(d->out, ", ");
        put_op_name(d, list.v[i]);
    }
    sb_char(d->out, ']');
}

static void put_int(dumper *d, const char *name, int x)
{
    key(d, name);
    sb_int(d->out, x);
}

/* The context is a node without fields as well. */
static void put_ctx(dumper *d, const char *name, uint8_t x)
{
    key(d, name);
    sb_c(d->out, x == CTX_Load ? "Load()" : x == CTX_Store ? "Store()" : "Del()");
}

/* Values are printed as repr prints them. */
static void put_constant(dumper *d, const char *name, const constant *c)
{
    key(d, name);
    py_repr_constant(d->out, c);
}

static void put_optional_str(dumper *d, const char *name, const str *s)
{
    if (!s)
        return;
    key(d, name);
    py_repr_str(d->out, *s);
}

/* How each kind of field of ast.def is printed. */
#define ID(f)   put_sym(&d, #f, x->f);
#define OID(f)  put_optional_sym(&d, #f, x->f);
#define N(f)    put_node(&d, #f, x->f);
#define ON(f)   put_optional_node(&d, #f, x->f);
#define L(f)    put_list(&d, #f, x->f);
#define LO(f)   put_list(&d, #f, x->f);
#define LE(f)   put_nonempty_list(&d, #f, x->f);
#define LID(f)  put_syms(&d, #f, x->f);
#define OP(f)   put_op(&d, #f, x->f);
#define LOP(f)  put_ops(&d, #f, x->f);
#define INT(f)  put_int(&d, #f, x->f);
#define CTX(f)  put_ctx(&d, #f, x->f);
#define CST(f)  put_constant(&d, #f, &x->f);
#define OSTR(f) put_optional_str(&d, #f, x->f);

/* One function per class keeps the stack frame of the recursion small. */
#define NODE(name, group, fields)                                                                  \
    static dumper dump_##name(strbuf *out, const ast_##name *x)                                    \
    {                                                                                              \
        dumper d = {out, true};                                                                    \
        SB_LIT(out, #name "(");                                                                    \
        (void)x;                                                                                   \
        fields return d;                                                                           \
    }
#include "syntax/ast.def"
#undef NODE

/* The column GROUP of ast.def. It decides one thing: whether nodes of the class carry a place. */
typedef enum group {
    G_MOD,
    G_STMT,
    G_EXPR,
    G_EXCEPT,
    G_ARGS,
    G_ARG,
    G_KEYWORD,
    G_ALIAS,
    G_WITHITEM,
    G_CASE,
    G_PATTERN,
    G_TYPE_PARAM
} group;

static const uint8_t groups[AST_COUNT] = {
#define NODE(name, group, fields) G_##group,
#include "syntax/ast.def"
#undef NODE
};

/* CPython's classes without the attributes lineno, col_offset, end_lineno and end_col_offset. */
static bool has_place(const node *n)
{
    WEFT_ASSERT(n->kind < AST_COUNT);
    group g = (group)groups[n->kind];
    return g != G_MOD && g != G_ARGS && g != G_WITHITEM && g != G_CASE;
}

/* Prints all of n but its attributes and the closing bracket. Returns whether a comma is needed
 * next. */
static dumper dump_fields(strbuf *out, const node *n)
{
    switch ((node_kind)n->kind) {
#define NODE(name, group, fields)                                                                  \
    case AST_##name:                                                                               \
        return dump_##name(out, (const ast_##name *)(const void *)n);
#include "syntax/ast.def"
#undef NODE
    case AST_COUNT: break;
    }
    return (dumper){out, true};
}

static void dump(strbuf *out, const node *n)
{
    dumper d = dump_fields(out, n);
    if (has_place(n)) {
        put_int(&d, "lineno", (int)n->line);
        put_int(&d, "col_offset", (int)n->col);
        put_int(&d, "end_lineno", (int)n->end_line);
        put_int(&d, "end_col_offset", (int)n->end_col);
    }
    sb_char(out, ')');
}

/* Bytes after which the output is flushed: the text of a large file need not be in memory at once.
 */
enum { PIECE = 1 << 20 };

/* The module's own row of ast.def is not used: its statements are flushed one after the other. */
void ast_dump_module(strbuf *out, const ast_Module *m, void (*flush)(void *, strbuf *), void *arg)
{
    SB_LIT(out, "Module(body=[");
    for (uint32_t i = 0; i < m->body.n; i++) {
        if (i)
            SB_LIT(out, ", ");
        dump(out, m->body.v[i]);
        if (out->n >= PIECE)
            flush(arg, out);
    }
    /* Type comments are not read, so there are never type_ignores. */
    SB_LIT(out, "], type_ignores=[])");
    flush(arg, out);
}
