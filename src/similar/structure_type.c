/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tokens of types by what they are, not by how they are spelled:
 *
 *     float, wp.float32                                                 ->   one sequence
 *     wp.vec3, wp.types.vector(length=3, dtype=float)                   ->   one sequence
 *     wp.array2d(dtype=T), wp.array(dtype=T, ndim=2), wp.array2d[T]     ->   one sequence
 *
 * and finds the struct that an expression is, so that fields count by their place. Only syntax is
 * looked at: an expression that is not recognized counts as the expression it is, which can make
 * equal kernels different, but never different ones equal. */
#include "similar/structure_internal.h"

/* How many names of types may lead to each other (A = wp.vec3; B = A; ...). It also ends the search
 * in A = B; B = A. */
enum { ALIASES_MAX = 8 };

/* The family has one token for any type. A native type (wp.Mesh) has no number of its own and
 * counts by its name; the hash is a polynomial one in base 31. */
void type_put_known(structurer *s, const type *t)
{
    WEFT_ASSERT(t->kind != TYPE_NATIVE || t->native);
    put_each(s, TOKEN_TYPE | t->kind, TOKEN_TYPE);
    if (t->kind == TYPE_NATIVE) {
        const str name = str_c(t->native->name);
        uint32_t hash = 0;
        for (size_t i = 0; i < name.n; i++)
            hash = hash * 31 + (uint8_t)name.p[i];
        token_put(s, &s->full, hash);
    }
    if (type_is_composite(t)) {
        const uint32_t rows = (uint32_t)t->rows & 0xfff;
        const uint32_t cols = t->kind == TYPE_MAT ? (uint32_t)t->cols & 0xfff : 0;
        token_put(s, &s->full, TOKEN_DIMS | rows << 12 | cols);
        token_put(s, &s->full, TOKEN_TYPE | t->elem->kind);
    }
}

/* --- arrays, vectors, matrices ------------------------------------------------------------- */

/* A factory of types, by its name: wp.array2d is {FACTORY_ARRAY, 0, 2}. */
typedef struct factory {
    enum { FACTORY_NONE, FACTORY_ARRAY, FACTORY_VECTOR, FACTORY_MATRIX } kind;
    /* Of an array: index into `arrays`; what the name says, 1 if it says nothing. */
    uint32_t class, rank;
} factory;

static factory factory_of(const structurer *s, const node *n)
{
    static const char *const arrays[] = {"array", "indexedarray", "fabricarray",
                                         "indexedfabricarray", "fixedarray"};
    const path p = path_of(s, n);
    if (p.kind != PATH_WARP_NAME)
        return (factory){FACTORY_NONE, 0, 0};
    const char *name = p.name->s;
    if (strcmp(name, "vector") == 0)
        return (factory){FACTORY_VECTOR, 0, 0};
    if (strcmp(name, "matrix") == 0)
        return (factory){FACTORY_MATRIX, 0, 0};
    for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const size_t len = strlen(arrays[i]);
        if (strncmp(name, arrays[i], len) != 0)
            continue;
        if (!name[len])
            return (factory){FACTORY_ARRAY, i, 1};
        if (name[len] >= '1' && name[len] <= '4' && name[len + 1] == 'd' && !name[len + 2])
            return (factory){FACTORY_ARRAY, i, (uint32_t)(name[len] - '0')};
    }
    return (factory){FACTORY_NONE, 0, 0};
}

static const node *keyword_of(const ast_Call *call, const sym *name)
{
    for (uint32_t i = 0; i < call->keywords.n; i++)
        if (AS(keyword, call->keywords.v[i])->arg == name)
            return AS(keyword, call->keywords.v[i])->value;
    return NULL;
}

/* A small whole number; false: it is none. */
static bool number_of(const node *n, uint32_t *out)
{
    if (!n || n->kind != AST_Constant || AS(Constant, n)->value.kind != CONST_INT)
        return false;
    const i128 i = AS(Constant, n)->value.i;
    *out = i >= 0 && i < 4096 ? (uint32_t)i : 4096;
    return *out < 4096;
}

/* In the family an array of a known type is one type token; elements that are no known type (a
 * struct) are kept. */
static void put_array(structurer *s, factory f, uint32_t rank, const node *elem)
{
    WEFT_ASSERT(f.kind == FACTORY_ARRAY);
    put_each(s, TOKEN_TYPE | TYPE_ARRAY, TOKEN_TYPE);
    token_put(s, &s->full, TOKEN_DIMS | f.class << 8 | rank);
    const uint32_t family = s->family.n;
    annotation_put(s, elem);
    if (s->family.n == family + 1 && s->family.v[family] == TOKEN_TYPE)
        s->family.n = family; /* an array of known elements is one type */
}

/* wp.types.vector(length, dtype) and wp.types.matrix(shape, dtype), by position or by keyword.
 * False: a size is no literal, as in vector(N, float). The family has one token for any. */
static bool put_composite(structurer *s, const ast_Call *call, factory f)
{
    WEFT_ASSERT(f.kind == FACTORY_VECTOR || f.kind == FACTORY_MATRIX);
    const bool vector = f.kind == FACTORY_VECTOR;
    const node *size = keyword_of(call, vector ? s->length : s->shape);
    const node *elem = keyword_of(call, s->dtype);
    uint32_t rows, cols = 0;
    if (!size && call->args.n > 0)
        size = call->args.v[0];
    if (!elem && call->args.n > 1)
        elem = call->args.v[1];
    const bool pair = size && size->kind == AST_Tuple && AS(Tuple, size)->elts.n == 2;
    if (!elem || (!vector && !pair))
        return false;
    if (vector ? !number_of(size, &rows)
               : !number_of(AS(Tuple, size)->elts.v[0], &rows) ||
                     !number_of(AS(Tuple, size)->elts.v[1], &cols))
        return false;
    put_each(s, TOKEN_TYPE | (vector ? TYPE_VEC : TYPE_MAT), TOKEN_TYPE);
    token_put(s, &s->full, TOKEN_DIMS | rows << 12 | cols);
    const uint32_t family = s->family.n;
    annotation_put(s, elem);
    s->family.n = family;
    return true;
}

/* wp.array(dtype=T) and its kind: with dtype, perhaps ndim, and nothing else. */
static bool put_call(structurer *s, const ast_Call *call)
{
    const factory f = factory_of(s, call->func);
    const node *elem = keyword_of(call, s->dtype), *ndim = keyword_of(call, s->ndim);
    uint32_t rank = f.rank;
    if (f.kind == FACTORY_VECTOR || f.kind == FACTORY_MATRIX)
        return put_composite(s, call, f);
    if (f.kind != FACTORY_ARRAY || !elem || call->args.n ||
        call->keywords.n != 1 + (uint32_t)(ndim != NULL) || (ndim && !number_of(ndim, &rank)))
        return false;
    put_array(s, f, rank, elem);
    return true;
}

/* wp.array2d[T], wp.array[T, Literal[2]] */
static bool put_subscript(structurer *s, const ast_Subscript *n)
{
    const factory f = factory_of(s, n->value);
    const node *elem = n->slice;
    uint32_t rank = f.rank;
    if (f.kind != FACTORY_ARRAY)
        return false;
    if (elem->kind == AST_Tuple && AS(Tuple, elem)->elts.n == 2) {
        const node *last = AS(Tuple, elem)->elts.v[1];
        if (last->kind == AST_Subscript)
            last = AS(Subscript, last)->slice;
        if (!number_of(last, &rank))
            return false;
        elem = AS(Tuple, elem)->elts.v[0];
    }
    put_array(s, f, rank, elem);
    return true;
}

/* --- names --------------------------------------------------------------------------------- */

/* A type of Warp's by its name; false: the name is none. */
static bool put_path(structurer *s, const node *n)
{
    const path p = path_of(s, n);
    const type *t = p.kind == PATH_WARP_NAME ? type_by_name(s->c, p.name) : NULL;
    if (t)
        type_put_known(s, t);
    return t != NULL;
}

/* Tries to write the value as a type, then takes back the tokens and the definitions that were
 * numbered on the way: the test must leave no trace in the kernel's tokens. */
bool binding_is_type(structurer *s, binding *b)
{
    if (b->kind != BIND_VALUE || s->depth >= ALIASES_MAX)
        return false;
    if (!b->alias) {
        const uint32_t full = s->full.n, family = s->family.n, used = s->nused;
        const uint32_t at = (uint32_t)(b - s->binds);
        s->depth++;
        s->binds[at].alias = type_put(s, b->node) ? 1 : 2;
        s->depth--;
        s->full.n = full;
        s->family.n = family;
        for (; s->nused > used; s->nused--)
            s->binds[s->used[s->nused - 1]].kernel = 0;
    }
    return b->alias == 1;
}

/* A name of the module that is an alias counts as what it stands for. */
static bool put_name(structurer *s, const ast_Name *n)
{
    binding *b = binding_of(s, n->id);
    if (!b || b->kind != BIND_VALUE)
        return !is_local(s, n->id) && put_path(s, &n->base);
    if (!binding_is_type(s, b))
        return false;
    s->depth++;
    const bool put = s->depth <= ALIASES_MAX && type_put(s, b->node);
    s->depth--;
    return put;
}

bool type_put(structurer *s, const node *n)
{
    switch (n->kind) {
    case AST_Name: return put_name(s, AS(Name, n));
    case AST_Attribute: return put_path(s, n);
    case AST_Call: return put_call(s, AS(Call, n));
    case AST_Subscript: return put_subscript(s, AS(Subscript, n));
    default: return false;
    }
}

void annotation_put(structurer *s, const node *n)
{
    if (!type_put(s, n))
        walk(s, n);
}

/* --- structs ------------------------------------------------------------------------------- */

/* 1 + the binding of a class, by its name; or 0. */
static uint32_t class_named(const structurer *s, const node *n)
{
    const binding *b = n->kind == AST_Name ? binding_of(s, AS(Name, n)->id) : NULL;
    return b && b->kind == BIND_CLASS ? (uint32_t)(b - s->binds) + 1 : 0;
}

/* S, wp.array(dtype=S), wp.array[S], wp.array[S, Literal[2]] -> S. */
uint32_t class_annotated(const structurer *s, const node *n)
{
    if (!s->has_classes)
        return 0;
    if (n->kind == AST_Call) {
        const node *elem = keyword_of(AS(Call, n), s->dtype);
        return elem ? class_annotated(s, elem) : 0;
    }
    if (n->kind == AST_Subscript) {
        n = AS(Subscript, n)->slice;
        if (n->kind == AST_Tuple && AS(Tuple, n)->elts.n)
            n = AS(Tuple, n)->elts.v[0];
        return class_annotated(s, n);
    }
    return class_named(s, n);
}

/* The at-th annotated name of a class; NULL: it has fewer. */
static const ast_AnnAssign *field_at(const structurer *s, uint32_t class, int at)
{
    WEFT_ASSERT(class && class <= s->nbinds && s->binds[class - 1].kind == BIND_CLASS);
    const node_list *body = &AS(ClassDef, s->binds[class - 1].node)->body;
    for (uint32_t i = 0; i < body->n; i++)
        if (body->v[i]->kind == AST_AnnAssign && at-- == 0)
            return AS(AnnAssign, body->v[i]);
    return NULL;
}

int class_field(const structurer *s, uint32_t class, const sym *name)
{
    const ast_AnnAssign *field;
    for (int at = 0; class && (field = field_at(s, class, at)) != NULL; at++)
        if (field->target->kind == AST_Name && AS(Name, field->target)->id == name)
            return at;
    return -1;
}

/* The struct that a call gives: S() itself, or what a function's annotation says. */
static uint32_t class_called(const structurer *s, const node *func)
{
    const binding *b = func->kind == AST_Name ? binding_of(s, AS(Name, func)->id) : NULL;
    if (!b || b->kind != BIND_DEF)
        return class_named(s, func);
    const node *returns = AS(FunctionDef, b->node)->returns;
    return returns ? class_annotated(s, returns) : 0;
}

/* Follows locals, elements, calls and fields: in particles[i].cell.x the class of particles[i].cell
 * is that of the field cell. No inference beyond that: 0 where the type depends on control flow. */
uint32_t class_of(const structurer *s, const node *n)
{
    if (!s->has_classes)
        return 0;
    switch (n->kind) {
    case AST_Name: {
        const name_slot *slot = &s->slots[AS(Name, n)->id->id];
        return slot->function == s->function ? slot->class : 0;
    }
    case AST_Subscript: return class_of(s, AS(Subscript, n)->value);
    case AST_Call: return class_called(s, AS(Call, n)->func);
    case AST_Attribute: {
        const uint32_t of = class_of(s, AS(Attribute, n)->value);
        const int at = class_field(s, of, AS(Attribute, n)->attr);
        return at < 0 ? 0 : class_annotated(s, field_at(s, of, at)->annotation);
    }
    default: return 0;
    }
}
