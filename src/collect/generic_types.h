/* SPDX-License-Identifier: Apache-2.0 */
/* Types for generic kernels that nobody overloads: what a launch passes, in the same file or in
 * another one of the run; else types that the body compiles with.
 *
 *     @wp.kernel                                      wp.launch(scale, dim=n, inputs=[x, 2.0])
 *     def scale(x: wp.array(dtype=Any), s: Any): ...  x = wp.zeros(n, dtype=wp.vec3)
 *
 *     ->   x: array(dtype=vec3f), s: float32, by FOUND_TYPES_LAUNCH */
#ifndef WEFT_COLLECT_GENERIC_TYPES_H
#define WEFT_COLLECT_GENERIC_TYPES_H

#include "base/vec.h"
#include "collect/call_site.h"
#include "driver/pipeline.h"
#include "record/found_facts.h"

/* An instance of the generic kernel that compiles. NULL: none of those that were tried does; *why
 * is the first one's error. Needs: p has loaded the program. */
const kernel *instance_of(pipeline *p, const program *prog, const other_files *others,
                          const kernel *generic, found_types *by, const char **why);
/* generic_launch.c: fills the types that the first launch in a file of the program passes for the
 * kernel's parameters; those that cannot be known stay NULL. False: it has no launch of it. */
bool instance_by_launch(ctx *c, const module *m, const kernel *generic, const type **types);
/* generic_fields.c: moves to the front of a parameter's choices the structs that have every field
 * that the kernel reads of it, and gives their number. */
uint32_t prefer_structs(const kernel *generic, uint32_t parameter, const type **choice, uint32_t n);

#endif
