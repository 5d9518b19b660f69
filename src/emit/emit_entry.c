/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around the kernels of a module: Warp's fixed header, and the CPU entry points (Warp
 * 1.19 cpu_module_header, cuda_module_header, codegen_cast_macros, codegen_module). An example of
 * the second, for kernel k with block_dim = 1:
 *
 *     WP_API void k_cpu_forward(wp::launch_bounds_t<1> *dim, wp_args_k *_wp_args)
 *     {
 *         k_cpu_forward_dispatch(dim, _wp_args);      a loop over all indices
 *     }
 *
 * With more threads per block the entry point runs each block's threads as fibers, since they share
 * tiles. The header's text does not depend on the kernels but for the block size and bfloat16. */
#include "emit/emitter.h"

/* How wp.tid() becomes an index: on the CPU from task_index, the number of the call. The first is
 * for kernels with a linear version, or for those without. */
static const char linear_tid_macro[] =
    "#define builtin_tid1d() wp::linear_tid<wp_linear_tid>(task_index, dim)\n";
static const char plain_tid_macro[] = "#define builtin_tid1d() wp::tid(task_index, dim)\n";
static const char tid_macros_cpu[] =
    "#define builtin_tid2d(x, y) wp::tid(x, y, task_index, dim)\n"
    "#define builtin_tid3d(x, y, z) wp::tid(x, y, z, task_index, dim)\n"
    "#define builtin_tid4d(x, y, z, w) wp::tid(x, y, z, w, task_index, dim)\n\n"
    "#define builtin_block_dim() wp::block_dim()\n\n";

/* On CUDA from _idx, which the head of the kernel computes. */
static const char tid_macros_cuda[] =
    "// Map wp.breakpoint() to a device brkpt at the call site so cuda-gdb attributes the stop to "
    "the generated .cu line\n"
    "#if defined(__CUDACC__) && !defined(_MSC_VER)\n"
    "#define __debugbreak() __brkpt()\n"
    "#endif\n\n"
    "#define builtin_tid1d() wp::tid(_idx, dim)\n"
    "#define builtin_tid2d(x, y) wp::tid(x, y, _idx, dim)\n"
    "#define builtin_tid3d(x, y, z) wp::tid(x, y, z, _idx, dim)\n"
    "#define builtin_tid4d(x, y, z, w) wp::tid(x, y, z, w, _idx, dim)\n\n"
    "#define builtin_block_dim() wp::block_dim()\n\n";

/* Attributes of kernels that not every toolkit has; Warp's comments stand in the text as they are.
 */
static const char launch_macros[] =
    "// CUDA Thread Block Cluster shape declaration. Expands to __cluster_dims__\n"
    "// only on devices that support clusters (compute capability 9.0+); otherwise\n"
    "// expands to nothing so the same source compiles cleanly for any target arch.\n"
    "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 900)\n"
    "#define WP_CLUSTER_DIMS(x, y, z) __cluster_dims__(x, y, z)\n"
    "#else\n"
    "#define WP_CLUSTER_DIMS(x, y, z)\n"
    "#endif\n\n"
    "// Maximum registers per thread. __maxnreg__ was added in CUDA Toolkit 12.4;\n"
    "// older toolkits ignore the opt-in so the same source remains compilable.\n"
    "#if defined(__CUDACC_VER_MAJOR__) && (__CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == "
    "12 && __CUDACC_VER_MINOR__ >= 4))\n"
    "#define WP_MAXNREG(n) __maxnreg__(n)\n"
    "#else\n"
    "#define WP_MAXNREG(n)\n"
    "#endif\n\n"
    "// Allow PTXAS to spill registers into shared memory. CUDA Toolkit 13.0\n"
    "// introduced the pragma, which is unavailable in device-debug compilation.\n"
    "#if defined(__CUDACC_VER_MAJOR__) && (__CUDACC_VER_MAJOR__ >= 13) && !defined(_DEBUG)\n"
    "#define WP_ENABLE_SMEM_SPILLING() asm volatile(\".pragma \\\"enable_smem_spilling\\\";\");\n"
    "#else\n"
    "#define WP_ENABLE_SMEM_SPILLING()\n"
    "#endif\n\n";

/* float(x) and int(x) of Python are calls of functions in C++, since `wp::float(x)` would be no
 * expression. */
static const char cast_macros[] =
    "\n// avoid namespacing of float type for casting to float type, this is to avoid "
    "wp::float(x), which is not valid in C++\n"
    "#define float(x) cast_float(x)\n"
    "#define adj_float(x, adj_x, adj_ret) adj_cast_float(x, adj_x, adj_ret)\n\n"
    "#define int(x) cast_int(x)\n"
    "#define adj_int(x, adj_x, adj_ret) adj_cast_int(x, adj_x, adj_ret)\n";

/* Do CPU kernels have a linear version in this release? */
static bool has_linear(warp_release warp)
{
    return warp_has(warp, WARP_CPU_LINEAR_TEMPLATE);
}

/* Text that depends on the module: two defines, and its own preamble, or NULL. The rest is fixed by
 * the device. */
void emit_header(strbuf *out, warp_release warp, emit_device device, int block_dim,
                 bool uses_bfloat16, const char *preamble)
{
    WEFT_ASSERT(block_dim >= 0);
    if (!uses_bfloat16)
        SB_LIT(out, "#define WP_NO_BFLOAT16\n");
    SB_LIT(out, "\n#define WP_TILE_BLOCK_DIM ");
    sb_int(out, block_dim);
    SB_LIT(out, "\n#define WP_NO_CRT\n#include \"builtin.h\"\n#include \"deterministic.h\"\n\n");
    if (device == EMIT_CPU) {
        sb_c(out, has_linear(warp) ? linear_tid_macro : plain_tid_macro);
        sb_c(out, tid_macros_cpu);
    } else {
        sb_c(out, tid_macros_cuda);
        sb_c(out, launch_macros);
    }
    if (preamble) {
        sb_c(out, preamble);
        if (preamble[strlen(preamble) - 1] != '\n')
            sb_char(out, '\n');
    }
    sb_c(out, cast_macros);
}

/* Templates of one pass: '@' is the kernel's key, '$' its launch rank, '^' the template argument
 * "<false>" of a kernel that has a linear version. tasks: the loop of one
 * thread per block; payload: what a fiber gets; run: the call that runs a block; entry: the head of
 * the entry point. */
typedef struct entry_text {
    const char *tasks, *payload, *run, *entry;
} entry_text;

/* Forward, then backward; the backward functions take the adjoints as a second struct of arguments.
 */
static const entry_text entries[] = {
    {"\n\ntemplate <bool wp_linear_contiguous>\n"
     "static WP_FORCEINLINE void @_cpu_forward_tasks(\n"
     "    wp::launch_bounds_t<$> *dim,\n"
     "    wp_args_@ *_wp_args)\n{\n"
     "    for (size_t task_index = 0; task_index < dim->size; ++task_index)\n    {\n"
     "        @_cpu_kernel_forward<wp_linear_contiguous>(*dim, task_index, _wp_args);\n    }\n}\n\n"
     "static WP_FORCEINLINE void @_cpu_forward_dispatch(\n"
     "    wp::launch_bounds_t<$> *dim,\n"
     "    wp_args_@ *_wp_args)\n{\n",
     "\n\nstruct @_cpu_block_payload_forward\n{\n"
     "    wp_args_@* args;\n"
     "    wp::tile_shared_storage_t* tile_mem;\n    size_t block_first;\n};\n\n"
     "static void @_cpu_block_thunk_forward(\n"
     "    void* dim_ptr, size_t, int lane, void* payload_ptr)\n{\n"
     "    wp::launch_bounds_t<$>* dim = (wp::launch_bounds_t<$>*)dim_ptr;\n"
     "    @_cpu_block_payload_forward* payload = (@_cpu_block_payload_forward*)payload_ptr;\n"
     "    wp::tile_shared_storage_t::bind(payload->tile_mem);\n"
     "    const size_t task_index = payload->block_first + (size_t)lane;\n"
     "    @_cpu_kernel_forward^(*dim, task_index, payload->args);\n}\n\n",
     "        @_cpu_block_payload_forward payload = { _wp_args, &tile_mem, block_first };\n"
     "        if (!wp_cpu_run_block(\n"
     "                WP_TILE_BLOCK_DIM, active_count, &@_cpu_block_thunk_forward, dim, block_id, "
     "&payload))\n",
     "WP_API void @_cpu_forward(\n    wp::launch_bounds_t<$> *dim,\n    wp_args_@ *_wp_args)\n{\n"},
    {"\n\ntemplate <bool wp_linear_contiguous>\n"
     "static WP_FORCEINLINE void @_cpu_backward_tasks(\n"
     "    wp::launch_bounds_t<$> *dim,\n"
     "    wp_args_@ *_wp_args,\n    wp_args_@ *_wp_adj_args)\n{\n"
     "    for (size_t task_index = 0; task_index < dim->size; ++task_index)\n    {\n"
     "        @_cpu_kernel_backward<wp_linear_contiguous>(\n"
     "            *dim, task_index, _wp_args, _wp_adj_args);\n    }\n}\n\n"
     "static WP_FORCEINLINE void @_cpu_backward_dispatch(\n"
     "    wp::launch_bounds_t<$> *dim,\n"
     "    wp_args_@ *_wp_args,\n    wp_args_@ *_wp_adj_args)\n{\n",
     "\n\nstruct @_cpu_block_payload_backward\n{\n"
     "    wp_args_@* args;\n    wp_args_@* adj_args;\n"
     "    wp::tile_shared_storage_t* tile_mem;\n    size_t block_first;\n};\n\n"
     "static void @_cpu_block_thunk_backward(\n"
     "    void* dim_ptr, size_t, int lane, void* payload_ptr)\n{\n"
     "    wp::launch_bounds_t<$>* dim = (wp::launch_bounds_t<$>*)dim_ptr;\n"
     "    @_cpu_block_payload_backward* payload = (@_cpu_block_payload_backward*)payload_ptr;\n"
     "    wp::tile_shared_storage_t::bind(payload->tile_mem);\n"
     "    const size_t task_index = payload->block_first + (size_t)lane;\n"
     "    @_cpu_kernel_backward^(*dim, task_index, payload->args, payload->adj_args);\n"
     "}\n\n",
     "        @_cpu_block_payload_backward payload = { _wp_args, _wp_adj_args, &tile_mem, "
     "block_first };\n"
     "        if (!wp_cpu_run_block(\n"
     "                WP_TILE_BLOCK_DIM, active_count, &@_cpu_block_thunk_backward, dim, block_id, "
     "&payload))\n",
     "WP_API void @_cpu_backward(\n    wp::launch_bounds_t<$> *dim,\n    wp_args_@ *_wp_args,\n"
     "    wp_args_@ *_wp_adj_args)\n{\n"},
};

/* Writes a template with its marks replaced: '@' by the kernel's key, '$' by the launch rank, '^'
 * by the template argument. The key is a C++ name, so it holds none of them. */
static void put_template(emitter *e, strbuf *out, const char *text, const ir_unit *u)
{
    WEFT_ASSERT(u->kernel != NULL);
    for (; *text; text++) {
        if (*text == '@')
            sb_str(out, u->kernel->key);
        else if (*text == '$')
            sb_int(out, u->launch_dim);
        else if (*text == '^')
            sb_c(out, has_linear(e->c->warp) ? "<false>" : "");
        else
            sb_char(out, *text);
    }
}

/* The test for the linear specialization: every plain vector, and in the backward pass its adjoint,
 * has elements without gaps. Joined by '&', as Warp writes it. */
static void put_condition(strbuf *out, const ir_unit *u, emit_half half)
{
    bool first = true;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        if (!emit_is_plain_vector(v->type))
            continue;
        for (int adjoint = 0; adjoint <= (half == EMIT_REVERSE); adjoint++) {
            sb_c(out, first ? "(" : " & (");
            sb_c(out, adjoint ? "_wp_adj_args->" : "_wp_args->");
            sb_str(out, ir_param_name(u, i));
            SB_LIT(out, ".strides[0] == (int)sizeof(");
            sb_str(out, v->type->elem->cname);
            SB_LIT(out, "))");
            first = false;
        }
    }
}

/* A call of the tasks function; `linear` is its template argument. */
static void put_task_call(strbuf *out, const ir_unit *u, emit_half half, const char *linear)
{
    sb_str(out, u->kernel->key);
    sb_c(out, half == EMIT_FORWARD ? "_cpu_forward_tasks<" : "_cpu_backward_tasks<");
    sb_c(out, linear);
    sb_c(out, half == EMIT_FORWARD ? ">(dim, _wp_args);\n" : ">(dim, _wp_args, _wp_adj_args);\n");
}

/* The head of an entry point. `comment`: the line that stands above the forward one. */
static void put_entry_head(emitter *e, strbuf *out, const ir_unit *u, emit_half half, bool comment)
{
    SB_LIT(out, "extern \"C\" {\n\n");
    if (comment && half == EMIT_FORWARD)
        SB_LIT(out, "// Python CPU entry points\n");
    put_template(e, out, entries[half].entry, u);
}

static const char tile_memory[] = "    wp::tile_shared_storage_t tile_mem;\n"
                                  "#if defined(WP_ENABLE_TILES_IN_STACK_MEMORY)\n"
                                  "    wp::shared_tile_storage = &tile_mem;\n#endif\n\n";

/* Up to Warp 1.18: the loop over all indices stands in the entry point. */
static void put_plain_entry(emitter *e, strbuf *out, const ir_unit *u, emit_half half)
{
    SB_LIT(out, "\n\n");
    put_entry_head(e, out, u, half, true);
    sb_c(out, tile_memory);
    SB_LIT(out, "    for (size_t task_index = 0; task_index < dim->size; ++task_index)\n    {\n");
    put_template(e, out,
                 half == EMIT_FORWARD
                     ? "        @_cpu_kernel_forward(*dim, task_index, _wp_args);\n    }"
                     : "        @_cpu_kernel_backward(*dim, task_index, _wp_args, _wp_adj_args);\n"
                       "    }",
                 u);
}

/* One thread per block: a plain loop over all indices, in two versions if the kernel has a linear
 * specialization. */
static void put_task_entry(emitter *e, strbuf *out, const ir_module *m, emit_half half)
{
    WEFT_ASSERT(m->options.block_dim == 1);
    const ir_unit *u = m->kernel;
    put_template(e, out, entries[half].tasks, u);
    sb_c(out, tile_memory);
    /* Both versions of the tasks function, chosen once per launch by the strides of the arrays. */
    if (emit_is_linear(m)) {
        SB_LIT(out, "    const bool wp_linear_contiguous = dim->coord_mult == 1 && (");
        put_condition(out, u, half);
        SB_LIT(out, ");\n    if (wp_linear_contiguous)\n        ");
        put_task_call(out, u, half, "true");
        SB_LIT(out, "    else\n        ");
    } else {
        SB_LIT(out, "    ");
    }
    put_task_call(out, u, half, "false");
    SB_LIT(out, "}\n\n");
    put_entry_head(e, out, u, half, true);
    put_template(e, out,
                 half == EMIT_FORWARD ? "    @_cpu_forward_dispatch(dim, _wp_args);"
                                      : "    @_cpu_backward_dispatch(dim, _wp_args, _wp_adj_args);",
                 u);
}

/* Threads of a block run as fibers over one shared memory. */
static void put_block_entry(emitter *e, strbuf *out, const ir_module *m, emit_half half)
{
    const ir_unit *u = m->kernel;
    put_template(e, out, entries[half].payload, u);
    put_entry_head(e, out, u, half, has_linear(e->c->warp));
    SB_LIT(out, "    constexpr size_t block_dim = (size_t)WP_TILE_BLOCK_DIM;\n"
                "    const size_t total = dim->size;\n    size_t block_first = 0;\n"
                "    size_t block_id = 0;\n\n    while (block_first < total)\n    {\n"
                "        const size_t remaining = total - block_first;\n"
                "        const int active_count = (int)(remaining < block_dim ? remaining : "
                "block_dim);\n"
                "        wp::tile_shared_storage_t tile_mem;\n");
    put_template(e, out, entries[half].run, u);
    /* The last block may have fewer threads; an error of the runtime ends the launch. */
    SB_LIT(out, "            return;\n        block_first += (size_t)active_count;\n"
                "        ++block_id;\n    }");
}

/* Forward, and backward if the kernel has adjoints. Only the CPU has them; CUDA kernels are entry
 * points themselves. */
void emit_entry_points(emitter *e, strbuf *out, const ir_module *m)
{
    WEFT_ASSERT(m->options.block_dim >= 1);
    for (int half = EMIT_FORWARD;
         half <= (m->options.enable_backward ? EMIT_REVERSE : EMIT_FORWARD); half++) {
        if (m->options.block_dim != 1)
            put_block_entry(e, out, m, (emit_half)half);
        else if (has_linear(e->c->warp))
            put_task_entry(e, out, m, (emit_half)half);
        else
            put_plain_entry(e, out, m->kernel, (emit_half)half);
        SB_LIT(out, "\n}\n\n} // extern C\n\n");
    }
}
