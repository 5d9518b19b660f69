/* SPDX-License-Identifier: Apache-2.0 */
/* A CUDA device through NVIDIA's driver library, libcuda, which is opened by name at run time:
 * modules from PTX, memory, launches, times. No header of CUDA is used. A session (struct libcuda)
 * owns what it takes from the device; libcuda_close gives all of it back, whatever failed before.
 *
 *     libcuda d;
 *     if (libcuda_open(&d, a, 0) && libcuda_load(&d, ptx, &module) &&
 *         libcuda_function(&d, module, "saxpy", &f) && libcuda_allocate(&d, 4 * n, &x) &&
 *         libcuda_put(&d, x, values, 4 * n) && libcuda_launch(&d, f, &grid, params, &ms))
 *         libcuda_get(&d, values, x, 4 * n);
 *     else
 *         puts(d.why);                  "cuModuleLoadDataEx: ..."
 *     libcuda_close(&d); */
#ifndef WEFT_GPU_LIBCUDA_H
#define WEFT_GPU_LIBCUDA_H

#include "base/dynlib.h"
#include "base/str.h"
#include "base/vec.h"

/* The least version of CUDA that the driver has to support, 11.8 as for NVRTC; bytes of the log of
 * a module that cannot be loaded; seconds that a kernel may take, if the caller sets no other
 * number. */
enum { LIBCUDA_LEAST = 11080, LIBCUDA_LOG = 4096, LIBCUDA_PATIENCE = 60 };

typedef struct libcuda_object *libcuda_handle; /* contexts, modules, functions, events */
typedef uint64_t libcuda_pointer;              /* an address on the device */

/* A session with one device. */
typedef struct libcuda {
    dynlib lib;
    /* The driver's functions: d->init is cuInit. */
#define CALL(member, name, params) int(*member) params;
#include "gpu/libcuda_call.def"
#undef CALL
    arena *a;                     /* of messages, the device's name and the two lists */
    int version;                  /* the newest CUDA that the driver supports: 12040 is 12.4 */
    int device;                   /* the driver's handle, which need not be the ordinal */
    const char *name;             /* of the device */
    int major, minor;             /* its compute capability */
    uint64_t memory;              /* bytes */
    libcuda_handle context;       /* NULL: not taken */
    libcuda_handle start, stop;   /* events before and behind a launch */
    VEC(libcuda_handle) modules;  /* loaded and to be unloaded */
    VEC(libcuda_pointer) buffers; /* allocated and to be freed */
    unsigned patience;            /* seconds that a kernel may take */
    const char *why; /* the first failure since libcuda_open or libcuda_forgive, one sentence in a;
                        NULL: none */
    bool lost;       /* nothing runs on the device any more in this process */
    bool hung;       /* a kernel does not end: every call that waits for it would wait, too */
} libcuda;

/* Loads libcuda.so.1 (or what WEFT_LIBCUDA names; "none": nothing) and takes a device by its
 * number. False: d->why says what is missing. libcuda_close is due either way. Every function here
 * that gives a bool sets d->why where it gives false. */
bool libcuda_open(libcuda *d, arena *a, int device);
void libcuda_close(libcuda *d);
/* Needed once in each other thread that is to use the device; one at a time may. */
bool libcuda_enter(libcuda *d);
/* Gives back all memory, or all modules and memory; the device stays taken. */
bool libcuda_free_all(libcuda *d);
bool libcuda_empty(libcuda *d);
/* After a failure that left the device usable: forgets it. False: the device is lost. */
bool libcuda_forgive(libcuda *d);

/* A module from PTX text, which ends with a NUL, or from machine code (cubin). */
bool libcuda_load(libcuda *d, const char *image, libcuda_handle *module);
bool libcuda_function(libcuda *d, libcuda_handle module, const char *name,
                      libcuda_handle *function);

/* Memory, all bytes zero; 0 bytes give the address 0. libcuda_put and libcuda_get copy between the
 * host and the device, and wait until the copy is done. */
bool libcuda_allocate(libcuda *d, size_t bytes, libcuda_pointer *at);
bool libcuda_put(libcuda *d, libcuda_pointer to, const void *from, size_t bytes);
bool libcuda_get(libcuda *d, void *to, libcuda_pointer from, size_t bytes);

/* Blocks in the grid and threads in a block, each at least 1; bytes of dynamic shared memory. */
typedef struct libcuda_grid {
    unsigned grid[3], block[3], shared;
} libcuda_grid;

/* Runs a kernel to its end; params[i] points to the i-th argument. *milliseconds is the time
 * between the two events on the device; milliseconds may be NULL. False also if the kernel takes
 * longer than d->patience: d->hung is set then, and no further launch is allowed. */
bool libcuda_launch(libcuda *d, libcuda_handle function, const libcuda_grid *grid, void **params,
                    float *milliseconds);

#endif
