/* SPDX-License-Identifier: Apache-2.0 */
/* Failures that a test requests from a debug build, by environment variables:
 * WEFT_FAIL_ALLOCATION=N lets the N-th allocation of the process fail, WEFT_FAIL_IO=N the N-th
 * call of base/io.h, counted from 1. With WEFT_FAIL_COUNTS=FILE the process writes at its end to
 * FILE how many there were of each. base/mem.c and base/io.c call fault_is_due before they do
 * their work; in release builds it is the constant false. */
#ifndef WEFT_BASE_FAULT_H
#define WEFT_BASE_FAULT_H

#include <stdbool.h>

typedef enum fault_kind { FAULT_ALLOCATION, FAULT_IO, FAULT_KIND_COUNT } fault_kind;

#ifdef WEFT_DEBUG
/* Counts one more of its kind: is it the one that is to fail? */
bool fault_is_due(fault_kind kind);
#else
static inline bool fault_is_due(fault_kind kind)
{
    (void)kind;
    return false;
}
#endif

#endif
