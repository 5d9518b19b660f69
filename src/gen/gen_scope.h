/* Variables in scope, each with its type and bound. An expression picks the variable that fits its
 * want and that had best be used: one that nothing has used yet. */
#ifndef WEFT_GEN_GEN_SCOPE_H
#define WEFT_GEN_GEN_SCOPE_H

#include "gen/gen.h"
#include "gen/gen_value.h"

enum { NO_DIM = 255, NO_DECIDER = 255, VARS_MAX = 128 };

enum {
    V_MUTABLE = 1, /* may be assigned again */
    V_FIXED = 2,   /* known at compile time */
    V_GLOBAL = 4,  /* outlives the block where it was first used: arguments */
    V_INDEX = 8,   /* thread or loop index */
    V_HIDDEN = 16, /* not to be picked as a leaf */
    V_LOCAL = 32,  /* a local variable: it is a pity if nothing uses it */
    V_START = 64,  /* holds the literal that it began with, outside of its loops */
    V_SHARED = 128 /* the same in all threads */
};

/* Something with a name: a variable, but also "x[i]", "params.dt", "float(flags[i])". */
typedef struct gvar {
    const char *s;
    gtype t;
    int8_t mag;
    uint8_t n, low, flags, uses;
    uint8_t dim;  /* the dimension whose indexes it ranges over, or NO_DIM */
    uint8_t loop; /* depth of loops where it was made */
    uint8_t arg;  /* arrays' elements: index of the argument + 1 */
} gvar;

typedef struct gen_scope {
    gvar vars[VARS_MAX];
    uint32_t nvars;
    uint32_t base; /* variables below this one belong to the kernel, while a helper is written */
    uint8_t last_leaf; /* the variable that an expression used last */
    uint8_t decider;   /* the variable that the last condition compared, or NO_DECIDER */
    bool consume;      /* use unused variables first */
    bool uneven;       /* no vector of one number: its direction is known, and has no derivative */
} gen_scope;

#endif
