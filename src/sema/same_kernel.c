/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels of one key does Warp compile? Each call of a factory makes a kernel of the same
 * key, and Warp 1.19 ModuleHasher compiles those that differ. An example:
 *
 *     def make(n):
 *         @wp.kernel
 *         def k(a: wp.array[float]): a[0] = float(n)
 *         return k
 *     make(3); make(4); make(3)          two kernels: n is 3, n is 4
 *
 * Kernels are the same if their definition, types, options and values of wp.static are, and all
 * that they and their functions read from the calls around them. */
#include "sema/sema.h"

/* Definitions that are being compared: a function may call itself, or read the kernel's scope. */
typedef struct pending {
    const node *def;
    const struct pending *before;
} pending;

enum { MAX_PENDING = 20 };

static bool same_value(const value *a, const value *b, const pending *at);

static bool is_pending(const pending *at, const node *def)
{
    for (; at; at = at->before)
        if (at->def == def)
            return true;
    return false;
}

static bool is_too_deep(const pending *at)
{
    int depth = 0;
    for (; at; at = at->before)
        depth++;
    return depth > MAX_PENDING;
}

/* A search for a name that the body of a definition reads. */
typedef struct name_search {
    const code *code; /* NULL: of a plain function */
    const sym *name;
    bool found;
} name_search;

/* Calls of wp.static whose value is known are compared by their values. */
static void look_for_name(void *arg, const node *n)
{
    name_search *s = arg;
    if (s->found || (n->kind == AST_Call && s->code && code_static(s->code, n)))
        return;
    s->found = n->kind == AST_Name && AST(Name, n)->id == s->name;
    ast_each_child(n, look_for_name, s);
}

/* A local variable of that name counts, too: more than what the definition reads from outside is
 * found, never less. */
static bool mentions(const ast_FunctionDef *def, const code *f, const sym *name)
{
    name_search s = {.code = f, .name = name};
    for (uint32_t i = 0; i < def->body.n && !s.found; i++)
        look_for_name(&s, def->body.v[i]);
    return s.found;
}

/* Two calls of the functions around a definition: is all that its body reads from them the same?
 * Scopes that both share, the module's among them, need no look. */
static bool same_closure(const namespace *a, const namespace *b, const ast_FunctionDef *def,
                         const code *f, const pending *at)
{
    const pending here = {&def->base, at};
    if (is_pending(at, &def->base))
        return true;
    if (is_too_deep(at))
        return false;
    for (; a != b && a->kind == NS_FUNCTION && b->kind == NS_FUNCTION;
         a = a->parent, b = b->parent) {
        for (uint32_t i = 0; i < a->n; i++) {
            if (!mentions(def, f, a->v[i].name))
                continue;
            const value *w = ns_find(b, a->v[i].name);
            if (!w || !same_value(&a->v[i].v, w, &here))
                return false;
        }
    }
    return true;
}

/* Structs that two calls define are different types of one name, which holds a hash of the fields.
 */
static bool same_type(const type *a, const type *b)
{
    return a == b || (a && b && a->kind == b->kind && str_eq(a->cname, b->cname) &&
                      str_eq(a->pyname, b->pyname) && a->ndim == b->ndim);
}

static bool same_option(const value *a, const value *b)
{
    return a == b || (a && b && value_identical(a, b));
}

static bool same_options(const code_options *a, const code_options *b)
{
    return a->enable_backward == b->enable_backward && a->max_unroll == b->max_unroll &&
           a->grid_stride == b->grid_stride && a->block_dim == b->block_dim &&
           a->deterministic == b->deterministic && a->refused == b->refused &&
           a->lineinfo == b->lineinfo && a->debug == b->debug &&
           same_option(a->launch_bounds, b->launch_bounds) &&
           same_option(a->cluster_dim, b->cluster_dim) &&
           same_option(a->max_registers, b->max_registers) &&
           same_option(a->smem_spilling, b->smem_spilling);
}

static bool same_code(const code *a, const code *b, const pending *at)
{
    if (a->def != b->def || a->nparams != b->nparams || a->nstatics != b->nstatics ||
        !same_type(a->returns, b->returns) || !same_options(&a->options, &b->options))
        return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (!same_type(a->params[i].type, b->params[i].type) ||
            !same_option(a->params[i].default_value, b->params[i].default_value))
            return false;
    for (uint32_t i = 0; i < a->nstatics; i++)
        if (!same_value(&a->statics[i].value, &b->statics[i].value, at))
            return false;
    return same_closure(a->env, b->env, a->def, a, at);
}

/* A @wp.func with its overloads, gradient and replay. */
static bool same_func(const func *a, const func *b, const pending *at)
{
    for (; a != b && a && b; a = a->next, b = b->next)
        if (!same_code(&a->code, &b->code, at) || !a->custom_grad != !b->custom_grad ||
            !a->custom_replay != !b->custom_replay ||
            (a->custom_grad && !same_code(&a->custom_grad->code, &b->custom_grad->code, at)) ||
            (a->custom_replay &&
             !same_code(&a->custom_replay->code, &b->custom_replay->code, at)) ||
            a->snippet != b->snippet)
            return false;
    return a == b;
}

static bool same_python(const py_func *a, const py_func *b, const pending *at)
{
    return a == b || (a->kind == PY_DEF && b->kind == PY_DEF && a->def && a->def == b->def &&
                      same_closure(a->env, b->env, a->def, NULL, at));
}

static bool same_value(const value *a, const value *b, const pending *at)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    /* Kernels call no kernels, and what is unknown gives no text. */
    case VALUE_KERNEL:
    case VALUE_UNKNOWN: return true;
    case VALUE_FUNC: return same_func(a->p, b->p, at);
    case VALUE_PYFUNC: return same_python(a->p, b->p, at);
    case VALUE_TYPE: return same_type(a->type, b->type);
    default: return value_identical(a, b);
    }
}

bool kernel_replaces(const kernel *later, const kernel *k)
{
    if (later->code.def == k->code.def)
        return same_code(&later->code, &k->code, NULL);
    /* A def statement binds the name again. Those of different calls do not. */
    return (later->is_static && k->is_static) || later->code.env == k->code.env;
}
