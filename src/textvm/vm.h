/* The text machine's program: instructions with fixed operand addresses, and the state of a run.
 * Warp's functions do not call themselves, so each variable of each function has one address. */
#ifndef WEFT_TEXTVM_VM_H
#define WEFT_TEXTVM_VM_H

#include "base/vec.h"
#include "textvm/textvm.h"

typedef struct machine machine;
typedef struct ins ins;
typedef struct var var;
typedef struct vm_func vm_func;
typedef struct vm_struct vm_struct;

/* Executes one instruction and gives the next; NULL: the thread ended, or m->error says how it
 * failed. */
typedef const ins *ins_fn(const ins *i, machine *m);

struct ins {
    ins_fn *run;
    void **v; /* addresses of operands */
    union {
        const arith_op *op;
        const ins *to;
        const void *aux;
        size_t size;
    };
    uint32_t n; /* operands, or what `run` needs */
    uint32_t line;
};

/* A type as the text has it: t, or a pointer to t. */
typedef struct vt {
    const type *t;
    bool ptr;
} vt;

struct var {
    str name;
    const vm_func *func; /* that declares it */
    vt type;
    uint8_t *at;   /* its bytes; of a reference parameter those of the last argument */
    uint8_t *flag; /* NULL, or 1 when it has a value: where reading could not prove it */
    int ref;       /* index among the function's reference parameters; -1: none */
    bool is_const;
    bool assigned;     /* while reading: has a value on every path to here */
    bool written;      /* of a parameter: the body changes it */
    bool flagged;      /* needs a flag */
    const var *source; /* the pointer it was loaded from, whose adjoint is its own */
};

/* An operand that is an address inside a reference parameter's argument. */
typedef struct ref_use {
    void **where;
    size_t offset;
} ref_use;
typedef VEC(ref_use) ref_uses;

/* An instruction that gives variables with flags their value. */
typedef struct define {
    ins inner;
    const var **vars;
    uint32_t n;
} define;

typedef struct call_arg {
    bool by_reference;
    size_t size;
    uint8_t *to; /* parameter, by value */
    const ref_uses *uses;
} call_arg;

/* A call of a function of the text. Operands: the arguments, then where the result goes. */
typedef struct call_info {
    const vm_func *f;
    const call_arg *args;
    uint32_t n;
    const ins *back;
} call_info;

struct vm_func {
    str name;
    const vm_func *next; /* overload of the same name */
    vt result;           /* t NULL: none */
    var **params;
    uint32_t nparams;
    ref_uses *refs; /* for each reference parameter */
    uint32_t nrefs;
    const ins *code;
    uint32_t steps; /* of fuel that a call takes: instructions, and their work */
    uint8_t *flags; /* of variables; cleared at each call */
    uint32_t nflags;
};

typedef struct field_pair { /* p->to OP from; offsets */
    uint32_t to, from;
    const type *type;
} field_pair;
typedef VEC(field_pair) field_pairs;

enum { STRUCT_ARGS = 1, STRUCT_ADD = 2, STRUCT_ATOMIC = 4 };
struct vm_struct {
    type *t;
    field_pairs plus, atomic; /* of operator += and adj_atomic_add */
    uint32_t depth;           /* of structs in it */
    uint32_t defined;         /* parts seen: STRUCT_... */
};

/* The index of a thread as CUDA text computes it: postfix code over 64-bit numbers. */
typedef enum index_op {
    INDEX_BLOCK_IDX, /* followed by x, y, z */
    INDEX_THREAD_IDX = INDEX_BLOCK_IDX + 3,
    INDEX_BLOCK_DIM = INDEX_THREAD_IDX + 3,
    INDEX_GRID_DIM = INDEX_BLOCK_DIM + 3,
    INDEX_ADD = INDEX_GRID_DIM + 3, /* of uint32 */
    INDEX_MUL,
    INDEX_ADD64,
    INDEX_MUL64,
    INDEX_WIDEN
} index_op;
enum { INDEX_CODE_MAX = 48 };
typedef struct index_code {
    uint8_t ops[INDEX_CODE_MAX];
    uint32_t n;
    bool is64; /* type of the result */
} index_code;

typedef struct thread_place {
    uint32_t coords[INDEX_ADD]; /* indexed by index_op */
} thread_place;

/* How CUDA text finds its threads. */
typedef struct preamble {
    index_code first, step; /* step: of the grid-stride form */
    bool strided;
    bool usual; /* computes just what it should: threads need not be placed one by one */
    uint32_t line;
    uint8_t compare; /* token of _idx ? dim.size */
} preamble;

typedef struct call_record {
    const ins *back;
    void *result;
} call_record;

typedef struct restored { /* what each thread starts with */
    uint8_t *to;
    const uint8_t *from;
    size_t size;
} restored;

/* A float of an argument passed by value: its adjoint in a thread, and where they are added up. */
typedef struct kept_adjoint {
    type_kind kind;
    const uint8_t *from;
    uint8_t *to;
} kept_adjoint;

struct machine {
    int64_t fuel;      /* steps until the next call of vm_refuel; negative: it is due */
    int64_t fuel_rest; /* steps left beyond those */
    textvm *vm;
    textvm_error *error;
    uint64_t index; /* of the thread */
    int32_t coord[TEXTVM_DIMS];
    int block_dim;
    call_record *calls, *call;
    arena *views; /* arrays that were stored into structs */
    uint32_t nviews;
    const textvm_launch *launch;
    uint64_t shape[TEXTVM_DIMS], coord_mult;
    restored *restored;
    uint32_t nrestored;
    VEC(kept_adjoint) kept;
};

/* What a launch gives for a kernel's parameter: the variables, their bytes at the start of each
 * thread, and the arrays that they hold. */
typedef struct array_slot {
    size_t offset;
    const type *elem;
    array_data data, adj_data;
    bool has_grad; /* adj_data is laid out as data: Warp's array_t.grad */
    array_view view, adj_view;
} array_slot;
typedef struct kernel_param {
    var *val, *adjoint;
    uint8_t *start, *adj_start;
    size_t size;
    array_slot *arrays;
    uint32_t narrays;
} kernel_param;

struct textvm {
    ctx *c;
    arena *a;
    vm_func kernel;
    str kernel_name;
    bool cuda, backward;
    uint32_t lines, scalars; /* scalars: a bit for each type_kind that is named */
    int ndim;
    textvm_param *params;
    kernel_param *slots;
    uint32_t nparams;
    array_slot *arrays; /* of all parameters */
    uint32_t narrays;
    uint32_t nfunctions;
    preamble pre;
    ins *code; /* of all functions, the kernel's last */
    uint32_t ncode;
    call_record *calls;
    restored *restored;
    ins saved; /* what the mutant replaced */
    textvm_mutant mutant;
    bool mutated;
    uint32_t mutant_operand, mutant_count;
    void *mutant_v[12];
};

/* vm_run.c. Takes the next portion of fuel. False: there is too little left. An interrupt
 * (mem.stop) leaves as a failed allocation does. */
bool vm_refuel(machine *m);
/* Fails the run; gives NULL. */
const ins *vm_fault(machine *m, const ins *i, textvm_error_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* One instruction out of line for errors of arithmetic. */
const ins *vm_arith_fault(machine *m, const ins *i, arith_status status);

/* vm_type.c */
size_t vm_size(vt t);
size_t vm_type_size(const type *t);

/* vm_fixed.c */
bool type_is_fixed(const type *t);
size_t vm_fixed_size(const type *t);

#endif
