/* SPDX-License-Identifier: Apache-2.0 */
/* In which of several forms a kernel is written that computes the same: rows of arrays for worlds
 * that are simulated side by side, scalars in arrays of one entry, flags as booleans, types by
 * their full names.
 *
 *     x[i] + dt * v[i]     ->     x[world, i] + dt[world] * v[world, i]
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

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

static bool may_have_rows(const plan *p)
{
    bool rows = p->pattern && p->dims <= 2 && !p->field->pairs && p->over == LIB_OVER_ELEMENTS &&
                !p->random && p->pattern->into == LIB_INTO_ELEMENT && !p->nfilters;
    for (uint8_t i = 0; rows && i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        rows &= a->role == ROLE_BINDING ? is_shared(a->binding) : a->axis != AXIS_WHOLE;
        rows &= a->role == ROLE_BINDING || !a->template_name;
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
    enum { ROWS = 12, WISHED = 60 }; /* percent */
    plan *p = &c->p;
    const profile_feature more = p->dims == 1 ? PROFILE_LAUNCH_2D : PROFILE_LAUNCH_3D;
    const bool wished = c->wish && c->wish->wanted >> more & 1;
    if (may_have_rows(p) && chance(c, wished ? WISHED : ROWS))
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

/* --- spelling --------------------------------------------------------------------------------- */

void form_draw_spelling(composer *c)
{
    enum {
        FULL = 35,
        BOOLS = 50,
        NOT = 40,
        TERNARIES = 55,
        PLAIN_SUMS = 25,
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
