/* SPDX-License-Identifier: Apache-2.0 */
/* What scopes do to names, and the errors in that: CPython 3.11's symtable.c. Example:
 *
 *     def f():
 *         print(x)      x is used in f
 *         global x      so this comes too late
 *
 * A name is looked up in one table for all scopes, by its symbol and the scope's number. */
#include "syntax/scoping.h"

/* ---- the table ---- */

enum { FIRST_SLOTS = 128 };

static scoping_name *new_slots(scoping_walk *w, uint32_t n)
{
    w->nslots = n;
    return arena_zero(&w->c->scratch, mem_mul(&w->c->mem, n, sizeof(scoping_name)));
}

void scoping_names_init(scoping_walk *w)
{
    w->names = new_slots(w, FIRST_SLOTS);
    w->debug = sym_find(&w->c->syms, "__debug__", 9);
    w->super_ = sym_find(&w->c->syms, "super", 5);
    w->error.pass = PASS_COUNT;
}

/* The slot of a name in a set, or the free one where it belongs. */
static scoping_name *slot_of(const scoping_walk *w, uint32_t set, const sym *name)
{
    const uint32_t mask = w->nslots - 1;
    uint32_t i = (name->hash + set * 0x9e3779b1u) & mask;
    while (w->names[i].name && (w->names[i].name != name || w->names[i].scope != set))
        i = (i + 1) & mask;
    return &w->names[i];
}

static void grow(scoping_walk *w)
{
    const scoping_name *old = w->names;
    const uint32_t n = w->nslots;
    if (n > UINT32_MAX / 4)
        mem_fail(&w->c->mem);
    w->names = new_slots(w, n * 4);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].name)
            *slot_of(w, old[i].scope, old[i].name) = old[i];
}

uint32_t scoping_flags(const scoping_walk *w, uint32_t set, const sym *name)
{
    return slot_of(w, set, name)->flags;
}

uint32_t scoping_add_flags(scoping_walk *w, uint32_t set, const sym *name, uint32_t flags)
{
    scoping_name *s = slot_of(w, set, name);
    if (s->name) {
        const uint32_t before = s->flags;
        s->flags |= flags;
        return before;
    }
    *s = (scoping_name){name, set, flags};
    if (++w->nnames > w->nslots / 2)
        grow(w);
    return 0;
}

/* ---- errors ---- */

void scoping_refuse(scoping_walk *w, scoping_pass pass, const node *at, uint32_t width, diag_id id,
                    const char *arg, const char *arg2)
{
    if (pass == PASS_COMPILE && w->not_compiled)
        return;
    /* compile.c goes through the file from top to bottom, mostly; the others come as they are
     * found. */
    const uint64_t order = pass == PASS_COMPILE ? (uint64_t)at->line << 32 | at->col : 0;
    if (pass > w->error.pass || (pass == w->error.pass && order >= w->error.order))
        return;
    span place = node_span(w->src, at);
    if (width) {
        place.end_line = place.line;
        place.end_col = place.col + width;
    }
    w->error = (scoping_error){pass, order, place, id, {arg, arg2}};
}

void scoping_check_target(scoping_walk *w, const sym *name, const node *at)
{
    if (name == w->debug && name)
        scoping_refuse(w, PASS_COMPILE, at, 0, DIAG_ASSIGN_TARGET, "'__debug__'", NULL);
}

/* ---- names ---- */

/* `__x` in a class C is `_C__x` (symtable.c's private names); other names are themselves. */
static const sym *mangled(scoping_walk *w, const sym *name)
{
    const sym *of = w->in->class_name;
    if (!of || name->s[0] != '_' || name->s[1] != '_')
        return name;
    if ((name->s[name->len - 1] == '_' && name->s[name->len - 2] == '_') || strchr(name->s, '.'))
        return name;
    const char *class = of->s + strspn(of->s, "_");
    if (!*class)
        return name;
    const char *s = arena_printf(&w->c->scratch, "_%s%s", class, name->s);
    return sym_c(&w->c->syms, s);
}

/* The scope s, which is the current one or around it, does this to a name. */
static void define_in(scoping_walk *w, const scope *s, const sym *name, uint32_t flags,
                      const node *at)
{
    const sym *m = mangled(w, name);
    const uint32_t before =
        scoping_add_flags(w, s->number, m, s->in_target ? flags | NAME_ITERATED : flags);
    if (flags & before & NAME_PARAMETER)
        scoping_refuse(w, PASS_NAMES, at, name->len, DIAG_DUPLICATE_PARAMETER, name->s, NULL);
    else if (s->in_target && (before | flags) & (NAME_GLOBAL | NAME_NONLOCAL))
        scoping_refuse(w, PASS_NAMES, at, 0, DIAG_NAMED_INNER, name->s, NULL);
}

void scoping_define(scoping_walk *w, const sym *name, uint32_t flags, const node *at)
{
    define_in(w, w->in, name, flags, at);
}

/* ---- global and nonlocal ---- */

static void add_directive(scoping_walk *w, const sym *name, const node *at)
{
    const scoping_directive d = {w->in, mangled(w, name), at};
    VEC_PUSH(&w->c->scratch, &w->directives, d);
}

/* Why a name that the scope has used this way cannot be declared any more. */
static diag_id too_late(uint32_t flags)
{
    if (flags & NAME_PARAMETER)
        return DIAG_DECLARED_PARAMETER;
    if (flags & NAME_USED)
        return DIAG_DECLARED_AFTER_USE;
    return flags & NAME_ANNOTATED ? DIAG_DECLARED_ANNOTATED : DIAG_DECLARED_AFTER_ASSIGNMENT;
}

static const char *word_of(uint32_t flag)
{
    return flag & NAME_GLOBAL ? "global" : "nonlocal";
}

void scoping_declare(scoping_walk *w, const sym_list *names, uint32_t flag, const node *at)
{
    for (uint32_t i = 0; i < names->n; i++) {
        const sym *name = names->v[i];
        const uint32_t flags = scoping_flags(w, w->in->number, mangled(w, name)) &
                               (NAME_PARAMETER | NAME_ASSIGNED | NAME_USED | NAME_ANNOTATED);
        if (flags)
            scoping_refuse(w, PASS_NAMES, at, 0, too_late(flags), name->s, word_of(flag));
        scoping_define(w, name, flag, at);
        add_directive(w, name, at);
    }
}

/* `global x` and `x: int` exclude each other, but not in a module, where the name is global
 * anyhow. */
void scoping_annotate(scoping_walk *w, const ast_AnnAssign *n, const ast_Name *target)
{
    const uint32_t flags = scoping_flags(w, w->in->number, mangled(w, target->id));
    if (flags & (NAME_GLOBAL | NAME_NONLOCAL) && w->in->kind != SCOPE_MODULE && n->simple)
        scoping_refuse(w, PASS_NAMES, &n->base, 0, DIAG_DECLARED_ANNOTATED, target->id->s,
                       word_of(flags));
    if (n->simple)
        scoping_define(w, target->id, NAME_ANNOTATED | NAME_ASSIGNED, &target->base);
    else if (n->value)
        scoping_define(w, target->id, NAME_ASSIGNED, &target->base);
}

/* symtable_extend_namedexpr_scope: a name that ":=" assigns in a comprehension belongs to the
 * function or module around it, and the comprehension declares it nonlocal or global. */
static void extend_named_scope(scoping_walk *w, const ast_Name *target, const node *at)
{
    const sym *name = target->id;
    for (const scope *s = w->in; s; s = s->outer) {
        /* without the class's name, as CPython does it */
        const uint32_t flags = scoping_flags(w, s->number, name);
        if (s->kind == SCOPE_COMPREHENSION && flags & NAME_ITERATED)
            scoping_refuse(w, PASS_NAMES, at, 0, DIAG_NAMED_ITERATED, name->s, NULL);
        if (s->kind == SCOPE_COMPREHENSION || s->kind == SCOPE_ANNOTATION)
            continue;
        if (s->kind == SCOPE_CLASS) {
            scoping_refuse(w, PASS_NAMES, at, 0, DIAG_NAMED_IN_CLASS, NULL, NULL);
            return;
        }
        const bool global = s->kind == SCOPE_MODULE || flags & NAME_GLOBAL;
        scoping_define(w, name, global ? NAME_GLOBAL : NAME_NONLOCAL, &target->base);
        add_directive(w, name, &target->base);
        define_in(w, s, name, s->kind == SCOPE_MODULE ? NAME_GLOBAL : NAME_ASSIGNED, &target->base);
        return;
    }
}

void scoping_named_target(scoping_walk *w, const ast_Name *target, const node *at)
{
    if (w->in->in_iterable)
        scoping_refuse(w, PASS_NAMES, at, 0, DIAG_NAMED_IN_ITERABLE, NULL, NULL);
    else if (w->in->kind == SCOPE_COMPREHENSION)
        extend_named_scope(w, target, at);
}

/* ---- analysis ---- */

/* Has a function around s a variable of this name? One that declares it nonlocal itself has it or
 * is the one at fault. */
static bool is_bound_around(const scoping_walk *w, const scope *s, const sym *name)
{
    for (s = s->outer; s->kind != SCOPE_MODULE; s = s->outer) {
        if (s->kind == SCOPE_CLASS && strcmp(name->s, "__class__") == 0)
            return true;
        if (s->kind < SCOPE_FUNCTION)
            continue;
        const uint32_t flags = scoping_flags(w, s->number, name);
        if (flags & NAME_GLOBAL)
            return false;
        if (flags & (NAME_NONLOCAL | NAME_BOUND))
            return true;
    }
    return false;
}

/* Names in an annotation that is never evaluated are not analysed. */
static bool is_in_annotation(const scope *s)
{
    while (s && s->kind != SCOPE_ANNOTATION)
        s = s->outer;
    return s;
}

static diag_id fault_of(const scoping_walk *w, const scoping_directive *d)
{
    const uint32_t flags = scoping_flags(w, d->in->number, d->name);
    if (!(flags & NAME_NONLOCAL) || is_in_annotation(d->in))
        return DIAG_COUNT;
    if (flags & NAME_GLOBAL)
        return DIAG_DECLARED_TWICE;
    if (d->in->kind == SCOPE_MODULE)
        return DIAG_NONLOCAL_IN_MODULE;
    return is_bound_around(w, d->in, d->name) ? DIAG_COUNT : DIAG_NO_BINDING;
}

/* CPython analyses a scope before those within it: of several faults it reports the one whose
 * scope begins first. */
void scoping_analyze(scoping_walk *w)
{
    const scoping_directive *first = NULL;
    for (uint32_t i = 0; i < w->directives.n; i++) {
        const scoping_directive *d = &w->directives.v[i];
        if ((!first || d->in->number < first->in->number) && fault_of(w, d) != DIAG_COUNT)
            first = d;
    }
    if (first)
        scoping_refuse(w, PASS_ANALYSIS, first->at, 0, fault_of(w, first), first->name->s, NULL);
}
