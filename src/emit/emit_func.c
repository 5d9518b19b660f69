/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of a @wp.func and of its adjoint: Warp 1.19 codegen_func. An example:
 *
 *     @wp.func                      static wp::float32 sq_0(
 *     def sq(x: float):                 wp::float32 var_x)
 *         return x * x              static void adj_sq_0(
 *                                       wp::float32 var_x,
 *                                       wp::float32 & adj_x,
 *                                       wp::float32 & adj_ret)
 *
 * One returned value is the result; several go out through references ret_0, ret_1. A custom
 * gradient is written as the adjoint of the function that it belongs to. */
#include "emit/emitter.h"

/* How the function's signature is written. */
typedef struct func_form {
    const ir_unit *u;
    uint32_t ninputs;   /* custom gradient: parameters of the function it belongs to */
    const type *result; /* the one value returned, or NULL */
    bool many;          /* values go out through references */
} func_form;

/* The type of returned value i. */
static const type *return_type(const ir_unit *u, uint32_t i)
{
    WEFT_ASSERT(i < u->nreturns);
    return u->vars.v[u->returns[i]].type;
}

/* Function arguments exist while the kernel is compiled only; the text has an instance for each. */
static bool is_function(const type *t)
{
    return t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE;
}

/* Gradients of indexed arrays are plain arrays. Other types are their own. */
const type *emit_gradient_type(emitter *e, const type *t)
{
    if (t->kind == TYPE_ARRAY && t->array_class == ARRAY_INDEXED)
        return type_array(e->c, ARRAY_PLAIN, t->elem, t->ndim);
    return t;
}

/* The type of the one value returned, or NULL: no value, or several, which go out through
 * references. */
static const type *result_of(const ir_unit *u)
{
    return u->has_return && u->nreturns == 1 ? return_type(u, 0) : NULL;
}

/* `all` is searched for the function that a custom gradient belongs to: its first ninputs
 * parameters are that function's, the others adjoints of the results. */
static func_form form_of(const ir_unit *u, ir_unit *const *all, uint32_t nall)
{
    func_form f = {.u = u, .ninputs = u->nparams};
    f.result = result_of(u);
    f.many = u->has_return && u->nreturns != 1;
    /* At most one function of the module has this gradient. */
    for (uint32_t i = 0; u->func->is_custom_grad && i < nall; i++)
        if (all[i]->func->custom_grad == u->func)
            f.ninputs = all[i]->nparams;
    return f;
}

/* "T NAME", with the separator of a list before it. */
static void put_typed(strbuf *out, bool *first, str ctype, const char *before, str name)
{
    emit_separator(out, first);
    emit_str(out, ctype);
    sb_c(out, before);
    emit_str(out, name);
}

/* The first n parameters. */
static void put_inputs(strbuf *out, const func_form *f, uint32_t n, bool *first)
{
    WEFT_ASSERT(n <= f->u->nparams);
    for (uint32_t i = 0; i < n; i++) {
        const ir_var *v = emit_param(f->u, i);
        if (emit_is_tile(v->type))
            emit_tile_param(out, first, f->u, i, "& var_", ir_param_name(f->u, i));
        else if (!is_function(v->type))
            put_typed(out, first, v->type->cname, " var_", ir_param_name(f->u, i));
    }
}

/* References through which several values are returned, or their adjoints. */
static void put_outputs(strbuf *out, const func_form *f, const char *prefix, bool *first)
{
    for (uint32_t i = 0; f->many && i < f->u->nreturns; i++) {
        emit_separator(out, first);
        sb_str(out, return_type(f->u, i)->cname);
        sb_c(out, prefix);
        sb_uint(out, i);
    }
}

/* The adjoint of each parameter; a reference's is a pointer already. */
static void put_adjoint_inputs(emitter *e, strbuf *out, const func_form *f, bool *first)
{
    for (uint32_t i = 0; i < f->ninputs; i++) {
        const ir_var *v = emit_param(f->u, i);
        if (is_function(v->type))
            continue;
        if (emit_is_tile(v->type)) {
            emit_tile_param(out, first, f->u, i, " & adj_", ir_param_name(f->u, i));
            continue;
        }
        /* "T & adj_x": the adjoint is added to in place. */
        put_typed(out, first, emit_gradient_type(e, v->type)->cname,
                  v->type->kind == TYPE_REF ? " adj_" : " & adj_", ir_param_name(f->u, i));
    }
}

/* Output adjoints that a custom gradient declares itself, under names of its own. */
static void put_declared_adjoints(strbuf *out, const func_form *f, bool *first)
{
    for (uint32_t i = f->ninputs; i < f->u->nparams; i++) {
        const ir_var *v = emit_param(f->u, i);
        if (emit_is_tile(v->type))
            emit_tile_param(out, first, f->u, i, " & var_", ir_param_name(f->u, i));
        else
            put_typed(out, first, v->type->cname, v->type->kind == TYPE_REF ? " var_" : " & var_",
                      ir_param_name(f->u, i));
    }
}

/* Parameters, results, adjoints of parameters, adjoints of results: the order of every adj_
 * function. Of a function (x, y) that returns two values:
 *
 *     var_x, var_y, & ret_0, & ret_1, & adj_x, & adj_y, & adj_ret_0, & adj_ret_1 */
static void put_reverse_args(emitter *e, strbuf *out, const func_form *f)
{
    bool first = true;
    put_inputs(out, f, f->ninputs, &first);
    emit_det_func_params(out, f->u, &first);
    put_outputs(out, f, " & ret_", &first);
    put_adjoint_inputs(e, out, f, &first);
    put_outputs(out, f, " & adj_ret_", &first);
    if (f->result)
        put_typed(out, &first, f->result->cname, " & ", STR("adj_ret"));
    if (f->u->func->is_custom_grad)
        put_declared_adjoints(out, f, &first);
}

/* Warp 1.19 func(inline=...) as a macro of its native headers. The adjoint gets the same hint. */
static void put_inline_hint(strbuf *out, inline_hint hint)
{
    WEFT_ASSERT(hint <= INLINE_ALWAYS);
    static const char *const words[] = {[INLINE_DEFAULT] = "",
                                        [INLINE_NEVER] = "WP_NOINLINE ",
                                        [INLINE_ALWAYS] = "WP_FORCEINLINE "};
    sb_c(out, words[hint]);
}

/* "// FILE:LINE" of a function. The path is absolute if the file is one. */
void emit_source_line(strbuf *out, const ir_unit *u)
{
    SB_LIT(out, "\n// ");
    const source *src = u->code->src;
    sb_c(out, src->place ? src->place : src->path);
    sb_char(out, ':');
    sb_uint(out, u->first_line);
    sb_char(out, '\n');
}

/* Is there such a half? A custom gradient is no forward function. A function with one, a replay,
 * and one that calls wp.grad have no adjoint of their own. */
bool emit_func_has(const ir_unit *u, emit_half half)
{
    WEFT_ASSERT(u->func != NULL);
    if (half == EMIT_FORWARD)
        return !u->func->is_custom_grad;
    return !u->func->custom_grad && !u->func->is_replay && !u->uses_grad;
}

/* Up to the name; emit_func_rest goes on. Only this part differs between devices. */
void emit_func_head(strbuf *out, const ir_unit *u, emit_half half, emit_device device)
{
    emit_tile_template(out, u);
    emit_source_line(out, u);
    if (device == EMIT_CUDA)
        emit_def_directive(out, u);
    SB_LIT(out, "static ");
    put_inline_hint(out, u->func->inlining);
    /* Warp marks functions for host and device. */
    if (device == EMIT_CUDA)
        SB_LIT(out, "CUDA_CALLABLE ");
    if (half == EMIT_REVERSE) {
        SB_LIT(out, "void adj_");
    } else {
        const type *result = result_of(u);
        sb_str(out, result ? result->cname : STR("void"));
        sb_char(out, ' ');
    }
    sb_str(out, u->func->native_name);
}

/* Arguments and body of the forward function. */
static void put_forward(emitter *e, strbuf *out, const func_form *f, const emit_prepared *p)
{
    bool first = true;
    SB_LIT(out, "(\n    ");
    put_inputs(out, f, f->u->nparams, &first);
    emit_det_func_params(out, f->u, &first);
    put_outputs(out, f, " & ret_", &first);
    SB_LIT(out, ")\n{\n");
    emit_forward_body(e, out, f->u, p, (emit_body_form){0});
}

/* Arguments and body of the adjoint. A custom gradient's body is its own forward list; without a
 * kernel that needs it the body is a comment. */
static void put_reverse(emitter *e, strbuf *out, const func_form *f, const emit_prepared *p)
{
    SB_LIT(out, "(\n    ");
    put_reverse_args(e, out, f);
    SB_LIT(out, ")\n{\n");
    if (f->u->func->is_custom_grad) {
        SB_LIT(out, "\t// user-defined adjoint code\n");
        emit_forward_body(e, out, f->u, p, (emit_body_form){0});
        /* forced: wp.grad needs it, also where no kernel has a backward pass. */
    } else if (f->u->backward || f->u->forced) {
        emit_reverse_body(e, out, f->u, p, (emit_body_form){0});
    } else {
        sb_c(out, warp_has(e->c->warp, WARP_BACKWARD_BY_KERNEL)
                      ? "\t// reverse mode disabled "
                        "(no backward-enabled kernel depends on this function)\n"
                      : "\t// reverse mode disabled (module option \"enable_backward\" is False "
                        "or no dependent kernel found with \"enable_backward\")\n");
    }
}

/* The brace that closes it. As in the head, only CUDA's text has the line of the def. */
void emit_func_end(strbuf *out, const ir_unit *u, emit_device device)
{
    if (device == EMIT_CUDA)
        emit_def_directive(out, u);
    SB_LIT(out, "}\n\n");
}

/* From behind the name to the brace that closes it. */
void emit_func_rest(emitter *e, strbuf *out, const ir_unit *u, const emit_prepared *p,
                    ir_unit *const *all, uint32_t nall, emit_half half)
{
    WEFT_ASSERT(half == EMIT_FORWARD || half == EMIT_REVERSE);
    const func_form f = form_of(u, all, nall);
    if (half == EMIT_FORWARD)
        put_forward(e, out, &f, p);
    else
        put_reverse(e, out, &f, p);
}
