/* SPDX-License-Identifier: Apache-2.0 */
/* The launch: runs every thread in turn, counts steps of fuel, and reports the failure that ends a
 * run with its place. check, standalone and `weft run` call it as the reference that a text is
 * compared with.
 *
 *     i = wp.tid()                run with --dim 2 and x of 2 elements prints
 *     y[i] = 2.0 * x[i + 1]       k.py:6: kernel 'k', thread (1): array 'x': index 2 is out of
 *                                 bounds: dimension 0 has size 2
 *
 * Threads run one after the other, in row-major order of their indices, as on Warp's CPU device. A
 * failure leaves by longjmp: no function of the interpreter returns an error, and none owns memory
 * outside the arenas that it would have to free. */
#include "interp/interp.h"

#include <stdarg.h>

#include "base/format.h"
#include "geometry/geometry.h"
#include "geometry/volume.h"
#include "interp/interp_tile.h"

/* Appends "thread (1, 0)", the index of the thread that runs. */
static void put_thread(interp *in)
{
    SB_LIT(in->error, "thread (");
    for (int i = 0; i < in->launch->ndim; i++)
        sb_printf(in->error, i ? ", %lld" : "%lld", (long long)in->thread_index[i]);
    SB_LIT(in->error, ")");
}

/* Writes the message and returns to interp_launch_run. The line is that of the node; without a node
 * it is the first of the function that runs. The kernel's name is printed even inside a function
 * that it calls, since one function may serve several kernels. Calls va_end, because longjmp never
 * returns to the caller that called va_start. */
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

/* The program is wrong: an index out of bounds, a division by zero, a failed assertion. */
void interp_fail(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_FAULT, fmt, args);
}

/* The program may be right on one machine and wrong on another: a conversion out of range, the
 * sign of a NaN. */
void interp_unspecified(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_UNSPECIFIED, fmt, args);
}

/* The program may be right, but the interpreter lacks something. */
void interp_refuse(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_CANNOT, fmt, args);
}

/* A function of its own because leave() takes a va_list. */
static _Noreturn void leave_by_fuel(interp *in, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    leave(in, at, INTERP_FUEL, fmt, args);
}

/* Sets the count to the limit, so that callers recognize the end by interp_steps: a builtin's loop
 * may need more steps than are left (interp_spend). */
static _Noreturn void out_of_fuel(interp *in, const node *at)
{
    in->steps = in->fuel;
    leave_by_fuel(in, at, "the fuel of %llu step%s is spent", (unsigned long long)in->fuel,
                  plural_s(in->fuel));
}

/* Steps between two looks at the flag of an interrupt: a few milliseconds. */
enum { PAUSE_STEPS = 1 << 16 };

/* The count of steps at which interp_pause looks again. Where nobody stops the run or asks how far
 * it is, only the end of fuel matters; `fuel - steps` does not overflow, as steps never exceed
 * fuel. */
static uint64_t next_pause(const interp *in)
{
    if ((!in->c->mem.stop && !in->launch->progress) || in->fuel - in->steps < PAUSE_STEPS)
        return in->fuel;
    return in->steps + PAUSE_STEPS;
}

/* Threads run in the order of their index, the last dimension fastest. */
static void report_progress(const interp *in)
{
    const interp_launch *l = in->launch;
    uint64_t done = 0, total = 1;
    for (int i = 0; i < l->ndim && l->progress; i++) {
        done = done * (uint64_t)l->dim[i] + (uint64_t)in->thread_index[i];
        total *= (uint64_t)l->dim[i];
    }
    if (l->progress)
        l->progress(l->progress_arg, l->reversed ? total - 1 - done : done, total);
}

/* An interrupt leaves as a failed allocation does, to the guard of mem_try. */
void interp_pause(interp *in, const node *at)
{
    if (in->steps >= in->fuel)
        out_of_fuel(in, at);
    if (mem_stopped(&in->c->mem))
        mem_fail(&in->c->mem);
    report_progress(in);
    in->pause = next_pause(in);
    WEFT_ASSERT(in->steps < in->pause && in->pause <= in->fuel);
}

/* The steps are taken before the work is done, so that no operation runs longer than the fuel
 * allows. */
void interp_spend(interp *in, const node *at, uint64_t steps)
{
    if (steps > in->fuel - in->steps)
        out_of_fuel(in, at);
    in->steps += steps;
    if (in->steps >= in->pause && in->steps < in->fuel)
        interp_pause(in, at);
}

/* One thread: clears all variables, gives the parameters their arguments, and executes the body.
 * Arrays are shared by the threads; anything else is copied, since a kernel may assign to its
 * parameters. Views that structs hold end with the thread. */
void interp_run_thread(interp *in)
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
    WEFT_ASSERT(in->unit == u && !in->depth && !in->stack);
    arena_reset(&in->thread);
}

/* Steps thread_index like an odometer, the last dimension fastest; backwards when the launch is
 * reversed. False: all threads have run, and the index is the first one's again.
 *
 *     dim (2, 3):   (0, 0) (0, 1) (0, 2) (1, 0) (1, 1) (1, 2) */
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

/* Prepares the kernel once; launches then run the same tree with other arguments. Functions that
 * it calls are prepared at their first call, when the types of the arguments are known. */
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

/* The interpreter's form of an rvalue, without a copy of its bytes. A number has no address of its
 * own, so it is stored in the slot; for other values s may be NULL. */
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

/* Fills in->args from the launch, with a tangent where the launch has one and the type can carry
 * it. A scalar's tangent lies in its slot's shadow, which interp_room has made. */
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

/* Resets all that a former launch has left: counters, notes (kink, negative, ...) and functions
 * that were active when a run failed. */
static void begin(interp *in, const interp_launch *launch, strbuf *error)
{
    WEFT_ASSERT(launch->ndim >= 0 && launch->ndim <= LAUNCH_DIMS);
    WEFT_ASSERT(&launch->kernel->code == in->kernel->code);
    in->launch = launch;
    in->error = error;
    in->steps = in->waits = 0;
    in->fuel = launch->fuel ? launch->fuel : UINT64_MAX;
    in->pause = next_pause(in);
    in->depth = 0;
    in->stack = 0;
    in->dual = launch->tangents != NULL;
    in->kink = in->steep = in->negative = false;
    in->gradient = in->met_gradient = false;
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
    interp_begin_apart(in);
}

/* A launch with an empty dimension runs no thread and succeeds. */
bool interp_launch_run(interp *in, const interp_launch *launch, strbuf *error)
{
    begin(in, launch, error);
    in->end = INTERP_OK;
    geometry_restore_volumes(in->c);
    for (int i = 0; i < launch->ndim; i++)
        if (launch->dim[i] <= 0)
            return true;
    if (!setjmp(in->failure)) {
        if (in->tiles)
            interp_run_blocks(in);
        else
            do {
                interp_run_thread(in);
                interp_end_apart_thread(in);
            } while (next_thread(in));
        if (!geometry_restore_meshes(in->c))
            interp_refuse(in, &in->kernel->code->def->base, "a store to the arrays of a mesh");
    }
    interp_end_apart(in);
    if (in->end != INTERP_OK) /* what it stored before it failed */
        (void)geometry_restore_meshes(in->c);
    arena_clear(&in->thread); /* the interpreter itself is forgotten with c->module */
    return in->end == INTERP_OK;
}

bool interp_has_tiles(const interp *in)
{
    return in->tiles;
}

interp_end interp_ended(const interp *in)
{
    return in->end;
}

interp_outside interp_met_outside(const interp *in)
{
    return in->outside;
}

/* Did the last run index an array from its end? */
bool interp_met_negative(const interp *in)
{
    return in->negative;
}

bool interp_kept_apart(const interp *in)
{
    return in->kept_apart;
}

bool interp_stores_met(const interp *in)
{
    return in->stores_met;
}

/* Of the last run; equal to the fuel if that was spent. */
uint64_t interp_steps(const interp *in)
{
    return in->steps;
}

uint64_t interp_waits(const interp *in)
{
    return in->waits;
}

/* Did the last run with tangents take a derivative where there is none? Its tangents are then
 * those of one side. */
bool interp_met_kink(const interp *in)
{
    return in->kink;
}

bool interp_met_steep(const interp *in)
{
    return in->steep;
}

bool interp_met_gradient(const interp *in)
{
    return in->met_gradient;
}

const char *interp_met_wrong_adjoint(const interp *in)
{
    return in->wrong_adjoint;
}
