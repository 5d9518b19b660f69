/* Broken invariants: checked in debug builds, assumed in release builds. */
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

#ifdef WEFT_DEBUG
#include <assert.h>
#define WEFT_ASSERT(cond) assert(cond)
#else
#define WEFT_ASSERT(cond) ((void)0)
#endif

#endif
