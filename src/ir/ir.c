/* SPDX-License-Identifier: Apache-2.0 */
/* Building blocks of the intermediate form (ir.h): each function adds one entry at the end of one
 * of the unit's tables, or reads one.
 *
 *     ir_arg args[] = {ir_arg_make(IR_ARG_VAR, 4), ir_arg_make(IR_ARG_VAR, 2)};
 *     ir_add_stmt(c, u, IR_STORE_REF, args, 2)   ->   the statement "STORE_REF %4, %2"
 *
 * A new statement stands in no list yet: lower_block.c enters it where it belongs. */
#include "ir/ir.h"

ir_arg ir_arg_text(ctx *c, ir_unit *u, str text)
{
    VEC_PUSH(&c->ir, &u->texts, text);
    return ir_arg_make(IR_ARG_TEXT, u->texts.n - 1);
}

/* The value is copied into c->ir, so the caller's may be a local one. */
ir_arg ir_arg_literal(ctx *c, ir_unit *u, value v)
{
    value *kept = arena_alloc(&c->ir, sizeof *kept);
    *kept = v;
    VEC_PUSH(&c->ir, &u->literals, kept);
    return ir_arg_make(IR_ARG_LITERAL, u->literals.n - 1);
}

/* Types are hash-consed, so entries need no copy. */
ir_arg ir_arg_type(ctx *c, ir_unit *u, const type *t)
{
    WEFT_ASSERT(t);
    VEC_PUSH(&c->ir, &u->types, t);
    return ir_arg_make(IR_ARG_TYPE, u->types.n - 1);
}

ir_arg ir_arg_field(ctx *c, ir_unit *u, const sym *name)
{
    WEFT_ASSERT(name);
    VEC_PUSH(&c->ir, &u->fields, name);
    return ir_arg_make(IR_ARG_FIELD, u->fields.n - 1);
}

str ir_compare_symbol(ir_arg a)
{
    switch (ir_index(a)) {
    case OP_Gt: return STR(">");
    case OP_Lt: return STR("<");
    case OP_GtE: return STR(">=");
    case OP_LtE: return STR("<=");
    case OP_Eq: return STR("==");
    default: WEFT_ASSERT(ir_index(a) == OP_NotEq); return STR("!=");
    }
}

uint32_t ir_det_parameter(const ir_det *det, uint32_t i)
{
    WEFT_ASSERT(i < det->targets.n);
    for (int counters = 1; counters >= 0; counters--)
        for (uint32_t k = 0; k < det->targets.n; k++)
            if (det->targets.v[k].is_counter == counters && i-- == 0)
                return k;
    return 0;
}

str ir_update_name(ir_arg a)
{
    static const char *const names[] = {"store",      "atomic_add", "atomic_sub",
                                        "atomic_and", "atomic_or",  "atomic_xor"};
    WEFT_ASSERT(ir_index(a) <= IR_UPDATE_XOR);
    return str_c(names[ir_index(a)]);
}

uint32_t ir_add_stmt(ctx *c, ir_unit *u, ir_op op, const ir_arg *args, uint32_t n)
{
    WEFT_ASSERT(n <= UINT16_MAX); /* emit_call refuses longer calls */
    WEFT_ASSERT(op < IR_OP_COUNT && (args || !n));
    ir_stmt s = {(uint16_t)op, (uint16_t)n, u->args.n};
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&c->ir, &u->args, args[i]);
    VEC_PUSH(&c->ir, &u->stmts, s);
    return u->stmts.n - 1;
}

uint32_t ir_add_var(ctx *c, ir_unit *u, ir_var v)
{
    VEC_PUSH(&c->ir, &u->vars, v);
    return u->vars.n - 1;
}

/* The number of the variable is its place in u->declared, which is what C++ sees. */
uint32_t ir_declare(ctx *c, ir_unit *u, const type *t, const value *k)
{
    WEFT_ASSERT(t);
    const ir_var x = {.type = t, .constant = k, .kind = IR_VAR_DECLARED, .index = u->declared.n};
    const uint32_t v = ir_add_var(c, u, x);
    VEC_PUSH(&c->ir, &u->declared, v);
    return v;
}

uint32_t ir_add_place(ctx *c, ir_unit *u, ir_place p)
{
    VEC_PUSH(&c->ir, &u->places, p);
    return u->places.n - 1;
}

uint32_t ir_add_callee(ctx *c, ir_unit *u, ir_callee f)
{
    VEC_PUSH(&c->ir, &u->callees, f);
    return u->callees.n - 1;
}

/* Parts of parts lead on: "var_3.pos.x" to var_3. */
uint32_t ir_whole_var(const ir_unit *u, uint32_t var)
{
    WEFT_ASSERT(var < u->vars.n);
    while (u->vars.v[var].kind == IR_VAR_PART)
        var = u->vars.v[var].index;
    return var;
}

/* The type of an element of the operand, or of the number that it is. */
static const type *item_type(const ir_unit *u, ir_arg a)
{
    if (ir_kind(a) != IR_ARG_VAR)
        return NULL;
    const type *t = type_strip_ref(u->vars.v[ir_index(a)].type);
    return t->kind == TYPE_TILE ? t->elem : t;
}

const ir_unit *ir_mapped_unit(const ir_module *m, const func *f, const ir_unit *u,
                              const ir_arg *args, uint32_t n)
{
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const ir_unit *of = m->funcs.v[i];
        bool same = of->func == f && of->nparams == n;
        for (uint32_t k = 0; same && k < n; k++)
            same = of->vars.v[of->params[k]].type == item_type(u, args[k]);
        if (same)
            return of;
    }
    return NULL;
}

/* A part has the nature of its whole: "var_3.pos" begins with "var_", a part of a place does
 * not. */
bool ir_is_bare(const ir_unit *u, uint32_t var)
{
    return u->vars.v[ir_whole_var(u, var)].kind > IR_VAR_PARAM;
}

uint32_t ir_place_root(const ir_unit *u, uint32_t place)
{
    WEFT_ASSERT(place < u->places.n);
    const ir_place *p = &u->places.v[place];
    while (!ir_place_is_root(p))
        p = &u->places.v[p->base];
    return p->kind == IR_PLACE_ITEM ? UINT32_MAX : p->base;
}

str ir_param_name(const ir_unit *u, uint32_t i)
{
    WEFT_ASSERT(i < u->code->nparams);
    return sym_str(u->code->params[i].name);
}
