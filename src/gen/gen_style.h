/* SPDX-License-Identifier: Apache-2.0 */
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
    NAME_SCALAR_ARRAY, /* values, weights */
    NAME_VEC_ARRAY,    /* positions */
    NAME_MAT_ARRAY,    /* transforms, inertia */
    NAME_QUAT_ARRAY,   /* rotations */
    NAME_XFORM_ARRAY,  /* poses */
    NAME_INT_ARRAY,    /* indices, labels */
    NAME_OUTPUT,       /* out, result */
    NAME_SCALAR,       /* alpha, dt: an argument */
    NAME_INT,          /* offset, stride: an argument */
    NAME_SIZE,         /* n, count: an argument that is a dimension */
    NAME_LOCAL,        /* x, val */
    NAME_LOCAL_INT,    /* key, code */
    NAME_LOCAL_VEC,    /* v, dir */
    NAME_LOCAL_MAT,    /* m, A */
    NAME_LOCAL_QUAT,   /* q, rot */
    NAME_LOCAL_XFORM,  /* pose, xform */
    NAME_STATE,        /* acc, total: what loops change */
    NAME_COUNTER,      /* count, n_iter */
    NAME_FLAG,         /* inside, is_large */
    NAME_LOOP,         /* k, j: indexes of loops */
    NAME_FIELD,        /* mass, radius: of structs */
    NAME_PARAM,        /* a, b: of helpers */
    NAME_ROLE_COUNT
} name_role;

/* What a line is, for the comment above it. */
typedef enum line_kind {
    LINE_PLAIN,  /* none */
    LINE_LET,    /* x = a * b */
    LINE_LOAD,   /* x = xs[i] */
    LINE_STATE,  /* acc = float(0.0) */
    LINE_UPDATE, /* acc += x */
    LINE_STORE,  /* out[i] = acc */
    LINE_IF,     /* if x < 0.5: */
    LINE_EXIT,   /* if x < 0.5: return */
    LINE_LOOP,   /* for k in range(4): */
    LINE_ATOMIC, /* wp.atomic_add(bins, k, x) */
    LINE_KINDS
} line_kind;

#endif
