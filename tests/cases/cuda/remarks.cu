__global__ void alone(float *x)
{
    x[0] = 1.0f;
}
__global__ void far_out(float *x)
{
    int i = threadIdx.x, j = 2 * i;
    x[j] = 1.0f;
}
