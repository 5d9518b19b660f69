/* SPDX-License-Identifier: Apache-2.0 */
/* Proves a kernel that somebody wrote: with its backward text, or where that cannot be judged,
 * without. weft collect writes the result into the record, weft validate finds it again. */
#ifndef WEFT_CHECK_CHECK_FOUND_H
#define WEFT_CHECK_CHECK_FOUND_H

#include "check/check.h"

/* Did a text compute something else than the source? Other failures concern the inputs, or what the
 * machines cannot execute. */
bool check_differs(const check_result *r);
/* check_pair for one choice of inputs. A backward text that cannot be executed, or that is not the
 * adjoint though nothing of Warp's explains it, may be what the author wrote (wp.func_grad): then
 * the forward text is judged alone, without those of s->backward. *why is replaced by what was not
 * executed or judged and why; empty: all was. */
#define CHECK_NO_BACKWARD "it has no backward text" /* such a reason */
void check_found(checker *k, check_subject *s, check_result *r, strbuf *why);

#endif
