/* SPDX-License-Identifier: Apache-2.0 */
/* Stores into parts of array elements: Warp 1.19 _ArraySlot, select_array_slot, emit_array_slot,
 * array_slot_reference, array_slot_adjoint. lower_assign.c, lower_augassign.c and lower_attr.c use
 * it for targets such as ps[i].pos or a[i][j].x.
 *
 * A slot is an array, the indices of an element, and the access path from the element to the part
 * (a place that begins at IR_PLACE_ITEM). It lets one statement write just that part:
 *
 *     ps[i].pos = wp.vec3(1.0)   ->   SLOT_PTR %4, %ps, , %0
 *                                     SLOT_STORE %ps, .pos, %3, %0
 *     ps[i].w += 2.0             ->   SLOT_PTR %5, %ps, , %0
 *                                     SLOT_ATOMIC atomic_add, %ps, %6, .w, %0
 *
 * In the reverse list, for the second:
 *
 *     ADJ_SLOT atomic_add, %ps, adj %ps, adj %6, .w, %0 */
#include "ir/lower.h"

/* The array descriptor as an expression: dereferenced if the variable is a reference to it. */
static ir_arg array_expression(lower *l, uint32_t root)
{
    return var_type(l, root)->kind == TYPE_REF ? arg_place(lower_place_local(l, root, true))
                                               : arg_var(root);
}

uint32_t slot_item(lower *l, const type *t)
{
    return ir_add_place(l->c, l->u, (ir_place){.kind = IR_PLACE_ITEM, .type = t});
}

/* A reference variable for the slot, which remembers it (var_info.slot) for the steps that follow:
 * in ps[i].pos the subscript makes the slot of ps[i], and the attribute selects in it. An array has
 * few enough dimensions for `args`. */
uint32_t slot_reference(lower *l, array_slot slot, uint32_t origin)
{
    uint32_t out = add_var(l, type_ref(l->c, slot.type));
    array_slot *kept = ARENA_NEW(&l->c->ir, array_slot);
    WEFT_ASSERT(slot.type && 3 + slot.nindices <= 16);
    *kept = slot;
    info_of(l, out)->slot = kept;
    info_of(l, out)->origin = origin;
    ir_arg args[16] = {arg_var(out), array_expression(l, slot.root), arg_place(slot.access)};
    for (uint32_t i = 0; i < slot.nindices; i++)
        args[3 + i] = arg_var(slot.indices[i]);
    add_forward(l, IR_SLOT_PTR, args, 3 + slot.nindices);
    return out;
}

/* Warp 1.19 _composite_attribute_slot_access: v.x, t.p, s.field. False for what is no part of the
 * element's own memory: an array in a struct, an unknown field. */
static bool select_attribute(lower *l, const node *at, const sym *attr, array_slot *s)
{
    const type *t = s->type;
    if (t->kind == TYPE_VEC || t->kind == TYPE_QUAT) {
        uint32_t index = component_index(l, at, attr, t);
        s->type = t->elem;
        s->access = lower_place_index(l, IR_PLACE_COMPONENT, s->access, &index, 1, s->type);
        return true;
    }
    if (t->kind == TYPE_TRANSFORM) {
        if (attr != l->names->s_p && attr != l->names->s_q)
            lower_error(l, at, BAD_TRANSFORM_PART, attr->s);
        s->type = attr == l->names->s_p ? type_vec(l->c, t->elem, 3) : type_quat(l->c, t->elem);
        s->access = lower_place_field(l, s->access, attr, s->type);
        return true;
    }
    const struct_field *f = find_field(t, attr);
    if (!f || f->type->kind == TYPE_ARRAY)
        return false;
    s->type = f->type;
    s->access = lower_place_field(l, s->access, attr, s->type);
    return true;
}

/* Warp 1.19 _composite_subscript_slot_access: v[i], m[i] (a row) and m[i, j], by integers. False
 * for anything else, such as slices. */
static bool select_index(lower *l, const uint32_t *indices, uint32_t n, array_slot *s)
{
    WEFT_ASSERT(indices || n == 0);
    const type *t = s->type;
    bool matrix = t->kind == TYPE_MAT;
    if (!type_is_composite(t) || n == 0 || n > (matrix ? 2u : 1u))
        return false;
    uint32_t idx[2];
    for (uint32_t i = 0; i < n; i++)
        idx[i] = load(l, indices[i]);
    for (uint32_t i = 0; i < n; i++)
        if (!type_is_integer(var_type(l, idx[i])))
            return false;
    s->type = matrix && n == 1 ? type_vec(l->c, t->elem, t->cols) : t->elem;
    s->access = lower_place_index(l, IR_PLACE_COMPONENT, s->access, idx, n, s->type);
    return true;
}

/* Warp 1.19 non_atomic_types: integers of 8 and 16 bits, for which there are no atomics. */
bool type_is_non_atomic(const type *t)
{
    return t->kind >= TYPE_INT8 && t->kind <= TYPE_UINT16;
}

/* The slot of a part of `target`: attribute `attr` or, if that is NULL, n indices. NULL: the target
 * is no slot, or the part cannot be one; the caller stores by other means. */
const array_slot *select_slot(lower *l, const node *at, uint32_t target, const uint32_t *indices,
                              uint32_t n, const sym *attr)
{
    const array_slot *whole = info_of(l, target)->slot;
    if (!whole || type_is_non_atomic(var_value_type(l, whole->root)->elem))
        return NULL;
    array_slot *s = ARENA_NEW(&l->c->ir, array_slot);
    *s = *whole;
    bool ok = attr ? select_attribute(l, at, attr, s) : select_index(l, indices, n, s);
    return ok ? s : NULL;
}

/* Is `slot op= x` one atomic update? Sums of 32 and 64 bit integers and of floats, and bitwise
 * operations on such integers. */
bool slot_is_atomic(const array_slot *slot, ast_op op)
{
    const type *t = type_scalar_of(slot->type);
    if (!t)
        return false;
    bool wide_int = t->kind >= TYPE_INT32 && t->kind <= TYPE_UINT64;
    switch ((int)op) {
    case OP_Add:
    case OP_Sub: return wide_int || type_is_float(t);
    case OP_BitAnd:
    case OP_BitOr:
    case OP_BitXor: return wide_int;
    default: return false;
    }
}

/* Can the adjoint be reached step by step, with a test for missing memory before each? Only through
 * fields of structs and elements or views of plain arrays: descriptors of the other classes of
 * arrays hold no gradient. */
static bool has_guarded_steps(const lower *l, uint32_t place)
{
    const ir_place *p = &l->u->places.v[place];
    for (; !ir_place_is_root(p); p = &l->u->places.v[p->base]) {
        const type *of = l->u->places.v[p->base].type;
        const bool array = p->kind == IR_PLACE_ELEMENT || p->kind == IR_PLACE_VIEW;
        if (array ? !type_is_array(of) : p->kind != IR_PLACE_FIELD || !find_field(of, p->field))
            return false;
    }
    return true;
}

/* Warp 1.19 array_slot_adjoint: the array's adjoint. An array that was itself reached through
 * others (a struct's field in an array of structs) may have no gradient memory on the way; GUARDED
 * gives an empty descriptor then. */
static ir_arg slot_adjoint(lower *l, uint32_t root)
{
    const uint32_t origin = lower_origin_of(l, root);
    if (origin == NO_PLACE || !has_guarded_steps(l, origin))
        return arg_adj(root);
    const uint32_t adjoint = lower_place_adjoint(l, origin);
    if (ir_place_is_root(&l->u->places.v[adjoint]))
        return arg_place(adjoint);
    const ir_place guarded = {
        .kind = IR_PLACE_GUARDED, .base = adjoint, .type = var_value_type(l, root)};
    return arg_place(ir_add_place(l->c, l->u, guarded));
}

/* Appends the slot's indices to n operands; returns how many there are then. */
static uint32_t with_indices(const array_slot *slot, ir_arg *args, uint32_t n)
{
    WEFT_ASSERT(n + slot->nindices <= 16);
    for (uint32_t i = 0; i < slot->nindices; i++)
        args[n++] = arg_var(slot->indices[i]);
    return n;
}

/* The store is a comment in the replay list: it must not happen twice. Types have to be equal, as
 * in Warp: there is no conversion on a store. */
void store_slot(lower *l, const node *at, const array_slot *slot, uint32_t rhs, ir_update how)
{
    rhs = copy_reference(l, at, rhs);
    if (!type_equal(var_type(l, rhs), slot->type))
        refuse_store(l, at, slot->type, rhs);
    const ir_arg array = array_expression(l, slot->root), access = arg_place(slot->access);
    const ir_arg update = ir_arg_make(IR_ARG_UPDATE, how);
    uint32_t stmt;
    if (how != IR_UPDATE_STORE) {
        ir_arg args[16] = {update, array, arg_var(rhs), access};
        stmt = ir_add_stmt(l->c, l->u, IR_SLOT_ATOMIC, args, with_indices(slot, args, 4));
        if (det_slot_update(l, span_of(l, at), slot, rhs, how, &stmt))
            return;
    } else if (det_guards(l)) {
        ir_arg args[16] = {det_context(l), array, access, arg_var(rhs)};
        stmt = ir_add_stmt(l->c, l->u, IR_DET_SLOT_STORE, args, with_indices(slot, args, 4));
    } else {
        ir_arg args[16] = {array, access, arg_var(rhs)};
        stmt = ir_add_stmt(l->c, l->u, IR_SLOT_STORE, args, with_indices(slot, args, 3));
    }
    if (how == IR_UPDATE_STORE)
        det_note_store(l, span_of(l, at), slot->root);
    add_forward_commented(l, stmt, stmt);
    ir_arg reverse[16] = {update, array, slot_adjoint(l, slot->root), arg_adj(rhs), access};
    add_reverse(l, IR_ADJ_SLOT, reverse, with_indices(slot, reverse, 5));
}
