/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a context has parsed, by their places (parse_cache.h). All of it is in one arena,
 * which is emptied as a whole: which files are needed next is not known, and a package that fits
 * never fills it. */
#include "syntax/parse_cache.h"

#include "base/assert.h"
#include "base/str_map.h"

typedef struct parse_cache {
    arena a;
    str_map by_place; /* numbers of files, plus one */
    VEC(parsed_file) files;
    size_t text, most_text; /* bytes of the files */
} parse_cache;

struct parse_cache *parse_cache_new(ctx *c, size_t most_text)
{
    parse_cache *k = ARENA_NEW(&c->perm, parse_cache);
    arena_init(&k->a, &c->mem);
    k->most_text = most_text;
    return k;
}

const parsed_file *parse_cache_find(const ctx *c, const char *place)
{
    const parse_cache *k = c->parsed;
    const uint32_t i = k && place ? str_map_get(&k->by_place, str_c(place)) : 0;
    return i ? &k->files.v[i - 1] : NULL;
}

typedef struct parse_job {
    ctx *c;
    source *src;
    ast_Module *tree;
} parse_job;

static void parse(void *arg)
{
    parse_job *j = arg;
    j->tree = parse_module(j->c, j->src);
}

static void swap_arenas(arena *a, arena *b)
{
    const arena other = *a;
    *a = *b;
    *b = other;
}

/* The parser puts trees into c->module, which is the cache's arena meanwhile; also when memory runs
 * out it must be the old one again. */
static ast_Module *parse_into(ctx *c, arena *a, source *src)
{
    parse_job job = {c, src, NULL};
    swap_arenas(&c->module, a);
    const bool enough = mem_try(&c->mem, parse, &job);
    swap_arenas(&c->module, a);
    if (!enough)
        mem_fail(&c->mem);
    return job.tree;
}

ast_Module *parse_cache_module(ctx *c, source *src)
{
    parse_cache *k = c->parsed;
    if (!k || !src->place || parse_cache_find(c, src->place))
        return parse_module(c, src);
    const size_t n = strlen(src->place);
    parsed_file file = {.place = {arena_dup(&k->a, src->place, n), n}};
    file.tree = parse_into(c, &k->a, src);
    if (file.tree) /* else the text need not be in the cache's arena */
        file.src = *src;
    VEC_PUSH(&k->a, &k->files, file);
    str_map_set(&k->a, &k->by_place, file.place, k->files.n);
    k->text += src->text.n;
    return file.tree;
}

bool parse_cache_trim(ctx *c)
{
    parse_cache *k = c->parsed;
    if (!k || !k->files.n)
        return true;
    if (k->text < k->most_text)
        return false;
    arena_reset(&k->a);
    k->by_place = (str_map){0};
    k->files.v = NULL;
    k->files.n = k->files.cap = 0;
    k->text = 0;
    return true;
}
