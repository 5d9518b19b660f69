/* SPDX-License-Identifier: Apache-2.0 */
/* Classes with fields: dataclasses, typing.NamedTuple and collections.namedtuple. Examples:
 *
 *     @dataclass
 *     class Spec:
 *         kind: ClassVar[str] = "spec"                no field
 *         width: int = 3
 *         taps: list = field(default_factory=list)    made with each object
 *         area: int = field(init=False, default=9)    no parameter
 *     Spec(4)                                         width 4, taps [], area 9
 *     replace(Spec(4), taps=[1]), asdict(Spec(4))     another object; a dict
 *
 * The order of fields and parameters is that of dataclasses.py of CPython 3.11. */
#include "sema/sema.h"

static const char no_default[] = "the field is not given";

typedef VEC(class_field) field_list;

const py_class *class_with_fields(const py_class *cls)
{
    const py_class *at;
    for (uint32_t i = 0; (at = class_above(cls, i)); i++)
        if (at->defines_fields)
            return at;
    return NULL;
}

static bool has_default(const class_field *f)
{
    return f->factory || f->preset.kind != VALUE_UNKNOWN || f->preset.why != no_default;
}

/* The names of the fields. */
value class_fields(ctx *c, const py_class *cls)
{
    const py_class *of = class_with_fields(cls);
    value *names = ARENA_ARRAY(&c->module, value, of ? of->nfields : 0);
    uint32_t n = 0;
    for (uint32_t i = 0; of && i < of->nfields; i++)
        if (!of->fields[i].is_var)
            names[n++] = (value){.kind = VALUE_STR, .s = of->fields[i].name};
    return value_items(VALUE_TUPLE, names, n);
}

/* The name of an annotation: "ClassVar" of ClassVar[int] and of typing.ClassVar. */
static const char *annotation_name(const node *annotation)
{
    const node *n =
        annotation->kind == AST_Subscript ? AST(Subscript, annotation)->value : annotation;
    return n->kind == AST_Name        ? AST(Name, n)->id->s
           : n->kind == AST_Attribute ? AST(Attribute, n)->attr->s
                                      : "";
}

/* A name that is there keeps its place. */
static void put_field(ctx *c, field_list *all, class_field f)
{
    spend(c, all->n / 8);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].name == f.name) {
            all->v[i] = f;
            return;
        }
    VEC_PUSH(&c->module, all, f);
}

/* The field that an annotated name makes. As in Python the class keeps its default alone. */
static class_field field_of(ctx *c, py_class *cls, const sym *name, bool kw_only)
{
    class_field f = {.name = name, .preset = unknown(no_default), .kw_only = kw_only};
    value v;
    if (!class_find(cls, name, &v))
        return f;
    const py_func *made = v.kind == VALUE_PYFUNC && v.p ? v.p : NULL;
    if (!made || made->kind != PY_FIELD) {
        f.preset = v;
        return f;
    }
    f = *made->field;
    f.name = name;
    f.kw_only = f.kw_only || (kw_only && !made->field->has_position);
    if (!ns_find(cls->ns, name))
        return f;
    if (f.factory || !has_default(&f))
        ns_remove(cls->ns, name);
    else
        ns_set(c, cls->ns, name, f.preset);
    return f;
}

void define_fields(ctx *c, py_class *cls, bool kw_only)
{
    enum { ABOVE_MOST = 64 };
    field_list all = {0};
    const py_class *above[ABOVE_MOST];
    uint32_t n = 0;
    while (n + 1 < ABOVE_MOST && (above[n] = class_above(cls, n + 1)))
        n++;
    while (n-- > 0)
        for (uint32_t i = 0; above[n]->defines_fields && i < above[n]->nfields; i++)
            put_field(c, &all, above[n]->fields[i]);
    for (uint32_t i = 0; cls->def && i < cls->def->body.n; i++) {
        const node *s = cls->def->body.v[i];
        if (s->kind != AST_AnnAssign || AST(AnnAssign, s)->target->kind != AST_Name)
            continue;
        const char *kind = annotation_name(AST(AnnAssign, s)->annotation);
        kw_only = kw_only || strcmp(kind, "KW_ONLY") == 0;
        if (strcmp(kind, "KW_ONLY") == 0 || strcmp(kind, "ClassVar") == 0)
            continue;
        class_field f = field_of(c, cls, AST(Name, AST(AnnAssign, s)->target)->id, kw_only);
        f.is_var = strcmp(kind, "InitVar") == 0;
        put_field(c, &all, f);
    }
    cls->fields = all.v;
    cls->nfields = all.n;
    cls->defines_fields = true;
}

/* Is the argument given and true? */
static bool is_on(const py_call *a, const char *name)
{
    const value *v = call_get(a, UINT32_MAX, name);
    return v && value_truth(v) == 1;
}

/* The same, and false. */
static bool is_off(const py_call *a, const char *name)
{
    const value *v = call_get(a, UINT32_MAX, name);
    return v && value_truth(v) == 0;
}

/* @dataclass, or @dataclass(...). The class itself changes kind; enums and NamedTuples keep theirs.
 */
value call_dataclass(evaluator *e, const py_call *a)
{
    if (!a->nargs)
        return partial_of(e->c, a->id, a);
    const value v = a->args[a->nargs - 1];
    /* Objects made before the decorator ran do not exist. */
    py_class *cls = v.kind == VALUE_CLASS ? (py_class *)(uintptr_t)v.ns->cls : NULL;
    if (!cls || (cls->kind != CLASS_PLAIN && cls->kind != CLASS_DATA))
        return v;
    cls->kind = CLASS_DATA;
    cls->by_identity = call_get(a, UINT32_MAX, "eq") && !is_on(a, "eq");
    cls->has_no_init = is_off(a, "init");
    define_fields(e->c, cls, is_on(a, "kw_only"));
    return v;
}

/* dataclasses.field(...), until the decorator of its class takes it. */
value call_field(evaluator *e, const py_call *a)
{
    static const char *const options[] = {"init", "kw_only", "compare"};
    const value *preset = call_get(a, UINT32_MAX, "default");
    class_field *field = ARENA_NEW(&e->c->module, class_field);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const value *v = call_get(a, UINT32_MAX, options[i]);
        field->is_unsure = field->is_unsure || (v && value_truth(v) < 0);
    }
    field->preset = preset ? *preset : unknown(no_default);
    field->factory = call_get(a, UINT32_MAX, "default_factory");
    field->no_init = is_off(a, "init");
    field->kw_only = is_on(a, "kw_only");
    field->has_position = is_off(a, "kw_only");
    field->no_compare = is_off(a, "compare");
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    f->kind = PY_FIELD;
    f->field = field;
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* collections.namedtuple(...): the last fields have the presets as defaults. */
value named_tuple(evaluator *e, const sym *name, const value *names, const value *presets,
                  uint32_t npresets)
{
    const uint32_t count = value_count(names);
    WEFT_ASSERT(npresets <= count);
    py_class *cls = ARENA_NEW(&e->c->module, py_class);
    cls->name = name;
    cls->kind = CLASS_TUPLE;
    cls->ns = ns_new(e->c, NS_CLASS, e->env, (str){"", 0});
    cls->ns->cls = cls;
    class_field *fields = ARENA_ARRAY(&e->c->module, class_field, count);
    const uint32_t first = count - npresets;
    for (uint32_t i = 0; i < count; i++) {
        fields[i] = (class_field){.name = value_array(names)[i].s,
                                  .preset = i < first ? unknown(no_default) : presets[i - first]};
        if (i >= first)
            ns_set(e->c, cls->ns, fields[i].name, fields[i].preset);
    }
    cls->fields = fields;
    cls->nfields = count;
    cls->defines_fields = true;
    return (value){.kind = VALUE_CLASS, .ns = cls->ns};
}

/* The value of a field of a new object. */
static value field_value(evaluator *e, const class_field *f, const py_call *call, uint32_t at)
{
    const value *given = f->no_init ? NULL : call_get(call, at, f->name->s);
    const py_call none = {0};
    if (call->inexact && !f->no_init)
        return call->unpacked;
    return given ? *given : f->factory ? call_value(e, f->factory, &none) : f->preset;
}

py_call init_fields(evaluator *e, const py_class *cls, namespace *ns, const py_call *call)
{
    const py_class *of = class_with_fields(cls);
    value *vars = ARENA_ARRAY(&e->c->module, value, of ? of->nfields : 0);
    py_call after = {.args = vars}, own = *call;
    uint32_t at = 0;
    for (uint32_t i = 0; of && i < of->nfields; i++)
        if (of->fields[i].is_unsure && !own.inexact) {
            own.inexact = true; /* which field an argument is for is not known */
            own.unpacked = unknown("what the field does is not known");
        }
    for (uint32_t i = 0; of && i < of->nfields; i++) {
        const class_field *f = &of->fields[i];
        const bool is_set = !f->no_init || has_default(f);
        const value v = field_value(e, f, &own, f->kw_only || f->no_init ? UINT32_MAX : at++);
        if (f->is_var)
            vars[after.nargs++] = v;
        else if (is_set)
            ns_set(e->c, ns, f->name, v);
    }
    return after;
}

/* Has the class, as attributes are looked up, an __init__ that a dataclass has made? */
bool makes_fields(evaluator *e, const py_class *cls)
{
    const py_class *at;
    for (uint32_t i = 0; cls->kind == CLASS_DATA && (at = class_above(cls, i)); i++) {
        if (ns_find(at->ns, e->names->s___init__))
            return false;
        if (at->defines_fields && !at->has_no_init)
            return true;
    }
    return false;
}

/* What weft calls as the initializer of a dataclass, from super().__init__(...): the class and the
 * object stand first. */
value call_init_fields(evaluator *e, const py_call *a)
{
    if (a->nargs < 2 || a->args[0].kind != VALUE_CLASS || a->args[1].kind != VALUE_OBJECT)
        return unknown("weft does not evaluate this call");
    const py_class *cls = a->args[0].ns->cls;
    py_call rest = *a, vars = {0};
    rest.args += 2;
    rest.nargs -= 2;
    value after;
    if (cls->kind == CLASS_DATA || cls->kind == CLASS_TUPLE)
        vars = init_fields(e, cls, a->args[1].ns, &rest);
    else
        ctypes_init(e, cls, a->args[1].ns, &rest);
    if (cls->kind == CLASS_DATA && class_find(cls, e->names->s___post_init__, &after) &&
        value_getattr(e->c, &a->args[1], e->names->s___post_init__, &after))
        after = call_value(e, &after, &vars);
    (void)after;
    return value_none();
}

/* The class that has the fields of an object; NULL: it has none. */
static const py_class *fields_of(const value *v)
{
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    return cls && (cls->kind == CLASS_DATA || cls->kind == CLASS_TUPLE) ? class_with_fields(cls)
                                                                        : NULL;
}

/* dataclasses.replace(x, field=...), and the method _replace of a NamedTuple: another object of the
 * class, made of the fields of x and of what is given. */
value call_replace(evaluator *e, const py_call *a)
{
    const py_class *of = a->nargs == 1 ? fields_of(&a->args[0]) : NULL;
    if (!of || a->inexact)
        return call_unknown(e, a);
    const namespace *old = a->args[0].ns;
    const sym **keys = ARENA_ARRAY(&e->c->module, const sym *, (size_t)of->nfields + 1);
    value *kwargs = ARENA_ARRAY(&e->c->module, value, (size_t)of->nfields + 1);
    uint32_t used = 0, n = 0;
    for (uint32_t i = 0; i < of->nfields; i++) {
        const class_field *f = &of->fields[i];
        const value *now = call_get(a, UINT32_MAX, f->name->s);
        if (f->no_init && now)
            return unknown("replace() is given a field that no parameter sets");
        if (f->no_init || (f->is_var && !now && has_default(f)))
            continue;
        used += now != NULL;
        const value *v = now ? now : ns_find(old, f->name);
        keys[n] = f->name;
        kwargs[n++] = v ? *v : unknown(no_default);
    }
    if (used != a->nkwargs)
        return unknown("replace() is given what is no field");
    const value class_value = {.kind = VALUE_CLASS, .ns = old->cls->ns};
    const py_call call = {.names = keys, .kwargs = kwargs, .nkwargs = n};
    return call_value(e, &class_value, &call);
}

static value plain_of(evaluator *e, const value *v);

/* The dict of an object's fields. */
static value dict_of(evaluator *e, const value *v, const py_class *of, bool deep)
{
    value *pairs = ARENA_ARRAY(&e->c->module, value, 2 * (size_t)of->nfields + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < of->nfields; i++) {
        if (of->fields[i].is_var)
            continue;
        const value *x = ns_find(v->ns, of->fields[i].name);
        pairs[2 * n] = (value){.kind = VALUE_STR, .s = of->fields[i].name};
        pairs[2 * n++ + 1] = !x ? unknown(no_default) : deep ? plain_of(e, x) : *x;
    }
    return value_dict(e->c, pairs, n);
}

/* A NamedTuple of the same class, its items as plain_of makes them. */
static value plain_tuple(evaluator *e, const value *v, const py_class *of)
{
    const value made = new_object(e->c, v->ns->cls);
    for (uint32_t i = 0; i < of->nfields; i++) {
        const value *x = ns_find(v->ns, of->fields[i].name);
        ns_set(e->c, made.ns, of->fields[i].name, x ? plain_of(e, x) : unknown(no_default));
    }
    return made;
}

/* What dataclasses.asdict makes of a value in an object: dataclasses._asdict_inner. */
static value plain_of(evaluator *e, const value *v)
{
    const py_class *of = fields_of(v);
    const bool is_items = v->kind == VALUE_TUPLE || v->kind == VALUE_DICT ||
                          (v->kind == VALUE_LIST && !value_is_set(v));
    if (e->p->depth >= SEMA_DEPTH || !e->p->fuel)
        return unknown("objects are nested too deeply");
    spend(e->c, 1);
    if (!of && !is_items)
        return copy_deep(e->c, v);
    e->p->depth++;
    value made;
    if (of)
        made = v->ns->cls->kind == CLASS_DATA ? dict_of(e, v, of, true) : plain_tuple(e, v, of);
    else {
        made = container_copy(e->c, v);
        value *items = (value *)(uintptr_t)value_array(&made);
        for (uint32_t i = 0; i < (v->kind == VALUE_DICT ? 2 : 1) * value_count(&made); i++)
            items[i] = plain_of(e, &items[i]);
    }
    e->p->depth--;
    return made;
}

/* dataclasses.asdict(x), also of objects in it; and _asdict of a NamedTuple, which goes no deeper.
 */
value call_asdict(evaluator *e, const py_call *a)
{
    const py_class *of = a->nargs == 1 ? fields_of(&a->args[0]) : NULL;
    if (!of || a->nkwargs)
        return call_unknown(e, a);
    if (a->args[0].ns->cls->kind == CLASS_TUPLE)
        return dict_of(e, &a->args[0], of, false);
    return plain_of(e, &a->args[0]);
}
