/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a module uses and nothing defines: a NameError or AttributeError in Python, so that no
 * kernel of the file would exist.
 *
 *     @wp.kernel                    without `import warp as wp`: name 'wp' is not defined
 *     @wp.kernal                    warp has no attribute 'kernal'; did you mean 'kernel'?
 *     from warp import kernal       the same
 *     import wrap as wp             module 'wrap' was not found; did you mean 'warp'?
 *     wp.set_module_options(OPTS)   name 'OPTS' is not defined
 *
 * Reported is what runs for certain in the main file: at module level, in class bodies, and in the
 * functions that these call. And only a name that nothing in the file binds, whatever the scope:
 * the evaluator follows neither exceptions nor globals()["x"] = 1. */
#include "base/nearest.h"
#include "sema/sema.h"

/* Python 3.11's builtins that specials.def has no rule for. */
static const char *const python_builtins[] = {"aiter",
                                              "anext",
                                              "ascii",
                                              "bin",
                                              "breakpoint",
                                              "bytearray",
                                              "chr",
                                              "compile",
                                              "copyright",
                                              "credits",
                                              "delattr",
                                              "dir",
                                              "display",
                                              "divmod",
                                              "eval",
                                              "exec",
                                              "exit",
                                              "filter",
                                              "format",
                                              "get_ipython",
                                              "globals",
                                              "hash",
                                              "help",
                                              "hex",
                                              "id",
                                              "input",
                                              "iter",
                                              "license",
                                              "locals",
                                              "memoryview",
                                              "next",
                                              "oct",
                                              "open",
                                              "ord",
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
    for (size_t i = 0; i < sizeof python_builtins / sizeof *python_builtins; i++)
        if (strcmp(name, python_builtins[i]) == 0)
            return true;
    return false;
}

enum { BOUND = 1, REPORTED }; /* program.bound */

static void gather(evaluator *e, str name)
{
    str_map_set(&e->c->module, &e->p->bound, name, BOUND);
}

static void gather_sym(evaluator *e, const sym *name)
{
    if (name)
        gather(e, (str){name->s, name->len});
}

static void gather_all(evaluator *e, const sym_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        gather_sym(e, list->v[i]);
}

/* `import a.b` binds a. */
static void gather_alias(evaluator *e, const ast_alias *a)
{
    if (a->asname)
        gather_sym(e, a->asname);
    else
        gather(e, (str){a->name->s, strcspn(a->name->s, ".")});
}

/* Functions by which a file may bind any name. */
static bool binds_any(const sym *name)
{
    static const char *const names[] = {"globals", "exec", "vars", "locals"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name->s, names[i]) == 0)
            return true;
    return false;
}

/* A loaded name binds nothing, but may be one of those functions. */
static void gather_name(evaluator *e, const ast_Name *n)
{
    if (n->ctx != CTX_Load)
        gather_sym(e, n->id);
    else if (binds_any(n->id))
        e->p->binds_any = true;
}

/* Adds what the node and all below it bind. */
static void gather_node(void *arg, const node *n)
{
    evaluator *e = arg;
    switch (n->kind) {
    case AST_Name: gather_name(e, AST(Name, n)); break;
    case AST_Attribute:
        if (AST(Attribute, n)->ctx != CTX_Load)
            gather_sym(e, AST(Attribute, n)->attr);
        break;
    case AST_FunctionDef: gather_sym(e, AST(FunctionDef, n)->name); break;
    case AST_AsyncFunctionDef: gather_sym(e, AST(AsyncFunctionDef, n)->name); break;
    case AST_ClassDef: gather_sym(e, AST(ClassDef, n)->name); break;
    case AST_arg: gather_sym(e, AST(arg, n)->arg); break;
    case AST_alias: gather_alias(e, AST(alias, n)); break;
    case AST_ExceptHandler: gather_sym(e, AST(ExceptHandler, n)->name); break;
    case AST_MatchAs: gather_sym(e, AST(MatchAs, n)->name); break;
    case AST_MatchStar: gather_sym(e, AST(MatchStar, n)->name); break;
    case AST_MatchMapping: gather_sym(e, AST(MatchMapping, n)->rest); break;
    case AST_Global: gather_all(e, &AST(Global, n)->names); break;
    case AST_Nonlocal: gather_all(e, &AST(Nonlocal, n)->names); break;
    default: break;
    }
    ast_each_child(n, gather_node, e);
}

bool mentions_warp(str t)
{
    for (size_t i = 0; i + 3 <= t.n; i++)
        if (memcmp(t.p + i, "wp.", 3) == 0 || (i + 4 <= t.n && memcmp(t.p + i, "warp", 4) == 0))
            return true;
    return false;
}

/* Is the name neither bound anywhere in the main file nor reported before? The file's names are
 * gathered once: a file may have many names that nothing defines. */
static bool is_news(evaluator *e, const sym *name)
{
    program *p = e->p;
    if (!p->bound_is_set) {
        p->bound_is_set = true;
        p->has_warp = mentions_warp(p->main->src.text);
        gather_node(e, &p->main->tree->base);
    }
    return !p->binds_any && !str_map_get(&p->bound, (str){name->s, name->len});
}

static void mark_reported(evaluator *e, const sym *name)
{
    e->p->undefined = true;
    str_map_set(&e->c->module, &e->p->bound, (str){name->s, name->len}, REPORTED);
}

/* Does what is evaluated now run in Python for certain, in the file that errors are reported of?
 * Functions that the module calls count, too: calls hand the doubt on. */
static bool is_certain(const evaluator *e)
{
    const program *p = e->p;
    const module *m = e->env->mod;
    return !p->doubt && (m->is_instance || (p->main == m && m->state == MODULE_LOADING));
}

/* Modules that users mean by a name which they forgot to import. */
const char *import_of(const sym *name)
{
    static const char *const names[][2] = {{"wp", "import warp as wp"},
                                           {"warp", "import warp"},
                                           {"math", "import math"},
                                           {"np", "import numpy as np"},
                                           {"numpy", "import numpy"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name->s, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

void report_undefined(evaluator *e, const ast_Name *n)
{
    if (e->env->mod->is_instance) {
        report_undefined_in_instance(e, n);
        return;
    }
    /* Names of files that have nothing to do with Warp are not weft's business. */
    if (!is_certain(e) || is_everywhere(n->id->s) || !is_news(e, n->id) || !e->p->has_warp)
        return;
    mark_reported(e, n->id);
    const span at = node_span(&e->p->main->src, &n->base);
    const char *import = import_of(n->id);
    if (import)
        diag_error(e->c, at, DIAG_MISSING_IMPORT, n->id->s, import);
    else
        diag_error(e->c, at, DIAG_UNDEFINED_NAME, n->id->s);
}

/* The decorator or other function of Python's side whose name is nearest: one letter is missing,
 * added, another, or exchanged with its neighbour. */
static bool is_one_slip(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    const bool exchanged = *a && *b && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0;
    return exchanged || (*b && strcmp(a, b + 1) == 0) || (*a && strcmp(a + 1, b) == 0) ||
           (*a && *b && strcmp(a + 1, b + 1) == 0);
}

static const char *similar_attribute(const char *name)
{
    static const char *const names[] = {
        "kernel",   "func",   "struct",      "overload",  "array",       "array2d",
        "constant", "static", "func_native", "func_grad", "func_replay", "set_module_options"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_one_slip(name, names[i]))
            return names[i];
    return NULL;
}

/* Another name of warp that has a value: "vec3" for "vec33"; NULL: none is near. */
static const char *similar_value(const evaluator *e, const sym *name)
{
    nearest near;
    nearest_init(&near, sym_str(name));
    for (uint32_t i = 0; i < e->names->nids; i++)
        if (warp_name(e->names, e->c->syms.by_id[i]))
            nearest_offer(&near, sym_str(e->c->syms.by_id[i]));
    return near.best.p;
}

static void report_not_in_warp(evaluator *e, const node *at, const sym *name)
{
    const span where = node_span(&e->env->mod->src, at);
    const char *near = similar_attribute(name->s);
    if (!near)
        near = similar_value(e, name);
    if (near)
        diag_error(e->c, where, DIAG_MISSPELLED_ATTRIBUTE, name->s, near);
    else
        diag_error(e->c, where, DIAG_NO_WARP_ATTRIBUTE, name->s);
    if (!e->env->mod->is_instance) /* the file has no fault */
        mark_reported(e, name);
}

static bool is_nowhere_in_warp(const sym *name)
{
    return name->s[0] != '_' && warp_name_side(name) == WARP_NOWHERE;
}

void report_no_attribute(evaluator *e, const ast_Attribute *n, const value *obj)
{
    if (obj->kind == VALUE_WARP && obj->s == e->names->s_warp && is_certain(e) &&
        is_nowhere_in_warp(n->attr) && is_news(e, n->attr))
        report_not_in_warp(e, &n->base, n->attr);
}

void report_no_import(evaluator *e, const ast_alias *n, const sym *from)
{
    /* The import binds the name, so that it is no news to look for it among those bound. */
    if (from == e->names->s_warp && is_certain(e) && is_nowhere_in_warp(n->name))
        report_not_in_warp(e, &n->base, n->name);
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
