/* SPDX-License-Identifier: Apache-2.0 */
/* Making expressions and statements of the tree, and asking what they read and write. */
#ifndef WEFT_CUDA_TREE_H
#define WEFT_CUDA_TREE_H

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_fn.h"

cx *cx_new(cuda_fn *f, cx_kind kind, const type *t, uint32_t nargs);
cx *cx_var(cuda_fn *f, uint32_t var);
cx *cx_number(cuda_fn *f, int64_t n);
cx *cx_unary(cuda_fn *f, cx_kind kind, const type *t, cx *a);
cx *cx_binary(cuda_fn *f, cx_kind kind, const type *t, cx *a, cx *b);
/* The expression is a call of `op` from now on. */
void cx_set_op(cx *e, cuda_op op);
/* A CX_CALL of the builtin; t: the type of its result. */
cx *cx_call1(cuda_fn *f, cuda_op op, const type *t, cx *a);
cx *cx_call2(cuda_fn *f, cuda_op op, const type *t, cx *a, cx *b);
/* A CX_ATOMIC of the builtin at the place. */
cx *cx_atomic(cuda_fn *f, cuda_op op, cx *place, cx *operand);
/* Is e a call of the builtin? */
bool cx_is_call(const cx *e, cuda_op op);
cs *cs_new(cuda_fn *f, cs_kind kind);
cs *cs_put(cuda_fn *f, cs_list *list, cs_kind kind);
cs *cs_set(cuda_fn *f, cs_list *list, cx *to, cx *e);
void cs_push(cuda_fn *f, cs_list *list, cs *s);
uint32_t cv_new(cuda_fn *f, const type *t, str hint);
bool cx_same(const cx *a, const cx *b);
bool cx_is_var(const cx *e, uint32_t *var);
uint32_t cv_root(const cuda_fn *f, uint32_t v);
const type *cuda_int(const cuda_fn *f);
/* Is it a builtin that changes its first argument, which is a variable? */
bool cx_changes_argument(const cx *e);
/* Calls fn for each variable that the statement itself, not its inner ones, reads; and for each
 * that it writes. `whole`: all of it is overwritten. */
typedef void cx_visit(void *arg, uint32_t var);
void cx_reads(const cx *e, cx_visit *fn, void *arg);
void cs_reads(const cs *s, cx_visit *fn, void *arg);
void cs_writes(const cs *s, cx_visit *fn, void *arg);
bool cs_gives(const cs *s, uint32_t var); /* is the variable one of its outputs? */
bool cx_reads_var(const cx *e, uint32_t var);
bool cs_reads_var(const cs *s, uint32_t var);
bool cs_writes_var(const cs *s, uint32_t var);
/* Reads or writes: the statement itself, or it with its inner ones. */
bool cs_uses_itself(const cs *s, uint32_t var);
bool cs_uses(const cuda_fn *f, const cs *s, uint32_t var);
/* Statements of the list, inner ones too, that use the variable themselves. */
uint32_t cs_count_users(const cuda_fn *f, const cs_list *list, uint32_t var);
/* Does a statement of the list, or an inner one, write the variable? */
bool cs_list_writes(const cuda_fn *f, const cs_list *list, uint32_t var);
void cs_remove_at(cs_list *list, uint32_t i);
bool cs_list_uses(const cuda_fn *f, const cs_list *list, uint32_t var);
bool cs_overwrites(const cs *s, uint32_t *var); /* a variable as a whole, not reading it */
/* The variable that a place is part of, or CUDA_NO_VAR if it is memory. */
uint32_t cx_place_root(const cuda_fn *f, const cx *place);
bool cuda_is_integral(const type *t); /* has no adjoint */
/* Is it a wp.array or a wp.indexedarray? Others have no form. */
bool cuda_has_elements(const type *t);

/* The statement, with its inner ones, uses another variable. */
void cs_rename(cuda_fn *f, cs *s, uint32_t from, uint32_t to);
void cs_list_rename(cuda_fn *f, cs_list *list, uint32_t from, uint32_t to);

#endif
