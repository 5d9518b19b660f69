/* What operands of the intermediate form stand for: variables, members of variables, and places
 * that lowering spells out ("&((var_s).pos)", ".component_ref(var_3)"). */
#include "cuda/cuda_operand.h"

#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* The variable with this label: "12" or a parameter's name. */
static uint32_t find_label(const cuda_fn *f, str label)
{
    const ir_unit *u = f->u;
    if (label.n && label.p[0] >= '0' && label.p[0] <= '9') {
        uint32_t n = 0;
        for (size_t i = 0; i < label.n; i++)
            n = n * 10 + (uint32_t)(label.p[i] - '0');
        return n < u->declared.n ? u->declared.v[n] : CUDA_NO_VAR;
    }
    for (uint32_t i = 0; i < u->nparams; i++)
        if (str_eq(u->vars.v[u->params[i]].label, label))
            return u->params[i];
    return CUDA_NO_VAR;
}

static cx *member(cuda_fn *f, cx *base, str field)
{
    const type *t = base->type;
    cx *e = cx_unary(f, CX_FIELD, NULL, base);
    e->name = field;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (str_eq(sym_str(t->st->fields[i].name), field))
            e->type = t->st->fields[i].type;
    if (t->kind == TYPE_TRANSFORM && str_eq(field, STR("p")))
        e->type = type_vec(f->c, t->elem, 3);
    if (t->kind == TYPE_TRANSFORM && str_eq(field, STR("q")))
        e->type = type_quat(f->c, t->elem);
    if (t->kind == TYPE_ARRAY && str_eq(field, STR("shape")))
        return cx_unary(f, CX_SHAPE, type_native(f->c, "shape_t"), base);
    if (!e->type) {
        if (t->kind == TYPE_ARRAY)
            cuda_unsupported(f, "an array's address");
        else
            cuda_unsupported_type(f, t);
        e->type = cuda_int(f);
    }
    return e;
}

static cx *constant_of(cuda_fn *f, const ir_var *v)
{
    cx *e = cx_new(f, CX_CONST, v->type, 0);
    e->k = v->constant;
    return e;
}

/* "3.pos.x": members of a variable. */
static cx *label_place(cuda_fn *f, str label, bool adjoint)
{
    size_t dot = 0;
    while (dot < label.n && label.p[dot] != '.')
        dot++;
    const uint32_t v = find_label(f, (str){label.p, dot});
    if (v == CUDA_NO_VAR) {
        cuda_unsupported(f, "this expression");
        return cx_number(f, 0);
    }
    if (f->u->vars.v[v].constant && !adjoint && dot == label.n)
        return constant_of(f, &f->u->vars.v[v]);
    cx *e = cx_var(f, adjoint ? f->u->vars.n + v : v);
    while (dot < label.n) {
        const size_t from = ++dot;
        while (dot < label.n && label.p[dot] != '.')
            dot++;
        e = member(f, e, (str){label.p + from, dot - from});
    }
    return e;
}

typedef struct text_reader {
    cuda_fn *f;
    const char *p, *end;
} text_reader;

static bool eat(text_reader *r, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
        return false;
    r->p += n;
    return true;
}

static str read_name(text_reader *r)
{
    const char *from = r->p;
    while (r->p < r->end && (*r->p == '_' || *r->p == '.' || (*r->p >= '0' && *r->p <= '9') ||
                             (*r->p >= 'a' && *r->p <= 'z') || (*r->p >= 'A' && *r->p <= 'Z')))
        r->p++;
    return (str){from, (size_t)(r->p - from)};
}

static cx *read_place(text_reader *r);

/* The operands of address, view and index behind the first; the closing parenthesis is eaten. */
static cx *read_access(text_reader *r, cx_kind kind)
{
    cuda_fn *f = r->f;
    cx *parts[8];
    uint32_t n = 0;
    do
        parts[n++] = read_place(r);
    while (n < 8 && eat(r, ", "));
    if (!eat(r, ")"))
        cuda_unsupported(f, "this expression");
    const type *t = parts[0]->type, *result = t->elem;
    if (kind == CX_VIEW)
        result = type_array(f->c, ARRAY_PLAIN, t->elem, t->ndim - (int)n + 1);
    if (kind == CX_COMPONENT && t->kind == TYPE_MAT && n == 2)
        result = type_vec(f->c, t->elem, t->cols);
    cx *e = cx_new(f, kind, result ? result : cuda_int(f), n);
    memcpy(e->args, parts, n * sizeof *parts);
    return e;
}

static cx *read_place(text_reader *r)
{
    cx *e = NULL;
    if (eat(r, "*") || eat(r, "&"))
        return read_place(r);
    if (eat(r, "wp::address("))
        e = read_access(r, CX_ELEMENT);
    else if (eat(r, "wp::view("))
        e = read_access(r, CX_VIEW);
    else if (eat(r, "wp::index("))
        e = read_access(r, CX_COMPONENT);
    else if (eat(r, "var_"))
        e = label_place(r->f, read_name(r), false);
    else if (eat(r, "adj_"))
        e = label_place(r->f, read_name(r), true);
    else if (eat(r, "(")) {
        e = read_place(r);
        if (!eat(r, ")"))
            cuda_unsupported(r->f, "this expression");
    } else {
        cuda_unsupported(r->f, "this expression");
        r->p = r->end;
        return cx_number(r->f, 0);
    }
    while (eat(r, ".")) {
        const char *from = r->p;
        while (r->p < r->end && *r->p != '.' && *r->p != ')' && *r->p != ',')
            r->p++;
        e = member(r->f, e, (str){from, (size_t)(r->p - from)});
    }
    return e;
}

cx *cuda_parse_place(cuda_fn *f, str text, bool adjoint)
{
    (void)adjoint;
    text_reader r = {f, text.p, text.p + text.n};
    return read_place(&r);
}

/* ".component_ref(var_3)", ".pos": the part of an element that is stored to. */
cx *cuda_slot_place(cuda_fn *f, cx *element, str access)
{
    text_reader r = {f, access.p, access.p + access.n};
    cx *e = element;
    while (eat(&r, ".")) {
        const bool one = eat(&r, "component_ref("), row = !one && eat(&r, "row_ref(");
        if (one || row || eat(&r, "element_ref(")) {
            const type *t = e->type;
            cx *part = cx_new(f, CX_COMPONENT, t->elem, one || row ? 2 : 3);
            if (row)
                part->type = type_vec(f->c, t->elem, t->cols);
            part->args[0] = e;
            for (uint32_t i = 1; i < part->nargs; i++) {
                part->args[i] = read_place(&r);
                eat(&r, ", ");
            }
            eat(&r, ")");
            e = part;
        } else {
            const char *from = r.p;
            while (r.p < r.end && *r.p != '.')
                r.p++;
            e = member(f, e, (str){from, (size_t)(r.p - from)});
        }
    }
    return e;
}

static cx *variable(cuda_fn *f, uint32_t i, bool adjoint)
{
    const ir_var *v = &f->u->vars.v[i];
    if (v->constant && !adjoint)
        return constant_of(f, v);
    cx **known = adjoint ? &f->named_adj[i] : &f->named[i];
    if (*known)
        return *known;
    if (v->bare) {
        /* a bare label is one text, of the adjoint where lowering meant that */
        return *known = cuda_parse_place(f, v->label, adjoint);
    }
    return *known = label_place(f, v->label, adjoint);
}

cx *cuda_operand_place(cuda_fn *f, ir_arg a)
{
    const uint32_t i = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR: return variable(f, i, false);
    case IR_ARG_ADJ:
    case IR_ARG_ADJ_PTR: return variable(f, i, true);
    case IR_ARG_TEXT: return cuda_parse_place(f, f->u->texts.v[i], false);
    default: return cx_number(f, i);
    }
}

cx *cuda_operand_value(cuda_fn *f, ir_arg a)
{
    cx *e = cuda_operand_place(f, a);
    const uint32_t i = ir_index(a);
    const bool is_ref = ir_kind(a) == IR_ARG_VAR && f->u->vars.v[i].type->kind == TYPE_REF;
    if (e->kind == CX_ELEMENT || e->kind == CX_FIELD || e->kind == CX_COMPONENT ||
        (is_ref && e->kind == CX_VAR))
        return e->type->kind == TYPE_ARRAY || e->type->kind == TYPE_NATIVE
                   ? e
                   : cx_unary(f, CX_LOAD, e->type, e);
    return e;
}

static bool same_type(const type *a, const type *b)
{
    a = type_strip_ref(a);
    b = type_strip_ref(b);
    if (a->kind != TYPE_TUPLE || b->kind != TYPE_TUPLE || a->nitems != b->nitems)
        return a == b;
    for (uint32_t i = 0; i < a->nitems; i++)
        if (!same_type(a->items[i], b->items[i]))
            return false;
    return true;
}

/* How many operands are of the parameters' types; -1: it is no call of this function. */
static int fitness(const cuda_fn *f, const ir_unit *callee, const ir_arg *args, uint32_t n)
{
    uint32_t k = 0;
    int fit = 0;
    for (uint32_t i = 0; i < callee->nparams; i++) {
        const type *t = callee->vars.v[callee->params[i]].type;
        if (t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE)
            continue;
        const ir_arg a = k < n ? args[k] : 0;
        fit += k < n && ir_kind(a) == IR_ARG_VAR && same_type(f->u->vars.v[ir_index(a)].type, t);
        k++;
    }
    return n == k || n == k + callee->nreturns ? fit : -1;
}

/* Functions that are made of one generic function, and overloads, have one name. */
const ir_unit *cuda_find_func(const cuda_fn *f, str native, const ir_arg *args, uint32_t n)
{
    const ir_module *m = f->job->m;
    const ir_unit *best = NULL;
    int most = -2;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const func *called = m->funcs.v[i]->func;
        if (called->is_custom_grad || !str_eq(called->native_name, native))
            continue;
        const int fit = fitness(f, m->funcs.v[i], args, n);
        if (fit > most) {
            best = m->funcs.v[i];
            most = fit;
        }
    }
    return best;
}

const type *cuda_find_struct(const cuda_fn *f, str native)
{
    const ir_module *m = f->job->m;
    for (uint32_t i = 0; i < m->structs.n; i++)
        if (str_eq(m->structs.v[i]->native_name, native))
            return type_struct(f->c, m->structs.v[i]);
    return NULL;
}
