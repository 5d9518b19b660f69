/* SPDX-License-Identifier: Apache-2.0 */
/* How functions of the program are called: which operands their text takes (cuda_form in
 * cuda_fn.h). */
#ifndef WEFT_CUDA_FORM_H
#define WEFT_CUDA_FORM_H

#include "cuda/cuda_fn.h"

/* The form of the function, or of its adjoint. */
cuda_form *cuda_form_of(const cuda_fn *f, const ir_unit *callee, bool adjoint);
/* Notes which parameters and results f's text mentions, and which functions it calls. */
void cuda_finish_form(cuda_fn *f, cuda_form *form, bool reverse);
/* Replaces operands that the called function does not take by the number 0. */
void cuda_drop_unused(cuda_fn *f, cx *e);
/* Operands of a call that are results, or their adjoints. */
uint32_t cuda_count_results(const cx *e);
/* Operands of a call that are values of parameters. */
uint32_t cuda_count_values(const ir_unit *u, uint32_t ninputs);
/* The variable that gives back result i of the function. */
uint32_t cuda_result_var(const cuda_fn *f, uint32_t i);
/* The type of what a native snippet returns; NULL: nothing, or it is none. */
const type *cuda_snippet_result(const ir_unit *u);
/* Is it the type of a parameter that no text has? */
bool cuda_is_function(const type *t);

#endif
