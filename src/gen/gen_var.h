/* SPDX-License-Identifier: Apache-2.0 */
/* Variables in scope: adding, picking and writing one, and closing a block. */
#ifndef WEFT_GEN_GEN_VAR_H
#define WEFT_GEN_GEN_VAR_H

#include "gen/gen_scope.h"

/* Adds a variable. Its text must stay: a name, or bytes of the pool. */
gvar *var_add(gen *g, str text, gtype t, bound b, int flags);
/* The variable that fits and that had best be used, or NULL. */
gvar *var_pick(gen *g, want w);
gvar *var_any(gen *g, gtype t); /* of this type, whatever its bound */
/* The newest local variable that nothing has read and that fits; NULL: all are used. */
gvar *var_unused(gen *g, bool (*fits)(const gvar *v, gtype t), gtype t);
/* Writes the variable, and counts the use. */
void var_put(gen *g, gvar *v);
bound var_bound(const gvar *v);
/* A block: what is added after scope_open is forgotten by scope_close with its mark, save arguments
 * and their elements (V_GLOBAL). */
uint32_t scope_open(gen *g);
void scope_close(gen *g, uint32_t mark);

#endif
