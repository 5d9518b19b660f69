/* SPDX-License-Identifier: Apache-2.0 */
/* Does a function call builtins of tiles, itself or through functions that it calls by name? Asked
 * before anything runs, since a kernel with tiles runs block by block:
 *
 *     def total(x: float): return wp.tile_sum(wp.tile(x))[0]     yes
 *     def twice(x: float): return 2.0 * total(x)                 yes
 *
 * Functions that are parameters are not followed. */
#include "interp/interp_internal.h"

/* A walk over the functions below one. */
typedef struct tile_search {
    prepare scope; /* of the function in work: its module's names alone */
    bool found;
} tile_search;

bool interp_is_tile_builtin(const char *name)
{
    return strncmp(name, "tile", 4) == 0 || strcmp(name, "untile") == 0 ||
           strstr(name, "_tiled") != NULL; /* old names of queries */
}

static void search_function(tile_search *s, const func *f);

/* A call by a builtin's name, or of a function. */
static void search_call(tile_search *s, const node *f)
{
    value v;
    if (!prepare_static(&s->scope, f, &v))
        return;
    if (v.kind == VALUE_FUNC)
        search_function(s, v.p);
    else if (v.kind == VALUE_BUILTIN)
        s->found |= interp_is_tile_builtin(builtin_name(v.p)->s);
}

static void search_node(void *arg, const node *n)
{
    tile_search *s = arg;
    if (s->found)
        return;
    if (n->kind == AST_Call)
        search_call(s, AST(Call, n)->func);
    ast_each_child(n, search_node, s);
}

/* All overloads, each once for an interpreter. */
static void search_function(tile_search *s, const func *f)
{
    interp *in = s->scope.in;
    const func *head = f->head ? f->head : f;
    const code *outer = s->scope.code;
    for (uint32_t i = 0; i < in->searched.n; i++)
        if (in->searched.v[i] == head)
            return;
    VEC_PUSH(in->a, &in->searched, head);
    for (f = head; f && !s->found; f = f->next) {
        s->scope.code = &f->code;
        for (uint32_t i = 0; i < f->code.def->body.n; i++)
            search_node(s, f->code.def->body.v[i]);
    }
    s->scope.code = outer;
}

void interp_search_tiles(interp *in, const func *f)
{
    tile_search s = {.scope = {.in = in}};
    if (in->tiles)
        return;
    search_function(&s, f);
    in->tiles = s.found;
}
