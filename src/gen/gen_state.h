/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the sample at hand: struct gen, one part for each concern, and the primitives that
 * draw and write. Text is written from left to right with no tree between. What the generator has
 * of an expression is its type and its bound.
 *
 * How results stay in their domains. A caller gives an expression a `want`: a type, the greatest
 * magnitude, the lowest value. The expression returns the `bound` that it has (gen_value.h).
 * Magnitudes are powers of two:
 *
 *     want |x| <= 2^4      ->  a * b: a within 2^2, b within what a leaves, 2^(4 - mag of a)
 *     want x >= 1/64       ->  wp.abs(a) + 0.5
 *     argument of wp.log   ->  an expression with the want "x >= 1/64"
 *
 * A function with a domain states it in its row of gen_builtin.def, a variable keeps the bound of
 * what it was set to (gen_scope.h), a variable that a loop changes has a magnitude that is fixed
 * before the loop (gen_stmt.h), and an index is a variable that ranges over a symbolic dimension
 * (gen_param.h).
 *
 * Randomness: all draws come from g->r by below(), chance() and some(). Bytes must not depend on
 * the compiler: no two calls that draw stand among the arguments of one call or the operands of one
 * operator, since C leaves their order open. */
#ifndef WEFT_GEN_GEN_STATE_H
#define WEFT_GEN_GEN_STATE_H

#include "base/assert.h"
#include "base/rng.h"
#include "gen/gen.h"
#include "gen/gen_defs.h"
#include "gen/gen_param.h"
#include "gen/gen_production.h"
#include "gen/gen_scope.h"
#include "gen/gen_style.h"
#include "gen/gen_text.h"

/* Loops and branches: those around the place that is written now, and counts for the whole
 * kernel. */
typedef struct gen_flow {
    int loops;     /* loops around */
    int arms;      /* branches around, in the innermost loop; 0 or less: none (ARMS_OUTSIDE) */
    int unrolled;  /* how often the innermost body is written out */
    int log_turns; /* of the loops around: log2 of how often the innermost body runs at most */
    uint32_t statements, branches, max_loops; /* of the whole kernel; for the metadata */
} gen_flow;

/* The size of the kernel. */
enum { BREAKS_MAX = 96 };

/* The size of the kernel at hand: what it is to be, and what is used up. */
typedef struct gen_size {
    const gen_level *level;
    int lines, aim; /* of the kernel: what it is to have, and what the body is to keep to */
    uint32_t counted, body_lines;         /* a cache: body_lines are in the first `counted` bytes */
    uint32_t nbreaks, breaks[BREAKS_MAX]; /* where in the body a blank line may stand */
    uint8_t reserve;                      /* lines that the end of the body needs */
    uint8_t thrift;                       /* 0: a large sample, 3: a small one */
} gen_size;

/* Weights of gen_category.def are 64ths: one draw of 6 bits chooses an operator. */
enum { OP_SLOTS = 64 };

/* The parts are declared beside what they are about; this order is theirs: what the sample is, its
 * text, its contents, its limits, and the tables that all samples share. */
struct gen {
    rng r; /* the stream of the request; the only source of randomness */
    mem *m;
    gen_category category;
    const struct idiom *idiom; /* what the kernel is for; NULL: it has no purpose */
    gtype s;                   /* the kernel's float (or, in integer kernels, integer) type */
    gtype in;                  /* its integer type: int32 */
    uint8_t vec_rows;          /* length of the kernel's vectors, and size of its matrices */
    gen_text text;
    gen_names names;
    gen_scope scope;
    gen_params params;
    gen_defs defs;
    gen_flow flow;
    gen_size size;
    gen_coverage coverage;
    gen_target target;
    gen_productions productions;
    struct call_table *calls;
    const uint8_t *idiom_lines; /* of each row of gen_idiom.def: the lines that it has at least */
    uint8_t ops[GEN_CATEGORY_COUNT][OP_SLOTS]; /* each float_op as often as its weight says */
};

/* Appends text to where text goes now. */
static inline void put(gen *g, str s)
{
    sb_put(g->text.out, s.p, s.n);
}

/* Appends a string literal; its length is known when weft is compiled. */
#define W(g, lit) sb_put((g)->text.out, "" lit, sizeof(lit) - 1)

/* Even in [0, n). */
static inline uint32_t below(gen *g, uint32_t n)
{
    WEFT_ASSERT(n);
    return rng_below(&g->r, n);
}

/* True in so many of 100 draws. */
static inline bool chance(gen *g, uint32_t percent)
{
    return rng_chance(&g->r, percent);
}

/* In [lo, hi]. A thrifty sample draws again below what it drew, once per degree, so that short
 * kernels, which most are, stay short: with thrift 3 the mean of 0..3 falls from 1.5 to 0.2. */
static inline int some(gen *g, int lo, int hi)
{
    WEFT_ASSERT(lo <= hi);
    uint32_t n = (uint32_t)(hi - lo + 1), x = below(g, n);
    for (int i = 0; i < g->size.thrift && x; i++)
        x = below(g, x + 1);
    return lo + (int)x;
}

/* A budget counts operators that an expression may still have. This is the part that the left of
 * two operands gets; the rest less one is for the right. */
static inline int budget_split(gen *g, int budget)
{
    return budget <= 2 ? 1 : 1 + (int)below(g, (uint32_t)budget - 1);
}

/* Writes '(' where an operator of precedence `own` stands in the place of a stronger one, `prec`.
 */
static inline bool open_bracket(gen *g, int own, int prec)
{
    if (own < prec)
        W(g, "(");
    return own < prec;
}

static inline void close_bracket(gen *g, bool opened)
{
    if (opened)
        W(g, ")");
}

#endif
