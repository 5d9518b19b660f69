/* Which variables' adjoints come to anything: those of values that are made of memory or, in
 * functions, of parameters. All others need not be computed. */
#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_string.h"

/* A kernel gives back the gradients of its arrays, not those of its other parameters. */
static bool is_given_back(const ir_unit *u, const ir_var *v)
{
    return !u->kernel || type_has_array(type_strip_ref(v->type));
}

static bool is_param(const ir_unit *u, str name)
{
    for (uint32_t i = 0; i < u->nparams; i++)
        if (str_eq(u->vars.v[u->params[i]].label, name))
            return true;
    return false;
}

/* What statements do not tell: parameters, parts of other variables, and what has no number. */
static bool is_useful_anyhow(const ir_unit *u, const ir_var *v)
{
    const char *dot = v->label.n ? memchr(v->label.p, '.', v->label.n) : NULL;
    if (v->bare)
        return true;
    if (dot)
        return !is_param(u, (str){v->label.p, (size_t)(dot - v->label.p)}) || is_given_back(u, v);
    return false;
}

typedef struct useful {
    cuda_fn *f;
    bool *is; /* by variable */
    bool more;
} useful;

/* Of a part ("1.inner") the variable too, through which its adjoint comes. */
static void mark_whole(useful *w, uint32_t part)
{
    const ir_unit *u = w->f->u;
    const str label = u->vars.v[part].label;
    const char *dot = label.n ? memchr(label.p, '.', label.n) : NULL;
    for (uint32_t i = 0; dot && i < u->vars.n; i++)
        if (str_eq(u->vars.v[i].label, (str){label.p, (size_t)(dot - label.p)}))
            w->is[i] |= !is_param(u, u->vars.v[i].label);
}

static void mark(useful *w, ir_arg a)
{
    if (ir_kind(a) != IR_ARG_VAR || w->is[ir_index(a)])
        return;
    w->is[ir_index(a)] = true;
    w->more = true;
    mark_whole(w, ir_index(a));
}

static bool any_useful(const useful *w, const ir_arg *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (ir_kind(a[i]) == IR_ARG_TEXT || (ir_kind(a[i]) == IR_ARG_VAR && w->is[ir_index(a[i])]))
            return true;
    return false;
}

static bool only_stores(str name)
{
    static const char *const names[] = {"array_store", "store", "print", "printf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(cuda_bare_name(name), str_c(names[i])))
            return true;
    return false;
}

/* A call without a result: whatever it takes it may set. */
static void visit_void(useful *w, const ir_arg *a, uint32_t n)
{
    const str name = w->f->u->texts.v[ir_index(a[0])];
    if (only_stores(name))
        return;
    if (str_eq(cuda_bare_name(name), STR("assign")) && n == 3) {
        if (any_useful(w, a + 2, 1))
            mark(w, a[1]);
        return;
    }
    if (any_useful(w, a + 1, n - 1))
        for (uint32_t i = 1; i < n; i++)
            mark(w, a[i]);
}

/* "&((var_s).pos)": of a kernel's parameter only arrays have gradients. */
static bool is_useful_place(const useful *w, str text, const ir_var *to)
{
    const ir_unit *u = w->f->u;
    if (!text.n || text.p[0] != '&')
        return false;
    for (size_t i = 0; i + 4 < text.n; i++) {
        if (memcmp(text.p + i, "var_", 4) != 0)
            continue;
        size_t end = i + 4;
        while (end < text.n && text.p[end] != ')' && text.p[end] != '.')
            end++;
        return !is_param(u, (str){text.p + i + 4, end - i - 4}) || is_given_back(u, to);
    }
    return true;
}

/* Functions of the program may set what they take. */
static bool is_builtin(const useful *w, ir_arg callee)
{
    return ir_kind(callee) == IR_ARG_TEXT && str_starts(w->f->u->texts.v[ir_index(callee)], "wp::");
}

static void visit_stmt(useful *w, const ir_stmt *s)
{
    const ir_arg *a = w->f->u->args.v + s->args;
    switch ((ir_op)s->op) {
    case IR_CALL:
    case IR_CALL_LIST:
        if (!any_useful(w, a + 2, s->nargs - 2u))
            return;
        mark(w, a[0]);
        for (uint32_t i = 2; i < s->nargs && !is_builtin(w, a[1]); i++)
            mark(w, a[i]);
        return;
    case IR_CALL_VOID: visit_void(w, a, s->nargs); return;
    case IR_MOVE:
        if (ir_kind(a[1]) == IR_ARG_VAR ? any_useful(w, a + 1, 1)
                                        : is_useful_place(w, w->f->u->texts.v[ir_index(a[1])],
                                                          &w->f->u->vars.v[ir_index(a[0])]))
            mark(w, a[0]);
        return;
    case IR_LINE:
    case IR_IF:
    case IR_IF_NOT:
    case IR_COMPARE:
    case IR_AND:
    case IR_OR:
    case IR_ASSERT:
    case IR_WHILE_TEST:
    case IR_FOR_TEST:
    case IR_RETURN_VALUE:
    case IR_SET_RET: return;
    default:
        for (uint32_t i = 0; i < s->nargs; i++)
            mark(w, a[i]);
    }
}

void cuda_find_active(cuda_fn *f)
{
    const ir_unit *u = f->u;
    useful w = {.f = f, .is = arena_zero(&f->c->module, u->vars.n + 1)};
    for (uint32_t i = 0; i < u->vars.n; i++)
        if (is_useful_anyhow(u, &u->vars.v[i]))
            mark(&w, ir_arg_make(IR_ARG_VAR, i));
    for (uint32_t i = 0; i < u->nparams; i++)
        w.is[u->params[i]] = is_given_back(u, &u->vars.v[u->params[i]]);
    do {
        w.more = false;
        for (uint32_t i = 0; i < u->forward.n; i++)
            visit_stmt(&w, &u->stmts.v[u->forward.v[i].stmt]);
    } while (w.more);
    f->active = w.is;
}
