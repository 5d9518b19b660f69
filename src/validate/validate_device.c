/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a record's kernel on a CUDA device, on the inputs of its proof, and compares the results
 * with those of weft's reference (`weft validate --device cuda`), forward and backward.
 *
 *     record   ->   device_load, once; device_run for each launch of check_visit; device_unload
 *
 * After a device is lost, nothing more is run on it: each later record gets the problem "not run,
 * since the device is lost". */
#include "launch/device.h"

#include "validate/validate_record.h"

enum { FUEL = 1000000 };

/* What check_visit passes to each launch. */
typedef struct visit_job {
    record_validator *rv;
    const device_kernel *kernel;
    bool backward;
    strbuf *why;
} visit_job;

/* Puts why this kernel cannot be run; the device is fine. */
static bool put_stuck(visit_job *v, const launch_job *l)
{
    const ctx *c = &v->rv->p.c;
    SB_LIT(v->why, "cannot be run on the device: ");
    if (l->error)
        sb_c(v->why, l->error);
    else if (c->diags.n)
        sb_c(v->why, c->diags.v[c->diags.n - 1].text);
    return false;
}

/* One launch: runs the kernel and compares with the reference; the first difference is the reason.
 */
static bool visit(void *arg, const check_launch *at)
{
    visit_job *v = arg;
    record_validator *rv = v->rv;
    device_result r;
    launch_job l = {.p = &rv->p, .compiled = rv->compiled, .args = at->args, .fuel = FUEL};
    l.adjoints = v->backward ? at->adjoints : NULL;
    l.ndim = at->ndim;
    memcpy(l.dim, at->dim, sizeof l.dim);
    switch (device_run(rv->device, v->kernel, &l, &r)) {
    case DEVICE_STUCK: return put_stuck(v, &l);
    case DEVICE_BROKEN: sb_c(v->why, rv->device->gpu.why); return false;
    case DEVICE_DONE: break;
    }
    if (r.differences.n)
        sb_c(v->why, device_difference_text(&rv->p.c.module, &r.differences.v[0]));
    return !r.differences.n;
}

/* Compiles the kernel once, and runs it on each of its inputs. */
static bool visit_all(visit_job *v, const check_subject *subject)
{
    record_validator *rv = v->rv;
    check_result result;
    device_kernel loaded;
    launch_job l = {.p = &rv->p, .compiled = rv->compiled};
    v->kernel = &loaded;
    switch (device_load(rv->device, rv->program, &l, v->backward, &loaded)) {
    case DEVICE_STUCK: return put_stuck(v, &l);
    case DEVICE_BROKEN: sb_c(v->why, rv->device->gpu.why); return false;
    case DEVICE_DONE: break;
    }
    if (check_visit(rv->checker, subject, visit, v, &result))
        return true;
    if (!v->why->n)
        sb_c(v->why, result.detail);
    return false;
}

/* The kernel is unloaded whatever came of it, so that the device is ready for the next record. */
bool validate_device(record_validator *rv, const record_view *r, strbuf *why)
{
    check_arg args[SAMPLE_ARGS_MAX];
    check_subject subject = {.kernel = rv->compiled.kernel,
                             .launch = r->launch,
                             .args = args,
                             .seed = r->seed,
                             .index = r->index};
    visit_job v = {.rv = rv, .backward = r->backward, .why = why};
    WEFT_ASSERT(rv->device && rv->compiled.ir);
    if (rv->device->gpu.lost || !libcuda_enter(&rv->device->gpu)) {
        SB_LIT(why, "not run, since the device is lost");
        return false;
    }
    if (r->nargs != rv->compiled.kernel->code.nparams) {
        SB_LIT(why, "cannot be executed: metadata.arguments are not the kernel's");
        return false;
    }
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
    if (!rv->checker)
        rv->checker = check_new(&rv->p.c);
    rv->p.options.devices |= EMIT_FOR_CPU; /* what the reference's gradients come from */
    bool good = visit_all(&v, &subject);
    if (device_unload(rv->device) != DEVICE_DONE && good) {
        good = false;
        sb_c(why, rv->device->gpu.why);
    }
    (void)libcuda_forgive(&rv->device->gpu);
    return good;
}
