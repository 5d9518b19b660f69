/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a function that stand in code which weft does not run, and what they pass.
 *
 *     def main():
 *         n = 4
 *         make(n, flag=True)      ->   n: 4, flag: True
 *         make(self.count)        ->   n: not known */
#ifndef WEFT_COLLECT_CALL_SITE_H
#define WEFT_COLLECT_CALL_SITE_H

#include "collect/files.h"
#include "sema/unmade.h"

/* Gets a value for each parameter of the called function, positional ones first, in c->module; what
 * is not known, or not passed, is unknown. */
typedef void (*call_site_fn)(void *arg, const value *args);

/* The calls of `callee` in a module of the same program; `method`: its first parameter is bound. */
void call_sites(ctx *c, const module *m, const kernel_callee *callee, bool method,
                call_site_fn found, void *arg);
/* How many parameters that are, and each of them. */
uint32_t parameter_count(const ast_FunctionDef *def);
const ast_arg *parameter_at(const ast_FunctionDef *def, uint32_t i);

/* The files of the run, in which calls are looked for; `own`: the path of the one in work. */
typedef struct other_files {
    const collect_file *v;
    uint32_t n;
    const char *own;
} other_files;

/* The next file from *at on whose text has the word, loaded into the program as a module. NULL:
 * there are no more. */
const module *other_file(const other_files *o, const program *prog, const char *word, uint32_t *at);

#endif
