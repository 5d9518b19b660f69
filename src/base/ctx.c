/* SPDX-License-Identifier: Apache-2.0 */
/* Setting up and resetting a context, and the fuel of its stages.
 *
 * Steps are handed out in portions: ctx_spend only counts `fuel` down, and ctx_refuel looks at the
 * interrupt and takes the next portion from `fuel_rest`. Example, with portions of 32,768 steps:
 *
 *     ctx_try(c, 100000, f, arg)   fuel = 32768, fuel_rest = 67232
 *     ctx_spend(c, 32000)          fuel =   768, fuel_rest = 67232
 *     ctx_spend(c, 1000)           refuel: fuel = 32768, fuel_rest = 34232
 */
#include "base/ctx.h"

/* Steps between two looks at the flag of an interrupt: a fraction of a millisecond. */
enum { FUEL_PORTION = 1 << 15 };

/* Sets what is left in all. */
static void set_fuel(ctx *c, uint64_t steps)
{
    c->fuel = steps < FUEL_PORTION ? steps : FUEL_PORTION;
    c->fuel_rest = steps - c->fuel;
}

void ctx_init(ctx *c)
{
    set_fuel(c, UINT64_MAX);
    c->fuel_guard = NULL;
    arena_init(&c->perm, &c->mem);
    arena_init(&c->module, &c->mem);
    arena_init(&c->ir, &c->mem);
    arena_init(&c->scratch, &c->mem);
    sym_init(&c->syms, &c->mem);
    c->diags.v = NULL;
    c->diags.n = c->diags.cap = 0;
    c->clock = NULL;
    c->files = NULL;
    c->types = NULL;
    c->builtins = NULL;
    c->lower_names = NULL;
    c->sema = NULL;
    c->warp = WARP_DEFAULT;
    c->geometry = NULL;
    c->parsed = NULL;
}

/* Arenas, symbols and diagnostics are blocks of c->mem. */
void ctx_clear(ctx *c)
{
    mem_clear(&c->mem);
}

void ctx_reset_module(ctx *c)
{
    arena_reset(&c->module);
    arena_reset(&c->ir);
    c->geometry = NULL;
    arena_reset(&c->scratch);
    c->diags.v = NULL;
    c->diags.n = c->diags.cap = 0;
    set_fuel(c, UINT64_MAX);
    c->fuel_guard = NULL;
}

/* Slow path of ctx_spend, once for each portion. Without a guard there is no limit, and the
 * portion only serves to look at the interrupt. At the limit control leaves to ctx_try. */
void ctx_refuel(ctx *c, uint64_t steps)
{
    if (mem_stopped(&c->mem))
        mem_fail(&c->mem);
    const uint64_t left = c->fuel + c->fuel_rest;
    if (c->fuel_guard && left <= steps)
        longjmp(*c->fuel_guard, 1);
    set_fuel(c, c->fuel_guard ? left - steps : UINT64_MAX);
}

/* Fuel that fn left goes back to the outer limit; after a failure all of it counts as spent, so
 * that a caller who tries again cannot work for ever. The guard of mem is restored too: a mem_try
 * inside fn may have been left by longjmp. `done` is volatile since it is read after the jump. */
bool ctx_try(ctx *c, uint64_t steps, void (*fn)(void *), void *arg)
{
    jmp_buf here, *const outer = c->fuel_guard, *const guard = c->mem.guard;
    const uint64_t left = c->fuel + c->fuel_rest, given = steps < left ? steps : left;
    const bool nested = outer != NULL;
    volatile bool done = false;
    set_fuel(c, given);
    c->fuel_guard = &here;
    if (!setjmp(here)) {
        fn(arg);
        done = true;
    }
    const uint64_t unspent = done ? c->fuel + c->fuel_rest : 0;
    c->fuel_guard = outer;
    c->mem.guard = guard;
    set_fuel(c, nested ? left - given + unspent : UINT64_MAX);
    return done;
}
