/* What the generator knows while it writes a sample: struct gen, one part for each concern. It
 * writes text from left to right with no tree between; what it knows of an expression is its type
 * and its bound.
 *
 * How promises are kept: every expression is asked for with a `want` (type, greatest magnitude,
 * lowest value) and answers with the `bound` that it has (gen_expr.h); functions with a domain ask
 * their arguments for it; a variable remembers its bound (gen_scope.h); a variable that a loop
 * changes has a fixed magnitude (gen_stmt.h); array dimensions are symbols (gen_param.h).
 *
 * Bytes must not depend on the compiler: no two calls that draw random numbers stand among the
 * arguments of one call or the operands of one operator, since C leaves their order open. */
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

/* Loops and branches: those around the place, and counts for the whole kernel. */
typedef struct gen_flow {
    int loops;
    int arms;      /* branches around in the innermost loop; less than 1: none */
    int unrolled;  /* how often the innermost body is written out */
    int log_turns; /* of the loops around: log2 of how often the innermost body runs at most */
    uint32_t statements, branches, max_loops;
} gen_flow;

/* The size of the kernel. */
enum { BREAKS_MAX = 96 };

typedef struct gen_size {
    const gen_level *level;
    int lines, aim; /* of the kernel: what it is to have, and what the body is to keep to */
    uint32_t counted, body_lines;         /* of the body up to byte `counted` */
    uint32_t nbreaks, breaks[BREAKS_MAX]; /* where in the body a blank line may stand */
    uint8_t reserve;                      /* lines that the end of the body needs */
    uint8_t thrift;                       /* 0: a large sample, 3: a small one */
} gen_size;

enum { OP_SLOTS = 64 };

struct gen {
    rng r;
    mem *m;
    gen_category category;
    const struct idiom *idiom; /* what the kernel is for; NULL: nothing told */
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

static inline void put(gen *g, str s)
{
    sb_put(g->text.out, s.p, s.n);
}

#define W(g, lit) sb_put((g)->text.out, "" lit, sizeof(lit) - 1)

static inline uint32_t below(gen *g, uint32_t n)
{
    WEFT_ASSERT(n);
    return rng_below(&g->r, n);
}

static inline bool chance(gen *g, uint32_t percent)
{
    return rng_chance(&g->r, percent);
}

/* In [lo, hi]; small samples, which most are, tend to lo. */
static inline int some(gen *g, int lo, int hi)
{
    WEFT_ASSERT(lo <= hi);
    uint32_t n = (uint32_t)(hi - lo + 1), x = below(g, n);
    for (int i = 0; i < g->size.thrift && x; i++)
        x = below(g, x + 1);
    return lo + (int)x;
}

/* The part of a budget that the left of two operands gets. */
static inline int budget_split(gen *g, int budget)
{
    return budget <= 2 ? 1 : 1 + (int)below(g, (uint32_t)budget - 1);
}

/* Writes '(' where an operator of precedence `own` stands in a place that asks for `prec`. */
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
