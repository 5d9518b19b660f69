/* The text machine's entry: reads a text from its top level, and answers what it holds.
 *
 *     struct ...                          definitions (vm_struct.c)
 *     static CUDA_CALLABLE ... f_0(...)   functions (vm_function.c)
 *     extern "C" __global__ ...           the kernel (vm_kernel.c), and its body (vm_stmt.c)
 *
 * One pass: each statement becomes instructions as it is read, and there is no tree. */
#include "textvm/vm_read.h"

static void top_level(reader *r)
{
    while (r->tok.kind != T_END) {
        if (tok_is(r, "struct"))
            struct_read(r);
        else if (tok_is(r, "template"))
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

/* The arrays in a value of type t. */
static void find_arrays(reader *r, const type *t, size_t offset, kernel_param *k, bool count)
{
    if (t->kind == TYPE_ARRAY) {
        if (!count)
            k->arrays[k->narrays] = (array_slot){.offset = offset, .elem = t->elem};
        k->narrays++;
    }
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        find_arrays(r, t->st->fields[i].type, offset + layout_field(t->st, i), k, count);
}

/* Parameters to where they last. */
static void keep_params(reader *r)
{
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
    vm->restored = ARENA_ARRAY(r->a, restored, 2 * vm->nparams + 1);
    vm->calls = ARENA_ARRAY(r->a, call_record, vm->nfunctions + 2);
}

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

textvm *textvm_read(ctx *c, arena *a, str text, textvm_error *error)
{
    const arena_mark mark = arena_save(&c->scratch);
    reader *r = arena_alloc(&c->scratch, sizeof *r);
    memset(r, 0, offsetof(reader, blocks)); /* not the large tables, which have counts */
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

str textvm_kernel_name(const textvm *vm)
{
    return vm->kernel_name;
}

uint32_t textvm_lines(const textvm *vm)
{
    return vm->lines;
}

bool textvm_names_scalar(const textvm *vm, type_kind k)
{
    return vm->scalars >> k & 1;
}
