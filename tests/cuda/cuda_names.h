// SPDX-License-Identifier: Apache-2.0
// What the text of src/cuda uses of CUDA beyond <math.h>, for g++: enough to run single calls.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __device__

template <class To, class From> static inline To bits_as(From x)
{
    static_assert(sizeof(To) == sizeof(From), "bits of one size");
    To to;
    memcpy(&to, &x, sizeof to);
    return to;
}

struct __half {
    uint16_t bits;
    __half() = default;
    __half(float x) : bits(bits_as<uint16_t>((_Float16)x)) {}
    operator float() const
    {
        return (float)bits_as<_Float16>(bits);
    }
};

struct __nv_bfloat16 {
    uint16_t bits;
    __nv_bfloat16() = default;
    __nv_bfloat16(float x)
    {
        uint32_t u = bits_as<uint32_t>(x);
        bits = (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40
                                                        : (u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    operator float() const
    {
        return bits_as<float>((uint32_t)bits << 16);
    }
};

#define OPERATORS(T)                                                                               \
    static inline T operator+(T a, T b)                                                            \
    {                                                                                              \
        return T((float)a + (float)b);                                                             \
    }                                                                                              \
    static inline T operator-(T a, T b)                                                            \
    {                                                                                              \
        return T((float)a - (float)b);                                                             \
    }                                                                                              \
    static inline T operator*(T a, T b)                                                            \
    {                                                                                              \
        return T((float)a * (float)b);                                                             \
    }                                                                                              \
    static inline T operator/(T a, T b)                                                            \
    {                                                                                              \
        return T((float)a / (float)b);                                                             \
    }                                                                                              \
    static inline T operator-(T a)                                                                 \
    {                                                                                              \
        return T(-(float)a);                                                                       \
    }                                                                                              \
    static inline T &operator+=(T &a, T b)                                                         \
    {                                                                                              \
        return a = a + b;                                                                          \
    }                                                                                              \
    static inline T &operator-=(T &a, T b)                                                         \
    {                                                                                              \
        return a = a - b;                                                                          \
    }                                                                                              \
    static inline T &operator*=(T &a, T b)                                                         \
    {                                                                                              \
        return a = a * b;                                                                          \
    }                                                                                              \
    static inline bool operator==(T a, T b)                                                        \
    {                                                                                              \
        return (float)a == (float)b;                                                               \
    }                                                                                              \
    static inline bool operator!=(T a, T b)                                                        \
    {                                                                                              \
        return (float)a != (float)b;                                                               \
    }                                                                                              \
    static inline bool operator<(T a, T b)                                                         \
    {                                                                                              \
        return (float)a < (float)b;                                                                \
    }                                                                                              \
    static inline bool operator>(T a, T b)                                                         \
    {                                                                                              \
        return (float)a > (float)b;                                                                \
    }                                                                                              \
    static inline bool operator<=(T a, T b)                                                        \
    {                                                                                              \
        return (float)a <= (float)b;                                                               \
    }                                                                                              \
    static inline bool operator>=(T a, T b)                                                        \
    {                                                                                              \
        return (float)a >= (float)b;                                                               \
    }
OPERATORS(__half)
OPERATORS(__nv_bfloat16)

#define EXTREMA(T)                                                                                 \
    static inline T min(T a, T b)                                                                  \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline T max(T a, T b)                                                                  \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
EXTREMA(int)
EXTREMA(unsigned int)
EXTREMA(long long)
EXTREMA(unsigned long long)

static inline int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __float_as_int(float x)
{
    return bits_as<int>(x);
}
static inline float __int_as_float(int x)
{
    return bits_as<float>(x);
}
static inline unsigned int __float_as_uint(float x)
{
    return bits_as<unsigned int>(x);
}
static inline float __uint_as_float(unsigned int x)
{
    return bits_as<float>(x);
}
static inline long long __double_as_longlong(double x)
{
    return bits_as<long long>(x);
}
static inline double __longlong_as_double(long long x)
{
    return bits_as<double>(x);
}
static inline unsigned short __half_as_ushort(__half x)
{
    return x.bits;
}
static inline __half __ushort_as_half(unsigned short x)
{
    return bits_as<__half>(x);
}
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x)
{
    return x.bits;
}
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x)
{
    return bits_as<__nv_bfloat16>(x);
}

#define ATOMIC(name, T, value)                                                                     \
    static inline T name(T *address, T x)                                                          \
    {                                                                                              \
        T old = *address;                                                                          \
        *address = value;                                                                          \
        return old;                                                                                \
    }
#define ATOMICS(T)                                                                                 \
    ATOMIC(atomicAdd, T, old + x)                                                                  \
    ATOMIC(atomicExch, T, x)                                                                       \
    ATOMIC(atomicMin, T, min(old, x))                                                              \
    ATOMIC(atomicMax, T, max(old, x))                                                              \
    ATOMIC(atomicAnd, T, old &x)                                                                   \
    ATOMIC(atomicOr, T, old | x)                                                                   \
    ATOMIC(atomicXor, T, old ^ x)
ATOMICS(int)
ATOMICS(unsigned int)
ATOMICS(unsigned long long)
ATOMIC(atomicSub, int, old - x)
ATOMIC(atomicSub, unsigned int, old - x)
ATOMIC(atomicMin, long long, min(old, x))
ATOMIC(atomicMax, long long, max(old, x))
ATOMIC(atomicAdd, float, old + x)
ATOMIC(atomicAdd, double, old + x)
ATOMIC(atomicExch, float, x)

#define SWAP(T)                                                                                    \
    static inline T atomicCAS(T *address, T compare, T x)                                          \
    {                                                                                              \
        T old = *address;                                                                          \
        if (old == compare)                                                                        \
            *address = x;                                                                          \
        return old;                                                                                \
    }
SWAP(int)
SWAP(unsigned int)
SWAP(unsigned long long)
SWAP(unsigned short)

static inline double normal_quantile(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 200; i++) {
        double x = (low + high) / 2;
        (0.5 * erfc(-x / sqrt(2.0)) < p ? low : high) = x;
    }
    return (low + high) / 2;
}
static inline double erfinv(double x)
{
    return x <= -1 || x >= 1 ? (x == 1    ? HUGE_VAL
                                : x == -1 ? -HUGE_VAL
                                          : NAN)
                             : normal_quantile((x + 1) / 2) / sqrt(2.0);
}
static inline double erfcinv(double x)
{
    return erfinv(1 - x);
}
static inline float erfinvf(float x)
{
    return (float)erfinv(x);
}
static inline float erfcinvf(float x)
{
    return (float)erfinv(1.0 - x);
}
