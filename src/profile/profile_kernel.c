/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a kernel once, statement after statement, and notes what it has.
 *
 *     j = ids[i]        ids is a parameter: j holds what was loaded from an array
 *     y[i] = x[j]       j is part of an index: GATHER
 *
 * A name that is assigned from an expression with a loaded name or an element is loaded, too, until
 * the end of the kernel: `j = ids[i] - 1`. So a position that is loaded and then rounded to a cell
 * counts, as it should. */
#include "profile/profile_kernel.h"

#include <string.h>

#include "base/assert.h"
#include "base/str.h"

enum { NAMES_MAX = 256 }; /* of a kernel; further ones are not looked at */

typedef enum name_is {
    IS_PARAMETER = 1,
    IS_LOADED = 2,
    IS_ASSIGNED = 4,
    IS_READ = 8,
    IS_STORED_TO = 16, /* an array: an element is assigned */
    IS_TAKEN_OF = 32,  /* an array: an element is read */
    IS_FUNCTION = 64
} name_is;

typedef struct name_entry {
    const sym *name;
    unsigned is;
} name_entry;

typedef struct walk {
    profile_facts *out;
    const sym *warp;
    name_entry names[NAMES_MAX];
    uint32_t n;
    uint32_t loops;                    /* around what is looked at */
    const profile_template *template_; /* NULL: it is a kernel */
} walk;

typedef struct feature_row {
    const char *name, *what, *prefixes; /* NULL: found by code */
} feature_row;

static const feature_row rows[PROFILE_FEATURES] = {
#define FEATURE(ID, name, what)          {name, what, NULL},
#define CALLED(ID, name, what, prefixes) {name, what, prefixes},
#include "profile/profile_feature.def"
#undef FEATURE
#undef CALLED
};

static const struct {
    const char *name, *what;
} numbers[PROFILE_NUMBERS] = {
#define NUMBER(ID, name, what) {name, what},
#include "profile/profile_number.def"
#undef NUMBER
};

const char *profile_feature_name(profile_feature f)
{
    WEFT_ASSERT(f < PROFILE_FEATURES);
    return rows[f].name;
}

const char *profile_feature_what(profile_feature f)
{
    WEFT_ASSERT(f < PROFILE_FEATURES);
    return rows[f].what;
}

bool profile_feature_find(str name, profile_feature *f)
{
    for (int i = 0; i < PROFILE_FEATURES; i++)
        if (str_eq(name, str_c(rows[i].name))) {
            *f = (profile_feature)i;
            return true;
        }
    return false;
}

const char *profile_number_name(profile_number n)
{
    WEFT_ASSERT(n < PROFILE_NUMBERS);
    return numbers[n].name;
}

const char *profile_number_what(profile_number n)
{
    WEFT_ASSERT(n < PROFILE_NUMBERS);
    return numbers[n].what;
}

/* --- names ----------------------------------------------------------------------------------- */

static void note(walk *w, profile_feature f)
{
    w->out->features |= UINT64_C(1) << f;
}

/* The entry of a name; NULL: there are too many. */
static name_entry *entry_of(walk *w, const sym *name)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->names[i].name == name)
            return &w->names[i];
    if (w->n == NAMES_MAX)
        return NULL;
    w->names[w->n] = (name_entry){name, 0};
    return &w->names[w->n++];
}

static bool name_has(walk *w, const sym *name, unsigned is)
{
    const name_entry *e = entry_of(w, name);
    return e && e->is & is;
}

static void name_add(walk *w, const sym *name, unsigned is)
{
    name_entry *e = entry_of(w, name);
    if (e)
        e->is |= is;
}

/* "sqrt" of wp.sqrt; NULL: it is no attribute of warp. */
static const char *of_warp(const walk *w, const node *n)
{
    if (!n || n->kind != AST_Attribute)
        return NULL;
    const node *base = AST(Attribute, n)->value;
    return base->kind == AST_Name && AST(Name, base)->id == w->warp ? AST(Attribute, n)->attr->s
                                                                    : NULL;
}

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Fits the name one of the prefixes, "quat spatial_ where$"? */
static bool fits(const char *name, const char *prefixes)
{
    const size_t n = strlen(name);
    for (const char *p = prefixes; *p;) {
        const size_t end = strcspn(p, " "), k = end - (p[end - 1] == '$');
        if (n >= k && memcmp(name, p, k) == 0 && (k == end || n == k))
            return true;
        p += end + (p[end] == ' ');
    }
    return false;
}

static void mention(walk *w, const char *name)
{
    for (int f = 0; f < PROFILE_FEATURES; f++)
        if (rows[f].prefixes && fits(name, rows[f].prefixes))
            note(w, (profile_feature)f);
}

/* The name that an expression begins with, x of x[i], x.a and x.a[i]; NULL: with none. */
static const sym *root_of(const node *n)
{
    while (n->kind == AST_Attribute || n->kind == AST_Subscript)
        n = n->kind == AST_Attribute ? AST(Attribute, n)->value : AST(Subscript, n)->value;
    return n->kind == AST_Name ? AST(Name, n)->id : NULL;
}

/* Is it an array: a parameter, or a field of one? x of x[i], but not x[i] of x[i][0]. */
static bool is_array(walk *w, const node *n)
{
    while (n->kind == AST_Attribute)
        n = AST(Attribute, n)->value;
    return n->kind == AST_Name && name_has(w, AST(Name, n)->id, IS_PARAMETER);
}

/* --- what was loaded ------------------------------------------------------------------------- */

typedef struct loaded_search {
    walk *w;
    bool found;
} loaded_search;

static void search_loaded(void *arg, const node *n)
{
    loaded_search *s = arg;
    s->found = s->found || (n->kind == AST_Name && name_has(s->w, AST(Name, n)->id, IS_LOADED)) ||
               (n->kind == AST_Subscript && is_array(s->w, AST(Subscript, n)->value));
    if (!s->found)
        ast_each_child(n, search_loaded, s);
}

/* Has the expression an element of an array, or a name that was loaded? */
static bool is_loaded(walk *w, const node *n)
{
    loaded_search s = {w, false};
    search_loaded(&s, n);
    return s.found;
}

static void assign_name(walk *w, const node *target, bool loaded)
{
    if (target->kind == AST_Tuple) {
        for (uint32_t i = 0; i < AST(Tuple, target)->elts.n; i++) {
            const node *e = AST(Tuple, target)->elts.v[i];
            if (e->kind == AST_Name) /* not all of several are needed */
                name_add(w, AST(Name, e)->id, IS_READ | (loaded ? IS_LOADED : 0));
        }
    } else if (target->kind == AST_Name) {
        name_add(w, AST(Name, target)->id, IS_ASSIGNED | (loaded ? IS_LOADED : 0));
    }
}

/* --- expressions ----------------------------------------------------------------------------- */

static void look(void *arg, const node *n);

static bool is_python_builtin(const char *name)
{
    static const char *const all[] = {"int",   "float",   "bool", "range", "len",
                                      "min",   "max",     "abs",  "print", "str",
                                      "round", "getattr", "type", "sum",   "tuple"};
    return STR_IS_IN(str_c(name), all);
}

/* A type that is called by a name of its own: vec3(...), Contact(). */
static bool is_type_name(const char *name)
{
    return (name[0] >= 'A' && name[0] <= 'Z') ||
           fits(name, "vec mat uint int float quat$ transform$");
}

/* A word of a template, which is no function; false: it is none. */
static bool see_word(walk *w, const ast_Call *call, const sym *name)
{
    const profile_template *t = w->template_;
    bool found = false;
    for (uint32_t i = 0; t && i < t->nwords; i++)
        found |= t->words[i] == name;
    if (!found)
        return false;
    if (name == t->count)
        note(w, PROFILE_SHAPE);
    const uint32_t index = name == t->at ? 1 : 0;
    if ((name == t->at || name == t->scatter) && index < call->args.n &&
        is_loaded(w, call->args.v[index]))
        note(w, name == t->at ? PROFILE_GATHER : PROFILE_SCATTER);
    return true;
}

static void see_own_call(walk *w, const sym *name)
{
    if (is_python_builtin(name->s) || is_type_name(name->s))
        return;
    note(w, PROFILE_OWN_CALLS);
    if (!name_has(w, name, IS_FUNCTION))
        w->out->numbers[PROFILE_FUNCTIONS]++;
    name_add(w, name, IS_FUNCTION);
}

/* wp.atomic_add(x, i, j, value) */
static void see_atomic(walk *w, const ast_Call *call)
{
    if (!call->args.n)
        return;
    const sym *array = root_of(call->args.v[0]);
    if (array)
        name_add(w, array, IS_STORED_TO);
    for (uint32_t i = 1; i + 1 < call->args.n; i++)
        if (is_loaded(w, call->args.v[i])) {
            note(w, PROFILE_SCATTER);
            note(w, PROFILE_GATHER);
        }
}

static void see_call(walk *w, const ast_Call *call)
{
    const char *name = of_warp(w, call->func);
    if (name && starts(name, "atomic_"))
        see_atomic(w, call);
    if (call->func->kind == AST_Name && see_word(w, call, AST(Name, call->func)->id))
        return;
    if (call->func->kind == AST_Name)
        see_own_call(w, AST(Name, call->func)->id);
    else if (!name && call->func->kind == AST_Attribute &&
             AST(Attribute, call->func)->value->kind == AST_Name)
        see_own_call(w, AST(Attribute, call->func)->attr);
}

static void see_subscript(walk *w, const ast_Subscript *s)
{
    const sym *root = root_of(s->value);
    if (!is_array(w, s->value)) {
        if (s->slice->kind == AST_Constant && s->ctx == CTX_Load && root && root != w->warp)
            note(w, PROFILE_SWIZZLE);
        return;
    }
    if (is_loaded(w, s->slice))
        note(w, PROFILE_GATHER);
    if (s->slice->kind == AST_Tuple)
        note(w, PROFILE_ARRAY_2D);
    name_add(w, root, s->ctx == CTX_Load ? IS_TAKEN_OF : IS_STORED_TO);
}

static void see_attribute(walk *w, const ast_Attribute *a)
{
    const char *name = of_warp(w, &a->base);
    if (name)
        mention(w, name);
    else if (strcmp(a->attr->s, "shape") == 0)
        note(w, PROFILE_SHAPE);
    else if (a->value->kind == AST_Name && name_has(w, AST(Name, a->value)->id, IS_PARAMETER) &&
             strlen(a->attr->s) > 1) /* v.x is a component */
        note(w, PROFILE_STRUCT);
}

static void see_operator(walk *w, uint8_t op)
{
    if (op >= OP_LShift && op <= OP_BitAnd)
        note(w, PROFILE_BITS);
    if (op == OP_FloorDiv || op == OP_Mod)
        note(w, PROFILE_DIVISION);
}

static void see_expression(walk *w, const node *n)
{
    switch (n->kind) {
    case AST_Call: see_call(w, AST(Call, n)); break;
    case AST_Subscript: see_subscript(w, AST(Subscript, n)); break;
    case AST_Attribute: see_attribute(w, AST(Attribute, n)); break;
    case AST_BinOp: see_operator(w, AST(BinOp, n)->op); break;
    case AST_IfExp:
        note(w, PROFILE_TERNARY);
        w->out->numbers[PROFILE_BRANCHES]++;
        break;
    case AST_Name:
        if (AST(Name, n)->ctx == CTX_Load)
            name_add(w, AST(Name, n)->id, IS_READ);
        break;
    default: break;
    }
}

/* --- statements ------------------------------------------------------------------------------ */

static bool is_call_of(const walk *w, const node *n, const char *name)
{
    const char *called = n->kind == AST_Call ? of_warp(w, AST(Call, n)->func) : NULL;
    return called && strcmp(called, name) == 0;
}

/* Does the call give the thread's indices: wp.tid(), or the word that stands for it? */
static bool is_thread(const walk *w, const node *n)
{
    const profile_template *t = w->template_;
    bool word = false;
    for (uint32_t i = 0; t && i < t->nwords; i++)
        word |= n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name &&
                AST(Name, AST(Call, n)->func)->id == t->words[i];
    return word || is_call_of(w, n, "tid");
}

static void see_assign(walk *w, const ast_Assign *a)
{
    const node *target = a->targets.v[0];
    const bool loaded = is_loaded(w, a->value);
    if (target->kind == AST_Tuple && is_thread(w, a->value)) {
        note(w, PROFILE_LAUNCH_2D);
        if (AST(Tuple, target)->elts.n > 2)
            note(w, PROFILE_LAUNCH_3D);
    } else if (target->kind == AST_Tuple && a->value->kind == AST_Call) {
        note(w, PROFILE_TUPLE_RETURN);
    }
    for (uint32_t i = 0; i < a->targets.n; i++)
        assign_name(w, a->targets.v[i], loaded);
}

static void see_aug_assign(walk *w, const ast_AugAssign *a)
{
    see_operator(w, a->op);
    assign_name(w, a->target, is_loaded(w, a->value));
    const sym *root = root_of(a->target);
    if (a->target->kind == AST_Subscript && root && is_array(w, AST(Subscript, a->target)->value))
        name_add(w, root, IS_TAKEN_OF);
}

static void see_for(walk *w, const ast_For *f)
{
    const node *iter = f->iter;
    const bool range = iter->kind == AST_Call && AST(Call, iter)->func->kind == AST_Name &&
                       strcmp(AST(Name, AST(Call, iter)->func)->id->s, "range") == 0;
    if (range && is_loaded(w, iter))
        note(w, PROFILE_LOADED_BOUND);
    if (f->target->kind == AST_Name) /* a count that nobody reads is no dead local */
        name_add(w, AST(Name, f->target)->id, IS_READ);
}

static void see_statement(walk *w, const node *n)
{
    switch (n->kind) {
    case AST_Assign: see_assign(w, AST(Assign, n)); break;
    case AST_AugAssign: see_aug_assign(w, AST(AugAssign, n)); break;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->value)
            assign_name(w, AST(AnnAssign, n)->target, is_loaded(w, AST(AnnAssign, n)->value));
        break;
    case AST_For: see_for(w, AST(For, n)); break;
    case AST_While: note(w, PROFILE_WHILE); break;
    case AST_Break:
    case AST_Continue: note(w, PROFILE_LOOP_EXIT); break;
    case AST_If:
        note(w, PROFILE_BRANCH);
        w->out->numbers[PROFILE_BRANCHES]++;
        if (AST(If, n)->orelse.n)
            note(w, PROFILE_ELSE);
        if (AST(If, n)->body.v[AST(If, n)->body.n - 1]->kind == AST_Return)
            note(w, PROFILE_GUARD);
        break;
    default: break;
    }
}

static bool is_statement(const node *n)
{
    return n->kind >= AST_FunctionDef && n->kind <= AST_Continue;
}

/* A statement is seen before what is in it: a loop's target is loaded where its body begins. An
 * assignment's value is looked at before its target is known. */
static void look(void *arg, const node *n)
{
    walk *w = arg;
    const bool loop = n->kind == AST_For || n->kind == AST_While;
    if (is_statement(n)) {
        w->out->numbers[PROFILE_STATEMENTS]++;
        see_statement(w, n);
    } else {
        see_expression(w, n);
    }
    w->loops += loop;
    if (loop)
        note(w, w->loops > 1 ? PROFILE_NESTED_LOOP : PROFILE_LOOP);
    ast_each_child(n, look, w);
    w->loops -= loop;
}

/* --- the whole ------------------------------------------------------------------------------- */

static void look_at_annotation(void *arg, const node *n)
{
    walk *w = arg;
    const char *name = of_warp(w, n);
    if (name)
        mention(w, name);
    if ((n->kind == AST_Name && strcmp(AST(Name, n)->id->s, "Any") == 0) ||
        (n->kind == AST_Attribute && strcmp(AST(Attribute, n)->attr->s, "Any") == 0))
        note(w, PROFILE_GENERIC);
    ast_each_child(n, look_at_annotation, w);
}

static void look_at_parameters(walk *w, const ast_arguments *args)
{
    for (uint32_t i = 0; i < args->args.n; i++) {
        const ast_arg *a = AST(arg, args->args.v[i]);
        name_add(w, a->arg, IS_PARAMETER | IS_READ);
        if (a->annotation)
            look_at_annotation(w, a->annotation);
    }
    w->out->numbers[PROFILE_ARGUMENTS] = args->args.n;
}

static bool is_text(const node *n)
{
    return n->kind == AST_Expr && AST(Expr, n)->value->kind == AST_Constant &&
           AST(Constant, AST(Expr, n)->value)->value.kind == CONST_STR;
}

/* What the names show, once all statements have been seen. */
static void conclude(walk *w)
{
    uint32_t outputs = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const unsigned is = w->names[i].is;
        if (is & IS_ASSIGNED && !(is & IS_READ))
            note(w, PROFILE_DEAD_LOCAL);
        outputs += (is & IS_STORED_TO) != 0;
        if (is & IS_STORED_TO && is & IS_TAKEN_OF)
            note(w, PROFILE_UPDATES);
    }
    if (outputs > 1)
        note(w, PROFILE_OUTPUTS);
}

void profile_kernel(const ast_FunctionDef *f, const sym *warp, profile_facts *out)
{
    *out = (profile_facts){0};
    walk w = {.out = out, .warp = warp};
    uint32_t first = f->base.line;
    for (uint32_t i = 0; i < f->decorator_list.n; i++) {
        const node *d = f->decorator_list.v[i];
        first = d->line < first ? d->line : first;
        if (d->kind == AST_Call && AST(Call, d)->keywords.n)
            note(&w, PROFILE_OPTIONS);
    }
    out->numbers[PROFILE_LINES] = f->base.end_line - first + 1;
    look_at_parameters(&w, AST(arguments, f->args));
    for (uint32_t i = 0; i < f->body.n; i++) {
        if (!i && is_text(f->body.v[i]))
            note(&w, PROFILE_DOCSTRING);
        else
            look(&w, f->body.v[i]);
    }
    conclude(&w);
}

void profile_part(const profile_template *t, const node *const *body, uint32_t n,
                  profile_facts *out)
{
    *out = (profile_facts){0};
    walk w = {.out = out, .warp = t->warp, .template_ = t};
    for (uint32_t i = 0; i < t->narrays; i++)
        name_add(&w, t->arrays[i], IS_PARAMETER | IS_READ);
    for (uint32_t i = 0; i < n; i++)
        look(&w, body[i]);
    conclude(&w);
    if (n)
        out->numbers[PROFILE_LINES] = body[n - 1]->end_line - body[0]->line + 1;
}

typedef struct warp_search {
    const sym *name;
} warp_search;

static void search_import(void *arg, const node *n)
{
    warp_search *s = arg;
    if (n->kind == AST_Import)
        for (uint32_t i = 0; i < AST(Import, n)->names.n && !s->name; i++) {
            const ast_alias *a = AST(alias, AST(Import, n)->names.v[i]);
            if (strcmp(a->name->s, "warp") == 0)
                s->name = a->asname ? a->asname : a->name;
        }
    if (!s->name)
        ast_each_child(n, search_import, s);
}

const sym *profile_warp_name(const ast_Module *tree)
{
    warp_search s = {NULL};
    search_import(&s, &tree->base);
    return s.name;
}

/* Is the function a kernel of Warp, which the file calls so? */
static bool is_kernel(const ast_FunctionDef *f, const sym *warp)
{
    const walk w = {.warp = warp};
    for (uint32_t i = 0; i < f->decorator_list.n; i++) {
        const node *d = f->decorator_list.v[i];
        const char *name = of_warp(&w, d->kind == AST_Call ? AST(Call, d)->func : d);
        if (name && strcmp(name, "kernel") == 0)
            return true;
    }
    return false;
}

typedef struct kernel_search {
    const sym *warp;
    void (*found)(void *arg, const ast_FunctionDef *kernel);
    void *arg;
} kernel_search;

static void search_kernels(void *arg, const node *n)
{
    const kernel_search *s = arg;
    if (n->kind == AST_FunctionDef && is_kernel(AST(FunctionDef, n), s->warp))
        s->found(s->arg, AST(FunctionDef, n));
    else if (is_statement(n) || n->kind == AST_Module || n->kind == AST_ExceptHandler)
        ast_each_child(n, search_kernels, arg);
}

void profile_each(const ast_Module *tree, void (*found)(void *arg, const ast_FunctionDef *kernel),
                  void *arg)
{
    kernel_search s = {profile_warp_name(tree), found, arg};
    if (s.warp)
        search_kernels(&s, &tree->base);
}
