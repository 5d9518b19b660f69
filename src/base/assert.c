/* What a failed WEFT_ASSERT does. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void assert_failed(const char *cond, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, cond);
    abort();
}
