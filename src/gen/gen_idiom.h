/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with a purpose: what a person might write ("saxpy", "heat_step"), with forms and terms
 * drawn. gen_idiom.def has the rows, gen_idiom.c reads them. */
#ifndef WEFT_GEN_GEN_IDIOM_H
#define WEFT_GEN_GEN_IDIOM_H

#include "base/mem.h"
#include "gen/gen.h"

/* The least lines of each row of gen_idiom.def, for gen.idiom_lines. Lives as long as m. */
const uint8_t *idioms_init(mem *m);
/* Sets g->idiom to a row that fits category and size, or to NULL. Before the kernel gets its
 * name. */
void idiom_choose(gen *g);
/* Writes the body of g->idiom, with statements of the generator where lines are left. */
void idiom_body(gen *g);

#endif
