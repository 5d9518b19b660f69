/* SPDX-License-Identifier: Apache-2.0 */
/* Native snippets (@wp.func_native): the user's own C++ within a function, read and executed.
 *
 *     @wp.func_native("uint32_t i = reinterpret_cast<uint32_t&>(f); return i >> 31;")
 *     def sign_bit(f: float) -> wp.uint32: ...
 *
 *     native_fn *fn = native_read(c, a, &(native_source){.text = ..., .params = ...}, &why)
 *     native_run(fn, params, &result, ...)
 *
 * No stage translates a snippet: it stands in Warp's text as the user wrote it. So both executors
 * may share what runs it; they differ in how a call gets there, and in the branch that they take
 * of `#if defined(__CUDA_ARCH__)`.
 *
 * What can be executed is the C++ of one thread: numbers, vectors and matrices, pointers into
 * arrays and variables, loops, casts, calls of C's mathematics, of CUDA's intrinsics on numbers, of
 * atomics and of Warp's builtins. Shuffles, barriers and shared memory cannot.
 *
 * A snippet is not trusted. It cannot read or write memory other than its arguments and variables,
 * however it casts: native_internal.h says why. What C++ leaves undefined (a variable without a
 * value, a variable that is gone, an access outside) ends the run, and steps are counted. */
#ifndef WEFT_NATIVE_NATIVE_H
#define WEFT_NATIVE_NATIVE_H

#include "types/array_view.h"

typedef struct native_fn native_fn;

typedef struct native_param {
    str name;
    const type *type;  /* of the value; of an array any rank, the view has its own */
    bool by_reference; /* the snippet changes the caller's */
    bool pointer;      /* the value is the address of one of the type */
} native_param;

typedef struct native_source {
    str text;
    const native_param *params;
    uint32_t nparams;
    const type *result; /* NULL: none */
    bool cuda;          /* __CUDA_ARCH__ is defined */
} native_source;

/* How a snippet ended. */
typedef enum native_end {
    NATIVE_OK,
    NATIVE_FAULT,       /* an access out of bounds, a division by zero, no result */
    NATIVE_UNSPECIFIED, /* C++ leaves open what it computes */
    NATIVE_CANNOT,      /* it has what cannot be executed */
    NATIVE_FUEL
} native_end;

typedef struct native_problem {
    char text[200];
    uint32_t line; /* of the snippet, from 1 */
} native_problem;

/* An operation of src/arith that a snippet has: wp::dot(a, b) is "dot", a + b of vectors "add". */
typedef struct native_use {
    str name;
    const type *const *types; /* of its n arguments */
    uint32_t n;
} native_use;

/* Lives in `a`. NULL: *why says what it has that cannot be executed. */
native_fn *native_read(ctx *c, arena *a, const native_source *text, native_problem *why);
/* params: addresses of the values, aligned for their types; that of an array is the address of a
 * pointer to its view. Values are copied, those by reference are changed in place. *steps: how many
 * may be taken; what is left afterwards. */
native_end native_run(native_fn *f, void *const *params, void *result, uint64_t *steps,
                      native_problem *why);

/* The operations of the function, some repeatedly; constructors are not among them. */
const native_use *native_uses(const native_fn *f, uint32_t *n);

/* Is this the body of a snippet, from behind its opening brace on? Its length up to the brace that
 * closes it; SIZE_MAX: none does. */
size_t native_body_length(str text);

#endif
