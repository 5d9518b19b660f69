/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars that are no arguments but constants of the module, as people write what they never
 * change.
 *
 *     k_contact: float,     ->     K_CONTACT = wp.constant(0.4)
 *     k_contact * depth            K_CONTACT * depth */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* Has it no values, name or shape of its own? Times stay arguments; of what belongs together, as
 * mean and deviation, all are constants. */
static bool may_be_constant(const plan_arg *a)
{
    return a->role == ROLE_QUANTITY && a->axis == AXIS_NONE && !a->written && !a->shape &&
           !a->values && !a->field.n && !a->entry.n && !a->given.n && a->of->type == LIB_FLOAT &&
           !a->of->varies && !str_eq(a->of->unit, STR("s"));
}

/* "0.4": a number of few digits between the bounds; any number but zero where there are none. */
static str draw_number(composer *c, const lib_quantity *q)
{
    enum { PARTS = 7, DIGITS = 4 }; /* an odd number: none ends in the middle, at zero */
    const bool bounded = q->high > q->low;
    const double low = bounded ? q->low : 0.25, high = bounded ? q->high : 2.0;
    const double step = (high - low) / PARTS;
    const double x = low + step * (1 + below(c, PARTS - 1));
    double scale = 1, rounded = x;
    for (int digits = 0; digits <= DIGITS; digits++, scale *= 10) {
        const double up = x * scale < 0 ? -0.5 : 0.5;
        rounded = (double)(int64_t)(x * scale + up) / scale;
        const double off = rounded > x ? rounded - x : x - rounded;
        if (rounded > low && rounded < high && (rounded > 0 || rounded < 0) && off < step / 2)
            break;
    }
    strbuf b;
    sb_init(&b, c->m);
    sb_float(&b, rounded);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* "K_CONTACT"; of a name of one or two letters the quantity says more: "SMOOTHING_LENGTH". */
static str constant_name(composer *c, const plan_arg *a)
{
    enum { SHORT = 2 };
    const str name = a->name.n > SHORT ? a->name : name_said(c, a->of);
    char *text = arena_dup(&c->text, name.p, name.n);
    for (char *p = text; *p; p++)
        *p = ascii_upper(*p);
    return name_from(c, text);
}

void constant_draw(composer *c)
{
    enum { CONSTANTS = 65 }; /* percent of the kernels that could have some */
    plan *p = &c->p;
    if (p->generic || c->category == GEN_SCALAR_PARAM || !chance(c, CONSTANTS))
        return;
    for (uint8_t i = 0; i < p->nargs; i++) {
        plan_arg *a = &p->args[i];
        const bool own =
            p->by_value && a->of && !a->of->uniform; /* of the element, whatever it is */
        if (!may_be_constant(a) || own)
            continue;
        a->constant = draw_number(c, a->of);
        a->name = constant_name(c, a);
    }
}

void constant_put_all(composer *c, strbuf *b)
{
    bool any = c->form.constant.n > 0; /* the number of turns stands there already */
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (!a->constant.n)
            continue;
        sb_c(b, any ? "" : "\n");
        sb_printf(b, "%.*s = wp.constant(%.*s)\n", (int)a->name.n, a->name.p, (int)a->constant.n,
                  a->constant.p);
        any = true;
    }
}

void constant_put_prompt(composer *c)
{
    bool any = false;
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (!a->constant.n)
            continue;
        sb_c(&c->prompt, any ? "" : "\nConstants:\n");
        sb_printf(&c->prompt, "- `%.*s = %.*s`: ", (int)a->name.n, a->name.p, (int)a->constant.n,
                  a->constant.p);
        prompt_put_quantity(c, a);
        sb_char(&c->prompt, '\n');
        any = true;
    }
}
