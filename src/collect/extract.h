/* SPDX-License-Identifier: Apache-2.0 */
/* The self-contained source of a kernel: a Python file with this kernel and the functions,
 * overloads, structs, constants, custom gradients and module options that it uses, and nothing
 * else.
 *
 *     # app.py                                   # what comes out
 *     import warp as wp                          import warp as wp
 *     from tools import square, cube
 *     N = 4                                      @wp.func
 *     @wp.kernel                            ->   def square(x: float): ...
 *     def k(a: wp.array[float]):
 *         a[0] = square(a[0])                    @wp.kernel
 *                                                def k(a: wp.array[float]): ...
 *
 * Definitions are copied as they are written, with their comments. Names keep their meaning: a
 * module that is used as `tools.square` becomes a class of this name. */
#ifndef WEFT_COLLECT_EXTRACT_H
#define WEFT_COLLECT_EXTRACT_H

#include "base/ctx.h"
#include "sema/module.h"

/* Which options the source sets before the kernel. One of a Warp module of its own, as with
 * module="unique", may not have those of its Python module. */
typedef enum extract_options {
    EXTRACT_MODULE_OPTIONS,
    EXTRACT_NO_OPTIONS,
    EXTRACT_NO_BACKWARD, /* wp.config.enable_backward = False */
    EXTRACT_OPTIONS
} extract_options;

/* The files that definitions were copied from, each once. */
typedef struct extract_sources {
    const source *const *v;
    uint32_t n;
} extract_sources;

/* Appends the source of k to out, and fills *sources, in c->module. NULL, or why there is none, in
 * c->module. Needs: the program of k is loaded in c. */
const char *extract_kernel(ctx *c, const kernel *k, extract_options options, strbuf *out,
                           extract_sources *sources);

#endif
