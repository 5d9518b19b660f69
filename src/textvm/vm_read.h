/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's state and its parts. One pass over the text; an error leaves by longjmp.
 *
 *     text -> tokens      vm_token.c      types, literals     vm_type.c, vm_constant.c, vm_fixed.c
 *     definitions         textvm.c, vm_struct.c, vm_function.c, vm_kernel.c, vm_index.c
 *     statements          vm_stmt.c       places              vm_place.c, vm_slot.c
 *     calls               vm_call.c, vm_forms.c, vm_array.c, vm_builtin.c
 *     instructions        vm_code.c
 *
 * A function NAME_read consumes its tokens; r->tok is always the next one that nobody has taken.
 * A function emit_NAME appends instructions. */
#ifndef WEFT_TEXTVM_VM_READ_H
#define WEFT_TEXTVM_VM_READ_H

#include <setjmp.h>

#include "textvm/vm_ops.h"

/* Kinds of tokens from 32 to 126 are the ASCII characters that they consist of. */
typedef enum token_kind {
    T_END,
    T_NAME,
    T_NUMBER,
    T_STRING,
    T_PLUS_SET = 128, /* += */
    T_MINUS_SET,      /* -= */
    T_EQ,
    T_NE,
    T_LE,
    T_GE,
    T_AND,
    T_OR,
    T_ARROW, /* -> */
    T_SCOPE  /* :: */
} token_kind;

/* Limits of one text, so that no text takes unbounded memory: arguments of a call, depth of blocks,
 * instructions, components of a vector or matrix. More is an error of the text. */
enum { ARGS_MAX = 300, BLOCKS_MAX = 200, CODE_MAX = 200000, LANES_MAX = 4096 };

typedef struct reader reader;
typedef struct vm_name vm_name;
typedef struct form form;

/* How a call of wp::NAME is read; `result` NULL: a statement of its own. */
typedef struct call call;
typedef void form_fn(reader *r, call *k);
struct form {
    const char *name;
    form_fn *read;
    int what;        /* for form_fn: an atomic_kind, or how many arguments */
    bool reads_args; /* the form reads the parentheses itself */
};

/* A label of the function being read. `common` and `log` are lengths of reader.log. */
typedef struct label {
    int64_t at;          /* instruction; -1: not seen yet */
    uint32_t common;     /* assigned variables that every jump to it has, see log */
    uint32_t log;        /* how many were assigned where it stands */
    uint64_t work;       /* of the operations before it */
    VEC(uint32_t) jumps; /* instructions that wait for it */
    bool used;           /* a jump has named it */
    const struct vm_name *name;
} label;

/* A name of the text, interned: equal names are one vm_name. It holds all that the name can mean,
 * so that no lookup follows. */
struct vm_name {
    str s; /* in the text, without wp:: */
    uint32_t hash;
    uint32_t var_scope, label_scope; /* `var` and `label` count where these are reader.scope */
    var *var;
    label *label;
    vm_func *func; /* the last overload read; NULL: no function */
    vm_struct *st;
    vm_struct *args;    /* wp_args_NAME, which is no type of variables */
    const type *scalar; /* wp::NAME is this type */
    const form *form;
    bool form_known; /* `form` has been looked up; then the name is called, and is no type */
};

typedef struct vm_token {
    int kind;
    bool native; /* T_NAME: wp:: stands before it */
    vm_name *id;
    str text; /* numbers and strings */
} vm_token;

typedef struct vm_block { /* an open if */
    uint32_t jump;
    uint32_t log;
} vm_block;

typedef struct write_mark { /* instruction `ins` (an index) gives `v` a value */
    uint32_t ins;
    var *v;
} write_mark;

typedef struct fixup { /* *where becomes the address of an instruction */
    const ins **where;
    uint32_t at;
} fixup;

/* An accum made for this text; see accum_of. */
typedef struct accum_note {
    const type *t;
    bool atomic;
    const accum *a;
} accum_note;

typedef struct type_note { /* array types made for this text */
    const type *t;
} type_note;

/* A call's operand as the text has it: a variable, or a part of one. */
typedef struct operand {
    var *v;
    size_t offset; /* of the part, in bytes */
    vt type;       /* of the part */
    bool address;  /* of v, written &v or &(v) */
} operand;

/* The call being read. There is one at a time: Warp's text nests no calls but in places. */
struct call {
    vm_name *id;
    bool adjoint;     /* the name begins with adj_ */
    const form *form; /* NULL: a function of the text, or arithmetic */
    var *result;      /* NULL: a statement of its own */
    operand args[ARGS_MAX];
    uint32_t n;
    uint32_t groups[4], ngroups; /* how many arguments there are at the end of each {...} */
    vt targs[4];                 /* template arguments; t NULL: a number */
    int64_t tnums[4];            /* where targs[i].t is NULL */
    uint32_t ntargs;
    const type *made; /* wp::TYPE(...): the type; NULL: no constructor */
};

typedef struct struct_field_text {
    vm_name *id;
    const type *type;
} struct_field_text;

/* Whose text it is; for native code, which comes before the kernel's head says so. */
typedef enum text_device { DEVICE_UNKNOWN, DEVICE_CPU, DEVICE_CUDA } text_device;

struct reader {
    ctx *c;
    arena *a; /* what the program keeps */
    arena *s; /* what is forgotten when the text is read: the context's scratch */
    textvm *vm;
    textvm_error *error;
    jmp_buf fail;
    const char *p, *end;              /* the text behind tok */
    uint32_t line, token_line;        /* of p; of tok */
    uint32_t type_depth, place_depth; /* of the recursion, which has a limit */
    vm_token tok;                     /* the next token */
    text_device device;
    vm_name **names; /* an open hash table; names_cap is a power of two */
    uint32_t nnames, names_cap;
    VEC(type_note) types;
    /* the function being read */
    vm_func *f;
    uint32_t scope; /* a number of its own for each function, from 1 */
    bool in_kernel, may_continue;
    uint32_t first_variable, met_parts; /* of the function; parts of vm->frame of functions */
    int tid_dims;                       /* of the thread's index, as the kernel uses it */
    VEC(ins) code;
    uint32_t start; /* of the function's code */
    uint64_t work;  /* of the function's operations so far: arith_op's */
    /* all variables of the function; those that surely have a value here, as they got it */
    VEC(var *) vars, log;
    VEC(label *) labels;
    VEC(write_mark) writes;
    VEC(const type *) numbered; /* types of var_0, var_1, ... */
    uint32_t nadjoints;         /* adj_0, adj_1, ... that are declared */
    uint32_t nflags;
    uint32_t nblocks; /* open ones, in `blocks` */
    VEC(fixup) fixups;
    VEC(accum_note) accums;
    uint32_t flattened;  /* work done by accum_of, which has a limit */
    uint32_t zero_after; /* instructions from here on may be joined: no jump leads between them */
    size_t frame;        /* bytes of variables so far */
    uint8_t *frame_p, *frame_end;
    /* not zeroed when a text begins */
    vm_block blocks[BLOCKS_MAX];
    call call;
};

/* Where a value stands: at `offset` in the variable v, or where `behind`, at `offset` from where v
 * points to. `type` is the value's, never a pointer where `behind`. */
typedef struct place {
    var *v;
    size_t offset;
    vt type;
    bool behind;
} place;

/* vm_place.c. They emit what finds the place: checked accesses, loads, additions to pointers. */
place place_read(reader *r);
/* The place's value as an operand; behind a pointer, a loaded copy. */
operand place_operand(reader *r, const place *p);
/* A variable that holds the place's address; the second stores it to `to`. */
var *place_pointer(reader *r, const place *p);
void place_address(reader *r, const place *p, var *to);
/* A pointer to component `index` of the n in the composite t behind `at`; rows: to a row of it. */
var *component_step(reader *r, var *at, const type *t, bool rows, int n, var *index);
/* The same with its indices read already. */
void component_apply(reader *r, place *p, const vm_name *fn, var *const *indices, uint32_t n);
/* A member of a composite: .p and .q of a transform, .x to .w of a quaternion; .c and .data, the
 * components of a vector and a matrix, change nothing. False: it is none, and p stays. */
bool composite_member(reader *r, place *p, const vm_name *member);
/* [index], or [number] where index is NULL, behind a composite: C++'s own subscript. */
void subscript_apply(reader *r, place *p, var *index, int64_t number);

/* vm_array.c: calls on arrays */
/* A new one for whole elements. */
array_info *array_info_of(reader *r, const type *elem);
const type *array_elem(reader *r, vt array); /* fails if it is none */
/* The address of an element's gradient, NULL where there is none; own: a store clears it. */
void array_gradient(reader *r, var *to, var *own, var *array, var *adjoint, const operand *indices,
                    uint32_t n);
/* to = the address of the element of a; `to` must be a pointer to an element. */
void array_address(reader *r, var *to, const operand *a, const operand *indices, uint32_t n);

/* vm_token.c */
/* End reading with TEXTVM_UNREADABLE or with TEXTVM_MISSING ("cannot execute WHAT"). */
_Noreturn void read_fail(reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void read_missing(reader *r, str what);
void tok_start(reader *r, str text);
void tok_next(reader *r);
/* Takes a token of this kind; another ends reading. tok_accept returns false instead. */
void tok_expect(reader *r, int kind);
bool tok_accept(reader *r, int kind);
/* The name `word`, a literal, without and with wp:: */
#define tok_is(r, word)        tok_is_word((r), "" word, sizeof(word) - 1, false)
#define tok_is_native(r, word) tok_is_word((r), "" word, sizeof(word) - 1, true)
static inline bool tok_is_word(const reader *r, const char *word, size_t n, bool native)
{
    return r->tok.kind == T_NAME && r->tok.native == native && r->tok.id->s.n == n &&
           memcmp(r->tok.id->s.p, word, n) == 0;
}
/* Takes the tokens in `words`, which have one space between; others end reading. */
void tok_words(reader *r, const char *words);
vm_name *tok_name(reader *r);       /* a plain name, taken */
vm_name *name_of(reader *r, str s); /* interned; s must live as long as the program */
int64_t tok_int(reader *r);         /* a plain integer, taken */

/* vm_type.c */
bool type_starts(reader *r); /* does the next token begin a type? */
vt type_read(reader *r);
/* The one array type of this element and class in this text. */
const type *type_array_of(reader *r, const type *elem, array_class cls);
bool vt_same(vt a, vt b);
/* May a function or builtin take `have` as its argument of type `want`? */
bool vt_takes(vt want, vt have);
/* Ends reading: "the type is HAVE where WANT is needed". */
_Noreturn void type_fail(reader *r, vt want, vt have);

/* Does wp::S name a type or a family of types? Is t the type wp::S, or of that family (vec_t)? */
bool type_named(reader *r, str s);
bool type_is_named(const type *t, str s);

/* vm_fixed.c: arrays of a fixed size */
bool vt_is_fixed(vt t);
void emit_fixed_empty(reader *r, var *to);
void emit_fixed_copy(reader *r, var *to, const operand *from);
form_fn form_fixed;

/* vm_struct.c */
void struct_read(reader *r);
/* CUDA_CALLABLE ...: add and adj_atomic_add of a struct. */
void struct_helper_read(reader *r);
/* What `t += t` adds, or adj_atomic_add(&t, t). One per type; kept for the whole text. */
const accum *accum_of(reader *r, const type *t, bool atomic);
/* The field's type and offset; false: the struct has no such field. */
bool struct_find(reader *r, const type *st, const vm_name *field, vt *type, size_t *offset);

/* vm_constant.c: reads a literal of type t into at. */
void constant_read(reader *r, const type *t, uint8_t *at);
bool constant_starts(const reader *r);

/* vm_code.c: variables and instructions */
/* Appends an instruction with room for n operands. The pointer holds until the next code_emit. */
ins *code_emit(reader *r, ins_fn *run, uint32_t n);
/* Operand k is v, at an offset; or what the text's operand is. */
void code_operand(reader *r, ins *i, uint32_t k, var *v, size_t offset);
void code_arg(reader *r, ins *i, uint32_t k, const operand *o);
var *var_declare(reader *r, vm_name *id, vt type);
var *var_temp(reader *r, vt type);  /* without a name, for an intermediate value */
var *var_read(reader *r);           /* a variable's name, taken */
void var_use(reader *r, var *v);    /* it must have a value here */
void var_define(reader *r, var *v); /* the last instruction gives it one */
/* The instruction gives it a value or leaves it unset, which its flag says. */
void var_maybe_define(reader *r, var *v);
/* Like var_use, but emits no check: the instruction that follows tests the flag itself where it
 * reads v. So does wp::where, which reads one of two. */
void var_lazy(reader *r, var *v);
/* Ends reading unless `adjoint` is named as v's: adj_3 for var_3, or for what was loaded from it.
 */
void var_pair(reader *r, const var *v, const var *adjoint);
void label_here(reader *r, vm_name *id);
void label_jump(reader *r, ins *i, vm_name *id); /* the last instruction jumps to it */
void branch_open(reader *r);                     /* by the last instruction, if its test fails */
void branch_close(reader *r);
void function_start(reader *r, vm_func *f);
void function_end(reader *r);
void code_finish(reader *r);                 /* after all functions: indices become addresses */
uint8_t *frame_take(reader *r, size_t size); /* zeroed storage for a variable */
/* Lets code_finish store the address of instruction `at` to *where. */
void code_fixup(reader *r, const ins **where, uint32_t at);

/* vm_stmt.c */
void body_read(reader *r); /* statements up to the closing brace of the function */
void emit_move(reader *r, var *to, const operand *from);
void emit_constant(reader *r, var *to); /* a literal follows */
void emit_zero_all(reader *r, var *to);
/* A condition's variable as a bool: v itself, or a new one. An array is true if it has data. */
var *emit_condition(reader *r, var *v);
/* Sets a field, at its offset; `to` must have a value. */
void emit_field_set(reader *r, var *to, size_t offset, const operand *from);

/* vm_call.c: a call, from its name on; result NULL: its value is dropped. */
void call_read(reader *r, var *result);
/* A call of a function of the text whose arguments are in k->args. */
void call_with_args(reader *r, call *k, const vm_func *f);
/* vm_builtin.c: a call of arithmetic whose arguments are read. */
void call_native(reader *r, call *k);
void emit_operation(reader *r, const char *name, const operand *args, uint32_t n, var *result);

/* vm_forms.c, vm_array.c, vm_slot.c */
const form *form_find(str name); /* NULL: none of this name */
form_fn form_address, form_adj_address, form_adj_slot, form_adj_array_store, form_adj_atomic,
    form_adj_len, form_not, form_adj_not, form_adj_view, form_atomic_slot, form_array_store,
    form_atomic, form_len, form_lower_bound, form_view, form_load, form_store, form_tuple;

/* vm_function.c */
void function_read(reader *r);
/* vm_native.c: the body of a native snippet */
bool native_starts(const reader *r, const vm_func *f);
void native_body_read(reader *r, vm_func *f);
/* vm_kernel.c */
void kernel_cpu_read(reader *r);
void kernel_cuda_read(reader *r);
/* vm_index.c: how CUDA text finds its threads */
void preamble_read(reader *r);

#endif
