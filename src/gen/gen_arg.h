/* Arguments and dimensions, made when a body asks for them, and indexes that are in bounds. */
#ifndef WEFT_GEN_GEN_ARG_H
#define WEFT_GEN_GEN_ARG_H

#include "gen/gen_param.h"
#include "gen/gen_style.h"

/* An array as a purpose needs it: a scalar argument, if it has no dimension. */
garg *arg_named(gen *g, arg_mode mode, gtype t, const uint8_t *dims, int rank, name_role role);
gvar *arg_scalar(gen *g, gtype t); /* a new scalar (vector, matrix) argument */
gvar *arg_input(gen *g, gtype t);  /* an element of a new input array */
/* An array of structs: an input of one dimension, or over the launch. */
garg *arg_structs(gen *g, uint8_t record, arg_mode mode);
garg *arg_table(gen *g, gtype t, const uint8_t *dims, int rank); /* an input array */
garg *arg_output(gen *g, gtype t, arg_mode mode, const uint8_t *dims, int rank);
gvar *arg_element(gen *g, garg *a, int flags); /* its element at the indexes in scope */
bool can_add_input(const gen *g);
bool can_add_scalar(const gen *g);
uint8_t dim_new(gen *g, dim_kind kind, int size);
void dim_put_size(gen *g, uint8_t dim); /* "n", "x.shape[0]", "16" */
void dim_put_last(gen *g, uint8_t dim); /* "n - 1", "15" */
void put_index(gen *g, uint8_t dim, int neighbours);
gvar *index_of(gen *g, uint8_t dim);
void put_own_index(gen *g, const garg *a);
bool put_neighbour_load(gen *g, gtype t);
void put_arguments(gen *g, bool wrapped);

#endif
