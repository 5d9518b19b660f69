/* SPDX-License-Identifier: Apache-2.0 */
/* Binds the names of a module, and of functions around kernels: what a kernel's free names stand
 * for, as far as the tree shows it, without executing anything.
 *
 *     import warp as wp           ->   wp: the warp module
 *     from warp import sin as s   ->   s: warp's name sin
 *     N = 4                       ->   N: the value 4
 *
 * Of several bindings the last one in execution order holds. Both branches of `if` are bound, the
 * first one last, so that it wins; of `try` the body wins over its handlers, as if nothing was
 * raised:
 *
 *     try: import fast as m
 *     except ImportError: import slow as m     ->   m: the module fast */
#include "similar/structure_internal.h"

/* The prime of FNV-1a for 32 bits, here with whole hashes in place of bytes. */
enum { MULTIPLIER = 16777619 };

/* The hash of a path extended by a name. */
static uint32_t mix(uint32_t hash, const sym *name)
{
    return (hash ^ name->hash) * MULTIPLIER;
}

path path_of(const structurer *s, const node *n)
{
    if (n->kind == AST_Attribute) {
        const path base = path_of(s, AS(Attribute, n)->value);
        const sym *name = AS(Attribute, n)->attr;
        switch (base.kind) {
        case PATH_NONE: return base;
        case PATH_WARP: return name == s->types ? base : (path){PATH_WARP_NAME, name, name->hash};
        default: return (path){PATH_OTHER, NULL, mix(base.hash, name)};
        }
    }
    if (n->kind != AST_Name || is_local(s, AS(Name, n)->id))
        return (path){PATH_NONE, NULL, 0};
    const sym *name = AS(Name, n)->id;
    const binding *b = binding_of(s, name);
    if (!b) /* Python's own names are those of Warp as a rule */
        return name == s->wp || name == s->warp ? (path){PATH_WARP, NULL, 0}
                                                : (path){PATH_WARP_NAME, name, name->hash};
    switch ((bind_kind)b->kind) {
    case BIND_WARP: return (path){PATH_WARP, NULL, 0};
    case BIND_WARP_NAME: return (path){PATH_WARP_NAME, b->name, b->name->hash};
    case BIND_PATH: return (path){PATH_OTHER, NULL, b->hash};
    default: return (path){PATH_NONE, NULL, 0};
    }
}

/* @wp.kernel and @wp.kernel(enable_backward=False) are the same decorator. */
static path decorator_path(const structurer *s, const node *decorator)
{
    return path_of(s, decorator->kind == AST_Call ? AS(Call, decorator)->func : decorator);
}

static bool is_named(path p, const char *name)
{
    return p.kind == PATH_WARP_NAME && strcmp(p.name->s, name) == 0;
}

/* A search for warp's `kernel` in the body of a function. */
typedef struct kernel_search {
    const structurer *s;
    bool found;
} kernel_search;

static void look_for_kernel(void *arg, const node *n)
{
    kernel_search *k = arg;
    if (k->found)
        return;
    k->found = n->kind == AST_Attribute && is_named(path_of(k->s, n), "kernel");
    ast_each_child(n, look_for_kernel, k);
}

static const node *definition_of(const structurer *s, const node *n, int depth);

/* A member of a class. */
static const node *member_of(const structurer *s, const ast_ClassDef *cls, const sym *name,
                             int depth)
{
    for (uint32_t i = cls->body.n; i-- > 0;) {
        const node *n = cls->body.v[i];
        const ast_Assign *a = n->kind == AST_Assign ? AS(Assign, n) : NULL;
        if ((n->kind == AST_FunctionDef && AS(FunctionDef, n)->name == name) ||
            (n->kind == AST_ClassDef && AS(ClassDef, n)->name == name))
            return n;
        if (a && a->targets.n == 1 && a->targets.v[0]->kind == AST_Name &&
            AS(Name, a->targets.v[0])->id == name)
            return definition_of(s, a->value, depth);
    }
    return NULL;
}

/* The def or the class of the module that an expression names; NULL: none. */
static const node *definition_of(const structurer *s, const node *n, int depth)
{
    enum { NAMES_MAX = 10 };
    if (depth > NAMES_MAX)
        return NULL;
    if (n->kind == AST_Attribute) {
        const node *of = definition_of(s, AS(Attribute, n)->value, depth + 1);
        return of && of->kind == AST_ClassDef
                   ? member_of(s, AS(ClassDef, of), AS(Attribute, n)->attr, depth + 1)
                   : NULL;
    }
    const binding *b = n->kind == AST_Name ? binding_of(s, AS(Name, n)->id) : NULL;
    if (!b)
        return NULL;
    return b->kind == BIND_VALUE                          ? definition_of(s, b->node, depth + 1)
           : b->kind == BIND_DEF || b->kind == BIND_CLASS ? b->node
                                                          : NULL;
}

/* Is it a function of the module that makes kernels of what it decorates?
 *
 *     def kernel(f): return checked(wp.kernel(f, enable_backward=False))
 *     @kernel
 *     def k(a: wp.array[float]): ... */
static bool wraps_kernel(const structurer *s, const node *decorator)
{
    const node *def =
        definition_of(s, decorator->kind == AST_Call ? AS(Call, decorator)->func : decorator, 0);
    kernel_search k = {s, false};
    if (def && def->kind == AST_FunctionDef)
        ast_each_child(def, look_for_kernel, &k);
    return k.found;
}

bool scope_is_kernel(structurer *s, const ast_FunctionDef *def)
{
    for (uint32_t i = 0; i < def->decorator_list.n; i++)
        if (is_named(decorator_path(s, def->decorator_list.v[i]), "kernel") ||
            wraps_kernel(s, def->decorator_list.v[i]))
            return true;
    return false;
}

/* --- binding ------------------------------------------------------------------------------- */

/* Adds a binding, which hides the name's one so far. The result is valid until the next call. */
static binding *bind(structurer *s, const sym *name, bind_kind kind, const node *n)
{
    WEFT_ASSERT(name->id < s->nslots);
    if (s->nbinds == s->capbinds) {
        mem *m = &s->c->mem;
        s->capbinds = s->capbinds ? s->capbinds * 2 : 64;
        s->binds = mem_resize(m, s->binds, mem_mul(m, s->capbinds, sizeof *s->binds));
    }
    name_slot *slot = &s->slots[name->id];
    binding *b = &s->binds[s->nbinds];
    *b = (binding){
        .kind = (uint8_t)kind, .node = n, .of = name, .hidden = {slot->scope, slot->binding}};
    slot->scope = s->scope;
    slot->binding = s->nbinds++;
    return b;
}

static void note_overload(structurer *s, const sym *name, const node *types)
{
    if (s->noverloads == s->capoverloads) {
        mem *m = &s->c->mem;
        s->capoverloads = s->capoverloads ? s->capoverloads * 2 : 16;
        s->overloads =
            mem_resize(m, s->overloads, mem_mul(m, s->capoverloads, sizeof *s->overloads));
    }
    s->overloads[s->noverloads++] = (overload){name, types};
}

/* Notes wp.overload(k, TYPES), also with the types by name. */
static void note_call(structurer *s, const node *n)
{
    if (!n || n->kind != AST_Call || !is_named(path_of(s, AS(Call, n)->func), "overload"))
        return;
    const ast_Call *call = AS(Call, n);
    const node *of = call->args.n ? call->args.v[0] : NULL;
    const node *types = call->args.n > 1        ? call->args.v[1]
                        : call->keywords.n == 1 ? AS(keyword, call->keywords.v[0])->value
                                                : NULL;
    if (of && of->kind == AST_Name && types)
        note_overload(s, AS(Name, of)->id, types);
}

/* The function whose gradient or replay a decorated function is: f for @wp.func_grad(f) and
 * @wp.func_replay(f); or NULL. */
static const sym *companion_of(const structurer *s, const ast_FunctionDef *def)
{
    for (uint32_t i = 0; i < def->decorator_list.n; i++) {
        const node *d = def->decorator_list.v[i];
        if (d->kind != AST_Call || !AS(Call, d)->args.n)
            continue;
        const path p = path_of(s, AS(Call, d)->func);
        const node *of = AS(Call, d)->args.v[0];
        if (of->kind == AST_Name && (is_named(p, "func_grad") || is_named(p, "func_replay")))
            return AS(Name, of)->id;
    }
    return NULL;
}

/* Binds a function, or a gradient or replay under the name of its function, whatever its own name.
 * A decorated definition of a name that is a function already is an overload, and keeps the
 * earlier one reachable; an undecorated one replaces it, as in Python. */
static void bind_def(structurer *s, const ast_FunctionDef *def)
{
    const sym *of = companion_of(s, def), *name = of ? of : def->name;
    const name_slot slot = s->slots[name->id];
    const bool again = slot.scope == s->scope && s->binds[slot.binding].kind == BIND_DEF;
    for (uint32_t i = 0; i < def->decorator_list.n; i++)
        if (is_named(decorator_path(s, def->decorator_list.v[i]), "overload"))
            note_overload(s, def->name, &def->base);
    binding *b = bind(s, name, BIND_DEF, &def->base);
    if (again && def->decorator_list.n)
        b->before = slot.binding + 1;
}

/* Binds a target, and the names in a tuple of targets: with their values in a, b = 1, 2, else as
 * opaque. value: NULL where it is not known. */
static void bind_targets(structurer *s, const node *target, const node *value)
{
    if (target->kind == AST_Name) {
        bind(s, AS(Name, target)->id, value ? BIND_VALUE : BIND_OPAQUE, value);
        return;
    }
    const node_list *list = target->kind == AST_Tuple  ? &AS(Tuple, target)->elts
                            : target->kind == AST_List ? &AS(List, target)->elts
                                                       : NULL;
    const bool pairs =
        list && value && value->kind == AST_Tuple && AS(Tuple, value)->elts.n == list->n;
    for (uint32_t i = 0; list && i < list->n; i++)
        bind_targets(s, list->v[i], pairs ? AS(Tuple, value)->elts.v[i] : NULL);
}

static bool is_warp(const char *name, size_t n)
{
    return n == 4 && memcmp(name, "warp", 4) == 0;
}

/* `import warp.sim` binds warp, `import warp.sim as ws` another module, and `import warp.types as
 * t` what counts as warp. sym_find gives NULL for a name that nothing refers to: no binding is
 * needed.
 */
static void bind_import(structurer *s, const ast_Import *i)
{
    for (uint32_t k = 0; k < i->names.n; k++) {
        const ast_alias *a = AS(alias, i->names.v[k]);
        const size_t first = strcspn(a->name->s, ".");
        const bool whole = first == a->name->len;
        const sym *name = a->asname ? a->asname : whole ? a->name : NULL;
        if (!name) /* "import a.b" binds a */
            name = sym_find(&s->c->syms, a->name->s, first);
        if (!name || name->id >= s->nslots)
            continue;
        if (is_warp(a->name->s, first) && (whole || !a->asname))
            bind(s, name, BIND_WARP, NULL);
        else if (strcmp(a->name->s, "warp.types") == 0)
            bind(s, name, BIND_WARP, NULL);
        else
            bind(s, name, BIND_PATH, NULL)->hash = a->asname ? a->name->hash : name->hash;
    }
}

/* A relative import (level > 0) never leads to warp. `import *` binds nothing: its names are looked
 * up as Warp's (path_of), which is right for `from warp import *`. */
static void bind_from(structurer *s, const ast_ImportFrom *i)
{
    const char *from = i->module && !i->level ? i->module->s : "";
    const bool warp = strcmp(from, "warp") == 0 || strcmp(from, "warp.types") == 0;
    for (uint32_t k = 0; k < i->names.n; k++) {
        const ast_alias *a = AS(alias, i->names.v[k]);
        const sym *name = a->asname ? a->asname : a->name;
        if (a->name->len == 1 && a->name->s[0] == '*')
            continue;
        if (warp && a->name == s->types)
            bind(s, name, BIND_WARP, NULL);
        else if (warp)
            bind(s, name, BIND_WARP_NAME, NULL)->name = a->name;
        else
            bind(s, name, BIND_PATH, NULL)->hash =
                mix(i->module ? i->module->hash : (uint32_t)i->level, a->name);
    }
}

static void bind_block(structurer *s, const node_list *body);

/* Handlers first, so that the body's bindings hide theirs. */
static void bind_try(structurer *s, const ast_Try *t)
{
    for (uint32_t i = 0; i < t->handlers.n; i++)
        bind_block(s, &AS(ExceptHandler, t->handlers.v[i])->body);
    bind_block(s, &t->body);
    bind_block(s, &t->orelse);
    bind_block(s, &t->finalbody);
}

static void bind_assign(structurer *s, const ast_Assign *a)
{
    note_call(s, a->value);
    for (uint32_t i = 0; i < a->targets.n; i++)
        bind_targets(s, a->targets.v[i], a->value);
}

static void bind_statement(structurer *s, const node *n)
{
    switch (n->kind) {
    case AST_FunctionDef: bind_def(s, AS(FunctionDef, n)); break;
    case AST_ClassDef:
        bind(s, AS(ClassDef, n)->name, BIND_CLASS, n);
        s->has_classes = true;
        break;
    case AST_Assign: bind_assign(s, AS(Assign, n)); break;
    case AST_Expr: note_call(s, AS(Expr, n)->value); break;
    case AST_AnnAssign: bind_targets(s, AS(AnnAssign, n)->target, AS(AnnAssign, n)->value); break;
    case AST_Import: bind_import(s, AS(Import, n)); break;
    case AST_ImportFrom: bind_from(s, AS(ImportFrom, n)); break;
    case AST_If:
        bind_block(s, &AS(If, n)->orelse);
        bind_block(s, &AS(If, n)->body);
        break;
    case AST_For:
        bind_targets(s, AS(For, n)->target, NULL);
        bind_block(s, &AS(For, n)->body);
        break;
    case AST_While: bind_block(s, &AS(While, n)->body); break;
    case AST_With: bind_block(s, &AS(With, n)->body); break;
    case AST_Try: bind_try(s, AS(Try, n)); break;
    default: break;
    }
}

static void bind_block(structurer *s, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        bind_statement(s, body->v[i]);
}

static void bind_parameters(structurer *s, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        bind(s, AS(arg, list->v[i])->arg, BIND_OPAQUE, NULL);
}

void scope_enter(structurer *s, const node *n)
{
    WEFT_ASSERT(n->kind == AST_Module || n->kind == AST_FunctionDef);
    if (n->kind != AST_FunctionDef) {
        bind_block(s, &AS(Module, n)->body);
        return;
    }
    const ast_FunctionDef *def = AS(FunctionDef, n);
    const ast_arguments *a = AS(arguments, def->args);
    bind_parameters(s, &a->posonlyargs);
    bind_parameters(s, &a->args);
    bind_parameters(s, &a->kwonlyargs);
    bind_block(s, &def->body);
}

/* In reverse order, so that a name bound twice ends as it was before the first. */
void scope_leave(structurer *s, uint32_t n)
{
    WEFT_ASSERT(n <= s->nbinds);
    while (s->nbinds > n) {
        const binding *b = &s->binds[--s->nbinds];
        name_slot *slot = &s->slots[b->of->id];
        WEFT_ASSERT(slot->scope == s->scope && slot->binding == s->nbinds);
        slot->scope = b->hidden.scope;
        slot->binding = b->hidden.binding;
    }
}
