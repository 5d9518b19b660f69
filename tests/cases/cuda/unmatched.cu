void k(float *x)
{
    x[0] = 1.0f;
}}
