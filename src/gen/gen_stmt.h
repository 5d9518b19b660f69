/* Statements: definitions, updates, stores, branches, loops, atomics, rarer forms. A variable that
 * a loop changes has a fixed magnitude, and each update is small enough for the number of turns. */
#ifndef WEFT_GEN_GEN_STMT_H
#define WEFT_GEN_GEN_STMT_H

#include "gen/gen_param.h"
#include "gen/gen_style.h"
#include "gen/gen_thing.h"

/* Taken from the count of arms by a loop, so that branches around it do not count inside. */
enum { ARMS_OUTSIDE = -16 };
enum { ATOMIC_OPS = 11 };

/* --- gen_stmt.c --------------------------------------------------------------------------- */
void line_open(gen *g);
void line_open_as(gen *g, line_kind kind);
void line_close(gen *g);
gvar *stmt_let(gen *g, gtype t, int budget);
gvar *stmt_load(gen *g, gtype t);
gvar *stmt_state(gen *g, gtype t);
void stmt_update(gen *g, gvar *v, int budget);
void stmt_update_component(gen *g, gvar *v, int budget); /* v.x += ... */
void stmt_update_scaled(gen *g, gvar *v); /* v *= 0.5, or v /= 2.0 where that is asked for */
void stmt_store(gen *g, garg *a, int budget);
int more_to_say(gen *g); /* to be added to the budget of a kernel's result */
void stmt_if(gen *g, int arms, int depth, uint32_t else_percent);
void stmt_exit(gen *g);
gvar *state_pick(gen *g);
void block_open(gen *g, uint32_t *mark);
void block_close(gen *g, uint32_t mark);

/* --- gen_target.c ------------------------------------------------------------------------- */
/* Once in a kernel, before a statement: writes what is asked for, if this is the place. */
void target_write(gen *g);

/* --- gen_loop.c --------------------------------------------------------------------------- */
void stmt_for(gen *g, int statements, int depth);
void stmt_while(gen *g);
uint32_t loop_open(gen *g, uint8_t dim);
void loop_close(gen *g, uint8_t dim, uint32_t mark);

/* --- gen_atomic.c ------------------------------------------------------------------------- */
uint8_t atomic_op(gen_fn fn); /* the first that is this builtin; ATOMIC_OPS: none */
void stmt_atomic(gen *g, garg *a, int budget);
void stmt_exchange(gen *g, int budget);
gtype atomic_type(gtype t); /* the nearest that atomics take */

/* --- gen_form.c --------------------------------------------------------------------------- */
/* A statement of a rarer form, in at most so many lines; false: none was written. */
bool stmt_form(gen *g, int space);
/* The form that the target is, if it is one and the kernel's type allows it. */
void form_target(gen *g);
/* The same, of forms that need types or functions of their own before the kernel. */
bool stmt_form_of_own(gen *g, int space);

/* --- gen_piece.c -------------------------------------------------------------------------- */
/* The same, of vectors' slices, matrices' columns, transforms' parts; or a line that prints. */
bool stmt_piece(gen *g, int space);
void piece_target(gen *g); /* as form_target */

/* --- gen_part.c --------------------------------------------------------------------------- */
/* v[0:2] = ..., m[1] = ..., where a local variable allows it. */
bool part_store(gen *g);
gtype part_store_of(gen *g, gtype t); /* to a new variable of this type; gives t */

/* --- gen_build.c -------------------------------------------------------------------------- */
gtype stmt_copy(gen *g, gtype t);
gtype stmt_known(gen *g, gtype t); /* a sum with a constant vector or wp.static */

#endif
