/* SPDX-License-Identifier: Apache-2.0 */
/* The text machine: reads text of Warp's dialect (CPU C++ or CUDA, forward or backward), as it
 * stands in a record, and executes it over a launch.
 *
 *     var_0 = builtin_tid1d();                    the thread's index
 *     var_5 = wp::address(var_x, var_0);          a checked pointer into the launch's array x
 *     var_7 = wp::load(var_5);
 *     wp::array_store(var_y, var_0, var_7);       changes the launch's array y
 *
 * Proofs (check, validate), `weft run` and the expected values of standalone programs use it to
 * find out what a text computes. It is a judge of the emitters: it uses no syntax tree and no code
 * of theirs, and shares with the reference interpreter only the arithmetic of builtins (arith).
 *
 * The reader understands every token or refuses the text. It skips nothing but comments. */
#ifndef WEFT_TEXTVM_TEXTVM_H
#define WEFT_TEXTVM_TEXTVM_H

#include "arith/arith_op.h"

typedef struct textvm textvm;

/* Why reading or a run failed. The first two come from textvm_read, the others from textvm_run;
 * TEXTVM_MISSING may come from both. */
typedef enum textvm_error_kind {
    TEXTVM_OK,          /* there is no error */
    TEXTVM_UNREADABLE,  /* not the dialect: syntax, unknown names, types that do not fit */
    TEXTVM_MISSING,     /* "cannot execute NAME" */
    TEXTVM_FAULT,       /* out of bounds, division by zero, wrong launch ... */
    TEXTVM_UNSPECIFIED, /* C++ leaves open what is computed: a conversion out of range */
    TEXTVM_UNSET,       /* a variable is read before it has a value */
    TEXTVM_FUEL         /* the launch took more steps than it may */
} textvm_error_kind;

/* How reading or a run ended. `text` names the line of the text, the kernel and, where there are
 * any, array, index and thread. */
typedef struct textvm_error {
    textvm_error_kind kind;
    uint32_t line;  /* of the text, from 1 */
    char text[400]; /* one sentence, cut off where it is too long */
    /* TEXTVM_UNSET: the variable, as the text names it, and the function that declares it; empty
     * for the kernel. They live as long as the program. */
    str variable, function;
    uint64_t thread;
    /* An access out of bounds: the array's parameter, the dimensions of the view that was indexed,
     * and the index; array NULL: it was none, or of no parameter. */
    const char *array;
    int ndim;
    uint32_t dim;
    int64_t index;
} textvm_error;

/* Reads the text of one record field: structs, functions and one kernel (its forward or its
 * backward part; the last __global__ function, or the last NAME_cpu_kernel_ function). Returns NULL
 * and fills *error if it refuses the text. The program and all that it points to live in a; text
 * must live as long, since names point into it. The context's scratch arena is left as found. Must
 * run inside mem_try. */
textvm *textvm_read(ctx *c, arena *a, str text, textvm_error *error);

/* The kernel's own parameters, in order, without dim, task_index and adjoints. The text does not
 * give an array's rank, so the ndim of its type is 0. */
typedef struct textvm_param {
    str name;         /* without "var_" */
    const type *type; /* of this text: a struct is a type of its own, equal to others by layout */
} textvm_param;
/* Returns how many there are, and sets *params to the first. They live as long as the program. */
uint32_t textvm_params(const textvm *vm, const textvm_param **params);
bool textvm_is_backward(const textvm *vm);
bool textvm_is_cuda(const textvm *vm);
/* Does it have tiles? Then a launch has to have the block size that the text is made for. */
bool textvm_has_tiles(const textvm *vm);
str textvm_kernel_name(const textvm *vm); /* without _cuda_kernel_forward and the like */
uint32_t textvm_lines(const textvm *vm);  /* newlines of the text */
/* Does the text name this scalar type, as in wp::float16? */
bool textvm_names_scalar(const textvm *vm, type_kind k);

enum { TEXTVM_DIMS = 4 };

/* One launch: what wp.launch gets in Python. The caller owns all that it points to. */
typedef struct textvm_launch {
    const rvalue *args;     /* one for each parameter; structs match by layout */
    const rvalue *adjoints; /* the same for a backward text: arrays to read and add to (data NULL:
                               none); others are ignored as in Warp, where they are copies */
    void *const *gradients; /* NULL, or for each parameter its place (arrays': not used) where the
                               adjoints of floats passed by value, which Warp drops with each
                               thread, are added up */
    int ndim;               /* 1 to TEXTVM_DIMS; need not be the kernel's */
    int64_t dim[TEXTVM_DIMS];
    int block_dim; /* threads of a block, what wp.block_dim() gives; 0: 256 */
    /* Reductions of tiles in CUDA text go lane by lane, as the CPU's do, and not by warps: for
     * comparisons bit by bit. */
    bool in_order;
    uint64_t fuel;   /* steps of all threads, about one an instruction; 0: no limit */
    uint64_t *steps; /* gets those that the run has taken; NULL: nobody asks */
    /* A variable that is read before it has a value is zero, and no error, unless it is a pointer:
     * for texts whose results are known not to depend on it. */
    bool unset_is_zero;
    ctx_progress *progress; /* of threads; NULL: nobody asks */
    void *progress_arg;
} textvm_launch;

/* Runs every thread, one after another, in the order of their indices (block by block where the
 * text computes its index in an unusual way, vm_run.c). Returns false and fills *error at the first
 * failure; arrays may have been changed by then. Must run inside mem_try. The variables are part of
 * the program: two runs of one program must not overlap. */
bool textvm_run(textvm *vm, const textvm_launch *launch, textvm_error *error);

/* Mutation analysis (check_mutant.c): a mutant is one small change of the program in memory. Inputs
 * that give the mutant's result and the program's alike prove little. Mutants that cannot change a
 * result by their form (operands of a commutative operation, say) are not listed. */
typedef enum mutant_kind {
    MUTANT_SIGN,  /* the result of an arithmetic operation negated */
    MUTANT_INDEX, /* an index of an access one too large */
    MUTANT_SWAP,  /* two operands exchanged */
    MUTANT_DROP,  /* a statement that stores or assigns, or an adjoint, left out */
    MUTANT_KEEP,  /* the adjoint of a store does not clear the gradient */
    /* textvm_more_mutants: */
    MUTANT_KINDS,              /* how many of textvm_mutants there are */
    MUTANT_NOT = MUTANT_KINDS, /* a comparison with the opposite result */
    MUTANT_CONSTANT /* another number: an integer one larger, a float half as large again plus 1 */
} mutant_kind;

typedef struct textvm_mutant {
    mutant_kind kind;
    uint32_t at; /* index of the instruction in the program, or of the constant */
} textvm_mutant;
/* Writes up to max mutants, in the order of the text. Returns how many there are, which may be more
 * than max. Needs: no mutant is applied. */
uint32_t textvm_mutants(const textvm *vm, textvm_mutant *out, uint32_t max);
/* Further mutants, of comparisons and constants, in the same way. Some of them make threads run
 * into faults where the program does not, so they need inputs of many kinds. */
uint32_t textvm_more_mutants(const textvm *vm, textvm_mutant *out, uint32_t max);
/* Leaves out of n mutants those that are the same program by their form, although they are listed:
 * operands of a subtraction are exchanged, or the sign of a result turned, and that sign does not
 * matter. Returns how many remain. */
uint32_t textvm_drop_even(const textvm *vm, textvm_mutant *all, uint32_t n);
/* Leaves out of n mutants those whose change reaches nothing: `(2 + 1) % 3` with the sign of its
 * sum turned, say, or a value that nothing reads (vm_idle.c). Returns how many remain. Needs: no
 * mutant is applied. */
uint32_t textvm_drop_idle(const textvm *vm, textvm_mutant *all, uint32_t n);
/* Leaves out of n mutants those that turn a sign which only tests for zero read, `if (flags & 4)`,
 * and of a backward text all signs of values: most derivatives are even in them. Returns how many
 * remain. */
uint32_t textvm_drop_signs(const textvm *vm, textvm_mutant *all, uint32_t n);
/* How many of n mutants turn a comparison, or change only what such comparisons of theirs read: the
 * 60.0 of `if x > 60.0`, where the turned `>` is among them too. Needs: no mutant is applied. */
uint32_t textvm_count_alike(const textvm *vm, const textvm_mutant *all, uint32_t n);
/* Applies a mutant in place of the one applied before; NULL restores the program. A mutant that
 * does not fit its instruction is ignored. */
void textvm_mutate(textvm *vm, const textvm_mutant *m);
/* Does it leave out what the backward pass adds to the gradient of an array? */
bool textvm_drops_gradient(const textvm *vm, const textvm_mutant *m);

#endif
