__global__ void k(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    printf(R"text(a " and ) and {
# no directive)text"); x[i] = 0.0f;
}
