/* SPDX-License-Identifier: Apache-2.0 */
/* A map from text to a number other than 0; what is absent has the number 0. Example:
 *
 *     str_map m = {0};
 *     str_map_set(a, &m, name, 1);        returns 0: it was absent
 *     str_map_get(&m, name)               1
 *
 * Keys are borrowed and have to live as long as the map; the table is in the arena that
 * str_map_set gets, and stays there when it is outgrown. */
#ifndef WEFT_BASE_STR_MAP_H
#define WEFT_BASE_STR_MAP_H

#include "base/arena.h"
#include "base/str.h"

typedef struct str_entry {
    str key; /* p NULL: free */
    uint32_t value;
} str_entry;

typedef struct str_map {
    str_entry *v;
    uint32_t n, cap; /* entries in use; power of two */
} str_map;

/* Returns the number of this text; 0: it is absent. */
uint32_t str_map_get(const str_map *m, str key);
/* Sets the number and returns the one before. A number of 0 makes the text absent. */
uint32_t str_map_set(arena *a, str_map *m, str key, uint32_t value);

#endif
