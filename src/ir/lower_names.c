/* SPDX-License-Identifier: Apache-2.0 */
/* The builtins and names that lowering itself refers to, looked up once per context: `a + b` calls
 * the builtin "add" (l->names->operators[OP_Add]), a merge after branches calls b_where. The lists
 * are LOWER_BUILTINS and LOWER_SYMS in lower.h. The table lives in c->perm, as long as the context.
 */
#include "ir/lower.h"

/* Warp 1.19 builtin_operators; comparisons have text instead (lower_expr.c). */
static const char *const operator_names[OP_COUNT] = {
    [OP_Add] = "add",           [OP_Sub] = "sub",        [OP_Mult] = "mul",
    [OP_MatMult] = "mul",       [OP_Div] = "div",        [OP_Mod] = "mod",
    [OP_Pow] = "pow",           [OP_LShift] = "lshift",  [OP_RShift] = "rshift",
    [OP_BitOr] = "bit_or",      [OP_BitXor] = "bit_xor", [OP_BitAnd] = "bit_and",
    [OP_FloorDiv] = "floordiv", [OP_Invert] = "invert",  [OP_Not] = "unot",
    [OP_UAdd] = "pos",          [OP_USub] = "neg",
};

const lower_names *lower_names_get(ctx *c)
{
    if (c->lower_names)
        return c->lower_names;
    lower_names *t = ARENA_NEW(&c->perm, lower_names);
#define X(name) t->b_##name = builtin_find(c, sym_c(&c->syms, #name));
    LOWER_BUILTINS(X)
#undef X
#define X(name) t->s_##name = sym_c(&c->syms, #name);
    LOWER_SYMS(X)
#undef X
    for (int i = 0; i < OP_COUNT; i++) {
        if (!operator_names[i])
            continue;
        t->operator_names[i] = sym_c(&c->syms, operator_names[i]);
        t->operators[i] = builtin_find(c, t->operator_names[i]);
    }
    c->lower_names = t;
    return t;
}

void lower_init(ctx *c)
{
    lower_names_get(c);
}
