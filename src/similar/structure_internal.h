/* SPDX-License-Identifier: Apache-2.0 */
/* The walk over a kernel's tree that writes its tokens, shared by structure.c (the walk),
 * structure_scope.c (names) and structure_type.c (types). A token is 32 bits: a tag in the upper
 * eight, a number below. The statement
 *
 *     y[0] = 2.0 * y[1]
 *
 * where y is the first local name, writes (tag:number)
 *
 *     NODE:Assign  NODE:Subscript LOCAL:0 CONSTANT:int END
 *                  NODE:BinOp CONSTANT:float OPERATOR:* NODE:Subscript LOCAL:0 CONSTANT:int
 *
 * Targets are a list, hence the END; the right side is a single node. */
#ifndef WEFT_SIMILAR_STRUCTURE_INTERNAL_H
#define WEFT_SIMILAR_STRUCTURE_INTERNAL_H

#include "base/ctx.h"
#include "syntax/ast.h"
#include "types/type.h"

typedef struct structure structure; /* as structure.h has them */
typedef struct structurer structurer;

#define AS(name, n) ((const ast_##name *)(const void *)(n))

/* Tags, and what the number below each means. The numbers are part of every fingerprint in
 * existing data sets: a tag must never change its value. */
enum token_tag {
    TOKEN_NODE = 1 << 24,       /* node_kind */
    TOKEN_END = 2 << 24,        /* end of a list; 0 below */
    TOKEN_NONE = 3 << 24,       /* an optional part that is absent; 0 below */
    TOKEN_LOCAL = 4 << 24,      /* number of a local name */
    TOKEN_GLOBAL = 5 << 24,     /* number of a name of the module */
    TOKEN_NAME = 6 << 24,       /* length; the next token is the name's hash */
    TOKEN_FIELD = 7 << 24,      /* number of a struct's field, in order of declaration */
    TOKEN_ATTRIBUTE = 8 << 24,  /* length of the name; the next token is the name's hash */
    TOKEN_KEYWORD = 9 << 24,    /* number of a parameter; 0xffff: not known, a hash follows */
    TOKEN_OPERATOR = 10 << 24,  /* operator */
    TOKEN_CONSTANT = 11 << 24,  /* const_kind; True and False are one, as are int and big int */
    TOKEN_TYPE = 12 << 24,      /* type_kind; a hash of the name follows TYPE_NATIVE */
    TOKEN_DIMS = 13 << 24,      /* rows << 12 | cols; of an array its class << 8 | rank */
    TOKEN_NUMBER = 14 << 24,    /* an int of the tree, such as ImportFrom.level */
    TOKEN_DEFINITION = 15 << 24 /* bind_kind; the definition's own tokens follow */
};

/* Is the token after this one a hash, without a tag? MinHash pairs the two: a hash on its own may
 * look like any tag. */
static inline bool token_has_hash(uint32_t x)
{
    const uint32_t tag = x & 0xff000000;
    return tag == TOKEN_NAME || tag == TOKEN_ATTRIBUTE || x == (TOKEN_KEYWORD | 0xffff) ||
           x == (TOKEN_TYPE | TYPE_NATIVE);
}

/* What statement bound a name of the module. Kinds up to BIND_VALUE belong to the module itself and
 * count by number; the others come from outside and count by name. */
typedef enum bind_kind {
    BIND_OPAQUE,    /* a loop variable, a parameter, part of a tuple: the value is not known */
    BIND_DEF,       /* def f(): ... */
    BIND_CLASS,     /* class S: ... */
    BIND_VALUE,     /* N = 4 */
    BIND_WARP,      /* import warp as wp; from warp import types */
    BIND_WARP_NAME, /* from warp import sin as s: `name` is sin */
    BIND_PATH       /* import numpy as np; from a import b: `hash` of the path */
} bind_kind;

/* What a name of the module stands for. */
typedef struct binding {
    uint8_t kind;     /* bind_kind */
    uint8_t alias;    /* BIND_VALUE, is it a type: 0 not tried yet, 1 yes (F = wp.float32), 2 no */
    const node *node; /* BIND_DEF, BIND_CLASS: the definition; BIND_VALUE: the right side */
    const sym *name;  /* BIND_WARP_NAME */
    uint32_t hash;    /* BIND_PATH */
    uint32_t before;  /* 1 + an earlier definition written with it (an overload); 0: none */
    uint32_t kernel;  /* stamp of the last kernel that used it */
    uint32_t number;  /* in that kernel, its place in structurer.used; else not valid */
    struct {
        uint32_t scope, binding;
    } hidden;      /* the slot's values before this binding; scope_leave restores them */
    const sym *of; /* the name that is bound */
} binding;

/* What tells which types a generic kernel has: wp.overload(k, [float]), and @wp.overload before
 * another def k. */
typedef struct overload {
    const sym *kernel;
    const node *types; /* a list, a dict or the definition */
} overload;

/* What a symbol stands for. Instead of clearing all slots for each module and function, each part
 * carries the stamp under which it was written, and is valid only while that stamp is current. */
typedef struct name_slot {
    uint32_t scope, binding;   /* valid if scope == structurer.scope: index into binds */
    uint32_t function, number; /* valid if function == structurer.function: number of the local */
    uint32_t class; /* 1 + binding of the struct that the local is, or is an array of; or 0 */
} name_slot;

/* A growing list of tokens, in c->mem; it keeps its room from kernel to kernel. */
typedef struct tokens {
    uint32_t *v;
    uint32_t n, cap;
} tokens;

/* The state of a walk. It is used for any number of modules; lists keep their room. */
struct structurer {
    ctx *c;
    const sym *wp, *warp, *types, *dtype, *ndim, *length, *shape; /* names with a meaning */
    name_slot *slots;                                             /* by sym.id */
    binding *binds; /* in order of binding: a function's scope is a tail of the list */
    uint32_t *used; /* indices into binds, in order of first use by the kernel */
    uint32_t nslots, nbinds, capbinds, nused, capused;
    overload *overloads; /* of the module, in order */
    uint32_t noverloads, capoverloads;
    tokens full, family;              /* of the kernel at hand; `family` is the coarser list */
    tokens full_all, family_all;      /* of all kernels of a file */
    uint32_t scope, function, kernel; /* stamps: the module, the function, the kernel at hand */
    /* Local names numbered in the function; aliases of types that are being followed. */
    uint32_t nlocals, depth;
    bool has_classes; /* the module binds a class: else class_of need not look */
    uint32_t nscopes; /* functions around the statement at hand */
    void (*visit)(void *, const structure *); /* called for each kernel */
    void *arg;
};

/* A dotted name that leads to warp or to another module: wp.sin is {PATH_WARP_NAME, "sin"}, wp and
 * wp.types are {PATH_WARP}, np.pi is {PATH_OTHER} with the hash of numpy and pi. PATH_NONE: it
 * starts at a local name or at a definition of the module. */
typedef struct path {
    enum { PATH_NONE, PATH_WARP, PATH_WARP_NAME, PATH_OTHER } kind;
    const sym *name; /* PATH_WARP_NAME only, else NULL */
    uint32_t hash;   /* of PATH_WARP_NAME and PATH_OTHER */
} path;

static inline void token_put(structurer *s, tokens *t, uint32_t x)
{
    WEFT_ASSERT(t->n <= t->cap);
    if (t->n == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 4096;
        t->v = mem_resize(&s->c->mem, t->v, mem_mul(&s->c->mem, t->cap, sizeof *t->v));
    }
    t->v[t->n++] = x;
}

/* One token for the structure and a coarser one for the family. */
static inline void put_each(structurer *s, uint32_t full, uint32_t family)
{
    token_put(s, &s->full, full);
    token_put(s, &s->family, family);
}

static inline void put_both(structurer *s, uint32_t x)
{
    put_each(s, x, x);
}

/* The binding of a name of the module; NULL: the name is local to the function, or nothing binds
 * it. The pointer is valid until the next binding is made (scope_enter). */
static inline binding *binding_of(const structurer *s, const sym *name)
{
    WEFT_ASSERT(name->id < s->nslots);
    const name_slot *slot = &s->slots[name->id];
    WEFT_ASSERT(slot->scope != s->scope || slot->binding < s->nbinds);
    return slot->function != s->function && slot->scope == s->scope ? &s->binds[slot->binding]
                                                                    : NULL;
}

/* Has put_local numbered the name in the function at hand? */
static inline bool is_local(const structurer *s, const sym *name)
{
    WEFT_ASSERT(name->id < s->nslots);
    return s->slots[name->id].function == s->function;
}

/* structure_scope.c */
/* Binds the names of a module (AST_Module), or of a function in which kernels are nested
 * (AST_FunctionDef), over those bound before. */
void scope_enter(structurer *s, const node *n);
/* Undoes scope_enter: drops all bindings but the first n, and restores what they hid. */
void scope_leave(structurer *s, uint32_t n);
/* Does a decorator resolve to warp's `kernel`, with or without arguments, or to a function of the
 * module that calls it? */
bool scope_is_kernel(structurer *s, const ast_FunctionDef *def);
/* Resolves a name or a chain of attributes, as far as imports show it. */
path path_of(const structurer *s, const node *n);

/* structure_type.c */
/* Writes a type's tokens; false: the expression is no type that is known here, and nothing is
 * written. */
bool type_put(structurer *s, const node *n);
/* Writes an expression where a type is expected: as a type if it is a known one, else like any
 * other expression. */
void annotation_put(structurer *s, const node *n);
/* Writes the tokens of a type of Warp's own. */
void type_put_known(structurer *s, const type *t);
/* Is the module's name another name of a type, as F in F = wp.float32? Caches the answer. */
bool binding_is_type(structurer *s, binding *b);
/* 1 + binding of the struct that an expression (an annotation) is, or is an array of; or 0. */
uint32_t class_of(const structurer *s, const node *expr);
uint32_t class_annotated(const structurer *s, const node *annotation);
/* Number of a field of a class (1 + binding, or 0); -1: there is none of that name. */
int class_field(const structurer *s, uint32_t class, const sym *name);

/* structure.c: writes the tokens of any node. */
void walk(structurer *s, const node *n);

#endif
