/* SPDX-License-Identifier: Apache-2.0 */
/* The text machine's entry: reads a text from its top level, and answers queries about it.
 *
 *     struct Body_a8f4a9dd { ... };                a definition (vm_struct.c)
 *     static wp::float32 half_0(                   a function (vm_function.c)
 *     template <bool wp_linear_contiguous> ...     the kernel for the CPU (vm_kernel.c)
 *     void k_cpu_kernel_forward(                   the same up to Warp 1.18
 *     extern "C" __global__ void ...               the kernel for CUDA (vm_kernel.c)
 *
 * One pass: each statement becomes instructions as it is read (vm_stmt.c), and there is no tree.
 * Warp declares everything before its use, so one pass is enough; only labels and the addresses of
 * instructions are filled in later (code_finish). */
#include "base/assert.h"
#include "textvm/vm_read.h"

/* Each definition begins with a word that decides what it is. */
static void top_level(reader *r)
{
    while (r->tok.kind != T_END) {
        if (tok_is(r, "struct"))
            struct_read(r);
        else if (tok_is(r, "template") || tok_is(r, "void"))
            kernel_cpu_read(r);
        else if (tok_is(r, "extern"))
            kernel_cuda_read(r);
        else if (tok_is(r, "CUDA_CALLABLE"))
            struct_helper_read(r);
        else
            function_read(r);
    }
    if (!r->vm->kernel_name.n)
        read_fail(r, "there is no kernel");
}

/* Finds the arrays in a value of type t, fields of structs included: counts them in k->narrays, and
 * unless `count` also fills k->arrays, which must have room for them. */
static void find_arrays(reader *r, const type *t, size_t offset, kernel_param *k, bool count)
{
    WEFT_ASSERT(count || k->arrays);
    if (t->kind == TYPE_ARRAY) {
        if (!count)
            k->arrays[k->narrays] = (array_slot){.offset = offset, .elem = t->elem};
        k->narrays++;
    }
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        find_arrays(r, t->st->fields[i].type, offset + layout_field(t->st, i), k, count);
}

/* Copies the parameters from the scratch arena, where there was room for ARGS_MAX, to the program's
 * arena. */
static void keep_params(reader *r)
{
    WEFT_ASSERT(r->vm->nparams <= ARGS_MAX);
    textvm *vm = r->vm;
    kernel_param *slots = ARENA_ARRAY(r->a, kernel_param, vm->nparams + 1);
    textvm_param *params = ARENA_ARRAY(r->a, textvm_param, vm->nparams + 1);
    if (vm->nparams) {
        memcpy(slots, vm->slots, vm->nparams * sizeof *slots);
        memcpy(params, vm->params, vm->nparams * sizeof *params);
    }
    vm->slots = slots;
    vm->params = params;
}

/* Makes all storage that a run needs, so that a run allocates only for views in structs. The arrays
 * of all parameters lie side by side in vm->arrays: gradient_of (vm_array_ops.c) finds an array's
 * slot by the address of its data. */
static void prepare_launches(reader *r)
{
    textvm *vm = r->vm;
    keep_params(r);
    for (uint32_t i = 0; i < vm->nparams; i++) {
        kernel_param *k = &vm->slots[i];
        const type *t = vm->params[i].type;
        k->size = vm_type_size(t);
        k->start = arena_zero(r->a, k->size);
        k->adj_start = arena_zero(r->a, k->size);
        find_arrays(r, t, 0, k, true);
        vm->narrays += k->narrays;
    }
    array_slot *next = vm->arrays = ARENA_ARRAY(r->a, array_slot, vm->narrays + 1);
    for (uint32_t i = 0; i < vm->nparams; i++) {
        kernel_param *k = &vm->slots[i];
        k->arrays = next;
        next += k->narrays;
        k->narrays = 0;
        find_arrays(r, vm->params[i].type, 0, k, false);
    }
    WEFT_ASSERT(next == vm->arrays + vm->narrays);
    /* at most each parameter and its adjoint */
    vm->restored = ARENA_ARRAY(r->a, restored, 2 * vm->nparams + 1);
    /* functions do not call themselves, so calls are nested no deeper than there are functions */
    vm->calls = ARENA_ARRAY(r->a, call_record, vm->nfunctions + 2);
}

/* The reader's errors leave by longjmp to here. All that they abandon lies in arenas. */
static textvm *read_all(reader *r, str text)
{
    if (setjmp(r->fail))
        return NULL;
    tok_start(r, text);
    top_level(r);
    code_finish(r);
    prepare_launches(r);
    r->vm->lines = r->line - 1;
    return r->vm;
}

/* The program and its variables are made in `a`; the reader, its tables and names lie in the
 * scratch arena and are given back. */
textvm *textvm_read(ctx *c, arena *a, str text, textvm_error *error)
{
    const arena_mark mark = arena_save(&c->scratch);
    reader *r = arena_alloc(&c->scratch, sizeof *r);
    /* the large tables at the end have counts; clearing them takes longer than a short text does */
    memset(r, 0, offsetof(reader, blocks));
    *error = (textvm_error){.kind = TEXTVM_OK};
    r->c = c;
    r->a = a;
    r->s = &c->scratch;
    r->error = error;
    r->vm = ARENA_NEW(a, textvm);
    r->vm->c = c;
    r->vm->a = a;
    textvm *vm = read_all(r, text);
    arena_rewind(&c->scratch, mark);
    return vm;
}

uint32_t textvm_params(const textvm *vm, const textvm_param **params)
{
    *params = vm->params;
    return vm->nparams;
}

bool textvm_is_backward(const textvm *vm)
{
    return vm->backward;
}

bool textvm_is_cuda(const textvm *vm)
{
    return vm->cuda;
}

bool textvm_has_tiles(const textvm *vm)
{
    return vm->tiles;
}

str textvm_kernel_name(const textvm *vm)
{
    return vm->kernel_name;
}

/* The line of the end of the text, less one. */
uint32_t textvm_lines(const textvm *vm)
{
    return vm->lines;
}

bool textvm_names_scalar(const textvm *vm, type_kind k)
{
    WEFT_ASSERT((unsigned)k < 32); /* bits of vm->scalars */
    return vm->scalars >> k & 1;
}
