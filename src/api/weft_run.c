/* Kernels executed on the caller's memory: it is copied before, and written back when all is well.
 */
#include <stdarg.h>
#include <stdio.h>

#include "api/api.h"
#include "base/format.h"
#include "launch/launch_args.h"
#include "launch/launch_exec.h"

static const uint64_t DEFAULT_FUEL = 20 * 1000 * 1000;

/* The arguments as one pass reads them: their values, or their adjoints. */
typedef struct run_set {
    struct run_request *r;
    bool adjoint;
    bool *used; /* one for each argument */
    launch_source source;
    launch_args values;
} run_set;

typedef struct run_request {
    weft_context *c;
    const char *path; /* or: */
    const char *name;
    str text;
    weft_run_options o;
    weft_argument *args;
    run_set set[2]; /* values, adjoints */
    launch_job job;
    weft_status status;
} run_request;

static weft_status refuse(run_request *r, weft_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static weft_status refuse(run_request *r, weft_status status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    format_text_v(r->c->message, sizeof r->c->message, fmt, ap);
    va_end(ap);
    r->status = status;
    return status;
}

/* --- the caller's memory as values ---------------------------------------------------------- */

/* For launch_source: keeps the message in the context. */
static void tell_wrong(void *arg, const char *path, const char *text)
{
    const run_set *s = arg;
    refuse(s->r, WEFT_BAD_ARGUMENT, "%s '%s': %s", s->adjoint ? "adjoint" : "argument", path,
           text ? text : "it is not given");
}

static launch_found wrong(run_set *s, const char *path, const char *text)
{
    tell_wrong(s, path, text);
    return LAUNCH_REFUSED;
}

/* The argument of this name; NULL: there is none, or none with an adjoint. */
static const weft_argument *find(run_set *s, const char *path)
{
    const run_request *r = s->r;
    for (size_t i = 0; i < r->o.argument_count; i++)
        if (strcmp(r->args[i].name, path) == 0) {
            s->used[i] = true;
            return s->adjoint && !r->args[i].gradient ? NULL : &r->args[i];
        }
    return NULL;
}

/* "f4": NumPy's kind and width, without byte order. */
static bool read_dtype(const char *dtype, npy *out)
{
    if (!dtype || !dtype[0] || !strchr("biuf", dtype[0]) || !dtype[1] ||
        !strchr("1248", dtype[1]) || dtype[2])
        return false;
    out->kind = dtype[0];
    out->width = (size_t)(dtype[1] - '0');
    return out->kind == 'b' ? out->width == 1 : out->kind != 'f' || out->width > 1;
}

/* A copy of an argument's items in a; NULL, or what is wrong with it. */
static const char *copy_items(run_set *s, arena *a, const weft_argument *from, npy *out)
{
    const void *data = s->adjoint ? from->gradient : from->data;
    *out = (npy){.ndim = from->ndim, .count = 1};
    if (!read_dtype(from->dtype, out))
        return "its dtype is none of b1, i1 to i8, u1 to u8, f2, f4, f8";
    if (from->ndim < 0 || from->ndim > NPY_DIMS || (from->ndim && !from->shape))
        return "it has no shape, or too many dimensions";
    size_t size = out->width;
    for (int i = 0; i < from->ndim; i++) {
        const int64_t n = out->shape[i] = from->shape[i];
        if (n < 0 || __builtin_mul_overflow(size, (size_t)n, &size) || size > SIZE_MAX / 2)
            return "its shape is negative or too large";
    }
    if (size && !data)
        return "it has no data";
    out->count = size / out->width;
    out->items = arena_alloc(a, size);
    if (size)
        memcpy(out->items, data, size);
    for (size_t i = 0; i < size && out->kind == 'b'; i++)
        out->items[i] = out->items[i] != 0;
    return NULL;
}

static launch_found find_array(void *arg, arena *a, const char *path, const type *item, int ndim,
                               npy *out)
{
    run_set *s = arg;
    const weft_argument *from = find(s, path);
    if (!from)
        return LAUNCH_ABSENT;
    const char *problem = copy_items(s, a, from, out);
    if (!problem)
        problem = launch_misfit(&s->r->c->p.c, out, item, ndim);
    return problem ? wrong(s, path, problem) : LAUNCH_GIVEN;
}

/* A number of 8 bytes as one of type k; false: it does not fit. */
static bool convert(type_kind k, char kind, const uint8_t *bytes, num *out)
{
    const type_kind from = kind == 'f' ? TYPE_FLOAT64 : kind == 'u' ? TYPE_UINT64 : TYPE_INT64;
    const num x = num_load(from, bytes);
    *out = num_cast(k, from, x);
    if (k >= TYPE_FLOAT16)
        return true;
    if (kind == 'f' || (k == TYPE_BOOL && x.i != 0 && x.i != 1))
        return false;
    return out->i == x.i && (x.i >= 0 || (k == TYPE_UINT64) == (kind == 'u'));
}

/* Numbers of 8 bytes, each made one of the type's; false: one does not fit. */
static bool convert_all(const npy *a, const type *t, uint8_t *to)
{
    const type *scalar = type_scalar_of(t);
    for (size_t i = 0; i < a->count; i++) {
        num x;
        if (!convert(scalar->kind, a->kind, a->items + i * a->width, &x))
            return false;
        num_store(scalar->kind, to + i * layout_size(scalar), x);
    }
    return true;
}

static launch_found find_value(void *arg, const char *path, const type *t, rvalue *out)
{
    run_set *s = arg;
    ctx *c = &s->r->c->p.c;
    const weft_argument *from = find(s, path);
    npy a;
    if (!from)
        return LAUNCH_ABSENT;
    const char *problem = copy_items(s, &c->module, from, &a);
    const npy form = launch_form(t);
    if (!problem && a.kind != 'b' && a.width == 8 && (a.kind != form.kind || form.width != 8)) {
        uint8_t *bytes = arena_alloc(&c->module, layout_size(t));
        npy like = a;
        like.kind = form.kind;
        like.width = form.width;
        problem = launch_misfit(c, &like, t, 0);
        if (!problem && !convert_all(&a, t, bytes))
            problem = "its number does not fit the parameter's type";
        a.items = bytes;
    } else if (!problem) {
        problem = launch_misfit(c, &a, t, 0);
    }
    if (problem)
        return wrong(s, path, problem);
    *out = rvalue_load(&c->module, t, a.items);
    return LAUNCH_GIVEN;
}

/* Everything that is given must have been asked for. */
static bool all_used(run_set *s)
{
    run_request *r = s->r;
    for (size_t i = 0; i < r->o.argument_count; i++) {
        if (s->used[i] || (s->adjoint && (!r->args[i].gradient || r->args[i].has_gradient)))
            continue;
        wrong(s, r->args[i].name,
              s->adjoint ? "the kernel has no such array of floats"
                         : "the kernel has no such parameter");
        return false;
    }
    return true;
}

static run_set *start_set(run_request *r, bool adjoint)
{
    run_set *s = &r->set[adjoint];
    *s = (run_set){.r = r, .adjoint = adjoint};
    s->used = arena_zero(&r->c->p.c.module, r->o.argument_count + 1);
    s->source = (launch_source){s, find_array, find_value, tell_wrong};
    return s;
}

/* --- back into the caller's memory ---------------------------------------------------------- */

/* Where the items of each leaf go, all of them before the first is written. */
static void write_back(run_request *r, run_set *s)
{
    arena *a = &r->c->p.c.module;
    const launch_args *values = &s->values;
    str *items = ARENA_ARRAY(a, str, (size_t)values->leaves.n + 1);
    for (uint32_t i = 0; i < values->leaves.n; i++)
        items[i] = launch_leaf_items(&values->leaves.v[i], a);
    for (uint32_t i = 0; i < values->leaves.n; i++) {
        const weft_argument *to = find(s, values->leaves.v[i].path);
        if (to && s->adjoint && to->has_gradient)
            *to->has_gradient = 1;
        if (to && items[i].n)
            memcpy(s->adjoint ? to->gradient : to->data, items[i].p, items[i].n);
    }
}

/* --- a run ---------------------------------------------------------------------------------- */

/* The number of threads must be countable, even if nobody would wait for them. */
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
        refuse(r, WEFT_BAD_ARGUMENT, "a launch has 1 to 4 dimensions of 0 to %d threads",
               INT32_MAX);
    else if (o->executor < WEFT_REFERENCE || o->executor > WEFT_TEXT_CUDA)
        refuse(r, WEFT_BAD_ARGUMENT, "no executor has the number %d", o->executor);
    return r->status == WEFT_OK;
}

/* The array holds structs of the caller's size, not of ours: `given` steps by that. */
static bool check_arguments(run_request *r)
{
    const size_t n = r->o.argument_count;
    const char *given = (const char *)r->o.arguments;
    if (n && !given)
        return refuse(r, WEFT_BAD_ARGUMENT, "there are no arguments") == WEFT_OK;
    r->args = ARENA_ARRAY(&r->c->p.c.module, weft_argument, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!api_take_options(&r->args[i], sizeof r->args[i], given) || !r->args[i].name)
            return refuse(r, WEFT_BAD_ARGUMENT, "argument number %zu has no size or no name", i) ==
                   WEFT_OK;
        given += r->args[i].size;
    }
    return true;
}

/* Values first: adjoints take their shapes from them. */
static bool read_values(run_request *r, const kernel *k)
{
    ctx *c = &r->c->p.c;
    run_set *values = start_set(r, false), *adjoints = start_set(r, true);
    if (!launch_args_read(&values->values, c, &values->source, k) || !all_used(values))
        return false;
    r->job.args = values->values.values;
    if (!r->o.gradients)
        return true;
    if (!k->code.options.enable_backward || r->c->p.options.no_backward)
        return refuse(r, WEFT_BAD_ARGUMENT, "the kernel '%s' has no backward pass",
                      k->code.name->s) == WEFT_OK;
    if (!launch_args_mirror(&adjoints->values, c, &adjoints->source, k, &values->values) ||
        !all_used(adjoints))
        return false;
    r->job.adjoints = adjoints->values.values;
    return true;
}

/* The caller's memory is written only after both passes went well. */
static void execute(run_request *r, const kernel *k)
{
    if (!read_values(r, k))
        return;
    if (!launch_execute(&r->job)) {
        refuse(r, WEFT_FAILED, "%s", r->job.error);
        return;
    }
    for (size_t i = 0; i < r->o.argument_count; i++)
        if (r->args[i].has_gradient)
            *r->args[i].has_gradient = 0;
    write_back(r, &r->set[0]);
    if (r->o.gradients)
        write_back(r, &r->set[1]);
}

/* By name, or the only one there is. */
static const kernel *find_kernel(run_request *r, const program *prog)
{
    uint32_t n;
    const char *name = r->o.kernel;
    const kernel *k = launch_find_kernel(prog, name, &n);
    if (!k && name)
        refuse(r, WEFT_BAD_ARGUMENT, "no kernel is called '%s'", name);
    else if (!k)
        refuse(r, WEFT_BAD_ARGUMENT,
               n ? "there are several kernels: name one" : "there is no kernel");
    return k;
}

static void run_inner(void *arg)
{
    run_request *r = arg;
    pipeline *p = &r->c->p;
    if (!check_launch(r) || !check_arguments(r))
        return;
    const program *prog = api_load(r->c, r->path, r->name, r->text);
    const kernel *k = prog ? find_kernel(r, prog) : NULL;
    if (k)
        r->job.compiled = pipeline_lower(p, prog, k);
    const weft_status compiled = api_take_diagnostics(r->c);
    if (compiled != WEFT_OK)
        r->status = compiled;
    else if (k)
        execute(r, k);
}

/* Fuel: 0 means the default, UINT64_MAX no limit; inside, 0 is no limit. */
static weft_status run(run_request *r, const weft_run_options *options)
{
    weft_context *c = r->c;
    pipeline *p = &c->p;
    if (!options || !api_take_options(&r->o, sizeof r->o, options))
        return WEFT_BAD_ARGUMENT;
    r->job.p = p;
    r->job.executor = (launch_executor)r->o.executor;
    r->job.fuel = r->o.fuel == UINT64_MAX ? 0 : r->o.fuel ? r->o.fuel : DEFAULT_FUEL;
    p->options.devices = launch_devices(r->job.executor);
    const weft_status status = api_try(c, run_inner, r, &r->status);
    p->options.devices = c->devices;
    return status;
}

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

const char *weft_message(const weft_context *c)
{
    return c ? c->message : "";
}
