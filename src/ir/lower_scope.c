/* The names of a function: a map in order of insertion, as Python's dict is. The order matters:
 * Warp merges names after a branch in it. */
#include "ir/lower.h"

binding *scope_find(scope *s, const sym *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i].name == name)
            return &s->v[i];
    return NULL;
}

void scope_set(lower *l, const sym *name, uint32_t var, const value *v)
{
    if (var != NO_VAR && !l->u->vars.v[var].name)
        l->u->vars.v[var].name = name;
    binding *b = scope_find(&l->scope, name);
    if (b) {
        b->var = var;
        b->value = v;
        return;
    }
    VEC_PUSH(&l->c->module, &l->scope, ((binding){name, var, v}));
}

void scope_remove(lower *l, const sym *name)
{
    binding *b = scope_find(&l->scope, name);
    if (!b)
        return;
    uint32_t after = l->scope.n - (uint32_t)(b - l->scope.v) - 1;
    memmove(b, b + 1, after * sizeof *b);
    l->scope.n--;
}

scope scope_copy(lower *l, const scope *s)
{
    scope copy = {ARENA_ARRAY(&l->c->module, binding, s->n + 8), s->n, s->n + 8};
    if (s->n)
        memcpy(copy.v, s->v, s->n * sizeof *s->v);
    return copy;
}

bool sym_set_has(const sym_set *s, const sym *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i] == name)
            return true;
    return false;
}

void sym_set_add(lower *l, sym_set *s, const sym *name)
{
    if (!sym_set_has(s, name))
        VEC_PUSH(&l->c->module, s, name);
}
