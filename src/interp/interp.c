/* The launch: every thread in turn, steps counted, failures told with their place. */
#include "interp/interp.h"

#include <stdarg.h>
#include <stdio.h>

#include "interp/interp_internal.h"

static void put_thread(interp *in)
{
    SB_LIT(in->error, "thread (");
    for (int i = 0; i < in->launch->ndim; i++)
        sb_printf(in->error, i ? ", %lld" : "%lld", (long long)in->thread[i]);
    SB_LIT(in->error, ")");
}

void interp_fail(interp *in, const node *at, const char *fmt, ...)
{
    const code *f = in->frame ? in->frame->code : &in->launch->kernel->code;
    const char *path = f->src ? f->src->path : "?";
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sb_printf(in->error, "%s:%u: kernel '%s', ", path, at ? at->line : f->first_line,
              in->launch->kernel->code.name->s);
    put_thread(in);
    sb_printf(in->error, ": %s", text);
    longjmp(*in->failure, 1);
}

void count_step(interp *in, const node *at)
{
    if (in->launch->fuel && in->steps == in->launch->fuel)
        interp_fail(in, at, "the fuel of %llu steps is spent", (unsigned long long)in->steps);
    in->steps++;
}

variable *find_variable(interp *in, const sym *name)
{
    frame *f = in->frame;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.v[i].name == name)
            return &f->vars.v[i];
    return NULL;
}

void set_variable(interp *in, const sym *name, rvalue v)
{
    variable *known = find_variable(in, name);
    if (known)
        known->value = v;
    else
        VEC_PUSH(&in->arena, &in->frame->vars, ((variable){name, v}));
}

static void run_thread(interp *in)
{
    const kernel *k = in->launch->kernel;
    frame f = {.code = &k->code};
    in->frame = &f;
    for (uint32_t i = 0; i < k->code.nparams; i++)
        set_variable(in, k->code.params[i].name, in->launch->args[i]);
    run_block(in, &k->code.def->body);
    in->frame = NULL;
    arena_reset(&in->arena);
}

static bool next_thread(interp *in)
{
    for (int i = in->launch->ndim - 1; i >= 0; i--) {
        if (++in->thread[i] < in->launch->dim[i])
            return true;
        in->thread[i] = 0;
    }
    return false;
}

interp *interp_new(ctx *c, const kernel *k)
{
    (void)k;
    interp *in = ARENA_NEW(&c->module, interp);
    in->c = c;
    arena_init(&in->arena, &c->mem);
    return in;
}

bool interp_launch_run(interp *in, const interp_launch *launch, strbuf *error)
{
    jmp_buf failure;
    in->launch = launch;
    in->failure = &failure;
    in->error = error;
    in->steps = 0;
    if (launch->tangents) {
        SB_LIT(error, "cannot execute tangents");
        return false;
    }
    for (int i = 0; i < launch->ndim; i++)
        if (launch->dim[i] <= 0)
            return true;
    if (setjmp(failure))
        return false;
    do
        run_thread(in);
    while (next_thread(in));
    return true;
}

bool interp_run(ctx *c, const interp_launch *launch, strbuf *error)
{
    return interp_launch_run(interp_new(c, launch->kernel), launch, error);
}
