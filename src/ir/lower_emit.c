/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of one call: Warp 1.19 Adjoint.add_call from the point where the result's types
 * are known, format_forward_call_args and format_reverse_call_args.
 *
 *     y = f(a, b)   ->   forward and replay:  CALL y, f, a, b
 *                        reverse:             ADJ_CALL f, a, b, adj a, adj b, adj y
 *
 * Where an argument is a reference, the call passes the loaded value, and the adjoint's call names
 * that value and the reference's adjoint. With %4 loaded from the reference %1:
 *
 *     CALL %3, @wp::mul, %4, %2
 *     ADJ_CALL adj @wp::mul, %4, %2, adj %1, adj %2, adj %3
 *
 * `load` itself has no adjoint call, so the gradient skips it and goes to the array element. */
#include "ir/lower.h"

/* Operands of a statement being put together. */
typedef struct arg_buf {
    VEC(ir_arg) v;
} arg_buf;

static void put(lower *l, arg_buf *b, ir_arg a)
{
    VEC_PUSH(&l->c->ir, &b->v, a);
}

uint32_t add_callee(lower *l, ir_callee f)
{
    return ir_add_callee(l->c, l->u, f);
}

/* The constructor has the type's name; a struct's is generated: "P_c371fe8a". */
uint32_t callee_of_type(lower *l, const type *t)
{
    const str name = t->kind == TYPE_STRUCT ? t->st->native_name : t->cname;
    return add_callee(l, (ir_callee){.native = {.name = name, .constructs = t}});
}

/* A function that is passed as an argument, by its name. */
static ir_arg function_name(lower *l, const value *v, ir_arg_kind kind)
{
    WEFT_ASSERT(v->kind == VALUE_BUILTIN || v->kind == VALUE_FUNC);
    ir_callee f = {0};
    if (v->kind == VALUE_BUILTIN) {
        f.native = (native_callee){.name = sym_str(builtin_name(v->p)), .in_wp = true};
    } else {
        f.func = v->p;
        f.native.name = f.func->native_name;
    }
    return ir_arg_make(kind, add_callee(l, f));
}

/* The text of a token, primal and adjoint alike. */
static ir_arg token_name(lower *l, const char *token)
{
    const ir_callee f = {.native = {.name = str_c(token)}};
    return ir_arg_make(IR_ARG_CALLEE, add_callee(l, f));
}

static void put_primals(lower *l, arg_buf *b, const emitted_call *call)
{
    WEFT_ASSERT(call->args || !call->nargs);
    for (uint32_t i = 0; i < call->nargs; i++) {
        const emitted_arg *a = &call->args[i];
        put(l, b,
            a->token      ? token_name(l, a->token)
            : a->function ? function_name(l, a->function, IR_ARG_CALLEE)
                          : arg_var(a->forward));
    }
}

/* In an initializer list adjoints are pointers, since a list in C++ holds no references. */
static void put_adjoints(lower *l, arg_buf *b, const emitted_call *call)
{
    const bool list = call->initializer_list;
    for (uint32_t i = 0; i < call->nargs; i++) {
        const emitted_arg *a = &call->args[i];
        if (a->token)
            put(l, b, token_name(l, a->token));
        else if (a->function)
            put(l, b,
                function_name(l, a->function, list ? IR_ARG_CALLEE_ADJ_PTR : IR_ARG_CALLEE_ADJ));
        else
            put(l, b, ir_arg_make(list ? IR_ARG_ADJ_PTR : IR_ARG_ADJ, a->reverse));
    }
}

/* The store of a kernel that counts first. The backward pass has no counting pass, so it stores as
 * it stands. args[0] is the callee. */
static void emit_store(lower *l, ir_arg *args, uint32_t n, uint32_t plain)
{
    args[0] = arg_det(0);
    add_forward_replay(l, ir_add_stmt(l->c, l->u, IR_DET_STORE, args, n), plain);
}

/* One result is assigned; several are passed behind the arguments, by reference in C++. A custom
 * replay is the same statement with another callee, which stands second if there is a result. */
static void emit_forward(lower *l, const emitted_call *call)
{
    arg_buf b = {0};
    bool single = call->nresults == 1;
    if (single)
        put(l, &b, arg_var(call->results[0]));
    put(l, &b, ir_arg_make(IR_ARG_CALLEE, call->callee));
    put_primals(l, &b, call);
    const uint32_t primals = b.v.n;
    for (uint32_t i = 0; i < call->det_forward.n; i++)
        put(l, &b, call->det_forward.v[i]);
    for (uint32_t i = 0; !single && i < call->nresults; i++)
        put(l, &b, arg_var(call->results[i]));
    ir_op op = call->initializer_list ? single ? IR_CALL_LIST : IR_CALL_VOID_LIST
               : single               ? IR_CALL
                                      : IR_CALL_VOID;
    uint32_t stmt = ir_add_stmt(l->c, l->u, op, b.v.v, b.v.n), replay = stmt;
    if (call->has_replay) {
        WEFT_ASSERT(ir_kind(b.v.v[single ? 1 : 0]) == IR_ARG_CALLEE);
        b.v.v[single ? 1 : 0] = ir_arg_make(IR_ARG_CALLEE_REPLAY, call->callee);
        /* Warp builds replays last, so it does not know what they take in deterministic mode. */
        WEFT_ASSERT(!call->det_forward.n || call->nresults <= 1);
        replay = ir_add_stmt(l->c, l->u, op, b.v.v, call->det_forward.n ? primals : b.v.n);
    }
    if (call->effect == EFFECT_STORE) {
        emit_store(l, b.v.v, b.v.n, stmt);
        return;
    }
    if (call->effect == EFFECT_GUARDED) {
        const ir_arg args[] = {arg_det(0), arg_stmt(stmt)};
        stmt = replay = ir_add_stmt(l->c, l->u, IR_DET_EFFECT, args, 2);
    }
    if (call->skip_replay)
        add_forward_commented(l, stmt, replay);
    else
        add_forward_replay(l, stmt, replay);
}

/* Does it take or give a value of a type that the program registers? Those have no adjoint. */
static bool has_external_value(lower *l, const emitted_call *call)
{
    bool has = false;
    for (uint32_t i = 0; i < call->nargs && !has; i++) {
        const emitted_arg *a = &call->args[i];
        has = !a->function && !a->token && type_has_external(var_type(l, a->forward));
    }
    for (uint32_t i = 0; i < call->nresults && !has; i++)
        has = type_has_external(var_type(l, call->results[i]));
    return has;
}

/* Nothing for calls without arguments: there is no adjoint to add to. The prelude is added last,
 * since the reverse list runs backwards, and in reverse, so that its views are named in order. */
static void emit_reverse(lower *l, const emitted_call *call)
{
    if (!call->differentiable || !call->nargs || has_external_value(l, call))
        return;
    arg_buf b = {0};
    put(l, &b, ir_arg_make(IR_ARG_CALLEE_ADJ, call->callee));
    if (call->initializer_list)
        put(l, &b, arg_int(call->nargs));
    put_primals(l, &b, call);
    for (uint32_t i = 0; i < call->det_reverse.n; i++)
        put(l, &b, call->det_reverse.v[i]);
    bool outputs = call->adjoint_takes_outputs && (call->needs_output_arg || call->nresults > 1);
    for (uint32_t i = 0; outputs && !call->initializer_list && i < call->nresults; i++)
        put(l, &b, arg_var(call->results[i]));
    put_adjoints(l, &b, call);
    for (uint32_t i = 0; i < call->nresults; i++)
        put(l, &b, arg_adj(call->results[i]));
    if (call->det_helper) {
        WEFT_ASSERT(!call->initializer_list && call->nresults == 1);
        const uint32_t plain = ir_add_stmt(l->c, l->u, IR_ADJ_CALL, b.v.v, b.v.n);
        REVERSE(l, DET_SCATTER, arg_det(0), call->det_helper, call->det_offset,
                arg_adj(call->results[0]), arg_stmt(plain));
    } else {
        add_reverse(l, call->initializer_list ? IR_ADJ_CALL_LIST : IR_ADJ_CALL, b.v.v, b.v.n);
    }
    for (uint32_t i = call->prelude ? call->prelude->n : 0; i-- > 0;)
        REVERSE(l, NAME_VIEW, arg_var(call->prelude->var[i]), arg_place(call->prelude->place[i]));
}

/* An operand list holds each argument and result twice, and is counted with 16 bits. No C++
 * compiler takes calls of such a length. */
enum { ARGUMENTS_MAX = 16000 };

void emit_call(lower *l, const emitted_call *call)
{
    WEFT_ASSERT(call->callee < l->u->callees.n);
    if (call->nargs + call->nresults > ARGUMENTS_MAX) {
        diag_error(l->c, span_of(l, NULL), DIAG_TOO_MANY_ARGUMENTS, call->nargs + call->nresults,
                   ARGUMENTS_MAX);
        lower_fail(l);
    }
    emit_forward(l, call);
    emit_reverse(l, call);
}
