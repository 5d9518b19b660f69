/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in snippets.
 *
 *     wp::dot(a, b)        an operation of src/arith, by the types of the arguments
 *     wp::vec3(1, 2, x)    a constructor, the same way
 *     atomicMax(p, x)      native_atomic.c          sqrtf(x)    native_number.c */
#include "native/native_internal.h"

static void *eval_arith(native_fn *f, nnode *n)
{
    native_spend(f, n, n->arith.work);
    for (uint32_t i = 0; i < n->nargs; i++)
        n->operands[i] = native_eval(f, n->args[i]);
    n->operands[n->nargs] = n->room;
    if (n->arith.rounds)
        native_spend(f, n, n->arith.rounds(&n->arith, n->operands));
    switch (n->arith.run(&n->arith, n->operands)) {
    case ARITH_OK: return n->room;
    case ARITH_CONVERSION:
    case ARITH_SHIFT:
    case ARITH_NAN_SIGN:
        native_fail(f, n, NATIVE_UNSPECIFIED, "C++ leaves open what %s gives", n->arith.name);
    case ARITH_DIVIDES_BY_ZERO: native_fail(f, n, NATIVE_FAULT, "an integer is divided by zero");
    default: native_fail(f, n, NATIVE_FAULT, "%s fails", n->arith.name);
    }
}

nnode *native_arith(nreader *r, const char *name, const type *constructs, nnode **args, uint32_t n)
{
    const type **types = ARENA_ARRAY(r->a, const type *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        args[i] = native_value(r, args[i]);
        types[i] = args[i]->type.t;
        if (args[i]->type.ptr || !types[i] || !type_is_value(types[i]))
            return NULL;
    }
    const arith_request q = {
        .c = r->c, .a = r->a, .name = name, .constructs = constructs, .args = types, .n = n};
    arith_op op = {0};
    if (!arith_find(&q, &op) || op.nresults != 1 || op.in_place || op.nset || op.changes_second ||
        op.has_effect || op.n != n || !type_is_value(op.types[n]))
        return NULL;
    nnode *node = native_node(r, eval_arith, (ntype){.t = op.types[n]});
    node->arith = op;
    native_args(r, node, args, n);
    node->operands = ARENA_ARRAY(r->a, void *, n + 1);
    if (name)
        VEC_PUSH(r->a, &r->f->uses, ((native_use){str_c(name), types, n}));
    return node;
}

const native_use *native_uses(const native_fn *f, uint32_t *n)
{
    *n = f->uses.n;
    return f->uses.v;
}

/* T(...): of a scalar a cast; a vector's components are converted as C++ does. */
nnode *native_construct(nreader *r, const type *t, nnode **args, uint32_t n)
{
    const ntype made = {.t = t};
    if (!native_is_scalar(made) && !native_is_composite(made))
        native_refuse(r, "a value of this type");
    if (!n)
        return native_node(r, native_eval_room, made);
    for (uint32_t i = 0; i < n; i++)
        args[i] = native_value(r, args[i]);
    if (native_is_scalar(made)) {
        if (n > 1)
            native_refuse(r, "a number made of several");
        return native_convert(r, args[0], made);
    }
    if (n == 1 && native_same_type(args[0]->type, made))
        return args[0];
    for (uint32_t i = 0; i < n; i++)
        if (native_is_scalar(args[i]->type))
            args[i] = native_convert(r, args[i], (ntype){.t = t->elem});
    nnode *node = native_arith(r, NULL, t, args, n);
    if (!node || !native_same_type(node->type, made))
        native_refuse(r, "this constructor of %.*s", (int)t->pyname.n, t->pyname.p);
    return node;
}

/* Nothing is printed, but the arguments are computed. */
static void *eval_print(native_fn *f, nnode *n)
{
    for (uint32_t i = 0; i < n->nargs; i++)
        native_eval(f, n->args[i]);
    return NULL;
}

/* printf("...", a, b), from behind the parenthesis on. How many characters it prints is left
 * out: its result is none. */
static nnode *print(nreader *r)
{
    nnode *args[NATIVE_ARGS];
    uint32_t n = 0;
    if (native_peek(r, 0)->kind != NT_STRING)
        native_refuse(r, "printf without a text");
    while (native_peek(r, 0)->kind == NT_STRING)
        r->at++;
    while (!native_accept(r, ")")) {
        native_expect(r, ",");
        if (n == NATIVE_ARGS)
            native_refuse(r, "so many arguments");
        args[n] = native_value(r, native_assignment(r));
        if (!native_is_scalar(args[n++]->type))
            native_refuse(r, "printf of what is no number");
    }
    nnode *to = native_node(r, eval_print, (ntype){0});
    native_args(r, to, args, n);
    return to;
}

/* What orders the accesses of threads: they run one after another. */
static void *eval_nothing(native_fn *f, nnode *n)
{
    (void)f;
    (void)n;
    return NULL;
}

static bool is_fence(str s)
{
    return str_eq(s, STR("__threadfence")) || str_eq(s, STR("__threadfence_block")) ||
           str_eq(s, STR("__threadfence_system"));
}

/* Behind the name; the arguments follow. */
nnode *native_call(nreader *r, str name)
{
    nnode *args[NATIVE_ARGS], *to = NULL;
    uint32_t n = 0;
    native_expect(r, "(");
    if (str_eq(name, STR("printf")))
        return print(r);
    if (native_peek(r, 0)->kind == NT_STRING)
        native_refuse(r, "'%.*s'", (int)(name.n < 60 ? name.n : 60), name.p);
    while (!native_accept(r, ")")) {
        if (n == NATIVE_ARGS)
            native_refuse(r, "so many arguments");
        args[n] = native_value(r, native_assignment(r));
        if (!args[n]->type.t && !args[n]->type.ptr)
            native_refuse(r, "an argument of no type");
        n++;
        if (!native_is(r, ")"))
            native_expect(r, ",");
    }
    if (!n && is_fence(name))
        return native_node(r, eval_nothing, (ntype){0});
    if (str_eq(name, STR("wp::address")))
        return native_element(r, args, n);
    to = native_memory_call(r, name, args, n);
    if (!to)
        to = native_number_call(r, name, args, n);
    if (!to && str_starts(name, "wp::"))
        to = native_arith(r, arena_dup(r->a, name.p + 4, name.n - 4), NULL, args, n);
    if (!to)
        native_refuse(r, "'%.*s'", (int)(name.n < 60 ? name.n : 60), name.p);
    return to;
}
