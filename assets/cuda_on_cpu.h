// SPDX-License-Identifier: Apache-2.0
// CUDA on the CPU: as much of the CUDA runtime as the programs beside this file use, for a C++17
// compiler. A grid's threads run one after the other, in the order of their indexes; those of a
// block take turns at each __syncthreads() if run_blocks runs them.
// Written by weft; used by `make cpu`, never by nvcc.
#ifndef CUDA_ON_CPU_H
#define CUDA_ON_CPU_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <math.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
// One block runs at a time.
#define __shared__ static

// --- launches

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

// kernel<<<blocks, threads>>>(args...)
template <class... Params, class... Args>
void run_grid(void (*kernel)(Params...), dim3 blocks, dim3 threads, Args... args)
{
    gridDim = blocks;
    blockDim = threads;
    for (blockIdx.z = 0; blockIdx.z < blocks.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < blocks.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < blocks.x; blockIdx.x++)
                for (threadIdx.z = 0; threadIdx.z < threads.z; threadIdx.z++)
                    for (threadIdx.y = 0; threadIdx.y < threads.y; threadIdx.y++)
                        for (threadIdx.x = 0; threadIdx.x < threads.x; threadIdx.x++)
                            kernel(args...);
}

// The same where the threads of a block wait for each other: each has a stack of its own, and runs
// up to its next __syncthreads().
struct cpu_block {
    std::function<void()> thread;
    ucontext_t turns, contexts[1024];
    bool done[1024];
    unsigned now;
};
inline cpu_block *cpu_running;

inline void __syncthreads()
{
    swapcontext(&cpu_running->contexts[cpu_running->now], &cpu_running->turns);
}
inline void cpu_run_thread()
{
    cpu_running->thread();
    cpu_running->done[cpu_running->now] = true;
}
inline void cpu_run_block(cpu_block *block, char *stacks, size_t stack)
{
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    for (unsigned i = 0; i < count; i++) {
        getcontext(&block->contexts[i]);
        block->contexts[i].uc_stack.ss_sp = stacks + i * stack;
        block->contexts[i].uc_stack.ss_size = stack;
        block->contexts[i].uc_link = &block->turns;
        block->done[i] = false;
        makecontext(&block->contexts[i], cpu_run_thread, 0);
    }
    for (unsigned left = count; left;) {
        for (unsigned i = 0; i < count; i++) {
            if (block->done[i])
                continue;
            block->now = i;
            threadIdx = {i % blockDim.x, i / blockDim.x % blockDim.y,
                         i / (blockDim.x * blockDim.y)};
            swapcontext(&block->turns, &block->contexts[i]);
            left -= block->done[i];
        }
    }
}
template <class... Params, class... Args>
void run_blocks(void (*kernel)(Params...), dim3 blocks, dim3 threads, Args... args)
{
    const size_t stack = 128 << 10;
    cpu_block block;
    char *stacks = static_cast<char *>(std::malloc(threads.x * threads.y * threads.z * stack));
    block.thread = [&] { kernel(args...); };
    cpu_running = &block;
    gridDim = blocks;
    blockDim = threads;
    for (blockIdx.z = 0; blockIdx.z < blocks.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < blocks.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < blocks.x; blockIdx.x++)
                cpu_run_block(&block, stacks, stack);
    std::free(stacks);
}

// --- the runtime

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorIllegalAddress = 700 };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};

inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess                 ? "no error"
           : error == cudaErrorMemoryAllocation ? "out of memory"
                                                : "a kernel wrote outside of an array";
}
inline cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}
// Between two fences of bytes, small numbers to floats, so that what is added to them shows.
template <class T> cudaError_t cudaMalloc(T **to, size_t bytes)
{
    const size_t fence = 256;
    unsigned char *p = static_cast<unsigned char *>(std::malloc(bytes + 2 * fence));
    if (!p)
        return cudaErrorMemoryAllocation;
    std::memset(p, 0x3c, fence);
    std::memset(p + fence + bytes, 0x3c, fence);
    std::memcpy(p, &bytes, sizeof bytes);
    *to = reinterpret_cast<T *>(p + fence);
    return cudaSuccess;
}
// An error where a kernel wrote on a fence.
inline cudaError_t cudaFree(void *array)
{
    const size_t fence = 256;
    size_t bytes, changed = 0;
    if (!array)
        return cudaSuccess;
    unsigned char *p = static_cast<unsigned char *>(array) - fence;
    std::memcpy(&bytes, p, sizeof bytes);
    for (size_t i = sizeof bytes; i < fence; i++)
        changed += p[i] != 0x3c;
    for (size_t i = 0; i < fence; i++)
        changed += p[fence + bytes + i] != 0x3c;
    std::free(p);
    return changed ? cudaErrorIllegalAddress : cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    if (bytes)
        std::memcpy(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    if (bytes)
        std::memset(to, byte, bytes);
    return cudaSuccess;
}

typedef std::clock_t *cudaEvent_t;
inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new std::clock_t(0);
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    *event = std::clock();
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    *milliseconds = static_cast<float>(*to - *from) * 1000.0f / static_cast<float>(CLOCKS_PER_SEC);
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

// --- numbers that CUDA knows and C++ does not

#define CPU_MIN_MAX(T)                                                                             \
    inline T min(T a, T b)                                                                         \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    inline T max(T a, T b)                                                                         \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
CPU_MIN_MAX(int)
CPU_MIN_MAX(unsigned)
CPU_MIN_MAX(long)
CPU_MIN_MAX(unsigned long)
CPU_MIN_MAX(long long)
CPU_MIN_MAX(unsigned long long)
#undef CPU_MIN_MAX
inline float min(float a, float b)
{
    return fminf(a, b);
}
inline float max(float a, float b)
{
    return fmaxf(a, b);
}
inline double min(double a, double b)
{
    return fmin(a, b);
}
inline double max(double a, double b)
{
    return fmax(a, b);
}
// Halves an interval: as exact as erfc is.
inline double erfcinv(double x)
{
    double low = -40, high = 40;
    if (!(x > 0 && x < 2))
        return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (erfc(middle) > x)
            low = middle;
        else
            high = middle;
    }
    return low;
}
inline float erfcinvf(float x)
{
    return static_cast<float>(erfcinv(static_cast<double>(x)));
}
inline double erfinv(double x)
{
    return x < 0 ? erfcinv(1 - x) : -erfcinv(1 + x);
}
inline float erfinvf(float x)
{
    return static_cast<float>(erfinv(static_cast<double>(x)));
}
inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
inline float __fdividef(float a, float b)
{
    return a / b;
}
template <class To, class From> To cpu_same_bits(From x)
{
    static_assert(sizeof(To) == sizeof(From), "one size");
    To y;
    std::memcpy(&y, &x, sizeof y);
    return y;
}
inline int __float_as_int(float x)
{
    return cpu_same_bits<int>(x);
}
inline unsigned __float_as_uint(float x)
{
    return cpu_same_bits<unsigned>(x);
}
inline float __int_as_float(int x)
{
    return cpu_same_bits<float>(x);
}
inline float __uint_as_float(unsigned x)
{
    return cpu_same_bits<float>(x);
}
inline long long __double_as_longlong(double x)
{
    return cpu_same_bits<long long>(x);
}
inline double __longlong_as_double(long long x)
{
    return cpu_same_bits<double>(x);
}
inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
inline int __clz(int x)
{
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
inline int __clzll(long long x)
{
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
inline unsigned __brev(unsigned x)
{
    unsigned y = 0;
    for (int i = 0; i < 32; i++)
        y |= (x >> i & 1u) << (31 - i);
    return y;
}
inline unsigned long long __brevll(unsigned long long x)
{
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}

// --- __half and __nv_bfloat16: rounded to the nearest, ties to even, after every operation

// To `digits` binary digits, or fewer near zero: no unit is below 2^least.
inline double cpu_round(double x, int digits, int least, double most)
{
    int exponent;
    if (x == 0 || !std::isfinite(x))
        return x;
    std::frexp(x, &exponent);
    const int unit = exponent - digits > least ? exponent - digits : least;
    const double y = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
    return std::fabs(y) > most ? std::copysign(HUGE_VAL, x) : y;
}
// An integer in 53 bits; a bit stands for those that are lost, so that it rounds on as the whole.
inline double cpu_sticky(unsigned long long x)
{
    const unsigned long long low = x & 0xfff;
    return x >> 53 ? static_cast<double>((x & ~0xfffull) | (low ? 0x800u : 0u))
                   : static_cast<double>(x);
}
inline double cpu_sticky(long long x)
{
    return x < 0 ? -cpu_sticky(0ull - static_cast<unsigned long long>(x))
                 : cpu_sticky(static_cast<unsigned long long>(x));
}

struct cpu_half_format {
    static unsigned short encode(double x)
    {
        const double y = cpu_round(x, 11, -24, 65504.0), size = std::fabs(y);
        const unsigned sign = std::signbit(y) ? 0x8000u : 0u;
        int exponent;
        if (std::isnan(y))
            return 0x7fff;
        if (std::isinf(y))
            return static_cast<unsigned short>(sign | 0x7c00u);
        if (size < 0x1p-14)
            return static_cast<unsigned short>(sign | static_cast<unsigned>(size * 0x1p24));
        const double digits = std::frexp(size, &exponent) * 0x1p11 - 0x1p10;
        return static_cast<unsigned short>(sign | static_cast<unsigned>(exponent + 14) << 10 |
                                           static_cast<unsigned>(digits));
    }
    static float decode(unsigned short bits)
    {
        const int exponent = bits >> 10 & 31, digits = bits & 1023;
        const float size = exponent == 31 ? (digits ? NAN : INFINITY)
                           : exponent == 0
                               ? static_cast<float>(digits) * 0x1p-24f
                               : std::ldexp(static_cast<float>(digits + 1024), exponent - 25);
        return bits & 0x8000 ? -size : size;
    }
};
struct cpu_bfloat16_format {
    static unsigned short encode(double x)
    {
        const float y = static_cast<float>(cpu_round(x, 8, -133, 0x1.fep127));
        return std::isnan(y) ? static_cast<unsigned short>(0x7fff)
                             : static_cast<unsigned short>(__float_as_uint(y) >> 16);
    }
    static float decode(unsigned short bits)
    {
        return __uint_as_float(static_cast<unsigned>(bits) << 16);
    }
};

template <class Format> struct cpu_narrow {
    unsigned short bits;

    cpu_narrow() = default;
    cpu_narrow(float x) : bits(Format::encode(static_cast<double>(x))) {}
    cpu_narrow(double x) : bits(Format::encode(x)) {}
    cpu_narrow(short x) : bits(Format::encode(x)) {}
    cpu_narrow(unsigned short x) : bits(Format::encode(x)) {}
    cpu_narrow(int x) : bits(Format::encode(x)) {}
    cpu_narrow(unsigned x) : bits(Format::encode(x)) {}
    cpu_narrow(long x) : bits(Format::encode(cpu_sticky(static_cast<long long>(x)))) {}
    cpu_narrow(unsigned long x)
        : bits(Format::encode(cpu_sticky(static_cast<unsigned long long>(x))))
    {
    }
    cpu_narrow(long long x) : bits(Format::encode(cpu_sticky(x))) {}
    cpu_narrow(unsigned long long x) : bits(Format::encode(cpu_sticky(x))) {}
    operator float() const { return Format::decode(bits); }
    double wide() const { return static_cast<double>(Format::decode(bits)); }

    friend cpu_narrow operator+(const cpu_narrow &a, const cpu_narrow &b)
    {
        return cpu_narrow(a.wide() + b.wide());
    }
    friend cpu_narrow operator-(const cpu_narrow &a, const cpu_narrow &b)
    {
        return cpu_narrow(a.wide() - b.wide());
    }
    friend cpu_narrow operator*(const cpu_narrow &a, const cpu_narrow &b)
    {
        return cpu_narrow(a.wide() * b.wide());
    }
    friend cpu_narrow operator/(const cpu_narrow &a, const cpu_narrow &b)
    {
        return cpu_narrow(static_cast<float>(a) / static_cast<float>(b));
    }
    friend cpu_narrow operator+(const cpu_narrow &a) { return a; }
    friend cpu_narrow operator-(const cpu_narrow &a)
    {
        cpu_narrow b = a;
        b.bits ^= 0x8000u;
        return b;
    }
    friend cpu_narrow &operator+=(cpu_narrow &a, const cpu_narrow &b) { return a = a + b; }
    friend cpu_narrow &operator-=(cpu_narrow &a, const cpu_narrow &b) { return a = a - b; }
    friend cpu_narrow &operator*=(cpu_narrow &a, const cpu_narrow &b) { return a = a * b; }
    friend cpu_narrow &operator/=(cpu_narrow &a, const cpu_narrow &b) { return a = a / b; }
    friend bool operator==(const cpu_narrow &a, const cpu_narrow &b)
    {
        return a.wide() == b.wide();
    }
    friend bool operator!=(const cpu_narrow &a, const cpu_narrow &b)
    {
        return a.wide() != b.wide();
    }
    friend bool operator<(const cpu_narrow &a, const cpu_narrow &b) { return a.wide() < b.wide(); }
    friend bool operator<=(const cpu_narrow &a, const cpu_narrow &b)
    {
        return a.wide() <= b.wide();
    }
    friend bool operator>(const cpu_narrow &a, const cpu_narrow &b) { return a.wide() > b.wide(); }
    friend bool operator>=(const cpu_narrow &a, const cpu_narrow &b)
    {
        return a.wide() >= b.wide();
    }
};
typedef cpu_narrow<cpu_half_format> __half;
typedef cpu_narrow<cpu_bfloat16_format> __nv_bfloat16;

inline __half __float2half(float x)
{
    return __half(x);
}
inline __half __float2half_rn(float x)
{
    return __half(x);
}
inline __half __double2half(double x)
{
    return __half(x);
}
inline float __half2float(__half x)
{
    return x;
}
inline __half __ushort_as_half(unsigned short bits)
{
    __half x;
    x.bits = bits;
    return x;
}
inline unsigned short __half_as_ushort(__half x)
{
    return x.bits;
}
inline __nv_bfloat16 __float2bfloat16(float x)
{
    return __nv_bfloat16(x);
}
inline __nv_bfloat16 __float2bfloat16_rn(float x)
{
    return __nv_bfloat16(x);
}
inline __nv_bfloat16 __double2bfloat16(double x)
{
    return __nv_bfloat16(x);
}
inline float __bfloat162float(__nv_bfloat16 x)
{
    return x;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 x;
    x.bits = bits;
    return x;
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x)
{
    return x.bits;
}

#define CPU_NARROW(name, of_float)                                                                 \
    template <class Format> cpu_narrow<Format> name(cpu_narrow<Format> a)                          \
    {                                                                                              \
        const float x = a;                                                                         \
        return cpu_narrow<Format>(of_float);                                                       \
    }
CPU_NARROW(hsin, sinf(x))
CPU_NARROW(hcos, cosf(x))
CPU_NARROW(hexp, expf(x))
CPU_NARROW(hexp2, exp2f(x))
CPU_NARROW(hlog, logf(x))
CPU_NARROW(hlog2, log2f(x))
CPU_NARROW(hlog10, log10f(x))
CPU_NARROW(hsqrt, sqrtf(x))
CPU_NARROW(hrsqrt, 1.0f / sqrtf(x))
CPU_NARROW(hrcp, 1.0f / x)
CPU_NARROW(hfloor, floorf(x))
CPU_NARROW(hceil, ceilf(x))
CPU_NARROW(htrunc, truncf(x))
CPU_NARROW(hrint, nearbyintf(x))
CPU_NARROW(htanh, tanhf(x))
CPU_NARROW(__habs, fabsf(x))
CPU_NARROW(__hneg, -x)
#undef CPU_NARROW
#define CPU_NARROW2(name, of_floats)                                                               \
    template <class Format> cpu_narrow<Format> name(cpu_narrow<Format> a, cpu_narrow<Format> b)    \
    {                                                                                              \
        const float x = a, y = b;                                                                  \
        return cpu_narrow<Format>(of_floats);                                                      \
    }
CPU_NARROW2(__hadd, x + y)
CPU_NARROW2(__hsub, x - y)
CPU_NARROW2(__hmul, x *y)
CPU_NARROW2(__hdiv, x / y)
CPU_NARROW2(__hmin, fminf(x, y))
CPU_NARROW2(__hmax, fmaxf(x, y))
#undef CPU_NARROW2
template <class Format>
cpu_narrow<Format> __hfma(cpu_narrow<Format> a, cpu_narrow<Format> b, cpu_narrow<Format> c)
{
    return cpu_narrow<Format>(std::fma(a.wide(), b.wide(), c.wide()));
}
template <class Format> bool __hisnan(cpu_narrow<Format> x)
{
    return std::isnan(static_cast<float>(x));
}
template <class Format> int __hisinf(cpu_narrow<Format> x)
{
    return std::isinf(static_cast<float>(x)) ? (x.bits & 0x8000 ? -1 : 1) : 0;
}

// --- atomics: of one thread, with the value that was there before

#define CPU_ATOMIC(name, T, new_value)                                                             \
    inline T name(T *at, T x)                                                                      \
    {                                                                                              \
        const T old = *at;                                                                         \
        *at = new_value;                                                                           \
        return old;                                                                                \
    }
CPU_ATOMIC(atomicAdd, int,
           cpu_same_bits<int>(cpu_same_bits<unsigned>(old) + cpu_same_bits<unsigned>(x)))
CPU_ATOMIC(atomicAdd, unsigned, old + x)
CPU_ATOMIC(atomicAdd, unsigned long long, old + x)
CPU_ATOMIC(atomicAdd, float, old + x)
CPU_ATOMIC(atomicAdd, double, old + x)
CPU_ATOMIC(atomicAdd, __half, old + x)
CPU_ATOMIC(atomicAdd, __nv_bfloat16, old + x)
CPU_ATOMIC(atomicSub, int,
           cpu_same_bits<int>(cpu_same_bits<unsigned>(old) - cpu_same_bits<unsigned>(x)))
CPU_ATOMIC(atomicSub, unsigned, old - x)
CPU_ATOMIC(atomicMin, int, x < old ? x : old)
CPU_ATOMIC(atomicMin, unsigned, x < old ? x : old)
CPU_ATOMIC(atomicMin, long long, x < old ? x : old)
CPU_ATOMIC(atomicMin, unsigned long long, x < old ? x : old)
CPU_ATOMIC(atomicMax, int, x > old ? x : old)
CPU_ATOMIC(atomicMax, unsigned, x > old ? x : old)
CPU_ATOMIC(atomicMax, long long, x > old ? x : old)
CPU_ATOMIC(atomicMax, unsigned long long, x > old ? x : old)
CPU_ATOMIC(atomicAnd, int, old &x)
CPU_ATOMIC(atomicAnd, unsigned, old &x)
CPU_ATOMIC(atomicAnd, unsigned long long, old &x)
CPU_ATOMIC(atomicOr, int, old | x)
CPU_ATOMIC(atomicOr, unsigned, old | x)
CPU_ATOMIC(atomicOr, unsigned long long, old | x)
CPU_ATOMIC(atomicXor, int, old ^ x)
CPU_ATOMIC(atomicXor, unsigned, old ^ x)
CPU_ATOMIC(atomicXor, unsigned long long, old ^ x)
CPU_ATOMIC(atomicExch, int, x)
CPU_ATOMIC(atomicExch, unsigned, x)
CPU_ATOMIC(atomicExch, unsigned long long, x)
CPU_ATOMIC(atomicExch, float, x)
#undef CPU_ATOMIC
#define CPU_CAS(T)                                                                                 \
    inline T atomicCAS(T *at, T expected, T x)                                                     \
    {                                                                                              \
        const T old = *at;                                                                         \
        if (old == expected)                                                                       \
            *at = x;                                                                               \
        return old;                                                                                \
    }
CPU_CAS(int)
CPU_CAS(unsigned)
CPU_CAS(unsigned long long)
CPU_CAS(unsigned short)
#undef CPU_CAS

#endif
