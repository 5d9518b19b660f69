/* The definitions that a program's texts use: looked up by key, printed types first, each after
 * what it needs; and pieces of text in the arena. */
#include <stdarg.h>

#include "cuda/cuda_internal.h"

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

void cuda_def_add(cuda_needs *n, str key, str name, str text, bool is_type)
{
    const cuda_def def = {.key = key, .name = name, .text = text, .is_type = is_type};
    VEC_PUSH(n->a, &n->defs, def);
}

str cuda_free_name(cuda_needs *n, str name)
{
    for (uint32_t i = 0; i < n->aliases.n; i++)
        if (str_eq(n->aliases.v[i].wanted, name))
            return n->aliases.v[i].name;
    cuda_alias alias = {name, name};
    while (n->taken && n->taken(n->taken_arg, alias.name))
        alias.name = cuda_text(n, "@_", alias.name);
    VEC_PUSH(n->a, &n->aliases, alias);
    return alias.name;
}

static size_t text_size(const char *pattern, va_list args)
{
    size_t size = 0;
    for (const char *p = pattern; *p; p++)
        size += *p == '@' ? va_arg(args, str).n : 1;
    return size;
}

str cuda_text(cuda_needs *n, const char *pattern, ...)
{
    va_list args, again;
    va_start(args, pattern);
    va_copy(again, args);
    const size_t size = text_size(pattern, args);
    va_end(args);
    char *text = arena_alloc(n->a, size + 1), *to = text;
    for (const char *p = pattern; *p; p++) {
        if (*p != '@') {
            *to++ = *p;
            continue;
        }
        const str s = va_arg(again, str);
        if (s.n)
            memcpy(to, s.p, s.n);
        to += s.n;
    }
    va_end(again);
    *to = 0;
    return (str){text, size};
}

str cuda_decimal(cuda_needs *n, int64_t x)
{
    strbuf b;
    sb_init(&b, n->a->m);
    sb_int(&b, x);
    return cuda_take(n, &b);
}

str cuda_take(cuda_needs *n, strbuf *b)
{
    const str s = {arena_dup(n->a, b->p, b->n), b->n};
    sb_clear(b);
    return s;
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
