/* SPDX-License-Identifier: Apache-2.0 */
/* Preparation: from the syntax tree of a kernel or function to the interpreter's own tree.
 *
 *     if N > 2: a = 1.0        N = 3 in the module: the statement becomes its body
 *     else:     a = x[i]
 *
 * Nothing fails here. What cannot be executed becomes a node that says so when it is reached, so a
 * kernel runs as far as its inputs lead it.
 *
 * A slot remembers the constant that its name stands for (known), because constants decide what is
 * executed: which branch an `if` has, whether a loop is unrolled, what wp.static sees. Whatever
 * assigns to the name clears it: in a loop before the body, since the body runs again. */
#include "interp/interp_internal.h"

/* Functions have few names, so the list is searched. */
islot *prepare_find(const prepare *p, const sym *name)
{
    for (uint32_t i = 0; i < p->names.n; i++)
        if (p->names.v[i] == name)
            return p->slots.v[i];
    return NULL;
}

/* Keeps the two lists parallel. */
static void add_slot(prepare *p, const sym *name, islot *s)
{
    VEC_PUSH(p->in->a, &p->names, name);
    VEC_PUSH(p->in->a, &p->slots, s);
}

/* The slot of a name, made when new. */
static islot *slot_for(prepare *p, const sym *name)
{
    islot *s = prepare_find(p, name);
    if (!s) {
        s = ARENA_NEW(p->in->a, islot);
        add_slot(p, name, s);
    }
    return s;
}

static void clear_known(prepare *p, const node_list *body);

/* The name, or each name of a tuple, stands for no constant any more. */
static void clear_target(prepare *p, const node *n)
{
    if (n->kind == AST_Name) {
        islot *s = prepare_find(p, AST(Name, n)->id);
        if (s)
            s->known = NULL;
    }
    for (uint32_t i = 0; n->kind == AST_Tuple && i < AST(Tuple, n)->elts.n; i++)
        clear_target(p, AST(Tuple, n)->elts.v[i]);
}

/* The names that a statement may bind stand for no constant any more.
 *
 *     n = 4               n is known
 *     if c: n = 5         n is not any more */
static void clear_statement(prepare *p, const node *n)
{
    switch (n->kind) {
    case AST_Assign:
        for (uint32_t i = 0; i < AST(Assign, n)->targets.n; i++)
            clear_target(p, AST(Assign, n)->targets.v[i]);
        return;
    case AST_AnnAssign: clear_target(p, AST(AnnAssign, n)->target); return;
    case AST_AugAssign: clear_target(p, AST(AugAssign, n)->target); return;
    case AST_For:
        clear_target(p, AST(For, n)->target);
        clear_known(p, &AST(For, n)->body);
        return;
    case AST_While: clear_known(p, &AST(While, n)->body); return;
    case AST_If:
        clear_known(p, &AST(If, n)->body);
        clear_known(p, &AST(If, n)->orelse);
        return;
    case AST_FunctionDef: clear_known(p, &AST(FunctionDef, n)->body); return;
    default: return;
    }
}

/* Names that the statements assign to stand for no constant after (or before another round of)
 * them. */
static void clear_known(prepare *p, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        clear_statement(p, body->v[i]);
}

static iblock prepare_block(prepare *p, const node_list *body);

/* All members but these two are zero. */
static istmt *new_stmt(prepare *p, const node *at, istmt_fn *exec)
{
    istmt *s = ARENA_NEW(p->in->a, istmt);
    s->exec = exec;
    s->at = at;
    return s;
}

/* A statement that ends the run with "cannot execute " and the text. */
static istmt *refuse_stmt(prepare *p, const node *at, const char *text)
{
    istmt *s = new_stmt(p, at, interp_exec_value);
    s->value = prepare_refuse(p, at, "%s", text);
    return s;
}

/* The statement assigns to the slot; where names may share storage, by binding. */
static void bind_to(prepare *p, istmt *s, islot *slot)
{
    s->slot = slot;
    if (!p->shares)
        return;
    s->exec = interp_exec_bind;
    s->own = ARENA_NEW(p->in->a, islot);
}

/* n slots in a row, and one more, so that there is always an address. */
static islot *new_slots(prepare *p, uint32_t n)
{
    return arena_zero(p->in->a, mem_mul(p->in->a->m, n + 1u, sizeof(islot)));
}

/* Sets s->slots to those of the names so far that the statements assign to, in functions that share
 * names. It marks every name, lets clear_known clear what is assigned, and looks which marks are
 * gone; so both agree on what an assignment is. */
static void find_bound(prepare *p, istmt *s, const node_list *body, const node_list *orelse)
{
    const uint32_t count = p->slots.n;
    if (!p->shares)
        return;
    WEFT_ASSERT(!s->slots && !s->nslots);
    const value **before = ARENA_ARRAY(p->in->a, const value *, count + 1);
    const value mark = {.kind = VALUE_NONE};
    s->slots = ARENA_ARRAY(p->in->a, islot *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        before[i] = p->slots.v[i]->known;
        p->slots.v[i]->known = &mark;
    }
    clear_known(p, body);
    clear_known(p, orelse);
    for (uint32_t i = 0; i < count; i++) {
        islot *slot = p->slots.v[i];
        if (!slot->known && !slot->is_ref && s->nslots < INTERP_ARGS)
            s->slots[s->nslots++] = slot;
        slot->known = before[i];
    }
    s->own = new_slots(p, s->nslots);
    s->entry = new_slots(p, s->nslots);
}

/* name = rhs. A wp.ref parameter is a place and is stored to. */
static istmt *assign_name(prepare *p, const node *at, const node *target, const node *rhs)
{
    istmt *s = new_stmt(p, at, interp_exec_assign);
    s->value = prepare_expr(p, rhs);
    islot *slot = slot_for(p, AST(Name, target)->id);
    if (slot->is_ref) {
        s->exec = interp_exec_store;
        s->target = prepare_expr(p, target);
        return s;
    }
    /* A name given to a name is a copy, no constant: Warp 1.19 emit_Assign. */
    slot->known = rhs->kind == AST_Name ? NULL : s->value->known;
    if (rhs->kind == AST_Name) {
        inode *copied = prepare_node(p, at, interp_eval_copied, 1);
        copied->kid[0] = s->value;
        s->value = copied;
    }
    bind_to(p, s, slot);
    return s;
}

/* a, b = rhs. A call needs the number of targets, which chooses among overloads (wp.tid() gives as
 * many indices). In a function that shares names the targets are bound: one by one for a display,
 * from a copy for a call. */
static istmt *unpack(prepare *p, const node *at, const node_list *targets, const node *rhs)
{
    istmt *s = new_stmt(p, at, interp_exec_unpack);
    bool shared = targets->n <= INTERP_ARGS;
    s->value =
        rhs->kind == AST_Call ? prepare_call(p, AST(Call, rhs), targets->n) : prepare_expr(p, rhs);
    if (rhs->kind != AST_Call)
        s->slot = ARENA_NEW(p->in->a, islot);
    s->slots = ARENA_ARRAY(p->in->a, islot *, targets->n + 1);
    s->nslots = targets->n;
    for (uint32_t i = 0; i < targets->n; i++) {
        if (targets->v[i]->kind != AST_Name)
            return refuse_stmt(p, at, "an assignment to this");
        s->slots[i] = slot_for(p, AST(Name, targets->v[i])->id);
        s->slots[i]->known = NULL;
        shared = shared && !s->slots[i]->is_ref;
    }
    if (!p->shares || !shared)
        return s;
    s->exec = interp_exec_bind_items;
    s->own = new_slots(p, targets->n);
    if (rhs->kind == AST_Tuple && AST(Tuple, rhs)->elts.n == targets->n && !p->unrolled)
        s->slot = NULL;
    else if (!s->slot)
        s->slot = ARENA_NEW(p->in->a, islot);
    return s;
}

/* A name is bound, a tuple unpacked; everything else is stored to.
 *
 *     x = e        a, b = e        a[i] = e and v.x = e */
static istmt *assign(prepare *p, const node *at, const node *target, const node *rhs)
{
    if (target->kind == AST_Name)
        return assign_name(p, at, target, rhs);
    if (target->kind == AST_Tuple)
        return unpack(p, at, &AST(Tuple, target)->elts, rhs);
    istmt *s = new_stmt(p, at, interp_exec_store);
    s->value = prepare_expr(p, rhs);
    s->target = prepare_expr(p, target);
    return s;
}

/* x += y: on a name an assignment; on a place an operator whose first operand is held, so that the
 * place is evaluated once. */
static istmt *augmented(prepare *p, const ast_AugAssign *n)
{
    const node *at = &n->base;
    inode *held = prepare_node(p, at, interp_eval_held, 0);
    const bool name = n->target->kind == AST_Name;
    inode *target = prepare_expr(p, n->target), *rhs = prepare_expr(p, n->value);
    islot *slot = name ? prepare_find(p, AST(Name, n->target)->id) : NULL;
    if (name && !(slot && slot->is_ref)) {
        istmt *s = new_stmt(p, at, interp_exec_assign);
        s->value = prepare_operator(p, at, n->op, target, rhs);
        bind_to(p, s, slot_for(p, AST(Name, n->target)->id));
        s->slot->known = NULL;
        if (s->exec == interp_exec_assign && p->in->tiles)
            s->exec = interp_exec_update;
        return s;
    }
    istmt *s = new_stmt(p, at, interp_exec_augmented);
    s->target = target;
    s->value = prepare_operator(p, at, n->op, held, rhs);
    return s;
}

/* Of numbers, the only constants that conditions may be here. */
static bool known_truth(const value *v)
{
    switch (v->kind) {
    case VALUE_FLOAT: return v->f != 0;
    case VALUE_SCALAR: return value_has_f(v) ? v->f != 0 : v->i != 0;
    default: return v->i != 0;
    }
}

/* Whether the statements contain a break, or on request a continue, of the loop around them. Nested
 * loops have their own. */
static bool leaves(const node_list *body, bool or_continues)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const node *n = body->v[i];
        if (n->kind == AST_Break || (or_continues && n->kind == AST_Continue))
            return true;
        if (n->kind == AST_If &&
            (leaves(&AST(If, n)->body, or_continues) || leaves(&AST(If, n)->orelse, or_continues)))
            return true;
    }
    return false;
}

/* Before a loop is left or begun anew, all that it binds is written back: the names of a branch
 * that does so are other variables than those of the other. */
static void merge_loop(prepare *p, istmt *s)
{
    for (uint32_t i = 0; p->loop && i < p->loop->nslots; i++) {
        bool known = s->nslots == INTERP_ARGS;
        for (uint32_t j = 0; j < s->nslots; j++)
            known = known || s->slots[j] == p->loop->slots[i];
        if (!known)
            s->slots[s->nslots++] = p->loop->slots[i];
    }
    s->own = new_slots(p, s->nslots);
}

/* An `if`; of one with a constant condition only the branch that is taken. Constants from before it
 * hold in both branches, and after it where neither assigns. */
static istmt *branch(prepare *p, const ast_If *n)
{
    istmt *s = new_stmt(p, &n->base, interp_exec_if);
    s->value = prepare_expr(p, n->test);
    const value *k = s->value->known;
    if (k && value_is_number(k)) {
        s->value = NULL;
        s->body = prepare_block(p, known_truth(k) ? &n->body : &n->orelse);
        return s;
    }
    const uint32_t count = p->slots.n;
    const value **before = ARENA_ARRAY(p->in->a, const value *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        before[i] = p->slots.v[i]->known;
    s->body = prepare_block(p, &n->body);
    for (uint32_t i = 0; i < count; i++)
        p->slots.v[i]->known = before[i];
    s->orelse = prepare_block(p, &n->orelse);
    clear_statement(p, &n->base);
    find_bound(p, s, &n->body, &n->orelse);
    if (p->shares) {
        s->exec = interp_exec_merge;
        if (leaves(&n->body, true) || leaves(&n->orelse, true))
            merge_loop(p, s);
    }
    return s;
}

/* Whether Warp unrolls the loop: its bounds are constants, there are at most max_unroll rounds (the
 * kernel's option, else the module's), and no break. Sets s->constant if the bounds are constants.
 */
static bool is_unrolled(prepare *p, istmt *s, const node_list *body)
{
    int64_t b[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        const value *k = s->bound[i] ? s->bound[i]->known : NULL;
        if (s->bound[i] && (!k || value_has_f(k)))
            return false;
        if (k)
            b[i] = (int64_t)k->i;
    }
    s->constant = true;
    const int own = p->code->options.max_unroll;
    const int64_t most = own >= 0 ? own : module_options(p->code->mod).max_unroll;
    const int64_t length = b[2] > 0 ? b[1] - b[0] : b[0] - b[1];
    const int64_t step = b[2] > 0 ? b[2] : -b[2];
    return step && (length <= 0 || (length - 1) / step + 1 <= most) && !leaves(body, false);
}

/* The body, with p->loop as the loop that its break and continue belong to. */
static iblock loop_body(prepare *p, const istmt *loop, const node_list *body)
{
    const istmt *outer = p->loop;
    p->loop = loop;
    const iblock b = prepare_block(p, body);
    p->loop = outer;
    return b;
}

/* An operation of src/arith on the loop's query, by its name there. */
static inode *query_operation(prepare *p, const node *at, const char *name, inode *query)
{
    inode *n = prepare_node(p, at, interp_eval_named, 1);
    n->kid[0] = query;
    n->aux = name;
    return n;
}

/* for name in query. The loop steps a variable's own query, so that a second loop over it goes on
 * where the first one stopped, as in Warp; the result of a call gets a slot of its own. */
static istmt *query_loop(prepare *p, const ast_For *n)
{
    istmt *s = new_stmt(p, n->iter, interp_exec_query);
    s->value = s->target = prepare_expr(p, n->iter);
    if (s->value->kind != NODE_SLOT) {
        s->target = prepare_node(p, n->iter, interp_eval_slot, 0);
        s->target->kind = NODE_SLOT;
        s->target->slot = ARENA_NEW(p->in->a, islot);
    }
    s->more = query_operation(p, n->iter, "iter_cmp", s->target);
    s->item = query_operation(p, n->iter, "iter_next", s->target);
    s->slot = slot_for(p, AST(Name, n->target)->id);
    if (s->slot->is_ref)
        return refuse_stmt(p, n->iter, "a loop over a wp.ref");
    find_bound(p, s, &n->body, &n->orelse);
    clear_statement(p, &n->base);
    s->body = loop_body(p, s, &n->body);
    clear_statement(p, &n->base);
    return s;
}

/* The call that a name makes; NULL: it is none. */
static const ast_Call *call_of(const node *n, const char *name)
{
    const ast_Call *call = n->kind == AST_Call ? AST(Call, n) : NULL;
    return call && call->func->kind == AST_Name && !strcmp(AST(Name, call->func)->id->s, name)
               ? call
               : NULL;
}

/* for name in range(...), or in reversed(range(...)), which Warp does not unroll. Names that the
 * body assigns to lose their constants before it, since it
 * runs again, and after it. */
static istmt *range_loop(prepare *p, const ast_For *n)
{
    const bool name =
        n->iter->kind == AST_Name ||
        (n->iter->kind == AST_Call && AST(Call, n->iter)->func->kind == AST_Attribute);
    if (name && n->target->kind == AST_Name)
        return query_loop(p, n);
    const ast_Call *back = call_of(n->iter, "reversed");
    const ast_Call *call = call_of(back && back->args.n == 1 ? back->args.v[0] : n->iter, "range");
    if (!call || !call->args.n || call->args.n > 3 || n->target->kind != AST_Name)
        return refuse_stmt(p, n->iter, "a loop over anything but range()");
    istmt *s = new_stmt(p, n->iter, interp_exec_for);
    s->reversed = back != NULL;
    for (uint32_t i = 0; i < call->args.n; i++)
        s->bound[call->args.n == 1 ? 1 : i] = prepare_expr(p, call->args.v[i]);
    s->slot = slot_for(p, AST(Name, n->target)->id);
    WEFT_ASSERT(s->bound[1]);
    if (s->slot->is_ref)
        return refuse_stmt(p, n->iter, "a loop over a wp.ref");
    const bool unrolled = !back && is_unrolled(p, s, &n->body);
    s->slot->unrolled = true;
    if (!unrolled)
        find_bound(p, s, &n->body, &n->orelse);
    clear_statement(p, &n->base);
    p->unrolled += unrolled;
    s->body = loop_body(p, unrolled ? p->loop : s, &n->body);
    p->unrolled -= unrolled;
    clear_statement(p, &n->base);
    return s;
}

/* What the body binds is unknown in the test, too: it runs after each round. */
static istmt *while_loop(prepare *p, const ast_While *n)
{
    istmt *s = new_stmt(p, &n->base, interp_exec_while);
    find_bound(p, s, &n->body, &n->orelse);
    clear_known(p, &n->body);
    s->value = prepare_expr(p, n->test);
    s->body = loop_body(p, s, &n->body);
    clear_known(p, &n->body);
    return s;
}

/* A `def` in a kernel: as in Warp 1.19 emit_FunctionDef, its body is executed where it stands. */
static istmt *nested_def(prepare *p, const ast_FunctionDef *n)
{
    istmt *s = new_stmt(p, &n->base, interp_exec_if);
    s->body = prepare_block(p, &n->body);
    return s;
}

/* A statement with one expression, or none: return, assert, a call. */
static istmt *with_value(prepare *p, const node *at, istmt_fn *exec, const node *rhs)
{
    istmt *s = new_stmt(p, at, exec);
    s->value = rhs ? prepare_expr(p, rhs) : NULL;
    return s;
}

/* Statements that kernels cannot have are refused when they are reached: they may stand where
 * nothing runs. */
static istmt *prepare_statement(prepare *p, const node *n)
{
    switch (n->kind) {
    case AST_Assign:
        if (AST(Assign, n)->targets.n == 1)
            return assign(p, n, AST(Assign, n)->targets.v[0], AST(Assign, n)->value);
        return refuse_stmt(p, n, "an assignment with several targets");
    case AST_AnnAssign:
        if (!AST(AnnAssign, n)->value)
            return new_stmt(p, n, interp_exec_pass);
        return assign(p, n, AST(AnnAssign, n)->target, AST(AnnAssign, n)->value);
    case AST_AugAssign: return augmented(p, AST(AugAssign, n));
    case AST_If: return branch(p, AST(If, n));
    case AST_For: return range_loop(p, AST(For, n));
    case AST_While: return while_loop(p, AST(While, n));
    case AST_FunctionDef: return nested_def(p, AST(FunctionDef, n));
    case AST_Return: return with_value(p, n, interp_exec_return, AST(Return, n)->value);
    case AST_Break: return new_stmt(p, n, interp_exec_break);
    case AST_Continue: return new_stmt(p, n, interp_exec_continue);
    case AST_Pass: return new_stmt(p, n, interp_exec_pass);
    case AST_Assert: return with_value(p, n, interp_exec_assert, AST(Assert, n)->test);
    case AST_Expr:
        if (AST(Expr, n)->value->kind == AST_Constant)
            return new_stmt(p, n, interp_exec_pass);
        return with_value(p, n, interp_exec_value, AST(Expr, n)->value);
    default: {
        istmt *s = new_stmt(p, n, interp_exec_value);
        s->value =
            prepare_refuse(p, n, "a statement of class %s", node_kind_name((node_kind)n->kind));
        return s;
    }
    }
}

static iblock prepare_block(prepare *p, const node_list *body)
{
    iblock b = {ARENA_ARRAY(p->in->a, istmt *, body->n + 1), 0};
    if (p->nesting > INTERP_NESTING) {
        if (body->n)
            b.v[b.n++] = refuse_stmt(p, body->v[0], "statements that are nested so deeply");
        return b;
    }
    if (++p->nesting > p->deepest)
        p->deepest = p->nesting;
    for (uint32_t i = 0; i < body->n; i++)
        b.v[b.n++] = prepare_statement(p, body->v[i]);
    WEFT_ASSERT(p->nesting > 0);
    p->nesting--;
    return b;
}

/* Prepares a kernel, or a function for one set of argument types. */
unit *interp_prepare(interp *in, const code *k)
{
    unit *u = ARENA_NEW(in->a, unit);
    prepare p = {.in = in, .u = u, .code = k, .shares = interp_shares(&k->def->body)};
    u->code = k;
    u->params = arena_zero(in->a, mem_mul(in->a->m, k->nparams + 1u, sizeof *u->params));
    for (uint32_t i = 0; i < k->nparams; i++) {
        u->params[i].is_ref = k->params[i].is_ref;
        add_slot(&p, k->params[i].name, &u->params[i]);
    }
    u->body = prepare_block(&p, &k->def->body);
    WEFT_ASSERT(!p.nesting && !p.unrolled && !p.loop && p.names.n == p.slots.n);
    u->deepest = p.deepest;
    u->locals = p.slots.v;
    u->nlocals = p.slots.n;
    return u;
}
