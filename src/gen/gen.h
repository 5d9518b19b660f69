/* The generator of Warp programs. A sample is the text of a Python file with one kernel, made from
 * a typed grammar: it compiles, its loops end, its indexes are in bounds, its threads do not race
 * and its operations stay in their domains, by construction (gen_internal.h tells how). A sample
 * is a function of (seed, index, category) alone. */
#ifndef WEFT_GEN_GEN_H
#define WEFT_GEN_GEN_H

#include "base/str.h"

typedef enum gen_category {
#define CATEGORY(ID, name, alias) GEN_##ID,
#include "gen/gen_category.def"
#undef CATEGORY
    GEN_CATEGORY_COUNT
} gen_category;

/* What a caller must pass for the kernel's promises to hold: the launch has the dimensions
 * `launch`; arrays have the dimensions `shape`, where a letter stands for the same number
 * everywhere; numbers lie in [-2^mag, 2^mag]. */
typedef struct gen_arg {
    str name;
    str type;  /* "float32", "array(dtype=vec3f, ndim=2)", a struct's name */
    str shape; /* arrays: "n,3"; an integer that is a dimension: its letter; else empty */
    int mag;
} gen_arg;

enum { GEN_ARGS_MAX = 24, GEN_BUILTINS_MAX = 96 };

/* All text belongs to the generator, until its next sample. */
typedef struct gen_sample {
    str source, kernel;
    str launch; /* "n" or "n,m" ... */
    gen_category category;
    gen_arg args[GEN_ARGS_MAX];
    uint8_t builtins[GEN_BUILTINS_MAX]; /* ids for gen_builtin_name, rising */
    uint32_t nargs, nbuiltins;
    uint32_t lines, statements, branches, loop_depth;
} gen_sample;

typedef struct gen gen;

/* Lives as long as m. */
gen *gen_new(mem *m);
/* `attempt` is 0, or counts up where a sample had to be thrown away. */
void gen_make(gen *g, uint64_t seed, uint64_t index, uint32_t attempt, gen_category category,
              gen_sample *sample);

/* "sin" for an id below gen_builtin_count(). */
const char *gen_builtin_name(uint32_t id);
uint32_t gen_builtin_count(void);

const char *gen_category_name(gen_category category);
/* Finds a category by its name or another name in use. */
bool gen_category_find(str name, gen_category *category);

#endif
