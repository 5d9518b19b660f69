/* Which productions a sample has, and which one it was asked for. Every function that writes a
 * thing says so by cover() or cover_type(); gen_coverage.c numbers the productions by the tables.
 * gen_target.c writes the production that a plan asks for, at the first place in the kernel that
 * suits it. */
#ifndef WEFT_GEN_GEN_COVERAGE_H
#define WEFT_GEN_GEN_COVERAGE_H

#include "gen/gen_production.h"

/* --- gen_coverage.c ----------------------------------------------------------------------- */
void cover_start(gen *g); /* numbers the productions */
/* The sample has this thing: call it where the thing is written. */
void cover_type(gen *g, gen_thing thing, gtype t);
void cover(gen *g, gen_thing thing); /* of class ONE */
void cover_all(gen *g, const gcover *c);
void mark_used(gen *g, gen_fn fn); /* a builtin without a type */
void mark_used_type(gen *g, gen_fn fn, gtype t);
void count_builtin(gen *g, gen_fn fn);        /* without a production */
void target_set(gen *g, uint32_t production); /* plus one; 0: no target */
bool target_met(const gen *g, uint32_t production);
str target_text(gen *g, uint32_t production);                 /* in the pool of names */
bool target_is_typed(const gen *g, gen_thing thing, gtype t); /* is this asked for? */
bool target_is(const gen *g, gen_thing thing);
/* The thing that is asked for with this type and not written yet; or -1. */
int target_here(const gen *g, gtype t);
/* Do the tables say that the thing is written with this type? */
bool takes(gen_thing thing, gtype t);

#endif
