/* Instructions that the reader chooses from. */
#ifndef WEFT_TEXTVM_VM_OPS_H
#define WEFT_TEXTVM_VM_OPS_H

#include "textvm/vm.h"

/* What `+=` does to a type: each pair is a scalar of `to` and one of `from`. */
typedef struct accum_part {
    uint32_t to, from, lanes;
    type_kind kind;
} accum_part;
typedef struct accum {
    const accum_part *parts;
    uint32_t n;
    size_t size;      /* of the type */
    bool clears;      /* an array: the sum is empty */
    type_kind single; /* of one float32 or float64; else TYPE_VOID */
} accum;
void accum_run(const accum *a, uint8_t *to, const uint8_t *from);
void accum_minus(const accum *a, uint8_t *to, const uint8_t *from);

/* do_where, do_adj_where: what the condition is. */
typedef struct where_info {
    const type *cond;
    const var *a, *b; /* NULL: has a value for sure */
    const accum *accum;
    size_t size;
} where_info;

typedef struct compare_info {
    const char *op;
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
ins_fn *do_move_of(size_t size);
ins_fn do_assigned; /* a move that wp::assign makes */
/* Of instructions of their own: + - *; -; < > <= >=. */
bool do_is_scalar(ins_fn *run);
bool do_is_subtraction(ins_fn *run);
bool do_is_product(ins_fn *run);
bool do_is_ordering(ins_fn *run);
/* NULL: none of its own for these types. */
ins_fn *do_compare_of(int token, const type *t);
ins_fn *do_scalar_of(str name, const type *t);
ins_fn *do_adj_scalar_of(str name, const type *t);
ins_fn do_compare;

/* vm_array_ops.c. Operands: result, array, indices ...; n: how many indices. */
typedef struct array_info {
    const type *elem;
    const accum *accum;
    array_view *storage;
    const type *const *indices; /* their types; NULL: all int32 */
    uint32_t slices;            /* do_view: bit i: index i is a slice */
    size_t offset;              /* of a component in the element */
    const type *slot;           /* its type */
    size_t elem_size, slot_size;
    int op;
} array_info;
typedef struct component_info {
    const type *index;
    int n;
    size_t size;
} component_info;
ins_fn do_component, do_atomic_at, do_gradient, do_adj_slot, do_address, do_address1,
    do_array_store, do_array_store1, do_adj_address, do_adj_array_store, do_atomic, do_adj_atomic,
    do_view, do_shape, do_len, do_set_array, do_field_array, do_shape_item, do_array_truth,
    do_lower_bound;
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

/* What runs at an index: the instruction itself, or the one inside that sets flags. */
ins *vm_inner(const textvm *vm, uint32_t at);
/* Whatever is made of this result of the instruction forgets its sign (vm_even.c). */
bool vm_sign_is_idle(const textvm *vm, uint32_t at, const void *result, const type *t);

#endif
