/* Inside of src/builtin: rows of the table, and what a row's rules see and do. A call is resolved
 * in three steps: the arguments are bound to a row's parameters, its result rule computes what the
 * call gives (Warp's value_func), its dispatch rule what the C++ function gets (dispatch_func). */
#ifndef WEFT_BUILTIN_RULE_H
#define WEFT_BUILTIN_RULE_H

#include "builtin/builtin.h"

enum { PARAM_MAX = 16, RESULT_MAX = 4, TEMPLATE_MAX = 16 };

typedef enum param_kind { PARAM_NORMAL, PARAM_VARARGS, PARAM_KEYWORD } param_kind;

typedef struct row_param {
    const sym *name;
    const type *type; /* may be a pattern */
    value
        default_value; /* VALUE_UNKNOWN: none; VALUE_NONE: the rules see the parameter as absent */
    uint8_t kind;      /* param_kind */
    bool each;         /* stands for one row per array class, integer type or scalar type */
} row_param;

typedef struct rule_call rule_call;

typedef struct result_rule {
    bool (*fn)(rule_call *k);
    uint8_t outputs; /* number of results if there are several, else 0 */
    bool pure;       /* one result (or none) that depends on nothing but the argument types */
} result_rule;

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

struct builtin {
    const sym *name;
    const builtin_row *rows;
    uint32_t nrows;
    bool kernel_only; /* Python's module `warp` has no such attribute */
};

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

/* Binding: fills k->arg as Python's signature.bind does, without types. False: does not fit. */
bool rule_bind(rule_call *k);
/* Defaults and the request's type arguments go to parameters that are still free. False, with a
 * diagnostic: a type argument contradicts an explicit one. */
bool rule_bind_rest(rule_call *k);

/* Warp 1.19 get_arg_type, references stripped. NULL: absent, or a type argument. */
const type *rule_arg_type(ctx *c, const call_arg *a);
const type *rule_type(const rule_call *k, uint32_t param);
/* Warp 1.19 get_arg_value: the compile-time value, or NULL. */
const value *rule_arg_value(const call_arg *a);
const value *rule_value(const rule_call *k, uint32_t param);
/* The type that a dtype-like value stands for; python's int and float count. NULL: none. */
const type *rule_value_type(const rule_call *k, const value *v);
/* Index of the parameter, or nparams. */
uint32_t rule_param(const rule_call *k, const char *name);
/* Arguments of *args: items and count. */
const call_arg *rule_varargs(const rule_call *k, uint32_t *n);
/* A compile-time tuple or single number as integers (Warp's extract_tuple): shape arguments. False:
 * not constant, or more than max. */
bool rule_ints(const call_arg *a, int64_t *out, uint32_t max, uint32_t *n);

/* Results. */
bool rule_gives(rule_call *k, const type *t); /* NULL: nothing */
bool rule_gives_all(rule_call *k, const type *const *types, uint32_t n);
bool rule_gives_value(rule_call *k, value v);
bool rule_gives_arg(rule_call *k, const call_arg *var); /* the variable itself */

/* C++ arguments. */
void rule_pass(rule_call *k, uint32_t param);
void rule_pass_arg(rule_call *k, const call_arg *a);
/* Item i of a tuple. A variable made by wp.tuple knows its constants by value only (Warp 1.19
 * extract_tuple), so that they are numbered anew. */
void rule_pass_item(rule_call *k, const call_arg *tuple, uint32_t i);
void rule_pass_ref(rule_call *k, uint32_t param);
void rule_pass_const(rule_call *k, value v);
/* Warp 1.19 _cast_scalar_constant: a constant scalar becomes a constant of type t. */
void rule_pass_cast(rule_call *k, const call_arg *a, const type *t);
void rule_pass_all(rule_call *k); /* what rows without a dispatch rule do */

/* C++ template arguments. */
void rule_template_int(rule_call *k, int64_t x);
void rule_template_type(rule_call *k, const type *t);
/* As the value spells it: "float" for Python's float. */
void rule_template_value(rule_call *k, const value *v);

#define REFUSE(k, ...) ((k)->quiet ? false : diag_error((k)->c, (k)->r->at, __VA_ARGS__))

/* A signature; its text is described in builtin_sig.c. */
typedef struct signature {
    str name;
    row_param params[PARAM_MAX];
    uint32_t nparams;
    const type *results[RESULT_MAX];
    uint32_t nresults;
} signature;
/* False: the text is no signature, of which *out holds what could be read. */
bool sig_parse(ctx *c, const char *text, signature *out);
/* What messages call the function: "'*'" for mul, "'wp.sin'" for sin. */
const char *builtin_display(ctx *c, const builtin *b);

#endif
