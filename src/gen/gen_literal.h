/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as source text. */
#ifndef WEFT_GEN_GEN_LITERAL_H
#define WEFT_GEN_GEN_LITERAL_H

#include "gen/gen_thing.h"

/* A number within the want; returns its own bound, which is fixed. */
bound put_literal(gen *g, want w, int prec);
/* `value` as a number of type t: 3, wp.uint8(3). */
void put_int_literal(gen *g, gtype t, int value);
/* `text` as a number of type t: 0.5, wp.float64(0.5). */
void put_float_literal(gen *g, gtype t, const char *text);

#endif
