/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: names, literals and operators.
 *
 * A node evaluates to an `iv` that it owns, or that a slot owns; the next evaluation overwrites it.
 * Who needs a value longer copies it (interp_keep). */
#include "interp/interp_internal.h"

/* Operators by the names of Warp's native functions, under which src/arith finds them. Division and
 * matrix product follow Warp: @ is the same mul as *. */
static const char *const operators[OP_COUNT] = {
    [OP_Add] = "add",           [OP_Sub] = "sub",        [OP_Mult] = "mul",
    [OP_MatMult] = "mul",       [OP_Div] = "div",        [OP_Mod] = "mod",
    [OP_Pow] = "pow",           [OP_LShift] = "lshift",  [OP_RShift] = "rshift",
    [OP_BitOr] = "bit_or",      [OP_BitXor] = "bit_xor", [OP_BitAnd] = "bit_and",
    [OP_FloorDiv] = "floordiv", [OP_Invert] = "invert",  [OP_UAdd] = "pos",
    [OP_USub] = "neg",
};

static const char *const comparisons[OP_COUNT] = {
    [OP_Eq] = "==",  [OP_NotEq] = "!=", [OP_Lt] = "<",
    [OP_LtE] = "<=", [OP_Gt] = ">",     [OP_GtE] = ">=",
};

/* The builtin's native name: "add" for +. NULL for comparisons and logic. */
const char *interp_operator(int op)
{
    WEFT_ASSERT(op >= 0 && op < OP_COUNT);
    return operators[op];
}

/* The value was made when the node was prepared, and nothing changes it. */
const iv *interp_eval_constant(interp *in, inode *n)
{
    (void)in;
    return &n->v;
}

/* The operand of x[i] += v that stands for x[i]: interp_exec_augmented sets n->v, so that the place
 * is evaluated once. */
const iv *interp_eval_held(interp *in, inode *n)
{
    (void)in;
    return &n->v;
}

/* Faults of the program that preparing finds end the run only when they are reached: Python does
 * not look at code that it does not execute, either. */
const iv *interp_eval_fail(interp *in, inode *n)
{
    interp_fail(in, n->at, "%s", (const char *)n->aux);
}

/* Likewise for what the interpreter cannot execute. */
const iv *interp_eval_refuse(interp *in, inode *n)
{
    interp_refuse(in, n->at, "%s", (const char *)n->aux);
}

/* The value of a slot that nothing has been assigned to: a name of the module that the function
 * assigns to elsewhere. Warp looks such a name up in the module, unlike Python. */
static const iv *of_module(interp *in, inode *n)
{
    value v;
    const sym *name = n->aux;
    if (n->v.type || n->v.object)
        return &n->v;
    if (!name || !env_lookup(in->unit->code->env, name, &v))
        interp_fail(in, n->at, "'%s' is read before anything is assigned to it",
                    name ? name->s : "?");
    if (!interp_constant(in, &v, &n->v)) {
        value *object = ARENA_NEW(in->a, value);
        *object = v;
        n->v = (iv){.object = object};
    }
    return &n->v;
}

/* A name that this thread has not bound may be a name of the module. */
const iv *interp_eval_slot(interp *in, inode *n)
{
    const iv *v = &n->slot->v;
    return v->type || v->object ? v : of_module(in, n);
}

/* A unary or binary operator. The case that most kernels spend their time on, two operands of the
 * types seen last and a function of src/arith that takes them in order, is executed right here; any
 * other goes through interp_apply. */
const iv *interp_eval_op(interp *in, inode *n)
{
    const iv *args[2];
    WEFT_ASSERT(n->n == 1 || n->n == 2);
    args[0] = interp_eval(in, n->kid[0]);
    site *s = n->site;
    if (n->n == 1)
        return interp_apply(in, n, args, 1);
    args[1] = interp_eval(in, n->kid[1]);
    if (!s || !s->direct || args[0]->type != s->seen[0] || args[1]->type != s->seen[1])
        return interp_apply(in, n, args, 2);
    s->operands[0] = args[0]->p;
    s->operands[1] = args[1]->p;
    const arith_status status = s->op.run(&s->op, s->operands);
    if (status != ARITH_OK || in->dual)
        interp_after_run(in, n, s, args, status);
    return s->results;
}

/* The node's own byte holds the result (with_bool in interp_prepare_expr.c). */
static const iv *give_bool(interp *in, inode *n, bool b)
{
    n->v.type = in->t_bool;
    *(uint8_t *)n->v.p = b;
    return &n->v;
}

/* Of a number or an array, as for conditions. */
const iv *interp_eval_not(interp *in, inode *n)
{
    return give_bool(in, n, !interp_truth(in, n->at, interp_eval(in, n->kid[0])));
}

#define COMPARE(T)                                                                                 \
    do {                                                                                           \
        T x, y;                                                                                    \
        memcpy(&x, a->p, sizeof x);                                                                \
        memcpy(&y, b->p, sizeof y);                                                                \
        return op == OP_Lt    ? x < y                                                              \
               : op == OP_LtE ? x <= y                                                             \
               : op == OP_Gt  ? x > y                                                              \
               : op == OP_GtE ? x >= y                                                             \
               : op == OP_Eq  ? x == y                                                             \
                              : x != y;                                                             \
    } while (0)

/* Compares scalars. The frequent types are read directly, others through num_compare, which also
 * decides how two different types compare. */
static bool compare_numbers(int op, const iv *a, const iv *b)
{
    const type_kind k = a->type->kind;
    if (k == TYPE_FLOAT32 && b->type->kind == k)
        COMPARE(float);
    if (k == TYPE_INT32 && b->type->kind == k)
        COMPARE(int32_t);
    if (k == TYPE_FLOAT64 && b->type->kind == k)
        COMPARE(double);
    return num_compare(comparisons[op], k, num_load(k, a->p), b->type->kind,
                       num_load(b->type->kind, b->p));
}

/* A float's value, 0 without an address: a missing tangent is zero. */
static double number_at(const type *t, const void *p)
{
    return p ? num_load(t->kind, p).f : 0;
}

/* Notes a kink: two equal floats that move apart. An arbitrarily small step takes another branch,
 * so the kernel has no derivative here. */
static void note_tie(interp *in, const iv *a, const iv *b)
{
    if ((a->t || b->t) && type_is_float(a->type) && type_is_float(b->type) &&
        number_at(a->type, a->p) == number_at(b->type, b->p) &&
        number_at(a->type, a->t) != number_at(b->type, b->t))
        in->kink = true;
}

/* Whether all components of two values of one composite type are equal; NaN equals nothing. */
static bool lanes_equal(const iv *a, const iv *b)
{
    const type *s = a->type->elem;
    const size_t size = layout_size(s);
    for (int i = 0; i < lane_count(a->type); i++) {
        const num x = num_load(s->kind, (const uint8_t *)a->p + (size_t)i * size);
        const num y = num_load(s->kind, (const uint8_t *)b->p + (size_t)i * size);
        if (!num_compare("==", s->kind, x, s->kind, y))
            return false;
    }
    return true;
}

/* One comparison. Composites can only be == and != to values of their own type. */
static bool compare(interp *in, const node *at, int op, const iv *a, const iv *b)
{
    if (!a->type || !b->type || !comparisons[op])
        interp_refuse(in, at, "this comparison");
    if (type_is_scalar(a->type) && type_is_scalar(b->type)) {
        if (in->dual)
            note_tie(in, a, b);
        return compare_numbers(op, a, b);
    }
    if (!type_equal(a->type, b->type) || !type_is_composite(a->type) ||
        (op != OP_Eq && op != OP_NotEq))
        interp_refuse(in, at, "this comparison");
    return lanes_equal(a, b) == (op == OP_Eq);
}

/* a < b < c: all operands are evaluated before the first comparison, unlike in Python. */
const iv *interp_eval_compare(interp *in, inode *n)
{
    const op_list *ops = n->aux;
    const iv *v[INTERP_ARGS];
    WEFT_ASSERT(n->n >= 2 && n->n <= INTERP_ARGS && ops->n == n->n - 1u);
    for (uint32_t i = 0; i < n->n; i++)
        v[i] = interp_eval(in, n->kid[i]);
    bool all = true;
    for (uint32_t i = 1; i < n->n && all; i++)
        all = compare(in, n->at, ops->v[i - 1], v[i - 1], v[i]);
    return give_bool(in, n, all);
}

/* `and` and `or`, which end at the first operand that decides. The result is a bool, not the
 * operand as in Python. */
const iv *interp_eval_bool(interp *in, inode *n)
{
    const bool is_and = n->op == OP_And;
    for (uint32_t i = 0; i < n->n; i++)
        if (interp_truth(in, n->at, interp_eval(in, n->kid[i])) != is_and)
            return give_bool(in, n, !is_and);
    return give_bool(in, n, is_and);
}

/* Only the branch that is chosen is evaluated: the other may index out of bounds. */
const iv *interp_eval_choice(interp *in, inode *n)
{
    WEFT_ASSERT(n->n == 3);
    const bool yes = interp_truth(in, n->at, interp_eval(in, n->kid[0]));
    n->v = *interp_eval(in, n->kid[yes ? 1 : 2]);
    return &n->v;
}

/* Is t still the tuple type of these items? Kept, since making one interns it. */
static bool same_items(const type *t, const iv *items, uint32_t n)
{
    if (!t || t->nitems != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (items[i].type && items[i].type != t->items[i])
            return false;
    return true;
}

/* (a, b): copies of the items' iv, whose bytes the items' nodes own. An item without type (a
 * function) counts as void in the tuple's type. */
const iv *interp_eval_tuple(interp *in, inode *n)
{
    iv *items = n->v.p;
    for (uint32_t i = 0; i < n->n; i++)
        items[i] = *interp_eval(in, n->kid[i]);
    if (!same_items(n->v.type, items, n->n)) {
        const type **types = ARENA_ARRAY(in->a, const type *, n->n + 1u);
        for (uint32_t i = 0; i < n->n; i++)
            types[i] = items[i].type ? items[i].type : type_scalar(in->c, TYPE_VOID);
        n->v.type = type_tuple(in->c, types, n->n);
    }
    return &n->v;
}

/* What wp.static(...) was for some values of the loop variables around it. */
typedef struct static_memo {
    struct static_memo *next;
    const int32_t *key;
    iv v;
} static_memo;

/* The values of the variables of unrolled loops, -1 where one has none, and the memo for them. */
static static_memo *static_lookup(interp *in, inode *n, int32_t *key)
{
    for (uint32_t i = 0; i < n->n; i++) {
        const iv *v = &n->kid[i]->slot->v;
        key[i] = v->type ? (int32_t)interp_integer(in, n->at, v) : -1;
    }
    for (static_memo *m = n->v.p; m; m = m->next)
        if (memcmp(m->key, key, n->n * sizeof *key) == 0)
            return m;
    return NULL;
}

/* wp.static(expression) that depends on variables of unrolled loops: evaluated once for each
 * combination of their values, by the same evaluator that the front end uses for module constants.
 */
const iv *interp_eval_static(interp *in, inode *n)
{
    WEFT_ASSERT(n->n <= INTERP_ARGS);
    int32_t key[INTERP_ARGS];
    static_memo *m = static_lookup(in, n, key);
    if (m)
        return &m->v;
    local_binding *locals = ARENA_ARRAY(in->a, local_binding, n->n + 1u);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->n; i++)
        if (n->kid[i]->slot->v.type)
            locals[count++] = (local_binding){n->kid[i]->aux, value_int(key[i])};
    value *v = ARENA_NEW(in->a, value);
    *v = eval_expr(in->c, in->unit->code->env, locals, count, n->aux);
    if (v->kind == VALUE_UNKNOWN)
        interp_refuse(in, n->at, "wp.static: %s", v->why ? v->why : "its value is not known");
    m = ARENA_NEW(in->a, static_memo);
    m->key = memcpy(ARENA_ARRAY(in->a, int32_t, n->n + 1u), key, n->n * sizeof *key);
    if (!interp_constant(in, v, &m->v))
        m->v = (iv){.object = v};
    m->next = n->v.p;
    n->v.p = m;
    return &m->v;
}
