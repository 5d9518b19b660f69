/* SPDX-License-Identifier: Apache-2.0 */
/* weft_run_file and weft_run_text: one kernel, executed.
 *
 *     options      checked: launch, arguments, saves
 *     program      loaded, the kernel chosen and lowered
 *     arguments    to values (run_memory.c, run_text.c); with `gradients` to adjoints as well
 *     executor     forward, backward; with a device, there too, and compared
 *     begin()      nothing can fail now but the files
 *     saves        to .npy files (run_save.c)
 *     memory       of the caller, written last
 *
 * A step that fails ends the run by run_refuse, whose fault says to a caller what it concerns
 * without reading the message:
 *
 *     WEFT_BAD_ARGUMENT, WEFT_FAULT_MISSING, name "n", "argument 'n': it is not given" */

#include "api/run_request.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/file.h"
#include "syntax/source_text.h"

static const uint64_t DEFAULT_FUEL = 20 * 1000 * 1000;

/* --- messages ------------------------------------------------------------------------------- */

bool run_refuse(run_request *r, weft_status status, int fault, const char *fmt, ...)
{
    va_list ap;
    WEFT_ASSERT(status != WEFT_OK && fault != WEFT_FAULT_NONE);
    va_start(ap, fmt);
    r->c->message = arena_printf_v(&r->c->p.c.module, fmt, ap);
    va_end(ap);
    r->status = status;
    r->result.fault = fault;
    return false;
}

/* A value may be any text: of what is wrong with it, 511 bytes are enough. */
bool run_refuse_value(run_set *s, weft_status status, const char *path, const char *fmt, ...)
{
    run_request *r = s->r;
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_printf_v(&r->c->p.c.module, fmt, ap);
    va_end(ap);
    r->result.gradient = s->adjoint;
    r->result.name = path;
    return run_refuse(r, status, WEFT_FAULT_VALUE, "%s '%s': %.511s",
                      s->adjoint ? "adjoint" : "argument", path, text);
}

bool run_refuse_text(run_set *s, const char *path, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_printf_v(&s->r->c->p.c.module, fmt, ap);
    va_end(ap);
    s->r->result.unreadable = 1;
    return run_refuse_value(s, WEFT_BAD_ARGUMENT, path, "%s", text);
}

/* --- what is given --------------------------------------------------------------------------- */

/* The number of threads must be countable, even if nobody would wait for them.
 *
 *     dim (4, 3)   12 threads          dim (0)   no thread runs, and the run is a success */
static bool check_launch(run_request *r)
{
    const weft_run_options *o = &r->o;
    int64_t threads = 1;
    bool good = o->ndim >= 1 && o->ndim <= LAUNCH_DIMS;
    for (int i = 0; i < o->ndim && good; i++) {
        r->job.dim[i] = o->dim[i];
        good = o->dim[i] >= 0 && o->dim[i] <= INT32_MAX &&
               !__builtin_mul_overflow(threads, o->dim[i], &threads);
    }
    r->job.ndim = o->ndim;
    if (!good)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE,
                          "a launch has 1 to 4 dimensions of 0 to %d threads", INT32_MAX);
    if (o->executor < WEFT_REFERENCE || o->executor > WEFT_TEXT_CUDA)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE, "no executor has the number %d",
                          o->executor);
    if (o->block_dim < 0 || o->block_dim > WEFT_BLOCK_DIM_MAX)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE, "a block has 1 to %d threads",
                          WEFT_BLOCK_DIM_MAX);
    if (o->block_dim && o->device)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE,
                          "a launch on a device has blocks of its own");
    return true;
}

/* The array holds structs of the caller's size, not of ours: `given` steps by that. */
static bool take_arguments(run_request *r)
{
    const size_t n = r->o.argument_count;
    const char *given = (const char *)r->o.arguments;
    if (n && !given)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_ARGUMENT, "there are no arguments");
    r->args = ARENA_ARRAY(&r->c->p.c.module, weft_argument, n + 1);
    for (size_t i = 0; i < n; i++) {
        r->result.index = i;
        if (!api_take_options(&r->args[i], sizeof r->args[i], given) || !r->args[i].name)
            return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_ARGUMENT,
                              "argument number %zu has no size or no name", i);
        given += r->args[i].size;
    }
    r->result.index = 0;
    return true;
}

/* Likewise for saves. An adjoint can only be saved after a backward pass. */
static bool take_saves(run_request *r)
{
    const size_t n = r->o.save_count;
    const char *given = (const char *)r->o.saves;
    if (n && !given)
        return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE, "there are no saves");
    r->saves = ARENA_ARRAY(&r->c->p.c.module, weft_save, n + 1);
    for (size_t i = 0; i < n; i++) {
        weft_save *s = &r->saves[i];
        r->result.index = i;
        if (!api_take_options(s, sizeof *s, given) || !s->name || !s->path)
            return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE,
                              "save number %zu has no size, no name or no path", i);
        if (s->gradient && !r->o.gradients)
            return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE,
                              "the adjoint of '%s' needs a backward pass", s->name);
        given += s->size;
    }
    r->result.index = 0;
    return true;
}

const kernel *api_find_kernel(weft_context *c, const program *prog, const char *name, int *fault)
{
    uint32_t n;
    const kernel *const *all = program_kernels(prog, &n);
    api_name_kernels(c, all, n);
    const kernel *k = launch_find_kernel(prog, name, &n);
    *fault = k ? WEFT_FAULT_NONE : n ? WEFT_FAULT_KERNELS : WEFT_FAULT_KERNEL;
    if (!k)
        c->message =
            name && n ? arena_printf(&c->p.c.module,
                                     "%u kernels are called '%s', in the order in which they are "
                                     "made: name one, from '%s:1' to '%s:%u'",
                                     n, name, name, name, n)
            : name    ? arena_printf(&c->p.c.module, "no kernel is called '%s'", name)
            : n       ? "there are several kernels: name one"
                      : "there is no kernel";
    return k;
}

static const kernel *find_kernel(run_request *r, const program *prog)
{
    const kernel *k = api_find_kernel(r->c, prog, r->o.kernel, &r->result.fault);
    if (k)
        r->result.kernel = k->code.name->s;
    else
        r->status = WEFT_BAD_ARGUMENT;
    return k;
}

/* A backward pass may be off for the kernel (Warp's option enable_backward) or for the context. */
static bool has_backward(run_request *r, const kernel *k)
{
    const bool off = !k->code.options.enable_backward;
    if (!off && !r->c->p.options.no_backward)
        return true;
    return run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE,
                      "the kernel '%s' has no backward pass%s", k->code.name->s,
                      off ? ": its option enable_backward is off" : "");
}

/* Values first: adjoints take their shapes from them. */
static bool read_values(run_request *r, const kernel *k)
{
    run_set *values = &r->set[0], *adjoints = &r->set[1];
    if (r->o.gradients && !has_backward(r, k))
        return false;
    if (!run_set_read(r, values, k) || !run_saves_check(r, k, false))
        return false;
    r->job.args = values->values.values;
    if (!r->o.gradients)
        return true;
    if (!run_set_mirror(r, adjoints, k, values) || !run_saves_check(r, k, true))
        return false;
    r->job.adjoints = adjoints->values.values;
    return true;
}

/* --- what comes of it ------------------------------------------------------------------------ */

/* The text is for people; all that it says is in the other members. */
static weft_difference public_difference(arena *a, const device_difference *d)
{
    return (weft_difference){.array = d->array,
                             .gradient = d->gradient,
                             .index = d->lane,
                             .expected = d->expected,
                             .found = d->found,
                             .numbers = d->lanes,
                             .wrong = d->wrong,
                             .error = d->error,
                             .tolerance = d->tolerance,
                             .unsteady = d->hangs,
                             .text = device_difference_text(a, d)};
}

/* Keeps what the device found in the result. The first difference is the run's message, too. */
static void keep_result(run_request *r, const device_result *d)
{
    arena *a = &r->c->p.c.module;
    weft_difference *all = ARENA_ARRAY(a, weft_difference, (size_t)d->differences.n + 1);
    for (uint32_t i = 0; i < d->differences.n; i++)
        all[i] = public_difference(a, &d->differences.v[i]);
    if (d->differences.n)
        r->c->message = all[0].text;
    WEFT_ASSERT(r->c->message[0] || !d->differences.n);
    r->result.differences = all;
    r->result.difference_count = d->differences.n;
    r->result.error = d->error;
    r->result.forward_ms = d->milliseconds[0];
    r->result.backward_ms = d->milliseconds[1];
}

/* Why the launch ended: its own message, or diagnostics. */
static bool refuse_launch(run_request *r)
{
    const int fault = r->job.out_of_fuel ? WEFT_FAULT_FUEL : WEFT_FAULT_THREAD;
    if (r->job.error)
        return run_refuse(r, WEFT_FAILED, fault, "%s", r->job.error);
    r->status = api_take_diagnostics(r->c);
    WEFT_ASSERT(r->status != WEFT_OK);
    return false;
}

/* What launch_on_device gets through mem_try, and what comes of it. */
typedef struct device_launch {
    run_request *r;
    const program *prog;
    device *d;
    device_result result;
    device_end end;
} device_launch;

/* Under the device's own guard. The kernel is unloaded whatever came of it. */
static void launch_on_device(void *arg)
{
    device_launch *l = arg;
    launch_job *job = &l->r->job;
    device_kernel k;
    l->end = device_load(l->d, l->prog, job, job->adjoints != NULL, &k);
    if (l->end == DEVICE_DONE)
        l->end = device_run(l->d, &k, job, &l->result);
    if (device_unload(l->d) != DEVICE_DONE && l->end == DEVICE_DONE)
        l->end = DEVICE_BROKEN;
}

/* The device has memory of its own, for messages and lists of what it took: hence the guard. */
static bool execute_on_device(run_request *r, const program *prog)
{
    const char *why = NULL;
    device_launch l = {.r = r, .prog = prog, .d = api_device(r->o.device, &why)};
    if (!l.d)
        return run_refuse(r, WEFT_IO_ERROR, WEFT_FAULT_DEVICE, "%s", why);
    if (!mem_try(l.d->gpu.a->m, launch_on_device, &l))
        mem_fail(&r->c->p.c.mem);
    switch (l.end) {
    case DEVICE_STUCK: return refuse_launch(r);
    case DEVICE_BROKEN: return run_refuse(r, WEFT_IO_ERROR, WEFT_FAULT_DEVICE, "%s", l.d->gpu.why);
    case DEVICE_DONE: break;
    }
    keep_result(r, &l.result);
    return true;
}

/* The caller's memory is written last, when nothing can fail any more. */
static void give_back(run_request *r, const str *values, const str *adjoints)
{
    WEFT_ASSERT(values);
    for (size_t i = 0; i < r->o.argument_count; i++) {
        if (r->args[i].has_gradient)
            *r->args[i].has_gradient = 0;
        if (r->args[i].numbers)
            *r->args[i].numbers = 0;
    }
    run_set_give_back(&r->set[0], values);
    if (adjoints)
        run_set_give_back(&r->set[1], adjoints);
}

/* Is it a parameter, or a struct around some? */
static bool is_parameter(const weft_run_result *r, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < r->parameter_count; i++) {
        const char *known = r->parameters[i].name;
        if (strncmp(known, name, n) == 0 && (!known[n] || known[n] == '.'))
            return true;
    }
    return false;
}

/* A value is missing: one that is there by a name that no parameter has was meant for it. */
static void refuse_unknown(run_request *r)
{
    for (size_t i = 0; i < r->o.argument_count; i++) {
        const weft_argument *a = &r->args[i];
        if ((!a->text && a->gradient_text) || is_parameter(&r->result, a->name))
            continue;
        r->result.name = a->name;
        r->result.index = i;
        run_refuse(r, WEFT_BAD_ARGUMENT, WEFT_FAULT_ARGUMENT,
                   "argument '%s': the kernel has no such parameter", a->name);
        return;
    }
}

static bool unit_prints(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->callees.n; i++) {
        const str name = u->callees.v[i].native.name;
        if (!u->callees.v[i].func && (str_eq(name, STR("print")) || str_eq(name, STR("printf"))))
            return true;
    }
    return false;
}

/* Does the kernel, or a function that it calls, print? No executor shows that. */
static bool prints(const ir_module *m)
{
    bool any = unit_prints(m->kernel);
    for (uint32_t i = 0; i < m->funcs.n && !any; i++)
        any = unit_prints(m->funcs.v[i]);
    return any;
}

/* In the order of the file's head, from the arguments on. */
static void execute(run_request *r, const program *prog, const kernel *k)
{
    WEFT_ASSERT(r->status == WEFT_OK && r->job.compiled.ir);
    if (!read_values(r, k)) {
        if (r->result.fault != WEFT_FAULT_SAVE)
            run_list_parameters(r, k);
        if (r->result.fault == WEFT_FAULT_MISSING && !r->result.gradient)
            refuse_unknown(r);
        return;
    }
    const double start = clock_seconds();
    const bool done = r->o.device ? execute_on_device(r, prog) : launch_execute(&r->job);
    r->result.seconds = clock_seconds() - start;
    r->result.prints = !r->o.device && prints(r->job.compiled.ir);
    if (!done) {
        if (!r->o.device)
            refuse_launch(r);
        return;
    }
    const str *values = run_set_items(&r->set[0]);
    const str *adjoints = r->o.gradients ? run_set_items(&r->set[1]) : NULL;
    if (r->o.begin)
        r->o.begin(r->o.arg);
    if (run_saves_write(r))
        give_back(r, values, adjoints);
}

/* Standard input ("-") has no path that could be read again: it becomes a text. */
static bool read_program(run_request *r)
{
    ctx *c = &r->c->p.c;
    if (!r->path || strcmp(r->path, "-") != 0)
        return true;
    r->path = NULL;
    r->name = "<stdin>";
    source *src = ARENA_NEW(&c->module, source); /* diagnostics point to it */
    src->path = r->name;
    const int error = file_read(&c->module, "/dev/stdin", &src->text);
    if (error)
        return diag_error(c, (span){0}, DIAG_CANNOT_READ, r->name, error_text(error));
    const bool good = source_prepare(c, src);
    r->text = src->text;
    return good;
}

/* Errors of the program outrank a kernel that is not there. */
static void run_inner(void *arg)
{
    run_request *r = arg;
    pipeline *p = &r->c->p;
    if (!check_launch(r) || !take_arguments(r) || !take_saves(r))
        return;
    if (r->o.block_dim)
        p->options.block_dim = r->o.block_dim;
    r->c->names_kernels = true; /* a generic kernel cannot be run */
    const program *prog = read_program(r) ? api_load(r->c, r->path, r->name, r->text) : NULL;
    const kernel *k = prog ? find_kernel(r, prog) : NULL;
    if (prog && !k)
        program_warn_unseen(prog);
    if (k)
        r->job.compiled = pipeline_lower(p, prog, k);
    const weft_status compiled = api_take_errors(r->c);
    if (compiled != WEFT_OK)
        r->status = compiled;
    else if (k)
        execute(r, prog, k);
}

/* After WEFT_NO_MEMORY and WEFT_STOPPED the context is empty, and texts that the result points to
 * are gone: the caller then gets an empty result. */
static void give_result(const run_request *r, weft_status status)
{
    size_t size;
    const bool empty = status == WEFT_NO_MEMORY || status == WEFT_STOPPED;
    const weft_run_result none = {.size = sizeof none};
    if (!r->o.result)
        return;
    memcpy(&size, r->o.result, sizeof size);
    api_give(r->o.result, size, empty ? &none : &r->result, sizeof none);
}

/* Fuel: 0 means the default, UINT64_MAX no limit; inside, 0 is no limit. */
static weft_status run(run_request *r, const weft_run_options *options)
{
    weft_context *c = r->c;
    pipeline *p = &c->p;
    if (!options || !api_take_options(&r->o, sizeof r->o, options) ||
        (r->o.result && r->o.result->size < sizeof(size_t)))
        return WEFT_BAD_ARGUMENT;
    r->job.p = p;
    r->job.executor = (launch_executor)r->o.executor;
    r->job.fuel = r->o.fuel == UINT64_MAX ? 0 : r->o.fuel ? r->o.fuel : DEFAULT_FUEL;
    r->job.progress = r->o.progress;
    r->job.progress_arg = r->o.arg;
    const int block_dim = p->options.block_dim;
    p->options.devices = launch_devices(r->job.executor);
    const weft_status status = api_try(c, run_inner, r, &r->status);
    p->options.devices = c->devices;
    p->options.block_dim = block_dim;
    if (r->o.device)
        api_device_release(r->o.device);
    give_result(r, status);
    return status;
}

/* What the kernel wrote is in the caller's memory and files; figures are in options->result. */
weft_status weft_run_file(weft_context *c, const char *path, const weft_run_options *options)
{
    run_request r = {.c = c, .path = path};
    return c && path ? run(&r, options) : WEFT_BAD_ARGUMENT;
}

weft_status weft_run_text(weft_context *c, const char *name, const char *text, size_t size,
                          const weft_run_options *options)
{
    run_request r = {.c = c, .name = name, .text = {text ? text : "", size}};
    return c && name && (text || !size) ? run(&r, options) : WEFT_BAD_ARGUMENT;
}

/* Of the last call on the context; "" if there is none. */
const char *weft_message(const weft_context *c)
{
    return c ? c->message : "";
}
