/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libcuda.so.1: it keeps count of what is held, fails the call that it is told to
 * fail, and claims what device and version it is told to claim. It computes nothing, unless
 * FAKE_CUDA_RUN names a folder: then modules are CUDA text, which g++ compiles there. Programs that
 * cannot call fake_cuda_state tell it by FAKE_CUDA_FAIL_AT, and are told by a line in the file
 * FAKE_CUDA_LOG. */
#include "gpu/fake_cuda.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static fake_cuda state = {.devices = 1, .version = 12040};

EXPORT fake_cuda *fake_cuda_state(void)
{
    return &state;
}

typedef struct module {
    void *library; /* NULL: nothing runs */
} module;

typedef void launcher(const unsigned *sizes, void **params);

typedef struct function {
    launcher *run; /* NULL: nothing runs */
} function;

static function functions[64];
static unsigned nfunctions;

__attribute__((constructor)) static void read_environment(void)
{
    const char *at = getenv("FAKE_CUDA_FAIL_AT"), *code = getenv("FAKE_CUDA_ERROR");
    if (at) {
        state.fail_at = atoi(at);
        state.code = code ? atoi(code) : 700;
        state.sticky = getenv("FAKE_CUDA_STICKY") != NULL;
    }
    if (getenv("FAKE_CUDA_VERSION"))
        state.version = atoi(getenv("FAKE_CUDA_VERSION"));
}

__attribute__((destructor)) static void tell_counts(void)
{
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log)
        return;
    fprintf(log, "%d %d %d %d %d\n%d %d\n", state.calls, state.contexts, state.modules,
            state.events, state.buffers, state.loads, state.launches);
    fclose(log);
}

/* --- running text ---------------------------------------------------------------------------- */

static const char head[] = "extern \"C\" __global__ void ";

/* The text without its includes and macros, which the host has, and for each kernel a function that
 * runs its grid. */
static void write_text(FILE *out, const char *text)
{
    fputs("#include \"gpu/fake_device.h\"\n", out);
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n');
        if (strncmp(p, "#include <cuda_", 15) != 0 && strncmp(p, "#define ", 8) != 0)
            fwrite(p, 1, n, out);
        p += n;
    }
    for (const char *p = text; (p = strstr(p, head)) != NULL; p += sizeof head - 1) {
        const char *name = p + sizeof head - 1;
        const int n = (int)strcspn(name, "(");
        fprintf(out,
                "extern \"C\" void run_%.*s(const unsigned *sizes, void **params)\n"
                "{\n    fake_grid(%.*s, sizes, params);\n}\n",
                n, name, n, name);
    }
}

/* 0, or the error of a text that does not compile. */
static int compile(module *m, const char *text)
{
    static int number;
    const char *folder = getenv("FAKE_CUDA_RUN");
    char path[512], command[2048];
    if (!folder)
        return 0;
    snprintf(path, sizeof path, "%s/%d", folder, number++);
    snprintf(command, sizeof command,
             "g++ -std=c++17 -O0 -w -x c++ -fPIC -shared -I" FAKE_CUDA_INCLUDE " -o %s.so %s", path,
             path);
    FILE *out = fopen(path, "w");
    if (!out)
        return 218;
    write_text(out, text);
    if (fclose(out) != 0 || system(command) != 0)
        return 218;
    strcat(path, ".so");
    m->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return m->library ? 0 : 218;
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

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options,
                              void **values)
{
    int error = call();
    if (!error && strstr(image, "refuse me")) {
        if (n == 2 && options[0] == 5)
            strcpy(values[0], "ptxas application ptx input, line 7; error: refused\nmore");
        error = 218;
    }
    struct module *made = error ? NULL : calloc(1, sizeof *made);
    if (made)
        error = compile(made, image);
    if (error) {
        free(made);
        return error;
    }
    *module = made;
    state.modules++;
    state.loads++;
    return 0;
}

EXPORT int cuModuleUnload(void *unloaded)
{
    module *m = unloaded;
    if (m->library)
        dlclose(m->library);
    free(m);
    return give_back(&state.modules);
}

EXPORT int cuModuleGetFunction(void **out, void *of, const char *name)
{
    const module *m = of;
    char symbol[256];
    if (strcmp(name, "nothing") == 0)
        return 500;
    function *f = &functions[nfunctions++ % (sizeof functions / sizeof *functions)];
    f->run = NULL;
    if (m->library) {
        snprintf(symbol, sizeof symbol, "run_%s", name);
        void *found = dlsym(m->library, symbol);
        if (!found)
            return 500;
        memcpy(&f->run, &found, sizeof found);
    }
    *out = f;
    return call();
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

EXPORT int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **params, void **extra)
{
    const function *f = kernel;
    const unsigned sizes[] = {grid_x, grid_y, grid_z, block_x, block_y, block_z};
    (void)shared, (void)stream, (void)extra;
    state.threads += (uint64_t)grid_x * grid_y * grid_z * block_x * block_y * block_z;
    const int error = call();
    state.launches++;
    if (!error && f->run)
        f->run(sizes, params);
    return error;
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

EXPORT int cuEventQuery(void *event)
{
    (void)event;
    if (state.hangs)
        return 600;
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

static const struct {
    int number;
    const char *name, *text;
} errors[] = {
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}};

EXPORT int cuGetErrorName(int error, const char **name)
{
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            *name = errors[i].name;
    return *name ? 0 : 1;
}

EXPORT int cuGetErrorString(int error, const char **text)
{
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            *text = errors[i].text;
    return *text ? 0 : 1;
}
