/* SPDX-License-Identifier: Apache-2.0 */
/* Activity analysis, run before a reverse list is read (cuda_adjoint.c). A variable is active if
 * its value depends on memory or, in a function, on a parameter. Only active variables need
 * adjoints; the sums of all others are left out when they are read:
 *
 *     y = x[i] * s        x an array, s a float of the kernel: y and x[i] are active, s is not
 *
 * A fixpoint over the forward list: each round visits all statements and marks the results of those
 * with an active operand, until a round marks nothing. The result, cuda_fn.active, is indexed by
 * variable of the unit. It errs towards active: a variable too many costs statements that
 * cuda_prune_adjoints drops, a variable too few loses a gradient. */
#include "base/assert.h"
#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_operand.h"
#include "cudarule/cudarule_call.h"

/* A kernel returns the gradients of its arrays, not those of its other parameters. */
static bool is_given_back(const ir_unit *u, const ir_var *v)
{
    return !u->kernel || type_has_array(type_strip_ref(v->type));
}

/* Is the variable active whatever the statements do? Variables without a number are, and parts of
 * other variables, unless of a kernel's parameter that is no array. */
static bool is_useful_anyhow(const ir_unit *u, uint32_t var)
{
    const ir_var *v = &u->vars.v[var];
    if (ir_is_bare(u, var))
        return true;
    if (v->kind != IR_VAR_PART)
        return false;
    return u->vars.v[ir_whole_var(u, var)].kind != IR_VAR_PARAM || is_given_back(u, v);
}

/* The state of the fixpoint. */
typedef struct useful {
    cuda_fn *f;
    bool *is;  /* by variable of the unit: it is active; bits are only ever set */
    bool more; /* this round has marked a variable */
} useful;

/* Marks the variable that a part ("1.inner") belongs to: its adjoint carries the part's. */
static void mark_whole(useful *w, uint32_t part)
{
    const ir_unit *u = w->f->u;
    WEFT_ASSERT(part < u->vars.n);
    const uint32_t whole = ir_whole_var(u, part);
    if (whole != part)
        w->is[whole] |= u->vars.v[whole].kind != IR_VAR_PARAM;
}

/* Marks the operand if it is a variable. Other operands (places, constants, functions) have no
 * entry: any_useful judges them by their kind. */
static void mark(useful *w, ir_arg a)
{
    if (ir_kind(a) != IR_ARG_VAR || w->is[ir_index(a)])
        return;
    w->is[ir_index(a)] = true;
    w->more = true;
    mark_whole(w, ir_index(a));
}

/* Is one of the operands active? A place is memory, and a function that is passed by name may read
 * memory, so both count. */
static bool any_useful(const useful *w, const ir_arg *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (ir_kind(a[i]) == IR_ARG_VAR
                ? w->is[ir_index(a[i])]
                : ir_kind(a[i]) == IR_ARG_PLACE || ir_kind(a[i]) == IR_ARG_CALLEE)
            return true;
    return false;
}

/* A call without a result may set any of its operands, so one active operand makes all active. */
static void visit_void(useful *w, const ir_arg *a, uint32_t n)
{
    const cuda_op op = cuda_op_called(cuda_callee(w->f, a[0]));
    if (cuda_op_properties(op) & CUDA_OP_STORES)
        return;
    if (op == CUDA_OP_ASSIGN && n == 3) {
        if (any_useful(w, a + 2, 1))
            mark(w, a[1]);
        return;
    }
    if (any_useful(w, a + 1, n - 1))
        for (uint32_t i = 1; i < n; i++)
            mark(w, a[i]);
}

/* Is a reference to the place active? Of a kernel's parameter only arrays have gradients ("&s.pos"
 * of a struct that is passed by value has none). A pointer to an element or a component is not:
 * what loads it is active on its own. */
static bool is_useful_place(const useful *w, uint32_t place, const ir_var *to)
{
    const ir_unit *u = w->f->u;
    const ir_place *p = &u->places.v[place];
    if (p->kind != IR_PLACE_ADDRESS)
        return false;
    p = &u->places.v[p->base];
    if (p->kind == IR_PLACE_DEREF || p->kind == IR_PLACE_ELEMENT || p->kind == IR_PLACE_COMPONENT)
        return false;
    const ir_place *first = p;
    for (; !ir_place_is_root(p); p = &u->places.v[p->base])
        first = p;
    if (!ir_place_is_root(first) && first->kind != IR_PLACE_FIELD)
        return true;
    if (type_strip_ref(u->vars.v[p->base].type)->kind == TYPE_NATIVE &&
        type_strip_ref(to->type)->kind == TYPE_ARRAY)
        return false; /* of a mesh: cuda_has_gradient */
    return u->vars.v[ir_whole_var(u, p->base)].kind != IR_VAR_PARAM || is_given_back(u, to);
}

/* False for functions of the program: they may set their operands. */
static bool is_builtin(const useful *w, ir_arg callee)
{
    const ir_callee *f = cuda_callee(w->f, callee);
    if (f->native.constructs)
        return f->native.constructs->kind != TYPE_STRUCT;
    return f->native.in_wp;
}

/* Marks what the statement sets. A call sets its result; a call of a program's function may set its
 * operands too. A statement of a kind that is not listed marks all its operands, which errs towards
 * active. */
static void visit_stmt(useful *w, const ir_stmt *s)
{
    const ir_arg *a = w->f->u->args.v + s->args;
    switch ((ir_op)s->op) {
    case IR_CALL:
    case IR_CALL_LIST:
        if (!any_useful(w, a + 2, s->nargs - 2u))
            return;
        mark(w, a[0]);
        for (uint32_t i = 2; i < s->nargs && !is_builtin(w, a[1]); i++)
            mark(w, a[i]);
        if (cuda_writes_last(cuda_callee(w->f, a[1])->native.name))
            mark(w, a[s->nargs - 1]);
        if (cuda_sets_variables(cuda_callee(w->f, a[1])->native.name, s->nargs - 2u))
            for (uint32_t i = 2; i < s->nargs; i++)
                mark(w, a[i]);
        return;
    case IR_CALL_VOID: visit_void(w, a, s->nargs); return;
    case IR_MOVE:
        if (ir_kind(a[1]) == IR_ARG_VAR
                ? any_useful(w, a + 1, 1)
                : ir_kind(a[1]) == IR_ARG_PLACE &&
                      is_useful_place(w, ir_index(a[1]), &w->f->u->vars.v[ir_index(a[0])]))
            mark(w, a[0]);
        return;
    /* These set no variable that has an adjoint. */
    case IR_LINE:
    case IR_IF:
    case IR_IF_NOT:
    case IR_COMPARE:
    case IR_AND:
    case IR_OR:
    case IR_ASSERT:
    case IR_WHILE_TEST:
    case IR_FOR_TEST:
    case IR_RETURN_VALUE:
    case IR_SET_RET: return;
    default:
        for (uint32_t i = 0; i < s->nargs; i++)
            mark(w, a[i]);
    }
}

/* Parameters are set after the other variables: a kernel's scalar is not active to begin with. Each
 * round but the last sets an entry of w.is, so the loop ends. */
void cuda_find_active(cuda_fn *f)
{
    const ir_unit *u = f->u;
    WEFT_ASSERT(f->reverse && !f->active);
    useful w = {.f = f, .is = arena_zero(&f->c->module, u->vars.n + 1)};
    for (uint32_t i = 0; i < u->vars.n; i++)
        if (is_useful_anyhow(u, i))
            mark(&w, ir_arg_make(IR_ARG_VAR, i));
    for (uint32_t i = 0; i < u->nparams; i++)
        w.is[u->params[i]] = is_given_back(u, &u->vars.v[u->params[i]]);
    do {
        w.more = false;
        for (uint32_t i = 0; i < u->forward.n; i++)
            visit_stmt(&w, &u->stmts.v[u->forward.v[i].stmt]);
    } while (w.more);
    f->active = w.is;
}
