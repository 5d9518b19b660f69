/* SPDX-License-Identifier: Apache-2.0 */
/* Calls about objects and classes: isinstance, getattr, decorators of Python's own library, and the
 * calls whose result is their argument, None or unknown. Examples:
 *
 *     hasattr(config, "fast")        True, False, or unknown if config has an unknown base
 *     @dataclass class Config: ...   the class, whose objects get their fields by position or name
 *     functools.partial(f, 1)(2)     f(1, 2)
 *     wp.constant(3)                 3
 *
 * Each function is the handler of one or more rows of specials.def. */
#include "sema/sema.h"

/* The handler of specials that weft knows by name but does not evaluate. */
value call_unknown(evaluator *e, const py_call *a)
{
    (void)e;
    (void)a;
    return unknown("weft does not evaluate this call");
}

/* Calls without result for a kernel: print(...), wp.init(). */
value call_none(evaluator *e, const py_call *a)
{
    (void)e;
    (void)a;
    return value_none();
}

/* wp.constant(x), wp.static(x): x. */
value call_identity(evaluator *e, const py_call *a)
{
    (void)e;
    if (a->nargs)
        return a->args[0];
    return a->nkwargs ? a->kwargs[0] : unknown("an argument is missing");
}

/* os.getenv(name, default=None) */
value call_getenv(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "key"), *preset = call_get(a, 1, "default");
    const value *environ = &e->p->environ;
    if (!name || name->kind == VALUE_UNKNOWN || environ->kind != VALUE_DICT)
        return environ->kind == VALUE_UNKNOWN ? *environ : unknown("the variable is not known");
    if (value_cells_why(environ))
        return unknown(value_cells_why(environ));
    const value *found = dict_find(e->c, environ, name);
    return found ? *found : preset ? *preset : value_none();
}

/* typing.cast(T, x) is x. */
value call_cast(evaluator *e, const py_call *a)
{
    return a->nargs == 2 ? a->args[1] : call_unknown(e, a);
}

/* 1, 0 or -1: is v an instance of the class object cls? A tuple of classes is a disjunction; an
 * unknown one leaves the result unknown unless v is an instance of another. True is an int, as in
 * Python. */
static int is_instance(const value *v, const value *cls, int depth)
{
    if (v->kind == VALUE_UNKNOWN || cls->kind == VALUE_UNKNOWN || is_any_object(v))
        return -1;
    if (cls->kind == VALUE_TUPLE) {
        int any = 0;
        for (uint32_t i = 0; i < cls->n; i++) {
            int one = depth < 4 ? is_instance(v, &cls->items[i], depth + 1) : -1;
            if (one == 1)
                return 1;
            any = one < 0 ? -1 : any;
        }
        return any;
    }
    if (cls->kind == VALUE_TYPE)
        return (v->kind == VALUE_SCALAR || v->kind == VALUE_COMPOSITE ||
                v->kind == VALUE_STRUCT_INSTANCE) &&
               v->type == cls->type;
    /* A subclass of an unknown class may be one of cls. */
    if (cls->kind == VALUE_CLASS) {
        const py_class *c = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
        if (cls->ns->cls->is_str_enum)
            return v->kind == VALUE_STR ? -1 : 0;
        return c && c->ns == cls->ns ? 1 : c && c->nbases ? -1 : 0;
    }
    if (cls->kind != VALUE_PYTYPE)
        return -1;
    switch (cls->n) {
    case SP_py_int: return v->kind == VALUE_INT || v->kind == VALUE_BOOL || v->kind == VALUE_ENUM;
    case SP_py_float: return v->kind == VALUE_FLOAT;
    case SP_py_bool: return v->kind == VALUE_BOOL;
    case SP_py_str: return v->kind == VALUE_STR;
    case SP_py_tuple: return v->kind == VALUE_TUPLE;
    case SP_py_dict: return v->kind == VALUE_DICT;
    case SP_py_list: return value_is_list(v);
    case SP_py_type:
        return v->kind == VALUE_CLASS || v->kind == VALUE_PYTYPE || v->kind == VALUE_TYPE;
    default: return -1;
    }
}

/* isinstance(v, cls). issubclass shares the handler and is always unknown. */
value call_isinstance(evaluator *e, const py_call *a)
{
    int r = a->nargs == 2 && a->id == SP_isinstance ? is_instance(&a->args[0], &a->args[1], 0) : -1;
    return r < 0 ? call_unknown(e, a) : value_bool(r);
}

/* Is it a module that lacks the name for certain? */
static bool is_missing(const evaluator *e, const value *obj, const sym *name)
{
    /* Vectors and the like have them. */
    if ((obj->kind == VALUE_TYPE && type_is_scalar(obj->type)) || obj->kind == VALUE_PYTYPE)
        return name == e->names->s__wp_scalar_type_ || name == e->names->s__shape_;
    if (obj->kind != VALUE_WARP)
        return false;
    if (obj->s != e->names->s_warp)
        return module_lacks(e->c, obj->s->s, name);
    return name->s[0] != '_' && warp_name_side(name) == WARP_NOWHERE && e->c->warp == WARP_DEFAULT;
}

/* The result False needs an object whose attributes weft knows completely: modules, classes, their
 * objects and numbers. */
value call_hasattr(evaluator *e, const py_call *a)
{
    value v;
    if (a->nargs != 2 || a->args[1].kind != VALUE_STR || a->args[0].kind == VALUE_UNKNOWN)
        return call_unknown(e, a);
    bool found = value_getattr(e->c, &a->args[0], a->args[1].s, &v) && !is_only_called(&v);
    if (found && v.kind == VALUE_UNKNOWN)
        return v;
    /* A number has no attributes that code tests for. */
    bool sure = has_attributes(&a->args[0]) || found || value_is_real(&a->args[0]) ||
                is_missing(e, &a->args[0], a->args[1].s);
    return sure ? value_bool(found) : call_unknown(e, a);
}

/* getattr(obj, name, default). The default is taken only where the attributes of the object are
 * known completely. */
value call_getattr(evaluator *e, const py_call *a)
{
    value v;
    if (a->nargs < 2 || a->args[1].kind != VALUE_STR)
        return call_unknown(e, a);
    if (value_getattr(e->c, &a->args[0], a->args[1].s, &v) && !is_only_called(&v))
        return v;
    if (value_has_cells(&a->args[0]) && method_changes(a->args[1].s))
        container_lose(&a->args[0], "weft does not follow its methods where they are no calls");
    bool sure = has_attributes(&a->args[0]) || is_missing(e, &a->args[0], a->args[1].s);
    if (a->nargs == 2 && a->node && a->node->args.n == 2)
        report_no_getattr(e, a->node->args.v[1], &a->args[0], a->args[1].s);
    return a->nargs > 2 && sure ? a->args[2] : call_unknown(e, a);
}

/* setattr(obj, name, v), and object.__setattr__(obj, name, v), which asks no class. */
value call_setattr(evaluator *e, const py_call *a)
{
    const value *obj = a->nargs == 3 ? &a->args[0] : NULL;
    if (!obj)
        return value_none();
    if (a->args[1].kind == VALUE_UNKNOWN && has_attributes(obj))
        namespace_lose(obj->ns, "an attribute is set whose name is not known");
    else if (a->args[1].kind == VALUE_STR && a->id == SP_object_setattr && has_attributes(obj))
        namespace_put(e->c, obj->ns, a->args[1].s, a->args[2]);
    else if (a->args[1].kind == VALUE_STR)
        set_attribute(e, obj, a->args[1].s, a->args[2]);
    return value_none();
}

value call_delattr(evaluator *e, const py_call *a)
{
    may_raise_any(e);
    if (a->nargs == 2 && has_attributes(&a->args[0]) && a->args[1].kind == VALUE_STR)
        namespace_drop(e->c, a->args[0].ns, a->args[1].s);
    return value_none();
}

/* globals(), vars(obj); and locals() where that is not a copy, at the level of a module or class.
 */
value call_scope(evaluator *e, const py_call *a)
{
    value v;
    if (a->id == SP_globals)
        return namespace_dict(e->c, (namespace *)(uintptr_t)&e->env->mod->globals);
    if (a->nargs)
        return value_getattr(e->c, &a->args[0], e->names->s___dict__, &v) ? v : call_unknown(e, a);
    return e->env->kind == NS_FUNCTION ? call_unknown(e, a) : namespace_dict(e->c, e->env);
}

/* callable(v). An object is callable if its class defines __call__, which is not searched. */
value call_callable(evaluator *e, const py_call *a)
{
    if (a->nargs != 1 || a->args[0].kind == VALUE_UNKNOWN)
        return call_unknown(e, a);
    switch (a->args[0].kind) {
    case VALUE_PYFUNC:
    case VALUE_FUNC:
    case VALUE_KERNEL:
    case VALUE_BUILTIN:
    case VALUE_CLASS:
    case VALUE_TYPE:
    case VALUE_PYTYPE:
    case VALUE_SPECIAL: return value_bool(true);
    case VALUE_OBJECT: return call_unknown(e, a);
    default: return value_bool(false);
    }
}

/* The descriptor that staticmethod, classmethod or property makes; getattr.c unwraps it. */
static value wrap(evaluator *e, py_func_kind kind, const py_call *a)
{
    if (!a->nargs)
        return call_unknown(e, a);
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    f->kind = kind;
    f->callee = value_keep(e->c, a->args[0]);
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* A kernel or @wp.func under staticmethod stays what it is: only plain functions would be bound. */
value call_staticmethod(evaluator *e, const py_call *a)
{
    return a->nargs && a->args[0].kind != VALUE_PYFUNC ? a->args[0] : wrap(e, PY_STATIC, a);
}

value call_classmethod(evaluator *e, const py_call *a)
{
    return wrap(e, PY_CLASS_METHOD, a);
}

value call_property(evaluator *e, const py_call *a)
{
    return wrap(e, PY_PROPERTY, a);
}

/* enum.auto() is a marker that enum_auto replaces by a number. */
value call_auto(evaluator *e, const py_call *a)
{
    (void)a;
    return value_special(e->c, SP_enum_auto);
}

/* functools.partial(f, ...): the first argument is called later with the remaining ones before its
 * own. */
value call_partial(evaluator *e, const py_call *a)
{
    if (!a->nargs)
        return call_unknown(e, a);
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    py_call *given = arena_alloc(&e->c->module, sizeof *given);
    *given = *a;
    given->args++;
    given->nargs--;
    f->kind = PY_PARTIAL;
    f->callee = &a->args[0];
    f->given = given;
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* @wraps(f): the function that is decorated. It has the names of f, and inspect.getsource, which
 * Warp calls, gives the source of f for it: no @wp.func or kernel can be made of it here. */
value call_wraps(evaluator *e, const py_call *a)
{
    if (a->nargs < 2)
        return partial_of(e->c, a->id, a);
    const value *made = &a->args[a->nargs - 1], *wrapped = &a->args[0];
    value name;
    if (!is_function(made))
        return *made;
    if (!value_getattr(e->c, wrapped, e->names->s___name__, &name))
        name = unknown("the name of what is wrapped is not known");
    namespace *attrs = attrs_of(e->p, made, true);
    ns_set(e->c, attrs, e->names->s___name__, name);
    if (!value_getattr(e->c, wrapped, e->names->s___module__, &name))
        name = unknown("the module of what is wrapped is not known");
    ns_set(e->c, attrs, e->names->s___module__, name);
    ns_set(e->c, attrs, e->names->s___qualname__, unknown("functools.wraps"));
    return *made;
}

/* Can be a key of a dict, by its own value. What __hash__ of a class gives is not known. */
static bool has_hash(const value *v)
{
    switch (v->kind) {
    case VALUE_UNKNOWN:
    case VALUE_LIST:
    case VALUE_DICT:
    case VALUE_OBJECT: return false;
    case VALUE_TUPLE: {
        bool all = true;
        for (uint32_t i = 0; i < v->n && all; i++)
            all = v->items[i].kind != VALUE_TUPLE && has_hash(&v->items[i]);
        return all;
    }
    default: return true;
    }
}

/* hash(x) of a number is Python's. Others differ from run to run there: equal ones give the same
 * object here, of which nothing else is known. */
value call_hash(evaluator *e, const py_call *a)
{
    const __int128 modulus = ((__int128)1 << 61) - 1;
    const value *x = a->nargs == 1 ? &a->args[0] : NULL;
    program *p = e->p;
    if (!x || !has_hash(x))
        return call_unknown(e, a);
    if (value_is_int(x) && x->i > -modulus && x->i < modulus)
        return value_int(x->i == -1 ? -2 : x->i);
    for (uint32_t i = 0; i < p->hashes.n; i += 2)
        if (value_same(&p->hashes.v[i], x))
            return p->hashes.v[i + 1];
    const value made = {.kind = VALUE_OBJECT, .ns = ns_new(e->c, NS_OBJECT, NULL, (str){"", 0})};
    made.ns->mod = e->env->mod;
    VEC_PUSH(&e->c->module, &p->hashes, *x);
    VEC_PUSH(&e->c->module, &p->hashes, made);
    return made;
}

/* types.SimpleNamespace(a=1, b=2), threading.local(): an object with these attributes and no class.
 * There is one thread here. */
value call_simple_namespace(evaluator *e, const py_call *a)
{
    WEFT_ASSERT(a->nkwargs == 0 || a->names != NULL);
    namespace *ns = ns_new(e->c, NS_OBJECT, NULL, (str){"", 0});
    ns->mod = e->env->mod;
    for (uint32_t i = 0; i < a->nkwargs; i++)
        ns_set(e->c, ns, a->names[i], a->kwargs[i]);
    return (value){.kind = VALUE_OBJECT, .ns = ns};
}
