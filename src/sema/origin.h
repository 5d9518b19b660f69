/* SPDX-License-Identifier: Apache-2.0 */
/* Where values of a program come from: the module, the syntax tree and the text behind a scope, a
 * class or a struct. For collect, which writes the definitions that a kernel uses once more:
 *
 *     from .shapes import box     scope_module(env) is the importing module, and
 *                                 origin_imported(m, the statement) the module of shapes.py */
#ifndef WEFT_SEMA_ORIGIN_H
#define WEFT_SEMA_ORIGIN_H

#include "sema/module.h"

const module *scope_module(const namespace *env);
/* Its own scope, without closures and classes around a function. */
const namespace *module_scope(const module *m);
/* The scope of one call of a Python function? */
bool scope_is_call(const namespace *env);
/* The scope around it, without class bodies; NULL: it is a module's. */
const namespace *scope_around(const namespace *env);
const source *module_source(const module *m);
const ast_Module *module_tree(const module *m);
/* The dotted name: "package.shapes". */
const sym *module_name(const module *m);
/* Does it say `from __future__ import annotations`? */
bool module_has_late_annotations(const module *m);
/* The dotted name that an import statement means in m, which resolves leading dots; NULL: it leaves
 * the package. */
const sym *origin_dotted(const module *m, const ast_ImportFrom *n);
/* The module that was read from a file for this dotted name; NULL: none was. */
const module *origin_loaded(const module *m, const sym *dotted);
/* The class statement behind a VALUE_CLASS, and the module it stands in; NULL: there is none. */
const ast_ClassDef *origin_class(const namespace *ns, const module **m);
bool origin_is_enum(const namespace *ns);
/* The class of a member of a program's enum, and the member's name; NULL: it is none. */
const namespace *origin_enum_member(ctx *c, const value *v, const sym **name);
/* origin_class for a struct of @wp.struct. */
const ast_ClassDef *origin_struct(const struct_def *st, const namespace **ns);
/* The structs that names of the module stand for, each once, `most` at most: how many there are. */
uint32_t origin_structs(const module *m, const type **out, uint32_t most);
/* The def behind a VALUE_PYFUNC and the scope it stands in; NULL: a lambda or a method. */
const ast_FunctionDef *origin_function(const value *v, const namespace **env);
/* The name itself in one scope, without those around it; NULL: it is not there. */
const value *origin_own(const namespace *ns, const sym *name);

#endif
