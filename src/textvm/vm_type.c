/* SPDX-License-Identifier: Apache-2.0 */
/* Types as the text spells them, and what they match.
 *
 *     wp::vec_t<3, wp::float32>*     vt {vec3f, ptr}
 *     wp::array_t<Body_a8f4a9dd>     vt {array of a struct that the text has defined}
 *     bool                           vt {bool}; the one scalar without wp::
 *
 * Scalars and composites are types of src/types, which the operations of src/arith take. Arrays,
 * tuples and structs are made for each text, one type object for each spelling, so that types are
 * compared by address. The text does not contain an array's rank, so arrays of one element type are
 * one type here, and the rank is compared when an index is used. */
#include "base/assert.h"
#include "textvm/vm_tile.h"

/* Columns: the name after wp::; its kind. The scalars are in the order of type_kind, which
 * type_is_named uses as the index; bool stands for it only. */
static const struct {
    const char *name;
    type_kind kind;
} scalars[] = {
    {"bool", TYPE_BOOL},       {"int8", TYPE_INT8},         {"uint8", TYPE_UINT8},
    {"int16", TYPE_INT16},     {"uint16", TYPE_UINT16},     {"int32", TYPE_INT32},
    {"uint32", TYPE_UINT32},   {"int64", TYPE_INT64},       {"uint64", TYPE_UINT64},
    {"float16", TYPE_FLOAT16}, {"bfloat16", TYPE_BFLOAT16}, {"float32", TYPE_FLOAT32},
    {"float64", TYPE_FLOAT64}, {"range_t", TYPE_RANGE},     {"str", TYPE_STR},
    {"slice_t", TYPE_SLICE},
};

/* Types with template arguments, and shape_t. family_of distinguishes them by their first letters.
 */
static const char *const families[] = {
    "vec_t",          "mat_t",           "quat_t",        "transform_t",   "array_t",
    "indexedarray_t", "tuple_t",         "shape_t",       "fabricarray_t", "indexedfabricarray_t",
    "fixedarray_t",   "tile_register_t", "tile_shared_t", "tile_stack_t"};

/* Bytes of a variable of type t. layout_size covers what may stand in memory of a launch; ranges,
 * slices, shapes, tuples and local arrays exist in variables only. */
size_t vm_type_size(const type *t)
{
    switch (t->kind) {
    case TYPE_ARRAY: return type_is_fixed(t) ? vm_fixed_size(t) : layout_size(t);
    case TYPE_RANGE: return 4 * sizeof(int32_t);
    case TYPE_SLICE: return 3 * sizeof(int32_t);
    case TYPE_TILE: return sizeof(void *); /* not used: tiles are the block's */
    case TYPE_TUPLE: {
        size_t size = 0;
        for (uint32_t i = 0; i < t->nitems; i++)
            size += (vm_type_size(t->items[i]) + 7) & ~(size_t)7;
        return size ? size : 1;
    }
    default: return layout_size(t);
    }
}

/* A pointer has the size of an address, whatever it points to. */
size_t vm_size(vt t)
{
    return t.ptr ? sizeof(void *) : vm_type_size(t.t);
}

/* A scalar type by its name after wp::, NULL if it is none, as wp::bool. Records that the text
 * names it (textvm_names_scalar).
 *
 *     float32   type_kind 11, bit 11 of vm->scalars       range_t   a type, but no bit */
static const type *native_scalar(reader *r, vm_name *id)
{
    if (id->scalar)
        return id->scalar;
    for (size_t i = 1; i < sizeof scalars / sizeof *scalars; i++) {
        if (!str_eq(id->s, str_c(scalars[i].name)))
            continue;
        if (scalars[i].kind <= TYPE_FLOAT64)
            r->vm->scalars |= 1u << scalars[i].kind;
        return id->scalar = scalars[i].kind == TYPE_SLICE ? type_slice(r->c, NULL)
                                                          : type_scalar(r->c, scalars[i].kind);
    }
    return NULL;
}

/* A class of queries or of their results, by its name after wp::; NULL: it is none that has values.
 * Types of Python that are one class in C++ are the first of them here. */
static const type *native_class(reader *r, const vm_name *id)
{
    static const struct {
        const char *name, *cname;
        size_t size;
    } classes[] = {
#define NATIVE(name, cname, parent, size) {name, cname, size},
#define FIELD(owner, name, t, offset)
#include "types/native.def"
#undef NATIVE
#undef FIELD
    };
    const str s = id->s;
    const bool ends =
        s.n > 6 && s.p[s.n - 2] == '_' && (s.p[s.n - 1] == 't' || s.p[s.n - 1] == 'f');
    if (!ends && !str_eq(s, STR("Mesh"))) /* asked of every name: all but one end so */
        return NULL;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].size && str_eq(s, str_c(classes[i].cname + 4)))
            return type_native(r->c, classes[i].name);
    return NULL;
}

/* Does the name need template arguments (or is it shape_t)? */
static bool is_family(const vm_name *id)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (str_eq(id->s, str_c(families[i])))
            return true;
    return false;
}

/* A name that has been looked up as a form is a call, never a type, which saves the search. */
bool type_starts(reader *r)
{
    if (r->tok.kind != T_NAME)
        return false;
    vm_name *id = r->tok.id;
    if (!r->tok.native)
        return id->st || tok_is(r, "bool") || tok_is(r, "float") || tok_is(r, "int");
    if (id->scalar)
        return true;
    if (id->form_known)
        return false;
    for (size_t i = 1; i < sizeof scalars / sizeof *scalars; i++)
        if (str_eq(id->s, str_c(scalars[i].name)))
            return true;
    return is_family(id) || native_class(r, id);
}

/* For adj_NAME: is NAME a constructor? */
bool type_named(reader *r, str s)
{
    vm_name *id = name_of(r, s);
    return native_scalar(r, id) || is_family(id);
}

/* As adj_vec_t(..., adj_3): the adjoint of a constructor names the family only. */
bool type_is_named(const type *t, str s)
{
    static const char *const composites[] = {"vec_t", "mat_t", "quat_t", "transform_t"};
    if (type_is_composite(t))
        return str_eq(s, str_c(composites[t->kind - TYPE_VEC]));
    WEFT_ASSERT(!type_is_scalar(t) || scalars[t->kind].kind == t->kind);
    return type_is_scalar(t) && str_eq(s, str_c(scalars[t->kind].name));
}

/* The one type of this element, class and size; size: elements of a local array, else 0. */
static const type *array_of(reader *r, const type *elem, array_class cls, int size)
{
    WEFT_ASSERT(elem && size >= 0);
    for (uint32_t i = 0; i < r->types.n; i++)
        if (r->types.v[i].t->elem == elem && r->types.v[i].t->array_class == cls &&
            r->types.v[i].t->kind == TYPE_ARRAY && r->types.v[i].t->rows == size)
            return r->types.v[i].t;
    type *t = ARENA_NEW(r->a, type);
    t->kind = TYPE_ARRAY;
    t->array_class = (uint8_t)cls;
    t->elem = elem;
    t->rows = size;
    VEC_PUSH(r->s, &r->types, ((type_note){t}));
    return t;
}

/* Of any class but local arrays, which have a size. */
const type *type_array_of(reader *r, const type *elem, array_class cls)
{
    return array_of(r, elem, cls, 0);
}

/* The one tuple type of these items. */
static const type *tuple_of(reader *r, const type *const *items, uint32_t n)
{
    for (uint32_t i = 0; i < r->types.n; i++) {
        const type *t = r->types.v[i].t;
        if (t->kind == TYPE_TUPLE && t->nitems == n &&
            (!n || memcmp(t->items, items, n * sizeof *items) == 0))
            return t;
    }
    const type **copy = ARENA_ARRAY(r->a, const type *, n + 1);
    type *t = ARENA_NEW(r->a, type);
    t->kind = TYPE_TUPLE;
    t->nitems = n;
    t->items = copy;
    for (uint32_t i = 0; i < n; i++)
        copy[i] = items[i];
    VEC_PUSH(r->s, &r->types, ((type_note){t}));
    return t;
}

/* An element type: no pointer. */
static const type *element(reader *r)
{
    const vt t = type_read(r);
    if (t.ptr)
        read_fail(r, "a pointer is no element");
    if (type_is_fixed(t.t))
        read_missing(r, STR("local arrays inside of others"));
    return t.t;
}

/* Vectors, matrices, quaternions and transformations have scalars. */
static const type *scalar_element(reader *r)
{
    const type *t = element(r);
    if (!type_is_scalar(t))
        read_fail(r, "a vector's component must be a scalar");
    return t;
}

/* A size in template arguments: 1 to LANES_MAX. */
static int extent(reader *r)
{
    const int64_t n = tok_int(r);
    if (n < 1 || n > LANES_MAX)
        read_fail(r, "a size of %d is not supported", (int)n);
    return (int)n;
}

/* The items, up to the '>', which is not taken. */
static const type *tuple_read(reader *r)
{
    const type *items[32];
    uint32_t n = 0;
    while (r->tok.kind != '>') {
        if (n == 32)
            read_fail(r, "too many items in a tuple");
        if (n)
            tok_expect(r, ',');
        items[n++] = element(r);
    }
    return tuple_of(r, items, n);
}

/* The class of an array that is no local one. */
static array_class array_class_of(str name)
{
    return str_eq(name, STR("array_t"))          ? ARRAY_PLAIN
           : str_eq(name, STR("fabricarray_t"))  ? ARRAY_FABRIC
           : str_eq(name, STR("indexedarray_t")) ? ARRAY_INDEXED
                                                 : ARRAY_INDEXED_FABRIC;
}

/* The type of a family, from its first template argument to the '>', which is not taken. */
static const type *family_of(reader *r, vm_name *family)
{
    const char *s = family->s.p;
    const type *t;
    if (family->s.n == 5 && s[0] == 'v') {
        const int rows = extent(r);
        tok_expect(r, ',');
        t = type_vec(r->c, scalar_element(r), rows);
    } else if (family->s.n == 5 && s[0] == 'm') {
        const int rows = extent(r);
        tok_expect(r, ',');
        const int cols = extent(r);
        tok_expect(r, ',');
        if (rows * cols > LANES_MAX)
            read_fail(r, "a matrix of this size is not supported");
        t = type_mat(r->c, scalar_element(r), rows, cols);
    } else if (s[0] == 'q') {
        t = type_quat(r->c, scalar_element(r));
    } else if (s[0] == 't' && s[1] == 'r') {
        t = type_transform(r->c, scalar_element(r));
    } else if (s[0] == 't') {
        t = tuple_read(r);
    } else if (str_eq(family->s, STR("fixedarray_t"))) {
        const int size = extent(r);
        tok_expect(r, ',');
        t = array_of(r, element(r), ARRAY_FIXED, size);
    } else {
        t = type_array_of(r, element(r), array_class_of(family->s));
    }
    return t;
}

/* A type without *. Warp's plain `float` and `int` are float32 and int32. */
static vt base_type(reader *r)
{
    vm_name *id = r->tok.id;
    if (r->tok.kind != T_NAME)
        read_fail(r, "a type is missing");
    if (!r->tok.native) {
        tok_next(r);
        if (id->st)
            return (vt){id->st->t, false};
        const bool is_bool = str_eq(id->s, STR("bool")), is_int = str_eq(id->s, STR("int"));
        if (!is_bool && !is_int && !str_eq(id->s, STR("float")))
            read_fail(r, "'%.*s' is no type", (int)(id->s.n < 80 ? id->s.n : 80), id->s.p);
        return (vt){type_scalar(r->c, is_bool  ? TYPE_BOOL
                                      : is_int ? TYPE_INT32
                                               : TYPE_FLOAT32),
                    false};
    }
    const type *t = native_scalar(r, id);
    if (!t && !is_family(id))
        t = native_class(r, id);
    if (!t && !is_family(id))
        read_missing(r, id->s);
    tok_next(r);
    if (t)
        return (vt){t, false};
    if (str_eq(id->s, STR("shape_t")))
        return (vt){type_native(r->c, "shape_t"), false};
    if (str_eq(id->s, STR("tile_register_t")) || str_eq(id->s, STR("tile_shared_t")))
        return (vt){tile_type_read(r, id->s.p[5] == 's'), false};
    if (str_eq(id->s, STR("tile_stack_t")))
        return (vt){stack_type_read(r), false};
    tok_expect(r, '<');
    t = family_of(r, id);
    tok_expect(r, '>');
    return (vt){t, false};
}

/* How many arrays are nested in t. */
static uint32_t type_depth(const type *t)
{
    uint32_t depth = 0;
    for (; t && t->kind == TYPE_ARRAY; t = t->elem)
        depth++;
    return depth;
}

vt type_read(reader *r)
{
    if (++r->type_depth > 8)
        read_fail(r, "types are nested too deep");
    vt t = base_type(r);
    r->type_depth--;
    WEFT_ASSERT(t.t);
    if (type_depth(t.t) > 1)
        read_fail(r, "an array of arrays");
    if (tok_accept(r, '*'))
        t.ptr = true;
    return t;
}

/* Composites may be made anew by type_vec and its like, so they are compared by what they are. */
bool vt_same(vt a, vt b)
{
    return a.ptr == b.ptr && (a.t == b.t || (a.t && b.t && a.t->kind == b.t->kind &&
                                             type_is_composite(a.t) && type_equal(a.t, b.t)));
}

/* A local array is a subclass of Warp's array_t, so it may stand for one of the same elements. */
bool vt_takes(vt want, vt have)
{
    if (vt_same(want, have))
        return true;
    return vt_is_fixed(have) && !want.ptr && want.t->kind == TYPE_ARRAY &&
           want.t->array_class == ARRAY_PLAIN && want.t->elem == have.t->elem;
}

/* The type as messages print it, cut to n bytes. */
static void spell(char *out, size_t n, vt t)
{
    WEFT_ASSERT(n > 2);
    const char *name = !t.t                           ? "nothing"
                       : t.t->kind == TYPE_ARRAY      ? "array"
                       : t.t->kind == TYPE_TUPLE      ? "tuple"
                       : t.t->kind == TYPE_STRUCT     ? "struct"
                       : t.t->cname.p && t.t->cname.n ? t.t->cname.p
                                                      : "?";
    size_t at = 0;
    for (; name[at] && at + 2 < n; at++)
        out[at] = name[at];
    if (t.ptr)
        out[at++] = '*';
    out[at] = 0;
}

/* Types of the text have C++ names; arrays, tuples and structs are called by their kind. */
void type_fail(reader *r, vt want, vt have)
{
    char a[80], b[80];
    spell(a, sizeof a, want);
    spell(b, sizeof b, have);
    read_fail(r, "the type is %s where %s is needed", b, a);
}
