/* SPDX-License-Identifier: Apache-2.0 */
/* A launch: copies the arguments to the parameters' variables, then runs every thread.
 *
 * Each thread begins with the same variables: parameters that the text writes are restored from a
 * copy. CPU text gets its index from the launch. CUDA text computes it: where its expression is
 * plainly the usual one, threads are run by index; else a grid of several blocks along x, y and z
 * is run, and each index must come up once.
 *
 *     const size_t _idx = blockDim.x * blockIdx.x + threadIdx.x;   in a kernel that is not strided
 *     -> kernel step: thread 0 is run twice; blocks along y and z would compute it again
 *
 * A thread is the loop `while (i) i = i->run(i, m)` in run_thread. */
#include <stdarg.h>

#include "base/assert.h"
#include "base/format.h"
#include "geometry/geometry.h"
#include "geometry/volume.h"
#include "textvm/vm_index.h"
#include "textvm/vm_tile.h"

/* TRACKED_MAX: threads whose indices run_blocks can mark, one byte each. FUEL_PORTION: steps
 * between two tests of the interrupt flag, a few milliseconds. */
enum { TRACKED_MAX = 1 << 22, FUEL_PORTION = 1 << 20 };

/* m->fuel counts down by blocks of instructions, so that most of them need no test; a negative rest
 * is a debt that the next portion pays. Where nobody stops the run or asks how far it is, one
 * portion is enough for all. */
bool vm_refuel(machine *m)
{
    mem *owner = &m->vm->c->mem;
    WEFT_ASSERT(m->fuel <= 0 && m->fuel_rest >= 0);
    const textvm_launch *launch = m->launch;
    if (mem_stopped(owner))
        mem_fail(owner);
    if (launch->progress && m->size)
        launch->progress(launch->progress_arg, m->index, m->size);
    const bool again = owner->stop || launch->progress;
    const int64_t portion = again ? FUEL_PORTION - m->fuel : INT64_MAX;
    const int64_t taken = m->fuel_rest < portion ? m->fuel_rest : portion;
    m->fuel += taken;
    m->fuel_rest -= taken;
    return m->fuel >= 0;
}

/* The sentence: "kernel step: index 9 is out of bounds ...; thread 9, line 12 of the text". 120, 60
 * and 80 leave room for the parts that follow. */
const ins *vm_fault(machine *m, const ins *i, textvm_error_kind kind, const char *fmt, ...)
{
    textvm_error *e = m->error;
    const textvm *vm = m->vm;
    va_list args;
    va_start(args, fmt);
    e->kind = kind;
    e->line = i ? i->line : vm->pre.line;
    const size_t n = format_text(
        e->text, 120, "kernel %.*s: ", (int)(vm->kernel_name.n < 60 ? vm->kernel_name.n : 60),
        vm->kernel_name.p);
    format_text_v(e->text + n, sizeof e->text - 80 - n, fmt, args);
    va_end(args);
    const size_t at = strlen(e->text);
    if (i)
        format_text(e->text + at, sizeof e->text - at, "; thread %llu, line %u of the text",
                    (unsigned long long)m->index, i->line);
    return NULL;
}

/* Statuses that the oracle defines are faults; what C++ leaves open is TEXTVM_UNSPECIFIED. */
const ins *vm_arith_fault(machine *m, const ins *i, arith_status status)
{
    char text[200];
    switch (status) {
    case ARITH_MISSING: return vm_fault(m, i, TEXTVM_MISSING, "cannot execute %s", i->op->name);
    case ARITH_DIVIDES_BY_ZERO: return vm_fault(m, i, TEXTVM_FAULT, "division by zero");
    case ARITH_OVERFLOWS:
        return vm_fault(m, i, TEXTVM_FAULT, "the smallest integer is divided by -1");
    case ARITH_OUT_OF_RANGE: return vm_fault(m, i, TEXTVM_FAULT, "a component is out of range");
    case ARITH_NO_OBJECT:
        return vm_fault(m, i, TEXTVM_FAULT, "the id names no object that %s needs", i->op->name);
    case ARITH_NO_ELEMENT:
        return vm_fault(m, i, TEXTVM_FAULT, "%s asks for an element that there is not",
                        i->op->name);
    case ARITH_CONVERSION:
    case ARITH_SHIFT:
    case ARITH_NAN_SIGN:
        arith_explain(i->op, i->v, status, text, sizeof text);
        return vm_fault(m, i, TEXTVM_UNSPECIFIED, "%s", text);
    default: return i + 1;
    }
}

/* A launch that does not fit the kernel; p NULL: not the fault of one argument. Returns false. */
static bool wrong_launch(machine *m, const char *what, const textvm_param *p)
{
    vm_fault(m, NULL, TEXTVM_FAULT, "%s%.*s", what, p ? (int)p->name.n : 0, p ? p->name.p : "");
    return false;
}

/* Do values of a and b have the same scalars at the same offsets? The text's structs are types of
 * their own, so they cannot be compared by name or pointer with the caller's. */
static bool same_layout(const type *a, const type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || layout_size(a) != layout_size(b))
        return false;
    if (a->kind == TYPE_ARRAY)
        return same_layout(a->elem, b->elem);
    if (a->kind != TYPE_STRUCT)
        return type_equal(a, b);
    if (a->st->nfields != b->st->nfields)
        return false;
    for (uint32_t i = 0; i < a->st->nfields; i++)
        if (!same_layout(a->st->fields[i].type, b->st->fields[i].type))
            return false;
    return true;
}

/* Copies the caller's views into the slot, and stores pointers to them to the parameter and its
 * adjoint. view NULL or without data: an empty array. The array has a gradient in the sense of
 * Warp's array_t.grad only if the adjoint's strides are the array's, since an element's gradient is
 * then at the element's own offset. */
static void bind_array(array_slot *s, uint8_t *val, uint8_t *adjoint, const array_view *view,
                       const array_view *adj)
{
    const array_view *p = NULL, *q = NULL;
    s->has_grad = false;
    if (view) {
        s->view = *view;
        if (view->data) {
            s->data = *view->data;
            s->view.data = &s->data;
        }
        p = &s->view;
    }
    if (adj && adj->data) {
        s->adj_view = *adj;
        s->adj_data = *adj->data;
        s->adj_view.data = &s->adj_data;
        const bool alike =
            view && view->offset == adj->offset && view->ndim == adj->ndim &&
            memcmp(view->strides, adj->strides, sizeof *adj->strides * (size_t)adj->ndim) == 0;
        s->has_grad = alike;
        q = &s->adj_view;
    }
    memcpy(val + s->offset, &p, sizeof p);
    if (adjoint)
        memcpy(adjoint + s->offset, &q, sizeof q);
}

/* The view that v has for the slot: v itself, or the pointer in its field. NULL: none. */
static const array_view *view_in(const rvalue *v, const array_slot *s)
{
    const array_view *view;
    if (!v || !v->type)
        return NULL;
    if (v->type->kind == TYPE_ARRAY)
        return v->array;
    memcpy(&view, v->bytes + s->offset, sizeof view);
    return view;
}

/* Binds one argument. An adjoint of another type counts as none. Returns false if the value does
 * not fit the parameter. */
static bool bind_param(machine *m, kernel_param *k, const textvm_param *p, const rvalue *v,
                       const rvalue *adj)
{
    if (!v->type || !same_layout(p->type, v->type))
        return wrong_launch(m, "a value of another type for argument ", p);
    if (adj && adj->type && !same_layout(p->type, adj->type))
        adj = NULL;
    if (type_is_scalar(p->type))
        num_store(p->type->kind, k->start, v->n);
    else if (p->type->kind != TYPE_ARRAY)
        memcpy(k->start, v->bytes, k->size);
    if (k->adjoint)
        memset(k->adj_start, 0, k->size);
    for (uint32_t i = 0; i < k->narrays; i++) {
        array_slot *s = &k->arrays[i];
        const array_view *view = view_in(v, s), *a = view_in(adj, s);
        if (view && !same_layout(s->elem, view->elem))
            return wrong_launch(m, "an array of other elements for argument ", p);
        if (a && !same_layout(s->elem, a->elem))
            return wrong_launch(m, "an adjoint of other elements for argument ", p);
        bind_array(s, k->start, k->adjoint ? k->adj_start : NULL, view, a);
    }
    memcpy(k->val->at, k->start, k->size);
    if (k->adjoint)
        memcpy(k->adjoint->at, k->adj_start, k->size);
    return true;
}

/* Lists the floats of an argument in m->kept: `from` is the adjoint variable, `to` the launch's
 * place. Arrays are left out; they have adjoints of their own. */
static void keep_adjoints(machine *m, const type *t, const uint8_t *from, uint8_t *to)
{
    const type *scalar = type_scalar_of(t);
    WEFT_ASSERT(to && from);
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const size_t at = layout_field(t->st, i);
        keep_adjoints(m, t->st->fields[i].type, from + at, to + at);
    }
    if (!scalar || !type_is_float(scalar))
        return;
    const size_t size = layout_size(t), width = layout_size(scalar);
    for (size_t at = 0; at < size; at += width)
        VEC_PUSH(m->views, &m->kept, ((kept_adjoint){scalar->kind, from + at, to + at}));
}

/* Adjoints of what is passed by value: Warp drops them with the thread; here they are added up. */
static void add_kept(machine *m)
{
    for (uint32_t i = 0; i < m->kept.n; i++) {
        const kept_adjoint *k = &m->kept.v[i];
        const num sum = {.f = num_load(k->kind, k->to).f + num_load(k->kind, k->from).f};
        num_store(k->kind, k->to, num_wrap(k->kind, sum));
    }
}

/* Runs one thread from its coordinates to its end. The index is in row-major order of the launch:
 *
 *     launch (4, 3), kernel of 2 dimensions: index 7 -> coord (2, 1)
 *     launch (4, 3), kernel of 1 dimension:  index 7 -> coord (2), coord_mult 3
 *
 * Dimensions that the kernel does not have are dropped: Warp 1.19 native/builtin.h, launch_coord.
 */
void vm_thread_start(machine *m, uint64_t index)
{
    textvm *vm = m->vm;
    WEFT_ASSERT(m->coord_mult > 0 && vm->ndim >= 1 && vm->ndim <= TEXTVM_DIMS);
    WEFT_ASSERT(m->error->kind == TEXTVM_OK && vm->kernel.code); /* no thread runs after a fault */
    const vm_func *f = &vm->kernel;
    m->index = index;
    /* the last coordinate runs fastest */
    uint64_t rest = index / m->coord_mult;
    for (int d = vm->ndim - 1; d > 0; d--) {
        m->coord[d] = (int32_t)(rest % m->shape[d]);
        rest /= m->shape[d];
    }
    m->coord[0] = (int32_t)(uint32_t)rest;
    m->call = m->calls;
    m->fuel -= f->steps;
    for (uint32_t i = 0; i < m->nrestored; i++)
        memcpy(m->restored[i].to, m->restored[i].from, m->restored[i].size);
    if (f->nflags)
        memset(f->flags, 0, f->nflags);
}

void vm_thread_run(machine *m, const ins *i)
{
    if (m->fuel < 0 && !vm_refuel(m))
        i = vm_fault(m, i, TEXTVM_FUEL, "no end after the allowed number of steps");
    while (i)
        i = i->run(i, m);
    if (m->kept.n && !m->met)
        add_kept(m);
}

static inline void run_thread(machine *m, uint64_t index)
{
    vm_thread_start(m, index);
    vm_thread_run(m, m->vm->kernel.code);
}

/* A kernel with tiles: block by block. */
static bool run_tiles(machine *m, uint64_t size)
{
    const uint64_t width = (uint64_t)m->block_dim;
    if (m->block_dim > TILE_WIDTH_MAX) {
        vm_fault(m, NULL, TEXTVM_FAULT, "a block has at most %d threads", TILE_WIDTH_MAX);
        return false;
    }
    block_prepare(m);
    m->size = size;
    for (uint64_t first = 0; first < size; first += width)
        if (!block_run(m, first, (uint32_t)(size - first < width ? size - first : width)))
            return false;
    return true;
}

/* Threads by index, for CPU text and for CUDA text with the usual index. */
static bool run_all(machine *m, uint64_t size)
{
    m->size = size;
    for (uint64_t i = 0; i < size && m->error->kind == TEXTVM_OK; i++)
        run_thread(m, i);
    return m->error->kind == TEXTVM_OK;
}

/* Runs the thread of this index unless it is too large or `seen`, which are faults.
 *
 *     kernel step: thread 3 is run twice */
static bool place_thread(machine *m, uint64_t index, uint64_t size, uint8_t *seen)
{
    if (index >= size) {
        vm_fault(m, NULL, TEXTVM_FAULT, "thread %llu of %llu is run", (unsigned long long)index,
                 (unsigned long long)size);
    } else if (seen[index]) {
        vm_fault(m, NULL, TEXTVM_FAULT, "thread %llu is run twice", (unsigned long long)index);
    } else {
        seen[index] = 1;
        run_thread(m, index);
    }
    return m->error->kind == TEXTVM_OK;
}

/* Runs what the text has one CUDA thread do: one index, or in the strided form several. Returns
 * false after a fault. */
static bool run_placed(machine *m, const thread_place *at, uint64_t size, uint8_t *seen)
{
    const preamble *pre = &m->vm->pre;
    uint64_t index = index_run(&pre->first, at);
    if (!pre->strided)
        return index_compare(pre->compare, index, size) || place_thread(m, index, size, seen);
    const uint64_t step = index_run(&pre->step, at);
    while (index_compare(pre->compare, index, size)) {
        if (!place_thread(m, index, size, seen))
            return false;
        index += step;
    }
    return true;
}

/* Runs a grid with blocks along x, y and z and hardly more threads than needed, to see that the
 * text's own index reaches each thread once. A strided kernel gets half the threads, so that each
 * has to take a second turn. */
static bool run_blocks(machine *m, uint64_t size)
{
    if (size > TRACKED_MAX) {
        vm_fault(m, NULL, TEXTVM_FAULT, "unusual thread indices and too many threads");
        return false;
    }
    arena_mark mark = arena_save(m->views);
    uint8_t *seen = arena_zero(m->views, size + 1);
    const bool strided = m->vm->pre.strided;
    const uint32_t y = strided ? 1 : 2, z = strided ? 1 : 3;
    /* up to 384 threads there are 12 blocks, or in the strided form 6 whose threads run twice */
    const uint32_t threads = size / 12 < 32 ? (uint32_t)size / 12 + 1 : 32;
    const uint32_t row = threads * (strided ? 2 : y * z), x = (uint32_t)((size + row - 1) / row);
    thread_place at = {{0, 0, 0, 0, 0, 0, threads, 1, 1, x, y, z}};
    for (uint32_t b = 0; b < x * y * z && m->error->kind == TEXTVM_OK; b++) {
        at.coords[INDEX_BLOCK_IDX] = b % x;
        at.coords[INDEX_BLOCK_IDX + 1] = b / x % y;
        at.coords[INDEX_BLOCK_IDX + 2] = b / x / y;
        for (uint32_t t = 0; t < threads; t++) {
            at.coords[INDEX_THREAD_IDX] = t;
            if (!run_placed(m, &at, size, seen))
                break;
        }
    }
    for (uint64_t i = 0; i < size && m->error->kind == TEXTVM_OK; i++)
        if (!seen[i])
            vm_fault(m, NULL, TEXTVM_FAULT, "thread %llu is not run", (unsigned long long)i);
    arena_rewind(m->views, mark);
    return m->error->kind == TEXTVM_OK;
}

/* Sets *size to the number of threads, and the shape that coordinates are computed with. The limit
 * of 2^40 threads keeps the product from overflow. Returns false if the launch is not valid. */
static bool launch_size(machine *m, const textvm_launch *launch, uint64_t *size)
{
    const textvm *vm = m->vm;
    *size = 1;
    m->coord_mult = 1;
    if (launch->ndim < 1 || launch->ndim > TEXTVM_DIMS)
        return wrong_launch(m, "a launch has 1 to 4 dimensions", NULL);
    for (int d = 0; d < TEXTVM_DIMS; d++) {
        const int64_t n = d < launch->ndim ? launch->dim[d] : 1;
        if (n < 0 || n > INT32_MAX)
            return wrong_launch(m, "a launch of a wrong size", NULL);
        if (n && *size > (uint64_t)1 << 40)
            return wrong_launch(m, "a launch of too many threads", NULL);
        *size *= (uint64_t)n;
        if (d < vm->ndim)
            m->shape[d] = (uint64_t)n;
        else
            m->coord_mult *= n ? (uint64_t)n : 1;
    }
    return true;
}

/* Threads after the first begin with the parameter's launch value again.
 *
 *     a kernel that assigns to its parameter n: each thread reads the n of the launch */
static void restore(machine *m, var *v, const uint8_t *from, size_t size)
{
    WEFT_ASSERT(m->nrestored < 2 * m->vm->nparams); /* vm->restored has room for so many */
    if (v && v->written)
        m->restored[m->nrestored++] = (restored){v->at, from, size};
}

/* The variables are the program's, so a run leaves its last values in them; all that matters is
 * set again by the next run: parameters, flags, and what the threads write before they read it. */
bool textvm_run(textvm *vm, const textvm_launch *launch, textvm_error *error)
{
    machine m = {.vm = vm, .error = error, .launch = launch, .views = vm->a};
    uint64_t size;
    *error = (textvm_error){.kind = TEXTVM_OK};
    const arena_mark mark = arena_save(vm->a);
    const int64_t fuel =
        launch->fuel && launch->fuel < INT64_MAX ? (int64_t)launch->fuel : INT64_MAX;
    m.fuel_rest = fuel;
    (void)vm_refuel(&m);
    m.block_dim = launch->block_dim ? launch->block_dim : 256;
    m.calls = vm->calls;
    m.restored = vm->restored;
    if (!vm->backward)
        geometry_restore_volumes(vm->c);
    if (!launch_size(&m, launch, &size))
        return false;
    for (uint32_t i = 0; i < vm->nparams; i++) {
        kernel_param *k = &vm->slots[i];
        const rvalue *adj = vm->backward && launch->adjoints ? &launch->adjoints[i] : NULL;
        if (!bind_param(&m, k, &vm->params[i], &launch->args[i], adj))
            return false;
        restore(&m, k->val, k->start, k->size);
        restore(&m, k->adjoint, k->adj_start, k->size);
        if (vm->backward && launch->gradients && k->adjoint->written)
            keep_adjoints(&m, vm->params[i].type, k->adjoint->at, launch->gradients[i]);
    }
    /* CPU text has no preamble: Warp calls it with the index. */
    const bool usual = !vm->cuda || vm->pre.usual;
    if (vm->tiles && !usual)
        vm_fault(&m, NULL, TEXTVM_MISSING, "cannot execute tiles with unusual thread indices");
    bool ok = vm->tiles ? usual && run_tiles(&m, size)
              : usual   ? run_all(&m, size)
                        : run_blocks(&m, size);
    if (!geometry_restore_meshes(vm->c) && ok) {
        vm_fault(&m, NULL, TEXTVM_MISSING, "cannot execute a store to the arrays of a mesh");
        ok = false;
    }
    if (launch->steps)
        *launch->steps = (uint64_t)(fuel - m.fuel_rest - m.fuel);
    arena_rewind(vm->a, mark);
    return ok;
}
