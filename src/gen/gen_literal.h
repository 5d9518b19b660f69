/* Numbers as source text. */
#ifndef WEFT_GEN_GEN_LITERAL_H
#define WEFT_GEN_GEN_LITERAL_H

#include "gen/gen_thing.h"

bound put_literal(gen *g, want w, int prec);
void put_int_literal(gen *g, gtype t, int value);
void put_float_literal(gen *g, gtype t, const char *text);

#endif
