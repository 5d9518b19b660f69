/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a kernel in words, for compose_prompt.c.
 *
 *     - `masses: wp.array(dtype=float)`: the mass of each particle, in kg
 *     - `offsets: wp.array(dtype=int)`: where the springs of each particle begin, ...
 */
#include "compose/compose_internal.h"

/* "where the springs of each particle begin" */
static void put_bound_noun(composer *c, const plan_arg *a)
{
    static const char *const nouns[] = {
#define BINDING(ID, name, type, shape, values, names, noun) noun,
#include "compose/library_binding.def"
#undef BINDING
    };
    const bool truth = a->binding == BIND_FLAGS && c->form.bool_flags;
    const char *noun = truth     ? "whether each {element} takes part"
                       : a->noun ? a->noun
                                 : nouns[a->binding];
    const size_t from = c->prompt.n;
    prompt_put_says(c, str_c(noun));
    if (a->binding == BIND_FLAGS && c->p.field->pairs && c->p.dims == 2) {
        c->prompt.n = from;
        sb_printf(&c->prompt,
                  truth ? "whether each %.*s and %.*s take part"
                        : "1 for each %.*s and %.*s that take part, else 0",
                  (int)c->p.field->element.one.n, c->p.field->element.one.p,
                  (int)c->p.field->other.one.n, c->p.field->other.one.p);
    }
    if (a->binding == BIND_FLAGS && c->p.rows.n)
        sb_printf(&c->prompt, ", in each %.*s", (int)c->p.rows.n, c->p.rows.p);
}

/* "pose of a body" of each body is its pose. */
static str short_noun(composer *c, str noun, str of)
{
    const str end = str_c(arena_printf(&c->text, " of a %.*s", (int)of.n, of.p));
    const size_t rest = noun.n > end.n ? noun.n - end.n : 0;
    const bool ends = of.n && rest && memcmp(noun.p + rest, end.p, end.n) == 0;
    return ends ? (str){noun.p, rest} : noun;
}

/* Does the pattern add all results up there? */
static bool into_one(const composer *c, const plan_arg *a)
{
    for (uint8_t i = 0; i < c->p.nsteps; i++)
        if (c->p.pattern && c->p.pattern->into == LIB_INTO_ONE && c->p.steps[i].stored >= 0 &&
            a == &c->p.args[c->p.steps[i].stored])
            return true;
    return false;
}

/* "2*n+2" is room for the entries of rows, which the offsets tell: no part of the task. */
bool prompt_is_capacity(const char *shape)
{
    return strchr(shape, '*') && strchr(shape, '+');
}

/* Is the quantity an input of the same things, too? */
static bool is_renewed(const plan *p, const plan_arg *a)
{
    bool renewed = false;
    for (uint8_t i = 0; i < p->nargs && a->written && !a->adjective; i++) {
        const plan_arg *b = &p->args[i];
        renewed |= b->role == ROLE_QUANTITY && b->of == a->of && b->axis == a->axis &&
                   !b->written && !b->adjective;
    }
    return renewed && !str_starts(a->of->noun, "new ");
}

/* "(2 n, m + 1)" of "2*n,m+1" */
static void put_shape(strbuf *b, const char *shape)
{
    sb_char(b, '(');
    for (const char *p = shape; *p; p++)
        switch (*p) {
        case ',': SB_LIT(b, ", "); break;
        case '*': SB_LIT(b, " "); break;
        case '+': SB_LIT(b, " + "); break;
        default: sb_char(b, *p);
        }
    sb_char(b, ')');
}

/* "sorted keys", "lengths of the runs": such a noun is said of the whole array. */
static bool is_plural(str noun)
{
    static const char *const ends[] = {" of ", " to ", " in ", " for ", " that ", ","};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = str_find(noun, str_c(ends[i]));
        if (end)
            noun.n = (size_t)(end - noun.p);
    }
    const char before = noun.n > 1 ? noun.p[noun.n - 2] : 's';
    return noun.n && noun.p[noun.n - 1] == 's' && !strchr("aius", before);
}

/* Has an array of an algorithm, which states its shape, one value for each thread? */
bool prompt_is_of_each(const plan *p, const plan_arg *a)
{
    return a->shape && p->algorithm && !p->algorithm->traits.tiles && p->dims == 1 &&
           strcmp(a->shape, p->over == LIB_OVER_LINKS ? "e" : "n") == 0 &&
           p->over != LIB_OVER_ACTIVE && !is_plural(a->of->noun);
}

static void put_quantity_noun(composer *c, const plan_arg *arg)
{
    const lib_field *f = c->p.field;
    strbuf *b = &c->prompt;
    plan_arg stated = *arg;
    const plan_arg *a = &stated;
    if (prompt_is_of_each(&c->p, arg)) {
        stated.shape = NULL;
        stated.axis = c->p.over == LIB_OVER_LINKS ? AXIS_LINK : AXIS_ELEMENT;
    }
    const bool plain = !a->adjective;
    const str pair = str_c(arena_printf(&c->text, "%.*s and %.*s", (int)f->element.one.n,
                                        f->element.one.p, (int)f->other.one.n, f->other.one.p));
    const str of[] = {[AXIS_ELEMENT] = f->pairs && c->p.dims == 2 && !is_plural(a->of->noun)
                                           ? pair
                                           : f->element.one,
                      [AXIS_OTHER] = f->other.one,
                      [AXIS_LINK] = f->link.one,
                      [AXIS_GROUP] = f->group.one,
                      [AXIS_WHOLE] = STR(""),
                      [AXIS_FACE] = STR("face of the mesh"),
                      [AXIS_NONE] = STR("")};
    if (a->written)
        SB_LIT(b, "output: ");
    if (plain && !a->shape && a->axis == AXIS_ELEMENT && str_eq(a->of->noun, f->element.one)) {
        SB_LIT(b, "the ");
        sb_str(b, f->element.many);
        return;
    }
    const bool all = plain && a->shape && a->written && strcmp(a->shape, "1") == 0;
    const bool sum = (all && into_one(c, arg)) || a->axis == AXIS_GROUP;
    sb_c(b, sum ? "the sum of the " : is_renewed(&c->p, arg) ? "the new " : "the ");
    for (const char *p = plain ? "" : a->adjective->s; *p; p++)
        sb_char(b, *p == '_' ? ' ' : *p);
    sb_c(b, plain ? "" : " ");
    sb_str(b,
           a->noun ? str_c(a->noun) : short_noun(c, a->of->noun, a->shape ? STR("") : of[a->axis]));
    if (sum && all) {
        SB_LIT(b, " of all ");
        sb_str(b, f->element.many);
    } else if (!plain && a->shape && *a->shape == 'n') {
        SB_LIT(b, " in each slot");
    } else if (!plain && a->shape && strcmp(a->shape, "g") == 0) {
        SB_LIT(b, " of each ");
        sb_str(b, f->group.one);
    } else if (a->shape && *a->shape && !prompt_is_capacity(a->shape)) {
        SB_LIT(b, ", of shape ");
        put_shape(b, a->shape);
    } else if (!a->shape && of[a->axis].n) {
        SB_LIT(b, " of each ");
        sb_str(b, of[a->axis]);
    }
    const bool rows =
        c->p.rows.n && (a->entry.n || a->axis == AXIS_ELEMENT || a->axis == AXIS_OTHER);
    if (rows && !a->shape)
        sb_printf(b, " of each %.*s", (int)c->p.rows.n, c->p.rows.p);
    else if (a->entry.n)
        SB_LIT(b, ", in an array with one entry");
    if (a->of->unit_length && !a->written && !str_starts(a->of->noun, "unit "))
        SB_LIT(b, ", of length 1");
    if (a->of->unit.n && !str_eq(a->of->unit, STR("1"))) {
        SB_LIT(b, ", in ");
        sb_str(b, a->of->unit);
    }
}

static void put_count_noun(composer *c, const plan_arg *a)
{
    static const char *const dims[2][3] = {{"rows of the grid", "columns of the grid", ""},
                                           {"cells along the first axis",
                                            "cells along the second axis",
                                            "cells along the third axis"}};
    SB_LIT(&c->prompt, "the number of ");
    if (c->p.dims == 1)
        sb_str(&c->prompt, c->p.field->element.many);
    else
        sb_c(&c->prompt, dims[c->p.dims - 2][a->dim]);
}

/* The struct and its fields, at the place of the first. */
static void put_fields(composer *c, const plan_arg *first)
{
    strbuf *b = &c->prompt;
    if (!plan_is_listed(&c->p, first))
        return;
    SB_LIT(b, "- `");
    write_struct_parameter(c, b, first);
    if (first->member.n) {
        SB_LIT(b, "`: for each ");
        sb_str(b, c->p.field->element.one);
        SB_LIT(b, " a `wp.struct` with the fields, in this order:\n");
    } else {
        SB_LIT(b, "`: a `wp.struct` with the fields, in this order:\n");
    }
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (!(first->member.n ? a->member : a->field).n)
            continue;
        SB_LIT(b, "  - `");
        write_parameter(c, b, a);
        SB_LIT(b, "`: ");
        put_quantity_noun(c, a);
        sb_char(b, '\n');
    }
}

void prompt_put_arguments(composer *c)
{
    strbuf *b = &c->prompt;
    SB_LIT(b, "\n\nArguments, in this order:\n");
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (a->field.n || a->member.n) {
            put_fields(c, a);
            continue;
        }
        SB_LIT(b, "- `");
        write_parameter(c, b, a);
        SB_LIT(b, "`: ");
        switch (a->role) {
        case ROLE_QUANTITY: put_quantity_noun(c, a); break;
        case ROLE_COUNT:
            put_count_noun(c, a);
            if (c->p.rows.n)
                sb_printf(b, " of each %.*s", (int)c->p.rows.n, c->p.rows.p);
            else if (a->entry.n)
                SB_LIT(b, ", in an array with one entry");
            break;
        case ROLE_SEED: SB_LIT(b, "the seed of the random numbers"); break;
        case ROLE_BINDING: put_bound_noun(c, a); break;
        }
        sb_char(b, '\n');
    }
}
