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
        BIND_ROW_OFFSETS,   BIND_LINK_TO_OTHER,   BIND_GATHER,       BIND_SENTINEL,
        BIND_COUNTED_TABLE, BIND_NEIGHBOR_COUNTS, BIND_SAME_GROUP,   BIND_NEIGHBOR_TABLE,
        BIND_TRIANGLES,     BIND_TRIANGLE_TABLE,  BIND_QUADS,        BIND_QUAD_TABLE,
        BIND_FLAGS,         BIND_LINK_LIMIT,      BIND_WINDOW_RADIUS};
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
    bool rows = p->dims <= 2 && !p->one && !p->field->pairs && p->over == LIB_OVER_ELEMENTS &&
                !p->random && !p->nfilters &&
                (whole ? p->dims == 1 && !whole->traits.random && !whole->traits.tiles
                       : p->pattern->into == LIB_INTO_ELEMENT);
    for (uint8_t i = 0; rows && i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        const bool own = a->binding == BIND_FLAGS && a->template_name; /* the algorithm's: x[i] */
        rows &= a->role == ROLE_BINDING ? is_shared(a->binding) && !own
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
    static const char *const moving[] = {"particle", "body",    "joint",  "atom",     "tet",
                                         "triangle", "hinge",   "grain",  "ray",      "frame",
                                         "link",     "contact", "vertex", "satellite"};
    return STR_IS_IN(f->element.one, moving)      ? STR("world")
           : str_eq(f->element.one, STR("pixel")) ? STR("frame") /* `image` is the array */
                                                  : STR("batch");
}

void form_draw_rows(composer *c)
{
    enum { ROWS = 36, OF_ALGORITHMS = 55, WISHED = 76 }; /* percent */
    plan *p = &c->p;
    const profile_feature more = p->dims == 1 ? PROFILE_LAUNCH_2D : PROFILE_LAUNCH_3D;
    const bool wished = wish_names(c, more);
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

/* dt becomes dt[0], or dt[world]; how many elements there are is often known on the device alone,
 * and is in an array all the more. */
void form_draw_entries(composer *c)
{
    enum { ENTRIES = 4, OF_ROWS = 60, OF_ONE = 30, COUNTS = 40 }; /* percent of kernels */
    plan *p = &c->p;
    const uint32_t share = p->rows.n ? OF_ROWS : p->by_value ? OF_ONE : ENTRIES;
    const bool entries = chance(c, share), counts = chance(c, COUNTS);
    for (uint8_t i = 0; i < p->nargs; i++) {
        plan_arg *a = &p->args[i];
        if (!(a->role == ROLE_COUNT ? counts : entries) || !may_be_entry(p, a))
            continue;
        a->entry = a->name;
        a->name = str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)a->name.n, a->name.p,
                                     p->rows.n ? (int)p->row.n : 1, p->rows.n ? p->row.p : "0"));
    }
}

/* --- constants -------------------------------------------------------------------------------- */

/* "NUM_STEPS" of the counter `step`; empty: a letter counts things that have no name. */
static str constant_name(composer *c, str counter)
{
    const bool y = counter.n && counter.p[counter.n - 1] == 'y';
    char *name = y ? arena_printf(&c->text, "NUM_%.*sIES", (int)counter.n - 1, counter.p)
                   : arena_printf(&c->text, "NUM_%.*sS", (int)counter.n, counter.p);
    if (counter.n < 3 || counter.p[0] == '_')
        return STR("");
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
    if (!f->constants || turns < FEW)
        return text;
    const str name = constant_name(c, counter); /* steps are no years, if as many */
    if (!name.n || (f->constant.n && (f->turns != turns || !str_eq(f->constant, name))))
        return text;
    f->constant = name;
    f->turns = turns;
    return str_c(arena_printf(&c->text, f->statics ? "range(wp.static(%.*s))" : "range(%.*s)",
                              (int)f->constant.n, f->constant.p));
}

/* --- spelling --------------------------------------------------------------------------------- */

/* Which of the ways there are, as often as people write them, in percent. */
static uint8_t draw_share(composer *c, const uint8_t *shares, uint8_t n)
{
    uint32_t at = below(c, 100);
    uint8_t i = 0;
    while (i + 1 < n && at >= shares[i])
        at -= shares[i++];
    return i;
}

static uint8_t draw_zero(composer *c)
{
    static const uint8_t shares[] = {15, 62, 23};
    return draw_share(c, shares, 3);
}

static index_form draw_index(composer *c)
{
    static const uint8_t shares[] = {
        [INDEX_LETTER] = 20, [INDEX_TID] = 19,    [INDEX_ID] = 20,  [INDEX_IDX] = 4,
        [INDEX_INDEX] = 7,   [INDEX_JOINED] = 20, [INDEX_WORD] = 10};
    return (index_form)draw_share(c, shares, INDEX_WORD + 1);
}

/* Which options of the decorator, as options_of in compose_head.c lists them. */
static uint8_t draw_option(composer *c)
{
    static const uint8_t shares[] = {32, 58, 10};
    return draw_share(c, shares, 3);
}

void form_draw_spelling(composer *c)
{
    enum {
        FULL_INTS = 50,
        FULL_FLOATS = 70, /* of those; and of others: */
        FLOATS = 16,
        SCALARS = 25,  /* of those, too */
        SUFFIXED = 25, /* of those with full floats; and of others: */
        SUFFIXES = 5,
        LONG_ARRAYS = 80,
        LONG_NAMES = 82,
        BRIEF = 35,
        NESTED = 58,
        DIRECT = 60,
        BOOLS = 80,
        WARP_BOOLS = 70,
        NOT = 40,
        FLAG_LOCALS = 68,
        NESTED_GUARDS = 48,
        TERNARIES = 55,
        PLAIN_SUMS = 22,
        TEST_LOCALS = 60,
        ZERO_FIRST = 50,
        PLAIN_ZEROS = 70,
        CONSTANTS = 88,
        STATICS = 55,
        SPACED = 60,
        FORWARD_ONLY = 88,
        FORWARD_SELDOM = 12
    }; /* percent */
    const bool ints = chance(c, FULL_INTS), floats = chance(c, ints ? FULL_FLOATS : FLOATS);
    c->form = (kernel_form){.full_ints = ints,
                            .full_floats = floats,
                            .full_scalars = chance(c, SCALARS),
                            .suffixed = chance(c, floats ? SUFFIXED : SUFFIXES),
                            .long_arrays = chance(c, LONG_ARRAYS),
                            .long_names = chance(c, LONG_NAMES),
                            .brief = chance(c, BRIEF),
                            .nested = chance(c, NESTED),
                            .nested_guard = chance(c, NESTED_GUARDS),
                            .direct = chance(c, DIRECT),
                            .zero = draw_zero(c),
                            .index = draw_index(c),
                            .bool_flags = chance(c, BOOLS),
                            .warp_bools = chance(c, WARP_BOOLS),
                            .says_not = chance(c, NOT),
                            .flag_local = chance(c, FLAG_LOCALS),
                            .plain_sums = chance(c, PLAIN_SUMS),
                            .test_local = chance(c, TEST_LOCALS),
                            .plain_zeros = chance(c, PLAIN_ZEROS),
                            .zero_first = chance(c, ZERO_FIRST),
                            .constants = chance(c, CONSTANTS),
                            .statics = chance(c, STATICS),
                            .ternaries = chance(c, TERNARIES),
                            .spaced = chance(c, SPACED)};
    const bool where = wish_names(c, PROFILE_WHERE), ternary = wish_names(c, PROFILE_TERNARY);
    c->form.branches = !where && !ternary && wish_names(c, PROFILE_ELSE);
    c->form.ternaries = ternary || (!where && c->form.ternaries);
    c->form.option = draw_option(c);
    c->form.without = (uint8_t)below(c, 6);
    c->form.forward_only = chance(c, FORWARD_ONLY);
    c->form.forward_seldom = chance(c, FORWARD_SELDOM);
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The pattern's statements. A total may begin before the element's values are loaded.
 *
 *     x = positions[i]             total = float(0.0)
 *     total = float(0.0)    ->     x = positions[i]
 *     for ...                      for ... */
void form_write_pattern(composer *c)
{
    const lib_pattern *p = c->p.pattern;
    const node *const *v = p->body;
    for (uint32_t i = 0; i < p->nbody; i++) {
        const node *call = v[i]->kind == AST_Expr ? AST(Expr, v[i])->value : NULL;
        const bool begins = c->form.zero_first && call && expr_called(call) == c->l->words.at &&
                            i + 1 < p->nbody && v[i + 1]->kind == AST_Assign &&
                            expr_uses(AST(Assign, v[i + 1])->value, c->l->words.zero);
        if (begins)
            block_write(c, (node *const *)&v[i + 1], 1);
        block_write(c, (node *const *)&v[i], 1);
        i += begins;
    }
}
