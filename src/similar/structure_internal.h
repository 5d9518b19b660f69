/* The walk over a kernel's tree that writes its tokens. A token is 32 bits: a tag in the upper
 * eight, a number below. */
#ifndef WEFT_SIMILAR_STRUCTURE_INTERNAL_H
#define WEFT_SIMILAR_STRUCTURE_INTERNAL_H

#include "base/ctx.h"
#include "syntax/ast.h"
#include "types/type.h"

typedef struct structure structure; /* as structure.h has them */
typedef struct structurer structurer;

#define AS(name, n) ((const ast_##name *)(const void *)(n))

enum token_tag {
    TOKEN_NODE = 1 << 24,   /* node_kind */
    TOKEN_END = 2 << 24,    /* of a list */
    TOKEN_NONE = 3 << 24,   /* a part that may be absent, and is */
    TOKEN_LOCAL = 4 << 24,  /* number of a local name */
    TOKEN_GLOBAL = 5 << 24, /* number of a name of the module */
    TOKEN_NAME = 6 << 24,   /* length; the next token is the name's hash */
    TOKEN_FIELD = 7 << 24,  /* number of a struct's field */
    TOKEN_ATTRIBUTE = 8 << 24,
    TOKEN_KEYWORD = 9 << 24, /* number of a parameter */
    TOKEN_OPERATOR = 10 << 24,
    TOKEN_CONSTANT = 11 << 24,
    TOKEN_TYPE = 12 << 24, /* type_kind */
    TOKEN_DIMS = 13 << 24,
    TOKEN_NUMBER = 14 << 24,
    TOKEN_DEFINITION = 15 << 24
};

/* Is the token after this one a hash, without a tag? */
static inline bool token_has_hash(uint32_t x)
{
    const uint32_t tag = x & 0xff000000;
    return tag == TOKEN_NAME || tag == TOKEN_ATTRIBUTE || x == (TOKEN_KEYWORD | 0xffff) ||
           x == (TOKEN_TYPE | TYPE_NATIVE);
}

typedef enum bind_kind {
    BIND_OPAQUE, /* a name whose value is not looked at */
    BIND_DEF,
    BIND_CLASS,
    BIND_VALUE,
    BIND_WARP, /* the warp module */
    BIND_WARP_NAME /* of warp, by name */,
    BIND_PATH /* another module or what it holds: hash */
} bind_kind;

/* What a name of the module stands for. */
typedef struct binding {
    uint8_t kind;     /* bind_kind */
    uint8_t alias;    /* BIND_VALUE: 0 not known, 1 a type, 2 none */
    const node *node; /* definition or value */
    const sym *name;  /* BIND_WARP_NAME */
    uint32_t hash;    /* BIND_PATH */
    uint32_t before;  /* 1 + another definition that belongs to it (an overload); or 0 */
    uint32_t kernel;  /* stamp of the last kernel that used it */
    uint32_t number;  /* there, in order of use */
    struct {
        uint32_t scope, binding;
    } hidden;      /* what the name stood for outside */
    const sym *of; /* whose binding it is */
} binding;

/* What is known of a symbol; each part holds where its stamp is the present one. */
typedef struct name_slot {
    uint32_t scope, binding;
    uint32_t function, number;
    uint32_t class; /* 1 + binding of the struct that the local is, or is an array of; or 0 */
} name_slot;

typedef struct tokens {
    uint32_t *v;
    uint32_t n, cap;
} tokens;

struct structurer {
    ctx *c;
    const sym *wp, *warp, *types, *dtype, *ndim, *length, *shape;
    name_slot *slots; /* by symbol */
    binding *binds;
    uint32_t *used; /* bindings in order of use by the kernel */
    uint32_t nslots, nbinds, capbinds, nused, capused;
    tokens full, family;
    uint32_t scope, function, kernel; /* stamps */
    uint32_t nlocals, depth;
    bool has_classes;
    uint32_t nscopes; /* functions around what is in view */
    void (*visit)(void *, const structure *);
    void *arg;
};

/* A dotted name that leads to warp or to another module. */
typedef struct path {
    enum { PATH_NONE, PATH_WARP, PATH_WARP_NAME, PATH_OTHER } kind;
    const sym *name;
    uint32_t hash;
} path;

static inline void token_put(structurer *s, tokens *t, uint32_t x)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 4096;
        t->v = mem_resize(&s->c->mem, t->v, mem_mul(&s->c->mem, t->cap, sizeof *t->v));
    }
    t->v[t->n++] = x;
}

static inline void put_each(structurer *s, uint32_t full, uint32_t family)
{
    token_put(s, &s->full, full);
    token_put(s, &s->family, family);
}

static inline void put_both(structurer *s, uint32_t x)
{
    put_each(s, x, x);
}

/* The binding of a name that is no local one, or NULL. */
static inline binding *binding_of(const structurer *s, const sym *name)
{
    const name_slot *slot = &s->slots[name->id];
    return slot->function != s->function && slot->scope == s->scope ? &s->binds[slot->binding]
                                                                    : NULL;
}

static inline bool is_local(const structurer *s, const sym *name)
{
    return s->slots[name->id].function == s->function;
}

/* structure_scope.c: binds the names of a module, or of a function in which kernels stand. */
void scope_enter(structurer *s, const node *n);
/* Forgets all bindings but the first n. */
void scope_leave(structurer *s, uint32_t n);
bool scope_is_kernel(structurer *s, const ast_FunctionDef *def);
path path_of(const structurer *s, const node *n);

/* structure_type.c */
/* Writes a type's tokens; false, and nothing is written: the expression is none that is known. */
bool type_put(structurer *s, const node *n);
/* What stands where a type is expected. */
void annotation_put(structurer *s, const node *n);
void type_put_known(structurer *s, const type *t);
bool binding_is_type(structurer *s, binding *b);
/* 1 + binding of the struct that an expression (an annotation) is, or is an array of; or 0. */
uint32_t class_of(const structurer *s, const node *expr);
uint32_t class_annotated(const structurer *s, const node *annotation);
/* Number of a field; -1: there is none of that name. */
int class_field(const structurer *s, uint32_t class, const sym *name);

/* structure.c */
void walk(structurer *s, const node *n);

#endif
