/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: definitions, updates, stores, branches, loops, atomics, rarer forms. Bodies are made
 * of these.
 *
 * A variable that a loop changes is a state: its magnitude is fixed before the loop (mag_state),
 * and each update is small enough for the number of turns, so its bound holds in and behind the
 * loop:
 *
 *     acc = float(0.0)            state: |acc| <= 2^36
 *     for k in range(24):         2^5 turns at most
 *         acc += x[k]             what is added is within 2^(36 - 5 - 4)
 *
 * Functions that take `space` write no more than so many lines. */
#ifndef WEFT_GEN_GEN_STMT_H
#define WEFT_GEN_GEN_STMT_H

#include "gen/gen_param.h"
#include "gen/gen_style.h"
#include "gen/gen_thing.h"

/* A loop adds this to gen_flow.arms and takes it away behind its body, so that branches around the
 * loop do not count inside. More than any nesting of branches. */
enum { ARMS_OUTSIDE = -16 };
/* Rows of the table in gen_atomic.c. garg.op is one of them, or ATOMIC_OPS: the array is for
 * exchanges. */
enum { ATOMIC_OPS = 11 };

/* --- gen_stmt.c --------------------------------------------------------------------------- */
/* A line is opened with its indentation and, where the style has comments, one above it; then its
 * text is put; then it is closed. block_open comes in place of line_close after the head of a
 * block, and returns the mark of the scope for block_close. */
void line_open(gen *g);
void line_open_as(gen *g, line_kind kind);
void line_close(gen *g);
/* NAME = expression. Returns the new variable. */
gvar *stmt_let(gen *g, gtype t, int budget);
/* NAME = xs[i] of a new input. NULL: no further input may be added, and nothing is written. */
gvar *stmt_load(gen *g, gtype t);
/* NAME = float(0.0): a variable that updates change. Returns it. */
gvar *stmt_state(gen *g, gtype t);
/* v += ..., v = wp.max(v, ...) and the like. Keeps the magnitude of v. */
void stmt_update(gen *g, gvar *v, int budget);
void stmt_update_component(gen *g, gvar *v, int budget); /* v.x += ... */
void stmt_update_scaled(gen *g, gvar *v); /* v *= 0.5, or v /= 2.0 where that is the target */
/* out[i] = expression, at the thread's own element. */
void stmt_store(gen *g, garg *a, int budget);
int more_to_say(gen *g); /* to be added to the budget of a kernel's result */
/* if, elif for the further arms, and else in so many percent. `depth`: branches that may stand in
 * the arms. Arms change a state, or store where there is none. */
void stmt_if(gen *g, int arms, int depth, uint32_t else_percent);
/* if ...: return */
void stmt_exit(gen *g);
/* A state in scope, at random; NULL: there is none. */
gvar *state_pick(gen *g);
void block_open(gen *g, uint32_t *mark);
void block_close(gen *g, uint32_t mark);

/* --- gen_target.c ------------------------------------------------------------------------- */
/* Recursion: called before definitions, states, stores and atomics. The first call outside of
 * loops, branches and helpers writes what the target of the sample needs, and that consists of
 * statements again. */
void target_write(gen *g);

/* --- gen_loop.c --------------------------------------------------------------------------- */
void stmt_for(gen *g, int statements, int depth);
void stmt_while(gen *g);
/* for k in range(DIM): with all that it changes in gen_flow. Returns the mark for loop_close. */
uint32_t loop_open(gen *g, uint8_t dim);
void loop_close(gen *g, uint8_t dim, uint32_t mark);

/* --- gen_atomic.c ------------------------------------------------------------------------- */
uint8_t atomic_op(gen_fn fn); /* the first that is this builtin; ATOMIC_OPS: none */
void stmt_atomic(gen *g, garg *a, int budget);
void stmt_exchange(gen *g, int budget);
gtype atomic_type(gtype t); /* the nearest that atomics take */

/* --- gen_form.c --------------------------------------------------------------------------- */
/* A statement of a rarer form. False: none fits here, and nothing is written. */
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
