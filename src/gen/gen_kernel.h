/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a kernel, for the bodies of the categories, which call these functions in this
 * order:
 *
 *     kernel_type      the scalar type: float mostly
 *     kernel_inputs    how many arguments may be added
 *     kernel_prelude   constants, structs and helpers before the kernel
 *     kernel_open      i = wp.tid()
 *     kernel_output    the array of results; the guard against threads beyond the data
 *     kernel_loads     x = xs[i]
 *     ...              what makes the category
 *     stmt_store       out[i] = ...
 */
#ifndef WEFT_GEN_GEN_KERNEL_H
#define WEFT_GEN_GEN_KERNEL_H

#include "gen/gen_param.h"

void kernel_open(gen *g, int ndim);   /* thread indexes, guard */
void kernel_guard(gen *g);            /* against threads beyond the data: a return, or nothing */
garg *kernel_output(gen *g, gtype t); /* an array over the launch; the goal of stores */
void kernel_loads(gen *g, gtype t, int n);
void kernel_prelude(gen *g); /* constants, structs and helpers */
/* How many arrays and scalars may be drawn: no more than these, and no more than the level's. */
void kernel_inputs(gen *g);
void kernel_type(gen *g); /* chooses the kernel's scalar type */
/* Draws the number of launch dimensions: 48 of 64 kernels have one, one has four. */
int kernel_ndim(gen *g);

/* --- categories --------------------------------------------------------------------------- */
/* gen_body_NAME of each category, in gen_cat_NAME.c. It writes the body into an empty buffer, and
 * keeps to room(). */
#define CATEGORY(ID, name, ...) void gen_body_##name(gen *g);
#include "gen/gen_category.def"
#undef CATEGORY

#endif
