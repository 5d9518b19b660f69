/* SPDX-License-Identifier: Apache-2.0 */
/* In which of several forms a kernel is written that computes the same: rows of arrays for worlds
 * that are simulated side by side, scalars in arrays of one entry, flags as booleans, types by
 * their full names.
 *
 *     x[i] + dt * v[i]     ->     x[world, i] + dt[world] * v[world, i]
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

/* --- arrays of algorithms -------------------------------------------------------------------- */

const plan_arg *form_array(const composer *c, const sym *name)
{
    for (uint8_t i = 0; i < c->p.nargs; i++)
        if (c->p.args[i].template_name == name)
            return &c->p.args[i];
    return NULL;
}

typedef struct array_walk {
    const sym *name;
    uint32_t uses, elements; /* of those that read or write one element */
} array_walk;

static void count_elements(void *arg, const node *n)
{
    array_walk *w = arg;
    w->uses += n->kind == AST_Name && AST(Name, n)->id == w->name;
    w->elements += n->kind == AST_Subscript && AST(Subscript, n)->value->kind == AST_Name &&
                   AST(Name, AST(Subscript, n)->value)->id == w->name;
    ast_each_child(n, count_elements, arg);
}

bool form_has_elements_alone(const plan *p, const plan_arg *a)
{
    const lib_algorithm *whole = p->algorithm;
    array_walk w = {a->template_name, 0, 0};
    for (uint32_t i = 0; i < whole->nbody; i++)
        count_elements(&w, whole->body[i]);
    for (size_t i = 0; i + a->template_name->len + 3 <= whole->says.n; i++) {
        const char *at = whole->says.p + i; /* "{x}[": the sentence says which element */
        if (at[0] == '{' && memcmp(at + 1, a->template_name->s, a->template_name->len) == 0 &&
            at[1 + a->template_name->len] == '}' && at[2 + a->template_name->len] == '[')
            return false;
    }
    return w.uses == w.elements;
}

/* --- worlds ----------------------------------------------------------------------------------- */

/* Has each world its own values where the part takes and gives them? */
static bool part_has_rows(const lib_part *part)
{
    bool rows = true;
    for (uint32_t i = 0; i < part->nparams; i++)
        rows &= part->params[i].of && (!part->params[i].shape || !*part->params[i].shape);
    return rows;
}

/* Which things tell each element from the ones beside it in every world alike. */
static bool is_shared(lib_binding b)
{
    static const lib_binding shared[] = {
        BIND_ROW_OFFSETS,  BIND_LINK_TO_OTHER,  BIND_GATHER,    BIND_SENTINEL,
        BIND_SAME_GROUP,   BIND_NEIGHBOR_TABLE, BIND_TRIANGLES, BIND_TRIANGLE_TABLE,
        BIND_QUADS,        BIND_QUAD_TABLE,     BIND_FLAGS,     BIND_LINK_LIMIT,
        BIND_WINDOW_RADIUS};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i] == b)
            return true;
    return false;
}

/* Has the array a row for each world, as the algorithm uses it? */
static bool array_may_have_rows(const plan *p, const plan_arg *a)
{
    if (a->axis == AXIS_NONE)
        return true;
    return (a->axis == AXIS_ELEMENT || a->axis == AXIS_OTHER) && !a->shape &&
           (!a->template_name || form_has_elements_alone(p, a));
}

static bool may_have_rows(const plan *p)
{
    const lib_algorithm *whole = p->algorithm;
    bool rows = p->dims <= 2 && !p->field->pairs && p->over == LIB_OVER_ELEMENTS && !p->random &&
                !p->nfilters &&
                (whole ? p->dims == 1 && !whole->traits.random && !whole->traits.tiles
                       : p->pattern->into == LIB_INTO_ELEMENT);
    for (uint8_t i = 0; rows && i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        rows &= a->role == ROLE_BINDING ? is_shared(a->binding)
                : whole                 ? array_may_have_rows(p, a)
                                        : a->axis != AXIS_WHOLE && !a->template_name;
    }
    for (uint8_t i = 0; rows && i < p->nsteps; i++)
        rows &= !p->steps[i].ending.part || part_has_rows(p->steps[i].ending.part);
    return rows;
}

/* What goes side by side: worlds of what moves, batches of anything else. */
static str word_for_rows(const lib_field *f)
{
    static const char *const moving[] = {"particle", "body",     "joint",    "atom",
                                         "tet",      "triangle", "hinge",    "grain",
                                         "ray",      "frame",    "satellite"};
    return STR_IS_IN(f->element.one, moving)      ? STR("world")
           : str_eq(f->element.one, STR("pixel")) ? STR("image")
                                                  : STR("batch");
}

void form_draw_rows(composer *c)
{
    enum { ROWS = 20, OF_ALGORITHMS = 45, WISHED = 60 }; /* percent */
    plan *p = &c->p;
    const profile_feature more = p->dims == 1 ? PROFILE_LAUNCH_2D : PROFILE_LAUNCH_3D;
    const bool wished = c->wish && c->wish->wanted >> more & 1;
    if (may_have_rows(p) && chance(c, wished ? WISHED : p->algorithm ? OF_ALGORITHMS : ROWS))
        p->rows = word_for_rows(p->field);
}

/* --- scalars ---------------------------------------------------------------------------------- */

static bool may_be_entry(const plan *p, const plan_arg *a)
{
    if (a->axis != AXIS_NONE || a->shape || a->values || a->field.n || a->given.n)
        return false;
    return a->role == ROLE_QUANTITY || (a->role == ROLE_COUNT && p->dims == 1);
}

/* dt becomes dt[0], or dt[world]. */
void form_draw_entries(composer *c)
{
    enum { ENTRIES = 22, OF_ROWS = 50 }; /* percent of kernels */
    plan *p = &c->p;
    if (!chance(c, p->rows.n ? OF_ROWS : ENTRIES))
        return;
    for (uint8_t i = 0; i < p->nargs; i++) {
        plan_arg *a = &p->args[i];
        if (!may_be_entry(p, a))
            continue;
        a->entry = a->name;
        a->name = str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)a->name.n, a->name.p,
                                     p->rows.n ? (int)p->rows.n : 1, p->rows.n ? p->rows.p : "0"));
    }
}

/* --- constants -------------------------------------------------------------------------------- */

/* "NUM_STEPS" of the counter `step`; a letter counts N things. */
static str constant_name(composer *c, str counter)
{
    char *name = arena_printf(&c->text, "NUM_%.*sS", (int)counter.n, counter.p);
    if (counter.n < 3 || counter.p[0] == '_')
        return STR("N");
    if (str_eq(counter, STR("axis")))
        return STR("NUM_AXES");
    for (char *p = name; *p; p++)
        *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    return str_c(name);
}

str form_range(composer *c, str counter, int64_t turns, str text)
{
    enum { FEW = 3 }; /* two halves, two ends: nobody gives these a name */
    kernel_form *f = &c->form;
    if (!f->constants || turns < FEW || (f->constant.n && f->turns != turns))
        return text;
    if (!f->constant.n) {
        f->constant = constant_name(c, counter);
        f->turns = turns;
    }
    return str_c(arena_printf(&c->text, f->statics ? "range(wp.static(%.*s))" : "range(%.*s)",
                              (int)f->constant.n, f->constant.p));
}

/* --- loads ------------------------------------------------------------------------------------ */

typedef struct local_walk {
    const composer *c;
    const sym *local;
    bool changes; /* it is changed in part, or what it depends on is assigned more than once */
} local_walk;

static uint32_t stores_of(const composer *c, const sym *name)
{
    const lib_algorithm *a = c->p.algorithm;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nbody; i++)
        n += expr_stores(a->body[i], name);
    return n;
}

/* x[0] = ..., x.y += ... */
static void find_change(void *arg, const node *n)
{
    local_walk *w = arg;
    const node *target = n->kind == AST_Assign      ? AST(Assign, n)->targets.v[0]
                         : n->kind == AST_AugAssign ? AST(AugAssign, n)->target
                                                    : NULL;
    const node *base = target && target->kind == AST_Subscript   ? AST(Subscript, target)->value
                       : target && target->kind == AST_Attribute ? AST(Attribute, target)->value
                                                                 : NULL;
    w->changes |= base && base->kind == AST_Name && AST(Name, base)->id == w->local;
    ast_each_child(n, find_change, arg);
}

/* Are the names of an index arguments, or assigned once? */
static void find_moving(void *arg, const node *n)
{
    local_walk *w = arg;
    if (n->kind == AST_Name && !form_array(w->c, AST(Name, n)->id))
        w->changes |= stores_of(w->c, AST(Name, n)->id) > 1;
    ast_each_child(n, find_moving, arg);
}

static uint32_t uses_in(node *const *v, uint32_t from, uint32_t n, const sym *name)
{
    uint32_t uses = 0;
    for (uint32_t i = from; i < n; i++)
        uses += expr_uses(v[i], name);
    return uses;
}

bool form_inlines(composer *c, node *const *v, uint32_t n, uint32_t at)
{
    enum { INLINED = 45, MOST = 2 }; /* percent; uses */
    const lib_algorithm *a = c->p.algorithm;
    if (!a || c->frame || v[at]->kind != AST_Assign)
        return false;
    const node *target = AST(Assign, v[at])->targets.v[0], *value = AST(Assign, v[at])->value;
    if (target->kind != AST_Name || value->kind != AST_Subscript ||
        AST(Subscript, value)->value->kind != AST_Name)
        return false;
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
    if (w.changes || !chance(c, INLINED))
        return false;
    expr_bind(c, local, expr_text(c, value), UNPARSE_ATOM);
    return true;
}

/* --- spelling --------------------------------------------------------------------------------- */

void form_draw_spelling(composer *c)
{
    enum {
        FULL = 35,
        BOOLS = 50,
        NOT = 40,
        TERNARIES = 55,
        PLAIN_SUMS = 35,
        CONSTANTS = 60,
        STATICS = 80
    }; /* percent */
    c->form = (kernel_form){.full_types = chance(c, FULL),
                            .bool_flags = chance(c, BOOLS),
                            .says_not = chance(c, NOT),
                            .plain_sums = chance(c, PLAIN_SUMS),
                            .constants = chance(c, CONSTANTS),
                            .statics = chance(c, STATICS),
                            .ternaries = chance(c, TERNARIES)};
    c->form.option = (uint8_t)below(c, 5);
}
