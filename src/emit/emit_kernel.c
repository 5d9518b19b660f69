/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: Warp 1.19 codegen_kernel with its CPU templates and its CUDA templates, lean (a grid of
 * three dimensions, one index per thread) and grid-stride (a loop over indices). An example, for
 * `def k(a: wp.array[float])`:
 *
 *     template <bool wp_linear_contiguous>                 CPU: called for each index
 *     static void k_cpu_kernel_forward(
 *         wp::launch_bounds_t<1> dim,
 *         size_t task_index,
 *         wp_args_k *_wp_args)
 *
 *     extern "C" __global__ void k_cuda_kernel_forward(    CUDA: arguments by value
 *         wp::launch_bounds_t<1> dim,
 *         wp::array_t<wp::float32> var_a) */
#include "emit/emitter.h"

bool emit_is_plain_vector(const type *t)
{
    return t->kind == TYPE_ARRAY && t->array_class == ARRAY_PLAIN && t->ndim == 1;
}

/* Is any variable a tile? The type may be behind a reference. */
static bool has_tiles(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->declared.n; i++)
        if (emit_is_tile(type_strip_ref(u->vars.v[u->declared.v[i]].type)))
            return true;
    return false;
}

/* Warp 1.19 cpu_linear_contiguous_specialization_candidate: one thread per block, one dimension
 * whose index the kernel takes as a number, and a plain vector among the arrays. A loop with
 * constant bounds or a tile must make the copy worth it, or every array be a vector. */
bool emit_is_linear(const ir_module *m)
{
    const ir_unit *u = m->kernel;
    if (m->options.block_dim != 1 || u->launch_dim != 1 || !u->uses_scalar_tid)
        return false;
    bool any = false, all = true;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const type *t = emit_param(u, i)->type;
        if (t->kind != TYPE_ARRAY || t->array_class != ARRAY_PLAIN)
            continue;
        /* any: an array to specialize; all: none that would be left out. */
        any |= t->ndim == 1;
        all &= t->ndim == 1;
    }
    return any && (all || u->has_rolled_constant_loop || has_tiles(u));
}

/* The struct that carries a CPU kernel's arguments: "struct wp_args_k { ... };". */
void emit_args_struct(strbuf *out, const ir_unit *u)
{
    emit_named(out, "struct wp_args_@ {\n", u->kernel->key);
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        SB_LIT(out, "    ");
        sb_str(out, v->type->cname);
        sb_char(out, ' ');
        sb_str(out, ir_param_name(u, i));
        SB_LIT(out, ";\n");
    }
    SB_LIT(out, "};\n");
}

/* In the linear specialization strides become constants, which the compiler can use. */
static void put_strides(strbuf *out, const ir_unit *u, bool backward)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        if (!emit_is_plain_vector(v->type))
            continue;
        for (int adjoint = 0; adjoint <= backward; adjoint++) {
            sb_c(out, adjoint ? "        wp_contiguous_adj_args." : "        wp_contiguous_args.");
            sb_str(out, ir_param_name(u, i));
            SB_LIT(out, ".strides[0] = sizeof(");
            sb_str(out, v->type->elem->cname);
            SB_LIT(out, ");\n");
        }
    }
}

/* Copies the arguments where the specialization changes them. `if constexpr` leaves the other
 * version alone:
 *
 *     wp_args_k wp_contiguous_args;
 *     if constexpr (wp_linear_contiguous)
 *     {
 *         wp_contiguous_args = *_wp_args;
 *         wp_contiguous_args.a.strides[0] = sizeof(wp::float32);
 *         _wp_args = &wp_contiguous_args;
 *     } */
static void put_array_setup(strbuf *out, const ir_unit *u, bool backward)
{
    const str name = u->kernel->key;
    emit_named(out, "    wp_args_@ wp_contiguous_args;\n", name);
    if (backward)
        emit_named(out, "    wp_args_@ wp_contiguous_adj_args;\n", name);
    SB_LIT(out, "    if constexpr (wp_linear_contiguous)\n    {\n"
                "        wp_contiguous_args = *_wp_args;\n");
    if (backward)
        SB_LIT(out, "        wp_contiguous_adj_args = *_wp_adj_args;\n");
    put_strides(out, u, backward);
    SB_LIT(out, "        _wp_args = &wp_contiguous_args;\n");
    if (backward)
        SB_LIT(out, "        _wp_adj_args = &wp_contiguous_adj_args;\n");
    SB_LIT(out, "    }");
}

/* From the head, of a template where the release has those, to the first line of the body. */
static void put_cpu_head(emitter *e, strbuf *out, const ir_module *m, bool backward)
{
    const ir_unit *u = m->kernel;
    const bool linear = warp_has(e->c->warp, WARP_CPU_LINEAR_TEMPLATE);
    sb_c(out, linear ? "\n\ntemplate <bool wp_linear_contiguous>\nstatic " : "\n\n");
    emit_named(out,
               backward ? "void @_cpu_kernel_backward(\n    wp::launch_bounds_t<"
                        : "void @_cpu_kernel_forward(\n    wp::launch_bounds_t<",
               u->kernel->key);
    sb_int(out, u->launch_dim);
    emit_named(out,
               backward ? "> dim,\n    size_t task_index,\n    wp_args_@ *_wp_args,\n"
                          "    wp_args_@ *_wp_adj_args)\n{\n"
                        : "> dim,\n    size_t task_index,\n    wp_args_@ *_wp_args)\n{\n",
               u->kernel->key);
    if (!linear)
        return;
    /* The macro builtin_tid1d reads this constant. */
    SB_LIT(out, "    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n");
    if (emit_is_linear(m))
        put_array_setup(out, u, backward);
    sb_char(out, '\n');
}

/* An option's value as an integer; None and other objects count as 0, floats are truncated. */
static __int128 whole(const value *v)
{
    if (!v || !value_is_number(v))
        return 0;
    return value_has_f(v) ? (__int128)v->f : v->i;
}

static void put_number(strbuf *out, const value *v)
{
    sb_int128(out, whole(v));
}

/* "__launch_bounds__(256, 2) " from a number or a tuple; nothing without the option. */
static void put_launch_bounds(strbuf *out, const value *v)
{
    if (!v)
        return;
    SB_LIT(out, "__launch_bounds__(");
    if (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value_count(v); i++) {
            if (i)
                SB_LIT(out, ", ");
            put_number(out, &value_array(v)[i]);
        }
    } else {
        put_number(out, v);
    }
    SB_LIT(out, ") ");
}

/* Attributes in the order of Warp: launch bounds, clusters, the word __global__, registers. */
static void put_cuda_options(strbuf *out, const code_options *o)
{
    put_launch_bounds(out, o->launch_bounds);
    /* A cluster of one block is no cluster. */
    if (o->cluster_dim && whole(o->cluster_dim) != 1) {
        SB_LIT(out, "WP_CLUSTER_DIMS(");
        put_number(out, o->cluster_dim);
        SB_LIT(out, ", 1, 1) ");
    }
    SB_LIT(out, "__global__ void ");
    if (o->max_registers) {
        SB_LIT(out, "WP_MAXNREG(");
        put_number(out, o->max_registers);
        SB_LIT(out, ") ");
    }
}

/* Launch bounds and parameters, then their adjoints in the backward kernel. */
static void put_cuda_args(emitter *e, strbuf *out, const ir_unit *u, bool backward)
{
    SB_LIT(out, "(\n    wp::launch_bounds_t<");
    sb_int(out, u->launch_dim);
    SB_LIT(out, "> dim");
    /* All primal arguments first, then all adjoints. */
    for (int adjoint = 0; adjoint <= backward; adjoint++) {
        for (uint32_t i = 0; i < u->nparams; i++) {
            const ir_var *v = emit_param(u, i);
            SB_LIT(out, ",\n    ");
            sb_str(out, adjoint ? emit_gradient_type(e, v->type)->cname : v->type->cname);
            sb_c(out, adjoint ? " adj_" : " var_");
            sb_str(out, ir_param_name(u, i));
        }
    }
    emit_det_kernel_params(out, u);
    SB_LIT(out, ")\n{\n");
}

/* One thread per index; the comment's odd indentation is Warp's. */
static const char lean_start[] =
    "    wp::tile_shared_storage_t tile_mem;\n\n"
    "    const size_t _idx = static_cast<size_t>(blockIdx.z * gridDim.y + blockIdx.y) * "
    "static_cast<size_t>(gridDim.x * blockDim.x) + "
    "static_cast<size_t>(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "    if (_idx >= dim.size) return;\n"
    "            // reset shared memory allocator\n"
    "    wp::tile_shared_storage_t::init();\n\n";

/* A loop over indices, for launches whose number of blocks is limited. */
static const char stride_start[] =
    "    wp::tile_shared_storage_t tile_mem;\n\n"
    "    for (size_t _idx = static_cast<size_t>(blockDim.x) * static_cast<size_t>(blockIdx.x) + "
    "static_cast<size_t>(threadIdx.x);\n"
    "         _idx < dim.size;\n"
    "         _idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x))\n"
    "    {\n"
    "            // reset shared memory allocator\n"
    "        wp::tile_shared_storage_t::init();\n\n";

/* From "extern" to the lines that find the index. */
static void put_cuda_head(emitter *e, strbuf *out, const ir_module *m, bool backward)
{
    const ir_unit *u = m->kernel;
    SB_LIT(out, "\n\n");
    emit_def_directive(out, u);
    SB_LIT(out, "extern \"C\" ");
    put_cuda_options(out, &m->options);
    sb_str(out, u->kernel->key);
    sb_c(out, backward ? "_cuda_kernel_backward" : "_cuda_kernel_forward");
    put_cuda_args(e, out, u, backward);
    if (whole(m->options.smem_spilling))
        SB_LIT(out, "    WP_ENABLE_SMEM_SPILLING();\n");
    emit_lined(out, u, m->options.grid_stride > 0 ? stride_start : lean_start);
}

/* Kernels have a form of their own on each device. */
static emit_body_form form_of(const ir_module *m, emit_device device)
{
    return (emit_body_form){device, true, m->options.grid_stride > 0};
}

/* Closes the loop over indices, if there is one, and the function. */
static void put_end(strbuf *out, const ir_module *m, emit_device device)
{
    if (device == EMIT_CPU) {
        SB_LIT(out, "}\n\n");
        return;
    }
    emit_lined(out, m->kernel, m->options.grid_stride > 0 ? "    }\n}\n\n" : "}\n\n");
}

/* The whole forward kernel. Needs: p was prepared from m->kernel. */
void emit_forward_kernel(emitter *e, strbuf *out, const ir_module *m, const emit_prepared *p,
                         emit_device device)
{
    WEFT_ASSERT(m->kernel != NULL && device < EMIT_DEVICES);
    if (device == EMIT_CPU)
        put_cpu_head(e, out, m, false);
    else
        put_cuda_head(e, out, m, false);
    emit_det_locals(out, m->kernel, device);
    emit_forward_body(e, out, m->kernel, p, form_of(m, device));
    put_end(out, m, device);
}

/* The whole backward kernel. Needs: p was prepared with adjoints. */
void emit_backward_kernel(emitter *e, strbuf *out, const ir_module *m, const emit_prepared *p,
                          emit_device device)
{
    WEFT_ASSERT(m->kernel != NULL && device < EMIT_DEVICES);
    if (device == EMIT_CPU)
        put_cpu_head(e, out, m, true);
    else
        put_cuda_head(e, out, m, true);
    emit_det_locals(out, m->kernel, device);
    emit_reverse_body(e, out, m->kernel, p, form_of(m, device));
    put_end(out, m, device);
}
