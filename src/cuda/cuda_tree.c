/* Statements and expressions of the tree: making them, and what they read, write and do. */
#include "cuda/cuda_tree.h"

#include <stdarg.h>
#include <stdio.h>

cx *cx_new(cuda_fn *f, cx_kind kind, const type *t, uint32_t nargs)
{
    cx *e = ARENA_NEW(&f->c->module, cx);
    e->kind = (uint8_t)kind;
    e->type = t;
    e->nargs = (uint16_t)nargs;
    e->line = f->job->line;
    e->args = nargs ? arena_zero(&f->c->module, nargs * sizeof *e->args) : NULL;
    return e;
}

cx *cx_var(cuda_fn *f, uint32_t var)
{
    cx *e = cx_new(f, CX_VAR, type_strip_ref(f->vars.v[var].type), 0);
    e->var = var;
    return e;
}

const type *cuda_int(const cuda_fn *f)
{
    return type_scalar(f->c, TYPE_INT32);
}

cx *cx_number(cuda_fn *f, int64_t n)
{
    cx *e = cx_new(f, CX_NUMBER, cuda_int(f), 0);
    e->number = n;
    return e;
}

cx *cx_unary(cuda_fn *f, cx_kind kind, const type *t, cx *a)
{
    cx *e = cx_new(f, kind, t, 1);
    e->args[0] = a;
    return e;
}

cx *cx_binary(cuda_fn *f, cx_kind kind, const type *t, cx *a, cx *b)
{
    cx *e = cx_new(f, kind, t, 2);
    e->args[0] = a;
    e->args[1] = b;
    return e;
}

cx *cx_call2(cuda_fn *f, const char *native, const type *t, cx *a, cx *b)
{
    cx *e = cx_binary(f, CX_CALL, t, a, b);
    e->name = str_c(native);
    return e;
}

cs *cs_new(cuda_fn *f, cs_kind kind)
{
    cs *s = ARENA_NEW(&f->c->module, cs);
    s->kind = (uint8_t)kind;
    s->line = f->job->line;
    s->var = s->from = CUDA_NO_VAR;
    return s;
}

void cs_push(cuda_fn *f, cs_list *list, cs *s)
{
    VEC_PUSH(&f->c->module, list, s);
}

cs *cs_put(cuda_fn *f, cs_list *list, cs_kind kind)
{
    cs *s = cs_new(f, kind);
    cs_push(f, list, s);
    return s;
}

cs *cs_set(cuda_fn *f, cs_list *list, cx *to, cx *e)
{
    cs *s = cs_put(f, list, CS_SET);
    s->to = to;
    s->e = e;
    cv *v = to->kind == CX_VAR ? &f->vars.v[to->var] : NULL;
    if (v && type_strip_ref(v->type)->kind == TYPE_ARRAY)
        v->view = !v->origin || cx_same(v->origin, e) ? e : NULL;
    if (v && !v->origin)
        v->origin = e;
    return s;
}

uint32_t cv_new(cuda_fn *f, const type *t, str hint)
{
    const cv v = {.type = t, .hint = hint, .same = f->vars.n};
    VEC_PUSH(&f->c->module, &f->vars, v);
    return f->vars.n - 1;
}

uint32_t cv_root(const cuda_fn *f, uint32_t v)
{
    while (f->vars.v[v].same != v)
        v = f->vars.v[v].same;
    return v;
}

bool cx_is_var(const cx *e, uint32_t *var)
{
    if (!e || e->kind != CX_VAR)
        return false;
    *var = e->var;
    return true;
}

bool cx_same(const cx *a, const cx *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->nargs != b->nargs || a->var != b->var || a->number != b->number ||
        a->type != b->type || a->k != b->k || a->callee != b->callee || a->adjoint != b->adjoint ||
        !str_eq(a->name, b->name))
        return false;
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!cx_same(a->args[i], b->args[i]))
            return false;
    return true;
}

/* Operands are read wherever the text names them, and in a loop more than once. */
static void text_reads(const cx *e, cx_visit *fn, void *arg)
{
    bool loop = false;
    for (size_t i = 0; i + 1 < e->name.n; i++) {
        loop |= i + 5 < e->name.n && memcmp(e->name.p + i, "for (", 5) == 0;
        if (e->name.p[i] != '\1')
            continue;
        const cx *operand = e->args[e->name.p[++i] - 32];
        cx_reads(operand, fn, arg);
        if (loop)
            cx_reads(operand, fn, arg);
    }
}

void cx_reads(const cx *e, cx_visit *fn, void *arg)
{
    if (!e)
        return;
    if (e->kind == CX_VAR)
        fn(arg, e->var);
    if (e->kind == CX_TEXT) {
        text_reads(e, fn, arg);
        return;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        cx_reads(e->args[i], fn, arg);
}

bool cs_overwrites(const cs *s, uint32_t *var)
{
    return s->kind == CS_SET && !s->add && !s->sub && cx_is_var(s->to, var);
}

bool cs_gives(const cs *s, uint32_t var)
{
    for (uint32_t i = 0; i < s->noutputs; i++)
        if (s->outputs[i] == var)
            return true;
    return false;
}

static bool comes_again(const cx *e, uint32_t i, uint32_t var)
{
    uint32_t other;
    for (uint32_t k = i + 1; k < e->nargs; k++)
        if (cx_is_var(e->args[k], &other) && other == var)
            return true;
    return false;
}

/* Of a call that gives variables, those that are operands too are read: results come last. */
void cs_reads(const cs *s, cx_visit *fn, void *arg)
{
    uint32_t var;
    if (s->to && !cs_overwrites(s, &var))
        cx_reads(s->to, fn, arg);
    if (s->kind == CS_CALL && s->noutputs && s->e->kind != CX_TEXT) {
        for (uint32_t i = 0; i < s->e->nargs; i++)
            if (s->updates || !cx_is_var(s->e->args[i], &var) || !cs_gives(s, var) ||
                comes_again(s->e, i, var))
                cx_reads(s->e->args[i], fn, arg);
    } else {
        cx_reads(s->e, fn, arg);
    }
    cx_reads(s->start, fn, arg);
    cx_reads(s->stop, fn, arg);
    cx_reads(s->step, fn, arg);
}

uint32_t cx_place_root(const cuda_fn *f, const cx *place)
{
    while (place->kind == CX_FIELD || place->kind == CX_COMPONENT)
        place = place->args[0];
    if (place->kind != CX_VAR || f->vars.v[place->var].type->kind == TYPE_REF)
        return CUDA_NO_VAR;
    return place->var;
}

/* Builtins that change their first argument, which is a variable. */
static bool changes_argument(const cx *e)
{
    if (e->kind != CX_CALL || !e->nargs)
        return false;
    static const char *const all[] = {"randi",
                                      "randu",
                                      "randf",
                                      "randn",
                                      "poisson",
                                      "sample_cdf",
                                      "sample_triangle",
                                      "sample_unit_ring",
                                      "sample_unit_disk",
                                      "sample_unit_sphere_surface",
                                      "sample_unit_sphere",
                                      "sample_unit_hemisphere_surface",
                                      "sample_unit_hemisphere",
                                      "sample_unit_square",
                                      "sample_unit_cube",
                                      "assign_inplace",
                                      "add_inplace",
                                      "sub_inplace",
                                      "bit_and_inplace",
                                      "bit_or_inplace",
                                      "bit_xor_inplace",
                                      "transform_set_translation",
                                      "transform_set_rotation"};
    str name = cuda_bare_name(e->name);
    const char *angle = memchr(name.p, '<', name.n);
    if (angle)
        name.n = (size_t)(angle - name.p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (str_eq(name, str_c(all[i])))
            return true;
    return false;
}

static void visit_writes(const cx *e, cx_visit *fn, void *arg)
{
    if (!e)
        return;
    uint32_t var;
    if (changes_argument(e) && cx_is_var(e->args[0], &var))
        fn(arg, var);
    for (uint32_t i = 0; i < e->nargs; i++)
        visit_writes(e->args[i], fn, arg);
}

void cs_writes(const cs *s, cx_visit *fn, void *arg)
{
    const cx *root = s->to;
    while (root && (root->kind == CX_FIELD || root->kind == CX_COMPONENT))
        root = root->args[0];
    if (root && root->kind == CX_VAR)
        fn(arg, root->var);
    visit_writes(s->e, fn, arg);
    visit_writes(s->to, fn, arg);
    for (uint32_t i = 0; i < s->noutputs; i++)
        fn(arg, s->outputs[i]);
    if (s->kind == CS_FOR)
        fn(arg, s->var);
}

typedef struct var_search {
    uint32_t var;
    bool found;
} var_search;

static void find_var(void *arg, uint32_t var)
{
    var_search *s = arg;
    s->found |= s->var == var;
}

bool cx_reads_var(const cx *e, uint32_t var)
{
    var_search s = {var, false};
    cx_reads(e, find_var, &s);
    return s.found;
}

bool cs_reads_var(const cs *s, uint32_t var)
{
    var_search x = {var, false};
    cs_reads(s, find_var, &x);
    return x.found;
}

bool cs_writes_var(const cs *s, uint32_t var)
{
    var_search x = {var, false};
    cs_writes(s, find_var, &x);
    return x.found;
}

bool cs_uses_itself(const cs *s, uint32_t var)
{
    return cs_reads_var(s, var) || cs_writes_var(s, var);
}

bool cs_uses(const cs *s, uint32_t var)
{
    return cs_uses_itself(s, var) || cs_list_uses(&s->body, var) || cs_list_uses(&s->orelse, var);
}

uint32_t cs_count_users(const cs_list *list, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        n += cs_uses_itself(s, var) + cs_count_users(&s->body, var) +
             cs_count_users(&s->orelse, var);
    }
    return n;
}

bool cs_list_writes(const cs_list *list, uint32_t var)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (cs_writes_var(list->v[i], var) || cs_list_writes(&list->v[i]->body, var) ||
            cs_list_writes(&list->v[i]->orelse, var))
            return true;
    return false;
}

void cs_remove_at(cs_list *list, uint32_t i)
{
    memmove(list->v + i, list->v + i + 1, (list->n - i - 1) * sizeof *list->v);
    list->n--;
}

bool cs_list_uses(const cs_list *list, uint32_t var)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (cs_uses(list->v[i], var))
            return true;
    return false;
}

static bool unit_has_effect(const ir_unit *u)
{
    if (u->func && u->func->snippet)
        return true;
    for (uint32_t i = 0; i < u->stmts.n; i++)
        switch (u->stmts.v[i].op) {
        case IR_CALL_VOID:
        case IR_CALL_VOID_LIST:
            if (!str_eq(u->texts.v[ir_index(u->args.v[u->stmts.v[i].args])], STR("wp::assign")))
                return true;
            break;
        case IR_SLOT_STORE:
        case IR_SLOT_ATOMIC:
        case IR_STORE_REF:
        case IR_ASSERT: return true;
        case IR_CALL: {
            const ir_arg a = u->args.v[u->stmts.v[i].args + 1];
            const str name = cuda_bare_name(u->texts.v[ir_index(a)]);
            if (name.n > 7 && memcmp(name.p, "atomic_", 7) == 0)
                return true;
            break;
        }
        default: break;
        }
    for (uint32_t i = 0; i < u->callees.n; i++)
        if (unit_has_effect(u->callees.v[i]))
            return true;
    return false;
}

/* Memory reached from an adjoint's pointer. */
static bool is_gradient(const cuda_fn *f, const cx *place)
{
    while (place->nargs && place->kind != CX_VAR)
        place = place->args[0];
    return place->kind == CX_VAR && place->var >= f->u->vars.n && place->var < 2 * f->u->vars.n;
}

static bool holds_gradients(const type *t)
{
    if (t->kind == TYPE_ARRAY)
        return !cuda_is_integral(t->elem);
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (holds_gradients(t->st->fields[i].type))
            return true;
    return false;
}

static bool takes_gradients(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->nparams; i++)
        if (holds_gradients(u->vars.v[u->params[i]].type))
            return true;
    return false;
}

static unsigned call_effects(const cx *e)
{
    const str name = cuda_bare_name(e->name);
    if (str_eq(name, STR("printf")) || str_eq(name, STR("print")) ||
        (name.n > 7 && memcmp(name.p, "expect_", 7) == 0))
        return CX_SPEAKS;
    return changes_argument(e) ? CX_WRITES_VARS : 0;
}

unsigned cx_effects(const cuda_fn *f, const cx *e)
{
    if (!e)
        return 0;
    unsigned r = 0;
    switch ((cx_kind)e->kind) {
    case CX_LOAD:
        if (cx_place_root(f, e->args[0]) == CUDA_NO_VAR)
            r |= is_gradient(f, e->args[0]) ? CX_READS_GRADIENT : CX_READS_MEMORY;
        break;
    case CX_ATOMIC:
        r |= is_gradient(f, e->args[0]) ? CX_READS_GRADIENT | CX_WRITES_GRADIENT
                                        : CX_READS_MEMORY | CX_WRITES_MEMORY;
        break;
    case CX_CALL: r |= call_effects(e); break;
    case CX_USER:
        r |= CX_READS_MEMORY;
        if (unit_has_effect(e->callee))
            r |= CX_WRITES_MEMORY | CX_SPEAKS;
        if (e->adjoint)
            r |= CX_READS_GRADIENT | (takes_gradients(e->callee) ? CX_WRITES_GRADIENT : 0);
        break;
    default: break;
    }
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (e->args[i] && e->args[i]->type && e->kind == CX_CALL &&
            e->args[i]->type->kind == TYPE_ARRAY)
            r |= CX_READS_MEMORY;
        r |= cx_effects(f, e->args[i]);
    }
    return r;
}

unsigned cs_effects(const cuda_fn *f, const cs *s)
{
    unsigned r = cx_effects(f, s->e) | cx_effects(f, s->start) | cx_effects(f, s->stop) |
                 cx_effects(f, s->step);
    if (s->to) {
        r |= cx_effects(f, s->to);
        if (cx_place_root(f, s->to) == CUDA_NO_VAR)
            r |= is_gradient(f, s->to) ? CX_READS_GRADIENT | CX_WRITES_GRADIENT
                 : s->add || s->sub    ? CX_READS_MEMORY | CX_WRITES_MEMORY
                                       : CX_WRITES_MEMORY;
    }
    if (s->kind == CS_ASSERT)
        r |= CX_SPEAKS;
    return r;
}

str cuda_without_parentheses(str e)
{
    int depth = 0;
    if (e.n < 2 || e.p[0] != '(' || e.p[e.n - 1] != ')')
        return e;
    for (size_t i = 0; i + 1 < e.n; i++) {
        depth += e.p[i] == '(';
        depth -= e.p[i] == ')';
        if (!depth)
            return e;
    }
    return (str){e.p + 1, e.n - 2};
}

str cuda_keep(cuda_fn *f, strbuf *b)
{
    const str s = {arena_dup(&f->c->module, b->p ? b->p : "", b->n), b->n};
    sb_clear(b);
    return s;
}

str cuda_sprintf(cuda_fn *f, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *p = arena_alloc(&f->c->module, (size_t)size + 1);
    vsnprintf(p, (size_t)size + 1, format, again);
    va_end(again);
    return (str){p, (size_t)size};
}
