/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels and @wp.func share: parameters and their types from the annotations, in the order
 * that Warp's Adjoint sees them, and the values of wp.static(...) at definition. An example:
 *
 *     def f(a, /, b: int, *, c: float = 1.0): ...
 *     params    b: int32, c: float32 with default 1.0     (a has no annotation and is left out)
 *     incomplete: code_check reports the missing annotation of a
 *
 * code_make never reports: most functions of a large program are never compiled. code_check does it
 * for those that are. */
#include "sema/sema.h"
#include "syntax/parser.h"

/* The def behind a value: itself, or what staticmethod and the like wrap. NULL: a lambda, a
 * builtin, or no function at all. */
const py_func *as_py_func(const value *v)
{
    const py_func *f = v && v->kind == VALUE_PYFUNC ? v->p : NULL;
    while (f && f->kind != PY_DEF && f->callee && f->callee->kind == VALUE_PYFUNC)
        f = f->callee->p; /* staticmethod */
    return f && f->kind == PY_DEF && f->def ? f : NULL;
}

/* Functions do not see the names of the class body around them, so the scope of a method is the one
 * around its class. */
static namespace *without_classes(namespace *env)
{
    const namespace *ns = env;
    while (ns->kind == NS_CLASS)
        ns = ns->parent;
    /* A module scope ends every chain, so ns is not NULL. */
    return (namespace *)(uintptr_t)ns;
}

/* The expression in an annotation that is written as a string: "wp.array(dtype=float)". It is
 * parsed in parentheses, so that line breaks do not end it. Its syntax errors are dropped; NULL
 * then. */
static const node *parse_expression(ctx *c, str text)
{
    source *src = ARENA_NEW(&c->module, source);
    char *p = arena_alloc(&c->module, text.n + 3);
    p[0] = '(';
    memcpy(p + 1, text.p, text.n);
    p[text.n + 1] = ')';
    p[text.n + 2] = 0;
    src->path = "annotation";
    src->text = (str){p, text.n + 2};
    uint32_t errors = c->diags.n;
    const ast_Module *m = parse_module(c, src);
    c->diags.n = errors;
    if (!m || m->body.n != 1 || m->body.v[0]->kind != AST_Expr)
        return NULL;
    return AST(Expr, m->body.v[0])->value;
}

/* Warp 1.19 get_annotations: inspect.get_annotations(eval_str=True). Annotations are evaluated in
 * the class body where they stand; strings, and all annotations after `from __future__ import
 * annotations`, in globals and closure. */
value annotation_value(evaluator *e, namespace *env, const node *n)
{
    bool strings = env->mod->string_annotations;
    value v = eval_in(e, strings ? without_classes(env) : env, n);
    if (v.kind != VALUE_STR)
        return v;
    const node *text = parse_expression(e->c, sym_str(v.s));
    if (!text)
        return unknown("the annotation is no expression");
    e->p->doubt++; /* its nodes have no place in the file, so no error can be reported there */
    v = eval_in(e, without_classes(env), text);
    e->p->doubt--;
    return v;
}

/* The names of a string annotation, and the function that has it. */
typedef struct closure_search {
    const namespace *env;
    const ast_FunctionDef *def;
    const sym *wanted; /* in the body */
    bool used;
    const sym *lost; /* a name of a function around that the body does not use */
} closure_search;

static void find_load(void *arg, const node *n)
{
    closure_search *s = arg;
    s->used = s->used || (n->kind == AST_Name && AST(Name, n)->id == s->wanted);
    if (!s->used)
        ast_each_child(n, find_load, arg);
}

static void find_lost(void *arg, const node *n)
{
    closure_search *s = arg;
    if (n->kind == AST_Name) {
        const namespace *ns = s->env;
        s->wanted = AST(Name, n)->id;
        while (ns->parent && !ns_find(ns, s->wanted))
            ns = ns->parent;
        s->used = ns->kind != NS_FUNCTION;
        for (uint32_t i = 0; i < s->def->body.n; i++)
            find_load(arg, s->def->body.v[i]);
        if (!s->used)
            s->lost = s->wanted;
    }
    ast_each_child(n, find_lost, arg);
}

/* An annotation of a parameter or result. Of the functions around, a string sees only what the
 * closure holds: the names that the body uses. */
static value function_annotation(evaluator *e, namespace *env, const ast_FunctionDef *def,
                                 const node *n)
{
    const value v = annotation_value(e, env, n);
    const bool is_text = n->kind == AST_Constant && AST(Constant, n)->value.kind == CONST_STR;
    const node *text = is_text ? parse_expression(e->c, AST(Constant, n)->value.text)
                       : env->mod->string_annotations ? n
                                                      : NULL;
    closure_search s = {.env = without_classes(env), .def = def};
    if (!text || s.env->kind != NS_FUNCTION)
        return v;
    find_lost(&s, text);
    return s.lost
               ? unknown_text(e->c,
                              "'%.80s' is a name of the function around it, which the text of an "
                              "annotation does not see unless the body uses it",
                              s.lost->s)
               : v;
}

/* Appends one parameter. Warp reads parameters from __annotations__, so one without annotation is
 * left out. */
static void add_param(evaluator *e, code *out, const py_func *f, const node *arg,
                      const value *preset)
{
    const ast_arg *a = AST(arg, arg);
    if (!a->annotation)
        return;
    value v = function_annotation(e, f->env, f->def, a->annotation);
    param *p = (param *)(uintptr_t)&out->params[out->nparams++];
    *p = (param){.name = a->arg, .where = arg, .default_value = preset};
    p->type = annotation_type(e->c, &v);
    p->is_ref = p->type && p->type->kind == TYPE_REF;
    out->generic = out->generic || (p->type && p->type->generic);
}

/* The default of positional parameter i (positional-only ones come first), or NULL. f->defaults
 * belongs to the last parameters. */
static const value *preset_of(const py_func *f, const ast_arguments *a, uint32_t i)
{
    WEFT_ASSERT(a->defaults.n <= a->posonlyargs.n + a->args.n);
    uint32_t n = a->posonlyargs.n + a->args.n, first = n - a->defaults.n;
    return i >= first && f->defaults ? &f->defaults[i - first] : NULL;
}

/* The order of Python's __annotations__: args before positional-only ones, as CPython's compiler
 * writes them. */
static void add_params(evaluator *e, code *out, const py_func *f)
{
    const ast_arguments *a = AST(arguments, f->def->args);
    uint32_t total = a->posonlyargs.n + a->args.n + a->kwonlyargs.n + 2;
    /* Two more for *args and **kwargs. */
    out->params = ARENA_ARRAY(&e->c->module, param, total);
    for (uint32_t i = 0; i < a->args.n; i++)
        add_param(e, out, f, a->args.v[i], preset_of(f, a, a->posonlyargs.n + i));
    for (uint32_t i = 0; i < a->posonlyargs.n; i++)
        add_param(e, out, f, a->posonlyargs.v[i], preset_of(f, a, i));
    if (a->vararg)
        add_param(e, out, f, a->vararg, NULL);
    for (uint32_t i = 0; i < a->kwonlyargs.n; i++)
        add_param(e, out, f, a->kwonlyargs.v[i], a->kw_defaults.v[i] ? &f->kw_defaults[i] : NULL);
    if (a->kwarg)
        add_param(e, out, f, a->kwarg, NULL);
    /* Warp 1.19 Adjoint.__init__ counts the return annotation in. */
    uint32_t annotated = out->nparams + (f->def->returns != NULL);
    out->incomplete = annotated < a->posonlyargs.n + a->args.n;
}

/* co_firstlineno: decorators belong to a function's source. */
static uint32_t first_line(const ast_FunctionDef *def)
{
    return def->decorator_list.n ? def->decorator_list.v[0]->line : def->base.line;
}

/* Does the text of these lines contain the word? Most functions have no wp.static; this saves the
 * walk over their bodies. True if the lines are not known, which only costs time. */
static bool slice_has(const source *src, uint32_t first, uint32_t last, const char *word)
{
    if (!src->lines || first < 1 || last > src->nlines)
        return true;
    size_t from = src->lines[first - 1], end = last < src->nlines ? src->lines[last] : src->text.n;
    size_t n = strlen(word);
    for (; from + n <= end; from++) {
        const char *hit = memchr(src->text.p + from, word[0], end - from - n + 1);
        if (!hit)
            return false;
        from = (size_t)(hit - src->text.p);
        if (memcmp(hit, word, n) == 0)
            return true;
    }
    return false;
}

/* Fills *out. Types are found by evaluating the annotations now, as Python does when the def
 * statement runs; the body is not evaluated except for wp.static calls. */
void code_make(evaluator *e, code *out, const py_func *f)
{
    WEFT_ASSERT(f->kind == PY_DEF && f->def != NULL);
    module *m = f->env->mod;
    memset(out, 0, sizeof *out);
    out->name = f->name;
    out->def = f->def;
    out->mod = m;
    out->src = &m->src;
    out->env = without_classes(f->env);
    out->first_line = first_line(f->def);
    out->last_line = f->def->base.end_line;
    /* -1: not set; kernel.c and the lowering fill them in. */
    out->options = (code_options){.enable_backward = -1,
                                  .max_unroll = -1,
                                  .grid_stride = -1,
                                  .block_dim = -1,
                                  .module_backward = -1,
                                  .deterministic = -1,
                                  .fast_math = -1,
                                  .lineinfo = -1,
                                  .debug = -1,
                                  .enable_vector_component_overwrites = -1};
    /* Names in annotations and wp.static are reported with the kernel. */
    e->p->doubt++;
    add_params(e, out, f);
    if (f->def->returns) {
        value v = function_annotation(e, f->env, f->def, f->def->returns);
        out->returns = annotation_type(e->c, &v);
        out->returns_none = v.kind == VALUE_NONE;
    }
    if (slice_has(&m->src, out->first_line, out->last_line, "static"))
        find_statics(e, out);
    e->p->doubt--;
}

bool is_function_type(const type *t)
{
    return t && (t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE);
}

bool takes_functions(const code *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (is_function_type(f->params[i].type))
            return true;
    return false;
}

/* The name that an annotation begins with: np of `np.ndarray`; NULL: it begins with none. */
static const ast_Name *first_name(const node *n)
{
    while (n->kind == AST_Attribute || n->kind == AST_Subscript || n->kind == AST_Call)
        n = n->kind == AST_Attribute   ? AST(Attribute, n)->value
            : n->kind == AST_Subscript ? AST(Subscript, n)->value
                                       : AST(Call, n)->func;
    return n->kind == AST_Name ? AST(Name, n) : NULL;
}

/* Reports a module that an annotation needs and nothing imports. False: that is not the fault. */
static bool report_missing_import(const evaluator *e, const source *src, const node *annotation)
{
    const ast_Name *n = first_name(annotation);
    value v;
    if (!n || !import_of(n->id) || env_lookup(e->env, n->id, &v))
        return false;
    diag_error(e->c, node_span(src, &n->base), DIAG_MISSING_IMPORT, n->id->s, import_of(n->id));
    return true;
}

/* Reports why a parameter has no type. The reason is found by evaluating the annotation again, for
 * the parameter keeps only that its type is NULL; loading may have used up the fuel, so some is
 * added. Returns false, as diag_error does. */
static bool report_type(ctx *c, const code *f, const param *p)
{
    WEFT_ASSERT(p->type == NULL);
    const ast_arg *a = AST(arg, p->where);
    span at = node_span(f->src, a->annotation);
    evaluator e = evaluator_for(c, f->env);
    e.p->fuel = e.p->fuel > SEMA_FUEL_LATE ? e.p->fuel : SEMA_FUEL_LATE;
    value v = function_annotation(&e, (namespace *)(uintptr_t)f->env, f->def, a->annotation);
    const bool array = v.kind == VALUE_SPECIAL && v.n >= SP_array && v.n <= SP_fixedarray;
    const char *name = array ? ast_dotted(&c->module, a->annotation) : NULL;
    const char *why =
        v.kind == VALUE_UNKNOWN ? v.why
        : array ? arena_printf(&c->module, "an array needs its element type: %s(dtype=float)",
                               name ? name : "wp.array")
                : "it is no type that Warp knows";
    if (v.kind == VALUE_UNKNOWN && e.p->undefined) /* a name that nothing defines is reported */
        return false;
    if (v.kind == VALUE_UNKNOWN && report_missing_import(&e, f->src, a->annotation))
        return false;
    return diag_error(c, at, DIAG_BAD_ANNOTATION, p->name->s, why);
}

bool code_report_incomplete(ctx *c, const code *f)
{
    WEFT_ASSERT(f->incomplete);
    const ast_arguments *a = AST(arguments, f->def->args);
    const node_list *lists[] = {&a->posonlyargs, &a->args};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->n; i++)
            if (!AST(arg, lists[k]->v[i])->annotation)
                diag_error(c, node_span(f->src, lists[k]->v[i]), DIAG_NO_ANNOTATION,
                           AST(arg, lists[k]->v[i])->arg->s);
    return false;
}

/* All errors of a signature are reported, not only the first. */
bool code_check(ctx *c, const code *f)
{
    bool ok = true;
    if (f->is_unsure)
        ok = diag_error(c, node_span(f->src, &f->def->base), DIAG_UNSURE_KERNEL, f->name->s);
    if (f->incomplete)
        ok = code_report_incomplete(c, f);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const param *p = &f->params[i];
        if (!p->type)
            ok = report_type(c, f, p);
        else if (f->is_kernel && p->is_ref)
            ok = diag_error(c, node_span(f->src, p->where), DIAG_KERNEL_REF, p->name->s);
        else if (!f->is_kernel && p->type->kind == TYPE_CALLABLE) /* Warp 1.19 get_type_code */
            ok = diag_error(c, node_span(f->src, p->where), DIAG_CALLABLE_ANNOTATION, p->name->s);
        else if (p->type->kind == TYPE_NATIVE && !type_has_code(p->type))
            ok = diag_error(c, node_span(f->src, p->where), DIAG_BAD_ANNOTATION, p->name->s,
                            "no kernel or function takes such objects");
    }
    const node *returns = f->def->returns;
    if (f->is_kernel && returns && !f->returns_none)
        ok = diag_error(c, node_span(f->src, returns), DIAG_KERNEL_ANNOTATED, f->name->s);
    return ok;
}
