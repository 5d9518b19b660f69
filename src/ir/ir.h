/* SPDX-License-Identifier: Apache-2.0 */
/* The intermediate form of one function or kernel, in Warp's own shape: variables numbered in the
 * order of creation, statements in three lists. lower*.c builds it, ir_verify.c checks it, emit/
 * and cuda/ read it. All of it lives in c->ir: it is valid until that arena is reset.
 *
 * A kernel with the statement `y[i] = y[i] * 2.0`, as `--emit ir` prints it (%y is a parameter, %2
 * a constant, %1 a reference; LINE statements are left out):
 *
 *     forward:   CALL %0, @builtin_tid1d
 *                CALL %1, @wp::address, %y, %0
 *                CALL %4, @wp::load, %1
 *                CALL %3, @wp::mul, %4, %2
 *                CALL_VOID @wp::array_store, %y, %0, %3
 *     reverse:   ADJ_CALL adj @wp::array_store, %y, %0, %3, adj %y, adj %0, adj %3
 *                ADJ_CALL adj @wp::mul, %4, %2, adj %1, adj %2, adj %3
 *                ADJ_CALL adj @wp::address, %y, %0, adj %y, adj %0, adj %1
 *
 * The forward list is the function's body. The backward function runs the replay list, which
 * computes the forward values again without their effects (here the forward list with array_store
 * commented out), then the reverse list, which propagates adjoints from results to arguments.
 *
 * A statement is an opcode (ir_op.def) with operands, and each operand is a kind with an index into
 * one of the unit's tables. No C++ text is stored; emit/ produces it. */
#ifndef WEFT_IR_IR_H
#define WEFT_IR_IR_H

#include "builtin/builtin.h"
#include "sema/module.h"

typedef enum ir_op {
#define OP(name, operands, pattern) IR_##name,
#define OP_SPECIAL(name, operands)  IR_##name,
#include "ir/ir_op.def"
#undef OP
#undef OP_SPECIAL
    IR_OP_COUNT
} ir_op;

/* An operand of a statement: its kind in the low bits, an index of 27 bits above them. The index
 * belongs to the unit that holds the statement; equal operands of two units mean different things.
 */
typedef uint32_t ir_arg;
enum { IR_KIND_BITS = 5 };
typedef enum ir_arg_kind {
    IR_ARG_VAR,            /* "var_3": the variable's storage */
    IR_ARG_ADJ,            /* "adj_3": its adjoint */
    IR_ARG_ADJ_PTR,        /* "&adj_3": in initializer lists */
    IR_ARG_PLACE,          /* part of a variable or of an array, by index into `places` */
    IR_ARG_CALLEE,         /* a function or a class, by index into `callees` */
    IR_ARG_CALLEE_ADJ,     /* its adjoint */
    IR_ARG_CALLEE_ADJ_PTR, /* a pointer to that: in initializer lists */
    IR_ARG_CALLEE_REPLAY,  /* its custom replay, which the replay list calls instead of it */
    IR_ARG_LITERAL,        /* a number, by index into `literals` */
    IR_ARG_TYPE,           /* by index into `types` */
    IR_ARG_FIELD,          /* a member's name, by index into `fields` */
    IR_ARG_LOOP,           /* "for_3", "while_4": a loop's number times two, one more for `while` */
    IR_ARG_COMPARE,        /* "<": an ast_op */
    IR_ARG_UPDATE,         /* "store", "atomic_add": an ir_update */
    IR_ARG_STMT,           /* a statement within a statement, by index into `stmts` */
    IR_ARG_DET,            /* of deterministic mode: 0 is "det_ctx", n the helper of target n - 1 */
    IR_ARG_TEXT,           /* source text, by index into `texts` */
    IR_ARG_INT             /* the number itself: a label, a line, a count */
} ir_arg_kind;

/* How a SLOT statement changes an element: a plain store, or an atomic update. */
typedef enum ir_update {
    IR_UPDATE_STORE,
    IR_UPDATE_ADD,
    IR_UPDATE_SUB,
    IR_UPDATE_AND,
    IR_UPDATE_OR,
    IR_UPDATE_XOR
} ir_update;

static inline ir_arg ir_arg_make(ir_arg_kind kind, uint32_t index)
{
    WEFT_ASSERT(index < 1u << (32 - IR_KIND_BITS));
    return index << IR_KIND_BITS | (uint32_t)kind;
}

static inline ir_arg_kind ir_kind(ir_arg a)
{
    return (ir_arg_kind)(a & ((1u << IR_KIND_BITS) - 1));
}

static inline uint32_t ir_index(ir_arg a)
{
    return a >> IR_KIND_BITS;
}

static inline bool ir_is_callee(ir_arg a)
{
    return ir_kind(a) >= IR_ARG_CALLEE && ir_kind(a) <= IR_ARG_CALLEE_REPLAY;
}

/* What a variable is. The kind decides how the text names it. */
typedef enum ir_var_kind {
    IR_VAR_DECLARED, /* "var_3": one that the function declares; index: its number */
    IR_VAR_PARAM,    /* "var_x": a parameter; index: which */
    IR_VAR_PART,     /* "var_3.pos": member `field` of the variable `index` */
    IR_VAR_PLACE,    /* the place `index`, as an expression of its own */
    IR_VAR_VIEW      /* "_wp_ref_view_4": a view that the reverse list names; index: its number */
} ir_var_kind;

/* One variable. Like Warp's, it is assigned wherever Python's name is bound anew, so one name has
 * many variables: after `s = a + b` and `s = s * c`, s is first %0, then %1. Loops, in-place
 * updates (`v.x = 1.0`) and references are what writes to a variable again. */
typedef struct ir_var {
    const type *type;      /* TYPE_REF: a pointer, which `load` must read first */
    const value *constant; /* declared const with this value; NULL: not a constant */
    const sym *name;       /* the name of Python that it was first bound to; NULL: a temporary */
    const sym *field;      /* PART: the member */
    uint32_t index;        /* what ir_var_kind says */
    uint8_t kind;          /* ir_var_kind */
    uint32_t line;         /* DECLARED: as ir_entry.line */
} ir_var;

/* A place is a chain of nodes, each a step from its base: what "a[i].pos.x" is in Python. Several
 * chains may share their first nodes. As text of Warp's:
 *
 *   VAR x                            var_x
 *   ELEMENT (VAR a), i               (*wp::address(var_a, var_i))
 *   FIELD (ELEMENT ...), pos         ((*wp::address(var_a, var_i))).pos
 *   ADDRESS (FIELD ...)              &(((*wp::address(var_a, var_i))).pos) */
typedef enum ir_place_kind {
    IR_PLACE_VAR,       /* the variable `base` */
    IR_PLACE_ADJ,       /* its adjoint */
    IR_PLACE_DEREF,     /* what the variable `base`, a reference, refers to */
    IR_PLACE_ADJ_DEREF, /* the same of its adjoint */
    IR_PLACE_ITEM,      /* the array element that a SLOT statement is about */
    IR_PLACE_FIELD,     /* member `field` of the place `base` */
    IR_PLACE_ELEMENT,   /* an element of the array at `base`, by as many indices as it has
                           dimensions */
    IR_PLACE_VIEW,      /* the same by fewer indices: an array */
    IR_PLACE_COMPONENT, /* of the vector or matrix at `base`: a scalar, or a row */
    IR_PLACE_ITEM_AT,   /* the same by C++'s own subscripts: no index below zero */
    IR_PLACE_ADDRESS,   /* a pointer to `base` */
    IR_PLACE_OFFSET,    /* deterministic mode: where an element of the array at `base` is, counted
                           in elements from the array's first byte */
    IR_PLACE_GUARDED    /* `base`, an array of adjoints, or an empty one where a step on the way
                           has no memory */
} ir_place_kind;

/* One node of such a chain. A node's base has a smaller index than the node, so walks along `base`
 * end. */
typedef struct ir_place {
    const type *type; /* of what is there, references stripped */
    const sym *field; /* FIELD: the member */
    uint32_t base;    /* a variable (the first four kinds) or a place; unused in ITEM */
    uint32_t indices; /* kinds with indices: the first of them in `args`, all VAR operands */
    uint8_t nindices; /* of ELEMENT, VIEW, COMPONENT, ITEM_AT; else 0 */
    uint8_t kind;     /* ir_place_kind */
} ir_place;

/* How Warp names a variable in deterministic mode: a parameter by its name, a declared variable by
 * its number. Labels of a function may stand in its callers, where they then mean the caller's own
 * variable: Warp compares them as they are. */
typedef struct ir_det_label {
    const sym *name; /* NULL: by number */
    uint32_t number;
} ir_det_label;

/* An array, as far as deterministic mode tells arrays apart: a variable, or fields of a struct. */
typedef struct ir_det_array {
    ir_det_label root;
    const sym *const *path; /* fields, outermost first */
    uint32_t npath;
    bool adjoint; /* the array of its gradients */
} ir_det_array;

/* An array whose atomic updates a deterministic kernel leaves to the launch, which then does them
 * in a fixed order (Warp 1.19 ScatterTarget, CounterTarget). Its place in ir_det.targets is part of
 * its helper's name. */
typedef struct ir_det_target {
    ir_det_array array;
    const type *value; /* of its elements */
    uint8_t reduction; /* scatters: ir_det_reduction */
    bool is_counter;   /* the result of atomic_add is used: it numbers the threads */
    bool in_forward;   /* some update is made by the forward pass */
} ir_det_target;

typedef enum ir_det_reduction { IR_DET_SUM, IR_DET_MIN, IR_DET_MAX } ir_det_reduction;

typedef enum ir_det_access_kind {
    IR_DET_ACCESS_LOAD,
    IR_DET_ACCESS_STORE,
    IR_DET_ACCESS_ATOMIC
} ir_det_access_kind;

/* What else a function does to arrays. Where it would come before or after updates that wait, Warp
 * refuses the kernel. */
typedef struct ir_det_access {
    ir_det_array array;
    ir_det_access_kind kind;
} ir_det_access;

/* A unit in deterministic mode (Warp 1.19 DeterministicMeta). */
typedef struct ir_det {
    VEC(ir_det_target) targets;
    VEC(ir_det_access) accesses;
    bool needs_context;       /* some statement asks which pass is running */
    bool has_consumed_atomic; /* its text uses the result of an atomic, or that of a callee does */
    bool has_side_effect;     /* a function that stores, or calls what has effects */
    const char *used_effect;  /* a builtin with an effect whose result is used; NULL: none */
    span used_effect_at;
} ir_det;

/* What a statement calls, or passes by name. */
typedef struct ir_callee {
    const func *func;           /* a function of the program; NULL: a builtin or a class */
    const struct ir_unit *unit; /* the instance of it that is called; NULL: passed by name */
    native_callee native;       /* how C++ names it */
} ir_callee;

/* A statement: an opcode and nargs operands of the unit's table, from `args` on. Lists refer to it,
 * often the forward and the replay list both. */
typedef struct ir_stmt {
    uint16_t op; /* ir_op */
    uint16_t nargs;
    uint32_t args; /* first operand in `args` */
} ir_stmt;

/* One position in a list: which statement stands there, and how it is printed. */
typedef struct ir_entry {
    uint32_t stmt;
    uint16_t depth; /* indentation in steps of four spaces */
    bool commented; /* replay of a call that must not run twice: "// " before it */
    uint32_t line;  /* "#line N" before it; 0: no directive (line_directives of ir_unit) */
} ir_entry;

typedef struct ir_list {
    ir_entry *v;
    uint32_t n, cap;
} ir_list;

/* One kernel, or one function with its argument types fixed: its tables, and the three lists that
 * refer to them. A generic function has a unit per set of argument types. */
typedef struct ir_unit {
    const code *code;
    const func *func;     /* NULL for kernels */
    const kernel *kernel; /* NULL for functions */
    uint32_t index;       /* functions: in the module's `funcs` */
    uint32_t first_line;  /* as Warp counts; 0: a generic function, or one that takes functions */
    bool line_directives; /* the text has `#line` directives, by ir_entry.line and ir_var.line */
    /* Tables. Entries are only ever added at the end, so an index stays valid. */
    VEC(ir_var) vars;
    VEC(uint32_t) declared; /* variables that the function declares, in order of number */
    uint32_t *params;       /* variables of the parameters */
    uint32_t nparams;
    VEC(ir_stmt) stmts;
    VEC(ir_arg) args;
    VEC(ir_place) places;
    VEC(ir_callee) callees;
    VEC(const value *) literals;
    VEC(const type *) types;
    VEC(const sym *) fields;
    VEC(str) texts;
    ir_list forward, replay;
    ir_list reverse;   /* last statement first */
    uint32_t *returns; /* variables of the last return statement with a value */
    uint32_t nreturns; /* values returned; 2 or more: through parameters ret_0, ret_1, ... */
    bool has_return;   /* a return statement with a value exists: Warp's return_var is not None */
    bool has_rolled_constant_loop; /* a loop of constant bounds is longer than max_unroll: Warp's
                                      has_non_unrolled_constant_loop (read by emit_is_linear) */
    bool has_unrolled_loop;        /* of one pass at least */
    bool unlike_backward; /* lower_rolled: a loop that may be unrolled or not has no replay */
    bool uses_scalar_tid; /* wp.tid() is called for one index: `i = wp.tid()` */
    bool uses_grad; /* calls wp.grad(...): it comes after the adjoints and has none of its own */
    bool forced;    /* wp.grad calls its adjoint, whatever enable_backward is */
    bool backward;  /* a kernel with enable_backward uses it: its adjoint is needed */
    int launch_dim; /* kernels: Warp's kernel_dim, from the arity of wp.tid() */
    ir_det *det;    /* NULL: the kernel is not in deterministic mode */
    VEC(struct ir_unit *) called; /* functions of the program, once per call */
    size_t call_shared; /* bytes of scratch memory: the most that a call of a builtin needs */
} ir_unit;

/* One kernel with all it needs: what Warp's ModuleBuilder holds for a module of this kernel alone.
 */
typedef struct ir_module {
    ir_unit *kernel;
    VEC(ir_unit *) funcs; /* in the order of ModuleBuilder.functions: callees first */
    uint32_t ncalled; /* of `funcs`: what follows is custom gradients and replays, and what these
                         alone call; Warp builds them after all kernels of a module */
    VEC(const struct_def *) structs; /* in the order of ModuleBuilder.structs */
    code_options options;            /* effective for the kernel, no value -1 left */
    bool tangled; /* lower_rolled: a loop writes names in turn that stand for one another */
} ir_module;

/* Looks up the builtins and names that lowering refers to, once per context. The symbols that it
 * interns must last as long as the context: call it before a sym_save that is restored later. */
void lower_init(ctx *c);
/* Lowers a kernel and the functions it calls. NULL after errors, which are in c->diags. */
ir_module *lower_kernel(ctx *c, const program *p, const kernel *k);
/* The same with all loops kept as loops, where Warp would unroll those of few passes; the replay
 * list holds these as loops, too. Numbers that a loop changes become variables before it. NULL: the
 * kernel has no such form; no diagnostic is left behind. cuda_reroll.c uses it. */
ir_module *lower_rolled(ctx *c, const program *p, const kernel *k);

/* Prints all variables and lists of a unit, for `--emit ir` and tests. */
void ir_dump(ctx *c, strbuf *out, const ir_module *m);

/* Building blocks for lowering. Each adds one entry to a table and returns its index, or an operand
 * that holds it. Nothing is shared: two equal literals have two entries. */
ir_arg ir_arg_text(ctx *c, ir_unit *u, str text); /* borrowed: as long as the module */
ir_arg ir_arg_literal(ctx *c, ir_unit *u, value v);
ir_arg ir_arg_type(ctx *c, ir_unit *u, const type *t);
ir_arg ir_arg_field(ctx *c, ir_unit *u, const sym *name);
uint32_t ir_add_stmt(ctx *c, ir_unit *u, ir_op op, const ir_arg *args, uint32_t n);
/* A variable that the function declares; its number is the count of those before it. */
uint32_t ir_declare(ctx *c, ir_unit *u, const type *t, const value *k);
/* Any other variable. */
uint32_t ir_add_var(ctx *c, ir_unit *u, ir_var v);
uint32_t ir_add_place(ctx *c, ir_unit *u, ir_place p);
uint32_t ir_add_callee(ctx *c, ir_unit *u, ir_callee f);
/* Is it wp.tid()? Its native name counts the indices: builtin_tid1d. */
static inline bool ir_is_tid(const ir_callee *f)
{
    return str_starts(f->native.name, "builtin_tid");
}

/* The variable that the parts lead to: itself, if it is no part. */
uint32_t ir_whole_var(const ir_unit *u, uint32_t var);
/* The instance of a function that is passed by name, as to wp.tile_map: that for elements of the n
 * operands of u. NULL: there is none. */
const ir_unit *ir_mapped_unit(const ir_module *m, const func *f, const ir_unit *u,
                              const ir_arg *args, uint32_t n);
/* Is it an expression of its own, so that the text has no "var_" before it? */
bool ir_is_bare(const ir_unit *u, uint32_t var);
/* The variable that the place begins at; UINT32_MAX: it begins at the statement's element. */
uint32_t ir_place_root(const ir_unit *u, uint32_t place);
/* Spellings of operands in C++. */
str ir_compare_symbol(ir_arg a); /* of a COMPARE operand: "<" */
str ir_update_name(ir_arg a);    /* of an UPDATE operand: "atomic_add" */
/* The name of parameter i in Python. */
str ir_param_name(const ir_unit *u, uint32_t i);

/* Do the unit's C++ functions take what deterministic mode adds to their parameters? */
static inline bool ir_needs_det(const ir_unit *u)
{
    return u->det && (u->det->needs_context || u->det->targets.n);
}

/* The target that is parameter i of those: counters come first, each kind in the order of its
 * numbers. */
uint32_t ir_det_parameter(const ir_det *det, uint32_t i);

/* Does a chain begin here? Roots are the kinds up to ITEM. */
static inline bool ir_place_is_root(const ir_place *p)
{
    return p->kind <= IR_PLACE_ITEM;
}

#endif
