/* SPDX-License-Identifier: Apache-2.0 */
/* Which names a definition uses: all that it reads, but for its own parameters and variables.
 *
 *     def f(x: T):                      f uses T, tools.scale and N; x and y are its own
 *         y = tools.scale(x)
 *         return y + N */
#include "collect/extract_internal.h"

enum { PATH_MAX_NAMES = 16 };

/* A walk over one definition. `own` are names of the function itself. */
typedef struct name_scan {
    extract *x;
    const namespace *env;
    uint32_t user;
    bool late;         /* nothing evaluates annotations of a class's plain methods */
    bool bare;         /* in such a method */
    const sym *itself; /* a class that annotations in it cannot name; NULL: they can */
    VEC(const sym *) own;
} name_scan;

static bool is_own(const name_scan *s, const sym *name)
{
    for (uint32_t i = 0; i < s->own.n; i++)
        if (s->own.v[i] == name)
            return true;
    return false;
}

static void add_own(name_scan *s, const sym *name)
{
    if (!is_own(s, name))
        VEC_PUSH(&s->x->c->module, &s->own, name);
}

/* Names that the body assigns, and parameters of it and of lambdas in it. */
static void find_own(void *arg, const node *n)
{
    name_scan *s = arg;
    if (n->kind == AST_Name && AST(Name, n)->ctx == CTX_Store)
        add_own(s, AST(Name, n)->id);
    else if (n->kind == AST_arg)
        add_own(s, AST(arg, n)->arg);
    else if (n->kind == AST_FunctionDef)
        add_own(s, AST(FunctionDef, n)->name);
    ast_each_child(n, find_own, s);
}

/* a.b.c as its names; false: its root is no name. */
static bool read_path(const node *n, const sym **root, const sym **path, uint32_t *count)
{
    uint32_t depth = 0;
    const node *at = n;
    for (; at->kind == AST_Attribute; at = AST(Attribute, at)->value)
        depth++;
    if (at->kind != AST_Name || depth > PATH_MAX_NAMES)
        return false;
    *root = AST(Name, at)->id;
    *count = depth;
    for (at = n; at->kind == AST_Attribute; at = AST(Attribute, at)->value)
        path[--depth] = AST(Attribute, at)->attr;
    return true;
}

/* Without decorators, or with Python's own alone: Warp reads annotations of its functions. */
static bool is_plain_method(const node *n)
{
    static const char *const own[] = {"classmethod", "staticmethod", "property"};
    if (n->kind != AST_FunctionDef)
        return false;
    const node_list *decorators = &AST(FunctionDef, n)->decorator_list;
    for (uint32_t i = 0; i < decorators->n; i++) {
        const node *d = decorators->v[i];
        if (d->kind != AST_Name || !STR_IS_IN(str_c(AST(Name, d)->id->s), own))
            return false;
    }
    return true;
}

static void scan(void *arg, const node *n);

/* The names of its annotations may be defined behind the class, and of the class:
 *
 *     class Axis(IntEnum):
 *         def turned(self, by: AxisLike) -> Axis: ...
 *     AxisLike = Axis | int */
static void scan_plain_method(name_scan *s, const ast_FunctionDef *def)
{
    const bool before = s->bare;
    s->bare = true;
    scan(s, def->args);
    for (uint32_t i = 0; i < def->body.n; i++)
        scan(s, def->body.v[i]);
    s->bare = before;
}

static void refuse_itself(void *arg, const node *n)
{
    name_scan *s = arg;
    if (n->kind == AST_Name && AST(Name, n)->id == s->itself)
        extract_fail(s->x, "of its files, not all evaluate annotations late");
    ast_each_child(n, refuse_itself, s);
}

static void scan(void *arg, const node *n)
{
    name_scan *s = arg;
    const sym *root, *path[PATH_MAX_NAMES];
    uint32_t count;
    if (s->itself && n->kind == AST_arg)
        ast_each_child(n, refuse_itself, s);
    if (s->itself && n->kind == AST_FunctionDef && AST(FunctionDef, n)->returns)
        refuse_itself(s, AST(FunctionDef, n)->returns);
    if (s->x->why || (n->kind == AST_arg && s->bare))
        return;
    if (s->late && is_plain_method(n)) {
        scan_plain_method(s, AST(FunctionDef, n));
        return;
    }
    if (n->kind == AST_Name && AST(Name, n)->ctx != CTX_Load)
        return;
    if ((n->kind == AST_Name || n->kind == AST_Attribute) && read_path(n, &root, path, &count)) {
        if (!is_own(s, root))
            extract_bind_path(s->x, s->env, root, path, count, s->user);
        return;
    }
    ast_each_child(n, scan, s);
}

/* Decorators, annotations and defaults are evaluated outside of the function, so its own names do
 * not hide others there. */
void extract_scan_def(extract *x, const ast_FunctionDef *def, const namespace *env, uint32_t user)
{
    name_scan s = {.x = x, .env = env, .user = user};
    for (uint32_t i = 0; i < def->decorator_list.n; i++)
        scan(&s, def->decorator_list.v[i]);
    scan(&s, def->args);
    if (def->returns)
        scan(&s, def->returns);
    find_own(&s, def->args);
    for (uint32_t i = 0; i < def->body.n; i++)
        find_own(&s, def->body.v[i]);
    for (uint32_t i = 0; i < def->body.n; i++)
        scan(&s, def->body.v[i]);
}

/* In a class body, what it assigns is its own. */
void extract_scan(extract *x, const node *n, const namespace *env, uint32_t user)
{
    name_scan s = {.x = x, .env = env, .user = user};
    if (n->kind == AST_ClassDef) {
        const ast_ClassDef *cls = AST(ClassDef, n);
        s.late = !x->eager && module_has_late_annotations(scope_module(env));
        s.itself = x->eager ? cls->name : NULL;
        for (uint32_t i = 0; i < cls->decorator_list.n; i++)
            scan(&s, cls->decorator_list.v[i]);
        for (uint32_t i = 0; i < cls->bases.n; i++)
            scan(&s, cls->bases.v[i]);
        for (uint32_t i = 0; i < cls->body.n; i++)
            find_own(&s, cls->body.v[i]);
        for (uint32_t i = 0; i < cls->body.n; i++)
            scan(&s, cls->body.v[i]);
        return;
    }
    ast_each_child(n, scan, &s);
}
