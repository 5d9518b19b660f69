/* A launch on the device: compiled, run, and held against the reference. */
#include "launch/device.h"

#include <stdio.h>

enum { NVRTC_BLACKWELL = 12080, THREADS = 256 };

/* --- the device ------------------------------------------------------------------------------ */

/* What the compiler knows and the device runs: PTX for an older one serves as well. */
static void choose_arch(device *d)
{
    const nvrtc *n = &d->tools.nvrtc;
    const int newest = 1000 * n->major + 10 * n->minor >= NVRTC_BLACKWELL ? 120 : 90;
    const int found = 10 * d->gpu.major + d->gpu.minor;
    snprintf(d->arch.name, sizeof d->arch.name, "%d", (found < newest ? found : newest) % 1000);
}

bool device_open(device *d, arena *a, const char *const *sites, uint32_t nsites, const char **why)
{
    gpu_places places;
    *d = (device){0};
    if (!driver_open(&d->gpu, a, 0)) {
        *why = d->gpu.why;
        return false;
    }
    gpu_places_find(&places, a, sites, nsites);
    d->tools.has_nvrtc = nvrtc_open(&d->tools.nvrtc, a, &places, d->gpu.version, why);
    if (!d->tools.has_nvrtc)
        return false;
    d->tools.headers = gpu_find_headers(&places, a);
    choose_arch(d);
    return true;
}

void device_close(device *d)
{
    driver_close(&d->gpu);
    if (d->tools.has_nvrtc)
        nvrtc_close(&d->tools.nvrtc);
    d->tools.has_nvrtc = false;
}

/* --- the kernel ------------------------------------------------------------------------------ */

typedef struct job {
    device *d;
    launch_job *l;
    ctx *c;
    const cuda_kernel *k;
    str text;
    device_arrays arrays;
    driver_handle module;
} job;

static device_end stuck(job *j, const char *error)
{
    j->l->error = error;
    return DEVICE_STUCK;
}

/* One file of CUDA C++ whose kernels are found by their plain names. */
static str whole_text(job *j)
{
    const cuda_kernel *k = j->k;
    strbuf b;
    sb_init(&b, &j->c->mem);
    if (k->uses_half || ptx_contains(k->definitions, STR("__half")))
        SB_LIT(&b, "#include <cuda_fp16.h>\n");
    if (ptx_contains(k->definitions, STR("__nv_bfloat16")) ||
        ptx_contains(k->forward, STR("__nv_bfloat16")))
        SB_LIT(&b, "#include <cuda_bf16.h>\n");
    sb_str(&b, k->definitions);
    sb_str(&b, k->functions);
    SB_LIT(&b, "extern \"C\" ");
    sb_str(&b, k->forward);
    if (k->backward.n) {
        SB_LIT(&b, "extern \"C\" ");
        sb_str(&b, k->backward);
    }
    const str text = {arena_dup(&j->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

static device_end load_kernel(job *j, const program *prog)
{
    const kernel *k = j->l->compiled.kernel;
    const char *name = k->code.name->s;
    j->k = cuda_kernel_make_wrapping(j->c, prog, k, j->l->adjoints != NULL);
    if (!j->k)
        return DEVICE_STUCK;
    j->text = whole_text(j);
    const ptx_source text = {.name = name, .text = j->text, .dialect = PTX_PLAIN};
    const nvrtc_result r = ptx_make(&j->d->tools, &j->c->module, &text, &j->d->arch);
    if (!r.good)
        return stuck(j, arena_printf(&j->c->module,
                                     "the CUDA text of the kernel '%s' does not compile:\n%.*s",
                                     name, (int)r.log.n, r.log.n ? r.log.p : ""));
    return driver_load(&j->d->gpu, r.ptx.p, &j->module) ? DEVICE_DONE : DEVICE_BROKEN;
}

/* --- the launch ------------------------------------------------------------------------------ */

/* Threads of a block in each axis, x first, by the dimensions of the launch. */
static const unsigned blocks[3][3] = {{THREADS, 1, 1}, {32, 8, 1}, {8, 8, 4}};

/* False: no grid of the device is so large. */
static bool make_grid(const job *j, driver_grid *g)
{
    static const int64_t most[3] = {INT32_MAX, 65535, 65535};
    const launch_job *l = j->l;
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

static bool is_empty(const launch_job *l)
{
    for (int i = 0; i < l->ndim; i++)
        if (!l->dim[i])
            return true;
    return false;
}

static bool launch(job *j, bool backward, float *milliseconds)
{
    driver *gpu = &j->d->gpu;
    driver_grid grid = {0};
    driver_handle function;
    const str name = backward ? j->k->backward_name : j->k->forward_name;
    const char *symbol = arena_printf(&j->c->module, "%.*s", (int)name.n, name.p);
    if (is_empty(j->l))
        return true;
    return make_grid(j, &grid) && driver_function(gpu, j->module, symbol, &function) &&
           driver_launch(gpu, function, &grid, device_params(&j->arrays, j->k, backward, j->l),
                         milliseconds);
}

/* Notes what the arrays hold before the launch. */
static void keep_arrays(job *j)
{
    const uint32_t n = j->l->compiled.kernel->code.nparams;
    device_find_arrays(&j->arrays, j->l->args, n, false);
    if (j->l->adjoints)
        device_find_arrays(&j->arrays, j->l->adjoints, n, true);
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        device_array *array = &j->arrays.all.v[i];
        const array_data *data = array->view->data;
        array->before = arena_alloc(&j->c->module, data->size + 1);
        if (data->size)
            memcpy(array->before, data->bytes, data->size);
    }
}

static bool run_on_device(job *j, device_result *r)
{
    driver *gpu = &j->d->gpu;
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        device_array *array = &j->arrays.all.v[i];
        const size_t size = array->view->data->size;
        if (!driver_allocate(gpu, size, &array->at) ||
            !driver_put(gpu, array->at, array->before, size))
            return false;
    }
    if (!launch(j, false, &r->milliseconds[0]) ||
        (j->l->adjoints && !launch(j, true, &r->milliseconds[1])))
        return false;
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        const device_array *array = &j->arrays.all.v[i];
        if (!driver_get(gpu, array->before, array->at, array->view->data->size))
            return false;
    }
    return true;
}

static device_end run_both(job *j, const program *prog, device_result *r)
{
    driver_grid grid;
    const device_end loaded = load_kernel(j, prog);
    if (loaded != DEVICE_DONE)
        return loaded;
    if (j->k->launch_dim != j->l->ndim)
        return stuck(j, arena_printf(&j->c->module,
                                     "on a device the kernel '%s' is launched with %d dimension%s, "
                                     "not %d",
                                     j->l->compiled.kernel->code.name->s, j->k->launch_dim,
                                     j->k->launch_dim == 1 ? "" : "s", j->l->ndim));
    if (!make_grid(j, &grid))
        return stuck(j, "no grid of a CUDA device is as large as the launch");
    keep_arrays(j);
    if (!launch_execute(j->l))
        return DEVICE_STUCK;
    if (!run_on_device(j, r))
        return DEVICE_BROKEN;
    for (uint32_t i = 0; i < j->arrays.all.n; i++)
        device_compare(&j->arrays.all.v[i], j->text, &j->c->module, r);
    for (uint32_t i = 0; i < j->arrays.all.n; i++) {
        const device_array *array = &j->arrays.all.v[i];
        if (array->view->data->size)
            memcpy(array->view->data->bytes, array->before, array->view->data->size);
    }
    return DEVICE_DONE;
}

device_end device_run(device *d, const program *prog, launch_job *l, device_result *r)
{
    job j = {.d = d, .l = l, .c = &l->p->c, .arrays = {.c = &l->p->c}};
    *r = (device_result){0};
    device_end end = run_both(&j, prog, r);
    if (!driver_empty(&d->gpu) && end == DEVICE_DONE)
        end = DEVICE_BROKEN;
    return end;
}
