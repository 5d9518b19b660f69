__global__ void k(float *x)
{
    puts("no end);
}
