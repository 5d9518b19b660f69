/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of CUDA C++ and the definitions they use.
 *
 * An expression's text carries what its outermost operator binds like, so that whoever puts it
 * into another expression knows whether it needs parentheses. A text that names a type or a device
 * function uses a definition; cuda_defs collects the definitions of one program, and prints those
 * that are used, each after what it uses in turn. */
#ifndef WEFT_CUDARULE_TEXT_H
#define WEFT_CUDARULE_TEXT_H

#include "types/type.h"

/* What an expression's outermost operator binds like: the lower, the sooner it needs
 * parentheses. */
typedef enum cuda_prec {
    CUDA_NO_FORM, /* there is no expression */
    CUDA_ASSIGN,
    CUDA_COND,
    CUDA_OR,
    CUDA_AND,
    CUDA_BIT_OR,
    CUDA_BIT_XOR,
    CUDA_BIT_AND,
    CUDA_EQUAL,
    CUDA_COMPARE,
    CUDA_SHIFT,
    CUDA_ADD,
    CUDA_MUL,
    CUDA_UNARY,
    CUDA_POSTFIX,
    CUDA_PRIMARY
} cuda_prec;

/* An expression. Its members beside the text describe this text as a whole; they are lost where the
 * expression becomes an operand of another. */
typedef struct cuda_expr {
    str text; /* in the arena */
    const type *type;
    cuda_prec prec;
    uint32_t operand; /* a placeholder, and nothing else: its number plus 1; 0: it is none */
    const struct cuda_expr *negates; /* "-x": x */
    const struct cuda_expr *inverts; /* "!x": x */
    const struct cuda_expr *wide;    /* of a 16-bit float: the same as a float, not rounded */
    const struct cuda_list *list;    /* "vec3{a, b, c}": what stands in the braces; NULL: none */
    bool is_integer;                 /* a literal of an integer type: its value is `integer` */
    int64_t integer;
} cuda_expr;

/* The initializer list that an expression ends with. */
typedef struct cuda_list {
    str name;               /* "vec3" */
    str braces;             /* "{a, b, c}" */
    const cuda_expr *items; /* one for each lane of a vector or quaternion; NULL: not known */
    uint32_t nitems;
} cuda_list;

static inline cuda_expr cuda_expr_of(str text, const type *t, cuda_prec prec)
{
    return (cuda_expr){.text = text, .type = t, .prec = prec};
}

/* A hole in a text: where an operand of the caller's is put in later. */
typedef struct cuda_hole {
    uint32_t operand;     /* the caller's number for it */
    uint8_t least;        /* cuda_prec: how closely the operand has to bind there */
    int8_t part;          /* CUDA_WHOLE, CUDA_MEMBER, or which component is taken, 0 to 3 */
    const type *less_one; /* the operand minus 1 stands there, of this type; NULL: the operand */
} cuda_hole;

enum {
    CUDA_WHOLE = -1, /* the operand itself */
    CUDA_MEMBER = -2 /* the text goes on with a member of it: ".p", ".c[2]" */
};

/* A literal of an integer type. x is what C computes it as: -1 for "-1", not for "0xffffffffu". */
static inline cuda_expr cuda_literal(str text, const type *t, cuda_prec prec, int64_t x)
{
    return (cuda_expr){.text = text, .type = t, .prec = prec, .is_integer = true, .integer = x};
}

#define CUDA_NONE ((cuda_expr){.prec = CUDA_NO_FORM})

/* The definitions of one program: cuda_defs_make (cudarule_call.h) makes them. */
typedef struct cuda_defs cuda_defs;

/* Is this identifier used by the program, so that no definition may have it? */
typedef bool cuda_taken(const void *arg, str name);

/* e's text as an operand of something that binds like `least`: in parentheses if it has to be. */
str cuda_operand(cuda_defs *n, const cuda_expr *e, cuda_prec least);
/* "vec3{a, b}", with its list: of these items, or with the text `inner` in the braces. */
cuda_expr cuda_braces(cuda_defs *n, const type *t, str name, str inner, const cuda_expr *items,
                      uint32_t nitems);
/* Two minus signs must not touch: they would be another operator. */
bool cuda_begins_with_minus(const cuda_expr *e);
/* A copy in the arena. */
const cuda_expr *cuda_kept(cuda_defs *n, const cuda_expr *e);
/* Of "-(a + b)" and "!(a && b)": what is in the parentheses; NULL: it is no such. */
const cuda_expr *cuda_in_parentheses(const cuda_expr *e);

/* The definitions that are looked up between cuda_uses_begin and cuda_uses_end are those of one
 * text. They are added to the program's by cuda_uses_add once it is certain that the text stays. */
typedef struct cuda_uses {
    const uint32_t *v;
    uint32_t n;
} cuda_uses;
uint32_t cuda_uses_begin(const cuda_defs *n);
cuda_uses cuda_uses_end(cuda_defs *n, uint32_t begin);
void cuda_uses_add(cuda_defs *n, cuda_uses u);

/* Every definition that is used once, each after what it needs. */
void cuda_defs_print(cuda_defs *n, strbuf *out);

/* Names of headers that not every compiler of the text has: types of cuda_fp16.h and cuda_bf16.h,
 * and macros of math.h, which NVRTC lacks. */
typedef enum cuda_extern {
    CUDA_EXTERN_HALF,     /* __half */
    CUDA_EXTERN_BFLOAT16, /* __nv_bfloat16 */
    CUDA_EXTERN_INFINITY,
    CUDA_EXTERN_NAN,
    CUDA_EXTERN_HUGE_VALF,
    CUDA_EXTERN_HUGE_VAL,
    CUDA_EXTERNS
} cuda_extern;

/* The text in the making has the name, as if it were that of a definition. */
void cuda_use_extern(cuda_defs *n, cuda_extern x);
/* Uses those of the names that stand in a text of others, such as a native snippet. */
void cuda_use_externs_of(cuda_defs *n, str text);
/* A set, 1 << cuda_extern, of what the used definitions and texts have. */
unsigned cuda_defs_externs(cuda_defs *n);

#endif
