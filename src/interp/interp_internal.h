/* Shared by the files of the interpreter: its state while one thread runs. */
#ifndef WEFT_INTERP_INTERP_INTERNAL_H
#define WEFT_INTERP_INTERP_INTERNAL_H

#include "interp/interp.h"

enum { CALL_DEPTH_MAX = 100, NESTING_MAX_EXPR = 500 };

typedef struct variable {
    const sym *name;
    rvalue value;
} variable;

/* A kernel or function that is being executed. */
typedef struct frame {
    const code *code;
    VEC(variable) vars;
    rvalue result; /* of the return statement */
} frame;

typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } flow;

struct interp {
    ctx *c;
    arena arena; /* values of one thread */
    const interp_launch *launch;
    frame *frame;
    int64_t thread[LAUNCH_DIMS];
    uint64_t steps;
    uint32_t depth, nesting;
    jmp_buf *failure;
    strbuf *error;
};

/* A place in memory that can be assigned to. */
typedef struct place {
    const type *type;
    uint8_t *bytes;
} place;

/* interp.c: ends the run with a message about the place `at`. */
_Noreturn void interp_fail(interp *in, const node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void count_step(interp *in, const node *at);
variable *find_variable(interp *in, const sym *name); /* or NULL */
void set_variable(interp *in, const sym *name, rvalue v);

/* interp_stmt.c */
flow run_block(interp *in, const node_list *body);

/* interp_expr.c */
rvalue interp_any(interp *in, const node *n);   /* may give an object */
rvalue interp_value(interp *in, const node *n); /* a value at run time */
bool interp_truth(interp *in, const node *n);
int64_t interp_int(interp *in, const node *n);
rvalue call_named(interp *in, const node *at, const char *name, rvalue *args, uint32_t n);
rvalue binary(interp *in, const node *at, int op, rvalue a, rvalue b);
rvalue make_tuple(interp *in, const rvalue *items, uint32_t n);
/* A number or object known without running: a literal, its negation, a name of the module. */
bool interp_constant(interp *in, const node *n, value *out);

/* interp_place.c */
place interp_place(interp *in, const node *target);
void interp_assign(interp *in, const node *target, rvalue v);
place element_place(interp *in, const node *at, const array_view *a, const rvalue *index,
                    uint32_t n);
/* `expects`: how many targets take the value apart; 0: it is not. */
rvalue interp_subscript(interp *in, const ast_Subscript *n);
rvalue interp_attribute(interp *in, const ast_Attribute *n);

/* interp_call.c */
rvalue interp_call(interp *in, const ast_Call *n, uint32_t expects);

#endif
