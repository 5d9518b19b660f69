/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of extract.h: the pieces that the text consists of, and what its names stand
 * for.
 *
 *     extract.c          pieces of defs, structs and options; their order; the text
 *     extract_scan.c     which names a def or an expression uses
 *     extract_bind.c     what a name stands for, and the piece that binds it
 *     extract_call.c     functions around definitions, each with what one call of it knew
 *     extract_value.c    values as Python writes them */
#ifndef WEFT_COLLECT_EXTRACT_INTERNAL_H
#define WEFT_COLLECT_EXTRACT_INTERNAL_H

#include "base/ctx.h"
#include "base/vec.h"
#include "sema/origin.h"

enum { EXTRACT_DEPTH = 200, EXTRACT_PIECES = 5000, NO_PIECE = UINT32_MAX };

/* Where a piece stands: imports first, then options, then definitions in order of need. */
typedef enum piece_kind {
    PIECE_IMPORT,
    PIECE_LINE,  /* an assignment */
    PIECE_BLOCK, /* a def or a class, with blank lines around */
    PIECE_SCOPE, /* a class made of `members` */
    PIECE_CALL,  /* a function whose body other pieces are, and a call of it */
    PIECE_LAST   /* a call behind the kernel */
} piece_kind;

/* A statement in the body of a PIECE_SCOPE; `path` are the classes between: "a.b", or empty. */
typedef struct scope_member {
    str path;
    const sym *name;
    str text;      /* without indentation; ends in a newline */
    uint32_t line; /* members stand in the order of their lines */
} scope_member;

/* A name of a PIECE_CALL's body that is used outside of it. */
typedef struct exported_name {
    const sym *inner, *outer;
} exported_name;

typedef struct text_piece {
    piece_kind kind;
    uint32_t owner;  /* the PIECE_CALL in whose body it stands; NO_PIECE: none */
    const void *key; /* what it defines: a node of the tree, a func; NULL: no other piece asks */
    str text;        /* ends in a newline */
    const sym *name; /* PIECE_SCOPE: the class; PIECE_CALL: the function */
    VEC(scope_member) members;
    str classes; /* PIECE_CALL: around the function: "A.B", or empty */
    VEC(exported_name) exports;
    VEC(uint32_t) needs;  /* pieces that stand before it */
    bool ordered, placed; /* its needs are looked through; it has its place */
} text_piece;

/* A name and the piece that binds it, in the body of a PIECE_CALL or, for NO_PIECE, in the text's
 * module. */
typedef struct bound_name {
    const sym *name;
    value v;
    uint32_t piece, scope;
} bound_name;

typedef VEC(uint32_t) piece_list;

typedef struct extract {
    ctx *c;
    const kernel *kernel;
    VEC(text_piece) pieces;
    VEC(bound_name) names;
    piece_list order;
    VEC(const source *) sources; /* files that text was copied from */
    uint32_t scope;      /* where pieces are made and names are bound now, as in bound_name */
    const sym *wp;       /* a name that is bound to warp; NULL: none yet */
    bool late;           /* from __future__ import annotations */
    bool eager;          /* all the same, they are evaluated at once */
    bool has_eager_call; /* a function of a file that evaluates them at once is a PIECE_CALL */
    const char *why;     /* the first reason why there is no such text; or NULL */
    uint32_t depth;      /* of definitions that use each other */
} extract;

/* Keeps the first reason. Gives NO_PIECE. */
uint32_t extract_fail(extract *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint32_t piece_new(extract *x, piece_kind kind, const void *key, str text);
uint32_t piece_find(const extract *x, const void *key);
/* `user` stands behind `used`; where that is the body of an outer function, or the module, all of
 * the function around `user` does. */
void piece_need(extract *x, uint32_t user, uint32_t used);
str extract_text(extract *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The lines of a definition, from `first` to `last`, with the comments above, moved to the left by
 * `col`. */
str extract_lines(extract *x, const source *src, uint32_t first, uint32_t last, uint32_t col);

/* extract.c: the pieces that define these. */
uint32_t extract_func(extract *x, const func *f);
uint32_t extract_struct(extract *x, const type *t);
uint32_t extract_class(extract *x, const namespace *ns);
uint32_t extract_def(extract *x, const ast_FunctionDef *def, const namespace *env);

/* The statements around a definition, from the module inwards: defs and classes. */
typedef struct def_place {
    const node *what;
    const node *around[16];
    uint32_t n;
    bool found;
} def_place;

/* extract_call.c: the piece of the innermost function around a definition that was made in the
 * scope env; NO_PIECE: there is none, or it fails. `name`: for the message. */
uint32_t extract_call_around(extract *x, const def_place *at, const namespace *env,
                             const char *name);
/* The name that *piece, which binds `own`, has in x->scope; *piece becomes the one that binds it
 * there. `wanted`: what it should be called. */
const sym *extract_visible(extract *x, uint32_t *piece, const sym *own, const sym *wanted,
                           const value *v);
/* The piece whose body the name of a scope is bound in, as in bound_name. */
uint32_t extract_scope_of(extract *x, const namespace *env, const sym *name);
/* `names = make()`, behind the function. `body` is without indentation. */
void extract_put_call(strbuf *b, const text_piece *p, str body);

/* extract_scan.c: binds all names that a def, or any other node, uses, for the piece `user`. */
void extract_scan_def(extract *x, const ast_FunctionDef *def, const namespace *env, uint32_t user);
void extract_scan(extract *x, const node *n, const namespace *env, uint32_t user);

/* extract_bind.c: makes `name` of this scope, or `name.attribute...`, mean the same in the text. */
void extract_bind_path(extract *x, const namespace *env, const sym *root, const sym *const *path,
                       uint32_t n, uint32_t user);
/* The class that stands for a module, a class or an object of this name; NO_PIECE: it is another
 * name's. */
uint32_t extract_scope(extract *x, const sym *root, const value *v, uint32_t user);
void extract_add_member(extract *x, uint32_t piece, scope_member m);
/* The name that warp has in the text. */
const sym *extract_warp(extract *x, uint32_t user);
/* The same of typing.Any; NULL: there it means something else, and the text fails. */
const sym *extract_any(extract *x, uint32_t user);

void extract_put_indented(strbuf *b, str text, size_t indent);

/* extract_value.c: appends an expression for the value; false: it has none. */
bool extract_put_value(extract *x, strbuf *b, const value *v, uint32_t user);

#endif
