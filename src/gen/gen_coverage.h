/* SPDX-License-Identifier: Apache-2.0 */
/* Which productions a sample has, and whether it has its target. Every function that writes a thing
 * calls cover() or cover_type() beside it, so coverage is a property of the code that writes and
 * not of a parser of its text. gen_coverage.c numbers the productions by the tables. */
#ifndef WEFT_GEN_GEN_COVERAGE_H
#define WEFT_GEN_GEN_COVERAGE_H

#include "gen/gen_production.h"

/* --- gen_coverage.c ----------------------------------------------------------------------- */
/* Numbers the productions, for a new generator. */
void cover_start(gen *g);
/* The sample has this thing with this type. A pair that the tables do not allow sets `unlisted`,
 * which tests refuse. */
void cover_type(gen *g, gen_thing thing, gtype t);
void cover(gen *g, gen_thing thing); /* of class ONE */
/* Adds what a helper has, when the kernel calls it. */
void cover_all(gen *g, const gcover *c);
void mark_used(gen *g, gen_fn fn); /* a builtin without a type */
void mark_used_type(gen *g, gen_fn fn, gtype t);
/* For conversions and constructors, which gen_thing.def counts as operators: the metadata lists the
 * builtin all the same. */
void count_builtin(gen *g, gen_fn fn);
/* Sets the target of the sample: a production plus one; 0: none. */
void target_set(gen *g, uint32_t production);
/* Does the sample have the production? Without one: true. */
bool target_met(const gen *g, uint32_t production);
/* "builtins/dot:vec3d"; empty without a target. */
str target_text(gen *g, uint32_t production); /* in the pool of names */
/* Is the target this thing with exactly this type? */
bool target_is_typed(const gen *g, gen_thing thing, gtype t);
/* Is the target this thing, with whatever type? */
bool target_is(const gen *g, gen_thing thing);
/* The thing of a target with this type that is not written yet; -1: there is none. Expressions draw
 * its operator in place of another. */
int target_here(const gen *g, gtype t);
/* Do the tables allow the thing with this type? */
bool takes(gen_thing thing, gtype t);

#endif
