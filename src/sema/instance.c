/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that the file itself does not make, because only a running program does: the user says
 * how by --instance, one Python expression each, evaluated after the file in the names of its
 * module.
 *
 *     make_kernel(3, True)          the kernels that the function makes when it is called so
 *     k[x=wp.vec3, n=int]           the generic kernel k for these types, as a launch infers them
 *     k[wp.array(dtype=wp.vec3)]    types by position
 *     make_kernel(3)[x=wp.vec3]     both: the factory makes a generic kernel
 *
 * Of a parameter that is an array of any type, the element type is enough. The text of an instance
 * is a source of its own, called <instance>, so that errors have a place in it. */
#include "base/format.h"
#include "base/nearest.h"
#include "sema/sema.h"
#include "syntax/parser.h"

/* One expression, and how it is looked at. */
typedef struct instance {
    evaluator e;
    module *m;     /* its own text; names it lacks are those of the file */
    str text;      /* without white space around it */
    uint32_t open; /* where "[" of the last brackets stands, if the text ends with them; else 0 */
} instance;

static span place(const instance *in, const node *n)
{
    return node_span(&in->m->src, n);
}

/* --- the text --------------------------------------------------------------------------------- */

static str trimmed(str s)
{
    while (s.n && strchr(" \t\r\n", s.p[s.n - 1]))
        s.n--;
    while (s.n && strchr(" \t\r\n", *s.p))
        s.p++, s.n--;
    return s;
}

/* The end of the string literal that begins at i: its closing quote, or the end of the text. */
static size_t skip_string(str s, size_t i)
{
    const char quote = s.p[i++];
    while (i < s.n && s.p[i] != quote)
        i += s.p[i] == '\\' ? 2 : 1;
    return i;
}

/* Where the brackets begin that end the text: 1 for "k[x=int]", 4 for "f(a)[0]"; 0: it ends
 * otherwise, or has nothing before the brackets. */
static uint32_t last_brackets(str s)
{
    size_t open = 0;
    int depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\'') {
            i = skip_string(s, i);
        } else if (strchr("([{", s.p[i])) {
            if (depth++ == 0)
                open = s.p[i] == '[' ? i : 0;
        } else if (strchr(")]}", s.p[i])) {
            depth--;
        }
    }
    return s.n && s.p[s.n - 1] == ']' && depth == 0 ? (uint32_t)open : 0;
}

/* The text's only expression, or NULL after an error. `types`: the last brackets are read as the
 * parentheses of a call, for Python has no keywords in brackets; places stay the same. */
static const node *parse(instance *in, bool types)
{
    ctx *c = in->e.c;
    source *src = &in->m->src;
    char *p = arena_dup(&c->module, in->text.p, in->text.n);
    if (types) {
        p[in->open] = '(';
        p[in->text.n - 1] = ')';
    }
    src->text = (str){p, in->text.n};
    src->lines = NULL;
    const ast_Module *m = parse_module(c, src);
    if (types && src->text.n >= in->text.n) { /* messages show what the user wrote */
        p = arena_dup(&c->module, src->text.p, src->text.n);
        memcpy(p, in->text.p, in->text.n);
        src->text.p = p;
    }
    if (!m)
        return NULL;
    if (m->body.n == 1 && m->body.v[0]->kind == AST_Expr)
        return AST(Expr, m->body.v[0])->value;
    const span whole = {src, 1, 0, 1, (uint32_t)in->text.n};
    diag_error(c, m->body.n ? place(in, m->body.v[0]) : whole, DIAG_INSTANCE_FORM);
    return NULL;
}

/* "make" of `make(3).kernels["a"]`, or NULL. */
static const ast_Name *root_of(const node *n)
{
    for (;;) {
        switch (n->kind) {
        case AST_Name: return AST(Name, n);
        case AST_Call: n = AST(Call, n)->func; break;
        case AST_Attribute: n = AST(Attribute, n)->value; break;
        case AST_Subscript: n = AST(Subscript, n)->value; break;
        default: return NULL;
        }
    }
}

/* --- errors ----------------------------------------------------------------------------------- */

/* The hint of an error: the name that is near, or what else helps. */
static const char *did_you_mean(ctx *c, const nearest *near, const char *otherwise)
{
    return near->best.p ? arena_printf(&c->module, "did you mean '%s'?", near->best.p) : otherwise;
}

void report_undefined_in_instance(evaluator *e, const ast_Name *n)
{
    const namespace *ns = &e->p->main->globals;
    nearest near;
    nearest_init(&near, sym_str(n->id));
    for (uint32_t i = 0; i < ns->n; i++)
        nearest_offer(&near, sym_str(ns->v[i].name));
    diag_error(e->c, node_span(&e->env->mod->src, &n->base), DIAG_INSTANCE_NAME, n->id->s,
               did_you_mean(e->c, &near, "an instance is evaluated in the names of the file"));
}

static bool has_errors(const instance *in, uint32_t before)
{
    return in->e.c->diags.n > before;
}

/* --- types of a generic kernel ---------------------------------------------------------------- */

/* The parameter of this name; nparams: there is none. */
static uint32_t parameter(const kernel *k, const sym *name)
{
    uint32_t i = 0;
    while (i < k->code.nparams && k->code.params[i].name != name)
        i++;
    return i;
}

static void report_no_parameter(const instance *in, const kernel *k, const ast_keyword *given)
{
    nearest near;
    nearest_init(&near, sym_str(given->arg));
    for (uint32_t i = 0; i < k->code.nparams; i++)
        nearest_offer(&near, sym_str(k->code.params[i].name));
    diag_error(in->e.c, place(in, &given->base), DIAG_INSTANCE_PARAMETER, k->code.name->s,
               given->arg->s,
               did_you_mean(in->e.c, &near, "its parameters stand in its definition"));
}

/* The type that the user gives parameter i; NULL after an error. Of an array of any type the
 * element type is enough. */
static const type *read_type(instance *in, const kernel *k, uint32_t i, const node *n)
{
    ctx *c = in->e.c;
    const param *p = &k->code.params[i];
    const uint32_t before = c->diags.n;
    const value v = eval_node(&in->e, n);
    if (has_errors(in, before))
        return NULL;
    const type *t = v.kind == VALUE_UNKNOWN ? NULL : annotation_type(c, &v), *given = t;
    if (!t || t->generic) {
        diag_error(c, place(in, n), DIAG_INSTANCE_TYPE,
                   v.kind == VALUE_UNKNOWN ? v.why : "it is none of Warp's");
        return NULL;
    }
    if (p->type && p->type->kind == TYPE_ARRAY && t->kind != TYPE_ARRAY && p->type->ndim > 0)
        t = type_array(c, p->type->array_class, t, p->type->ndim);
    if (p->type && type_fits(p->type, t))
        return t;
    diag_error(c, place(in, n), DIAG_INSTANCE_MISFIT, (int)given->pyname.n, given->pyname.p,
               p->name->s, p->type ? (int)p->type->pyname.n : 1, p->type ? p->type->pyname.p : "?");
    return NULL;
}

/* Puts the types that the call names into `types`, one place for each parameter. */
static bool read_types(instance *in, const kernel *k, const ast_Call *n, const type **types)
{
    ctx *c = in->e.c;
    const uint32_t before = c->diags.n;
    for (uint32_t i = 0; i < n->args.n; i++) {
        if (i >= k->code.nparams)
            diag_error(c, place(in, n->args.v[i]), DIAG_INSTANCE_TOO_MANY, k->code.name->s,
                       k->code.nparams, plural_s(k->code.nparams));
        else
            types[i] = read_type(in, k, i, n->args.v[i]);
    }
    for (uint32_t i = 0; i < n->keywords.n; i++) {
        const ast_keyword *given = AST(keyword, n->keywords.v[i]);
        const uint32_t at = given->arg ? parameter(k, given->arg) : k->code.nparams;
        if (!given->arg)
            diag_error(c, place(in, &given->base), DIAG_INSTANCE_FORM);
        else if (at == k->code.nparams)
            report_no_parameter(in, k, given);
        else
            types[at] = read_type(in, k, at, given->value);
    }
    return !has_errors(in, before);
}

/* Parameters that are not named keep their type, which must not be a pattern then. */
static void make_typed(instance *in, const kernel *k, const ast_Call *n)
{
    ctx *c = in->e.c;
    const uint32_t np = k->code.nparams;
    const type **types = ARENA_ARRAY(&c->module, const type *, np + 1);
    for (uint32_t i = 0; i < np; i++)
        types[i] = NULL;
    if (!read_types(in, k, n, types))
        return;
    for (uint32_t i = 0; i < np; i++) {
        const param *p = &k->code.params[i];
        if (!types[i] && p->type && p->type->generic) {
            diag_error(c, place(in, &n->base), DIAG_INSTANCE_MISSING, p->name->s, k->code.name->s,
                       p->name->s);
            return;
        }
        types[i] = types[i] ? types[i] : p->type;
    }
    (void)kernel_instance(&in->e, k, types);
}

/* --- one instance ----------------------------------------------------------------------------- */

static void report_none(const instance *in, const node *n, const value *v, uint32_t first)
{
    const program *p = in->e.p;
    ctx *c = in->e.c;
    if (first < p->all.n)
        diag_error(c, place(in, n), DIAG_INSTANCE_FOREIGN, p->all.v[first]->code.name->s,
                   p->all.v[first]->code.src->path);
    else if (v->kind == VALUE_UNKNOWN)
        diag_error(c, place(in, n), DIAG_INSTANCE_UNKNOWN, v->why);
    else
        diag_error(c, place(in, n), DIAG_INSTANCE_NO_KERNEL);
}

/* Any expression: the kernels that its evaluation makes, or that the file has made and it gives. */
static void make_called(instance *in, const node *n)
{
    const program *p = in->e.p;
    const uint32_t before = in->e.c->diags.n, first = p->all.n;
    const value v = eval_node(&in->e, n);
    bool any = v.kind == VALUE_KERNEL;
    for (uint32_t i = first; i < p->all.n; i++)
        any = any || p->all.v[i]->code.src == &p->main->src;
    if (!any && !has_errors(in, before))
        report_none(in, n, &v, first);
}

/* k[...]: types if k is a kernel; else an ordinary subscript. */
static void make_bracketed(instance *in)
{
    ctx *c = in->e.c;
    const uint32_t before = c->diags.n;
    const node *n = parse(in, true);
    if (!n || n->kind != AST_Call)
        return;
    const ast_Call *call = AST(Call, n);
    const value callee = eval_node(&in->e, call->func);
    if (has_errors(in, before))
        return;
    if (callee.kind == VALUE_KERNEL && ((const kernel *)callee.p)->code.generic)
        make_typed(in, callee.p, call);
    else if (callee.kind == VALUE_KERNEL)
        diag_error(c, place(in, call->func), DIAG_INSTANCE_NOT_GENERIC,
                   ((const kernel *)callee.p)->code.name->s);
    else if (call->keywords.n)
        diag_error(c, place(in, call->func), DIAG_INSTANCE_NO_GENERIC);
    else if ((n = parse(in, false)))
        make_called(in, n);
}

/* The file's own names, and warp where the file does not import it under these. */
static module *instance_module(program *p)
{
    ctx *c = p->c;
    module *m = ARENA_NEW(&c->module, module);
    m->prog = p;
    m->name = p->main->name;
    m->state = MODULE_LOADED;
    m->is_instance = true;
    m->src.path = "<instance>";
    ns_init(&m->globals, NS_MODULE, &p->main->globals, m, (str){"", 0});
    static const char *const names[] = {"wp", "warp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sym *s = sym_c(&c->syms, names[i]);
        if (!ns_find(&p->main->globals, s))
            ns_set(c, &m->globals, s, warp_value(c, "warp"));
    }
    return m;
}

/* May the file of this program have what the text names? Texts for several files name what only
 * some of them have. */
static bool concerns(const program *p, instance *in)
{
    const uint32_t before = in->e.c->diags.n;
    const node *n = parse(in, in->open != 0);
    const ast_Name *root = n ? root_of(n) : NULL;
    in->e.c->diags.n = before;
    return !root || ns_find(&p->main->globals, root->id);
}

void program_make_instances(program *p, const program_options *o)
{
    ctx *c = p->c;
    for (size_t i = 0; i < o->ninstances; i++) {
        instance in = {.m = instance_module(p), .text = trimmed(str_c(o->instances[i]))};
        in.e = evaluator_for(c, &in.m->globals);
        in.open = last_brackets(in.text);
        if (o->instance_found && !concerns(p, &in))
            continue;
        if (o->instance_found)
            o->instance_found[i] = 1;
        /* As when the module runs: what the user calls runs for certain. */
        p->fuel = SEMA_FUEL;
        p->main->state = MODULE_LOADING;
        const node *n = NULL;
        if (in.open)
            make_bracketed(&in);
        else if ((n = parse(&in, false)))
            make_called(&in, n);
        p->main->state = MODULE_LOADED;
    }
}
