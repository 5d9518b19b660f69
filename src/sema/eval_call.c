/* SPDX-License-Identifier: Apache-2.0 */
/* Calls at compile time: gathers the arguments and dispatches on what is called. An example:
 *
 *     k = make_kernel(4, *extra, dtype=float)
 *
 * evaluates the callee, unpacks `extra`, and runs the Python function. Other callees make an object
 * of a class (`Config()`), a value of a Warp type (`wp.vec3(1.0, 2.0, 3.0)`), or call the handler
 * of a special (`wp.kernel`, `len`; specials.def). Arguments that cannot be unpacked make the call
 * inexact: most callees are unknown then. */
#include "builtin/builtin.h"
#include "sema/sema.h"

/* The handler of each special, by id. SP_none has none. */
static value (*const handlers[SP_COUNT])(evaluator *e, const py_call *a) = {
#define SPECIAL(id, module, name, kind, call) [SP_##id] = call,
#include "sema/specials.def"
#undef SPECIAL
};

/* The arguments of one call while they are gathered. names and kwargs have the same length. */
typedef struct arg_list {
    VEC(value) args;
    VEC(const sym *) names;
    VEC(value) kwargs;
} arg_list;

/* `*x`: the items of x. If they are not known, neither is the number of arguments. */
static void gather_starred(evaluator *e, arg_list *l, py_call *call, const node *n)
{
    value v = eval_node(e, n);
    const value *items;
    uint32_t count;
    if (!value_iterate(e->c, &v, &items, &count)) {
        may_raise_any(e);
        call->inexact = true;
        call->unpacked = v.kind == VALUE_UNKNOWN ? v : unknown("what is unpacked is not known");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&e->c->module, &l->args, items[i]);
}

/* `name=x`, or `**d` whose string keys become names. Keys that are no strings raise a TypeError in
 * Python; they are skipped. */
static void gather_keyword(evaluator *e, arg_list *l, py_call *call, const ast_keyword *k)
{
    value v = eval_node(e, k->value);
    if (k->arg) {
        VEC_PUSH(&e->c->module, &l->names, k->arg);
        VEC_PUSH(&e->c->module, &l->kwargs, v);
        return;
    }
    if (v.kind != VALUE_DICT || value_cells_why(&v)) {
        may_raise_any(e);
        call->inexact = true;
        call->unpacked = v.kind == VALUE_UNKNOWN ? v : unknown("what is unpacked is not known");
        return;
    }
    for (uint32_t i = 0; i < value_count(&v); i++) {
        const value *pair = &value_array(&v)[2 * i];
        if (pair->kind != VALUE_STR)
            continue;
        VEC_PUSH(&e->c->module, &l->names, pair->s);
        VEC_PUSH(&e->c->module, &l->kwargs, pair[1]);
    }
}

/* Evaluates all arguments from left to right, positional ones first, as Python does. */
static py_call gather(evaluator *e, const ast_Call *n)
{
    py_call call = {.node = n};
    arg_list l = {0};
    for (uint32_t i = 0; i < n->args.n; i++) {
        const node *arg = n->args.v[i];
        if (arg->kind == AST_Starred)
            gather_starred(e, &l, &call, AST(Starred, arg)->value);
        else
            VEC_PUSH(&e->c->module, &l.args, eval_node(e, arg));
    }
    for (uint32_t i = 0; i < n->keywords.n; i++)
        gather_keyword(e, &l, &call, AST(keyword, n->keywords.v[i]));
    /* The lists grow no more, so their arrays can be shared. */
    call.args = l.args.v;
    call.nargs = l.args.n;
    call.names = l.names.v;
    call.kwargs = l.kwargs.v;
    call.nkwargs = l.kwargs.n;
    return call;
}

/* Names are compared by text, since many handlers pass literals. A position that no call reaches
 * (UINT32_MAX) looks up the keyword alone. */
const value *call_get(const py_call *call, uint32_t pos, const char *name)
{
    if (pos < call->nargs)
        return &call->args[pos];
    for (uint32_t i = 0; i < call->nkwargs; i++)
        if (strcmp(call->names[i]->s, name) == 0)
            return &call->kwargs[i];
    return NULL;
}

/* Kinds whose methods are evaluated by methods.c, not found as attributes. */
static bool is_container(const value *v)
{
    return v->kind == VALUE_STR || v->kind == VALUE_LIST || v->kind == VALUE_DICT ||
           v->kind == VALUE_TUPLE;
}

/* Functions of Python's library that change what they are given, and that weft does not know:
 * random.shuffle(items). */
static void lose_argument(const node *callee, const py_call *call)
{
    static const char *const names[] = {"shuffle",     "heapify", "heappush",    "heappop",
                                        "heapreplace", "insort",  "insort_left", "insort_right",
                                        "setitem",     "delitem", "iadd",        "ior"};
    const sym *name = callee->kind == AST_Attribute ? AST(Attribute, callee)->attr
                      : callee->kind == AST_Name    ? AST(Name, callee)->id
                                                    : NULL;
    if (name && call->nargs && value_has_cells(&call->args[0]) && STR_IS_IN(sym_str(name), names))
        container_lose(&call->args[0], "weft does not evaluate this change of a container");
}

/* For objects other than containers a method is an attribute that is called. */
static value eval_method_call(evaluator *e, const ast_Call *n)
{
    const ast_Attribute *f = AST(Attribute, n->func);
    value self = eval_node(e, f->value), callee;
    if (is_container(&self) || (self.kind == VALUE_INT && strcmp(f->attr->s, "bit_length") == 0)) {
        py_call call = gather(e, n);
        if (e->p->raising)
            return unknown("an exception is raised before");
        const value v = call_method(e, &self, f->attr, &call);
        if (v.kind == VALUE_UNKNOWN)
            may_raise_any(e);
        return v;
    }
    callee = attribute_of(e, f, &self);
    py_call call = gather(e, n);
    if (callee.kind == VALUE_UNKNOWN)
        lose_argument(n->func, &call);
    return call_value(e, &callee, &call);
}

/* The callee is evaluated before the arguments, as in Python. */
value eval_call(evaluator *e, const ast_Call *n)
{
    if (n->func->kind == AST_Attribute)
        return eval_method_call(e, n);
    value callee = eval_node(e, n->func);
    py_call call = gather(e, n);
    if (callee.kind == VALUE_UNKNOWN)
        lose_argument(n->func, &call);
    return call_value(e, &callee, &call);
}

/* first's arguments, then second's: how functools.partial and decorators with arguments call their
 * function. Node, id and flags are those of the second call. */
static py_call join_calls(ctx *c, const py_call *first, const py_call *second)
{
    WEFT_ASSERT(first->nkwargs == 0 || first->names != NULL);
    py_call r = *second;
    value *args = ARENA_ARRAY(&c->module, value, (size_t)first->nargs + second->nargs + 1);
    const sym **names =
        ARENA_ARRAY(&c->module, const sym *, (size_t)first->nkwargs + second->nkwargs + 1);
    value *kwargs = ARENA_ARRAY(&c->module, value, (size_t)first->nkwargs + second->nkwargs + 1);
    const py_call *parts[] = {first, second};
    r.nargs = r.nkwargs = 0;
    for (int p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < parts[p]->nargs; i++)
            args[r.nargs++] = parts[p]->args[i];
        for (uint32_t i = 0; i < parts[p]->nkwargs; i++) {
            names[r.nkwargs] = parts[p]->names[i];
            kwargs[r.nkwargs++] = parts[p]->kwargs[i];
        }
    }
    r.args = args;
    r.names = names;
    r.kwargs = kwargs;
    r.inexact = first->inexact || second->inexact;
    if (first->inexact)
        r.unpacked = first->unpacked;
    return r;
}

/* The forms of Python functions: self and the arguments of a partial come before those of the call.
 */
static value call_py_func(evaluator *e, const py_func *f, const py_call *call)
{
    py_call joined;
    switch (f->kind) {
    case PY_DEF:
        if (f->makes_manager) {
            if (e->p->catchers)
                check_arguments(e, f, call);
            return new_manager(e->c, f, call);
        }
        return f->memo ? memo_call(e, f, call) : run_function(e, f, call);
    case PY_METHOD: {
        py_call self = {.args = f->self, .nargs = 1};
        joined = join_calls(e->c, &self, call);
        return call_value(e, f->callee, &joined);
    }
    case PY_PARTIAL:
        joined = join_calls(e->c, f->given, call);
        return call_value(e, f->callee, &joined);
    case PY_UNBOUND: return call_unbound(e, f, call);
    case PY_STATIC: return call_value(e, f->callee, call);
    default: return unknown("weft does not evaluate this call");
    }
}

/* An instance of a @wp.struct: scalars, vectors and nested structs start at zero, as Warp 1.19
 * StructInstance does; arrays have no value at compile time. The recursion ends because
 * struct_define bounds the fields of all levels. */
static value new_struct(ctx *c, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_STRUCT);
    const struct_def *st = t->st;
    value *items = ARENA_ARRAY(&c->module, value, st->nfields);
    value zero = value_int(0);
    for (uint32_t i = 0; i < st->nfields; i++) {
        const type *ft = st->fields[i].type;
        if (type_is_scalar(ft))
            items[i] = value_scalar(ft, &zero);
        else if (type_is_composite(ft))
            items[i] = composite_new(c, ft);
        else if (ft->kind == TYPE_STRUCT)
            items[i] = new_struct(c, ft);
        else
            /* A kernel that uses the field fails with this reason. */
            items[i] = unknown("an array has no value at compile time");
    }
    return (value){.kind = VALUE_STRUCT_INSTANCE, .n = object_number(c), .type = t, .items = items};
}

/* wp.vec3(1.0, 2.0, 3.0), wp.float16(0.5) or MyStruct(): a value of a Warp type. Arguments of a
 * struct's constructor are ignored, because Warp's struct classes take none in Python. */
static value call_type_object(evaluator *e, const type *t, const py_call *call)
{
    value zero = value_int(0);
    const value *x = call->nargs ? &call->args[0] : &zero;
    if (type_is_composite(t))
        return composite_make(e->c, t, call);
    if (t->kind == TYPE_STRUCT)
        return new_struct(e->c, t);
    if (!type_is_scalar(t))
        return unknown("weft makes no values of this type");
    if (!value_is_real(x))
        return x->kind == VALUE_UNKNOWN ? *x : unknown("the argument is no number");
    return value_scalar(t, x);
}

/* Color(2): the member of this value. The search follows the order of definition, so the first of
 * two names for one value is found, as in Python. */
static value call_enum(evaluator *e, const value *cls, const py_call *call)
{
    const value *members, *x = call->nargs == 1 ? &call->args[0] : NULL;
    uint32_t n;
    if (!x || x->kind == VALUE_UNKNOWN || !value_iterate(e->c, cls, &members, &n))
        return unknown("the member is not known");
    /* Flags have members beyond those with names. */
    value own;
    bool doubt = cls->ns->cls->is_flag || cls->ns->cls->partly_known ||
                 class_find(cls->ns->cls, sym_c(&e->c->syms, "_missing_"), &own);
    for (uint32_t i = 0; i < n; i++) {
        value v;
        const int equal =
            value_getattr(e->c, &members[i], e->names->s_value, &v) ? value_equal(&v, x) : -1;
        if (equal > 0)
            return members[i];
        doubt = doubt || equal < 0;
    }
    static const char missing[] = "the enum has no such member";
    return doubt ? unknown(missing) : raises(e->c, "ValueError", missing);
}

/* An object of the class without attributes. The class's own attributes are found through `cls`. */
value new_object(ctx *c, const py_class *cls)
{
    WEFT_ASSERT(cls->ns != NULL);
    namespace *ns = ns_new(c, NS_OBJECT, NULL, (str){"", 0});
    ns->cls = cls;
    ns->mod = cls->ns->mod;
    return (value){.kind = VALUE_OBJECT, .ns = ns};
}

/* Makes an object: a dataclass assigns its fields and runs __post_init__, any other class runs
 * __init__ with the arguments. What the initializer returns does not matter. */
static value call_class(evaluator *e, const value *v, const py_call *call)
{
    const py_class *cls = v->ns->cls;
    value init, ignored;
    if (cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM)
        return call_enum(e, v, call);
    if (cls->partly_known)
        may_raise_any(e);
    value obj = new_object(e->c, cls);
    /* The unknown base may set attributes. */
    obj.ns->star = cls->partly_known ? "its class has a base that weft does not evaluate" : NULL;
    py_call vars = {0};
    const bool by_fields = makes_fields(e, cls);
    if (by_fields || cls->kind == CLASS_TUPLE)
        vars = init_fields(e, cls, obj.ns, call);
    if (cls->kind == CLASS_C_STRUCT || cls->kind == CLASS_C_UNION || cls->kind == CLASS_C_ARRAY)
        ctypes_init(e, cls, obj.ns, call);
    if (object_has_method(&obj, "__new__") && !obj.ns->star)
        obj.ns->star = "its class makes its objects by itself";
    const sym *name = by_fields ? e->names->s___post_init__ : e->names->s___init__;
    const bool takes_none = cls->kind == CLASS_PLAIN && !cls->partly_known;
    if (takes_none && (call->nargs || call->nkwargs) && !class_find(cls, name, &init))
        may_raise_any(e);
    /* The second lookup binds self. */
    if (class_find(cls, name, &init) && value_getattr(e->c, &obj, name, &init))
        ignored = call_value(e, &init, by_fields ? &vars : call);
    (void)ignored;
    return obj;
}

/* A @wp.func called from Python runs as Python, so a module constant may be computed by one. The
 * plain function is rebuilt from the compiled one. Only defaults that belong to annotated
 * parameters were kept; if some are missing, the call is unknown rather than wrong. */
static value call_warp_func(evaluator *e, const func *f, const py_call *call)
{
    py_func plain = {.kind = PY_DEF, .name = f->code.name, .def = f->code.def};
    plain.env = (namespace *)(uintptr_t)f->code.env;
    if (f->next || f->snippet)
        return unknown("weft does not run overloaded or native functions");
    value *defaults = ARENA_ARRAY(&e->c->module, value, f->code.nparams + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        if (f->code.params[i].default_value)
            defaults[n++] = *f->code.params[i].default_value;
    plain.defaults = defaults;
    /* Harmless: the count below proves that all defaults are positional, or the call is unknown. */
    plain.kw_defaults = defaults;
    if (n != AST(arguments, f->code.def->args)->defaults.n)
        return unknown("weft does not evaluate this call");
    return run_function(e, &plain, call);
}

/* Has a call of one of Python's functions more arguments than weft looks at? */
static bool has_too_many(const py_call *call)
{
    static const uint16_t of_one[] = {
        SP_py_float, SP_py_bool, SP_py_str,   SP_py_tuple, SP_py_list,  SP_py_set, SP_py_frozenset,
        SP_py_dict,  SP_len,     SP_abs,      SP_any,      SP_all,      SP_sorted, SP_reversed,
        SP_callable, SP_repr,    SP_math_exp, SP_math_sin, SP_math_cos, SP_py_int, SP_math_sqrt};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (call->id == of_one[i])
            return call->nargs > 1 ||
                   (call->nkwargs && call->id != SP_py_dict && call->id != SP_sorted);
    return call->id == SP_print && call->nkwargs;
}

/* Calls by kind of callee. `own` is a copy because handlers read the id of the special in it. */
static value dispatch(evaluator *e, const value *callee, const py_call *call)
{
    py_call own = *call;
    value init;
    switch (callee->kind) {
    case VALUE_UNKNOWN: return *callee;
    case VALUE_SPECIAL:
    case VALUE_PYTYPE:
        own.id = (special_id)callee->n;
        if (own.inexact && own.id != SP_kernel) /* the kernel is there, whatever its options */
            return own.unpacked;
        check_signature(e, &own);
        if (has_too_many(&own))
            may_raise_any(e);
        return own.id ? handlers[own.id](e, &own) : unknown("this is no function");
    case VALUE_PYFUNC: return call_py_func(e, callee->p, call);
    case VALUE_CLASS: return call_class(e, callee, call);
    case VALUE_TYPE:
        if (own.inexact)
            return own.unpacked;
        return call_type_object(e, callee->type, call);
    case VALUE_FUNC: return call_warp_func(e, callee->p, call);
    case VALUE_OBJECT:
        if (value_getattr(e->c, callee, e->names->s___call__, &init))
            return call_value(e, &init, call);
        return unknown("this object cannot be called");
    case VALUE_BUILTIN: return run_builtin(e, builtin_name(callee->p), call);
    default: return unknown("this object cannot be called");
    }
}

/* Is it code of the program, whose exceptions are followed? */
static bool runs_code(const value *callee)
{
    const py_func *f = callee->kind == VALUE_PYFUNC ? callee->p : NULL;
    return f && (f->kind == PY_DEF || f->kind == PY_METHOD || f->kind == PY_STATIC ||
                 f->kind == PY_PARTIAL);
}

/* Every call goes through here, which bounds the nesting. */
value call_value(evaluator *e, const value *callee, const py_call *call)
{
    if (e->p->depth >= SEMA_DEPTH)
        return unknown("calls are nested too deeply");
    if (e->p->raising)
        return unknown("an exception is raised before");
    if (call->node && !e->frame && e->env->mod == e->p->main)
        e->p->main_call = call->node;
    e->p->depth++;
    value v = dispatch(e, callee, call);
    e->p->depth--;
    if (v.kind == VALUE_UNKNOWN && !runs_code(callee))
        may_raise_any(e);
    return v;
}

/* f(arg): how decorators, map() and properties call a function. */
value call_one(evaluator *e, const value *callee, value arg)
{
    py_call call = {.args = value_keep(e->c, arg), .nargs = 1};
    return call_value(e, callee, &call);
}
