/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that fill a body up to its size. */
#ifndef WEFT_GEN_GEN_FILL_H
#define WEFT_GEN_GEN_FILL_H

#include "gen/gen.h"

/* Writes statements until there is little room left: branches and loops only where the category has
 * them. fill_some stops after `lines` lines. */
void fill(gen *g, bool branches, bool loops);
void fill_some(gen *g, int lines, bool branches, bool loops);

#endif
