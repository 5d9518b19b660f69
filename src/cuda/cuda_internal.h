/* Inside of cuda/'s calls: definitions, the rules that they are made from, and expressions.
 *
 * A rule tells what a builtin is for types of some pattern, in a small language that looks like C
 * (cuda_rule_expr.c, cuda_rule_stmt.c): its operators and calls are again builtins, so that the
 * text for each scalar type, and what it needs, follow from one rule. */
#ifndef WEFT_CUDA_INTERNAL_H
#define WEFT_CUDA_INTERNAL_H

#include "cuda/cuda_call.h"

enum { CUDA_ARGS_MAX = 128 };

/* A definition that the text needs. */
typedef struct cuda_def {
    str key; /* what it is looked up by */
    str name;
    str text;
    bool is_type;
    cuda_uses uses; /* what it needs in turn */
} cuda_def;

/* A definition in the making: uses from `first` on are its own. */
typedef struct cuda_frame {
    str key;
    uint32_t first;
} cuda_frame;

/* A name of definitions, and what stands for it since the program has the name. */
typedef struct cuda_alias {
    str wanted, name;
} cuda_alias;

/* A 16-bit float and the same value as a float, without rounding. */
typedef struct cuda_exact {
    const char *of;
    str text;
} cuda_exact;

struct cuda_needs {
    ctx *c;
    arena *a;
    cuda_taken *taken;
    const void *taken_arg;
    VEC(cuda_def) defs; /* each after what it needs */
    VEC(uint32_t) used; /* by the text, by number */
    VEC(cuda_frame) frames;
    VEC(cuda_alias) aliases;
    VEC(cuda_exact) exact; /* by where the text of the 16-bit float lies */
    str row, col;          /* counters of loops over lanes; empty: i and j */
};

#define CUDA_NONE ((cuda_expr){{NULL, 0}, NULL, CUDA_NO_FORM})

/* cuda_needs.c */
/* NULL: it has to be made, with cuda_def_add in the end. */
const cuda_def *cuda_def_find(cuda_needs *n, str key);
void cuda_def_add(cuda_needs *n, str key, str name, str text, bool is_type);
/* The name, or one like it that the program does not use. */
str cuda_free_name(cuda_needs *n, str name);
/* The pattern with each '@' replaced by the next str of the arguments. */
str cuda_text(cuda_needs *n, const char *pattern, ...);
str cuda_decimal(cuda_needs *n, int64_t x);
/* The builder's text in the arena; the builder is given back. */
str cuda_take(cuda_needs *n, strbuf *b);

/* cuda_type.c */
/* Are its scalars the members x, y, z, w? */
bool cuda_has_letters(const type *t);
int cuda_lanes(const type *t);
/* How lane k of a value of the type is reached: ".x", ".c[4]", ".m[1][2]", ".q.w". */
str cuda_lane(cuda_needs *n, const type *t, int k);
/* The same in a loop over i, or over i and j of matrices. */
str cuda_lane_in_loop(cuda_needs *n, const type *t);
str cuda_loop_name(const cuda_needs *n, bool col);
cuda_expr cuda_lane_of(cuda_needs *n, const cuda_expr *e, int k);

/* cuda_number.c */
cuda_expr cuda_cast(cuda_needs *n, const type *to, const cuda_expr *e);
/* value in parentheses of a type: T(x), for 16-bit floats and narrow integers. */
cuda_expr cuda_narrowed(cuda_needs *n, const type *t, str value, cuda_prec prec);

/* 16-bit floats: the text tells the same value as a float. */
void cuda_note_exact(cuda_needs *n, const cuda_expr *e, str text);

/* The same bits as a value of another type. */
cuda_expr cuda_bits(cuda_needs *n, const type *to, const cuda_expr *e);

/* cuda_operator.c: operators of scalars, by Warp's names */
cuda_expr cuda_operator(cuda_needs *n, str name, const cuda_expr *args, uint32_t nargs);
cuda_expr cuda_compare(cuda_needs *n, str op, const cuda_expr *a, const cuda_expr *b);
/* "+" for "add"; NULL: it is no operator in CUDA C++. */
const char *cuda_symbol(str name, uint32_t nargs);
cuda_prec cuda_symbol_prec(const char *symbol, uint32_t nargs);

/* cuda_math.c: functions of <math.h>, and the like, of scalars */
cuda_expr cuda_math(cuda_needs *n, str name, const cuda_expr *args, uint32_t nargs);

/* cuda_construct.c */
bool cuda_constructs(str name, const type *result);
cuda_expr cuda_construct(cuda_needs *n, const type *t, const cuda_expr *args, uint32_t nargs);
/* matrix_from_rows, matrix_from_cols */
cuda_expr cuda_from_vectors(cuda_needs *n, str name, const cuda_expr *args, uint32_t nargs);

/* cuda_element.c: elements, rows and slices */
cuda_expr cuda_element(cuda_needs *n, str name, const type *result, const cuda_expr *args,
                       uint32_t nargs);

/* cuda_matrix.c */
cuda_expr cuda_matrix(cuda_needs *n, str name, const type *result, const cuda_expr *args,
                      uint32_t nargs);

/* cuda_atomic.c */
cuda_expr cuda_atomic(cuda_needs *n, str name, const cuda_expr *args, uint32_t nargs);

/* cuda_speak.c: wp.print and expectations */
cuda_expr cuda_speak(cuda_needs *n, str name, const cuda_expr *args, uint32_t nargs);

/* What an adjoint is made of. */
typedef struct cuda_adjoint {
    cuda_needs *n;
    strbuf *out;
    const char *indent;
    str name;
    const type *result;
    const cuda_expr *args, *adj_args;
    uint32_t nargs;
    const cuda_expr *value, *adj_result;
} cuda_adjoint;

/* False: it has no form. */
bool cuda_construct_adjoint(const cuda_adjoint *q, const type *t);
bool cuda_from_vectors_adjoint(const cuda_adjoint *q);
bool cuda_element_adjoint(const cuda_adjoint *q);
bool cuda_atomic_adjoint(const cuda_adjoint *q);
bool cuda_rule_adjoint(const cuda_adjoint *q);

/* cuda_rule_match.c: a pattern of types, as codes:
 *   s scalar  L composite  V vector  W another vector  M matrix  N another matrix
 *   Q quaternion  P transformation  2 3 4 6 vector of that length  D m h S matrix of 2, 3, 4, 6
 * rows b bool  i int  u unsigned int  f float  c bool or any integer  x any value & before a code:
 * by reference then '>' and the result: a code, or * (what arith says), or nothing. */
typedef struct cuda_rule {
    const char *name;
    const char
        *kinds; /* scalars that it holds for: I signed, U unsigned, F floats, B bool; "" any */
    const char *pattern;
    const char *wanted; /* adjoints: which arguments' adjoints it gives at most; NULL all */
    const char *text;
} cuda_rule;

typedef struct cuda_binding {
    const type *scalar;  /* s */
    const type *of[128]; /* by code */
    const type *args[CUDA_ARGS_MAX];
    bool by_reference[CUDA_ARGS_MAX];
    bool by_value[CUDA_ARGS_MAX]; /* large, yet a copy that the function changes */
    uint32_t nargs;
    const type *result; /* NULL: none */
} cuda_binding;

bool cuda_match(cuda_needs *n, const cuda_rule *r, const type *const *args, uint32_t nargs,
                const type *result, cuda_binding *out);
extern const cuda_rule cuda_rules[], cuda_adj_rules[];

/* A name in a rule's text. */
typedef struct cuda_var {
    str name;
    cuda_expr e;
    bool is_array; /* of e.type */
    bool unwanted; /* an adjoint: statements that change it are left out */
} cuda_var;

typedef struct cuda_run {
    cuda_needs *n;
    const cuda_binding *b;
    const char *p; /* rest of the rule's text */
    VEC(cuda_var) vars;
    strbuf *out;    /* statements */
    str indent;     /* before each */
    int lane;       /* of '#'; -1: in a loop */
    uint32_t temps; /* variables made for sums */
} cuda_run;

/* cuda_rule_expr.c */
/* An expression in a rule's text: a number still without a type has type NULL. */
typedef struct cuda_term {
    cuda_expr e;
    double number;
} cuda_term;

void cuda_skip_space(cuda_run *r);
bool cuda_accept(cuda_run *r, const char *token);
str cuda_word(cuda_run *r); /* an identifier; empty: none stands here */
cuda_term cuda_term_read(cuda_run *r);
cuda_expr cuda_typed(cuda_run *r, const cuda_term *t, const type *want);
cuda_var *cuda_var_find(cuda_run *r, str name);
const type *cuda_named_type(cuda_run *r, str name);
cuda_expr cuda_argument(cuda_run *r, uint32_t i);

/* cuda_rule_stmt.c */
void cuda_statements(cuda_run *r); /* up to the text's end or '}' */
/* `lanes` loops as heads of statements, one for each of the type's dimensions; the indent within.
 */
str cuda_loop_heads(cuda_run *r, const type *t, int from);

/* cuda_rule.c */
cuda_expr cuda_rule_call(cuda_needs *n, str name, const type *result, const cuda_expr *args,
                         uint32_t nargs);
/* The rule's text for these arguments, and an adjoint's; b as cuda_match gives it. */
cuda_expr cuda_apply(cuda_needs *n, const cuda_rule *r, const cuda_binding *b,
                     const cuda_expr *args);
void cuda_adjoint_apply(const cuda_adjoint *q, const cuda_rule *r, const cuda_binding *b);
str cuda_arg_name(uint32_t i);
/* A name, a number, a member: nothing that one would not write twice. */
bool cuda_is_short(const cuda_expr *e);

/* cuda_call.c */
/* The name without "wp::", template arguments, and "adj_" if `adjoint`. */
str cuda_plain_name(str native, bool adjoint);

#endif
