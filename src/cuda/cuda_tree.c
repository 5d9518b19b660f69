/* SPDX-License-Identifier: Apache-2.0 */
/* Making statements and expressions of the tree, and asking what they read and write. For the
 * readers and all passes. All nodes live in c->module; new ones get the line of the statement that
 * is being read (job->line).
 *
 *     y[i] = x[i] + n    is    cs_set(element(y, i), add(load(element(x, i)), n))
 *
 *     reads    x, i, n and y: an element is set, so its array is read for its address
 *     writes   no variable: an element is memory
 *
 * A variable that a statement sets as a whole is written and not read (cs_overwrites). Memory
 * behind pointers is no variable; cuda_effect.c says what accesses it. */
#include "cuda/cuda_tree.h"

#include "base/assert.h"

/* Steps of fuel that a node costs. They bound the memory of a function's tree, to some 300 MB: the
 * text of a kernel whose loops unroll to hundreds of thousands of statements is refused at its
 * place, before memory runs out. */
enum { NODE_STEPS = 100 };

/* A node with room for nargs operands, which the caller fills. */
cx *cx_new(cuda_fn *f, cx_kind kind, const type *t, uint32_t nargs)
{
    ctx_spend(f->c, NODE_STEPS + nargs);
    cx *e = ARENA_NEW(&f->c->module, cx);
    e->kind = (uint8_t)kind;
    e->type = t;
    e->nargs = nargs;
    e->id = ++f->nodes;
    e->line = f->job->line;
    e->args = nargs ? arena_zero(&f->c->module, nargs * sizeof *e->args) : NULL;
    return e;
}

/* The variable as a value; of a reference: what it refers to. */
cx *cx_var(cuda_fn *f, uint32_t var)
{
    WEFT_ASSERT(var < f->vars.n);
    cx *e = cx_new(f, CX_VAR, type_strip_ref(f->vars.v[var].type), 0);
    e->var = var;
    return e;
}

/* The type of counters, sizes and indices. */
const type *cuda_int(const cuda_fn *f)
{
    return type_scalar(f->c, TYPE_INT32);
}

/* An int that the tree's makers know: bounds of loops, lanes, placeholders for dropped operands. */
cx *cx_number(cuda_fn *f, int64_t n)
{
    cx *e = cx_new(f, CX_NUMBER, cuda_int(f), 0);
    e->number = n;
    return e;
}

/* A node of one operand: CX_LOAD, CX_NOT, CX_FIELD, CX_SHAPE, or a call. */
cx *cx_unary(cuda_fn *f, cx_kind kind, const type *t, cx *a)
{
    cx *e = cx_new(f, kind, t, 1);
    e->args[0] = a;
    return e;
}

/* A node of two operands. */
cx *cx_binary(cuda_fn *f, cx_kind kind, const type *t, cx *a, cx *b)
{
    cx *e = cx_new(f, kind, t, 2);
    e->args[0] = a;
    e->args[1] = b;
    return e;
}

/* Name and number of the builtin belong together: printing takes the name, passes the number. */
void cx_set_op(cx *e, cuda_op op)
{
    WEFT_ASSERT(e->kind == CX_CALL || e->kind == CX_ATOMIC);
    e->op = (uint8_t)op;
    e->name = cuda_op_name(op);
}

/* A call of a builtin with one operand. */
cx *cx_call1(cuda_fn *f, cuda_op op, const type *t, cx *a)
{
    cx *e = cx_unary(f, CX_CALL, t, a);
    cx_set_op(e, op);
    return e;
}

/* A call of a builtin with two operands, of the result's type t. */
cx *cx_call2(cuda_fn *f, cuda_op op, const type *t, cx *a, cx *b)
{
    cx *e = cx_binary(f, CX_CALL, t, a, b);
    cx_set_op(e, op);
    return e;
}

/* An atomic operation on a place, without the values of cas. */
cx *cx_atomic(cuda_fn *f, cuda_op op, cx *place, cx *operand)
{
    cx *e = cx_binary(f, CX_ATOMIC, place->type, place, operand);
    cx_set_op(e, op);
    return e;
}

/* Is it a call of this builtin? */
bool cx_is_call(const cx *e, cuda_op op)
{
    return e->kind == CX_CALL && e->op == op;
}

/* A statement that stands in no list yet. */
cs *cs_new(cuda_fn *f, cs_kind kind)
{
    ctx_spend(f->c, NODE_STEPS);
    cs *s = ARENA_NEW(&f->c->module, cs);
    s->kind = (uint8_t)kind;
    s->id = ++f->nodes;
    s->line = f->job->line;
    s->var = s->from = CUDA_NO_VAR;
    return s;
}

/* Appends the statement, which must stand in no other list. */
void cs_push(cuda_fn *f, cs_list *list, cs *s)
{
    VEC_PUSH(&f->c->module, list, s);
}

/* Appends a new statement, whose parts the caller fills. */
cs *cs_put(cuda_fn *f, cs_list *list, cs_kind kind)
{
    cs *s = cs_new(f, kind);
    cs_push(f, list, s);
    return s;
}

/* Appends to = e. Notes what an array is a view of, and for its name what a variable was first set
 * to. */
cs *cs_set(cuda_fn *f, cs_list *list, cx *to, cx *e)
{
    WEFT_ASSERT(to && e);
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

/* A new variable. Pointers into f->vars are invalid afterwards. */
uint32_t cv_new(cuda_fn *f, const type *t, str hint)
{
    const cv v = {.type = t, .hint = hint, .same = f->vars.n};
    VEC_PUSH(&f->c->module, &f->vars, v);
    return f->vars.n - 1;
}

/* The variable that stands for v since cuda_coalesce joined them. */
uint32_t cv_root(const cuda_fn *f, uint32_t v)
{
    WEFT_ASSERT(v < f->vars.n);
    cv *const all = f->vars.v;
    while (all[v].same != v)
        v = all[v].same = all[all[v].same].same; /* the way is half as long next time */
    return v;
}

/* Is e just a variable? Then *var is its number. */
bool cx_is_var(const cx *e, uint32_t *var)
{
    if (!e || e->kind != CX_VAR)
        return false;
    *var = e->var;
    return true;
}

/* Are both the same expression, of the same variables? Two equal loads may still give different
 * values, if something is stored between them. */
bool cx_same(const cx *a, const cx *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->nargs != b->nargs || a->var != b->var || a->number != b->number ||
        a->type != b->type || a->k != b->k || a->callee != b->callee || a->adjoint != b->adjoint ||
        !str_eq(a->name, b->name) || !cuda_template_same(a->text, b->text))
        return false;
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!cx_same(a->args[i], b->args[i]))
            return false;
    return true;
}

/* Operands are read wherever the text names them, and in a loop more than once: passes put an
 * expression in place of a variable only where it is read once. `$0 * $0` so keeps its operand a
 * variable. */
static void text_reads(const cx *e, cx_visit *fn, void *arg)
{
    for (uint32_t i = 0; i < e->text->n; i++) {
        const cuda_piece *p = &e->text->v[i];
        if (!p->has_hole)
            continue;
        WEFT_ASSERT(p->hole.operand < e->nargs);
        const cx *operand = e->args[p->hole.operand];
        cx_reads(operand, fn, arg);
        if (p->in_loop)
            cx_reads(operand, fn, arg);
    }
}

/* A variable that occurs twice is visited twice. */
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

/* An assignment of a whole variable: v = e, not v.x = e and not v += e. */
bool cs_overwrites(const cs *s, uint32_t *var)
{
    return s->kind == CS_SET && !s->add && !s->sub && cx_is_var(s->to, var);
}

/* Is the variable one of the call's outputs? */
bool cs_gives(const cs *s, uint32_t var)
{
    for (uint32_t i = 0; i < s->noutputs; i++)
        if (s->outputs[i] == var)
            return true;
    return false;
}

/* Is the variable among the operands behind operand i? */
static bool comes_again(const cx *e, uint32_t i, uint32_t var)
{
    uint32_t other;
    for (uint32_t k = i + 1; k < e->nargs; k++)
        if (cx_is_var(e->args[k], &other) && other == var)
            return true;
    return false;
}

/* Of a call that gives variables, those that are operands too are read: results come last.
 *
 *     minmax(x, y, lo, hi) gives lo, hi    reads x, y
 *     svd(m, q, m) gives q, m              reads m, which comes again
 *     f(v) gives v, updates                reads v */
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

/* Of an element of an array or a reference there is none: what they name is memory. */
uint32_t cx_place_root(const cuda_fn *f, const cx *place)
{
    while (place->kind == CX_FIELD || place->kind == CX_COMPONENT)
        place = place->args[0];
    if (place->kind != CX_VAR || f->vars.v[place->var].type->kind == TYPE_REF)
        return CUDA_NO_VAR;
    return place->var;
}

bool cx_changes_argument(const cx *e)
{
    return e->kind == CX_CALL && e->nargs && cuda_op_properties(e->op) & CUDA_OP_CHANGES;
}

/* Variables that calls within the expression change, such as the state of randf(r). */
static void visit_writes(const cx *e, cx_visit *fn, void *arg)
{
    if (!e)
        return;
    uint32_t var;
    if (cx_changes_argument(e) && cx_is_var(e->args[0], &var))
        fn(arg, var);
    for (uint32_t i = 0; i < e->nargs; i++)
        visit_writes(e->args[i], fn, arg);
}

/* A place is written by its root: of v.x = 1 that is v. An array's element writes no variable.
 * Outputs of calls, and the counter of a FOR, are written too. */
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

/* Is the variable among those that are visited? */
typedef struct var_search {
    uint32_t var;
    bool found;
} var_search;

/* A visitor for questions about one variable. */
static void find_var(void *arg, uint32_t var)
{
    var_search *s = arg;
    s->found |= s->var == var;
}

/* Does the expression read the variable? */
bool cx_reads_var(const cx *e, uint32_t var)
{
    var_search s = {var, false};
    cx_reads(e, find_var, &s);
    return s.found;
}

/* Does the statement itself read it? */
bool cs_reads_var(const cs *s, uint32_t var)
{
    var_search x = {var, false};
    cs_reads(s, find_var, &x);
    return x.found;
}

/* Does the statement itself write it, in whole or in part? */
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

/* Walks inner statements, so it spends fuel. */
bool cs_uses(const cuda_fn *f, const cs *s, uint32_t var)
{
    ctx_spend(f->c, 1);
    return cs_uses_itself(s, var) || cs_list_uses(f, &s->body, var) ||
           cs_list_uses(f, &s->orelse, var);
}

/* Inner statements count, each for itself. */
uint32_t cs_count_users(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    uint32_t n = 0;
    ctx_spend(f->c, list->n);
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        n += cs_uses_itself(s, var) + cs_count_users(f, &s->body, var) +
             cs_count_users(f, &s->orelse, var);
    }
    return n;
}

/* Is the variable written anywhere in the list? */
bool cs_list_writes(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    ctx_spend(f->c, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        if (cs_writes_var(list->v[i], var) || cs_list_writes(f, &list->v[i]->body, var) ||
            cs_list_writes(f, &list->v[i]->orelse, var))
            return true;
    return false;
}

void cs_remove_at(cs_list *list, uint32_t i)
{
    WEFT_ASSERT(i < list->n);
    memmove(list->v + i, list->v + i + 1, (list->n - i - 1) * sizeof *list->v);
    list->n--;
}

/* Is the variable read or written anywhere in the list? */
bool cs_list_uses(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (cs_uses(f, list->v[i], var))
            return true;
    return false;
}

/* An array of Fabric is the elements that the kernel sees through it, as for weft run. */
bool cuda_has_elements(const type *t)
{
    return t->kind == TYPE_ARRAY &&
           (t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_INDEXED ||
            t->array_class == ARRAY_FABRIC);
}

/* Integers, bools, and what has no scalars; structs may have members with adjoints. */
bool cuda_is_integral(const type *t)
{
    t = type_strip_ref(t);
    if (t->kind == TYPE_TILE)
        t = t->elem;
    const type *s = type_scalar_of(t);
    if (s)
        return !type_is_float(s);
    return t->kind != TYPE_STRUCT && !type_is_hit(t);
}

/* The expression with another variable; parts that do not name it are shared, since expressions do
 * not change. */
static cx *renamed(cuda_fn *f, cx *e, uint32_t from, uint32_t to)
{
    if (!e || !cx_reads_var(e, from))
        return e;
    cx *c = cx_new(f, (cx_kind)e->kind, e->type, e->nargs);
    cx **args = c->args;
    *c = *e;
    c->args = args;
    if (c->kind == CX_VAR && c->var == from)
        c->var = to;
    for (uint32_t i = 0; i < e->nargs; i++)
        c->args[i] = renamed(f, e->args[i], from, to);
    return c;
}

/* Renames in the statement, its outputs and what is in it. */
void cs_rename(cuda_fn *f, cs *s, uint32_t from, uint32_t to)
{
    s->to = renamed(f, s->to, from, to);
    s->e = renamed(f, s->e, from, to);
    s->start = renamed(f, s->start, from, to);
    s->stop = renamed(f, s->stop, from, to);
    s->step = renamed(f, s->step, from, to);
    if (s->from == from)
        s->from = to;
    if (s->kind == CS_FOR && s->var == from)
        s->var = to;
    for (uint32_t i = 0; i < s->noutputs; i++)
        if (s->outputs[i] == from)
            s->outputs[i] = to;
    cs_list_rename(f, &s->body, from, to);
    cs_list_rename(f, &s->orelse, from, to);
}

/* All statements of the list, inner ones too. */
void cs_list_rename(cuda_fn *f, cs_list *list, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < list->n; i++)
        cs_rename(f, list->v[i], from, to);
}
