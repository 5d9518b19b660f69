/* SPDX-License-Identifier: Apache-2.0 */
/* The intermediate form as text: what `weft compile --emit ir` prints, and ir_verify.c before it
 * aborts. One block per unit, callees first and the kernel last: parameters, declared variables
 * with types and constants, the three lists. For `y[i] = s` after a loop it prints
 *
 *     vars:
 *       %0: int32
 *       %5: float32 = 0.0
 *     forward:
 *       LINE "y[i] = s", 0, 21
 *       CALL_VOID @wp::array_store, %y, %0, %6
 *     replay:
 *       # CALL_VOID @wp::array_store, %y, %0, %6
 *     reverse:
 *       ADJ_CALL adj @wp::array_store, %y, %0, %6, adj %y, adj %0, adj %6
 *
 * "%" marks a variable, "@" a function, "adj" the adjoint of either, "#" a statement that replay
 * has as a comment. Depth is shown by two spaces a step, where C++ has four. */
#include "ir/ir.h"

static const char *const op_names[] = {
#define OP(name, operands, pattern) #name,
#define OP_SPECIAL(name, operands)  #name,
#include "ir/ir_op.def"
#undef OP
#undef OP_SPECIAL
};

static void put_place(strbuf *out, const ir_unit *u, uint32_t place);
static void put_stmt(strbuf *out, const ir_unit *u, const ir_stmt *s);

/* A variable: "%3" by number, "%x" by name, "%3.pos" a part; a place as itself. */
static void put_name(strbuf *out, const ir_unit *u, uint32_t var)
{
    const ir_var *v = &u->vars.v[var];
    if (v->kind == IR_VAR_PLACE) {
        put_place(out, u, v->index);
        return;
    }
    if (v->kind == IR_VAR_PART) {
        put_name(out, u, v->index);
        sb_char(out, '.');
        sb_str(out, sym_str(v->field));
        return;
    }
    sb_c(out, v->kind == IR_VAR_VIEW ? "%view" : "%");
    if (v->kind == IR_VAR_PARAM)
        sb_str(out, ir_param_name(u, v->index));
    else
        sb_uint(out, v->index);
}

/* open is "[" or "[view "; the indices themselves are variables. */
static void put_indices(strbuf *out, const ir_unit *u, const ir_place *p, const char *open)
{
    sb_c(out, open);
    for (uint32_t i = 0; i < p->nindices; i++) {
        if (i)
            SB_LIT(out, ", ");
        put_name(out, u, ir_index(u->args.v[p->indices + i]));
    }
    sb_char(out, ']');
}

/* "&%a[%i].pos[%2]"; a chain from a slot's element has nothing before its first step: ".pos". The
 * recursion is as deep as the chain of the Python expression. */
static void put_place(strbuf *out, const ir_unit *u, uint32_t place)
{
    const ir_place *p = &u->places.v[place];
    const bool guarded = p->kind == IR_PLACE_GUARDED;
    if (p->kind == IR_PLACE_ADJ || p->kind == IR_PLACE_ADJ_DEREF)
        SB_LIT(out, "adj ");
    if (p->kind == IR_PLACE_DEREF || p->kind == IR_PLACE_ADJ_DEREF)
        sb_char(out, '*');
    if (p->kind == IR_PLACE_ITEM)
        return;
    if (ir_place_is_root(p)) {
        put_name(out, u, p->base);
        return;
    }
    if (p->kind == IR_PLACE_ADDRESS || guarded)
        sb_c(out, guarded ? "guarded(" : "&");
    put_place(out, u, p->base);
    if (guarded)
        sb_char(out, ')');
    if (p->kind == IR_PLACE_FIELD) {
        sb_char(out, '.');
        sb_str(out, sym_str(p->field));
    } else if (p->nindices) {
        put_indices(out, u, p, p->kind == IR_PLACE_VIEW ? "[view " : "[");
    }
}

static void put_callee(strbuf *out, const ir_unit *u, ir_arg a)
{
    WEFT_ASSERT(ir_is_callee(a));
    const ir_arg_kind kind = ir_kind(a);
    sb_c(out, kind == IR_ARG_CALLEE          ? "@"
              : kind == IR_ARG_CALLEE_REPLAY ? "replay @"
              : kind == IR_ARG_CALLEE_ADJ    ? "adj @"
                                             : "&adj @");
    builtin_put_callee(out, &u->callees.v[ir_index(a)].native, false);
}

/* One operand, by its kind. */
static void put_arg(strbuf *out, const ir_unit *u, ir_arg a)
{
    uint32_t index = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR: put_name(out, u, index); return;
    case IR_ARG_ADJ:
    case IR_ARG_ADJ_PTR:
        sb_c(out, ir_kind(a) == IR_ARG_ADJ ? "adj " : "&adj ");
        put_name(out, u, index);
        return;
    case IR_ARG_PLACE: put_place(out, u, index); return;
    case IR_ARG_TEXT:
        sb_char(out, '"');
        sb_str(out, u->texts.v[index]);
        sb_char(out, '"');
        return;
    case IR_ARG_CALLEE:
    case IR_ARG_CALLEE_ADJ:
    case IR_ARG_CALLEE_ADJ_PTR:
    case IR_ARG_CALLEE_REPLAY: put_callee(out, u, a); return;
    case IR_ARG_LITERAL: value_emit(out, u->literals.v[index]); return;
    case IR_ARG_TYPE: sb_str(out, u->types.v[index]->pyname); return;
    case IR_ARG_FIELD:
        sb_char(out, '.');
        sb_str(out, sym_str(u->fields.v[index]));
        return;
    case IR_ARG_LOOP:
        sb_c(out, index & 1 ? "while_" : "for_");
        sb_uint(out, index >> 1);
        return;
    case IR_ARG_COMPARE: sb_str(out, ir_compare_symbol(a)); return;
    case IR_ARG_UPDATE: sb_str(out, ir_update_name(a)); return;
    case IR_ARG_INT: sb_uint(out, index); return;
    case IR_ARG_STMT:
        SB_LIT(out, "{");
        put_stmt(out, u, &u->stmts.v[index]);
        SB_LIT(out, "}");
        return;
    case IR_ARG_DET:
        sb_c(out, "det");
        if (index)
            sb_uint(out, index - 1);
        return;
    }
}

/* The name of the opcode and the operands. A statement within another was made before it. */
static void put_stmt(strbuf *out, const ir_unit *u, const ir_stmt *s)
{
    sb_c(out, op_names[s->op]);
    for (uint32_t k = 0; k < s->nargs; k++) {
        sb_c(out, k ? ", " : " ");
        put_arg(out, u, u->args.v[s->args + k]);
    }
}

/* One list under its title, a line per statement: name of the opcode, operands. */
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
        put_stmt(out, u, s);
        sb_char(out, '\n');
    }
}

static void put_var(strbuf *out, const ir_unit *u, uint32_t var)
{
    const ir_var *v = &u->vars.v[var];
    SB_LIT(out, "    ");
    put_name(out, u, var);
    SB_LIT(out, ": ");
    sb_str(out, v->type->pyname);
    if (v->constant) {
        SB_LIT(out, " = ");
        value_emit(out, v->constant);
    }
    sb_char(out, '\n');
}

/* Only parameters and declared variables are listed; parts and places show where they are used. */
static void put_unit(strbuf *out, const ir_unit *u)
{
    WEFT_ASSERT(!u->kernel != !u->func);
    sb_c(out, u->kernel ? "kernel " : "func ");
    sb_str(out, u->kernel ? u->kernel->key : u->func->native_name);
    SB_LIT(out, "\n  params:\n");
    for (uint32_t i = 0; i < u->nparams; i++)
        put_var(out, u, u->params[i]);
    SB_LIT(out, "  vars:\n");
    for (uint32_t i = 0; i < u->declared.n; i++)
        put_var(out, u, u->declared.v[i]);
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
