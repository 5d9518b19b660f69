/* The frame of a kernel, and the bodies of the categories, which are put together from statements.
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
int kernel_ndim(gen *g);

/* --- categories --------------------------------------------------------------------------- */
#define CATEGORY(ID, name, ...) void gen_body_##name(gen *g);
#include "gen/gen_category.def"
#undef CATEGORY

#endif
