/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a kernel: how many lines are left for its body, and what makes it as long as its
 * request. A sample has exactly the lines of its request, so that a data set has the distribution
 * of lengths that its options describe. */
#ifndef WEFT_GEN_GEN_SIZE_H
#define WEFT_GEN_GEN_SIZE_H

#include "gen/gen_state.h"

/* Lines that may still be written before the end of the body. */
int room(gen *g);
/* Something that a kernel can do without: rarer in thrifty samples, and only where a line is left.
 * Helpers have no limit of lines. */
static inline bool extra(gen *g, uint32_t percent)
{
    static const uint8_t share[4] = {100, 60, 30, 15};
    return below(g, 10000) < percent * share[g->size.thrift] && (g->defs.in_helper || room(g) > 1);
}

/* Here a blank line may stand. */
void may_break(gen *g);
/* Puts blank lines between paragraphs, or the signature on several lines, until the kernel has
 * `lines`. False: too long, or too short for that. */
bool size_settle(gen *g, int lines, bool *wrapped);

#endif
