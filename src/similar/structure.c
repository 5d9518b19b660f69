/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a kernel's syntax tree as tokens, and hashes them to fingerprints.
 *
 *     y[i] = a * x[i],  out[k] = s * data[k]   ->   the same: names count by first occurrence
 *     y[i] = a * x[i],  y[i] = a + x[i]        ->   other structures, the same family
 *
 * After the kernel follow the definitions that it uses, in the order of their first use.
 *
 * Two lists of tokens are written in one walk: `full` is hashed to the structure, `family`, which
 * has coarser tokens and fewer of them, to the family. structure_internal.h shows the tokens of a
 * statement. Most nodes are walked by their row in ast.def; the functions below handle those whose
 * text may vary without a difference in meaning. */
#include "similar/structure.h"

#include "similar/structure_internal.h"

#include "syntax/parser.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* In the family all names of Warp's and Python's are this one token: wp.sin(x) and wp.cos(x) are
 * one family. */
enum { WARP_NAME_FAMILY = TOKEN_NAME };

/* --- names --------------------------------------------------------------------------------- */

/* Numbers a name when the function first shows it: a parameter, or a variable at its first store.
 * A name that is only read is not numbered, so that it can still be a name of the module. */
static void put_local(structurer *s, const sym *name)
{
    WEFT_ASSERT(name->id < s->nslots);
    name_slot *slot = &s->slots[name->id];
    if (slot->function != s->function) {
        slot->function = s->function;
        slot->number = s->nlocals++;
        slot->class = 0;
    }
    put_both(s, TOKEN_LOCAL | slot->number);
}

/* A name of the module, by number; what it stands for is written after the kernel (take_kernel). */
static void put_global(structurer *s, binding *b)
{
    WEFT_ASSERT(b >= s->binds && b < s->binds + s->nbinds);
    if (b->kernel != s->kernel) {
        mem *m = &s->c->mem;
        if (s->nused == s->capused) {
            s->capused = s->capused ? s->capused * 2 : 64;
            s->used = mem_resize(m, s->used, mem_mul(m, s->capused, sizeof *s->used));
        }
        b->kernel = s->kernel;
        b->number = s->nused;
        s->used[s->nused++] = (uint32_t)(b - s->binds);
    }
    put_both(s, TOKEN_GLOBAL | b->number);
}

/* A name from outside the module. A type counts as a type, wherever it stands (float(x),
 * wp.float32(x)). Names of Warp and Python are one family; paths into other modules differ in the
 * family too, as nothing is known about what they name. */
static void put_path(structurer *s, path p)
{
    const type *t = p.kind == PATH_WARP_NAME ? type_by_name(s->c, p.name) : NULL;
    if (t) {
        type_put_known(s, t);
        return;
    }
    put_each(s, TOKEN_NAME | (p.name ? p.name->len & 0xffff : 0), WARP_NAME_FAMILY);
    token_put(s, &s->full, p.hash);
    if (p.kind == PATH_OTHER)
        token_put(s, &s->family, p.hash);
}

/* A local name, a definition of the module, a type by what it is, or something of Warp's or
 * Python's. The order matters: a local name hides one of the module, as in Python, and an alias of
 * a type (F = wp.float32) counts as the type. */
static void walk_name(structurer *s, const ast_Name *n)
{
    if (n->ctx != CTX_Load || is_local(s, n->id)) {
        put_local(s, n->id);
        return;
    }
    binding *b = binding_of(s, n->id);
    if (b && b->kind <= BIND_VALUE) {
        if (b->kind != BIND_VALUE || !binding_is_type(s, b) || !type_put(s, &n->base))
            put_global(s, b);
        return;
    }
    put_path(s, path_of(s, &n->base));
}

/* A field of a known struct counts by its place, any other attribute by its name. */
static void walk_attribute(structurer *s, const ast_Attribute *n)
{
    const path p = path_of(s, &n->base);
    if (p.kind != PATH_NONE) {
        put_path(s, p);
        return;
    }
    const int field = class_field(s, class_of(s, n->value), n->attr);
    if (field >= 0) {
        put_both(s, TOKEN_FIELD | (uint32_t)field);
    } else {
        put_both(s, TOKEN_ATTRIBUTE | (n->attr->len & 0xffff));
        put_both(s, n->attr->hash);
    }
    walk(s, n->value);
}

/* --- constants, calls ---------------------------------------------------------------------- */

/* A literal counts by its kind alone. True and False are one kind, and so are integers on both
 * sides of 64 bits: those are ways of storing the value, not kinds that Python has. */
static void put_constant(structurer *s, const constant *c)
{
    uint32_t kind = c->kind == CONST_FALSE ? CONST_TRUE : (uint32_t)c->kind;
    if (kind == CONST_BIGINT)
        kind = CONST_INT;
    put_each(s, TOKEN_CONSTANT | kind, TOKEN_CONSTANT);
}

/* The constant of a literal with or without a sign: -1.0 counts as 1.0 does. NULL: it is none; a
 * sign counts only before a number. */
static const ast_Constant *literal_of(const node *n)
{
    if (n->kind == AST_UnaryOp &&
        (AS(UnaryOp, n)->op == OP_USub || AS(UnaryOp, n)->op == OP_UAdd)) {
        n = AS(UnaryOp, n)->operand;
        if (n->kind != AST_Constant || AS(Constant, n)->value.kind < CONST_INT ||
            AS(Constant, n)->value.kind > CONST_IMAGINARY)
            return NULL;
    }
    return n->kind == AST_Constant ? AS(Constant, n) : NULL;
}

/* Number of a parameter of a function, or of a struct's field; -1: not known. */
static int parameter_of(const structurer *s, const node *func, const sym *name)
{
    const binding *b = func->kind == AST_Name ? binding_of(s, AS(Name, func)->id) : NULL;
    if (b && b->kind == BIND_CLASS)
        return class_field(s, (uint32_t)(b - s->binds) + 1, name);
    if (!b || b->kind != BIND_DEF)
        return -1;
    const ast_arguments *a = AS(arguments, AS(FunctionDef, b->node)->args);
    for (uint32_t i = 0; i < a->args.n; i++)
        if (AS(arg, a->args.v[i])->arg == name)
            return (int)i;
    return -1;
}

/* By the parameter's place where the callee is known, so that renaming the parameter changes
 * nothing; else by name. k->arg is NULL in f(**kwargs), which has no parameter to name. */
static void walk_keyword(structurer *s, const ast_Call *call, const ast_keyword *k)
{
    const int at = k->arg ? parameter_of(s, call->func, k->arg) : 0;
    WEFT_ASSERT(at >= -1);
    if (at >= 0) {
        put_both(s, TOKEN_KEYWORD | (uint32_t)at);
    } else {
        put_both(s, TOKEN_KEYWORD | 0xffff);
        put_both(s, k->arg->hash);
    }
    if (k->arg == s->dtype)
        annotation_put(s, k->value);
    else
        walk(s, k->value);
}

/* A call, then its arguments and keywords, without an end between them.
 *
 * A constructor of nothing but literals (wp.vec3(1.0, 2.0, 3.0), float(0.0)) is one constant in the
 * family. It is recognized after the fact: the callee wrote exactly one token, a type, behind the
 * call's own. */
static void walk_call(structurer *s, const ast_Call *n)
{
    const uint32_t family = s->family.n;
    bool literal = n->keywords.n == 0 && n->args.n > 0;
    put_both(s, TOKEN_NODE | AST_Call);
    walk(s, n->func);
    literal &= s->family.n == family + 2 && s->family.v[family + 1] == TOKEN_TYPE;
    for (uint32_t i = 0; i < n->args.n; i++) {
        literal &= literal_of(n->args.v[i]) != NULL;
        walk(s, n->args.v[i]);
    }
    for (uint32_t i = 0; i < n->keywords.n; i++)
        walk_keyword(s, n, AS(keyword, n->keywords.v[i]));
    put_both(s, TOKEN_END);
    if (literal) {
        s->family.n = family;
        token_put(s, &s->family, TOKEN_CONSTANT);
    }
}

/* --- definitions --------------------------------------------------------------------------- */

static bool is_docstring(const node *n)
{
    return n->kind == AST_Expr && AS(Expr, n)->value->kind == AST_Constant &&
           AS(Constant, AS(Expr, n)->value)->value.kind == CONST_STR;
}

/* The nodes of a list and its end. An item may be NULL (a dict's key in {**other}). Docstrings, and
 * other strings that stand as statements, do not count. */
static void walk_list(structurer *s, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!list->v[i])
            put_both(s, TOKEN_NONE);
        else if (!is_docstring(list->v[i]))
            walk(s, list->v[i]);
    put_both(s, TOKEN_END);
}

/* A parameter. Its struct is looked up before the name becomes local, as the annotation names
 * something of the module. */
static void walk_arg(structurer *s, const ast_arg *a)
{
    const uint32_t class = a->annotation ? class_annotated(s, a->annotation) : 0;
    put_local(s, a->arg);
    s->slots[a->arg->id].class = class;
    if (a->annotation)
        annotation_put(s, a->annotation);
    else
        put_both(s, TOKEN_NONE);
}

/* A function without its name, which does not count. */
static void walk_body(structurer *s, const ast_FunctionDef *def)
{
    put_both(s, TOKEN_NODE | AST_FunctionDef);
    walk_list(s, &def->decorator_list);
    walk(s, def->args);
    if (def->returns)
        annotation_put(s, def->returns);
    else
        put_both(s, TOKEN_NONE);
    walk_list(s, &def->body);
}

/* A field without its name. */
static void walk_field(structurer *s, const ast_AnnAssign *n)
{
    put_both(s, TOKEN_NODE | AST_AnnAssign);
    annotation_put(s, n->annotation);
    if (n->value)
        walk(s, n->value);
}

/* A struct's fields count by their order. */
static void walk_class(structurer *s, const ast_ClassDef *n)
{
    put_both(s, TOKEN_NODE | AST_ClassDef);
    walk_list(s, &n->decorator_list);
    walk_list(s, &n->bases);
    for (uint32_t i = 0; i < n->body.n; i++)
        if (n->body.v[i]->kind == AST_AnnAssign)
            walk_field(s, AS(AnnAssign, n->body.v[i]));
        else if (!is_docstring(n->body.v[i]))
            walk(s, n->body.v[i]);
    put_both(s, TOKEN_END);
}

/* --- any node ------------------------------------------------------------------------------ */

static void walk_symbols(structurer *s, const sym_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        put_local(s, list->v[i]);
    put_both(s, TOKEN_END);
}

static void walk_operators(structurer *s, const op_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        put_each(s, TOKEN_OPERATOR | list->v[i], TOKEN_OPERATOR);
    put_both(s, TOKEN_END);
}

static void walk_optional(structurer *s, const node *n)
{
    if (n)
        walk(s, n);
    else
        put_both(s, TOKEN_NONE);
}

/* walk_fields_NAME for each class of ast.def: writes its fields in the order of the grammar. Not
 * written: CTX, as a target is known by its place, and OSTR, such as type comments. */
#define ID(f) put_local(s, x->f);
#define OID(f)                                                                                     \
    if (x->f)                                                                                      \
        put_local(s, x->f);                                                                        \
    else                                                                                           \
        put_both(s, TOKEN_NONE);
#define N(f)   walk(s, x->f);
#define ON(f)  walk_optional(s, x->f);
#define L(f)   walk_list(s, &x->f);
#define LO(f)  walk_list(s, &x->f);
#define LE(f)  walk_list(s, &x->f);
#define LID(f) walk_symbols(s, &x->f);
#define OP(f)  put_each(s, TOKEN_OPERATOR | x->f, TOKEN_OPERATOR);
#define LOP(f) walk_operators(s, &x->f);
#define INT(f) put_both(s, TOKEN_NUMBER | ((uint32_t)x->f & 0xffffff));
#define CTX(f)
#define CST(f) put_constant(s, &x->f);
#define OSTR(f)
#define NODE(name, group, fields)                                                                  \
    static void walk_fields_##name(structurer *s, const ast_##name *x)                             \
    {                                                                                              \
        (void)s;                                                                                   \
        (void)x;                                                                                   \
        fields                                                                                     \
    }
#include "syntax/ast.def"
#undef NODE
#undef OSTR
#undef CST
#undef CTX
#undef INT
#undef LOP
#undef OP
#undef LID
#undef LE
#undef LO
#undef L
#undef ON
#undef N
#undef OID
#undef ID

static void walk_fields(structurer *s, const node *n) /* flat switch */
{
    put_both(s, TOKEN_NODE | n->kind);
    switch ((node_kind)n->kind) {
#define NODE(name, group, fields)                                                                  \
    case AST_##name:                                                                               \
        walk_fields_##name(s, AS(name, n));                                                        \
        return;
#include "syntax/ast.def"
#undef NODE
    case AST_COUNT: return;
    }
}

/* The loops go first, against the order of the grammar: they bind the names that the element reads,
 * and a name must be local before it is read. `key` is NULL but for a dict. */
static void walk_comprehension(structurer *s, const node *n, const node_list *loops,
                               const node *key, const node *value)
{
    put_both(s, TOKEN_NODE | n->kind);
    walk_list(s, loops);
    if (key)
        walk(s, key);
    walk(s, value);
}

/* After p = particles[i] the local p is a Particle, so that p.mass counts by the field's place. The
 * value's class is taken before the walk: in p = p.next the old p counts. */
static void walk_assign(structurer *s, const ast_Assign *n)
{
    const uint32_t class = class_of(s, n->value);
    walk_fields(s, &n->base);
    if (n->targets.n == 1 && n->targets.v[0]->kind == AST_Name)
        s->slots[AS(Name, n->targets.v[0])->id->id].class = class;
}

static void walk_annotated(structurer *s, const ast_AnnAssign *n)
{
    const uint32_t class = class_annotated(s, n->annotation);
    put_both(s, TOKEN_NODE | AST_AnnAssign);
    walk(s, n->target);
    if (n->target->kind == AST_Name)
        s->slots[AS(Name, n->target)->id->id].class = class;
    annotation_put(s, n->annotation);
    walk_optional(s, n->value);
}

/* A function inside of one: its name is a local name of the outer one. */
static void walk_nested(structurer *s, const ast_FunctionDef *n)
{
    put_local(s, n->name);
    walk_body(s, n);
}

void walk(structurer *s, const node *n) /* flat switch */
{
    const ast_Constant *literal;
    switch (n->kind) {
    case AST_Name: walk_name(s, AS(Name, n)); return;
    case AST_Attribute: walk_attribute(s, AS(Attribute, n)); return;
    case AST_Call: walk_call(s, AS(Call, n)); return;
    case AST_Assign: walk_assign(s, AS(Assign, n)); return;
    case AST_AnnAssign: walk_annotated(s, AS(AnnAssign, n)); return;
    case AST_arg: walk_arg(s, AS(arg, n)); return;
    case AST_FunctionDef: walk_nested(s, AS(FunctionDef, n)); return;
    case AST_ClassDef: walk_class(s, AS(ClassDef, n)); return;
    case AST_Constant: put_constant(s, &AS(Constant, n)->value); return;
    case AST_UnaryOp:
        literal = literal_of(n);
        if (literal)
            put_constant(s, &literal->value);
        else
            walk_fields(s, n);
        return;
    case AST_ListComp:
        walk_comprehension(s, n, &AS(ListComp, n)->generators, NULL, AS(ListComp, n)->elt);
        return;
    case AST_SetComp:
        walk_comprehension(s, n, &AS(SetComp, n)->generators, NULL, AS(SetComp, n)->elt);
        return;
    case AST_GeneratorExp:
        walk_comprehension(s, n, &AS(GeneratorExp, n)->generators, NULL, AS(GeneratorExp, n)->elt);
        return;
    case AST_DictComp:
        walk_comprehension(s, n, &AS(DictComp, n)->generators, AS(DictComp, n)->key,
                           AS(DictComp, n)->value);
        return;
    default: walk_fields(s, n); return;
    }
}

/* --- kernels ------------------------------------------------------------------------------- */

/* Writes a definition that the kernel uses, with local names of its own. What BIND_OPAQUE stands
 * for is not known: it is a token only. */
static void put_definition(structurer *s, const binding *b)
{
    WEFT_ASSERT(b->kind <= BIND_VALUE);
    put_both(s, TOKEN_DEFINITION | b->kind);
    s->function++;
    s->nlocals = 0;
    if (b->kind == BIND_DEF)
        walk_body(s, AS(FunctionDef, b->node));
    else if (b->kind == BIND_CLASS)
        walk_class(s, AS(ClassDef, b->node));
    else if (b->kind == BIND_VALUE)
        walk(s, b->node);
}

static uint32_t place_of_parameter(const ast_FunctionDef *def, const node *name)
{
    const node_list *args = &AS(arguments, def->args)->args;
    const constant *text = name->kind == AST_Constant ? &AS(Constant, name)->value : NULL;
    uint32_t i = 0;
    while (i < args->n && !(text && text->kind == CONST_STR &&
                            str_eq(sym_str(AS(arg, args->v[i])->arg), text->text)))
        i++;
    return i;
}

static void put_parameter_type(structurer *s, uint32_t place, const node *annotation)
{
    put_both(s, TOKEN_NUMBER | place);
    annotation_put(s, annotation);
}

/* The types of an overload: those of a generic kernel make it another one. */
static void put_overload(structurer *s, const ast_FunctionDef *kernel, const node *types)
{
    enum { DEFINITION_OVERLOAD = BIND_PATH + 1 };
    put_both(s, TOKEN_DEFINITION | DEFINITION_OVERLOAD);
    if (types->kind == AST_FunctionDef) {
        const node_list *args = &AS(arguments, AS(FunctionDef, types)->args)->args;
        for (uint32_t i = 0; i < args->n; i++)
            if (AS(arg, args->v[i])->annotation)
                put_parameter_type(s, i, AS(arg, args->v[i])->annotation);
    } else if (types->kind == AST_Dict) {
        const ast_Dict *d = AS(Dict, types);
        for (uint32_t i = 0; i < d->values.n; i++)
            if (d->keys.v[i])
                put_parameter_type(s, place_of_parameter(kernel, d->keys.v[i]), d->values.v[i]);
    } else if (types->kind == AST_List) {
        for (uint32_t i = 0; i < AS(List, types)->elts.n; i++)
            put_parameter_type(s, i, AS(List, types)->elts.v[i]);
    } else {
        walk(s, types);
    }
}

static void put_overloads(structurer *s, const ast_FunctionDef *kernel)
{
    for (uint32_t i = 0; i < s->noverloads; i++)
        if (s->overloads[i].kernel == kernel->name) {
            s->function++; /* the kernel's local names are none here */
            s->nlocals = 0;
            put_overload(s, kernel, s->overloads[i].types);
        }
}

/* XXH3 with 128 bits of the tokens as they lie in memory: the machine must be little-endian for
 * the same fingerprint everywhere. */
static fingerprint hash(const tokens *t)
{
    WEFT_ASSERT(t->n > 0);
    const XXH128_hash_t h = XXH3_128bits(t->v, t->n * sizeof *t->v);
    return (fingerprint){h.high64, h.low64};
}

/* Writes a kernel's tokens, hashes them and calls the visitor. s->used grows while definitions are
 * written, so that the loop reaches what definitions use in turn; each binding is in it once, hence
 * recursive functions end. Overloads of a function are written with it (`before`). */
static void take_kernel(structurer *s, const ast_FunctionDef *def)
{
    structure out;
    s->full.n = s->family.n = 0;
    s->nused = 0;
    s->kernel++;
    s->function++;
    s->nlocals = 0;
    walk_body(s, def);
    put_overloads(s, def);
    for (uint32_t i = 0; i < s->nused; i++)
        for (uint32_t at = s->used[i] + 1; at; at = s->binds[at - 1].before)
            put_definition(s, &s->binds[at - 1]);
    out = (structure){hash(&s->full), hash(&s->family), s->full.v, s->full.n};
    s->visit(s->arg, &out);
}

static void visit_block(structurer *s, const node_list *body);

/* Could a kernel be nested in the body? Most functions have none, and need no scope. */
static bool has_functions(const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        switch (body->v[i]->kind) {
        case AST_FunctionDef:
        case AST_ClassDef:
        case AST_If:
        case AST_For:
        case AST_While:
        case AST_With:
        case AST_Try: return true;
        default: break;
        }
    return false;
}

/* Kernels may be nested in functions (factories of kernels): the function's names are bound while
 * its body is visited. At most 32 functions deep; deeper ones are not looked at, so that no input
 * can exhaust the stack. */
static void visit_def(structurer *s, const ast_FunctionDef *def)
{
    enum { SCOPES_MAX = 32 };
    s->function++;
    if (scope_is_kernel(s, def)) {
        take_kernel(s, def);
    } else if (s->nscopes < SCOPES_MAX && has_functions(&def->body)) {
        const uint32_t outside = s->nbinds;
        s->nscopes++;
        scope_enter(s, &def->base);
        visit_block(s, &def->body);
        scope_leave(s, outside);
        s->nscopes--;
    }
}

static void visit_try(structurer *s, const ast_Try *t)
{
    visit_block(s, &t->body);
    for (uint32_t i = 0; i < t->handlers.n; i++)
        visit_block(s, &AS(ExceptHandler, t->handlers.v[i])->body);
    visit_block(s, &t->orelse);
    visit_block(s, &t->finalbody);
}

static void visit_block(structurer *s, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const node *n = body->v[i];
        switch (n->kind) {
        case AST_FunctionDef: visit_def(s, AS(FunctionDef, n)); break;
        case AST_ClassDef: visit_block(s, &AS(ClassDef, n)->body); break;
        case AST_If:
            visit_block(s, &AS(If, n)->body);
            visit_block(s, &AS(If, n)->orelse);
            break;
        case AST_For: visit_block(s, &AS(For, n)->body); break;
        case AST_While: visit_block(s, &AS(While, n)->body); break;
        case AST_With: visit_block(s, &AS(With, n)->body); break;
        case AST_Try: visit_try(s, AS(Try, n)); break;
        default: break;
        }
    }
}

/* --- outside ------------------------------------------------------------------------------- */

structurer *structurer_new(ctx *c)
{
    structurer *s = ARENA_NEW(&c->perm, structurer);
    s->c = c;
    return s;
}

/* For each module anew: resetting a pipeline between two modules may drop symbols. */
static void intern_names(structurer *s)
{
    interner *t = &s->c->syms;
    s->wp = sym_c(t, "wp");
    s->warp = sym_c(t, "warp");
    s->types = sym_c(t, "types");
    s->dtype = sym_c(t, "dtype");
    s->ndim = sym_c(t, "ndim");
    s->length = sym_c(t, "length");
    s->shape = sym_c(t, "shape");
}

/* A slot for every symbol interned so far; walking interns no new ones. Stamps begin anew before
 * they run out; the rest of the 32 bits is more than one module can use, which takes one for each
 * function. */
static void make_room(structurer *s)
{
    enum { STAMPS = 1 << 30 };
    const uint32_t n = s->c->syms.n;
    if (s->function >= STAMPS) {
        memset(s->slots, 0, s->nslots * sizeof *s->slots);
        s->scope = s->function = s->kernel = 0;
    }
    if (n <= s->nslots)
        return;
    mem *m = &s->c->mem;
    s->slots = mem_resize(m, s->slots, mem_mul(m, n + n / 2, sizeof *s->slots));
    memset(s->slots + s->nslots, 0, (n + n / 2 - s->nslots) * sizeof *s->slots);
    s->nslots = n + n / 2;
    WEFT_ASSERT(s->c->syms.n <= s->nslots);
}

void structure_each(structurer *s, const ast_Module *m, void (*visit)(void *, const structure *),
                    void *arg)
{
    intern_names(s);
    make_room(s);
    s->visit = visit;
    s->arg = arg;
    s->nscopes = s->depth = s->nbinds = s->noverloads = 0;
    s->has_classes = false;
    s->scope++;
    s->function++;
    scope_enter(s, &m->base);
    visit_block(s, &m->body);
    WEFT_ASSERT(s->nscopes == 0 && s->depth == 0);
}

/* The last kernel, and how many there are. */
typedef struct only {
    structure *out;
    uint32_t n;
} only;

static void keep(void *arg, const structure *found)
{
    only *o = arg;
    *o->out = *found;
    o->n++;
}

bool structure_of(structurer *s, const ast_Module *m, structure *out)
{
    only o = {out, 0};
    structure_each(s, m, keep, &o);
    return o.n == 1;
}

typedef struct all_kernels {
    structurer *s;
    fingerprint *each;
    uint32_t n, most;
} all_kernels;

static void append(void *arg, const structure *found)
{
    all_kernels *a = arg;
    structurer *s = a->s;
    if (a->n < a->most)
        a->each[a->n] = found->structure;
    a->n++;
    for (uint32_t i = 0; i < s->full.n; i++)
        token_put(s, &s->full_all, s->full.v[i]);
    for (uint32_t i = 0; i < s->family.n; i++)
        token_put(s, &s->family_all, s->family.v[i]);
}

uint32_t structure_of_all(structurer *s, const ast_Module *m, structure *out, fingerprint *each,
                          uint32_t most)
{
    all_kernels a = {s, each, 0, most};
    s->full_all.n = s->family_all.n = 0;
    structure_each(s, m, append, &a);
    if (a.n)
        *out = (structure){hash(&s->full_all), hash(&s->family_all), s->full_all.v, s->full_all.n};
    return a.n;
}
