__global__ int k(float *x)
{
    x[threadIdx.x] = 1.0f;
}
__global__ int y;
