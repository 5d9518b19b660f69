/* The generator of Warp programs. A sample is the text of a Python file with one kernel, made from
 * a typed grammar: it compiles, its loops end, its indexes are in bounds, its threads do not race
 * and its operations stay in their domains, by construction (gen_state.h tells how). A sample
 * is a function of a gen_request alone. */
#ifndef WEFT_GEN_GEN_H
#define WEFT_GEN_GEN_H

#include "base/arena.h"
#include "base/str.h"

typedef enum gen_category {
#define CATEGORY(ID, ...) GEN_##ID,
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

enum { GEN_ARGS_MAX = 24, GEN_BUILTINS_MAX = 96, GEN_PRODUCTIONS_MAX = 4096 };

/* Levels 1 to GEN_LEVELS: what they mean stands in gen_level.def. */
enum { GEN_LEVELS = 5, GEN_LINES_MIN = 3, GEN_LINES_MAX = 80 };

typedef struct gen_level {
    uint8_t level, min_lines, max_lines;    /* lines of the kernel */
    uint8_t share;                          /* percent of the default mix */
    uint8_t thrift, inputs, prelude, depth; /* for the generator: see gen_level.def */
    const char *words;
} gen_level;

/* What a run asks of its kernels' sizes. */
typedef struct gen_shape {
    uint8_t levels; /* bit L: level L is wanted */
    uint8_t min_lines, max_lines;
} gen_shape;

static inline gen_shape gen_shape_any(void)
{
    return (gen_shape){(1u << (GEN_LEVELS + 1)) - 2, GEN_LINES_MIN, GEN_LINES_MAX};
}

/* Everything that a sample depends on. */
typedef struct gen_request {
    uint64_t seed, index;
    uint32_t attempt; /* 0, or counts up where a sample had to be thrown away */
    gen_category category;
    uint8_t level, lines; /* lines: exactly those of the kernel, from its decorator on */
    uint32_t target;      /* a production, plus one, that it had better have; 0: none */
} gen_request;

/* All text belongs to the generator, until its next sample. */
typedef struct gen_sample {
    str source, kernel;
    str launch; /* "n" or "n,m" ... */
    gen_category category;
    gen_arg args[GEN_ARGS_MAX];
    uint8_t builtins[GEN_BUILTINS_MAX]; /* ids for gen_builtin_name, rising */
    uint32_t nargs, nbuiltins;
    uint32_t lines, statements, branches, loop_depth;
    uint32_t level, kernel_lines;
    str target; /* the production that was asked for: "builtins/dot:vec3d"; or empty */
    const uint64_t *productions; /* a bit each, see gen_production_list */
    bool unlisted;               /* it has something that no table of productions names: a bug */
} gen_sample;

typedef struct gen gen;

/* Lives as long as m. */
gen *gen_new(mem *m);
/* False: no candidate had the size and, of the first attempts, the target; another attempt may. */
bool gen_make(gen *g, const gen_request *q, gen_sample *sample);

const gen_level *gen_level_at(uint32_t level);
uint32_t gen_least_lines(gen_category category);
/* Can there be kernels of this category and level? */
bool gen_shape_allows(const gen_shape *shape, gen_category category, uint32_t level);
/* Sets level and lines of a request whose other members are set. Some level must be allowed. */
void gen_choose(const gen_shape *shape, gen_request *q);

/* "sin" for an id below gen_builtin_count(). */
const char *gen_builtin_name(uint32_t id);
uint32_t gen_builtin_count(void);

/* One thing that the generator can express. */
typedef struct gen_production {
    const char *group; /* "builtins", "operators", "statements", ... */
    const char *name;  /* "sin", "+", "while" */
    str type;          /* "vec3f"; empty where a type says nothing */
} gen_production;

/* All of them, by group and in it by name: bit i of gen_sample.productions is (*list)[i]. */
uint32_t gen_production_list(arena *a, gen_production **list);
/* The production that gen_sample.target calls so, plus one; 0: there is none. */
uint32_t gen_production_find(gen *g, str name);

/* Which samples are asked for which rare productions. Lives as long as m. */
typedef struct gen_plan gen_plan;
const gen_plan *gen_plan_new(mem *m, gen *g, uint64_t seed, const gen_category *categories,
                             uint32_t n, const gen_shape *shape);
/* Sets the target of a request that gen_choose has completed; may ask for more lines. */
void gen_aim(const gen_plan *plan, gen_request *q);

const char *gen_category_name(gen_category category);
/* Finds a category by its name or another name in use. */
bool gen_category_find(str name, gen_category *category);

#endif
