/* Building blocks of the intermediate form. */
#include "ir/ir.h"

uint32_t ir_add_text(ctx *c, ir_unit *u, str text)
{
    VEC_PUSH(&c->module, &u->texts, text);
    return u->texts.n - 1;
}

uint32_t ir_add_stmt(ctx *c, ir_unit *u, ir_op op, const ir_arg *args, uint32_t n)
{
    ir_stmt s = {(uint16_t)op, (uint16_t)n, u->args.n};
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&c->module, &u->args, args[i]);
    VEC_PUSH(&c->module, &u->stmts, s);
    return u->stmts.n - 1;
}

uint32_t ir_name(ctx *c, ir_unit *u, const type *t, str label, bool bare)
{
    ir_var v = {.type = t, .label = label, .bare = bare};
    VEC_PUSH(&c->module, &u->vars, v);
    return u->vars.n - 1;
}

static str number_label(ctx *c, uint32_t n)
{
    char buf[12];
    char *p = buf + sizeof buf;
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    size_t len = (size_t)(buf + sizeof buf - p);
    return (str){arena_dup(&c->module, p, len), len};
}

uint32_t ir_declare(ctx *c, ir_unit *u, const type *t, const value *k)
{
    uint32_t v = ir_name(c, u, t, number_label(c, u->declared.n), false);
    u->vars.v[v].constant = k;
    VEC_PUSH(&c->module, &u->declared, v);
    return v;
}
