/* SPDX-License-Identifier: Apache-2.0 */
/* One sample: a plan, names, the text, and what the kernel's arguments are. */
#include "compose/compose_internal.h"

composer *composer_new(mem *m, const library *l)
{
    WEFT_ASSERT(!l->message[0]);
    composer *c = mem_alloc(m, sizeof *c);
    memset(c, 0, sizeof *c);
    c->l = l;
    c->m = m;
    arena_init(&c->text, m);
    sb_init(&c->body, m);
    sb_init(&c->functions, m);
    sb_init(&c->source, m);
    return c;
}

/* --- arguments -------------------------------------------------------------------------------- */

/* Letters: n elements, m others, e links, a in a list. */
static const char *axis_shape(const composer *c, plan_axis axis)
{
    const bool rows = c->p.pattern->nparams && c->p.pattern->bindings[0] == BIND_ROW_OFFSETS;
    switch (axis) {
    case AXIS_ELEMENT:
        return "n";
    case AXIS_OTHER:
        return "m";
    case AXIS_LINK:
        return rows ? "2*n+2" : "e";
    case AXIS_ONE:
        return "1";
    default:
        return "";
    }
}

static const char *letters_of(composer *c, const char *text)
{
    char *out = arena_dup(&c->text, text, strlen(text));
    const bool same = str_eq(c->p.field->other.one, c->p.field->element.one);
    for (char *p = out; *p; p++)
        *p = *p == 'N' ? 'n' : *p == 'M' ? (same ? 'n' : 'm') : *p == 'A' ? 'a' : *p;
    return out;
}

static const char *type_text(composer *c, const plan_arg *a)
{
    static const char *const scalars[] = {
#define TYPE(ID, name, text, zero) text,
#include "compose/library_type.def"
#undef TYPE
    };
    const char *scalar = a->of ? scalars[a->of->type] : "int";
    char *text = arena_dup(&c->text, scalar, strlen(scalar));
    for (char *p = text; *p; p++)
        if (*p == '%')
            *p = (char)('0' + c->p.plane);
    return text;
}

static gen_arg describe(composer *c, const plan_arg *a)
{
    static const char *const shapes[] = {
#define BINDING(ID, name, type, shape, values, names, noun) shape,
#include "compose/library_binding.def"
#undef BINDING
    };
    static const char *const values[] = {
#define BINDING(ID, name, type, shape, values, names, noun) values,
#include "compose/library_binding.def"
#undef BINDING
    };
    gen_arg g = {.name = a->name, .type = str_c(type_text(c, a))};
    if (a->of) {
        g.shape = str_c(axis_shape(c, a->axis));
        g.values = a->of->low > 0 ? STR("+") : STR("");
        for (double x = a->of->high > 0 ? a->of->high : 2; x > 1; x /= 2)
            g.mag++;
    } else if (a->binding == BINDINGS) {
        g.values = STR("n-2:n+1");
    } else {
        const bool links = strcmp(shapes[a->binding], "E") == 0;
        g.shape = str_c(links ? axis_shape(c, AXIS_LINK) : letters_of(c, shapes[a->binding]));
        if (g.shape.n && g.shape.p[0] == 'E')
            g.shape = STR("e,2");
        g.values = str_c(letters_of(c, values[a->binding]));
    }
    return g;
}

static uint32_t lines_of(str text)
{
    return str_count(text, '\n');
}

/* Of the levels whose lines fit, the lowest. */
static uint32_t level_of(uint32_t lines)
{
    uint32_t level = 1;
    while (level < GEN_LEVELS && lines > gen_level_at(level)->max_lines)
        level++;
    return level;
}

bool compose(composer *c, const gen_request *q, gen_sample *sample)
{
    arena_reset(&c->text);
    c->r = rng_stream(q->seed, q->index);
    for (uint32_t i = 0; i < q->attempt; i++)
        c->r.state = rng_next(&c->r);
    if (!plan_draw(c, q))
        return false;
    name_all(c);
    write_program(c);
    *sample = (gen_sample){.source = sb_view(&c->source),
                           .kernel = c->kernel,
                           .launch = c->p.pattern->over == LIB_OVER_LINKS    ? STR("e")
                                     : c->p.pattern->over == LIB_OVER_ACTIVE ? STR("a")
                                                                             : STR("n"),
                           .category = q->category,
                           .lines = lines_of(sb_view(&c->source)),
                           .kernel_lines = c->kernel_lines,
                           .level = level_of(c->kernel_lines)};
    for (uint8_t i = 0; i < c->p.nargs; i++)
        sample->args[sample->nargs++] = describe(c, &c->p.args[i]);
    return true;
}
