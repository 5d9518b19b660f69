/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that a function makes which only a running program calls: it is called with what its
 * calls pass, in its own file or another one of the run; else with its defaults; else with values
 * that its annotations allow.
 *
 *     def make(n: int, flag=True):       make(4) in another file: make(n=4, flag=True), by a call
 *         @wp.kernel                     no call:                 make(n=4, flag=True), chosen
 *         def k(a: wp.array[int]): ... */
#ifndef WEFT_COLLECT_FACTORY_H
#define WEFT_COLLECT_FACTORY_H

#include "collect/call_site.h"
#include "driver/pipeline.h"
#include "record/found_facts.h"

/* Of one definition. Without a kernel `why` says why there is none. */
typedef struct factory_kernel {
    const ast_FunctionDef *def;
    const kernel *kernel;
    str instance; /* "make(n=4)" */
    found_types from;
    const char *why;
} factory_kernel;

typedef void (*factory_fn)(void *arg, const factory_kernel *k);

/* Calls `take` for each definition of the program's file that no kernel was made of: once, or once
 * for each kernel that different calls make of it. Texts live in p->c.module. */
void factory_kernels(pipeline *p, const program *prog, const other_files *others, factory_fn take,
                     void *arg);

#endif
