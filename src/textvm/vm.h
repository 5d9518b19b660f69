/* SPDX-License-Identifier: Apache-2.0 */
/* The text machine's program: instructions with fixed operand addresses, and the state of a run.
 *
 *     var_3 = wp::mul(var_1, var_2);     {run: mul_f32, v: {&var_3, &var_1, &var_2}, line: 41}
 *
 * Warp's functions do not call themselves, so each variable of each function has one address, which
 * the reader writes into the instructions. There is no stack of frames and no operand to decode;
 * running is a chain of calls through `run`. */
#ifndef WEFT_TEXTVM_VM_H
#define WEFT_TEXTVM_VM_H

#include "base/vec.h"
#include "textvm/textvm.h"

typedef struct machine machine;
typedef struct ins ins;
typedef struct var var;
typedef struct vm_func vm_func;
typedef struct vm_struct vm_struct;

/* Executes one instruction and returns the next; NULL: the thread ended, or m->error says how it
 * failed. */
typedef const ins *ins_fn(const ins *i, machine *m);

/* One instruction. The operands, and which member of the union holds, depend on `run`; the comment
 * at each function says them. */
struct ins {
    ins_fn *run;
    void **v; /* addresses of operands; NULL: there are none */
    union {
        const arith_op *op; /* do_arith, do_adjoint */
        const ins *to;      /* jumps: the target. While reading: its index, in `size` */
        const void *aux;    /* an ..._info struct, a type or a variable */
        size_t size;        /* moves: bytes */
    };
    uint32_t n;    /* operands, or what `run` needs: indices of an access, fuel of a jump back */
    uint32_t line; /* of the text, for messages */
};

/* A type as the text has it: t, or a pointer to t. t NULL: no type, the result of a void function.
 */
typedef struct vt {
    const type *t;
    bool ptr;
} vt;

/* A variable of the text, or one that the reader makes for an intermediate value. */
struct var {
    str name;            /* "var_3"; empty: the reader's own */
    const vm_func *func; /* that declares it */
    vt type;
    uint8_t *at;       /* its bytes; not used at run time where `ref` is an index */
    uint8_t *flag;     /* NULL, or 1 when it has a value: where reading could not prove it */
    int ref;           /* index among the function's reference parameters; -1: none */
    bool is_const;     /* declared const, or a const reference */
    bool assigned;     /* while reading: has a value on every path to here */
    bool written;      /* of a parameter: the body changes it */
    bool flagged;      /* needs a flag */
    const var *source; /* the pointer it was loaded from, whose adjoint is its own; NULL: none */
};

/* An operand that is an address inside a reference parameter's argument. A call stores the
 * argument's address plus `offset` to *where, which is one v[k] of an instruction. */
typedef struct ref_use {
    void **where;
    size_t offset;
} ref_use;
typedef VEC(ref_use) ref_uses;

/* An instruction that gives variables with flags their value: do_define sets the flags of the n
 * vars and runs `inner`. */
typedef struct define {
    ins inner;
    const var **vars;
    uint32_t n; /* at most 8 */
} define;

/* How a call passes one argument: by value a copy of `size` bytes, else by patching `uses`. */
typedef struct call_arg {
    bool by_reference;
    size_t size;
    uint8_t *to;          /* the parameter's bytes; by value only */
    const ref_uses *uses; /* by reference only */
} call_arg;

/* A call of a function of the text. Operands: the arguments, then where the result goes. */
typedef struct call_info {
    const vm_func *f;
    const call_arg *args;
    uint32_t n;      /* arguments */
    const ins *back; /* where the caller goes on */
} call_info;

/* A function of the text, or the kernel. */
struct vm_func {
    str name;
    const vm_func *next; /* overload of the same name */
    vt result;           /* t NULL: none */
    var **params;
    uint32_t nparams;
    ref_uses *refs; /* for each reference parameter */
    uint32_t nrefs;
    const ins *code; /* its first instruction, in textvm.code; set by code_finish */
    uint32_t steps;  /* of fuel that a call takes: instructions, and their work */
    uint8_t *flags;  /* of variables; cleared at each call */
    uint32_t nflags;
    bool meets; /* the lanes of a block may meet in it: it has tiles, or calls such a function */
};

/* A line of operator += or adj_atomic_add: `mass += rhs.mass`. In a damaged text the two fields may
 * differ. */
typedef struct field_pair {
    uint32_t to, from; /* offsets of the fields in the struct, in bytes */
    const type *type;  /* of both */
} field_pair;
typedef VEC(field_pair) field_pairs;

/* Bits of vm_struct.defined. STRUCT_ARGS: wp_args_NAME; the others: the helper has been read. */
enum { STRUCT_ARGS = 1, STRUCT_ADD = 2, STRUCT_ATOMIC = 4 };
/* A struct of the text. */
struct vm_struct {
    type *t;
    field_pairs plus, atomic; /* of operator += and adj_atomic_add */
    uint32_t depth;           /* of structs in it; 0: only values and arrays */
    uint32_t defined;         /* parts seen: STRUCT_... */
};

/* The index of a thread as CUDA text computes it: postfix code over 64-bit numbers (vm_index.c).
 * Operations below INDEX_ADD push a coordinate; each such group has three, for x, y and z. */
typedef enum index_op {
    INDEX_BLOCK_IDX,
    INDEX_THREAD_IDX = INDEX_BLOCK_IDX + 3,
    INDEX_BLOCK_DIM = INDEX_THREAD_IDX + 3,
    INDEX_GRID_DIM = INDEX_BLOCK_DIM + 3,
    INDEX_ADD = INDEX_GRID_DIM + 3, /* of uint32, with wrap-around */
    INDEX_MUL,
    INDEX_ADD64,
    INDEX_MUL64,
    INDEX_WIDEN /* static_cast<size_t>: the number stays as it is */
} index_op;
enum { INDEX_CODE_MAX = 48 };
typedef struct index_code {
    uint8_t ops[INDEX_CODE_MAX];
    uint32_t n;
    bool is64; /* type of the result */
} index_code;

/* The built-in variables of one CUDA thread: blockIdx.x and so on. */
typedef struct thread_place {
    uint32_t coords[INDEX_ADD]; /* indexed by index_op */
} thread_place;

/* How CUDA text finds its threads. Two forms:
 *
 *     const size_t _idx = FIRST; if (_idx >= dim.size) return;
 *     for (size_t _idx = FIRST; _idx < dim.size; _idx += STEP) {        strided
 */
typedef struct preamble {
    index_code first, step; /* step: of the strided form only */
    bool strided;
    bool usual;      /* computes just what it should: threads need not be placed one by one */
    uint32_t line;   /* of the text */
    uint8_t compare; /* the token between _idx and dim.size */
} preamble;

/* A call in progress. */
typedef struct call_record {
    const ins *back; /* where the caller goes on */
    void *result;    /* where the result goes; NULL: none */
} call_record;

/* A parameter that the text writes: each thread begins with its launch value. */
typedef struct restored {
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

/* The state of one textvm_run. The variables themselves are in the program. */
struct machine {
    int64_t fuel;      /* steps until the next call of vm_refuel; negative: it is due */
    int64_t fuel_rest; /* steps left beyond those */
    textvm *vm;
    textvm_error *error;
    uint64_t index; /* of the thread */
    int32_t coord[TEXTVM_DIMS];
    int block_dim;
    uint64_t size;             /* threads, where they run in the order of their index; else 0 */
    call_record *calls, *call; /* the stack of calls; `call`: one past its top */
    arena *views;              /* arrays that were stored into structs; rewound after the run */
    uint32_t nviews;
    const textvm_launch *launch;
    /* the launch's dimensions that the kernel has; the product of the others, at least 1 */
    uint64_t shape[TEXTVM_DIMS], coord_mult;
    restored *restored;
    uint32_t nrestored;
    VEC(kept_adjoint) kept;   /* empty unless the launch has gradients */
    struct lane_block *block; /* of a program with tiles, else NULL */
    /* The lane that ran last waits here for the others of its block, and goes on there; else NULL.
     */
    const ins *met, *resume;
};

/* An array in a kernel's parameter: the parameter itself, or a field of a struct. The launch's
 * views are copied here, so that view.data points to `data` and identifies the slot. */
typedef struct array_slot {
    size_t offset; /* in the parameter, of the pointer to its view */
    const type *elem;
    array_data data, adj_data;
    bool has_grad; /* adj_data is laid out as data: Warp's array_t.grad */
    array_view view, adj_view;
} array_slot;

/* What a launch gives for a kernel's parameter: the variables, their bytes at the start of each
 * thread, and the arrays that they hold. */
typedef struct kernel_param {
    var *val, *adjoint; /* var_x, and adj_x in a backward text, else NULL */
    uint8_t *start, *adj_start;
    size_t size;
    array_slot *arrays;
    uint32_t narrays;
} kernel_param;

/* A number that is a constant of a function, or a lane of one: no instruction writes it. */
typedef struct vm_constant {
    type_kind kind;
    uint8_t *at;
    uint8_t *whole; /* the constant that it is a lane of: a table, say; else `at` */
    size_t size;    /* of the whole */
} vm_constant;

/* The bytes of the number itself. */
static inline size_t vm_constant_width(const vm_constant *k)
{
    return layout_size(&(type){.kind = (uint8_t)k->kind});
}

/* A chunk of memory with variables. */
typedef struct frame_part {
    uint8_t *at;
    size_t size;
} frame_part;

/* A program. */
struct textvm {
    ctx *c;
    arena *a; /* owns the program and is the scratch of its runs */
    vm_func kernel;
    str kernel_name;
    bool cuda, backward;
    bool tiles;                /* it has tiles: threads run block by block (vm_tile.h) */
    VEC(frame_part) frame;     /* the variables of the kernel, and of functions that meet */
    VEC(frame_part) variables; /* each one, of the functions too */
    uint32_t lines, scalars;   /* scalars: a bit for each type_kind that is named */
    int ndim;                  /* of launch_bounds_t<N>, 1 to 4 */
    textvm_param *params;
    kernel_param *slots; /* one for each of params */
    uint32_t nparams;
    array_slot *arrays; /* of all parameters */
    uint32_t narrays;
    uint32_t nfunctions;
    preamble pre; /* CUDA text only */
    ins *code;    /* of all functions, the kernel's last */
    uint32_t ncode;
    VEC(vm_constant) constants; /* in the order of the text */
    call_record *calls;         /* storage for machine.calls and machine.restored */
    restored *restored;
    /* the applied mutant, where `mutated` (vm_mutant.c) */
    ins saved;               /* what the mutant replaced */
    uint8_t saved_number[8]; /* the same of a constant */
    textvm_mutant mutant;
    bool mutated;
    uint32_t mutant_operand, mutant_count; /* MUTANT_INDEX: which of how many operands */
    void *mutant_v[12];                    /* MUTANT_INDEX: the operands of the changed access */
};

/* vm_run.c. Takes the next portion of fuel. Returns false if too little is left. An interrupt
 * (mem.stop) leaves as a failed allocation does. */
bool vm_refuel(machine *m);
/* Fails the run: fills *m->error with the kernel's name, the sentence, the thread and the line.
 * Returns NULL, which an instruction returns in turn. i NULL: not the fault of one instruction. */
const ins *vm_fault(machine *m, const ins *i, textvm_error_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Sets the thread's index and coordinates, its parameters and its flags. */
void vm_thread_start(machine *m, uint64_t index);
/* Runs from an instruction to the thread's end, or to where it waits for its block. */
void vm_thread_run(machine *m, const ins *i);
/* One instruction out of line for errors of arithmetic. */
const ins *vm_arith_fault(machine *m, const ins *i, arith_status status);

/* vm_type.c: bytes of a variable. */
size_t vm_size(vt t);
size_t vm_type_size(const type *t);

/* vm_fixed.c */
bool type_is_fixed(const type *t);
/* Bytes of a variable that holds such an array: the view and the elements. */
size_t vm_fixed_size(const type *t);

#endif
