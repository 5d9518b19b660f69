/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: reads the main file, runs its module, and provides what callers query afterwards:
 * kernels, options and configuration. The main file is placed among its packages first, so that its
 * imports and module name are those Python would use:
 *
 *     /src/a/__init__.py
 *     /src/a/b.py            module a.b with root /src; `from .c import x` reads /src/a/c.py */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <sys/stat.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/file_set.h"
#include "base/str_map.h"
#include "base/version.h"
#include "sema/sema.h"
#include "sema/unmade.h"
#include "syntax/parse_cache.h"

/* A module without source, already in the program's list, so that a cyclic import finds it. */
module *module_new(program *p, const sym *name)
{
    module *m = ARENA_NEW(&p->c->module, module);
    m->prog = p;
    m->name = name;
    m->next = p->modules;
    m->is_builtin = is_warp_builtin_module(name->s);
    p->modules = m;
    p->nmodules++;
    ns_init(&m->globals, NS_MODULE, NULL, m, (str){"", 0});
    m->globals.number = object_number(p->c);
    return m;
}

/* A file that an earlier program has parsed is not read again. One with a syntax error is, for its
 * error. */
int module_read(module *m)
{
    ctx *c = m->prog->c;
    const parsed_file *known = parse_cache_find(c, m->src.place);
    if (!known || !known->tree)
        return file_read(&c->module, m->src.path, &m->src.text);
    m->src.text = known->src.text;
    m->src.lines = known->src.lines;
    m->src.nlines = known->src.nlines;
    m->tree = known->tree;
    return 0;
}

/* Parses and runs a module whose text is there. False: it does not parse, which is reported; its
 * globals are empty then. A module runs for certain even if the import stands in a branch that may
 * not. */
bool module_run(module *m)
{
    WEFT_ASSERT(m->prog != NULL && m->state != MODULE_LOADED);
    program *p = m->prog;
    ctx *c = p->c;
    if (!m->tree)
        m->tree = parse_cache_module(c, &m->src);
    if (!m->tree)
        return false;
    m->state = MODULE_LOADING;
    evaluator e = evaluator_for(c, &m->globals);
    ns_set(c, &m->globals, e.names->s___name__, (value){.kind = VALUE_STR, .s = m->name});
    if (!p->from_text || m != p->main) /* text has no file */
        ns_set(c, &m->globals, e.names->s___file__, value_str(c, m->src.path, strlen(m->src.path)));
    const maybe_mode maybe = p->maybe;
    m->stub = stub_find(p, m->name);
    /* Python runs the whole module or none of it. */
    p->maybe = (maybe_mode){0};
    if (exec_block(&e, &m->tree->body) == FLOW_RAISE && m == p->main)
        p->raised_at = p->last_raise;
    const bool in_doubt = p->maybe.n > 0 && p->catchers;
    p->maybe = maybe;
    if (in_doubt) /* a catcher around the import may take what was raised */
        maybe_begin(p);
    stub_complete(m);
    m->state = p->raising ? MODULE_FAILED : MODULE_LOADED;
    m->why = "its code raises an exception";
    return true;
}

/* os.environ: what the definitions say, and no variable of the process that runs weft. */
static value environment(ctx *c, const program_options *o)
{
    const value d = value_dict(c, NULL, 0);
    for (size_t i = 0; i < o->ndefinitions; i++) {
        const char *text = o->definitions[i];
        const size_t n = strcspn(text, "=");
        const char *v = text[n] ? text + n + 1 : "";
        dict_set(c, &d, value_str(c, text, n), value_str(c, v, strlen(v)));
    }
    return d;
}

/* It becomes the context's current program, whose fuel containers count against. */
static program *program_new(ctx *c, const program_options *o)
{
    program *p = ARENA_NEW(&c->module, program);
    sema_names *t = (sema_names *)(uintptr_t)sema_init(c);
    p->c = c;
    p->fuel = p->import_fuel = SEMA_FUEL;
    t->current = p;
    p->environ = environment(c, o);
    return p;
}

/* Is there an __init__.py in the folder of this path (its first n bytes)? */
static bool has_init(const char *dir, size_t n)
{
    char path[4096];
    struct stat st;
    static const char end[] = "/__init__.py";
    if (n + sizeof end > sizeof path)
        return false;
    memcpy(path, dir, n);
    memcpy(path + n, end, sizeof end);
    return stat(path, &st) == 0;
}

/* The last '/' in the first n bytes, or NULL. */
static const char *last_slash(const char *s, size_t n)
{
    while (n > 0 && s[n - 1] != '/')
        n--;
    return n ? s + n - 1 : NULL;
}

/* Where a file stands among packages. Lengths cut `path`: its first `dir` bytes are the folder of
 * the file, its first `root` bytes the folder that holds the outermost package (0: "/"). name is
 * the dotted name below root, package the same without the file's own name (NULL: in no package).
 */
typedef struct file_place {
    char path[4096]; /* absolute */
    size_t dir, root;
    const sym *name, *package;
} file_place;

/* "a.b" of the bytes "a/b" from `from` to `end`. */
static const sym *dotted_range(ctx *c, const char *path, size_t from, size_t end)
{
    WEFT_ASSERT(from <= end && end < 4096);
    char name[4096];
    size_t n = 0;
    for (size_t i = from; i < end; i++)
        name[n++] = path[i] == '/' ? '.' : path[i];
    return sym_intern(&c->syms, name, n);
}

/* Length of the path of the folder around it. Needs: an absolute path, n > 0. */
static size_t parent_folder(const char *path, size_t n)
{
    WEFT_ASSERT(n > 0 && path[0] == '/');
    return (size_t)(last_slash(path, n) - path);
}

/* A folder with an __init__.py, or without one between such a folder and the file (a namespace
 * package):
 *
 *     /src/a/__init__.py, /src/a/x/b.py     x is a package because a is one: the file is a.x.b */
static bool is_package(const char *path, size_t n)
{
    if (has_init(path, n))
        return true;
    const size_t parent = parent_folder(path, n);
    return parent && has_init(path, parent);
}

/* Fills *f for the file at path. False: it does not exist; errno says why. */
static bool place_file(ctx *c, const char *path, file_place *f)
{
    struct stat st;
    errno = file_absolute(path, f->path, sizeof f->path);
    if (errno || stat(path, &st) != 0)
        return false;
    size_t n = strlen(f->path), slash = (size_t)(last_slash(f->path, n) - f->path);
    f->dir = f->root = slash;
    /* Upwards as long as there are packages; 0 is the root of the file system. */
    while (f->root && is_package(f->path, f->root))
        f->root = parent_folder(f->path, f->root);
    if (n > slash + 4 && strcmp(f->path + n - 3, ".py") == 0)
        n -= 3;
    /* A package's own __init__.py has the name of the package. */
    bool is_init = n == slash + 9 && strncmp(f->path + slash + 1, "__init__", 8) == 0;
    f->package = slash > f->root ? dotted_range(c, f->path, f->root + 1, slash) : NULL;
    f->name = is_init && f->package ? f->package : dotted_range(c, f->path, f->root + 1, n);
    return true;
}

/* Search order: the folder of the file, the root of its packages, then what the caller named. The
 * first two are what Python puts on sys.path for a script and for `python -m`; text has no file (f
 * NULL). */
static void set_dirs(program *p, const file_place *f, const program_options *o)
{
    arena *a = &p->c->module;
    p->dirs = ARENA_ARRAY(a, const char *, o->ndirs + 2);
    if (f)
        p->dirs[p->ndirs++] = arena_dup(a, f->path, f->dir);
    if (f && f->root != f->dir)
        p->dirs[p->ndirs++] = arena_dup(a, f->path, f->root);
    for (size_t i = 0; i < o->ndirs; i++)
        p->dirs[p->ndirs++] = o->dirs[i];
}

/* Warp's registry and key of a kernel as one text. The pointer's bytes stand for the registry: keys
 * of different registries differ. */
static str registered_key(arena *a, const kernel *k)
{
    char *text = arena_alloc(a, sizeof k->registry + k->key.n);
    memcpy(text, &k->registry, sizeof k->registry);
    if (k->key.n)
        memcpy(text + sizeof k->registry, k->key.p, k->key.n);
    return (str){text, sizeof k->registry + k->key.n};
}

/* Which kernels of p->all are not compiled? One flag for each: those that a later one replaces, and
 * generic kernels that have instances, which stand for them. The walk goes from the last to the
 * first; `next` links the kernels of one key that stay. */
static const bool *replaced_kernels(const program *p)
{
    arena *a = &p->c->module;
    bool *replaced = arena_zero(a, p->all.n + 1);
    uint32_t *next = arena_zero(a, (p->all.n + 1) * sizeof *next);
    str_map last = {0}; /* by registry and key: a place in p->all, plus 1 */
    for (uint32_t i = p->all.n; i-- > 0;) {
        const kernel *k = p->all.v[i];
        const str key = registered_key(a, k);
        const uint32_t head = str_map_get(&last, key);
        replaced[i] = k->instances != NULL;
        for (uint32_t at = head; at && !replaced[i]; at = next[at - 1]) {
            kernel *later = p->all.v[at - 1];
            replaced[i] = kernel_replaces(later, k);
            if (replaced[i] && later->under_condition && later->code.def != k->code.def)
                later->code.is_unsure = true;
        }
        if (replaced[i])
            continue;
        next[i] = head;
        str_map_set(a, &last, key, i + 1);
    }
    return replaced;
}

/* The main file's kernels, by first line; those of one line in order of definition. Sets
 * p->kernels. Insertion sort: definitions are nearly sorted already. */
static void collect_kernels(program *p)
{
    WEFT_ASSERT(p->main != NULL && p->nkernels == 0);
    for (warp_module *w = p->warp_modules; w; w = w->next)
        registry_sync(w);
    for (uint32_t i = 0; i < p->all.n; i++)
        kernel_take_options(p->all.v[i]);
    const bool *replaced = replaced_kernels(p);
    p->kernels = ARENA_ARRAY(&p->c->module, const kernel *, p->all.n);
    for (uint32_t i = 0; i < p->all.n; i++) {
        const kernel *k = p->all.v[i];
        /* Kernels of imported files are compiled with those files. */
        if (k->code.src != &p->main->src || replaced[i])
            continue;
        uint32_t at = p->nkernels++;
        /* `>` keeps the order of definition within a line. */
        for (; at > 0 && p->kernels[at - 1]->code.first_line > k->code.first_line; at--)
            p->kernels[at] = p->kernels[at - 1];
        p->kernels[at] = k;
    }
}

/* Reports the error; without a span, since there is no source. */
static program *cannot_read(ctx *c, const char *path, int error)
{
    diag_error(c, (span){0}, DIAG_CANNOT_READ, path, error_text(error));
    return NULL;
}

/* The main file may be loaded by its own package's __init__.py, as in Python, and is not run twice.
 * Its syntax errors are reported, those of other files are not. */
program *program_load(ctx *c, const char *path, const program_options *o)
{
    program *p = program_new(c, o);
    file_place f;
    if (!place_file(c, path, &f))
        return cannot_read(c, path, errno);
    set_dirs(p, &f, o);
    p->main_name = f.name;
    /* Python imports a file of a package after the package itself. */
    if (f.package && !is_warp_builtin_module(f.package->s))
        import_module(p, f.package);
    /* The package may have loaded it already; a failed attempt is made again, to report why. */
    module *m = loaded_module(p, f.name);
    if (!m || m->state == MODULE_FAILED) {
        m = module_new(p, f.name);
        m->src.path = arena_dup(&c->module, path, strlen(path));
        m->src.place = arena_dup(&c->module, f.path, strlen(f.path));
        m->package = f.package;
        file_set_add(c->files, path);
        int error = module_read(m);
        if (error)
            return cannot_read(c, path, error);
        p->main = m;
        if (!module_run(m))
            return NULL;
    }
    p->main = m;
    program_make_instances(p, o);
    collect_kernels(p);
    stub_warn(p);
    return p;
}

const module *program_add(const program *prog, const char *path)
{
    program *p = (program *)(uintptr_t)prog;
    const uint32_t errors = p->c->diags.n;
    file_place f;
    if (!place_file(p->c, path, &f))
        return NULL;
    p->fuel = p->import_fuel = SEMA_FUEL;
    if (f.package && !is_warp_builtin_module(f.package->s))
        import_module(p, f.package);
    module *m = loaded_module(p, f.name);
    if (!m)
        m = import_file(p, f.name, path, f.package == f.name);
    p->c->diags.n = errors;
    const bool same = m->src.place && strcmp(m->src.place, f.path) == 0;
    return same && m->state == MODULE_LOADED ? m : NULL;
}

/* Text has no folder: imports are searched in the options' folders alone, and __file__ is not
 * defined. */
program *program_load_text(ctx *c, const char *name, str text, const program_options *o)
{
    program *p = program_new(c, o);
    p->from_text = true;
    set_dirs(p, NULL, o);
    module *m = module_new(p, sema_init(c)->s_module);
    m->src.path = name;
    m->src.text = text;
    m->src.decoded = true;
    p->main = m;
    if (!module_run(m))
        return NULL;
    program_make_instances(p, o);
    collect_kernels(p);
    stub_warn(p);
    return p;
}

const kernel *const *program_kernels(const program *p, uint32_t *n)
{
    *n = p->nkernels;
    return p->kernels;
}

static bool is_called(const kernel *k, str name)
{
    return str_eq(k->key, name) || str_eq(sym_str(k->code.name), name);
}

/* "scale:2" -> 2, and *name is "scale"; 0: the name has no number. */
static uint32_t take_number(str *name)
{
    size_t at = name->n;
    uint32_t number = 0, scale = 1;
    while (at > 0 && name->n - at < 6 && name->p[at - 1] >= '0' && name->p[at - 1] <= '9') {
        number += scale * (uint32_t)(name->p[--at] - '0');
        scale *= 10;
    }
    if (at < 2 || name->p[at - 1] != ':')
        return 0;
    name->n = at - 1;
    return number;
}

bool program_kernel_is(const program *p, uint32_t i, const char *name)
{
    WEFT_ASSERT(i < p->nkernels);
    str whole = str_c(name);
    if (is_called(p->kernels[i], whole))
        return true;
    const uint32_t number = take_number(&whole);
    uint32_t count = 0;
    for (uint32_t k = 0; k <= i; k++)
        count += is_called(p->kernels[k], whole);
    return number && count == number && is_called(p->kernels[i], whole);
}

const ast_Module *program_tree(const program *p)
{
    return p->main->tree;
}

/* warp.config.NAME: what the program assigned, else the default of Warp 1.19 for the names that
 * matter here. Other options, such as verbose, are missing: reading one is an unknown value. */
bool config_get(program *p, const sym *name, value *out)
{
    for (uint32_t i = 0; i < p->config.n; i++) {
        if (p->config.v[i].name == name) {
            *out = p->config.v[i].v;
            return true;
        }
    }
    if (strcmp(name->s, "version") == 0)
        *out = value_str(p->c, warp_release_version(p->c->warp),
                         strlen(warp_release_version(p->c->warp)));
    else if (strcmp(name->s, "mode") == 0)
        *out = value_str(p->c, "release", 7);
    else if (strcmp(name->s, "max_unroll") == 0)
        *out = value_int(16);
    else if (strcmp(name->s, "enable_backward") == 0)
        *out = value_bool(true);
    else if (strcmp(name->s, "enable_vector_component_overwrites") == 0)
        *out = value_bool(false);
    else
        return false;
    return true;
}

/* An option of warp.config that the program set to an integer or bool; -1: not set. It avoids
 * interning a name for programs that set none. */
static int config_int(program *p, const char *name)
{
    value v;
    const sym *s = sym_find(&p->c->syms, name, strlen(name));
    if (!s || !p->config.n || !config_get(p, s, &v) || !value_is_int(&v))
        return -1;
    return (int)v.i;
}

/* warp.config.deterministic, which a new module takes over. */
static void set_config_deterministic(program *p, code_options *o)
{
    value v;
    const sym *s = sym_find(&p->c->syms, "deterministic", 13);
    if (!s || !p->config.n || !config_get(p, s, &v) || v.kind != VALUE_ENUM)
        return;
    o->deterministic = (int)v.i;
    if (v.i != 0 && !warp_has(p->c->warp, WARP_DETERMINISTIC))
        o->refused = "deterministic";
}

bool kernel_line_directives(const kernel *k, const code_options *o)
{
    program *p = k->code.mod->prog;
    value mode;
    bool debug = o->debug == 1;
    if (o->debug == DEBUG_AS_CONFIGURED && config_get(p, sym_c(&p->c->syms, "mode"), &mode))
        debug = mode.kind == VALUE_STR && strcmp(mode.s->s, "debug") == 0;
    return (o->lineinfo > 0 || debug) && config_int(p, "line_directives") != 0;
}

/* Warp 1.19 Module.options as a new module gets them, with the configuration of this moment. */
static code_options default_options(program *p)
{
    code_options o = {.enable_backward = config_int(p, "enable_backward"),
                      .max_unroll = config_int(p, "max_unroll"),
                      .grid_stride = -1,
                      .block_dim = 256,
                      .lineinfo = config_int(p, "lineinfo") > 0,
                      .debug = DEBUG_AS_CONFIGURED,
                      .enable_vector_component_overwrites = 0};
    if (o.enable_backward < 0)
        o.enable_backward = 1;
    if (o.max_unroll < 0)
        o.max_unroll = 16;
    set_config_deterministic(p, &o);
    return o;
}

/* The registry of this name; the first call makes it, with the configuration of that moment. */
warp_module *registry_find(program *p, const sym *name)
{
    WEFT_ASSERT(name != NULL);
    for (warp_module *w = p->warp_modules; w; w = w->next)
        if (w->name == name && !w->unique)
            return w;
    warp_module *w = ARENA_NEW(&p->c->module, warp_module);
    w->name = name;
    w->options = default_options(p);
    w->next = p->warp_modules;
    p->warp_modules = w;
    return w;
}

/* Made when something needs it: a module without kernels has none. */
warp_module *module_registry(module *m)
{
    if (!m->warp)
        m->warp = registry_find(m->prog, m->name);
    return m->warp;
}

/* enable_vector_component_overwrites is an option of the configuration alone, and its latest value
 * counts: Warp reads it when it generates text. */
code_options module_options(const module *m)
{
    code_options o = m->warp ? m->warp->options : default_options(m->prog);
    int overwrites = config_int(m->prog, "enable_vector_component_overwrites");
    o.enable_vector_component_overwrites = overwrites > 0;
    return o;
}
