/* Prints one statement by its operation's pattern. */
#include "emit/emitter.h"

static void put_var(strbuf *out, const ir_var *v, bool adjoint)
{
    if (!v->bare)
        emit_put(out, adjoint ? "adj_" : "var_", 4);
    emit_str(out, v->label);
}

static void put_number(strbuf *out, uint32_t n)
{
    if (n < 10)
        sb_char(out, (char)('0' + n));
    else
        sb_uint(out, n);
}

void emit_arg(strbuf *out, const ir_unit *u, ir_arg a)
{
    const uint32_t i = a >> 3;
    switch ((ir_arg_kind)(a & 7)) {
    case IR_ARG_VAR: put_var(out, &u->vars.v[i], false); return;
    case IR_ARG_ADJ: put_var(out, &u->vars.v[i], true); return;
    case IR_ARG_ADJ_PTR:
        sb_char(out, '&');
        put_var(out, &u->vars.v[i], true);
        return;
    case IR_ARG_TEXT: emit_str(out, u->texts.v[i]); return;
    case IR_ARG_INT: put_number(out, i); return;
    case IR_ARG_PAD: sb_repeat(out, ' ', i); return;
    }
}

static void put_args(strbuf *out, const ir_unit *u, const ir_arg *args, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            emit_put(out, ", ", 2);
        emit_arg(out, u, args[i]);
    }
}

/* Result, first operand, then per comparison an operator's text, its left operand from the second
 * on, and its right one: Warp 1.19 Adjoint.add_comp. */
static void put_comparison(strbuf *out, const ir_unit *u, const ir_arg *args, uint32_t n)
{
    const uint32_t comparisons = (n - 1) / 3;
    emit_arg(out, u, args[0]);
    SB_LIT(out, " = ");
    sb_repeat(out, '(', comparisons);
    put_args(out, u, args + 1, 1);
    for (uint32_t i = 0, at = 2; i < comparisons; i++) {
        if (i) {
            SB_LIT(out, " && (");
            emit_arg(out, u, args[at + 1]);
        }
        sb_char(out, ' ');
        emit_arg(out, u, args[at]);
        sb_char(out, ' ');
        emit_arg(out, u, args[i ? at + 2 : at + 1]);
        sb_c(out, i ? "))" : ")");
        at += i ? 3 : 2;
    }
    sb_char(out, ';');
}

/* name({primals}, {adjoints}, adjoints of the results); */
static void put_adjoint_list_call(strbuf *out, const ir_unit *u, const ir_arg *args, uint32_t n)
{
    const uint32_t primals = args[1] >> 3;
    emit_arg(out, u, args[0]);
    SB_LIT(out, "({");
    put_args(out, u, args + 2, primals);
    SB_LIT(out, "}, {");
    put_args(out, u, args + 2 + primals, primals);
    sb_char(out, '}');
    for (uint32_t i = 2 + 2 * primals; i < n; i++) {
        emit_put(out, ", ", 2);
        emit_arg(out, u, args[i]);
    }
    SB_LIT(out, ");");
}

void emit_stmt(emitter *e, strbuf *out, const ir_unit *u, const ir_stmt *s)
{
    const ir_arg *args = u->args.v + s->args;
    if (s->op == IR_COMPARE) {
        put_comparison(out, u, args, s->nargs);
        return;
    }
    if (s->op == IR_ADJ_CALL_LIST) {
        put_adjoint_list_call(out, u, args, s->nargs);
        return;
    }
    for (const emit_piece *p = e->pieces[s->op];; p++) {
        emit_put(out, p->text, p->len);
        if (p->operand == PIECE_END)
            return;
        if (!p->rest)
            emit_arg(out, u, args[p->operand]);
        else if (s->nargs > p->operand)
            put_args(out, u, args + p->operand, s->nargs - p->operand);
    }
}
