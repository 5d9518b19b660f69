/* SPDX-License-Identifier: Apache-2.0 */
/* Stores into parts of array elements as Warp 1.17 makes them (Adjoint._classify_slot_access,
 * _try_lower_array_slot_write); lower_slot.c is the way of later releases. lower_assign.c calls
 * lower_slot_write for an assignment whose target is a chain of subscripts and attributes.
 *
 * The syntax of the target and the types along it decide, before anything is emitted. The chain has
 * to begin at a local name that is an array, take all its indices, and end in a part of the type
 * that is stored:
 *
 *     ps[i].pos.x = e    ->   SLOT_SET %ps, .pos.x, %0, %i
 *     ms[i][1, j] = e    ->   SLOT_SET %ms, [%2, %j], %0, %i
 *
 * which are printed as
 *
 *     wp::index(var_ps, var_i).pos.c[0] = var_0;
 *     wp::index(var_ms, var_i).data[var_2][var_j] = var_0;
 *
 * Indices are used as they are: no negative ones, no references. The store runs again in the replay
 * list. Any other target is left to the caller, which loads, changes and stores references. */
#include "ir/lower.h"

enum { CHAIN_MAX = 32 };

/* A target as its steps, the first after the name first. */
typedef struct chain {
    const sym *name;
    const node *steps[CHAIN_MAX];
    uint32_t n;
} chain;

/* False: the target does not begin at a name, or has too many steps. */
static bool collect(const node *lhs, chain *ch)
{
    const node *back[CHAIN_MAX];
    ch->n = 0;
    const node *n = lhs;
    while (n->kind == AST_Attribute || n->kind == AST_Subscript) {
        if (ch->n == CHAIN_MAX)
            return false;
        back[ch->n++] = n;
        n = n->kind == AST_Attribute ? AST(Attribute, n)->value : AST(Subscript, n)->value;
    }
    if (n->kind != AST_Name)
        return false;
    ch->name = AST(Name, n)->id;
    for (uint32_t i = 0; i < ch->n; i++)
        ch->steps[i] = back[ch->n - 1 - i];
    return true;
}

/* The expressions between a pair of brackets. */
static uint32_t indices_of(const node *subscript, const node *const **v, const node *const *one)
{
    const node *slice = AST(Subscript, subscript)->slice;
    if (slice->kind != AST_Tuple) {
        *v = one;
        return 1;
    }
    *v = (const node *const *)AST(Tuple, slice)->elts.v;
    return AST(Tuple, slice)->elts.n;
}

/* The first subscripts, which hold as many indices as the array has dimensions. Returns how many
 * steps they are; 0: they do not fit. */
static uint32_t array_steps(const chain *ch, const type *array)
{
    uint32_t needed = (uint32_t)array->ndim, k = 0;
    while (needed && k < ch->n && ch->steps[k]->kind == AST_Subscript) {
        const node *const one[] = {AST(Subscript, ch->steps[k])->slice};
        const node *const *v;
        const uint32_t n = indices_of(ch->steps[k], &v, one);
        if (n > needed)
            return 0;
        needed -= n;
        k++;
    }
    return needed ? 0 : k;
}

/* Is c one of x, y, z, w that a vector or quaternion of n components has? */
static bool is_swizzle(const sym *c, int n)
{
    static const char names[] = "xyzw";
    const char *at = c->len == 1 ? strchr(names, c->s[0]) : NULL;
    return at && *at && at - names < n;
}

/* What `.attr` leads to from a value of type t; NULL: no slot does. */
static const type *attribute_type(lower *l, const type *t, const sym *attr)
{
    switch (t->kind) {
    case TYPE_VEC:
    case TYPE_QUAT: return is_swizzle(attr, t->kind == TYPE_QUAT ? 4 : t->rows) ? t->elem : NULL;
    case TYPE_TRANSFORM:
        return attr == l->names->s_p   ? type_vec(l->c, t->elem, 3)
               : attr == l->names->s_q ? type_quat(l->c, t->elem)
                                       : NULL;
    default: {
        const struct_field *f = find_field(t, attr);
        return f && f->type->kind != TYPE_ARRAY ? f->type : NULL;
    }
    }
}

/* What a step leads to: a matrix takes two indices in one pair of brackets, others take one. */
static const type *step_type(lower *l, const type *t, const node *step)
{
    if (step->kind == AST_Attribute)
        return attribute_type(l, t, AST(Attribute, step)->attr);
    const node *slice = AST(Subscript, step)->slice;
    const bool pair = slice->kind == AST_Tuple && AST(Tuple, slice)->elts.n == 2;
    const bool fits = t->kind == TYPE_MAT ? pair : slice->kind != AST_Tuple;
    return type_is_composite(t) && fits ? t->elem : NULL;
}

/* The type of the part behind the first k steps; NULL: the target is no slot. */
static const type *part_type(lower *l, const chain *ch, uint32_t k, const type *t)
{
    for (uint32_t i = k; t && i < ch->n; i++)
        t = step_type(l, t, ch->steps[i]);
    return t;
}

/* Evaluates the indices of n steps to `vars`, in the order of the source; returns how many. */
static uint32_t evaluate(lower *l, const chain *ch, uint32_t n, uint32_t *vars)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const node *const one[] = {AST(Subscript, ch->steps[i])->slice};
        const node *const *v;
        const uint32_t k = indices_of(ch->steps[i], &v, one);
        for (uint32_t j = 0; j < k; j++)
            vars[count++] = lower_value(l, v[j]);
    }
    return count;
}

/* One step of the part: a member, or a component by indices that are evaluated now. */
static uint32_t part_step(lower *l, uint32_t access, const type *t, const node *step)
{
    const type *to = step_type(l, t, step);
    if (step->kind == AST_Attribute)
        return lower_place_field(l, access, AST(Attribute, step)->attr, to);
    const node *const one[] = {AST(Subscript, step)->slice};
    const node *const *v;
    uint32_t idx[2];
    const uint32_t n = indices_of(step, &v, one);
    WEFT_ASSERT(n <= 2);
    for (uint32_t i = 0; i < n; i++)
        idx[i] = lower_value(l, v[i]);
    return lower_place_index(l, IR_PLACE_ITEM_AT, access, idx, n, to);
}

bool lower_slot_write(lower *l, const node *lhs, uint32_t rhs)
{
    chain ch;
    if (!collect(lhs, &ch) || !ch.n)
        return false;
    const binding *b = scope_find(l, &l->scope, ch.name);
    const type *array = b && b->var != NO_VAR ? var_value_type(l, b->var) : NULL;
    if (!array || !type_is_array(array) || type_is_non_atomic(array->elem))
        return false;
    const uint32_t root = b->var, k = array_steps(&ch, array);
    const type *t = k && k < ch.n ? part_type(l, &ch, k, array->elem) : NULL;
    if (!t || !type_equal(var_value_type(l, rhs), t))
        return false;
    rhs = copy_reference(l, lhs, rhs);
    uint32_t idx[16];
    const uint32_t n = evaluate(l, &ch, k, idx);
    uint32_t access = slot_item(l, array->elem);
    const type *at = array->elem;
    for (uint32_t i = k; i < ch.n; i++) {
        access = part_step(l, access, at, ch.steps[i]);
        at = step_type(l, at, ch.steps[i]);
    }
    ir_arg args[16] = {arg_var(root), arg_place(access), arg_var(rhs)};
    ir_arg reverse[16] = {ir_arg_make(IR_ARG_UPDATE, IR_UPDATE_STORE), arg_var(root), arg_adj(root),
                          arg_adj(rhs), arg_place(access)};
    for (uint32_t i = 0; i < n; i++) {
        args[3 + i] = arg_var(idx[i]);
        reverse[5 + i] = arg_var(idx[i]);
    }
    add_forward(l, IR_SLOT_SET, args, 3 + n);
    add_reverse(l, IR_ADJ_SLOT, reverse, 5 + n);
    return true;
}
