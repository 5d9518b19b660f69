// Brackets in comments ( [ { and "strings" do not count. /* nor these ) */
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define OPEN {
#else
void host_only( {
#endif

/* ( */
struct pair {
    float a, b;
};

__device__ static inline float total(pair p)
{
    const char *s = "( \" { \
[";
    return p.a + p.b + (s[0] == '(') + (s[1] == '"');
}

__global__ void __launch_bounds__(256) sum(const float *__restrict__ x, int x_n, pair p, float (*f)(int, int), float out[])
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= x_n)
        return;
    out[i] = x[i] + total(p);
}

extern "C" __global__ void STRIDE(float *x, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = 0.0f;
}

template <typename A, int N = 3>
__global__ void later(A a);
