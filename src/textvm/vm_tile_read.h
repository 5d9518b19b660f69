/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of tile calls share (vm_tile_calls.c, vm_tile_forms.c). */
#ifndef WEFT_TEXTVM_VM_TILE_READ_H
#define WEFT_TEXTVM_VM_TILE_READ_H

#include "textvm/vm_tile.h"

/* A function named as an argument: wp::add, or one of the text. */
typedef struct fn_ref {
    vm_name *id;
    bool native;
} fn_ref;

enum { TARGS = 12, FNS = 2 };

/* A tile call as it stands: template arguments, functions, and the arguments that are variables. */
typedef struct tile_call {
    vt targs[TARGS]; /* t NULL: a number or bool */
    int64_t tnums[TARGS];
    uint32_t ntargs, nfns;
    fn_ref fns[FNS];
} tile_call;

typedef void tile_read(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op);

/* A row of the table: the name after wp::, the function that reads the arguments, and what it needs
 * to know. */
typedef struct tile_form {
    const char *name;
    tile_read *read;
    tile_fn *run;
    const char *op;
} tile_form;

/* Ends reading: wrong arguments. */
_Noreturn void tile_wrong(reader *r, const call *k);
bool int_operand(const operand *o); /* is it an int32? */
/* The instruction, with the result as its first operand if there is one. */
tile_info *tile_emit(reader *r, call *k, tile_fn *run);
/* Before tile_emit: the first n arguments are numbers in the place of functions. Argument n stands
 * for them, so that nothing reads them, and no mutant changes them. */
void tile_skip(call *k, uint32_t n);
/* What an operation changes counts as written. */
void tile_changes(operand *o);
/* The tile type of argument a, or of the result; other types end reading. */
const type *tile_arg_type(reader *r, const call *k, uint32_t a);
const type *tile_result(reader *r, const call *k);

/* vm_tile_calls.c: ends reading unless both have one shape */
void tile_need_shape(reader *r, const call *k, const type *a, const type *b);
fn_ref tile_native_fn(reader *r, const char *name);
/* t_n = f(t_0, ..., t_n-1), run for each element: info->snippet and info->temps. */
void tile_snippet(reader *r, tile_info *info, fn_ref f, const type *const *in, uint32_t n,
                  const type *out);
/* vm_tile_forms.c: the template arguments from `from` on are the tile's shape, and the last */
void tile_check_dims(reader *r, const call *k, const tile_call *t, uint32_t from, const type *tile);

/* vm_tile_forms.c */
tile_read read_matmul, read_adj_matmul, read_load, read_store, read_adj_load, read_adj_store,
    read_fill, read_arange, read_from_thread, read_tile, read_adj_tile, read_untile,
    read_adj_untile, read_extract, read_adj_extract, read_assign_tile, read_adj_assign_tile,
    read_view, read_nothing, read_adj_transpose;
/* vm_tile_change.c */
tile_read read_scatter, read_adj_scatter, read_axpy, read_adj_axpy, read_diag_add, read_random;
void read_adj_inplace_element(reader *r, call *k, const char *op);
/* vm_tile_fold.c */
tile_read read_scan, read_sum_axis, read_adj_sum_axis, read_reduce_axis, read_dot, read_adj_dot;
/* vm_tile_stack.c */
tile_read read_stack_init, read_stack_push, read_stack_pop, read_stack_clear, read_stack_count;
/* vm_tile_query.c */
tile_read read_query_next;
/* vm_tile_linear.c */
tile_read read_factor, read_adj_factor, read_solve, read_adj_solve;
/* vm_tile_fourier.c: false: the call is none of these, and nothing has been read */
bool read_fourier(reader *r, call *k);
void tile_element_assign(reader *r, call *k);
void tile_element_adj_assign(reader *r, call *k);

#endif
