/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the text of a module together in the order of Warp 1.19 ModuleBuilder.codegen. An example,
 * for one kernel k that calls sq:
 *
 *     structs                                      text.shared
 *     sq_0                     forward functions
 *     adj_sq_0                 adjoints, custom gradients first        text.adjoints
 *     functions that call wp.grad; struct wp_args_k (CPU)              text.entry
 *     k_cpu_kernel_forward                                             text.forward
 *     k_cpu_kernel_backward                                            text.backward
 *
 * A record joins some of the parts: its forward text has no adjoints. */
#include "emit/emitter.h"

/* The buffers are empty until the first kernel. */
emitter *emitter_new(ctx *c)
{
    emitter *e = ARENA_NEW(&c->perm, emitter);
    e->c = c;
    sb_init(&e->lines, &c->mem);
    sb_init(&e->body, &c->mem);
    sb_init(&e->name, &c->mem);
    for (int d = 0; d < EMIT_DEVICES; d++)
        sb_init(&e->out[d], &c->mem);
    emit_compile_patterns(e);
    return e;
}

/* Does a tile in some kernel or function hold the struct? Then it needs arithmetic. */
static bool is_in_tile(const emit_parts *all, const struct_def *st)
{
    for (uint32_t i = 0; i < all->nkernels; i++)
        if (emit_unit_tiles_struct(all->kernels[i]->kernel, st))
            return true;
    for (uint32_t i = 0; i < all->nfuncs; i++)
        if (emit_unit_tiles_struct(all->funcs[i], st))
            return true;
    return false;
}

/* Formats the lines of all functions: both halves are made of them. Native functions have none.
 * Lines of kernels are added later. */
static void prepare(emitter *e, const emit_parts *all)
{
    e->lines.n = e->nlines = 0;
    /* Twice the need, so that growing modules seldom reallocate. */
    if (all->nfuncs > e->prepared_cap) {
        const size_t size = mem_mul(e->lines.m, all->nfuncs, 2 * sizeof *e->prepared);
        e->prepared = mem_resize(e->lines.m, e->prepared, size);
        e->prepared_cap = 2 * all->nfuncs;
    }
    for (uint32_t i = 0; i < all->nfuncs; i++)
        if (!all->funcs[i]->func->snippet)
            e->prepared[i] =
                emit_prepare(e, all->funcs[i], all->funcs[i]->backward || all->funcs[i]->forced);
}

/* One half of function i, for each of the devices. The body is made once in e->body; only the head
 * and native snippets differ. */
static void put_function(emitter *e, const emit_parts *all, uint32_t i, emit_half half,
                         unsigned devices)
{
    WEFT_ASSERT(i < all->nfuncs);
    const ir_unit *u = all->funcs[i];
    const bool native = u->func->snippet != NULL;
    if (!native && !emit_func_has(u, half))
        return;
    e->body.n = 0;
    if (!native)
        emit_func_rest(e, &e->body, u, &e->prepared[i], all->funcs, all->nfuncs, half);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(devices & 1u << d))
            continue;
        if (native) {
            emit_snippet(e, &e->out[d], u, half);
        } else {
            emit_func_head(&e->out[d], u, half, (emit_device)d);
            sb_str(&e->out[d], sb_view(&e->body));
            emit_func_end(&e->out[d], u, (emit_device)d);
        }
    }
}

/* Structs and forward functions: what both passes of a record need. */
static void put_shared(emitter *e, const emit_parts *all, unsigned devices)
{
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (devices & 1u << d)
            emit_external_types(e->c, &e->out[d], all, (emit_device)d);
    /* Structs have one text on both devices. */
    for (int d = 0; d < EMIT_DEVICES; d++)
        for (uint32_t i = 0; devices & 1u << d && i < all->nstructs; i++)
            emit_struct(&e->out[d], all->structs[i], is_in_tile(all, all->structs[i]));
    for (uint32_t i = 0; i < all->nfuncs; i++)
        if (!all->funcs[i]->uses_grad)
            put_function(e, all, i, EMIT_FORWARD, devices);
}

/* Functions that call gradients follow the adjoints. */
static void put_grad_callers(emitter *e, const emit_parts *all, unsigned devices)
{
    for (uint32_t i = 0; i < all->nfuncs; i++)
        if (all->funcs[i]->uses_grad)
            put_function(e, all, i, EMIT_FORWARD, devices);
}

/* Custom gradients first: an adjoint may call them. */
static void put_adjoints(emitter *e, const emit_parts *all, unsigned devices)
{
    for (int custom = 1; custom >= 0; custom--)
        for (uint32_t i = 0; i < all->nfuncs; i++)
            if (all->funcs[i]->func->is_custom_grad == (custom == 1))
                put_function(e, all, i, EMIT_REVERSE, devices);
}

/* Offsets where the parts of one device's text end. Slices are made at the end, since the buffer
 * moves while it grows. */
typedef struct part_ends {
    size_t start, shared, adjoints, entry, forward, backward;
} part_ends;

/* A slice of the buffer. */
static str between(const strbuf *b, size_t from, size_t to)
{
    WEFT_ASSERT(from <= to && to <= b->n);
    return (str){b->p + from, to - from};
}

/* The kernel with its arguments' struct, which the CPU has; sets the last three ends. Without
 * adjoints the backward part is empty. */
static void put_kernel(emitter *e, const ir_module *m, const emit_prepared *p, emit_device device,
                       part_ends *end)
{
    strbuf *out = &e->out[device];
    if (device == EMIT_CPU)
        emit_args_struct(out, m->kernel);
    end->entry = out->n;
    emit_forward_kernel(e, out, m, p, device);
    end->forward = out->n;
    if (m->options.enable_backward)
        emit_backward_kernel(e, out, m, p, device);
    end->backward = out->n;
}

/* Does the kernel, or a function that it needs, call an adjoint by wp.grad? */
static bool calls_adjoints(const ir_module *m)
{
    bool calls = m->kernel->uses_grad;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        calls = calls || m->funcs.v[i]->uses_grad;
    return calls;
}

/* Functions are written for all devices in one pass, so the ends of their parts are taken between
 * the passes. */
void emit_kernel_text(emitter *e, const ir_module *m, unsigned devices,
                      emit_text text[EMIT_DEVICES])
{
    WEFT_ASSERT(devices <= EMIT_FOR_BOTH); /* 0: no text is wanted */
    const emit_parts all = {m->funcs.v, m->structs.v, m->funcs.n, m->structs.n, &m, 1};
    part_ends end[EMIT_DEVICES] = {0};
    for (int d = 0; d < EMIT_DEVICES; d++) {
        e->out[d].n = 0;
        SB_LIT(&e->out[d], "\n"); /* ends the fixed header */
    }
    prepare(e, &all);
    put_shared(e, &all, devices);
    for (int d = 0; d < EMIT_DEVICES; d++)
        end[d].shared = e->out[d].n;
    put_adjoints(e, &all, devices);
    for (int d = 0; d < EMIT_DEVICES; d++)
        end[d].adjoints = e->out[d].n;
    put_grad_callers(e, &all, devices);
    /* Last, for it appends to the lines of the functions. */
    const emit_prepared own = emit_prepare(e, m->kernel, m->options.enable_backward != 0);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        const strbuf *b = &e->out[d];
        const part_ends *p = &end[d];
        text[d] = (emit_text){0};
        if (!(devices & 1u << d))
            continue;
        put_kernel(e, m, &own, (emit_device)d, &end[d]);
        text[d].all = sb_view(b);
        text[d].calls_adjoints = calls_adjoints(m);
        text[d].shared = between(b, 0, p->shared);
        text[d].adjoints = between(b, p->shared, p->adjoints);
        text[d].entry = between(b, p->adjoints, p->entry);
        text[d].forward = between(b, p->entry, p->forward);
        text[d].backward = between(b, p->forward, p->backward);
    }
}

/* Forward text of a record: the kernel with structs, functions and argument struct. */
void emit_record_forward(strbuf *out, const emit_text *t)
{
    sb_str(out, t->shared);
    if (t->calls_adjoints)
        sb_str(out, t->adjoints);
    sb_str(out, t->entry);
    sb_str(out, t->forward);
}

void emit_whole_forward(strbuf *out, const emit_text *t)
{
    sb_str(out, t->shared);
    sb_str(out, t->adjoints);
    sb_str(out, t->entry);
    sb_str(out, t->forward);
}

/* The blank lines before the forward kernel go with it; the one after it stays. Any of the three
 * parts may be empty or end in blank lines of its own, so the end of the text is what counts. */
void emit_record_backward(strbuf *out, const emit_text *t)
{
    const size_t begin = out->n;
    sb_str(out, t->shared);
    sb_str(out, t->adjoints);
    sb_str(out, t->entry);
    /* Down to the end of the last line with text, or to nothing. */
    while (out->n > begin && out->p[out->n - 1] == '\n' &&
           (out->n - 1 == begin || out->p[out->n - 2] == '\n'))
        out->n--;
    sb_char(out, '\n');
    sb_str(out, t->backward);
}

/* What several kernels need, each once, in order of first use. */
typedef struct union_list {
    VEC(ir_unit *) funcs;
    VEC(const struct_def *) structs;
} union_list;

/* Is it the same function with the same types? Each kernel has instances of its own of functions
 * that take functions; native_name distinguishes those. Parameters are compared by pointer, for
 * types are unique. */
static bool same_instance(const ir_unit *a, const ir_unit *b)
{
    if (a->code->def != b->code->def || a->func->is_custom_grad != b->func->is_custom_grad ||
        !str_eq(a->func->native_name, b->func->native_name))
        return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (a->vars.v[a->params[i]].type != b->vars.v[b->params[i]].type)
            return false;
    return true;
}

/* Adds the function unless an instance of it is there. The instance with an adjoint stays, since
 * some kernel needs that. */
static void add_func(ctx *c, union_list *all, ir_unit *u)
{
    for (uint32_t i = 0; i < all->funcs.n; i++)
        if (same_instance(all->funcs.v[i], u)) {
            if (u->backward)
                all->funcs.v[i] = u;
            return;
        }
    VEC_PUSH(&c->module, &all->funcs, u);
}

/* Structs are unified by the evaluator, so pointers can be compared. */
static void add_struct(ctx *c, union_list *all, const struct_def *st)
{
    for (uint32_t i = 0; i < all->structs.n; i++)
        if (all->structs.v[i] == st)
            return;
    VEC_PUSH(&c->module, &all->structs, st);
}

/* The union over all kernels, in the order of the kernels. Custom gradients and what they alone
 * call follow what the kernels call. */
static emit_parts contents_of(ctx *c, const ir_module *const *kernels, uint32_t n)
{
    union_list all = {0};
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < kernels[k]->ncalled; i++)
            add_func(c, &all, kernels[k]->funcs.v[i]);
        for (uint32_t i = 0; i < kernels[k]->structs.n; i++)
            add_struct(c, &all, kernels[k]->structs.v[i]);
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = kernels[k]->ncalled; i < kernels[k]->funcs.n; i++)
            add_func(c, &all, kernels[k]->funcs.v[i]);
    return (emit_parts){all.funcs.v, all.structs.v, all.funcs.n, all.structs.n, kernels, n};
}

/* The header depends on the text: Warp 1.19 ModuleBuilder.codegen searches its own output for
 * "bfloat16", source lines in comments included, so a comment or a name decides as well as a type
 * does. Only the same search gives the same header. */
str emit_module_text(emitter *e, const ir_module *const *kernels, uint32_t n, emit_device device)
{
    WEFT_ASSERT(n == 0 || kernels != NULL);
    const emit_parts all = contents_of(e->c, kernels, n);
    const unsigned devices = 1u << device;
    strbuf *out = &e->out[device], *head = &e->out[!device];
    part_ends end;
    out->n = head->n = 0;
    SB_LIT(out, "\n");
    prepare(e, &all);
    put_shared(e, &all, devices);
    put_adjoints(e, &all, devices);
    put_grad_callers(e, &all, devices);
    for (uint32_t i = 0; i < n; i++) {
        /* The functions are printed, so their lines make room for the kernel's. */
        e->lines.n = e->nlines = 0;
        const bool backward = kernels[i]->options.enable_backward != 0;
        const emit_prepared own = emit_prepare(e, kernels[i]->kernel, backward);
        put_kernel(e, kernels[i], &own, device, &end);
        if (device == EMIT_CPU)
            emit_entry_points(e, out, kernels[i]);
    }
    bool bfloat16 = strstr(sb_cstr(out), "bfloat16") != NULL;
    const code_options *o = n ? &kernels[0]->options : NULL;
    emit_header(head, e->c->warp, device, o ? o->block_dim : 256, bfloat16,
                o ? (device == EMIT_CPU ? o->cpu_preamble : o->cuda_preamble) : NULL);
    sb_str(head, sb_view(out));
    return sb_view(head);
}
