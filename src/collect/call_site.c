/* SPDX-License-Identifier: Apache-2.0 */
/* Finds calls of a function in a syntax tree, and evaluates their arguments (call_site.h). Of the
 * function around a call nothing is executed: a local name is what the last assignment to it gives,
 * the first item of the loop over it, or a parameter's default; self.NAME is the last assignment to
 * that. */
#include "collect/call_site.h"

#include "base/vec.h"
#include "sema/origin.h"
#include "sema/sema.h"

enum { FOLLOWED_MOST = 6, LOCALS_MOST = 16 };

typedef struct site_search {
    ctx *c;
    const module *m;
    const namespace *env; /* of the module */
    const ast_FunctionDef *def, *face;
    const sym *home; /* the module that defines it */
    bool method;
    const ast_FunctionDef *inside; /* the innermost function around what is looked at */
    call_site_fn found;
    void *arg;
    int depth;
} site_search;

uint32_t parameter_count(const ast_FunctionDef *def)
{
    const ast_arguments *a = AST(arguments, def->args);
    return a->posonlyargs.n + a->args.n + a->kwonlyargs.n;
}

const ast_arg *parameter_at(const ast_FunctionDef *def, uint32_t i)
{
    const ast_arguments *a = AST(arguments, def->args);
    if (i < a->posonlyargs.n)
        return AST(arg, a->posonlyargs.v[i]);
    i -= a->posonlyargs.n;
    return AST(arg, i < a->args.n ? a->args.v[i] : a->kwonlyargs.v[i - a->args.n]);
}

/* --- values ---------------------------------------------------------------------------------- */

static value known(site_search *s, const node *n);

/* The last statement that gives a name, or self.NAME, a value. */
typedef struct binding_search {
    const sym *name;
    bool attribute, loop; /* loop: `value` is what is iterated */
    const node *value;
} binding_search;

static bool is_target(const binding_search *b, const node *n)
{
    if (!b->attribute)
        return n->kind == AST_Name && AST(Name, n)->id == b->name;
    return n->kind == AST_Attribute && AST(Attribute, n)->attr == b->name &&
           AST(Attribute, n)->value->kind == AST_Name &&
           strcmp(AST(Name, AST(Attribute, n)->value)->id->s, "self") == 0;
}

static void find_binding(void *arg, const node *n)
{
    binding_search *b = arg;
    const node *target = NULL, *given = NULL;
    if (n->kind == AST_Assign && AST(Assign, n)->targets.n == 1)
        target = AST(Assign, n)->targets.v[0], given = AST(Assign, n)->value;
    else if (n->kind == AST_AnnAssign)
        target = AST(AnnAssign, n)->target, given = AST(AnnAssign, n)->value;
    else if (n->kind == AST_For)
        target = AST(For, n)->target, given = AST(For, n)->iter;
    if (target && given && is_target(b, target)) {
        b->value = given;
        b->loop = n->kind == AST_For;
    }
    ast_each_child(n, find_binding, b);
}

static value bound_value(site_search *s, const binding_search *b)
{
    const value *items;
    uint32_t n;
    const value v = known(s, b->value);
    if (!b->loop)
        return v;
    return value_iterate(s->c, &v, &items, &n) && n ? items[0] : unknown("an item is not known");
}

/* What a name is in the function around; false: it is none of its own. */
static bool local_value(site_search *s, const sym *name, value *out)
{
    binding_search b = {.name = name};
    if (!s->inside)
        return false;
    ast_each_child(&s->inside->base, find_binding, &b);
    if (b.value) {
        *out = bound_value(s, &b);
        return true;
    }
    for (uint32_t i = 0; i < parameter_count(s->inside); i++) {
        const ast_arguments *a = AST(arguments, s->inside->args);
        const uint32_t n = a->posonlyargs.n + a->args.n, first = n - a->defaults.n;
        if (parameter_at(s->inside, i)->arg != name)
            continue;
        const node *d = i >= n       ? a->kw_defaults.v[i - n]
                        : i >= first ? a->defaults.v[i - first]
                                     : NULL;
        *out = d ? eval_expr(s->c, s->env, NULL, 0, d) : unknown("a parameter is not known");
        return true;
    }
    return false;
}

/* The local names of an expression. */
typedef struct local_names {
    site_search *s;
    local_binding v[LOCALS_MOST];
    uint32_t n;
} local_names;

static void find_locals(void *arg, const node *n)
{
    local_names *l = arg;
    value v;
    if (n->kind == AST_Name && l->n < LOCALS_MOST && local_value(l->s, AST(Name, n)->id, &v))
        l->v[l->n++] = (local_binding){AST(Name, n)->id, v};
    ast_each_child(n, find_locals, l);
}

static bool is_of_self(const node *n)
{
    return n->kind == AST_Attribute && AST(Attribute, n)->value->kind == AST_Name &&
           strcmp(AST(Name, AST(Attribute, n)->value)->id->s, "self") == 0;
}

/* The value of an expression; unknown where it depends on what a running program knows. */
static value known(site_search *s, const node *n)
{
    local_names l = {.s = s};
    value v = unknown("its names are nested too deeply");
    if (s->depth == FOLLOWED_MOST)
        return v;
    s->depth++;
    if (is_of_self(n)) {
        binding_search b = {.name = AST(Attribute, n)->attr, .attribute = true};
        ast_each_child(&module_tree(s->m)->base, find_binding, &b);
        v = b.value ? bound_value(s, &b) : unknown("an attribute is not known");
    } else {
        const uint32_t errors = s->c->diags.n;
        find_locals(&l, n);
        v = eval_expr(s->c, s->env, l.v, l.n, n);
        s->c->diags.n = errors;
    }
    s->depth--;
    return v;
}

/* --- calls ----------------------------------------------------------------------------------- */

/* Does an import in the function around bind the name to the function's module? */
typedef struct import_search {
    site_search *s;
    bool found;
} import_search;

static void find_import(void *arg, const node *n)
{
    import_search *i = arg;
    if (n->kind == AST_ImportFrom && AST(ImportFrom, n)->level < 20) {
        const ast_ImportFrom *from = AST(ImportFrom, n);
        const sym *home = origin_dotted(i->s->m, from);
        for (uint32_t k = 0; k < from->names.n && home == i->s->home; k++)
            i->found |= AST(alias, from->names.v[k])->name == i->s->def->name;
    }
    ast_each_child(n, find_import, i);
}

/* make(...), lib.make(...), self.make(...), cls.make(...). */
static bool is_call_of(site_search *s, const node *callee)
{
    const sym *name = callee->kind == AST_Name        ? AST(Name, callee)->id
                      : callee->kind == AST_Attribute ? AST(Attribute, callee)->attr
                                                      : NULL;
    if (name != s->def->name)
        return false;
    if (s->method)
        return callee->kind == AST_Attribute;
    const uint32_t errors = s->c->diags.n;
    const value v = eval_expr(s->c, s->env, NULL, 0, callee);
    s->c->diags.n = errors;
    if (v.kind != VALUE_UNKNOWN)
        return is_function_of(&v, s->def);
    import_search i = {.s = s};
    if (callee->kind == AST_Name && s->inside)
        ast_each_child(&s->inside->base, find_import, &i);
    return i.found;
}

/* A call with *args or **kwargs tells nothing. */
static void take_call(site_search *s, const ast_Call *n)
{
    const uint32_t count = parameter_count(s->face), bound = s->method;
    const ast_arguments *a = AST(arguments, s->face->args);
    const uint32_t positional = a->posonlyargs.n + a->args.n;
    value *args = ARENA_ARRAY(&s->c->module, value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        args[i] = unknown("it is not passed");
    for (uint32_t i = 0; i < n->args.n; i++) {
        if (n->args.v[i]->kind == AST_Starred)
            return;
        if (bound + i < positional)
            args[bound + i] = known(s, n->args.v[i]);
    }
    for (uint32_t i = 0; i < n->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, n->keywords.v[i]);
        if (!k->arg)
            return;
        for (uint32_t p = 0; p < count; p++)
            if (parameter_at(s->face, p)->arg == k->arg)
                args[p] = known(s, k->value);
    }
    s->found(s->arg, args);
}

static void look(void *arg, const node *n)
{
    site_search *s = arg;
    const ast_FunctionDef *around = s->inside;
    if (n->kind == AST_FunctionDef)
        s->inside = AST(FunctionDef, n);
    if (n->kind == AST_Call && is_call_of(s, AST(Call, n)->func))
        take_call(s, AST(Call, n));
    ast_each_child(n, look, s);
    s->inside = around;
}

void call_sites(ctx *c, const module *m, const kernel_callee *callee, bool method,
                call_site_fn found, void *arg)
{
    const namespace *env = NULL, *ignored = NULL;
    site_search s = {.c = c,
                     .m = m,
                     .env = module_scope(m),
                     .def = origin_function(&callee->plain, &env),
                     .face = origin_function(&callee->face, &ignored),
                     .method = method,
                     .found = found,
                     .arg = arg};

    s.home = module_name(scope_module(env));
    look(&s, &module_tree(m)->base);
}

/* --- other files ----------------------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool has_word(str text, str word)
{
    const char *const end = text.p + text.n;
    for (const char *at; (at = str_find(text, word)); text = (str){at + 1, (size_t)(end - at) - 1})
        if ((at == text.p || !is_word_char(at[-1])) &&
            (at + word.n == end || !is_word_char(at[word.n])))
            return true;
    return false;
}

const module *other_file(const other_files *o, const program *prog, const char *word, uint32_t *at)
{
    while (*at < o->n) {
        const collect_file *f = &o->v[(*at)++];
        if (strcmp(f->path, o->own) == 0 || !has_word(f->text, str_c(word)))
            continue;
        const module *m = program_add(prog, f->path);
        if (m)
            return m;
    }
    return NULL;
}
