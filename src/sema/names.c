/* SPDX-License-Identifier: Apache-2.0 */
/* The names that Python and warp define before any file does, as tables by symbol id that are made
 * once per context. Examples:
 *
 *     wp.vec3   the type vec3               WARP_TYPE in warp_names.def
 *     wp.PI     a float                     WARP_CONSTANT
 *     wp.sin    a builtin                   a row of src/builtin
 *     range     a special with a handler    a row of specials.def
 *
 * A lookup is one array access, for names of warp are looked up for every call in a kernel. */
#include <math.h>

#include "builtin/builtin.h"
#include "sema/sema.h"

typedef enum special_kind { SPECIAL_FN, SPECIAL_TYPE } special_kind;

static const struct {
    const char *module, *name;
    special_kind kind;
} specials[SP_COUNT] = {
#define SPECIAL(id, module, name, kind, call) [SP_##id] = {module, name, SPECIAL_##kind},
#include "sema/specials.def"
#undef SPECIAL
};

/* One kind per macro of warp_names.def. */
typedef enum row_kind {
    ROW_TYPE,
    ROW_CONSTANT,
    ROW_PYTHON,
    ROW_MEMBER_INT,
    ROW_MEMBER_ENUM,
    ROW_LOADED,
    ROW_MODULE,
    ROW_IN_PYTHON
} row_kind;

static const struct {
    row_kind kind;
    const char *name, *module;
    double number;
} rows[] = {
#define WARP_TYPE(name)                      {ROW_TYPE, name, NULL, 0},
#define WARP_CONSTANT(name, number)          {ROW_CONSTANT, name, NULL, number},
#define WARP_PYTHON(name, module)            {ROW_PYTHON, name, module, 0},
#define WARP_LOADED(module)                  {ROW_LOADED, module, module, 0},
#define WARP_MODULE(module)                  {ROW_MODULE, module, module, 0},
#define WARP_IN_PYTHON(name)                 {ROW_IN_PYTHON, name, name, 0},
#define WARP_MEMBER(cls, name, number, kind) {ROW_MEMBER_##kind, name, cls, number},
#include "sema/warp_names.def"
#undef WARP_TYPE
#undef WARP_CONSTANT
#undef WARP_PYTHON
#undef WARP_LOADED
#undef WARP_MODULE
#undef WARP_IN_PYTHON
#undef WARP_MEMBER
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The module column of a row of this kind, or NULL. */
static const char *row_find(row_kind kind, const char *name)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind == kind && strcmp(name, rows[i].name) == 0)
            return rows[i].module;
    return NULL;
}

/* "warp._src.math" of smooth_normalize: the module that defines it; NULL: it is not written in
 * Python. */
const char *warp_python_home(const sym *name)
{
    return row_find(ROW_PYTHON, name->s);
}

warp_side warp_name_side(const sym *name)
{
    return row_find(ROW_IN_PYTHON, name->s) ? WARP_PYTHON_SIDE : WARP_NOWHERE;
}

bool is_only_called(const value *v)
{
    /* Functions for Python code have these names, too. */
    static const char *const in_both[] = {"zeros", "copy", "matrix_from_cols", "matrix_from_rows"};
    return v->kind == VALUE_BUILTIN && builtin_is_kernel_only(v->p) &&
           warp_name_side(builtin_name(v->p)) == WARP_NOWHERE &&
           !STR_IS_IN(sym_str(builtin_name(v->p)), in_both);
}

/* Rows that are no attribute of warp itself are left out: members of its classes, and modules,
 * whose names among the attributes are rows of their own. */
void warp_each_name(void (*visit)(void *arg, const char *name), void *arg)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind != ROW_MEMBER_INT && rows[i].kind != ROW_MEMBER_ENUM &&
            rows[i].kind != ROW_LOADED && rows[i].kind != ROW_MODULE)
            visit(arg, rows[i].name);
    for (int i = 1; i < SP_COUNT; i++)
        if (strcmp(specials[i].module, "warp") == 0)
            visit(arg, specials[i].name);
}

bool warp_has_special(const sym *name)
{
    for (int i = 1; i < SP_COUNT; i++)
        if (strcmp(specials[i].module, "warp") == 0 && strcmp(specials[i].name, name->s) == 0)
            return true;
    return false;
}

/* As measured on warp-lang 1.19.0: one for each definition, three where there is one overload per
 * float type. A user's function of the same key goes on from there: the first `def quat_twist` of a
 * program gets the native name quat_twist_1. */
uint32_t warp_initial_count(const char *key)
{
    /* Overloads for float16, float32 and float64. */
    static const char *const triple[] = {"transform_from_matrix", "transform_to_matrix",
                                         "transform_compose", "transform_decompose"};
    if (STR_IS_IN(str_c(key), triple))
        return 3;
    return row_find(ROW_PYTHON, key) ? 1 : 0;
}

/* A module that `import warp` itself has loaded when the user's file runs. */
bool is_warp_builtin_module(const char *dotted)
{
    if (strncmp(dotted, "warp", 4) != 0)
        return false;
    return !dotted[4] || row_find(ROW_LOADED, dotted) != NULL;
}

/* Not listed are private modules, examples, tests, libraries, and what Warp 1.18 has removed. */
bool is_no_warp_module(const char *dotted)
{
    static const char *const unlisted[] = {"examples", "tests", "native", "bin",
                                           "jax_experimental"};
    if (strncmp(dotted, "warp.", 5) != 0 || row_find(ROW_LOADED, dotted) ||
        row_find(ROW_MODULE, dotted))
        return false;
    const char *part = dotted + 5;
    for (size_t i = 0; i < COUNT(unlisted); i++)
        if (str_eq((str){part, strcspn(part, ".")}, str_c(unlisted[i])))
            return false;
    return part[0] != '_';
}

const char *warp_module_at(size_t i)
{
    for (size_t k = 0; k < COUNT(rows); k++)
        if (rows[k].kind == ROW_MODULE && !i--)
            return rows[k].name;
    return NULL;
}

/* A constant of one of warp's classes: wp.Volume.LINEAR. Without a name: has the class any? */
bool warp_member(ctx *c, const char *cls, const sym *name, value *out)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool is_enum = rows[i].kind == ROW_MEMBER_ENUM;
        if ((!is_enum && rows[i].kind != ROW_MEMBER_INT) || strcmp(rows[i].module, cls) != 0)
            continue;
        if (!name || strcmp(rows[i].name, name->s) == 0) {
            *out = value_int((__int128)rows[i].number);
            out->kind = is_enum ? VALUE_ENUM : VALUE_INT;
            /* An enum member keeps its name as a symbol id. */
            out->n = sym_c(&c->syms, rows[i].name)->id;
            return true;
        }
    }
    return false;
}

const char *warp_member_class(const ctx *c, const value *v)
{
    if (v->kind != VALUE_ENUM || v->cls)
        return NULL;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind == ROW_MEMBER_ENUM && rows[i].number == (double)v->i &&
            str_eq(str_c(rows[i].name), sym_str(c->syms.by_id[v->n])))
            return rows[i].module;
    return NULL;
}

/* A module that is a table and not a file. numpy and math are among them. */
bool is_known_module(const char *dotted)
{
    for (int i = 1; i < SP_COUNT; i++)
        if (strcmp(dotted, specials[i].module) == 0)
            return true;
    return strcmp(dotted, "__future__") == 0 || strcmp(dotted, "sys") == 0 ||
           strcmp(dotted, "typing_extensions") == 0;
}

/* typing.Any and warp's generic hints are types to weft. */
static bool special_type(ctx *c, special_id id, value *out)
{
    type_kind k;
    switch (id) {
    case SP_typing_Any: k = TYPE_ANY; break;
    case SP_Scalar: k = TYPE_SCALAR; break;
    case SP_Float: k = TYPE_FLOAT; break;
    case SP_Int: k = TYPE_INT; break;
    case SP_Function: k = TYPE_FUNCTION; break;
    case SP_typing_Callable:
    case SP_abc_Callable: k = TYPE_CALLABLE; break;
    default: return false;
    }
    *out = value_type(type_scalar(c, k));
    return true;
}

/* The value of a special: a type for hints, VALUE_PYTYPE for Python's types, VALUE_SPECIAL for the
 * others. */
value value_special(ctx *c, special_id id)
{
    WEFT_ASSERT(id > SP_none && id < SP_COUNT);
    value v;
    if (special_type(c, id, &v))
        return v;
    if (id == SP_np_byte || id == SP_np_ubyte) /* other names of the same types */
        id = id == SP_np_byte ? SP_np_int8 : SP_np_uint8;
    v = (value){.kind = specials[id].kind == SPECIAL_TYPE ? VALUE_PYTYPE : VALUE_SPECIAL};
    v.n = id;
    v.s = sym_c(&c->syms, specials[id].name);
    return v;
}

/* sys.version_info of Python 3.11, whose grammar weft reads. Modules compare it with a tuple. */
static value version_info(ctx *c)
{
    value *items = ARENA_ARRAY(&c->module, value, 3);
    items[0] = value_int(3);
    items[1] = value_int(11);
    items[2] = value_int(0);
    return value_items(VALUE_TUPLE, items, 3);
}

/* Constants of math, numpy, typing and sys. TYPE_CHECKING is False when a program runs, so imports
 * under it are not made; sys.version_info decides between versions of one function. */
static bool module_constant(ctx *c, const char *mod, const char *name, value *out)
{
    static const struct {
        const char *name;
        double number;
    } constants[] = {{"pi", 3.141592653589793},
                     {"e", 2.718281828459045},
                     {"tau", 6.283185307179586},
                     {"inf", INFINITY},
                     {"nan", NAN}};
    bool checking = strcmp(mod, "typing") == 0 && strcmp(name, "TYPE_CHECKING") == 0;
    if (checking || (strcmp(mod, "sys") == 0 && strcmp(name, "version_info") == 0)) {
        *out = checking ? value_bool(false) : version_info(c);
        return true;
    }
    /* The constants below are those that math and numpy share. */
    if (strcmp(mod, "math") != 0 && strcmp(mod, "numpy") != 0)
        return false;
    for (size_t i = 0; i < COUNT(constants); i++) {
        if (strcmp(constants[i].name, name) == 0) {
            *out = value_float(constants[i].number);
            return true;
        }
    }
    return false;
}

/* A tuple of types in warp._src.types, which programs loop over:
 *
 *     for T in wp._src.types.scalar_types: wp.overload(k, [wp.array(dtype=T)]) */
static bool named_types(ctx *c, const char *name, value *out)
{
    static const char ints[] = "int8 uint8 int16 uint16 int32 uint32 int64 uint64";
    static const char floats[] = "float16 bfloat16 float32 float64";
    static const char vectors[] =
        "vec2b vec2ub vec2s vec2us vec2i vec2ui vec2l vec2ul vec2h vec2f vec2d vec3b vec3ub vec3s "
        "vec3us vec3i vec3ui vec3l vec3ul vec3h vec3f vec3d vec4b vec4ub vec4s vec4us vec4i vec4ui "
        "vec4l vec4ul vec4h vec4f vec4d mat22h mat22f mat22d mat33h mat33f mat33d mat44h mat44f "
        "mat44d quath quatf quatd transformh transformf transformd spatial_vectorh spatial_vectorf "
        "spatial_vectord spatial_matrixh spatial_matrixf spatial_matrixd";
    static const struct {
        const char *name, *parts[3];
    } tuples[] = {{"int_types", {ints}},
                  {"float_types", {floats}},
                  {"scalar_types", {ints, floats}},
                  {"scalar_and_bool_types", {ints, floats, "bool"}},
                  {"non_atomic_types", {"int8 uint8 int16 uint16"}},
                  {"native_scalar_types", {"int32 float32 bool"}},
                  {"vector_types", {vectors}}};
    VEC(value) items = {0};
    for (size_t i = 0; i < COUNT(tuples); i++) {
        for (int k = 0; k < 3 && strcmp(tuples[i].name, name) == 0 && tuples[i].parts[k]; k++)
            for (const char *p = tuples[i].parts[k]; *p;) {
                const str word = str_take_word(&p);
                const type *t = type_by_name(c, sym_intern(&c->syms, word.p, word.n));
                WEFT_ASSERT(t);
                VEC_PUSH(&c->module, &items, value_type(t));
            }
    }
    *out = value_items(VALUE_TUPLE, items.v, items.n);
    return items.n > 0;
}

bool special_find(ctx *c, const sym *mod, const sym *name, value *out)
{
    /* It has what releases of typing have, for all releases of Python. */
    if (strcmp(mod->s, "typing_extensions") == 0)
        mod = sym_c(&c->syms, "typing");
    for (int i = 1; i < SP_COUNT; i++) {
        if (strcmp(specials[i].name, name->s) == 0 && strcmp(specials[i].module, mod->s) == 0) {
            *out = value_special(c, (special_id)i);
            return true;
        }
    }
    if (strcmp(mod->s, "warp.types") == 0)
        return named_types(c, name->s, out);
    return module_constant(c, mod->s, name->s, out);
}

/* Needs: the name is interned, with an id below nids. */
static void add_name(ctx *c, sema_names *t, uint16_t *index, const char *name, value v)
{
    WEFT_ASSERT(t->values.n < UINT16_MAX);
    const sym *s = sym_c(&c->syms, name);
    VEC_PUSH(&c->perm, &t->values, v);
    index[s->id] = (uint16_t)t->values.n;
}

/* The value of an attribute of warp; false: this build of the tables does not know it, or the row
 * is no plain attribute. */
static bool row_value(ctx *c, size_t i, value *out)
{
    WEFT_ASSERT(i < COUNT(rows));
    const sym *s = sym_c(&c->syms, rows[i].name);
    const type *known = NULL;
    switch (rows[i].kind) {
    case ROW_TYPE:
        known = type_by_name(c, s);
        if (!known)
            known = type_native(c, rows[i].name);
        *out = value_type(known);
        out->n = strcmp(rows[i].name, "handle") == 0 ? TYPE_NAMED_HANDLE : 0;
        return known != NULL;
    case ROW_CONSTANT: *out = value_float(rows[i].number); return true;
    default: return false;
    }
}

/* Later entries win: a special takes the place of a type or builtin of the same name. */
static void add_warp_names(ctx *c, sema_names *t)
{
    value v;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (row_value(c, i, &v))
            add_name(c, t, t->warp, rows[i].name, v);
    const builtin *b;
    for (uint32_t at = 0; (b = builtin_next(c, &at)) != NULL;)
        /* wp.zeros and wp.array are others in Python; hidden builtins have no name there. */
        if (!builtin_is_kernel_only(b))
            add_name(c, t, t->warp, builtin_name(b)->s, (value){.kind = VALUE_BUILTIN, .p = b});
    for (int i = 1; i < SP_COUNT; i++)
        if (strcmp(specials[i].module, "warp") == 0)
            add_name(c, t, t->warp, specials[i].name, value_special(c, (special_id)i));
}

/* All names get their symbols first, so that the tables can be sized by symbol id. */
static void intern_all(ctx *c, sema_names *t)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        sym_c(&c->syms, rows[i].name);
    for (int i = 1; i < SP_COUNT; i++)
        sym_c(&c->syms, specials[i].name);
#define X(name) t->s_##name = sym_c(&c->syms, #name);
    SEMA_SYMS(X)
#undef X
}

/* The second call and all later ones return the same tables. */
const sema_names *sema_init(ctx *c)
{
    if (c->sema)
        return c->sema;
    sema_names *t = ARENA_NEW(&c->perm, sema_names);
    intern_all(c, t);
    /* No name is interned between here and the last add_name, or its id would lie outside the
     * tables. */
    t->nids = c->syms.n;
    t->warp = arena_zero(&c->perm, t->nids * sizeof *t->warp);
    t->python = arena_zero(&c->perm, t->nids * sizeof *t->python);
    add_warp_names(c, t);
    for (int i = 1; i < SP_COUNT; i++)
        if (strcmp(specials[i].module, "builtins") == 0)
            add_name(c, t, t->python, specials[i].name, value_special(c, (special_id)i));
    c->sema = t;
    return t;
}

/* NULL for names that are interned after the tables: no table has them. */
const value *warp_name(const sema_names *t, const sym *name)
{
    uint16_t i = name->id < t->nids ? t->warp[name->id] : 0;
    return i ? &t->values.v[i - 1] : NULL;
}

const value *python_name(const sema_names *t, const sym *name)
{
    uint16_t i = name->id < t->nids ? t->python[name->id] : 0;
    return i ? &t->values.v[i - 1] : NULL;
}

/* Order of Warp 1.19 Adjoint.resolve_path: an attribute of warp, then Python's builtins. */
bool warp_or_python_name(ctx *c, const sym *name, value *out)
{
    const sema_names *t = sema_init(c);
    const value *v = warp_name(t, name);
    if (!v)
        v = python_name(t, name);
    if (v)
        *out = *v;
    return v != NULL;
}
