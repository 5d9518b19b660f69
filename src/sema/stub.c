/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs: files that say the values which a module's own file does not, because it is a C extension
 * or computes them in ways that the evaluator does not follow. `python -m weft.constants` writes
 * them; type stubs have the same form.
 *
 *     stubs/mujoco/__init__.pyi:     mjMINVAL = 1e-15
 *                                    class mjtJoint(enum.IntEnum):
 *                                        mjJNT_FREE = 0
 *
 * With -I stubs, mujoco.mjMINVAL is that number whatever mujoco/__init__.py assigns to it; what the
 * stub does not have comes from the file, if there is one. Only values count so: numbers, texts,
 * containers of these, and enums; types and functions of a stub have no code. A stub beside its
 * module's own file is for type checkers, and is not read. */
#include "base/file.h"
#include "base/file_set.h"
#include "sema/sema.h"
#include "syntax/parser.h"

static bool is_enum(const py_class *cls)
{
    return cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM;
}

/* Are all names of the class known values? Type stubs leave some open: A = ..., or A: int. */
static bool is_known_class(const py_class *cls)
{
    for (uint32_t i = 0; i < cls->ns->n; i++) {
        const value *v = &cls->ns->v[i].v;
        if (v->kind == VALUE_SPECIAL || v->kind == VALUE_PYFUNC || unknown_inside(v))
            return false;
    }
    return cls->ns->n > 0;
}

/* A value that takes the place of what the module's file binds to its name. */
static bool is_constant(const value *v)
{
    switch (v->kind) {
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_BOOL:
    case VALUE_STR: return true;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT: return !unknown_inside(v);
    case VALUE_CLASS: return is_enum(v->ns->cls) && is_known_class(v->ns->cls);
    default: return false;
    }
}

/* The first error of a stub that cannot be parsed, those from `first` on, is a warning once the
 * program has loaded: the import around it drops what is reported in between. */
static void keep_error(program *p, uint32_t first, const char *path)
{
    ctx *c = p->c;
    for (uint32_t i = 0; i < p->stub_warnings.n; i++)
        if (c->diags.n > first && strcmp(p->stub_warnings.v[i].at.src->path, path) == 0)
            c->diags.n = first; /* it is imported again */
    if (c->diags.n > first) {
        c->diags.v[first].is_warning = true;
        VEC_PUSH(&c->module, &p->stub_warnings, c->diags.v[first]);
    }
    c->diags.n = first;
}

void stub_warn(program *p)
{
    for (uint32_t i = 0; i < p->stub_warnings.n; i++)
        VEC_PUSH(&p->c->module, &p->c->diags, p->stub_warnings.v[i]);
}

/* Reads and runs a stub. Its errors are warnings (stub_warn); NULL then. */
static module *load(program *p, const sym *dotted, const char *path, bool package)
{
    ctx *c = p->c;
    module *s = ARENA_NEW(&c->module, module);
    s->prog = p;
    s->name = dotted;
    s->package = package ? dotted : parent_module(c, dotted);
    s->is_stub = true;
    s->state = MODULE_LOADING;
    s->src.path = arena_dup(&c->module, path, strlen(path));
    ns_init(&s->globals, NS_MODULE, NULL, s, (str){"", 0});
    file_set_add(c->files, path);
    if (file_read(&c->module, path, &s->src.text) != 0)
        return NULL;
    const uint32_t errors = c->diags.n;
    s->tree = parse_module(c, &s->src);
    if (!s->tree) {
        keep_error(p, errors, path);
        return NULL;
    }
    c->diags.n = errors;
    evaluator e = evaluator_for(c, &s->globals);
    const maybe_mode maybe = p->maybe;
    p->maybe = (maybe_mode){0};
    p->doubt++;
    exec_block(&e, &s->tree->body);
    p->doubt--;
    p->maybe = maybe;
    s->state = MODULE_LOADED;
    return s;
}

module *stub_find(program *p, const sym *dotted)
{
    char path[4096], own[4096];
    bool package, ignored;
    for (size_t i = 0; i < p->ndirs; i++)
        if (module_file(p->dirs[i], dotted->s, true, path, sizeof path, &package) &&
            !module_file(p->dirs[i], dotted->s, false, own, sizeof own, &ignored))
            return load(p, dotted, path, package);
    return NULL;
}

static bool is_plain_class(const value *v)
{
    return v->kind == VALUE_CLASS && !is_enum(v->ns->cls);
}

/* Is it said of what the module's own file leaves open? Of an enum a stub may know some members. */
static bool is_supplement(const value *v)
{
    return v->kind == VALUE_CLASS || v->kind == VALUE_NONE;
}

/* A class of the file keeps what it has, but for the values that the stub's class says; so do the
 * classes in it. */
static void fill_class(ctx *c, const value *own, const value *stub, int depth)
{
    enum { CLASSES_MAX = 20 };
    const namespace *from = stub->ns;
    for (uint32_t i = 0; i < from->n; i++) {
        const value *v = &from->v[i].v, *there = ns_find(own->ns, from->v[i].name);
        if (is_constant(v) || (is_supplement(v) && (!there || there->kind == VALUE_UNKNOWN)))
            ns_set(c, own->ns, from->v[i].name, *v);
        else if (there && is_plain_class(v) && is_plain_class(there) && there->ns != v->ns &&
                 depth < CLASSES_MAX)
            fill_class(c, there, v, depth + 1);
    }
}

void stub_amend(const module *m, const sym *name, value *v)
{
    const value *stub = m->stub ? ns_find(&m->stub->globals, name) : NULL;
    if (!stub)
        return;
    if (is_constant(stub) || (is_supplement(stub) && v->kind == VALUE_UNKNOWN))
        *v = *stub;
    else if (is_plain_class(stub) && is_plain_class(v) && v->ns != stub->ns)
        fill_class(m->prog->c, v, stub, 0);
}

/* After the module's own file: names that it has not bound. */
void stub_complete(module *m)
{
    const namespace *from = m->stub ? &m->stub->globals : NULL;
    for (uint32_t i = 0; from && i < from->n; i++)
        if (!ns_find(&m->globals, from->v[i].name) &&
            (is_constant(&from->v[i].v) || is_supplement(&from->v[i].v)))
            ns_set(m->prog->c, &m->globals, from->v[i].name, from->v[i].v);
}
