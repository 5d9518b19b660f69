/* SPDX-License-Identifier: Apache-2.0 */
/* Names of variables, and places as expressions: Warp 1.19 _LValueOrigin and _ArraySlot.
 *
 *     VAR s, FIELD pos                     (var_s).pos
 *     ADDRESS of it                        &((var_s).pos)
 *     ITEM, FIELD pos, COMPONENT 1         .pos.component_ref(var_1)
 *     GUARDED (ADJ s, FIELD a)             ([&]() -> T { auto slot_adj_0 = adj_s; ... }())
 *
 * Parentheses are Warp's, also where C++ needs none. */
#include "emit/emitter.h"

/* "var_3", "adj_3", or a name that takes no prefix. */
static void put_var(const emitter *e, strbuf *out, uint32_t var, const char *prefix)
{
    WEFT_ASSERT(e->names != NULL);
    const emit_name *name = &e->names[var];
    if (!name->bare)
        sb_c(out, prefix);
    sb_str(out, emit_label(name));
}

/* The place's indices, joined by ", ". */
static void put_indices(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p)
{
    for (uint32_t i = 0; i < p->nindices; i++) {
        if (i)
            SB_LIT(out, ", ");
        put_var(e, out, ir_index(u->args.v[p->indices + i]), "var_");
    }
}

/* What a step is made from: a place, or the name that stands for it. */
typedef struct step_base {
    uint32_t place;
    const str *name; /* NULL: the place itself */
} step_base;

/* The base of a step as an expression. */
static void put_base(const emitter *e, strbuf *out, const ir_unit *u, const step_base *b)
{
    if (b->name)
        sb_str(out, *b->name);
    else
        emit_place(e, out, u, b->place);
}

/* fn(base, indices): `fn` ends in the opening bracket. */
static void put_access(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p,
                       const char *fn, const step_base *b)
{
    sb_c(out, fn);
    put_base(e, out, u, b);
    SB_LIT(out, ", ");
    put_indices(e, out, u, p);
    sb_char(out, ')');
}

/* One step from a base: a member, an element, a view, a component. */
static void put_step(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p,
                     const step_base *b)
{
    switch ((ir_place_kind)p->kind) {
    case IR_PLACE_FIELD:
        sb_char(out, '(');
        put_base(e, out, u, b);
        SB_LIT(out, ").");
        sb_str(out, sym_str(p->field));
        return;
    case IR_PLACE_ELEMENT:
        put_access(e, out, u, p, "(*wp::address(", b);
        sb_char(out, ')');
        return;
    case IR_PLACE_VIEW: put_access(e, out, u, p, "wp::view(", b); return;
    default:
        WEFT_ASSERT(p->kind == IR_PLACE_COMPONENT);
        put_access(e, out, u, p, "(*wp::index(", b);
        sb_char(out, ')');
        return;
    }
}

/* A component by C++'s own subscripts, as Warp 1.17 writes it: ".data[var_1][var_2]" of a matrix,
 * "[var_1]" of other composites. */
static void put_subscripts(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p)
{
    if (p->nindices == 2)
        SB_LIT(out, ".data");
    for (uint32_t i = 0; i < p->nindices; i++) {
        sb_char(out, '[');
        put_var(e, out, ir_index(u->args.v[p->indices + i]), "var_");
        sb_char(out, ']');
    }
}

/* A member of a value of type t. A vector's x, y, z and w are members of Python's only: c[0] to
 * c[3] in C++. */
static void put_member(strbuf *out, const type *t, const sym *field)
{
    if (t->kind != TYPE_VEC) {
        sb_str(out, sym_str(field));
        return;
    }
    WEFT_ASSERT(strchr("xyzw", field->s[0]));
    SB_LIT(out, "c[");
    sb_uint(out, (uint64_t)(strchr("xyzw", field->s[0]) - "xyzw"));
    sb_char(out, ']');
}

/* Part of the element that a statement is about, which comes before: Warp 1.19 _ArraySlot.access.
 * ".pos.component_ref(var_1)" is a suffix, not an expression. */
static void put_part(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p)
{
    if (p->kind == IR_PLACE_ITEM)
        return;
    const ir_place *base = &u->places.v[p->base];
    put_part(e, out, u, base);
    if (p->kind == IR_PLACE_ITEM_AT) {
        put_subscripts(e, out, u, p);
        return;
    }
    sb_char(out, '.');
    if (p->kind == IR_PLACE_FIELD) {
        put_member(out, base->type, p->field);
        return;
    }
    WEFT_ASSERT(p->kind == IR_PLACE_COMPONENT);
    /* A component of a matrix by one index is a row, by two an element. */
    const bool matrix = base->type->kind == TYPE_MAT;
    sb_c(out, !matrix ? "component_ref(" : p->nindices == 1 ? "row_ref(" : "element_ref(");
    put_indices(e, out, u, p);
    sb_char(out, ')');
}

/* Warp 1.19 _emit_step_pointer: the address of a place. References are pointers already; elements
 * and components have functions that give one. */
static void put_pointer(const emitter *e, strbuf *out, const ir_unit *u, uint32_t place)
{
    const ir_place *p = &u->places.v[place];
    const step_base base = {p->base, NULL};
    switch ((ir_place_kind)p->kind) {
    case IR_PLACE_DEREF: put_var(e, out, p->base, "var_"); return;
    case IR_PLACE_ADJ_DEREF: put_var(e, out, p->base, "adj_"); return;
    case IR_PLACE_ELEMENT: put_access(e, out, u, p, "wp::address(", &base); return;
    case IR_PLACE_COMPONENT: put_access(e, out, u, p, "wp::index(", &base); return;
    /* What has no function that gives its address: fields and variables. */
    default:
        SB_LIT(out, "&(");
        emit_place(e, out, u, place);
        sb_char(out, ')');
    }
}

/* "slot_adj_2": the name of step 2 of a guarded place. */
static void put_step_name(strbuf *out, uint32_t i)
{
    SB_LIT(out, "slot_adj_");
    sb_uint(out, i);
}

/* The statements of a guarded place up to `place`: each step has a name, and an array without
 * memory ends them. Returns the last name's number. */
static uint32_t put_guarded_steps(const emitter *e, strbuf *out, const ir_unit *u, uint32_t place)
{
    const ir_place *p = &u->places.v[place];
    if (ir_place_is_root(p)) {
        SB_LIT(out, " auto slot_adj_0 = ");
        emit_place(e, out, u, place);
        sb_char(out, ';');
        return 0;
    }
    const uint32_t i = put_guarded_steps(e, out, u, p->base);
    /* The step reads memory of the array before it, which may have none. */
    if (p->kind == IR_PLACE_ELEMENT || p->kind == IR_PLACE_VIEW) {
        SB_LIT(out, " if (!");
        put_step_name(out, i);
        SB_LIT(out, ".data) return {};");
    }
    SB_LIT(out, " auto ");
    put_step_name(out, i + 1);
    SB_LIT(out, " = ");
    strbuf name;
    sb_init(&name, out->m);
    put_step_name(&name, i);
    /* The step refers to the one before by its name. */
    const str text = sb_view(&name);
    put_step(e, out, u, p, &(step_base){p->base, &text});
    sb_clear(&name);
    sb_char(out, ';');
    return i + 1;
}

/* Warp 1.19 array_slot_adjoint: a lambda that reaches an array through the adjoint of a struct, and
 * returns an empty array where a step on the way has no memory. Without it a kernel whose array in
 * a struct has no gradient would read through a null pointer. */
static void put_guarded(const emitter *e, strbuf *out, const ir_unit *u, const ir_place *p)
{
    SB_LIT(out, "([&]() -> ");
    sb_str(out, p->type->cname);
    SB_LIT(out, " {");
    const uint32_t last = put_guarded_steps(e, out, u, p->base);
    SB_LIT(out, " return ");
    put_step_name(out, last);
    SB_LIT(out, "; }())");
}

/* A variable, its adjoint, or what either refers to. */
static void put_root(const emitter *e, strbuf *out, const ir_place *p)
{
    WEFT_ASSERT(ir_place_is_root(p));
    const bool deref = p->kind == IR_PLACE_DEREF || p->kind == IR_PLACE_ADJ_DEREF;
    if (deref)
        SB_LIT(out, "*(");
    if (p->kind == IR_PLACE_ADJ) { /* "adj_" also before what has no prefix */
        SB_LIT(out, "adj_");
        sb_str(out, emit_label(&e->names[p->base]));
    } else {
        put_var(e, out, p->base, p->kind == IR_PLACE_ADJ_DEREF ? "adj_" : "var_");
    }
    if (deref)
        sb_char(out, ')');
}

/* A place as an expression. A chain without a root variable is a part of the element that the
 * statement is about. */
void emit_place(const emitter *e, strbuf *out, const ir_unit *u, uint32_t place)
{
    WEFT_ASSERT(place < u->places.n);
    const ir_place *p = &u->places.v[place];
    if (ir_place_root(u, place) == UINT32_MAX)
        put_part(e, out, u, p);
    else if (ir_place_is_root(p))
        put_root(e, out, p);
    else if (p->kind == IR_PLACE_ADDRESS)
        put_pointer(e, out, u, p->base);
    else if (p->kind == IR_PLACE_GUARDED)
        put_guarded(e, out, u, p);
    else if (p->kind == IR_PLACE_OFFSET)
        emit_det_offset(e, out, u, p);
    else
        put_step(e, out, u, p, &(step_base){p->base, NULL});
}

/* A label of digits, the most frequent kind, is kept in the name itself. */
static void name_by_number(emit_name *name, uint32_t n)
{
    char digits[12];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    name->len = (uint32_t)(sizeof digits - at);
    name->bare = false;
    emit_copy(name->text, digits + at, name->len);
}

/* A label of its own text, kept as long as the module. */
static void name_by(emitter *e, emit_name *name, const strbuf *b)
{
    name->label = arena_dup(&e->c->module, b->p, b->n);
    name->len = (uint32_t)b->n;
}

/* The label of one variable. Labels that are short are copied into the name, so that emit_stmt need
 * not follow the pointer. */
static void name_var(emitter *e, const ir_unit *u, uint32_t var, strbuf *b)
{
    WEFT_ASSERT(var < u->vars.n);
    const ir_var *v = &u->vars.v[var];
    emit_name *name = &e->names[var];
    b->n = 0;
    switch ((ir_var_kind)v->kind) {
    case IR_VAR_DECLARED: name_by_number(name, v->index); return;
    case IR_VAR_PARAM: {
        const str label = ir_param_name(u, v->index);
        name->label = label.p;
        name->len = (uint32_t)label.n;
        name->bare = false;
        break;
    }
    /* "3.pos" behind "var_" or "adj_"; the base has its label already. */
    case IR_VAR_PART:
        sb_str(b, emit_label(&e->names[v->index]));
        sb_char(b, '.');
        sb_str(b, sym_str(v->field));
        name->bare = e->names[v->index].bare;
        name_by(e, name, b);
        break;
    /* An expression of its own is used without a prefix. */
    case IR_VAR_PLACE:
        emit_place(e, b, u, v->index);
        name->bare = true;
        name_by(e, name, b);
        break;
    case IR_VAR_VIEW:
        SB_LIT(b, "_wp_ref_view_");
        sb_uint(b, v->index);
        name->bare = true;
        name_by(e, name, b);
        break;
    }
    if (name->len <= EMIT_NAME_TEXT)
        emit_copy(name->text, name->label, name->len);
}

/* Names all variables of a unit. A variable refers to earlier ones only, which have their names by
 * then. */
void emit_name_vars(emitter *e, const ir_unit *u)
{
    if (u->vars.n > e->name_cap) {
        const size_t size = mem_mul(e->lines.m, u->vars.n, 2 * sizeof *e->names);
        e->names = mem_resize(e->lines.m, e->names, size);
        e->name_cap = 2 * u->vars.n;
    }
    for (uint32_t i = 0; i < u->vars.n; i++)
        name_var(e, u, i, &e->name);
}
