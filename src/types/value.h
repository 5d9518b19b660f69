/* SPDX-License-Identifier: Apache-2.0 */
/* Values known at compile time: what module-level Python evaluates to (sema), and what a constant
 * in a kernel holds (ir, emit). Payload pointers live in c->module unless said otherwise. Example:
 * after `N = wp.constant(3)` and `T = wp.vec2`, N is {VALUE_INT, i = 3} and T is {VALUE_TYPE, type
 * = vec2f}. */
#ifndef WEFT_TYPES_VALUE_H
#define WEFT_TYPES_VALUE_H

#include "types/type.h"

typedef enum value_kind {
    VALUE_UNKNOWN, /* weft cannot know it; `why` says so at the place of use */
    VALUE_NONE,
    VALUE_BOOL,      /* i: 0 or 1 */
    VALUE_INT,       /* Python int: i; type: of the variable that holds it, if not int32 */
    VALUE_FLOAT,     /* Python float: f */
    VALUE_STR,       /* s */
    VALUE_SCALAR,    /* instance of a Warp scalar type, wp.float64(3.0): type; n is a value_raw that
                        says which of i and f has it */
    VALUE_COMPOSITE, /* instance of a vec/mat/quat/transform type: type; elems[rows*cols], f or i by
                        scalar type */
    VALUE_TUPLE,     /* items, n */
    VALUE_LIST,      /* cells; of a set, too */
    VALUE_DICT,      /* cells: key, value alternating */
    VALUE_RANGE,     /* items[0..2] of VALUE_INT */
    VALUE_ENUM,      /* member of an IntEnum/IntFlag: i; n is its name's symbol id; cls its class */
    VALUE_TYPE,      /* a Warp type: type (structs: type->kind == TYPE_STRUCT) */
    VALUE_PYTYPE, /* Python's int, float, bool, str, ...: s names it (also usable as a Warp type) */
    VALUE_CLASS,  /* any other Python class: ns */
    VALUE_BUILTIN, /* a Warp builtin function: p is a `const builtin *` */
    VALUE_FUNC,    /* a @wp.func: p is a `struct func *` (its overload set) */
    VALUE_KERNEL,  /* a @wp.kernel: p is a `struct kernel *` */
    VALUE_MODULE,  /* a Python module: ns */
    VALUE_WARP, /* the warp module itself, or one of its submodules: s is the path, "warp.types" */
    VALUE_SPECIAL,         /* a name of warp with its own rule: s ("static", "constant", "grad",
                              "address_of", "array", ...) */
    VALUE_PYFUNC,          /* a plain Python function or lambda: p */
    VALUE_GRAD,            /* wp.grad(f): items[0] is f, a VALUE_FUNC or VALUE_BUILTIN */
    VALUE_STRUCT_INSTANCE, /* instance of a @wp.struct, or of a registered C++ type that lists all
                              its fields: type; items in field order; n as value_cells.number */
    VALUE_OBJECT,          /* instance of any other Python class: ns */
    VALUE_EXTERNAL         /* a function that the program registers from C++: p is a struct func */
} value_kind;

/* The form of the number that a scalar was made from, which Warp keeps: wp.float32(3) is written
 * "3". */
typedef enum value_raw {
    RAW_BY_TYPE, /* f for float types, i for others */
    RAW_INT,
    RAW_FLOAT,
    RAW_BOOL,
    RAW_NUMPY32 /* a numpy.float32: f, printed with the digits that float32 needs */
} value_raw;

/* `n` of a VALUE_FLOAT or VALUE_BOOL that is NumPy's, a numpy.float64 or numpy.bool: it computes as
 * Python's number does, but no kernel takes it. Other than every value_raw. */
enum { NUMBER_NUMPY = 16 };

typedef struct value value;
typedef struct value_cells value_cells;
struct namespace; /* sema/sema.h */
struct py_class;

/* A value; which members are valid depends on kind, see value_kind. 32 bytes, copied freely. */
struct value {
    value_kind kind;
    uint32_t n;
    union {
        const type *type;
        const struct py_class *cls; /* VALUE_ENUM; NULL: one of Warp's own */
    };
    union {
        i128 i;
        double f;
        const sym *s;
        const value *items;
        value_cells *cells;
        const double *elems;   /* VALUE_COMPOSITE of float scalars */
        const int64_t *ielems; /* VALUE_COMPOSITE of integer or bool scalars */
        struct namespace *ns;
        const void *p;
        const char *why;
    };
};

/* How a set came to what it holds, which decides the order that CPython iterates in
 * (sema/set_order.c). */
typedef enum set_order {
    SET_ADDED,     /* one after another */
    SET_MERGED,    /* at first the items of another set */
    SET_CONSTANT,  /* at first those of a literal of constants */
    SET_PLACED,    /* items went; those that are left stand in Python's order */
    SET_UNORDERED, /* not followed */
} set_order;

/* What a list, set, dict, iterator or view of a dict holds. Every value that stands for the same
 * object of Python has the same cells, so a change through one name is seen through all. */
struct value_cells {
    value *items;    /* key, value alternating of a dict */
    uint32_t n;      /* items, or pairs of a dict */
    uint32_t cap;    /* room for items, in values */
    uint32_t number; /* among the objects of the program, as they were made */
    bool is_set;
    set_order order;  /* of a set */
    uint32_t first;   /* SET_MERGED, SET_CONSTANT: so many items it had at first */
    bool is_iterator; /* a generator, zip, map, ...: it can be read once */
    bool is_read;     /* and has been */
    /* Of a view of a dict: the dict, and whether it shows keys, values or both. */
    struct value_cells *viewed;
    bool has_keys, has_values;
    struct namespace *of; /* the scope whose names this dict is: obj.__dict__; or NULL */
    const char *why;      /* what it holds is not known, and n is 0: the reason; or NULL */
};

static inline bool value_has_cells(const value *v)
{
    return v->kind == VALUE_LIST || v->kind == VALUE_DICT;
}

/* Why it is not known what a list or dict holds, though it is known that it is one; or NULL. */
static inline const char *value_cells_why(const value *v)
{
    return value_has_cells(v) ? v->cells->why : NULL;
}

/* The number of items of a tuple or list, or of pairs of a dict. */
static inline uint32_t value_count(const value *v)
{
    return value_has_cells(v) ? v->cells->n : v->n;
}

/* Its items. A list or dict that grows later has others. */
static inline const value *value_array(const value *v)
{
    return value_has_cells(v) ? v->cells->items : v->items;
}

/* Is v a number: of Python, of a Warp scalar type, or a member of an enum? Composites and strings
 * are none. */
static inline bool value_is_number(const value *v)
{
    return v->kind == VALUE_BOOL || v->kind == VALUE_INT || v->kind == VALUE_FLOAT ||
           v->kind == VALUE_SCALAR || v->kind == VALUE_ENUM;
}

static inline value value_int(__int128 i)
{
    return (value){.kind = VALUE_INT, .i = i};
}

static inline value value_float(double f)
{
    return (value){.kind = VALUE_FLOAT, .f = f};
}

static inline value value_bool(bool b)
{
    return (value){.kind = VALUE_BOOL, .i = b};
}

/* v, and NumPy's if v is a float or bool and `numpy` says so. */
static inline value value_of_numpy(value v, bool numpy)
{
    if (numpy && (v.kind == VALUE_FLOAT || v.kind == VALUE_BOOL))
        v.n = NUMBER_NUMPY;
    return v;
}

/* Is it a numpy.float64 or a numpy.bool? */
static inline bool value_is_numpy(const value *v)
{
    return (v->kind == VALUE_FLOAT || v->kind == VALUE_BOOL) && v->n == NUMBER_NUMPY;
}

static inline value value_type(const type *t)
{
    return (value){.kind = VALUE_TYPE, .type = t};
}

/* Is a number's payload f rather than i? */
static inline bool value_has_f(const value *v)
{
    if (v->kind != VALUE_SCALAR)
        return v->kind == VALUE_FLOAT;
    return v->n == RAW_BY_TYPE ? type_is_float(v->type) : v->n == RAW_FLOAT || v->n == RAW_NUMPY32;
}

/* The value of t(v) in Python for a number v and a scalar type t. It is rounded only when it is
 * printed or used. */
static inline value value_scalar(const type *t, const value *v)
{
    bool f = value_has_f(v);
    if (t->kind == TYPE_BOOL)
        return value_bool(f ? v->f != 0 : v->i != 0);
    value r = *v;
    bool is_bool = v->kind == VALUE_BOOL || (v->kind == VALUE_SCALAR && v->n == RAW_BOOL);
    r.kind = VALUE_SCALAR;
    r.type = t;
    bool is_numpy = v->kind == VALUE_SCALAR && v->n == RAW_NUMPY32;
    r.n = is_numpy ? RAW_NUMPY32 : f ? RAW_FLOAT : is_bool ? RAW_BOOL : RAW_INT;
    return r;
}

/* Type of the Var that holds v as a constant: Warp 1.19 get_arg_type with Var's conversion
 * (int -> int32, float -> float32, bool -> bool). NULL if v cannot be a constant. */
const type *value_var_type(const ctx *c, const value *v);

/* x as a variable of the scalar type k holds it; if k is no float type, x itself. */
double value_rounded(type_kind k, double x);
/* Appends the C++ spelling of a constant: Warp 1.19 constant_str. Values that cannot be constants
 * print nothing. */
void value_emit(strbuf *out, const value *v);

#endif
