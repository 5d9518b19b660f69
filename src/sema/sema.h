/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the evaluator's files: programs, modules, namespaces, Python objects, and what each
 * file offers the others.
 *
 *     program                the main file, all modules, counters, every kernel
 *       module               one Python file: its source, syntax tree and globals
 *         namespace          a scope: globals, function locals, class body, attributes of an object
 *           value            what a name stands for; py_class, py_func, func and kernel hang off it
 *     evaluator              an evaluation in progress: where names are looked up now
 *
 * Everything lives in c->module. What cannot be known is a VALUE_UNKNOWN with its reason, never an
 * error: a module may do anything at import time as long as its kernels do not depend on it. */
#ifndef WEFT_SEMA_SEMA_H
#define WEFT_SEMA_SEMA_H

#include "base/ctx.h"
#include "base/nearest.h"
#include "base/str_map.h"
#include "sema/catcher.h"
#include "sema/changes.h"

#include "sema/module.h"

/* Work and nesting are bounded, so that no Python file can hang the evaluator or end the stack. */
enum {
    SEMA_FUEL = 1000000,     /* expressions and statements of the main file while it loads, and of
                              * all that it imports */
    SEMA_FUEL_FILE = 250000, /* of one imported file, without what that imports */
    SEMA_FUEL_LATE = 200000, /* the same for one eval_expr afterwards */
    SEMA_DEPTH = 1000,       /* nested expressions, statements and calls */
    SEMA_CALLS = 150,        /* nested calls of Python functions */
    SEMA_IMPORTS = 60,       /* nested imports */
    SEMA_MODULES = 2000,     /* files in a program */
    SEMA_LOOP = 100000,      /* turns of one loop, items of one container */
    SEMA_NAME_MAX = 512      /* bytes of a key or dotted name */
};

/* One id per row of specials.def. SP_none is no function: `...` is a special of that id. Ranges of
 * ids are compared in annotation.c, call_types.c and names.c, so the order of some rows matters
 * there. */
typedef enum special_id {
    SP_none,
#define SPECIAL(id, module, name, kind, call) SP_##id,
#include "sema/specials.def"
#undef SPECIAL
    SP_COUNT
} special_id;

typedef struct py_class py_class;
typedef struct py_func py_func;

/* A name and what it stands for. */
typedef struct ns_entry {
    const sym *name;
    value v;
} ns_entry;

/* Name lookup skips NS_CLASS scopes from inside a function (env_lookup); `global` and `nonlocal`
 * stop at NS_MODULE. NS_OBJECT holds the attributes of one object. */
typedef enum ns_kind { NS_MODULE, NS_FUNCTION, NS_CLASS, NS_OBJECT } ns_kind;

/* A scope, a class body or an object's attributes, in order of definition. */
struct namespace
{
    ns_entry *v;
    uint32_t n, cap;
    /* Hash table: entry index + 1 by symbol id, 0 for a free slot; NULL while the scope is small.
     * Its size nslots is a power of two of at least twice `cap`, so probing always finds a free
     * slot. */
    uint32_t *slots;
    uint32_t nslots;
    ns_kind kind;
    /* The scope around it, in which names are looked up next; NULL for modules and objects. */
    const namespace *parent;
    module *mod;
    str qual;            /* before the names of what is defined here: "", "A__", "f__locals__" */
    const py_class *cls; /* NS_CLASS: itself, NS_OBJECT: its class */
    uint32_t number;     /* among the objects of the program: object_number */
    bool hides;          /* NS_OBJECT: any attribute of the class may be hidden by one of its own */
    value_cells *dict;   /* the dict of these names, if the program asked for it; or NULL */
    /* Why names that are not found here may still exist: after an `import *` of an unknown module,
     * or for an object whose class has an unknown base. NULL: the scope is complete. */
    const char *star;
    uint32_t star_kind;     /* with `star`, as value.n of an unknown value: UNKNOWN_MODULE, ... */
    VEC(const sym *) outer; /* names declared global or nonlocal */
};

/* How instances are made (call_class) and which attributes they have. CLASS_TUPLE is a NamedTuple.
 */
typedef enum class_kind {
    CLASS_PLAIN,
    CLASS_ENUM,
    CLASS_INT_ENUM,
    CLASS_DATA,
    CLASS_TUPLE,
    CLASS_C_STRUCT, /* of ctypes: Structure, Union, T * n */
    CLASS_C_UNION,
    CLASS_C_ARRAY
} class_kind;

/* A field of a dataclass or NamedTuple: dataclasses.Field of CPython 3.11. */
typedef struct class_field {
    const sym *name;
    value preset;         /* its default; unknown: there is none */
    const value *factory; /* makes the default of each object; or NULL */
    bool no_init;         /* init=False: no parameter sets it */
    bool kw_only;         /* its parameter has no position */
    bool has_position;    /* kw_only=False, whatever holds for the class */
    bool no_compare;      /* compare=False */
    bool is_var;          /* InitVar: a parameter of __init__ alone */
    bool is_unsure;       /* what field() was told is not known */
} class_field;

/* A class statement after its body has run. A class that wp.struct decorates becomes a
 * struct_class. */
struct py_class {
    const sym *name;
    const ast_ClassDef *def;
    namespace *ns;
    const value *bases;
    uint32_t nbases;
    class_kind kind;
    /* Of a class that a decorator or base makes one with fields: those of its bases come first. A
     * class below it has the same. */
    const class_field *fields;
    uint32_t nfields;
    bool defines_fields;
    bool has_no_init; /* dataclass(init=False) */
    bool by_identity; /* a dataclass whose objects are equal to themselves alone: eq=False */
    /* An enum.Flag or IntFlag: auto() gives powers of two. */
    bool is_flag;
    /* An enum.StrEnum, whose members are strings here. */
    bool is_str_enum;
    /* Of an object only that it is there is known: neither its type nor what it equals. */
    bool is_any;
    /* Of a class with several bases: itself and all above it, as attributes are looked up. */
    const struct py_class *const *order;
    uint32_t norder;
    uint64_t array_length; /* CLASS_C_ARRAY, of its only base */
    const type *native;    /* CLASS_C_STRUCT that is registered as a type of C++: external_type.c */
    /* A base is unknown, so an attribute that is not found may exist: it is unknown, not missing.
     */
    bool partly_known;
};

typedef enum py_func_kind {
    PY_DEF,    /* def or lambda */
    PY_METHOD, /* self bound to func */
    PY_STATIC, /* staticmethod(func), classmethod(func), property(func): as class attributes */
    PY_CLASS_METHOD,
    PY_PROPERTY,
    PY_SUPER,   /* super(): `self` above the class `callee` */
    PY_FIELD,   /* dataclasses.field(...), as class attribute until its class is decorated */
    PY_PARTIAL, /* `callee` with some arguments given: functools.partial, wp.kernel(...) */
    PY_UNBOUND, /* the method `name` of a type of Python's: list.append */
    PY_MANAGER  /* what a call of a contextlib.contextmanager gives */
} py_func_kind;

typedef struct py_memo py_memo;
typedef struct with_run with_run;

/* A callable Python object. The kind says which fields are set. */
struct py_func {
    py_func_kind kind;
    const sym *name;
    const ast_FunctionDef *def; /* PY_DEF of a def */
    const ast_Lambda *lambda;   /* PY_DEF of a lambda */
    namespace *env;             /* the scope that defines it */
    const value *defaults;      /* of the last ndefaults positional parameters, then keyword-only */
    const value *kw_defaults;   /* by keyword-only parameter */
    const value *self;          /* what is bound */
    const value *callee;        /* PY_METHOD, PY_STATIC, ..., PY_PARTIAL */
    const struct py_call *given; /* PY_PARTIAL */
    const class_field *field;    /* PY_FIELD */
    py_memo *memo;               /* PY_DEF: its calls, if functools remembers them; or NULL */
    bool makes_manager;          /* PY_DEF: contextlib.contextmanager decorates it */
};

/* A @wp.struct: the definition that types refer to, and the class's other attributes. */
typedef struct struct_class {
    struct_def def; /* first: a type's `st` is a struct_class */
    namespace *ns;
    unsigned char hash[32];
    /* Number of fields, those of nested structs counted wherever they occur; bounded by
     * STRUCT_FIELDS_MAX, since one definition can double the count of the last. */
    uint64_t all_fields;
    struct struct_class *next; /* of the program, newest first */
} struct_class;

/* The arguments of a call, evaluated. Positional ones first; keyword i is names[i] = kwargs[i].
 * Arrays live in c->module and are shared with other calls, so they are read only. */
typedef struct py_call {
    const ast_Call *node; /* or NULL */
    const value *args;
    uint32_t nargs;
    const sym **names; /* of keyword arguments */
    const value *kwargs;
    uint32_t nkwargs;
    special_id id; /* the special being called */
    /* The call unpacks something unknown (`f(*xs)`), which is in `unpacked`, so the number of
     * arguments is unknown. Then almost every callee gives an unknown result. */
    bool inexact;
    value unpacked;
} py_call;

/* Warp's Module: the registry of one Python module, or of wp.kernel(module=...). */
typedef struct warp_module {
    const sym *name;
    code_options options;
    /* What wp.get_module returned, or NULL. Its `options` is a dict that Python code may change;
     * registry_sync copies it back. */
    namespace *object;
    struct warp_module *next;
    /* module="unique": a registry for one kernel, which is not in the program's list; or one that
     * wp.Module made, which is. Its name finds neither. */
    bool unique;
} warp_module;

/* Attributes that the program set on a Python function, @wp.func or kernel. */
typedef struct function_attrs {
    const void *of;
    namespace *ns;
} function_attrs;

typedef enum module_state { MODULE_NEW, MODULE_LOADING, MODULE_LOADED, MODULE_FAILED } module_state;

struct module {
    program *prog;
    const sym *name;    /* dotted */
    const sym *package; /* dotted, for relative imports; NULL: none */
    source src;
    ast_Module *tree;
    namespace globals;
    warp_module *warp;
    module_state state;
    /* One of the modules that `import warp` itself imports (WARP_LOADED). Their functions count
     * separately, because Warp counts them before any user module runs. */
    bool is_builtin;
    const module *stub;      /* values that count more than those of its file; NULL: none */
    bool is_stub;            /* the file is a stub */
    bool is_instance;        /* the text of an instance, whose names are the main file's */
    bool string_annotations; /* from __future__ import annotations */
    const char *why;         /* MODULE_FAILED */
    module *next;
};

/* A function that may be a kernel, and the decorator that is not known: `reason` says why. */
typedef struct unseen_def {
    const ast_FunctionDef *def;
    const node *decorator;
    value reason;
} unseen_def;

/* A call of the main file that makes a kernel whose function is another file's. */
typedef struct unseen_made {
    const ast_Call *call;
    const sym *name;
    const module *from;
} unseen_made;

/* An overload of a kernel of the main file whose types are not known: `why`. */
typedef struct lost_overload {
    const node *at;
    const sym *name;
    const char *why;
} lost_overload;

/* How many @wp.func definitions of a key there were: Warp 1.19 function_key_counts. */
typedef struct key_count {
    const sym *key;
    uint32_t n;
} key_count;

typedef VEC(key_count) key_counts;

/* An assignment `warp.config.NAME = v`. */
typedef struct config_entry {
    const sym *name;
    value v;
} config_entry;

/* One program at a time is current per context (sema_names.current); spend() counts against it. */
struct program {
    ctx *c;
    module *main;
    module *modules; /* newest first */
    uint32_t nmodules;
    const char **dirs;
    size_t ndirs;
    bool from_text;
    /* Steps left before the evaluator gives up. At 0 every expression is unknown and every block
     * ends. */
    uint32_t fuel;
    uint32_t import_fuel; /* left for imported files together: import_file */
    const sym *main_name; /* of the main file, also before it is loaded */
    /* Current nesting, bounded by SEMA_DEPTH, SEMA_CALLS and SEMA_IMPORTS. */
    uint16_t depth, calls, imports;
    maybe_mode maybe;
    uint32_t objects; /* made so far: containers and scopes */
    /* Above 0, what is evaluated may not run in Python, or its errors may be caught. Other than
     * `maybe` it holds within calls and imports, too. */
    uint16_t doubt;
    /* undefined.c: what it knows of the main file, since the first name that nothing defines. */
    str_map bound;             /* bound.c: how the file binds each name, and which were reported */
    bool bound_is_set;         /* the map has been filled */
    bool undefined;            /* an error was reported */
    bool binds_any;            /* the file may bind any name, by globals() or exec() */
    bool has_warp;             /* its text mentions Warp */
    key_counts counts;         /* function keys, beyond those of `import warp` */
    key_counts builtin_counts; /* the same while warp's own modules load */
    VEC(config_entry) config;  /* assignments to warp.config */
    value environ;             /* os.environ: a dict, or unknown after what cannot be followed */
    VEC(diag) stub_warnings;   /* of stubs that cannot be parsed */
    str_map patterns;          /* of module re: 1 + an index into regexes, by call_re.c's key */
    VEC(const struct regex *) regexes;
    VEC(const double *) lost; /* components of composites that are not known any more */
    VEC(value) hashes;        /* what hash() was called with, and what it gave */
    VEC(function_attrs) attrs;
    VEC(func *) externals; /* functions that it registers from C++, the first overload of each */
    warp_module *warp_modules;
    struct_class *structs;
    /* Every kernel of every module, in order of definition. */
    VEC(kernel *) all;
    /* unseen.c, of the main file: functions that were called, by the bytes of their node's address,
     * and those that may be kernels. */
    str_map ran;
    VEC(unseen_def) unseen;
    VEC(unseen_made) foreign;
    VEC(lost_overload) overloads;
    const node *spent_at;      /* the statement of its module level that spent the fuel */
    const node *last_raise;    /* the latest raise statement that ran */
    exception raised;          /* the latest exception that was raised */
    VEC(const sym *) unsure;   /* names that a statement bound or deleted that may not run */
    bool raising;              /* it is pending: a catcher will take it */
    catcher *catchers;         /* around what runs now, the innermost; NULL: none */
    exception handled;         /* what the handler that runs has taken */
    const sym *handled_name;   /* its name there; or NULL */
    bool left;                 /* a loop or function may have been left since this was cleared */
    const node *raised_at;     /* the one that ended its module level */
    const ast_Call *main_call; /* the last call at its module level */
    /* Those of the main file that no later kernel of the same key replaces, by first line. */
    const kernel **kernels;
    uint32_t nkernels;
};

/* Names that the evaluator looks up, once per context. */
/* clang-format off */
#define SEMA_SYMS(X)                                                                               \
    X(__name__)                                                                                    \
    X(__main__)                                                                                    \
    X(__file__)                                                                                    \
    X(__init__)                                                                                    \
    X(__all__)                                                                                     \
    X(__future__)                                                                                  \
    X(__class__)                                                                                   \
    X(__version__)                                                                                 \
    X(__getattr__)                                                                                 \
    X(__dict__)                                                                                    \
    X(__qualname__) X(__post_init__) X(__call__) X(__module__) X(__enter__) X(__exit__) X(__getitem__) X(__doc__) X(__package__) X(annotations) X(warp) X(config)        \
        X(builtins) X(self) X(value) X(name) X(dtype) X(length) X(shape) X(ndim) X(key) X(size)    \
            X(module) X(lambda) X(_wp_scalar_type_) X(_type_) X(_shape_) X(_length_) X(x) X(y) X(z) X(w)     \
                X(p) X(q) X(native_func) X(func) X(ellipsis) X(_fields) X(arg_types) X(options)
/* clang-format on */

/* Tables made once per context and kept in c->perm: they outlive programs. The two arrays are
 * indexed by symbol id and hold 1 + an index into `values`; ids from nids on were interned later
 * and are in neither. */
typedef struct sema_names {
    uint16_t *warp;   /* by symbol id: index + 1 into values, of an attribute of warp */
    uint16_t *python; /* by symbol id: of a Python builtin */
    uint32_t nids;
    VEC(value) values;
    /* The program loaded last; it may be gone once the context's module arena is reset. */
    program *current;
#define X(name) const sym *s_##name;
    SEMA_SYMS(X)
#undef X
} sema_names;

/* An evaluation in progress. Copied freely: eval_in changes the scope of a copy. */
typedef struct evaluator {
    ctx *c;
    program *p;
    const sema_names *names;
    namespace *env;
    const local_binding *locals; /* first of all, if any */
    uint32_t nlocals;
    /* Of the Python function that runs, which `return` writes to; NULL at module and class level.
     */
    struct frame *frame;
} evaluator;

/* A running Python function. Several `return` statements may write `result`, since branches with
 * unknown conditions all run; see exec_return. */
typedef struct frame {
    value result;
    bool has_result, is_generator;
    uint32_t since; /* as in maybe_mode, from a `return` that may have ended the function on */
    with_run *with; /* of a context manager: the statement that its yield goes on with; or NULL */
} frame;

/* names.c */
/* `n` of the VALUE_TYPE that wp.handle is; 0 of other types. */
enum { TYPE_NAMED_HANDLE = 1 };
/* The value of warp.NAME, or of the Python builtin NAME; NULL: there is none. Lives in c->perm. */
const value *warp_name(const sema_names *t, const sym *name);
const value *python_name(const sema_names *t, const sym *name);
/* The attribute `name` of a known Python module or warp submodule. */
bool special_find(ctx *c, const sym *mod, const sym *name, value *out);
/* The constant `name` of warp's class `cls` ("warp.Volume"); name NULL: does it have any? */
bool warp_member(ctx *c, const char *cls, const sym *name, value *out);
/* The names of warp that are no builtins of src/builtin: types, constants, functions for Python. */
void warp_each_name(void (*visit)(void *arg, const char *name), void *arg);
bool is_known_module(const char *dotted); /* has rows in specials.def */
bool is_warp_builtin_module(const char *dotted);
/* Is it "warp.NAME", a module that Warp lacks for certain? */
bool is_no_warp_module(const char *dotted);
const char *warp_module_at(size_t i);          /* WARP_MODULE number i; NULL: there are no more */
const char *warp_python_home(const sym *name); /* warp's module that defines wp.NAME in Python */
uint32_t warp_initial_count(const char *key);  /* functions of this key after `import warp` */

/* module_names.c: of modules that are tables */
/* What `from dotted import *` binds, one blank apart; NULL: weft does not know. */
const char *module_star_names(const char *dotted);
/* Has the module no such name, for certain? */
bool module_lacks(const ctx *c, const char *dotted, const sym *name);
void module_offer_names(const char *dotted, nearest *near);

/* namespace.c */
void ns_init(namespace *ns, ns_kind kind, const namespace *parent, module *mod, str qual);
namespace *ns_new(ctx *c, ns_kind kind, const namespace *parent, str qual);
value *ns_find(const namespace *ns, const sym *name); /* in this one alone */
/* Assigns a name, which is appended if it is new. */
void ns_set(ctx *c, namespace *ns, const sym *name, value v);
void ns_remove(namespace *ns, const sym *name);
bool class_find(const py_class *cls, const sym *name, value *out); /* with bases */
/* The class itself, then those above it as attributes are looked up; NULL: no more. */
const py_class *class_above(const py_class *cls, uint32_t i);
void class_set_order(ctx *c, py_class *cls); /* once its bases are known */
/* Defines the class of an object this method, by itself or by a base? */
bool object_has_method(const value *v, const char *name);

/* value_ops.c */
/* A value that cannot be known. `why` is kept, so it must outlive the value; unknown_text formats
 * one into c->module (255 bytes at most). */
value unknown(const char *why);
/* What wp.array(data) makes. */
value unknown_array(void);
value unknown_text(ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
value value_str(ctx *c, const char *s, size_t n);
value value_special(ctx *c, special_id id);
/* A tuple or range of these items, which it refers to. */
value value_items(value_kind kind, const value *items, uint32_t n);
value value_none(void);
/* Python's ==. False also where it cannot be known. */
bool value_same(const value *a, const value *b);
/* The same: 1, 0, or -1 when not known. */
int value_equal(const value *a, const value *b);
/* Has a kernel the same text with either? 1 is not 1.0, and objects have equal attributes. */
bool value_identical(const value *a, const value *b);
/* Python's `is`; equal values count as one object, for they have no addresses, but objects of
 * classes do not. */
bool value_is(const value *a, const value *b);
/* The length of a tuple or an object of a NamedTuple, which is one; else -1. */
int64_t tuple_length(const value *v);
/* Its item, i below the length; NULL: not known. */
const value *tuple_item(const value *v, uint32_t i);
/* Of two kinds, and one is a member of class X(str, Enum), which is a string, too? */
bool is_mixed_pair(const value *a, const value *b);
/* Python's truth: 1, 0, or -1 when not known. */
int value_truth(const value *v);
bool value_is_int(const value *v);  /* int, bool, enum member, integer scalar */
bool value_is_real(const value *v); /* any number */
double value_to_double(const value *v);
/* The items of a tuple, list, range, string, dict (keys), enum class or composite. False: v is none
 * of these, or too long. Items are borrowed from v or live in c->module. */
bool value_iterate(ctx *c, const value *v, const value **items, uint32_t *n);
/* The same in any order, which is known of more sets. */
bool value_members(ctx *c, const value *v, const value **items, uint32_t *n);
/* Appends str(v) or repr(v); false: weft does not know it, and *out may hold a part. */
bool value_text(strbuf *out, ctx *c, const value *v, bool repr);
/* A copy of v in c->module. */
const value *value_keep(ctx *c, value v);
/* Counts `steps` of work against the fuel of the current program. */
void spend(ctx *c, uint64_t steps);
/* eval_op.c */
/* An object of which only that it is there is known (py_class.is_any). */
bool is_any_object(const value *v);
/* Python's operators. An unknown operand is returned as it is. */
value op_binary(ctx *c, ast_op op, const value *a, const value *b);
value op_unary(ctx *c, ast_op op, const value *a);
value op_compare(ctx *c, ast_op op, const value *a, const value *b);
/* composite_ops.c */
/* All components zero. Needs: t is a vector, matrix, quaternion or transform of known size. */
value composite_new(ctx *c, const type *t);
double composite_get(const value *v, uint32_t i);
void composite_set(const value *v, uint32_t i, double x);
value composite_item(ctx *c, const value *v, int64_t i);
value composite_copy(ctx *c, const value *v);
/* All components of a composite of the same type. */
void composite_assign(const value *to, const value *from);
/* v[index] = x, in place. False: weft does not follow it. */
bool composite_set_item(const value *v, const value *index, const value *x);
/* Are its components not known, since one was assigned that way? */
bool composite_is_lost(const program *p, const value *v);
value composite_binary(ctx *c, ast_op op, const value *a, const value *b);
value composite_make(ctx *c, const type *t, const py_call *call);
/* call_warp.c */
value run_builtin(evaluator *e, const sym *name, const py_call *a);
/* x rounded to float32, unless t is float64. */
double round_to(const type *t, double x);

/* eval.c */
/* The value of an expression; unknown once fuel or depth is used up. */
value eval_node(evaluator *e, const node *n);
/* Why v or a part of it is not known; NULL: all of it is. */
const char *unknown_inside(const value *v);
/* Why a value is not known that a stub leaves open, or does not have. */
#define STUB_SILENT "the module's stub does not say it"

/* Does setattr work on it? */
static inline bool has_attributes(const value *v)
{
    return v->kind == VALUE_MODULE || v->kind == VALUE_CLASS || v->kind == VALUE_OBJECT;
}
evaluator evaluator_for(ctx *c, const namespace *env);
value eval_in(const evaluator *e, namespace *env, const node *n);
/* eval_comp.c, eval_format.c, eval_index.c */
value eval_comprehension(evaluator *e, const node *n);
value eval_joined(evaluator *e, const ast_JoinedStr *n);
value format_percent(ctx *c, const value *fmt, const value *args);
/* Appends format(v, spec); false: weft does not know it. */
bool format_value(ctx *c, strbuf *out, const value *v, str spec);
value eval_subscript(evaluator *e, const ast_Subscript *n);
/* list[a:b] = v; false: weft does not follow it. */
bool list_set_slice(evaluator *e, const value *list, const ast_Slice *s, const value *v);

/* eval_call.c */
/* eval.c: getattr(obj, attr) of the node. An attribute that does not exist is unknown too: weft may
 * simply not have a rule for it. */
value attribute_of(evaluator *e, const ast_Attribute *n, const value *obj);
value eval_call(evaluator *e, const ast_Call *n);
value call_value(evaluator *e, const value *callee, const py_call *call);
value call_one(evaluator *e, const value *callee, value arg);
/* Argument by position or keyword; NULL if not given. */
const value *call_get(const py_call *call, uint32_t pos, const char *name);
/* Runs a def or lambda; the result is unknown if it raises or yields. */
value run_function(evaluator *e, const py_func *f, const py_call *call);
/* The same of the function of a context manager; w may be NULL. */
value run_function_with(evaluator *e, const py_func *f, const py_call *call, with_run *w);
/* Raises the TypeError of a call whose arguments do not fit. */
void check_arguments(evaluator *e, const py_func *f, const py_call *call);
/* The same of a function with a memo: functools.cache (memo.c). */
value memo_call(evaluator *e, const py_func *f, const py_call *call);
value new_object(ctx *c, const py_class *cls); /* without calling __init__ */
/* The names of the fields of a dataclass or NamedTuple, in the order of its parameters. */
value class_fields(ctx *c, const py_class *cls);
/* data_class.c */
/* The class that has the fields of cls: itself or one above it; NULL: no fields. */
const py_class *class_with_fields(const py_class *cls);
/* Finds the fields of a class statement that has some, after its body ran. */
void define_fields(ctx *c, py_class *cls, bool kw_only);
/* The class that collections.namedtuple makes; names are strings. */
value named_tuple(evaluator *e, const sym *name, const value *names, const value *presets,
                  uint32_t npresets);
/* Is a dataclass what makes the __init__ of cls? */
bool makes_fields(evaluator *e, const py_class *cls);
/* What that __init__ and a NamedTuple do; the result is what __post_init__ gets. */
py_call init_fields(evaluator *e, const py_class *cls, namespace *ns, const py_call *call);
/* getattr.c */
/* An object of a library's class: it has attributes besides those that are set, unknown ones. */
value library_object(ctx *c);
/* A value whose attributes attrs_of holds: a function or kernel. */
bool is_function(const value *v);
/* The attributes set on it; NULL: none, unless `make`. Needs: is_function. */
namespace *attrs_of(program *p, const value *v, bool make);
/* methods.c */
/* A method of a string, tuple, list or dict, which may change it. */
value call_method(evaluator *e, const value *self, const sym *name, const py_call *call);
/* list.append: what a call of the attribute of a type of Python's is; false: it is no method that
 * weft follows. */
bool unbound_method(ctx *c, special_id type_id, const sym *name, value *out);
value call_unbound(evaluator *e, const py_func *f, const py_call *call);
/* Has a list, set or dict a method of this name that changes it? */
bool method_changes(const sym *name);
/* `list += more`, `dict |= more`, `del v[key]` */
void list_extend(ctx *c, const value *self, const value *more);
void dict_update(ctx *c, const value *self, const value *more);
void item_delete(ctx *c, const value *v, const value *key);
value int_bit_length(const value *x); /* call_number.c */
/* The part of it for strings, which never change. */
value str_method(evaluator *e, const value *self, const char *name, const py_call *call);
#define SPECIAL(id, module, name, kind, call) value call(evaluator *e, const py_call *a);
#include "sema/specials.def"
#undef SPECIAL

/* How a block ended. FLOW_NEXT: its last statement was executed. */
typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_RAISE } flow;
/* Runs statements until one leaves the block; returns how it was left. */
flow exec_block(evaluator *e, const node_list *body);
/* Both blocks, each of which may run or not. */
flow exec_maybe(evaluator *e, const node_list *a, const node_list *b);
flow exec_match(evaluator *e, const ast_Match *n);
/* A `break` or the like of a branch, or of a body that may have raised before, may have run. */
void maybe_left(evaluator *e, flow f);
/* exec_try.c */
flow exec_raise(evaluator *e, const node *n);
flow exec_try(evaluator *e, const node_list *body, const node_list *handlers,
              const node_list *orelse, const node_list *finalbody);
/* exec_with.c */
flow exec_with(evaluator *e, const ast_With *n);
/* Runs the body of the statement where its manager yields v. False: it has run already. */
bool with_yield(evaluator *e, with_run *w, value v);
/* Did the body raise an exception at the yield that was just evaluated? The yield raises it then;
 * how the generator ended tells whether it went further. */
bool with_raises(with_run *w);
void with_ended(with_run *w, flow end);
/* What a call of f gives, which makes managers. */
value new_manager(ctx *c, const py_func *f, const py_call *call);
void assign_to(evaluator *e, const node *target, value v);
void bind_name(evaluator *e, const sym *name, value v);
void set_attribute(evaluator *e, const value *obj, const sym *name, value v); /* obj.name = v */
/* exec_def.c */
/* Of a function's parameters (arguments) and of its result (NULL: it has none). */
void check_annotations(evaluator *e, const node *parameters, const node *returns);
void exec_function(evaluator *e, const ast_FunctionDef *n);
void exec_class(evaluator *e, const ast_ClassDef *n);
void exec_type_alias(evaluator *e, const ast_TypeAlias *n);
/* What auto() is for the name in the body of this class, whose members so far are there. */
value enum_auto(ctx *c, const namespace *ns, const sym *name);
value decorate(evaluator *e, const node *decorator, value v);

/* import.c */
void exec_import(evaluator *e, const ast_Import *n);
void exec_import_from(evaluator *e, const ast_ImportFrom *n);
/* The dotted name that `from ..x import` means in the module of e; NULL: outside of any package. */
const sym *import_dotted(evaluator *e, const ast_ImportFrom *n);
value module_value(module *m);
/* The module of this dotted name, loaded from the search folders if need be; NULL: not found. */
module *import_module(program *p, const sym *dotted);
module *loaded_module(program *p, const sym *dotted);
/* Reads and runs the file as the module of this name, which is not loaded yet; `package`: it is an
 * __init__.py. On failure its state is MODULE_FAILED. */
module *import_file(program *p, const sym *dotted, const char *path, bool package);
/* The file of a module in a folder, or its stub: DIR/a/b/__init__.py or DIR/a/b.py for "a.b".
 * *package: it is an __init__. False: there is none. */
bool module_file(const char *dir, const char *dotted, bool stub, char *path, size_t size,
                 bool *package);
const sym *parent_module(ctx *c, const sym *dotted); /* "a.b" of "a.b.c"; NULL: it has no dot */
/* stub.c */
/* The stub of a module, from the search folders; NULL: none. */
module *stub_find(program *p, const sym *dotted);
/* The module binds the name to *v: the stub's value instead, if it has one. */
void stub_amend(const module *m, const sym *name, value *v);
/* Reports the stubs that could not be parsed, as warnings. */
void stub_warn(program *p);
void stub_complete(module *m); /* once the module's own file has run */
value warp_value(ctx *c, const char *dotted);
bool config_get(program *p, const sym *name, value *out);
/* program.c */
module *module_new(program *p, const sym *name);
/* Reads the file of m->src.path, or takes the tree that it has from an earlier program. An errno
 * value or 0. */
int module_read(module *m);
bool module_run(module *m); /* needs: m->src is read. False: syntax error, reported */
/* Warp's Module of a Python module, or of this name; made by the first call. Never NULL. */
warp_module *module_registry(module *m);
warp_module *registry_find(program *p, const sym *name);
void registry_sync(warp_module *w); /* takes over what was set through its object */
value kernel_module_object(ctx *c, const kernel *k);
void kernel_take_options(kernel *k); /* the last that its registry has, if it takes them */

/* code.c, func.c, kernel.c, struct.c */
/* Fills *out from the definition: parameters, types, lines, wp.static values. Reports nothing. */
void code_make(evaluator *e, code *out, const py_func *f);
str qualified_key(ctx *c, const namespace *env, const sym *name);
/* The key of a function, by the __qualname__ that it was given if it was; p NULL: it is unknown. */
str function_key(const evaluator *e, const py_func *f);
str class_key(const evaluator *e, const py_class *cls);
/* Reports every positional parameter without annotation. Returns false. Needs: f is incomplete. */
bool code_report_incomplete(ctx *c, const code *f);
/* What a decorator with arguments returns: a call of special `id` that still gets its function. */
value partial_of(ctx *c, special_id id, const py_call *given);
const py_func *as_py_func(const value *v); /* the def under staticmethod and the like, or NULL */
value annotation_value(evaluator *e, namespace *env, const node *n);
/* kernel.c: the instance of a generic kernel with these parameter types, one for each parameter */
value kernel_instance(evaluator *e, const kernel *generic, const type *const *types);
/* instance.c */
void program_make_instances(program *p, const program_options *o);
void report_undefined_in_instance(evaluator *e, const ast_Name *n);
/* same_kernel.c */
/* Of two kernels of one key: does Warp compile the later one alone? */
bool kernel_replaces(const kernel *later, const kernel *k);
/* statics.c */
void find_statics(evaluator *e, code *f);
void find_statics_again(ctx *c, code *f); /* of a copy that is made now */
/* type_code.c */
bool type_code(strbuf *out, const type *t); /* Warp 1.19 get_type_code */
/* Of an opaque type: has it one, so that functions take it? wp.Mesh has none. */
bool type_has_code(const type *native);
str code_signature(ctx *c, const code *f);
/* bound.c */
/* Has the text of a file to do with Warp? */
bool mentions_warp(str text);
/* Is the name neither bound anywhere in the main file nor reported before? */
bool is_news(evaluator *e, const sym *name);
/* Does the main file set no attribute of the name, nor ask for one, and was none reported? */
bool is_new_attribute(evaluator *e, const sym *name);
/* Does the main file bind the name by `import warp`, and in no other way? */
bool is_name_of_warp(evaluator *e, const sym *name);
bool is_reported(evaluator *e, const sym *name);
void mark_reported(evaluator *e, const sym *name);
/* signature.c: an error, when Python ends the call of a function of Warp with a TypeError */
void check_signature(evaluator *e, const py_call *a);
/* undefined.c */
/* A name or attribute that weft has no value for is evaluated: what Python raises if it is missing,
 * for certain or maybe. */
void name_not_found(evaluator *e, const sym *name);
void attribute_not_found(evaluator *e, const value *obj, const sym *name);
/* errors, unless what is evaluated may not run, or the name may be bound otherwise */
void report_undefined(evaluator *e, const ast_Name *n);
/* Does what is evaluated now run in Python for certain, in the file that errors are reported of?
 * Functions that the module calls count, too: calls hand the doubt on. */
bool is_certain(const evaluator *e);
/* Python evaluates the annotation (NULL: there is none) where it stands, unless all are strings. */
void check_annotation(evaluator *e, const node *annotation);
void report_module_decorator(evaluator *e, const node *decorator, const value *v);
void report_async(evaluator *e, const ast_AsyncFunctionDef *n);
void warn_undefined(evaluator *e, const ast_Name *n); /* of code that has not run */
void report_no_attribute(evaluator *e, const ast_Attribute *n, const value *obj);
void report_no_getattr(evaluator *e, const node *at, const value *obj, const sym *name);
/* Of `from warp import NAME` or `from math import NAME`: the module has no such name. */
void report_no_import(evaluator *e, const ast_alias *n, const sym *from);
/* Of a @wp.func: Warp takes none whose parameters are not all annotated, called or not. */
void report_no_annotation(evaluator *e, const code *f);
/* Of a module that was not found: it was meant to be warp. `from` NULL: a plain import. */
void report_misspelled_warp(evaluator *e, const ast_alias *n, const sym *from);
/* Of `import warp.NAME` or `from warp.NAME import`: warp has no such module. `is_unrun`: a warning,
 * of code that has not run. */
void report_no_warp_module(evaluator *e, const node *at, const sym *dotted, bool is_unrun);
/* unrun.c: warns of misspelled names in code that has not run */
void warn_of_unrun_names(evaluator *e);
/* unseen.c */
/* Is the decorator, or the callee, Warp's `kernel`? */
bool is_warp_kernel(const evaluator *e, const node *n);
void unseen_function_ran(program *p, const py_func *f);
/* The decorator number `culprit` made v of the function, an unknown value, and no kernel. */
void unseen_decorator(evaluator *e, const ast_FunctionDef *n, uint32_t culprit, value v);
void unseen_kernel_made(evaluator *e, const py_func *f);
/* What stands at the node (or NULL) adds no instance to the kernel: v is unknown. */
void unseen_overload(evaluator *e, const node *at, const kernel *k, value v);
/* objects.c */
bool super_attr(ctx *c, const py_func *f, const sym *attr, value *out);
bool property_attr(ctx *c, const value *property, const sym *attr, value *out);
/* obj.attr = v by the class of obj, as a property's setter does it. False: it has no say. */
bool set_by_class(evaluator *e, const value *obj, const sym *attr, value v);
/* Calls __init_subclass__ of the bases for the class that the statement made. */
void init_subclass(evaluator *e, const ast_ClassDef *n, const value *made);
/* What its metaclass changes is in doubt from here on. */
void run_metaclasses(evaluator *e, const ast_ClassDef *n, const value *made);
bool has_own_equality(const value *v); /* by __eq__ */
/* a == b, one of which is an object. */
/* copy.deepcopy(v) */
value copy_deep(ctx *c, const value *v);
/* The class whose rule says what an object of cls equals: its method __eq__ (*own), or its fields.
 * NULL: itself alone. */
const py_class *equality_rule(const py_class *cls, bool *own);
value objects_equal(ctx *c, const value *a, const value *b);
/* getattr.c: what an attribute of a class means on its object, or on itself (self NULL) */
value class_attr_on(ctx *c, const value *self, const value *cls, const value *v);
value bind_method(ctx *c, const value *self, const value *f);
/* ctypes_layout.c */
typedef struct c_field {
    const sym *name;
    const value *type;
    size_t offset, size;
} c_field;

/* Of a type, in bytes; the fields of a structure. */
typedef struct c_layout {
    size_t size, align;
    VEC(c_field) fields;
} c_layout;
/* False: v is no type of ctypes, nor one of Warp's that is, or weft does not know its layout. */
bool ctypes_layout(ctx *c, const value *v, c_layout *out);
bool is_ctypes_type(const value *v);
value ctypes_array(ctx *c, const value *elem, int64_t n);
/* What the constructor of a structure does. */
void ctypes_init(evaluator *e, const py_class *cls, namespace *ns, const py_call *call);
int scalar_bytes(const type *t); /* call_types.c; 0: it is no scalar */
/* external_type.c: the function that is registered under a name of warp */
bool external_find(const program *p, const sym *name, value *out);
/* annotation.c; annotation_type is in module.h */
value subscript_special(ctx *c, const value *v, const value *index);
value index_numpy_types(ctx *c, const value *v);
const type *numpy_type(ctx *c, const value *v);

#endif
