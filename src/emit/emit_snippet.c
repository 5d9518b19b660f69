/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of a @wp.func_native: the user's C++ text within a head made from the annotations.
 * As in Warp 1.19 codegen_snippet, both devices get the CUDA form. An example:
 *
 *     @wp.func_native("return x * x;")        static CUDA_CALLABLE wp::float32 sq_0(
 *     def sq(x: float) -> float: ...              wp::float32 x)
 *                                             {
 *                                             return x * x;}
 *
 * The snippet follows the brace and precedes the closing one without line breaks of its own. */
#include "emit/emitter.h"

/* A parameter is called by its Python name. Warp removes "var_" from the printed name, wherever it
 * stands: a parameter my_var_x is called my_x in the snippet. */
static str plain_name(emitter *e, str label)
{
    char *to = arena_alloc(&e->c->module, label.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < label.n;) {
        if (label.n - i >= 4 && memcmp(label.p + i, "var_", 4) == 0)
            i += 4;
        else
            to[n++] = label.p[i++];
    }
    return (str){to, n};
}

/* Parameters by their plain names; a reference is a pointer with a name of its own. */
static void put_inputs(emitter *e, strbuf *out, const ir_unit *u, bool *first)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        const str name = plain_name(e, ir_param_name(u, i));
        if (emit_is_tile(v->type)) {
            emit_tile_param(out, first, u, i, "& ", name);
            continue;
        }
        emit_separator(out, first);
        sb_str(out, v->type->cname);
        sb_c(out, v->type->kind == TYPE_REF ? " _wp_ref_" : " ");
        sb_str(out, name);
    }
}

/* Adjoints of parameters, then that of the result. */
static void put_adjoint_args(emitter *e, strbuf *out, const ir_unit *u, const type *result,
                             bool *first)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        if (emit_is_tile(v->type)) {
            emit_tile_param(out, first, u, i, " & adj_", ir_param_name(u, i));
            continue;
        }
        emit_separator(out, first);
        sb_str(out, emit_gradient_type(e, v->type)->cname);
        sb_c(out, v->type->kind == TYPE_REF ? " _wp_ref_adj_" : " & adj_");
        sb_str(out, ir_param_name(u, i));
    }
    if (!result)
        return;
    emit_separator(out, first);
    sb_str(out, result->cname);
    SB_LIT(out, " & adj_ret");
}

/* Reference parameters are passed as pointers; these aliases let the user's text use them as
 * references. Of a parameter x: wp.ref[float]:
 *
 *     float* _wp_ref_x                      in the parameter list
 *     float& x = *_wp_ref_x;                the alias
 *     float& adj_x = *_wp_ref_adj_x;        in the adjoint */
static void put_aliases(emitter *e, strbuf *out, const ir_unit *u, bool adjoints)
{
    for (uint32_t i = 0; i < u->nparams; i++) {
        const ir_var *v = emit_param(u, i);
        if (v->type->kind != TYPE_REF)
            continue;
        SB_LIT(out, "    ");
        sb_str(out, type_target_cname(v->type));
        if (adjoints)
            emit_named(out, "& adj_@ = *_wp_ref_adj_@;\n", ir_param_name(u, i));
        else
            emit_named(out, "& @ = *_wp_ref_@;\n", plain_name(e, ir_param_name(u, i)));
    }
}

/* One forward-like function: the snippet itself, or its replay. */
static void put_definition(emitter *e, strbuf *out, const ir_unit *u, const type *result,
                           const char *prefix, const char *text)
{
    WEFT_ASSERT(text != NULL);
    bool first = true;
    emit_tile_template(out, u);
    emit_source_line(out, u);
    SB_LIT(out, "static CUDA_CALLABLE ");
    sb_str(out, result ? result->cname : STR("void"));
    sb_char(out, ' ');
    sb_c(out, prefix);
    sb_str(out, u->func->native_name);
    SB_LIT(out, "(\n    ");
    put_inputs(e, out, u, &first);
    SB_LIT(out, ")\n{\n");
    put_aliases(e, out, u, false);
    sb_c(out, text);
    SB_LIT(out, "}\n\n");
}

/* The adjoint, whose body is empty without an adj_snippet. */
static void put_adjoint(emitter *e, strbuf *out, const ir_unit *u, const type *result)
{
    bool first = true;
    emit_tile_template(out, u);
    emit_source_line(out, u);
    emit_named(out, "static CUDA_CALLABLE void adj_@(\n    ", u->func->native_name);
    put_inputs(e, out, u, &first);
    put_adjoint_args(e, out, u, result, &first);
    SB_LIT(out, ")\n{\n");
    put_aliases(e, out, u, false);
    put_aliases(e, out, u, true);
    if (u->func->adj_snippet)
        sb_c(out, u->func->adj_snippet);
    SB_LIT(out, "}\n\n");
}

/* The result's type is the annotation; nothing is known about the text. */
void emit_snippet(emitter *e, strbuf *out, const ir_unit *u, emit_half half)
{
    WEFT_ASSERT(u->func->snippet != NULL);
    const type *result = u->code->returns;
    if (result && result->kind == TYPE_VOID)
        result = NULL;
    if (half == EMIT_REVERSE) {
        put_adjoint(e, out, u, result);
        return;
    }
    put_definition(e, out, u, result, "", u->func->snippet);
    if (u->func->replay_snippet)
        put_definition(e, out, u, result, "replay_", u->func->replay_snippet);
}
