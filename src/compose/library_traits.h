/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts of the library contain; for library_read.c. */
#ifndef WEFT_COMPOSE_LIBRARY_TRAITS_H
#define WEFT_COMPOSE_LIBRARY_TRAITS_H

#include "compose/library.h"

lib_traits library_traits(const library *l, const node *const *body, uint32_t n);
/* Adds which vectors go with all that a computation has; result may be NULL. */
void library_see_types(lib_traits *t, const lib_param *params, uint32_t n,
                       const lib_quantity *result);
/* The number of return statements. */
uint32_t library_returns(const node *const *body, uint32_t n);

typedef struct library_spelling {
    const source *src;
    arena *a;
} library_spelling;

/* Numbers are written as the library has them: 0x9E3779B9, 1.0e-6. arg: library_spelling. */
void library_keep_numbers(void *arg, const node *n);

/* Finds what the last statement stores for the element, if any, and whether others may follow. */
void library_find_result(library *l, lib_algorithm *a);
/* Adds the quantities that every library has: random states, and the words for any quantity. */
void library_add_words(library *l);
/* Finds what an algorithm of any field asks of the quantities that are drawn for it. */
void library_see_any(library *l, lib_algorithm *a);
/* How many statements of an ending or a filter may end the kernel, before the value is computed. */
uint32_t library_ahead(const lib_part *p);

#endif
