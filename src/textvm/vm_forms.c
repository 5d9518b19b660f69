/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins that are no arithmetic: copies, loads, choices, loops, and their adjoints. A form checks
 * the number and types of a call's arguments, and emits its instruction; the table at the end names
 * the forms, also those of other files. call_read (vm_call.c) looks them up.
 *
 *     var_7 = wp::load(var_5);                 form_load: do_load4, v: {var_7, var_5}
 *     var_4 = wp::iter_next(var_3);            form_iter_next: do_iter_next
 *     wp::adj_assign(var_2, var_8, adj_2, adj_8);
 *                                              form_adj_assign: do_adj_assign, v: {adj_8, adj_2}
 *     wp::adj_load(var_5, adj_5, adj_7);       form_adj_load: nothing but checks
 *
 * Adjoints that have no effect in Warp are checked all the same, because a damaged call has to be
 * refused by the text machine as by a C++ compiler. */
#include "textvm/vm_read.h"

/* Argument i, which must be a variable. */
static var *plain(reader *r, const call *k, uint32_t i)
{
    if (i >= k->n || k->args[i].address || k->ngroups)
        read_fail(r, "wrong arguments of %.*s", (int)k->id->s.n, k->id->s.p);
    return k->args[i].v;
}

/* A call of n arguments, with or without a result. */
static void need(reader *r, const call *k, uint32_t n, bool result)
{
    if (k->n != n || k->ngroups || k->ntargs || (k->result != NULL) != result)
        read_fail(r, "wrong arguments of %.*s", (int)k->id->s.n, k->id->s.p);
    for (uint32_t i = 0; i < n; i++)
        plain(r, k, i);
}

/* Ends reading unless the types are the same. */
static void same(reader *r, vt want, vt have)
{
    if (!vt_same(want, have))
        type_fail(r, want, have);
}

/* What += does to a value of the type, for adjoints. */
static const accum *accum_value(reader *r, vt t)
{
    if (t.ptr)
        read_fail(r, "the adjoint is a pointer");
    return accum_of(r, t.t, false);
}

/* Ends reading unless v is a value of this kind. */
static void need_kind(reader *r, const var *v, type_kind kind)
{
    if (v->type.ptr || v->type.t->kind != kind)
        type_fail(r, (vt){type_scalar(r->c, kind), false}, v->type);
}

/* v = copy(w). Between two float types it is a conversion, as in C++. var_2 = wp::copy(var_1);
 * do_move4; of an array do_set_array; float to half: arith's cast */
static void form_copy(reader *r, call *k)
{
    need(r, k, 1, true);
    const vt to = k->result->type, from = k->args[0].type;
    var_use(r, k->args[0].v);
    if (to.t != from.t && !to.ptr && !from.ptr && type_is_float(to.t) && type_is_float(from.t)) {
        k->made = to.t; /* C++ converts */
        call_native(r, k);
        return;
    }
    emit_move(r, k->result, &k->args[0]);
}

/* The storage that an array of the type keeps its view in; NULL: it is no array. */
static array_view *view_storage(reader *r, vt t)
{
    return t.t->kind == TYPE_ARRAY && !t.ptr ? (void *)frame_take(r, sizeof(array_view)) : NULL;
}

/* assign(dest, src) where src may be unset; then dest is, too. Warp's text of an unrolled loop
 * assigns each variable that a later pass sets, also one that only a branch sets:
 *
 *     if (var_35) { var_36 = ...; }        the first pass
 *     if (var_65) { var_66 = ...; }        the second
 *     var_69 = wp::where(var_65, var_66, var_36);
 *     wp::assign(var_36, var_69);          do_assign_lazy, v: {var_36, var_69} */
static void assign_lazily(reader *r, call *k)
{
    var *to = k->args[0].v, *from = k->args[1].v;
    same(r, to->type, from->type);
    where_info *info = ARENA_NEW(r->a, where_info);
    *info = (where_info){
        .a = from, .to = to, .size = vm_size(to->type), .storage = view_storage(r, to->type)};
    var_lazy(r, from);
    ins *i = code_emit(r, do_assign_lazy, 2);
    i->aux = info;
    code_operand(r, i, 0, to, 0);
    code_arg(r, i, 1, &k->args[1]);
    var_maybe_define(r, to);
}

/* assign(dest, src). The move gets a function of its own (do_assigned), because mutants may drop an
 * assignment of the source, but no other move. */
static void form_assign(reader *r, call *k)
{
    need(r, k, 2, false);
    const var *to = k->args[0].v;
    const bool plain = !to->type.ptr && !vt_is_fixed(to->type);
    if (plain && !to->assigned && !k->args[1].v->assigned) {
        assign_lazily(r, k);
        return;
    }
    var_use(r, k->args[1].v);
    emit_move(r, k->args[0].v, &k->args[1]);
    WEFT_ASSERT(r->code.n > r->start); /* emit_move has emitted the move */
    ins *i = &r->code.v[r->code.n - 1];
    if (i->run != do_set_array && i->run != do_fixed_copy)
        i->run = do_assigned;
}

/* adj_copy(src, adj_src, adj_dest) */
static void form_adj_copy(reader *r, call *k)
{
    need(r, k, 3, false);
    const vt t = k->args[0].type;
    same(r, t, k->args[1].type);
    same(r, t, k->args[2].type);
    var_pair(r, k->args[0].v, k->args[1].v);
    ins *i = code_emit(r, do_adj_copy, 2);
    i->aux = accum_value(r, t);
    code_arg(r, i, 0, &k->args[1]);
    code_arg(r, i, 1, &k->args[2]);
}

/* adj_assign(dest, src, adj_dest, adj_src) */
static void form_adj_assign(reader *r, call *k)
{
    need(r, k, 4, false);
    const vt t = k->args[0].type;
    for (uint32_t i = 1; i < 4; i++)
        same(r, t, k->args[i].type);
    var_pair(r, k->args[0].v, k->args[2].v);
    var_pair(r, k->args[1].v, k->args[3].v);
    ins *i = code_emit(r, do_adj_assign, 2);
    i->aux = accum_value(r, t);
    code_arg(r, i, 0, &k->args[3]);
    code_arg(r, i, 1, &k->args[2]);
}

/* v = load(pointer). The adjoint of what is loaded belongs to the pointer (var.source): Warp writes
 * adj_5 for a use of var_7 = wp::load(var_5). */
void form_load(reader *r, call *k)
{
    need(r, k, 1, true);
    var *from = k->args[0].v;
    if (!from->type.ptr)
        read_fail(r, "'%.*s' is no pointer", (int)from->name.n, from->name.p);
    same(r, k->result->type, (vt){from->type.t, false});
    var_use(r, from);
    const size_t size = vm_size(k->result->type);
    ins *i = code_emit(r, size == 4 ? do_load4 : size == 8 ? do_load8 : do_load, 2);
    i->size = size;
    code_operand(r, i, 0, k->result, 0);
    code_operand(r, i, 1, from, 0);
    var_define(r, k->result);
    k->result->source = from;
}

/* adj_load(pointer, adj_pointer, adj_value): nothing. Warp 1.19 native/array.h adj_load */
static void form_adj_load(reader *r, call *k)
{
    need(r, k, 3, false);
    const vt t = k->args[2].type;
    same(r, (vt){t.t, true}, k->args[0].type);
    same(r, t, k->args[1].type);
}

/* store(pointer or &place, value) */
void form_store(reader *r, call *k)
{
    if (k->result || k->n != 2 || k->args[1].address || k->ngroups)
        read_fail(r, "wrong arguments of store");
    const operand *to = &k->args[0], *val = &k->args[1];
    const vt t = val->type;
    var_use(r, val->v);
    if (to->address || t.ptr) {
        read_fail(r, "store needs a pointer");
    }
    same(r, (vt){t.t, true}, to->type);
    var_use(r, to->v);
    ins *i = code_emit(r, do_store, 2);
    i->size = vm_size(t);
    code_arg(r, i, 0, to);
    code_arg(r, i, 1, val);
}

/* adj_store(pointer, value, adj_pointer, adj_value): nothing */
static void form_adj_store(reader *r, call *k)
{
    need(r, k, 4, false);
    same(r, (vt){k->args[1].type.t, true}, k->args[0].type);
    same(r, k->args[1].type, k->args[2].type);
    same(r, k->args[1].type, k->args[3].type);
}

/* The type of a call's first argument, which must do as a condition. */
static const type *condition_type(reader *r, const call *k)
{
    const vt t = k->args[0].type;
    if (t.ptr || !(type_is_scalar(t.t) || t.t->kind == TYPE_ARRAY))
        read_fail(r, "a condition must be a scalar or an array");
    return t.t;
}

/* The condition as an operand; of an array, a bool that says whether it has data. */
static operand where_condition(reader *r, const call *k)
{
    const type *t = condition_type(r, k);
    var_use(r, k->args[0].v);
    if (t->kind != TYPE_ARRAY)
        return k->args[0];
    var *b = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    ins *i = code_emit(r, do_array_truth, 2);
    code_operand(r, i, 0, b, 0);
    code_arg(r, i, 1, &k->args[0]);
    var_define(r, b);
    return (operand){.v = b, .type = b->type};
}

/* v = where(cond, a, b). a and b may be unset; do_where tests the chosen one. The view of a chosen
 * array is copied, as emit_move does.
 *
 *     var_3 = wp::where(var_0, var_1, var_2);     do_where, v: {var_3, var_0, var_1, var_2} */
static void form_where(reader *r, call *k)
{
    need(r, k, 3, true);
    var *a = k->args[1].v, *b = k->args[2].v;
    same(r, k->result->type, a->type);
    same(r, k->result->type, b->type);
    if (vt_is_fixed(a->type))
        read_missing(r, STR("a choice of local arrays"));
    const operand c = where_condition(r, k);
    where_info *info = ARENA_NEW(r->a, where_info);
    *info = (where_info){
        .cond = c.type.t, .size = vm_size(a->type), .storage = view_storage(r, a->type)};
    info->a = a->assigned ? NULL : a;
    info->b = b->assigned ? NULL : b;
    var_lazy(r, a);
    var_lazy(r, b);
    const bool maybe = (info->a || info->b) && !k->result->assigned;
    info->to = maybe ? k->result : NULL;
    ins *i = code_emit(r, do_where, 4);
    i->aux = info;
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &c);
    code_operand(r, i, 2, a, 0);
    code_operand(r, i, 3, b, 0);
    if (maybe)
        var_maybe_define(r, k->result);
    else
        var_define(r, k->result);
}

/* adj_where(cond, a, b, adj_cond, adj_a, adj_b, adj_result) */
static void form_adj_where(reader *r, call *k)
{
    need(r, k, 7, false);
    const vt t = k->args[1].type;
    same(r, t, k->args[2].type);
    same(r, k->args[0].type, k->args[3].type);
    for (uint32_t i = 4; i < 7; i++)
        same(r, t, k->args[i].type);
    for (uint32_t i = 0; i < 3; i++)
        var_pair(r, k->args[i].v, k->args[3 + i].v);
    const operand c = where_condition(r, k);
    where_info *info = ARENA_NEW(r->a, where_info);
    *info = (where_info){.cond = c.type.t, .accum = accum_value(r, t)};
    ins *i = code_emit(r, do_adj_where, 4);
    i->aux = info;
    code_arg(r, i, 0, &c);
    for (uint32_t a = 1; a < 4; a++)
        code_arg(r, i, a, &k->args[3 + a]);
}

/* v = range(end), range(start, end), range(start, end, step)
 *
 *     var_1 = wp::range(var_0);     do_range, n 2, v: {var_1, var_0} */
static void form_range(reader *r, call *k)
{
    if (k->n < 1 || k->n > 3)
        read_fail(r, "wrong arguments of range");
    need(r, k, k->n, true);
    need_kind(r, k->result, TYPE_RANGE);
    for (uint32_t a = 0; a < k->n; a++) {
        need_kind(r, k->args[a].v, TYPE_INT32);
        var_use(r, k->args[a].v);
    }
    ins *i = code_emit(r, do_range, k->n + 1);
    code_operand(r, i, 0, k->result, 0);
    for (uint32_t a = 0; a < k->n; a++)
        code_arg(r, i, a + 1, &k->args[a]);
    var_define(r, k->result);
}

/* i = iter_next(range): gives the range's number and steps it; of a query, what iter_cmp found. */
static void form_iter_next(reader *r, call *k)
{
    need(r, k, 1, true);
    if (k->args[0].type.t->kind == TYPE_NATIVE && !k->args[0].type.ptr) {
        call_native(r, k);
        return;
    }
    need_kind(r, k->result, TYPE_INT32);
    need_kind(r, k->args[0].v, TYPE_RANGE);
    var_use(r, k->args[0].v);
    ins *i = code_emit(r, do_iter_next, 2);
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    var_define(r, k->result);
}

/* range = iter_reverse(range): the same numbers from the last to the first. */
static void form_iter_reverse(reader *r, call *k)
{
    need(r, k, 1, true);
    if (k->args[0].type.t->kind == TYPE_NATIVE) { /* Warp 1.19: a query stays as it is */
        var_use(r, k->args[0].v);
        emit_move(r, k->result, &k->args[0]);
        return;
    }
    need_kind(r, k->result, TYPE_RANGE);
    need_kind(r, k->args[0].v, TYPE_RANGE);
    var_use(r, k->args[0].v);
    ins *i = code_emit(r, do_iter_reverse, 2);
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    var_define(r, k->result);
}

/* print(x) and its adjoint: a launch prints nothing, but x must have a value */
static void form_print(reader *r, call *k)
{
    if (k->result || !k->n || k->ngroups)
        read_fail(r, "wrong arguments of print");
    var_use(r, plain(r, k, 0));
}

/* expect_eq(a, b) and the like print in Warp, and change nothing. what: how many arguments. */
static void form_expect(reader *r, call *k)
{
    if (k->result || k->ngroups || (int)k->n != k->form->what)
        read_fail(r, "wrong arguments of an expectation");
    for (uint32_t i = 0; i < k->n; i++)
        var_use(r, plain(r, k, i));
    if (!vt_same(k->args[0].type, k->args[1].type))
        type_fail(r, k->args[0].type, k->args[1].type);
}

/* extract(shape, i), extract<2>(tuple); of composites it is arithmetic. The items of a tuple lie
 * side by side in units of 8 bytes, as form_tuple stores them. */
static void form_extract(reader *r, call *k)
{
    const vt t = k->n ? k->args[0].type : (vt){0};
    if (k->ntargs == 1 && t.t && t.t->kind == TYPE_TUPLE && !t.ptr && !k->targs[0].t) {
        size_t offset = 0;
        if (k->n != 1 || !k->result || k->tnums[0] >= t.t->nitems)
            read_fail(r, "wrong arguments of extract");
        for (int64_t i = 0; i < k->tnums[0]; i++)
            offset += (vm_type_size(t.t->items[i]) + 7) & ~(size_t)7;
        const operand from = {
            .v = plain(r, k, 0), .offset = offset, .type = {t.t->items[k->tnums[0]], false}};
        var_use(r, from.v);
        emit_move(r, k->result, &from);
        return;
    }
    if (!t.t || t.ptr || t.t != type_native(r->c, "shape_t")) {
        call_native(r, k);
        return;
    }
    need(r, k, 2, true);
    need_kind(r, k->result, TYPE_INT32);
    need_kind(r, k->args[1].v, TYPE_INT32);
    var_use(r, k->args[0].v);
    var_use(r, k->args[1].v);
    ins *i = code_emit(r, do_shape_item, 3);
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    code_arg(r, i, 2, &k->args[1]);
    var_define(r, k->result);
}

/* Adjoints of shapes and tuples: extract(shape, i, adj_shape, adj_i, adj_result) adds nothing. */
static void form_adj_extract(reader *r, call *k)
{
    const vt t = k->n ? k->args[0].type : (vt){0};
    if (t.t && !t.ptr && t.t->kind == TYPE_TUPLE)
        read_missing(r, STR("adj_extract of a tuple"));
    if (!t.t || t.ptr || t.t != type_native(r->c, "shape_t")) {
        call_native(r, k);
        return;
    }
    need(r, k, 5, false);
    same(r, t, k->args[2].type);
    same(r, k->args[1].type, k->args[3].type);
    need_kind(r, k->args[4].v, TYPE_INT32);
}

/* pointer = indexref(pointer to a composite, indices) */
static void form_indexref(reader *r, call *k)
{
    if (k->n < 2 || k->n > 3)
        read_fail(r, "wrong arguments of indexref");
    need(r, k, k->n, true);
    var *at = k->args[0].v;
    const type *t = at->type.t;
    if (!at->type.ptr || !type_is_composite(t) || (k->n == 3 && t->kind != TYPE_MAT))
        read_fail(r, "indexref needs a pointer to a vector or matrix");
    var_use(r, at);
    at = component_step(r, at, t, t->kind == TYPE_MAT, t->rows, k->args[1].v);
    if (k->n == 3)
        at = component_step(r, at, t, false, t->cols, k->args[2].v);
    emit_move(r, k->result, &(operand){.v = at, .type = at->type});
}

/* adj_indexref(pointer, indices, adj_composite, adj_indices, adj_component): nothing */
static void form_adj_indexref(reader *r, call *k)
{
    const uint32_t half = (k->n - 1) / 2;
    if (k->n != 5 && k->n != 7)
        read_fail(r, "wrong arguments of adj_indexref");
    need(r, k, k->n, false);
    same(r, k->args[0].type, (vt){k->args[half].type.t, true});
    for (uint32_t i = 1; i < half; i++)
        same(r, k->args[i].type, k->args[half + i].type);
    if (k->args[k->n - 1].type.ptr)
        read_fail(r, "an adjoint is a pointer");
}

/* v = tuple_t<...>(items), or tuple(items), whose type is v's. Gaps between items are zero. */
void form_tuple(reader *r, call *k)
{
    const type *t = k->made ? k->made : k->result ? k->result->type.t : NULL;
    size_t offset = 0;
    if (!t || t->kind != TYPE_TUPLE)
        read_fail(r, "a tuple that nobody gets");
    if (k->n != t->nitems || k->ngroups || !k->result)
        read_fail(r, "wrong arguments of a tuple");
    same(r, k->result->type, (vt){t, false});
    emit_zero_all(r, k->result);
    for (uint32_t i = 0; i < k->n; i++) {
        const vt item = {t->items[i], false};
        same(r, item, k->args[i].type);
        var_use(r, plain(r, k, i));
        emit_field_set(r, k->result, offset, &k->args[i]);
        offset += (vm_type_size(item.t) + 7) & ~(size_t)7;
    }
}

/* Columns: the name after wp::; the function that reads the call; its parameter; does it read the
 * parentheses itself? Sorted by name, for form_find. */
static const form forms[] = {
    {"address", form_address, 0, false},
    {"adj_address", form_adj_address, 0, false},
    {"adj_array_atomic_add_slot", form_adj_slot, 1, true},
    {"adj_array_atomic_and_slot", form_adj_slot, 3, true},
    {"adj_array_atomic_or_slot", form_adj_slot, 3, true},
    {"adj_array_atomic_sub_slot", form_adj_slot, 2, true},
    {"adj_array_atomic_xor_slot", form_adj_slot, 3, true},
    {"adj_array_store", form_adj_array_store, 0, false},
    {"adj_array_store_slot", form_adj_slot, 0, true},
    {"adj_assign", form_adj_assign, 0, false},
    {"adj_atomic_add", form_adj_atomic, ATOMIC_ADD, false},
    {"adj_atomic_and", form_adj_atomic, ATOMIC_AND, false},
    {"adj_atomic_cas", form_adj_atomic, ATOMIC_CAS, false},
    {"adj_atomic_exch", form_adj_atomic, ATOMIC_EXCH, false},
    {"adj_atomic_max", form_adj_atomic, ATOMIC_MAX, false},
    {"adj_atomic_min", form_adj_atomic, ATOMIC_MIN, false},
    {"adj_atomic_or", form_adj_atomic, ATOMIC_OR, false},
    {"adj_atomic_sub", form_adj_atomic, ATOMIC_SUB, false},
    {"adj_atomic_xor", form_adj_atomic, ATOMIC_XOR, false},
    {"adj_copy", form_adj_copy, 0, false},
    {"adj_extract", form_adj_extract, 0, false},
    {"adj_indexref", form_adj_indexref, 0, false},
    {"adj_len", form_adj_len, 0, false},
    {"adj_load", form_adj_load, 0, false},
    {"adj_print", form_print, 0, false},
    {"adj_store", form_adj_store, 0, false},
    {"adj_unot", form_adj_not, 0, false},
    {"adj_view", form_adj_view, 0, false},
    {"adj_where", form_adj_where, 0, false},
    {"array_atomic_add_slot", form_atomic_slot, ATOMIC_ADD, true},
    {"array_atomic_and_slot", form_atomic_slot, ATOMIC_AND, true},
    {"array_atomic_or_slot", form_atomic_slot, ATOMIC_OR, true},
    {"array_atomic_sub_slot", form_atomic_slot, ATOMIC_SUB, true},
    {"array_atomic_xor_slot", form_atomic_slot, ATOMIC_XOR, true},
    {"array_store", form_array_store, 0, false},
    {"assign", form_assign, 0, false},
    {"atomic_add", form_atomic, ATOMIC_ADD, false},
    {"atomic_and", form_atomic, ATOMIC_AND, false},
    {"atomic_cas", form_atomic, ATOMIC_CAS, false},
    {"atomic_exch", form_atomic, ATOMIC_EXCH, false},
    {"atomic_max", form_atomic, ATOMIC_MAX, false},
    {"atomic_min", form_atomic, ATOMIC_MIN, false},
    {"atomic_or", form_atomic, ATOMIC_OR, false},
    {"atomic_sub", form_atomic, ATOMIC_SUB, false},
    {"atomic_xor", form_atomic, ATOMIC_XOR, false},
    {"copy", form_copy, 0, false},
    {"expect_eq", form_expect, 2, false},
    {"expect_near", form_expect, 3, false},
    {"expect_neq", form_expect, 2, false},
    {"extract", form_extract, 0, false},
    {"indexref", form_indexref, 0, false},
    {"iter_next", form_iter_next, 0, false},
    {"iter_reverse", form_iter_reverse, 0, false},
    {"len", form_len, 0, false},
    {"load", form_load, 0, false},
    {"lower_bound", form_lower_bound, 0, false},
    {"print", form_print, 0, false},
    {"range", form_range, 0, false},
    {"store", form_store, 0, false},
    {"tuple", form_tuple, 0, false},
    {"unot", form_not, 0, false},
    {"view", form_view, 0, false},
    {"where", form_where, 0, false},
};

/* Binary search; s does not end with a 0. */
const form *form_find(str s)
{
    size_t low = 0, high = sizeof forms / sizeof *forms;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char *have = forms[middle].name;
        WEFT_ASSERT(middle == 0 || strcmp(forms[middle - 1].name, have) < 0);
        const int order = strncmp(have, s.p, s.n);
        if (order == 0 && have[s.n] == 0)
            return &forms[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
