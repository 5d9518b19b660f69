/* SPDX-License-Identifier: Apache-2.0 */
/* What deterministic mode adds to the text: Warp 1.19 DeterministicCodegen's function_args,
 * kernel_args and kernel_locals, names of helpers, and the offset of an element. Of
 *
 *     wp.atomic_add(total, 0, x[i])      with module_options={"deterministic": ...}
 *
 * the CUDA kernel takes "wp::det_scatter_buf_t<wp::float32> _wp_det_scatter_0_total", the buffer
 * that its updates go to, and declares
 *
 *     wp::det_ctx det_ctx{_wp_det_phase, _wp_det_debug, _idx, _wp_det_overflow, nullptr, 0};
 *     auto& det_scatter_0_total = _wp_det_scatter_0_total;
 *
 * Counters come before scatters in every list, each in the order of their numbers. */
#include "base/ascii.h"
#include "emit/emitter.h"

/* Parameters of a kernel before those of its targets. */
enum { PHASE_PARAMS = 3 };

/* Letters, digits and "_" of a name; bytes beyond ASCII belong to letters. */
static bool is_word(char c)
{
    return c == '_' || ascii_is_digit(c) || ascii_is_letter(c) || (unsigned char)c >= 0x80;
}

/* Warp 1.19 sanitize_det_name: stretches of other characters become one "_", and none is left at
 * the ends. Rewrites what b has from `from` on. */
static void sanitize(strbuf *b, size_t from)
{
    size_t to = from;
    bool was_word = true;
    for (size_t i = from; i < b->n; i++) {
        const bool word = is_word(b->p[i]);
        if (word || was_word)
            b->p[to++] = word ? b->p[i] : '_';
        was_word = word;
    }
    size_t first = from;
    while (first < to && b->p[first] == '_')
        first++;
    while (to > first && b->p[to - 1] == '_')
        to--;
    memmove(b->p + from, b->p + first, to - first);
    b->n = from + (to - first);
    if (b->n == from)
        SB_LIT(b, "target");
}

/* "det_scatter_0_adj_s_pos": the kind, the number, "adj" for an array of gradients, the array. */
static void put_helper(strbuf *out, const ir_det *det, uint32_t index)
{
    const ir_det_target *t = &det->targets.v[index];
    sb_c(out, t->is_counter ? "det_counter_" : "det_scatter_");
    sb_uint(out, index);
    sb_char(out, '_');
    const size_t from = out->n;
    if (t->array.adjoint)
        SB_LIT(out, "adj_");
    if (t->array.root.name)
        sb_str(out, sym_str(t->array.root.name));
    else
        sb_uint(out, t->array.root.number);
    for (uint32_t i = 0; i < t->array.npath; i++) {
        sb_char(out, '.');
        sb_str(out, sym_str(t->array.path[i]));
    }
    sanitize(out, from);
}

/* An IR_ARG_DET operand. */
void emit_det_name(strbuf *out, const ir_unit *u, uint32_t operand)
{
    WEFT_ASSERT(u->det && operand <= u->det->targets.n);
    if (operand)
        put_helper(out, u->det, operand - 1);
    else
        SB_LIT(out, "det_ctx");
}

/* Warp 1.19 _deterministic_flat_index_expr:
 *
 *     ((((var_0 < 0) ? (var_0 + var_a.shape[0]) : var_0) * var_a.strides[0]) /
 *      static_cast<int>(sizeof(wp::float32))) */
void emit_det_offset(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p)
{
    WEFT_ASSERT(p->kind == IR_PLACE_OFFSET && p->nindices);
    SB_LIT(out, "((");
    for (uint32_t i = 0; i < p->nindices; i++) {
        const str index = emit_label(&e->names[ir_index(u->args.v[p->indices + i])]);
        sb_c(out, i ? " + ((var_" : "((var_");
        sb_str(out, index);
        SB_LIT(out, " < 0) ? (var_");
        sb_str(out, index);
        SB_LIT(out, " + ");
        emit_place(e, out, u, p->base);
        SB_LIT(out, ".shape[");
        sb_uint(out, i);
        SB_LIT(out, "]) : var_");
        sb_str(out, index);
        SB_LIT(out, ") * ");
        emit_place(e, out, u, p->base);
        SB_LIT(out, ".strides[");
        sb_uint(out, i);
        sb_char(out, ']');
    }
    SB_LIT(out, ") / static_cast<int>(sizeof(");
    sb_str(out, p->type->cname);
    SB_LIT(out, ")))");
}

static void put_buffer_type(strbuf *out, const ir_det_target *t)
{
    if (t->is_counter) {
        SB_LIT(out, "wp::det_counter_buf_t");
        return;
    }
    SB_LIT(out, "wp::det_scatter_buf_t<");
    sb_str(out, t->value->cname);
    sb_char(out, '>');
}

static void put_func_param(strbuf *out, const ir_det *det, uint32_t index)
{
    SB_LIT(out, ",\n    ");
    put_buffer_type(out, &det->targets.v[index]);
    sb_char(out, ' ');
    put_helper(out, det, index);
}

/* Behind the inputs of a function, or of its adjoint. */
void emit_det_func_params(strbuf *out, const ir_unit *u, bool *first)
{
    if (!ir_needs_det(u))
        return;
    emit_separator(out, first);
    SB_LIT(out, "wp::det_ctx det_ctx");
    for (uint32_t i = 0; i < u->det->targets.n; i++)
        put_func_param(out, u->det, ir_det_parameter(u->det, i));
}

uint32_t emit_det_kernel_param_count(const ir_unit *u)
{
    return ir_needs_det(u) ? PHASE_PARAMS + u->det->targets.n : 0;
}

void emit_det_kernel_param_type(strbuf *out, const ir_unit *u, uint32_t i)
{
    static const char *const types[PHASE_PARAMS] = {"int", "int", "int*"};
    WEFT_ASSERT(i < emit_det_kernel_param_count(u));
    if (i < PHASE_PARAMS)
        sb_c(out, types[i]);
    else
        put_buffer_type(out, &u->det->targets.v[ir_det_parameter(u->det, i - PHASE_PARAMS)]);
}

void emit_det_kernel_param_name(strbuf *out, const ir_unit *u, uint32_t i)
{
    static const char *const names[PHASE_PARAMS] = {"phase", "debug", "overflow"};
    WEFT_ASSERT(i < emit_det_kernel_param_count(u));
    if (i < PHASE_PARAMS) {
        sb_printf(out, "_wp_det_%s", names[i]);
    } else {
        SB_LIT(out, "_wp_");
        put_helper(out, u->det, ir_det_parameter(u->det, i - PHASE_PARAMS));
    }
}

/* Behind all other parameters of a CUDA kernel. */
void emit_det_kernel_params(strbuf *out, const ir_unit *u)
{
    for (uint32_t i = 0; i < emit_det_kernel_param_count(u); i++) {
        SB_LIT(out, ",\n    ");
        emit_det_kernel_param_type(out, u, i);
        sb_char(out, ' ');
        emit_det_kernel_param_name(out, u, i);
    }
}

/* On the CPU nothing waits: helpers are empty, and the macros fall back to plain atomics. */
static void put_cpu_local(strbuf *out, const ir_det *det, uint32_t index)
{
    const ir_det_target *t = &det->targets.v[index];
    SB_LIT(out, "    ");
    put_buffer_type(out, t);
    sb_char(out, ' ');
    put_helper(out, det, index);
    sb_c(out, t->is_counter ? "{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, "
                              "0, wp::array_t<int>{}, 0};\n"
                            : "{nullptr, nullptr, nullptr, 0};\n");
}

static void put_cuda_local(strbuf *out, const ir_det *det, uint32_t index)
{
    SB_LIT(out, "    auto& ");
    put_helper(out, det, index);
    SB_LIT(out, " = _wp_");
    put_helper(out, det, index);
    SB_LIT(out, ";\n");
}

/* The array of all counters, which the context holds; returns how many there are. */
static uint32_t put_counters(strbuf *out, const ir_det *det)
{
    uint32_t n = 0, left;
    for (uint32_t i = 0; i < det->targets.n; i++)
        n += det->targets.v[i].is_counter;
    if (!n)
        return 0;
    SB_LIT(out, "    wp::array_t<int> _wp_det_counter_targets[");
    sb_uint(out, n);
    SB_LIT(out, "] = {");
    left = n;
    for (uint32_t i = 0; i < det->targets.n; i++) {
        if (!det->targets.v[i].is_counter)
            continue;
        SB_LIT(out, "_wp_");
        put_helper(out, det, i);
        sb_c(out, --left ? ".target, " : ".target};\n");
    }
    return n;
}

/* Between the head of a kernel and its body. */
void emit_det_locals(strbuf *out, const ir_unit *u, emit_device device)
{
    if (!ir_needs_det(u))
        return;
    if (device == EMIT_CPU) {
        SB_LIT(out, "    wp::det_ctx det_ctx{1, 0, 0, nullptr, nullptr, 0};\n");
    } else {
        const uint32_t counters = put_counters(out, u->det);
        SB_LIT(out, "    wp::det_ctx det_ctx{_wp_det_phase, _wp_det_debug, _idx, "
                    "_wp_det_overflow, ");
        sb_c(out, counters ? "_wp_det_counter_targets, " : "nullptr, ");
        sb_uint(out, counters);
        SB_LIT(out, "};\n");
    }
    for (uint32_t i = 0; i < u->det->targets.n; i++)
        (device == EMIT_CPU ? put_cpu_local : put_cuda_local)(out, u->det,
                                                              ir_det_parameter(u->det, i));
}
