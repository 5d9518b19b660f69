/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of Warp programs, for the rooms that make and check data sets. A sample is the text
 * of a Python file with one kernel, made from a typed grammar: it compiles, its loops end, its
 * indexes are in bounds, its threads do not race and its operations stay in their domains, by
 * construction.
 *
 *     weft generate --seed 2000, the pair of index 216
 *     ->  import warp as wp
 *
 *         @wp.kernel
 *         def project_state_op(x: wp.array[wp.float32], output: wp.array[wp.float32]):
 *             output[wp.tid()] = x[wp.tid()] / wp.clamp(x[wp.tid()], 0.5, 1.0) * 1.5 + x[wp.tid()]
 *
 * How one kernel is drawn:
 *
 *     1. gen_choose draws level and lines (gen_level.c, gen_level.def). gen_aim may set a target:
 *        a rare production that the kernel is to have (gen_plan.c).
 *     2. gen_make opens the random stream of the request and draws a style: how this author names
 *        and writes things (gen_sample.c, gen_names.c).
 *     3. The body is written from left to right: from a text of gen_idiom.def, if the kernel gets
 *        a purpose (gen_idiom.c), else by gen_body_NAME of its category (gen_category.def,
 *        gen_cat_NAME.c). Bodies consist of statements (gen_stmt.h), these of expressions
 *        (gen_expr.h), these of variables in scope (gen_var.h). Where none fits, an argument is
 *        added (gen_arg.h).
 *     4. Imports, constants, structs, helper functions and the signature are put before the body.
 *        A candidate without the exact number of lines, or without its target, is thrown away,
 *        and another one is drawn from the same stream.
 *
 * What keeps results in their domains: gen_state.h. What can be written with which types:
 * gen_thing.h and the tables gen_builtin.def, gen_thing.def, gen_class.def.
 *
 * Randomness comes from one place, rng_stream(seed, index) of base/rng.h. There is no other state:
 * the same request gives the same bytes with each compiler, on each machine, in any order of
 * requests. So any slice of a data set can be made anywhere, and a reader can make a sample again
 * from its metadata.
 *
 * Mutants are not drawn here. textvm/vm_mutant.c changes one instruction of the emitted text in
 * memory, and check/check_mutant.c runs those of a kernel to find out whether its inputs would show
 * a mistake. The broken kernels of repair data sets come from make/defect_plant.h, which edits a
 * sample's source. */
#ifndef WEFT_GEN_GEN_H
#define WEFT_GEN_GEN_H

#include "base/arena.h"
#include "base/str.h"

struct ast_Module;
struct profile_wish;

/* The categories: what a kernel is about. A balanced run goes through them by index. */
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
    str values; /* of a kernel that was found: see check_values.c */
} gen_arg;

/* Arguments of a kernel that the generator makes, and of any that a sample describes; builtins that
 * a sample lists; productions that the tables may define. A sample that reached a limit would be
 * cut short, not wrong: bodies add arguments only while there is room. */
enum { GEN_ARGS_MAX = 24, SAMPLE_ARGS_MAX = 96, GEN_BUILTINS_MAX = 96, GEN_PRODUCTIONS_MAX = 4096 };

/* Levels 1 to GEN_LEVELS: what they mean stands in gen_level.def. */
enum { GEN_LEVELS = 5, GEN_LINES_MIN = 3, GEN_LINES_MAX = 80 };

/* A row of gen_level.def. */
typedef struct gen_level {
    uint8_t level, min_lines, max_lines;    /* lines of the kernel */
    uint8_t share;                          /* percent of the default mix */
    uint8_t thrift, inputs, prelude, depth; /* for the generator: see gen_level.def */
    const char *words;
} gen_level;

/* Which sizes a run allows: the options --difficulty, --min-lines and --max-lines. */
typedef struct gen_shape {
    uint8_t levels; /* bit L: level L is wanted */
    uint8_t min_lines, max_lines;
} gen_shape;

/* All levels and all lengths. */
static inline gen_shape gen_shape_any(void)
{
    return (gen_shape){(1u << (GEN_LEVELS + 1)) - 2, GEN_LINES_MIN, GEN_LINES_MAX};
}

/* Everything that a sample depends on. Two equal requests give equal bytes. */
typedef struct gen_request {
    uint64_t seed, index;
    uint32_t attempt; /* 0, or counts up where a sample had to be thrown away */
    gen_category category;
    uint8_t level, lines; /* lines: exactly those of the kernel, from its decorator on */
    uint32_t target;      /* the production that it is to have, plus one; 0: none */
    const struct profile_wish
        *wish; /* what a kernel with a purpose is to be like; NULL: anything */
} gen_request;

/* A sample and what is true of it. All text belongs to the generator, and is overwritten by its
 * next sample. */
typedef struct gen_sample {
    str source, kernel;
    str prompt; /* the task in words, of a kernel with a purpose; else empty */
    str launch; /* "n" or "n,m" ... */
    gen_category category;
    gen_arg args[SAMPLE_ARGS_MAX];
    uint8_t builtins[GEN_BUILTINS_MAX]; /* ids for gen_builtin_name, rising */
    uint32_t nargs, nbuiltins;
    uint32_t lines;                            /* of the file */
    uint32_t statements, branches, loop_depth; /* of the kernel and its helpers, as written */
    uint32_t level, kernel_lines;
    str target;                  /* the production of the request: "builtins/dot:vec3d"; or empty */
    const uint64_t *productions; /* a bit each, see gen_production_list */
    bool unlisted;               /* it has something that no table of productions names: a bug */
} gen_sample;

/* A generator: buffers, tables, and the state of the sample at hand (gen_state.h). One for each
 * thread. */
typedef struct gen gen;

/* Returns a generator that lives as long as m. It builds the tables of calls and productions, which
 * takes as long as some samples: keep one for many. */
gen *gen_new(mem *m);
/* Writes the sample of a request. False: no candidate had the size or, in the first
 * STEERED_ATTEMPTS attempts, the target. The caller then tries the request again with the next
 * `attempt`. */
bool gen_make(gen *g, const gen_request *q, gen_sample *sample);

/* Makes the sample's productions say what its syntax tree shows, where a tree shows it: statements,
 * nesting, forms of range. Needs: the sample is the last that g made, and the tree is its source's;
 * `loop_depth` is the kernel's. Each sample has at most one loop depth. */
void gen_read_tree(gen *g, const struct ast_Module *tree, uint32_t loop_depth);

/* The row of a level, from 1 on. */
const gen_level *gen_level_at(uint32_t level);
/* Of the levels whose lines fit, the lowest. */
uint8_t gen_level_of(uint32_t lines);
/* Lines of the shortest kernel of a category. */
uint32_t gen_least_lines(gen_category category);
/* Are there kernels of this category and level whose lengths the shape allows? */
bool gen_shape_allows(const gen_shape *shape, gen_category category, uint32_t level);
/* Sets level and lines of a request whose seed, index, attempt and category are set. Needs: the
 * shape allows some level of the category. */
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

/* Lists all productions in the arena, by group and in it by name. Bit i of gen_sample.productions
 * is (*list)[i]. */
uint32_t gen_production_list(arena *a, gen_production **list);
/* Returns the number of the production that gen_sample.target names, plus one; 0: there is none of
 * this name. */
uint32_t gen_production_find(gen *g, str name);

/* Which samples get which rare productions as targets. */
typedef struct gen_plan gen_plan;
/* Makes a plan for a run of these options by generating a pilot of some hundred samples per
 * category. Lives as long as m; read-only, so threads may share it. */
const gen_plan *gen_plan_new(mem *m, gen *g, uint64_t seed, const gen_category *categories,
                             uint32_t n, const gen_shape *shape);
/* Sets the target of a request that gen_choose has completed, or none. It may raise level and
 * lines, since a target needs room. */
void gen_aim(const gen_plan *plan, gen_request *q);

const char *gen_category_name(gen_category category);
/* Finds a category by its name or by its alias in gen_category.def. */
bool gen_category_find(str name, gen_category *category);

#endif
