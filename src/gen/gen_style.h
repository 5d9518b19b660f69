/* The style of one sample, and the names that it has taken so far. */
#ifndef WEFT_GEN_GEN_STYLE_H
#define WEFT_GEN_GEN_STYLE_H

#include "base/str.h"

enum { NAMES_MAX = 224, POOL_MAX = 12288 };

/* How one person writes. */
typedef struct gstyle {
    uint8_t naming;       /* gen_names.c */
    uint8_t array_syntax; /* gen_type.c */
    bool long_scalars;    /* wp.float32, not float */
    bool suffix_f;        /* wp.vec3f, not wp.vec3 */
    bool inline_loads;    /* x[i] in expressions, not loaded first */
    bool outputs_first;
    bool swizzle_names; /* v.x, not v[0] */
    bool ternary;       /* a if c else b, not wp.where */
    uint8_t comments;   /* percent of statements with a comment */
    uint8_t guard;      /* gen_kernel.c */
} gstyle;

typedef struct gen_names {
    gstyle style;
    const char *hint; /* "a/b/c": the next name is one of these; or NULL */
    const char *doc;  /* the docstring of the kernel's purpose; NULL: it has none */
    str taken[NAMES_MAX];
    uint32_t ntaken;
    char pool[POOL_MAX]; /* the text of names */
    uint32_t npool;
} gen_names;

typedef enum name_role {
    NAME_SCALAR_ARRAY,
    NAME_VEC_ARRAY,
    NAME_MAT_ARRAY,
    NAME_QUAT_ARRAY,
    NAME_XFORM_ARRAY,
    NAME_INT_ARRAY,
    NAME_OUTPUT,
    NAME_SCALAR,
    NAME_INT,
    NAME_SIZE,
    NAME_LOCAL,
    NAME_LOCAL_INT,
    NAME_LOCAL_VEC,
    NAME_LOCAL_MAT,
    NAME_LOCAL_QUAT,
    NAME_LOCAL_XFORM,
    NAME_STATE,
    NAME_COUNTER,
    NAME_FLAG,
    NAME_LOOP,
    NAME_FIELD,
    NAME_PARAM,
    NAME_ROLE_COUNT
} name_role;

/* What a line is, for the comment above it. */
typedef enum line_kind {
    LINE_PLAIN, /* none */
    LINE_LET,
    LINE_LOAD,
    LINE_STATE,
    LINE_UPDATE,
    LINE_STORE,
    LINE_IF,
    LINE_EXIT,
    LINE_LOOP,
    LINE_ATOMIC,
    LINE_KINDS
} line_kind;

#endif
