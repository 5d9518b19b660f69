/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a module uses and nothing defines: a NameError or AttributeError in Python, so that no
 * kernel of the file would exist.
 *
 *     @wp.kernel                    without `import warp as wp`: name 'wp' is not defined
 *     @wp.kernal                    warp has no attribute 'kernal'; did you mean 'kernel'?
 *     wp.set_module_options(OPTS)   name 'OPTS' is not defined
 *
 * Reported is what runs for certain, at the level of the main file's module and in its class
 * bodies, and only a name that nothing in the file binds, whatever the scope: the evaluator follows
 * neither exceptions nor globals()["x"] = 1. */
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

/* A search for what binds a name, anywhere in a tree. */
typedef struct binding_search {
    const sym *name;
    bool found;
} binding_search;

static bool is_one_of(const sym_list *list, const sym *name)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i] == name)
            return true;
    return false;
}

/* `import a.b` binds a. */
static bool alias_binds(const ast_alias *a, const sym *name)
{
    if (a->asname)
        return a->asname == name;
    const size_t n = strcspn(a->name->s, ".");
    return n == name->len && memcmp(a->name->s, name->s, n) == 0;
}

/* Does the node itself bind the name, or may it bind any name? */
static bool node_binds(const node *n, const sym *name)
{
    switch (n->kind) {
    case AST_Name:
        if (AST(Name, n)->ctx != CTX_Load)
            return AST(Name, n)->id == name;
        return strcmp(AST(Name, n)->id->s, "globals") == 0 ||
               strcmp(AST(Name, n)->id->s, "exec") == 0 ||
               strcmp(AST(Name, n)->id->s, "vars") == 0 ||
               strcmp(AST(Name, n)->id->s, "locals") == 0;
    case AST_Attribute:
        return AST(Attribute, n)->ctx != CTX_Load && AST(Attribute, n)->attr == name;
    case AST_FunctionDef: return AST(FunctionDef, n)->name == name;
    case AST_AsyncFunctionDef: return AST(AsyncFunctionDef, n)->name == name;
    case AST_ClassDef: return AST(ClassDef, n)->name == name;
    case AST_arg: return AST(arg, n)->arg == name;
    case AST_alias: return alias_binds(AST(alias, n), name);
    case AST_ExceptHandler: return AST(ExceptHandler, n)->name == name;
    case AST_MatchAs: return AST(MatchAs, n)->name == name;
    case AST_MatchStar: return AST(MatchStar, n)->name == name;
    case AST_MatchMapping: return AST(MatchMapping, n)->rest == name;
    case AST_Global: return is_one_of(&AST(Global, n)->names, name);
    case AST_Nonlocal: return is_one_of(&AST(Nonlocal, n)->names, name);
    default: return false;
    }
}

static void search_binding(void *arg, const node *n)
{
    binding_search *s = arg;
    if (s->found)
        return;
    s->found = node_binds(n, s->name);
    if (!s->found)
        ast_each_child(n, search_binding, s);
}

static bool is_bound_somewhere(const module *m, const sym *name)
{
    binding_search s = {.name = name};
    search_binding(&s, &m->tree->base);
    return s.found;
}

/* Has the file to do with Warp at all? Names of other files are not weft's business. */
static bool mentions_warp(const module *m)
{
    const str t = m->src.text;
    for (size_t i = 0; i + 3 <= t.n; i++)
        if (memcmp(t.p + i, "wp.", 3) == 0 || (i + 4 <= t.n && memcmp(t.p + i, "warp", 4) == 0))
            return true;
    return false;
}

/* Does what is evaluated now run in Python for certain, in the file that errors are reported of? */
static bool is_certain(const evaluator *e)
{
    const program *p = e->p;
    return !e->frame && !p->doubt && p->main == e->env->mod && p->main->state == MODULE_LOADING;
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
    if (!is_certain(e) || is_everywhere(n->id->s) || is_bound_somewhere(e->p->main, n->id) ||
        !mentions_warp(e->p->main))
        return;
    for (uint32_t i = 0; i < e->p->undefined.n; i++)
        if (e->p->undefined.v[i] == n->id)
            return;
    VEC_PUSH(&e->c->module, &e->p->undefined, n->id);
    const span at = node_span(&e->p->main->src, &n->base);
    const char *import = import_of(n->id);
    if (import)
        diag_error(e->c, at, DIAG_MISSING_IMPORT, n->id->s, import);
    else
        diag_error(e->c, at, DIAG_UNDEFINED_NAME, n->id->s);
}

/* The decorator or other function of Python's side whose name is nearest: one letter is missing,
 * added, another, or exchanged with its neighbour. */
static const char *similar_attribute(const char *name)
{
    static const char *const names[] = {
        "kernel",   "func",   "struct",      "overload",  "array",       "array2d",
        "constant", "static", "func_native", "func_grad", "func_replay", "set_module_options"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *a = name, *b = names[i];
        while (*a && *a == *b)
            a++, b++;
        const bool exchanged =
            *a && *b && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0;
        if (exchanged || (*b && strcmp(a, b + 1) == 0) || (*a && strcmp(a + 1, b) == 0) ||
            (*a && *b && strcmp(a + 1, b + 1) == 0))
            return names[i];
    }
    return NULL;
}

void report_no_attribute(evaluator *e, const ast_Attribute *n, const value *obj)
{
    if (obj->kind != VALUE_WARP || obj->s != e->names->s_warp || !is_certain(e))
        return;
    if (n->attr->s[0] == '_' || warp_name_side(n->attr) != WARP_NOWHERE ||
        is_bound_somewhere(e->p->main, n->attr))
        return;
    const span at = node_span(&e->p->main->src, &n->base);
    const char *near = similar_attribute(n->attr->s);
    if (near)
        diag_error(e->c, at, DIAG_MISSPELLED_ATTRIBUTE, n->attr->s, near);
    else
        diag_error(e->c, at, DIAG_NO_WARP_ATTRIBUTE, n->attr->s);
    VEC_PUSH(&e->c->module, &e->p->undefined, n->attr);
}
