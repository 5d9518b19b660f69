/* SPDX-License-Identifier: Apache-2.0 */
/* Broken invariants end the program in debug builds, whatever NDEBUG says; release builds do not
 * check them. A condition must have no side effect and must hold for every input: what input can
 * do wrong is a diagnostic.
 *
 *     WEFT_ASSERT(i < list->n);
 *     -> src/ir/list.c:31: take: assertion failed: i < list->n */
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

#ifdef WEFT_DEBUG
#define WEFT_ASSERT(cond) ((cond) ? (void)0 : assert_failed(#cond, __FILE__, __LINE__, __func__))
#else
#define WEFT_ASSERT(cond) ((void)0)
#endif

/* Writes the place and the condition to stderr and aborts. */
_Noreturn void assert_failed(const char *cond, const char *file, int line, const char *function);

#endif
