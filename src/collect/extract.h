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

/* Appends the source of k to out. NULL, or why there is none, in c->module. Needs: the program of k
 * is loaded in c. */
const char *extract_kernel(ctx *c, const kernel *k, strbuf *out);

#endif
