/* Pieces of text in c->module. */
#include "cuda/cuda_string.h"

#include <stdarg.h>

#include "base/format.h"

str cuda_bare_name(str native)
{
    const bool is_native = native.n > 4 && memcmp(native.p, "wp::", 4) == 0;
    const str name = is_native ? (str){native.p + 4, native.n - 4} : native;
    const char *end = memchr(name.p, '<', name.n);
    const bool is_type = end && end - name.p > 2 && memcmp(end - 2, "_t", 2) == 0;
    if (end && end > name.p && !is_type) /* extract<3>: a slice's length */
        return (str){name.p, (size_t)(end - name.p)};
    return name;
}

str cuda_keep(cuda_fn *f, strbuf *b)
{
    const str s = {arena_dup(&f->c->module, b->p ? b->p : "", b->n), b->n};
    sb_clear(b);
    return s;
}

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
