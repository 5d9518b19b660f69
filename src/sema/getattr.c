/* SPDX-License-Identifier: Apache-2.0 */
/* Python's getattr on compile-time objects. Examples:
 *
 *     shapes.BOX          a global of a module, or a submodule that some file has imported
 *     wp.sin              a builtin, from the tables
 *     wp.vec3.dtype       float32, as Warp 1.19 resolve_type_attribute has it
 *     Mode.A.value        a number
 *     v.x                 a component of a vector
 *
 * There is one function for each kind of object; false means that the object has no such attribute.
 * An attribute that exists but cannot be known comes back as an unknown value. */
#include "base/version.h"
#include "builtin/builtin.h"
#include "sema/sema.h"

/* obj.f: the function with its first argument bound. */
value bind_method(ctx *c, const value *self, const value *f)
{
    WEFT_ASSERT(self != NULL && f != NULL);
    py_func *m = ARENA_NEW(&c->module, py_func);
    m->kind = PY_METHOD;
    m->self = value_keep(c, *self);
    m->callee = value_keep(c, *f);
    return (value){.kind = VALUE_PYFUNC, .p = m};
}

/* What an attribute found in a class means on an instance (self) or on the class (self NULL): the
 * descriptor protocol of Python for the few descriptors there are. A property on the class itself
 * stays an object. */
value class_attr_on(ctx *c, const value *self, const value *cls, const value *v)
{
    const py_func *f = v->kind == VALUE_PYFUNC ? v->p : NULL;
    if (!f)
        return *v;
    if (f->kind == PY_STATIC)
        return *f->callee;
    if (f->kind == PY_CLASS_METHOD)
        return bind_method(c, cls, f->callee);
    /* A property is called now; it may run any Python function. */
    if (f->kind == PY_PROPERTY && self) {
        evaluator e = evaluator_for(c, cls->ns);
        return call_one(&e, f->callee, *self);
    }
    return self && f->kind == PY_DEF ? bind_method(c, self, v) : *v;
}

/* What every NamedTuple has: its names, and methods that copy it. */
static bool tuple_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    const bool replaces = strcmp(attr->s, "_replace") == 0;
    if (attr == sema_init(c)->s__fields) {
        *out = class_fields(c, obj->ns->cls);
        return true;
    }
    if (!replaces && strcmp(attr->s, "_asdict") != 0)
        return false;
    const value method = value_special(c, replaces ? SP_dataclass_replace : SP_asdict);
    *out = bind_method(c, obj, &method);
    return true;
}

/* Order of Python: attributes of the object, then of its class and bases; functions found in the
 * class are bound. Python looks for data descriptors of the class before the object's own
 * attributes; a property and an attribute of one name are not distinguished here. */
static bool object_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_OBJECT && obj->ns->kind == NS_OBJECT);
    const namespace *ns = obj->ns;
    const value *own = ns_find(ns, attr);
    value v, cls = {.kind = VALUE_CLASS, .ns = ns->cls ? ns->cls->ns : NULL};
    if (own) {
        *out = *own;
        return true;
    }
    if (ns->cls && class_find(ns->cls, attr, &v)) {
        const bool hidden = ns->hides && v.kind != VALUE_PYFUNC;
        *out = hidden ? unknown(ns->star) : class_attr_on(c, obj, &cls, &v);
        return true;
    }
    const bool is_plain = !ns->cls || ns->cls->kind == CLASS_PLAIN || ns->cls->kind == CLASS_DATA;
    if (is_plain && attr == sema_init(c)->s___dict__) {
        *out = namespace_dict(c, obj->ns);
        return true;
    }
    if (strcmp(attr->s, "__setattr__") == 0) {
        const value set = value_special(c, SP_object_setattr);
        *out = bind_method(c, obj, &set);
        return true;
    }
    if (ns->cls && attr == sema_init(c)->s___class__) {
        *out = cls;
        return true;
    }
    if (ns->cls && ns->cls->kind == CLASS_TUPLE && tuple_attr(c, obj, attr, out))
        return true;
    if (ns->star)
        *out = unknown(ns->star);
    return ns->star != NULL;
}

/* Globals of the module, then submodules that some file has imported: after `import a.b`, a.b is an
 * attribute of a although a's file does not define it. */
static bool module_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    const value *v = ns_find(obj->ns, attr);
    const module *m = obj->ns->mod;
    if (v) {
        *out = *v;
        return true;
    }
    if (attr == sema_init(c)->s___dict__) {
        *out = namespace_dict(c, obj->ns);
        return true;
    }
    char dotted[SEMA_NAME_MAX];
    size_t n = m->name->len;
    if (n + attr->len + 2 <= sizeof dotted) {
        memcpy(dotted, m->name->s, n);
        dotted[n] = '.';
        memcpy(dotted + n + 1, attr->s, attr->len + 1);
        /* A name that was never interned names no module. */
        const sym *sub = sym_find(&c->syms, dotted, n + 1 + attr->len);
        module *found = sub ? loaded_module(m->prog, sub) : NULL;
        if (found) {
            *out = module_value(found);
            return true;
        }
    }
    if (obj->ns->star)
        *out = unknown(obj->ns->star);
    return obj->ns->star != NULL;
}

/* An attribute of the class or its bases, without those of its metaclass except __name__. */
static bool class_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->ns->kind == NS_CLASS && obj->ns->cls != NULL);
    const py_class *cls = obj->ns->cls;
    value v;
    if (class_find(cls, attr, &v)) {
        *out = class_attr_on(c, NULL, obj, &v);
        return true;
    }
    if (attr == sema_init(c)->s___name__) {
        *out = (value){.kind = VALUE_STR, .s = cls->name};
        return true;
    }
    if (attr == sema_init(c)->s__fields && cls->kind == CLASS_TUPLE) {
        *out = class_fields(c, cls);
        return true;
    }
    if (cls->partly_known)
        *out = unknown("its class has a base that weft does not evaluate");
    return cls->partly_known;
}

/* Warp's _shape_: a tuple of one or two lengths. Needs: t is a composite. */
static value shape_of(ctx *c, const type *t)
{
    WEFT_ASSERT(type_is_composite(t));
    value *items = ARENA_ARRAY(&c->module, value, 2);
    items[0] = value_int(t->rows);
    items[1] = value_int(t->cols);
    return value_items(VALUE_TUPLE, items, t->kind == TYPE_MAT ? 2 : 1);
}

/* Attributes of a @wp.struct class: its name, and what its body defines besides fields, such as a
 * static method. */
static bool struct_class_attr(ctx *c, const type *t, const sym *attr, value *out)
{
    WEFT_ASSERT(t->kind == TYPE_STRUCT);
    const struct_class *st = (const struct_class *)(const void *)t->st;
    const sema_names *s = sema_init(c);
    value cls = {.kind = VALUE_CLASS, .ns = st->ns};
    if (attr == s->s_key || attr == s->s___name__) {
        *out = (value){.kind = VALUE_STR, .s = t->st->name};
        return true;
    }
    return st->ns && class_attr(c, &cls, attr, out);
}

/* __name__ of the Python class: that of the module's attribute where there is one. Types that Warp
 * makes on demand are all called "vec_t" or "mat_t", except float vectors of length 6 and float 6x6
 * matrices, for which Warp defines the spatial classes:
 *
 *     wp.vec3                                       vec3f
 *     wp.types.vector(length=5, dtype=float)        vec_t
 *     wp.types.vector(length=6, dtype=float)        spatial_vectorf */
static value class_name(ctx *c, const type *t)
{
    /* Types that Warp's modules define have a name without arguments. */
    bool named = !memchr(t->pyname.p, '(', t->pyname.n), spatial = t->rows == 6;
    if (named || !type_is_composite(t))
        return value_str(c, t->pyname.p, t->pyname.n);
    if (t->kind == TYPE_MAT)
        spatial = spatial && t->cols == 6;
    if (!spatial || t->elem->kind < TYPE_FLOAT16 || t->elem->kind > TYPE_FLOAT64)
        return t->kind == TYPE_MAT ? value_str(c, "mat_t", 5) : value_str(c, "vec_t", 5);
    strbuf b;
    sb_init(&b, &c->mem);
    sb_c(&b, t->kind == TYPE_MAT ? "spatial_matrix" : "spatial_vector");
    sb_char(&b, t->elem->kind == TYPE_FLOAT16 ? 'h' : t->elem->kind == TYPE_FLOAT32 ? 'f' : 'd');
    value v = value_str(c, b.p, b.n);
    sb_clear(&b);
    return v;
}

static value tuple_of(ctx *c, const int64_t *v, uint32_t n)
{
    value *items = ARENA_ARRAY(&c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        items[i] = value_int(v[i]);
    return value_items(VALUE_TUPLE, items, n);
}

/* Warp 1.19 array._init_annotation: an annotation holds no array, so its sizes are 0 and its flags
 * False. A kernel that reads `a.size` of a parameter gets this 0, not the size of what is launched.
 */
static bool annotation_attr(const type *t, const char *attr, value *out)
{
    static const struct {
        const char *name;
        bool is_flag, plain_only; /* wp.indexedarray has the others only */
    } rows[] = {
        {"size", false, false},         {"capacity", false, true},
        {"is_contiguous", true, false}, {"requires_grad", true, true},
        {"is_transposed", true, true},  {"pinned", true, false},
    };
    const bool plain = t->array_class == ARRAY_PLAIN;
    if (!plain && t->array_class != ARRAY_INDEXED)
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, attr) == 0 && (plain || !rows[i].plain_only)) {
            *out = rows[i].is_flag ? value_bool(false) : value_int(0);
            return true;
        }
    return false;
}

/* Extents that the type itself knows: `f.size` is 4 after f = wp.zeros(shape=4, dtype=float) in a
 * kernel. A fixed array's type has no more than its size. Strides of tiles count elements. */
static bool extent_attr(ctx *c, const type *t, const sym *attr, value *out)
{
    const bool tile = t->kind == TYPE_TILE;
    if (tile && (strcmp(attr->s, "shape") == 0 || strcmp(attr->s, "strides") == 0)) {
        *out = tuple_of(c, t->dims + (attr->s[1] == 't' ? t->ndim : 0), (uint32_t)t->ndim);
        return true;
    }
    if (!tile && t->array_class != ARRAY_FIXED)
        return annotation_attr(t, attr->s, out);
    if (attr != sema_init(c)->s_size)
        return false;
    int64_t size = t->rows;
    for (int i = 0; tile && i < t->ndim; i++)
        size = i ? size * t->dims[i] : t->dims[i];
    *out = value_int(tile && !t->ndim ? 1 : size);
    return true;
}

/* wp.float32._type_: the type of ctypes that holds such a scalar, Warp 1.19 types.py. */
static value ctypes_type(ctx *c, const type *t)
{
    static const special_id ids[] = {
        [TYPE_BOOL] = SP_c_bool,      [TYPE_INT8] = SP_c_int8,       [TYPE_UINT8] = SP_c_uint8,
        [TYPE_INT16] = SP_c_int16,    [TYPE_UINT16] = SP_c_uint16,   [TYPE_INT32] = SP_c_int32,
        [TYPE_UINT32] = SP_c_uint32,  [TYPE_INT64] = SP_c_int64,     [TYPE_UINT64] = SP_c_uint64,
        [TYPE_FLOAT16] = SP_c_uint16, [TYPE_BFLOAT16] = SP_c_uint16, [TYPE_FLOAT32] = SP_c_float,
        [TYPE_FLOAT64] = SP_c_double};
    return type_is_scalar(t) ? value_special(c, ids[t->kind])
                             : unknown("the type of its components is not known");
}

/* Attributes of types that Python code reads: Warp 1.19 resolve_type_attribute, and the private
 * ones that its own sources use. *out may be set although the result is false. */
static bool type_attr(ctx *c, const type *t, const sym *attr, value *out)
{
    const sema_names *s = sema_init(c);
    bool composite = type_is_composite(t);
    if (t->kind == TYPE_STRUCT)
        return struct_class_attr(c, t, attr, out);
    if (attr == s->s_dtype || (composite && attr == s->s__wp_scalar_type_)) {
        /* The dtype of a scalar is itself. */
        const type *e = composite || t->kind == TYPE_ARRAY || t->kind == TYPE_TILE ? t->elem : t;
        *out = value_type(e);
        return true;
    }
    if ((composite || type_is_scalar(t)) && attr == s->s__type_) {
        *out = ctypes_type(c, composite ? t->elem : t);
        return true;
    }
    if ((composite || type_is_scalar(t)) && (attr == s->s_length || attr == s->s__length_)) {
        *out = value_int(t->kind == TYPE_MAT ? t->rows * t->cols : composite ? t->rows : 1);
        return true;
    }
    if (composite && attr == s->s__shape_) {
        *out = shape_of(c, t);
        return true;
    }
    if (t->kind == TYPE_ARRAY && attr == s->s_ndim) {
        *out = value_int(t->ndim);
        return true;
    }
    if ((t->kind == TYPE_ARRAY || t->kind == TYPE_TILE) && extent_attr(c, t, attr, out))
        return true;
    if (attr == s->s___name__) {
        *out = class_name(c, t);
        return true;
    }
    return false;
}

/* Components x, y, z, w; p and q of a transform; else the attributes of its type. */
static bool composite_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_COMPOSITE);
    const sema_names *s = sema_init(c);
    const sym *const names[] = {s->s_x, s->s_y, s->s_z, s->s_w};
    const type *t = obj->type;
    for (int i = 0; i < 4 && i < t->rows && (t->kind == TYPE_VEC || t->kind == TYPE_QUAT); i++) {
        if (attr == names[i]) {
            *out = composite_item(c, obj, i);
            return true;
        }
    }
    if (t->kind == TYPE_TRANSFORM && (attr == s->s_p || attr == s->s_q)) {
        bool is_p = attr == s->s_p;
        *out = composite_new(c, is_p ? type_vec(c, t->elem, 3) : type_quat(c, t->elem));
        for (uint32_t i = 0; i < (is_p ? 3 : 4); i++)
            composite_set(out, i, composite_get(obj, i + (is_p ? 0 : 3)));
        return true;
    }
    return type_attr(c, t, attr, out);
}

/* A field of a struct instance. Methods of the class are not found on instances, as in Warp. */
static bool instance_attr(const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_STRUCT_INSTANCE);
    const struct_def *st = obj->type->st;
    for (uint32_t i = 0; i < st->nfields; i++) {
        if (st->fields[i].name == attr) {
            *out = obj->items[i];
            return true;
        }
    }
    return false;
}

/* `value` and `name` of a member of an int enum, whose symbol id is in n; then what its class
 * defines: other members, properties, methods. */
static bool enum_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_ENUM && obj->n < c->syms.n);
    const sema_names *s = sema_init(c);
    value v;
    if (attr == s->s_value) {
        *out = value_int(obj->i);
        return true;
    }
    if (attr == s->s_name) {
        *out = (value){.kind = VALUE_STR, .s = c->syms.by_id[obj->n]};
        return true;
    }
    if (!obj->cls || !class_find(obj->cls, attr, &v))
        return false;
    const value cls = {.kind = VALUE_CLASS, .ns = obj->cls->ns};
    *out = class_attr_on(c, obj, &cls, &v);
    return true;
}

/* Attributes of a @wp.func or kernel: names and keys. All others exist but are unknown. */
bool is_function(const value *v)
{
    return v->kind == VALUE_PYFUNC || v->kind == VALUE_FUNC || v->kind == VALUE_KERNEL;
}

namespace *attrs_of(program *p, const value *v, bool make)
{
    WEFT_ASSERT(is_function(v) && v->p);
    for (uint32_t i = 0; i < p->attrs.n; i++)
        if (p->attrs.v[i].of == v->p)
            return p->attrs.v[i].ns;
    if (!make)
        return NULL;
    const function_attrs fresh = {v->p, ns_new(p->c, NS_OBJECT, NULL, (str){"", 0})};
    VEC_PUSH(&p->c->module, &p->attrs, fresh);
    return fresh.ns;
}

/* An attribute that the program set. */
static bool set_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    program *p = sema_init(c)->current;
    const namespace *ns = p && p->attrs.n ? attrs_of(p, obj, false) : NULL;
    const value *v = ns ? ns_find(ns, attr) : NULL;
    if (v)
        *out = *v;
    return v != NULL;
}

value library_object(ctx *c)
{
    namespace *ns = ns_new(c, NS_OBJECT, NULL, (str){"", 0});
    ns->star = "weft does not evaluate this attribute of a library's object";
    return (value){.kind = VALUE_OBJECT, .ns = ns};
}

/* k.adj, Warp's Adjoint: of its attributes the parameters are known, as `args` with the attributes
 * label and type, and as the dict `arg_types`. */
static value adjoint_of(ctx *c, const code *of)
{
    const value adjoint = library_object(c), types = value_dict(c, NULL, 0);
    value *args = ARENA_ARRAY(&c->module, value, of->nparams);
    for (uint32_t i = 0; i < of->nparams; i++) {
        const param *p = &of->params[i];
        const value label = {.kind = VALUE_STR, .s = p->name};
        const value t = p->type ? value_type(p->type) : unknown("the annotation is not known");
        args[i] = library_object(c);
        ns_set(c, args[i].ns, sym_c(&c->syms, "label"), label);
        ns_set(c, args[i].ns, sym_c(&c->syms, "type"), t);
        dict_set(c, &types, label, t);
    }
    ns_set(c, adjoint.ns, sym_c(&c->syms, "args"), value_list(c, args, of->nparams));
    ns_set(c, adjoint.ns, sym_c(&c->syms, "arg_types"), types);
    return adjoint;
}

static bool func_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_FUNC || obj->kind == VALUE_KERNEL);
    const sema_names *s = sema_init(c);
    const func *f = obj->kind == VALUE_FUNC ? obj->p : NULL;
    const kernel *k = obj->kind == VALUE_KERNEL ? obj->p : NULL;
    const sym *name = f ? f->code.name : k->code.name;
    if (attr == s->s___name__)
        *out = (value){.kind = VALUE_STR, .s = name};
    else if (attr == s->s_key)
        *out = f ? value_str(c, f->key.p, f->key.n) : value_str(c, k->key.p, k->key.n);
    else if (k && k->registry && sym_str(attr).n == 6 && memcmp(attr->s, "module", 6) == 0)
        *out = kernel_module_object(c, k);
    else if (strcmp(attr->s, "adj") == 0)
        *out = adjoint_of(c, f ? &f->code : &k->code);
    else if (f && attr == s->s_native_func)
        *out = value_str(c, f->native_name.p, f->native_name.n);
    else
        *out = unknown("weft does not evaluate attributes of functions and kernels");
    return true;
}

/* wp.types, wp._src.codegen, ...: what `import warp` makes reachable. Classes with constants
 * (wp.Volume) are paths of this kind too; last come modules of warp-lang that the program itself
 * imported. */
static bool warp_submodule(ctx *c, const sym *path, const sym *attr, value *out)
{
    char dotted[SEMA_NAME_MAX];
    if (path->len + attr->len + 2 > sizeof dotted)
        return false;
    memcpy(dotted, path->s, path->len);
    dotted[path->len] = '.';
    memcpy(dotted + path->len + 1, attr->s, attr->len + 1);
    value ignored;
    /* Classes with constants are found in warp itself, not in a submodule. */
    bool is_class = path == sema_init(c)->s_warp && warp_member(c, dotted, NULL, &ignored);
    if (is_class || is_warp_builtin_module(dotted)) {
        *out = warp_value(c, dotted);
        return true;
    }
    const sym *name = sym_find(&c->syms, dotted, path->len + 1 + attr->len);
    program *p = sema_init(c)->current;
    module *m = name && p ? loaded_module(p, name) : NULL;
    if (m)
        *out = module_value(m);
    return m != NULL;
}

/* A function that warp-lang defines in its own kernel language (wp.smooth_normalize): from its
 * source, if a search folder has it. Without the source its body is unknown, so the message names
 * the remedy. */
static bool warp_python_attr(ctx *c, const sym *attr, value *out)
{
    const char *home = warp_python_home(attr);
    program *p = sema_init(c)->current;
    if (!home)
        return false;
    module *m = p ? import_module(p, sym_c(&c->syms, home)) : NULL;
    /* A module that is still being loaded is in a cycle with the caller. */
    const value *v = m && m->state == MODULE_LOADED ? ns_find(&m->globals, attr) : NULL;
    *out = v ? *v
             : unknown("it is written in Python inside warp-lang: -I must name the folder that "
                       "holds warp");
    return true;
}

/* An attribute of warp, of a submodule or of a Python library module. The tables come first;
 * modules of warp-lang that are read from source come last. A submodule such as wp.types shares
 * most names with warp, so those are tried for any of them. */
static bool warp_attr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj->kind == VALUE_WARP);
    const sema_names *s = sema_init(c);
    bool is_root = obj->s == s->s_warp;
    const value *v = is_root ? warp_name(s, attr) : NULL;
    if (v) {
        *out = *v;
        return true;
    }
    if (s->current && strcmp(obj->s->s, "os") == 0 && strcmp(attr->s, "environ") == 0) {
        *out = s->current->environ;
        return true;
    }
    if (strcmp(obj->s->s, "os") == 0 && strcmp(attr->s, "path") == 0) {
        *out = warp_value(c, "os.path");
        return true;
    }
    /* A Python library module: its attributes are rows of specials.def. */
    if (!is_root && strncmp(obj->s->s, "warp.", 5) != 0)
        return special_find(c, obj->s, attr, out);
    if (!is_root && warp_member(c, obj->s->s, attr, out))
        return true;
    if (module_lacks(c, obj->s->s, attr) && strcmp(obj->s->s, "warp.config") != 0)
        return false;
    /* Without a current program there is no configuration. */
    if (strcmp(obj->s->s, "warp.config") == 0)
        return s->current && config_get(s->current, attr, out);
    if (!is_root && (special_find(c, obj->s, attr, out) ||
                     special_find(c, sym_c(&c->syms, "warp.types"), attr, out)))
        return true;
    /* What Warp's own modules import: warp._src.types.Any. */
    if (strncmp(obj->s->s, "warp._src.", 10) == 0 && strcmp(attr->s, "Any") == 0)
        return special_find(c, sym_c(&c->syms, "typing"), attr, out);
    v = is_root ? NULL : warp_name(s, attr);
    if (v) {
        *out = *v;
        return true;
    }
    const builtin *b = is_root ? builtin_find(c, attr) : NULL;
    if (b) {
        *out = (value){.kind = VALUE_BUILTIN, .p = b};
        return true;
    }
    if (is_root && attr == s->s___version__) {
        *out = value_str(c, warp_release_version(c->warp), strlen(warp_release_version(c->warp)));
        return true;
    }
    return warp_submodule(c, obj->s, attr, out) || warp_python_attr(c, attr, out) ||
           (is_root && external_find(s->current, attr, out));
}

/* Python's __qualname__: "make.<locals>.f". Warp's key of it has "__" for the dots, which is told
 * from "__" in names where no class is around the function. */
static bool qualified_name(ctx *c, const py_func *f, value *out)
{
    static const char locals[] = "__locals__";
    const str key = f->kind == PY_DEF && f->name ? qualified_key(c, f->env, f->name) : (str){0};
    for (const namespace *ns = f->env; ns && key.n; ns = ns->parent)
        if (ns->kind == NS_CLASS)
            return false;
    strbuf b;
    sb_init(&b, &c->mem);
    for (size_t i = 0; i < key.n; i++) {
        if (key.n - i >= sizeof locals && memcmp(key.p + i, locals, sizeof locals - 1) == 0) {
            SB_LIT(&b, ".<locals>.");
            i += sizeof locals - 2;
        } else {
            sb_char(&b, key.p[i]);
        }
    }
    if (key.n)
        *out = value_str(c, b.p, b.n);
    sb_clear(&b);
    return key.n > 0;
}

/* The names of a Python function, and that of its module. */
static bool python_function_attr(ctx *c, const py_func *f, const sym *attr, value *out)
{
    if (f->kind == PY_SUPER)
        return super_attr(c, f, attr, out);
    const value self = {.kind = VALUE_PYFUNC, .p = f};
    if (f->kind == PY_PROPERTY)
        return property_attr(c, &self, attr, out);
    if (attr == sema_init(c)->s___qualname__)
        return qualified_name(c, f, out);
    if (attr == sema_init(c)->s___module__ && f->kind == PY_DEF) {
        const value *name = ns_find(&f->env->mod->globals, sema_init(c)->s___name__);
        if (name)
            *out = *name;
        return name != NULL;
    }
    if (attr != sema_init(c)->s___name__ || !f->name)
        return false;
    *out = (value){.kind = VALUE_STR, .s = f->name};
    return true;
}

/* Dispatch by kind. True with an unknown *out means that the attribute may exist. */
bool value_getattr(ctx *c, const value *obj, const sym *attr, value *out)
{
    WEFT_ASSERT(obj != NULL && attr != NULL && out != NULL);
    if (is_function(obj) && set_attr(c, obj, attr, out))
        return true;
    switch (obj->kind) {
    case VALUE_UNKNOWN: *out = *obj; return true;
    case VALUE_WARP: return warp_attr(c, obj, attr, out);
    case VALUE_MODULE: return module_attr(c, obj, attr, out);
    case VALUE_OBJECT: return object_attr(c, obj, attr, out);
    case VALUE_CLASS: return class_attr(c, obj, attr, out);
    case VALUE_TYPE: return type_attr(c, obj->type, attr, out);
    case VALUE_COMPOSITE: return composite_attr(c, obj, attr, out);
    case VALUE_STRUCT_INSTANCE: return instance_attr(obj, attr, out);
    case VALUE_ENUM: return enum_attr(c, obj, attr, out);
    case VALUE_FUNC:
    case VALUE_KERNEL: return func_attr(c, obj, attr, out);
    case VALUE_PYFUNC: return python_function_attr(c, obj->p, attr, out);
    case VALUE_SPECIAL:
    case VALUE_PYTYPE:
        if (obj->n == SP_py_object && obj->kind == VALUE_PYTYPE &&
            strcmp(attr->s, "__setattr__") == 0) {
            *out = value_special(c, SP_object_setattr);
            return true;
        }
        if (obj->kind == VALUE_PYTYPE && unbound_method(c, (special_id)obj->n, attr, out))
            return true;
        *out = (value){.kind = VALUE_STR, .s = obj->s};
        return attr == sema_init(c)->s___name__;
    default: return false;
    }
}
