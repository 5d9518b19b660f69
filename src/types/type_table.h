/* SPDX-License-Identifier: Apache-2.0 */
/* What c->types points to: the two hash-cons tables and the names of types. Only src/types may
 * include this; others see type.h. Example: types without structs, such as vec3f, are in `perm`
 * and have ids below perm_end; an array of a module's struct is in `module`. */
#ifndef WEFT_TYPES_TYPE_TABLE_H
#define WEFT_TYPES_TYPE_TABLE_H

#include "types/type.h"

/* A hash table of types. */
typedef struct type_set {
    const type **slots; /* open addressing, power of two; NULL while empty */
    uint32_t nslots, n;
} type_set;

/* All types of a context. */
typedef struct type_table {
    const type *basic[TYPE_KIND_COUNT]; /* kinds without parameters */
    type_set perm, module;
    uint32_t next_id;     /* of the next type made */
    uint32_t perm_end;    /* one above the highest id of a type that types_reset keeps */
    const type **by_name; /* by symbol id; names of warp are interned early, so ids are small */
    uint32_t nnames;
} type_table;

/* The one type equal to *key, made when new. Pointers in the key are copied, so it may point to
 * the stack. */
const type *type_intern(ctx *c, const type *key);
/* Sets t->cname and t->pyname in the arena a. Parts are named already. */
void type_set_names(ctx *c, arena *a, type *t);
/* Fills table->by_name; needs the basic types. */
void types_name_all(ctx *c);

#endif
