/* SPDX-License-Identifier: Apache-2.0 */
/* Which locals of templates go, for what they hold, and which ones come. People name some values
 * and write others where they are needed.
 *
 *     d = y - x
 *     return k * wp.length(d)              ->   return k * wp.length(y - x)
 *
 *     for k in range(offsets[i], offsets[i + 1])
 *                                          ->   start = offsets[i]
 *                                               end = offsets[i + 1]
 *                                               for k in range(start, end) */
#include "compose/compose_internal.h"

/* --- loads ----------------------------------------------------------------------------------- */

typedef struct local_walk {
    const composer *c;
    const sym *local;
    bool stays; /* it is changed in part, made a tile of, or depends on what is assigned again */
} local_walk;

static uint32_t stores_of(const composer *c, const sym *name)
{
    const lib_algorithm *a = c->p.algorithm;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nbody; i++)
        n += expr_stores(a->body[i], name);
    return n;
}

static bool is_local(const local_walk *w, const node *n)
{
    return n && n->kind == AST_Name && AST(Name, n)->id == w->local;
}

/* wp.tile(x): of an element in place Warp makes no tile. */
static bool makes_tile(const local_walk *w, const node *n)
{
    const node *f = n->kind == AST_Call ? AST(Call, n)->func : NULL;
    return f && f->kind == AST_Attribute && str_eq(sym_str(AST(Attribute, f)->attr), STR("tile")) &&
           AST(Call, n)->args.n && is_local(w, AST(Call, n)->args.v[0]);
}

/* x[0] = ..., x.y += ..., wp.tile(x) */
static void find_change(void *arg, const node *n)
{
    local_walk *w = arg;
    const node *target = n->kind == AST_Assign      ? AST(Assign, n)->targets.v[0]
                         : n->kind == AST_AugAssign ? AST(AugAssign, n)->target
                                                    : NULL;
    const node *base = target && target->kind == AST_Subscript   ? AST(Subscript, target)->value
                       : target && target->kind == AST_Attribute ? AST(Attribute, target)->value
                                                                 : NULL;
    w->stays |= is_local(w, base) || makes_tile(w, n);
    ast_each_child(n, find_change, arg);
}

/* Are the names of an index arguments, or assigned once? */
static void find_moving(void *arg, const node *n)
{
    local_walk *w = arg;
    if (n->kind == AST_Name && !form_array(w->c, AST(Name, n)->id))
        w->stays |= stores_of(w->c, AST(Name, n)->id) > 1;
    ast_each_child(n, find_moving, arg);
}

static uint32_t uses_in(node *const *v, uint32_t from, uint32_t n, const sym *name)
{
    uint32_t uses = 0;
    for (uint32_t i = from; i < n; i++)
        uses += expr_uses(v[i], name);
    return uses;
}

typedef struct load_walk {
    const composer *c;
    const sym *array;
    uint32_t most; /* uses of a local that holds an element of the array */
} load_walk;

/* x = positions[i] */
static bool is_load(const node *n)
{
    return n->kind == AST_Assign && AST(Assign, n)->targets.v[0]->kind == AST_Name &&
           AST(Assign, n)->value->kind == AST_Subscript &&
           AST(Subscript, AST(Assign, n)->value)->value->kind == AST_Name;
}

static void find_loads(void *arg, const node *n)
{
    load_walk *w = arg;
    if (is_load(n) && AST(Name, AST(Subscript, AST(Assign, n)->value)->value)->id == w->array) {
        const lib_algorithm *a = w->c->p.algorithm;
        const sym *local = AST(Name, AST(Assign, n)->targets.v[0])->id;
        const uint32_t uses = uses_in((node *const *)a->body, 0, a->nbody, local) - 1;
        w->most = uses > w->most ? uses : w->most;
    }
    ast_each_child(n, find_loads, arg);
}

/* Do elements of the array stand where they are needed? So do all of them, or none. */
static bool draws_elements(composer *c, const plan_arg *array, uint32_t most)
{
    enum { INLINED = 40, NO = 1, YES = 2 }; /* percent; what was drawn */
    uint8_t *drawn = &c->unloaded[array - c->p.args];
    load_walk w = {c, array->template_name, 0};
    if (*drawn)
        return *drawn == YES;
    for (uint32_t i = 0; i < c->p.algorithm->nbody; i++)
        find_loads(&w, c->p.algorithm->body[i]);
    *drawn = w.most <= most && chance(c, INLINED) ? YES : NO;
    return *drawn == YES;
}

static bool inlines_load(composer *c, node *const *v, uint32_t n, uint32_t at)
{
    enum { MOST = 2 }; /* uses */
    const lib_algorithm *a = c->p.algorithm;
    if (!a || c->frame || !is_load(v[at]))
        return false;
    const node *target = AST(Assign, v[at])->targets.v[0], *value = AST(Assign, v[at])->value;
    const sym *local = AST(Name, target)->id;
    const plan_arg *array = form_array(c, AST(Name, AST(Subscript, value)->value)->id);
    const uint32_t uses = uses_in(v, at + 1, n, local);
    if (!array || array->written || array->axis == AXIS_NONE || !uses || uses > MOST ||
        stores_of(c, local) != 1 || uses_in((node *const *)a->body, 0, a->nbody, local) != uses + 1)
        return false;
    local_walk w = {c, local, false};
    find_moving(&w, AST(Subscript, value)->slice);
    for (uint32_t i = at + 1; i < n; i++)
        find_change(&w, v[i]);
    if (w.stays || !draws_elements(c, array, MOST))
        return false;
    expr_bind(c, local, expr_text(c, value), UNPARSE_ATOM);
    return true;
}

/* --- values ---------------------------------------------------------------------------------- */

/* What an expression is made of. */
typedef struct value_walk {
    const sym *local; /* whose uses are looked for */
    uint32_t nodes, uses;
    bool element; /* it reads an array, or calls what may have an effect */
    bool guarded; /* the local stands where it is not always computed, or has parts taken */
} value_walk;

static bool is_use(const value_walk *w, const node *n)
{
    return n->kind == AST_Name && AST(Name, n)->id == w->local;
}

static void see_value(void *arg, const node *n)
{
    value_walk *w = arg;
    w->nodes++;
    w->uses += is_use(w, n);
    const bool part = (n->kind == AST_Subscript && is_use(w, AST(Subscript, n)->value)) ||
                      (n->kind == AST_Attribute && is_use(w, AST(Attribute, n)->value));
    const bool lazy = n->kind == AST_BoolOp || n->kind == AST_IfExp;
    const uint32_t before = w->uses;
    w->element |= n->kind == AST_Subscript;
    ast_each_child(n, see_value, arg);
    w->guarded |= part || (lazy && w->uses > before);
}

static value_walk look_at(const node *n, const sym *local)
{
    value_walk w = {.local = local};
    see_value(&w, n);
    return w;
}

/* Is it an operation on values, whose place does not matter? Words of the library, and what draws
 * random numbers or adds to arrays, stay where they are. */
static bool is_pure(const node *n)
{
    static const char *const fine[] = {"length", "length_sq", "dot", "cross", "normalize",
                                       "min",    "max",       "abs", "clamp", "sqrt",
                                       "exp",    "sin",       "cos", "outer", "trace",
                                       "sign",   "floor",     "pow", "log",   "transpose"};
    const node *f = AST(Call, n)->func;
    return f->kind == AST_Attribute && STR_IS_IN(sym_str(AST(Attribute, f)->attr), fine);
}

static void see_impure(void *arg, const node *n)
{
    value_walk *w = arg;
    w->guarded |= n->kind == AST_Call && !is_pure(n);
    ast_each_child(n, see_impure, arg);
}

/* An expression of a few operators, which no line gets too long by. */
static bool is_short_value(const node *n)
{
    enum { LEAST = 3, MOST = 14 }; /* nodes: more than a name, less than half a line */
    value_walk w = {0};
    if (n->kind != AST_BinOp && n->kind != AST_UnaryOp && n->kind != AST_Call)
        return false;
    see_impure(&w, n);
    const uint32_t nodes = look_at(n, NULL).nodes;
    return !w.guarded && nodes >= LEAST && nodes <= MOST;
}

/* The part of a statement that is computed once, where it stands; NULL: it has none. */
static const node *once_of(const node *n)
{
    switch (n->kind) {
    case AST_Assign: return AST(Assign, n)->value;
    case AST_AugAssign: return AST(AugAssign, n)->value;
    case AST_Return: return AST(Return, n)->value;
    case AST_If: return AST(If, n)->test;
    case AST_Expr: return AST(Expr, n)->value;
    default: return NULL;
    }
}

/* Assigns the statement nothing but a local that the value does not need? */
static bool leaves_alone(const node *n, const node *value)
{
    const node *target = n->kind == AST_Assign ? AST(Assign, n)->targets.v[0] : NULL;
    return target && target->kind == AST_Name && !expr_uses(value, AST(Name, target)->id);
}

/* Is the local used just once, in one of the next statements, where its value would be the same? */
static bool is_used_near(const composer *c, node *const *v, uint32_t n, uint32_t at,
                         const sym *local, const node *value)
{
    enum { NEAR = 3, WIDE = 22 }; /* statements; nodes of the one that gets the value */
    if (uses_in(v, at + 1, n, local) + expr_uses(c->returned, local) != 1)
        return false;
    for (uint32_t i = at + 1; i < n && i <= at + NEAR; i++) {
        const node *once = once_of(v[i]);
        if (once && expr_uses(once, local)) {
            const value_walk w = look_at(once, local);
            return !w.guarded && w.nodes <= WIDE &&
                   (v[i]->kind != AST_Expr || expr_called(once) != c->l->words.at);
        }
        if (!leaves_alone(v[i], value))
            return false;
    }
    return false;
}

/* d = y - x; k * wp.length(d)   ->   k * wp.length(y - x) */
static bool inlines_value(composer *c, node *const *v, uint32_t n, uint32_t at)
{
    enum { INLINED = 45 }; /* percent */
    const node *target = AST(Assign, v[at])->targets.v[0], *value = AST(Assign, v[at])->value;
    if ((!c->p.algorithm && !c->frame) || target->kind != AST_Name)
        return false;
    const sym *local = AST(Name, target)->id;
    if (expr_name(c, local) || !is_short_value(value) || (!c->frame && stores_of(c, local) != 1) ||
        expr_uses(value, c->l->words.value) || !is_used_near(c, v, n, at, local, value) ||
        !chance(c, INLINED))
        return false;
    expr_bind(c, local, expr_text(c, value), expr_prec(c, value));
    return true;
}

bool form_inlines(composer *c, node *const *v, uint32_t n, uint32_t at)
{
    return v[at]->kind == AST_Assign && (inlines_load(c, v, n, at) || inlines_value(c, v, n, at));
}

/* --- elements --------------------------------------------------------------------------------- */

typedef struct element_walk {
    composer *c;
    const sym *of;     /* counted: elements of it */
    uint32_t uses;     /* how many of its array there are */
    const node *value; /* of the statement whose elements are named */
} element_walk;

static void count_elements(void *arg, const node *n)
{
    element_walk *w = arg;
    w->uses += n->kind == AST_Name && AST(Name, n)->id == w->of;
    ast_each_child(n, count_elements, arg);
}

/* Is it an element of an input of which the algorithm reads no other? One of four neighbors has no
 * local. */
static const plan_arg *read_once(composer *c, const node *n)
{
    const lib_algorithm *a = c->p.algorithm;
    if (n->kind != AST_Subscript || AST(Subscript, n)->value->kind != AST_Name)
        return NULL;
    const sym *name = AST(Name, AST(Subscript, n)->value)->id;
    const plan_arg *array = form_array(c, name);
    element_walk w = {.of = name};
    for (uint32_t i = 0; i < a->nbody; i++)
        count_elements(&w, a->body[i]);
    return array && !array->written && array->axis != AXIS_NONE && w.uses == 1 ? array : NULL;
}

/* The first of the words that is free; empty: none is. */
static str free_word(composer *c, const char *words)
{
    for (str w; (w = str_take_word(&words)).n;)
        if (name_is_free(c, w))
            return name_take(c, w);
    return STR("");
}

static void name_element(void *arg, const node *n)
{
    element_walk *w = arg;
    composer *c = w->c;
    if (n->kind == AST_BoolOp || n->kind == AST_IfExp) /* not all is computed */
        return;
    if (expr_called(n) == c->l->words.any_of) { /* of what is not written nothing is needed */
        const node_list *l = &AST(Call, n)->args;
        name_element(arg, l->v[expr_choose(c, n, l->n)]);
        return;
    }
    ast_each_child(n, name_element, arg);
    const plan_arg *array = c->nheld < HELD_MAX && n != w->value ? read_once(c, n) : NULL;
    if (!array)
        return;
    const str text = expr_text(c, n);
    const str name = free_word(c, array->role == ROLE_QUANTITY ? array->of->one : "idx index id");
    if (!name.n)
        return;
    step_put_assign(c, name, text);
    c->held[c->nheld].at = n;
    c->held[c->nheld++].name = name;
}

void form_name_elements(composer *c, const node *value)
{
    enum { NAMED = 50 }; /* percent of statements */
    element_walk w = {.c = c, .value = value};
    if (!c->p.algorithm || c->frame || c->p.algorithm->traits.tiles)
        return; /* functions are written while a statement is */
    c->nheld = 0;
    if (!chance(c, NAMED))
        return;
    name_element(&w, value);
}

/* if kinds[i] != kind: ...   ->   own_kind = kinds[i]
 *                                 if own_kind != kind: ... */
void form_name_tested(composer *c, const node *test)
{
    const node *left = test->kind == AST_Compare ? AST(Compare, test)->left : NULL;
    const node *array = left && left->kind == AST_Subscript ? AST(Subscript, left)->value : NULL;
    c->nheld = 0;
    if (!c->part || !c->form.test_local || !array || array->kind != AST_Name)
        return;
    for (uint32_t i = 0; i < c->part->nparams; i++) {
        const lib_param *p = &c->part->params[i];
        if (p->name != AST(Name, array)->id || !p->of)
            continue;
        const str text = expr_text(c, left);
        const str name = name_in_order(c, p->of->one, "%s_i");
        step_put_assign(c, name, text);
        c->held[0].at = left;
        c->held[0].name = name;
        c->nheld = 1;
    }
}

str form_named(const composer *c, const node *n)
{
    for (uint32_t i = 0; i < c->nheld; i++)
        if (c->held[i].at == n)
            return c->held[i].name;
    return STR("");
}

/* --- bounds ---------------------------------------------------------------------------------- */

/* Its text in a local that goes before the loop. */
static str bound_local(composer *c, const char *words, str text)
{
    const str name = name_from(c, words);
    step_put_assign(c, name, text);
    return name;
}

/* range(x.shape[1]) -> range(n), range(counts[i]) -> range(count) */
static str form_turns(composer *c, const node *turns, str text)
{
    enum { NAMED = 82 }; /* percent */
    const bool length =
        turns->kind == AST_Subscript && AST(Subscript, turns)->value->kind == AST_Attribute;
    const bool counted = turns->kind == AST_Call && expr_called(turns) == c->l->words.count;
    if ((!length && !counted && !look_at(turns, NULL).element) || !chance(c, NAMED))
        return text;
    const str name = bound_local(c, length || counted ? "n count length" : "count n_terms terms",
                                 expr_text(c, turns));
    return str_c(arena_printf(&c->text, "range(%.*s)", (int)name.n, name.p));
}

str form_bounds(composer *c, const node *range, str text)
{
    enum { NAMED = 40 }; /* percent */
    if (expr_called(range) == NULL || AST(Call, range)->args.n > 2)
        return text;
    if (AST(Call, range)->args.n == 1)
        return form_turns(c, AST(Call, range)->args.v[0], text);
    const node *low = AST(Call, range)->args.v[0], *high = AST(Call, range)->args.v[1];
    if (!look_at(low, NULL).element || !look_at(high, NULL).element || !chance(c, NAMED))
        return text;
    const str from = bound_local(c, "start begin first", expr_text(c, low));
    const str to = bound_local(c, "end stop last", expr_text(c, high));
    return str_c(arena_printf(&c->text, "range(%.*s, %.*s)", (int)from.n, from.p, (int)to.n, to.p));
}
