__global__ void k(int n) { if (threadIdx.x < n) return; }
