/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text in c->module, for all files of this folder. cuda_sprintf formats like printf, by
 * weft's own code, so that no locale plays a part (base/format.h). */
#include "cuda/cuda_string.h"

#include <stdarg.h>

#include "base/format.h"

/* The builder is empty afterwards and may be used again. */
str cuda_keep(cuda_fn *f, strbuf *b)
{
    const str s = {arena_dup(&f->c->module, b->p ? b->p : "", b->n), b->n};
    sb_clear(b);
    return s;
}

/* Formats twice: once for the length. */
str cuda_sprintf(cuda_fn *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t n = format_text_v(NULL, 0, format, args);
    va_end(args);
    char *p = arena_alloc(&f->c->module, n + 1);
    va_start(args, format);
    format_text_v(p, n + 1, format, args);
    va_end(args);
    return (str){p, n};
}
