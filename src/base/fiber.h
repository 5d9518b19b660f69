/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers: functions with stacks of their own that run until they yield. They belong to one thread
 * and never run at once, so they need no locks.
 *
 *     fiber *f = fiber_new(m, size, work, arg);
 *     while (fiber_resume(f)) ...             work(arg) runs from one fiber_yield(f) to the next
 *
 * The reference interpreter runs each thread of a block on a fiber. A failed allocation inside of
 * one ends it, and leaves from fiber_resume as any failed allocation does. */
#ifndef WEFT_BASE_FIBER_H
#define WEFT_BASE_FIBER_H

#include "base/mem.h"

typedef struct fiber fiber;

/* The fiber and its stack belong to m. */
fiber *fiber_new(mem *m, size_t stack, void (*work)(void *arg), void *arg);
/* Gives a fiber, whether it has ended or not, another function; what the old one held is forgotten.
 */
void fiber_restart(fiber *f, void (*work)(void *arg), void *arg);
/* Runs the fiber up to its next fiber_yield. False: its function has returned. */
bool fiber_resume(fiber *f);
/* Inside of the fiber: goes back to fiber_resume. */
void fiber_yield(fiber *f);

#endif
