/* The intermediate form as text, for `--emit ir` and for reading by people. */
#include "ir/ir.h"

static const char *const op_names[] = {
#define OP(name, pattern) #name,
#define OP_SPECIAL(name)  #name,
#include "ir/ir_op.def"
#undef OP
#undef OP_SPECIAL
};

static void put_arg(strbuf *out, const ir_unit *u, ir_arg a)
{
    uint32_t index = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR:
    case IR_ARG_ADJ:
    case IR_ARG_ADJ_PTR:
        sb_c(out, ir_kind(a) == IR_ARG_VAR ? "%" : ir_kind(a) == IR_ARG_ADJ ? "adj %" : "&adj %");
        sb_str(out, u->vars.v[index].label);
        return;
    case IR_ARG_TEXT:
        sb_char(out, '"');
        sb_str(out, u->texts.v[index]);
        sb_char(out, '"');
        return;
    case IR_ARG_INT: sb_uint(out, index); return;
    case IR_ARG_PAD:
        SB_LIT(out, "pad ");
        sb_uint(out, index);
        return;
    }
}

static void put_list(strbuf *out, const ir_unit *u, const char *title, const ir_list *list)
{
    SB_LIT(out, "  ");
    sb_c(out, title);
    SB_LIT(out, ":\n");
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = &u->stmts.v[list->v[i].stmt];
        sb_repeat(out, ' ', 4 + 2u * list->v[i].depth);
        if (list->v[i].commented)
            SB_LIT(out, "# ");
        sb_c(out, op_names[s->op]);
        for (uint32_t k = 0; k < s->nargs; k++) {
            sb_c(out, k ? ", " : " ");
            put_arg(out, u, u->args.v[s->args + k]);
        }
        sb_char(out, '\n');
    }
}

static void put_var(strbuf *out, const ir_var *v)
{
    SB_LIT(out, "    %");
    sb_str(out, v->label);
    SB_LIT(out, ": ");
    sb_str(out, v->type->pyname);
    if (v->constant) {
        SB_LIT(out, " = ");
        value_emit(out, v->constant);
    }
    sb_char(out, '\n');
}

static void put_unit(strbuf *out, const ir_unit *u)
{
    sb_c(out, u->kernel ? "kernel " : "func ");
    sb_str(out, u->kernel ? u->kernel->key : u->func->native_name);
    SB_LIT(out, "\n  params:\n");
    for (uint32_t i = 0; i < u->nparams; i++)
        put_var(out, &u->vars.v[u->params[i]]);
    SB_LIT(out, "  vars:\n");
    for (uint32_t i = 0; i < u->declared.n; i++)
        put_var(out, &u->vars.v[u->declared.v[i]]);
    put_list(out, u, "forward", &u->forward);
    put_list(out, u, "replay", &u->replay);
    put_list(out, u, "reverse", &u->reverse);
}

void ir_dump(ctx *c, strbuf *out, const ir_module *m)
{
    (void)c;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        put_unit(out, m->funcs.v[i]);
    put_unit(out, m->kernel);
}
