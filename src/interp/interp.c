/* The launch: every thread in turn, steps counted, failures told with their place. */
#include "interp/interp.h"

#include <stdarg.h>

#include "base/format.h"
#include "interp/interp_internal.h"

static void put_thread(interp *in)
{
    SB_LIT(in->error, "thread (");
    for (int i = 0; i < in->launch->ndim; i++)
        sb_printf(in->error, i ? ", %lld" : "%lld", (long long)in->thread_index[i]);
    SB_LIT(in->error, ")");
}

static _Noreturn void leave(interp *in, const node *at, interp_end end, const char *fmt,
                            va_list args)
{
    const code *f = in->unit->code;
    const char *path = f->src ? f->src->path : "?";
    char text[512];
    format_text_v(text, sizeof text, fmt, args);
    va_end(args);
    sb_printf(in->error, "%s:%u: kernel '%s', ", path, at ? at->line : f->first_line,
              in->launch->kernel->code.name->s);
    put_thread(in);
    sb_printf(in->error, end == INTERP_CANNOT ? ": cannot execute %s" : ": %s", text);
    in->end = end;
    longjmp(in->failure, 1);
}

void interp_fail(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_FAULT, fmt, args);
}

void interp_unspecified(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_UNSPECIFIED, fmt, args);
}

void interp_refuse(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_CANNOT, fmt, args);
}

static _Noreturn void leave_by_fuel(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_FUEL, fmt, args);
}

static _Noreturn void out_of_fuel(interp *in, const node *at)
{
    in->steps = in->fuel;
    leave_by_fuel(in, at, "the fuel of %llu steps is spent", (unsigned long long)in->fuel);
}

/* Steps between two looks at the flag of an interrupt: a few milliseconds. */
enum { PAUSE_STEPS = 1 << 16 };

static uint64_t next_pause(const interp *in)
{
    if (!in->c->mem.stop || in->fuel - in->steps < PAUSE_STEPS)
        return in->fuel;
    return in->steps + PAUSE_STEPS;
}

/* An interrupt leaves as a failed allocation does, to the guard of mem_try. */
void interp_pause(interp *in, const node *at)
{
    if (in->steps >= in->fuel)
        out_of_fuel(in, at);
    if (mem_stopped(&in->c->mem))
        mem_fail(&in->c->mem);
    in->pause = next_pause(in);
}

void interp_spend(interp *in, const node *at, uint64_t steps)
{
    if (steps > in->fuel - in->steps)
        out_of_fuel(in, at);
    in->steps += steps;
    if (in->steps >= in->pause && in->steps < in->fuel)
        interp_pause(in, at);
}

/* Arrays are shared by the threads; anything else is a thread's own. */
static void run_thread(interp *in)
{
    unit *u = in->kernel;
    for (uint32_t i = 0; i < u->nlocals; i++)
        u->locals[i]->v = (iv){0};
    for (uint32_t i = 0; i < u->code->nparams; i++) {
        if (in->args[i].type && in->args[i].type->kind == TYPE_ARRAY)
            u->params[i].v = in->args[i];
        else
            interp_keep(in, &u->params[i], &in->args[i]);
    }
    in->views = 0;
    interp_block(in, &u->body);
    arena_reset(&in->thread);
}

static bool next_thread(interp *in)
{
    const interp_launch *l = in->launch;
    for (int i = l->ndim - 1; i >= 0; i--) {
        if (l->reversed ? --in->thread_index[i] >= 0 : ++in->thread_index[i] < l->dim[i])
            return true;
        in->thread_index[i] = l->reversed ? l->dim[i] - 1 : 0;
    }
    return false;
}

interp *interp_new(ctx *c, const kernel *k)
{
    interp *in = ARENA_NEW(&c->module, interp);
    in->c = c;
    in->a = &c->module;
    in->t_int = type_scalar(c, TYPE_INT32);
    in->t_bool = type_scalar(c, TYPE_BOOL);
    arena_init(&in->thread, &c->mem);
    in->args = ARENA_ARRAY(in->a, iv, k->code.nparams + 1);
    in->arg_slots = arena_zero(in->a, mem_mul(&c->mem, k->code.nparams + 1, sizeof(islot)));
    in->kernel = interp_prepare(in, &k->code);
    return in;
}

/* An rvalue's bytes, wherever they are; a number's in the slot. */
static iv borrow(interp *in, islot *s, const rvalue *r)
{
    const type *t = r->type;
    if (!t)
        return (iv){.object = r->object};
    if (!type_is_scalar(t))
        return (iv){.type = t,
                    .p = t->kind == TYPE_ARRAY ? (void *)(uintptr_t)&r->array
                                               : (void *)(uintptr_t)r->bytes};
    iv v = *interp_room(in, s, t);
    num_store(t->kind, v.p, r->n);
    return v;
}

static void take_arguments(interp *in)
{
    const interp_launch *l = in->launch;
    for (uint32_t i = 0; i < in->kernel->code->nparams; i++) {
        in->args[i] = borrow(in, &in->arg_slots[i], &l->args[i]);
        in->args[i].t = NULL;
        if (!in->dual || !l->tangents[i].type ||
            !(interp_has_tangent(l->tangents[i].type) || l->tangents[i].type->kind == TYPE_ARRAY))
            continue;
        const rvalue *r = &l->tangents[i];
        if (type_is_scalar(r->type)) {
            in->args[i].t = in->arg_slots[i].shadow;
            num_store(r->type->kind, in->args[i].t, r->n);
        } else {
            in->args[i].t = borrow(in, NULL, r).p;
        }
    }
}

static void begin(interp *in, const interp_launch *launch, strbuf *error)
{
    in->launch = launch;
    in->error = error;
    in->steps = 0;
    in->fuel = launch->fuel ? launch->fuel : UINT64_MAX;
    in->pause = next_pause(in);
    in->depth = 0;
    in->stack = 0;
    in->dual = launch->tangents != NULL;
    in->kink = in->negative = false;
    in->outside = (interp_outside){0};
    in->wrong_adjoint = NULL;
    in->unit = in->kernel;
    in->result = NULL;
    memset(in->thread_index, 0, sizeof in->thread_index);
    for (int i = 0; i < launch->ndim && launch->reversed; i++)
        in->thread_index[i] = launch->dim[i] - 1;
    for (unit *u = in->functions; u; u = u->next)
        u->active = false;
    arena_reset(&in->thread);
    take_arguments(in);
}

bool interp_launch_run(interp *in, const interp_launch *launch, strbuf *error)
{
    begin(in, launch, error);
    in->end = INTERP_OK;
    for (int i = 0; i < launch->ndim; i++)
        if (launch->dim[i] <= 0)
            return true;
    if (setjmp(in->failure))
        return false;
    do
        run_thread(in);
    while (next_thread(in));
    return true;
}

interp_end interp_ended(const interp *in)
{
    return in->end;
}

interp_outside interp_met_outside(const interp *in)
{
    return in->outside;
}

bool interp_met_negative(const interp *in)
{
    return in->negative;
}

uint64_t interp_steps(const interp *in)
{
    return in->steps;
}

bool interp_met_kink(const interp *in)
{
    return in->kink;
}

const char *interp_met_wrong_adjoint(const interp *in)
{
    return in->wrong_adjoint;
}
