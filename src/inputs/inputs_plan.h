/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of inputs for kernels whose author says nothing of them: sizes of the launch and of arrays,
 * and which numbers fill each parameter, by its role.
 *
 *     inputs_kernel_init(&k, &c->module, ir, kernel);
 *     inputs_plan_make(&c->module, &k, &trial, &plan)     plan.dim {277}; plan.args[1]: a lattice
 *
 * A trial says what is tried; inputs_trial.c has their order. Programs of src/standalone are filled
 * with such plans by counter, records of src/collect state them as texts, from which src/check
 * draws numbers. */
#ifndef WEFT_INPUTS_PLAN_H
#define WEFT_INPUTS_PLAN_H

#include "cuda/cuda.h"
#include "inputs/inputs.h"
#include "interp/interp.h"

/* Is an integer that is passed by value a size? */
typedef enum inputs_sized {
    INPUTS_SIZED_NOT,
    INPUTS_SIZED_SOME, /* that of an array or of the launch, or one less */
    INPUTS_SIZED_BOUND /* a bit less than dimension `of` of the launch */
} inputs_sized;

/* Of eight floats so many are 0. */
enum { INPUTS_ZEROS_FEW = 1, INPUTS_ZEROS_MOST = 7 };

/* Sizes and ranges of one parameter. */
typedef struct inputs_arg {
    int rank; /* of its shape; structs: that of arrays in them */
    int64_t shape[LAUNCH_DIMS];
    int mag;
    bool is_size;  /* an integer that is shape[0] */
    bool is_index; /* integers that have to be good indexes: 0 to 3 */
    bool planned;  /* integers are those below, as the parameter's role wants them */
    bool absent;   /* there is no array */
    inputs_fill kind;
    int64_t least; /* passed by value: the number */
    /* Passed by value: others would do as well: low, low + 1, ... `width` of them; 0: none. */
    int64_t low;
    uint32_t width;
    inputs_sized sized;
    uint32_t of;
    uint32_t steps, mask;
    inputs_lattice lattice;
    uint32_t distinct; /* the lattice has no number twice, by this step, 1: downwards; 0: it may */
    bool positive;     /* floats */
    uint8_t zeros;     /* of eight floats so many are 0; passed by value: it is, if any are */
    bool pivots;       /* floats on the diagonals of matrices are larger than the rest of a row */
    uint32_t odd;      /* of so many floats of an array one is NaN or infinite; 0: none */
    uint32_t mix;      /* not 0: integers of a struct's fields, or a float, are drawn by it */
    bool turned;       /* one of eight floats has the other sign: almost the twin */
    uint32_t twin; /* an array that has the numbers of this earlier parameter, from 1; 0: its own */
} inputs_arg;

/* Sizes and ranges of a launch, one inputs_arg for each parameter. */
typedef struct inputs_plan {
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    inputs_arg *args;
    bool positive; /* floats */
    bool alone;    /* the launch has one thread, or block, since more would race */
} inputs_plan;

/* What is tried. */
typedef struct inputs_trial {
    uint32_t size;   /* 0: some 280 threads, 1: some 60, 2: some 10 */
    bool square;     /* all dimensions as long as the longest of the launch */
    bool small_ints; /* integers by value are 4, not the launch's size */
    bool positive;
    bool roles; /* integers follow the roles of their parameters, else they are guessed */
    /* With roles: */
    bool alike;      /* few different integers, so that many are equal */
    bool wide;       /* floats of other magnitudes for each parameter, up to 2^20 */
    bool below_zero; /* integers that are no index or count may be negative */
    bool scaled;     /* floats are as large as the numbers that they are compared with */
    bool zeros;      /* floats that are compared with 0 are 0 now and then */
    bool same;       /* arrays are as earlier ones, floats compared with 0 mostly are */
    bool odd;        /* floats that are tested for NaN or infinity are so now and then */
    bool bits;       /* bits that the code tests are set, in indexes too */
    bool absent;     /* some arrays whose presence the code tests are missing, by the seed */
    bool apart;      /* indexes of an array are all different */
    bool reach;      /* else launches of the usual sizes */
    int64_t threads; /* with reach: several dimensions reach, with so many at most; or 0 */
    uint32_t seed;   /* numbers compared with literals differ by it */
    uint32_t mix;    /* not 0: each parameter has variations of its own, drawn by this number */
} inputs_trial;

/* A kernel whose inputs are planned. */
typedef struct inputs_kernel {
    const kernel *kernel;
    const inputs_role *roles; /* of its parameters */
    inputs_reach reach;
    int ndim;            /* of its launch: 1 at least */
    bool alike;          /* no thread has an index: all do the same */
    unsigned unused;     /* dimensions of the launch whose index nothing uses, as bits */
    bool alone;          /* a launch has one thread, with tiles one block */
    cuda_blocks blocks;  /* with tiles: how they are divided */
    int64_t tile_extent; /* the longest of its tiles; 0: there are none in shared memory */
    uint32_t elements;   /* about how many threads are launched; 0: some 280 */
} inputs_kernel;

/* The roles live in a. Without tiles. */
void inputs_kernel_init(inputs_kernel *k, arena *a, const ir_module *ir, const kernel *of);

/* The plan of one trial, in a. */
void inputs_plan_make(arena *a, const inputs_kernel *k, const inputs_trial *trial,
                      inputs_plan *out);
/* Sizes of a launch in ndim dimensions by the size of a trial, about `elements` in all; 0: as
 * usual. */
void inputs_launch_sizes(uint32_t elements, uint32_t size, int ndim, int64_t *sizes);
enum { INPUTS_OTHERS = 6 };
/* Sizes of dimensions that are none of the launch. */
extern const uint8_t inputs_other_sizes[INPUTS_OTHERS];
/* Makes an array of type t, or those in a struct, as long in each dimension as the launch. */
void inputs_shape_alike(const inputs_plan *p, const type *t, inputs_arg *a);
/* Floats of the parameter up to 2 to this are above the numbers that they are compared with, or
 * above the least of these. Needs: it has a scale. */
int inputs_magnitude(const inputs_role *r, bool little);
/* Gives a lattice of distinct numbers as many as the array of type t has. */
void inputs_make_distinct(const type *t, inputs_arg *a);
/* inputs_mix.c: an earlier array that could be the same, from 1: `before` of `now[i] != before[i]`.
 * 0: none. */
uint32_t inputs_twin_of(const inputs_kernel *k, const inputs_plan *p, uint32_t i);
/* Varies a plan by roles, each parameter on its own. */
void inputs_plan_mix(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p);

/* --- inputs_trial.c */

/* Makes the array longer beyond which an access went, so that the next attempt may end well. False:
 * that is no help. */
bool inputs_plan_grow(const inputs_kernel *k, const interp_outside *o, inputs_plan *p);

enum { INPUTS_TRIALS = 19 };
/* Trials by the roles of the parameters, those that differ from others for this kernel. */
uint32_t inputs_trials(const inputs_kernel *k, inputs_trial *out);
/* Are threads' indexes compared with numbers of the source? */
bool inputs_reaches(const inputs_kernel *k);
/* The trial in which each parameter is varied by a number, 1 or more, on its own; costly: no large
 * launches. */
inputs_trial inputs_mixed_trial(const inputs_kernel *k, uint32_t mix, bool costly);

#endif
