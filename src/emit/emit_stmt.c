/* Prints one statement by its operation's pattern. Text is written through a pointer that moves
 * ahead of the builder's length; short pieces are copied in one step of fixed size. */
#include "emit/emitter.h"

/* Room that is kept beyond what an operand needs: a piece of the pattern and small things. */
enum { SLACK = 64 };

_Static_assert(SLACK >= PIECE_TEXT + EMIT_NAME_TEXT, "a piece and a name's step fit");

typedef struct printer {
    const emitter *e;
    strbuf *out;
    const ir_unit *u;
    const emit_name *names;
} printer;

/* Room for n bytes and the slack behind `to`. */
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

static char *put_text(const printer *p, char *to, str s)
{
    to = need(p, to, s.n);
    emit_copy(to, s.p, s.n);
    return to + s.n;
}

static char *put_number(const printer *p, char *to, uint32_t n)
{
    char digits[12];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    return put_text(p, to, (str){digits + at, sizeof digits - at});
}

static char *put_place(const printer *p, char *to, uint32_t place)
{
    strbuf *b = p->out;
    b->n = (size_t)(to - b->p);
    emit_place(p->e, b, p->u, place);
    return need(p, b->p + b->n, 0);
}

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
    case IR_ARG_TEXT: return put_text(p, to, p->u->texts.v[i]);
    case IR_ARG_INT: return put_number(p, to, i);
    case IR_ARG_PAD:
        to = need(p, to, i);
        memset(to, ' ', i);
        return to + i;
    }
    return to;
}

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
 * on, and its right one: Warp 1.19 Adjoint.add_comp. */
static char *put_comparison(const printer *p, char *to, const ir_arg *args, uint32_t n)
{
    const uint32_t comparisons = (n - 1) / 3;
    to = put_arg(p, to, args[0]);
    to = put_text(p, to, STR(" = "));
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
        to = put_arg(p, to, args[i ? at + 2 : at + 1]);
        to = put_text(p, to, i ? STR("))") : STR(")"));
        at += i ? 3 : 2;
    }
    return put_text(p, to, STR(";"));
}

/* name({primals}, {adjoints}, adjoints of the results); */
static char *put_adjoint_list_call(const printer *p, char *to, const ir_arg *args, uint32_t n)
{
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

void emit_stmt(emitter *e, strbuf *out, const ir_unit *u, const ir_stmt *s)
{
    const printer p = {e, out, u, e->names};
    const ir_arg *args = u->args.v + s->args;
    if (!out->p)
        sb_grow(out, PIECE_TEXT);
    char *to = need(&p, out->p + out->n, PIECE_TEXT);
    if (s->op == IR_COMPARE)
        to = put_comparison(&p, to, args, s->nargs);
    else if (s->op == IR_ADJ_CALL_LIST)
        to = put_adjoint_list_call(&p, to, args, s->nargs);
    else
        to = put_pattern(&p, to, e->pieces[s->op], args, s->nargs);
    out->n = (size_t)(to - out->p);
}
