/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that the reader chooses from, and what they need beside operands.
 *
 *     var_4 < var_5, both float32      do_compare_of('<', float32)   -> lt_f32 (vm_scalar_ops.c)
 *     var_4 < var_5, both float16      do_compare_of('<', float16)   -> NULL: do_compare
 *
 * Reader files call code_emit with one of these and set the operands in the order that the comment
 * at the function gives. */
#ifndef WEFT_TEXTVM_VM_OPS_H
#define WEFT_TEXTVM_VM_OPS_H

#include "textvm/vm.h"

/* A run of scalars side by side that are added: to[i] += from[i]. */
typedef struct accum_part {
    uint32_t to, from, lanes; /* byte offsets of the first scalars; how many */
    type_kind kind;
} accum_part;

/* What `+=` does to a type, flattened to scalars. */
typedef struct accum {
    const accum_part *parts;
    uint32_t n;
    size_t size;      /* of the type, in bytes */
    bool clears;      /* an array: Warp's add of arrays gives an empty one */
    type_kind single; /* of one float32 or float64; else TYPE_VOID */
} accum;
void accum_run(const accum *a, uint8_t *to, const uint8_t *from);
/* to -= from; needs no array in the type. */
void accum_minus(const accum *a, uint8_t *to, const uint8_t *from);

/* do_where, do_adj_where, do_assign_lazy (a and to). a and b are the variables whose flags are
 * tested. */
typedef struct where_info {
    const type *cond;
    const var *a, *b;    /* NULL: has a value for sure */
    const var *to;       /* do_where: is unset if the chosen value is; NULL: that is an error */
    const accum *accum;  /* do_adj_where: of the values */
    size_t size;         /* do_where, do_assign_lazy: of a value */
    array_view *storage; /* the same: the view that an array gets; NULL: the value is none */
} where_info;

/* do_compare: all lanes OP, or where `negate` not all. */
typedef struct compare_info {
    const char *op; /* "<" and so on, as num_compare takes it */
    type_kind left, right;
    int lanes;
    bool negate;
} compare_info;

/* vm_ops.c */
ins_fn do_arith, do_adjoint, do_move, do_zero, do_jump, do_jump_back, do_if, do_if_not, do_if_done,
    do_and, do_or, do_end, do_return, do_return_value, do_call, do_check, do_define, do_where,
    do_adj_where, do_accum, do_adj_copy, do_adj_assign, do_range, do_iter_next, do_iter_reverse,
    do_tid, do_no_value, do_store, do_load, do_load4, do_load8, do_address_of, do_tid1,
    do_block_dim, do_assert, do_step, do_truth, do_from_bool;
ins_fn *do_move_of(size_t size); /* the fastest move of so many bytes */
ins_fn do_assigned;              /* a move that wp::assign makes */
ins_fn do_assign_lazy;           /* one whose source may be unset */
bool do_is_assign(ins_fn *run);  /* one of the two; vm_moved tells what it sets */
/* Is it one of the fast paths for + - *, for -, for *, for < > <= >=? (vm_mutant.c, vm_even.c) */
bool do_is_scalar(ins_fn *run);
bool do_is_subtraction(ins_fn *run);
bool do_is_product(ins_fn *run);
bool do_is_ordering(ins_fn *run);
bool do_is_comparison(ins_fn *run); /* any, do_compare too */
/* Is it one of the fast paths for adjoints, or that of a product? */
bool do_is_adj_scalar(ins_fn *run);
bool do_is_adj_product(ins_fn *run);
/* The fast path of a comparison, a call of arithmetic or its adjoint; NULL: there is none. */
ins_fn *do_compare_of(int token, const type *t);
ins_fn *do_scalar_of(str name, const type *t);
ins_fn *do_adj_scalar_of(str name, const type *t);
ins_fn do_compare;

/* vm_array_ops.c. Operands: result, array, indices ...; n: how many indices. */
typedef struct array_info {
    const type *elem;
    const accum *accum;         /* adjoints: of `slot` */
    array_view *storage;        /* do_view, do_set_array: the view that the result points to */
    const type *const *indices; /* their types; NULL: all int32 */
    uint32_t slices;            /* do_view: bit i: index i is a slice */
    size_t offset;              /* of a component in the element */
    const type *slot;           /* its type */
    size_t elem_size, slot_size;
    int op; /* an atomic_kind; of do_adj_slot: 0 store, 1 add, 2 sub, 3 others */
} array_info;

/* do_component. */
typedef struct component_info {
    const type *index; /* the index's type */
    int n;             /* how many components there are */
    size_t size;       /* of one, in bytes */
} component_info;
ins_fn do_component, do_atomic_at, do_gradient, do_adj_slot, do_address, do_address1,
    do_array_store, do_array_store1, do_adj_address, do_adj_array_store, do_atomic, do_adj_atomic,
    do_adj_store_cleared, do_adj_store_kept, /* mutants of do_adj_array_store */
    do_view, do_shape, do_len, do_set_array, do_field_array, do_shape_item, do_array_truth,
    do_array_lacks, do_lower_bound;
/* *to, an array variable, gets a view of its own, which is kept in `storage`. */
void do_keep_view(void *to, const void *from, array_view *storage);
/* The array's own gradient; NULL: it has none. */
const array_data *vm_gradient_of(const machine *m, const array_view *view);
/* vm_fixed.c */
ins_fn do_fixed_copy;
typedef enum atomic_kind {
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_CAS,
    ATOMIC_EXCH
} atomic_kind;

/* vm_mutant.c: the instruction at an index; where it is wrapped by do_define, the inner one. */
ins *vm_inner(const textvm *vm, uint32_t at);
/* The same as the text has it, whatever the mutant of now has made of it: what that reads and sets
 * is no more than what this does. */
const ins *vm_own(const textvm *vm, uint32_t at);
/* Negates each lane of a result of the instruction, which is arithmetic. */
void vm_negate(const ins *i, uint8_t *result);
/* May two operands be exchanged? Then sets *a and *b to their numbers. */
bool vm_swappable(const ins *i, uint32_t *a, uint32_t *b);
/* Writes the number that a mutant has in the constant's place. */
void vm_other_number(const vm_constant *k, uint8_t *to);
/* How far vm_sign_is_idle looks: PLAIN at arithmetic, POWERS at pow too, PARTS also at components
 * of vectors and at calls of functions, TESTS at tests for zero, too. */
typedef enum even_reach { EVEN_PLAIN, EVEN_POWERS, EVEN_PARTS, EVEN_TESTS } even_reach;
/* vm_even.c: does no result of the program depend on the sign of `result`, of type t, which the
 * instruction at `at` gives? False where it cannot find out. */
bool vm_sign_is_idle(const textvm *vm, uint32_t at, const void *result, const type *t,
                     even_reach reach);
/* Is the mutant the same program because signs cancel out? */
bool vm_is_even(const textvm *vm, const textvm_mutant *m, even_reach reach);

/* vm_idle.c: the constant of the text that the operand is; NULL: it is none, or a table. */
const vm_constant *vm_number_at(const textvm *vm, const void *operand);
/* How many operands an instruction has. */
uint32_t vm_operands_of(const ins *i);
/* vm_uniform.c: does it read memory at most, and set no more than its operands? */
bool vm_reads_only(const ins *i);
/* Does it compute values and nothing else? Then they are *n operands from *first on. */
bool vm_is_pure(const ins *i, uint32_t *first, uint32_t *n);
/* May the instruction write operand k? Those that are not known there may write each. */
bool vm_may_write(const ins *i, uint32_t k);
/* The bytes of operand k of such an instruction; of comparisons only those of the result. */
size_t vm_operand_size(const ins *i, uint32_t k);
/* vm_adjoint.c: what an instruction of a backward pass does with its operands. */
typedef struct vm_adjoint {
    uint32_t first, n; /* adjoints that it adds to, or sets */
    uint32_t from;     /* operands from here on that are not those: adjoints that it passes on */
    bool memory;       /* it changes an array of gradients, or an adjoint that it reads */
} vm_adjoint;
/* Is it the adjoint of something? */
bool vm_is_adjoint(const ins *i, vm_adjoint *out);
/* Is it `a[i] = x`, `a[i] += x` or `a[i] -= x` of a value? Operands: a, indices, x. */
bool vm_sets_element(const arith_op *op);
/* The lane of a vector that an extract() reads or such an operation sets; -1: it is neither, or any
 * lane. v: its operands. */
int vm_chosen_lane(const textvm *vm, const arith_op *op, void *const *v);
/* Is it a constructor of a vector that has a lane of four bytes or more for each argument? */
bool vm_is_lane_by_lane(const arith_op *op);
/* Sets masks[k] for each operand: bit j if what the instruction adds to its adjoint j hangs on it.
 * All bits where nobody knows; of adjoints themselves they have no meaning. */
void vm_adjoint_masks(const ins *i, uint32_t *masks);
/* vm_tile_live.c: the temporary variables of a tile operation's snippet that something reads, NULL
 * among them; n 0: there are none. Those of a sum are left out: with the sign of each of its steps
 * turned a sum over 256 elements is the same, and no text says that. */
uint8_t *const *vm_temps_of(const textvm *vm, const ins *i, uint32_t *n);
/* Its code; NULL: it has none. */
const ins *vm_snippet_of(const ins *i);
/* vm_known.c: has it two ways on, does it lead elsewhere, or does it end a function? */
bool vm_is_branch(const ins *i);
bool vm_is_jump(const ins *i);
bool vm_ends(const ins *i);
/* Which of its two values a do_where takes: for each instruction of the program, in a. */
typedef enum vm_choice { VM_CHOICE_OPEN, VM_CHOICE_FIRST, VM_CHOICE_SECOND } vm_choice;
vm_choice *vm_known_choices(const textvm *vm, arena *a);
/* vm_live.c: where a move puts its value, which is operand 1, and how many bytes; NULL: no move. */
void *vm_moved(const ins *i, size_t *size);
/* Leaves out mutants that only change what nothing reads. Takes scratch memory. */
uint32_t vm_drop_dead(const textvm *vm, textvm_mutant *all, uint32_t n);

#endif
