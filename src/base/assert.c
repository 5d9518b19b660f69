/* SPDX-License-Identifier: Apache-2.0 */
/* What a failed WEFT_ASSERT does: it prints one line and aborts, so that a debugger or a core file
 * has the place.
 *
 *     src/ir/ir.c:31: ir_take: assertion failed: i < list->n */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void assert_failed(const char *cond, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, cond);
    abort();
}
