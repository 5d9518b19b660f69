/* SPDX-License-Identifier: Apache-2.0 */
/* Warp's builtin functions: the table (rows_*.def) and overload resolution. A row is one
 * add_builtin declaration of warp-lang 1.19.0; several rows of one name form its overload list, in
 * Warp's order. Used by sema (names), ir (calls), interp, check and gen.
 *
 *     b[i] = wp.dot(v, u)  of two vec3f    ->    row  dot(a: vec[Any, Scalar], b: vec[Any, Scalar])
 *                                                plan wp::dot(var_2, var_6), gives float32
 *
 * The knowledge of one builtin is in four files, one for each room that uses it;
 * each can be written without the others (docs/how_to_add.md):
 *
 *     builtin/rows_GROUP.def        its signature: the emitted Warp text, and the type it has
 *     arith/formula_*.h and others  its value, tangent and Warp's adjoint: the executors
 *     cudarule/cudarule_GROUP.def   its plain CUDA, and its adjoint: standalone programs
 *     gen/gen_builtin.def           how the generator calls it
 *
 * Without the second a kernel compiles but cannot be run; without the third it has no standalone
 * form; without the fourth it is not generated. */
#ifndef WEFT_BUILTIN_BUILTIN_H
#define WEFT_BUILTIN_BUILTIN_H

#include "types/value.h"

typedef struct builtin builtin; /* all rows of one name */

/* The builtin called `name`, or NULL. "sin" is one; "vec3" is none but a type
 * (types/type_names.c). */
const builtin *builtin_find(const ctx *c, const sym *name);
/* The release that a builtin of this name came with, which the context's has not; else WARP_ANY. */
warp_release builtin_since(const ctx *c, const sym *name);
/* The Python name, "sin". */
const sym *builtin_name(const builtin *b);
/* May it be used in kernels only? Then Python's module `warp` has no attribute of this name. */
bool builtin_is_kernel_only(const builtin *b);
/* Iterates over all builtins in a fixed order: begin with *at = 0; NULL: no more. */
const builtin *builtin_next(const ctx *c, uint32_t *at);
/* The signature of its row `index`, empty if no user calls it by that name; false: it has no more.
 */
bool builtin_signature(const builtin *b, uint32_t index, str *out);
/* c->builtins; rows and names live in c->perm. Needs: types_init. */
void builtins_init(ctx *c);

/* One argument at a call: a variable or a constant, a type, a function. */
typedef enum call_arg_kind {
    ARG_VAR,   /* type (may be a TYPE_REF), and its constant if it has one */
    ARG_VALUE, /* a compile-time value that is no variable: a type, string, tuple, slice bound,
                  function */
    ARG_VARS   /* a tuple of variables: vars[0..n) */
} call_arg_kind;

/* An argument of a call. Which members are valid depends on kind. */
typedef struct call_arg {
    call_arg_kind kind;
    const type *type;      /* ARG_VAR */
    const value *constant; /* ARG_VAR: its constant or NULL; ARG_VALUE: the value */
    uint32_t var;          /* ARG_VAR: the caller's index of the variable, given back untouched */
    const struct call_arg *items; /* ARG_VARS; also ARG_VAR of TYPE_TUPLE: its elements,
                                   * of TYPE_SLICE: start, stop, step (constant or not) */
    uint32_t n;
} call_arg;

/* An argument by name. */
typedef struct call_kwarg {
    const sym *name;
    call_arg arg;
} call_kwarg;

/* How this layer resolves functions of the program, which live above it. `result` returns what
 * `func` (a VALUE_FUNC) gives for arguments of these types, for tile_map and tile_reduce, and sets
 * *overload to the one chosen (a VALUE_FUNC). NULL: none fits. */
typedef struct user_calls {
    const type *(*result)(void *data, const value *func, const type *const *types, uint32_t n,
                          value *overload);
    void *data;
} user_calls;

/* The question: the call name(args, kwargs), with Warp's type_args where a templated type is
 * constructed (vec3f(...) calls "vector" with length=3, dtype=float32). */
typedef struct call_request {
    const builtin *fn;
    const call_arg *args;
    uint32_t nargs;
    const call_kwarg *kwargs;
    uint32_t nkwargs;
    const type *constructs; /* the templated type whose constructor this is, or NULL */
    uint32_t min_outputs;   /* number of targets that unpack the result; 0: not unpacked */
    uint32_t block_dim;     /* option of the module, for tiles; 0: Warp's default, 256 */
    bool backward;          /* the module's option enable_backward */
    const user_calls
        *user; /* how to call user functions given as arguments; NULL: they are refused */
    /* For messages: how the source names what is called. */
    const sym
        *called;     /* the function's name, vec3 of wp.vec3; NULL: an operator, or Warp's choice */
    bool has_prefix; /* wp.vec3, not vec3 */
    bool is_matmul;  /* the operator @, which is a mul */
    bool is_update;  /* an operator with =, as += */
    span at;         /* for diagnostics */
} call_request;

/* An argument as the C++ function gets it. */
typedef struct native_arg {
    enum {
        NATIVE_VAR,    /* `arg`, an argument of the request; a reference is loaded first */
        NATIVE_REF,    /* the same passed as the pointer it is: Warp's Reference(args["a"]) */
        NATIVE_CONST,  /* a new constant variable of this value, numbered now */
        NATIVE_FUNC,   /* a function passed by name: arg.constant is VALUE_BUILTIN or VALUE_FUNC */
        NATIVE_RESULT, /* the plan's one result, written in place */
        NATIVE_TOKEN   /* `token`, for a macro; its adjoint takes the same */
    } kind;
    call_arg arg;
    const char *token;
    value constant;
} native_arg;

/* The C++ function that is called, in parts: wp::zeros<4, wp::float32> is the name "zeros", in
 * namespace wp, with the template arguments 4 and float32. */
typedef struct native_callee {
    str name;               /* "zeros"; of a program's function its native name */
    const type *constructs; /* its class is called, as a constructor, and `name` is the adjoint's;
                               NULL: a function */
    const value *templates; /* ints, bools, types */
    uint8_t ntemplates;
    bool in_wp;
    bool adj_templates; /* its adjoint has them too: Warp 1.19 adjoint_uses_template_args */
} native_callee;

/* How the source converts to the scalar type: "float", "int", "bool", "wp.float64". */
const char *builtin_cast_name(ctx *c, const type *t);
/* What to write instead of a call that no row takes, as a hint; NULL: unknown. In c->scratch. */
const char *builtin_advice(ctx *c, const call_request *r);
/* How a value of one type becomes one of another, as a hint: "convert it with float(...)"; "":
 * nothing short does it. k: the value's constant, or NULL. In c->scratch. */
const char *builtin_conversion(ctx *c, const type *from, const type *to, const value *k);
/* Reports that an array is indexed by n indices, which are too few or too many. Returns false. */
bool builtin_refuse_rank(ctx *c, span at, const type *array, uint32_t n);

/* Appends "wp::zeros<4, wp::float32>", or for the adjoint "wp::adj_zeros". */
void builtin_put_callee(strbuf *out, const native_callee *f, bool adjoint);

/* The answer: which row, what it gives, and how the C++ call looks. Lives in c->scratch. */
typedef struct call_plan {
    enum {
        RESULT_VOID,
        RESULT_VARS,  /* nresults new variables of these types, numbered before constants of args */
        RESULT_VALUES /* no call is emitted: the results are these constants or existing variables
                       */
    } result;
    uint32_t nresults;
    const type **result_types; /* RESULT_VARS */
    const native_arg *results; /* RESULT_VALUES */
    const native_arg *args;    /* in C++ order; empty: no arguments */
    uint32_t nargs;
    native_callee callee;
    bool initializer_list; /* arguments in { } */
    bool differentiable;   /* has an adjoint call (is_differentiable) */
    bool skip_replay;      /* replay is a comment */
    bool needs_output_arg; /* require_original_output_arg */
    bool is_scalar_cast64; /* row is the constructor of float64, int64 or uint64 with one argument
                              bound */
    size_t shared_bytes;   /* scratch memory of a block while the call runs */
} call_plan;

/* Resolves a call as Warp 1.19 Adjoint.resolve_func and add_call do. Returns false with a
 * diagnostic at r->at when no overload fits or the row's rule refuses. */
bool builtin_resolve(ctx *c, const call_request *r, call_plan *plan);
/* The same without a diagnostic: is there an overload? */
bool builtin_accepts(ctx *c, const call_request *r);

/* Can it be passed for a wp.Function parameter? Warp 1.19 is_regular_builtin_callable_target. */
bool builtin_is_plain_function(const builtin *b);

#endif
