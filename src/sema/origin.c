/* SPDX-License-Identifier: Apache-2.0 */
/* Where values of a program come from: what sema knows of scopes, classes and modules, for rooms
 * that write definitions once more. An example, in package a.b:
 *
 *     from ..c import f     origin_dotted: "a.c"; origin_loaded: the module read from a/c.py */
#include "sema/origin.h"

#include <stdio.h>

#include "sema/sema.h"

const module *scope_module(const namespace *env)
{
    return env->mod;
}

const namespace *module_scope(const module *m)
{
    return &m->globals;
}

bool scope_is_call(const namespace *env)
{
    return env->kind == NS_FUNCTION;
}

const namespace *scope_around(const namespace *env)
{
    const namespace *around = env->parent;
    while (around && around->kind == NS_CLASS)
        around = around->parent;
    return around;
}

const source *module_source(const module *m)
{
    return &m->src;
}

const ast_Module *module_tree(const module *m)
{
    return m->tree;
}

const sym *module_name(const module *m)
{
    return m->name;
}

bool module_has_late_annotations(const module *m)
{
    return m->string_annotations;
}

const sym *origin_dotted(const module *m, const ast_ImportFrom *n)
{
    evaluator e = evaluator_for(m->prog->c, &m->globals);
    return import_dotted(&e, n);
}

const module *origin_loaded(const module *m, const sym *dotted)
{
    const module *found = loaded_module(m->prog, dotted);
    return found && found->tree ? found : NULL;
}

const ast_ClassDef *origin_class(const namespace *ns, const module **m)
{
    const py_class *cls = ns->kind == NS_CLASS ? ns->cls : NULL;
    if (!cls || !cls->def)
        return NULL;
    *m = ns->mod;
    return cls->def;
}

bool origin_is_enum(const namespace *ns)
{
    const py_class *cls = ns->cls;
    return cls && (cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM);
}

const namespace *origin_enum_member(ctx *c, const value *v, const sym **name)
{
    const py_class *cls = v->kind == VALUE_ENUM                                       ? v->cls
                          : v->kind == VALUE_OBJECT && v->ns && origin_is_enum(v->ns) ? v->ns->cls
                                                                                      : NULL;
    value s;
    if (!cls || !cls->def || !value_getattr(c, v, sema_init(c)->s_name, &s) ||
        s.kind != VALUE_STR || !origin_own(cls->ns, s.s))
        return NULL;
    *name = s.s;
    return cls->ns;
}

uint32_t origin_structs(const module *m, const type **out, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->globals.n && n < most; i++) {
        const value *v = &m->globals.v[i].v;
        bool known = v->kind != VALUE_TYPE || v->type->kind != TYPE_STRUCT;
        for (uint32_t k = 0; k < n; k++)
            known = known || out[k] == v->type;
        if (!known)
            out[n++] = v->type;
    }
    return n;
}

const ast_ClassDef *origin_struct(const struct_def *st, const namespace **ns)
{
    const struct_class *sc = (const struct_class *)(const void *)st;
    if (!sc->ns || !sc->ns->cls)
        return NULL;
    *ns = sc->ns;
    return sc->ns->cls->def;
}

const ast_FunctionDef *origin_function(const value *v, const namespace **env)
{
    const py_func *f = v->kind == VALUE_PYFUNC ? v->p : NULL;
    if (!f || f->kind != PY_DEF || !f->def)
        return NULL;
    *env = f->env;
    return f->def;
}

const value *origin_own(const namespace *ns, const sym *name)
{
    return ns_find(ns, name);
}
