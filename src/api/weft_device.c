/* SPDX-License-Identifier: Apache-2.0 */
/* weft_device: a CUDA device and the NVRTC that compiles for it, behind a handle, for any number of
 * runs:
 *
 *     weft_device_new(NULL, 0, &device);
 *     options.device = device;   weft_run_file(context, "k.py", &options);   ...
 *     weft_device_free(device);
 *
 * Opening loads the driver and NVRTC, which is why a run does not open its own. The handle has
 * memory of its own: what the driver gives outlives the contexts that use it. */
#include "api/run_request.h"

struct weft_device {
    mem owner; /* of this struct */
    arena a;   /* of what the device needs as long as it is open */
    device device;
    const char *message; /* why it could not be opened; or "" */
};

/* What weft_device_new does under the guard of the handle's memory. */
typedef struct open_request {
    weft_device *d;
    const char *const *dirs;
    size_t ndirs;
    const char *why;
    bool good;
} open_request;

/* Loads the driver and NVRTC, and makes a context of the driver. */
static void open_device(void *arg)
{
    open_request *r = arg;
    r->good = device_open(&r->d->device, &r->d->a, r->dirs, (uint32_t)r->ndirs, &r->why);
}

/* Without a device the handle is kept for its message; without memory there is none.
 *
 *     no driver here   ->   WEFT_IO_ERROR, *out with a message
 *     no memory        ->   WEFT_NO_MEMORY, *out NULL */
weft_status weft_device_new(const char *const *package_dirs, size_t package_dir_count,
                            weft_device **out)
{
    mem owner;
    if (!out)
        return WEFT_BAD_ARGUMENT;
    *out = NULL;
    if (package_dir_count && !package_dirs)
        return WEFT_BAD_ARGUMENT;
    weft_device *d = api_new(&owner, sizeof *d);
    if (!d)
        return WEFT_NO_MEMORY;
    d->owner = owner;
    d->message = "";
    arena_init(&d->a, &d->owner);
    open_request r = {.d = d, .dirs = package_dirs, .ndirs = package_dir_count};
    if (!mem_try(&d->owner, open_device, &r)) {
        weft_device_free(d);
        return WEFT_NO_MEMORY;
    }
    *out = d;
    if (!r.good)
        d->message = r.why;
    WEFT_ASSERT(r.good || *d->message);
    return r.good ? WEFT_OK : WEFT_IO_ERROR;
}

/* Also of a device that could not be opened: weft_device_new leaves a handle for it. */
const char *weft_device_message(const weft_device *d)
{
    return d ? d->message : "";
}

/* The mem is copied first: it lies in the struct that it frees. */
void weft_device_free(weft_device *d)
{
    if (!d)
        return;
    device_close(&d->device);
    mem owner = d->owner;
    mem_clear(&owner);
}

/* The driver's context is current for one thread only: each run makes it so for its own. */
static void enter(void *arg)
{
    weft_device *d = arg;
    (void)libcuda_enter(&d->device.gpu);
}

/* A lost device stays lost: after an error of the driver nothing that was there can be trusted. */
device *api_device(weft_device *d, const char **why)
{
    libcuda *gpu = &d->device.gpu;
    *why = d->message;
    if (*d->message)
        return NULL;
    *why = "the device is lost";
    if (gpu->lost || !mem_try(&d->owner, enter, d))
        return NULL;
    *why = gpu->why;
    return gpu->why ? NULL : &d->device;
}

/* The results are not looked at: what is wrong shows at the next run. */
static void release(void *arg)
{
    weft_device *d = arg;
    (void)device_unload(&d->device);
    (void)libcuda_forgive(&d->device.gpu);
}

/* A message about what could not be given back may find no memory: nobody would read it. */
void api_device_release(weft_device *d)
{
    if (!*d->message)
        (void)mem_try(&d->owner, release, d);
}
