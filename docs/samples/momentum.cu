// momentum, a kernel and a host that runs it.
//
//   make && ./momentum            with nvcc; ARCH=sm_80 for another architecture
//   make cpu && ./momentum_cpu    with a C++17 compiler and cuda_on_cpu.h, without CUDA
//
// Made from momentum.py by weft 0.1.0, for Warp 1.19.0's meaning of it.

#ifndef __CUDACC_RTC__ // NVRTC compiles the kernels alone
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "cuda_on_cpu.h" // which weft writes with --cpu-shim
#endif
#endif

struct vec3 {
    float x, y, z;
};

__device__ inline vec3 operator*(float a, vec3 b)
{
    return vec3{b.x * a, b.y * a, b.z * a};
}

__device__ inline vec3 atomic_add(vec3 *address, vec3 value)
{
    vec3 old;
    old.x = atomicAdd(&address->x, value.x);
    old.y = atomicAdd(&address->y, value.y);
    old.z = atomicAdd(&address->z, value.z);
    return old;
}

__global__ void momentum(const vec3 *velocity, float mass, vec3 *total, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    atomic_add(&total[0], mass * velocity[i]);
}

#ifndef __CUDACC_RTC__ // the host

// Errors of the CUDA runtime end the program, with the place of the call.
#define CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

static void check_cuda(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(2);
}

// A copy of an array in device memory.
template <class T> static T *to_device(const T *from, size_t count)
{
    T *to = nullptr;
    CHECK(cudaMalloc(&to, count * sizeof(T)));
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <class T> static void to_host(T *to, const T *from, size_t count)
{
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));
}

// Number i of stream s: inputs are the same on every machine.
static unsigned int hash(unsigned int s, unsigned int i)
{
    unsigned int x = s * 0x9e3779b9u + i;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Odd multiples of largest / steps, between -largest and largest: exact, and never zero.
template <class T>
static void fill_floats(T *to, size_t count, unsigned int stream, int steps, double largest,
                        size_t first = 0)
{
    for (size_t i = 0; i < count; i++) {
        const int step = (int)(hash(stream, (unsigned int)(first + i)) % (unsigned int)steps);
        to[i] = T((2 * step + 1 - steps) * (largest / steps));
    }
}

static double as_double(double x)
{
    return x;
}

// Relative to what was expected, to `least` where that is smaller.
static double error_of(double got, double want, double least)
{
    if (got == want || (isnan(got) && isnan(want)))
        return 0;
    const double error = fabs(got - want) / fmax(least, fabs(want));
    return isnan(error) ? INFINITY : error;
}

// Every step-th number, the last one among them, against those expected. The largest
// error is kept for the last line.
template <class T, class E>
static bool compare_floats(const char *name, const T *got, size_t count, size_t step,
                           const E *expected, double tolerance, double least,
                           double *largest)
{
    double most = 0;
    size_t worst = 0;
    for (size_t i = (count - 1) % step; i < count; i += step) {
        const double error =
            error_of(as_double(got[i]), as_double(expected[i / step]), least);
        if (error > most) {
            most = error;
            worst = i;
        }
    }
    printf("%-24s largest error %.3g of %.3g allowed", name, most, tolerance);
    if (most > tolerance)
        printf(": number %zu is %.9g, expected %.9g", worst, as_double(got[worst]),
               as_double(expected[worst / step]));
    printf("\n");
    *largest = fmax(*largest, most);
    return most <= tolerance;
}

// Launches the kernel on copies of the arrays in device memory, brings back what it
// wrote, and gives the milliseconds that it took.
static float launch_momentum(const vec3 *velocity, float mass, vec3 *total, int n,
                             size_t velocity_count, size_t total_count)
{
    vec3 *d_velocity = to_device(velocity, velocity_count);
    vec3 *d_total = to_device(total, total_count);
    const dim3 threads(256);
    const dim3 blocks((n + threads.x - 1) / threads.x);

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
#ifdef __CUDACC__
    momentum<<<blocks, threads>>>(d_velocity, mass, d_total, n);
#else
    run_grid(momentum, blocks, threads, d_velocity, mass, d_total, n);
#endif
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));

    to_host(total, d_total, total_count);
    CHECK(cudaFree(d_velocity));
    CHECK(cudaFree(d_total));
    return milliseconds;
}

// What weft's interpreter of the Python source computed from the same inputs.
static const float expected_total[120] = {
    7.71167, 0.25191498, -8.133041, -1.4277344, -1.4550781, 1.4667969, -0.5332031, -0.5683594,
    0.033203125, 0.009765625, -1.0371094, 1.0957031, -0.060546875, 0.8300781, -0.41601562,
    1.2597656, -0.7011719, -0.5488281, -1.4941406, -1.1230469, -1.2285156, 1.7167969, 0.8339844,
    -0.5839844, 0.5019531, 1.2714844, 0.20507812, -0.9160156, -1.4628906, -1.3535156, 0.7636719,
    -1.2011719, -0.5371094, -1.5722656, 0.064453125, -0.18164062, 0.5449219, 0.115234375,
    -0.36132812, 0.6660156, 1.3730469, -0.8925781, 0.072265625, -0.22460938, 1.5214844, 1.3457031,
    1.8222656, -0.7011719, 1.2402344, 0.6113281, 0.31835938, -1.9160156, 1.3574219, 0.025390625,
    0.5097656, -0.091796875, 1.4667969, 0.6035156, 0.6894531, -1.0136719, 0.45898438, -1.5722656,
    -0.8613281, -0.13476562, 0.35742188, 0.38476562, 1.3808594, 1.5097656, 1.6152344, 0.5019531,
    0.107421875, 0.8300781, -1.7167969, 1.7050781, -1.0449219, -0.20117188, -0.6621094, 1.5292969,
    0.28710938, 0.119140625, 1.4550781, 1.8808594, -1.8027344, -1.5683594, -1.8691406, -0.27148438,
    -1.0371094, -1.8808594, -1.7832031, 1.7402344, 1.8105469, -1.0683594, -1.4511719, 1.6816406,
    -0.5058594, 0.39257812, -1.2949219, 0.40820312, 0.49804688, 1.6425781, -0.34570312, -1.3496094,
    -0.45898438, 0.45507812, -0.9707031, -0.30273438, 1.2910156, -1.0332031, 0.23242188, 1.5839844,
    -0.20117188, -0.7167969, 1.3144531, -0.36914062, -1.9082031, 0.041015625, -1.6152344,
    -1.7988281, 0.5253906, -0.47460938};

int main()
{
    const float mass = 0.6191406f;
    const int n = 40;
    static vec3 velocity[40];
    fill_floats((float *)velocity, 120, 1u, 1024, 2.0);
    static vec3 total[40];
    fill_floats((float *)total, 120, 3u, 1024, 2.0);

    const float time = launch_momentum(velocity, mass, total, n, 40, 40);
    printf("momentum took %.3f ms\n", (double)time);

    // Errors: fused multiply-adds, CUDA's mathematical functions and the order of
    // atomics round otherwise; what is allowed grows with the functions called.
    bool passed = true;
    double largest = 0;
    passed &= compare_floats("total", (float *)total, 120, 1, expected_total, 6.4e-05, 1, &largest);

    printf("%s: largest error %.3g\n", passed ? "PASS" : "FAIL", largest);
    return passed ? 0 : 1;
}

#endif
