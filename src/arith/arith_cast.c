/* SPDX-License-Identifier: Apache-2.0 */
/* Casts between scalars, as constructors and by name (Warp 1.19 native/builtin.h, adj_float and its
 * like).
 *
 *     wp.int8(3.7)       3                  wp.bool(0.5)      True
 *     wp.uint8(-1)       255                wp.float16(2049)  2048
 *     wp.uint32(-1.5)    ARITH_CONVERSION: C++ leaves the result open
 *
 * The functions for one pair of kinds are to_RESULT_ARGUMENT (to_f32_i8), its tangent and adj_
 * version; find_cast picks them from a table of all pairs. The adjoint of an integer is not a
 * derivative, but Warp adds it up all the same; an adjoint that does not fit the integer is no
 * error: it becomes what x86's conversion instructions give, on every machine. */
#include "arith/arith_family.h"

/* x without its fraction if -limit <= x < limit, else `otherwise`; NaN is `otherwise`, since no
 * comparison with it holds.
 *
 *     within(3.7, 0x1p31, INT32_MIN)   3          within(NAN, ...)   INT32_MIN */
static int64_t within(double x, double limit, int64_t otherwise)
{
    WEFT_ASSERT(limit > 0);
    return x >= -limit && x < limit ? (int64_t)x : otherwise;
}

/* whole_KIND: a float as a value of the kind, with what x86 gives where C++ leaves it open: the
 * smallest integer for a value out of range. Kinds narrower than 32 bits convert to int32 first and
 * are then cut, uint32 goes by way of int64: 300.0 to int8 gives 44. num_cast is the same for
 * values of any kind. */
static uint64_t whole_u64(double x)
{
    if (x >= 0x1p63)
        return x < 0x1p64 ? (uint64_t)x : (uint64_t)INT64_MIN;
    return (uint64_t)within(x, 0x1p63, INT64_MIN);
}

static int64_t whole_i64(double x)
{
    return within(x, 0x1p63, INT64_MIN);
}

static uint32_t whole_u32(double x)
{
    return (uint32_t)within(x, 0x1p63, INT64_MIN);
}

static int32_t whole_i32(double x)
{
    return (int32_t)within(trunc(x), 0x1p31, INT32_MIN);
}

#define WHOLE(KIND, value)                                                                         \
    static num_##KIND whole_##KIND(double x)                                                       \
    {                                                                                              \
        return value;                                                                              \
    }
WHOLE(b8, x != 0)
WHOLE(i8, (int8_t)whole_i32(x))
WHOLE(u8, (uint8_t)whole_i32(x))
WHOLE(i16, (int16_t)whole_i32(x))
WHOLE(u16, (uint16_t)whole_i32(x))
WHOLE(f16, (float)x)
WHOLE(bf16, (float)x)
WHOLE(f32, (float)x)
WHOLE(f64, x)

#define EACH_WHOLE(DO) DO(b8) DO(i8) DO(u8) DO(i16) DO(u16) DO(i32) DO(u32) DO(i64) DO(u64)
#define EACH_REAL(DO)  DO(f16) DO(bf16) DO(f32) DO(f64)

#define ARITH_BODY "arith/body_cast_float.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY
#define ARITH_BODY "arith/body_cast_integer.h"
#include "arith/arith_each_integer.h"
#define CAST_OF_BOOL
#define ARITH_KIND b8
#define TANGENT    0
#include ARITH_BODY
#undef CAST_OF_BOOL
#undef ARITH_KIND
#undef TANGENT
#undef ARITH_BODY

/* One row of the table below: the functions for one kind of argument, in the order of the results'
 * kinds (type_kind). Casts to bool and integers have a tangent only where the argument is a float;
 * it is zero, and reports a jump. Adjoints belong to casts to floats. */
#define CASTS_TO_WHOLE(KIND, to_bool, to_integer)                                                  \
    {to_b8_##KIND, to_bool, NULL}, {to_i8_##KIND, to_integer, NULL},                               \
        {to_u8_##KIND, to_integer, NULL}, {to_i16_##KIND, to_integer, NULL},                       \
        {to_u16_##KIND, to_integer, NULL}, {to_i32_##KIND, to_integer, NULL},                      \
        {to_u32_##KIND, to_integer, NULL}, {to_i64_##KIND, to_integer, NULL},                      \
    {                                                                                              \
        to_u64_##KIND, to_integer, NULL                                                            \
    }
#define CASTS_OF_BOOL                                                                              \
    {                                                                                              \
        CASTS_TO_WHOLE(b8, NULL, NULL), {to_f16_b8, NULL, NULL}, {to_bf16_b8, NULL, NULL},         \
            {to_f32_b8, NULL, NULL}, {to_f64_b8, NULL, NULL},                                      \
    }
#define CASTS_OF_INTEGER(KIND)                                                                     \
    {                                                                                              \
        CASTS_TO_WHOLE(KIND, NULL, NULL), {to_f16_##KIND, NULL, adj_to_f16_##KIND},                \
            {to_bf16_##KIND, NULL, adj_to_bf16_##KIND}, {to_f32_##KIND, NULL, adj_to_f32_##KIND},  \
            {to_f64_##KIND, NULL, adj_to_f64_##KIND},                                              \
    }
#define CASTS_OF_FLOAT(KIND)                                                                       \
    {                                                                                              \
        CASTS_TO_WHOLE(KIND, tangent_to_bool_##KIND, tangent_to_integer_##KIND),                   \
            {to_f16_##KIND, tangent_to_f16_##KIND, adj_to_f16_##KIND},                             \
            {to_bf16_##KIND, tangent_to_bf16_##KIND, adj_to_bf16_##KIND},                          \
            {to_f32_##KIND, tangent_to_f32_##KIND, adj_to_f32_##KIND},                             \
            {to_f64_##KIND, tangent_to_f64_##KIND, adj_to_f64_##KIND},                             \
    }

enum { SCALAR_KINDS = TYPE_FLOAT64 + 1 };

/* [argument's kind][result's kind] */
static const arith_fns casts[SCALAR_KINDS][SCALAR_KINDS] = {
    CASTS_OF_BOOL,         CASTS_OF_INTEGER(i8),  CASTS_OF_INTEGER(u8),  CASTS_OF_INTEGER(i16),
    CASTS_OF_INTEGER(u16), CASTS_OF_INTEGER(i32), CASTS_OF_INTEGER(u32), CASTS_OF_INTEGER(i64),
    CASTS_OF_INTEGER(u64), CASTS_OF_FLOAT(f16),   CASTS_OF_FLOAT(bf16),  CASTS_OF_FLOAT(f32),
    CASTS_OF_FLOAT(f64),
};
_Static_assert(TYPE_BOOL == 0 && TYPE_INT8 == 1 && TYPE_FLOAT16 == 9, "the order of casts");

/* T(): a cast of no argument gives zero; param[0] is the size of T in bytes. */
static arith_status run_zero(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 0 && op->param[0] > 0);
    memset(operands[0], 0, (size_t)op->param[0]);
    return ARITH_OK;
}

/* Fills op for a cast to the scalar type `to`, of one scalar or of nothing. */
static bool find_cast(const arith_request *q, arith_op *op, const type *to)
{
    WEFT_ASSERT(type_is_scalar(to));
    *op = (arith_op){.run = run_zero};
    if (q->n > 1 || (q->n == 1 && !type_is_scalar(q->args[0])))
        return false;
    if (q->n == 1) {
        const arith_fns *fns = &casts[q->args[0]->kind][to->kind];
        WEFT_ASSERT(fns->run);
        *op = (arith_op){.run = fns->run, .tangent = fns->tangent, .adjoint = fns->adjoint};
    }
    op->param[0] = (int32_t)layout_size(to);
    return arith_set_types(q, op, to);
}

/* wp.int8(x) as a constructor. The type is q->constructs; rows of the name "" do not read
 * q->name. */
static bool find_construction(const arith_request *q, arith_op *op)
{
    WEFT_ASSERT(q->constructs);
    return type_is_scalar(q->constructs) && find_cast(q, op, q->constructs);
}

/* Python's float: Warp's adj_cast_float adds nothing to what is no float. */
static bool find_float(const arith_request *q, arith_op *op)
{
    if (!find_cast(q, op, type_scalar(q->c, TYPE_FLOAT32)))
        return false;
    if (!op->tangent)
        op->adjoint = NULL;
    return true;
}

/* A cast by its name, as in int32(x): the name decides the type of the result. */
#define NAMED_CAST(name, kind)                                                                     \
    static bool find_##name(const arith_request *q, arith_op *op)                                  \
    {                                                                                              \
        return find_cast(q, op, type_scalar(q->c, kind));                                          \
    }
NAMED_CAST(boolean, TYPE_BOOL)
NAMED_CAST(int8, TYPE_INT8)
NAMED_CAST(uint8, TYPE_UINT8)
NAMED_CAST(int16, TYPE_INT16)
NAMED_CAST(uint16, TYPE_UINT16)
NAMED_CAST(int32, TYPE_INT32)
NAMED_CAST(uint32, TYPE_UINT32)
NAMED_CAST(int64, TYPE_INT64)
NAMED_CAST(uint64, TYPE_UINT64)
NAMED_CAST(float16, TYPE_FLOAT16)
NAMED_CAST(bfloat16, TYPE_BFLOAT16)
NAMED_CAST(float32, TYPE_FLOAT32)
NAMED_CAST(float64, TYPE_FLOAT64)

/* Sorted by name. Python's int and float are int32 and float32, as in Warp. */
static const arith_row rows[] = {
    {"", find_construction},   {"bfloat16", find_bfloat16}, {"bool", find_boolean},
    {"float", find_float},     {"float16", find_float16},   {"float32", find_float32},
    {"float64", find_float64}, {"int", find_int32},         {"int16", find_int16},
    {"int32", find_int32},     {"int64", find_int64},       {"int8", find_int8},
    {"uint16", find_uint16},   {"uint32", find_uint32},     {"uint64", find_uint64},
    {"uint8", find_uint8},
};

const arith_family arith_casts = {rows, sizeof rows / sizeof *rows};
