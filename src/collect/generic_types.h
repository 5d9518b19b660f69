/* SPDX-License-Identifier: Apache-2.0 */
/* Types for generic kernels that nobody overloads: what a launch in the same file passes, else
 * types that the body compiles with.
 *
 *     @wp.kernel                                      wp.launch(scale, dim=n, inputs=[x, 2.0])
 *     def scale(x: wp.array(dtype=Any), s: Any): ...  x = wp.zeros(n, dtype=wp.vec3)
 *
 *     ->   x: array(dtype=vec3f), s: float32, by INSTANCE_LAUNCH */
#ifndef WEFT_COLLECT_GENERIC_TYPES_H
#define WEFT_COLLECT_GENERIC_TYPES_H

#include "base/vec.h"
#include "driver/pipeline.h"

/* Where the types of an instance come from. */
typedef enum instance_source {
    INSTANCE_NONE,     /* the kernel is not generic */
    INSTANCE_OVERLOAD, /* wp.overload */
    INSTANCE_LAUNCH,   /* a launch */
    INSTANCE_CHOSEN    /* from nowhere: one of them at least was chosen */
} instance_source;

/* "launch", say; empty: not generic. */
const char *instance_source_name(instance_source s);

/* An instance of the generic kernel that compiles. NULL: none of those that were tried does; *why
 * is the first one's error. Needs: p has loaded the program. */
const kernel *instance_of(pipeline *p, const program *prog, const kernel *generic,
                          instance_source *by, const char **why);
/* "x: array(ndim=1, dtype=vec3f), s: float32": the parameters whose types the annotations leave
 * open; in c->module. */
str instance_text(ctx *c, const kernel *instance);

/* generic_launch.c: fills the types that a launch in the program's file passes for the kernel's
 * parameters; those that cannot be known stay NULL. */
void instance_by_launch(ctx *c, const program *prog, const kernel *generic, const type **types);

#endif
