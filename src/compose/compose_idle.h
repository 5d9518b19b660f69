/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what stands in a kernel without a purpose. For tests: a composed kernel has nothing of this
 * kind.
 *
 *     t = a[i] * 2.0          "nothing reads it" t, line 9, if that is all there is of t
 *     for k in range(n):      "each turn does the same"
 *         s = x[i]
 */
#ifndef WEFT_COMPOSE_COMPOSE_IDLE_H
#define WEFT_COMPOSE_COMPOSE_IDLE_H

#include "syntax/ast.h"

typedef struct compose_idle {
    const char *what; /* NULL: nothing was found */
    const sym *name;  /* of what; may be NULL */
    uint32_t line;
} compose_idle;

/* The first statement, local, parameter or function of the module that does nothing. */
compose_idle compose_find_idle(const ast_Module *m);

#endif
