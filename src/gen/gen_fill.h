/* Statements that fill a body up to its size. */
#ifndef WEFT_GEN_GEN_FILL_H
#define WEFT_GEN_GEN_FILL_H

#include "gen/gen.h"

/* Statements until there is little room left, of kinds that the category may have. */
void fill(gen *g, bool branches, bool loops);
void fill_some(gen *g, int lines, bool branches, bool loops);

#endif
