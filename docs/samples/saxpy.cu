// saxpy, a kernel and a host that runs it.
//
//   make && ./saxpy            with nvcc; ARCH=sm_80 for another architecture
//   make cpu && ./saxpy_cpu    with a C++17 compiler and cuda_on_cpu.h, without CUDA
//
// Made from saxpy.py by weft 0.1.0, for Warp 1.19.0's meaning of it.

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

__global__ void saxpy(float a, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    y[i] = a * x[i] + y[i];
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
static float launch_saxpy(float a, const float *x, float *y, int n, size_t x_count, size_t y_count)
{
    float *d_x = to_device(x, x_count);
    float *d_y = to_device(y, y_count);
    const dim3 threads(256);
    const dim3 blocks((n + threads.x - 1) / threads.x);

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
#ifdef __CUDACC__
    saxpy<<<blocks, threads>>>(a, d_x, d_y, n);
#else
    run_grid(saxpy, blocks, threads, a, d_x, d_y, n);
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

// What weft's interpreter of the Python source computed from the same inputs.
static const float expected_y[40] = {
    -0.6793785, 0.90164566, -2.0735664, -1.0451851, -1.265789, 0.4435768, -0.9634056, -1.1071053,
    -0.26992416, -0.53692245, -0.8372307, 0.76874924, -0.83491135, 0.63549423, -1.5980797,
    0.68925095, -1.499363, -1.5932274, -1.2704353, -2.0218391, -2.2570305, 1.7313576, 0.011966705,
    -1.4218864, 1.1518898, 1.6566811, -0.68312454, -0.8829231, -1.9036827, -0.75387955, 1.455967,
    -2.3488197, -1.438549, -2.3757515, 1.1803322, -0.13266373, 1.435772, -0.9212227, -0.43942642,
    -0.25395584};

int main()
{
    const float a = -0.6777344f;
    const int n = 40;
    static float x[40];
    fill_floats(x, 40, 2u, 1024, 2.0);
    static float y[40];
    fill_floats(y, 40, 3u, 1024, 2.0);

    const float time = launch_saxpy(a, x, y, n, 40, 40);
    printf("saxpy took %.3f ms\n", (double)time);

    // Errors: fused multiply-adds, CUDA's mathematical functions and the order of
    // atomics round otherwise; what is allowed grows with the functions called.
    bool passed = true;
    double largest = 0;
    passed &= compare_floats("y", y, 40, 1, expected_y, 6.4e-05, 1, &largest);

    printf("%s: largest error %.3g\n", passed ? "PASS" : "FAIL", largest);
    return passed ? 0 : 1;
}

#endif
