/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the main file that loading it has not made, and the calls that make them:
 *
 *     def make(n):                 program_unmade: the def of k, with make around it
 *         @wp.kernel               program_call(make, {4}): the kernel, with n = 4
 *         def k(a: wp.array[int]):
 *             a[0] = n */
#ifndef WEFT_SEMA_UNMADE_H
#define WEFT_SEMA_UNMADE_H

#include "sema/module.h"

/* `around` is the outermost function around the def, `cls` the class that this function is a method
 * of; NULL: none. */
typedef struct unmade_kernel {
    const ast_FunctionDef *def, *around;
    const ast_ClassDef *cls;
} unmade_kernel;

/* In source order, in c->module. Definitions in classes that stand in functions have no `cls`. */
const unmade_kernel *program_unmade(const program *p, uint32_t *n);
/* The line of the main file's module level at which running it ended early; 0: it ran to the end.
 * *spent: after SEMA_FUEL steps; else the module raises there. */
uint32_t program_end(const program *p, bool *spent);
/* The function around a definition. A decorator may have put another one in its place:
 *
 *     def cache(f):
 *         def wrapper(*args): ...     called: wrapper, which runs make
 *         return wrapper              plain: make of the def statement
 *     @cache
 *     def make(n): ...                face: make, for wrapper hands on what it gets; a wrapper
 *                                     with parameters of its own is the face itself */
typedef struct kernel_callee {
    value called, plain, face;
    bool by_position; /* the wrapper takes no keywords */
} kernel_callee;

/* As its module or class knows it now. False: what that has does not lead to the function. */
bool program_callee(const program *p, const unmade_kernel *k, kernel_callee *out);
/* Is v the function of the def statement, or a wrapper of it? */
bool is_function_of(const value *v, const ast_FunctionDef *def);
/* The default of parameter i; positional ones come first. False: it has none that is known. */
bool function_default(const value *f, uint32_t i, value *out);
/* Runs what is called with a value for each parameter of the face, unknown ones among them. Gives
 * the kernels of the main file that this made, in c->module. Reports nothing. */
const kernel *const *program_call(const program *p, const kernel_callee *f, const value *args,
                                  uint32_t *n);
/* An object of a class, made with these fields; both arrays are copied. Reports nothing. */
value program_object(const program *p, const value *cls, const sym *const *names,
                     const value *fields, uint32_t n);
/* Loads another file into the program, as an import of it would. NULL: it cannot be, or another
 * file has its name. Reports nothing. */
const module *program_add(const program *p, const char *path);

#endif
