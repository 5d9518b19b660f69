/* SPDX-License-Identifier: Apache-2.0 */
/* Import statements. Examples, in package a.b:
 *
 *     from .shapes import box as b    loads a/b/shapes.py and binds b
 *     import warp.types as T          a table: nothing is read
 *     import numpy as np              a table: the few names in specials.def
 *     import a.c.d                    loads a, a.c and a.c.d, binds a
 *
 * Modules that are not tables are files, searched in the folder of the main file, its package's
 * root and the search folders. A module that is not found or cannot be parsed makes the imported
 * names unknown. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_set.h"
#include "builtin/builtin.h"
#include "sema/sema.h"
#include "syntax/parse_cache.h"

/* Large packages that hold no Warp code: reading them would only cost time. */
static const char *const skipped[] = {
    "torch",   "jax",        "jaxlib", "numpy",     "scipy",      "pandas", "cupy",
    "paddle",  "matplotlib", "pxr",    "PIL",       "tensorflow", "cv2",    "pyglet",
    "trimesh", "pytest",     "sympy",  "ml_dtypes", "taichi",     "numba",  "triton"};

/* Modules of Python's standard library that programs with kernels import; -I is no help there. */
static const char *const of_python[] = {"abc",        "argparse",   "ast",
                                        "asyncio",    "base64",     "collections",
                                        "concurrent", "contextlib", "copy",
                                        "csv",        "ctypes",     "dataclasses",
                                        "datetime",   "enum",       "functools",
                                        "gc",         "glob",       "hashlib",
                                        "heapq",      "importlib",  "inspect",
                                        "io",         "itertools",  "json",
                                        "logging",    "math",       "multiprocessing",
                                        "operator",   "os",         "pathlib",
                                        "pickle",     "platform",   "pprint",
                                        "queue",      "random",     "re",
                                        "shutil",     "signal",     "socket",
                                        "statistics", "string",     "struct",
                                        "subprocess", "sys",        "tempfile",
                                        "textwrap",   "threading",  "time",
                                        "timeit",     "traceback",  "types",
                                        "typing",     "unittest",   "urllib",
                                        "uuid",       "warnings",   "weakref"};

static const char not_evaluated[] = "weft does not evaluate %.60s.%.60s";

/* Compares the first part of the dotted name: "numpy.linalg" is in the list if numpy is. */
static bool is_in(const char *const *list, size_t count, const char *dotted)
{
    const size_t n = strcspn(dotted, ".");
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == n && strncmp(list[i], dotted, n) == 0)
            return true;
    return false;
}

static bool is_skipped(const char *dotted)
{
    return is_in(skipped, sizeof skipped / sizeof *skipped, dotted);
}

static bool is_of_python(const char *dotted)
{
    return is_in(of_python, sizeof of_python / sizeof *of_python, dotted);
}

/* The module warp, one of its submodules, or a Python module that is a table, as a value. */
value warp_value(ctx *c, const char *dotted)
{
    return (value){.kind = VALUE_WARP, .s = sym_c(&c->syms, dotted)};
}

/* A module that failed to load stays in the program, so the reason is found again. */
value module_value(module *m)
{
    WEFT_ASSERT(m->state != MODULE_FAILED || m->why != NULL);
    if (m->state == MODULE_FAILED)
        return unknown(m->why);
    return (value){.kind = VALUE_MODULE, .ns = &m->globals};
}

/* A module that is being loaded counts: a cyclic import sees what it has defined so far, as in
 * Python. */
module *loaded_module(program *p, const sym *dotted)
{
    for (module *m = p->modules; m; m = m->next)
        if (m->name == dotted)
            return m;
    return NULL;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Looks for a module in one folder: DIR/a/b/__init__.py, then DIR/a/b.py, for "a.b". A package wins
 * over a file of the same name, as in Python. *package: the file is an __init__.py, so relative
 * imports in it start at the package itself. False: neither is there, or a path is too long. */
bool module_file(const char *dir, const char *dotted, bool stub, char *path, size_t size,
                 bool *package)
{
    char inner[SEMA_NAME_MAX];
    size_t n = strlen(dotted);
    if (n >= sizeof inner)
        return false;
    for (size_t i = 0; i <= n; i++)
        inner[i] = dotted[i] == '.' ? '/' : dotted[i];
    static const char *const ends[] = {"/__init__.py", ".py"};
    for (int i = 0; i < 2; i++) {
        int len = snprintf(path, size, "%s/%s%s%s", dir, inner, ends[i], stub ? "i" : "");
        if (len > 0 && (size_t)len < size && is_file(path)) {
            *package = i == 0;
            return true;
        }
    }
    return false;
}

/* "a.b" of "a.b.c"; NULL: the name has no dot. */
const sym *parent_module(ctx *c, const sym *dotted)
{
    const char *dot = strrchr(dotted->s, '.');
    return dot ? sym_intern(&c->syms, dotted->s, (size_t)(dot - dotted->s)) : NULL;
}

/* An imported file has steps of its own, so that none takes those of the files around it:
 *
 *     SETTINGS = toml.load(path)     in a package's __init__.py: weft runs toml, which does not end
 *
 * The main file may be loaded by its own package. */
static void run_imported(program *p, module *m)
{
    const bool is_main = m->name == p->main_name;
    const uint32_t around = p->fuel;
    const uint32_t own = is_main                           ? SEMA_FUEL
                         : p->import_fuel < SEMA_FUEL_FILE ? p->import_fuel
                                                           : SEMA_FUEL_FILE;
    p->fuel = own;
    module_run(m);
    /* What is evaluated late may have got more (SEMA_FUEL_LATE); its own imports may have taken all
     * that was left. */
    const uint32_t used = own > p->fuel ? own - p->fuel : 0;
    if (!is_main)
        p->import_fuel -= used < p->import_fuel ? used : p->import_fuel;
    p->fuel = around;
}

/* Reads and runs the file as a module. On failure the module is there too, with state MODULE_FAILED
 * and the reason, so that no file is tried twice. */
module *import_file(program *p, const sym *dotted, const char *path, bool package)
{
    WEFT_ASSERT(loaded_module(p, dotted) == NULL);
    ctx *c = p->c;
    module *m = module_new(p, dotted);
    m->package = package ? dotted : parent_module(c, dotted);
    m->src.path = arena_dup(&c->module, path, strlen(path));
    char place[4096];
    if (file_absolute(path, place, sizeof place) == 0)
        m->src.place = arena_dup(&c->module, place, strlen(place));
    /* Until it has run; module_run sets the final state. */
    m->state = MODULE_FAILED;
    m->why = "the imported file cannot be read or parsed";
    if (p->imports >= SEMA_IMPORTS || p->nmodules > SEMA_MODULES) {
        m->why = "too many files are imported";
        return m;
    }
    file_set_add(c->files, path);
    const parsed_file *known = parse_cache_find(c, m->src.place);
    if ((known && !known->tree) || module_read(m) != 0)
        return m;
    /* Errors in imported files are no errors of the program: they make the module unknown. */
    uint32_t errors = c->diags.n;
    p->imports++;
    run_imported(p, m);
    p->imports--;
    c->diags.n = errors;
    return m;
}

/* A module that has no file of its own, as a C extension has none: what its stub says is all that
 * is known of it. NULL: there is no stub. */
static module *load_stub(program *p, const sym *dotted)
{
    module *stub = stub_find(p, dotted);
    if (!stub)
        return NULL;
    module *m = module_new(p, dotted);
    m->package = stub->package;
    m->src = stub->src;
    m->stub = stub;
    m->globals.star = STUB_SILENT;
    m->state = MODULE_LOADED;
    stub_complete(m);
    return m;
}

/* Python imports the packages around a module first; running them may load the module itself.
 * Programs from text import files only from the search folders. */
module *import_module(program *p, const sym *dotted)
{
    module *m = loaded_module(p, dotted);
    if (m || !p->ndirs || is_skipped(dotted->s) || dotted->len >= SEMA_NAME_MAX)
        return m;
    const sym *parent = parent_module(p->c, dotted);
    if (parent && !is_warp_builtin_module(parent->s))
        import_module(p, parent);
    /* The package's __init__.py may have imported it. */
    if ((m = loaded_module(p, dotted)))
        return m;
    char path[4096];
    bool package;
    for (size_t i = 0; i < p->ndirs; i++)
        if (module_file(p->dirs[i], dotted->s, false, path, sizeof path, &package))
            return import_file(p, dotted, path, package);
    return load_stub(p, dotted);
}

/* The object that a dotted module name stands for: a table, or the module of a file. */
static value module_object(evaluator *e, const sym *dotted)
{
    if (is_warp_builtin_module(dotted->s) || is_known_module(dotted->s))
        return (value){.kind = VALUE_WARP, .s = dotted};
    module *m = import_module(e->p, dotted);
    if (m && m->state == MODULE_FAILED)
        may_raise_any(e);
    if (m)
        return module_value(m);
    if (!is_of_python(dotted->s) || strchr(dotted->s, '.'))
        may_raise(e, exception_of("ModuleNotFoundError"));
    if (is_skipped(dotted->s) || is_of_python(dotted->s))
        return unknown_text(e->c, "weft does not evaluate module '%.100s'", dotted->s);
    value v = unknown_text(e->c, "module '%.100s' was not found", dotted->s);
    v.n = UNKNOWN_MODULE;
    return v;
}

static bool is_missing_module(const value *v)
{
    return v->kind == VALUE_UNKNOWN && v->n == UNKNOWN_MODULE;
}

/* `import a.b.c` binds a; `import a.b.c as m` binds the innermost module. */
static void import_plain(evaluator *e, const ast_alias *a)
{
    value v = module_object(e, a->name);
    const char *dot = strchr(a->name->s, '.');
    if (is_missing_module(&v)) {
        report_misspelled_warp(e, a, NULL);
        report_no_warp_module(e, &a->base, a->name, false);
    }
    if (a->asname || !dot) {
        bind_name(e, a->asname ? a->asname : a->name, v);
        return;
    }
    const sym *root = sym_intern(&e->c->syms, a->name->s, (size_t)(dot - a->name->s));
    /* The inner module is found through attributes of the root (module_attr). */
    value r = module_object(e, root);
    if (r.kind == VALUE_UNKNOWN && v.kind == VALUE_MODULE) {
        module *m = module_new(e->p, root); /* a folder without __init__.py */
        m->state = MODULE_LOADED;
        r = module_value(m);
    }
    bind_name(e, root, r);
}

void exec_import(evaluator *e, const ast_Import *n)
{
    for (uint32_t i = 0; i < n->names.n; i++)
        import_plain(e, AST(alias, n->names.v[i]));
}

/* The dotted name that `from ..x import` means in this module; NULL: outside of any package. One
 * dot is the package of the file, each further dot the package around it:
 *
 *     in a.b.c (package a.b):   .x is a.b.x     ..x is a.x     ...x is NULL */
const sym *import_dotted(evaluator *e, const ast_ImportFrom *n)
{
    if (!n->level)
        return n->module;
    const sym *base = e->env->mod->package;
    for (int i = 1; base && i < n->level; i++)
        base = parent_module(e->c, base);
    if (!base || !n->module)
        return base;
    char dotted[SEMA_NAME_MAX];
    int len = snprintf(dotted, sizeof dotted, "%s.%s", base->s, n->module->s);
    if (len < 0 || (size_t)len >= sizeof dotted)
        return NULL;
    return sym_intern(&e->c->syms, dotted, (size_t)len);
}

/* from.name as a module. The reason of a name that is too long differs from "not found". */
static value submodule(evaluator *e, const sym *from, const sym *name)
{
    char dotted[SEMA_NAME_MAX];
    int len = snprintf(dotted, sizeof dotted, "%s.%s", from->s, name->s);
    if (len < 0 || (size_t)len >= sizeof dotted)
        return unknown("the module's name is too long");
    return module_object(e, sym_intern(&e->c->syms, dotted, (size_t)len));
}

/* importlib.import_module("a.b"), also ("..b", package="a.c"): a module that cannot be found is
 * unknown. */
value call_import_module(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "name"), *package = call_get(a, 1, "package");
    if (!name || name->kind != VALUE_STR)
        return unknown("the module's name is not known");
    const char *rest = name->s->s + strspn(name->s->s, ".");
    if (rest == name->s->s)
        return module_object(e, name->s);
    const sym *base = package && package->kind == VALUE_STR ? package->s : NULL;
    for (ptrdiff_t i = 1; base && i < rest - name->s->s; i++)
        base = parent_module(e->c, base);
    if (!base)
        return unknown("the module's package is not known");
    return *rest ? submodule(e, base, sym_c(&e->c->syms, rest)) : module_object(e, base);
}

/* `from M import name`: an attribute of M, else its submodule. For warp both ways are tried,
 * because its submodules are partly tables and partly files. */
static value imported_name(evaluator *e, const value *from, const sym *module_name,
                           const ast_alias *a)
{
    value v;
    if (from->kind == VALUE_MODULE) {
        /* A submodule is tried only for a name that the file does not define, as in Python. */
        const value *own = ns_find(from->ns, a->name);
        if (own)
            return *own;
        v = submodule(e, module_name, a->name);
        if (v.kind == VALUE_UNKNOWN)
            may_raise(e, exception_of("ImportError"));
        if (v.kind == VALUE_UNKNOWN && from->ns->star)
            return unknown(from->ns->star);
        return v;
    }
    if (is_missing_module(from))
        report_misspelled_warp(e, a, module_name);
    if (from->kind != VALUE_UNKNOWN && value_getattr(e->c, from, a->name, &v) &&
        !is_only_called(&v))
        return v;
    may_raise(e, exception_of("ImportError"));
    if (from->kind == VALUE_UNKNOWN)
        return *from;
    if (strncmp(module_name->s, "warp", 4) != 0) {
        report_no_import(e, a, module_name);
        return unknown_text(e->c, not_evaluated, module_name->s, a->name->s);
    }
    v = submodule(e, module_name, a->name);
    if (v.kind == VALUE_UNKNOWN) {
        report_no_import(e, a, module_name);
        v = unknown_text(e->c, not_evaluated, module_name->s, a->name->s);
    }
    return v;
}

/* Binds a name that a star imports from a module of a table; its value may be unknown here. */
static void import_public(evaluator *e, const value *from, const sym *name)
{
    value v;
    if (!value_getattr(e->c, from, name, &v) || is_only_called(&v))
        v = unknown_text(e->c, not_evaluated, from->s->s, name->s);
    bind_name(e, name, v);
}

static void import_of_warp(void *arg, const char *name)
{
    evaluator *e = arg;
    const value warp = {.kind = VALUE_WARP, .s = e->names->s_warp};
    if (name[0] != '_')
        import_public(e, &warp, sym_c(&e->c->syms, name));
}

/* `from warp import *` binds every public name of the tables. */
static void import_warp_star(evaluator *e)
{
    const builtin *b;
    for (uint32_t at = 0; (b = builtin_next(e->c, &at)) != NULL;) {
        const value v = {.kind = VALUE_BUILTIN, .p = b};
        if (!is_only_called(&v))
            import_of_warp(e, builtin_name(b)->s);
    }
    warp_each_name(import_of_warp, e);
}

/* __all__ decides; without it, names with an underscore are left out. */
static bool is_exported(const value *all, const sym *name)
{
    if (!all || (all->kind != VALUE_LIST && all->kind != VALUE_TUPLE))
        return name->s[0] != '_';
    for (uint32_t i = 0; i < value_count(all); i++) {
        const value *item = &value_array(all)[i];
        if (item->kind == VALUE_STR && item->s == name)
            return true;
    }
    return false;
}

/* `from math import *` binds every name that math exports, also those without a value here. */
static void import_table_star(evaluator *e, const value *from, const char *names)
{
    for (str name; (name = str_take_word(&names)).n;)
        import_public(e, from, sym_intern(&e->c->syms, name.p, name.n));
}

/* An unknown module may define any name: the scope keeps the reason for names not found later. A
 * module that imports everything from itself, in a cycle, changes nothing. */
static void import_star(evaluator *e, const value *from)
{
    const char *names = from->kind == VALUE_WARP ? module_star_names(from->s->s) : NULL;
    if (from->kind == VALUE_WARP && from->s == e->names->s_warp) {
        import_warp_star(e);
    } else if (names) {
        import_table_star(e, from, names);
    } else if (from->kind != VALUE_MODULE) {
        /* bind_name is not called: which names appear is unknown. */
        e->env->star =
            from->kind == VALUE_UNKNOWN ? from->why : "weft does not evaluate this module";
        e->env->star_kind = from->kind == VALUE_UNKNOWN ? from->n : 0;
    } else if (from->ns != e->env) {
        const value *all = ns_find(from->ns, e->names->s___all__);
        for (uint32_t i = 0; i < from->ns->n; i++)
            if (is_exported(all, from->ns->v[i].name))
                bind_name(e, from->ns->v[i].name, from->ns->v[i].v);
        if (from->ns->star) {
            e->env->star = from->ns->star;
            e->env->star_kind = from->ns->star_kind;
        }
    }
}

/* A relative import of a file that is in no package, or in one that is not deep enough. */
static value outside_of_packages(evaluator *e, const ast_ImportFrom *n)
{
    const char *module_name = n->module ? n->module->s : "";
    value v = e->env->mod->package
                  ? unknown_text(e->c, "the import of '%.*s%.100s' leaves the package '%.100s'",
                                 n->level < 8 ? n->level : 8, "........", module_name,
                                 e->env->mod->package->s)
                  : unknown_text(e->c,
                                 "the import of '%.*s%.100s' is relative to a package, and this "
                                 "file is in none",
                                 n->level < 8 ? n->level : 8, "........", module_name);
    v.n = UNKNOWN_PACKAGE;
    return v;
}

/* `from M import a as b, c`. A future import of annotations only sets a flag: annotations are then
 * strings, which are evaluated late (annotation_value). */
void exec_import_from(evaluator *e, const ast_ImportFrom *n)
{
    const sym *dotted = import_dotted(e, n);
    /* Other features of __future__ are part of the language by now. */
    if (dotted == e->names->s___future__) {
        for (uint32_t i = 0; i < n->names.n; i++)
            if (AST(alias, n->names.v[i])->name == e->names->s_annotations)
                e->env->mod->string_annotations = true;
        return;
    }
    const value from = dotted ? module_object(e, dotted) : outside_of_packages(e, n);
    if (!dotted)
        may_raise(e, exception_of("ImportError"));
    if (!n->level && is_missing_module(&from))
        report_no_warp_module(e, &n->base, dotted, false);
    for (uint32_t i = 0; i < n->names.n; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        if (strcmp(a->name->s, "*") == 0)
            import_star(e, &from);
        else
            bind_name(e, a->asname ? a->asname : a->name,
                      dotted ? imported_name(e, &from, dotted, a) : from);
    }
}
