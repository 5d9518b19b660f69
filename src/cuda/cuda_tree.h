/* A function of the intermediate form as a tree of statements and expressions, on its way to plain
 * CUDA C++. Passes, in order: read (cuda_read.c, cuda_adjoint.c), shape (cuda_shape.c), prune
 * (cuda_live.c), split (cuda_split.c), sink (cuda_sink.c), fold (cuda_fold.c), branch
 * (cuda_branch.c), late (cuda_late.c), join (cuda_join.c), place and print (cuda_place.c,
 * cuda_print.c). All of it lives in c->module. */
#ifndef WEFT_CUDA_TREE_H
#define WEFT_CUDA_TREE_H

#include "cuda/cuda.h"
#include "cuda/cuda_call.h"

#define CUDA_NO_VAR UINT32_MAX

typedef enum cx_kind {
    CX_VAR,       /* a variable; of a reference type: the place it refers to */
    CX_CONST,     /* k */
    CX_NUMBER,    /* an int, in `number` */
    CX_CALL,      /* of a builtin `name` */
    CX_USER,      /* of a function of the program, `callee`; its adjoint if `adjoint` */
    CX_COMPARE,   /* args[0] name args[1] */
    CX_AND,       /* of two bools */
    CX_OR,        /* of two bools */
    CX_NOT,       /* of a bool */
    CX_COND,      /* args[0] ? args[1] : args[2] */
    CX_LOAD,      /* the value at a place */
    CX_ELEMENT,   /* place: array args[0] at the indices behind it */
    CX_VIEW,      /* array args[0] at indices and slices: an array of fewer dimensions */
    CX_SLICE,     /* start, stop, step; an open bound is NULL */
    CX_FIELD,     /* place: member `name` of the place args[0] */
    CX_COMPONENT, /* place: component of the vector or matrix at args[0]; one or two indices */
    CX_SHAPE,     /* of array args[0] */
    CX_SIZE,      /* of the shape args[0] in dimension args[1] */
    CX_STRUCT,    /* a struct of all its fields, or of none */
    CX_ATOMIC,    /* builtin `name` at the place args[0], with values; gives the old value */
    CX_TEXT,      /* `name` with args at "\1" + index */
    CX_ZERO       /* T{} */
} cx_kind;

typedef struct cx {
    uint8_t kind;
    bool adjoint;
    uint16_t nargs;
    uint32_t var;
    uint32_t line; /* of the Python statement; 0: of none */
    int64_t number;
    const type *type;
    const value *k;
    str name;
    const ir_unit *callee;
    cuda_uses uses; /* TEXT: what its name needs */
    struct cx **args;
} cx;

typedef enum cs_kind {
    CS_SET,  /* to = e; `add`: to += e; `sub`: to -= e */
    CS_CALL, /* e for its effects; outputs are written */
    CS_IF,
    CS_FOR,
    CS_LOOP, /* while (e) body; e NULL: for ever */
    CS_BREAK,
    CS_CONTINUE,
    CS_RETURN, /* e or NULL */
    CS_ASSERT, /* e; text */
    CS_GOTO,   /* label: only between read and shape */
    CS_LABEL,
    CS_NOTE /* a comment */
} cs_kind;

typedef struct cs cs;

typedef struct cs_list {
    cs **v;
    uint32_t n, cap;
} cs_list;

struct cs {
    uint8_t kind;
    bool add, sub;
    bool choice;    /* SET that a conditional expression of Python became */
    bool declares;  /* SET, FOR: `to` is declared here */
    bool reverse;   /* FOR: from the last to the first */
    bool back;      /* FOR: of the reverse list */
    bool is_const;  /* declares: nothing else writes to it */
    uint32_t from;  /* an adjoint that is summed up: nothing happens if it is zero */
    uint32_t line;  /* of the source */
    uint32_t label; /* GOTO, LABEL */
    uint32_t var;   /* FOR */
    cx *to, *e;
    cx *start, *stop, *step; /* FOR */
    cs_list body, orelse;
    bool updates;      /* CALL: its outputs are read before they are written */
    uint32_t *outputs; /* CALL: variables among the arguments that it writes */
    uint32_t noutputs;
    str text;
    VEC(uint32_t) decls; /* variables that are declared before it, without a value */
};

typedef struct cv {
    const type *type;
    str hint;                 /* Python's name, or one made of the first definition; may be empty */
    bool python;              /* the hint is Python's */
    bool param, adjoint, out; /* out: a reference parameter, read by the caller */
    bool zero;                /* may be read before it is set */
    uint32_t defs, uses;
    uint32_t same;          /* the variable it is joined with, or itself */
    str name;               /* in the end */
    cx *value;              /* fold: what stands for it */
    cx *view;               /* arrays: what it is a view of, as it was read */
    const cx *origin;       /* for its name: what it was first set to */
    uint8_t sizes, strides; /* arrays: which of them the text says, by dimension */
    bool written;           /* arrays: something is stored through the pointer */
    bool said;              /* the text names it */
    bool bound, aliased; /* a local reference that has a place; a variable that is changed by one */
    bool counts;         /* FOR: never negative */
} cv;

typedef struct cuda_job cuda_job;

/* How a function of the program is called in the end. */
typedef struct cuda_form {
    str name, text;
    const ir_unit *u;    /* whose parameters it has; NULL: there is no such function */
    uint32_t ninputs;    /* of them those that the call passes first */
    const cv *params;    /* by parameter */
    const cv *adjoints;  /* by parameter; reverse only */
    const bool *results; /* by result: the (adjoint of the) result is passed */
    VEC(struct cuda_form *) calls;
    cuda_uses uses; /* what the text needs */
    bool used, made;
} cuda_form;

typedef struct cuda_fn {
    ctx *c;
    cuda_job *job;
    const ir_unit *u;
    bool reverse; /* the text is of its adjoint */
    VEC(cv) vars; /* those of the unit, their adjoints, then others */
    cs_list body;
    cx **named;         /* by variable of the unit: what its label stands for */
    cx **named_adj;     /* and its adjoint's */
    const bool *useful; /* by variable of the unit: its adjoint comes to something */
    uint32_t *range;    /* by variable: first of start, stop, step; or CUDA_NO_VAR */
    bool *reversed;     /* by variable: the range runs backward */
    uint8_t *met;       /* by variable: a definition has been read */
    cuda_form *form;    /* of the function; NULL: the kernel's forward or backward text */
    VEC(cuda_form *) calls;
    uint32_t tid[4]; /* kernels: the variables that are the thread's indexes, or CUDA_NO_VAR */
    VEC(str) taken;
    strbuf out;
} cuda_fn;

struct cuda_job {
    ctx *c;
    const ir_module *m;
    const ir_module *rolled; /* without unrolling; NULL: that makes no difference, or cannot be */
    cuda_needs *needs;
    cuda_kernel *out;
    cuda_form *forward, *reverse; /* by function of the module */
    VEC(cuda_form *) made;        /* each after those that it calls */
    VEC(const type *) tuples;     /* those that functions take, and the structs for them */
    VEC(str) taken;               /* names at file scope that nothing hides */
    VEC(str) kernels;             /* names of the kernels, which a parameter may hide */
    VEC(cuda_uses) member_uses;   /* by struct: what its members' types need */
    bool failed;
    uint32_t line;
    uint32_t adj_line; /* of the adjoint statement that is read; 0: it is none */
    bool wraps;        /* indices may be negative: they count from the end */
};

/* cuda_tree.c */
cx *cx_new(cuda_fn *f, cx_kind kind, const type *t, uint32_t nargs);
cx *cx_var(cuda_fn *f, uint32_t var);
cx *cx_number(cuda_fn *f, int64_t n);
cx *cx_unary(cuda_fn *f, cx_kind kind, const type *t, cx *a);
cx *cx_binary(cuda_fn *f, cx_kind kind, const type *t, cx *a, cx *b);
cx *cx_call2(cuda_fn *f, const char *native, const type *t, cx *a, cx *b);
cs *cs_new(cuda_fn *f, cs_kind kind);
cs *cs_put(cuda_fn *f, cs_list *list, cs_kind kind);
cs *cs_set(cuda_fn *f, cs_list *list, cx *to, cx *e);
void cs_push(cuda_fn *f, cs_list *list, cs *s);
uint32_t cv_new(cuda_fn *f, const type *t, str hint);
bool cx_same(const cx *a, const cx *b);
bool cx_is_var(const cx *e, uint32_t *var);
uint32_t cv_root(const cuda_fn *f, uint32_t v);
const type *cuda_int(const cuda_fn *f);
/* Calls fn for each variable that the statement itself, not its inner ones, reads; and for each
 * that it writes. `whole`: all of it is overwritten. */
typedef void cx_visit(void *arg, uint32_t var);
void cx_reads(const cx *e, cx_visit *fn, void *arg);
void cs_reads(const cs *s, cx_visit *fn, void *arg);
void cs_writes(const cs *s, cx_visit *fn, void *arg);
bool cs_gives(const cs *s, uint32_t var); /* is the variable one of its outputs? */
bool cx_reads_var(const cx *e, uint32_t var);
bool cs_reads_var(const cs *s, uint32_t var);
bool cs_writes_var(const cs *s, uint32_t var);
/* Reads or writes: the statement itself, or it with its inner ones. */
bool cs_uses_itself(const cs *s, uint32_t var);
bool cs_uses(const cs *s, uint32_t var);
/* Statements of the list, inner ones too, that use the variable themselves. */
uint32_t cs_count_users(const cs_list *list, uint32_t var);
/* Does a statement of the list, or an inner one, write the variable? */
bool cs_list_writes(const cs_list *list, uint32_t var);
void cs_remove_at(cs_list *list, uint32_t i);
bool cs_list_uses(const cs_list *list, uint32_t var);
bool cs_overwrites(const cs *s, uint32_t *var); /* a variable as a whole, not reading it */
/* The variable that a place is part of, or CUDA_NO_VAR if it is memory. */
uint32_t cx_place_root(const cuda_fn *f, const cx *place);
/* What evaluating does besides reading variables. */
enum {
    CX_READS_MEMORY = 1,
    CX_WRITES_MEMORY = 2,
    CX_READS_GRADIENT = 4, /* gradients share no memory with values */
    CX_WRITES_GRADIENT = 8,
    CX_SPEAKS = 16,
    CX_WRITES_VARS = 32
};
unsigned cx_effects(const cuda_fn *f, const cx *e);
unsigned cs_effects(const cuda_fn *f, const cs *s);

/* cuda_refuse.c: says, at the line that is read or printed, that there is no standalone form; goes
 * on. */
void cuda_refuse(cuda_fn *f, const char *what);
void cuda_refuse_str(cuda_fn *f, str what);
/* The same of a builtin (its bare name), or of its gradient. */
void cuda_refuse_call(cuda_fn *f, str bare, bool gradient);
/* Is it a builtin of meshes, tiles and the like? */
bool cuda_is_foreign(str bare);
/* Of a value of a type that no plain CUDA text has. */
void cuda_refuse_type(cuda_fn *f, const type *t);

/* cuda_name.c: what the operands of the intermediate form stand for */
cx *cuda_operand_place(cuda_fn *f, ir_arg a); /* as a place, or value of a non-reference */
cx *cuda_operand_value(cuda_fn *f, ir_arg a); /* references loaded */
cx *cuda_parse_place(cuda_fn *f, str text, bool adjoint);
cx *cuda_slot_place(cuda_fn *f, cx *element, str access);
/* The function of the program that is called; instances of a generic one have one name. */
const ir_unit *cuda_find_func(const cuda_fn *f, str native, const ir_arg *args, uint32_t n);
cuda_form *cuda_form_of(const cuda_fn *f, const ir_unit *callee, bool adjoint);
const type *cuda_find_struct(const cuda_fn *f, str native);
str cuda_without_parentheses(str e);  /* "(e)" as "e" */
bool cuda_is_integral(const type *t); /* has no adjoint */
str cuda_bare_name(str native);       /* without "wp::" */
str cuda_keep(cuda_fn *f, strbuf *b); /* moves a builder's text to the arena */

/* cuda_read.c, cuda_read_call.c, cuda_adjoint.c: the lists as trees */
void cuda_read_list(cuda_fn *f, const ir_list *list, cs_list *out);
void cuda_read_call(cuda_fn *f, const ir_stmt *s, cs_list *out);
bool cuda_read_adjoint(cuda_fn *f, const ir_stmt *s, cs_list *out);
bool cuda_read_grad(cuda_fn *f, const ir_stmt *s, cs_list *out); /* false: no call of wp.grad */
/* cuda_tuple.c: tuples as several values; as structs where functions take them */
const type *cuda_untupled(cuda_job *job, const type *t); /* the struct for a tuple's type */
cx *cuda_tuple_item(cuda_fn *f, cx *tuple, uint32_t i);
cx *cuda_adjoint_place(cuda_fn *f, const cx *place); /* the gradient's memory for an array's */

/* cuda_row.c: rows of matrices as places */
bool cuda_is_row(const cx *e);
/* how: '=', '+' or '-' */
void cuda_set_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, char how);
void cuda_atomic_row(cuda_fn *f, cs_list *out, const cx *row, cx *value, str name);
cuda_expr cuda_row_text(cuda_fn *f, const cx *row);

/* cuda_shape.c: jumps become structure, merges assignments */
void cuda_shape(cuda_fn *f);
void cuda_free_counters(cuda_fn *f);
/* cuda_live.c: which variables are read later; what has no effect goes */
typedef struct cuda_live {
    cuda_fn *f;
    uint32_t words;
    uint64_t *now;
    uint64_t *after_loop, *at_head, *at_end;
    bool strong; /* what statements without effect read does not count */
    bool prune;  /* drop statements without effect */
    /* called before a statement's own effect on `now` is taken into account; may be NULL */
    void (*visit)(struct cuda_live *l, const cs *s);
    void *arg;
} cuda_live;
static inline bool live_has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> v % 64 & 1;
}
void cuda_live_walk(cuda_live *l);
void cuda_prune(cuda_fn *f);
void cuda_sweep(cuda_fn *f); /* what nobody reads any more goes */
void cuda_count(cuda_fn *f);
/* cuda_late.c: a variable changes when nobody asks for what it was any more */
void cuda_late(cuda_fn *f);
/* cuda_split.c: the statement, with its inner ones, uses another variable; variables that blocks
 * use on their own become several */
void cs_rename(cuda_fn *f, cs *s, uint32_t from, uint32_t to);
void cuda_split(cuda_fn *f);
/* cuda_sink.c: zeroes of adjoints move to their first use */
void cuda_sink(cuda_fn *f);
/* cuda_fold.c: temporaries go into the expressions that use them */
void cuda_fold(cuda_fn *f);
/* cuda_branch.c: contributions are added in the branch that makes them */
void cuda_branch(cuda_fn *f);
/* cuda_join.c: variables that may share storage and have one name become one */
void cuda_join(cuda_fn *f);
/* cuda_place.c: where each is declared; its name */
void cuda_place(cuda_fn *f);
/* cuda_param.c: parameters */
typedef VEC(cuda_param) cuda_params;
void cuda_name_params(cuda_fn *f);
void cuda_note_use(cuda_fn *f, const cx *array, uint32_t dim, bool stride);
void cuda_note_uses(cuda_fn *f); /* which variables and arrays the text names and writes */
void cuda_list_params(cuda_fn *f, cuda_params *out);
void cuda_put_signature(cuda_fn *f, strbuf *out, const char *before, str name,
                        const cuda_params *params, str more);
str cuda_type_text(cuda_fn *f, const type *t);
/* A struct's members for an array: pointer, sizes, strides. */
void cuda_put_array(cuda_fn *f, strbuf *b, const cx *array, const char *separator);
const cuda_struct *cuda_struct_of(cuda_fn *f, const struct_def *st);
str cuda_member_name(cuda_fn *f, const type *t, str field); /* of the field of a struct type */
/* cuda_func.c */
void cuda_name_kernels(cuda_job *job, str name, bool backward);
void cuda_make_functions(cuda_job *job, bool backward);
/* Operands that the function does not take stand for nothing. */
void cuda_drop_unused(cuda_fn *f, cx *e);
cuda_expr cuda_user_call(cuda_fn *f, const cx *e);
cuda_fn *cuda_fn_new(cuda_job *job, const ir_unit *u, bool reverse);
void cuda_simplify(cuda_fn *f); /* the passes that come first */
void cuda_run_passes(cuda_fn *f);
void cuda_read_reverse(cuda_fn *f);
uint32_t
cuda_count_results(const cx *e); /* operands of a call that are results, or their adjoints */
/* cuda_useful.c: before an adjoint is read */
void cuda_find_useful(cuda_fn *f);
/* cuda_roll.c: loops that Warp unrolls; NULL: there are none, or they cannot stand as loops */
const ir_module *cuda_lower_rolled(ctx *c, const program *p, const kernel *k, const ir_module *m);
/* Reads the forward or backward tree of a unit, simplifies it, and makes its text: with loops if
 * they mean the same. `prepare`, which may be NULL, comes before reading. */
typedef struct cuda_maker {
    void (*prepare)(cuda_fn *f, void *arg);
    void (*make)(cuda_fn *f, void *arg);
    void *arg;
} cuda_maker;
void cuda_make_unit(cuda_job *job, const ir_unit *u, bool reverse, const cuda_maker *maker);
void cuda_finish_form(cuda_fn *f, cuda_form *form, bool reverse);
/* cuda_snippet.c */
void cuda_make_snippet(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint,
                       const char *text);
const type *cuda_snippet_result(const ir_unit *u); /* NULL: it gives none, or is no snippet */
/* cuda_hint.c */
bool cuda_is_hint(const ir_unit *u, str name); /* does the program's function use the name? */
/* The name, or one like it that nothing has; taken from now on. */
str cuda_free_var(cuda_fn *f, str name);
str cuda_hint(cuda_fn *f, uint32_t var); /* what a variable would best be called */
bool cuda_is_reserved(const cuda_fn *f, str name);
bool cuda_is_taken(const cuda_fn *f, str name); /* in the function, or reserved */
str cuda_cpp_name(cuda_fn *f, str name);        /* the name, or one like it that C++ allows */
/* cuda_reserved.c: names that are not free */
bool cuda_is_reserved_word(str name); /* anywhere */
bool cuda_is_library_name(str name);  /* at file scope */
str cuda_name_in_cpp(ctx *c, str name);
str cuda_global_name(const cuda_job *job, str name); /* free at file scope */
/* cuda_wrap.c: lines that are too long are broken */
void cuda_wrap(str text, strbuf *out);
/* cuda_note.c: the comments that stand between the lines `from` and `to`; gives `to`. */
uint32_t cuda_put_notes(cuda_fn *f, strbuf *out, uint32_t indent, uint32_t from, uint32_t to);
/* The comment behind the code of a line; and putting it behind the statement that begins at start,
 * or before it. */
str cuda_note_behind(const cuda_fn *f, uint32_t line);
void cuda_put_behind(strbuf *out, size_t start, uint32_t indent, str note);
/* cuda_print.c, cuda_print_expr.c */
void cuda_print_body(cuda_fn *f, strbuf *out, uint32_t indent);
cuda_expr cuda_print_expr(cuda_fn *f, const cx *e);
str cuda_print_at(cuda_fn *f, const cx *e, cuda_prec least);
/* cuda_index.c: indices that may be negative */
void cuda_note_counters(cuda_fn *f); /* which variables of loops are not */
/* The index of dimension `dim` of the array as text, counted from the front. */
str cuda_index_text(cuda_fn *f, const cx *array, uint32_t dim, const cx *index, cuda_prec least);
/* The same of a component. */
str cuda_component_text(cuda_fn *f, const cx *index, int length);
/* cuda_array.c: pointers, sizes and strides as text */
cuda_expr cuda_element_text(cuda_fn *f, const cx *e);
str cuda_pointer_text(cuda_fn *f, const cx *array);
str cuda_size_text(cuda_fn *f, const cx *array, uint32_t dim);
str cuda_stride_text(cuda_fn *f, const cx *array, uint32_t dim); /* "1" */
str cuda_size_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);
str cuda_stride_name(cuda_fn *f, str array, uint32_t dim, uint32_t ndim);
str cuda_sprintf(cuda_fn *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
