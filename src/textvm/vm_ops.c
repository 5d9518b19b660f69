/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions: moves, control flow, calls, comparisons, loops, and arithmetic through arith_op.
 *
 *     var_6 = half_0(var_7);     do_call            copies var_7 to var_x of half_0, goes there
 *     var_1 = wp::mul(...);      mul_f32            in half_0 (vm_scalar_ops.c)
 *     return var_1;              do_return_value    copies var_1 to var_6, goes back
 *
 * An instruction is a function and the addresses of its operands; it returns the next one, or NULL
 * when the thread has ended or failed. Where nothing is said of control, that is i + 1. Fuel is
 * taken by blocks: a jump back takes what the loop's body costs, a call what the function costs, so
 * straight code needs no counter.
 *
 * Operands are moved by memcpy where their alignment or type is not known, and by memmove where
 * source and destination may overlap (an element stored to itself). */
#include <math.h>

#include "textvm/vm_ops.h"
#include "textvm/vm_read.h"

/* Operands as arith_op lays them out: arguments, results; of an adjoint see vm_builtin.c. */
const ins *do_arith(const ins *i, machine *m)
{
    const arith_status status = i->op->run(i->op, i->v);
    return status == ARITH_OK ? i + 1 : vm_arith_fault(m, i, status);
}

/* Operands: arguments, results, adjoints of both (emit_adjoint in vm_builtin.c). */
const ins *do_adjoint(const ins *i, machine *m)
{
    const arith_status status = i->op->adjoint(i->op, i->v);
    return status == ARITH_OK ? i + 1 : vm_arith_fault(m, i, status);
}

/* v[0] = v[1]. Operands are variables or literals, aligned to 8, of the usual sizes. */
#define MOVE(name, T)                                                                              \
    static const ins *name(const ins *i, machine *m)                                               \
    {                                                                                              \
        (void)m;                                                                                   \
        memcpy(i->v[0], i->v[1], sizeof(T));                                                       \
        return i + 1;                                                                              \
    }
MOVE(do_move1, uint8_t)
MOVE(do_move4, uint32_t)
MOVE(do_move8, uint64_t)

/* The same of `size` bytes; parts of variables included. */
const ins *do_move(const ins *i, machine *m)
{
    (void)m;
    memmove(i->v[0], i->v[1], i->size);
    return i + 1;
}

/* wp::assign: a move with a function of its own, since mutants may drop it (vm_mutant.c). */
const ins *do_assigned(const ins *i, machine *m)
{
    (void)m;
    if (i->size == 4)
        memcpy(i->v[0], i->v[1], 4);
    else
        memmove(i->v[0], i->v[1], i->size);
    return i + 1;
}

static void put_value(void *to, const void *from, const where_info *w)
{
    if (w->storage)
        do_keep_view(to, from, w->storage);
    else
        memmove(to, from, w->size);
}

/* The same where v[1] may be unset: then v[0] is, too. */
const ins *do_assign_lazy(const ins *i, machine *m)
{
    const where_info *w = i->aux;
    if (*w->a->flag)
        put_value(i->v[0], i->v[1], w);
    else if (m->launch->unset_is_zero)
        memset(i->v[0], 0, w->size);
    else if (w->to->flag) /* else nothing reads it */
        *w->to->flag = 0;
    return i + 1;
}

bool do_is_assign(ins_fn *run)
{
    return run == do_assigned || run == do_assign_lazy;
}

/* A size known to the compiler makes one load and one store of a move. */
ins_fn *do_move_of(size_t size)
{
    return size == 4 ? do_move4 : size == 8 ? do_move8 : size == 1 ? do_move1 : do_move;
}

/* *v[1] to v[0] */
const ins *do_load(const ins *i, machine *m)
{
    (void)m;
    void *from;
    memcpy(&from, i->v[1], sizeof from);
    memcpy(i->v[0], from, i->size);
    return i + 1;
}

/* do_load for values of 4 bytes, the usual size. */
const ins *do_load4(const ins *i, machine *m)
{
    (void)m;
    void *from;
    memcpy(&from, i->v[1], sizeof from);
    memcpy(i->v[0], from, 4);
    return i + 1;
}

/* do_load for values of 8 bytes: float64, int64, and arrays. */
const ins *do_load8(const ins *i, machine *m)
{
    (void)m;
    void *from;
    memcpy(&from, i->v[1], sizeof from);
    memcpy(i->v[0], from, 8);
    return i + 1;
}

/* v[1] to *v[0] */
const ins *do_store(const ins *i, machine *m)
{
    (void)m;
    void *to;
    memcpy(&to, i->v[0], sizeof to);
    memmove(to, i->v[1], i->size);
    return i + 1;
}

/* The address v[1] + size, or *v[1] + size where n is 1, to v[0]. */
const ins *do_address_of(const ins *i, machine *m)
{
    (void)m;
    uint8_t *at = i->v[1];
    if (i->n == 3)
        memcpy(&at, i->v[1], sizeof at);
    if (at) /* an element without a gradient has no address */
        at += i->size;
    memcpy(i->v[0], &at, sizeof at);
    return i + 1;
}

/* v[0] = zeros, `size` bytes, of one variable or several in a row */
const ins *do_zero(const ins *i, machine *m)
{
    (void)m;
    memset(i->v[0], 0, i->size);
    return i + 1;
}

/* Forward, so that it takes no fuel. */
const ins *do_jump(const ins *i, machine *m)
{
    (void)m;
    return i->to;
}

/* n: instructions between the target and the jump. Only such jumps can keep a thread from ending.
 */
const ins *do_jump_back(const ins *i, machine *m)
{
    m->fuel -= i->n;
    if (m->fuel < 0 && !vm_refuel(m))
        return vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    return i->to;
}

/* A block or a jump runs if the bool v[0] is true, or in do_if_not false; else control goes to
 * `to`, its end. */
const ins *do_if(const ins *i, machine *m)
{
    (void)m;
    return *(const uint8_t *)i->v[0] ? i + 1 : i->to;
}

/* The block of a negated condition. */
const ins *do_if_not(const ins *i, machine *m)
{
    (void)m;
    return *(const uint8_t *)i->v[0] ? i->to : i + 1;
}

/* v[0] = truth of the scalar v[1] */
const ins *do_truth(const ins *i, machine *m)
{
    (void)m;
    const type *t = i->aux;
    *(uint8_t *)i->v[0] = num_truth(t->kind, num_load(t->kind, i->v[1]));
    return i + 1;
}

/* the scalar v[0] = the bool v[1] */
const ins *do_from_bool(const ins *i, machine *m)
{
    (void)m;
    const type *t = i->aux;
    num_store(t->kind, i->v[0], num_cast(t->kind, TYPE_BOOL, (num){.i = *(uint8_t *)i->v[1]}));
    return i + 1;
}

/* The bool v[0] = v[1] && v[2] */
const ins *do_and(const ins *i, machine *m)
{
    (void)m;
    *(uint8_t *)i->v[0] = *(const uint8_t *)i->v[1] && *(const uint8_t *)i->v[2];
    return i + 1;
}

/* The bool v[0] = v[1] || v[2] */
const ins *do_or(const ins *i, machine *m)
{
    (void)m;
    *(uint8_t *)i->v[0] = *(const uint8_t *)i->v[1] || *(const uint8_t *)i->v[2];
    return i + 1;
}

/* The end of a thread. */
const ins *do_end(const ins *i, machine *m)
{
    (void)i;
    (void)m;
    return NULL;
}

/* v: the arguments, then where the result goes, if there is one. By-reference arguments patch the
 * function's instructions; those of the call before are overwritten, since each parameter is
 * patched in each call. */
const ins *do_call(const ins *i, machine *m)
{
    const call_info *k = i->aux;
    const vm_func *f = k->f;
    WEFT_ASSERT(f->code);
    m->fuel -= f->steps;
    if (m->fuel < 0 && !vm_refuel(m))
        return vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    for (uint32_t a = 0; a < k->n; a++) {
        const call_arg *arg = &k->args[a];
        if (!arg->by_reference) {
            memcpy(arg->to, i->v[a], arg->size);
            continue;
        }
        for (uint32_t u = 0; u < arg->uses->n; u++)
            *arg->uses->v[u].where = (uint8_t *)i->v[a] + arg->uses->v[u].offset;
    }
    if (f->nflags)
        memset(f->flags, 0, f->nflags);
    WEFT_ASSERT(m->call - m->calls <= m->vm->nfunctions); /* no function calls itself */
    *m->call++ = (call_record){k->back, k->n < i->n ? i->v[k->n] : NULL};
    return f->code;
}

/* Back from a function without a result. */
const ins *do_return(const ins *i, machine *m)
{
    (void)i;
    WEFT_ASSERT(m->call > m->calls);
    return (--m->call)->back;
}

/* v[0] becomes the result of the call. It is copied before control goes back, since the
 * function's variables serve the next call, too. */
const ins *do_return_value(const ins *i, machine *m)
{
    const call_record *k = --m->call;
    WEFT_ASSERT(m->call >= m->calls && k->result);
    memcpy(k->result, i->v[0], i->size);
    return k->back;
}

/* Control reaches the end of a function with a result: undefined in C++. */
const ins *do_no_value(const ins *i, machine *m)
{
    const vm_func *f = i->aux;
    return vm_fault(m, i, TEXTVM_FAULT, "%.*s ends without a value", (int)f->name.n, f->name.p);
}

/* The error names the variable by parts, so that the caller can give the Python name that it
 * stands for. */
static const ins *unset(const ins *i, machine *m, const var *v)
{
    m->error->variable = v->name;
    m->error->function = v->func == &m->vm->kernel ? (str){"", 0} : v->func->name;
    m->error->thread = m->index;
    return vm_fault(m, i, TEXTVM_UNSET, "%.*s is read before it has a value", (int)v->name.n,
                    v->name.p);
}

/* aux: a variable that must have a value here. No number of zeros makes a pointer one. */
const ins *do_check(const ins *i, machine *m)
{
    const var *v = i->aux;
    WEFT_ASSERT(v->flag); /* function_end gave it one */
    if (*v->flag)
        return i + 1;
    if (!m->launch->unset_is_zero || v->type.ptr)
        return unset(i, m, v);
    if (v->ref < 0 && v->type.t)
        memset(v->at, 0, vm_type_size(v->type.t));
    return i + 1;
}

/* Sets flags, and runs the wrapped instruction. That one is not in the program's code, so its i + 1
 * means the instruction after this one; another is a jump's target or a callee. */
const ins *do_define(const ins *i, machine *m)
{
    const define *d = i->aux;
    for (uint32_t k = 0; k < d->n; k++)
        *d->vars[k]->flag = 1;
    const ins *next = d->inner.run(&d->inner, m);
    if (m->resume == &d->inner + 1)
        m->resume = i + 1;
    return next == &d->inner + 1 ? i + 1 : next;
}

/* v[0] = v[1] ? v[2] : v[3]. The value that is not chosen may be unset: Warp's text computes one of
 * the two in each branch before. Also the chosen one, of a variable that is set in one branch and
 * only read where that was taken; then the result is unset. */
const ins *do_where(const ins *i, machine *m)
{
    const where_info *w = i->aux;
    const bool c = num_truth(w->cond->kind, num_load(w->cond->kind, i->v[1]));
    const var *v = c ? w->a : w->b;
    if (!v || !v->flag || *v->flag) {
        put_value(i->v[0], i->v[c ? 2 : 3], w);
        return i + 1;
    }
    if (m->launch->unset_is_zero && !v->type.ptr)
        memset(i->v[0], 0, w->size);
    else if (!w->to)
        return unset(i, m, v);
    else if (w->to->flag) /* else nothing reads it */
        *w->to->flag = 0;
    return i + 1;
}

/* cond, adj_a, adj_b, adj_ret. Warp 1.19 native/builtin.h adj_where: the chosen one += adj_ret. */
const ins *do_adj_where(const ins *i, machine *m)
{
    (void)m;
    const where_info *w = i->aux;
    const bool c = num_truth(w->cond->kind, num_load(w->cond->kind, i->v[0]));
    accum_run(w->accum, i->v[c ? 1 : 2], i->v[3]);
    return i + 1;
}

/* v[0] += v[1] */
const ins *do_accum(const ins *i, machine *m)
{
    (void)m;
    accum_run(i->aux, i->v[0], i->v[1]);
    return i + 1;
}

/* v: adj_src, adj_dest. adj_src += adj_dest; adj_dest = 0. Warp 1.19 native/builtin.h adj_copy */
const ins *do_adj_copy(const ins *i, machine *m)
{
    (void)m;
    const accum *a = i->aux;
    accum_run(a, i->v[0], i->v[1]);
    memset(i->v[1], 0, a->size);
    return i + 1;
}

/* v: adj_src, adj_dest. adj_src = adj_dest; adj_dest = 0. Warp 1.19 native/builtin.h adj_assign */
const ins *do_adj_assign(const ins *i, machine *m)
{
    (void)m;
    const accum *a = i->aux;
    memmove(i->v[0], i->v[1], a->size);
    memset(i->v[1], 0, a->size);
    return i + 1;
}

/* One scalar of a kind that has no fast path, with that kind's rounding. */
static void add_num(type_kind k, uint8_t *to, const uint8_t *from, bool minus)
{
    num_store(k, to,
              num_binary(k, minus ? SCALAR_SUB : SCALAR_ADD, num_load(k, to), num_load(k, from)));
}

/* to += from, or -=, scalar by scalar in the order of the text's operator +=. For bool, + is a
 * logical or, as C++ converts the sum. */
static void accumulate(const accum *a, uint8_t *to, const uint8_t *from, bool minus)
{
    for (uint32_t p = 0; p < a->n; p++) {
        const accum_part *part = &a->parts[p];
        for (uint32_t i = 0; i < part->lanes; i++) {
            if (part->kind == TYPE_FLOAT32) {
                float *x = (float *)(void *)(to + part->to) + i;
                const float y = ((const float *)(const void *)(from + part->from))[i];
                *x = minus ? *x - y : *x + y;
            } else if (part->kind == TYPE_FLOAT64) {
                double *x = (double *)(void *)(to + part->to) + i;
                const double y = ((const double *)(const void *)(from + part->from))[i];
                *x = minus ? *x - y : *x + y;
            } else if (part->kind == TYPE_BOOL) {
                to[part->to + i] |= from[part->from + i];
            } else {
                const size_t size = layout_size(&(type){.kind = (uint8_t)part->kind});
                add_num(part->kind, to + part->to + i * size, from + part->from + i * size, minus);
            }
        }
    }
    if (a->clears)
        memset(to, 0, a->size);
}

/* Most adjoints are single floats: these are added without a loop. */
void accum_run(const accum *a, uint8_t *to, const uint8_t *from)
{
    if (a->single == TYPE_FLOAT32)
        *(float *)(void *)to += *(const float *)(const void *)from;
    else if (a->single == TYPE_FLOAT64)
        *(double *)(void *)to += *(const double *)(const void *)from;
    else
        accumulate(a, to, from, false);
}

void accum_minus(const accum *a, uint8_t *to, const uint8_t *from)
{
    accumulate(a, to, from, true);
}

/* v[0] = range(v[1] ...). A range is start, end, step, i, as range_t of Warp 1.19 native/range.h.
 */
const ins *do_range(const ins *i, machine *m)
{
    (void)m;
    int32_t *range = i->v[0];
    const uint32_t n = i->n - 1;
    WEFT_ASSERT(n >= 1 && n <= 3);
    const int32_t start = n > 1 ? *(const int32_t *)i->v[1] : 0;
    range[1] = *(const int32_t *)i->v[n > 1 ? 2 : 1];
    range[2] = n > 2 ? *(const int32_t *)i->v[3] : 1;
    range[0] = range[3] = start;
    return i + 1;
}

/* The jump behind it runs if the range v[0] has ended (iter_cmp gives 0). A step of 0 has no
 * iterations. */
const ins *do_if_done(const ins *i, machine *m)
{
    (void)m;
    const int32_t *range = i->v[0];
    const bool more = range[2] > 0 ? range[3] < range[1] : range[2] < 0 && range[3] > range[1];
    return more ? i->to : i + 1;
}

/* With wrap-around, where C++ leaves overflow open and the compilers in use wrap around. */
static int32_t add32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

/* v[0] = the number of the range v[1], which steps to its next one. */
const ins *do_iter_next(const ins *i, machine *m)
{
    (void)m;
    int32_t *range = i->v[1];
    *(int32_t *)i->v[0] = range[3];
    range[3] = add32(range[3], range[2]);
    return i + 1;
}

/* v[0] = the range v[1] backwards, for the loops of backward text. Warp 1.19 native/range.h
 * iter_reverse, where the last value is start + (length / step) * step:
 *
 *     range(0, 10, 3) = 0 3 6 9  ->  start 9, end -3, step -3
 *
 * An empty range stays empty. The sums are of 64 bits and cut, so that no range overflows. */
const ins *do_iter_reverse(const ins *i, machine *m)
{
    (void)m;
    int32_t *range = i->v[1];
    const int64_t start = range[0], end = range[1], step = range[2];
    int32_t out[4];
    out[2] = (int32_t)(0 - (uint32_t)step);
    out[0] = out[1] = (int32_t)start;
    if ((step > 0 && start < end) || (step < 0 && start > end)) {
        const int32_t length = (int32_t)((end - start) + (step > 0 ? -1 : 1));
        const int64_t rounds = step == -1 ? -(int64_t)length : length / step;
        out[0] = (int32_t)(uint32_t)(start + rounds * step);
        out[1] = (int32_t)(uint32_t)(start - step);
    }
    out[3] = out[0];
    memcpy(i->v[0], out, sizeof out);
    return i + 1;
}

/* v[0] += size, of an int32; size may be negative */
const ins *do_step(const ins *i, machine *m)
{
    (void)m;
    int32_t *x = i->v[0];
    *x = add32(*x, (int32_t)(uint32_t)i->size);
    return i + 1;
}

/* The thread's coordinates, as run_thread (vm_run.c) has them. */
const ins *do_tid1(const ins *i, machine *m)
{
    memcpy(i->v[0], &m->coord[0], sizeof(int32_t));
    return i + 1;
}

/* v[0], v[1], ... = the coordinates, for builtin_tid2d and so on. */
const ins *do_tid(const ins *i, machine *m)
{
    for (uint32_t k = 0; k < i->n; k++)
        memcpy(i->v[k], &m->coord[k], sizeof(int32_t));
    return i + 1;
}

/* v[0] = the threads of a block, as the launch says. */
const ins *do_block_dim(const ins *i, machine *m)
{
    const int32_t n = m->block_dim;
    memcpy(i->v[0], &n, sizeof n);
    return i + 1;
}

/* The scalar v[0] of type aux must not be zero. */
const ins *do_assert(const ins *i, machine *m)
{
    const type *t = i->aux;
    if (num_truth(t->kind, num_load(t->kind, i->v[0])))
        return i + 1;
    return vm_fault(m, i, TEXTVM_FAULT, "an assertion failed");
}
