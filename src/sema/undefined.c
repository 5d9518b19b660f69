/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a module uses and nothing defines: a NameError or AttributeError in Python, so that no
 * kernel of the file would exist.
 *
 *     @wp.kernel                    without `import warp as wp`: name 'wp' is not defined
 *     @wp.kernal                    warp has no attribute 'kernal'; did you mean 'kernel'?
 *     from warp import kernal       the same
 *     import wrap as wp             module 'wrap' was not found; did you mean 'warp'?
 *     import warp.optm              warp has no such module; did you mean 'warp.optim'?
 *     wp.set_module_options(OPTS)   name 'OPTS' is not defined
 *
 * Reported is what runs for certain in the main file: at module level, in class bodies, and in the
 * functions that these call; unrun.c warns of the rest. And only a name that nothing in the file
 * binds, whatever the scope (bound.c). */
#include "builtin/builtin.h"
#include "sema/sema.h"

/* Python 3.11's builtins that specials.def has no rule for. */
static const char *const python_builtins[] = {"aiter",
                                              "anext",
                                              "ascii",
                                              "breakpoint",
                                              "bytearray",
                                              "compile",
                                              "copyright",
                                              "credits",
                                              "delattr",
                                              "dir",
                                              "display",
                                              "eval",
                                              "exec",
                                              "exit",
                                              "filter",
                                              "format",
                                              "get_ipython",
                                              "globals",
                                              "hash",
                                              "help",
                                              "id",
                                              "input",
                                              "iter",
                                              "license",
                                              "locals",
                                              "memoryview",
                                              "next",
                                              "open",
                                              "quit",
                                              "vars",
                                              "Ellipsis",
                                              "NotImplemented",
                                              "BaseException",
                                              "BaseExceptionGroup",
                                              "Exception",
                                              "ExceptionGroup",
                                              "GeneratorExit",
                                              "KeyboardInterrupt",
                                              "SystemExit",
                                              "StopIteration",
                                              "StopAsyncIteration",
                                              "Warning"};

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), k = strlen(end);
    return n >= k && strcmp(s + n - k, end) == 0;
}

/* Is it a name that every module has? Exceptions and warnings are recognized by their ending. */
static bool is_everywhere(const char *name)
{
    if (strncmp(name, "__", 2) == 0 || ends_with(name, "Error") || ends_with(name, "Warning"))
        return true;
    return STR_IS_IN(str_c(name), python_builtins);
}

bool is_name_of_python(ctx *c, const sym *name)
{
    return python_name(sema_init(c), name) || STR_IS_IN(sym_str(name), python_builtins);
}

bool is_certain(const evaluator *e)
{
    const program *p = e->p;
    const module *m = e->env->mod;
    return !p->doubt && (m->is_instance || (p->main == m && m->state == MODULE_LOADING));
}

/* Is it a name that weft knows no module to lack, though it has no value for it? */
static bool is_there(const sym *name)
{
    if (ends_with(name->s, "Error") || ends_with(name->s, "Warning"))
        return is_exception(name);
    return STR_IS_IN(sym_str(name), python_builtins);
}

void name_not_found(evaluator *e, const sym *name)
{
    value star;
    if (!e->p->catchers || is_there(name))
        return;
    const module *m = e->env->mod;
    const bool sure = m == e->p->main && !m->is_instance && name->s[0] != '_' &&
                      !env_star(e->env, &star) && is_news(e, name);
    if (sure)
        raise_exception(e, exception_of("NameError"));
    else
        may_raise(e, exception_of("NameError"));
}

/* Are all attributes of the class, or of an object of it, known? */
static bool is_complete(evaluator *e, const value *v)
{
    value ignored;
    const py_class *cls = v->ns->cls;
    if (!cls || v->ns->star || v->ns->hides || cls->partly_known || cls->is_any || cls->native ||
        cls->kind != CLASS_PLAIN || AST(ClassDef, &cls->def->base)->keywords.n)
        return false;
    return !class_find(cls, e->names->s___getattr__, &ignored) &&
           !class_find(cls, sym_c(&e->c->syms, "__getattribute__"), &ignored) &&
           !class_find(cls, sym_c(&e->c->syms, "__slots__"), &ignored);
}

void attribute_not_found(evaluator *e, const value *obj, const sym *name)
{
    if (!e->p->catchers)
        return;
    const bool is_object = obj->kind == VALUE_OBJECT || obj->kind == VALUE_CLASS;
    const bool sure =
        strncmp(name->s, "__", 2) != 0 &&
        (obj->kind == VALUE_NONE || (is_object && is_complete(e, obj) && !e->p->binds_any));
    if (sure && (!is_object || strcmp(name->s, "mro") != 0))
        raise_exception(e, exception_of("AttributeError"));
    else if (is_object)
        may_raise_any(e); /* of __getattr__ */
    else
        may_raise(e, exception_of("AttributeError"));
}

/* Modules that users mean by a name which they forgot to import. */
const char *import_of(const sym *name)
{
    static const char *const names[][2] = {{"wp", "import warp as wp"},
                                           {"warp", "import warp"},
                                           {"math", "import math"},
                                           {"np", "import numpy as np"},
                                           {"numpy", "import numpy"},
                                           {"Any", "from typing import Any"},
                                           {"Tuple", "from typing import Tuple"},
                                           {"Callable", "from typing import Callable"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name->s, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

/* The name that `import warp as wp` gives to the module in the file: "wp"; NULL: none. */
static const char *alias_of_warp(const evaluator *e)
{
    const namespace *globals = &e->p->main->globals;
    for (uint32_t i = 0; i < globals->n; i++)
        if (globals->v[i].v.kind == VALUE_WARP && globals->v[i].v.s == e->names->s_warp)
            return globals->v[i].name->s;
    return NULL;
}

/* What the user may have meant: kernel is "wp.kernel", and wq is "wp", if the file has that. */
static const char *meant_by(const evaluator *e, const sym *name)
{
    const namespace *globals = &e->p->main->globals;
    const char *warp = alias_of_warp(e);
    nearest near;
    if (warp && warp_name(e->names, name))
        return arena_printf(&e->c->module, "%s.%s", warp, name->s);
    nearest_init(&near, sym_str(name));
    for (uint32_t i = 0; i < globals->n; i++)
        nearest_offer(&near, sym_str(globals->v[i].name));
    return near.best.p;
}

static void report_name(evaluator *e, const ast_Name *n,
                        bool (*report)(ctx *c, span at, diag_id id, ...))
{
    const span at = node_span(&e->p->main->src, &n->base);
    const char *import = import_of(n->id), *meant = import ? NULL : meant_by(e, n->id);
    mark_reported(e, n->id);
    if (import)
        report(e->c, at, DIAG_MISSING_IMPORT, n->id->s, import);
    else if (meant)
        report(e->c, at, DIAG_MISSPELLED_NAME, n->id->s, meant);
    else
        report(e->c, at, DIAG_UNDEFINED_NAME, n->id->s);
}

/* Names of files that have nothing to do with Warp are not weft's business. */
static bool is_undefined(evaluator *e, const sym *name)
{
    return !is_everywhere(name->s) && is_news(e, name) && e->p->has_warp;
}

void report_undefined(evaluator *e, const ast_Name *n)
{
    if (e->env->mod->is_instance) {
        report_undefined_in_instance(e, n);
        return;
    }
    if (!is_certain(e) || !is_undefined(e, n->id))
        return;
    e->p->undefined = true;
    report_name(e, n, diag_error);
}

void check_annotation(evaluator *e, const node *annotation)
{
    if (annotation && is_certain(e) && !e->env->mod->string_annotations)
        eval_node(e, annotation);
}

/* A module of which all names are imported may define it. */
void warn_undefined(evaluator *e, const ast_Name *n)
{
    value v;
    if (!e->p->main->globals.star && !env_lookup(&e->p->main->globals, n->id, &v) &&
        !python_name(e->names, n->id) && is_undefined(e, n->id))
        report_name(e, n, diag_warning);
}

/* One letter is missing, added, another, or exchanged with its neighbour. */
static bool is_one_slip(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    const bool exchanged = *a && *b && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0;
    return exchanged || (*b && strcmp(a, b + 1) == 0) || (*a && strcmp(a + 1, b) == 0) ||
           (*a && *b && strcmp(a + 1, b + 1) == 0);
}

static void report_not_in_warp(evaluator *e, const node *at, const sym *name)
{
    const span where = node_span(&e->env->mod->src, at);
    const char *advice = warp_advice(name), *near = warp_similar(e->c, name);
    if (builtin_find(e->c, name))
        diag_error(e->c, where, DIAG_UNCALLED_BUILTIN, name->s, name->s);
    else if (advice)
        diag_error(e->c, where, DIAG_ADVISED_ATTRIBUTE, name->s, advice);
    else if (near)
        diag_error(e->c, where, DIAG_MISSPELLED_ATTRIBUTE, name->s, near);
    else
        diag_error(e->c, where, DIAG_NO_WARP_ATTRIBUTE, name->s);
    if (e->env->mod->is_instance) /* the file has no fault */
        return;
    mark_reported(e, name);
    e->p->undefined = true;
}

static bool is_nowhere_in_warp(const sym *name)
{
    return name->s[0] != '_' && warp_name_side(name) == WARP_NOWHERE;
}

/* Of a module other than warp itself that lacks the name for certain. */
static void report_not_in_module(evaluator *e, const node *at, const sym *mod, const sym *name)
{
    const span where = node_span(&e->env->mod->src, at);
    const bool of_warp = strncmp(mod->s, "warp.", 5) == 0;
    nearest near;
    nearest_init(&near, sym_str(name));
    module_offer_names(mod->s, &near);
    const char *meant = near.best.p ? arena_dup(&e->c->module, near.best.p, near.best.n) : NULL;
    const char *similar = of_warp && !meant ? warp_similar(e->c, name) : NULL;
    if (of_warp && warp_name(e->names, name))
        similar = name->s;
    if (similar)
        meant = arena_printf(&e->c->module, "warp.%s", similar);
    if (meant)
        diag_error(e->c, where, DIAG_MISSPELLED_IMPORT, mod->s, name->s, meant);
    else
        diag_error(e->c, where, DIAG_NO_MODULE_ATTRIBUTE, mod->s, name->s);
    if (e->env->mod->is_instance) /* the file has no fault */
        return;
    mark_reported(e, name);
    e->p->undefined = true;
}

void report_no_getattr(evaluator *e, const node *at, const value *obj, const sym *name)
{
    if (obj->kind != VALUE_WARP || !is_certain(e) || !is_new_attribute(e, name))
        return;
    if (obj->s == e->names->s_warp && is_nowhere_in_warp(name))
        report_not_in_warp(e, at, name);
    else if (obj->s != e->names->s_warp && module_lacks(e->c, obj->s->s, name))
        report_not_in_module(e, at, obj->s, name);
}

void report_no_attribute(evaluator *e, const ast_Attribute *n, const value *obj)
{
    report_no_getattr(e, &n->base, obj, n->attr);
}

void report_no_import(evaluator *e, const ast_alias *n, const sym *from)
{
    if (!is_certain(e))
        return;
    /* The import binds the name, so that it is no news to look for it among those bound. */
    if (from == e->names->s_warp && is_nowhere_in_warp(n->name))
        report_not_in_warp(e, &n->base, n->name);
    else if (from != e->names->s_warp && module_lacks(e->c, from->s, n->name))
        report_not_in_module(e, &n->base, from, n->name);
}

void report_no_annotation(evaluator *e, const code *f)
{
    if (!f->incomplete || !is_certain(e))
        return;
    code_report_incomplete(e->c, f);
    e->p->undefined = true;
}

/* "warp.autograd, warp.config, ...": the modules directly below warp. */
static const char *modules_of_warp(ctx *c)
{
    const char *list = "", *name;
    for (size_t i = 0; (name = warp_module_at(i)) != NULL; i++)
        if (!strchr(name + strlen("warp."), '.'))
            list = arena_printf(&c->module, "%s%s%s", list, *list ? ", " : "", name);
    return list;
}

void report_no_warp_module(evaluator *e, const node *at, const sym *dotted, bool is_unrun)
{
    enum { below = sizeof "warp." - 1 };
    bool (*const report)(ctx *, span, diag_id, ...) = is_unrun ? diag_warning : diag_error;
    const module *mod = is_unrun ? e->p->main : e->env->mod; /* a package comes before main */
    const span where = node_span(&mod->src, at);
    const char *name;
    nearest near;
    if (!is_no_warp_module(dotted->s) || (!is_unrun && !is_certain(e)) || is_reported(e, dotted) ||
        loaded_module(e->p, dotted))
        return;
    nearest_init(&near, str_c(dotted->s + below));
    for (size_t i = 0; (name = warp_module_at(i)) != NULL; i++)
        nearest_offer(&near, str_c(name + below));
    if (near.best.p)
        report(e->c, where, DIAG_MISSPELLED_WARP_MODULE, dotted->s, near.best.p - below);
    else
        report(e->c, where, DIAG_NO_WARP_MODULE, dotted->s, modules_of_warp(e->c));
    mark_reported(e, dotted);
    e->p->undefined = e->p->undefined || !is_unrun;
}

/* Is it warp's name with a slip, or that of its package on PyPI? */
static bool is_meant_for_warp(const char *name)
{
    return is_one_slip(name, "warp") || strcmp(name, "warp_lang") == 0 ||
           strcmp(name, "warplang") == 0;
}

/* Does the file's text hold NAME.kernel, NAME.func or NAME.array? */
static bool is_used_as_warp(const evaluator *e, const sym *name)
{
    static const char *const ends[] = {".kernel", ".func", ".array"};
    const str text = e->p->main->src.text;
    for (size_t i = 0; i + name->len < text.n; i++) {
        if (memcmp(text.p + i, name->s, name->len) != 0)
            continue;
        const str rest = {text.p + i + name->len, text.n - i - name->len};
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (rest.n >= strlen(ends[k]) && memcmp(rest.p, ends[k], strlen(ends[k])) == 0)
                return true;
    }
    return false;
}

void report_misspelled_warp(evaluator *e, const ast_alias *n, const sym *from)
{
    const sym *given = from ? from : n->name;
    if (!is_certain(e) || !is_meant_for_warp(given->s))
        return;
    const bool is_warps = from ? warp_name(e->names, n->name) != NULL
                               : is_used_as_warp(e, n->asname ? n->asname : n->name);
    if (!is_warps)
        return;
    diag_error(e->c, node_span(&e->p->main->src, &n->base), DIAG_MISSPELLED_MODULE, given->s,
               "warp");
    e->p->undefined = true;
}

/* @wp above a def: Python's "TypeError: 'module' object is not callable". */
void report_module_decorator(evaluator *e, const node *decorator, const value *v)
{
    if (v->kind != VALUE_WARP || v->s != e->names->s_warp || !is_certain(e))
        return;
    const char *name = decorator->kind == AST_Name ? AST(Name, decorator)->id->s : "warp";
    const char *alias = alias_of_warp(e), *wp = alias ? alias : name;
    diag_error(e->c, node_span(&e->env->mod->src, decorator), DIAG_MODULE_DECORATOR, name, wp, wp);
    e->p->undefined = true;
}

/* Is the decorator wp.kernel, wp.func or a call of one? */
static bool is_device_decorator(evaluator *e, const node *n)
{
    n = n->kind == AST_Call ? AST(Call, n)->func : n;
    if (n->kind != AST_Name && n->kind != AST_Attribute)
        return false;
    const value v = eval_node(e, n);
    return v.kind == VALUE_SPECIAL && (v.n == SP_kernel || v.n == SP_func);
}

void report_async(evaluator *e, const ast_AsyncFunctionDef *n)
{
    for (uint32_t i = 0; i < n->decorator_list.n && is_certain(e); i++)
        if (is_device_decorator(e, n->decorator_list.v[i])) {
            diag_error(e->c, node_span(&e->env->mod->src, &n->base), DIAG_ASYNC_KERNEL);
            e->p->undefined = true;
            return;
        }
}
