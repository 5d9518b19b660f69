/* Kernels with a purpose. */
#ifndef WEFT_GEN_GEN_IDIOM_H
#define WEFT_GEN_GEN_IDIOM_H

#include "gen/gen.h"

/* Chooses what the kernel is for, or nothing. Before its name. */
void idiom_choose(gen *g);
/* The body of a kernel with a purpose. */
void idiom_body(gen *g);

#endif
