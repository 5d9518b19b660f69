/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on a CUDA device: the text of src/cuda compiled by NVRTC for the device that is there,
 * run by NVIDIA's driver, and held against the reference. */
#ifndef WEFT_LAUNCH_DEVICE_H
#define WEFT_LAUNCH_DEVICE_H

#include "cuda/cuda.h"
#include "gpu/libcuda.h"
#include "gpu/ptx_make.h"
#include "launch/launch_exec.h"
#include "launch/tolerance.h"

/* The device, and what compiles for it. */
typedef struct device {
    libcuda gpu;
    ptx_tools tools;
    ptx_arch arch;
} device;

/* Takes the device and loads NVRTC; `sites` as for ptx_tools_open. False: *why is one sentence in
 * a. device_close is due either way. */
bool device_open(device *d, arena *a, const char *const *sites, uint32_t nsites, const char **why);
void device_close(device *d);

typedef enum device_end {
    DEVICE_DONE,
    DEVICE_STUCK, /* the kernel or its arguments are wrong: l->error says how, or c->diags */
    /* the driver failed: d->gpu.why says how; d->gpu.lost: nothing runs on the device any more */
    DEVICE_BROKEN,
} device_end;

/* Where the device's results are not the reference's. */
typedef struct device_difference {
    const char *array;
    bool gradient;
    size_t lane; /* the first; scalars counted */
    double expected, found;
    size_t lanes, wrong;     /* in all, and those that differ */
    double error, tolerance; /* the largest, and what is allowed, as tolerance.h measures */
    bool hangs;              /* on rounding: inputs a last place off move the reference as far */
} device_difference;

typedef struct device_result {
    double error;          /* the largest of all arrays */
    float milliseconds[2]; /* forward, backward */
    VEC(device_difference) differences;
} device_result;

/* A kernel compiled for the device and loaded, for any number of runs; in c->module. */
typedef struct device_kernel {
    const cuda_kernel *k;
    libcuda_handle module; /* of the driver, until device_unload */
    double tolerance;      /* of floats, by tolerance.h; before inputs are disturbed */
} device_kernel;

/* For runs of l->compiled, with adjoints if `backward`. device_unload is due afterwards, whatever
 * it gave. */
device_end device_load(device *d, const program *prog, launch_job *l, bool backward,
                       device_kernel *out);
device_end device_unload(device *d);
/* Runs the reference as launch_execute does, whose errors stand, then forward and, with adjoints,
 * backward on the device, with memory as it was before. Then l->args and l->adjoints hold the
 * device's results. Gives back the memory that it took. */
device_end device_run(device *d, const device_kernel *k, launch_job *l, device_result *r);

/* device_args.c: arrays of a launch on the device, and the block of a kernel's parameters. */
typedef struct device_array {
    const array_view *view;
    bool gradient;
    libcuda_pointer at;
    /* its bytes: before the launch; as the reference left them, as the device did; as the reference
     * left them from inputs a last place off (NULL: not computed yet) */
    uint8_t *input, *expected, *found, *disturbed;
} device_array;

typedef struct device_arrays {
    ctx *c;
    VEC(device_array) all;
    /* of the backward pass: takes the gradients of arrays that have none; as large as the largest
     */
    libcuda_pointer spare;
    bool unsteady; /* from inputs a last place off the reference does not come to an end */
} device_arrays;

/* Adds the arrays of the arguments. */
void device_find_arrays(device_arrays *m, const rvalue *args, uint32_t n, bool gradient);
/* A pointer for each parameter to its value, as cuLaunchKernel takes them; in c->module. */
void **device_params(device_arrays *m, const cuda_kernel *k, bool backward, const launch_job *l);

/* device_compare.c: fills r->error and r->differences. */
void device_compare(const device_arrays *m, double tolerance, device_result *r);
/* "'y'[3] is 2 on the device, 1 by the reference; ..." */
const char *device_difference_text(arena *a, const device_difference *d);

/* device_disturb.c: fills `disturbed` of each array, whose memory ends as `expected`. */
void device_disturb(device_arrays *m, const launch_job *l);

#endif
