/* SPDX-License-Identifier: Apache-2.0 */
/* Types that a launch passes, as far as the file that it stands in tells them (generic_types.h).
 * Nothing is executed: an argument is a literal, a type's call, an array made with a dtype, a
 * parameter with an annotation, or a name or an attribute that one of these was assigned to.
 *
 *     def run(self, n: int):                    inputs=[self.x, n, 0.5]
 *         self.x = wp.zeros(n, dtype=wp.vec3)   ->   array(dtype=vec3f, ndim=1), int32, float32
 *         wp.launch(k, n, inputs=[self.x, n, 0.5]) */
#include "collect/generic_types.h"

#include "sema/origin.h"

enum { FOLLOWED_MOST = 6 }; /* names that stand for other names */

typedef struct launch_search {
    ctx *c;
    const module *m;      /* the file that is looked at */
    const namespace *env; /* of it */
    const kernel *kernel;
    const ast_FunctionDef *inside; /* the innermost function around what is looked at */
    const type **types;
    bool found;
    int depth;
} launch_search;

static const type *type_of(launch_search *s, const node *n, const type *wanted);

/* --- expressions --------------------------------------------------------------------------- */

static const node *keyword_of(const ast_Call *n, const char *name)
{
    for (uint32_t i = 0; i < n->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, n->keywords.v[i]);
        if (k->arg && strcmp(k->arg->s, name) == 0)
            return k->value;
    }
    return NULL;
}

/* "zeros" of wp.zeros(...); NULL: it is no call of an attribute. */
static const char *called(const node *n)
{
    return n->kind == AST_Call && AST(Call, n)->func->kind == AST_Attribute
               ? AST(Attribute, AST(Call, n)->func)->attr->s
               : NULL;
}

/* The value of an expression of the file's own names; VALUE_UNKNOWN: it has others. */
static value evaluate(launch_search *s, const node *n)
{
    const uint32_t errors = s->c->diags.n;
    const value v = eval_expr(s->c, s->env, NULL, 0, n);
    s->c->diags.n = errors;
    return v;
}

static const type *type_named(launch_search *s, const node *n)
{
    const value v = evaluate(s, n);
    const type *t = v.kind == VALUE_UNKNOWN ? NULL : annotation_type(s->c, &v);
    return t && !t->generic ? t : NULL;
}

/* wp.zeros(shape, dtype=T): the rank is the parameter's where that has one, else the shape's. */
static const type *type_of_array(launch_search *s, const ast_Call *n, const type *wanted)
{
    const node *dtype = keyword_of(n, "dtype"), *shape = keyword_of(n, "shape");
    const type *elem = dtype ? type_named(s, dtype) : type_scalar(s->c, TYPE_FLOAT32);
    shape = shape ? shape : n->args.n ? n->args.v[0] : NULL;
    int ndim = shape && shape->kind == AST_Tuple ? (int)AST(Tuple, shape)->elts.n : 1;
    if (wanted->kind == TYPE_ARRAY && wanted->ndim != TYPE_ANY_DIM)
        ndim = wanted->ndim;
    return elem ? type_array(s->c, ARRAY_PLAIN, elem, ndim) : NULL;
}

/* zeros_like(x) has the type of x; wp.vec3(...) is one. */
static const type *type_of_call(launch_search *s, const ast_Call *n, const type *wanted)
{
    static const char *const makers[] = {"zeros", "empty", "ones", "full", "array", "from_numpy"};
    static const char *const alike[] = {"zeros_like", "empty_like", "ones_like", "full_like",
                                        "clone"};
    const char *name = called(&n->base);
    if (name && STR_IS_IN(str_c(name), makers))
        return type_of_array(s, n, wanted);
    if (name && STR_IS_IN(str_c(name), alike) && n->args.n)
        return type_of(s, n->args.v[0], wanted);
    const type *t = type_named(s, n->func);
    return t && type_is_value(t) ? t : NULL;
}

static const type *type_of_constant(launch_search *s, const constant *v)
{
    switch (v->kind) {
    case CONST_INT: return type_scalar(s->c, TYPE_INT32);
    case CONST_FLOAT: return type_scalar(s->c, TYPE_FLOAT32);
    case CONST_TRUE:
    case CONST_FALSE: return type_scalar(s->c, TYPE_BOOL);
    default: return NULL;
    }
}

/* --- names --------------------------------------------------------------------------------- */

/* The last assignment to a name, or to self.NAME, below a node. */
typedef struct assignment_search {
    const sym *name;
    bool attribute;
    const node *value;
} assignment_search;

static bool is_target(const assignment_search *a, const node *n)
{
    if (!a->attribute)
        return n->kind == AST_Name && AST(Name, n)->id == a->name;
    return n->kind == AST_Attribute && AST(Attribute, n)->attr == a->name &&
           AST(Attribute, n)->value->kind == AST_Name &&
           strcmp(AST(Name, AST(Attribute, n)->value)->id->s, "self") == 0;
}

static void find_assignment(void *arg, const node *n)
{
    assignment_search *a = arg;
    if (n->kind == AST_Assign && AST(Assign, n)->targets.n == 1 &&
        is_target(a, AST(Assign, n)->targets.v[0]))
        a->value = AST(Assign, n)->value;
    ast_each_child(n, find_assignment, a);
}

/* The annotation of a parameter of the function around. */
static const node *annotation_of(const launch_search *s, const sym *name)
{
    const ast_arguments *a = s->inside ? AST(arguments, s->inside->args) : NULL;
    for (uint32_t i = 0; a && i < a->args.n + a->kwonlyargs.n; i++) {
        const node *n = i < a->args.n ? a->args.v[i] : a->kwonlyargs.v[i - a->args.n];
        if (AST(arg, n)->arg == name)
            return AST(arg, n)->annotation;
    }
    return NULL;
}

static const type *type_of_name(launch_search *s, const sym *name, const type *wanted)
{
    assignment_search a = {.name = name};
    value v;
    if (s->inside)
        ast_each_child(&s->inside->base, find_assignment, &a);
    if (a.value)
        return type_of(s, a.value, wanted);
    const node *annotation = annotation_of(s, name);
    if (annotation)
        return type_named(s, annotation);
    if (!env_lookup(s->env, name, &v))
        return NULL;
    switch (v.kind) {
    case VALUE_INT: return type_scalar(s->c, TYPE_INT32);
    case VALUE_FLOAT: return type_scalar(s->c, TYPE_FLOAT32);
    case VALUE_BOOL: return type_scalar(s->c, TYPE_BOOL);
    case VALUE_SCALAR:
    case VALUE_COMPOSITE: return v.type;
    default: return NULL;
    }
}

static const type *type_of_attribute(launch_search *s, const ast_Attribute *n, const type *wanted)
{
    assignment_search a = {.name = n->attr, .attribute = true};
    if (strcmp(n->attr->s, "grad") == 0)
        return type_of(s, n->value, wanted);
    if (n->value->kind != AST_Name || strcmp(AST(Name, n->value)->id->s, "self") != 0)
        return NULL;
    ast_each_child(&module_tree(s->m)->base, find_assignment, &a);
    return a.value ? type_of(s, a.value, wanted) : NULL;
}

/* A type that fits the parameter `wanted`; NULL: it is not known. */
static const type *type_of(launch_search *s, const node *n, const type *wanted)
{
    const type *t = NULL;
    if (s->depth == FOLLOWED_MOST)
        return NULL;
    s->depth++;
    switch (n->kind) {
    case AST_Constant: t = type_of_constant(s, &AST(Constant, n)->value); break;
    case AST_Call: t = type_of_call(s, AST(Call, n), wanted); break;
    case AST_Name: t = type_of_name(s, AST(Name, n)->id, wanted); break;
    case AST_Attribute: t = type_of_attribute(s, AST(Attribute, n), wanted); break;
    default: break;
    }
    s->depth--;
    return t && !t->generic && type_fits(wanted, t) ? t : NULL;
}

/* --- launches ------------------------------------------------------------------------------ */

/* In the kernel's own file its name is enough: a function may have made it. */
static bool is_kernel(launch_search *s, const node *n)
{
    const sym *name = n && n->kind == AST_Name        ? AST(Name, n)->id
                      : n && n->kind == AST_Attribute ? AST(Attribute, n)->attr
                                                      : NULL;
    if (s->m == s->kernel->code.mod)
        return name && name == s->kernel->code.name;
    const value v = name ? evaluate(s, n) : (value){.kind = VALUE_NONE};
    return v.kind == VALUE_KERNEL && v.p == s->kernel;
}

/* The arguments in `list` belong to the parameters from `first` on. Gives their number. */
static uint32_t take_list(launch_search *s, const node *list, uint32_t first)
{
    const code *f = &s->kernel->code;
    const node_list none = {0};
    const node_list items = !list                     ? none
                            : list->kind == AST_List  ? AST(List, list)->elts
                            : list->kind == AST_Tuple ? AST(Tuple, list)->elts
                                                      : none;
    for (uint32_t i = 0; i < items.n && first + i < f->nparams; i++) {
        const type *wanted = f->params[first + i].type;
        if (wanted->generic)
            s->types[first + i] = type_of(s, items.v[i], wanted);
    }
    return items.n;
}

/* wp.launch(kernel, dim, inputs, outputs), by place or by name. */
static void take_launch(launch_search *s, const ast_Call *n)
{
    const node *k = keyword_of(n, "kernel"), *in = keyword_of(n, "inputs");
    const node *out = keyword_of(n, "outputs");
    if (!is_kernel(s, k ? k : n->args.n ? n->args.v[0] : NULL))
        return;
    in = in ? in : n->args.n > 2 ? n->args.v[2] : NULL;
    out = out ? out : n->args.n > 3 ? n->args.v[3] : NULL;
    const uint32_t taken = take_list(s, in, 0);
    take_list(s, out, taken);
    s->found = true;
}

/* The first launch counts, whatever it tells: types of two launches do not mix. */
static void look(void *arg, const node *n)
{
    launch_search *s = arg;
    static const char *const launches[] = {"launch", "launch_tiled"};
    if (s->found)
        return;
    const ast_FunctionDef *around = s->inside;
    if (n->kind == AST_FunctionDef)
        s->inside = AST(FunctionDef, n);
    const char *name = called(n);
    if (name && STR_IS_IN(str_c(name), launches))
        take_launch(s, AST(Call, n));
    ast_each_child(n, look, s);
    s->inside = around;
}

bool instance_by_launch(ctx *c, const module *m, const kernel *generic, const type **types)
{
    launch_search s = {.c = c, .m = m, .env = module_scope(m), .kernel = generic, .types = types};
    look(&s, &module_tree(m)->base);
    return s.found;
}
