/* C++ and CUDA text of lowered kernels, as warp-lang 1.19.0's ModuleBuilder.codegen writes it. */
#ifndef WEFT_EMIT_EMIT_H
#define WEFT_EMIT_EMIT_H

#include "ir/ir.h"

typedef enum emit_device { EMIT_CPU, EMIT_CUDA, EMIT_DEVICES } emit_device;
enum { EMIT_FOR_CPU = 1 << EMIT_CPU, EMIT_FOR_CUDA = 1 << EMIT_CUDA, EMIT_FOR_BOTH = 3 };

/* Buffers and tables that emission uses again and again; one per context. */
typedef struct emitter emitter;

/* Lives in c->perm, its buffers on c->mem. */
emitter *emitter_new(ctx *c);

/* Text for one device, in slices of one buffer that the next emission overwrites. The parts follow
 * each other without a gap: structs and functions, adjoints, entry (functions that call
 * wp.grad, the CPU's argument struct), forward and backward kernel. */
typedef struct emit_text {
    str all; /* from after Warp's fixed header to before the CPU entry points */
    str shared, adjoints, entry, forward, backward;
} emit_text;

/* Emits a kernel with all it needs, for the devices in `devices` (EMIT_FOR_...). */
void emit_kernel_text(emitter *e, const ir_module *m, unsigned devices,
                      emit_text out[EMIT_DEVICES]);

/* A whole module of n kernels, with Warp's header before it and the CPU entry points after each
 * kernel. Structs and functions that several kernels need stand in it once. */
str emit_module_text(emitter *e, const ir_module *const *kernels, uint32_t n, emit_device device);

/* Warp's fixed header of a module, which stands before what emit_kernel_text gives. */
void emit_header(strbuf *out, emit_device device, int block_dim, bool uses_bfloat16);

/* Forward and backward text of a record: without and with the adjoints, each with its kernel. */
void emit_record_forward(strbuf *out, const emit_text *t);
/* The same with the adjoints of functions, which kernels with wp.grad call. */
void emit_whole_forward(strbuf *out, const emit_text *t);
void emit_record_backward(strbuf *out, const emit_text *t);

#endif
