/* The style of one sample, and the names that it has taken so far. Style makes samples look as if
 * different people wrote them: one writes `wp.array[float]` and loads inputs first, another
 * `wp.array(dtype=wp.float32)` and indexes in place. It is drawn once, before the first line. */
#ifndef WEFT_GEN_GEN_STYLE_H
#define WEFT_GEN_GEN_STYLE_H

#include "base/str.h"

/* A kernel has some hundred short names at most. */
enum { NAMES_MAX = 224, POOL_MAX = 12288 };

/* How one person writes. */
typedef struct gstyle {
    uint8_t naming;       /* enum naming of gen_names.c */
    uint8_t array_syntax; /* 0: array(dtype=T, ndim=2), 1: array2d(dtype=T), 2: array2d[T] */
    bool long_scalars;    /* wp.float32, not float */
    bool suffix_f;        /* wp.vec3f, not wp.vec3 */
    bool inline_loads;    /* x[i] in expressions, not loaded first */
    bool outputs_first;   /* in the signature */
    bool swizzle_names;   /* v.x, not v[0] */
    bool ternary;         /* a if c else b, not wp.where */
    uint8_t comments;     /* percent of statements with a comment */
    uint8_t guard;        /* below 11: none, below 15: a return, 15: a block; gen_kernel.c */
} gstyle;

/* Names in use, in the order in which they were taken: closing a helper or struct drops the last
 * ones. */
typedef struct gen_names {
    gstyle style;
    const char *hint; /* "a/b/c": the next name is one of these; or NULL */
    const char *doc;  /* the docstring of the kernel's purpose; NULL: it has none */
    str taken[NAMES_MAX];
    uint32_t ntaken;
    char pool[POOL_MAX]; /* the text of names, and of elements like "x[i]" */
    uint32_t npool;      /* bytes of it in use; they stay until the next sample */
} gen_names;

/* What a name is for; gen_words.def has the words of each role. Roles up to NAME_OUTPUT are
 * arrays. */
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
