/* What the rules of tiles share; only for rule_tile*.c. */
#ifndef WEFT_BUILTIN_RULE_TILE_H
#define WEFT_BUILTIN_RULE_TILE_H

#include "builtin/rule.h"

/* A refusal in words that fit every tile function; returns false. */
bool tile_refuse(rule_call *k, const char *what);
/* Parameters by name; NULL: absent. */
const call_arg *tile_arg(const rule_call *k, const char *name);
const type *tile_type(const rule_call *k, const char *name);
/* The same where a tile is wanted; NULL after a diagnostic. */
const type *tile_operand(rule_call *k, const char *name);
/* The constant integer given as `name`. */
bool tile_constant(const rule_call *k, const char *name, int64_t *out);
/* The argument shape, constant, at most TYPE_DIMS_MAX extents. */
bool tile_read_shape(rule_call *k, int64_t *shape, uint32_t *n);
/* Result: a tile in registers. */
bool tile_gives(rule_call *k, const type *elem, const int64_t *shape, int ndim);
bool tile_same_shape(const type *a, const type *b);
/* The result's extents as template arguments. */
void tile_template_shape(rule_call *k);
/* The argument offset, or as many zeros as the rank says. */
void tile_pass_offset(rule_call *k, int rank);

#endif
