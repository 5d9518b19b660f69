/* SPDX-License-Identifier: Apache-2.0 */
/* Names for variables that Python gave none, and names that none may have. For cuda_declare.c,
 * which names what it declares.
 *
 *     a variable of the source          ->   its name: t
 *     the adjoint of a                  ->   adj_a
 *     load(element(x, i))               ->   x_i         element(y, add(i, 1))   ->   y_value
 *     mul(a, b)                         ->   product     sin(a)                  ->   sin_value
 *     x[i] > 0.0                        ->   condition   atomic_add(...)         ->   old
 *     component(v, 1)                   ->   v           field.mass of p         ->   p_mass
 *
 * A name says what a value was first set to (cv.origin). One that is taken gets a number or an
 * underscore. */
#include "cuda/cuda_varname.h"

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_string.h"

static bool is_reserved(const cuda_fn *f, str name)
{
    return str_map_get(&f->job->taken, name) || cuda_is_reserved_word(name);
}

/* In the function, at file scope, or reserved. */
bool cuda_is_taken(const cuda_fn *f, str name)
{
    return str_map_get(&f->taken, name) || is_reserved(f, name);
}

/* Also names of variables that the text drops: a reader who compares it with the source must not
 * find them with another meaning. */
bool cuda_is_source_name(const ir_unit *u, str name)
{
    for (uint32_t i = 0; i < u->nparams; i++)
        if (str_eq(ir_param_name(u, i), name))
            return true;
    for (uint32_t i = 0; i < u->vars.n; i++) {
        const ir_var *v = &u->vars.v[i];
        if (v->name && str_eq(sym_str(v->name), name))
            return true;
    }
    return str_eq(sym_str(u->code->name), name);
}

/* In C++ names with two underscores in a row are reserved. Behind "N_" comes "n_2", for "N_2" may
 * be a macro. */
str cuda_next_name(cuda_fn *f, str name)
{
    const bool ends = name.n && name.p[name.n - 1] == '_';
    return cuda_cpp_name(f, cuda_sprintf(f, ends ? "%.*s2" : "%.*s_", (int)name.n, name.p));
}

/* The name with as many underscores as make it free; taken from now on. */
str cuda_free_var(cuda_fn *f, str name)
{
    while (cuda_is_taken(f, name) || cuda_is_source_name(f->u, name))
        name = cuda_next_name(f, name);
    str_map_set(&f->c->module, &f->taken, name, 1);
    return name;
}

str cuda_cpp_name(cuda_fn *f, str name)
{
    return cuda_name_in_cpp(f->c, name);
}

static str hint_of(cuda_fn *f, const cx *e, int depth);

/* After the operation, or after what a cast or subscript takes from. */
static str call_hint(cuda_fn *f, const cx *e, int depth)
{
    static const struct {
        cuda_op op;
        const char *hint;
    } hints[] = {{CUDA_OP_BLOCK_SUM, "sum"}, {CUDA_OP_ADD, "sum"},      {CUDA_OP_SUB, "difference"},
                 {CUDA_OP_MUL, "product"},   {CUDA_OP_DIV, "quotient"}, {CUDA_OP_NEG, "minus"},
                 {CUDA_OP_MOD, "remainder"}};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (e->op == hints[i].op)
            return str_c(hints[i].hint);
    if (cuda_op_properties(e->op) & CUDA_OP_COMPOSES)
        return STR("t");
    const type *t = e->type;
    if (t && t->kind == TYPE_NATIVE)
        return STR("query");
    if (e->nargs == 1 && t && str_eq(t->pyname, e->name)) /* a cast */
        return hint_of(f, e->args[0], depth + 1);
    if (e->op == CUDA_OP_EXTRACT && e->args[1]->k && type_is_integer(e->args[1]->type)) {
        const str base = hint_of(f, e->args[0], depth + 1);
        const int lane = (int)e->args[1]->k->i;
        return lane < 0 ? cuda_sprintf(f, "%.*s_last", (int)base.n, base.p)
                        : cuda_sprintf(f, "%.*s_%d", (int)base.n, base.p, lane);
    }
    return cuda_sprintf(f, "%.*s_value", (int)e->name.n, e->name.p);
}

/* "x_i" by Python's names of the indices, else "x_value"; adjoints' arrays by their primal's
 * name. */
static str element_hint(cuda_fn *f, const cx *e, int depth)
{
    str base = hint_of(f, e->args[0], depth + 1);
    for (uint32_t i = 1; i < e->nargs; i++) {
        const cx *index = e->args[i];
        if (index->kind != CX_VAR || !f->vars.v[index->var].python || e->nargs > 3)
            return cuda_sprintf(f, "%.*s_value", (int)base.n, base.p);
    }
    for (uint32_t i = 1; i < e->nargs; i++) {
        const str index = f->vars.v[e->args[i]->var].hint;
        base = cuda_sprintf(f, "%.*s_%.*s", (int)base.n, base.p, (int)index.n, index.p);
    }
    return base;
}

/* A hint by what the expression is. `depth` ends long chains, whose names would help nobody. */
static str hint_of(cuda_fn *f, const cx *e, int depth)
{
    WEFT_ASSERT(depth >= 0);
    if (!e || depth > 8)
        return STR("t");
    switch ((cx_kind)e->kind) {
    case CX_VAR: {
        const cv *v = &f->vars.v[e->var];
        if (v->hint.n)
            return v->hint;
        if (v->adjoint)
            return STR("adj");
        return hint_of(f, v->origin, depth + 1);
    }
    case CX_LOAD: return hint_of(f, e->args[0], depth + 1);
    case CX_ELEMENT: return element_hint(f, e, depth);
    case CX_VIEW: return hint_of(f, e->args[0], depth + 1);
    case CX_FIELD: {
        const str base = hint_of(f, e->args[0], depth + 1);
        return cuda_sprintf(f, "%.*s_%.*s", (int)base.n, base.p, (int)e->name.n, e->name.p);
    }
    case CX_COMPONENT: return hint_of(f, e->args[0], depth + 1);
    case CX_ATOMIC: return STR("old");
    case CX_COMPARE:
    case CX_AND:
    case CX_OR:
    case CX_NOT: return STR("condition");
    case CX_COND: return STR("choice");
    case CX_USER:
        return e->callee->code->name ? cuda_sprintf(f, "%s_value", e->callee->code->name->s)
                                     : STR("t");
    case CX_CALL: return call_hint(f, e, depth);
    default: return STR("t");
    }
}

/* The name that the variable should have, if it is free. An adjoint without a name of its own is
 * called after its primal. */
str cuda_name_hint(cuda_fn *f, uint32_t var)
{
    WEFT_ASSERT(var < f->vars.n);
    const cv *v = &f->vars.v[var];
    str hint = v->hint;
    if (!hint.n && v->adjoint) {
        const cx primal = {.kind = CX_VAR, .var = var - f->u->vars.n};
        hint = hint_of(f, &primal, 0);
        hint = cuda_sprintf(f, "adj_%.*s", (int)hint.n, hint.p);
    } else if (!hint.n) {
        hint = hint_of(f, v->origin, 0);
    }
    return cuda_cpp_name(f, hint);
}
