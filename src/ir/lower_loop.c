/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, `break` and `continue`: Warp 1.19 Adjoint.emit_For, get_unroll_range, begin_for, end_for,
 * emit_While, begin_while, end_while, materialize_redefinitions, emit_Break, emit_Continue. The
 * dispatcher of statements in lower.c calls it.
 *
 * A `for` has one of four forms (range_form). One over constants with few passes is unrolled: the
 * body is lowered once per pass, with the loop's variable a constant in each.
 *
 *     for j in range(2):   ->   CALL_VOID @wp::array_store, %a, %0, %1     (%0 is 0)
 *         a[j] = 1.0            CALL_VOID @wp::array_store, %a, %2, %3     (%2 is 1)
 *
 * Any other loop is jumps between labels. Python names that its body rebinds keep the variable that
 * they entered with: the body ends with a copy into it (%1 for s below).
 *
 *     for j in range(n):   ->   CALL %2, @wp::range, %n
 *         s = s + a[j]          START for_0
 *                                 FOR_TEST %2, for_0
 *                                 CALL %3, @wp::iter_next, %2
 *                                 CALL %4, @wp::address, %a, %3
 *                                 CALL %6, @wp::load, %4
 *                                 CALL %5, @wp::add, %1, %6
 *                                 CALL_VOID @wp::assign, %1, %5
 *                                 GOTO_START for_0
 *                               STOP for_0
 *
 * The reverse list has the same loop with its passes in reverse order. Each pass zeroes the
 * adjoints of the body's variables, replays the body, and runs the body's adjoints. The replay list
 * of the function holds no loop (but see replay_loop): a loop is replayed only inside its own
 * reverse, pass by pass.
 *
 * A loop needs two blocks: one for its head (test and next value) and one for the body, so that the
 * reverse list can be built from the head's forward list and all lists of the body.
 *
 * `continue` in a loop that is unrolled is another matter: lower_continue.c. */
#include "ir/lower.h"

/* range(start, stop, step) with known numbers; `count` is the number of passes. */
typedef struct const_range {
    int64_t start, stop, step, count;
} const_range;

/* The body (0) or the else part (1) of an `if`. */
static const node_list *loop_branches(const node *n, int which)
{
    return which ? &AST(If, n)->orelse : &AST(If, n)->body;
}

/* Does a break or continue (bits 1 and 2 of `kinds`) in the body belong to this loop? Loops inside
 * are not searched: theirs belong to them. */
static bool has_transfer(const node_list *body, int kinds)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const node *s = body->v[i];
        if ((s->kind == AST_Break && (kinds & 1)) || (s->kind == AST_Continue && (kinds & 2)))
            return true;
        if (s->kind == AST_If &&
            (has_transfer(loop_branches(s, 0), kinds) || has_transfer(loop_branches(s, 1), kinds)))
            return true;
    }
    return false;
}

/* Can `now` be copied to its name's variable in any order with the loop's other names? No if it is
 * the variable of a name at the loop's entry, since that one may be overwritten first, or if
 * another name is bound to it, too:
 *
 *     for j in range(3):
 *         a, b = b, a
 *
 * Unrolled, this only exchanges bindings. As a loop it would be assign(a, b), assign(b, a), which
 * makes both the same. lower_rolled then reports `tangled`, and the unrolled form is used. */
static bool is_own_value(const lower *l, const scope *entry, const binding *now)
{
    WEFT_ASSERT(now->var != NO_VAR);
    if (l->u->vars.v[now->var].kind > IR_VAR_PARAM)
        return false;
    for (uint32_t i = 0; i < entry->n; i++)
        if (entry->v[i].var == now->var)
            return false;
    for (uint32_t i = 0; i < l->scope.n; i++)
        if (l->scope.v[i].var == now->var && l->scope.v[i].name != now->name)
            return false;
    return true;
}

/* Warp 1.19 materialize_redefinitions: what the body rebinds is written back to the variable that
 * the loop entered with, at the end of the body and before each break and continue. Names that are
 * first bound in the loop have nothing to be written to. A constant under a name that an unrolled
 * loop binds stays as it is (Warp's is_constant_iter_symbol); any other is an error: the program
 * has to say `s = float(0.0)` instead of `s = 0.0`. */
static void materialize(lower *l, const node *at)
{
    WEFT_ASSERT(l->loop_scopes.n > 0);
    const scope entry = l->loop_scopes.v[l->loop_scopes.n - 1];
    ctx_spend(l->c, entry.n);
    for (uint32_t i = 0; i < entry.n; i++) {
        const binding old = entry.v[i];
        const binding *now = scope_find(l, &l->scope, old.name);
        if (!now || old.var == now->var || old.var == NO_VAR || now->var == NO_VAR)
            continue;
        const value *k = var_constant(l, old.var);
        if (k && sym_set_has(&l->unrolled, old.name))
            continue;
        if (k)
            refuse_mutation(l, at, old.name, k);
        if (l->job->rolls && !is_own_value(l, &entry, now))
            l->job->out->tangled = true;
        call2(l, at, l->names->b_assign, old.var, now->var);
        scope_set(l, old.name, old.var, NULL);
    }
}

/* Keeps the names as the loop finds them, for materialize. */
static void enter_loop(lower *l)
{
    VEC_PUSH(&l->c->ir, &l->loop_scopes, scope_copy(l, &l->scope));
}

static void leave_loop(lower *l)
{
    WEFT_ASSERT(l->loop_scopes.n);
    scope_free(l, &l->loop_scopes.v[--l->loop_scopes.n]);
}

static void collect_stores_list(lower *l, const node_list *list, sym_set *out)
{
    for (uint32_t i = 0; i < list->n; i++)
        collect_stores(l, list->v[i], out);
}

/* Names that statements bind; enough of the grammar for what kernels contain, or users put there.
 */
void collect_stores(lower *l, const node *n, sym_set *out)
{
    switch (n->kind) {
    case AST_Name:
        if (AST(Name, n)->ctx == CTX_Store)
            sym_set_add(l, out, AST(Name, n)->id);
        return;
    case AST_Tuple: collect_stores_list(l, &AST(Tuple, n)->elts, out); return;
    case AST_Assign: collect_stores_list(l, &AST(Assign, n)->targets, out); return;
    case AST_AugAssign: collect_stores(l, AST(AugAssign, n)->target, out); return;
    case AST_AnnAssign: collect_stores(l, AST(AnnAssign, n)->target, out); return;
    case AST_With: collect_stores_list(l, &AST(With, n)->body, out); return;
    case AST_Try: collect_stores_list(l, &AST(Try, n)->body, out); return;
    case AST_For:
        collect_stores(l, AST(For, n)->target, out);
        collect_stores_list(l, &AST(For, n)->body, out);
        return;
    case AST_While: collect_stores_list(l, &AST(While, n)->body, out); return;
    case AST_If:
        collect_stores_list(l, &AST(If, n)->body, out);
        collect_stores_list(l, &AST(If, n)->orelse, out);
        return;
    case AST_FunctionDef: collect_stores_list(l, &AST(FunctionDef, n)->body, out); return;
    default: return;
    }
}

/* Warp 1.19 _promote_mutated_iter_constants: a name that an unrolled loop bound to a constant, and
 * that this loop's body assigns, becomes a variable before it. Without unrolling (lower_rolled)
 * that holds for all constants, since materialize could not write to them. */
static void promote_iterators(lower *l, const node_list *body)
{
    if (!l->unrolled.n && !l->job->rolls)
        return;
    sym_set stored = {0};
    collect_stores_list(l, body, &stored);
    for (uint32_t i = 0; i < stored.n; i++) {
        const binding *b = scope_find(l, &l->scope, stored.v[i]);
        if (!b || b->var == NO_VAR || !var_constant(l, b->var) ||
            (!l->job->rolls && !sym_set_has(&l->unrolled, stored.v[i])))
            continue;
        uint32_t copy = call1(l, NULL, l->names->b_copy, b->var);
        scope_set(l, stored.v[i], copy, NULL);
    }
}

/* A loop as an operand (IR_ARG_LOOP): the label of its head's block, with a low bit for `while`. */
static ir_arg arg_loop(const block *b)
{
    WEFT_ASSERT(b->kind != BLOCK_PLAIN);
    return ir_arg_make(IR_ARG_LOOP, b->label << 1 | (b->kind == BLOCK_WHILE));
}

/* A statement whose only operand is the loop. */
static void loop_stmt(lower *l, ir_list *list, ir_op op, const block *b, uint16_t depth)
{
    const ir_arg loop = arg_loop(b);
    push_entry(l, list, (ir_entry){ir_add_stmt(l->c, l->u, op, &loop, 1), depth, false, 0});
}

static void plain_stmt(lower *l, ir_list *list, ir_op op, const ir_arg *args, uint32_t n,
                       uint16_t depth)
{
    push_entry(l, list, (ir_entry){ir_add_stmt(l->c, l->u, op, args, n), depth, false, 0});
}

/* Appends the entries last first: from text order to the order of reverse lists, and back. */
static void reverse_into(lower *l, ir_list *to, const ir_list *from)
{
    for (uint32_t i = from->n; i-- > 0;)
        push_entry(l, to, from->v[i]);
}

/* Warp 1.19 end_for: the variables of a loop belong to the loop around it as well, which has to
 * zero their adjoints in each of its own passes. */
static void take_vars(lower *l, const block *from)
{
    for (uint32_t i = 0; i < from->vars.n; i++)
        VEC_PUSH(&l->c->ir, &innermost(l)->vars, from->vars.v[i]);
}

/* The operands of RANGE_TEST: leave the loop if `iter op bound`. */
static void range_test(lower *l, ir_arg args[4], const block *b, uint32_t iter, ast_op op,
                       int64_t bound)
{
    args[0] = arg_var(iter);
    args[1] = ir_arg_make(IR_ARG_COMPARE, op);
    args[2] = arg_number(l, bound);
    args[3] = arg_loop(b);
}

/* Emits the head and opens the body's block; returns the variable of this pass's value. `iter` is
 * an int32 counter for a constant range (r), else a range_t or another iterator. The counter is
 * stepped in the head, so that `continue` can jump to it. */
static uint32_t begin_for(lower *l, const node *at, uint32_t iter, const const_range *r)
{
    if (r)
        FORWARD(l, MOVE, arg_var(iter), arg_number(l, r->start));
    block *cond = begin_block(l, BLOCK_FOR);
    VEC_PUSH(&l->c->ir, &l->loops, cond);
    const ir_arg loop = arg_loop(cond);
    add_forward(l, IR_START, &loop, 1);
    l->depth++;
    uint32_t val;
    if (r) {
        ir_arg args[4];
        range_test(l, args, cond, iter, r->step > 0 ? OP_GtE : OP_LtE, r->stop);
        add_forward(l, IR_RANGE_TEST, args, 4);
        val = add_var(l, type_scalar(l->c, TYPE_INT32));
        FORWARD(l, MOVE, arg_var(val), arg_var(iter));
        FORWARD(l, RANGE_STEP, arg_var(iter), arg_number(l, r->step));
    } else {
        FORWARD(l, FOR_TEST, arg_var(iter), loop);
        val = call1(l, at, l->names->b_iter_next, iter);
    }
    begin_block(l, BLOCK_PLAIN);
    return val;
}

/* Zeroes the adjoints of the body's variables: each pass has its own. A tile that aliases another's
 * storage is left alone, since zeroing would destroy the adjoint of its owner, which may live
 * outside the loop. `tab`: the forms with a tab in the text, which Warp uses in `for` only. */
static void clear_adjoints(lower *l, ir_list *list, const block *body, bool tab, uint16_t depth)
{
    for (uint32_t i = 0; i < body->vars.n; i++) {
        ir_arg a = arg_adj(body->vars.v[i]);
        const type *t = var_type(l, body->vars.v[i]);
        if (t->kind != TYPE_TILE)
            plain_stmt(l, list, tab ? IR_TAB_CLEAR : IR_CLEAR, &a, 1, depth);
        else if (t->owner)
            plain_stmt(l, list, tab ? IR_TAB_TILE_CLEAR : IR_TILE_CLEAR, &a, 1, depth);
    }
}

/* The head of the backward loop over a constant range: from the last value down to the first.
 *
 *     range(20)   ->   MOVE %2, 19
 *                      START for_0
 *                      TAB_RANGE_TEST %2, <, 0, for_0
 *                      TAB_MOVE %3, %2
 *                      TAB_RANGE_STEP_BACK %2, 1 */
static void reverse_range(lower *l, ir_list *rev, const block *cond, uint32_t iter,
                          const const_range *r, uint32_t val)
{
    WEFT_ASSERT(r->step != 0 && r->count >= 0);
    uint16_t d = l->depth;
    ir_arg args[4] = {arg_var(iter), arg_number(l, r->start + (r->count - 1) * r->step)};
    plain_stmt(l, rev, IR_MOVE, args, 2, d);
    loop_stmt(l, rev, IR_START, cond, d);
    range_test(l, args, cond, iter, r->step > 0 ? OP_Lt : OP_Gt, r->start);
    plain_stmt(l, rev, IR_TAB_RANGE_TEST, args, 4, d);
    ir_arg move[] = {arg_var(val), arg_var(iter)};
    plain_stmt(l, rev, IR_TAB_MOVE, move, 2, d);
    ir_arg step[] = {arg_var(iter), arg_number(l, r->step)};
    plain_stmt(l, rev, IR_TAB_RANGE_STEP_BACK, step, 2, d);
}

/* A loop in the replay list. Warp unrolls loops of so few passes, and unrolled statements are
 * replayed; the rolled form has to compute the same values. Statements that must not run twice
 * (stores, atomics) are comments in the body's replay. */
static void replay_loop(lower *l, const block *cond, const block *body)
{
    ir_list *to = &innermost(l)->replay;
    append_list(l, to, &cond->forward);
    append_list(l, to, &body->replay);
    loop_stmt(l, to, IR_GOTO_START, cond, l->depth);
    loop_stmt(l, to, IR_STOP, cond, l->depth);
}

/* Closes both blocks and puts the loop into the lists of the block around it. `rev` is built in
 * text order and then appended last first, as reverse lists are stored. */
static void end_for(lower *l, uint32_t iter, const const_range *r, uint32_t val)
{
    WEFT_ASSERT(l->loops.n > 0 && l->blocks.n >= 3 && l->depth > 0);
    block *body = end_block(l);
    block *cond = end_block(l);
    l->loops.n--;
    block *out = innermost(l);
    const ir_arg loop = arg_loop(cond);
    append_list(l, &out->forward, &cond->forward);
    append_list(l, &out->forward, &body->forward);
    add_forward_no_replay(l, IR_GOTO_START, &loop, 1);
    l->depth--;
    add_forward_no_replay(l, IR_STOP, &loop, 1);
    if (l->job->rolls && r && r->count <= l->job->max_unroll)
        replay_loop(l, cond, body);

    ir_list rev = {0};
    if (r) {
        reverse_range(l, &rev, cond, iter, r, val);
    } else {
        ir_arg a = arg_var(iter);
        plain_stmt(l, &rev, IR_ITER_REVERSE, &a, 1, l->depth);
        append_list(l, &rev, &cond->forward);
    }
    clear_adjoints(l, &rev, body, true, l->depth);
    append_list(l, &rev, &body->replay);
    reverse_into(l, &rev, &body->reverse);
    loop_stmt(l, &rev, IR_TAB_GOTO_START, cond, l->depth);
    loop_stmt(l, &rev, IR_STOP, cond, l->depth);
    reverse_into(l, &out->reverse, &rev);
    if (warp_has(l->c->warp, WARP_LOOP_VARS_OUTWARD)) {
        take_vars(l, cond);
        take_vars(l, body);
    }
}

/* range(...) by that name, as in Warp: a local that stands for it is not looked through. */
static bool is_range_call(const lower *l, const node *iter)
{
    if (iter->kind != AST_Call || AST(Call, iter)->func->kind != AST_Name)
        return false;
    const ast_Call *c = AST(Call, iter);
    return AST(Name, c->func)->id == l->names->s_range && c->args.n >= 1 && c->args.n <= 3;
}

/* Warp 1.19 eval_num: an argument of range() as a number known now (true), or as a variable. The
 * forms in order: an integer literal or a negated one, an attribute of type(x), wp.static(...), a
 * dotted path to a constant of the module, and last any expression, which is lowered. A constant
 * that is no integer, or too large for the count to be computed in 64 bits, becomes a variable, so
 * that the range is dynamic. */
static bool range_number(lower *l, const node *n, int64_t *number, uint32_t *var)
{
    value v;
    const sym *missing;
    *var = NO_VAR;
    const const_kind literal = n->kind == AST_Constant ? AST(Constant, n)->value.kind : CONST_NONE;
    if (literal == CONST_INT) {
        v = value_int(AST(Constant, n)->value.i);
    } else if (literal == CONST_TRUE || literal == CONST_FALSE) {
        v = value_bool(literal == CONST_TRUE);
    } else if (n->kind == AST_UnaryOp && AST(UnaryOp, n)->op == OP_USub &&
               AST(UnaryOp, n)->operand->kind == AST_Constant &&
               AST(Constant, AST(UnaryOp, n)->operand)->value.kind == CONST_INT) {
        v = value_int(-AST(Constant, AST(UnaryOp, n)->operand)->value.i);
    } else if (type_of_call(l, n, &v)) {
        /* v is set */
    } else if (is_static_call(l, n)) {
        v = eval_static(l, AST(Call, n));
    } else if (!static_path(l, n, &v, &missing) || v.kind == VALUE_UNKNOWN ||
               v.kind == VALUE_NONE) {
        operand o = lower_expr(l, n);
        if (o.kind == OPERAND_VALUE && value_is_number(o.value)) {
            v = *o.value; /* v.length of a vector */
        } else {
            *var = operand_variable(l, n, o);
            if (!var_constant(l, *var))
                return false;
            v = *var_constant(l, *var);
        }
    } else if (v.kind == VALUE_ENUM) {
        lower_error(l, n, NO_OVERLOAD, "'range'", "a member of an enum",
                    "convert it with int(...)");
    }
    bool integer = v.kind == VALUE_INT || v.kind == VALUE_BOOL || v.kind == VALUE_ENUM ||
                   (v.kind == VALUE_SCALAR && type_is_integer(v.type));
    if (!integer || v.i > INT64_MAX / 4 || v.i < INT64_MIN / 4) {
        if (*var == NO_VAR && !value_is_number(&v) && v.kind != VALUE_COMPOSITE)
            lower_error(l, n, NOT_A_VALUE);
        if (*var == NO_VAR)
            *var = add_constant(l, v);
        return false;
    }
    *number = (int64_t)v.i;
    return true;
}

/* len(range(start, stop, step)). The bounds are within a quarter of int64 (range_number). */
static int64_t range_count(int64_t start, int64_t stop, int64_t step)
{
    WEFT_ASSERT(step != 0);
    if (step > 0)
        return stop > start ? (stop - start - 1) / step + 1 : 0;
    return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

/* The number of passes that is compared with max_unroll. Up to Warp 1.18 it was the span divided by
 * the step, rounded down and without regard to the direction: range(5, 0) counted as 5. */
static int64_t unroll_count(warp_release warp, const const_range *r)
{
    if (warp_has(warp, WARP_EXACT_RANGE_COUNT))
        return r->count;
    const int64_t length = r->stop > r->start ? r->stop - r->start : r->start - r->stop;
    return length / (r->step > 0 ? r->step : -r->step);
}

typedef enum range_form {
    RANGE_UNROLLED,
    RANGE_ROLLED_CONSTANT, /* more passes than max_unroll: a loop over an int32 counter */
    RANGE_DYNAMIC,         /* a loop over wp::range(...): a bound is a variable, or a break */
    RANGE_NONE             /* no call of range(): an iterator such as a query's result */
} range_form;

/* Emits the call of wp::range into *iter. If a bound is the variable of a loop that Warp would
 * unroll, Warp's bound is a constant in each pass, and the loop may be unrolled and replayed there;
 * the rolled form has no such replay (unlike_backward). */
static range_form dynamic_range(lower *l, const ast_Call *call, const int64_t *num,
                                const bool *known, const uint32_t *vars, uint32_t *iter)
{
    WEFT_ASSERT(call->args.n >= 1 && call->args.n <= 3);
    uint32_t args[3];
    for (uint32_t i = 0; i < call->args.n; i++)
        for (uint32_t k = 0; !known[i] && k < l->rolled.n; k++)
            l->u->unlike_backward |= l->rolled.v[k] == vars[i];
    for (uint32_t i = 0; i < call->args.n; i++)
        args[i] = known[i] ? add_constant(l, value_int(num[i])) : vars[i];
    *iter = call_range_of(l, &call->base, args, call->args.n);
    return RANGE_DYNAMIC;
}

static bool contains_static_call(lower *l, const node *n);

static bool list_contains_static(lower *l, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (contains_static_call(l, list->v[i]))
            return true;
    return false;
}

/* Is there a wp.static(...) call below n that could not be evaluated where the function was
 * defined? It may use the loop's variable, so that only an unrolled loop can evaluate it. Looks
 * through the statements and expressions that kernels may contain. */
static bool contains_static_call(lower *l, const node *n)
{
    if (!n)
        return false;
    switch (n->kind) {
    case AST_Call: {
        const ast_Call *c = AST(Call, n);
        if (is_static_call(l, n))
            return !code_static(l->code, n);
        for (uint32_t i = 0; i < c->keywords.n; i++)
            if (contains_static_call(l, AST(keyword, c->keywords.v[i])->value))
                return true;
        return list_contains_static(l, &c->args);
    }
    case AST_Expr: return contains_static_call(l, AST(Expr, n)->value);
    case AST_Assign:
        return contains_static_call(l, AST(Assign, n)->value) ||
               list_contains_static(l, &AST(Assign, n)->targets);
    case AST_AugAssign:
        return contains_static_call(l, AST(AugAssign, n)->value) ||
               contains_static_call(l, AST(AugAssign, n)->target);
    case AST_Return: return contains_static_call(l, AST(Return, n)->value);
    case AST_If:
        return contains_static_call(l, AST(If, n)->test) ||
               list_contains_static(l, &AST(If, n)->body) ||
               list_contains_static(l, &AST(If, n)->orelse);
    case AST_For:
        return contains_static_call(l, AST(For, n)->iter) ||
               list_contains_static(l, &AST(For, n)->body);
    case AST_While:
        return contains_static_call(l, AST(While, n)->test) ||
               list_contains_static(l, &AST(While, n)->body);
    case AST_FunctionDef: return list_contains_static(l, &AST(FunctionDef, n)->body);
    case AST_BinOp:
        return contains_static_call(l, AST(BinOp, n)->left) ||
               contains_static_call(l, AST(BinOp, n)->right);
    case AST_UnaryOp: return contains_static_call(l, AST(UnaryOp, n)->operand);
    case AST_BoolOp: return list_contains_static(l, &AST(BoolOp, n)->values);
    case AST_Compare:
        return contains_static_call(l, AST(Compare, n)->left) ||
               list_contains_static(l, &AST(Compare, n)->comparators);
    case AST_IfExp:
        return contains_static_call(l, AST(IfExp, n)->test) ||
               contains_static_call(l, AST(IfExp, n)->body) ||
               contains_static_call(l, AST(IfExp, n)->orelse);
    case AST_Attribute: return contains_static_call(l, AST(Attribute, n)->value);
    case AST_Subscript:
        return contains_static_call(l, AST(Subscript, n)->value) ||
               contains_static_call(l, AST(Subscript, n)->slice);
    case AST_Tuple: return list_contains_static(l, &AST(Tuple, n)->elts);
    default: return false;
    }
}

/* Warp 1.19 get_unroll_range. A constant range with wp.static inside is unrolled whatever its
 * length; else one of at most max_unroll passes without `break`. A rolled constant range with
 * neither break nor continue counts an int32; the rest are dynamic. All arguments are lowered
 * before anything is decided, so that none is lowered twice. */
static range_form classify_range(lower *l, const ast_For *n, const_range *r, uint32_t *iter)
{
    if (!is_range_call(l, n->iter))
        return RANGE_NONE;
    const ast_Call *call = AST(Call, n->iter);
    int64_t num[3] = {0};
    bool known[3], all = true;
    uint32_t vars[3];
    for (uint32_t i = 0; i < call->args.n; i++) {
        known[i] = range_number(l, call->args.v[i], &num[i], &vars[i]);
        all &= known[i];
    }
    if (!all)
        return dynamic_range(l, call, num, known, vars, iter);
    uint32_t k = call->args.n;
    *r = (const_range){k == 1 ? 0 : num[0], k == 1 ? num[0] : num[1], k == 3 ? num[2] : 1, 0};
    if (r->step == 0)
        lower_error(l, n->iter, RANGE_ZERO_STEP);
    r->count = range_count(r->start, r->stop, r->step);
    if (contains_static_call(l, &n->base))
        return RANGE_UNROLLED;
    const warp_release warp = l->c->warp;
    if (unroll_count(warp, r) > l->job->out->options.max_unroll)
        l->u->has_rolled_constant_loop = true;
    else if (!has_transfer(&n->body, warp_has(warp, WARP_UNROLLED_CONTINUE) ? 1 : 3))
        return RANGE_UNROLLED;
    if (warp_has(warp, WARP_CONSTANT_RANGE_LOOP) && !has_transfer(&n->body, 3))
        return RANGE_ROLLED_CONSTANT;
    return dynamic_range(l, call, num, known, vars, iter);
}

/* `for i, j in ...` has no form in Warp. */
static const sym *loop_target(lower *l, const ast_For *n)
{
    if (n->target->kind != AST_Name)
        lower_error(l, n->target, LOOP_TARGET);
    return AST(Name, n->target)->id;
}

/* An error if the unrolled loop is too long: wp.static in a body unrolls a loop of any length, and
 * nested loops multiply. At the bound, a kernel's text has some 10 MB, which no C++ compiler takes.
 * Called before the first pass and after each. Loops around the one with the error stop without
 * another. */
static void check_unrolling(lower *l, const ast_For *n, const const_range *r)
{
    enum { PASSES_MAX = 100000, STMTS_MAX = 1 << 17 }; /* of one loop; of the whole function */
    const bool full = l->u->stmts.n > STMTS_MAX;
    if (full && l->too_large) /* reported at the loop where it happened */
        lower_fail(l);
    l->too_large = full;
    if (full || r->count > PASSES_MAX)
        lower_error(l, n->iter, UNROLL_TOO_LONG, (long long)r->count);
}

/* Lowers the body once per pass with the target bound to a constant. With a `continue` in it, the
 * body is a rewritten copy in which a flag, true at the start of each pass, guards the rest. */
static void unroll(lower *l, const ast_For *n, const const_range *r)
{
    const sym *target = loop_target(l, n);
    l->u->has_unrolled_loop |= r->count > 0;
    check_unrolling(l, n, r);
    if (r->count || !warp_has(l->c->warp, WARP_EMPTY_RANGE_UNBOUND))
        sym_set_add(l, &l->unrolled, target);
    const node_list *body = &n->body;
    const sym *active = NULL;
    node_list guarded;
    if (r->count && has_transfer(body, 2) && warp_has(l->c->warp, WARP_UNROLLED_CONTINUE)) {
        active = continue_flag(l);
        guarded = guard_continues(l, body, active);
        body = &guarded;
    }
    const bool failed = l->failed;
    l->failed = false; /* an error in one pass would come again in the next */
    for (int64_t i = 0; i < r->count && !l->failed; i++) {
        scope_set(l, target, add_constant(l, value_int(r->start + i * r->step)), NULL);
        if (active)
            scope_set(l, active, add_constant(l, value_bool(true)), NULL);
        lower_body(l, body);
        check_unrolling(l, n, r);
    }
    l->failed |= failed;
    if (active)
        scope_remove(l, active);
}

/* A query's result or a range in a variable: what wp::iter_next takes. */
static uint32_t lower_iterator(lower *l, const node *n)
{
    check_iterable(l, n);
    const uint32_t iter = lower_value(l, n);
    check_iterator(l, n, var_value_type(l, iter));
    return iter;
}

/* The order of variables is Warp's: the iterator, promoted constants, the value of the pass, the
 * body. l->rolled keeps the values of loops that Warp would unroll, for dynamic_range. */
void lower_for(lower *l, const ast_For *n)
{
    const_range r = {0};
    uint32_t iter = NO_VAR;
    range_form form = classify_range(l, n, &r, &iter);
    if (form == RANGE_UNROLLED) {
        unroll(l, n, &r);
        return;
    }
    if (form == RANGE_ROLLED_CONSTANT)
        iter = add_var(l, type_scalar(l->c, TYPE_INT32));
    else if (form == RANGE_NONE)
        iter = lower_iterator(l, n->iter);
    promote_iterators(l, &n->body);
    const const_range *rolled = form == RANGE_ROLLED_CONSTANT ? &r : NULL;
    uint32_t val = begin_for(l, n->iter, iter, rolled);
    if (rolled && r.count <= l->job->max_unroll)
        VEC_PUSH(&l->c->ir, &l->rolled, val);
    scope_set(l, loop_target(l, n), val, NULL);
    enter_loop(l);
    lower_body(l, &n->body);
    materialize(l, &n->base);
    leave_loop(l);
    end_for(l, iter, rolled, val);
}

/* As end_for, with two differences of Warp's: the reverse loop runs its passes in forward order
 * with the test repeated, and its variables are not handed to the loop around it. Its jumps and
 * labels have no indentation. */
static void end_while(lower *l)
{
    WEFT_ASSERT(l->loops.n > 0 && l->blocks.n >= 3 && l->depth > 0);
    l->depth--;
    block *body = end_block(l);
    block *cond = end_block(l);
    l->loops.n--;
    block *out = innermost(l);
    append_list(l, &out->forward, &cond->forward);
    append_list(l, &out->forward, &body->forward);
    loop_stmt(l, &out->forward, IR_GOTO_START, cond, 0);
    loop_stmt(l, &out->forward, IR_STOP, cond, 0);
    ir_list rev = {0};
    append_list(l, &rev, &cond->forward);
    clear_adjoints(l, &rev, body, false, 0);
    append_list(l, &rev, &body->replay);
    reverse_into(l, &rev, &body->reverse);
    loop_stmt(l, &rev, IR_GOTO_START, cond, 0);
    loop_stmt(l, &rev, IR_STOP, cond, 0);
    reverse_into(l, &out->reverse, &rev);
}

/* The test's statements stand in the head's block: they run in each pass, forward and backward.
 *
 *     while s < 3.0:      ->   START while_0
 *         s = s + 1.0          COMPARE %3, %1, <, %2
 *                              WHILE_TEST %3, while_0
 *                                CALL %5, @wp::add, %1, %4
 *                                CALL_VOID @wp::assign, %1, %5
 *                              GOTO_START while_0
 *                              STOP while_0 */
void lower_while(lower *l, const ast_While *n)
{
    promote_iterators(l, &n->body);
    block *cond = begin_block(l, BLOCK_WHILE);
    VEC_PUSH(&l->c->ir, &l->loops, cond);
    loop_stmt(l, &cond->forward, IR_START, cond, 0);
    uint32_t c = load(l, lower_value(l, n->test));
    const ir_arg args[] = {arg_var(c), arg_loop(cond)};
    plain_stmt(l, &cond->forward, IR_WHILE_TEST, args, 2, 0);
    begin_block(l, BLOCK_PLAIN);
    l->depth++;
    enter_loop(l);
    lower_body(l, &n->body);
    materialize(l, &n->base);
    leave_loop(l);
    end_while(l);
}

/* A jump to the end or to the head of the innermost loop. Rebound names are written back before it,
 * as at the end of the body, since the code there expects the entry's variables. An unrolled loop
 * is none: Warp's text jumps out of the loop around it, and without one Warp fails (IndexError). */
static void leave(lower *l, const node *n, ir_op op)
{
    if (!l->loops.n)
        lower_error(l, n, UNROLLED_JUMP, op == IR_GOTO_STOP ? "break" : "continue");
    materialize(l, n);
    const ir_arg loop = arg_loop(l->loops.v[l->loops.n - 1]);
    add_forward(l, op, &loop, 1);
}

void lower_break(lower *l, const node *n)
{
    leave(l, n, IR_GOTO_STOP);
}

void lower_continue(lower *l, const node *n)
{
    leave(l, n, IR_GOTO_START);
}
