/* SPDX-License-Identifier: Apache-2.0 */
/* Verification between passes. A pass that breaks a promise would at best make a text that no
 * compiler takes, at worst one that computes something else; here it is named while its tree is at
 * hand, and the program aborts:
 *
 *     cuda: after fold of scale, backward: a variable is read that has no declaration
 *     >> adj_x%9 += mul(v%4, adj_y%10)
 *
 * Checked are the shape of lists (each statement stands in one of them, once), of statements (each
 * has the parts of its kind) and of expressions (operands by kind); types of assignments,
 * conditions and memory; that variables exist; that break and continue stand in loops, and goto and
 * label only before the pass that resolves them; that outputs of calls are among their operands;
 * counters, declarations and counts as the state promises.
 *
 * That reads find the values they found before is checked by cuda_flow.c. Both run in debug builds,
 * after every pass (cuda_pass.c); tests/unit/test_cuda_verify.c breaks trees on purpose. The first
 * fault ends the search. */
#include "cuda/cuda_verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "cuda/cuda_dump.h"
#include "cuda/cuda_flow.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"

/* Deeper expressions are taken for cycles. */
enum { DEPTH_MAX = 10000 };

/* State of one search. */
typedef struct checker {
    cuda_fn *f;
    unsigned state;
    const cs *at; /* the statement that is looked at */
    uint32_t loops, depth;
    cuda_fault fault;
    VEC(const cs *) seen;
} checker;

/* Notes the first fault; false, for `return blame(...)`. */
static bool blame(checker *k, const char *what)
{
    if (!k->fault.what.n)
        k->fault = (cuda_fault){k->at, str_c(what)};
    return false;
}

/* May it stand on the left of an assignment? */
static bool is_place(const cx *e)
{
    return e->kind == CX_VAR || e->kind == CX_ELEMENT || e->kind == CX_FIELD ||
           e->kind == CX_COMPONENT;
}

/* Is it a variable of the function, joined with one that exists? */
static bool has_var(const checker *k, uint32_t var)
{
    return var < k->f->vars.n && k->f->vars.v[var].same < k->f->vars.n;
}

/* May it be a condition? C++ tests any scalar, and the pointer of an array. */
static bool is_bool(const cx *e)
{
    return e->type && (type_is_scalar(e->type) || e->type->kind == TYPE_ARRAY);
}

/* --- expressions --- */

/* Fewest and most operands by kind. */
static const struct {
    uint16_t least, most;
} operands[] = {
    [CX_VAR] = {0, 0},       [CX_CONST] = {0, 0},   [CX_NUMBER] = {0, 0}, [CX_CALL] = {0, 0xffff},
    [CX_USER] = {0, 0xffff}, [CX_COMPARE] = {2, 2}, [CX_AND] = {2, 2},    [CX_OR] = {2, 2},
    [CX_NOT] = {1, 1},       [CX_COND] = {3, 3},    [CX_LOAD] = {1, 1},   [CX_ELEMENT] = {2, 5},
    [CX_VIEW] = {2, 5},      [CX_SLICE] = {3, 3},   [CX_FIELD] = {1, 1},  [CX_SHAPE] = {1, 1},
    [CX_COMPONENT] = {2, 3}, [CX_SIZE] = {2, 2},    [CX_ATOMIC] = {2, 3}, [CX_STRUCT] = {0, 0xffff},
    [CX_TEXT] = {0, 0xffff}, [CX_ZERO] = {0, 0}};
_Static_assert(sizeof operands / sizeof *operands == CX_KINDS, "a row for each kind");

/* An element has an index for each dimension of the array, a view at most as many. */
static bool check_element(checker *k, const cx *e)
{
    const type *t = e->args[0]->type;
    if (!t || (t->kind != TYPE_ARRAY && !(t->kind == TYPE_TILE && e->kind == CX_ELEMENT)))
        return blame(k, "an element of what is no array");
    if (e->kind == CX_ELEMENT && e->nargs != (uint32_t)t->ndim + 1)
        return blame(k, "an element by too few or too many indices");
    return e->kind == CX_ELEMENT || e->nargs <= (uint32_t)t->ndim + 1
               ? true
               : blame(k, "a view by too many indices");
}

/* What the kind requires of the node itself; its operands are checked already. */
static bool check_kind(checker *k, const cx *e)
{
    switch ((cx_kind)e->kind) {
    case CX_VAR:
        if (!has_var(k, e->var))
            return blame(k, "a variable that does not exist");
        return k->f->vars.v[e->var].same == e->var ||
               blame(k, "a variable that was coalesced away");
    case CX_CONST: return e->k != NULL || blame(k, "a constant without a value");
    case CX_USER: return e->callee != NULL || blame(k, "a call of no function");
    case CX_CALL:
        return (e->name.n > 0 && e->op == cuda_op_of(e->name)) ||
               blame(k, "a call without a name, or with the number of another builtin");
    case CX_COMPARE: return e->name.n > 0 || blame(k, "a comparison without a name");
    case CX_AND:
    case CX_OR:
        return (is_bool(e->args[0]) && is_bool(e->args[1])) || blame(k, "and, or of no bools");
    case CX_NOT: return is_bool(e->args[0]) || blame(k, "not of no bool");
    case CX_COND: return is_bool(e->args[0]) || blame(k, "a choice by no bool");
    case CX_LOAD: return is_place(e->args[0]) || blame(k, "a load from what is no place");
    case CX_ATOMIC:
        if (!(cuda_op_properties((cuda_op)e->op) & CUDA_OP_ATOMIC))
            return blame(k, "an atomic operation of no such builtin");
        return is_place(e->args[0]) || blame(k, "an atomic operation on what is no place");
    case CX_ELEMENT:
    case CX_VIEW: return check_element(k, e);
    case CX_FIELD: return e->name.n > 0 || blame(k, "a field without a name");
    case CX_COMPONENT:
        return (e->args[0]->type && type_is_composite(type_strip_ref(e->args[0]->type))) ||
               blame(k, "a component of what has none");
    default: return true;
    }
}

/* e may be NULL where `open`: a bound of a slice. The depth finds expressions within themselves.
 * Calls that have no result have no type, and neither has a text of statements or a string. */
static bool check_expr(checker *k, const cx *e, bool open)
{
    if (!e)
        return open || blame(k, "an operand is missing");
    if (e->kind >= CX_KINDS)
        return blame(k, "an expression of no kind");
    if (++k->depth > DEPTH_MAX)
        return blame(k, "an expression within itself");
    if (e->nargs < operands[e->kind].least || e->nargs > operands[e->kind].most ||
        (e->nargs && !e->args))
        return blame(k, "an expression with too few or too many operands");
    if (!e->type && e->kind != CX_CALL && e->kind != CX_USER && e->kind != CX_TEXT &&
        e->kind != CX_CONST)
        return blame(k, "an expression without a type");
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!check_expr(k, e->args[i], e->kind == CX_SLICE))
            return false;
    k->depth--;
    return check_kind(k, e);
}

/* --- statements --- */

/* The type of an assignment. C++ converts scalars, as it does in Warp's text, and an array to
 * whether it is there. */
static bool check_set(checker *k, const cs *s)
{
    if (!check_expr(k, s->to, false) || !check_expr(k, s->e, false))
        return false;
    if (!is_place(s->to))
        return blame(k, "an assignment to what is no place");
    if (s->add && s->sub)
        return blame(k, "an assignment that adds and subtracts");
    const type *to = type_strip_ref(s->to->type), *from = s->e->type;
    if (!from || type_equal(type_strip_ref(from), to))
        return true;
    /* what C++ converts in Warp's text, too: scalars, and arrays to "is it there?" */
    if (!type_is_scalar(to) || !is_bool(s->e))
        return blame(k, "an assignment of another type");
    return true;
}

typedef struct var_search {
    uint32_t var;
    bool found;
} var_search;

/* A visitor for one variable. */
static void find_var(void *arg, uint32_t var)
{
    var_search *s = arg;
    s->found |= s->var == var;
}

/* What a call sets is one of its operands. */
static bool check_outputs(checker *k, const cs *s)
{
    for (uint32_t i = 0; i < s->noutputs; i++) {
        var_search x = {s->outputs[i], false};
        if (!has_var(k, s->outputs[i]))
            return blame(k, "an output that does not exist");
        for (uint32_t a = 0; a < s->e->nargs; a++)
            cx_reads(s->e->args[a], find_var, &x);
        if (!x.found)
            return blame(k, "an output that the call is not given");
    }
    uint32_t var;
    if (cx_changes_argument(s->e) && !cx_is_var(s->e->args[0], &var))
        return blame(k, "a call that changes what is no variable");
    return true;
}

/* Has the statement no parts of another kind? Passes that turn a statement into one of another kind
 * have to clear them. */
static bool has_parts(checker *k, const cs *s)
{
    const bool block = s->kind == CS_IF || s->kind == CS_FOR || s->kind == CS_LOOP;
    if (!block && (s->body.n || s->orelse.n))
        return blame(k, "inner statements of what has none");
    if (s->kind != CS_IF && s->orelse.n)
        return blame(k, "a loop with an else branch");
    if (s->kind != CS_SET && (s->to || s->add || s->sub))
        return blame(k, "a place that nothing is assigned to");
    if (s->kind != CS_FOR && (s->start || s->stop || s->step))
        return blame(k, "bounds of what is no loop");
    if (s->kind != CS_CALL && s->noutputs)
        return blame(k, "outputs of what is no call");
    return true;
}

/* The counter exists and, where the state says so, only the loop sets it. */
static bool check_for(checker *k, const cs *s)
{
    if (!has_var(k, s->var))
        return blame(k, "a loop without a counter");
    if (k->f->vars.v[s->var].same != s->var)
        return blame(k, "a counter that was coalesced away");
    if (k->state & CUDA_OWN_COUNTERS && cs_list_writes(k->f, &s->body, s->var))
        return blame(k, "a counter that the loop's body changes");
    return check_expr(k, s->start, false) && check_expr(k, s->stop, false) &&
           check_expr(k, s->step, false);
}

/* The statement itself; check_list checks those in it. */
static bool check_stmt(checker *k, const cs *s)
{
    if (!has_parts(k, s))
        return false;
    switch ((cs_kind)s->kind) {
    case CS_SET: return check_set(k, s);
    case CS_CALL: return check_expr(k, s->e, false) && check_outputs(k, s);
    case CS_IF:
    case CS_ASSERT:
        return check_expr(k, s->e, false) &&
               (is_bool(s->e) || blame(k, "a condition that is no bool"));
    case CS_FOR: return check_for(k, s);
    case CS_LOOP: return check_expr(k, s->e, true);
    case CS_RETURN: return check_expr(k, s->e, true);
    case CS_BREAK:
    case CS_CONTINUE: return k->loops > 0 || blame(k, "a jump out of no loop");
    case CS_GOTO:
    case CS_LABEL: return !(k->state & CUDA_STRUCTURED) || blame(k, "a jump to a label");
    }
    return blame(k, "a statement of no kind");
}

/* Lists are walked once; `seen` gets each statement. More than were ever made: a cycle. */
static bool check_list(checker *k, const cs_list *list)
{
    if (list->n > list->cap || (list->n && !list->v))
        return blame(k, "a list that is longer than its room");
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        k->at = s;
        k->depth = 0;
        if (!s)
            return blame(k, "a list with a hole");
        VEC_PUSH(&k->f->c->module, &k->seen, s);
        if (k->seen.n > k->f->nodes)
            return blame(k, "a statement within itself");
        if (!check_stmt(k, s))
            return false;
        const bool loop = s->kind == CS_FOR || s->kind == CS_LOOP;
        k->loops += loop;
        if (!check_list(k, &s->body) || !check_list(k, &s->orelse))
            return false;
        k->loops -= loop;
    }
    return true;
}

/* An order in which equal statements are neighbours; which order it is does not matter. */
static int by_address(const void *a, const void *b)
{
    const cs *x = *(const cs *const *)a, *y = *(const cs *const *)b;
    return (uintptr_t)x < (uintptr_t)y ? -1 : (uintptr_t)x > (uintptr_t)y;
}

/* Two lists that share a statement would change together: a pass that copies a list has to copy its
 * statements. Expressions may be shared, since they do not change. */
static bool check_once(checker *k)
{
    if (k->seen.n)
        qsort(k->seen.v, k->seen.n, sizeof *k->seen.v, by_address);
    for (uint32_t i = 1; i < k->seen.n; i++)
        if (k->seen.v[i] == k->seen.v[i - 1]) {
            k->at = k->seen.v[i];
            return blame(k, "a statement that stands in two places");
        }
    return true;
}

/* --- what the state says --- */

/* Reads and writes by variable, counted anew. */
typedef struct counts {
    uint32_t *uses, *defs;
} counts;

/* Visitors that count. */
static void count_use(void *arg, uint32_t var)
{
    ((counts *)arg)->uses[var]++;
}

static void count_def(void *arg, uint32_t var)
{
    ((counts *)arg)->defs[var]++;
}

static void count_list(counts *c, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs_reads(list->v[i], count_use, c);
        cs_writes(list->v[i], count_def, c);
        count_list(c, &list->v[i]->body);
        count_list(c, &list->v[i]->orelse);
    }
}

/* A fault of a variable and of no single statement. */
static bool blame_var(checker *k, uint32_t var, const char *what)
{
    const str name = k->f->vars.v[var].hint;
    k->at = NULL;
    blame(k, what);
    k->fault.what = cuda_sprintf(k->f, "%s: %.*s%%%u", what, (int)name.n, name.p, var);
    return false;
}

/* Are cv.uses, cv.defs and cv.mentioned what the tree says? Printing leaves out parameters that are
 * not marked, so a missing mark would be an undeclared name. Arrays are exempt: their sizes may be
 * all that is used. */
static bool check_counts(checker *k)
{
    cuda_fn *f = k->f;
    counts c = {arena_zero(&f->c->module, (f->vars.n + 1) * sizeof(uint32_t)),
                arena_zero(&f->c->module, (f->vars.n + 1) * sizeof(uint32_t))};
    count_list(&c, &f->body);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        const cv *v = &f->vars.v[i];
        if (k->state & CUDA_DECLARED && (v->uses != c.uses[i] || v->defs != c.defs[i]))
            return blame_var(k, i, "a variable whose uses and writes are counted wrongly");
        if (k->state & CUDA_MARKED && (c.uses[i] || c.defs[i]) && !v->mentioned &&
            v->type->kind != TYPE_ARRAY)
            return blame_var(k, i, "a variable that is used and not marked");
    }
    return true;
}

/* Which declarations are visible at the statement in work. */
typedef struct scope {
    checker *k;
    bool *declared;
    VEC(uint32_t) open; /* declared variables whose scope has not ended */
    uint32_t missing;
} scope;

/* Notes a variable that is used where no declaration of it is visible. Parameters have none. */
static void need_declared(void *arg, uint32_t var)
{
    scope *s = arg;
    const cv *v = &s->k->f->vars.v[var];
    if (!s->declared[var] && !v->param && !v->out)
        s->missing = var;
}

/* C++ would let an inner name hide an outer one; the text shall not. */
static bool declare(scope *s, uint32_t var)
{
    const cuda_fn *f = s->k->f;
    const str name = f->vars.v[var].name;
    if (s->declared[var])
        return blame(s->k, "a second declaration of a variable");
    if (!name.n)
        return blame(s->k, "a declaration without a name");
    for (uint32_t i = 0; i < s->open.n; i++)
        if (str_eq(f->vars.v[s->open.v[i]].name, name))
            return blame(s->k, "a name that an outer variable has");
    s->declared[var] = true;
    VEC_PUSH(&f->c->module, &s->open, var);
    return true;
}

/* Declarations beyond the first `to` end. */
static void close_scope(scope *s, uint32_t to)
{
    while (s->open.n > to)
        s->declared[s->open.v[--s->open.n]] = false;
}

/* Declarations before the statement hold for the rest of its list, the counter of a FOR for the
 * loop only. Reads come before the statement's own declaration: "int a = a + 1" is a fault. */
static bool check_scope(scope *s, const cs_list *list)
{
    const uint32_t outer = s->open.n;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *x = list->v[i];
        s->k->at = x;
        for (uint32_t d = 0; d < x->decls.n; d++)
            if (!declare(s, x->decls.v[d]))
                return false;
        cs_reads(x, need_declared, s);
        if (s->missing != CUDA_NO_VAR)
            return blame(s->k, "a variable is read that has no declaration");
        if (x->declares && x->kind == CS_SET && !declare(s, x->to->var))
            return false;
        const uint32_t loop = s->open.n;
        if (x->declares && x->kind == CS_FOR && !declare(s, x->var))
            return false;
        cs_writes(x, need_declared, s);
        if (s->missing != CUDA_NO_VAR)
            return blame(s->k, "a variable is set that has no declaration");
        if (!check_scope(s, &x->body) || !check_scope(s, &x->orelse))
            return false;
        if (x->kind == CS_FOR)
            close_scope(s, loop);
    }
    close_scope(s, outer);
    return true;
}

/* Is each variable declared once, before its uses, in a block that holds them all? */
static bool check_declarations(checker *k)
{
    scope s = {.k = k, .missing = CUDA_NO_VAR};
    s.declared = arena_zero(&k->f->c->module, k->f->vars.n + 1);
    return check_scope(&s, &k->f->body);
}

/* Does the list, or a block in it, declare a variable of the set? */
static bool declares_live(const cs_list *list, const uint64_t *live)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        for (uint32_t d = 0; d < s->decls.n; d++)
            if (live_has(live, s->decls.v[d]))
                return true;
        if ((s->declares && s->kind == CS_SET && live_has(live, s->to->var)) ||
            declares_live(&s->body, live) || declares_live(&s->orelse, live))
            return true;
    }
    return false;
}

/* What is live at a loop's head is what one pass through it leaves for the next: no declaration in
 * the body may renew it. */
static void check_loop(cuda_live *l, const cs *s)
{
    checker *k = l->arg;
    if (s->kind != CS_FOR && s->kind != CS_LOOP)
        return;
    k->at = s;
    if (k->state & CUDA_OWN_COUNTERS && s->kind == CS_FOR && live_has(l->after_loop, s->var))
        blame(k, "a counter that is read behind its loop");
    /* what is live at the head is what a pass leaves for the next */
    if (k->state & CUDA_DECLARED && declares_live(&s->body, l->now))
        blame(k, "a declaration within a loop of what its next pass reads");
}

/* Walks the tree's liveness; check_loop looks at each loop on the way. */
static bool check_loops(checker *k)
{
    cuda_live l = {.f = k->f, .visit = check_loop, .arg = k};
    cuda_live_walk(&l);
    return !k->fault.what.n;
}

/* Checks that presuppose each other come in order: nothing is counted in a list that is broken, and
 * no liveness is computed for one. */
cuda_fault cuda_check_tree(cuda_fn *f, unsigned state)
{
    checker k = {.f = f, .state = state};
    bool good = check_list(&k, &f->body) && check_once(&k);
    if (good && state & (CUDA_MARKED | CUDA_DECLARED))
        good = check_counts(&k);
    if (good && state & (CUDA_OWN_COUNTERS | CUDA_DECLARED))
        good = check_loops(&k);
    if (good && state & CUDA_DECLARED)
        check_declarations(&k);
    return k.fault;
}

/* After an error in the program the tree is incomplete, and is not checked. */
void cuda_verify(cuda_fn *f, const cuda_pass *pass, unsigned state, const cuda_flow *before,
                 const cuda_flow *after)
{
    WEFT_ASSERT(pass->name);
    if (f->job->failed) /* the tree is of a program that has no text */
        return;
    cuda_fault fault = cuda_check_tree(f, state);
    if (!fault.what.n && before && after)
        fault = cuda_compare_flow(f, before, after, pass->keeps);
    if (!fault.what.n)
        return;
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_printf(&b, "cuda: after %s of ", pass->name);
    cuda_dump_title(f, &b);
    SB_LIT(&b, ": ");
    sb_str(&b, fault.what);
    sb_char(&b, '\n');
    cuda_dump_tree(f, fault.at, &b);
    fputs(sb_cstr(&b), stderr);
    abort();
}
