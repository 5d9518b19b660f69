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

struct type_table;    /* types/type.h */
struct builtin_table; /* builtin/builtin.h */
struct lower_names;   /* ir/lower.h */
struct sema_names;    /* sema/module.h */

typedef struct ctx {
    mem mem;
    arena perm, module, scratch;
    interner syms;
    VEC(diag) diags;    /* in the module arena */
    stage_clock *clock; /* NULL: stages are not measured */
    struct type_table *types;
    struct builtin_table *builtins;
    struct lower_names *lower_names;
    struct sema_names *sema;
} ctx;

/* Needs: zeroed or fresh storage. Must run inside mem_try(&c->mem, ...) after mem_init(&c->mem). */
void ctx_init(ctx *c);
void ctx_clear(ctx *c);
/* Forgets diagnostics and everything in the module and scratch arenas. */
void ctx_reset_module(ctx *c);

#endif
