/* Statements, with Python's meaning. */
#include "interp/interp_internal.h"

static flow run_for(interp *in, const ast_For *n)
{
    const node *iter = n->iter;
    const ast_Call *call = iter->kind == AST_Call ? AST(Call, iter) : NULL;
    if (!call || call->func->kind != AST_Name || strcmp(AST(Name, call->func)->id->s, "range") ||
        !call->args.n || call->args.n > 3 || n->target->kind != AST_Name)
        interp_fail(in, iter, "cannot execute a loop over anything but range()");
    int64_t bounds[3] = {0, 0, 1};
    for (uint32_t i = 0; i < call->args.n; i++)
        bounds[call->args.n == 1 ? 1 : i] = interp_int(in, call->args.v[i]);
    if (bounds[2] == 0)
        interp_fail(in, iter, "the step of range() is zero");
    const type *t = type_scalar(in->c, TYPE_INT32);
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += bounds[2]) {
        count_step(in, iter);
        set_variable(in, AST(Name, n->target)->id, rvalue_num(t, (num){.i = i}));
        const flow f = run_block(in, &n->body);
        if (f == FLOW_BREAK)
            return FLOW_NEXT;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_NEXT;
}

static flow run_while(interp *in, const ast_While *n)
{
    while (interp_truth(in, n->test)) {
        count_step(in, n->test);
        const flow f = run_block(in, &n->body);
        if (f == FLOW_BREAK)
            return FLOW_NEXT;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_NEXT;
}

static flow run_return(interp *in, const ast_Return *n)
{
    in->frame->result = n->value ? interp_any(in, n->value) : (rvalue){0};
    return FLOW_RETURN;
}

static void run_assign(interp *in, const ast_Assign *n)
{
    if (n->targets.n != 1)
        interp_fail(in, &n->base, "cannot execute an assignment with several targets");
    const node *target = n->targets.v[0];
    const uint32_t expects = target->kind == AST_Tuple ? AST(Tuple, target)->elts.n : 0;
    interp_assign(in, target,
                  n->value->kind == AST_Call ? interp_call(in, AST(Call, n->value), expects)
                                             : interp_any(in, n->value));
}

static void run_augmented(interp *in, const ast_AugAssign *n)
{
    const rvalue v = interp_value(in, n->value);
    if (n->target->kind == AST_Name) {
        set_variable(in, AST(Name, n->target)->id,
                     binary(in, &n->base, n->op, interp_value(in, n->target), v));
        return;
    }
    const place p = interp_place(in, n->target);
    const rvalue r = binary(in, &n->base, n->op, rvalue_load(&in->arena, p.type, p.bytes), v);
    if (!rvalue_store(p.type, p.bytes, &r))
        interp_fail(in, &n->base, "a value of another type cannot be stored here");
}

static flow run_statement(interp *in, const node *n)
{
    count_step(in, n);
    switch (n->kind) {
    case AST_Assign: run_assign(in, AST(Assign, n)); return FLOW_NEXT;
    case AST_AugAssign: run_augmented(in, AST(AugAssign, n)); return FLOW_NEXT;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->value)
            interp_assign(in, AST(AnnAssign, n)->target, interp_any(in, AST(AnnAssign, n)->value));
        return FLOW_NEXT;
    case AST_If:
        return run_block(in, interp_truth(in, AST(If, n)->test) ? &AST(If, n)->body
                                                                : &AST(If, n)->orelse);
    case AST_For: return run_for(in, AST(For, n));
    case AST_While: return run_while(in, AST(While, n));
    case AST_Return: return run_return(in, AST(Return, n));
    case AST_Break: return FLOW_BREAK;
    case AST_Continue: return FLOW_CONTINUE;
    case AST_Pass: return FLOW_NEXT;
    case AST_Expr:
        if (AST(Expr, n)->value->kind != AST_Constant)
            interp_any(in, AST(Expr, n)->value);
        return FLOW_NEXT;
    default: interp_fail(in, n, "cannot execute a statement of class %s", node_kind_name(n->kind));
    }
}

flow run_block(interp *in, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const flow f = run_statement(in, body->v[i]);
        if (f != FLOW_NEXT)
            return f;
    }
    return FLOW_NEXT;
}
