/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the lowering files: the state of lowering one function from its syntax tree to the
 * intermediate form, after Warp 1.19's class Adjoint. Numbers of variables, order of statements and
 * chosen overloads are Warp's, so that the printed C++ is Warp's, too.
 *
 * Evaluating an expression appends statements to the innermost block and returns an `operand`.
 * For `y[i] * 2.0`, lower_expr creates the variables %1 to %4 and appends
 *
 *     CALL %1, @wp::address, %y, %0
 *     CALL %4, @wp::load, %1
 *     CALL %3, @wp::mul, %4, %2
 *
 * and returns the operand VAR %3. %4 is younger than %3: a call numbers its result first, then the
 * values that it loads from references.
 *
 * An error is reported by lower_error, which leaves by longjmp to the statement being lowered
 * (lower_body); lowering goes on with the next statement to find more errors. */
#ifndef WEFT_IR_LOWER_H
#define WEFT_IR_LOWER_H

#include <setjmp.h>

#include "builtin/builtin.h"
#include "ir/ir.h"

#define NO_VAR   UINT32_MAX
#define NO_PLACE UINT32_MAX

/* Nested expressions and statements of one function; the recursion is as deep. */
enum { NESTING_MAX = 400 };

/* What an expression evaluates to. */
typedef struct operand {
    enum {
        OPERAND_NONE, /* no value: a void call, or an unknown name in lower_soft */
        OPERAND_VAR,  /* var */
        OPERAND_VARS, /* several results of one call: vars[0..n) */
        OPERAND_VALUE /* a compile-time object that is no variable: type, function, module */
    } kind;
    uint32_t var;         /* VAR; a reference is not loaded yet */
    uint32_t n;           /* VARS */
    const uint32_t *vars; /* VARS: in the module's arena */
    const value *value;   /* VALUE */
} operand;

enum { PRELUDE_MAX = 8 };

/* Statements that must stand before an expression: views named on the way. Each names place[i] as
 * the variable var[i] (NAME_VIEW). */
typedef struct prelude {
    uint32_t var[PRELUDE_MAX], place[PRELUDE_MAX];
    uint32_t n;
} prelude;

/* An array element, or a part of it, that may be stored to: Warp 1.19 _ArraySlot. For `a[i].pos`:
 * root a, indices {i}, access ITEM.pos, type vec3. */
typedef struct array_slot {
    uint32_t root;           /* variable of the array, or of a reference to it */
    const uint32_t *indices; /* variables, as many as the array has dimensions */
    uint32_t nindices;
    uint32_t access;  /* the part of the element: a place from its IR_PLACE_ITEM */
    const type *type; /* of that part */
} array_slot;

/* Deterministic mode: which array a variable stands for (lower_deterministic.c). */
typedef struct det_origin {
    /* The array that the variable, an alias, a field or an element of it, belongs to. */
    bool has_array, has_adjoint; /* has_adjoint: `adjoint` is the gradients' array */
    ir_det_array array;
    ir_det_label adjoint;
    const type *type;     /* the array's type, if it is another than the variable's; or NULL */
    uint32_t view_of;     /* a view: of this variable; else NO_VAR */
    uint32_t row_of;      /* the same for views by integers alone */
    const uint32_t *view; /* a view's indices */
    uint32_t nview;
    const struct det_field *fields; /* a struct: where its arrays came from */
    uint32_t nfields;
} det_origin;

/* An array among the fields of a struct variable, by its path there. */
typedef struct det_field {
    const sym *const *path;
    uint32_t npath;
    ir_det_array array;
    const type *type;
} det_field;

/* What lowering records of a variable beyond ir_var. */
typedef struct var_info {
    uint32_t origin;        /* the place that it stands for, or NO_PLACE (lower_place.c) */
    const array_slot *slot; /* the part of an array that a reference leads to, or NULL */
    const call_arg *items;  /* TYPE_TUPLE: what it is made of */
    uint32_t nitems;
    const det_origin *det; /* deterministic mode; NULL: nothing beyond its label is known */
} var_info;

/* A Python name and what it stands for at this point of the function. */
typedef struct binding {
    const sym *name;
    uint32_t var;       /* NO_VAR: see value */
    const value *value; /* with NO_VAR: a function or another object; NULL: the statement that was
                           to bind the name failed */
} binding;

/* The names of a function in the order in which they came in. `index` finds them by name: a hash
 * table of places in v, plus one; 0: free. It is made by the first look into a scope of many names;
 * until then, and after a name left, `mask` is 0. */
typedef struct scope {
    binding *v;
    uint32_t n, cap;
    uint32_t *index, mask, index_cap;
} scope;

typedef enum block_kind { BLOCK_PLAIN, BLOCK_FOR, BLOCK_WHILE } block_kind;

/* Statements being collected (Warp 1.19 Block): of the function, of a loop's head, or of its body.
 * `if` has no block of its own. When a loop ends, its lists go into the block around it. */
typedef struct block {
    ir_list forward, replay, reverse; /* reverse in order of emission here */
    VEC(uint32_t) vars; /* declared in it: a loop clears their adjoints in each pass */
    block_kind kind;
    uint32_t label; /* loops: with the kind it names what jumps go to: "for_3", "while_4" */
} block;

/* A set of names, searched one by one. */
typedef struct sym_set {
    const sym **v;
    uint32_t n, cap;
} sym_set;

struct lower_names;

/* Lowering of one kernel with its functions. */
typedef struct lower_job {
    ctx *c;
    const program *prog;
    ir_module *out;
    const struct lower_names *names;
    VEC(struct instance *) instances;
    VEC(struct specialization *) specializations;
    VEC(const func *) deferred;    /* custom gradients and replays, built after the kernel */
    const func *apart;             /* lower_apart: the function that it is for, or NULL */
    const struct lower_job *above; /* the job that asked for it */
    bool failed;                   /* a deferred function has an error */
    bool rolls;                    /* lower_rolled: no loop is unrolled */
    int64_t max_unroll;            /* with rolls: loops with more passes have no replay */
    bool line_directives;
    uint32_t depth;       /* of nested calls of functions being lowered */
    bool module_backward; /* enable_backward of the module, whatever the kernel says */
} lower_job;

/* A copy of a function whose function parameters stand for these functions (lower_callable.c). */
typedef struct specialization {
    const func *original, *func;
    const value *const *functions; /* by parameter; NULL: not a function */
} specialization;

/* A function with its argument types fixed. Two calls with the same types share one. */
typedef struct instance {
    const func *func;
    const type *const *types; /* of the parameters, generics resolved */
    ir_unit *unit;
    bool done; /* false while it is being lowered: a call now is recursion */
    bool ok;
} instance;

/* Lowering of one kernel or function. */
typedef struct lower {
    ctx *c;
    lower_job *job;
    ir_unit *u; /* what is being built */
    const code *code;
    const struct lower_names *names;
    VEC(var_info) info;     /* by variable, as many as u->vars */
    scope scope;            /* names at this point */
    VEC(block *) blocks;    /* innermost last; the first is the function's */
    VEC(block *) loops;     /* innermost last */
    VEC(scope) loop_scopes; /* bindings at the start of each loop */
    VEC(scope) free_scopes; /* memory of copies that are done with */
    VEC(uint32_t) rolled;   /* variables of loops that Warp would unroll */
    sym_set unrolled;       /* names that unrolled loops bind: Warp's loop_const_iter_symbols */
    bool too_large;         /* unrolled loops: no more statements are taken */
    uint32_t labels;        /* Warp's label_count: blocks, returns and flags take the next each */
    uint32_t line;          /* of the last LINE comment; 0: none */
    uint16_t depth;         /* indentation */
    uint16_t nesting;       /* of expressions, bounded */
    jmp_buf *recover;       /* where lower_fail goes: the innermost lower_guarded or lower_unit */
    const type *const *param_types; /* generics resolved */
    bool failed;                    /* a statement has an error; lowering goes on to find more */
} lower;

static inline bool is_var(operand o)
{
    return o.kind == OPERAND_VAR;
}

static inline operand operand_var(uint32_t v)
{
    WEFT_ASSERT(v != NO_VAR);
    return (operand){.kind = OPERAND_VAR, .var = v};
}

static inline operand operand_value(const value *v)
{
    WEFT_ASSERT(v);
    return (operand){.kind = OPERAND_VALUE, .value = v};
}

static inline const type *var_type(const lower *l, uint32_t v)
{
    WEFT_ASSERT(v < l->u->vars.n);
    return l->u->vars.v[v].type;
}

static inline const type *var_value_type(const lower *l, uint32_t v)
{
    return type_strip_ref(var_type(l, v));
}

static inline const value *var_constant(const lower *l, uint32_t v)
{
    WEFT_ASSERT(v < l->u->vars.n);
    return l->u->vars.v[v].constant;
}

/* Is the unit a function of @wp.func_grad? */
static inline bool is_custom_gradient(const lower *l)
{
    return l->u->func && l->u->func->is_custom_grad;
}

static inline var_info *info_of(lower *l, uint32_t v)
{
    WEFT_ASSERT(v < l->info.n);
    return &l->info.v[v];
}

static inline ir_arg arg_var(uint32_t v)
{
    return ir_arg_make(IR_ARG_VAR, v);
}

static inline ir_arg arg_adj(uint32_t v)
{
    return ir_arg_make(IR_ARG_ADJ, v);
}

static inline ir_arg arg_place(uint32_t place)
{
    return ir_arg_make(IR_ARG_PLACE, place);
}

static inline ir_arg arg_int(uint32_t n)
{
    return ir_arg_make(IR_ARG_INT, n);
}

static inline ir_arg arg_stmt(uint32_t stmt)
{
    return ir_arg_make(IR_ARG_STMT, stmt);
}

/* 0: the context; n: the helper of target n - 1. */
static inline ir_arg arg_det(uint32_t n)
{
    return ir_arg_make(IR_ARG_DET, n);
}

static inline ir_arg arg_field(lower *l, const sym *name)
{
    return ir_arg_field(l->c, l->u, name);
}

static inline ir_arg arg_number(lower *l, int64_t n)
{
    return ir_arg_literal(l->c, l->u, value_int(n));
}

/* lower_block.c: variables, statements, blocks */
uint32_t add_var(lower *l, const type *t); /* a declared one; its adjoint is the block's to clear */
const value *keep_value(lower *l, value v); /* a copy in the module's arena */
uint32_t add_constant(lower *l, value v);
uint32_t add_named(lower *l, ir_var v); /* any variable that the function does not declare */
uint32_t add_part(lower *l, uint32_t whole, const struct_field *f); /* "x.pos" of "x" */
void set_line(lower *l, const node *n);
/* Appends a statement to the forward and the replay list of the innermost block. */
void add_forward(lower *l, ir_op op, const ir_arg *args, uint32_t n);
/* To the forward list alone. */
void add_forward_no_replay(lower *l, ir_op op, const ir_arg *args, uint32_t n);
/* Forward statement whose replay is another one. */
void add_forward_replay(lower *l, uint32_t stmt, uint32_t replay);
/* The same, with `replay` printed as a comment: what writes memory must not run twice. */
void add_forward_commented(lower *l, uint32_t stmt, uint32_t replay);
/* Appends to the reverse list, which runs backwards: the last statement added is the first run. */
void add_reverse(lower *l, ir_op op, const ir_arg *args, uint32_t n);
void push_entry(lower *l, ir_list *list, ir_entry e);
void append_list(lower *l, ir_list *to, const ir_list *from);
block *innermost(lower *l);
block *begin_block(lower *l, block_kind kind);
block *end_block(lower *l);
/* FORWARD(l, MOVE, arg_var(a), arg_var(b)): add_forward with the operands in place. */
#define FORWARD(l, op, ...)                                                                        \
    add_forward((l), IR_##op, (ir_arg[]){__VA_ARGS__},                                             \
                (uint32_t)(sizeof((ir_arg[]){__VA_ARGS__}) / sizeof(ir_arg)))
#define REVERSE(l, op, ...)                                                                        \
    add_reverse((l), IR_##op, (ir_arg[]){__VA_ARGS__},                                             \
                (uint32_t)(sizeof((ir_arg[]){__VA_ARGS__}) / sizeof(ir_arg)))

/* lower_scope.c: names */
/* The binding of a name, or NULL. It moves when a name comes in. */
binding *scope_find(lower *l, scope *s, const sym *name);
void scope_set(lower *l, const sym *name, uint32_t var, const value *v);
void scope_remove(lower *l, const sym *name);
scope scope_copy(lower *l, const scope *s);
/* Its memory serves the next copy. */
void scope_free(lower *l, scope *s);
bool sym_set_has(const sym_set *s, const sym *name);
void sym_set_add(lower *l, sym_set *s, const sym *name);

/* lower.c: the kernel, functions, statements */
_Noreturn void lower_fail(lower *l); /* the error has been reported */
span span_of(const lower *l, const node *n);
#define lower_error(l, n, id, ...)                                                                 \
    (diag_error((l)->c, span_of((l), (n)), DIAG_##id, ##__VA_ARGS__), lower_fail(l))
/* Lowers statements; an error in one does not keep the others from being lowered. */
void lower_body(lower *l, const node_list *body);
/* Warp 1.19 ModuleBuilder.build_struct_recursive. */
void lower_use_struct(lower_job *job, const struct_def *st);
/* The unit of a user function for these argument types, lowered at its first use. NULL: it has
 * errors, which are reported. Recursion is an error at `at`. */
instance *lower_instance(lower *l, const node *at, const func *f, const type *const *types);

/* The unit of a custom gradient or replay, made only to see what it needs: nothing of it gets into
 * the module. */
const ir_unit *lower_apart(lower *l, span at, const func *f);

/* lower_expr.c: expressions */
operand lower_expr(lower *l, const node *n);
/* lower_expr that must give a variable. */
uint32_t lower_value(lower *l, const node *n);
/* An error at n if v is a value that weft cannot determine. */
void refuse_unknown(lower *l, const node *n, const value *v);
/* The variable that an operand is, or an error at n. */
uint32_t operand_variable(lower *l, const node *n, operand o);
/* Like lower_expr for names and attributes, but OPERAND_NONE instead of an error when unknown. */
operand lower_soft(lower *l, const node *n);
/* The value behind a reference, by wp::load; any other variable as it is. */
uint32_t load(lower *l, uint32_t v);
/* Warp 1.19 Adjoint.resolve_static_expression: the object that a dotted path names, if the path
 * starts at a name which is no local. When only the last attribute does not exist, the result is
 * true, *out the object before it, and *missing that attribute; otherwise *missing is NULL. */
bool static_path(lower *l, const node *n, value *out, const sym **missing);
/* A bool variable: a < b. */
uint32_t compare_less(lower *l, uint32_t a, uint32_t b);
/* a op b, by a user function of the operator's name where one fits. */
operand lower_operator(lower *l, const node *at, ast_op op, uint32_t a, uint32_t b);
bool has_user_operator(lower *l, ast_op op, const func **f);

/* lower_attr.c: x.name */
/* `aggregate`: the object before the dot, if lowered already, else NONE. `as_target`: a part of it
 * will be stored to. `soft`: as in lower_soft. */
operand lower_attribute(lower *l, const ast_Attribute *n, operand aggregate, bool as_target,
                        bool soft);
/* Lowers what stands left of the last step of an assignment's target: `a[i].pos` of `a[i].pos.x`.
 * Parts of array elements keep their slots (var_info.slot). */
operand lower_store_target(lower *l, const node *n);
/* A constant for x, y, z or w. */
uint32_t component_index(lower *l, const node *at, const sym *attr, const type *t);
const struct_field *find_field(const type *t, const sym *name); /* NULL: none, or no struct */
bool has_floats(const type *t); /* a float, or a composite of floats */
bool is_differentiable(const type *t);

/* lower_index.c */
typedef struct index_list {
    const node **v;
    uint32_t n;
} index_list;
/* The subscripted object and what is left of the indices. */
uint32_t lower_subscript_target(lower *l, const node *n, index_list *rest, bool as_target);
operand lower_indexing(lower *l, const node *at, uint32_t target, index_list indices,
                       bool as_target);
uint32_t *lower_indices(lower *l, const type *target, index_list indices);
operand lower_subscript(lower *l, const node *n);
operand lower_slice(lower *l, const node *n);
bool is_adjoint_subscript(const lower *l, const node *n);
void const_slice(lower *l, const node *n, int length, int64_t out[3]);

int64_t const_bound(lower *l, const node *n); /* of a slice */

/* lower_tile.c */
/* Chained subscripts t[a][b]: each of the first groups that leaves a tile to index again is applied
 * to *target; returns how many. Warp 1.19 eval_subscript. */
uint32_t tile_chain(lower *l, const node *at, uint32_t *target, const index_list *groups,
                    uint32_t n);
uint32_t *tile_indices(lower *l, const type *tile, index_list indices);
operand index_tile(lower *l, const node *at, uint32_t target, const uint32_t *idx, uint32_t n);
void store_tile(lower *l, const node *at, uint32_t target, const uint32_t *idx, uint32_t n,
                uint32_t rhs);
/* The builtin of `tile[i] op= x`, or NULL. */
const builtin *tile_inplace(lower *l, const node *at, ast_op op, uint32_t target,
                            const uint32_t *idx, uint32_t n);

/* Operands that deterministic mode adds to a call. */
typedef struct det_args {
    const ir_arg *v;
    uint32_t n;
} det_args;

/* lower_call.c: calls, and what they share */
/* The arguments of one call, lowered, in the order of the source. */
typedef struct call_args {
    VEC(call_arg) args;
    VEC(const node *) nodes; /* of args; NULL items: no expression of its own */
    VEC(call_kwarg) kwargs;
    VEC(const node *) kwnodes;
} call_args;
/* `expects`: how many targets unpack the result; 0: none do; CALL_STATEMENT: the call is a
 * statement of its own. */
enum { CALL_STATEMENT = UINT32_MAX };
operand lower_call(lower *l, const ast_Call *n, uint32_t expects);
void lower_call_args(lower *l, const ast_Call *n, call_args *out);
/* A call of a builtin with variables; `at` is the place of errors. */
operand call_builtin(lower *l, const node *at, const builtin *b, const uint32_t *vars, uint32_t n);
/* The same where nothing uses the result, and where it is the store of an assignment. */
void call_builtin_unused(lower *l, const node *at, const builtin *b, const uint32_t *vars,
                         uint32_t n);
void call_array_store(lower *l, const node *at, const uint32_t *vars, uint32_t n);
/* The same of an operator of Python with two operands; `at` is the expression or `+=`. */
operand call_operands(lower *l, const node *at, int op, const call_arg *args);
uint32_t call_range_of(lower *l, const node *at, const uint32_t *vars, uint32_t n);
operand call_builtin_args(lower *l, const node *at, const builtin *b, const call_arg *args,
                          uint32_t n, uint32_t min_outputs);
/* Calls with one argument or two; the first result's variable. */
uint32_t call1(lower *l, const node *at, const builtin *b, uint32_t a);
uint32_t call2(lower *l, const node *at, const builtin *b, uint32_t x, uint32_t y);
call_arg arg_of_var(lower *l, uint32_t v);
call_arg arg_of_operand(lower *l, const node *at, operand o);
/* An argument: a variable, or an object such as a function or a type. */
operand lower_arg(lower *l, const node *n);
/* type(x), or an attribute of it such as type(x).length: x is lowered. */
bool type_of_call(lower *l, const node *n, value *out);
/* NONE, VAR or VARS by the number of results. */
operand results_operand(const uint32_t *vars, uint32_t n);

/* lower_func.c: calls of user functions; f is any overload of the name */
operand call_user(lower *l, const node *at, const func *f, const call_args *a);
operand call_external(lower *l, const node *at, const func *head, const call_args *a);
/* The overload that takes these arguments, or NULL. Nothing is reported. */
const func *find_overload(lower *l, const func *f, const call_arg *args, uint32_t nargs);
/* A user_calls.result: `data` is a function_call. The function becomes one that the unit calls. */
typedef struct function_call {
    lower *l;
    const node *at;
} function_call;
const type *function_result(void *data, const value *f, const type *const *types, uint32_t n,
                            value *overload);

/* lower_callable.c */
/* The copy of f for the functions among `args`, which are one per parameter. */
const func *specialize(lower *l, const node *at, const func *f, const call_arg *args);
const specialization *specialization_of(const lower_job *job, const func *f);

/* lower_deterministic.c: the option `deterministic`. The functions may be called in any mode;
 * without the option (l->u->det is NULL) they do nothing. */
/* What a builtin is there: DET_SUM to DET_MAX are atomics, DET_EFFECT to DET_EFFECT_STORE
 * effects. */
typedef enum det_effect {
    DET_NONE,
    DET_SUM,
    DET_DIFFERENCE,
    DET_MIN,
    DET_MAX,
    DET_EFFECT,
    DET_EFFECT_ATOMIC,
    DET_EFFECT_STORE,
    DET_READ
} det_effect;
det_effect det_effect_of(const builtin *b);
det_effect det_effect_by_name(const char *name);
static inline bool det_is_atomic(det_effect e)
{
    return e >= DET_SUM && e <= DET_MAX;
}
static inline bool det_has_effect(det_effect e)
{
    return e >= DET_EFFECT && e <= DET_EFFECT_STORE;
}
void det_begin(lower *l);
void det_end(lower *l);
bool det_guards(const lower *l); /* Must effects ask which pass is running? */
ir_arg det_context(lower *l);    /* the operand "det_ctx", which the unit needs then */
/* Errors: what Warp refuses, and what weft does not follow. */
_Noreturn void det_refuse(lower *l, span at, const char *why);
_Noreturn void det_unsupported(lower *l, span at, const char *what);
/* out is a field of aggregate, a view or an element of an array, another name of a variable, the
 * gradients of a variable. */
void det_track_field(lower *l, uint32_t out, uint32_t aggregate, const sym *field, const type *t);
void det_track_view(lower *l, uint32_t out, uint32_t array, const uint32_t *idx, uint32_t n);
void det_track_element(lower *l, uint32_t out, uint32_t array);
void det_track_alias(lower *l, uint32_t out, uint32_t from);
void det_track_adjoint(lower *l, span at, uint32_t out, uint32_t from);
/* The array that v stands for, and its type. False: none that is known. */
bool det_array_of(lower *l, uint32_t v, ir_det_array *out, const type **t);
/* The array that fields lead to from a. */
ir_det_array det_below(lower *l, ir_det_array a, const sym *const *path, uint32_t npath);
/* Takes views by integers off v; their indices, outermost first, go to idx. */
typedef VEC(uint32_t) det_indices;
uint32_t det_without_views(lower *l, uint32_t v, det_indices *idx);
/* The parameter, or the field of one, that the array is. NO_VAR: the function has no such one. */
uint32_t det_param(lower *l, const ir_det_array *a);
/* The operand for the target, which becomes one of the unit's. */
ir_arg det_target(lower *l, span at, const ir_det_target *t);
void det_note_atomic(lower *l, span at, uint32_t array);
void det_note_store(lower *l, span at, uint32_t array);
void det_note_access(lower *l, span at, const ir_det_access *x);
void det_note_call(lower *l, const call_request *r); /* Warp 1.19 track_array_access */

/* lower_det_call.c: calls of functions. `actual`: the variable of each parameter of f, or NO_VAR.
 */
void det_include(lower *l, span at, const func *f, const ir_unit *u, const uint32_t *actual,
                 bool backward_only);
det_args det_call_args(lower *l, span at, const func *f, const ir_unit *u, const uint32_t *actual);
/* Does the function, or one that it calls, use the result of an atomic? */
bool det_scan_consumed(lower *l);
/* Does it store to what has subscripts, or call a builtin with an effect? */
bool det_scan_effect(const lower *l);

/* lower_det_atomic.c */
/* An atomic with the plan's arguments. False: a plain call follows. */
bool det_atomic(lower *l, const call_request *r, const call_plan *plan, const uint32_t *results,
                bool is_used);
/* The scatter that the adjoint of address() stands in. False: in none. */
struct emitted_arg;
bool det_read_adjoint(lower *l, span at, const struct emitted_arg *args, uint32_t n, ir_arg *helper,
                      ir_arg *offset);
/* `slot op= rhs`. False: the plain statement `stmt` is to be added. */
bool det_slot_update(lower *l, span at, const array_slot *slot, uint32_t rhs, ir_update how,
                     uint32_t *stmt);

/* lower_emit.c */
/* One argument of a call. `forward` is the value that is passed, loaded if it was a reference;
 * `reverse` is the variable before loading, whose adjoint the adjoint's call takes. In the example
 * at the head, `mul` has forward %4 and reverse %1. */
typedef struct emitted_arg {
    uint32_t forward, reverse;
    const value *function; /* not NULL: a function is passed by name instead */
    const char *token;     /* not NULL: text is passed as it stands instead */
} emitted_arg;

/* A call whose arguments and results are variables. */
typedef struct emitted_call {
    uint32_t callee; /* in the unit's `callees` */
    const emitted_arg *args;
    uint32_t nargs;
    const uint32_t *results;
    uint32_t nresults;
    const prelude *prelude; /* statements that its adjoint needs, or NULL */
    /* Arguments stand in { }; there is an adjoint to call; the replay is a comment. */
    bool initializer_list, differentiable, skip_replay;
    bool has_replay; /* the function has a custom replay, which the replay list calls */
    /* Deterministic mode: what the callee takes behind its parameters, here and in its adjoint, and
     * the scatter that the adjoint stands in (0: none). */
    det_args det_forward, det_reverse;
    ir_arg det_helper, det_offset;
    enum { EFFECT_PLAIN, EFFECT_GUARDED, EFFECT_STORE } effect; /* STORE: a guarded array_store */
    /* The adjoint's call passes the results, too, if it takes them at all (a custom gradient does
     * not), and if a rule of the builtin demands it or there are several. */
    bool needs_output_arg, adjoint_takes_outputs;
} emitted_call;
void emit_call(lower *l, const emitted_call *call);
uint32_t add_callee(lower *l, ir_callee f);
/* The constructor of a struct or a tuple. */
uint32_t callee_of_type(lower *l, const type *t);

/* lower_grad.c */
typedef VEC(ir_arg) call_vars;
/* A call of f's adjoint: f, its arguments, results. */
typedef struct grad_target {
    uint32_t callee; /* f, in the unit's `callees` */
    const uint32_t *args;
    const type *const *arg_types;
    uint32_t nargs;
    int python; /* bit i: argument i is annotated with Python's int or float */
    const type *const *result_types;
    uint32_t nresults;
    bool needs_output; /* the adjoint takes the result, too */
} grad_target;
operand lower_grad(lower *l, const ast_Call *n);
operand emit_grad_call(lower *l, const grad_target *t);
operand grad_of_user(lower *l, const node *at, const func *head, const call_args *a);

/* lower_construct.c */
operand construct_struct(lower *l, const ast_Call *n, const type *t);
operand construct_native(lower *l, const ast_Call *n, const type *t);
/* `*x` among arguments: a variable per component. */
const uint32_t *unpack_starred(lower *l, const ast_Starred *n, uint32_t *count);
bool is_static_call(lower *l, const node *n);
value eval_static(lower *l, const ast_Call *n);
/* wp.static, wp.grad, wp.address_of: forms whose arguments are no plain values. */
operand lower_special_call(lower *l, const ast_Call *n, const sym *name);

/* lower_place.c */
uint32_t lower_origin_of(lower *l,
                         uint32_t v); /* Warp 1.19 reference_origin_for_var; or NO_PLACE */
uint32_t lower_place_local(lower *l, uint32_t v, bool is_ref);
uint32_t lower_place_field(lower *l, uint32_t base, const sym *field, const type *t);
uint32_t lower_place_index(lower *l, ir_place_kind kind, uint32_t base, const uint32_t *idx,
                           uint32_t n, const type *t);
uint32_t lower_place_adjoint(lower *l, uint32_t place);
uint32_t lower_place_pointer(lower *l, uint32_t place);
/* The adjoint's pointer, with views on the way named by statements of their own. */
uint32_t lower_place_adjoint_pointer(lower *l, uint32_t place, prelude *before);
uint32_t lower_place_var(lower *l, const type *t,
                         uint32_t place); /* a variable that is the place */
str finish_text(lower *l, strbuf *b);     /* moves the text to the module arena */
uint32_t addressable(lower *l, const node *at, const node *n, uint32_t v, const type *expected);

/* lower_slot.c */
uint32_t slot_reference(lower *l, array_slot slot, uint32_t origin);
/* The element itself, where an array_slot begins. */
uint32_t slot_item(lower *l, const type *t);
const array_slot *select_slot(lower *l, const node *at, uint32_t target, const uint32_t *indices,
                              uint32_t n, const sym *attr);
void store_slot(lower *l, const node *at, const array_slot *slot, uint32_t rhs, ir_update how);
bool slot_is_atomic(const array_slot *slot, ast_op op);
bool type_is_non_atomic(const type *t);

/* lower_slot_write.c: lhs = rhs as a store of 1.17 into part of an array's element. False: the
 * target is none, and nothing is emitted. */
bool lower_slot_write(lower *l, const node *lhs, uint32_t rhs);

/* lower_assign.c, lower_augassign.c */
void lower_assign(lower *l, const ast_Assign *n);
void lower_augassign(lower *l, const ast_AugAssign *n);
/* target[indices] = rhs, without array slots: select_slot comes first. */
void store_subscript(lower *l, const node *lhs, uint32_t target, const uint32_t *indices,
                     uint32_t n, uint32_t rhs);
void store_attribute(lower *l, const ast_Attribute *lhs, uint32_t aggregate, uint32_t rhs);
/* The object whose attribute is stored to. */
uint32_t store_aggregate(lower *l, const node *n);
/* Writes through a parameter that is annotated wp.ref[T]. */
void store_ref_param(lower *l, const node *at, uint32_t ref, uint32_t rhs);
bool is_ref_param(const lower *l, const sym *name, uint32_t *var);
/* Warp 1.19 make_adjoint_target_var: the adjoint's storage that wp.adjoint[x] names. */
operand lower_adjoint_target(lower *l, const node *x);
/* The value behind a reference, by wp::copy; any other variable as it is. */
uint32_t copy_reference(lower *l, const node *at, uint32_t v);

/* lower_flow.c, lower_loop.c, lower_continue.c */
void lower_if(lower *l, const ast_If *n);
void lower_return(lower *l, const ast_Return *n);
void lower_assert(lower *l, const ast_Assert *n);
/* Names that the statement binds. */
void collect_stores(lower *l, const node *n, sym_set *out);
void lower_for(lower *l, const ast_For *n);
void lower_while(lower *l, const ast_While *n);
void lower_break(lower *l, const node *n);
void lower_continue(lower *l, const node *n);
const sym *continue_flag(lower *l); /* a name that no variable has */
/* The body of an unrolled loop without its `continue`s. */
node_list guard_continues(lower *l, const node_list *body, const sym *flag);
/* What is lowered between the two runs if cond holds, or if it does not (negated). */
void begin_if(lower *l, uint32_t cond, bool negated);
void end_if(lower *l, uint32_t cond, bool negated);
/* Python's bool(v). */
bool truth(const value *v);

/* lower_refuse.c: errors that say what to write instead */
_Noreturn void refuse_syntax(lower *l, const node *n);
_Noreturn void refuse_comparison(lower *l, const node *n, ast_op op);
_Noreturn void refuse_constant(lower *l, const node *n, const_kind kind);
_Noreturn void refuse_undefined(lower *l, const node *n, const sym *name);
/* A callee that cannot be called. `of_warp`: it was looked for in warp; `found`: what its path
 * names, or NULL. */
_Noreturn void refuse_function(lower *l, const node *at, const sym *name, bool of_warp,
                               const value *found);
/* An attribute that the object (a module, type, enum, ...) does not have. */
_Noreturn void refuse_attribute(lower *l, const ast_Attribute *n, const value *object);
/* A function of Python's or Warp's that has no meaning in kernels, such as zip. */
_Noreturn void refuse_special(lower *l, const node *at, const sym *name);
/* A value that weft does not know. */
_Noreturn void refuse_value(lower *l, const node *n, const char *name, const value *v);
/* Warp 1.19 emit_Name: an error, when the name stands for a Python object that is no number,
 * vector, function or type. */
void check_reference(lower *l, const node *n, const sym *name, const value *v);
/* A value of type t (NULL: no value) that cannot be unpacked into so many names. */
_Noreturn void refuse_unpacking(lower *l, const node *n, const type *t, uint32_t count);
/* "mass, radius": for hints. */
const char *field_list(lower *l, const struct_def *st);
void refuse_method(lower *l, const node *at, const sym *name, const type *t);
_Noreturn void refuse_field(lower *l, const node *at, const sym *name, const type *t);
/* A loop rebinds the name, which stood for the constant k. `at`: the loop, or a jump in it. */
_Noreturn void refuse_mutation(lower *l, const node *at, const sym *name, const value *k);
/* A conversion to the type as one writes it: "float(...)", "wp.float64(...)". NULL: no scalar. */
const char *cast_text(lower *l, const type *t);
/* n is an object of compile time, o, where a variable is wanted: a type, a function, x.ndim. */
_Noreturn void refuse_object(lower *l, const node *n, operand o);
/* The variable v in a place of type `want`; a name of type `old` bound to one of type t. */
_Noreturn void refuse_store(lower *l, const node *at, const type *want, uint32_t v);
_Noreturn void refuse_rebinding(lower *l, const node *at, const sym *name, const type *old,
                                const type *t);
/* A condition that chooses a value: of an `if` that binds names, of a conditional expression. */
void check_condition(lower *l, const node *at, uint32_t cond);
void check_ifexp_types(lower *l, const node *at, uint32_t cond, uint32_t a, uint32_t b);
void warn_of_comparison(lower *l, const ast_Compare *n, ast_op op, uint32_t a, uint32_t b);
/* An error if a loop cannot run over n, or over a value of type t. */
void check_iterable(lower *l, const node *n);
void check_iterator(lower *l, const node *n, const type *t);
/* An error if the two branches leave values in the name that no wp::where takes. */
void check_branch_types(lower *l, const ast_If *n, uint32_t cond, const sym *name, uint32_t a,
                        uint32_t b);

/* lower_launch.c */
int launch_dim(ctx *c, const code *f); /* Warp 1.19 get_references: kernel_dim */

/* lower_names.c: builtins and names that lowering itself uses, looked up once per context */
/* clang-format off */
#define LOWER_BUILTINS(X)                                                                          \
    X(load)                                                                                        \
    X(copy)                                                                                        \
    X(where)                                                                                       \
    X(assign)                                                                                      \
    X(extract)                                                                                     \
    X(address)                                                                                     \
    X(view)                                                                                        \
    X(array_store)                                                                                 \
    X(slice)                                                                                       \
    X(range)                                                                                       \
    X(iter_next)                                                                                   \
    X(store)                                                                                       \
    X(index) X(indexref) X(assign_copy) X(assign_inplace) X(tuple) X(transform_get_translation)    \
        X(transform_get_rotation) X(transform_set_translation) X(transform_set_rotation)           \
            X(atomic_add) X(atomic_sub) X(atomic_and) X(atomic_or) X(atomic_xor) X(add_inplace)    \
                X(sub_inplace) X(bit_and_inplace) X(bit_or_inplace) X(bit_xor_inplace) X(tid)      \
                    X(vector) X(matrix) X(quaternion) X(transformation)
/* clang-format on */

#define LOWER_SYMS(X)                                                                              \
    X(adjoint) X(range) X(tid) X(x) X(y) X(z) X(w) X(p) X(q) X(type) X(shape) X(dtype) X(length)

typedef struct lower_names {
#define X(name) const builtin *b_##name;
    LOWER_BUILTINS(X)
#undef X
#define X(name) const sym *s_##name;
    LOWER_SYMS(X)
#undef X
    const builtin *operators[OP_COUNT]; /* "add" for OP_Add, ...; NULL for comparisons */
    const sym *operator_names[OP_COUNT];
} lower_names;

const lower_names *lower_names_get(ctx *c);

#endif
