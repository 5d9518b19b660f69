/* Which productions a sample has, and which one it was asked for. Every function that writes a
 * thing says so by cover() or cover_type(); gen_coverage.c numbers the productions by the tables.
 * gen_target.c writes the production that a plan asks for, at the first place in the kernel that
 * suits it. */
#ifndef WEFT_GEN_GEN_COVERAGE_H
#define WEFT_GEN_GEN_COVERAGE_H

#include "gen/gen_thing.h"

enum { COVER_WORDS = GEN_PRODUCTIONS_MAX / 64 };

/* A bit for each production. */
typedef struct gcover {
    uint64_t bits[COVER_WORDS];
} gcover;

/* What the sample, or the helper that is being written, has so far. */
typedef struct gen_coverage {
    uint64_t used[FN_WORDS]; /* builtins, a bit each: rows of gen_builtin.def */
    gcover had;
    bool unlisted; /* it wrote something that no table names */
} gen_coverage;

/* The numbers of productions; the same for all samples. */
typedef struct gen_productions {
    uint16_t first[THING_COUNT + 1];      /* production of each thing's first type */
    uint64_t of[THING_COUNT][TYPE_WORDS]; /* the types of each thing */
    uint16_t things[GEN_PRODUCTIONS_MAX]; /* of each production: its thing ... */
    uint16_t types[GEN_PRODUCTIONS_MAX];  /* ... and its type's number; TYPE_COUNT: none */
} gen_productions;

/* What the sample is asked for. */
typedef struct gen_target {
    uint32_t production; /* plus one; 0: none */
    int thing;           /* or -1 */
    gtype type;
    bool typed; /* it has a type */
    bool aimed; /* the sample has done something for its target */
} gen_target;

/* As long as so many attempts have not been thrown away, a sample is kept only with its target:
 * where one attempt in four may be kept, one target in 10^4 is missed. A plan asks more than one
 * sample for what is rare. */
enum { STEERED_ATTEMPTS = 32 };

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
str target_text(gen *g, uint32_t production);           /* in the pool of names */
bool is_target(const gen *g, gen_thing thing, gtype t); /* is this asked for? */
/* Do the tables say that the thing is written with this type? */
bool takes(gen_thing thing, gtype t);

/* --- gen_target.c ------------------------------------------------------------------------- */
/* Once in a kernel, before a statement: writes what is asked for, if this is the place. */
void target_write(gen *g);
/* What must stand around it: where a plan may ask for it. */
typedef enum target_kind {
    TARGET_VALUE,  /* a definition, anywhere */
    TARGET_CHANGE, /* some statements, anywhere */
    TARGET_ATOMIC,
    TARGET_RANDOM,
    TARGET_CONDITION,
    TARGET_NUMBER,   /* the kernel's own type, which not all categories let be an integer */
    TARGET_ELSEWHERE /* where a pilot saw it, or its like */
} target_kind;
target_kind target_kind_of(const gen *g, uint32_t production);
/* The kernel's type: the one drawn, or the one that the target needs. */
gen_scalar target_scalar(const gen *g, gen_scalar drawn, bool integers);
bool asks_for(const gen *g, gen_thing thing);
/* The thing that is asked for with this type and not written yet; or -1. */
int asked_here(const gen *g, gtype t);

#endif
