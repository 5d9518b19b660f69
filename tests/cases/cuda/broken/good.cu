__global__ void k(float *y)
{
)
