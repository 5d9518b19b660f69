/* SPDX-License-Identifier: Apache-2.0 */
/* weft as a library: what a Python program is compiled, checked and run with, beside its text.
 * Beside weft.h, whose rules hold here too. What is set counts for the context's calls from then
 * on; the strings must live as long as they are set. */
#ifndef WEFT_PROGRAM_H
#define WEFT_PROGRAM_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that only a running program makes, as Python expressions that are evaluated in the names
 * of the file: "make_kernel(3, True)" calls a factory, "k[x=wp.vec3, n=int]" gives a generic kernel
 * the types that a launch would. They are added to the file's kernels. Errors are among the
 * diagnostics, in a file <instance>. found: NULL, or `count` numbers: 1 is put where a file has the
 * name that the expression begins with, and a file without it is no error. count 0: none. */
WEFT_API weft_status weft_set_instances(weft_context *context, const char *const *instances,
                                        size_t count, int *found);

/* Environment variables as programs see them in os.environ, each "NAME=VALUE". They see no others,
 * and of those that are not set the defaults that the code states. count 0: none. */
WEFT_API weft_status weft_set_environment(weft_context *context, const char *const *definitions,
                                          size_t count);

#ifdef __cplusplus
}
#endif

#endif
