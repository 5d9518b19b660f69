/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and dimensions, made when a body needs them, and indexes that are in bounds.
 *
 * Needs: functions that add an argument are called only where can_add_input or can_add_scalar
 * returns true, or where the caller has made room: while a helper is written there are no
 * arguments. */
#ifndef WEFT_GEN_GEN_ARG_H
#define WEFT_GEN_GEN_ARG_H

#include "gen/gen_param.h"
#include "gen/gen_style.h"

/* An array as a purpose needs it: a scalar argument, if it has no dimension. */
garg *arg_named(gen *g, arg_mode mode, gtype t, const uint8_t *dims, int rank, name_role role);
/* A new scalar, vector or matrix argument, as a variable that all threads share. Needs:
 * can_add_scalar. */
gvar *arg_scalar(gen *g, gtype t);
/* A new input array over indexes in scope; returns its element there. Needs: can_add_input. */
gvar *arg_input(gen *g, gtype t);
/* An array of structs: an input of one dimension, or over the launch. */
garg *arg_structs(gen *g, uint8_t record, arg_mode mode);
/* A new input array over these dimensions, without an element. */
garg *arg_table(gen *g, gtype t, const uint8_t *dims, int rank);
/* A new array that is written, or shared by atomics. */
garg *arg_output(gen *g, gtype t, arg_mode mode, const uint8_t *dims, int rank);
/* Adds the array's element at the indexes in scope to the variables. */
gvar *arg_element(gen *g, garg *a, int flags);
/* Are there inputs left that the body may add, and is there room in the signature? Four places stay
 * free for outputs and sizes. */
bool can_add_input(const gen *g);
bool can_add_scalar(const gen *g);
/* A new dimension; `size` is that of DIM_FIXED. Returns its index in gen_params.dims. */
uint8_t dim_new(gen *g, dim_kind kind, int size);
void dim_put_size(gen *g, uint8_t dim); /* "n", "x.shape[0]", "16" */
void dim_put_last(gen *g, uint8_t dim); /* "n - 1", "15" */
/* An index into a dimension, in bounds; in `neighbours` percent one beside the thread's own. */
void put_index(gen *g, uint8_t dim, int neighbours);
/* The innermost variable that ranges over the dimension; NULL: there is none in scope. */
gvar *index_of(gen *g, uint8_t dim);
/* "x[i, j]": the element at the indexes in scope. */
void put_own_index(gen *g, const garg *a);
/* Another element of an input with this type: "x[wp.max(i - 1, 0)]". False: there is no such
 * input. */
bool put_neighbour_load(gen *g, gtype t);
/* The signature between its brackets, each argument on a line of its own if `wrapped`. */
void put_arguments(gen *g, bool wrapped);

#endif
