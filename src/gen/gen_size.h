/* The size of a kernel: how many lines are left for its body, and the statements that fill them. */
#ifndef WEFT_GEN_GEN_SIZE_H
#define WEFT_GEN_GEN_SIZE_H

#include "gen/gen.h"

enum { BREAKS_MAX = 96 };

typedef struct gen_size {
    const gen_level *level;
    int lines, aim; /* of the kernel: what it is to have, and what the body is to keep to */
    uint32_t counted, body_lines;         /* of the body up to byte `counted` */
    uint32_t nbreaks, breaks[BREAKS_MAX]; /* where in the body a blank line may stand */
    uint8_t reserve;                      /* lines that the end of the body needs */
    uint8_t thrift;                       /* 0: a large sample, 3: a small one */
} gen_size;

/* Lines that may still be written before the end of the body. */
int room(gen *g);
/* Statements until there is little room left, of kinds that the category may have. */
void fill(gen *g, bool branches, bool loops);
void fill_some(gen *g, int lines, bool branches, bool loops);
/* Here a blank line may stand. */
void may_break(gen *g);
/* Blank lines put in, or a signature on several lines: true if the kernel has its size now. */
bool size_settle(gen *g, int lines, bool *wrapped);

#endif
