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

#endif
