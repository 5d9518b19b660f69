/* SPDX-License-Identifier: Apache-2.0 */
/* What Python's classes do to their objects besides attributes: super(), setters of properties,
 * __init_subclass__, and when two objects are equal. Examples:
 *
 *     super().__init__(4)                 the initializer of the base, on the object at hand
 *     @size.setter                        obj.size = 4 calls the function
 *     Pair(1, 2) == (1, 2)                True, of a NamedTuple
 *     Spec(1) == Spec(1)                  True, of a dataclass: by its fields */
#include "sema/sema.h"

/* The function whose body runs here, if it stands in a class: the class, and its first parameter.
 */
static const py_class *class_around(const evaluator *e, value *self)
{
    for (const namespace *ns = e->env; ns; ns = ns->parent) {
        if (ns->kind != NS_FUNCTION || !ns->parent || ns->parent->kind != NS_CLASS)
            continue;
        if (!ns->n)
            return NULL;
        *self = ns->v[0].v; /* parameters are bound first */
        return ns->parent->cls;
    }
    return NULL;
}

/* super() in a method, and super(Class, self). */
value call_super(evaluator *e, const py_call *a)
{
    value self;
    const py_class *cls = a->nargs ? NULL : class_around(e, &self);
    if (a->nargs == 2 && a->args[0].kind == VALUE_CLASS) {
        cls = a->args[0].ns->cls;
        self = a->args[1];
    }
    if (!cls || (self.kind != VALUE_OBJECT && self.kind != VALUE_CLASS))
        return unknown("weft does not know what super() is here");
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    f->kind = PY_SUPER;
    f->self = value_keep(e->c, self);
    f->callee = value_keep(e->c, (value){.kind = VALUE_CLASS, .ns = cls->ns});
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* Has the class, or one above it, several bases? Then Python's order of them is not followed. */
static bool has_several_bases(const py_class *cls, int depth)
{
    bool has = cls->nbases > 1 || depth > 20;
    for (uint32_t i = 0; i < cls->nbases && !has; i++)
        has = cls->bases[i].kind == VALUE_CLASS &&
              has_several_bases(cls->bases[i].ns->cls, depth + 1);
    return has;
}

/* What every object has from `object`, and does nothing. */
static bool is_of_object(const char *name)
{
    return strcmp(name, "__init__") == 0 || strcmp(name, "__init_subclass__") == 0;
}

bool super_attr(ctx *c, const py_func *f, const sym *attr, value *out)
{
    WEFT_ASSERT(f->kind == PY_SUPER);
    const py_class *own = f->self->ns->cls, *cls = f->callee->ns->cls;
    const value actual = {.kind = VALUE_CLASS, .ns = own->ns};
    const bool is_object = f->self->kind == VALUE_OBJECT;
    value v;
    if (has_several_bases(own, 0)) {
        *out = unknown("weft does not follow super() where a class has several bases");
        return true;
    }
    const value *base = cls->nbases ? &cls->bases[0] : NULL;
    const py_class *above = base && base->kind == VALUE_CLASS ? base->ns->cls : NULL;
    if (above && class_find(above, attr, &v)) {
        *out = class_attr_on(c, is_object ? f->self : NULL, &actual, &v);
        if (!is_object && out->kind == VALUE_PYFUNC && strcmp(attr->s, "__init_subclass__") == 0)
            *out = bind_method(c, &actual, &v); /* a class method by itself */
        return true;
    }
    const bool makes_fields = above && above->kind != CLASS_PLAIN;
    if (!cls->partly_known && !makes_fields && is_of_object(attr->s))
        *out = value_special(c, SP_print);
    else if (!cls->partly_known && is_object && strcmp(attr->s, "__setattr__") == 0) {
        const value set = value_special(c, SP_object_setattr);
        *out = bind_method(c, f->self, &set);
    } else if (makes_fields && is_object && attr == sema_init(c)->s___init__) {
        /* The initializer that a dataclass or structure has. */
        const value init = value_special(c, SP_init_fields),
                    of = {.kind = VALUE_CLASS, .ns = above->ns};
        const value method = bind_method(c, &of, &init);
        *out = bind_method(c, f->self, &method);
    } else
        *out = unknown("its class has a base that weft does not evaluate");
    return true;
}

/* @name.setter: the property with its setter, which `self` holds. */
value call_property_setter(evaluator *e, const py_call *a)
{
    const py_func *old = a->nargs == 2 && a->args[0].kind == VALUE_PYFUNC ? a->args[0].p : NULL;
    if (!old || old->kind != PY_PROPERTY)
        return unknown("weft does not evaluate this call");
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    *f = *old;
    f->self = value_keep(e->c, a->args[1]);
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

bool property_attr(ctx *c, const value *property, const sym *attr, value *out)
{
    if (strcmp(attr->s, "setter") != 0)
        return false;
    const value make = value_special(c, SP_property_setter);
    *out = bind_method(c, property, &make);
    return true;
}

bool set_by_class(evaluator *e, const value *obj, const sym *attr, value v)
{
    value found;
    const py_class *cls = obj->kind == VALUE_OBJECT ? obj->ns->cls : NULL;
    if (!cls)
        return false;
    if (class_find(cls, sym_c(&e->c->syms, "__setattr__"), &found)) {
        namespace_put(e->c, obj->ns, attr, unknown("its class sets attributes by itself"));
        return true;
    }
    const py_func *f = class_find(cls, attr, &found) && found.kind == VALUE_PYFUNC ? found.p : NULL;
    if (!f || f->kind != PY_PROPERTY)
        return false;
    if (!f->self)
        return true; /* Python raises an AttributeError */
    value *args = ARENA_ARRAY(&e->c->module, value, 2);
    args[0] = *obj;
    args[1] = v;
    const py_call call = {.args = args, .nargs = 2};
    const value ignored = call_value(e, f->self, &call);
    (void)ignored;
    return true;
}

void init_subclass(evaluator *e, const ast_ClassDef *n, const value *made)
{
    const py_class *cls = made->ns->cls;
    const sym *name = sym_c(&e->c->syms, "__init_subclass__");
    value v;
    for (uint32_t i = 0; i < cls->nbases; i++) {
        if (cls->bases[i].kind != VALUE_CLASS || !class_find(cls->bases[i].ns->cls, name, &v))
            continue;
        const py_func *f = v.kind == VALUE_PYFUNC ? v.p : NULL;
        const sym **names = ARENA_ARRAY(&e->c->module, const sym *, (size_t)n->keywords.n + 1);
        value *kwargs = ARENA_ARRAY(&e->c->module, value, (size_t)n->keywords.n + 1);
        py_call call = {.args = made, .nargs = 1, .names = names, .kwargs = kwargs};
        for (uint32_t k = 0; k < n->keywords.n; k++) {
            const ast_keyword *word = AST(keyword, n->keywords.v[k]);
            if (!word->arg || strcmp(word->arg->s, "metaclass") == 0)
                continue;
            names[call.nkwargs] = word->arg;
            kwargs[call.nkwargs++] = eval_node(e, word->value);
        }
        const value *callee = f && f->kind == PY_CLASS_METHOD ? f->callee : &v;
        const value ignored = call_value(e, callee, &call);
        (void)ignored;
        return;
    }
}

/* One of the methods by which a metaclass of the program makes classes, for what it changes: what
 * it makes of the class is not followed. */
static void run_metaclass(evaluator *e, const value *meta, const char *method, const value *made)
{
    value f;
    if (!class_find(meta->ns->cls, sym_c(&e->c->syms, method), &f) || f.kind != VALUE_PYFUNC)
        return;
    program *p = e->p;
    const maybe_mode before = p->maybe;
    value *args = ARENA_ARRAY(&e->c->module, value, 4);
    args[0] = strcmp(method, "__new__") == 0 ? *meta : *made;
    args[1] = (value){.kind = VALUE_STR, .s = made->ns->cls->name};
    args[2] = args[3] = unknown("weft does not follow metaclasses");
    const py_call call = {.args = args, .nargs = 4};
    maybe_begin(p);
    p->doubt++;
    const value ignored = call_value(e, &f, &call);
    (void)ignored;
    p->doubt--;
    p->maybe = before;
    branch_ended(e);
    may_raise_any(e);
}

void run_metaclasses(evaluator *e, const ast_ClassDef *n, const value *made)
{
    for (uint32_t i = 0; i < n->keywords.n; i++) {
        const ast_keyword *word = AST(keyword, n->keywords.v[i]);
        if (!word->arg || strcmp(word->arg->s, "metaclass") != 0)
            continue;
        const value meta = eval_node(e, word->value);
        if (meta.kind != VALUE_CLASS)
            continue;
        run_metaclass(e, &meta, "__new__", made);
        run_metaclass(e, &meta, "__init__", made);
    }
}

bool object_has_method(const value *v, const char *name)
{
    value found;
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    return cls && class_find(cls, sym_c(&cls->ns->mod->prog->c->syms, name), &found);
}

bool has_own_equality(const value *v)
{
    bool own = false;
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    return cls && equality_rule(cls, &own) && own;
}

const py_class *equality_rule(const py_class *cls, bool *own)
{
    const sym *name = sym_c(&cls->ns->mod->prog->c->syms, "__eq__");
    const py_class *at;
    *own = false;
    for (uint32_t i = 0; (at = class_above(cls, i)); i++) {
        *own = ns_find(at->ns, name) != NULL;
        if (*own || (at->defines_fields && !at->by_identity))
            return at;
    }
    return NULL;
}

static const char no_copy[] = "weft does not follow copies of structs";

/* One call of copy.deepcopy: what was copied, since two references to one object are two to its
 * copy. */
typedef struct copied {
    ctx *c;
    str_map at; /* by object or items: a place in `made`, plus 1 */
    VEC(value) made;
    int depth;
} copied;

static const void *copy_key(const value *v)
{
    return v->kind == VALUE_OBJECT      ? (const void *)v->ns
           : value_has_cells(v)         ? (const void *)v->cells
           : v->kind == VALUE_COMPOSITE ? (const void *)v->elems
                                        : (const void *)v->items;
}

static const value *find_copy(const copied *s, const value *v)
{
    const void *key = copy_key(v);
    const uint32_t at = str_map_get(&s->at, (str){(const char *)&key, sizeof key});
    const value *made = at ? &s->made.v[at - 1] : NULL;
    return made && made->kind == v->kind && made->n == v->n ? made : NULL;
}

static void keep_copy(copied *s, const value *v, value made)
{
    const void **key = ARENA_ARRAY(&s->c->module, const void *, 1);
    *key = copy_key(v);
    VEC_PUSH(&s->c->module, &s->made, made);
    str_map_set(&s->c->module, &s->at, (str){(const char *)key, sizeof *key}, s->made.n);
}

static value copy_inner(copied *s, const value *v);

/* Of a list, tuple, dict or set. */
static value copy_items(copied *s, const value *v)
{
    const value made = container_copy(s->c, v);
    if (made.kind == VALUE_UNKNOWN)
        return made;
    value *items = (value *)(uintptr_t)value_array(&made);
    if (value_has_cells(v) || made.n)
        keep_copy(s, v, made);
    for (uint32_t i = 0; i < (v->kind == VALUE_DICT ? 2 : 1) * value_count(&made); i++)
        items[i] = copy_inner(s, &items[i]);
    return made;
}

/* Of an object of a class; `s` NULL: its attributes are not copied. */
static value copy_object(ctx *c, copied *s, const value *v)
{
    const py_class *cls = v->ns->cls;
    if (!cls || cls->kind == CLASS_ENUM)
        return *v;
    if (object_has_method(v, s ? "__deepcopy__" : "__copy__"))
        return unknown("its class makes copies by itself");
    const value made = new_object(c, cls);
    made.ns->star = v->ns->star;
    made.ns->star_kind = v->ns->star_kind;
    if (s)
        keep_copy(s, v, made);
    spend(c, 1 + v->ns->n);
    for (uint32_t i = 0; i < v->ns->n; i++)
        ns_set(c, made.ns, v->ns->v[i].name, s ? copy_inner(s, &v->ns->v[i].v) : v->ns->v[i].v);
    return made;
}

static value copy_inner(copied *s, const value *v)
{
    enum { NESTED_MOST = 100 };
    const bool is_items = v->kind == VALUE_LIST || v->kind == VALUE_DICT || v->kind == VALUE_TUPLE;
    if (v->kind == VALUE_STRUCT_INSTANCE)
        return unknown(no_copy);
    if (v->kind != VALUE_OBJECT && v->kind != VALUE_COMPOSITE && !is_items)
        return *v;
    const value *known = find_copy(s, v);
    if (known)
        return *known;
    if (v->kind == VALUE_COMPOSITE) {
        const value copy = composite_copy(s->c, v);
        keep_copy(s, v, copy);
        return copy;
    }
    if (s->depth >= NESTED_MOST)
        return unknown("objects are nested too deeply");
    s->depth++;
    const value made = is_items ? copy_items(s, v) : copy_object(s->c, s, v);
    s->depth--;
    return made;
}

value copy_deep(ctx *c, const value *v)
{
    return copy_inner(&(copied){.c = c}, v);
}

/* copy.copy(x), copy.deepcopy(x) */
value call_copy(evaluator *e, const py_call *a)
{
    if (!a->nargs)
        return unknown("an argument is missing");
    const value *v = &a->args[0];
    if (a->id == SP_deepcopy)
        return copy_deep(e->c, v);
    if (v->kind == VALUE_OBJECT)
        return copy_object(e->c, NULL, v);
    if (v->kind == VALUE_COMPOSITE)
        return composite_copy(e->c, v);
    if (v->kind == VALUE_STRUCT_INSTANCE)
        return unknown(no_copy);
    return value_has_cells(v) ? container_copy(e->c, v) : *v;
}

value objects_equal(ctx *c, const value *a, const value *b)
{
    const value *own = has_own_equality(a) ? a : has_own_equality(b) ? b : NULL;
    value eq;
    if (own && value_getattr(c, own, sym_c(&c->syms, "__eq__"), &eq)) {
        evaluator e = evaluator_for(c, own->ns->cls->ns);
        const value r = call_one(&e, &eq, own == a ? *b : *a);
        const int truth = value_truth(&r);
        return truth < 0 ? r : value_bool(truth);
    }
    const int equal = value_equal(a, b);
    return equal < 0 ? unknown("what the objects equal is not known") : value_bool(equal);
}
