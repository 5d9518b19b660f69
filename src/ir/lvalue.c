/* Paths to storage, for references and their adjoints: Warp 1.19 _LValueOrigin. */
#include "ir/lower.h"

const lvalue *lvalue_local(lower *l, uint32_t v, bool is_ref)
{
    lvalue *o = ARENA_NEW(&l->c->module, lvalue);
    o->root = v;
    o->root_is_ref = is_ref;
    return o;
}

const lvalue *lvalue_extend(lower *l, const lvalue *o, lvalue_step step)
{
    lvalue *longer = ARENA_NEW(&l->c->module, lvalue);
    lvalue_step *steps = ARENA_ARRAY(&l->c->module, lvalue_step, o->nsteps + 1);
    if (o->nsteps)
        memcpy(steps, o->steps, o->nsteps * sizeof *steps);
    steps[o->nsteps] = step;
    *longer = (lvalue){o->root, o->root_is_ref, steps, o->nsteps + 1};
    return longer;
}

const lvalue *lvalue_field(lower *l, const lvalue *o, const sym *field)
{
    return lvalue_extend(l, o, (lvalue_step){.kind = STEP_FIELD, .field = sym_str(field)});
}

const lvalue *lvalue_index(lower *l, const lvalue *o, step_kind kind, const uint32_t *idx,
                           uint32_t n)
{
    return lvalue_extend(l, o, (lvalue_step){.kind = kind, .indices = idx, .nindices = n});
}

static bool is_array(const type *t)
{
    return t->kind == TYPE_ARRAY;
}

const lvalue *origin_of(lower *l, uint32_t v)
{
    const type *t = var_type(l, v);
    const lvalue *origin = info_of(l, v)->origin;
    if (t->kind == TYPE_REF || (is_array(t) && origin))
        return origin;
    for (uint32_t i = 0; i < l->scope.n; i++)
        if (l->scope.v[i].var == v)
            return lvalue_local(l, v, false);
    return origin;
}

static void put_var(lower *l, strbuf *out, uint32_t v, bool adjoint)
{
    const ir_var *x = &l->u->vars.v[v];
    if (!x->bare)
        sb_c(out, adjoint ? "adj_" : "var_");
    sb_str(out, x->label);
}

static void put_indices(lower *l, strbuf *out, const lvalue_step *s)
{
    for (uint32_t i = 0; i < s->nindices; i++) {
        if (i)
            SB_LIT(out, ", ");
        put_var(l, out, s->indices[i], false);
    }
}

static void put_access(lower *l, strbuf *out, const char *fn, str base, const lvalue_step *s)
{
    sb_c(out, fn);
    sb_str(out, base);
    SB_LIT(out, ", ");
    put_indices(l, out, s);
    sb_char(out, ')');
}

void lvalue_step_text(lower *l, strbuf *out, str base, const lvalue_step *s)
{
    switch (s->kind) {
    case STEP_FIELD:
        sb_char(out, '(');
        sb_str(out, base);
        SB_LIT(out, ").");
        sb_str(out, s->field);
        return;
    case STEP_ARRAY:
        put_access(l, out, "(*wp::address(", base, s);
        sb_char(out, ')');
        return;
    case STEP_VIEW: put_access(l, out, "wp::view(", base, s); return;
    case STEP_INDEX:
        put_access(l, out, "(*wp::index(", base, s);
        sb_char(out, ')');
        return;
    }
}

str finish_text(lower *l, strbuf *b)
{
    str s = {arena_dup(&l->c->module, b->p ? b->p : "", b->n), b->n};
    sb_clear(b);
    return s;
}

/* The expression of the first n steps. */
static str prefix_text(lower *l, const lvalue *o, uint32_t n, bool adjoint)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    if (o->root_is_ref)
        SB_LIT(&b, "*(");
    put_var(l, &b, o->root, adjoint);
    if (o->root_is_ref)
        sb_char(&b, ')');
    str text = finish_text(l, &b);
    for (uint32_t i = 0; i < n; i++) {
        lvalue_step_text(l, &b, text, &o->steps[i]);
        text = finish_text(l, &b);
    }
    return text;
}

void lvalue_text(lower *l, strbuf *out, const lvalue *o, bool adjoint)
{
    sb_str(out, prefix_text(l, o, o->nsteps, adjoint));
}

/* Warp 1.19 _emit_step_pointer. */
static void put_last_pointer(lower *l, strbuf *out, str base, const lvalue_step *last, bool adjoint)
{
    sb_str(out, adjoint ? last->adj_cast : last->cast);
    if (last->kind == STEP_ARRAY) {
        put_access(l, out, "wp::address(", base, last);
    } else if (last->kind == STEP_INDEX) {
        put_access(l, out, "wp::index(", base, last);
    } else {
        SB_LIT(out, "&(");
        lvalue_step_text(l, out, base, last);
        sb_char(out, ')');
    }
}

void lvalue_pointer(lower *l, strbuf *out, const lvalue *o, bool adjoint)
{
    if (!o->nsteps) {
        if (!o->root_is_ref)
            SB_LIT(out, "&(");
        put_var(l, out, o->root, adjoint);
        if (!o->root_is_ref)
            sb_char(out, ')');
        return;
    }
    str base = prefix_text(l, o, o->nsteps - 1, adjoint);
    put_last_pointer(l, out, base, &o->steps[o->nsteps - 1], adjoint);
}

/* Warp 1.19 _emit_materialized_view. */
static str name_view(lower *l, str base, const lvalue_step *s, prelude *before)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    SB_LIT(&b, "_wp_ref_view_");
    sb_uint(&b, l->labels++);
    str name = finish_text(l, &b);
    SB_LIT(&b, "auto ");
    sb_str(&b, name);
    SB_LIT(&b, " = ");
    lvalue_step_text(l, &b, base, s);
    sb_char(&b, ';');
    before->text[before->n++] = finish_text(l, &b);
    return name;
}

str lvalue_adjoint_pointer(lower *l, const lvalue *o, prelude *before)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    bool views = false;
    for (uint32_t i = 0; i + 1 < o->nsteps; i++)
        views |= o->steps[i].kind == STEP_VIEW;
    if (!views) {
        lvalue_pointer(l, &b, o, true);
        return finish_text(l, &b);
    }
    str text = prefix_text(l, o, 0, true);
    for (uint32_t i = 0; i + 1 < o->nsteps; i++) {
        const lvalue_step *s = &o->steps[i];
        if (s->kind == STEP_VIEW && before->n < sizeof before->text / sizeof *before->text) {
            text = name_view(l, text, s, before);
            continue;
        }
        lvalue_step_text(l, &b, text, s);
        text = finish_text(l, &b);
    }
    put_last_pointer(l, &b, text, &o->steps[o->nsteps - 1], true);
    return finish_text(l, &b);
}

static uint32_t reference_to(lower *l, const lvalue *origin, const type *t)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    lvalue_pointer(l, &b, origin, false);
    uint32_t r = name_var(l, type_ref(l->c, t), finish_text(l, &b), true);
    info_of(l, r)->origin = origin;
    return r;
}

/* Warp 1.19 emit_addressable_reference: a pointer to the storage that `n` (or v) names. */
uint32_t addressable(lower *l, const node *at, const node *n, uint32_t v, const type *expected)
{
    if (v == NO_VAR) {
        if (!n || (n->kind != AST_Name && n->kind != AST_Subscript && n->kind != AST_Attribute))
            lower_error(l, at, NOT_ADDRESSABLE);
        v = lower_value(l, n);
    }
    bool named = n && n->kind == AST_Name;
    if (named && var_constant(l, v))
        lower_error(l, at, REF_TO_CONSTANT, AST(Name, n)->id->s);
    const lvalue *origin = info_of(l, v)->origin;
    if (var_type(l, v)->kind == TYPE_REF) {
        if (!origin)
            lower_error(l, at, NOT_ADDRESSABLE);
    } else if (origin && !named) {
        v = reference_to(l, origin, var_type(l, v));
    } else if (named) {
        v = reference_to(l, lvalue_local(l, v, false), var_type(l, v));
    } else {
        lower_error(l, at, NOT_ADDRESSABLE);
    }
    if (expected && !type_equal(var_type(l, v)->elem, expected->elem))
        lower_error(l, at, REF_TYPE, (int)expected->elem->pyname.n, expected->elem->pyname.p,
                    (int)var_value_type(l, v)->pyname.n, var_value_type(l, v)->pyname.p);
    return v;
}
