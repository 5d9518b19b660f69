/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the caller of a task.
 *
 *     callbacks_fail(c, WEFT_IO_ERROR, "cannot read '%s': %s", "a.cu", "No such file or directory")
 *     ->   c->message(c->arg, WEFT_ERROR, "cannot read 'a.cu': No such file or directory") */
#include "api/callbacks.h"

#include <errno.h>
#include <stdarg.h>

#include "api/api.h"
#include "base/c_locale.h"
#include "base/format.h"
#include "base/nearest.h"
#include "base/run_status.h"

/* Bytes: longer than a path may be, and a sentence around it. A buffer on the stack, since the
 * message may be that memory ran out. */
enum { MESSAGE = 8192 };

/* NULL gives no callbacks at all; the struct may be an older or a newer one. */
bool callbacks_take(weft_callbacks *to, const weft_callbacks *given)
{
    return api_take_options(to, sizeof *to, given);
}

static void say(const weft_callbacks *c, int kind, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

static void say(const weft_callbacks *c, int kind, const char *fmt, va_list ap)
{
    char text[MESSAGE];
    WEFT_ASSERT(kind >= WEFT_ERROR && kind <= WEFT_CAUTION);
    if (!c->message)
        return;
    format_text_v(text, sizeof text, fmt, ap);
    c->message(c->arg, kind, text);
}

/* For notes and cautions; errors go by callbacks_fail, which also gives the status. */
void callbacks_say(const weft_callbacks *c, int kind, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(c, kind, fmt, ap);
    va_end(ap);
}

weft_status callbacks_fail(const weft_callbacks *c, weft_status status, const char *fmt, ...)
{
    va_list ap;
    WEFT_ASSERT(status != WEFT_OK);
    va_start(ap, fmt);
    say(c, WEFT_ERROR, fmt, ap);
    va_end(ap);
    return status;
}

/* Apart from callbacks_fail, since the command line adds where its help is.
 *
 *     callbacks_misuse(c, "--output wants a folder")
 *     ->   c->message(c->arg, WEFT_USAGE, "--output wants a folder"), WEFT_BAD_ARGUMENT */
weft_status callbacks_misuse(const weft_callbacks *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(c, WEFT_USAGE, fmt, ap);
    va_end(ap);
    return WEFT_BAD_ARGUMENT;
}

/* A list that does not fit is cut, like the message. */
weft_status callbacks_unknown(const weft_callbacks *c, const char *what, str word, const char *list,
                              const char *const *names, int n)
{
    char known[MESSAGE / 2] = "";
    size_t used = 0;
    nearest near;
    nearest_init(&near, word);
    for (int i = 0; i < n; i++) {
        nearest_offer(&near, str_c(names[i]));
        if (used < sizeof known)
            used += format_text(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    }
    if (!word.n)
        return list && *list ? callbacks_misuse(c, "a %s's name is empty in '%.200s'; known are %s",
                                                what, list, known)
                             : callbacks_misuse(c, "no %s given; known are %s", what, known);
    if (near.best.p)
        return callbacks_misuse(c, "unknown %s '%.*s', did you mean '%s'? Known are %s", what,
                                (int)word.n, word.p, near.best.p, known);
    return callbacks_misuse(c, "unknown %s '%.*s'; known are %s", what, (int)word.n, word.p, known);
}

/* Up to here a task has written nothing, so that a caller may still end the process. */
void callbacks_begin(const weft_callbacks *c)
{
    if (c->begin)
        c->begin(c->arg);
}

weft_status callbacks_end(const weft_callbacks *c, const char *output, const char *message, int end)
{
    message = message ? message : "";
    switch (end) {
    case STATUS_OK: return WEFT_OK;
    case EINTR: /* while it waited for a pipe */
    case STATUS_STOPPED: return callbacks_fail(c, WEFT_STOPPED, "interrupted; nothing was written");
    case STATUS_MEMORY: return callbacks_fail(c, WEFT_NO_MEMORY, "out of memory");
    case STATUS_BROKEN: return callbacks_fail(c, WEFT_INPUT_ERRORS, "%s", message);
    case STATUS_ABSENT: return callbacks_fail(c, WEFT_IO_ERROR, "%s", message);
    case STATUS_REFUSED: return callbacks_fail(c, WEFT_BAD_ARGUMENT, "%s: %s", output, message);
    case ENOENT:
    case ENOTDIR:
    case EACCES:
        return callbacks_fail(c, WEFT_IO_ERROR, "cannot open '%s': %s", message, error_text(end));
    default: return callbacks_fail(c, WEFT_IO_ERROR, "'%s': %s", message, error_text(end));
    }
}
