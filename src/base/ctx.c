/* Setting up and resetting a context. */
#include "base/ctx.h"

void ctx_init(ctx *c)
{
    arena_init(&c->perm, &c->mem);
    arena_init(&c->module, &c->mem);
    arena_init(&c->scratch, &c->mem);
    sym_init(&c->syms, &c->mem);
    c->diags.v = NULL;
    c->diags.n = c->diags.cap = 0;
    c->clock = NULL;
    c->types = NULL;
    c->builtins = NULL;
    c->lower_names = NULL;
    c->sema = NULL;
}

void ctx_clear(ctx *c)
{
    mem_clear(&c->mem);
}

void ctx_reset_module(ctx *c)
{
    arena_reset(&c->module);
    arena_reset(&c->scratch);
    c->diags.v = NULL;
    c->diags.n = c->diags.cap = 0;
}
