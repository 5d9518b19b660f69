/* SPDX-License-Identifier: Apache-2.0 */
/* A launch on the device, held against the reference.
 *
 *     load:  CUDA text -> NVRTC -> PTX -> driver
 *     run:   reference from the inputs; device from a copy of the same inputs; compare
 *
 * Where they differ by more than the tolerance, the reference runs again from disturbed inputs:
 * inputs a last place off that change its result as much mean that rounding decides, and not that
 * the kernel is wrong.
 *
 * The reference runs first, since it checks every access: what would read or write outside of an
 * array on the device ends there with a message. */
#include "launch/device.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/format.h"

enum { THREADS = 256 };

/* --- the device ------------------------------------------------------------------------------ */

/* The newest architecture that the compiler supports and the device runs: PTX for an older one
 * serves as well. */
static bool choose_arch(device *d, arena *a, const char **why)
{
    const nvrtc *n = &d->tools.nvrtc;
    const int found = nvrtc_arch_for(n, a, 10 * d->gpu.major + d->gpu.minor);
    snprintf(d->arch.name, sizeof d->arch.name, "%d", found % 1000);
    if (!found)
        *why = arena_printf(a,
                            "NVRTC %d.%d makes no code for this device, of compute capability "
                            "%d.%d: name another NVRTC by WEFT_NVRTC",
                            n->major, n->minor, d->gpu.major, d->gpu.minor);
    return found;
}

/* The driver first: its version limits which NVRTC serves. */
bool device_open(device *d, arena *a, const char *const *sites, uint32_t nsites, const char **why)
{
    gpu_places places;
    *d = (device){0};
    if (!libcuda_open(&d->gpu, a, 0)) {
        *why = d->gpu.why;
        return false;
    }
    gpu_places_find(&places, a, sites, nsites);
    d->tools.has_nvrtc = nvrtc_open(&d->tools.nvrtc, a, &places, d->gpu.version, why);
    if (!d->tools.has_nvrtc)
        return false;
    d->tools.headers = gpu_find_headers(&places, a);
    return choose_arch(d, a, why);
}

void device_close(device *d)
{
    libcuda_close(&d->gpu);
    if (d->tools.has_nvrtc)
        nvrtc_close(&d->tools.nvrtc);
    d->tools.has_nvrtc = false;
}

/* --- the kernel ------------------------------------------------------------------------------ */

/* Ends a job for a reason that lies in the kernel or its arguments. */
static device_end stuck(launch_job *l, const char *error)
{
    l->error = error;
    return DEVICE_STUCK;
}

/* One file of CUDA C++ whose kernels are found by their plain names. */
static str whole_text(ctx *c, const cuda_kernel *k)
{
    strbuf b;
    sb_init(&b, &c->mem);
    cuda_put_rtc_macros(&b, k);
    if (cuda_kernel_uses(k, CUDA_EXTERN_HALF))
        SB_LIT(&b, "#include <cuda_fp16.h>\n");
    if (cuda_kernel_uses(k, CUDA_EXTERN_BFLOAT16))
        SB_LIT(&b, "#include <cuda_bf16.h>\n");
    sb_str(&b, k->definitions);
    sb_str(&b, k->functions);
    SB_LIT(&b, "extern \"C\" ");
    sb_str(&b, k->forward);
    if (k->backward.n) {
        SB_LIT(&b, "extern \"C\" ");
        sb_str(&b, k->backward);
    }
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* NVRTC's log is part of the message: it names the line. */
static const char *refusal(ctx *c, const char *name, str log)
{
    return arena_printf(&c->module, "the CUDA text of the kernel '%s' does not compile:\n%.*s",
                        name, (int)log.n, log.n ? log.p : "");
}

/* The text is the one of `weft compile --emit standalone` without its host; kernels get C names,
 * so that the driver finds them. */
device_end device_load(device *d, const program *prog, launch_job *l, bool backward,
                       device_kernel *out)
{
    ctx *c = &l->p->c;
    const kernel *k = l->compiled.kernel;
    const char *name = k->code.name->s;
    WEFT_ASSERT(l->compiled.ir);
    *out = (device_kernel){.k = cuda_kernel_make_wrapping(c, prog, k, backward)};
    if (!out->k)
        return DEVICE_STUCK;
    if (out->k->objects)
        return stuck(l, "hash grids, BVHs, meshes, volumes and textures are not made on a device");
    if (out->k->tile_extent)
        return stuck(l, "kernels that share tiles are not launched on a device");
    const str text = whole_text(c, out->k);
    const ptx_source src = {.name = name, .text = text, .dialect = PTX_PLAIN};
    const nvrtc_result r = ptx_make(&d->tools, &c->module, &src, &d->arch);
    if (!r.good)
        return stuck(l, refusal(c, name, r.log));
    out->tolerance = tolerance_of(text, tolerance_least(l->compiled.ir));
    return libcuda_load(&d->gpu, r.ptx.p, &out->module) ? DEVICE_DONE : DEVICE_BROKEN;
}

device_end device_unload(device *d)
{
    return libcuda_empty(&d->gpu) ? DEVICE_DONE : DEVICE_BROKEN;
}

/* --- the launch ------------------------------------------------------------------------------ */

/* Threads of a block in each axis, x first, by the dimensions of the launch. */
static const unsigned blocks[3][3] = {{THREADS, 1, 1}, {32, 8, 1}, {8, 8, 4}};

/* False: no grid of the device is so large. */
static bool make_grid(const launch_job *l, libcuda_grid *g)
{
    WEFT_ASSERT(l->ndim >= 1 && l->ndim <= LAUNCH_DIMS);
    static const int64_t most[3] = {INT32_MAX, 65535, 65535};
    int64_t sizes[3] = {1, 1, 1};
    const int dims = l->ndim > 3 ? 1 : l->ndim;
    for (int i = 0; i < dims; i++)
        sizes[i] = l->dim[dims - 1 - i];
    for (int i = 1; l->ndim > 3 && i < l->ndim; i++)
        if (__builtin_mul_overflow(sizes[0], l->dim[i], &sizes[0]))
            return false;
    for (int i = 0; i < 3; i++) {
        const int64_t block = blocks[dims - 1][i], n = (sizes[i] + block - 1) / block;
        if (n > most[i] || sizes[i] > INT32_MAX)
            return false;
        g->grid[i] = (unsigned)n;
        g->block[i] = (unsigned)block;
    }
    return true;
}

/* CUDA refuses a grid of no blocks; such a launch has nothing to do. */
static bool is_empty(const launch_job *l)
{
    for (int i = 0; i < l->ndim; i++)
        if (!l->dim[i])
            return true;
    return false;
}

/* One run of a loaded kernel. */
typedef struct job {
    device *d;
    launch_job *l;
    const device_kernel *kernel;
    device_arrays arrays;
} job;

/* One pass. A launch without threads succeeds without a call of the driver. */
static bool launch(job *j, bool backward, float *milliseconds)
{
    WEFT_ASSERT(!backward || (j->l->adjoints && j->kernel->k->backward.n));
    libcuda *gpu = &j->d->gpu;
    libcuda_grid grid = {0};
    libcuda_handle function;
    const cuda_kernel *k = j->kernel->k;
    const str name = backward ? k->backward_name : k->forward_name;
    const char *symbol = arena_printf(&j->l->p->c.module, "%.*s", (int)name.n, name.p);
    if (is_empty(j->l))
        return true;
    return make_grid(j->l, &grid) && libcuda_function(gpu, j->kernel->module, symbol, &function) &&
           libcuda_launch(gpu, function, &grid, device_params(&j->arrays, k, backward, j->l),
                          milliseconds);
}

/* One byte more than the data: an array may be empty. */
static uint8_t *copy_of(const device_arrays *m, const array_data *data)
{
    uint8_t *copy = arena_alloc(&m->c->module, data->size + 1);
    if (data->size)
        memcpy(copy, data->bytes, data->size);
    return copy;
}

/* What the arrays hold before the launch. */
static void keep_inputs(job *j)
{
    const uint32_t n = j->l->compiled.kernel->code.nparams;
    device_find_arrays(&j->arrays, j->l->args, n, false);
    if (j->l->adjoints)
        device_find_arrays(&j->arrays, j->l->adjoints, n, true);
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        device_array *array = &j->arrays.all.v[i];
        array->input = copy_of(&j->arrays, array->view->data);
    }
}

/* And after the reference's. */
static void keep_expected(job *j)
{
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        device_array *array = &j->arrays.all.v[i];
        array->expected = copy_of(&j->arrays, array->view->data);
        array->found = arena_zero(&j->arrays.c->module, array->view->data->size + 1);
    }
}

/* Forward, then backward on what forward left; all arrays come back at the end. */
static bool run_on_device(job *j, device_result *r)
{
    libcuda *gpu = &j->d->gpu;
    size_t largest = 0;
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        device_array *array = &j->arrays.all.v[i];
        const size_t size = array->view->data->size;
        if (!libcuda_allocate(gpu, size, &array->at) ||
            !libcuda_put(gpu, array->at, array->input, size))
            return false;
        largest = size > largest ? size : largest;
    }
    if (j->l->adjoints && !libcuda_allocate(gpu, largest, &j->arrays.spare))
        return false;
    if (!launch(j, false, &r->milliseconds[0]) ||
        (j->l->adjoints && !launch(j, true, &r->milliseconds[1])))
        return false;
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        const device_array *array = &j->arrays.all.v[i];
        if (!libcuda_get(gpu, array->found, array->at, array->view->data->size))
            return false;
    }
    return true;
}

/* A first look with the plain tolerance decides whether the second is needed, which costs a run:
 * how far do inputs a last place off move the reference? Then the arrays get the device's results.
 */
static void compare(job *j, device_result *r)
{
    device_compare(&j->arrays, j->kernel->tolerance, r);
    if (r->differences.n) {
        device_disturb(&j->arrays, j->l);
        device_compare(&j->arrays, j->kernel->tolerance, r);
    }
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        const device_array *array = &j->arrays.all.v[i];
        if (array->view->data->size)
            memcpy(array->view->data->bytes, array->found, array->view->data->size);
    }
}

/* The order matters: inputs are copied before the reference writes into them. */
static device_end run_both(job *j, device_result *r)
{
    libcuda_grid grid;
    launch_job *l = j->l;
    const int dims = j->kernel->k->launch_dim;
    if (dims != l->ndim)
        return stuck(l, arena_printf(&l->p->c.module,
                                     "on a device the kernel '%s' is launched with %d dimension%s, "
                                     "not %d",
                                     l->compiled.kernel->code.name->s, dims,
                                     plural_s((uint64_t)dims), l->ndim));
    if (!make_grid(l, &grid))
        return stuck(l, "no grid of a CUDA device is as large as the launch");
    keep_inputs(j);
    if (!launch_execute(l))
        return DEVICE_STUCK;
    keep_expected(j);
    if (!run_on_device(j, r))
        return DEVICE_BROKEN;
    compare(j, r);
    return DEVICE_DONE;
}

/* The device's memory is given back whatever happened; a failure of that is reported only if
 * nothing else was. */
device_end device_run(device *d, const device_kernel *k, launch_job *l, device_result *r)
{
    job j = {.d = d, .l = l, .kernel = k, .arrays = {.c = &l->p->c}};
    *r = (device_result){0};
    device_end end = run_both(&j, r);
    if (!libcuda_free_all(&d->gpu) && end == DEVICE_DONE)
        end = DEVICE_BROKEN;
    return end;
}
