/* SPDX-License-Identifier: Apache-2.0 */
/* @wp.func and its relatives: native names, overloads by Warp's rules, custom gradients, replays
 * and native snippets (Warp 1.19 context.func, func_native, func_grad, func_replay). An example:
 *
 *     @wp.func
 *     def sq(x: float): ...      native name sq_0
 *     @wp.func
 *     def sq(x: int): ...        sq_1, an overload of the first: `sq` still names the first
 *     @wp.func
 *     def sq(x: float): ...      sq_2 takes the place of sq_0, and keeps sq_1
 *
 * The overloads of one name form a list from `head` by `next`; a VALUE_FUNC always holds the head.
 */
#include "sema/sema.h"

/* Warp 1.19 generate_unique_function_identifier: a counter per key over the whole program. Warp's
 * own modules count from the start, the user's go on where `import warp` leaves off. */
static uint32_t take_number(program *p, const module *m, const sym *key)
{
    key_counts *counts = m->is_builtin ? &p->builtin_counts : &p->counts;
    for (uint32_t i = 0; i < counts->n; i++)
        if (counts->v[i].key == key)
            return counts->v[i].n++;
    uint32_t first = m->is_builtin ? 0 : warp_initial_count(key->s);
    key_count fresh = {key, first + 1};
    VEC_PUSH(&p->c->module, counts, fresh);
    return first;
}

/* key + "_" + number, in c->module. */
static str unique_name(program *p, const module *m, str key)
{
    WEFT_ASSERT(key.n > 0);
    uint32_t number = take_number(p, m, sym_intern(&p->c->syms, key.p, key.n));
    char digits[12], *out = arena_alloc(&p->c->module, key.n + sizeof digits);
    size_t n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10));
    memcpy(out, key.p, key.n);
    size_t len = key.n;
    out[len++] = '_';
    while (n)
        out[len++] = digits[--n];
    return (str){out, len};
}

/* Python evaluates annotations when the def statement runs: the unknown ones are evaluated again,
 * as code_make leaves their errors to kernels that are compiled. */
static void report_annotations(evaluator *e, const py_func *f, const code *made)
{
    if (f->env->mod->string_annotations)
        return;
    for (uint32_t i = 0; i < made->nparams; i++)
        if (!made->params[i].type)
            (void)annotation_value(e, f->env, AST(arg, made->params[i].where)->annotation);
    if (f->def->returns && !made->returns && !made->returns_none)
        (void)annotation_value(e, f->env, f->def->returns);
}

/* A function that is the head of its own list. The caller names it. */
static func *func_new(evaluator *e, const py_func *f)
{
    func *fn = ARENA_NEW(&e->c->module, func);
    code_make(e, &fn->code, f);
    report_annotations(e, f, &fn->code);
    fn->head = fn;
    return fn;
}

/* Functions are const for everybody else; this file builds the lists. */
static func *mutable_func(const func *f)
{
    return (func *)(uintptr_t)f;
}

/* The new function has the signature of the first one: it takes its place and its overloads. The
 * overloads are copied, because callers that hold the old head keep its list. */
static func *replace_head(ctx *c, const func *old, func *fresh)
{
    WEFT_ASSERT(fresh->next == NULL);
    func *last = fresh;
    for (const func *o = old->next; o; o = o->next) {
        func *copy = arena_alloc(&c->module, sizeof *copy);
        *copy = *o;
        copy->head = fresh;
        copy->next = NULL;
        last->next = copy;
        last = copy;
    }
    return fresh;
}

/* Warp 1.19 Module.register_function: what the name stands for afterwards. Three cases, by the
 * signature of the new function (code_signature):
 *
 *     that of the head            the new one becomes the head and takes over the list
 *     that of another overload    the new one takes that place
 *     a new one                   it is appended
 *
 * Returns the head. Warp keeps generic overloads apart from others; here all stand in one list, and
 * the lowering tries those that are not generic first. */
static func *add_overload(ctx *c, const func *old, func *fresh)
{
    WEFT_ASSERT(old->head != NULL && fresh->head == fresh);
    func *head = mutable_func(old->head), *last = head;
    str sig = code_signature(c, &fresh->code);
    if (str_eq(sig, code_signature(c, &head->code)))
        return replace_head(c, head, fresh);
    fresh->head = head;
    for (; last->next; last = mutable_func(last->next)) {
        if (str_eq(sig, code_signature(c, &last->next->code))) {
            /* It takes the place of the overload of its signature. */
            fresh->next = last->next->next;
            break;
        }
    }
    last->next = fresh;
    return head;
}

static value func_value(const func *f)
{
    return (value){.kind = VALUE_FUNC, .p = f};
}

/* What `@wp.func(inline=True)` evaluates to: a call of the special that still lacks its function.
 * call_py_func adds the function as last positional argument, where decorated() finds it. */
value partial_of(ctx *c, special_id id, const py_call *given)
{
    WEFT_ASSERT(id != SP_none);
    py_func *f = ARENA_NEW(&c->module, py_func);
    py_call *kept = arena_alloc(&c->module, sizeof *kept);
    *kept = *given;
    f->kind = PY_PARTIAL;
    f->callee = value_keep(c, value_special(c, id));
    f->given = kept;
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* The function to decorate is the last positional argument, once it is there. */
static const py_func *decorated(const py_call *a)
{
    return a->nargs ? as_py_func(&a->args[a->nargs - 1]) : NULL;
}

/* A keyword argument; None counts as not given. */
static const value *option(const py_call *a, const char *name)
{
    const value *v = call_get(a, UINT32_MAX, name);
    return v && v->kind != VALUE_NONE ? v : NULL;
}

/* Names the function and joins it to the overloads of its Python name in this scope: Warp looks up
 * the name in the locals of the frame that decorates. */
static value register_func(evaluator *e, const py_func *f, func *fn, str key)
{
    fn->key = key;
    fn->native_name = unique_name(e->p, f->env->mod, key);
    /* The scope that runs now, not the one that defines f: a decorator may be called from
     * elsewhere. */
    const value *known = ns_find(e->env, f->name);
    func *head = fn;
    if (known && known->kind == VALUE_FUNC)
        head = add_overload(e->c, known->p, fn);
    return func_value(head);
}

/* @wp.func, or @wp.func(name=..., inline=...). Without a function it returns the partial call. */
value call_func(evaluator *e, const py_call *a)
{
    const py_func *f = decorated(a);
    if (!f)
        return a->nargs ? unknown("wp.func decorates Python functions only")
                        : partial_of(e->c, a->id, a);
    func *fn = func_new(e, f);
    report_no_annotation(e, &fn->code);
    const value *name = option(a, "name"), *inlined = option(a, "inline");
    const str key = name && name->kind == VALUE_STR ? sym_str(name->s) : function_key(e, f);
    if (!key.p)
        return unknown("the function's __qualname__ is not known");
    if (inlined && !warp_has(e->c->warp, WARP_INLINE_HINT))
        return unknown("@wp.func has no option 'inline' in this release of Warp");
    if (inlined)
        fn->inlining = value_truth(inlined) == 1 ? INLINE_ALWAYS : INLINE_NEVER;
    return register_func(e, f, fn, key);
}

/* Text of a snippet by position or keyword; *known becomes false if it is no string. `given` is the
 * number of positional arguments without the function. */
static const char *snippet(const py_call *a, uint32_t given, uint32_t i, const char *name,
                           bool *known)
{
    WEFT_ASSERT(known != NULL);
    const value *v = i < given ? &a->args[i] : option(a, name);
    if (!v || v->kind == VALUE_NONE)
        return NULL;
    *known = *known && v->kind == VALUE_STR;
    return v->kind == VALUE_STR ? v->s->s : NULL;
}

/* @wp.func_native(snippet, adj_snippet, replay_snippet). The function is defined even if a text is
 * not known, for it takes a number: later functions of the key must keep theirs. */
value call_func_native(evaluator *e, const py_call *a)
{
    const py_func *f = decorated(a);
    if (!f)
        return partial_of(e->c, a->id, a);
    bool known = true;
    uint32_t given = a->nargs - 1;
    const char *snippets[] = {snippet(a, given, 0, "snippet", &known),
                              snippet(a, given, 1, "adj_snippet", &known),
                              snippet(a, given, 2, "replay_snippet", &known)};
    func *fn = func_new(e, f);
    fn->snippet = snippets[0];
    fn->adj_snippet = snippets[1];
    fn->replay_snippet = snippets[2];
    const str key = function_key(e, f);
    if (!key.p)
        return unknown("the function's __qualname__ is not known");
    value v = register_func(e, f, fn, key);
    return known && fn->snippet ? v : unknown("the native snippet's text is not known");
}

/* Do f's parameters begin the gradient's? Warp also compares the adjoints of the results: their
 * number is taken from the return annotation or the first return statement (results_of_code). */
static bool is_prefix(const code *f, const code *grad)
{
    if (f->nparams > grad->nparams)
        return false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *x = f->params[i].type, *y = grad->params[i].type;
        if (!x || !y || (x != y && !type_equal(x, y)))
            return false;
    }
    return true;
}

/* Values that the first return statement gives; -1: there is none. Other compound statements hold
 * no return in Warp's language. The depth bounds the recursion over nested ifs. */
static int count_results(const node_list *body, int depth)
{
    int r = -1;
    for (uint32_t i = 0; i < body->n && r < 0 && depth < SEMA_DEPTH; i++) {
        const node *n = body->v[i];
        if (n->kind == AST_Return) {
            n = AST(Return, n)->value;
            return !n ? 0 : n->kind == AST_Tuple ? (int)AST(Tuple, n)->elts.n : 1;
        }
        if (n->kind == AST_If) {
            r = count_results(&AST(If, n)->body, depth + 1);
            if (r < 0)
                r = count_results(&AST(If, n)->orelse, depth + 1);
        } else if (n->kind == AST_For) {
            r = count_results(&AST(For, n)->body, depth + 1);
        } else if (n->kind == AST_While) {
            r = count_results(&AST(While, n)->body, depth + 1);
        } else if (n->kind == AST_FunctionDef) {
            r = count_results(&AST(FunctionDef, n)->body, depth + 1);
        }
    }
    return r;
}

/* Number of results by annotation, else by the body; no return means none. */
static int results_of_code(const code *f)
{
    if (f->returns)
        return f->returns->kind == TYPE_TUPLE ? (int)f->returns->nitems : 1;
    int n = count_results(&f->def->body, 0);
    return n < 0 ? 0 : n;
}

/* The overload that a gradient belongs to: its parameters begin the gradient's, and the others are
 * as many as its results:
 *
 *     def f(x: float, y: float): return x * y          2 parameters, 1 result
 *     @wp.func_grad(f)
 *     def adj_f(x: float, y: float, adj_ret: float)    3 parameters: it fits
 *
 * Failing that, the first whose parameters fit. Warp builds the overload to learn its result types
 * (match_function in func_grad); the evaluator runs before any lowering, so it counts instead. */
static func *find_forward(const func *head, const code *grad)
{
    WEFT_ASSERT(head->head == head);
    const func *best = NULL;
    for (const func *f = head; f; f = f->next) {
        if (!is_prefix(&f->code, grad))
            continue;
        if ((int)(grad->nparams - f->code.nparams) == results_of_code(&f->code))
            return mutable_func(f);
        /* The first that fits, if none has the right number of results. */
        best = best ? best : f;
    }
    return best ? mutable_func(best) : NULL;
}

/* @wp.func_grad(f): the name stays bound to the plain Python function; f gets the gradient. The
 * gradient shares key and native name with f, because its text becomes f's adjoint. */
value call_func_grad(evaluator *e, const py_call *a)
{
    const py_func *f = decorated(a);
    if (!f)
        return partial_of(e->c, a->id, a);
    const value *forward = call_get(a, 0, "forward_fn");
    if (!forward || forward->kind != VALUE_FUNC)
        return a->args[a->nargs - 1];
    func *grad = func_new(e, f), *fn = find_forward(((const func *)forward->p)->head, &grad->code);
    if (fn) {
        grad->key = fn->key;
        grad->native_name = fn->native_name;
        /* The lowering takes its forward list for the adjoint of fn. */
        grad->is_custom_grad = true;
        grad->inlining = fn->inlining;
        fn->custom_grad = grad;
    }
    return a->args[a->nargs - 1];
}

/* @wp.func_replay(f): the replay has exactly the parameters of f, and the key "replay_" + that of
 * f. Like a gradient, it does not change what its own name is bound to. */
value call_func_replay(evaluator *e, const py_call *a)
{
    const py_func *f = decorated(a);
    if (!f)
        return partial_of(e->c, a->id, a);
    const value *forward = call_get(a, 0, "forward_fn");
    if (!forward || forward->kind != VALUE_FUNC)
        return a->args[a->nargs - 1];
    func *replay = func_new(e, f);
    const func *fn = ((const func *)forward->p)->head;
    /* is_prefix of functions with as many parameters is equality. */
    while (fn && !(fn->code.nparams == replay->code.nparams && is_prefix(&fn->code, &replay->code)))
        fn = fn->next;
    if (!fn)
        return a->args[a->nargs - 1];
    str key = fn->key;
    char *text = arena_alloc(&e->c->module, key.n + 7);
    memcpy(text, "replay_", 7);
    memcpy(text + 7, key.p, key.n);
    replay->key = (str){text, key.n + 7};
    replay->native_name = unique_name(e->p, fn->code.mod, replay->key);
    replay->is_replay = true;
    replay->inlining = fn->inlining;
    mutable_func(fn)->custom_replay = replay;
    return a->args[a->nargs - 1];
}
