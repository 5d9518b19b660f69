/* SPDX-License-Identifier: Apache-2.0 */
/* printf's formats, the same in every locale. Supported is what weft uses: the flags "-" and "0",
 * widths, precisions, the lengths l, ll and z, and the conversions c d u x X o s e f g and %%.
 * Example: format_text(buf, sizeof buf, "%s: %.3f s", "parse", 0.25) writes "parse: 0.250 s".
 * Others than messages are printed by the functions of base/str.h, which are faster. */
#ifndef WEFT_BASE_FORMAT_H
#define WEFT_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Calls put(to, ...) with one piece of the text after the other. */
typedef void (*format_put)(void *to, const char *text, size_t n);
void format_pieces(format_put put, void *to, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

/* As snprintf and vsnprintf: what does not fit is cut, the length of all is returned. */
size_t format_text(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
size_t format_text_v(char *buf, size_t size, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

/* The ending of a noun behind a number: "s", but "" for one. */
static inline const char *plural_s(uint64_t n)
{
    return n == 1 ? "" : "s";
}

#endif
