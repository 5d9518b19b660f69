/* SPDX-License-Identifier: Apache-2.0 */
/* The tree as text for people who work on passes (`weft compile --emit ir --dump LETTERS`). A
 * variable is Python's name for it and its number, so that two of the same name differ; one without
 * a name is its number alone. Of "for j in range(n): if x[j] > 0.0: s += x[j] * 2.0", after
 * folding:
 *
 *     for j%7 in range(0, n%2, 1) {      ; 7
 *         if >(load(element(x%0, j%7)), 0.0) {      ; 8
 *             s%16 = add(s%5, mul(load(element(x%0, j%7)), 2.0))      ; 9
 *
 * Behind the semicolon stands the line of the source. Expressions are their kind, or the builtin
 * that is called, with operands in parentheses; texts of rules stand between backquotes, with $0,
 * $1 for their operands. The dump changes nothing and works on trees that are wrong: cuda_verify
 * prints one with the statement at fault marked ">>". */
#include "cuda/cuda_dump.h"

static const char *const expr_names[] = {[CX_VAR] = "var",
                                         [CX_CONST] = "const",
                                         [CX_NUMBER] = "number",
                                         [CX_CALL] = "call",
                                         [CX_USER] = "user",
                                         [CX_COMPARE] = "compare",
                                         [CX_AND] = "and",
                                         [CX_OR] = "or",
                                         [CX_NOT] = "not",
                                         [CX_COND] = "choose",
                                         [CX_LOAD] = "load",
                                         [CX_ELEMENT] = "element",
                                         [CX_VIEW] = "view",
                                         [CX_SLICE] = "slice",
                                         [CX_FIELD] = "field",
                                         [CX_SHAPE] = "shape",
                                         [CX_COMPONENT] = "component",
                                         [CX_SIZE] = "size",
                                         [CX_STRUCT] = "struct",
                                         [CX_ATOMIC] = "atomic",
                                         [CX_TEXT] = "text",
                                         [CX_ZERO] = "zero"};
_Static_assert(sizeof expr_names / sizeof *expr_names == CX_KINDS, "a name for each kind");

/* "s%4"; of an adjoint "adj_s%9". A number that no variable has is printed as "?%9", as the tree
 * that is dumped may be wrong. */
static void put_var(const cuda_fn *f, uint32_t var, strbuf *out)
{
    if (var >= f->vars.n) {
        SB_LIT(out, "?%");
        sb_uint(out, var);
        return;
    }
    const cv *v = &f->vars.v[var];
    const uint32_t n = f->u->vars.n;
    /* An adjoint has no hint of its own: it prints as that of its variable. */
    const bool adjoint = v->adjoint && var >= n && var < 2 * n;
    if (adjoint)
        SB_LIT(out, "adj_");
    sb_str(out, adjoint ? f->vars.v[var - n].hint : v->hint);
    sb_char(out, '%');
    sb_uint(out, var);
}

/* The string in one line: the dump is read line by line. */
static void put_string(str s, strbuf *out)
{
    sb_char(out, '"');
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\n')
            SB_LIT(out, "\\n");
        else
            sb_char(out, s.p[i]);
    sb_char(out, '"');
}

/* A constant as Python writes it; vectors and matrices by their kind alone. */
static void put_const(const cx *e, strbuf *out)
{
    if (!e->k)
        SB_LIT(out, "const?");
    else if (e->k->kind == VALUE_COMPOSITE)
        SB_LIT(out, "composite");
    else if (e->k->kind == VALUE_STR)
        put_string(sym_str(e->k->s), out);
    else if (value_has_f(e->k))
        sb_float(out, e->k->f);
    else
        sb_int128(out, e->k->i);
}

/* "$0.x * ($1 - 1)": holes with the numbers of their operands. */
static void put_template(const cuda_template *t, strbuf *out)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const cuda_piece *p = &t->v[i];
        sb_str(out, p->text);
        if (p->ends_line)
            sb_char(out, ' ');
        if (!p->has_hole)
            continue;
        sb_char(out, '$');
        sb_uint(out, p->hole.operand);
        if (p->hole.part >= 0)
            sb_printf(out, ".%c", "xyzw"[p->hole.part]);
        sb_c(out, p->hole.less_one ? " - 1" : "");
    }
}

/* What stands before the operands in parentheses. */
static void put_head(const cx *e, strbuf *out)
{
    switch ((cx_kind)e->kind) {
    case CX_CALL:
    case CX_ATOMIC:
    case CX_COMPARE: sb_str(out, e->name); return;
    case CX_FIELD:
        SB_LIT(out, "field.");
        sb_str(out, e->name);
        return;
    case CX_USER:
        sb_c(out, e->adjoint ? "adj " : "");
        sb_c(out, e->callee ? e->callee->code->name->s : "?");
        return;
    case CX_TEXT:
        SB_LIT(out, "`");
        put_template(e->text, out);
        SB_LIT(out, "`");
        return;
    default: sb_c(out, e->kind < CX_KINDS ? expr_names[e->kind] : "?"); return;
    }
}

/* An expression with its operands; "-" for one that is missing, such as an open end of a slice. */
static void cuda_dump_expr(const cuda_fn *f, const cx *e, strbuf *out)
{
    if (!e) {
        SB_LIT(out, "-");
        return;
    }
    if (e->kind == CX_VAR) {
        put_var(f, e->var, out);
        return;
    }
    if (e->kind == CX_CONST) {
        put_const(e, out);
        return;
    }
    if (e->kind == CX_NUMBER) {
        sb_int(out, e->number);
        return;
    }
    put_head(e, out);
    sb_char(out, '(');
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (i)
            SB_LIT(out, ", ");
        cuda_dump_expr(f, e->args[i], out);
    }
    sb_char(out, ')');
}

/* "var" before what is declared here. */
static void put_set(const cuda_fn *f, const cs *s, strbuf *out)
{
    sb_c(out, s->declares ? "var " : "");
    cuda_dump_expr(f, s->to, out);
    sb_c(out, s->add ? " += " : s->sub ? " -= " : " = ");
    cuda_dump_expr(f, s->e, out);
}

/* Variables that the call writes: "gives" those that are not read before, "changes" those that are.
 */
static void put_call(const cuda_fn *f, const cs *s, strbuf *out)
{
    cuda_dump_expr(f, s->e, out);
    for (uint32_t i = 0; i < s->noutputs; i++) {
        sb_c(out, i ? ", " : s->updates ? " changes " : " gives ");
        put_var(f, s->outputs[i], out);
    }
}

/* A loop of the reverse list runs its range backwards: "reversed". */
static void put_for(const cuda_fn *f, const cs *s, strbuf *out)
{
    sb_c(out, s->declares ? "for var " : "for ");
    put_var(f, s->var, out);
    SB_LIT(out, " in range(");
    cuda_dump_expr(f, s->start, out);
    SB_LIT(out, ", ");
    cuda_dump_expr(f, s->stop, out);
    SB_LIT(out, ", ");
    cuda_dump_expr(f, s->step, out);
    sb_c(out, s->reverse ? ") reversed" : ")");
}

/* "goto 3", "label 3": only before structurize. */
static void put_jump(const cs *s, const char *word, strbuf *out)
{
    sb_c(out, word);
    sb_uint(out, s->label);
}

/* The statement in one line, without its inner ones and the line's end. Kinds that leave the switch
 * are a word and one expression. */
static void cuda_dump_stmt(const cuda_fn *f, const cs *s, strbuf *out)
{
    switch ((cs_kind)s->kind) {
    case CS_SET: put_set(f, s, out); return;
    case CS_CALL: put_call(f, s, out); return;
    case CS_FOR: put_for(f, s, out); return;
    case CS_BREAK: SB_LIT(out, "break"); return;
    case CS_CONTINUE: SB_LIT(out, "continue"); return;
    case CS_GOTO: put_jump(s, "goto ", out); return;
    case CS_LABEL: put_jump(s, "label ", out); return;
    case CS_IF: SB_LIT(out, "if "); break;
    case CS_LOOP: SB_LIT(out, "while "); break;
    case CS_RETURN: SB_LIT(out, "return "); break;
    case CS_ASSERT: SB_LIT(out, "assert "); break;
    }
    cuda_dump_expr(f, s->e, out);
}

/* The state of a dump. */
typedef struct dumper {
    const cuda_fn *f;
    const cs *at; /* is marked with ">>"; may be NULL */
    strbuf *out;
    uint32_t indent; /* of the present list, in steps */
} dumper;

/* Each line begins with a mark or blanks of the same width. */
static void start_line(const dumper *d, bool marked)
{
    sb_c(d->out, marked ? ">> " : "   ");
    sb_repeat(d->out, ' ', 4u * d->indent);
}

/* Variables that are declared before the statement without a value. */
static void put_decls(const dumper *d, const cs *s)
{
    for (uint32_t i = 0; i < s->decls.n; i++) {
        start_line(d, false);
        SB_LIT(d->out, "var ");
        put_var(d->f, s->decls.v[i], d->out);
        sb_char(d->out, '\n');
    }
}

/* One line for each statement; loops and branches have their lists in braces behind it. */
static void dump_list(dumper *d, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        const bool block = s->kind == CS_IF || s->kind == CS_FOR || s->kind == CS_LOOP;
        put_decls(d, s);
        start_line(d, s == d->at);
        cuda_dump_stmt(d->f, s, d->out);
        sb_c(d->out, block ? " {" : "");
        if (s->line)
            sb_printf(d->out, "      ; %u", s->line);
        sb_char(d->out, '\n');
        if (!block)
            continue;
        d->indent++;
        dump_list(d, &s->body);
        if (s->orelse.n) {
            d->indent--;
            start_line(d, false);
            SB_LIT(d->out, "} else {\n");
            d->indent++;
            dump_list(d, &s->orelse);
        }
        d->indent--;
        start_line(d, false);
        SB_LIT(d->out, "}\n");
    }
}

void cuda_dump_tree(const cuda_fn *f, const cs *at, strbuf *out)
{
    dumper d = {f, at, out, 0};
    dump_list(&d, &f->body);
}

/* A function that was read with and without unrolling has two trees; the one of the program without
 * unrolling is marked. */
void cuda_dump_title(const cuda_fn *f, strbuf *out)
{
    sb_c(out, f->u->code->name->s);
    sb_c(out, f->reverse ? ", backward" : ", forward");
    if (f->job->m == f->job->rolled)
        SB_LIT(out, ", loops kept");
}
