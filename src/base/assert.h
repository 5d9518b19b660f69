/* Broken invariants: checked in debug builds, ignored in release builds. A condition must have no
 * side effect and must hold for every input: what input can do wrong is a diagnostic. */
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

#ifdef WEFT_DEBUG
#include <assert.h>
#define WEFT_ASSERT(cond) assert(cond)
#else
#define WEFT_ASSERT(cond) ((void)0)
#endif

#endif
