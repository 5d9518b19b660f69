/* SPDX-License-Identifier: Apache-2.0 */
/* What the intermediate form promises, checked (see ir_verify.c). */
#ifndef WEFT_IR_VERIFY_H
#define WEFT_IR_VERIFY_H

#include "ir/ir.h"

/* The first broken promise of a unit: "forward 7: it reads a variable that nothing sets". */
typedef struct ir_fault {
    const char *what;  /* NULL: there is none */
    const char *where; /* "forward", "replay", "reverse", "variable", "place", ... */
    uint32_t index;    /* in that list or table */
} ir_fault;

/* True if the unit keeps all promises. `rolled`: it comes from lower_rolled, whose loops stand in
 * the replay too. Scratch memory is in c->ir. */
bool ir_check(ctx *c, const ir_unit *u, bool rolled, ir_fault *fault);

/* Checks all units in debug builds: prints the fault with a dump of the unit and aborts. */
#ifdef WEFT_DEBUG
void ir_verify(ctx *c, const ir_module *m, bool rolled);
#else
static inline void ir_verify(ctx *c, const ir_module *m, bool rolled)
{
    (void)c;
    (void)m;
    (void)rolled;
}
#endif

#endif
