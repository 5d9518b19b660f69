/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that tell a right kernel from a wrong one: what each parameter is, by how the code uses
 * it, which integers suit it, and whether a set of inputs tells (mutation analysis of Warp's text).
 * inputs_plan.h puts them together. */
#ifndef WEFT_INPUTS_INPUTS_H
#define WEFT_INPUTS_INPUTS_H

#include "ir/ir.h"
#include "textvm/textvm.h"

/* --- what a parameter is: inputs_role.c */

/* What the kernel does with the integers of a parameter: its value, or an array's elements. */
typedef enum inputs_use {
    INPUTS_INDEX = 1,        /* index an array: targets */
    INPUTS_OFFSETS = 2,      /* two of them bound a loop: rows of a sparse matrix */
    INPUTS_COUNT = 4,        /* bound a loop */
    INPUTS_DIVISOR = 8,      /* a division or a remainder by it */
    INPUTS_SHIFT = 16,       /* a shift by so many bits */
    INPUTS_STRIDE = 32,      /* a factor */
    INPUTS_BOUND = 64,       /* compared with a thread's index: dimension `dim` of the launch */
    INPUTS_LITERAL = 128,    /* compared with numbers of the source, from `least` to `most` */
    INPUTS_MESH = 256,       /* the id of a mesh, */
    INPUTS_BVH = 512,        /* of a bounding volume hierarchy, */
    INPUTS_GRID = 1024,      /* or of a hash grid */
    INPUTS_OPTIONAL = 2048,  /* an array whose presence the code tests: there may be none */
    INPUTS_ZERO = 4096,      /* compared with 0: some should be 0, of floats too */
    INPUTS_VOLUME = 8192,    /* the id of a volume, */
    INPUTS_VECTORS = 16384,  /* which has vec3f, */
    INPUTS_INTEGERS = 32768, /* or int32; else float32 */
    INPUTS_BITS = 65536,     /* tested bit by bit, those of `mask` */
    INPUTS_VOXEL = 131072,   /* an index of a volume's voxel in one dimension */
    INPUTS_ADDED = 262144,   /* added to a thread's index of dimension `dim`: the part of a whole */
    INPUTS_STORED = 524288,  /* a volume that is stored to */
    INPUTS_FINITE = 1048576, /* floats that the code tests for NaN or infinity */
    INPUTS_PIVOTS = 2097152, /* matrices that are factored: their diagonals are large */
    INPUTS_ROWS = 4194304,   /* two of them are compared: `while k < end`, of rows perhaps */
    INPUTS_PLACES = 8388608  /* index what the kernel stores */
} inputs_use;

enum { INPUTS_TARGETS = 4, INPUTS_MEETS = 4 };

/* How many voxels a volume has that is made for a parameter. */
enum { INPUTS_VOXELS = 16 * 8 * 24 };

typedef struct inputs_role {
    unsigned uses;
    struct {
        uint32_t param, dim; /* a dimension of an array parameter */
        bool exact;          /* the number itself is the index, else it is part of a sum */
    } targets[INPUTS_TARGETS];
    uint32_t ntargets;
    uint32_t dim;
    int64_t least, most;
    uint32_t mask; /* of positive int32 */
    uint32_t per;  /* the largest number of the source that they, or differences, are divided by */
    /* INPUTS_ADDED: numbers that the sum of both is compared with. */
    int64_t meets[INPUTS_MEETS];
    uint32_t nmeets;
    /* The largest and the least number, in magnitude, that they are compared with or held to
     * (min, max, clamp); 0: none. */
    double scale, little;
} inputs_role;

enum { INPUTS_DIMS = 4, INPUTS_LENGTHS = 8 };

/* How long the launch has to be in each dimension for comparisons of its index with numbers of the
 * source to end both ways, and for differences and remainders to do so: rising lengths, the last
 * of which is long enough for all. `if i == 255` wants 257. */
typedef struct inputs_reach {
    struct {
        int64_t lengths[INPUTS_LENGTHS];
        uint32_t n; /* 0: there are no comparisons */
    } dim[INPUTS_DIMS];
} inputs_reach;

/* Roles of the parameters of a module's kernel, one each, in a. Fields of a struct share the role
 * of the parameter. Parameters behind the 64th have none. *reach is set, unless it is NULL. */
inputs_role *inputs_roles(arena *a, const ir_module *m, inputs_reach *reach);

/* --- which integers fill an array: inputs_fill.c */

/* How integers are filled. */
typedef enum inputs_fill {
    INPUTS_FILL_DRAWN,    /* numbers of a range */
    INPUTS_FILL_OFFSETS,  /* rising integers: number i is steps * i, and up to `steps` more */
    INPUTS_FILL_SENTINEL, /* integers of a range, one of eight is `least` instead, -1 say */
    INPUTS_FILL_LATTICE   /* integers that follow a rule: inputs_lattice */
} inputs_fill;

/* Number i is least + (of_group * (i / group) + of_item * (i % group)) % steps. Examples of groups
 * of three:
 *
 *     of_group 1, of_item 1   0 1 2 1 2 3 2 3 4: triangles of a strip, each beside the next
 *     of_group 1, of_item 0   0 0 0 1 1 1 2 2 2: sorted rows
 *     of_group 7, group 1     a permutation, if 7 does not divide `steps` numbers */
typedef struct inputs_lattice {
    uint32_t group, of_group, of_item;
} inputs_lattice;
/* Of `steps` numbers from 0 on. */
int64_t inputs_lattice_at(const inputs_lattice *l, uint32_t i, uint32_t steps);
/* Number i of a stream. Programs of src/standalone have the same function, bit for bit. */
uint32_t inputs_hash(uint32_t stream, uint32_t i);

/* --- whether inputs tell: inputs_judge.c */

enum { INPUTS_MUTANTS = 160 }; /* at most so many are run */

/* Mutants of a kernel's text, forward or backward, and which of them some inputs have killed. */
typedef struct inputs_mutants {
    textvm_mutant v[INPUTS_MUTANTS];
    bool dead[INPUTS_MUTANTS];
    bool vital[INPUTS_MUTANTS];  /* leaves out what is added to an array's gradient */
    uint32_t by[INPUTS_MUTANTS]; /* dead ones: what `differs` said; 0: the run failed */
    uint32_t n, killed;
} inputs_mutants;
/* Draws mutants, `most` at most: vital ones, which are up to three of four, and others evenly from
 * all parts of the text. None is dead. */
void inputs_draw(const textvm *text, uint32_t most, inputs_mutants *out);

/* What a judgement needs. */
typedef struct inputs_subject {
    textvm *text; /* the kernel's text, unchanged */
    /* Its arguments point to arrays that `reset` fills with the inputs. The fuel is that of a
     * run of the text unchanged, and a mutant gets no more, or 4 times what that run has taken. */
    const textvm_launch *launch;
    void (*reset)(void *arg);
    /* The array, from 1, whose comparison with the expected values would fail now; 0: none. */
    uint32_t (*differs)(void *arg);
    void *arg;
    uint32_t
        most; /* so many survivors end the judgement, since another set does better; 0: none do */
} inputs_subject;

/* How a judgement ended. */
typedef struct inputs_verdict {
    bool judged;    /* else the text cannot be executed, or differs from what is expected */
    bool abandoned; /* there are at least inputs_subject.most survivors */
    uint32_t run;   /* mutants that were run */
    uint64_t steps; /* of the text machine, in all runs */
} inputs_verdict;

/* Runs the mutants that are alive on the inputs, and notes those that die. The text is unchanged
 * afterwards. Must run inside mem_try. */
inputs_verdict inputs_judge(const inputs_subject *s, inputs_mutants *m);
/* Are 95 % of the mutants dead, and is there a mutant? */
bool inputs_tell(const inputs_mutants *m);
/* How many of those alive are vital. */
uint32_t inputs_missed(const inputs_mutants *m);

#endif
