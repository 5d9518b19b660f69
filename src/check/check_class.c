/* SPDX-License-Identifier: Apache-2.0 */
/* Looks in a kernel's syntax tree for what is known to make Warp's backward text wrong.
 *
 *     for i in range(n):         n is not constant: a dynamic loop
 *         s = s * x[i]           s is read and assigned in it: class loop_body_replayed
 *     y[t] = s                   s is read after it: class dynamic_loop_state
 *
 * The source decides, not the text: so a backward text that somebody damaged is not excused by the
 * damage. check_class.def lists the classes; the first that is found names the pair. */
#include "check/check_internal.h"

typedef enum class_id {
#define CLASS(ID, name, sentence, hint) CLASS_##ID,
#include "check/check_class.def"
#undef CLASS
    CLASS_COUNT
} class_id;

/* What the function in work does with one name. */
typedef struct used_name {
    const sym *name;
    bool array;                /* a parameter */
    bool loaded, stored;       /* arrays: elements of it */
    uint32_t in_loop, outside; /* how often it is assigned in dynamic loops, and elsewhere */
    bool read_in_loop, read_after;
    bool noise, advanced;    /* random states: passed to noise functions, to others */
    const node *set, *reset; /* where it is assigned last, and in a dynamic loop */
    const node *state;       /* the noise function's call */
} used_name;

/* Functions that are looked at, or were: each is visited once, so recursion ends. */
typedef struct seen_codes {
    VEC(const code *) list;
} seen_codes;

/* A walk over one function's syntax tree. */
typedef struct walk {
    checker *k;
    const code *f;
    VEC(used_name) names;
    seen_codes *seen;
    uint32_t dynamic;   /* depth of loops that are not unrolled */
    check_cause *found; /* by class; `in` is NULL: not found */
} walk;

static void visit(walk *w, const node *n);
static void visit_function(walk *w, const code *f);

/* The first place stays. */
static void found(walk *w, class_id id, const node *at, const sym *name)
{
    if (!w->found[id].in)
        w->found[id] = (check_cause){.at = at, .variable = name, .in = w->f};
}

/* The name's facts, made when it is first met. The pointer is valid until the next call. */
static used_name *find_name(walk *w, const sym *name)
{
    WEFT_ASSERT(name != NULL);
    for (uint32_t i = 0; i < w->names.n; i++)
        if (w->names.v[i].name == name)
            return &w->names.v[i];
    VEC_PUSH(&w->k->a, &w->names, ((used_name){.name = name}));
    return &w->names.v[w->names.n - 1];
}

static void visit_list(walk *w, node_list list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i])
            visit(w, list.v[i]);
}

/* --- loops --------------------------------------------------------------------------------- */

/* Is there a `break` or `continue` of this very loop? */
static bool has_jump(const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const node *n = body->v[i];
        if (n->kind == AST_Break || n->kind == AST_Continue)
            return true;
        if (n->kind == AST_If && (has_jump(&AST(If, n)->body) || has_jump(&AST(If, n)->orelse)))
            return true;
    }
    return false;
}

/* An integer that is constant when the kernel is compiled. */
static bool known_number(walk *w, const node *n, int64_t *out)
{
    const value v = eval_expr(w->k->c, w->f->env, NULL, 0, n);
    *out = (int64_t)v.i;
    return v.kind == VALUE_INT;
}

/* A range of known bounds and few iterations; Warp writes its body out (Warp 1.19
 * Adjoint.get_unroll_range). `break` and `continue` keep the loop dynamic here. */
static bool is_unrolled(walk *w, const ast_For *n)
{
    const int limit = w->f->options.max_unroll < 0 ? 16 : w->f->options.max_unroll;
    int64_t x[3] = {0, 0, 1};
    if (n->iter->kind != AST_Call || has_jump(&n->body))
        return false;
    const node_list args = AST(Call, n->iter)->args;
    for (uint32_t i = 0; i < args.n && i < 3; i++)
        /* range(n) sets the second number, range(a, b, c) all of them in order. */
        if (!known_number(w, args.v[i], &x[args.n == 1 ? 1 : i]))
            return false;
    const int64_t way = x[2] > 0 ? x[1] - x[0] : x[0] - x[1], step = x[2] > 0 ? x[2] : -x[2];
    return step > 0 && (way + step - 1) / step <= limit;
}

/* head: what is evaluated in each iteration (the test of a while), or NULL. */
static void visit_loop(walk *w, const node *loop, const node *head, node_list body, bool dynamic)
{
    if (dynamic && w->dynamic)
        found(w, CLASS_NESTED, loop, NULL);
    w->dynamic += dynamic;
    if (head)
        visit(w, head);
    visit_list(w, body);
    w->dynamic -= dynamic;
}

/* --- names --------------------------------------------------------------------------------- */

/* A name is read: inside a dynamic loop, or after one that assigned it. */
static void read_name(walk *w, const sym *name)
{
    used_name *u = find_name(w, name);
    if (w->dynamic)
        u->read_in_loop = true;
    else if (u->in_loop)
        u->read_after = true;
}

/* a of a[i].x; NULL where there is no name. */
static const sym *base_name(const node *n)
{
    while (n->kind == AST_Subscript || n->kind == AST_Attribute)
        n = n->kind == AST_Subscript ? AST(Subscript, n)->value : AST(Attribute, n)->value;
    return n->kind == AST_Name ? AST(Name, n)->id : NULL;
}

/* Of a[i], a[i].x, ... */
static void visit_indexes(walk *w, const node *n)
{
    for (; n->kind == AST_Subscript || n->kind == AST_Attribute;
         n = n->kind == AST_Subscript ? AST(Subscript, n)->value : AST(Attribute, n)->value)
        if (n->kind == AST_Subscript)
            visit(w, AST(Subscript, n)->slice);
}

/* a[i] itself, not a part of the element. */
static bool is_element(const node *n)
{
    return n->kind == AST_Subscript && AST(Subscript, n)->value->kind == AST_Name;
}

/* An assignment to a name, or to a part of what a name stands for. Only names of arrays that are
 * parameters count as arrays. */
static void store(walk *w, const node *target)
{
    if (target->kind == AST_Tuple) {
        const node_list items = AST(Tuple, target)->elts;
        for (uint32_t i = 0; i < items.n; i++)
            store(w, items.v[i]);
        return;
    }
    const sym *name = base_name(target);
    if (!name)
        return;
    used_name *u = find_name(w, name);
    u->set = target;
    if (target->kind == AST_Name || !u->array) {
        u->in_loop += w->dynamic > 0;
        u->outside += w->dynamic == 0;
        u->reset = w->dynamic > 0 ? target : u->reset;
    }
    if (target->kind == AST_Name)
        return;
    u->stored |= u->array;
    if (!u->array || !is_element(target))
        found(w, CLASS_COMPONENT, target, name);
    visit_indexes(w, target);
}

/* a += b. On an element of an array + and - are atomic, so the element is not read. */
static void augment(walk *w, const ast_AugAssign *n)
{
    const sym *name = base_name(n->target);
    used_name *u = name ? find_name(w, name) : NULL;
    const bool atomic = u && u->array && (n->op == OP_Add || n->op == OP_Sub);
    visit(w, n->value);
    u = name ? find_name(w, name) : NULL; /* the list may have grown */
    if (atomic) {
        u->stored = true;
        u->set = n->target;
        visit_indexes(w, n->target);
        if (!is_element(n->target))
            found(w, CLASS_COMPONENT, n->target, name);
        return;
    }
    if (u && u->array)
        u->loaded = true;
    /* The derivative of a sum does not hang on what was added before. */
    if (name &&
        !(w->dynamic && n->target->kind == AST_Name && (n->op == OP_Add || n->op == OP_Sub)))
        read_name(w, name);
    store(w, n->target);
}

/* Notes what a call does with a random state, its first argument. The names follow Warp's builtins:
 * all noise functions contain "noise", all that advance a state begin as tested here. */
static void note_state(walk *w, const char *callee, const node *state)
{
    if (state->kind != AST_Name)
        return;
    used_name *u = find_name(w, AST(Name, state)->id);
    if (strstr(callee, "noise")) {
        u->noise = true;
        u->state = state;
    }
    u->advanced |= strncmp(callee, "rand", 4) == 0 || strncmp(callee, "sample_", 7) == 0 ||
                   strcmp(callee, "poisson") == 0;
}

/* A call of a builtin by its name, whatever prefix it has; of a @wp.func by visiting each overload.
 * The array of an atomic operation is not read by it. */
static void visit_call(walk *w, const node *call)
{
    const ast_Call *n = AST(Call, call);
    const sym *name = n->func->kind == AST_Attribute ? AST(Attribute, n->func)->attr
                      : n->func->kind == AST_Name    ? AST(Name, n->func)->id
                                                     : NULL;
    value callee;
    const char *wrong = interp_met_wrong_adjoint(w->k->reference);
    if (name && wrong && strcmp(name->s, wrong) == 0)
        found(w, CLASS_BUILTIN, call, NULL);
    if (name && (strcmp(name->s, "atomic_min") == 0 || strcmp(name->s, "atomic_max") == 0))
        found(w, CLASS_ATOMIC_EXTREMUM, call, n->args.n ? base_name(n->args.v[0]) : NULL);
    if (name && strcmp(name->s, "zeros") == 0)
        found(w, CLASS_LOCAL_ARRAY, call, NULL);
    if (name && n->args.n)
        note_state(w, name->s, n->args.v[0]);
    const bool atomic = name && strncmp(name->s, "atomic_", 7) == 0;
    for (uint32_t i = 0; i < n->args.n; i++)
        if (i > 0 || !atomic)
            visit(w, n->args.v[i]);
    visit_list(w, n->keywords);
    const bool found_name = n->func->kind == AST_Name && env_lookup(w->f->env, name, &callee);
    if (!found_name && n->func->kind != AST_Name) /* lib.f(x), wp.static(f)(x) */
        callee = eval_expr(w->k->c, w->f->env, NULL, 0, n->func);
    else if (!found_name)
        return;
    if (callee.kind == VALUE_FUNC)
        for (const func *f = callee.p; f; f = f->next)
            visit_function(w, &f->code);
}

/* --- the tree ------------------------------------------------------------------------------ */

static void visit_child(void *arg, const node *n)
{
    visit(arg, n);
}

static void visit(walk *w, const node *n)
{
    switch ((node_kind)n->kind) {
    case AST_For:
        visit(w, AST(For, n)->iter);
        visit_loop(w, n, NULL, AST(For, n)->body, !is_unrolled(w, AST(For, n)));
        return;
    case AST_While: visit_loop(w, n, AST(While, n)->test, AST(While, n)->body, true); return;
    case AST_FunctionDef: /* its body runs in place */
        for (uint32_t i = 0; i < AST(FunctionDef, n)->body.n; i++)
            visit(w, AST(FunctionDef, n)->body.v[i]);
        return;
    case AST_Break:
        if (w->dynamic)
            found(w, CLASS_BREAK, n, NULL);
        return;
    case AST_Continue:
        if (w->dynamic)
            found(w, CLASS_CONTINUE, n, NULL);
        return;
    case AST_Return:
        if (w->dynamic)
            found(w, CLASS_RETURN, n, NULL);
        ast_each_child(n, visit_child, w);
        return;
    case AST_Assign:
        visit(w, AST(Assign, n)->value);
        for (uint32_t i = 0; i < AST(Assign, n)->targets.n; i++)
            store(w, AST(Assign, n)->targets.v[i]);
        return;
    case AST_AugAssign: augment(w, AST(AugAssign, n)); return;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->value)
            visit(w, AST(AnnAssign, n)->value);
        store(w, AST(AnnAssign, n)->target);
        return;
    case AST_Call: visit_call(w, n); return;
    case AST_Subscript:
        if (is_element(n))
            find_name(w, base_name(n))->loaded = true;
        ast_each_child(n, visit_child, w);
        return;
    case AST_Name: read_name(w, AST(Name, n)->id); return;
    default: ast_each_child(n, visit_child, w);
    }
}

/* Draws the conclusions of one function. Loops run their bodies several times: what is read before
 * it is assigned is read after as well. */
static void judge_names(walk *w)
{
    for (uint32_t i = 0; i < w->names.n; i++) {
        const used_name *u = &w->names.v[i];
        if (u->in_loop && u->outside && u->read_in_loop)
            found(w, CLASS_REPLAYED, u->reset, u->name);
        if (u->noise && u->advanced)
            found(w, CLASS_RANDOM_STATE, u->state, u->name);
        if (u->in_loop && u->read_after)
            found(w, CLASS_LOOP_STATE, u->reset, u->name);
        if (u->array && u->loaded && u->stored)
            found(w, CLASS_OVERWRITTEN, u->set, u->name);
        if (!w->f->is_kernel && u->in_loop + u->outside > 1)
            found(w, CLASS_ACCUMULATOR, u->set, u->name);
    }
}

/* A function with its own names. */
static void visit_function(walk *w, const code *f)
{
    walk inner = {.k = w->k, .f = f, .seen = w->seen, .found = w->found};
    for (uint32_t i = 0; i < w->seen->list.n; i++)
        if (w->seen->list.v[i] == f)
            return;
    VEC_PUSH(&w->k->a, &w->seen->list, f);
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].type && f->params[i].type->kind == TYPE_ARRAY)
            find_name(&inner, f->params[i].name)->array = true;
    visit_list(&inner, f->def->body);
    judge_names(&inner);
}

static const struct {
    const char *name, *sentence, *hint;
} classes[] = {
#define CLASS(ID, name, sentence, hint) {name, sentence, hint},
#include "check/check_class.def"
#undef CLASS
};

/* The first class of check_class.def that the source has. */
bool check_find_cause(checker *k, check_cause *out)
{
    check_cause all[CLASS_COUNT] = {{0}};
    seen_codes seen = {0};
    walk w = {.k = k, .f = &k->s->kernel->code, .seen = &seen, .found = all};
    visit_function(&w, w.f);
    if (interp_met_wrong_adjoint(k->reference) && !all[CLASS_BUILTIN].in)
        all[CLASS_BUILTIN].in = w.f; /* an operator */
    for (int i = 0; i < CLASS_COUNT; i++) {
        if (!all[i].in)
            continue;
        *out = all[i];
        out->class = classes[i].name;
        out->sentence = classes[i].sentence;
        out->hint = classes[i].hint;
        return true;
    }
    return false;
}

const char *check_class_of(checker *k)
{
    check_cause cause;
    return check_find_cause(k, &cause) ? cause.class : NULL;
}

bool check_class_known(const char *name)
{
    for (int i = 0; i < CLASS_COUNT; i++)
        if (strcmp(classes[i].name, name) == 0)
            return true;
    return false;
}
