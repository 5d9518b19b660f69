/* SPDX-License-Identifier: Apache-2.0 */
/* Adjoints of builtins that are sums or branches of sums, by a table: memory, atomics, moves,
 * simple operators and components. As --dump w and --dump r print them:
 *
 *     ADJ_CALL adj @wp::array_store, %y, %0, %7,    ->  adj_%19 += load(element(adj_y%11, i%2))
 *              adj %y, adj %0, adj %7                   element(adj_y%11, i%2) = zero()
 *     ADJ_CALL adj @wp::mul, %6, %2,                ->  adj_%18 += mul(v%4, adj_%19)
 *              adj %6, adj %2, adj %7                   adj_v%14 += mul(%8, adj_%19)
 *
 * The rules (cuda_adjoint_call.c) could give most of these as well; here they become nodes that
 * passes look into, and places in memory, which rules do not have. */
#include "cuda/cuda_adjoint.h"

#include "base/assert.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* An atomic sum into memory, member by member of a struct. Other threads may add to the same
 * element, so a plain sum would lose some of them. */
static void accumulate_atomic(const adj_reader *r, cx *to, cx *e)
{
    cuda_fn *f = r->f;
    for (uint32_t i = 0; to->type->kind == TYPE_STRUCT && i < to->type->st->nfields; i++) {
        cx *part = cuda_member_of(f, to, i);
        if (part)
            accumulate_atomic(r, part, cuda_value_of(f, cuda_member_of(f, e, i)));
    }
    if (to->type->kind == TYPE_STRUCT)
        return;
    cs *s = cs_put(f, r->out, CS_CALL);
    s->e = cx_atomic(f, CUDA_OP_ATOMIC_ADD, to, e);
    const uint32_t v = e->kind == CX_VAR ? e->var : CUDA_NO_VAR;
    s->from = v != CUDA_NO_VAR && v >= f->u->vars.n ? v : CUDA_NO_VAR;
}

/* The element that args[0] and the indices behind it name, and in *gradient its gradient's memory.
 * NULL: it has none, or an error was reported. Lists of a wp.indexedarray serve its gradient. */
static cx *element_at(const adj_reader *r, cx **gradient)
{
    cuda_fn *f = r->f;
    cx *array = cuda_operand_place(f, r->args[0]);
    if (!cuda_has_elements(array->type)) {
        cuda_unsupported(f, "an array of another kind than wp.array");
        return NULL;
    }
    if (cuda_is_integral(array->type->elem) || !cuda_has_gradient(f, array))
        return NULL;
    const uint32_t n = (uint32_t)array->type->ndim;
    cx *e = cx_new(f, CX_ELEMENT, array->type->elem, n + 1);
    e->args[0] = array;
    for (uint32_t i = 1; i <= n; i++)
        e->args[i] = cuda_value_at(r, i);
    *gradient = cuda_gradient_place(f, e);
    return e;
}

/* r = x[i]: what r's adjoint has gathered goes to the gradient of x[i]. */
static void adj_address(const adj_reader *r)
{
    cx *gradient, *from = cuda_wanted(r, r->nadj - 1);
    if (!from || !element_at(r, &gradient))
        return;
    accumulate_atomic(r, gradient, cuda_value_of(r->f, from));
}

/* x[i] = v: v's adjoint gets the gradient of x[i], which then starts again from zero, since the old
 * value of x[i] was lost. */
static void adj_array_store(const adj_reader *r)
{
    cx *gradient, *to = cuda_wanted(r, r->nadj - 1);
    if (!element_at(r, &gradient))
        return;
    cuda_accumulate(r, to, cx_unary(r->f, CX_LOAD, gradient->type, gradient), false);
    cuda_clear_adjoint(r, gradient);
}

/* atomic_add, atomic_sub: the value's adjoint, the last but one, gets the gradient of the element.
 * The gradient stays, as the element's old value is still part of the sum. */
static void adj_atomic_sum(const adj_reader *r)
{
    cx *gradient, *to = cuda_wanted(r, r->nadj - 2);
    if (to && element_at(r, &gradient))
        cuda_accumulate(r, to, cx_unary(r->f, CX_LOAD, gradient->type, gradient),
                        r->op == CUDA_OP_ATOMIC_SUB);
}

/* atomic_min, atomic_max: a value gets the gradient if it equals the final extreme, each scalar for
 * itself. So several values may get it, as in Warp 1.19 adj_atomic_minmax.
 *
 *     if (of == x[i]) to += adj_x[i]; */
static void adj_extreme_scalar(const adj_reader *r, cx *of, cx *e, cx *to, cx *gradient)
{
    cuda_fn *f = r->f;
    cx *same = cx_binary(f, CX_COMPARE, type_scalar(f->c, TYPE_BOOL), cuda_value_of(f, of),
                         cx_unary(f, CX_LOAD, e->type, e));
    same->name = STR("==");
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = same;
    adj_reader inner = *r;
    inner.out = &s->body;
    cuda_accumulate(&inner, to, cx_unary(f, CX_LOAD, gradient->type, gradient), false);
}

/* Component i of a vector, or (i, j) of a matrix. */
static cx *lane_of(cuda_fn *f, cx *whole, int i, int j)
{
    const bool matrix = whole->type->kind == TYPE_MAT;
    WEFT_ASSERT(type_is_composite(whole->type));
    cx *e = cx_new(f, CX_COMPONENT, whole->type->elem, matrix ? 3 : 2);
    e->args[0] = whole;
    e->args[1] = cx_number(f, i);
    if (matrix)
        e->args[2] = cx_number(f, j);
    return e;
}

/* Vectors and matrices are compared component by component, so `of` is repeated and has to be a
 * variable. */
static void adj_atomic_extreme(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cx *gradient, *to = cuda_wanted(r, r->nadj - 2), *e;
    if (!to || !(e = element_at(r, &gradient)))
        return;
    cx *of = cuda_value_at(r, r->nargs - 1);
    if (type_is_scalar(e->type)) {
        adj_extreme_scalar(r, of, e, to, gradient);
        return;
    }
    uint32_t var;
    if (!type_is_composite(e->type) || !cx_is_var(of, &var)) {
        cuda_unsupported(f, "the gradient of such an atomic extreme");
        return;
    }
    for (int i = 0; i < e->type->rows; i++)
        for (int j = 0; j < (e->type->kind == TYPE_MAT ? e->type->cols : 1); j++)
            adj_extreme_scalar(r, lane_of(f, of, i, j), lane_of(f, e, i, j), lane_of(f, to, i, j),
                               lane_of(f, gradient, i, j));
}

/* r = a: r's adjoint is used up and cleared, as Warp's adj_copy does. */
static void adj_copy(const adj_reader *r)
{
    cx *to = cuda_wanted(r, 0), *from = cuda_wanted(r, 1);
    if (from)
        cuda_accumulate(r, to, cuda_value_of(r->f, from), false);
    cuda_clear_adjoint(r, from);
}

/* a = b in place: b's adjoint is set to a's, not added to, and a's is cleared, as Warp's adj_assign
 * does. */
static void adj_assign(const adj_reader *r)
{
    cx *from = cuda_wanted(r, 0), *to = cuda_wanted(r, 1);
    if (to && from)
        cs_set(r->f, r->out, to, cuda_value_of(r->f, from));
    cuda_clear_adjoint(r, from);
}

/* The result's adjoint, as a value; NULL: it is inactive. */
static cx *result_adjoint(const adj_reader *r)
{
    cx *e = cuda_wanted(r, r->nadj - 1);
    return e ? cuda_value_of(r->f, e) : NULL;
}

/* r = a + b, r = a - b, r = +a. */
static void adj_sum(const adj_reader *r)
{
    cx *from = result_adjoint(r);
    cuda_accumulate(r, cuda_wanted(r, 0), from, false);
    if (r->nargs == 2)
        cuda_accumulate(r, cuda_wanted(r, 1), from, r->op == CUDA_OP_SUB);
}

static void adj_neg(const adj_reader *r)
{
    cuda_accumulate(r, cuda_wanted(r, 0), result_adjoint(r), true);
}

/* r = a * b of scalars. Of vectors and matrices the product is one of several operations, and the
 * rules write its adjoint. */
static void adj_mul(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cx *from = result_adjoint(r);
    cx *a = cuda_wanted(r, 0), *b = cuda_wanted(r, 1);
    if (!from)
        return;
    if (a)
        cuda_accumulate(r, a, cx_call2(f, CUDA_OP_MUL, a->type, cuda_value_at(r, 1), from), false);
    if (b)
        cuda_accumulate(r, b, cx_call2(f, CUDA_OP_MUL, b->type, cuda_value_at(r, 0), from), false);
}

/* r = c ? a : b: one of the two adjoints grows. */
static void adj_where(const adj_reader *r)
{
    cuda_fn *f = r->f;
    cx *from = result_adjoint(r), *a = cuda_wanted(r, 1), *b = cuda_wanted(r, 2);
    if (!from || (!a && !b))
        return;
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = cuda_value_at(r, 0);
    adj_reader inner = *r;
    inner.out = &s->body;
    cuda_accumulate(&inner, a, from, false);
    inner.out = &s->orelse;
    cuda_accumulate(&inner, b, from, false);
}

/* The component of base that operands 1 to n select. */
static cx *component(const adj_reader *r, cx *base, uint32_t n, const type *t)
{
    cx *e = cx_new(r->f, CX_COMPONENT, t, n + 1);
    e->args[0] = base;
    for (uint32_t i = 1; i <= n; i++)
        e->args[i] = cuda_value_at(r, i);
    return e;
}

/* One scalar out of a vector or matrix. */
static void adj_extract(const adj_reader *r)
{
    cx *to = cuda_wanted(r, 0);
    if (to)
        cuda_accumulate(r, component(r, to, r->nargs - 1, to->type->elem), result_adjoint(r),
                        false);
}

/* a[i] = v, a[i] += v, a[i] -= v of a vector or matrix. The adjoint of a[i] stays as it is, as in
 * Warp 1.19 native/vec.h. */
static void adj_inplace(const adj_reader *r)
{
    cx *from = cuda_wanted(r, 0), *to = cuda_wanted(r, r->nadj - 1);
    if (!from || !to)
        return;
    cx *part = component(r, from, r->nargs - 2, to->type);
    cuda_accumulate(r, to, cx_unary(r->f, CX_LOAD, to->type, part), r->op == CUDA_OP_SUB_INPLACE);
}

static void adj_nothing(const adj_reader *r)
{
    (void)r;
}

/* Are all operands scalars? */
static bool takes_scalars(const adj_reader *r)
{
    for (uint32_t i = 0; i < r->nargs; i++)
        if (!type_is_scalar(type_strip_ref(r->f->u->vars.v[ir_index(r->args[i])].type)))
            return false;
    return true;
}

/* The type of operand i, without a reference. */
static const type *type_at(const adj_reader *r, uint32_t i)
{
    return type_strip_ref(r->f->u->vars.v[ir_index(r->args[i])].type);
}

/* Are both operands of the result's type? A scalar that is added to a vector has another adjoint.
 */
static bool takes_alike(const adj_reader *r)
{
    const type *t = type_strip_ref(r->f->u->vars.v[ir_index(r->adj[r->nadj - 1])].type);
    for (uint32_t i = 0; i < r->nargs; i++)
        if (type_at(r, i) != t)
            return false;
    return true;
}

/* Do the indices select one scalar? Slices and rows of matrices go to the rules. The last operand
 * of an assignment is its value, which is no index. */
static bool takes_element(const adj_reader *r)
{
    const type *t = type_at(r, 0);
    const uint32_t last = r->nadj == r->nargs ? r->nargs - 1 : r->nargs;
    for (uint32_t i = 1; i < last; i++)
        if (!type_is_scalar(type_at(r, i)))
            return false;
    return t->kind == TYPE_MAT ? last == 3 : type_is_composite(t) && last == 2;
}

static bool takes_all(const adj_reader *r)
{
    (void)r;
    return true;
}

/* How the adjoint of one builtin is read. */
typedef struct adj_form {
    cuda_op op;
    bool (*fits)(const adj_reader *r); /* may look at types alone */
    void (*read)(const adj_reader *r);
} adj_form;

/* Builtin, what its operands must be, and how its adjoint is read. The first row that fits counts;
 * a builtin without one goes to the rules. */
static const adj_form forms[] = {
    {CUDA_OP_ADDRESS, takes_all, adj_address},
    {CUDA_OP_ARRAY_STORE, takes_all, adj_array_store},
    {CUDA_OP_ATOMIC_ADD, takes_all, adj_atomic_sum},
    {CUDA_OP_ATOMIC_SUB, takes_all, adj_atomic_sum},
    {CUDA_OP_ATOMIC_MIN, takes_all, adj_atomic_extreme},
    {CUDA_OP_ATOMIC_MAX, takes_all, adj_atomic_extreme},
    {CUDA_OP_COPY, takes_all, adj_copy},
    {CUDA_OP_ASSIGN, takes_all, adj_assign},
    {CUDA_OP_ADD, takes_alike, adj_sum},
    {CUDA_OP_SUB, takes_alike, adj_sum},
    {CUDA_OP_NEG, takes_all, adj_neg},
    {CUDA_OP_POS, takes_all, adj_sum},
    {CUDA_OP_MUL, takes_scalars, adj_mul},
    {CUDA_OP_WHERE, takes_all, adj_where},
    {CUDA_OP_EXTRACT, takes_element, adj_extract},
    {CUDA_OP_ASSIGN_INPLACE, takes_element, adj_inplace},
    {CUDA_OP_ADD_INPLACE, takes_element, adj_inplace},
    {CUDA_OP_SUB_INPLACE, takes_element, adj_inplace},
    {CUDA_OP_VIEW, takes_all, adj_nothing},
    {CUDA_OP_LOWER_BOUND, takes_all, adj_nothing},
    {CUDA_OP_UNOT, takes_all, adj_nothing},
    {CUDA_OP_ITER_REVERSE, takes_all, adj_nothing},
    {CUDA_OP_LOAD, takes_all, adj_nothing},
    {CUDA_OP_STORE, takes_all, adj_nothing},
    {CUDA_OP_PRINT, takes_all, adj_nothing},
    {CUDA_OP_LEN, takes_all, adj_nothing},
    {CUDA_OP_RANGE, takes_all, adj_nothing},
    {CUDA_OP_SLICE, takes_all, adj_nothing},
};

bool cuda_adjoint_items(const adj_reader *r)
{
    switch (r->op) {
    case CUDA_OP_ADD:
    case CUDA_OP_SUB: adj_sum(r); return true;
    case CUDA_OP_MUL: adj_mul(r); return true;
    case CUDA_OP_NEG: adj_neg(r); return true;
    default: adj_atomic_sum(r); return true;
    }
}

bool cuda_adjoint_form(const adj_reader *r)
{
    if (cuda_is_tile_call(r->name)) {
        (void)cuda_tile_adjoint(r);
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (r->op == forms[i].op && forms[i].fits(r)) {
            forms[i].read(r);
            return true;
        }
    return false;
}
