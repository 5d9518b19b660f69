/* Rules and what they apply to.
 *
 * A rule tells what a builtin is for types of some pattern, in a small language that looks like C
 * (cudarule_expr.c, cudarule_stmt.c): its operators and calls are again builtins, so that the text
 * for each scalar type, and what it needs, follow from one rule.
 *
 * A pattern of types is a row of codes:
 *   s scalar  L composite  V vector  W another vector  M matrix  N another matrix
 *   Q quaternion  P transformation  2 3 4 6 vector of that length  D m h S matrix of 2, 3, 4, 6
 * rows b bool  i int  u unsigned int  f float  c bool or any integer  x any value & before a code:
 * by reference then '>' and the result: a code, or * (what arith says), or nothing. */
#ifndef WEFT_CUDARULE_MATCH_H
#define WEFT_CUDARULE_MATCH_H

#include "cudarule/cudarule_text.h"

enum { CUDA_ARGS_MAX = 128 };

typedef struct cuda_rule {
    const char *name;
    const char
        *kinds; /* scalars that it holds for: I signed, U unsigned, F floats, B bool; "" any */
    const char *pattern;
    const char *wanted; /* adjoints: which arguments' adjoints it gives at most; NULL all */
    const char *text;
} cuda_rule;

typedef struct cuda_binding {
    const type *scalar;  /* s */
    const type *of[128]; /* by code */
    const type *args[CUDA_ARGS_MAX];
    bool by_reference[CUDA_ARGS_MAX];
    bool by_value[CUDA_ARGS_MAX]; /* large, yet a copy that the function changes */
    uint32_t nargs;
    const type *result; /* NULL: none */
} cuda_binding;

bool cuda_match(cuda_defs *n, const cuda_rule *r, const type *const *args, uint32_t nargs,
                const type *result, cuda_binding *out);

/* cudarule_table.c; a rule without a name is the end. */
extern const cuda_rule cuda_rules[], cuda_adj_rules[];

#endif
