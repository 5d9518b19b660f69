/* Inside of cuda/'s calls: definitions and expressions. */
#ifndef WEFT_CUDA_INTERNAL_H
#define WEFT_CUDA_INTERNAL_H

#include "cuda/cuda_call.h"

typedef struct cuda_def {
    str key;  /* what it is looked up by */
    str text; /* empty while it is being made */
    str name; /* as the text says it */
    bool is_type;
} cuda_def;

struct cuda_needs {
    ctx *c;
    arena *a;
    cuda_taken *taken;
    const void *taken_arg;
    VEC(cuda_def) defs; /* each after what it needs */
};

/* cuda_needs.c */
const cuda_def *cuda_def_find(const cuda_needs *n, str key);
const cuda_def *cuda_def_add(cuda_needs *n, str key, str name, str text, bool is_type);
/* The name, or one like it that the program does not use. */
str cuda_free_name(cuda_needs *n, str name);
str cuda_printf(cuda_needs *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define CUDA_NONE ((cuda_expr){{NULL, 0}, NULL, CUDA_NO_FORM})

/* cuda_type.c */
/* Are its scalars the members x, y, z, w? */
bool cuda_has_letters(const type *t);

#endif
