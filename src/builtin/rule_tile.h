/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of tiles share; only for rule_tile*.c. Tiles are values of a whole block of
 * threads; their shape is part of their type. Example: tile_read_shape of wp.tile_zeros(shape=(8,
 * 4), dtype=float) gives {8, 4}, which dispatch_tile_filled makes template arguments. */
#ifndef WEFT_BUILTIN_RULE_TILE_H
#define WEFT_BUILTIN_RULE_TILE_H

#include "builtin/rule.h"

/* Reports DIAG_TILE with `what`, words that fit every tile function; returns false. */
bool tile_refuse(rule_call *k, const char *what);
/* The same with what to write instead, as a hint. */
bool tile_refuse_advised(rule_call *k, const char *what, const char *instead);
/* The argument bound to the parameter `name`; NULL: absent. */
const call_arg *tile_arg(const rule_call *k, const char *name);
/* Its type; NULL: absent. */
const type *tile_type(const rule_call *k, const char *name);
/* Its type, which must be a tile; NULL after a diagnostic. */
const type *tile_operand(rule_call *k, const char *name);
/* Reads the constant integer given as `name`; false without a diagnostic if it is none. */
bool tile_constant(const rule_call *k, const char *name, int64_t *out);
/* Reads the argument `shape`: constant, at most TYPE_DIMS_MAX extents, whose product fits 31 bits.
 * False after a diagnostic. */
bool tile_read_shape(rule_call *k, int64_t *shape, uint32_t *n);
/* Threads of a block: the module's option. */
int64_t tile_block_dim(const rule_call *k);
/* Sets the result to a tile in registers. */
bool tile_gives(rule_call *k, const type *elem, const int64_t *shape, int ndim);
bool tile_same_shape(const type *a, const type *b);
/* Appends the result's extents as template arguments. */
void tile_template_shape(rule_call *k);
/* Appends the argument `offset`, or as many zeros as the rank says. */
void tile_pass_offset(rule_call *k, int rank);

#endif
