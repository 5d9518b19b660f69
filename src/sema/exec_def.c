/* SPDX-License-Identifier: Apache-2.0 */
/* def and class statements: the objects they make, and their decorators. An example:
 *
 *     class Mode(enum.IntEnum):
 *         A = 3
 *         B = enum.auto()        # Mode is a class; Mode.A is the enum value 3, Mode.B is 4
 *
 * Qualified names follow Warp: a function g in a method f of class A has the key "A__f__locals__g",
 * because Python's __qualname__ is "A.f.<locals>.g" and Warp 1.19 make_full_qualified_name writes
 * "__" for "." and drops what no C++ name may hold. */
#include "base/ascii.h"
#include "sema/sema.h"

/* Warp's key of a name defined in env (Warp 1.19 make_full_qualified_name). Examples:
 *
 *     def k at module level                    k
 *     def k in class A                         A__k
 *     def k in a function make                 make__locals__k
 *     def größe                                gre: bytes beyond ASCII are dropped
 *
 * A name declared global has no prefix. A plain name at module level is the symbol's own text,
 * without a copy; otherwise the key lives in c->module. */
str qualified_key(ctx *c, const namespace *env, const sym *name)
{
    WEFT_ASSERT(name->len > 0);
    bool is_outer = false;
    for (uint32_t i = 0; i < env->outer.n; i++)
        is_outer = is_outer || env->outer.v[i] == name;
    str q = is_outer ? (str){"", 0} : env->qual;
    bool plain = true;
    for (uint32_t i = 0; i < name->len; i++)
        plain = plain && (unsigned char)name->s[i] < 128;
    if (!q.n && plain)
        return sym_str(name);
    /* Warp 1.19 make_full_qualified_name drops what no C++ name may hold. */
    char *p = arena_alloc(&c->module, q.n + name->len + 1);
    size_t n = q.n;
    memcpy(p, q.p, q.n);
    for (uint32_t i = 0; i < name->len; i++)
        if ((unsigned char)name->s[i] < 128)
            p[n++] = name->s[i];
    return (str){p, n};
}

/* Warp 1.19 make_full_qualified_name of a __qualname__ that the program gave; p NULL: it is not
 * known. */
static str key_of_name(ctx *c, const value *given)
{
    if (given->kind != VALUE_STR)
        return (str){NULL, 0};
    char *p = arena_alloc(&c->module, 2 * (size_t)given->s->len + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < given->s->len; i++) {
        const char x = given->s->s[i];
        if (x == '.')
            p[n++] = '_';
        if (x == '.' || x == '_' || (x >= '0' && x <= '9') || (x >= 'a' && x <= 'z') ||
            (x >= 'A' && x <= 'Z'))
            p[n++] = x == '.' ? '_' : x;
    }
    return (str){p, n};
}

/* Warp reads __qualname__, which programs assign to tell functions of one factory apart. */
str function_key(const evaluator *e, const py_func *f)
{
    const value self = {.kind = VALUE_PYFUNC, .p = f};
    const namespace *attrs = e->p->attrs.n ? attrs_of(e->p, &self, false) : NULL;
    const value *given = attrs ? ns_find(attrs, e->names->s___qualname__) : NULL;
    return given ? key_of_name(e->c, given) : qualified_key(e->c, f->env, f->name);
}

str class_key(const evaluator *e, const py_class *cls)
{
    const value *given = ns_find(cls->ns, e->names->s___qualname__);
    const str qual = cls->ns->qual; /* ends in "__" */
    return given ? key_of_name(e->c, given) : (str){qual.p, qual.n - 2};
}

/* The prefix of names in the class body: its own key and "__". */
static str class_prefix(ctx *c, const namespace *env, const sym *name)
{
    str key = qualified_key(c, env, name);
    char *p = arena_alloc(&c->module, key.n + 2);
    memcpy(p, key.p, key.n);
    memcpy(p + key.n, "__", 2);
    return (str){p, key.n + 2};
}

/* Calls the decorator with v. If the decorator is unknown, so is the result: it may be anything. */
value decorate(evaluator *e, const node *decorator, value v)
{
    value d = eval_node(e, decorator);
    report_module_decorator(e, decorator, &d);
    value r = call_one(e, &d, v);
    return r;
}

/* Defaults are evaluated once, when the def statement runs. A keyword-only parameter without
 * default has a NULL in the list; None fills its place, and readers look at the list first. */
static value *keep_defaults(evaluator *e, const node_list *list)
{
    value *v = ARENA_ARRAY(&e->c->module, value, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        v[i] = list->v[i] ? eval_node(e, list->v[i]) : value_none();
    return v;
}

/* The type parameters of `def f[T]` and `class C[T]` are names of annotations. They are kept in the
 * scope around, which is one more than Python has, unless a name is known there. */
static void bind_type_params(evaluator *e, node_list params)
{
    for (uint32_t i = 0; i < params.n; i++) {
        const node *n = params.v[i];
        const sym *name = n->kind == AST_TypeVar        ? AST(TypeVar, n)->name
                          : n->kind == AST_TypeVarTuple ? AST(TypeVarTuple, n)->name
                                                        : AST(ParamSpec, n)->name;
        value known;
        if (!env_lookup(e->env, name, &known))
            bind_name(e, name, unknown("it is a type parameter"));
    }
}

/* `type Row = wp.vec3` makes an object that Warp takes for no type. */
void exec_type_alias(evaluator *e, const ast_TypeAlias *n)
{
    bind_type_params(e, n->type_params);
    bind_name(e, AST(Name, n->name)->id,
              unknown("a 'type' statement makes no type that Warp takes"));
}

static void check_parameter(evaluator *e, const node *n)
{
    if (n)
        check_annotation(e, AST(arg, n)->annotation);
}

void check_annotations(evaluator *e, const node *parameters, const node *returns)
{
    const ast_arguments *a = AST(arguments, parameters);
    const node_list *lists[] = {&a->posonlyargs, &a->args, &a->kwonlyargs};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < lists[k]->n; i++)
            check_parameter(e, lists[k]->v[i]);
    check_parameter(e, a->vararg);
    check_parameter(e, a->kwarg);
    check_annotation(e, returns);
}

/* A def statement: makes the function, calls the decorators from the innermost to the outermost,
 * and binds the name. The body is not read before something calls or compiles it. */
void exec_function(evaluator *e, const ast_FunctionDef *n)
{
    WEFT_ASSERT(n->name != NULL);
    const ast_arguments *args = AST(arguments, n->args);
    bind_type_params(e, n->type_params);
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    f->kind = PY_DEF;
    f->name = n->name;
    f->def = n;
    f->env = e->env;
    if (args->defaults.n)
        f->defaults = keep_defaults(e, &args->defaults);
    if (args->kw_defaults.n)
        f->kw_defaults = keep_defaults(e, &args->kw_defaults);
    value v = {.kind = VALUE_PYFUNC, .p = f};
    const uint32_t kernels = e->p->all.n;
    uint32_t lost = UINT32_MAX; /* the decorator from which on v is not known */
    for (uint32_t i = n->decorator_list.n; i-- > 0;) {
        v = decorate(e, n->decorator_list.v[i], v);
        if (v.kind == VALUE_UNKNOWN && lost == UINT32_MAX)
            lost = i;
    }
    if (e->p->raising)
        return;
    if (v.kind == VALUE_UNKNOWN && lost != UINT32_MAX && e->p->all.n == kernels)
        unseen_decorator(e, n, lost, v);
    if (v.kind != VALUE_KERNEL && v.kind != VALUE_FUNC) /* theirs are evaluated */
        check_annotations(e, n->args, n->returns);
    bind_name(e, n->name, v);
}

/* What the bases make of the class: an enum, a NamedTuple or a plain class. An unknown base leaves
 * attributes that weft cannot know (partly_known). The last base that decides wins. */
static class_kind kind_of_bases(py_class *cls)
{
    class_kind kind = CLASS_PLAIN;
    for (uint32_t i = 0; i < cls->nbases; i++) {
        const value *b = &cls->bases[i];
        if (b->kind == VALUE_CLASS) {
            kind = b->ns->cls->kind != CLASS_PLAIN ? b->ns->cls->kind : kind;
            cls->is_flag = cls->is_flag || b->ns->cls->is_flag;
            cls->is_str_enum = cls->is_str_enum || b->ns->cls->is_str_enum;
            cls->partly_known = cls->partly_known || b->ns->cls->partly_known;
        } else if (b->kind == VALUE_SPECIAL) {
            bool flag = b->n == SP_IntFlag || b->n == SP_Flag;
            cls->is_flag = cls->is_flag || flag;
            cls->is_str_enum = cls->is_str_enum || b->n == SP_StrEnum;
            cls->partly_known = cls->partly_known || b->n == SP_StrEnum;
            if (b->n == SP_IntEnum || b->n == SP_IntFlag)
                kind = CLASS_INT_ENUM;
            else if ((b->n == SP_Enum || b->n == SP_Flag) && kind == CLASS_PLAIN)
                kind = CLASS_ENUM;
            else if (b->n == SP_typing_NamedTuple)
                kind = CLASS_TUPLE;
            else if (b->n == SP_c_Structure)
                kind = CLASS_C_STRUCT;
            else if (b->n == SP_c_Union)
                kind = CLASS_C_UNION;
        } else if (b->kind == VALUE_PYTYPE) {
            cls->partly_known = cls->partly_known || b->n != SP_py_object;
        } else {
            cls->partly_known = true;
        }
    }
    return kind;
}

/* class X(int, Enum) is an IntEnum in all that matters here. */
static bool mixes_int(const py_class *cls)
{
    for (uint32_t i = 0; i < cls->nbases; i++)
        if (cls->bases[i].kind == VALUE_PYTYPE && cls->bases[i].n == SP_py_int)
            return true;
    return false;
}

static bool is_member(const ns_entry *entry)
{
    const value_kind k = entry->v.kind;
    return entry->name->s[0] != '_' && k != VALUE_PYFUNC && k != VALUE_FUNC && k != VALUE_KERNEL;
}

/* Are all bases such that auto() makes numbers? */
static bool counts_members(const py_class *cls, int depth)
{
    for (uint32_t i = 0; i < cls->nbases; i++) {
        const value *b = &cls->bases[i];
        if (b->kind == VALUE_UNKNOWN || depth >= SEMA_CALLS ||
            (b->kind == VALUE_PYTYPE && b->n != SP_py_int && b->n != SP_py_object) ||
            (b->kind == VALUE_CLASS && !counts_members(b->ns->cls, depth + 1)))
            return false;
    }
    return true;
}

static value lower_name(ctx *c, const sym *name)
{
    char *text = arena_dup(&c->module, name->s, name->len);
    for (uint32_t i = 0; i < name->len; i++) {
        if ((unsigned char)text[i] >= 0x80)
            return unknown("weft knows lower case of ASCII alone");
        text[i] = ascii_lower(text[i]);
    }
    return value_str(c, text, name->len);
}

/* auto() is the last value + 1, of a flag the next power of two. The body sees the number, as
 * enum._EnumDict of CPython 3.11 puts it there:
 *
 *     class Flags(IntFlag): A = auto(); B = auto(); BOTH = A | B     1, 2, 3
 *     class Mode(IntEnum): A = 3; B = auto()                         3, 4
 *     class Name(StrEnum): Ab = auto()                               "ab" */
value enum_auto(ctx *c, const namespace *ns, const sym *name)
{
    const py_class *cls = ns->cls;
    value own;
    WEFT_ASSERT(ns->kind == NS_CLASS && cls);
    if (class_find(cls, sym_c(&c->syms, "_generate_next_value_"), &own) || !counts_members(cls, 0))
        return unknown("the class makes the values of auto() by itself");
    if (cls->is_str_enum)
        return lower_name(c, name);
    if (cls->kind != CLASS_ENUM && cls->kind != CLASS_INT_ENUM)
        return value_special(c, SP_enum_auto);
    __int128 last = 0;
    for (uint32_t i = 0; i < ns->n; i++) {
        const value *v = &ns->v[i].v;
        if (!is_member(&ns->v[i]))
            continue;
        if (v->kind == VALUE_UNKNOWN)
            return *v;
        if (value_is_int(v) && (!cls->is_flag || v->i > last))
            last = v->i;
    }
    __int128 next = cls->is_flag ? 1 : last + 1;
    while (cls->is_flag && next <= last)
        next *= 2;
    return value_int(next);
}

/* A member of an int enum is a number with a name; of other enums an object with `value` and
 * `name`. An unknown value makes the member of an int enum unknown, and that of any in a stub. */
static value enum_member(ctx *c, py_class *cls, const sym *name, value v)
{
    const sema_names *t = sema_init(c);
    if (cls->kind == CLASS_INT_ENUM && value_is_int(&v))
        return (value){.kind = VALUE_ENUM, .n = name->id, .cls = cls, .i = v.i};
    const bool in_stub = cls->ns->mod && cls->ns->mod->is_stub;
    if (v.kind == VALUE_UNKNOWN && (in_stub || cls->kind == CLASS_INT_ENUM))
        return v;
    value obj = new_object(c, cls);
    ns_set(c, obj.ns, t->s_value, v);
    ns_set(c, obj.ns, t->s_name, (value){.kind = VALUE_STR, .s = name});
    return obj;
}

/* Replaces the assignments of an enum's body by members; methods and names with an underscore stay.
 * The order of definition is the order of iteration. */
static void make_members(ctx *c, py_class *cls)
{
    WEFT_ASSERT(cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM);
    for (uint32_t i = 0; i < cls->ns->n; i++) {
        ns_entry *entry = &cls->ns->v[i];
        if (is_member(entry))
            entry->v = enum_member(c, cls, entry->name, entry->v);
    }
}

/* __init__ of an enum's members gets their values: (1, 2) as two arguments. */
static void init_members(evaluator *e, const py_class *cls)
{
    const sema_names *t = e->names;
    const sym *own_value = sym_c(&e->c->syms, "_value_");
    value init;
    if (cls->kind != CLASS_ENUM || !class_find(cls, t->s___init__, &init))
        return;
    for (uint32_t i = 0; i < cls->ns->n; i++) {
        const value obj = cls->ns->v[i].v;
        if (!is_member(&cls->ns->v[i]) || obj.kind != VALUE_OBJECT || obj.ns->cls != cls ||
            !value_getattr(e->c, &obj, t->s___init__, &init))
            continue;
        const value *v = ns_find(obj.ns, t->s_value);
        const bool many = v->kind == VALUE_TUPLE;
        const py_call call = {.args = many ? v->items : value_keep(e->c, *v),
                              .nargs = many ? v->n : 1};
        const value ignored = call_value(e, &init, &call);
        (void)ignored;
        const value *changed = ns_find(obj.ns, own_value);
        if (changed)
            ns_set(e->c, obj.ns, t->s_value, *changed);
    }
}

/* class vec5(wp.types.vector(length=5, dtype=float)): Warp takes the class for its base. */
static bool names_warp_type(const py_class *cls)
{
    return cls->nbases == 1 && cls->bases[0].kind == VALUE_TYPE &&
           type_is_composite(cls->bases[0].type);
}

/* What is no class, or stands there twice, may be no base. */
static void note_bases(evaluator *e, const ast_ClassDef *n, const value *bases)
{
    bool fits = !n->keywords.n;
    for (uint32_t i = 0; i < n->bases.n; i++) {
        const exception known = exception_named(e, n->bases.v[i]);
        fits = fits && (bases[i].kind == VALUE_CLASS || bases[i].kind == VALUE_PYTYPE ||
                        bases[i].kind == VALUE_SPECIAL || known.name);
        for (uint32_t k = 0; k < i; k++)
            fits = fits && !value_is(&bases[i], &bases[k]);
    }
    if (!fits)
        may_raise_any(e);
}

/* A class statement: evaluates the bases, runs the body in a scope of its own, turns an enum's
 * assignments into members, and calls the decorators. Keyword arguments (metaclass=...) are
 * ignored. */
void exec_class(evaluator *e, const ast_ClassDef *n)
{
    ctx *c = e->c;
    py_class *cls = ARENA_NEW(&c->module, py_class);
    value *bases = ARENA_ARRAY(&c->module, value, n->bases.n);
    bind_type_params(e, n->type_params);
    for (uint32_t i = 0; i < n->bases.n; i++)
        bases[i] = eval_node(e, n->bases.v[i]);
    note_bases(e, n, bases);
    cls->name = n->name;
    cls->def = n;
    cls->bases = bases;
    cls->nbases = n->bases.n;
    cls->kind = kind_of_bases(cls);
    class_set_order(c, cls);
    if (cls->kind == CLASS_ENUM && mixes_int(cls))
        cls->kind = CLASS_INT_ENUM;
    cls->ns = ns_new(c, NS_CLASS, e->env, class_prefix(c, e->env, n->name));
    cls->ns->cls = cls;
    evaluator inner = *e;
    inner.env = cls->ns;
    /* Names of an enclosing expression are no names of the class body. */
    inner.locals = NULL;
    inner.nlocals = 0;
    exec_block(&inner, &n->body);
    if (e->p->raising)
        return;
    if (cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM)
        make_members(c, cls);
    init_members(e, cls);
    for (uint32_t i = 0; i < cls->nbases; i++)
        if (bases[i].kind == VALUE_SPECIAL && bases[i].n == SP_typing_NamedTuple)
            define_fields(c, cls, false);
    value v = {.kind = VALUE_CLASS, .ns = cls->ns};
    init_subclass(e, n, value_keep(c, v));
    run_metaclasses(e, n, &v);
    if (names_warp_type(cls))
        v = cls->bases[0];
    for (uint32_t i = n->decorator_list.n; i-- > 0;)
        v = decorate(e, n->decorator_list.v[i], v);
    bind_name(e, n->name, v);
}
