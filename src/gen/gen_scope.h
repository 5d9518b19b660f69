/* SPDX-License-Identifier: Apache-2.0 */
/* Variables in scope. Each has its text, type and bound; gen_var.c chooses among them. Kernel and
 * helper share the array: while a helper is written, `base` hides the kernel's variables from
 * it. */
#ifndef WEFT_GEN_GEN_SCOPE_H
#define WEFT_GEN_GEN_SCOPE_H

#include "gen/gen.h"
#include "gen/gen_value.h"

/* A variable that ranges over no dimension; a condition that compared no variable; variables at one
 * time. */
enum { NO_DIM = 255, NO_DECIDER = 255, VARS_MAX = 128 };

/* Flags of a variable. */
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

/* Something that can be read: a variable, but also "x[i]", "params.dt", "float(flags[i])". The text
 * lies in the pool of names. */
typedef struct gvar {
    const char *s;
    gtype t;
    int8_t mag;
    uint8_t n, low, flags; /* of the text; gen_low; V_ flags */
    uint8_t uses;          /* reads so far; 0: a result had better use it */
    uint8_t dim;           /* the dimension whose indexes it ranges over, or NO_DIM */
    uint8_t loop;          /* depth of loops where it was made: see V_START */
    uint8_t arg;           /* arrays' elements: index of the argument + 1 */
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
