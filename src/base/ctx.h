/* The compilation context: what one thread needs to compile modules one after another. There is no
 * other state. `perm` lives as long as the context, `module` until the next module, `scratch` until
 * the function that saved it rewinds it. */
#ifndef WEFT_BASE_CTX_H
#define WEFT_BASE_CTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/stage.h"
#include "base/sym.h"
#include "base/vec.h"

enum { DIAG_MAX = 100 }; /* errors kept per module */

struct file_set;      /* base/file_set.h */
struct type_table;    /* types/type.h */
struct builtin_table; /* builtin/builtin.h */
struct lower_names;   /* ir/lower.h */
struct sema_names;    /* sema/module.h */

typedef struct ctx {
    mem mem;
    arena perm, module, scratch;
    interner syms;
    VEC(diag) diags;        /* in the module arena */
    stage_clock *clock;     /* NULL: stages are not measured */
    struct file_set *files; /* what is read is added to it; NULL: nobody asks */
    struct type_table *types;
    struct builtin_table *builtins;
    struct lower_names *lower_names;
    struct sema_names *sema;
    uint64_t fuel;       /* steps until the next look at fuel_rest and mem.stop */
    uint64_t fuel_rest;  /* steps allowed beyond those */
    jmp_buf *fuel_guard; /* where ctx_spend goes when the steps are spent; NULL: no limit */
} ctx;

/* Needs: zeroed or fresh storage. Must run inside mem_try(&c->mem, ...) after mem_init(&c->mem). */
void ctx_init(ctx *c);
/* Frees everything that the context owns. */
void ctx_clear(ctx *c);
/* Forgets diagnostics and everything in the module and scratch arenas. */
void ctx_reset_module(ctx *c);

/* Fuel. Work that can be more than linear in the input counts its steps, some nanoseconds each,
 * with ctx_spend. So no input keeps a stage busy for ever, and an interrupt (mem.stop) ends any
 * stage within milliseconds. Counting does not depend on the machine: what is refused for its
 * steps is refused everywhere.
 *
 * ctx_try runs fn(arg) with `steps` at most. False: they were spent; control left fn by longjmp,
 * and what it built is to be thrown away. The caller reports the error at the place it knows.
 * Calls may nest: the inner one takes its steps from the outer one. An interrupt leaves as a failed
 * allocation does, to the guard of mem_try. */
bool ctx_try(ctx *c, uint64_t steps, void (*fn)(void *), void *arg);
void ctx_refuel(ctx *c, uint64_t steps); /* slow path of ctx_spend */

static inline void ctx_spend(ctx *c, uint64_t steps)
{
    if (c->fuel <= steps)
        ctx_refuel(c, steps);
    else
        c->fuel -= steps;
}

#endif
