// saxpy, a kernel and a host that runs it.
//
//   make && ./saxpy            with nvcc; ARCH=sm_80 for another architecture
//   make cpu && ./saxpy_cpu    with a C++17 compiler, without CUDA
//
// Made from saxpy.py by weft 0.1.0, for Warp 1.19.0's meaning of it.

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "cuda_on_cpu.h"
#endif

__global__ void saxpy(float a, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    y[i] = a * x[i] + y[i];
}

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

// Relative to what was expected, absolute where that is below 1.
static double error_of(double got, double want)
{
    if (got == want || (isnan(got) && isnan(want)))
        return 0;
    const double error = fabs(got - want) / fmax(1.0, fabs(want));
    return isnan(error) ? INFINITY : error;
}

// Every step-th number against those expected. The largest error is kept for the last line.
template <class T, class E>
static bool compare_floats(const char *name, const T *got, size_t count, size_t step,
                           const E *expected, double tolerance, double *largest)
{
    double most = 0;
    size_t worst = 0;
    for (size_t i = 0; i < count; i += step) {
        const double error = error_of(as_double(got[i]), as_double(expected[i / step]));
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
static const float expected_y[277] = {
    -0.6793785, 0.90164566, -2.0735664, -1.0451851, -1.265789, 0.4435768, -0.9634056, -1.1071053,
    -0.26992416, -0.53692245, -0.8372307, 0.76874924, -0.83491135, 0.63549423, -1.5980797,
    0.68925095, -1.499363, -1.5932274, -1.2704353, -2.0218391, -2.2570305, 1.7313576, 0.011966705,
    -1.4218864, 1.1518898, 1.6566811, -0.68312454, -0.8829231, -1.9036827, -0.75387955, 1.455967,
    -2.3488197, -1.438549, -2.3757515, 1.1803322, -0.13266373, 1.435772, -0.9212227, -0.43942642,
    -0.25395584, 0.5616188, -1.841671, 0.9551735, -0.71305466, 1.9543343, 0.57928085, 0.81757736,
    0.39882278, 2.3084602, 0.30025864, 1.060955, -3.0424843, 0.4903984, 0.12731552, 1.1252861,
    -0.26520157, 2.3205833, -0.7268028, 0.844326, -2.2380943, 0.05790329, -1.5921211, -0.30405045,
    -0.8350029, 0.59171677, 0.19018173, 1.2498131, 1.7731819, 1.2035637, -0.65363693, 0.75471115,
    2.1524544, -1.6069298, 2.9533272, -1.7266273, 0.13637161, -1.0737801, 1.3400078, 1.4188728,
    -0.58374405, 1.504055, 2.7796516, -2.1111565, -0.21686172, -1.3462791, -1.4932594, -1.6261559,
    -2.9649696, -1.5091972, 1.1379509, 1.9045296, -1.7209435, -1.163929, 0.40691757, -1.3066978,
    0.957798, -2.2863731, 1.6273308, -0.4722252, 1.254734, -0.15641403, -0.4216957, 0.4000969,
    -0.8831825, -0.01896286, 0.9322777, 2.3062935, -1.9849434, 0.34493637, 0.7699089, 0.7320366,
    -1.8538551, 0.37065506, -0.21426773, -2.632267, 0.7465477, -1.2644539, -0.97151566, 1.3262291,
    -0.79097366, -2.1793098, -2.5303917, 1.6438103, -1.7979851, 1.0169716, 0.34179306, 0.031169891,
    -1.0897102, 0.48054886, 1.8993034, -2.0973167, -2.1350975, -1.0359154, -1.1927681, -0.18819046,
    -2.2213707, 1.1850395, -2.5333595, -1.70615, 0.6984291, -2.6019783, -1.9337044, -0.2726326,
    0.145504, 0.93922806, 1.195713, -0.844059, 2.1284676, 0.6803093, -1.1774788, -1.2540474,
    0.60352707, -1.4328499, -0.5165367, 0.9266014, 3.0232124, -0.834507, 2.6809196, -1.0443382,
    0.91983414, 2.004902, -1.7182426, -0.22220993, 2.1249352, 1.0670738, -0.45222855, 2.0465736,
    -0.027172089, -0.55430984, -0.9630623, -0.07187271, 0.4405403, 0.42781448, -1.1033821,
    -1.9481697, 2.3765526, 2.6384544, 0.24470901, 1.4670296, 1.566555, -1.1942711, -1.0871849,
    -0.83288956, -0.012226105, -0.6836815, 2.0743752, 1.1122627, 1.4539223, -2.8989525, -0.08564377,
    0.3886757, 2.288311, 0.12628555, -0.94522476, 0.13120651, -0.7889061, 0.53770065, 0.7023659,
    -1.5456352, 0.6295738, 2.1752968, 1.0624657, 0.37073898, 0.71305466, 1.5363045, 0.3828392,
    0.19991684, -0.2904396, 0.5454216, 2.7865257, -1.3124962, -0.5101509, 0.5700798, -2.9730263,
    0.85048294, 1.916111, -0.6180687, 1.0004616, -2.217884, 1.0422173, 1.0504341, -2.5900383,
    1.2909126, 2.3735466, -0.7528572, 2.4030266, -0.3024559, -0.5710335, 0.62137985, -2.025753,
    2.864071, -1.0394478, 0.012676239, -0.17539597, 0.88599014, -0.82126236, 1.6314507, 0.5575218,
    -0.5757179, -1.4314766, 0.08312607, -1.5150261, 0.1877861, 0.33404922, 1.0473442, -0.81726456,
    1.9214973, -0.54419327, 1.3040581, -0.920948, 1.3901329, -0.26127243, 0.5394478, -0.072078705,
    -1.3932991, -0.6090431, 1.6237221, 0.4112358, -0.06243515, 2.207615, -0.679615, 2.4686546,
    0.31703568, 1.8153191, -0.8533058, 1.1665611, -1.6941261, 2.3919716, 0.5949364, 0.5098381,
    0.100292206, -2.5741005, -1.2327614, 1.9617882, 2.5790672, -0.23927689, -1.1021004};

int main()
{
    const float a = -0.6777344f;
    const int n = 277;
    static float x[277];
    fill_floats(x, 277, 2u, 1024, 2.0);
    static float y[277];
    fill_floats(y, 277, 3u, 1024, 2.0);

    const float time = launch_saxpy(a, x, y, n, 277, 277);
    printf("saxpy took %.3f ms\n", (double)time);

    // Errors: fused multiply-adds, CUDA's mathematical functions and the order of
    // atomics round otherwise; twice what was measured is allowed and more.
    bool passed = true;
    double largest = 0;
    passed &= compare_floats("y", y, 277, 1, expected_y, 0.00013, &largest);

    printf("%s: largest error %.3g\n", passed ? "PASS" : "FAIL", largest);
    return passed ? 0 : 1;
}
