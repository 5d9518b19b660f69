/* Messages of tasks to their caller: weft_callbacks, filled by a caller of any version. */
#ifndef WEFT_API_CALLBACKS_H
#define WEFT_API_CALLBACKS_H

#include <stdbool.h>

#include "weft.h"

/* Copies what the caller gave, which may be NULL. False: its size cannot be right. */
bool callbacks_take(weft_callbacks *to, const weft_callbacks *given);
/* Passes on a printf-like message of a kind, WEFT_ERROR and so on. */
void callbacks_say(const weft_callbacks *c, int kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for WEFT_ERROR and WEFT_USAGE; gives the status. */
weft_status callbacks_fail(const weft_callbacks *c, weft_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
weft_status callbacks_misuse(const weft_callbacks *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void callbacks_begin(const weft_callbacks *c);

#endif
