/* Scalars: widths, casts, operators and functions of one number, after warp/native/builtin.h of
 * Warp 1.19 on the CPU. */
#include <math.h>

#include "arith/arith.h"

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
    default: return (num){.f = value_rounded(k, x.f)};
    }
}

/* What x86's conversion instructions give: the smallest integer for what does not fit. */
static int64_t truncated(double x, double limit, int64_t otherwise)
{
    return x >= -limit && x < limit ? (int64_t)x : otherwise;
}

static num float_to_int(type_kind to, double x)
{
    if (to == TYPE_BOOL)
        return (num){.i = x != 0};
    if (to == TYPE_UINT64 && x >= 0x1p63)
        return (num){.i = x < 0x1p64 ? (int64_t)(uint64_t)x : INT64_MIN};
    if (to >= TYPE_UINT32) /* by way of 64 bits */
        return num_wrap(to, (num){.i = truncated(x, 0x1p63, INT64_MIN)});
    return num_wrap(to, (num){.i = truncated(trunc(x), 0x1p31, INT32_MIN)});
}

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

bool num_truth(type_kind k, num x)
{
    return is_float_kind(k) ? x.f != 0 : x.i != 0;
}

static int width_of(type_kind k)
{
    switch (k) {
    case TYPE_INT64:
    case TYPE_UINT64: return 64;
    default: return 32; /* narrow integers are promoted to int */
    }
}

static num shifted_right(type_kind k, num a, int64_t by)
{
    if (is_unsigned_kind(k))
        return (num){.i = (int64_t)((uint64_t)a.i >> by)};
    return (num){.i = a.i >> by};
}

static arith_status int_divide(type_kind k, scalar_op op, num a, num b, num *out)
{
    if (b.i == 0)
        return ARITH_DIVIDES_BY_ZERO;
    if (is_unsigned_kind(k)) {
        const uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
        out->i = (int64_t)(op == SCALAR_MOD ? x % y : x / y);
        return ARITH_OK;
    }
    if (b.i == -1 && a.i == (k == TYPE_INT64 ? INT64_MIN : INT32_MIN))
        return ARITH_OVERFLOWS;
    int64_t q = a.i / b.i;
    const int64_t r = a.i % b.i;
    if (op == SCALAR_FLOORDIV && r && (a.i < 0) != (b.i < 0))
        q--;
    out->i = op == SCALAR_MOD ? r : q;
    return ARITH_OK;
}

static arith_status int_binary(type_kind k, scalar_op op, num a, num b, num *out)
{
    const uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    const int64_t by = b.i & (width_of(k) - 1);
    const bool less = is_unsigned_kind(k) ? x < y : a.i < b.i;
    switch (op) {
    case SCALAR_ADD: out->i = (int64_t)(x + y); break;
    case SCALAR_SUB: out->i = (int64_t)(x - y); break;
    case SCALAR_MUL: out->i = (int64_t)(x * y); break;
    case SCALAR_MIN: *out = less ? a : b; break;
    case SCALAR_MAX: *out = less ? b : a; break;
    case SCALAR_AND: out->i = a.i & b.i; break;
    case SCALAR_OR: out->i = a.i | b.i; break;
    case SCALAR_XOR: out->i = a.i ^ b.i; break;
    case SCALAR_LSHIFT: out->i = (int64_t)(x << by); break;
    case SCALAR_RSHIFT: *out = shifted_right(k, a, by); break;
    case SCALAR_DIV:
    case SCALAR_MOD:
    case SCALAR_FLOORDIV: {
        const arith_status status = int_divide(k, op, a, b, out);
        if (status != ARITH_OK)
            return status;
        break;
    }
    default: return ARITH_MISSING;
    }
    *out = num_wrap(k, *out);
    return ARITH_OK;
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

static bool double_binary(scalar_op op, double x, double y, double *out)
{
    switch (op) {
    case SCALAR_ADD: *out = x + y; return true;
    case SCALAR_SUB: *out = x - y; return true;
    case SCALAR_MUL: *out = x * y; return true;
    case SCALAR_DIV: *out = x / y; return true;
    case SCALAR_MOD: *out = fmod(x, y); return true;
    case SCALAR_FLOORDIV: *out = floor(x / y); return true;
    case SCALAR_MIN: *out = least(x, y); return true;
    case SCALAR_MAX: *out = largest(x, y); return true;
    case SCALAR_POW: *out = pow(x, y); return true;
    case SCALAR_ATAN2: *out = atan2(x, y); return true;
    case SCALAR_COPYSIGN: *out = copysign(x, y); return true;
    default: return false;
    }
}

/* The 16-bit types compute in float32 and round the result. */
static bool float_binary(scalar_op op, float x, float y, float *out)
{
    switch (op) {
    case SCALAR_ADD: *out = x + y; return true;
    case SCALAR_SUB: *out = x - y; return true;
    case SCALAR_MUL: *out = x * y; return true;
    case SCALAR_DIV: *out = x / y; return true;
    case SCALAR_MOD: *out = fmodf(x, y); return true;
    case SCALAR_FLOORDIV: *out = floorf(x / y); return true;
    case SCALAR_MIN: *out = (float)least(x, y); return true;
    case SCALAR_MAX: *out = (float)largest(x, y); return true;
    case SCALAR_POW: *out = powf(x, y); return true;
    case SCALAR_ATAN2: *out = atan2f(x, y); return true;
    case SCALAR_COPYSIGN: *out = copysignf(x, y); return true;
    default: return false;
    }
}

arith_status num_binary(type_kind k, scalar_op op, num a, num b, num *out)
{
    *out = (num){0};
    if (!is_float_kind(k))
        return int_binary(k, op, a, b, out);
    if (k == TYPE_FLOAT64)
        return double_binary(op, a.f, b.f, &out->f) ? ARITH_OK : ARITH_MISSING;
    float f = 0;
    if (!float_binary(op, (float)a.f, (float)b.f, &f))
        return ARITH_MISSING;
    *out = num_wrap(k, (num){.f = (double)f});
    return ARITH_OK;
}

static bool holds(const char *op, bool less, bool equal, bool greater)
{
    switch (op[0]) {
    case '<': return less || (op[1] == '=' && equal);
    case '>': return greater || (op[1] == '=' && equal);
    case '!': return !equal;
    default: return equal;
    }
}

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
