/* SPDX-License-Identifier: Apache-2.0 */
/* C++ and CUDA text of lowered kernels, as warp-lang 1.19.0's ModuleBuilder.codegen writes it.
 * Callers lower a kernel to an ir_module and ask for its text on one device or both:
 *
 *     CALL %0, @wp::mul, %x, %x          var_0 = wp::mul(var_x, var_x);
 *     ADJ_CALL adj @wp::mul, %x, %x, adj %x, adj %x, adj %0
 *                                        wp::adj_mul(var_x, var_x, adj_x, adj_x, adj_0);
 *
 * Text is made here and nowhere else; the stages before know operands, not names. Bytes are
 * compared with warp-lang's, so blank lines and odd indentation are Warp's own. */
#ifndef WEFT_EMIT_EMIT_H
#define WEFT_EMIT_EMIT_H

#include "ir/ir.h"

/* Whose text. The same number selects a device in arrays and, as a bit, in sets of devices. */
typedef enum emit_device { EMIT_CPU, EMIT_CUDA, EMIT_DEVICES } emit_device;
enum { EMIT_FOR_CPU = 1 << EMIT_CPU, EMIT_FOR_CUDA = 1 << EMIT_CUDA, EMIT_FOR_BOTH = 3 };

/* Buffers and tables that emission uses again and again; one per context. */
typedef struct emitter emitter;

/* An emitter may be used for any number of kernels, one after another. */
emitter *emitter_new(ctx *c);

/* Text for one device, in slices of one buffer that the next emission overwrites. The parts follow
 * each other without a gap: structs and functions, adjoints, entry (functions that call
 * wp.grad, the CPU's argument struct), forward and backward kernel. */
typedef struct emit_text {
    str all; /* from after Warp's fixed header to before the CPU entry points */
    str shared, adjoints, entry, forward, backward;
    bool calls_adjoints; /* forward calls wp.grad */
} emit_text;

/* Emits a kernel with all it needs, for the devices in `devices` (EMIT_FOR_...). Parts of out[d]
 * are empty for a device that is not among them. The slices are valid until the emitter is used
 * again. */
void emit_kernel_text(emitter *e, const ir_module *m, unsigned devices,
                      emit_text out[EMIT_DEVICES]);

/* A whole module of n kernels, with Warp's header before it and the CPU entry points after each
 * kernel. Structs and functions that several kernels need stand in it once. The result lives in the
 * emitter's buffers until its next use. */
str emit_module_text(emitter *e, const ir_module *const *kernels, uint32_t n, emit_device device);

/* Warp's fixed header of a module, which stands before what emit_kernel_text gives. Without
 * uses_bfloat16 it defines WP_NO_BFLOAT16, which saves compiling the overloads for that type. The
 * module's own preamble stands behind Warp's headers; NULL: none. */
void emit_header(strbuf *out, warp_release warp, emit_device device, int block_dim,
                 bool uses_bfloat16, const char *preamble);

typedef struct emit_parameter {
    str type, name; /* as in the text: "wp::array_t<wp::float32>", "var_a" */
} emit_parameter;

/* A function that a launch calls. */
typedef struct emit_entry_point {
    str name;
    emit_parameter *parameters;
    uint32_t nparameters;
    size_t shared_bytes; /* that a launch reserves for tiles */
} emit_entry_point;

/* The entry points of a kernel on a device: forward, and backward if it has adjoints. Returns how
 * many; what they point to lives as long as the module. */
uint32_t emit_list_entry_points(emitter *e, const ir_module *m, emit_device device,
                                emit_entry_point out[2]);

/* Forward and backward text of a record: without and with the adjoints, each with its kernel. A
 * forward text that calls wp.grad has them, too. */
void emit_record_forward(strbuf *out, const emit_text *t);
/* The same with the adjoints of functions, which kernels with wp.grad call. */
void emit_whole_forward(strbuf *out, const emit_text *t);
void emit_record_backward(strbuf *out, const emit_text *t);

#endif
