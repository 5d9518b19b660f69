/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of libcuda, NVIDIA's driver library, for src/launch. A failed call becomes one sentence
 * with advice:
 *
 *     209   ->   cuModuleLoadDataEx: no kernel image is available for execution on the device
 *                (CUDA_ERROR_NO_BINARY_FOR_GPU): the code is for another architecture than the
 *                device's
 *
 * What the session takes from the device is listed before it is used, so that libcuda_close gives
 * it back however a run ends. After an error that libcuda_error.def marks LOST, every further call
 * of the process fails: the session only ends. */
#include "gpu/libcuda.h"

#include <stdlib.h>
#include <time.h>

#include "base/assert.h"
#include "base/clock.h"

/* Of CUresult, CUdevice_attribute and CUjit_option, as the driver API's documentation numbers them.
 */
enum { NO_DEVICE = 100, NOT_READY = 600, COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 };
enum { JIT_LOG = 5, JIT_LOG_SIZE = 6 };

/* The first failure counts: the next ones mostly follow from it. */
static bool fail(libcuda *d, const char *why)
{
    if (!d->why)
        d->why = why;
    return false;
}

/* A row of libcuda_error.def. */
typedef struct known_error {
    int number; /* of CUresult; 0: the last row */
    bool lost;  /* the device is of no more use to this process */
    const char *advice;
} known_error;

/* Numbers without a row get the last one: no advice, and the device can be used. */
static const known_error *find_error(int number)
{
    WEFT_ASSERT(number); /* 0 is success, and ends the table */
    enum { KEPT, LOST };
    static const known_error known[] = {
#define ERROR(number, end, advice) {number, end == LOST, advice},
#include "gpu/libcuda_error.def"
#undef ERROR
        {0, false, ""}};
    const known_error *e = known;
    while (e->number && e->number != number)
        e++;
    return e;
}

/* "cuMemAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY): other programs ..." */
static bool check(libcuda *d, int error, const char *call)
{
    const char *name = NULL, *text = NULL;
    if (!error)
        return true;
    const known_error *known = find_error(error);
    d->lost |= known->lost;
    if (d->why)
        return false;
    const bool named = d->error_name(error, &name) == 0 && name;
    if (d->error_text(error, &text) != 0 || !text)
        text = "it failed";
    const char *message = named ? arena_printf(d->a, "%s: %s (%s)", call, text, name)
                                : arena_printf(d->a, "%s: %s (error %d)", call, text, error);
    return fail(d, *known->advice ? arena_printf(d->a, "%s: %s", message, known->advice) : message);
}

/* --- the library and the device -------------------------------------------------------------- */

/* All functions are needed; an old driver lacks some. The first row is in every driver: without it
 * the file is another library. */
static bool find_functions(libcuda *d)
{
    const struct {
        const char *name;
        void *function;
    } calls[] = {
#define CALL(member, name, params) {name, &d->member},
#include "gpu/libcuda_call.def"
#undef CALL
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!dynlib_find(&d->lib, calls[i].name, calls[i].function))
            return fail(d, arena_printf(d->a, "%s: it has no %s",
                                        i ? "the NVIDIA driver is too old"
                                          : "what was loaded is no NVIDIA driver",
                                        calls[i].name));
    return true;
}

/* WEFT_LIBCUDA names another file, for tests and unusual installations. */
static bool load_library(libcuda *d)
{
    const char *named = getenv("WEFT_LIBCUDA");
    const char *path = named && *named ? named : "libcuda.so.1";
    if (strcmp(path, "none") == 0)
        return fail(d, "the NVIDIA driver is switched off by WEFT_LIBCUDA=none");
    if (dynlib_open(&d->lib, path))
        return true;
    if (d->lib.why)
        return fail(d, arena_printf(d->a, "the NVIDIA driver cannot be loaded from %s: %s", path,
                                    d->lib.why));
    return fail(
        d, arena_printf(d->a, "no NVIDIA driver is on this machine: %s cannot be loaded", path));
}

/* Most often the variable hides the devices, so its value is part of the message. */
static bool no_device(libcuda *d)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (!visible)
        return fail(d, "the NVIDIA driver finds no CUDA device on this machine");
    return fail(d, arena_printf(d->a,
                                "the NVIDIA driver finds no CUDA device: CUDA_VISIBLE_DEVICES is "
                                "'%s'",
                                visible));
}

/* Before any other call. A driver that supports CUDA below LIBCUDA_LEAST is refused here, with a
 * better message than that of the first module that it cannot load. */
static bool start_libcuda(libcuda *d)
{
    const int error = d->init(0);
    if (error == NO_DEVICE)
        return no_device(d);
    if (!check(d, error, "cuInit") || !check(d, d->get_version(&d->version), "cuDriverGetVersion"))
        return false;
    if (d->version >= LIBCUDA_LEAST)
        return true;
    return fail(
        d, arena_printf(d->a,
                        "the NVIDIA driver is too old: it supports CUDA up to %d.%d, and %d.%d "
                        "is needed",
                        d->version / 1000, d->version % 1000 / 10, LIBCUDA_LEAST / 1000,
                        LIBCUDA_LEAST % 1000 / 10));
}

/* Its name, compute capability and memory, which choose the architecture and end up in reports. */
static bool take_device(libcuda *d, int ordinal)
{
    int count = 0;
    size_t bytes = 0;
    char *name = arena_zero(d->a, 256);
    if (!check(d, d->device_count(&count), "cuDeviceGetCount"))
        return false;
    if (!count)
        return no_device(d);
    if (ordinal < 0 || ordinal >= count)
        return fail(d, arena_printf(d->a, "there is no CUDA device %d: they are numbered 0 to %d",
                                    ordinal, count - 1));
    d->name = name;
    if (!check(d, d->device_get(&d->device, ordinal), "cuDeviceGet") ||
        !check(d, d->device_name(name, 255, d->device), "cuDeviceGetName") ||
        !check(d, d->device_attribute(&d->major, COMPUTE_MAJOR, d->device),
               "cuDeviceGetAttribute") ||
        !check(d, d->device_attribute(&d->minor, COMPUTE_MINOR, d->device),
               "cuDeviceGetAttribute") ||
        !check(d, d->device_memory(&bytes, d->device), "cuDeviceTotalMem"))
        return false;
    d->memory = bytes;
    return true;
}

/* The primary context, which libraries in the same process share, and the two events that measure
 * launches. */
static bool take_context(libcuda *d)
{
    libcuda_handle context = NULL;
    if (!check(d, d->context_retain(&context, d->device), "cuDevicePrimaryCtxRetain"))
        return false;
    d->context = context;
    return check(d, d->context_set(context), "cuCtxSetCurrent") &&
           check(d, d->event_create(&d->start, 0), "cuEventCreate") &&
           check(d, d->event_create(&d->stop, 0), "cuEventCreate");
}

/* Each step needs those before it. What the steps took before one failed is for libcuda_close. */
bool libcuda_open(libcuda *d, arena *a, int device)
{
    *d = (libcuda){.a = a, .patience = LIBCUDA_PATIENCE};
    return load_library(d) && find_functions(d) && start_libcuda(d) && take_device(d, device) &&
           take_context(d);
}

/* A context is current in one thread at a time. */
bool libcuda_enter(libcuda *d)
{
    WEFT_ASSERT(d->context);
    return check(d, d->context_set(d->context), "cuCtxSetCurrent");
}

/* Not after a kernel that does not end: cuMemFree would wait for it. */
bool libcuda_free_all(libcuda *d)
{
    bool good = true;
    while (d->buffers.n && !d->hung)
        good &= check(d, d->memory_free(d->buffers.v[--d->buffers.n]), "cuMemFree");
    return good;
}

bool libcuda_empty(libcuda *d)
{
    bool good = libcuda_free_all(d);
    while (d->modules.n && !d->hung)
        good &= check(d, d->module_unload(d->modules.v[--d->modules.n]), "cuModuleUnload");
    return good;
}

bool libcuda_forgive(libcuda *d)
{
    if (!d->lost)
        d->why = NULL;
    return !d->lost;
}

/* What the device refuses to take back after an error goes with its context; and all with the
 * process where a kernel does not end. */
void libcuda_close(libcuda *d)
{
    if (d->hung)
        return;
    for (uint32_t i = 0; i < d->buffers.n; i++)
        (void)d->memory_free(d->buffers.v[i]);
    for (uint32_t i = 0; i < d->modules.n; i++)
        (void)d->module_unload(d->modules.v[i]);
    if (d->start)
        (void)d->event_destroy(d->start);
    if (d->stop)
        (void)d->event_destroy(d->stop);
    if (d->context)
        (void)d->context_release(d->device);
    d->buffers.n = d->modules.n = 0;
    d->start = d->stop = d->context = NULL;
    dynlib_close(&d->lib);
}

/* --- modules and memory ---------------------------------------------------------------------- */

/* Makes room first: a failed allocation must not lose what the device gave. */
#define RESERVE(d, list)                                                                           \
    do {                                                                                           \
        if ((list)->n == (list)->cap)                                                              \
            (list)->v = vec_grow((d)->a, (list)->v, sizeof *(list)->v, (list)->n, &(list)->cap);   \
    } while (0)

/* The log is the message of the driver's own compiler of PTX; its first line joins d->why. */
bool libcuda_load(libcuda *d, const char *image, libcuda_handle *module)
{
    char log[LIBCUDA_LOG] = {0};
    int options[] = {JIT_LOG, JIT_LOG_SIZE};
    union { /* the driver takes a number in the place of a pointer */
        uintptr_t n;
        void *p;
    } size = {LIBCUDA_LOG - 1};
    void *values[] = {log, size.p};
    WEFT_ASSERT(d->context && image);
    *module = NULL;
    RESERVE(d, &d->modules);
    const int error = d->module_load(module, image, 2, options, values);
    if (!error) {
        d->modules.v[d->modules.n++] = *module;
        return true;
    }
    check(d, error, "cuModuleLoadDataEx");
    log[strcspn(log, "\n")] = 0;
    if (*log)
        d->why = arena_printf(d->a, "%s: %s", d->why, log);
    return false;
}

/* The name is the one in the PTX: kernels are compiled as extern "C", so it is not mangled. */
bool libcuda_function(libcuda *d, libcuda_handle module, const char *name, libcuda_handle *function)
{
    WEFT_ASSERT(d->context && module && name);
    const int error = d->module_function(function, module, name);
    return !error || check(d, error, arena_printf(d->a, "cuModuleGetFunction '%s'", name));
}

/* Zeroed, since kernels with errors may read what nobody wrote, and results must not depend on
 * that. */
bool libcuda_allocate(libcuda *d, size_t bytes, libcuda_pointer *at)
{
    WEFT_ASSERT(d->context);
    *at = 0;
    if (!bytes)
        return true;
    RESERVE(d, &d->buffers);
    if (!check(d, d->memory_allocate(at, bytes), "cuMemAlloc"))
        return false;
    WEFT_ASSERT(d->buffers.n < d->buffers.cap);
    d->buffers.v[d->buffers.n++] = *at;
    return check(d, d->memory_set(*at, 0, bytes), "cuMemsetD8");
}

bool libcuda_put(libcuda *d, libcuda_pointer to, const void *from, size_t bytes)
{
    WEFT_ASSERT(!bytes || (to && from));
    return !bytes || check(d, d->memory_put(to, from, bytes), "cuMemcpyHtoD");
}

bool libcuda_get(libcuda *d, void *to, libcuda_pointer from, size_t bytes)
{
    WEFT_ASSERT(!bytes || (to && from));
    return !bytes || check(d, d->memory_get(to, from, bytes), "cuMemcpyDtoH");
}

/* --- launches -------------------------------------------------------------------------------- */

/* False after d->patience seconds. Queries the event again and again, after pauses that double from
 * 1 microsecond to about a millisecond: a call that blocks (cuEventSynchronize) would never return
 * from a kernel that does not end. */
static bool wait_for(libcuda *d, libcuda_handle event)
{
    const double until = clock_seconds() + d->patience;
    struct timespec pause = {.tv_nsec = 1000};
    int error;
    while ((error = d->event_query(event)) == NOT_READY) {
        if (clock_seconds() > until) {
            d->lost = d->hung = true;
            return fail(d, arena_printf(d->a, "the kernel did not end within %u s", d->patience));
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 1000000 ? 2 * pause.tv_nsec : pause.tv_nsec;
    }
    return check(d, error, "cuEventQuery");
}

/* All on the default stream (NULL), so the events enclose just this launch. Errors of the kernel
 * itself, such as an illegal address, are found by the wait: a launch only queues it. */
bool libcuda_launch(libcuda *d, libcuda_handle function, const libcuda_grid *g, void **params,
                    float *milliseconds)
{
    float time = 0.0f;
    WEFT_ASSERT(d->start && d->stop && !d->hung);
    WEFT_ASSERT(g->grid[0] && g->grid[1] && g->grid[2] && g->block[0] && g->block[1] &&
                g->block[2]);
    if (!check(d, d->event_record(d->start, NULL), "cuEventRecord") ||
        !check(d,
               d->launch(function, g->grid[0], g->grid[1], g->grid[2], g->block[0], g->block[1],
                         g->block[2], g->shared, NULL, params, NULL),
               "cuLaunchKernel") ||
        !check(d, d->event_record(d->stop, NULL), "cuEventRecord") || !wait_for(d, d->stop) ||
        !check(d, d->event_elapsed(&time, d->start, d->stop), "cuEventElapsedTime"))
        return false;
    if (milliseconds)
        *milliseconds = time;
    return true;
}
