/* A record's kernel on a CUDA device, on the inputs of its proof, against the reference. */
#include "launch/device.h"

#include "data/validate_record.h"

enum { FUEL = 1000000 };

typedef struct visit_job {
    record_judge *j;
    bool backward;
    strbuf *why;
} visit_job;

static bool tell_stuck(visit_job *v, const launch_job *l)
{
    const ctx *c = &v->j->p.c;
    SB_LIT(v->why, "cannot be run on the device: ");
    if (l->error)
        sb_c(v->why, l->error);
    else if (c->diags.n)
        sb_c(v->why, c->diags.v[c->diags.n - 1].text);
    return false;
}

static bool visit(void *arg, const check_launch *at)
{
    visit_job *v = arg;
    record_judge *j = v->j;
    device_result r;
    launch_job l = {.p = &j->p, .compiled = j->compiled, .args = at->args, .fuel = FUEL};
    l.adjoints = v->backward ? at->adjoints : NULL;
    l.ndim = at->ndim;
    memcpy(l.dim, at->dim, sizeof l.dim);
    switch (device_run(j->device, j->program, &l, &r)) {
    case DEVICE_STUCK: return tell_stuck(v, &l);
    case DEVICE_BROKEN: sb_c(v->why, j->device->gpu.why); return false;
    case DEVICE_DONE: break;
    }
    if (!r.differences.n)
        return true;
    const device_difference *d = &r.differences.v[0];
    sb_printf(v->why,
              "the device gives %s%s[%zu] = %.9g, the source %.9g; %zu of %zu numbers differ by "
              "more than %.2g of the largest",
              d->gradient ? "the gradient of " : "", d->array, d->lane, d->found, d->expected,
              d->wrong, d->lanes, d->tolerance);
    return false;
}

bool judge_device(record_judge *j, const record_view *r, strbuf *why)
{
    check_arg args[GEN_ARGS_MAX];
    check_result result;
    check_subject subject = {.kernel = j->compiled.kernel,
                             .launch = r->launch,
                             .args = args,
                             .seed = r->seed,
                             .index = r->index};
    visit_job v = {j, r->backward, why};
    if (j->device->gpu.why)
        return true; /* told once; it is of no more use */
    if (!driver_enter(&j->device->gpu)) {
        sb_c(why, j->device->gpu.why);
        return false;
    }
    if (r->nargs != j->compiled.kernel->code.nparams) {
        SB_LIT(why, "cannot be executed: metadata.arguments are not the kernel's");
        return false;
    }
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag};
    if (!j->checker)
        j->checker = check_new(&j->p.c);
    j->p.options.devices |= EMIT_FOR_CPU; /* what the reference's gradients come from */
    if (check_visit(j->checker, &subject, visit, &v, &result))
        return true;
    if (!why->n)
        sb_c(why, result.detail);
    return false;
}
