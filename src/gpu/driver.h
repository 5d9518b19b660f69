/* A CUDA device by NVIDIA's driver, which is looked for when it is needed: modules from PTX,
 * memory, launches, times. No header of CUDA is used. What was taken from the device belongs to the
 * driver_ session and is given back by driver_close at the latest, whatever failed in between. */
#ifndef WEFT_GPU_DRIVER_H
#define WEFT_GPU_DRIVER_H

#include "base/dynlib.h"
#include "base/str.h"
#include "base/vec.h"

/* 11.8, as for NVRTC. */
enum { DRIVER_LEAST = 11080, DRIVER_LOG = 4096, DRIVER_PATIENCE = 60 };

typedef struct driver_object *driver_handle; /* contexts, modules, functions, events */
typedef uint64_t driver_pointer;             /* an address on the device */

typedef struct driver {
    dynlib lib;
#define CALL(member, name, params) int(*member) params;
#include "gpu/driver_call.def"
#undef CALL
    arena *a;
    int version; /* of CUDA that it knows: 12040 is 12.4 */
    int device;
    const char *name;      /* of the device */
    int major, minor;      /* its compute capability */
    uint64_t memory;       /* bytes */
    driver_handle context; /* NULL: not taken */
    driver_handle start, stop;
    VEC(driver_handle) modules;
    VEC(driver_pointer) buffers;
    unsigned patience; /* seconds that a kernel may take */
    const char *why;   /* the first failure since driver_open or driver_forgive, one sentence in a;
                          NULL:   none */
    bool lost;         /* nothing runs on the device any more in this process */
    bool hung;         /* a kernel does not end: every call that waits for it would wait, too */
} driver;

/* Loads libcuda.so.1 (or what WEFT_LIBCUDA names; "none": nothing) and takes a device by its
 * number. False: d->why says what is missing. driver_close is due either way. Every function here
 * that gives a bool sets d->why where it gives false. */
bool driver_open(driver *d, arena *a, int device);
void driver_close(driver *d);
/* Needed once in each other thread that is to use the device; one at a time may. */
bool driver_enter(driver *d);
/* Gives back all memory, or all modules and memory; the device stays taken. */
bool driver_free_all(driver *d);
bool driver_empty(driver *d);
/* After a failure that left the device usable: forgets it. False: the device is lost. */
bool driver_forgive(driver *d);

/* A module from PTX text, which ends with a NUL, or from machine code (cubin). */
bool driver_load(driver *d, const char *image, driver_handle *module);
bool driver_function(driver *d, driver_handle module, const char *name, driver_handle *function);

/* Memory, all bytes zero; 0 bytes give the address 0. */
bool driver_allocate(driver *d, size_t bytes, driver_pointer *at);
bool driver_free(driver *d, driver_pointer at);
bool driver_put(driver *d, driver_pointer to, const void *from, size_t bytes);
bool driver_get(driver *d, void *to, driver_pointer from, size_t bytes);

typedef struct driver_grid {
    unsigned grid[3], block[3], shared;
} driver_grid;

/* Runs a kernel to its end; params[i] points to the i-th argument. *milliseconds may be NULL. */
bool driver_launch(driver *d, driver_handle function, const driver_grid *grid, void **params,
                   float *milliseconds);

#endif
