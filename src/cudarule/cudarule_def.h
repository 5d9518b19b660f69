/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions in the making, for the files of this folder: looked up by key, named, added; and
 * texts in the arena. */
#ifndef WEFT_CUDARULE_DEF_H
#define WEFT_CUDARULE_DEF_H

#include "cudarule/cudarule_text.h"

/* A definition that the text needs. */
typedef struct cuda_def {
    str key; /* what it is looked up by */
    str name;
    str text;
    bool is_type;
    uint8_t externs; /* a set of cuda_extern; without a text */
    cuda_uses uses;  /* what it needs in turn */
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

/* Rules call builtins and construct values. The table of builtins stands above the rules, so that
 * they reach it through the needs. */
typedef struct cuda_resolver {
    cuda_expr (*call)(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                      uint32_t nargs);
    cuda_expr (*construct)(cuda_defs *n, const type *t, const cuda_expr *args, uint32_t nargs);
    str (*object_type)(cuda_defs *n, const type *t);
} cuda_resolver;

/* A hole in a text: the place of an operand that the caller of a rule puts in later. In a text it
 * is HOLE_MARK and a character, HOLE_FIRST plus its index in cuda_defs.holes. */
enum { HOLE_MARK = '\1', HOLE_FIRST = 32, HOLES_MAX = 256 - HOLE_FIRST };

/* A block of an asset (cudarule_object.c). */
typedef struct cuda_asset_block {
    str name, operators, text; /* operators: of vec3, "+ -" */
} cuda_asset_block;

struct cuda_defs {
    ctx *c;
    arena *a;
    const cuda_resolver *resolver;
    cuda_taken *taken;
    const void *taken_arg;
    VEC(cuda_def) defs; /* each after what it needs */
    VEC(uint32_t) used; /* by the text, by number */
    VEC(cuda_frame) frames;
    VEC(cuda_alias) aliases;
    VEC(cuda_asset_block) blocks; /* of all assets, once one was looked for */
    str row, col;                 /* counters of loops over lanes; empty: i and j */
    VEC(cuda_hole) holes;         /* of the texts since cuda_template_begin; no two are equal */
};

/* NULL: it has to be made, with cuda_def_add in the end. */
const cuda_def *cuda_def_find(cuda_defs *n, str key);
void cuda_def_add(cuda_defs *n, str key, str name, str text, bool is_type);
/* Does a text that stays need the definition with this key? */
bool cuda_defs_use(cuda_defs *n, str key);
/* The name, or one like it that the program does not use. */
str cuda_free_name(cuda_defs *n, str name);
/* The pattern with each '@' replaced by the next str of the arguments. */
str cuda_text(cuda_defs *n, const char *pattern, ...);
str cuda_decimal(cuda_defs *n, int64_t x);
/* The builder's text in the arena; the builder is given back. */
str cuda_take(cuda_defs *n, strbuf *b);
/* The mark of a hole that is like h. */
str cuda_hole_text(cuda_defs *n, cuda_hole h);
/* e's text where ".x", ".c[0]", ".m[1][2]" or the like follows. */
str cuda_before_member(cuda_defs *n, const cuda_expr *e);
/* The text's length, where a hole counts as a name of two characters. */
size_t cuda_width(const cuda_defs *n, str text);

#endif
