/* The text machine: reads text of Warp's dialect (CPU C++ or CUDA, forward or backward), as it
 * stands in a record, and executes it over a launch. It knows nothing of syntax trees and of how
 * the text was made; it shares with the reference interpreter only the arithmetic of builtins.
 *
 * The reader understands every token or refuses the text: nothing is skipped but comments. */
#ifndef WEFT_TEXTVM_TEXTVM_H
#define WEFT_TEXTVM_TEXTVM_H

#include "arith/arith_op.h"

typedef struct textvm textvm;

typedef enum textvm_error_kind {
    TEXTVM_OK,
    TEXTVM_UNREADABLE,  /* not the dialect: syntax, unknown names, types that do not fit */
    TEXTVM_MISSING,     /* "cannot execute NAME" */
    TEXTVM_FAULT,       /* out of bounds, division by zero, wrong launch ... */
    TEXTVM_UNSPECIFIED, /* C++ leaves open what is computed: a conversion out of range */
    TEXTVM_UNSET,       /* a variable is read before it has a value */
    TEXTVM_FUEL
} textvm_error_kind;

/* How reading or a run ended. `text` names the line of the text, the kernel and, where there are
 * any, array, index and thread. */
typedef struct textvm_error {
    textvm_error_kind kind;
    uint32_t line; /* of the text, from 1 */
    char text[400];
    /* TEXTVM_UNSET: the variable, as the text names it, and the function that declares it; empty
     * for the kernel. They live as long as the program. */
    str variable, function;
    uint64_t thread;
} textvm_error;

/* Reads the text of one record field: structs, functions and one kernel (its forward or its
 * backward part; the last __global__ function, or the last NAME_cpu_kernel_ function). NULL: see
 * *error. The program lives in a. */
textvm *textvm_read(ctx *c, arena *a, str text, textvm_error *error);

/* The kernel's own parameters, in order, without dim, task_index and adjoints. An array's ndim is
 * not in the text: 0. */
typedef struct textvm_param {
    str name; /* without "var_" */
    const type *type;
} textvm_param;
uint32_t textvm_params(const textvm *vm, const textvm_param **params);
bool textvm_is_backward(const textvm *vm);
bool textvm_is_cuda(const textvm *vm);
str textvm_kernel_name(const textvm *vm); /* without _cuda_kernel_forward and the like */
uint32_t textvm_lines(const textvm *vm);  /* newlines of the text */
bool textvm_names_scalar(const textvm *vm, type_kind k); /* wp::float32 and the like */

enum { TEXTVM_DIMS = 4 };

typedef struct textvm_launch {
    const rvalue *args;     /* one for each parameter; structs match by layout */
    const rvalue *adjoints; /* the same for a backward text: arrays to read and add to (data NULL:
                               none); others are ignored as in Warp, where they are copies */
    void *const *gradients; /* NULL, or for each parameter its place (arrays': not used) where the
                               adjoints of floats passed by value, which Warp drops with each
                               thread, are added up */
    int ndim;
    int64_t dim[TEXTVM_DIMS];
    int block_dim; /* threads of a block; 0: 256 */
    uint64_t fuel; /* steps; 0: no limit */
} textvm_launch;

/* Runs every thread, block by block. False: *error says why; arrays may have been changed. Must run
 * inside mem_try. Reentrant for different programs only. */
bool textvm_run(textvm *vm, const textvm_launch *launch, textvm_error *error);

/* One small change of the program in memory, for testing whether inputs tell it from its mutants.
 * Mutants that cannot change a result by their form (operands of a commutative operation, say) are
 * not listed. */
typedef enum mutant_kind {
    MUTANT_SIGN,  /* the result of an arithmetic operation negated */
    MUTANT_INDEX, /* an index of an access one too large */
    MUTANT_SWAP,  /* two operands exchanged */
    MUTANT_DROP,  /* a statement that stores or assigns left out */
    MUTANT_KINDS
} mutant_kind;
typedef struct textvm_mutant {
    mutant_kind kind;
    uint32_t at; /* instruction */
} textvm_mutant;
/* Writes up to max mutants, in the order of the text; gives how many there are. */
uint32_t textvm_mutants(const textvm *vm, textvm_mutant *out, uint32_t max);
/* Applies a mutant until textvm_mutate(vm, NULL). */
void textvm_mutate(textvm *vm, const textvm_mutant *m);

#endif
