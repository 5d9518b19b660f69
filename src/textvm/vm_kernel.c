/* SPDX-License-Identifier: Apache-2.0 */
/* Reads kernels: their heads, parameters, and what stands before the body.
 *
 *     template <bool wp_linear_contiguous>              CPU: the arguments are a struct's fields
 *     static void step_cpu_kernel_forward(
 *         wp::launch_bounds_t<1> dim, size_t task_index, wp_args_step *_wp_args) {
 *         wp::array_t<wp::float32> var_x = _wp_args->x;
 *
 *     extern "C" __global__ void step_cuda_kernel_forward(    CUDA: the arguments are parameters
 *         wp::launch_bounds_t<1> dim, wp::array_t<wp::float32> var_x, ...) {
 *
 * A parameter x is the variable var_x, and adj_x in a backward text. Both heads give the same
 * kernel_params. A text with several kernels keeps the last one, as each starts anew. */
#include "textvm/vm_read.h"

enum { PARAMS_MAX = ARGS_MAX };

/* Takes NAME_cuda_kernel_forward and the like apart; device: "_cuda_kernel" or "_cpu_kernel".
 *
 *     step_cuda_kernel_backward     kernel_name "step", backward */
static void kernel_named(reader *r, str s, const char *device)
{
    static const char *const ends[] = {"_forward", "_backward"};
    const size_t middle = strlen(device);
    for (int b = 0; b < 2; b++) {
        const size_t end = strlen(ends[b]);
        if (s.n <= middle + end || memcmp(s.p + s.n - end, ends[b], end) != 0 ||
            memcmp(s.p + s.n - end - middle, device, middle) != 0)
            continue;
        r->vm->backward = b;
        r->vm->kernel_name = (str){s.p, s.n - end - middle};
        return;
    }
    read_fail(r, "'%.*s' is no kernel's name", (int)(s.n < 80 ? s.n : 80), s.p);
}

/* Tables of the largest size are in the scratch arena; keep_params (textvm.c) copies what is used.
 */
static void kernel_start(reader *r)
{
    vm_func *f = &r->vm->kernel;
    *f = (vm_func){.name = r->vm->kernel_name};
    r->vm->nparams = 0;
    r->vm->slots = ARENA_ARRAY(r->s, kernel_param, PARAMS_MAX);
    r->vm->params = ARENA_ARRAY(r->s, textvm_param, PARAMS_MAX);
    function_start(r, f);
    /* The kernel's variables lie in chunks of their own: a block saves them for each lane. */
    r->frame_p = r->frame_end = NULL;
    r->vm->frame.n = r->met_parts;
    r->vm->tiles = r->met_parts > 0;
    r->in_kernel = true;
    r->tid_dims = 0;
    r->may_continue = false;
}

/* wp::launch_bounds_t<N> dim, */
static void bounds_read(reader *r)
{
    tok_words(r, "wp::launch_bounds_t <");
    const int64_t n = tok_int(r);
    if (n < 1 || n > TEXTVM_DIMS)
        read_fail(r, "a launch has 1 to 4 dimensions");
    r->vm->ndim = (int)n;
    tok_words(r, "> dim");
}

/* Warp's launch_bounds_t<N> has the dimensions of the kernel's wp.tid(), or 1 without one. */
static void kernel_end(reader *r)
{
    WEFT_ASSERT(r->in_kernel && r->f == &r->vm->kernel);
    if (r->vm->ndim != (r->tid_dims ? r->tid_dims : 1))
        read_fail(r, "the launch has %d dimensions, the kernel uses %d", r->vm->ndim, r->tid_dims);
    function_end(r);
}

/* Adds the variable var_x of a new parameter x, or adj_x of the parameter `index`. */
static void param_add(reader *r, var *v, str field, bool adjoint, uint32_t index)
{
    if (vt_is_fixed(v->type))
        read_missing(r, STR("a local array as a kernel's argument"));
    textvm *vm = r->vm;
    const str prefix = adjoint ? STR("adj_") : STR("var_");
    if (v->name.n != field.n + 4 || memcmp(v->name.p, prefix.p, 4) != 0 ||
        memcmp(v->name.p + 4, field.p, field.n) != 0)
        read_fail(r, "'%.*s' stands where the argument %.*s of '%.*s' is expected", (int)v->name.n,
                  v->name.p, adjoint ? 7 : 5, adjoint ? "adjoint" : "value", (int)field.n, field.p);
    v->assigned = true;
    /* an adjoint passed by value begins at zero in each thread, whatever adds to it */
    v->written = adjoint && v->type.t->kind != TYPE_ARRAY;
    if (!adjoint) {
        if (vm->nparams == PARAMS_MAX)
            read_fail(r, "too many parameters");
        vm->params[vm->nparams] = (textvm_param){field, v->type.t};
        vm->slots[vm->nparams++] = (kernel_param){.val = v};
    } else {
        WEFT_ASSERT(index < vm->nparams);
        vm->slots[index].adjoint = v;
    }
}

/* CUDA: an adjoint has its parameter's type, but that of an indexed array is a plain one. */
static void adjoint_type(reader *r, const type *val, vt adjoint)
{
    const bool indexed = val->kind == TYPE_ARRAY && val->array_class == ARRAY_INDEXED;
    const vt want = {indexed ? type_array_of(r, val->elem, ARRAY_PLAIN) : val, false};
    if (!vt_same(adjoint, want))
        type_fail(r, want, adjoint);
}

/* TYPE var_x = _wp_args->x; for each field, then TYPE adj_x = _wp_adj_args->x; */
static void cpu_params(reader *r, const vm_struct *args)
{
    const struct_def *st = args->t->st;
    for (int adjoint = 0; adjoint <= r->vm->backward; adjoint++) {
        for (uint32_t i = 0; i < st->nfields; i++) {
            const vt t = type_read(r);
            var *v = var_declare(r, tok_name(r), t);
            tok_words(r, adjoint ? "= _wp_adj_args ->" : "= _wp_args ->");
            const str field = tok_name(r)->s;
            tok_expect(r, ';');
            if (!str_eq(field, sym_str(st->fields[i].name)))
                read_fail(r, "'%.*s' is not the next argument", (int)field.n, field.p);
            if (!vt_same(t, (vt){st->fields[i].type, false}))
                type_fail(r, (vt){st->fields[i].type, false}, t);
            param_add(r, v, field, adjoint, i);
        }
    }
}

/* wp_contiguous_args.x.strides[0] = sizeof(T); of one-dimensional arrays in order, each followed by
 * the same of its adjoint in a backward text. Which arrays have one dimension is not in the text,
 * so any array may have the line, but in order. */
static void contiguous_strides(reader *r, const vm_struct *args)
{
    static const char *const names[] = {"wp_contiguous_args .", "wp_contiguous_adj_args ."};
    const struct_def *st = args->t->st;
    for (uint32_t next = 0; tok_is(r, "wp_contiguous_args"); next++) {
        for (int b = 0; b <= r->vm->backward; b++) {
            tok_words(r, names[b]);
            const str field = tok_name(r)->s;
            while (!b && next < st->nfields && !str_eq(field, sym_str(st->fields[next].name)))
                next++;
            if (next >= st->nfields || st->fields[next].type->kind != TYPE_ARRAY ||
                !str_eq(field, sym_str(st->fields[next].name)))
                read_fail(r, "'%.*s' is no array here", (int)field.n, field.p);
            tok_words(r, ". strides [ 0 ] = sizeof (");
            const vt t = type_read(r);
            if (!vt_same(t, (vt){st->fields[next].type->elem, false}))
                type_fail(r, (vt){st->fields[next].type->elem, false}, t);
            tok_words(r, ") ;");
        }
    }
}

/* Warp's copies of the arguments whose strides are constants, where wp_linear_contiguous is true.
 * They change no value, so they are checked and emit nothing. */
static void contiguous_read(reader *r, const vm_struct *args, const vm_name *args_name)
{
    const bool backward = r->vm->backward;
    for (int i = 0; i <= backward; i++) {
        if (tok_name(r) != args_name)
            read_fail(r, "the arguments' struct has another name");
        tok_words(r, i ? "wp_contiguous_adj_args ;" : "wp_contiguous_args ;");
    }
    tok_words(r, "if constexpr ( wp_linear_contiguous ) { wp_contiguous_args = * _wp_args ;");
    if (backward)
        tok_words(r, "wp_contiguous_adj_args = * _wp_adj_args ;");
    contiguous_strides(r, args);
    tok_words(r, "_wp_args = & wp_contiguous_args ;");
    if (backward)
        tok_words(r, "_wp_adj_args = & wp_contiguous_adj_args ;");
    tok_expect(r, '}');
}

/* Needs: the struct wp_args_NAME has been read. Up to Warp 1.18 the kernel is no template, and has
 * nothing of a linear version. */
void kernel_cpu_read(reader *r)
{
    const bool linear = tok_is(r, "template");
    if (linear) {
        tok_words(r, "template <");
        if (tok_is(r, "typename"))
            read_missing(r, STR("functions with tiles as parameters"));
    }
    tok_words(r, linear ? "bool wp_linear_contiguous > static void" : "void");
    kernel_named(r, tok_name(r)->s, "_cpu_kernel");
    kernel_start(r);
    r->vm->cuda = false;
    tok_expect(r, '(');
    bounds_read(r);
    tok_words(r, ", size_t task_index ,");
    vm_name *args_name = tok_name(r);
    const vm_struct *args = args_name->args;
    const str want = r->vm->kernel_name;
    if (!args || args_name->s.n != want.n + 8 || memcmp(args_name->s.p, "wp_args_", 8) != 0 ||
        memcmp(args_name->s.p + 8, want.p, want.n) != 0)
        read_fail(r, "the arguments' struct has another name");
    tok_words(r, "* _wp_args");
    if (r->vm->backward) {
        tok_expect(r, ',');
        if (tok_name(r) != args_name)
            read_fail(r, "the adjoints' struct has another name");
        tok_words(r, "* _wp_adj_args");
    }
    tok_words(r,
              linear ? ") { static constexpr bool wp_linear_tid = wp_linear_contiguous ;" : ") {");
    if (linear && r->tok.kind == T_NAME && r->tok.id == args_name)
        contiguous_read(r, args, args_name);
    cpu_params(r, args);
    body_read(r);
    kernel_end(r);
}

/* , TYPE var_x, ... and then, in a backward text, TYPE adj_x, ... in the same order. */
static void cuda_params(reader *r)
{
    uint32_t adjoints = 0;
    while (tok_accept(r, ',')) {
        const vt t = type_read(r);
        var *v = var_declare(r, tok_name(r), t);
        if (t.ptr || v->name.n < 5)
            read_fail(r, "a parameter of this type");
        const str field = {v->name.p + 4, v->name.n - 4};
        if (memcmp(v->name.p, "adj_", 4) != 0 && !adjoints) {
            param_add(r, v, field, false, 0);
            continue;
        }
        if (!r->vm->backward || adjoints == r->vm->nparams)
            read_fail(r, "too many adjoints");
        adjoint_type(r, r->vm->params[adjoints].type, t);
        param_add(r, v, r->vm->params[adjoints].name, true, adjoints);
        adjoints++;
    }
    if (r->vm->backward && adjoints != r->vm->nparams)
        read_fail(r, "%u adjoints are missing", r->vm->nparams - adjoints);
}

/* (1, 2, 3): `least` to `most` numbers, whose values have no effect on results. */
static void int_list(reader *r, uint32_t least, uint32_t most)
{
    WEFT_ASSERT(least <= most);
    tok_expect(r, '(');
    uint32_t n = 0;
    do {
        tok_int(r);
        n++;
    } while (tok_accept(r, ','));
    if (n < least || n > most)
        read_fail(r, "a wrong number of launch bounds");
    tok_expect(r, ')');
}

/* An attribute that changes how fast code is, not what it computes; if it is there. */
static void attribute(reader *r, const char *word, uint32_t least, uint32_t most)
{
    if (r->tok.kind != T_NAME || !str_eq(r->tok.id->s, str_c(word)))
        return;
    tok_next(r);
    int_list(r, least, most);
}

/* From `extern "C" __global__` to the closing brace. The lines for shared memory of tiles are
 * part of every CUDA kernel of Warp, and have no effect on a kernel without tiles. */
void kernel_cuda_read(reader *r)
{
    tok_words(r, "extern C");
    attribute(r, "__launch_bounds__", 1, 2);
    attribute(r, "WP_CLUSTER_DIMS", 3, 3);
    tok_words(r, "__global__ void");
    attribute(r, "WP_MAXNREG", 1, 1);
    kernel_named(r, tok_name(r)->s, "_cuda_kernel");
    kernel_start(r);
    r->vm->cuda = true;
    tok_expect(r, '(');
    bounds_read(r);
    cuda_params(r);
    tok_words(r, ") {");
    if (tok_is(r, "WP_ENABLE_SMEM_SPILLING"))
        tok_words(r, "WP_ENABLE_SMEM_SPILLING ( ) ;");
    tok_words(r, "wp::tile_shared_storage_t tile_mem ;");
    preamble_read(r);
    tok_words(r, "wp::tile_shared_storage_t :: init ( ) ;");
    r->may_continue = r->vm->pre.strided;
    body_read(r);
    if (r->vm->pre.strided)
        tok_expect(r, '}');
    kernel_end(r);
}
