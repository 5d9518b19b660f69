/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of src/builtin: rows of the table, and what a row's rules see and do. A call is resolved
 * in three steps: the arguments are bound to a row's parameters, its result rule computes what the
 * call gives (Warp's value_func), its dispatch rule what the C++ function gets (dispatch_func).
 * Example, for the row
 *
 *     RULED_AS("volume_lookup(id: uint64, i: int, j: int, k: int, dtype: Any)",
 *              volume, dtype_template, "", NODIFF | KERNEL_ONLY)
 *
 * rule_volume gives the type named by dtype, and dispatch_dtype_template passes id, i, j, k and
 * makes dtype a template argument: wp::volume_lookup<wp::float32>(id, i, j, k). */
#ifndef WEFT_BUILTIN_RULE_H
#define WEFT_BUILTIN_RULE_H

#include "builtin/builtin.h"

enum { PARAM_MAX = 16, RESULT_MAX = 4, TEMPLATE_MAX = 16 };

/* As Python's inspect.Parameter: ordinary, *args, or after *args and so by name only. */
typedef enum param_kind { PARAM_NORMAL, PARAM_VARARGS, PARAM_KEYWORD } param_kind;

/* A parameter of a signature. */
typedef struct row_param {
    const sym *name;
    const type *type; /* may be a pattern */
    value
        default_value; /* VALUE_UNKNOWN: none; VALUE_NONE: the rules see the parameter as absent */
    uint8_t kind;      /* param_kind */
    bool each;         /* stands for one row per array class, integer type or scalar type */
} row_param;

typedef struct rule_call rule_call;

/* Reports why no row takes the call. Returns false. */
bool builtin_refuse(ctx *c, const call_request *r);

/* A row's result rule. fn sets the plan's results by a rule_gives function, or returns false after
 * a diagnostic. */
typedef struct result_rule {
    bool (*fn)(rule_call *k);
    uint8_t outputs; /* number of results if there are several, else 0 */
    bool pure;       /* one result (or none) that depends on nothing but the argument types */
} result_rule;

/* A row's dispatch rule: appends C++ arguments by the rule_pass functions and template arguments
 * by the rule_template functions. False after a diagnostic. */
typedef bool dispatch_rule(rule_call *k);

enum row_flag {
    NODIFF = 1,         /* no adjoint: is_differentiable is False */
    SKIP_REPLAY = 2,    /* skip_replay */
    NEEDS_OUTPUT = 4,   /* require_original_output_arg */
    HIDDEN = 8,         /* no user calls it by this name */
    GLOBAL = 16,        /* C++ name outside of namespace wp */
    ADJ_TEMPLATES = 32, /* adjoint_uses_template_args */
    VARIADIC = 64,      /* argument types are the rule's business; implied by *args */
    KERNEL_ONLY = 128   /* on a name's first row: not in Python's module `warp` (export=False) */
};

/* One overload, in c->perm. */
typedef struct builtin_row {
    const builtin *fn;
    const row_param *params;
    uint8_t nparams, flags, noutputs;
    uint8_t dtype_at, size_at; /* the parameters dtype and length or shape; nparams: none */
    bool variadic, is_cast64;
    const result_rule *result; /* NULL: types */
    dispatch_rule *dispatch;   /* NULL: all arguments in order */
    const type *const *types;  /* stated results */
    uint32_t ntypes;
    str native;    /* the C++ name: "sin" */
    str signature; /* as in the table, for messages and listings */
} builtin_row;

/* All overloads of one name, variadic ones last. */
struct builtin {
    const sym *name;
    const builtin_row *rows;
    uint32_t nrows;
    bool kernel_only; /* Python's module `warp` has no such attribute */
};

/* The state of resolving one call. It is large and lives on the stack of resolve
 * (builtin_resolve.c); arrays are valid as far as their counts say. */
struct rule_call {
    ctx *c;
    const call_request *r;
    const builtin_row *row;
    bool quiet;                     /* no diagnostics */
    bool misplaced;                 /* a type or tuple was passed where C++ needs a value */
    const call_arg *arg[PARAM_MAX]; /* bound to the row's parameters; NULL: absent */
    uint32_t fresh;                 /* bit i: arg[i] is a default or a type argument */
    call_arg own[PARAM_MAX];        /* storage of arguments made here */
    call_plan *plan;
    native_arg *out; /* of plan->args, still growing */
    uint32_t cap;
    value tmpl[TEMPLATE_MAX]; /* template arguments */
    uint32_t ntmpl;
};

/* Binding: fills k->arg as Python's signature.bind does, without a look at types. False: the
 * arguments do not fit the parameters in number or name. */
bool rule_bind(rule_call *k);
/* Gives defaults and the request's type arguments to parameters that are still free. False, with a
 * diagnostic: a type argument contradicts an explicit one. */
bool rule_bind_rest(rule_call *k);

/* The type of an argument, references stripped (Warp 1.19 get_arg_type); of a type itself that
 * type. NULL: it has none. */
const type *rule_arg_type(ctx *c, const call_arg *a);
/* The same of a bound parameter; NULL: it is absent. */
const type *rule_type(const rule_call *k, uint32_t param);
/* The compile-time value of an argument (Warp 1.19 get_arg_value), or NULL. */
const value *rule_arg_value(const call_arg *a);
/* The same of a parameter; NULL also if the row has no such parameter. */
const value *rule_value(const rule_call *k, uint32_t param);
/* The type that a dtype-like value stands for; python's int and float count. NULL: none. */
const type *rule_value_type(const rule_call *k, const value *v);
/* Index of the parameter, or nparams. */
uint32_t rule_param(const rule_call *k, const char *name);
/* Arguments of *args; sets *n, 0 if there are none or the row has no *args. */
const call_arg *rule_varargs(const rule_call *k, uint32_t *n);
/* A compile-time tuple or single number as integers (Warp's extract_tuple): shape arguments. False:
 * not constant, or more than max. */
bool rule_ints(const call_arg *a, int64_t *out, uint32_t max, uint32_t *n);

/* Results. Each returns true, so that a rule can end with it. */
bool rule_gives(rule_call *k, const type *t); /* NULL: nothing */
bool rule_gives_all(rule_call *k, const type *const *types, uint32_t n);
bool rule_gives_value(rule_call *k, value v);
bool rule_gives_arg(rule_call *k, const call_arg *var); /* the variable itself */

/* C++ arguments. */
/* C++ arguments. Appends what is bound to the parameter, each item of *args; nothing if it is
 * absent. */
void rule_pass(rule_call *k, uint32_t param);
void rule_pass_arg(rule_call *k, const call_arg *a);
/* Appends item i of a tuple. A variable made by wp.tuple has its constants by value only (Warp
 * 1.19 extract_tuple), so that they are numbered anew. */
void rule_pass_item(rule_call *k, const call_arg *tuple, uint32_t i);
/* Appends a reference as the pointer that it is, without a load. */
void rule_pass_ref(rule_call *k, uint32_t param);
/* Appends the result itself, which the function writes in place. Needs: one result. */
void rule_pass_result(rule_call *k);
/* Appends text as it stands, for macros; it lives in c->module or for ever. */
void rule_pass_token(rule_call *k, const char *text);
/* A block needs this many bytes of shared memory while the call runs. */
void rule_needs_shared(rule_call *k, size_t bytes);
/* Appends a new constant variable. */
void rule_pass_const(rule_call *k, value v);
/* Warp 1.19 _cast_scalar_constant: a constant scalar becomes a constant of type t. */
void rule_pass_cast(rule_call *k, const call_arg *a, const type *t);
void rule_pass_all(rule_call *k); /* what rows without a dispatch rule do */

/* C++ template arguments. */
void rule_template_int(rule_call *k, int64_t x);
void rule_template_type(rule_call *k, const type *t);
/* As the value spells it: "float" for Python's float. */
void rule_template_value(rule_call *k, const value *v);

/* Reports an error at the call unless the caller only tests whether a row fits (builtin_accepts);
 * is false. */
#define REFUSE(k, ...) ((k)->quiet ? false : diag_error((k)->c, (k)->r->at, __VA_ARGS__))

/* A signature as sig_parse reads it; its text is described in builtin_sig.c. */
typedef struct signature {
    str name;
    row_param params[PARAM_MAX];
    uint32_t nparams;
    const type *results[RESULT_MAX];
    uint32_t nresults;
} signature;
/* False: the text is no signature, of which *out holds what could be read. */
bool sig_parse(ctx *c, const char *text, signature *out);
/* What messages call the function of a call, as the source has it: "'wp.sin'", "'len'", "'+='". */
const char *call_display(ctx *c, const call_request *r);
static inline const char *rule_display(const rule_call *k)
{
    return call_display(k->c, k->r);
}

/* May the argument be passed for the parameter? Arrays of other classes than the plain one
 * (indexed, fixed) fit where the parameter is each_array, and fixed arrays everywhere. With
 * `erase`, a query object is also taken for the type that it is erased to. */
bool rule_matches(ctx *c, const row_param *p, const call_arg *a, bool erase);

/* Reports that the argument `value`, of type t, cannot be stored in an element of another type.
 * Returns false. */
bool rule_refuse_store(rule_call *k, const type *t, const type *elem);
/* Reports that a and b should be one type. Returns false. */
bool rule_mixed(rule_call *k, const type *a, const type *b);

#endif
