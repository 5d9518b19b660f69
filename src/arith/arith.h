/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of Warp values as Warp's CPU device does it: exact widths, wrap-around, rounding after
 * each operation. An example: uint8 200 + 100 is 44, and float16 2048 + 1 is 2048. The executors
 * (reference interpreter, text machine) are built on it; it does not depend on syntax trees or
 * texts. This header has values and scalars; builtins are operations found by arith_find
 * (arith_op.h). */
#ifndef WEFT_ARITH_ARITH_H
#define WEFT_ARITH_ARITH_H

#include "types/array_view.h"
#include "types/value.h"

/* A scalar. Integers and bool are kept in i, extended by their sign or by zeros; a uint64 by its
 * bits. Floats are kept in f, exactly. */
typedef union num {
    int64_t i;
    double f;
} num;

/* A value at run time, of a variable or an expression. `type` says which member of the union is
 * valid. */
typedef struct rvalue {
    const type *type;    /* NULL: nothing, or `object` */
    const value *object; /* a type, function or module: no value at run time */
    union {
        num n;                      /* scalars */
        const uint8_t *bytes;       /* composites and structs, laid out as in memory; not changed */
        const array_view *array;    /* TYPE_ARRAY */
        const struct rvalue *items; /* TYPE_TUPLE */
    };
} rvalue;

/* Operations of num_binary: those of atomics and of sums of adjoints. */
typedef enum scalar_op {
    SCALAR_ADD,
    SCALAR_SUB,
    SCALAR_MIN,
    SCALAR_MAX,
    SCALAR_AND, /* this and the next: of integers */
    SCALAR_OR,
    SCALAR_XOR
} scalar_op;

/* How a builtin ended. */
typedef enum arith_status {
    ARITH_OK,
    ARITH_MISSING, /* cannot be executed yet, at least not with these types */
    ARITH_DIVIDES_BY_ZERO,
    ARITH_OVERFLOWS,    /* the smallest integer divided by -1: it stops Warp's process */
    ARITH_OUT_OF_RANGE, /* an index of a vector's or matrix's element */
    ARITH_NO_OBJECT,    /* an id names no hash grid, BVH or mesh */
    ARITH_NO_ELEMENT,   /* such an object has no element of this number */
    /* C++ leaves the result open, and CPUs and GPUs give different ones
     * (docs/decisions/portable-numbers.md); some result is stored all the same. */
    ARITH_CONVERSION, /* a float becomes an integer that cannot hold it: -1.5 to uint32, NaN */
    ARITH_SHIFT,      /* a shift by less than no bits, or by all of them or more */
    ARITH_NAN_SIGN,   /* the sign of a NaN decides */
    ARITH_KINK, /* of tangents: there is no derivative here (a tie in min, abs of zero, ...); that
                   of one side was given */
    ARITH_STEEP /* of tangents: the slope is infinite, but the number does not move: sqrt(0) */
} arith_status;

/* arith_scalar.c */
num num_wrap(type_kind k, num x);                  /* as a variable of that type holds it */
num num_cast(type_kind to, type_kind from, num x); /* what x86 gives where C++ leaves it open */
/* False: x is a float and `to` an integer type that cannot hold it, so that C++ leaves open what
 * num_cast gives. */
bool num_fits(type_kind to, type_kind from, num x);
/* a OP b, for those that work on numbers of any kind; other operations are arith_op.h's. */
num num_binary(type_kind k, scalar_op op, num a, num b);
bool num_truth(type_kind k, num x); /* x != 0 */
/* a OP b for a comparison operator of ast_op's kind, given as text: "<", "==", ... with C++'s
 * conversions. */
bool num_compare(const char *op, type_kind ka, num a, type_kind kb, num b);

/* arith_memory.c: values as bytes */
/* Sizes, alignments and offsets in bytes are those of Warp's C++ types. */
size_t layout_size(const type *t);
size_t layout_align(const type *t);
/* Sets offsets, size and alignment of a new struct from those of its fields' types. */
void layout_struct(struct_def *st);
size_t layout_field(const struct_def *st, uint32_t field); /* offset */
num num_load(type_kind k, const uint8_t *p);
void num_store(type_kind k, uint8_t *p, num x);
/* Copies composites and structs into a. */
rvalue rvalue_load(arena *a, const type *t, const uint8_t *p);
/* Scalars are converted to t; anything else must be of type t. False: it is not. */
bool rvalue_store(const type *t, uint8_t *p, const rvalue *v);
int lane_count(const type *t); /* scalars in a composite; 1 for a scalar */
/* A compile-time number or composite as a variable holds it; false: it is none. */
bool rvalue_constant(ctx *c, arena *a, const value *v, rvalue *out);

/* arith_texture.c */
/* The axes of a texture's type, 1 to 3; 0: it is none. */
int texture_axes(const type *t);
/* The value of a kernel's parameter, of `size` bytes, for the texture of this id. */
void texture_value(const ctx *c, uint64_t id, void *out, size_t size);

/* arith_random.c */
uint32_t random_next(uint32_t state); /* the PCG hash, what advances a state */
/* A float32 in [0, 1) or an int32 as randf and randi give them, of [low, high) unless these are
 * NULL. False: the range of an integer is empty. */
bool random_item(type_kind k, uint32_t *state, const void *low, const void *high, void *out);

#endif
