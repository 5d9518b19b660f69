/* The size of a kernel: how many lines are left for its body, and the statements that fill them. */
#ifndef WEFT_GEN_GEN_SIZE_H
#define WEFT_GEN_GEN_SIZE_H

#include "gen/gen_state.h"

/* Lines that may still be written before the end of the body. */
int room(gen *g);
/* An extra: rarer in small samples. */
static inline bool extra(gen *g, uint32_t percent)
{
    static const uint8_t share[4] = {100, 60, 30, 15};
    return below(g, 10000) < percent * share[g->size.thrift] && (g->defs.in_helper || room(g) > 1);
}

/* Here a blank line may stand. */
void may_break(gen *g);
/* Blank lines put in, or a signature on several lines: true if the kernel has its size now. */
bool size_settle(gen *g, int lines, bool *wrapped);

#endif
