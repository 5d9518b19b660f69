/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller needs to launch a kernel's functions: names, parameters and bytes of shared memory
 * (Warp 1.19 cuda_kernel_forward_name, codegen_module and ModuleBuilder.build_meta, which is what
 * its .meta files hold). For `def k(a: wp.array[float])`:
 *
 *     CPU     k_cpu_forward(wp::launch_bounds_t<1> *dim, wp_args_k *_wp_args)
 *     CUDA    k_cuda_kernel_forward(wp::launch_bounds_t<1> dim, wp::array_t<wp::float32> var_a)
 *
 * Shared memory is that of the kernel's own tiles and of the function that needs most: functions
 * take their tiles' memory while they run, as from a stack. A backward pass has a tile of adjoints
 * beside each tile. */
#include "arith/arith.h"
#include "emit/emitter.h"

/* What a unit needs, its callees included. */
typedef struct shared_need {
    size_t forward, backward;
} shared_need;

/* Up to the next multiple of 16, to which tiles are aligned. */
static size_t aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

/* Warp 1.19 Adjoint.get_own_required_shared: tiles in shared memory that own it, and stacks, which
 * have a count behind their elements. */
static size_t own_shared(const ir_unit *u)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < u->declared.n; i++) {
        const type *t = u->vars.v[u->declared.v[i]].type;
        if (t->kind == TYPE_TILE && t->shared && t->owner)
            bytes += aligned(layout_size(t->elem) * (size_t)type_tile_size(t));
        else if (t->kind == TYPE_STACK)
            bytes += aligned(layout_size(t->elem) * (size_t)t->rows) + aligned(sizeof(int32_t));
    }
    return bytes;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The forward need of the unit of a custom gradient or replay. They are built after what has them,
 * and call no function that has one of their own. */
static size_t need_of(const ir_module *m, const shared_need *needs, const func *f)
{
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.v[i]->func == f)
            return needs[i].forward;
    return 0;
}

/* Warp 1.19 get_total_required_shared: the largest need of a call on top of the unit's own. */
static size_t forward_need(const ir_unit *u, const shared_need *needs)
{
    size_t most = u->call_shared;
    for (uint32_t i = 0; i < u->called.n; i++)
        most = larger(most, needs[u->called.v[i]->index].forward);
    return own_shared(u) + most;
}

/* Warp 1.19 ModuleBuilder._propagate_backward_shared_memory: a call is replayed, then reversed, and
 * the two share memory. Needs: forward needs of all functions, backward needs of callees. */
static size_t backward_need(const ir_module *m, const ir_unit *u, const shared_need *needs)
{
    size_t most = 2 * u->call_shared;
    for (uint32_t i = 0; i < u->called.n; i++) {
        const ir_unit *callee = u->called.v[i];
        const func *f = callee->func;
        const shared_need *own = &needs[callee->index];
        most = larger(most, f->custom_replay ? need_of(m, needs, f->custom_replay) : own->forward);
        most = larger(most, f->custom_grad ? need_of(m, needs, f->custom_grad) : own->backward);
    }
    return 2 * own_shared(u) + most;
}

/* Callees stand before their callers in m->funcs. */
static shared_need kernel_need(ctx *c, const ir_module *m)
{
    shared_need *needs = ARENA_ARRAY(&c->module, shared_need, m->funcs.n + 1);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        needs[i] = (shared_need){0};
    for (uint32_t i = 0; i < m->funcs.n; i++)
        needs[i].forward = forward_need(m->funcs.v[i], needs);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        needs[i].backward = backward_need(m, m->funcs.v[i], needs);
    return (shared_need){forward_need(m->kernel, needs), backward_need(m, m->kernel, needs)};
}

static void add_parameter(ctx *c, emit_entry_point *p, const char *cname, const char *name)
{
    p->parameters[p->nparameters++] =
        (emit_parameter){str_c(cname), str_c(arena_printf(&c->module, "%s", name))};
}

/* The CPU's take the arguments as structs, by address. */
static void add_cpu_parameters(ctx *c, emit_entry_point *p, const ir_unit *u, bool backward)
{
    const char *args =
        arena_printf(&c->module, "wp_args_%.*s *", (int)u->kernel->key.n, u->kernel->key.p);
    const char *bounds = arena_printf(&c->module, "wp::launch_bounds_t<%d> *", u->launch_dim);
    add_parameter(c, p, bounds, "dim");
    add_parameter(c, p, args, "_wp_args");
    if (backward)
        add_parameter(c, p, args, "_wp_adj_args");
}

/* CUDA's take each argument by value, then each adjoint. */
static void add_cuda_parameters(emitter *e, emit_entry_point *p, const ir_unit *u, bool backward)
{
    ctx *c = e->c;
    add_parameter(c, p, arena_printf(&c->module, "wp::launch_bounds_t<%d>", u->launch_dim), "dim");
    for (int adjoint = 0; adjoint <= backward; adjoint++)
        for (uint32_t i = 0; i < u->nparams; i++) {
            const type *t = emit_param(u, i)->type;
            const str cname = adjoint ? emit_gradient_type(e, t)->cname : t->cname;
            const str name = ir_param_name(u, i);
            add_parameter(
                c, p, arena_dup(&c->module, cname.p, cname.n),
                arena_printf(&c->module, "%s_%.*s", adjoint ? "adj" : "var", (int)name.n, name.p));
        }
}

/* What deterministic mode adds on CUDA. */
static void add_det_parameters(ctx *c, emit_entry_point *p, const ir_unit *u)
{
    strbuf ctype, name;
    sb_init(&ctype, &c->mem);
    sb_init(&name, &c->mem);
    for (uint32_t i = 0; i < emit_det_kernel_param_count(u); i++) {
        ctype.n = name.n = 0;
        emit_det_kernel_param_type(&ctype, u, i);
        emit_det_kernel_param_name(&name, u, i);
        add_parameter(c, p, arena_dup(&c->module, ctype.p, ctype.n), sb_cstr(&name));
    }
    sb_clear(&ctype);
    sb_clear(&name);
}

uint32_t emit_list_entry_points(emitter *e, const ir_module *m, emit_device device,
                                emit_entry_point out[2])
{
    const ir_unit *u = m->kernel;
    WEFT_ASSERT(u->kernel != NULL && device < EMIT_DEVICES);
    const shared_need need = kernel_need(e->c, m);
    const uint32_t n = m->options.enable_backward ? 2 : 1;
    for (uint32_t i = 0; i < n; i++) {
        const bool backward = i == 1;
        emit_entry_point *p = &out[i];
        const char *name = arena_printf(
            &e->c->module, "%.*s_%s_%s", (int)u->kernel->key.n, u->kernel->key.p,
            device == EMIT_CPU ? "cpu" : "cuda_kernel", backward ? "backward" : "forward");
        *p = (emit_entry_point){.name = str_c(name),
                                .shared_bytes = backward ? need.backward : need.forward};
        p->parameters = ARENA_ARRAY(&e->c->module, emit_parameter,
                                    2 * u->nparams + 3 + emit_det_kernel_param_count(u));
        if (device == EMIT_CPU) {
            add_cpu_parameters(e->c, p, u, backward);
        } else {
            add_cuda_parameters(e, p, u, backward);
            add_det_parameters(e->c, p, u);
        }
    }
    return n;
}
