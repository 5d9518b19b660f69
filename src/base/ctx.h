/* SPDX-License-Identifier: Apache-2.0 */
/* The compilation context: what one thread needs to compile modules one after another. There is no
 * other state, global or per thread. `perm` lives as long as the context, `module` until the next
 * module, and so does `ir` unless it is reset after each kernel (pipeline_forget); `scratch` until
 * the function that saved it rewinds it. Example:
 *
 *     mem_init(&c->mem);
 *     mem_try(&c->mem, work, c);     work: ctx_init(c), then for each module
 *                                    ctx_reset_module(c), parse_module(c, src), ...
 *     ctx_clear(c);
 *
 * The pointers to tables belong to the folders that are named beside them; each makes its table in
 * `perm` on first use, and base never looks inside. */
#ifndef WEFT_BASE_CTX_H
#define WEFT_BASE_CTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/stage.h"
#include "base/sym.h"
#include "base/vec.h"
#include "base/warp_release.h"

enum { DIAG_MAX = 100 }; /* errors kept per module */

struct file_set;      /* base/file_set.h */
struct type_table;    /* types/type.h */
struct builtin_table; /* builtin/builtin.h */
struct lower_names;   /* ir/lower.h */
struct sema_names;    /* sema/module.h */
struct geometry_set;  /* geometry/geometry.h */
struct parse_cache;   /* syntax/parse_cache.h */

typedef struct ctx {
    mem mem;                         /* owns all memory below */
    arena perm, module, ir, scratch; /* see above */
    interner syms;                   /* symbols of all modules; they live as long as the context */
    VEC(diag) diags;                 /* in the module arena */
    stage_clock *clock;              /* NULL: stages are not measured */
    struct file_set *files;   /* gets every file that is read; NULL: no output depends on it */
    struct type_table *types; /* interned types */
    struct builtin_table *builtins;  /* rows of builtins, read once */
    struct lower_names *lower_names; /* symbols that lowering compares with */
    struct sema_names *sema;         /* the same for static evaluation */
    struct geometry_set *geometry;   /* of the module; NULL: none */
    struct parse_cache *parsed;      /* trees of files; NULL: none are kept */
    VEC(struct fiber *) lanes;       /* fibers for the threads of a block (interp_block.c) */
    uint64_t fuel;                   /* steps until the next look at fuel_rest and mem.stop */
    uint64_t fuel_rest;              /* steps allowed beyond those */
    warp_release warp;               /* whose text; never WARP_ANY */
    jmp_buf *fuel_guard; /* where ctx_spend goes when the steps are spent; NULL: no limit */
} ctx;

/* What long work calls now and then, in its own thread: `done` of `total` are done. */
typedef void ctx_progress(void *arg, uint64_t done, uint64_t total);

/* Needs: zeroed storage, mem_init(&c->mem), and a running mem_try(&c->mem, ...), since it may
 * allocate. */
void ctx_init(ctx *c);
/* Frees everything that the context owns. */
void ctx_clear(ctx *c);
/* Forgets diagnostics and everything in the module, ir and scratch arenas. */
void ctx_reset_module(ctx *c);

/* Fuel. Work that can be more than linear in the input counts its steps, some nanoseconds each,
 * with ctx_spend. So no input keeps a stage busy for ever, and an interrupt (mem.stop) ends any
 * stage within milliseconds. Counting does not depend on the machine: what is refused for its
 * steps is refused everywhere.
 *
 * ctx_try runs fn(arg) with `steps` at most. False: they were spent; control left fn by longjmp,
 * and what it built is to be thrown away. The caller, who has the place, reports the error
 * (DIAG_TOO_MUCH_WORK). Calls may nest: the inner one takes its steps from the outer one. An
 * interrupt leaves as a failed allocation does, to the guard of mem_try. */
bool ctx_try(ctx *c, uint64_t steps, void (*fn)(void *), void *arg);
void ctx_refuel(ctx *c, uint64_t steps); /* slow path of ctx_spend */

/* Counts `steps` of work. May leave by longjmp (ctx_try), so what must be undone is undone there.
 */
static inline void ctx_spend(ctx *c, uint64_t steps)
{
    if (c->fuel <= steps)
        ctx_refuel(c, steps);
    else
        c->fuel -= steps;
}

#endif
