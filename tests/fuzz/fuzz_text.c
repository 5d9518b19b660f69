/* SPDX-License-Identifier: Apache-2.0 */
/* One input as text of the emitted dialect: read, and run with a little fuel on small arrays. */
#include "driver/pipeline.h"
#include "fuzz_target.h"
#include "textvm/textvm.h"

enum { MEMORY_LIMIT = 256 << 20, FUEL = 20000, SIZE = 5 };

typedef struct text_input {
    pipeline p;
    str text;
} text_input;

static rvalue make_array(ctx *c, const type *t, int ndim)
{
    arena *a = &c->module;
    const size_t size = layout_size(t->elem);
    array_data *data = ARENA_NEW(a, array_data);
    array_view *view = ARENA_NEW(a, array_view);
    int64_t stride = (int64_t)size;
    view->data = data;
    view->elem = t->elem;
    view->ndim = ndim;
    for (int d = ndim - 1; d >= 0; d--, stride *= SIZE) {
        view->shape[d] = SIZE;
        view->strides[d] = stride;
    }
    *data = (array_data){
        .name = "input", .bytes = arena_zero(a, (size_t)stride), .size = (size_t)stride};
    for (size_t i = 0; i < data->size; i += 4)
        data->bytes[i] = (uint8_t)(i / 4 % 5);
    return (rvalue){.type = type_array(c, ARRAY_PLAIN, t->elem, ndim), .array = view};
}

/* False: such a value is made by programs only. */
static bool make_value(ctx *c, const type *t, int ndim, rvalue *out)
{
    if (t->kind == TYPE_ARRAY && !type_has_array(t->elem)) {
        *out = make_array(c, t, ndim);
        return true;
    }
    if (type_is_scalar(t)) {
        *out = (rvalue){.type = t, .n = type_is_float(t) ? (num){.f = 1.5} : (num){.i = 1}};
        return true;
    }
    if (type_has_array(t) || (t->kind != TYPE_STRUCT && !type_is_composite(t)))
        return false;
    *out = (rvalue){.type = t, .bytes = arena_zero(&c->module, layout_size(t))};
    return true;
}

static void launch(ctx *c, textvm *vm, int ndim)
{
    const textvm_param *params;
    const uint32_t n = textvm_params(vm, &params);
    rvalue *args = ARENA_ARRAY(&c->module, rvalue, n + 1);
    rvalue *adjoints = ARENA_ARRAY(&c->module, rvalue, n + 1);
    textvm_error error = {0};
    for (uint32_t i = 0; i < n; i++)
        if (!make_value(c, params[i].type, ndim, &args[i]) ||
            !make_value(c, params[i].type, ndim, &adjoints[i]))
            return;
    textvm_launch l = {.args = args,
                       .adjoints = textvm_is_backward(vm) ? adjoints : NULL,
                       .ndim = ndim,
                       .block_dim = 4,
                       .fuel = FUEL};
    for (int d = 0; d < ndim; d++)
        l.dim[d] = SIZE;
    const bool good = textvm_run(vm, &l, &error);
    demand(good == (error.kind == TEXTVM_OK));
    demand(good || error.text[0]);
}

static void run(void *arg)
{
    text_input *in = arg;
    ctx *c = &in->p.c;
    textvm_error error = {0};
    textvm *vm = textvm_read(c, &c->module, in->text, &error);
    demand(!vm == (error.kind != TEXTVM_OK));
    demand(vm || error.text[0]);
    for (int ndim = 1; vm && ndim <= 3; ndim++)
        launch(c, vm, ndim);
}

/* The context is made once: that takes far longer than a small text. */
void fuzz_text(const uint8_t *data, size_t size)
{
    static text_input in;
    static bool ready;
    const pipeline_options options = {.memory_limit = MEMORY_LIMIT};
    if (!ready)
        demand(pipeline_init(&in.p, &options));
    ready = true;
    in.text = (str){(const char *)data, size};
    pipeline_reset(&in.p);
    if (mem_try(&in.p.c.mem, run, &in))
        return;
    demand(in.p.c.mem.over_limit);
    pipeline_clear(&in.p);
    ready = false;
}
