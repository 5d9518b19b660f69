/* SPDX-License-Identifier: Apache-2.0 */
/* Warp's types, operators and builtins as plain CUDA C++: the text of a call, of its adjoint, and
 * the definitions (types, operators, device functions) that these texts use. It means what Warp
 * 1.19's native code means, its adjoints' conventions included.
 *
 * Besides C's operators and the functions of <math.h> and <string.h> (memcpy) the texts use these
 * of CUDA. A header for other compilers has to bring them (assets/cuda_on_cpu.h does):
 *
 *     __device__
 *     __half, __nv_bfloat16    made of float, converted to float; operators for arithmetic,
 *                              comparison and compound assignment
 *     __half_as_ushort, __ushort_as_half, __bfloat16_as_ushort, __ushort_as_bfloat16
 *     __float_as_int, __int_as_float, __float_as_uint, __uint_as_float,
 *     __double_as_longlong, __longlong_as_double
 *     __popc, __popcll
 *     min, max                 of int, unsigned int, long long, unsigned long long
 *     llabs, fmaf, fma, erfinvf, erfinv, erfcinvf, erfcinv
 *     atomicAdd                of int, unsigned int, unsigned long long, float, double
 *     atomicSub                of int, unsigned int
 *     atomicMin, atomicMax     of int, unsigned int, long long, unsigned long long
 *     atomicAnd, atomicOr, atomicXor   of int, unsigned int, unsigned long long
 *     atomicExch               of these and float
 *     atomicCAS                of int, unsigned int, unsigned long long, unsigned short
 *
 * Signed integers are taken to wrap around, and a float's bytes are looked at as an integer's (g++:
 * -fwrapv -fno-strict-aliasing).
 *
 * Arguments of some calls: an atomic operation's first is the element (an lvalue of its type, not
 * an array and indices), and its adjoint's the element's gradient; builtins that change an argument
 * or fill several results (randf, assign_inplace, svd3) take lvalues; constant slices have their
 * bounds in their type. */
#ifndef WEFT_CUDARULE_CALL_H
#define WEFT_CUDARULE_CALL_H

#include "cudarule/cudarule_code.h"

/* The definitions of a new program. Texts and all else live in a. taken reports names that the
 * program uses (arg is passed to it); it may be NULL. */
cuda_defs *cuda_defs_make(ctx *c, arena *a, cuda_taken *taken, const void *arg);

/* The call of a builtin, by its native name ("add", "sin"; "vec_t", "float32" of constructors and
 * casts), as an expression. result may be NULL where the arguments determine it. prec CUDA_NO_FORM:
 * there is none. */
cuda_expr cuda_call(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                    uint32_t nargs);
/* Appends the statements of its adjoint. adj_args: lvalues, an empty text where none is wanted.
 * made: the call's result, if it stands in a variable; else its text is empty. False: no form. */
bool cuda_adj_call(cuda_defs *n, cuda_codes *out, str native, const type *result,
                   const cuda_expr *args, uint32_t nargs, const cuda_expr *adj_args,
                   const cuda_expr *made, const cuda_expr *adj_result);

/* wp.lower_bound of a pointer to items, the first and the end of the range, and a value. */
cuda_expr cuda_lower_bound(cuda_defs *n, const cuda_expr args[4]);
/* The item of a list that an index stands for, or without a list the index: a call's text. */
str cuda_listed(cuda_defs *n, str list, str index);

/* Has the builtin no result of its own, but writes to arguments (svd3, assign_inplace)? */
bool cuda_writes_arguments(str native);
/* Does the builtin set its last argument, besides its result (volume_sample_grad)? */
bool cuda_writes_last(str native);
/* Does a call with so many arguments set variables, besides its result? Those of mesh_query_point
 * and its like, instead of a MeshQueryPoint. */
bool cuda_sets_variables(str native, uint32_t nargs);

#endif
