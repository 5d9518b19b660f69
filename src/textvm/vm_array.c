/* SPDX-License-Identifier: Apache-2.0 */
/* Reads calls on arrays: places of elements, stores, atomics, views, and their adjoints.
 *
 *     var_5 = wp::address(var_x, var_0);        do_address1, v: {var_5, var_x, var_0}, n 1
 *     wp::array_store(var_y, var_0, var_2);     do_array_store1, v: {var_2, var_y, var_0}, n 1
 *     wp::adj_address(var_x, var_0, adj_x, adj_0, adj_5);
 *                                               do_adj_address, v: {adj_5, var_x, adj_x, var_0}
 *
 * Types are checked here, once; vm_array_ops.c has the instructions, which check indices. An index
 * may be of any integer type; of n indices `n` of the instruction is n, whatever else it has. */
#include "textvm/vm_read.h"

/* An array of any class is a view of memory here: an indexed array has no table of indices, and one
 * of Fabric has a single bucket. */
const type *array_elem(reader *r, vt array)
{
    if (array.ptr || !array.t || array.t->kind != TYPE_ARRAY)
        read_fail(r, "an array is needed");
    return array.t->elem;
}

array_info *array_info_of(reader *r, const type *elem)
{
    WEFT_ASSERT(elem);
    array_info *info = ARENA_NEW(r->a, array_info);
    info->elem = info->slot = elem;
    info->elem_size = info->slot_size = vm_type_size(elem);
    return info;
}

/* A new array_info for n indices, which must have values. Their types are kept only if one is not
 * int32, which is rare: the instructions read int32 without a look at types then. */
static array_info *indexed(reader *r, const type *elem, const operand *indices, uint32_t n)
{
    array_info *info = array_info_of(r, elem);
    if (n < 1 || n > 4)
        read_fail(r, "an array has 1 to 4 indices");
    for (uint32_t k = 0; k < n; k++) {
        const vt t = indices[k].type;
        if (t.ptr || indices[k].address || !type_is_integer(t.t))
            read_fail(r, "index %u is no integer", k + 1);
        if (t.t->kind == TYPE_INT32 || info->indices)
            continue;
        const type **types = ARENA_ARRAY(r->a, const type *, n);
        for (uint32_t j = 0; j < n; j++)
            types[j] = indices[j].type.t;
        info->indices = types;
    }
    for (uint32_t k = 0; k < n; k++)
        var_use(r, indices[k].v);
    return info;
}

/* Makes the indices the operands from `first` on. */
static void place_indices(reader *r, ins *i, uint32_t first, const operand *indices, uint32_t n)
{
    WEFT_ASSERT(i->v && n > 0);
    for (uint32_t k = 0; k < n; k++)
        code_arg(r, i, first + k, &indices[k]);
    i->n = n;
}

/* to = address(a, indices). One int32 index has an instruction of its own, which most accesses of
 * a text use. */
void array_address(reader *r, var *to, const operand *a, const operand *indices, uint32_t n)
{
    const type *elem = array_elem(r, a->type);
    if (!vt_same(to->type, (vt){elem, true}))
        type_fail(r, to->type, (vt){elem, true});
    array_info *info = indexed(r, elem, indices, n);
    ins *i = code_emit(r, n == 1 && !info->indices ? do_address1 : do_address, n + 2);
    i->aux = info;
    code_operand(r, i, 0, to, 0);
    code_arg(r, i, 1, a);
    place_indices(r, i, 2, indices, n);
    var_define(r, to);
}

/* to = a pointer to the element's gradient; own = is it the array's own, which a store's adjoint
 * clears? */
void array_gradient(reader *r, var *to, var *own, var *array, var *adjoint, const operand *indices,
                    uint32_t n)
{
    array_info *info = indexed(r, array_elem(r, array->type), indices, n);
    WEFT_ASSERT(n >= 1 && n <= 4);
    ins *i = code_emit(r, do_gradient, n + 4);
    i->aux = info;
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, array, 0);
    code_operand(r, i, 2, adjoint, 0);
    place_indices(r, i, 3, indices, n);
    code_operand(r, i, n + 3, own, 0);
    var_define(r, to);
    var_define(r, own);
}

/* A call with at least so many arguments, with or without a result. */
static void need_call(reader *r, const call *k, uint32_t least, bool result)
{
    if (k->n < least || k->ngroups || k->ntargs || (k->result != NULL) != result)
        read_fail(r, "wrong arguments of %.*s", (int)k->id->s.n, k->id->s.p);
    for (uint32_t i = 0; i < k->n; i++)
        if (k->args[i].address)
            read_fail(r, "argument %u is an address", i + 1);
}

/* The text is refused unless the types are the same. */
static void same(reader *r, vt want, vt have)
{
    if (!vt_same(want, have))
        type_fail(r, want, have);
}

/* The adjoint of an indexed array is a plain one. */
static void same_adjoint(reader *r, vt want, vt adjoint)
{
    const bool indexed =
        want.t && want.t->kind == TYPE_ARRAY && want.t->array_class == ARRAY_INDEXED;
    if (indexed && !want.ptr &&
        vt_same(adjoint, (vt){type_array_of(r, want.t->elem, ARRAY_PLAIN), false}))
        return;
    same(r, want, adjoint);
}

/* pointer = address(array, indices). Without a result it would be a statement with no effect,
 * which Warp does not write. */
void form_address(reader *r, call *k)
{
    need_call(r, k, 2, true);
    var_use(r, k->args[0].v);
    array_address(r, k->result, &k->args[0], k->args + 1, k->n - 1);
}

/* A struct in an array would hold pointers into a run's memory, which ends with the run. */
static void no_arrays_inside(reader *r, const type *t)
{
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const type *f = t->st->fields[i].type;
        if (f->kind == TYPE_ARRAY)
            read_missing(r, STR("a store of structs that hold arrays"));
        no_arrays_inside(r, f);
    }
}

/* array_store(array, indices, value). Warp 1.19 native/array.h array_store */
void form_array_store(reader *r, call *k)
{
    need_call(r, k, 3, false);
    const uint32_t n = k->n - 2;
    const operand *val = &k->args[k->n - 1];
    const type *elem = array_elem(r, k->args[0].type);
    same(r, (vt){elem, false}, val->type);
    no_arrays_inside(r, elem);
    var_use(r, k->args[0].v);
    var_use(r, val->v);
    array_info *info = indexed(r, elem, k->args + 1, n);
    ins *i = code_emit(r, n == 1 && !info->indices ? do_array_store1 : do_array_store, n + 2);
    i->aux = info;
    code_arg(r, i, 0, val);
    code_arg(r, i, 1, &k->args[0]);
    place_indices(r, i, 2, k->args + 1, n);
}

/* Adjoint calls: array, n indices, m values, adj_array, n adj_indices, m adj_values, and
 * `extra` adjoints of the result. Checks types and names of all but the extra ones, and returns
 * n. Adjoints of indices are there because Warp passes one for each argument; nothing adds to
 * them. wp::adj_array_store(var_y, var_0, var_2, adj_y, adj_0, adj_2) values 1, extra 0 -> 1 */
static uint32_t adjoint_indices(reader *r, const call *k, uint32_t values, uint32_t extra)
{
    need_call(r, k, 4 + extra, false);
    const uint32_t half = (k->n - extra) / 2;
    if ((k->n - extra) % 2 || half < 2 + values)
        read_fail(r, "wrong arguments of %.*s", (int)k->id->s.n, k->id->s.p);
    for (uint32_t i = 0; i < half; i++) {
        same_adjoint(r, k->args[i].type, k->args[half + i].type);
        var_pair(r, k->args[i].v, k->args[half + i].v);
        if (k->args[half + i].v->is_const)
            read_fail(r, "an adjoint is const");
    }
    var_use(r, k->args[0].v);
    var_use(r, k->args[half].v);
    WEFT_ASSERT(half >= 2 + values);
    return half - 1 - values;
}

/* adj_address(array, indices, adj_array, adj_indices, adj_value): the element's gradient +=
 * adj_value, by adj_atomic_add, which leaves integers out (accum_of with atomic). */
void form_adj_address(reader *r, call *k)
{
    const uint32_t n = adjoint_indices(r, k, 0, 1);
    const type *elem = array_elem(r, k->args[0].type);
    const operand *val = &k->args[k->n - 1];
    same(r, (vt){elem, false}, val->type);
    array_info *info = indexed(r, elem, k->args + 1, n);
    info->accum = accum_of(r, elem, true);
    ins *i = code_emit(r, do_adj_address, n + 3);
    i->aux = info;
    code_arg(r, i, 0, val);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[n + 1]);
    place_indices(r, i, 3, k->args + 1, n);
}

/* adj_array_store(array, indices, value, adj_array, adj_indices, adj_value): adj_value += gradient
 */
void form_adj_array_store(reader *r, call *k)
{
    const uint32_t n = adjoint_indices(r, k, 1, 0);
    const type *elem = array_elem(r, k->args[0].type);
    same(r, (vt){elem, false}, k->args[n + 1].type);
    array_info *info = indexed(r, elem, k->args + 1, n);
    info->accum = accum_of(r, elem, false);
    ins *i = code_emit(r, do_adj_array_store, n + 3);
    i->aux = info;
    code_arg(r, i, 0, &k->args[k->n - 1]);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[n + 2]);
    place_indices(r, i, 3, k->args + 1, n);
}

/* Types for which atomic operations are executed: scalars and composites, all but bool; and, or,
 * xor of integers; compare-and-swap and exchange of scalars. */
static void atomic_type(reader *r, const type *t, int op)
{
    WEFT_ASSERT(op >= ATOMIC_ADD && op <= ATOMIC_EXCH);
    const bool bits = op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR;
    if (!type_is_value(t) || (bits && !type_is_integer(type_scalar_of(t))) ||
        (op >= ATOMIC_CAS && !type_is_scalar(t)) || type_scalar_of(t)->kind == TYPE_BOOL)
        read_missing(r, STR("an atomic operation on this type"));
}

/* old = atomic_op(array, indices, [compare,] value); as a statement of its own, too. Operand 3 is
 * the compared value of atomic_cas, and for others the value again. */
void form_atomic(reader *r, call *k)
{
    const int op = k->form->what;
    const uint32_t values = op == ATOMIC_CAS ? 2 : 1;
    if (!k->result && k->n >= 2 + values)
        k->result = var_temp(r, k->args[k->n - 1].type);
    need_call(r, k, 2 + values, true);
    const uint32_t n = k->n - 1 - values;
    const type *elem = array_elem(r, k->args[0].type);
    atomic_type(r, elem, op);
    same(r, (vt){elem, false}, k->result->type);
    for (uint32_t i = 0; i < values; i++) {
        same(r, (vt){elem, false}, k->args[n + 1 + i].type);
        var_use(r, k->args[n + 1 + i].v);
    }
    var_use(r, k->args[0].v);
    array_info *info = indexed(r, elem, k->args + 1, n);
    info->op = op;
    ins *i = code_emit(r, do_atomic, n + 4);
    i->aux = info;
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[k->n - 1]);
    code_arg(r, i, 3, &k->args[n + 1]);
    place_indices(r, i, 4, k->args + 1, n);
    var_define(r, k->result);
}

/* adj_atomic_op(array, indices, values, adj_array, adj_indices, adj_values, adj_result). The
 * adjoint of the old value has no effect in Warp. min and max read the value: it gets the gradient
 * only if it is the one in the array. */
void form_adj_atomic(reader *r, call *k)
{
    const int op = k->form->what;
    const uint32_t values = op == ATOMIC_CAS ? 2 : 1;
    const uint32_t n = adjoint_indices(r, k, values, 1);
    const type *elem = array_elem(r, k->args[0].type);
    atomic_type(r, elem, op);
    for (uint32_t i = 0; i < values; i++)
        same(r, (vt){elem, false}, k->args[n + 1 + i].type);
    same(r, (vt){elem, false}, k->args[k->n - 1].type);
    if (op == ATOMIC_MIN || op == ATOMIC_MAX)
        var_use(r, k->args[n + 1].v);
    array_info *info = indexed(r, elem, k->args + 1, n);
    info->op = op;
    info->accum = accum_of(r, elem, false);
    ins *i = code_emit(r, do_adj_atomic, n + 4);
    i->aux = info;
    code_arg(r, i, 0, &k->args[k->n - 2]);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[n + 1 + values]);
    code_arg(r, i, n + 3, &k->args[n + 1]);
    place_indices(r, i, 3, k->args + 1, n);
}

/* A local array (of a fixed size) may stand for an array, but not the other way round: the result
 * of a view of it is a plain array. */
static void takes(reader *r, vt want, vt have)
{
    if (vt_is_fixed(want) || !vt_takes(want, have))
        type_fail(r, want, have);
}

/* part = view(array, indices and slices). The new view has storage of its own in the program: there
 * is one per call in the text, which each execution overwrites. */
void form_view(reader *r, call *k)
{
    need_call(r, k, 2, true);
    array_elem(r, k->args[0].type);
    takes(r, k->result->type, k->args[0].type);
    const uint32_t n = k->n - 1;
    array_info *info = array_info_of(r, k->args[0].type.t->elem);
    const type **types = ARENA_ARRAY(r->a, const type *, n);
    info->storage = (array_view *)(void *)frame_take(r, sizeof *info->storage);
    info->indices = types;
    for (uint32_t i = 0; i < k->n; i++)
        var_use(r, k->args[i].v);
    for (uint32_t i = 0; i < n; i++) {
        const vt t = k->args[i + 1].type;
        if (n > 4 || t.ptr || !(t.t->kind == TYPE_SLICE || type_is_integer(t.t)))
            read_fail(r, "index %u is no integer or slice", i + 1);
        info->slices |= t.t->kind == TYPE_SLICE ? 1u << i : 0;
        types[i] = t.t;
    }
    ins *i = code_emit(r, do_view, n + 2);
    i->aux = info;
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    place_indices(r, i, 2, k->args + 1, n);
    var_define(r, k->result);
}

/* adj_view(array, indices, adj_array, adj_indices, adj_result): nothing, since a view shares the
 * array's gradient. */
void form_adj_view(reader *r, call *k)
{
    need_call(r, k, 5, false);
    const uint32_t half = (k->n - 1) / 2;
    if (k->n % 2 == 0)
        read_fail(r, "wrong arguments of adj_view");
    for (uint32_t i = 0; i < half; i++)
        same_adjoint(r, k->args[i].type, k->args[half + i].type);
    takes(r, k->args[k->n - 1].type, k->args[0].type);
}

/* v = property(array), where v has the given scalar type */
static void emit_property(reader *r, call *k, type_kind result, ins_fn *run)
{
    same(r, (vt){type_scalar(r->c, result), false}, k->result->type);
    var_use(r, k->args[0].v);
    ins *i = code_emit(r, run, 2);
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    var_define(r, k->result);
}

/* n = len(array), its first dimension; len of a vector is arithmetic. */
void form_len(reader *r, call *k)
{
    if (k->n == 1 && !k->args[0].type.ptr && k->args[0].type.t->kind != TYPE_ARRAY) {
        call_native(r, k);
        return;
    }
    need_call(r, k, 1, true);
    array_elem(r, k->args[0].type);
    emit_property(r, k, TYPE_INT32, do_len);
}

/* adj_len(array, adj_array, adj_n): nothing */
void form_adj_len(reader *r, call *k)
{
    need_call(r, k, 3, false);
    same(r, k->args[0].type, k->args[1].type);
    same(r, (vt){type_scalar(r->c, TYPE_INT32), false}, k->args[2].type);
}

/* v = unot(array), or of a value, which arith has */
void form_not(reader *r, call *k)
{
    if (k->n != 1 || k->args[0].type.ptr || k->args[0].type.t->kind != TYPE_ARRAY) {
        call_native(r, k);
        return;
    }
    need_call(r, k, 1, true);
    emit_property(r, k, TYPE_BOOL, do_array_lacks);
}

/* adj_unot(array, adj_array, adj_bool): nothing */
void form_adj_not(reader *r, call *k)
{
    if (k->n != 3 || k->args[0].type.ptr || k->args[0].type.t->kind != TYPE_ARRAY) {
        call_native(r, k);
        return;
    }
    need_call(r, k, 3, false);
    same(r, k->args[0].type, k->args[1].type);
    same(r, (vt){type_scalar(r->c, TYPE_BOOL), false}, k->args[2].type);
}

/* lower_bound(array, value) or lower_bound(array, begin, end, value). n: 1 or 3, as it has begin
 * and end or not. */
void form_lower_bound(reader *r, call *k)
{
    need_call(r, k, 2, true);
    const type *elem = array_elem(r, k->args[0].type);
    const vt index = {type_scalar(r->c, TYPE_INT32), false};
    if (k->n != 2 && k->n != 4)
        read_fail(r, "wrong arguments of lower_bound");
    same(r, (vt){elem, false}, k->args[k->n - 1].type);
    same(r, index, k->result->type);
    if (!type_is_scalar(elem))
        read_missing(r, STR("lower_bound of this type"));
    for (uint32_t i = 0; i < k->n; i++)
        var_use(r, k->args[i].v);
    array_info *info = array_info_of(r, elem);
    ins *i = code_emit(r, do_lower_bound, k->n == 4 ? 5 : 3);
    i->aux = info;
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[k->n - 1]);
    for (uint32_t a = 1; a < k->n - 1; a++) {
        same(r, index, k->args[a].type);
        code_arg(r, i, 2 + a, &k->args[a]);
    }
    i->n = k->n == 4 ? 3 : 1;
    var_define(r, k->result);
}
