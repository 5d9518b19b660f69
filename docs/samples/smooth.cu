// smooth, a kernel and a host that runs it.
//
//   make && ./smooth            with nvcc; ARCH=sm_80 for another architecture
//   make cpu && ./smooth_cpu    with a C++17 compiler and cuda_on_cpu.h, without CUDA
//
// Made from smooth.py by weft 0.1.0, for Warp 1.19.0's meaning of it.

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

__global__ void smooth(const float *x, int x_n, int radius, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float sum = 0.0f;
    for (int j = i - radius; j < i + radius + 1; ++j) {
        if (j >= 0 && j < x_n) {
            sum += x[j];
        }
    }
    y[i] = sum / (float)(2 * radius + 1);
}

__global__ void smooth_backward(float *adj_x, int x_n, int radius, float *adj_y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float adj_quotient = adj_y[i];
    adj_y[i] = 0.0f;
    const float adj_sum = adj_quotient / (float)(2 * radius + 1);
    for (int j = i + radius + 1 - 1; j >= i - radius; --j) {
        const bool condition = j >= 0 && j < x_n;
        if (condition) {
            atomicAdd(&adj_x[j], adj_sum);
        }
    }
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
static float launch_smooth(const float *x, int x_n, int radius, float *y, int n, size_t y_count)
{
    float *d_x = to_device(x, x_n);
    float *d_y = to_device(y, y_count);
    const dim3 threads(256);
    const dim3 blocks((n + threads.x - 1) / threads.x);

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
#ifdef __CUDACC__
    smooth<<<blocks, threads>>>(d_x, x_n, radius, d_y, n);
#else
    run_grid(smooth, blocks, threads, d_x, x_n, radius, d_y, n);
#endif
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));

    to_host(y, d_y, y_count);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return milliseconds;
}

// Launches the kernel on copies of the arrays in device memory, brings back what it
// added to the gradients, and gives the milliseconds that it took.
static float launch_smooth_backward(float *adj_x, int x_n, int radius, float *adj_y, int n,
                                    size_t adj_y_count)
{
    float *d_adj_x = to_device(adj_x, x_n);
    float *d_adj_y = to_device(adj_y, adj_y_count);
    const dim3 threads(256);
    const dim3 blocks((n + threads.x - 1) / threads.x);

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
#ifdef __CUDACC__
    smooth_backward<<<blocks, threads>>>(d_adj_x, x_n, radius, d_adj_y, n);
#else
    run_grid(smooth_backward, blocks, threads, d_adj_x, x_n, radius, d_adj_y, n);
#endif
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));

    to_host(adj_x, d_adj_x, x_n);
    to_host(adj_y, d_adj_y, adj_y_count);
    CHECK(cudaFree(d_adj_x));
    CHECK(cudaFree(d_adj_y));
    return milliseconds;
}

// What weft's interpreter of the Python source computed from the same inputs;
// gradients: what Warp's backward pass gives.
static const float expected_y[40] = {
    0.3513021, 0.3761719, 0.49557292, 0.40533856, 0.43203124, 0.5358073, 0.5018229, 0.43190104,
    0.43242186, 0.41783854, 0.29309896, 0.09127604, -0.114973955, -0.08841146, -0.2983073,
    -0.5529948, -0.5358073, -0.524349, -0.51289064, -0.5514323, -0.6141927, -0.47278646, -0.3839844,
    -0.2670573, -0.20195313, -0.04283854, 0.08111979, 0.22070312, 0.10507812, 0.21523437, 0.3233073,
    0.16054687, 0.08268229, 0.16145833, 0.17330728, 0.13229166, 0.024869792, 0.005989583,
    -0.06627604, -0.13046876};
static const float expected_adj_x[40] = {
    -0.13554686, -0.0783203, -0.032552075, -0.07740885, -0.017578121, -0.057617184, -0.005729161,
    0.044856776, 0.12089843, 0.18483074, 0.17779948, 0.25813803, 0.27467448, 0.30175778, 0.28365883,
    0.3222005, 0.2919922, 0.23665363, 0.22467448, 0.14563802, 0.24082032, 0.16516928, 0.053841177,
    0.08821617, 0.061653644, -0.015039071, -0.028450523, 0.05214844, 0.0055338405, 0.07792969,
    0.046028644, -0.03144532, -0.055273443, 0.001562506, 0.020768225, -0.034375, -0.010611981,
    0.050130215, -0.002408862, -0.010677084};
static const float expected_adj_y[40] = {};

int main()
{
    const int x_n = 40;
    const int radius = 7;
    const int n = 40;
    static float x[40];
    fill_floats(x, 40, 1u, 1024, 2.0);
    static float y[40];
    fill_floats(y, 40, 3u, 1024, 2.0);

    const float time = launch_smooth(x, x_n, radius, y, n, 40);
    printf("smooth took %.3f ms\n", (double)time);

    // Errors: fused multiply-adds, CUDA's mathematical functions and the order of
    // atomics round otherwise; what is allowed grows with the functions called.
    bool passed = true;
    double largest = 0;
    passed &= compare_floats("y", y, 40, 1, expected_y, 6.4e-05, 0.61, &largest);

    // Gradients of what was written are given, all others begin at zero.
    static float adj_x[40];
    static float adj_y[40];
    fill_floats(adj_y, 40, 62u, 1024, 1.0);
    const float backward_time = launch_smooth_backward(adj_x, x_n, radius, adj_y, n, 40);
    printf("smooth_backward took %.3f ms\n", (double)backward_time);
    passed &= compare_floats("gradient of x", adj_x, 40, 1, expected_adj_x, 6.4e-05, 0.32, &largest);
    passed &= compare_floats("gradient of y", adj_y, 40, 1, expected_adj_y, 6.4e-05, 1, &largest);

    printf("%s: largest error %.3g\n", passed ? "PASS" : "FAIL", largest);
    return passed ? 0 : 1;
}

#endif
