/* The definitions that a program's texts use: looked up by key, printed in the order in which they
 * became complete, types first. */
#include "cuda/cuda_internal.h"

#include <stdarg.h>
#include <stdio.h>

cuda_needs *cuda_needs_make(ctx *c, arena *a, cuda_taken *taken, const void *arg)
{
    cuda_needs *n = ARENA_NEW(a, cuda_needs);
    n->c = c;
    n->a = a;
    n->taken = taken;
    n->taken_arg = arg;
    return n;
}

const cuda_def *cuda_def_find(const cuda_needs *n, str key)
{
    for (uint32_t i = 0; i < n->defs.n; i++)
        if (str_eq(n->defs.v[i].key, key))
            return &n->defs.v[i];
    return NULL;
}

const cuda_def *cuda_def_add(cuda_needs *n, str key, str name, str text, bool is_type)
{
    const cuda_def def = {.key = key, .text = text, .name = name, .is_type = is_type};
    VEC_PUSH(n->a, &n->defs, def);
    return &n->defs.v[n->defs.n - 1];
}

str cuda_free_name(cuda_needs *n, str name)
{
    while (n->taken && n->taken(n->taken_arg, name))
        name = cuda_printf(n, "%.*s_", (int)name.n, name.p);
    return name;
}

str cuda_printf(cuda_needs *n, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *p = arena_alloc(n->a, (size_t)size + 1);
    vsnprintf(p, (size_t)size + 1, fmt, again);
    va_end(again);
    return (str){p, (size_t)size};
}

static void print_defs(const cuda_needs *n, strbuf *out, bool types)
{
    for (uint32_t i = 0; i < n->defs.n; i++) {
        if (n->defs.v[i].is_type != types)
            continue;
        sb_str(out, n->defs.v[i].text);
        sb_char(out, '\n');
    }
}

void cuda_needs_print(cuda_needs *n, strbuf *out)
{
    print_defs(n, out, true);
    print_defs(n, out, false);
}
