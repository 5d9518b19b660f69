/* SPDX-License-Identifier: Apache-2.0 */
/* What the operands of the intermediate form stand for. */
#ifndef WEFT_CUDA_OPERAND_H
#define WEFT_CUDA_OPERAND_H

#include "cuda/cuda_fn.h"

cx *cuda_operand_place(cuda_fn *f, ir_arg a); /* as a place, or value of a non-reference */
cx *cuda_operand_value(cuda_fn *f, ir_arg a); /* references loaded */
cx *cuda_member(cuda_fn *f, cx *base, str field);
/* The part of an array's element that a SLOT statement is about. */
cx *cuda_slot_place(cuda_fn *f, cx *element, ir_arg access);
const ir_callee *cuda_callee(const cuda_fn *f, ir_arg a);
/* The native name of what the statement calls, or whose adjoint it is; empty: it is no call. That
 * of `t[i] = x`, an `assign` to an element of a tile, is "tile_set". */
str cuda_called_name(const ir_unit *u, const ir_stmt *s);
bool cuda_sets_element(const ir_unit *u, const ir_stmt *s);
/* The function of the program that runs: in the backward text it may be another one. */
const ir_unit *cuda_called(const cuda_fn *f, ir_arg a);

/* Is the last of a call's operands the level of detail that a call of texture_sample has where the
 * source states none? The program's text leaves it out. */
bool cuda_is_default_level(const cuda_fn *f, str name, ir_arg last);

#endif
