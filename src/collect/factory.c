/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the functions that make kernels (factory.h). What a call does not tell stays unknown as
 * long as the kernels do not depend on it, which compiling them shows. */
#include "collect/factory.h"
#include "builtin/builtin.h"

#include "sema/origin.h"
#include "sema/sema.h"

enum { SITES_MOST = 8, FILES_MOST = 16, CHOICES_MOST = 4, TRIES_MOST = 48, PARAMETERS_MOST = 64 };

/* Values that one call is known to pass. */
typedef struct site {
    const value *args;
} site;

/* One function, and the definitions in it. */
typedef struct factory {
    pipeline *p;
    const program *prog;
    const unmade_kernel *defs;
    uint32_t ndefs;
    bool *done; /* of each definition: a kernel of it was taken */
    kernel_callee callee;
    const namespace *env;       /* that its parameters' annotations are read in */
    const ast_FunctionDef *def; /* with its parameters */
    const char *name;           /* "Solver.make" */
    uint32_t nparams;
    bool method;
    VEC(site) sites;
    const char *why; /* the first error of a kernel that does not compile */
    factory_fn take;
    void *arg;
} factory;

/* --- what calls pass ------------------------------------------------------------------------- */

static void add_site(void *arg, const value *args)
{
    factory *f = arg;
    bool same = false;
    for (uint32_t i = 0; i < f->sites.n && !same; i++) {
        same = true;
        for (uint32_t k = 0; k < f->nparams && same; k++) {
            const value *old = &f->sites.v[i].args[k];
            same = (old->kind == VALUE_UNKNOWN && args[k].kind == VALUE_UNKNOWN) ||
                   value_identical(old, &args[k]);
        }
    }
    const site s = {args};
    if (!same && f->sites.n < SITES_MOST)
        VEC_PUSH(&f->p->c.module, &f->sites, s);
}

/* Its own file first, then the others in their order. */
static void find_sites(factory *f, const other_files *others)
{
    ctx *c = &f->p->c;
    const module *m;
    const namespace *home = NULL;
    const sym *name = origin_function(&f->callee.plain, &home)->name;
    call_sites(c, scope_module(home), &f->callee, f->method, add_site, f);
    uint32_t at = 0;
    for (int n = 0; !f->method && n < FILES_MOST && f->sites.n < SITES_MOST &&
                    (m = other_file(others, f->prog, name->s, &at));
         n++)
        call_sites(c, m, &f->callee, f->method, add_site, f);
}

/* --- one call -------------------------------------------------------------------------------- */

/* "Cone.FLAT" */
static bool put_member(const factory *f, strbuf *b, const value *v)
{
    ctx *c = &f->p->c;
    value name;
    const py_class *cls = v->kind == VALUE_ENUM     ? v->cls
                          : v->kind == VALUE_OBJECT ? v->ns->cls
                                                    : NULL;
    if (!cls || !cls->name || !(v->kind == VALUE_ENUM || cls->kind == CLASS_ENUM) ||
        !value_getattr(c, v, sema_init(c)->s_name, &name) || name.kind != VALUE_STR)
        return false;
    sb_c(b, cls->name->s);
    SB_LIT(b, ".");
    sb_c(b, name.s->s);
    return true;
}

static void put_value(const factory *f, strbuf *b, const value *v);

/* "Block(size=4)": the fields that are known. */
static bool put_object(const factory *f, strbuf *b, const value *v)
{
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    bool any = false;
    if (!cls || !cls->name || cls->kind != CLASS_DATA)
        return false;
    sb_c(b, cls->name->s);
    SB_LIT(b, "(");
    for (uint32_t i = 0; i < v->ns->n; i++) {
        const value *field = &v->ns->v[i].v;
        if (field->kind == VALUE_UNKNOWN || field->kind == VALUE_OBJECT)
            continue;
        sb_c(b, any ? ", " : "");
        sb_c(b, v->ns->v[i].name->s);
        SB_LIT(b, "=");
        put_value(f, b, field);
        any = true;
    }
    SB_LIT(b, ")");
    return true;
}

static void put_value(const factory *f, strbuf *b, const value *v)
{
    const size_t before = b->n;
    const func *of = v->p;
    if (v->kind == VALUE_TYPE)
        sb_str(b, v->type->pyname);
    else if (v->kind == VALUE_PYTYPE)
        sb_str(b, sym_str(v->s));
    else if (v->kind == VALUE_BUILTIN)
        sb_str(b, sym_str(builtin_name(v->p)));
    else if (v->kind == VALUE_FUNC)
        sb_c(b, of->code.name->s);
    else if (v->kind == VALUE_PYFUNC && as_py_func(v) && as_py_func(v)->name)
        sb_c(b, as_py_func(v)->name->s);
    else if (!put_member(f, b, v) && !put_object(f, b, v) && !value_text(b, &f->p->c, v, true)) {
        b->n = before;
        SB_LIT(b, "...");
    }
}

/* "make(n=4, flag=True)"; of a wrapper that takes no keywords "make(4, True)". */
static str call_text(const factory *f, const value *args)
{
    strbuf b;
    sb_init(&b, &f->p->c.mem);
    sb_c(&b, f->name);
    SB_LIT(&b, "(");
    bool any = false;
    uint32_t n = f->nparams;
    while (n && args[n - 1].kind == VALUE_UNKNOWN)
        n--;
    for (uint32_t i = 0; i < n; i++) {
        const bool known = args[i].kind != VALUE_UNKNOWN, by_position = f->callee.by_position;
        if ((!known && !by_position) || (by_position && f->method && !i))
            continue;
        sb_c(&b, any ? ", " : "");
        if (!by_position) {
            sb_c(&b, parameter_at(f->def, i)->arg->s);
            SB_LIT(&b, "=");
        }
        put_value(f, &b, &args[i]);
        any = true;
    }
    SB_LIT(&b, ")");
    const str text = {arena_dup(&f->p->c.module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* A generic kernel compiles once it has types, which are looked for later. */
static bool compiles(factory *f, const kernel *k)
{
    const uint32_t errors = f->p->c.diags.n;
    if (k->code.generic)
        return true;
    const compiled_kernel c = pipeline_lower(f->p, f->prog, k);
    if (!c.ir && !f->why)
        f->why =
            c.error ? arena_printf(&f->p->c.module, "%s", c.error->text) : "it does not compile";
    f->p->c.diags.n = errors;
    return c.ir;
}

static bool all_done(const factory *f)
{
    for (uint32_t i = 0; i < f->ndefs; i++)
        if (!f->done[i])
            return false;
    return true;
}

/* Takes what the call makes and compiles; `again`: also of definitions that an earlier call has
 * made a kernel of. */
static void call(factory *f, const value *args, found_types from, bool again)
{
    uint32_t n;
    const kernel *const *made = program_call(f->prog, &f->callee, args, &n);
    bool *before = arena_zero(&f->p->c.module, f->ndefs + 1);
    memcpy(before, f->done, f->ndefs);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < f->ndefs; k++) {
            if (made[i]->code.def != f->defs[k].def || (before[k] && !again) ||
                !compiles(f, made[i]))
                continue;
            const factory_kernel found = {.def = f->defs[k].def,
                                          .kernel = made[i],
                                          .instance = call_text(f, args),
                                          .from = from};
            f->done[k] = true;
            f->take(f->arg, &found);
        }
}

/* --- defaults and choices -------------------------------------------------------------------- */

/* Fills what is open with defaults. Gives how the arguments came about then. */
static found_types fill_defaults(const factory *f, value *args)
{
    found_types from = FOUND_TYPES_CALL;
    for (uint32_t i = 0; i < f->nparams; i++)
        if (args[i].kind == VALUE_UNKNOWN && function_default(&f->callee.face, i, &args[i]) &&
            !f->sites.n)
            from = FOUND_TYPES_DEFAULT;
    return f->sites.n ? FOUND_TYPES_CALL : from;
}

typedef struct choice {
    value v[CHOICES_MOST];
    uint32_t n;
} choice;

static void add_integers(choice *out)
{
    static const int integers[] = {4, 16, 3, 1};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        out->v[out->n++] = value_int(integers[i]);
}

static void add_types(const factory *f, choice *out)
{
    const type *t = type_scalar(&f->p->c, TYPE_FLOAT32);
    out->v[out->n++] = (value){.kind = VALUE_TYPE, .type = t};
    out->v[out->n++] = (value){.kind = VALUE_TYPE, .type = type_vec(&f->p->c, t, 3)};
}

/* The texts that the function compares a parameter with: `op == "sum"`. */
typedef struct text_search {
    const factory *f;
    const sym *name;
    choice *out;
} text_search;

static void find_texts(void *arg, const node *n)
{
    text_search *s = arg;
    if (n->kind == AST_Compare && AST(Compare, n)->comparators.n == 1) {
        const node *a = AST(Compare, n)->left, *b = AST(Compare, n)->comparators.v[0];
        if (a->kind == AST_Name && AST(Name, a)->id == s->name && b->kind == AST_Constant &&
            AST(Constant, b)->value.kind == CONST_STR && s->out->n < CHOICES_MOST)
            s->out->v[s->out->n++] = eval_expr(&s->f->p->c, s->f->env, NULL, 0, b);
    }
    ast_each_child(n, find_texts, s);
}

/* The members of an enum that stand first. */
static void add_members(const factory *f, const value *v, choice *out)
{
    const value *items;
    uint32_t n;
    if (!value_iterate(&f->p->c, v, &items, &n))
        return;
    for (uint32_t i = 0; i < n && out->n < CHOICES_MOST; i++)
        out->v[out->n++] = items[i];
}

/* What Python's bool, float and int allow. False: it is another type. */
static bool add_numbers(const value *kind, choice *out)
{
    if (kind->kind != VALUE_PYTYPE)
        return false;
    if (kind->n == SP_py_bool) {
        out->v[out->n++] = value_bool(true);
        out->v[out->n++] = value_bool(false);
    } else if (kind->n == SP_py_float) {
        out->v[out->n++] = value_float(0.5);
    } else if (kind->n == SP_py_int) {
        add_integers(out);
    }
    return out->n;
}

/* An object of a dataclass; a field without default has the first number of its type. */
static void add_object(const factory *f, const value *cls, choice *out)
{
    enum { FIELDS_MOST = 32 };
    const module *m = NULL;
    const ast_ClassDef *def = origin_class(cls->ns, &m);
    const sym *names[FIELDS_MOST];
    value fields[FIELDS_MOST];
    uint32_t n = 0;
    if (!def || cls->ns->cls->kind != CLASS_DATA)
        return;
    for (uint32_t i = 0; i < def->body.n && n < FIELDS_MOST; i++) {
        const ast_AnnAssign *a =
            def->body.v[i]->kind == AST_AnnAssign ? AST(AnnAssign, def->body.v[i]) : NULL;
        if (!a || a->value || a->target->kind != AST_Name)
            continue;
        choice of = {.n = 0};
        const value kind = eval_expr(&f->p->c, module_scope(m), NULL, 0, a->annotation);
        names[n] = AST(Name, a->target)->id;
        fields[n++] = add_numbers(&kind, &of) ? of.v[0] : unknown("a field is not known");
    }
    out->v[out->n++] = program_object(f->prog, cls, names, fields, n);
}

/* Is it a function that the parameter takes, Callable[[int], float] or wp.Function? */
static bool is_for_functions(const node *annotation)
{
    static const char *const names[] = {"Callable", "Function", "Kernel"};
    while (annotation->kind == AST_Subscript)
        annotation = AST(Subscript, annotation)->value;
    const sym *name = annotation->kind == AST_Name        ? AST(Name, annotation)->id
                      : annotation->kind == AST_Attribute ? AST(Attribute, annotation)->attr
                                                          : NULL;
    return name && STR_IS_IN(sym_str(name), names);
}

/* What a parameter's annotation allows; without one numbers and types, for factories take little
 * else. Of `int | None` the first counts. */
static choice choices_of(const factory *f, uint32_t i)
{
    choice out = {.n = 0};
    const ast_arg *p = parameter_at(f->def, i);
    const node *annotation = p->annotation;
    text_search s = {.f = f, .name = p->arg, .out = &out};
    while (annotation && annotation->kind == AST_BinOp)
        annotation = AST(BinOp, annotation)->left;
    const value v = annotation ? eval_expr(&f->p->c, f->env, NULL, 0, annotation) : value_none();
    const bool is_python = v.kind == VALUE_PYTYPE;
    if (!annotation || (is_python && v.n == SP_py_str))
        find_texts(&s, &f->def->base);
    if (out.n)
        return out;
    if (add_numbers(&v, &out))
        return out;
    if (v.kind == VALUE_CLASS) {
        add_members(f, &v, &out);
        if (!out.n)
            add_object(f, &v, &out);
    } else if (!annotation) {
        out.v[out.n++] = value_int(4);
        add_types(f, &out);
        out.v[out.n++] = value_bool(true);
    } else if ((!is_python || v.n != SP_py_str) && !is_for_functions(annotation)) {
        add_types(f, &out);
    }
    return out;
}

/* The next combination, the last parameter's choice changing fastest. */
static bool step(uint32_t *at, const choice *choices, uint32_t n)
{
    uint32_t i = n;
    while (i > 0 && ++at[i - 1] >= (choices[i - 1].n ? choices[i - 1].n : 1))
        at[--i] = 0;
    return i > 0;
}

/* Tries values for what is open, until all definitions have a kernel. */
static void choose(factory *f, const value *args)
{
    const uint32_t n = f->nparams;
    choice *choices = arena_zero(&f->p->c.module, (n + 1) * sizeof *choices);
    uint32_t *at = arena_zero(&f->p->c.module, (n + 1) * sizeof *at);
    bool any = false;
    for (uint32_t i = f->method; i < n; i++)
        if (args[i].kind == VALUE_UNKNOWN) {
            choices[i] = choices_of(f, i);
            any = any || choices[i].n;
        }
    for (int tries = 0; any && tries < TRIES_MOST && !all_done(f); tries++) {
        value *chosen = ARENA_ARRAY(&f->p->c.module, value, n + 1);
        for (uint32_t i = 0; i < n; i++)
            chosen[i] = choices[i].n ? choices[i].v[at[i]] : args[i];
        call(f, chosen, FOUND_TYPES_CHOSEN, false);
        if (!step(at, choices, n))
            break;
    }
}

/* --- one function ---------------------------------------------------------------------------- */

/* Calls that are known, then one with what is known and defaults, then chosen values. */
static void call_all(factory *f)
{
    const uint32_t n = f->nparams;
    value *args = ARENA_ARRAY(&f->p->c.module, value, n + 1);
    for (uint32_t i = 0; i < f->sites.n; i++) {
        memcpy(args, f->sites.v[i].args, n * sizeof *args);
        const found_types from = fill_defaults(f, args);
        const value *kept = args;
        args = ARENA_ARRAY(&f->p->c.module, value, n + 1);
        call(f, kept, from, true);
    }
    for (uint32_t i = 0; i < n; i++)
        args[i] = f->sites.n ? f->sites.v[0].args[i] : unknown("nothing calls the function");
    const found_types from = fill_defaults(f, args);
    if (!f->sites.n)
        call(f, args, from == FOUND_TYPES_CALL ? FOUND_TYPES_DEFAULT : from, false);
    if (!all_done(f))
        choose(f, args);
}

/* Why a kernel that stands in no function is not made. */
static const char *why_unmade(const factory *f, const ast_FunctionDef *def)
{
    bool spent;
    const uint32_t end = program_end(f->prog, &spent);
    if (!end || def->base.line <= end)
        return "it is made by code that weft does not run";
    return arena_printf(&f->p->c.module,
                        spent ? "running the module takes too many steps: it ends in line %u"
                              : "the module ends in line %u, as in Python",
                        end);
}

static void list_left(factory *f)
{
    arena *a = &f->p->c.module;
    for (uint32_t i = 0; i < f->ndefs; i++) {
        factory_kernel left = {.def = f->defs[i].def};
        if (f->done[i])
            continue;
        if (!f->name)
            left.why = why_unmade(f, left.def);
        else if (f->why)
            left.why = arena_printf(a, "it is made when '%s' is called: %s", f->name, f->why);
        else
            left.why = arena_printf(a,
                                    "it is made when '%s' is called, and no call is known that "
                                    "makes it",
                                    f->name);
        f->take(f->arg, &left);
    }
}

static const char *name_of(arena *a, const unmade_kernel *k)
{
    if (!k->around)
        return NULL;
    return k->cls ? arena_printf(a, "%s.%s", k->cls->name->s, k->around->name->s)
                  : k->around->name->s;
}

/* Is the function's first parameter bound, by an object or a class? */
static bool is_method(const unmade_kernel *k)
{
    for (uint32_t i = 0; i < k->around->decorator_list.n; i++) {
        const node *d = k->around->decorator_list.v[i];
        if (d->kind == AST_Name && strcmp(AST(Name, d)->id->s, "staticmethod") == 0)
            return false;
    }
    return k->cls != NULL;
}

static void make_factory(factory *f, const other_files *others)
{
    const unmade_kernel *k = f->defs;
    f->done = arena_zero(&f->p->c.module, f->ndefs + 1);
    f->name = name_of(&f->p->c.module, k);
    if (program_callee(f->prog, k, &f->callee)) {
        f->def = origin_function(&f->callee.face, &f->env);
        f->nparams = parameter_count(f->def);
        f->method = is_method(k);
    }
    if (f->def && f->nparams <= PARAMETERS_MOST) {
        find_sites(f, others);
        call_all(f);
    }
    list_left(f);
}

void factory_kernels(pipeline *p, const program *prog, const other_files *others, factory_fn take,
                     void *arg)
{
    uint32_t n;
    const unmade_kernel *all = program_unmade(prog, &n);
    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && all[i].around && all[next].around == all[i].around;)
            next++;
        factory f = {
            .p = p, .prog = prog, .defs = all + i, .ndefs = next - i, .take = take, .arg = arg};
        make_factory(&f, others);
    }
}
