/* SPDX-License-Identifier: Apache-2.0 */
/* Rules, and which types they apply to.
 *
 * A rule defines a builtin for types of a pattern, in a small language that looks like C
 * (cudarule_expr.c, cudarule_stmt.c). Its operators and calls are builtins again, so one rule
 * serves all scalar types:
 *
 *     RULE("abs", "IUF", "L>L", "return lanes(abs(a#));")     abs of a composite, lane by lane
 *
 * A pattern is a code for each argument, then '>' and the result (a code, '*' for what arith says,
 * or nothing):
 *
 *   s scalar            L composite               x any value
 *   V vector            W another vector          2 3 4 6 vector of that length
 *   M matrix            N another matrix          D m h S matrix of 2, 3, 4, 6 rows
 *   Q quaternion        P transformation
 *   b bool   i int   u unsigned int   f float     c bool or any integer
 *   k the id of an object                         X Y Z texture of one, two, three axes
 *   & before a code: by reference */
#ifndef WEFT_CUDARULE_MATCH_H
#define WEFT_CUDARULE_MATCH_H

#include "cudarule/cudarule_text.h"

enum { CUDA_ARGS_MAX = 128 };

/* A row of cudarule_*.def, or one that a family makes for one call. */
typedef struct cuda_rule {
    const char *name;
    /* scalars that it holds for: I signed, U unsigned, F floats, B bool; "" any */
    const char *kinds;
    const char *pattern;
    const char *wanted; /* adjoints: which arguments' adjoints it gives at most; NULL all */
    const char *text;
} cuda_rule;

/* What a rule's codes stand for in one call. */
typedef struct cuda_binding {
    const type *scalar;  /* s */
    const type *of[128]; /* by code */
    const type *args[CUDA_ARGS_MAX];
    bool by_reference[CUDA_ARGS_MAX];
    bool by_value[CUDA_ARGS_MAX]; /* large, yet a copy that the function changes */
    uint32_t nargs;
    const type *result; /* NULL: none */
} cuda_binding;

/* Does the rule apply to these argument types? Fills `out` with what its codes stand for. */
bool cuda_match(cuda_defs *n, const cuda_rule *r, const type *const *args, uint32_t nargs,
                const type *result, cuda_binding *out);

/* cudarule_table.c: the rules of builtins and of their adjoints. A row without a name is the end.
 */
extern const cuda_rule cuda_rules[], cuda_adj_rules[];

#endif
