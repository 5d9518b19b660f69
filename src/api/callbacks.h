/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of tasks to their caller: weft_callbacks, filled by a caller of any version. A task is a
 * call that works on files (generate, merge, split, dedup, stats, report, ptx), as against one that
 * works on a context. Every function may be NULL: then nothing is reported. */
#ifndef WEFT_API_CALLBACKS_H
#define WEFT_API_CALLBACKS_H

#include <stdbool.h>

#include "base/str.h"
#include "weft.h"

/* Copies what the caller gave, which may be NULL. False: its size cannot be right. */
bool callbacks_take(weft_callbacks *to, const weft_callbacks *given);
/* Passes on a printf-like message of a kind, WEFT_ERROR and so on. */
void callbacks_say(const weft_callbacks *c, int kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for WEFT_ERROR and WEFT_USAGE; they return the status, callbacks_misuse
 * WEFT_BAD_ARGUMENT, so that a function can end by `return callbacks_fail(...)`. */
weft_status callbacks_fail(const weft_callbacks *c, weft_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
weft_status callbacks_misuse(const weft_callbacks *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for a word of `list` that is none of the n names; an empty one, or an empty list:
 *
 *     unknown category 'maths', did you mean 'math'? Known are arithmetic, math
 *     a category's name is empty in 'loop,,math'; known are arithmetic, math */
weft_status callbacks_unknown(const weft_callbacks *c, const char *what, str word, const char *list,
                              const char *const *names, int n);
/* The end of a task that writes a set (base/run_status.h) as a status, after a message. `message`
 * is a sentence, or with an errno value the path that failed; `output` the set's folder.
 *
 *     STATUS_BROKEN    the input is damaged           WEFT_INPUT_ERRORS
 *     STATUS_ABSENT    the input is not there         WEFT_IO_ERROR
 *     STATUS_REFUSED   the output cannot be taken     WEFT_BAD_ARGUMENT
 *     an errno value   `message` is the path          WEFT_IO_ERROR */
weft_status callbacks_end(const weft_callbacks *c, const char *output, const char *message,
                          int end);
/* Calls `begin`, after which the task may write files. */
void callbacks_begin(const weft_callbacks *c);

#endif
