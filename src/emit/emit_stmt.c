/* SPDX-License-Identifier: Apache-2.0 */
/* Prints one statement by its operation's pattern. An example, with the pattern "$0 = $1($2..);":
 *
 *     CALL %2, @sq_0, %3        var_2 = sq_0(var_3);
 *
 * Text is written through a pointer that moves ahead of the builder's length; short pieces are
 * copied in one step of fixed size. Statements that no pattern describes (comparisons, assertions,
 * source lines) have functions of their own. */
#include "emit/emitter.h"

/* Room that is kept beyond what an operand needs: a piece of the pattern and small things. */
enum { SLACK = 64 };

_Static_assert(SLACK >= PIECE_TEXT + EMIT_NAME_TEXT, "a piece and a name's step fit");

/* A statement in work. `out->n` lags behind the pointer that the functions pass on. */
typedef struct printer {
    const emitter *e;
    strbuf *out;
    const ir_unit *u;
    const emit_name *names;
} printer;

/* Room for n bytes and the slack behind `to`. The buffer may move, so the pointer that is returned
 * replaces `to`. */
static inline char *need(const printer *p, char *to, size_t n)
{
    strbuf *b = p->out;
    const size_t used = (size_t)(to - b->p);
    if (b->cap - used >= n + SLACK)
        return to;
    b->n = used;
    sb_grow(b, n + SLACK);
    return b->p + used;
}

/* A variable's name; `prefix` has four bytes. */
static inline char *put_name(const printer *p, char *to, uint32_t var, const char *prefix)
{
    const emit_name *name = &p->names[var];
    to = need(p, to, name->len + 4);
    if (!name->bare) {
        memcpy(to, prefix, 4);
        to += 4;
    }
    if (name->len <= EMIT_NAME_TEXT)
        memcpy(to, name->text, EMIT_NAME_TEXT);
    else
        memcpy(to, name->label, name->len);
    return to + name->len;
}

/* A few bytes, or many. */
static char *put_text(const printer *p, char *to, str s)
{
    to = need(p, to, s.n);
    emit_copy(to, s.p, s.n);
    return to + s.n;
}

/* A decimal number. */
static char *put_number(const printer *p, char *to, uint32_t n)
{
    char digits[12];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    return put_text(p, to, (str){digits + at, sizeof digits - at});
}

/* A place; the builder's length is brought up to date around the call. */
static char *put_place(const printer *p, char *to, uint32_t place)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    emit_place(p->e, b, p->u, place);
    return need(p, b->p + b->n, 0);
}

/* A number as Warp 1.19 constant_str writes it. */
static char *put_literal(const printer *p, char *to, const value *v)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    value_emit(b, v);
    return need(p, b->p + b->n, 0);
}

/* "wp::add", "wp::adj_add", "replay_f_0": what the text calls, which depends on the pass. */
static char *put_callee(const printer *p, char *to, ir_arg a)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    const ir_arg_kind kind = ir_kind(a);
    if (kind == IR_ARG_CALLEE_ADJ_PTR)
        sb_char(b, '&');
    if (kind == IR_ARG_CALLEE_REPLAY)
        SB_LIT(b, "replay_");
    const bool adjoint = kind == IR_ARG_CALLEE_ADJ || kind == IR_ARG_CALLEE_ADJ_PTR;
    builtin_put_callee(b, &p->u->callees.v[ir_index(a)].native, adjoint);
    return need(p, b->p + b->n, 0);
}

/* "for_3", "while_4": the lowest bit distinguishes the two. */
static char *put_loop(const printer *p, char *to, uint32_t loop)
{
    to = put_text(p, to, loop & 1 ? STR("while_") : STR("for_"));
    return put_number(p, to, loop >> 1);
}

/* A statement within a statement, its semicolon included. */
static char *put_inner(const printer *p, char *to, uint32_t stmt)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    emit_stmt(p->e, b, p->u, &p->u->stmts.v[stmt]);
    return need(p, b->p + b->n, 0);
}

/* The context or a helper of deterministic mode. */
static char *put_det(const printer *p, char *to, uint32_t operand)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    emit_det_name(b, p->u, operand);
    return need(p, b->p + b->n, 0);
}

/* One operand by its kind. Indexes were checked by ir_verify. */
static inline char *put_arg(const printer *p, char *to, ir_arg a)
{
    const uint32_t i = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR: return put_name(p, to, i, "var_");
    case IR_ARG_ADJ: return put_name(p, to, i, "adj_");
    case IR_ARG_ADJ_PTR:
        to = need(p, to, 1);
        *to = '&';
        return put_name(p, to + 1, i, "adj_");
    case IR_ARG_PLACE: return put_place(p, to, i);
    case IR_ARG_CALLEE:
    case IR_ARG_CALLEE_ADJ:
    case IR_ARG_CALLEE_ADJ_PTR:
    case IR_ARG_CALLEE_REPLAY: return put_callee(p, to, a);
    case IR_ARG_LITERAL: return put_literal(p, to, p->u->literals.v[i]);
    case IR_ARG_TYPE: return put_text(p, to, p->u->types.v[i]->cname);
    case IR_ARG_FIELD: return put_text(p, to, sym_str(p->u->fields.v[i]));
    case IR_ARG_LOOP: return put_loop(p, to, i);
    case IR_ARG_COMPARE: return put_text(p, to, ir_compare_symbol(a));
    case IR_ARG_UPDATE: return put_text(p, to, ir_update_name(a));
    case IR_ARG_TEXT: return put_text(p, to, p->u->texts.v[i]);
    case IR_ARG_INT: return put_number(p, to, i);
    case IR_ARG_STMT: return put_inner(p, to, i);
    case IR_ARG_DET: return put_det(p, to, i);
    }
    return to;
}

/* Operands joined by ", ". */
static char *put_args(const printer *p, char *to, const ir_arg *args, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i) {
            to = need(p, to, 2);
            memcpy(to, ", ", 2);
            to += 2;
        }
        to = put_arg(p, to, args[i]);
    }
    return to;
}

/* Result, first operand, then per comparison an operator's text, its left operand from the second
 * on, and its right one: Warp 1.19 Adjoint.add_comp. `a < b < c` is ((a < b) && (b < c)). */
static char *put_comparison(const printer *p, char *to, const ir_arg *args, uint32_t n)
{
    WEFT_ASSERT(n >= 4);
    const uint32_t comparisons = (n - 1) / 3;
    to = put_arg(p, to, args[0]);
    to = put_text(p, to, STR(" = "));
    /* All opening brackets come first, since each comparison closes one. */
    for (uint32_t i = 0; i < comparisons; i++)
        to = put_text(p, to, STR("("));
    to = put_arg(p, to, args[1]);
    for (uint32_t i = 0, at = 2; i < comparisons; i++) {
        if (i) {
            to = put_text(p, to, STR(" && ("));
            to = put_arg(p, to, args[at + 1]);
        }
        to = put_text(p, to, STR(" "));
        to = put_arg(p, to, args[at]);
        to = put_text(p, to, STR(" "));
        /* Only the first comparison has its left operand before the operator's text. */
        to = put_arg(p, to, args[i ? at + 2 : at + 1]);
        to = put_text(p, to, i ? STR("))") : STR(")"));
        at += i ? 3 : 2;
    }
    return put_text(p, to, STR(";"));
}

/* The adjoint of a call with an initializer list: name({primals}, {adjoints}, adjoints of the
 * results). args[0] is the callee, args[1] the number of primals; primals, as many adjoints, and
 * the results' adjoints follow. */
static char *put_adjoint_list_call(const printer *p, char *to, const ir_arg *args, uint32_t n)
{
    WEFT_ASSERT(n >= 2 + 2 * ir_index(args[1]));
    const uint32_t primals = ir_index(args[1]);
    to = put_arg(p, to, args[0]);
    to = put_text(p, to, STR("({"));
    to = put_args(p, to, args + 2, primals);
    to = put_text(p, to, STR("}, {"));
    to = put_args(p, to, args + 2 + primals, primals);
    to = put_text(p, to, STR("}"));
    for (uint32_t i = 2 + 2 * primals; i < n; i++) {
        to = put_text(p, to, STR(", "));
        to = put_arg(p, to, args[i]);
    }
    return put_text(p, to, STR(");"));
}

/* Length in characters, as Python's ljust counts. */
static uint32_t code_points(str s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

/* A source line as a comment. Operands: text, depth, line number. Warp 1.19 Adjoint.set_lineno pads
 * the text to 80 columns less the indentation:
 *
 *     // a[i] = 1.0            ... spaces ...         <L 4>
 *     // adj: a[i] = 1.0       ... spaces ...    <L 4> */
static char *put_line(const printer *p, char *to, const ir_arg *args, bool adjoint)
{
    const str text = p->u->texts.v[ir_index(args[0])];
    const uint32_t depth = ir_index(args[1]), width = code_points(text);
    /* From 20 levels on nothing is padded. */
    const uint32_t room = 80u - 4u * (depth < 20 ? depth : 20u);
    const uint32_t pad = width < room ? room - width : 0;
    to = put_text(p, to, adjoint ? STR("// adj: ") : STR("// "));
    to = put_text(p, to, text);
    to = need(p, to, pad);
    memset(to, ' ', pad);
    to = put_text(p, to + pad, adjoint ? STR("  <L ") : STR("       <L "));
    to = put_number(p, to, ir_index(args[2]));
    return put_text(p, to, STR(">"));
}

/* assert(((void)"the statement",condition)); with quotes escaped. */
static char *put_assert(const printer *p, char *to, const ir_arg *args)
{
    const str s = p->u->texts.v[ir_index(args[0])];
    to = put_text(p, to, STR("assert(((void)\""));
    for (size_t from = 0, i = 0; i <= s.n; i++) {
        /* Text without quotes is copied in stretches; i == s.n ends the last one. */
        if (i < s.n && s.p[i] != '"')
            continue;
        to = put_text(p, to, (str){s.p + from, i - from});
        if (i < s.n)
            to = put_text(p, to, STR("\\"));
        from = i;
    }
    to = put_text(p, to, STR("\","));
    to = put_arg(p, to, args[1]);
    return put_text(p, to, STR("));"));
}

/* Pieces and operands in turn. Each piece is copied whole; its length decides how much of it
 * counts. */
static char *put_pattern(const printer *p, char *to, const emit_piece *piece, const ir_arg *args,
                         uint32_t n)
{
    for (;; piece++) {
        memcpy(to, piece->text, PIECE_TEXT);
        to += piece->len;
        if (piece->operand == PIECE_END)
            return to;
        if (!piece->rest)
            to = put_arg(p, to, args[piece->operand]);
        else if (n > piece->operand)
            to = put_args(p, to, args + piece->operand, n - piece->operand);
        to = need(p, to, PIECE_TEXT);
    }
}

/* Appends the statement without indentation or end of line. */
void emit_stmt(const emitter *e, strbuf *out, const ir_unit *u, const ir_stmt *s)
{
    WEFT_ASSERT(s->op < IR_OP_COUNT);
    const printer p = {e, out, u, e->names};
    const ir_arg *args = u->args.v + s->args;
    if (!out->p)
        sb_grow(out, PIECE_TEXT);
    char *to = need(&p, out->p + out->n, PIECE_TEXT);
    switch ((ir_op)s->op) {
    case IR_LINE: to = put_line(&p, to, args, false); break;
    case IR_ADJ_LINE: to = put_line(&p, to, args, true); break;
    case IR_COMPARE: to = put_comparison(&p, to, args, s->nargs); break;
    case IR_ASSERT: to = put_assert(&p, to, args); break;
    case IR_ADJ_CALL_LIST: to = put_adjoint_list_call(&p, to, args, s->nargs); break;
    default: to = put_pattern(&p, to, e->pieces[s->op], args, s->nargs); break;
    }
    out->n = (size_t)(to - out->p);
}
