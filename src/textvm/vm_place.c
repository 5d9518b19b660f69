/* SPDX-License-Identifier: Apache-2.0 */
/* Places: lvalues of the text, what stands after '&' and on the right of a plain assignment.
 *
 *     &(((*wp::address(var_b, var_0))).mass)     a field of an array's element
 *     &(wp::index(var_x, var_0))                 an element
 *     &var_3                                     a variable
 *     var_3.component_ref(var_4)                 a component
 *     wp::index(var_a, var_0).c[1]               the same, as Warp 1.17 writes it
 *
 * A place is a variable with an offset, or a pointer with an offset (struct place). Fields only add
 * to the offset; elements and components need an index that is checked at run time, so an
 * instruction computes a pointer, and the place goes on from there. */
#include "textvm/vm_ops.h"
#include "textvm/vm_read.h"

static void component_place(reader *r, place *p, vm_name *fn);

/* The variable itself. It need not have a value: the place may be written. */
static place place_of_var(reader *r, var *v)
{
    (void)r;
    return (place){.v = v, .type = v->type};
}

/* What a pointer points to. */
static place place_behind(reader *r, var *pointer)
{
    if (!pointer->type.ptr)
        read_fail(r, "'%.*s' is no pointer", (int)pointer->name.n, pointer->name.p);
    var_use(r, pointer);
    return (place){.v = pointer, .type = {pointer->type.t, false}, .behind = true};
}

/* The variable that holds the place's value itself; of a place behind a pointer, a copy. */
operand place_operand(reader *r, const place *p)
{
    if (!p->behind) {
        var_use(r, p->v);
        return (operand){.v = p->v, .offset = p->offset, .type = p->type};
    }
    var *copy = var_temp(r, p->type);
    var *at = place_pointer(r, p);
    ins *i = code_emit(r, do_load, 2);
    i->size = vm_size(p->type);
    code_operand(r, i, 0, copy, 0);
    code_operand(r, i, 1, at, 0);
    var_define(r, copy);
    return (operand){.v = copy, .type = p->type};
}

void place_address(reader *r, const place *p, var *to)
{
    ins *i = code_emit(r, do_address_of, p->behind ? 3 : 2);
    i->size = p->behind ? p->offset : 0;
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, p->v, p->behind ? 0 : p->offset);
    if (p->behind)
        i->v[2] = NULL;
    var_define(r, to);
}

/* The part of type t at `offset` in p. */
static place place_part(const place *p, const type *t, size_t offset)
{
    place part = *p;
    part.type = (vt){t, false};
    part.offset += offset;
    return part;
}

var *place_pointer(reader *r, const place *p)
{
    if (p->behind && !p->offset && p->v->type.t == p->type.t)
        return p->v;
    var *to = var_temp(r, (vt){p->type.t, true});
    place_address(r, p, to);
    return to;
}

/* , i, j ...: up to 4 variables. */
static void index_list(reader *r, operand *indices, uint32_t *n)
{
    *n = 0;
    while (tok_accept(r, ',')) {
        if (*n == 4)
            read_fail(r, "too many indices");
        var *v = var_read(r);
        var_use(r, v);
        indices[(*n)++] = (operand){.v = v, .type = v->type};
    }
}

/* wp::address(array, i...) or wp::index(array, i...), behind its name. The array may be a place,
 * too: a field of a struct.
 *
 *     wp::address(var_b, var_0)     do_address1 to a new pointer; the place is behind it */
static place element_place(reader *r)
{
    operand indices[4];
    uint32_t n;
    tok_expect(r, '(');
    const place array = place_read(r);
    const operand a = place_operand(r, &array);
    index_list(r, indices, &n);
    tok_expect(r, ')');
    var *pointer = var_temp(r, (vt){array_elem(r, a.type), true});
    array_address(r, pointer, &a, indices, n);
    return place_behind(r, pointer);
}

/* One field or method behind '.' or '->': array.shape, a field of a struct, component_ref(i). The
 * shape is copied to a variable of its own, whose address is the place.
 *
 *     var_s.v                       var_s at the offset of v: no instruction
 *     var_a.shape                   do_shape to a variable of its own */
static void place_field(reader *r, place *p)
{
    vm_name *field = tok_name(r);
    size_t offset;
    if (p->type.t->kind == TYPE_ARRAY && str_eq(field->s, STR("shape"))) {
        const operand a = place_operand(r, p);
        var *shape = var_temp(r, (vt){type_native(r->c, "shape_t"), false});
        var *pointer = var_temp(r, (vt){shape->type.t, true});
        ins *i = code_emit(r, do_shape, 3);
        code_operand(r, i, 0, pointer, 0);
        code_arg(r, i, 1, &a);
        code_operand(r, i, 2, shape, 0);
        var_define(r, pointer);
        *p = place_behind(r, pointer);
        return;
    }
    if (struct_find(r, p->type.t, field, &p->type, &offset))
        p->offset += offset;
    else if (r->tok.kind == '(' || !composite_member(r, p, field))
        component_place(r, p, field);
}

/* What '*' stands before: a pointer, in parentheses or not. */
static place pointed_place(reader *r)
{
    const bool parenthesis = tok_accept(r, '(');
    const place p = place_behind(r, var_read(r));
    if (parenthesis)
        tok_expect(r, ')');
    return p;
}

/* ( PLACE ), *pointer, *(pointer), *wp::address(...), wp::index(...), or a variable. */
static place place_atom(reader *r)
{
    if (tok_accept(r, '(')) {
        const place p = place_read(r);
        tok_expect(r, ')');
        return p;
    }
    if (tok_accept(r, '*')) {
        if (!tok_is_native(r, "address"))
            return pointed_place(r);
        tok_next(r);
        return element_place(r);
    }
    if (tok_is_native(r, "index")) {
        tok_next(r);
        return element_place(r);
    }
    return place_of_var(r, var_read(r));
}

/* An atom and what follows it. The depth is limited, since parentheses make it recursive. */
place place_read(reader *r)
{
    if (++r->place_depth > 30)
        read_fail(r, "places are nested too deep");
    place p = place_atom(r);
    for (;;) {
        if (r->tok.kind == T_ARROW && p.type.ptr && !p.behind && !p.offset) {
            tok_next(r);
            p = place_behind(r, p.v);
            place_field(r, &p);
        } else if (r->tok.kind == '.' && !p.type.ptr) {
            tok_next(r);
            place_field(r, &p);
        } else if (r->tok.kind == '[' && !p.type.ptr) {
            tok_next(r);
            const bool number = r->tok.kind == T_NUMBER;
            const int64_t at = number ? tok_int(r) : 0;
            subscript_apply(r, &p, number ? NULL : var_read(r), at);
            tok_expect(r, ']');
        } else {
            break;
        }
    }
    WEFT_ASSERT(!p.behind || !p.type.ptr);
    r->place_depth--;
    return p;
}

/* One step into the composite t behind `at`: to a row of it, or to a scalar. n: how many there are.
 */
var *component_step(reader *r, var *at, const type *t, bool rows, int n, var *index)
{
    WEFT_ASSERT(n > 0 && type_is_composite(t));
    var_use(r, index);
    if (index->type.ptr || !type_is_integer(index->type.t))
        read_fail(r, "an index must be an integer");
    var *to = var_temp(r, (vt){rows ? type_vec(r->c, t->elem, t->cols) : t->elem, true});
    component_info *info = ARENA_NEW(r->a, component_info);
    *info = (component_info){index->type.t, n, layout_size(to->type.t)};
    ins *i = code_emit(r, do_component, 3);
    i->aux = info;
    code_operand(r, i, 0, to, 0);
    code_operand(r, i, 1, at, 0);
    code_operand(r, i, 2, index, 0);
    var_define(r, to);
    return to;
}

/* component_ref(i), row_ref(i), element_ref(i, j) of a composite: methods of Warp's vec_t and
 * mat_t. p becomes the place behind the computed pointer.
 *
 *     component_ref(var_4) of a vec3       do_component, n 3
 *     element_ref(var_4, var_5) of a mat33 do_component to the row, do_component in it */
void component_apply(reader *r, place *p, const vm_name *fn, var *const *indices, uint32_t n)
{
    const type *t = p->type.t;
    const bool element = str_eq(fn->s, STR("element_ref"));
    const bool row = str_eq(fn->s, STR("row_ref"));
    const bool component = str_eq(fn->s, STR("component_ref"));
    const bool matrix = t->kind == TYPE_MAT;
    if (p->type.ptr || !type_is_composite(t) || !(matrix ? element || row : component) ||
        n != (element ? 2 : 1))
        read_fail(r, "'%.*s' is no field here", (int)(fn->s.n < 80 ? fn->s.n : 80), fn->s.p);
    var *at = component_step(r, place_pointer(r, p), t, matrix, t->rows, indices[0]);
    if (element)
        at = component_step(r, at, t, false, t->cols, indices[1]);
    *p = place_behind(r, at);
}

/* The same, from the parentheses on. */
static void component_place(reader *r, place *p, vm_name *fn)
{
    var *indices[2];
    uint32_t n = 0;
    tok_expect(r, '(');
    while (r->tok.kind != ')') {
        if (n == 2)
            read_fail(r, "too many indices");
        if (n)
            tok_expect(r, ',');
        indices[n++] = var_read(r);
    }
    tok_next(r);
    component_apply(r, p, fn, indices, n);
}

bool composite_member(reader *r, place *p, const vm_name *member)
{
    const type *t = p->type.t;
    if (p->type.ptr || !type_is_composite(t))
        return false;
    if (t->kind == TYPE_VEC || t->kind == TYPE_MAT)
        return str_eq(member->s, t->kind == TYPE_VEC ? STR("c") : STR("data"));
    const char *const names = t->kind == TYPE_QUAT ? "xyzw" : "pq";
    const char *const at = member->s.n == 1 ? strchr(names, member->s.p[0]) : NULL;
    if (!at)
        return false;
    const size_t size = layout_size(t->elem), i = (size_t)(at - names);
    if (t->kind == TYPE_QUAT)
        *p = place_part(p, t->elem, i * size);
    else
        *p = place_part(p, i ? type_quat(r->c, t->elem) : type_vec(r->c, t->elem, 3), i * 3 * size);
    return true;
}

/* The number of components of a composite that takes one index; of a matrix its rows. */
static int extent_of(const type *t)
{
    return t->kind == TYPE_QUAT ? 4 : t->kind == TYPE_TRANSFORM ? 7 : t->rows;
}

void subscript_apply(reader *r, place *p, var *index, int64_t number)
{
    const type *t = p->type.t;
    const bool rows = t->kind == TYPE_MAT;
    if (p->type.ptr || !type_is_composite(t))
        read_fail(r, "a subscript of what has no components");
    if (index) {
        *p = place_behind(r, component_step(r, place_pointer(r, p), t, rows, extent_of(t), index));
        return;
    }
    if (number >= extent_of(t))
        read_fail(r, "a component that is not there");
    const type *part = rows ? type_vec(r->c, t->elem, t->cols) : t->elem;
    *p = place_part(p, part, (size_t)number * layout_size(part));
}
