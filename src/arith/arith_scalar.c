/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars as numbers of any kind (num): widths, casts, operators and comparisons, after
 * warp/native/builtin.h of Warp 1.19 on the CPU. For callers that have the kind as a value, such as
 * atomics and constants; operations on typed memory are in arith_op.h.
 *
 *     num_wrap(uint8, 300)                44         num_cast(int32, float32, 3.7)     3
 *     num_wrap(float16, 2049.0)           2048.0     num_compare("<", int32 -1, uint32 1)    false
 *
 * A float is always held as the double of the same value, and rounded to its kind by num_wrap. */
#include <math.h>

#include "arith/arith_number.h"

/* The four float kinds are neighbours in type_kind. */
static bool is_float_kind(type_kind k)
{
    return k >= TYPE_FLOAT16 && k <= TYPE_FLOAT64;
}

static bool is_unsigned_kind(type_kind k)
{
    return k == TYPE_BOOL || k == TYPE_UINT8 || k == TYPE_UINT16 || k == TYPE_UINT32 ||
           k == TYPE_UINT64;
}

num num_wrap(type_kind k, num x)
{
    switch (k) {
    case TYPE_BOOL: return (num){.i = x.i != 0};
    case TYPE_INT8: return (num){.i = (int8_t)x.i};
    case TYPE_UINT8: return (num){.i = (uint8_t)x.i};
    case TYPE_INT16: return (num){.i = (int16_t)x.i};
    case TYPE_UINT16: return (num){.i = (uint16_t)x.i};
    case TYPE_INT32: return (num){.i = (int32_t)x.i};
    case TYPE_UINT32: return (num){.i = (uint32_t)x.i};
    case TYPE_INT64:
    case TYPE_UINT64: return x;
    default: WEFT_ASSERT(is_float_kind(k)); return (num){.f = value_rounded(k, x.f)};
    }
}

/* What x86's conversion instructions give: the smallest integer for what does not fit. */
static int64_t truncated(double x, double limit, int64_t otherwise)
{
    return x >= -limit && x < limit ? (int64_t)x : otherwise;
}

/* int32 and narrower kinds convert by way of int32, as x86's compilers have it, the others by
 * way of int64; uint64 has the numbers from 2^63 on for itself. */
static num float_to_int(type_kind to, double x)
{
    WEFT_ASSERT(!is_float_kind(to));
    if (to == TYPE_BOOL)
        return (num){.i = x != 0};
    if (to == TYPE_UINT64 && x >= 0x1p63)
        return (num){.i = x < 0x1p64 ? (int64_t)(uint64_t)x : INT64_MIN};
    if (to >= TYPE_UINT32) /* by way of 64 bits */
        return num_wrap(to, (num){.i = truncated(x, 0x1p63, INT64_MIN)});
    return num_wrap(to, (num){.i = truncated(trunc(x), 0x1p31, INT32_MIN)});
}

/* Integers become 16-bit floats by way of float32, with two roundings: Warp makes its half from a
 * float.
 *
 *     int32 16777217 -> float32     16777216.0
 *     float64 -1.5   -> uint8       255: by way of int32 -1
 *     float64 1e10   -> int32       INT32_MIN */
num num_cast(type_kind to, type_kind from, num x)
{
    if (is_float_kind(from))
        return is_float_kind(to) ? num_wrap(to, x) : float_to_int(to, x.f);
    if (!is_float_kind(to))
        return num_wrap(to, x);
    const bool is_unsigned = from == TYPE_UINT64;
    if (to == TYPE_FLOAT64)
        return (num){.f = is_unsigned ? (double)(uint64_t)x.i : (double)x.i};
    const float f = is_unsigned ? (float)(uint64_t)x.i : (float)x.i;
    return num_wrap(to, (num){.f = (double)f});
}

/* A cast between integers wraps around and so always fits. */
bool num_fits(type_kind to, type_kind from, num x)
{
    if (!is_float_kind(from))
        return true;
    switch (to) {
    case TYPE_INT8: return fits_i8(x.f);
    case TYPE_UINT8: return fits_u8(x.f);
    case TYPE_INT16: return fits_i16(x.f);
    case TYPE_UINT16: return fits_u16(x.f);
    case TYPE_INT32: return fits_i32(x.f);
    case TYPE_UINT32: return fits_u32(x.f);
    case TYPE_INT64: return fits_i64(x.f);
    case TYPE_UINT64: return fits_u64(x.f);
    default: return true;
    }
}

/* NaN is not zero, so it is true. */
bool num_truth(type_kind k, num x)
{
    return is_float_kind(k) ? x.f != 0 : x.i != 0;
}

/* The bits that C++ compares an integer in, before the other operand is looked at. */
static int width_of(type_kind k)
{
    switch (k) {
    case TYPE_INT64:
    case TYPE_UINT64: return 64;
    default: return 32; /* narrow integers are promoted to int */
    }
}

/* Sums are formed in 64 bits and cut to the kind, so that they wrap around. */
static num int_binary(type_kind k, scalar_op op, num a, num b)
{
    WEFT_ASSERT(!is_float_kind(k) && op <= SCALAR_XOR);
    const uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    const bool less = is_unsigned_kind(k) ? x < y : a.i < b.i;
    switch (op) {
    case SCALAR_ADD: return num_wrap(k, (num){.i = (int64_t)(x + y)});
    case SCALAR_SUB: return num_wrap(k, (num){.i = (int64_t)(x - y)});
    case SCALAR_MIN: return less ? a : b;
    case SCALAR_MAX: return less ? b : a;
    case SCALAR_AND: return (num){.i = a.i & b.i};
    case SCALAR_OR: return (num){.i = a.i | b.i};
    default: return (num){.i = a.i ^ b.i};
    }
}

/* Warp 1.19 native/builtin.h; C's own leave open which of two zeros is the larger. */
static double least(double x, double y)
{
    return x <= y ? x : y == y ? y : x;
}

static double largest(double x, double y)
{
    return x >= y ? x : y == y ? y : x;
}

num num_binary(type_kind k, scalar_op op, num a, num b)
{
    if (!is_float_kind(k))
        return int_binary(k, op, a, b);
    switch (op) { /* a float32 sum rounded from its double is the float32 sum */
    case SCALAR_ADD: return num_wrap(k, (num){.f = a.f + b.f});
    case SCALAR_SUB: return num_wrap(k, (num){.f = a.f - b.f});
    case SCALAR_MIN: return (num){.f = least(a.f, b.f)};
    case SCALAR_MAX: return (num){.f = largest(a.f, b.f)};
    default: return (num){0};
    }
}

/* The answer of the operator `op`, given which of the three relations holds: none for NaN, so that
 * only != is true then. */
static bool holds(const char *op, bool less, bool equal, bool greater)
{
    WEFT_ASSERT(op[0] && strchr("<>!=", op[0]) && less + equal + greater <= 1);
    switch (op[0]) {
    case '<': return less || (op[1] == '=' && equal);
    case '>': return greater || (op[1] == '=' && equal);
    case '!': return !equal;
    default: return equal;
    }
}

/* C++'s usual conversions: with a float both become the wider float (narrow ones float32); else the
 * wider integer type, unsigned if one of that width is. Hence -1 < 1u is false.
 *
 *     int32 -1 < uint32 1          false: both become uint32
 *     int64 -1 < uint32 1          true: both become int64
 *     float16 0.1 == float32 0.1   false */
bool num_compare(const char *op, type_kind ka, num a, type_kind kb, num b)
{
    if (is_float_kind(ka) || is_float_kind(kb)) {
        type_kind k = ka == TYPE_FLOAT64 || kb == TYPE_FLOAT64 ? TYPE_FLOAT64 : TYPE_FLOAT32;
        const double x = num_cast(k, ka, a).f, y = num_cast(k, kb, b).f;
        return holds(op, x<y, x == y, x> y);
    }
    const int width = width_of(ka) > width_of(kb) ? width_of(ka) : width_of(kb);
    const bool is_unsigned = width == 64 ? ka == TYPE_UINT64 || kb == TYPE_UINT64
                                         : ka == TYPE_UINT32 || kb == TYPE_UINT32;
    if (!is_unsigned)
        return holds(op, a.i<b.i, a.i == b.i, a.i> b.i);
    const type_kind k = width == 64 ? TYPE_UINT64 : TYPE_UINT32;
    const uint64_t x = (uint64_t)num_wrap(k, a).i, y = (uint64_t)num_wrap(k, b).i;
    return holds(op, x<y, x == y, x> y);
}
