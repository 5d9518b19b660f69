/* Kernels with a purpose. */
#ifndef WEFT_GEN_GEN_IDIOM_H
#define WEFT_GEN_GEN_IDIOM_H

#include "base/mem.h"
#include "gen/gen.h"

/* The least lines of each row of gen_idiom.def, for gen.idiom_lines. Lives as long as m. */
const uint8_t *idioms_init(mem *m);
/* Chooses what the kernel is for, or nothing. Before its name. */
void idiom_choose(gen *g);
/* The body of a kernel with a purpose. */
void idiom_body(gen *g);

#endif
