/* SPDX-License-Identifier: Apache-2.0 */
/* Static evaluation of Python modules: what the lowering needs to know about a program before it
 * compiles a kernel. Callers load a program (one main file with all modules it imports), list its
 * kernels, and look up names and expressions in the scope of each kernel:
 *
 *     N = 4                      program_load runs the module: N is the int 4
 *     @wp.kernel
 *     def k(a: wp.array[int]):   program_kernels: k, whose parameter is array(int32, ndim 1)
 *         a[0] = wp.static(2 * N)    code_static: the int 8
 *
 * The evaluator never runs Python. It follows the language's rules on values that are known and
 * gives VALUE_UNKNOWN, with a reason, for everything else. Everything lives in c->module until
 * ctx_reset_module. */
#ifndef WEFT_SEMA_MODULE_H
#define WEFT_SEMA_MODULE_H

#include "syntax/ast.h"
#include "types/value.h"

/* Opaque outside of sema; sema.h defines them. */
typedef struct program program;
typedef struct module module;
typedef struct namespace namespace;
typedef struct func func;
typedef struct kernel kernel;

/* One annotated parameter of a kernel or @wp.func. */
typedef struct param {
    const sym *name;
    const type *type; /* from the annotation; NULL after an error that has been reported */
    /* The evaluated default, in c->module, or NULL. Warp uses it for calls of a @wp.func. */
    const value *default_value;
    bool is_ref;       /* wp.ref[T]: type is a TYPE_REF */
    const node *where; /* the ast_arg */
} param;

/* A wp.static(...) call that was evaluated where its function is defined. `call` is the ast_Call,
 * by which code_static finds it again. */
typedef struct static_call {
    const node *call;
    value value;
} static_call;

enum { DEBUG_AS_CONFIGURED = 2 }; /* code_options.debug of a module that sets no mode */

/* Options of @wp.kernel, of the module, or both merged (module_options). An int of -1 means that
 * the source does not set the option; the value then comes from the module and, if it sets none
 * either, from warp.config. The lowering merges them. */
typedef struct code_options {
    int enable_backward;
    /* enable_backward of a module that is no Python module's: it counts beside the kernel's own. */
    int module_backward;
    /* Warp 1.19 Adjoint.get_unroll_range: a loop of at most this many iterations is unrolled. */
    int max_unroll;
    /* 1: each CUDA thread loops over indices; 0: one index per thread. */
    int grid_stride;
    /* Threads per block; 1 selects the CPU form without fibers. */
    int block_dim;
    int fast_math; /* accepted, without influence on text */
    /* lineinfo, and mode "debug"; kernel_line_directives has what both mean for the text. */
    int lineinfo, debug;
    /* Warp's DeterministicMode; 0: results may depend on the order of threads. Both other modes
     * have the same text. */
    int deterministic;
    int enable_vector_component_overwrites;
    /* C++ that follows the header, of extra_build_options; or NULL. */
    const char *cpu_preamble, *cuda_preamble;
    const char
        *refused; /* an option whose value or effect on the text weft does not know; or NULL */
    const value *refused_value;  /* why it is not known, if that is the reason; or NULL */
    const char *unknown_keyword; /* of @wp.kernel, which raises a TypeError then; or NULL */
    /* The four options below are evaluated values, since Warp takes a number or a tuple. NULL: not
     * given. */
    const value *launch_bounds;
    const value *cluster_dim, *max_registers, *smem_spilling;
} code_options;

/* A Python function that Warp compiles: shared part of kernels and @wp.func. */
typedef struct code {
    const sym *name; /* Python name */
    const ast_FunctionDef *def;
    const module *mod;
    /* Where free names of the body are looked up: the closure, then the globals. It is never a
     * class scope, since functions do not see the names of the class body around them. */
    const namespace *env;
    const source *src;
    uint32_t first_line; /* of the first decorator (or def): Python's co_firstlineno */
    /* The last of the def statement. code_make searches the lines for wp.static. */
    uint32_t last_line;
    const param *params;
    uint32_t nparams;
    const type *returns; /* annotation; NULL: none. A tuple is a TYPE_TUPLE */
    bool generic;        /* some parameter's type is a pattern */
    bool incomplete;     /* a parameter without annotation: code_check says so */
    bool is_kernel;
    bool is_unsure; /* of a kernel: another one of its key may be the program's instead */
    code_options options;
    bool returns_none;                 /* "-> None" */
    const struct static_call *statics; /* values of wp.static(...) calls, known at definition */
    uint32_t nstatics;
    const struct code_instance *instances; /* statics.c, newest first */
} code;

/* @wp.func(inline=...): whether the C++ compiler is to inline the function and its adjoint. */
typedef enum inline_hint { INLINE_DEFAULT, INLINE_NEVER, INLINE_ALWAYS } inline_hint;

struct func {
    code code;
    str key;          /* Warp's key: qualified name with "__" */
    str native_name;  /* "sq_0": unique over the program, Warp 1.19
                         generate_unique_function_identifier */
    const func *next; /* next overload of the same name, oldest first;
                         Warp tries those that are not generic before those that are */
    const func *head; /* first overload */
    const func *custom_grad, *custom_replay;
    bool is_custom_grad; /* @wp.func_grad: forward text becomes the adjoint */
    bool is_replay;
    const char *snippet, *adj_snippet, *replay_snippet; /* @wp.func_native */
    inline_hint inlining;
};

struct kernel {
    code code;
    str key;                            /* Warp's key: qualified name with "__" */
    bool is_static;                     /* stands at module level */
    const struct warp_module *registry; /* Warp's Module that it belongs to */
    bool under_condition;               /* its def may not run: the condition is not known */
    bool takes_options;                 /* those of `registry`, once all modules have run */
    /* Of an instance: the generic kernel that wp.overload made it from. It has the same code, with
     * types instead of patterns. NULL: no instance. */
    const kernel *generic;
    const kernel *instances; /* of a generic kernel, newest first; NULL: none */
    const kernel *next_instance;
};

/* Has the Warp module of the kernel enable_backward, whatever the kernel says itself? */
bool kernel_module_backward(const kernel *k);
/* Was a name reported that nothing in the kernel's program defines? */
bool kernel_names_reported(const kernel *k);
/* Has the text of these options `#line` directives? Warp 1.19 Adjoint.get_line_directive: for
 * lineinfo and in debug mode, unless warp.config.line_directives is False. */
bool kernel_line_directives(const kernel *k, const code_options *o);
/* The hint for an option that @wp.kernel does not have. In c->module. */
const char *kernel_option_hint(ctx *c, const char *name);
/* The name of a parameter of wp.kernel, in order; NULL after the last. */
const char *kernel_option_name(size_t i);

/* What a program is loaded with, beside its text. All arrays may be empty. */
typedef struct program_options {
    /* Where imports are searched after the file's own folder and package. */
    const char *const *dirs;
    size_t ndirs;
    /* Expressions that make kernels which the file alone does not: sema/instance.c. */
    const char *const *instances;
    size_t ninstances;
    /* NULL, or ninstances numbers: 1 is put where the file has the name that the instance begins
     * with; an instance whose name it lacks is no error then. */
    int *instance_found;
    /* "NAME=VALUE": the environment variables that the program sees; a text without "=" is a name
     * whose value is empty. It sees no others, so that its text does not depend on who compiles. */
    const char *const *definitions;
    size_t ndefinitions;
} program_options;

/* Reads, parses and evaluates the file and what it imports; then makes the instances. Returns NULL
 * only if the main file cannot be read or parsed (the diagnostics say so). Imported files that fail
 * are unknown values, with the reason. */
program *program_load(ctx *c, const char *path, const program_options *o);
/* The same for text in memory; `name` is what messages and comments call it. It has no folder of
 * its own, so that imports are searched in the options' folders alone. It is UTF-8, also where it
 * names another encoding. */
program *program_load_text(ctx *c, const char *name, str text, const program_options *o);

/* The instance of a generic kernel for these types, one for each parameter, as wp.overload makes
 * it. NULL: one of them does not fit. Needs: its program is loaded. */
const kernel *kernel_instance_of(ctx *c, const kernel *generic, const type *const *types);

/* Interns the evaluator's names and makes its tables in c->perm, once; program_load does it too,
 * but it must run before a sym_save whose mark outlives the first program. Needs: builtins_init. */
const struct sema_names *sema_init(ctx *c);

/* The value that wp.static(...) had where the function was defined, or NULL: then it is to be
 * evaluated when the call is compiled (it may depend on loop variables). */
const value *code_static(const code *f, const node *call);
/* Does a parameter stand for a function? Warp makes a copy for each function given. */
bool is_function_type(const type *t);
bool takes_functions(const code *f);
/* The code of one instance of f: f with the values that its wp.static calls have now, the same for
 * each later call with this key (nparams addresses: of types, or of functions). It lives in
 * c->module. f itself, if it has no values of wp.static. */
const code *code_instance_of(ctx *c, const code *f, const void *const *key);
/* The code of any instance, for who executes f without text: all have equal values. f itself, if it
 * is neither generic nor takes functions. */
const code *code_of_some_instance(ctx *c, const code *f);

/* Kernels of the main file in source order. */
const kernel *const *program_kernels(const program *p, uint32_t *n);
/* Does the name choose kernel i of those? It is the kernel's key or its function's name; ":2"
 * behind it chooses the second kernel of that name, as factories and wp.overload make them. */
bool program_kernel_is(const program *p, uint32_t i, const char *name);
const ast_Module *program_tree(const program *p); /* of the main file */
/* The block sizes that the main file states for launches (block_dim=...), in source order. */
enum { LAUNCH_SIZES_MAX = 16 };
uint32_t program_launch_sizes(const program *p, uint32_t sizes[LAUNCH_SIZES_MAX]);
/* Warns of kernels that the main file may make and that are not among those. */
void program_warn_unseen(const program *p);

/* Does weft evaluate a function of this name of Warp's Python side, as in wp.init()? */
bool warp_has_special(const sym *name);
/* The class of a member of one of Warp's enums ("warp.DeterministicMode"), or NULL. */
const char *warp_member_class(const ctx *c, const value *v);

/* Names: closure, then module globals; Warp 1.19 resolve_closure_or_global. False: not defined.
 * A value that weft cannot know comes back as VALUE_UNKNOWN with its reason. */
bool env_lookup(const namespace *env, const sym *name, value *out);
/* What a name is that env_lookup does not find, if `import *` of an unknown module may define it:
 * an unknown value, with the module as its reason. False: nothing defines it. */
bool env_star(const namespace *env, value *out);
/* What Warp 1.19 Adjoint.resolve_path falls back to for a name that the module does not define: an
 * attribute of the warp module (types, not builtins), then Python's own builtins (int, range, len).
 */
bool warp_or_python_name(ctx *c, const sym *name, value *out);
/* The import statement that a file lacks if this name is not defined ("import math"), or NULL. */
const char *import_of(const sym *name);
/* Where a name of warp is at home that the evaluator has no value for. */
typedef enum warp_side {
    WARP_NOWHERE,    /* no such name, or one with a value */
    WARP_PYTHON_SIDE /* for Python code only: wp.launch */
} warp_side;
warp_side warp_name_side(const sym *name);
/* Is it a builtin like wp.tid, which kernels call, and which Python's module warp does not have? */
bool is_only_called(const value *v);
/* The name of warp that `name`, which warp lacks, was meant to be, or NULL: for hints. */
const char *warp_similar(const ctx *c, const sym *name);
/* What to write for a name that Warp has no counterpart of, "write wp.max(x, 0.0)" for relu, or
 * NULL. */
const char *warp_advice(const sym *name);
/* Is v a module of a table, other than warp itself, that lacks the name? Then math.tid() does not
 * call the builtin. */
bool is_module_without(const ctx *c, const value *v, const sym *name);
/* Is it a name that Python has without an import? */
bool is_name_of_python(ctx *c, const sym *name);
/* VALUE_UNKNOWN: `n` says what is unknown, where users of the value need to know: a module that was
 * not found, a struct without Warp type, a relative import that leads out of all packages, what
 * NumPy makes, an array that exists at run time. */
enum { UNKNOWN_MODULE = 1, UNKNOWN_STRUCT, UNKNOWN_PACKAGE, UNKNOWN_NUMPY, UNKNOWN_ARRAY };
/* Python's getattr on compile-time objects (modules, warp, classes, enums, types, structs,
 * vectors). */
bool value_getattr(ctx *c, const value *obj, const sym *attr, value *out);
/* The type that a value stands for in an annotation, or as a dtype; NULL: for none. */
const type *annotation_type(ctx *c, const value *v);
/* A name that eval_expr looks up before any scope: a loop variable of an unrolled loop in
 * wp.static. */
typedef struct local_binding {
    const sym *name;
    value value;
} local_binding;
/* Evaluates an expression as Python would in `env`, with `locals` (may be NULL) first.
 * VALUE_UNKNOWN when it, or an item in it, cannot be known. Never reports. Every call gets at least
 * SEMA_FUEL_LATE steps, so that a program which used up its fuel can still be compiled. */
value eval_expr(ctx *c, const namespace *env, const local_binding *locals, uint32_t nlocals,
                const node *expr);
/* The Warp type an annotation or dtype expression's value stands for, or NULL. */
const type *value_as_type(ctx *c, const value *v);
/* The registered C++ type that a Python class stands for, or NULL (external_type.c). */
const type *native_class(const value *v);
/* An object of such a class as a constant of kernels; false: it is none. */
bool native_instance(ctx *c, const value *v, value *out);
/* Reports what is wrong with the signature of f (annotations missing or unknown, a kernel with a
 * return annotation). False: it cannot be lowered. */
bool code_check(ctx *c, const code *f);
/* Effective option of module `m`: wp.set_module_options, else Warp's default. */
code_options module_options(const module *m);

#endif
