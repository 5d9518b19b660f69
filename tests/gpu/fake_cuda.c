/* A stand-in for libcuda.so.1 that computes nothing: it keeps count of what is held, fails the call
 * that it is told to fail, and claims what device and version it is told to claim. */
#include "gpu/fake_cuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static fake_cuda state = {.devices = 1, .version = 12040};

EXPORT fake_cuda *fake_cuda_state(void)
{
    return &state;
}

/* The status of a call: counted, and failed where it is the one. */
static int call(void)
{
    state.calls++;
    if (state.broken)
        return state.broken;
    if (state.fail_at && state.calls == state.fail_at) {
        if (state.sticky)
            state.broken = state.code;
        return state.code;
    }
    return 0;
}

/* Calls that give something back are never failed by number: what fails there is told nowhere. */
static int give_back(int *held)
{
    (*held)--;
    return state.broken;
}

EXPORT int cuInit(unsigned flags)
{
    (void)flags;
    return state.init ? state.init : call();
}

EXPORT int cuDriverGetVersion(int *version)
{
    *version = state.version;
    return call();
}

EXPORT int cuDeviceGetCount(int *count)
{
    *count = state.devices;
    return call();
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return call();
}

EXPORT int cuDeviceGetName(char *name, int n, int device)
{
    (void)device;
    strncpy(name, "Fake device", (size_t)n);
    return call();
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 8 : 0;
    return call();
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return call();
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    const int error = call();
    if (!error) {
        *context = &state;
        state.contexts++;
    }
    return error;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return give_back(&state.contexts);
}

EXPORT int cuCtxSetCurrent(void *context)
{
    (void)context;
    return call();
}

EXPORT int cuCtxSynchronize(void)
{
    return call();
}

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options,
                              void **values)
{
    int error = call();
    if (!error && strstr(image, "refuse me")) {
        if (n == 2 && options[0] == 5)
            strcpy(values[0], "ptxas application ptx input, line 7; error: refused\nmore");
        error = 218;
    }
    if (!error) {
        *module = &state;
        state.modules++;
    }
    return error;
}

EXPORT int cuModuleUnload(void *module)
{
    (void)module;
    return give_back(&state.modules);
}

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)module;
    *function = &state;
    return strcmp(name, "nothing") == 0 ? 500 : call();
}

EXPORT int cuMemAlloc_v2(uint64_t *at, size_t bytes)
{
    const int error = call();
    void *p = error ? NULL : malloc(bytes);
    if (error)
        return error;
    *at = (uint64_t)(uintptr_t)p;
    state.buffers++;
    return 0;
}

EXPORT int cuMemFree_v2(uint64_t at)
{
    free((void *)(uintptr_t)at);
    return give_back(&state.buffers);
}

EXPORT int cuMemsetD8_v2(uint64_t at, unsigned char value, size_t bytes)
{
    memset((void *)(uintptr_t)at, value, bytes);
    return call();
}

EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return call();
}

EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return call();
}

EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **params, void **extra)
{
    (void)function, (void)shared, (void)stream, (void)params, (void)extra;
    state.threads += (uint64_t)grid_x * grid_y * grid_z * block_x * block_y * block_z;
    return call();
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    const int error = call();
    if (!error) {
        *event = &state;
        state.events++;
    }
    return error;
}

EXPORT int cuEventRecord(void *event, void *stream)
{
    (void)event, (void)stream;
    return call();
}

EXPORT int cuEventSynchronize(void *event)
{
    (void)event;
    return call();
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *start, void *stop)
{
    (void)start, (void)stop;
    *milliseconds = 1.5f;
    return call();
}

EXPORT int cuEventDestroy_v2(void *event)
{
    (void)event;
    return give_back(&state.events);
}

EXPORT int cuGetErrorName(int error, const char **name)
{
    *name = error == 700   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : error == 218 ? "CUDA_ERROR_INVALID_PTX"
            : error == 500 ? "CUDA_ERROR_NOT_FOUND"
                           : NULL;
    return *name ? 0 : 1;
}

EXPORT int cuGetErrorString(int error, const char **text)
{
    *text = error == 700   ? "an illegal memory access was encountered"
            : error == 218 ? "a PTX JIT compilation failed"
            : error == 500 ? "named symbol not found"
                           : NULL;
    return *text ? 0 : 1;
}
