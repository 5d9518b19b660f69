/* SPDX-License-Identifier: Apache-2.0 */
/* What the interpreter's files share.
 *
 * A kernel or function is prepared once into a tree of its own (inode, istmt, unit): names are
 * slots, callees and constants are resolved. What depends on types is found when a node first runs,
 * and kept for the next time that operands of these types come (site).
 *
 *     y = 2.0 * x         istmt assign, slot y
 *                           inode op mul     site: float32 x float32, src/arith's function
 *                             inode constant 2.0
 *                             inode slot x
 *
 * Types are dynamic here, as in Python: the interpreter does not infer them, so that it cannot
 * repeat a mistake of the front end's inference. A tree is not re-entrant: a node owns the value
 * that it gave last, so a function cannot recurse.
 *
 * A run that ends early leaves by longjmp to interp_launch_run; everything is in arenas.
 *
 * Order of the files: interp.c launches; interp_prepare*.c build the tree; interp_stmt.c,
 * interp_alias.c, interp_eval.c, interp_place.c, interp_call.c, interp_gradient.c, interp_builtin.c
 * and interp_own.c execute it; interp_site.c, interp_change.c and interp_slot.c keep operations and
 * values. */
#ifndef WEFT_INTERP_INTERP_INTERNAL_H
#define WEFT_INTERP_INTERP_INTERNAL_H

#include "base/assert.h"
#include "builtin/builtin.h"
#include "interp/interp.h"

/* Limits that keep hostile programs from overflowing the C stack and from using up memory. The
 * kernels that come with Warp nest less than 20 deep and pass less than 30 arguments. INTERP_STACK
 * bounds the sum over all functions that run, since each level of a tree is a level of C calls. */
enum {
    INTERP_CALLS = 100,     /* nested calls of users' functions */
    INTERP_NESTING = 400,   /* of expressions and statements within one function */
    INTERP_STACK = 4000,    /* of all functions that run */
    INTERP_LANE = 150,      /* the same in a kernel with tiles, whose threads have small stacks */
    INTERP_ARGS = 64,       /* of a call; items of a tuple */
    INTERP_VIEWS = 1 << 20, /* bytes of views that structs of one thread hold */
    INTERP_FIXED = 1 << 20  /* bytes of an array that a kernel makes */
};

typedef struct inode inode;
typedef struct istmt istmt;
typedef struct islot islot;
typedef struct unit unit;
typedef struct site site;

/* A value while a thread runs. It does not own its bytes: a node, a slot, an array or an argument
 * does.
 *
 *     float32, vec3f, a struct    p: the bytes, laid out as in Warp's memory (layout_size)
 *     array                       p: the address of a pointer to its array_view
 *     tuple                       p: the first of type->nitems values (iv)
 *     slice                       p: three int64_t: start, stop, step
 *     a type, function, string    type is NULL, and `object` is the compile-time value
 *
 * `t` is the tangent in the same form; NULL: zero. A value with neither type nor object is none:
 * what a call without result gives. */
typedef struct iv {
    const type *type;
    void *p, *t;
    const value *object;
} iv;

/* A view that the interpreter made, and that of its tangent. An array value's p is &at, and its t
 * is &tangent_at: the level of pointers that struct fields of array type have, too. */
typedef struct own_view {
    array_view view, tangent;
    const array_view *at, *tangent_at;
} own_view;

/* A variable, or the place where a value is kept. `v` is the value, no type and no object before
 * the first assignment of a thread. Storage (own, shadow, array, items) grows as needed, stays
 * allocated from one thread to the next, and is never shared between slots. */
struct islot {
    iv v;
    const type *kept;      /* the type that own was laid out for last; NULL: none yet */
    size_t size, room;     /* bytes of that type; bytes of own, at least size */
    uint8_t *own, *shadow; /* value and tangent */
    own_view *array;
    islot *items;       /* of a tuple */
    iv *values;         /* of the items, in a row: what v.p points to */
    uint32_t nitems;    /* that there is room for */
    islot *home;        /* where v is kept, if not here: interp_alias.c */
    bool unrolled;      /* the variable of a loop over a constant range */
    bool is_ref;        /* a wp.ref parameter */
    const value *known; /* while preparing: the constant that the name stands for */
};

/* Evaluates a node. The result is valid until the node is evaluated again; never NULL. */
typedef const iv *inode_fn(interp *in, inode *n);

/* A component or field: where it lies in a value of the type seen last. Looking a field up by name
 * takes time, and a node nearly always meets one type. */
typedef struct part {
    const type *seen, *type;
    size_t offset;
    const value *of; /* a part of an object, not of a value */
} part;

/* What a call calls. The arguments are the node's kids, those with names last. */
typedef struct icallee {
    const builtin *builtin;
    const func *func;
    const type *constructs; /* a type */
    const char *name;
    const sym **names;                   /* of the last nnames arguments */
    uint32_t nnames, expects;            /* expects: see call_request.min_outputs */
    void (*meets)(interp *in, inode *n); /* a builtin that a block executes: a tile_op */
} icallee;

/* The forms of nodes that others must recognize: places that can be assigned to, and indices that
 * pick more than one element. Everything else is NODE_OTHER. */
typedef enum inode_kind {
    NODE_OTHER,
    NODE_SLOT,
    NODE_INDEX,
    NODE_ATTRIBUTE,
    NODE_SLICE,
    NODE_STAR
} inode_kind;

/* An expression. `eval` decides what the other members mean; interp_prepare*.c set them. */
struct inode {
    inode_fn *eval;
    iv v;           /* what it gave last */
    const node *at; /* of the source, for messages */
    inode **kid;    /* operands; a slice's missing bounds are NULL */
    uint16_t n;     /* kids */
    uint8_t op;     /* ast_op */
    uint8_t kind;   /* inode_kind */
    islot *slot;    /* the variable of NODE_SLOT; else storage of the node's own, or NULL */
    site *site;     /* a list, the newest first */
    part part;
    const void *aux;        /* of the node's kind: a symbol, an icallee, ... */
    const value *known;     /* a constant, in Warp's sense */
    struct tile_node *tile; /* interp_tile.c; NULL: it gave no tile */
};

/* An operation chosen for the types of its operands (interp_site.c). Which members count depends on
 * what it is: has_known: `known` alone; user: params, defaults and has_refs; otherwise op and what
 * op.run and op.tangent need. */
struct site {
    site *next;
    uint32_t n; /* operands it was chosen for */
    const type **seen;
    const value **objects;
    arith_op op;
    int32_t *map;    /* op's argument i is operand map[i], or -1: in `operands` already; NULL: i */
    void **operands; /* of op.run */
    void **tangents; /* of op.tangent */
    iv *results;
    uint8_t *state; /* a copy of argument 0, where op must not change it itself */
    iv *set;        /* room for the arguments that op sets */
    const type *tuple;
    iv known;                   /* no operation: this is the result */
    unit *user;                 /* a user's function */
    struct native_site *native; /* the same of native code; nparams, result and is_ref are its */
    const type *result;
    const bool *is_ref;
    uint32_t nparams;
    const int32_t *params; /* by parameter: the operand, or -1: its default */
    const iv *defaults;
    bool has_known, has_refs;
    bool changes;    /* interp_change.c: no value, but arguments that are changed */
    uint8_t *shadow; /* the tangent of `state`, for those */
    bool direct;     /* op's arguments are the operands in order, and there is one result */
};

/* How a statement ended; FLOW_NEXT: the one after it is executed. */
typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } flow;

typedef flow istmt_fn(interp *in, istmt *s);

typedef struct iblock {
    istmt **v;
    uint32_t n;
} iblock;

/* A statement. `exec` decides what the other members mean. */
struct istmt {
    istmt_fn *exec;
    const node *at;
    islot *slot, **slots; /* assigned to; nslots of a tuple, or names that are bound within */
    islot *own, *entry;   /* interp_alias.c: storage of what is assigned, and before a loop */
    inode *value, *target;
    inode *more, *item; /* a loop over a query: is there one more, and which */
    inode *bound[3];    /* range(start, stop, step); NULL for a start of 0 and a step of 1 */
    bool reversed;      /* from the last number to the first */
    uint32_t nslots;
    bool constant; /* a loop over a range of constants */
    iblock body, orelse;
};

/* A kernel, or a function for one set of argument types. */
struct unit {
    const code *code;
    islot *params;
    islot **locals; /* all slots, params included */
    uint32_t nlocals;
    uint32_t deepest; /* nesting of its expressions and statements */
    iblock body;
    bool active;                 /* it runs: its slots are in use */
    const func *func;            /* NULL: a kernel */
    const type *const *types;    /* of the arguments it is made for */
    const value *const *objects; /* of the arguments without type; NULL for the others */
    unit *next;                  /* in interp.functions */
};

/* A kernel prepared for launches, and the state of the launch that runs. */
struct interp {
    ctx *c;
    arena *a;                        /* what lives as long as the interpreter */
    arena thread;                    /* views that structs of this thread hold */
    uint32_t views;                  /* views in `thread`, see INTERP_VIEWS */
    unit *kernel, *functions, *unit; /* unit: the one that runs */
    islot *result;                   /* where `return` puts its value */
    const interp_launch *launch;
    iv *args;
    islot *arg_slots;
    int64_t thread_index[LAUNCH_DIMS];
    uint64_t steps, fuel;       /* fuel: UINT64_MAX: no limit */
    uint64_t waits;             /* of lanes for the others */
    uint64_t shaken;            /* results that were, in launches that are shaken */
    uint64_t pause;             /* at so many steps an interrupt or the end of fuel is looked for */
    uint32_t depth, stack;      /* nested calls; nesting of all that runs */
    bool tiles;                 /* the kernel, or what it calls, has tiles */
    VEC(const func *) searched; /* by interp_search_tiles */
    struct lane_group *group;   /* of a kernel with tiles (interp_tile.h), else NULL */
    uint32_t lane;              /* the interpreter's own in the group */
    bool dual, kink, steep;     /* interp_met_kink, interp_met_steep */
    bool negative;              /* an index of an array was */
    bool gradient;              /* within wp.grad: a derivative of Warp's adjoint is wanted */
    bool met_gradient;          /* see interp_met_gradient */
    struct apart *apart;        /* interp_apart.c; NULL: threads see each other's stores */
    bool kept_apart, stores_met;
    interp_outside outside;
    const type *t_int, *t_bool; /* int32, bool */
    void *zeros;                /* a tangent of zeros */
    interp_end end;
    const char *wrong_adjoint; /* see interp_met_wrong_adjoint */
    size_t zeros_size;
    jmp_buf failure;
    strbuf *error;
};

/* The function that is being prepared. `names` and `slots` run in parallel, parameters first, then
 * each name in the order of its first assignment. */
typedef struct prepare {
    interp *in;
    unit *u;
    const code *code;
    VEC(const sym *) names;
    VEC(islot *) slots;        /* by name */
    uint32_t nesting, deepest; /* of what is being prepared; the most that has been */
    uint32_t unrolled;         /* loops around that Warp unrolls */
    bool shares;               /* interp_alias.c */
    const istmt *loop;         /* the innermost loop around that is not unrolled */
} prepare;

/* interp.c: ends the run with a message about the place `at`. */
_Noreturn void interp_fail(interp *in, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where C++ leaves open what the kernel computes. */
_Noreturn void interp_unspecified(interp *in, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where it is weft that lacks something: "cannot execute " and the text. */
_Noreturn void interp_refuse(interp *in, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run if its fuel is spent or an interrupt came (mem.stop); else sets the next pause. */
void interp_pause(interp *in, const node *at);
/* Takes steps of fuel for an operation that is more work than a statement. */
void interp_spend(interp *in, const node *at, uint64_t steps);

/* Counts a statement or a round of a loop. */
static inline void interp_step(interp *in, const node *at)
{
    if (in->steps >= in->pause)
        interp_pause(in, at);
    in->steps++;
}

/* Evaluates a node. A variable that has a value, the most frequent node, needs no call. */
static inline const iv *interp_eval(interp *in, inode *n)
{
    WEFT_ASSERT(n && n->eval && (n->kind != NODE_SLOT || n->slot));
    if (n->kind == NODE_SLOT && n->slot->v.type)
        return &n->slot->v;
    return n->eval(in, n);
}

/* Runs the thread at in->thread_index. */
void interp_run_thread(interp *in);

/* interp_slot.c */
void interp_keep(interp *in, islot *s, const iv *v); /* copies v, which may be the slot's own */
/* The same; numbers of 32 bits without tangent, which most values are, at once. */
static inline void interp_keep_value(interp *in, islot *s, const iv *v)
{
    if (v->type != s->kept || s->size != sizeof(uint32_t) || v->t) {
        interp_keep(in, s, v);
        return;
    }
    memcpy(s->own, v->p, sizeof(uint32_t));
    s->v.type = v->type;
    s->v.p = s->own;
    s->v.t = NULL;
    s->v.object = NULL;
}

/* The slot's storage for a value of type t; the tangent, too, zeroed, when there are tangents. */
iv *interp_room(interp *in, islot *s, const type *t);
/* *to = *v with conversion of scalars; fails when the types differ. */
void interp_store(interp *in, const node *at, const iv *to, const iv *v);
/* The same by an atomic operation, which all threads see. */
void interp_store_atomic(interp *in, const node *at, const iv *to, const iv *v);
/* The run-time form of a compile-time value. False: it has none (a type, a function). */
bool interp_constant(interp *in, const value *v, iv *out);
void interp_set_int(interp *in, islot *s, int64_t i); /* an int32 without tangent */
/* The value of an integer or bool; any other value ends the run. */
int64_t interp_integer(interp *in, const node *at, const iv *v);
/* A condition's truth: of a number, or of an array (false: it was not given). */
bool interp_truth(interp *in, const node *at, const iv *v);
bool interp_has_tangent(const type *t); /* floats, and structs with floats or arrays */

/* interp_change.c */
bool interp_find_changing(interp *in, site *s, const arith_request *q);
const iv *interp_run_changing(interp *in, inode *n, site *s, const iv *const *args);
/* Runs an operation with a value that sets its last argument. */
void interp_run_setting(interp *in, const inode *n, site *s, const iv *const *args);

/* interp_site.c */
void *interp_zeros(interp *in, size_t size); /* a tangent of zeros */
/* An operator on these operands: finds the site, or makes it, and runs it. */
const iv *interp_apply(interp *in, inode *n, const iv *const *args, uint32_t count);
/* Was the site made for operands of these types, and for these objects? */
bool interp_site_fits(const site *s, const iv *const *args, uint32_t n);
/* A site without an operation, put first in n->site. Who finds no operation takes it out again. */
site *interp_site_new(interp *in, inode *n, const iv *const *args, uint32_t count);
const iv *interp_run_site(interp *in, inode *n, site *s, const iv *const *args);
/* What is left of a run: a failure, and the tangents of the results. */
void interp_after_run(interp *in, const inode *n, site *s, const iv *const *args,
                      arith_status status);
/* Fills the site by arith_find. False: src/arith has no such operation. */
bool interp_find_op(interp *in, site *s, const arith_request *q);
/* Ends the run with "cannot execute NAME of TYPE", the type of the first argument. */
_Noreturn void interp_cannot(interp *in, const node *at, const char *name, const iv *const *args,
                             uint32_t n);

/* interp_eval.c */
inode_fn interp_eval_gradient_of; /* interp_gradient.c */
inode_fn interp_eval_constant, interp_eval_slot, interp_eval_held, interp_eval_copied,
    interp_eval_op, interp_eval_not, interp_eval_compare, interp_eval_bool, interp_eval_choice,
    interp_eval_tuple, interp_eval_fail, interp_eval_refuse, interp_eval_static;
const char *interp_operator(int op); /* "add" ... */

/* interp_place.c */
inode_fn interp_eval_index, interp_eval_attribute, interp_eval_slice;
/* A place that may be written; its tangent exists where it can. */
iv interp_place(interp *in, inode *n);
void interp_check_store(interp *in, const node *at, const iv *array);
iv interp_element(interp *in, const node *at, const iv *array, const iv *const *index, uint32_t n);
/* Assigns to a place, or to the lanes that a slice of it names. */
void interp_assign(interp *in, inode *target, const iv *v);

/* interp_tiled.c */
/* Sets in->tiles if the function, or one below it, calls builtins of tiles. */
void interp_search_tiles(interp *in, const func *f);
bool interp_is_tile_builtin(const char *name);

/* interp_call.c */
inode_fn interp_eval_call, interp_eval_star;
/* Evaluates the kids, starred ones item by item; at most INTERP_ARGS values. */
uint32_t interp_eval_args(interp *in, inode *n, const iv **args);
/* Makes n a call of `f`, a value; false: it cannot be called. */
bool interp_bind_callee(interp *in, inode *n, icallee *callee, const value *f, const sym *name);
/* interp_gradient.c: the same for f = wp.grad(...). */
bool interp_bind_gradient(interp *in, inode *n, const icallee *callee, const value *f);
/* A user's function named as an operator, if it takes these operands; else NULL. */
site *interp_user_site(interp *in, inode *n, const func *f, const iv *const *args, uint32_t count);
const iv *interp_run_user(interp *in, inode *n, site *s, const iv *const *args);

/* interp_native.c */
void interp_native_site(interp *in, inode *n, site *s, const func *f, const iv *const *args);
const iv *interp_run_native(interp *in, inode *n, site *s, const iv *const *args);

/* interp_builtin.c */
inode_fn interp_eval_builtin, interp_eval_type;
inode_fn interp_eval_named; /* an operation of src/arith, by the name in aux */
/* interp_own.c: those that are no arithmetic; or NULL */
inode_fn *interp_own_builtin(const char *name);
/* interp_builtin.c: what the front end says of the call; lives in c->scratch. */
bool interp_resolve(interp *in, inode *n, const iv *const *args, uint32_t count, call_plan *plan);

/* interp_stmt.c */
flow interp_block(interp *in, const iblock *b);
istmt_fn interp_exec_update, interp_exec_assign, interp_exec_store, interp_exec_unpack,
    interp_exec_augmented, interp_exec_if, interp_exec_for, interp_exec_query, interp_exec_while,
    interp_exec_return, interp_exec_break, interp_exec_continue, interp_exec_pass,
    interp_exec_value, interp_exec_assert;

/* interp_alias.c */
bool interp_shares(const node_list *body); /* are there assignments that share storage? */
istmt_fn interp_exec_bind, interp_exec_bind_items, interp_exec_merge;
/* Around the body of a loop that binds s->slots. */
void interp_enter_loop(istmt *s);
void interp_write_back(interp *in, istmt *s);

/* interp_prepare.c, interp_prepare_expr.c, interp_prepare_call.c */
unit *interp_prepare(interp *in, const code *k);
islot *prepare_find(const prepare *p, const sym *name);
inode *prepare_node(prepare *p, const node *at, inode_fn *eval, uint32_t kids);
inode *prepare_expr(prepare *p, const node *n);
inode *prepare_call(prepare *p, const ast_Call *n, uint32_t expects);
inode *prepare_constant(prepare *p, const node *at, const value *v);
/* Nodes that end the run when they are reached, as interp_fail and interp_refuse do. */
inode *prepare_fail(prepare *p, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
inode *prepare_refuse(prepare *p, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
inode *prepare_operator(prepare *p, const node *at, int op, inode *a, inode *b);
bool prepare_static(prepare *p, const node *n, value *out);

/* --- threads apart: interp_apart.c; nothing happens where in->apart is NULL */

/* Before the first thread, and after the last one: then arrays have what threads have stored. */
void interp_begin_apart(interp *in);
void interp_end_apart(interp *in);
/* Before a store. Needs: in->apart. */
void interp_note_store(interp *in, void *at, size_t size);
/* A thread has ended; a lane has run to a meeting; all lanes have; a block has ended. */
void interp_end_apart_thread(interp *in);
void interp_end_apart_lane(interp *in);
void interp_end_apart_meeting(interp *in);
void interp_end_apart_block(interp *in);
/* Other threads see what this one has stored so far. */
void interp_share_stores(interp *in);
/* Sets whether the block as a whole stores; returns what was set before. */
bool interp_apart_whole(interp *in, bool whole);
/* Native code has run, whose stores are not noted. */
void interp_blind_apart(interp *in);

#endif
