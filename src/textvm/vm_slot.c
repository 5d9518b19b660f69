/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics and stores of a component of an array's element. A lambda says which component:
 *
 *     b[i].mass += 1.0                                                    in Python
 *     wp::array_atomic_add_slot(var_b, var_2,
 *         [&](auto& _e) -> auto& { return _e.mass; }, var_0);             in Warp's text
 *     -> do_address1 (the element), do_address_of (the field), do_atomic_at
 *
 * The lambda stands before the indices, so its path is read to a list first and followed when the
 * element's address is there. */
#include "base/assert.h"
#include "base/format.h"
#include "textvm/vm_read.h"

enum { STEPS_MAX = 12 };

typedef struct slot_step { /* a field, or a component with its indices */
    const vm_name *id;     /* NULL: a subscript */
    var *indices[2];
    int64_t number; /* of a subscript without indices[0] */
    uint32_t n;     /* indices */
    bool call;      /* a component */
} slot_step;

/* The steps from the element to the component, as in _e.v.component_ref(var_4), or in Warp 1.17
 * _e.v.c[1]. */
typedef struct slot_path {
    slot_step steps[STEPS_MAX];
    uint32_t n;
} slot_path;

/* [var_4] or [1], from behind the bracket. */
static void subscript_read(reader *r, slot_step *s)
{
    *s = (slot_step){.n = r->tok.kind != T_NUMBER};
    if (s->n)
        s->indices[0] = var_read(r);
    else
        s->number = tok_int(r);
    tok_expect(r, ']');
}

/* One step, from behind its '.' or '['. */
static void step_read(reader *r, slot_path *path, bool subscript)
{
    if (path->n == STEPS_MAX)
        read_fail(r, "a component is nested too deep");
    slot_step *s = &path->steps[path->n++];
    if (subscript) {
        subscript_read(r, s);
        return;
    }
    *s = (slot_step){.id = tok_name(r)};
    if (!tok_accept(r, '('))
        return;
    s->call = true;
    while (r->tok.kind != ')') {
        if (s->n == 2)
            read_fail(r, "too many indices");
        if (s->n)
            tok_expect(r, ',');
        s->indices[s->n++] = var_read(r);
    }
    tok_next(r);
}

/* The lambda, from the comma before it. */
static void lambda_read(reader *r, slot_path *path)
{
    path->n = 0;
    tok_words(r, ", [ & ] ( auto & _e ) -> auto & { return _e");
    while (r->tok.kind == '.' || r->tok.kind == '[') {
        const bool subscript = r->tok.kind == '[';
        tok_next(r);
        step_read(r, path, subscript);
    }
    tok_words(r, "; }");
}

/* The indices behind the lambda, and the closing parenthesis. Returns how many. */
static uint32_t indices_read(reader *r, operand *indices)
{
    uint32_t n = 0;
    while (tok_accept(r, ',')) {
        if (n == 4)
            read_fail(r, "too many indices");
        var *v = var_read(r);
        indices[n++] = (operand){.v = v, .type = v->type};
    }
    tok_expect(r, ')');
    return n;
}

/* The component's place, from the element's address in `pointer`. The pointer may be NULL at run
 * time (an element without a gradient); all steps then leave it NULL. */
static place follow(reader *r, var *pointer, const slot_path *path)
{
    WEFT_ASSERT(path->n <= STEPS_MAX && pointer->type.ptr);
    place p = {.v = pointer, .type = {pointer->type.t, false}, .behind = true};
    for (uint32_t i = 0; i < path->n; i++) {
        const slot_step *s = &path->steps[i];
        size_t offset;
        if (!s->id) {
            subscript_apply(r, &p, s->indices[0], s->number);
        } else if (s->call) {
            component_apply(r, &p, s->id, s->indices, s->n);
        } else if (p.type.t->kind == TYPE_STRUCT &&
                   struct_find(r, p.type.t, s->id, &p.type, &offset)) {
            p.offset += offset;
        } else if (!composite_member(r, &p, s->id)) {
            read_fail(r, "'%.*s' is no field", (int)s->id->s.n, s->id->s.p);
        }
    }
    WEFT_ASSERT(p.behind);
    return p;
}

/* For a component of type `slot` as a whole: the pointer leads to it already. */
static array_info *slot_info(reader *r, const type *slot, int op)
{
    array_info *info = array_info_of(r, slot);
    info->op = op;
    info->accum = accum_of(r, slot, false);
    return info;
}

/* The array in a place, as a variable: what a struct holds is loaded. */
static var *array_var(reader *r, const place *p)
{
    if (!p->behind && !p->offset && vt_same(p->type, p->v->type))
        return p->v;
    var_use(r, p->v);
    place at = *p;
    if (!at.behind)
        at = (place){.v = place_pointer(r, p), .type = p->type, .behind = true};
    return place_operand(r, &at).v;
}

/* slot_adj_3: the name of step 3. */
static void step_name_read(reader *r, uint32_t number)
{
    char want[24];
    format_text(want, sizeof want, "slot_adj_%u", number);
    const vm_name *name = tok_name(r);
    if (!str_eq(name->s, str_c(want)))
        read_fail(r, "expected '%s'", want);
}

/* The adjoint of an array that a struct holds, Warp 1.19 array_slot_adjoint:
 *
 *     ([&]() -> T { auto slot_adj_0 = adj_s; auto slot_adj_1 = (slot_adj_0).a;
 *                   return slot_adj_1; }())
 *
 * Each step is a field of the one before. Steps through an element, which has a guard, are not
 * executed. */
static place guarded_read(reader *r)
{
    uint32_t last = 0;
    tok_words(r, "( [ & ] ( ) ->");
    type_read(r);
    tok_words(r, "{ auto slot_adj_0 =");
    place p = place_read(r);
    tok_expect(r, ';');
    if (tok_is(r, "if"))
        read_missing(r, STR("the adjoint of an array in an array"));
    for (; tok_is(r, "auto"); last++) {
        tok_next(r);
        step_name_read(r, last + 1);
        tok_words(r, "= (");
        step_name_read(r, last);
        tok_words(r, ") .");
        vm_name *field = tok_name(r);
        size_t offset;
        if (!struct_find(r, p.type.t, field, &p.type, &offset))
            read_fail(r, "'%.*s' is no field", (int)field->s.n, field->s.p);
        p.offset += offset;
        tok_expect(r, ';');
        if (tok_is(r, "if"))
            read_missing(r, STR("the adjoint of an array in an array"));
    }
    tok_words(r, "return");
    step_name_read(r, last);
    tok_words(r, "; } ( ) )");
    return p;
}

/* old = array_atomic_OP_slot(array, value, lambda, indices) */
void form_atomic_slot(reader *r, call *k)
{
    operand indices[4];
    slot_path path;
    tok_expect(r, '(');
    const place of = place_read(r);
    tok_expect(r, ',');
    var *val = var_read(r);
    lambda_read(r, &path);
    const uint32_t n = indices_read(r, indices);
    var *array = array_var(r, &of);
    var_use(r, array);
    var_use(r, val);
    const type *elem = array_elem(r, array->type);
    var *pointer = var_temp(r, (vt){elem, true});
    array_address(r, pointer, &(operand){.v = array, .type = array->type}, indices, n);
    const place p = follow(r, pointer, &path);
    if (!vt_same(p.type, val->type))
        type_fail(r, p.type, val->type);
    var *old = k->result ? k->result : var_temp(r, p.type);
    if (!vt_same(p.type, old->type) || !type_is_value(p.type.t))
        type_fail(r, p.type, old->type);
    var *at = place_pointer(r, &p);
    ins *i = code_emit(r, do_atomic_at, 3);
    i->aux = slot_info(r, p.type.t, k->form->what);
    code_operand(r, i, 0, old, 0);
    code_operand(r, i, 1, at, 0);
    code_operand(r, i, 2, val, 0);
    var_define(r, old);
}

/* adj_array_OP_slot(array, adj_array, adj_value, lambda, indices); what: 0 store, 1 add, 2 sub, 3
 * others. Warp 1.19 native/array.h adj_array_store_slot and its like; see do_adj_slot. */
void form_adj_slot(reader *r, call *k)
{
    operand indices[4];
    slot_path path;
    tok_expect(r, '(');
    const place of = place_read(r);
    tok_expect(r, ',');
    const place adjoint_of = r->tok.kind == '(' ? guarded_read(r) : place_read(r);
    tok_expect(r, ',');
    var *val = var_read(r);
    lambda_read(r, &path);
    const uint32_t n = indices_read(r, indices);
    if (k->result || val->is_const)
        read_fail(r, "an adjoint has no result");
    var *array = array_var(r, &of), *adjoint = array_var(r, &adjoint_of);
    const type *elem = array_elem(r, array->type);
    if (!vt_same(array->type, adjoint->type))
        type_fail(r, array->type, adjoint->type);
    var_use(r, array);
    var_use(r, adjoint);
    var *pointer = var_temp(r, (vt){elem, true});
    var *own = var_temp(r, (vt){type_scalar(r->c, TYPE_BOOL), false});
    array_gradient(r, pointer, own, array, adjoint, indices, n);
    const place p = follow(r, pointer, &path);
    if (!vt_same(p.type, val->type))
        type_fail(r, p.type, val->type);
    var *at = place_pointer(r, &p);
    var_use(r, val);
    ins *i = code_emit(r, do_adj_slot, 3);
    i->aux = slot_info(r, p.type.t, k->form->what);
    code_operand(r, i, 0, val, 0);
    code_operand(r, i, 1, at, 0);
    code_operand(r, i, 2, own, 0);
}
