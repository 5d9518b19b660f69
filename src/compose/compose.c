/* SPDX-License-Identifier: Apache-2.0 */
/* One sample: a plan, names, the text, and what the kernel's arguments are. */
#include "base/ascii.h"
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
    sb_init(&c->prompt, m);
    return c;
}

uint32_t compose_count(const library *l)
{
    return l->formulas.n + l->algorithms.n;
}

str compose_name(const library *l, uint32_t at, str *file)
{
    WEFT_ASSERT(at < compose_count(l));
    const bool formula = at < l->formulas.n;
    const lib_field *f =
        formula ? l->formulas.v[at]->field : l->algorithms.v[at - l->formulas.n]->field;
    *file = str_c(f->file);
    return sym_str(formula ? l->formulas.v[at]->def->name
                           : l->algorithms.v[at - l->formulas.n]->def->name);
}

/* --- arguments -------------------------------------------------------------------------------- */

/* How many others there are: enough for the corners of a triangle to differ, and for a query of
 * boxes or points to find some. */
static const char *other_size(const plan *p)
{
    if (plan_has_binding(p, BIND_BVH) || plan_has_binding(p, BIND_GRID))
        return "o+7";
    return plan_corners(p) ? "o+3" : "o";
}

/* Sizes in the library's letters: n, m, l elements, o others, e links, a in a list, t a table,
 * g groups. */
static const char *axis_shape(const composer *c, plan_axis axis)
{
    static const char *const elements[] = {"n", "n,m", "n,m,l"};
    const plan *p = &c->p;
    if (p->rows.n && axis == AXIS_ELEMENT)
        return p->dims == 1 ? "w,n" : "w,n,m";
    if (p->rows.n && axis == AXIS_OTHER)
        return plan_corners(p) ? "w,o+3" : "w,o";
    switch (axis) {
    case AXIS_ELEMENT:
        WEFT_ASSERT(p->dims >= 1 && p->dims <= 3);
        return elements[p->over == LIB_OVER_ELEMENTS || p->over == LIB_OVER_FLAT ? p->dims - 1 : 0];
    case AXIS_OTHER: return other_size(p);
    case AXIS_LINK: return plan_has_binding(p, BIND_ROW_OFFSETS) ? "2*n+2" : "e";
    case AXIS_GROUP: return "g";
    case AXIS_FACE: return "8"; /* check/check_values.c draws an octahedron */
    case AXIS_WHOLE: return "t";
    default: return "";
    }
}

/* "0:M" in the library's letters: what bindings leave open. */
static const char *open_letters(composer *c, const char *text)
{
    const bool same = str_eq(c->p.field->other.one, c->p.field->element.one);
    strbuf b;
    sb_init(&b, c->m);
    for (const char *p = text; *p && (same || strncmp(p, " off", 4) != 0);
         p++) { /* " off 4": no own neighbors */
        if (*p == 'M')
            sb_c(&b, same ? "n" : other_size(&c->p));
        else if (*p >= 'A' && *p <= 'Z')
            sb_char(&b, (char)(*p - 'A' + 'a'));
        else
            sb_char(&b, *p);
    }
    const char *out = arena_dup(&c->text, b.p, b.n);
    sb_clear(&b);
    return out;
}

/* More elements than the list has entries, so that these can be different: n is a + 3, and what
 * follows from that, such as 2 a + 8 for 2 n + 2. */
static str with_room(composer *c, str text)
{
    enum { ROOM = 3 };
    strbuf b;
    sb_init(&b, c->m);
    for (size_t i = 0; i < text.n; i++) {
        const bool word = (i && ascii_is_letter(text.p[i - 1])) ||
                          (i + 1 < text.n && ascii_is_letter(text.p[i + 1]));
        if (text.p[i] != 'n' || word) {
            sb_char(&b, text.p[i]);
            continue;
        }
        const bool times = i > 1 && text.p[i - 1] == '*';
        uint32_t sum = (times ? (uint32_t)(text.p[i - 2] - '0') : 1) * ROOM;
        if (i + 2 < text.n && text.p[i + 1] == '+' && ascii_is_digit(text.p[i + 2])) {
            sum += (uint32_t)(text.p[i + 2] - '0');
            i += 2;
        }
        sb_printf(&b, "a+%u", sum);
    }
    const str out = expr_keep(c, &b, 0);
    sb_clear(&b);
    return out;
}

/* The same in a record's letters: launches have n, m, p. */
static str relabel(composer *c, str text)
{
    if (c->p.over == LIB_OVER_ACTIVE)
        text = with_room(c, text);
    const char launch = c->p.over == LIB_OVER_LINKS    ? 'e'
                        : c->p.over == LIB_OVER_ACTIVE ? 'a'
                        : c->p.over == LIB_OVER_WORLDS ? 'g'
                        : c->p.over == LIB_OVER_FLAT   ? 'f'
                                                       : 'n';
    char *out = arena_dup(&c->text, text.p, text.n);
    for (char *p = out; *p; p++) {
        /* "rising" is a word. */
        if (p[0] >= 'a' && p[0] <= 'z' && p[1] >= 'a' && p[1] <= 'z') {
            while (p[1] >= 'a' && p[1] <= 'z')
                p++;
            continue;
        }
        if (c->p.rows.n)
            *p = *p == 'w' ? 'n' : *p == 'n' ? 'm' : *p == 'm' ? 'p' : *p == 'p' ? 'w' : *p;
        else
            *p = *p == launch ? 'n' : *p == 'n' ? launch : *p == 'l' ? 'p' : *p == 'p' ? 'l' : *p;
    }
    return str_c(out);
}

static bool binding_is_id(lib_binding b)
{
    return b == BIND_MESH || b == BIND_BVH || b == BIND_GRID;
}

static const char *type_text(composer *c, const plan_arg *a)
{
    static const char *const scalars[] = {
#define TYPE(ID, name, text, zero) text,
#include "compose/library_type.def"
#undef TYPE
    };
    const bool id = a->role == ROLE_BINDING && binding_is_id(a->binding);
    const bool truth = a->role == ROLE_BINDING && a->binding == BIND_FLAGS && c->form.bool_flags;
    const char *scalar = a->role == ROLE_QUANTITY ? scalars[a->of->type]
                         : id                     ? "wp.uint64"
                         : truth                  ? "bool"
                                                  : "int";
    char *text = arena_dup(&c->text, scalar, strlen(scalar));
    for (char *p = text; *p; p++)
        if (*p == '%')
            *p = (char)('0' + c->p.plane);
    return text;
}

/* "0.5 to 2.0" */
static str between_text(composer *c, const lib_quantity *q)
{
    strbuf b;
    sb_init(&b, c->m);
    sb_float(&b, q->low);
    SB_LIT(&b, " to ");
    sb_float(&b, q->high);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* Which numbers a quantity takes, as check_values.c reads it. */
static void describe_values(composer *c, const lib_quantity *q, gen_arg *g)
{
    if (q->unit_length || q->type == LIB_QUAT || q->type == LIB_TRANSFORM)
        g->values = STR("unit");
    if (library_is_whole(q->type)) {
        if (q->high > q->low)
            g->values = str_c(arena_printf(&c->text, "%d:%d", (int)q->low, (int)q->high + 1));
        return;
    }
    if (q->high > q->low)
        g->values = between_text(c, q);
    else if (!g->values.n)
        g->values = q->low > 0 ? STR("+") : STR("");
    /* As near to each other as the points of hash grids are. */
    const bool near = plan_has_binding(&c->p, BIND_GRID) && str_eq(q->unit, STR("m"));
    const double most = q->high > -q->low ? q->high : -q->low;
    for (double x = most > 0 ? most : near ? 1 : 2; x > 1; x /= 2)
        g->mag++;
}

static gen_arg describe_records(composer *c)
{
    const plan *p = &c->p;
    const lib_quantity all = {.type = LIB_FLOAT, .low = p->record_least, .high = p->record_most};
    gen_arg g = {
        .name = p->records, .type = p->record_type, .shape = str_c(axis_shape(c, AXIS_ELEMENT))};
    describe_values(c, &all, &g);
    return g;
}

static gen_arg describe_struct(composer *c)
{
    const lib_quantity all = {.type = LIB_FLOAT, .low = c->p.least, .high = c->p.most};
    gen_arg g = {.name = c->p.params, .type = c->p.params_type};
    describe_values(c, &all, &g);
    return g;
}

gen_arg compose_argument(composer *c, const plan_arg *a)
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
    static const char letters[] = "nml";
    gen_arg g = {.name = a->entry.n ? a->entry : a->name, .type = str_c(type_text(c, a))};
    if (a->entry.n)
        g.shape = c->p.rows.n ? STR("w") : STR("1");
    switch (a->role) {
    case ROLE_QUANTITY:
        if (!a->entry.n)
            g.shape = str_c(a->shape ? a->shape : axis_shape(c, a->axis));
        describe_values(c, a->of, &g);
        if (a->values)
            g.values = str_c(a->values);
        break;
    case ROLE_COUNT:
        WEFT_ASSERT(a->dim < 3);
        g.values = str_c(arena_printf(&c->text, "%c-1:%c+1", letters[a->dim], letters[a->dim]));
        break;
    case ROLE_SEED: g.values = STR("0:1000"); break;
    case ROLE_BINDING:
        g.shape = str_c(strcmp(shapes[a->binding], "E") == 0 || a->binding == BIND_FLAGS
                            ? axis_shape(c, a->axis)
                            : open_letters(c, shapes[a->binding]));
        g.values = str_c(open_letters(c, values[a->binding]));
        break;
    }
    return g;
}

void compose_describe(composer *c, gen_sample *sample)
{
    static const char *const launches[] = {"n", "n,m", "n,m,p"}, *const tiled[] = {"n,256",
                                                                                   "n,m,256",
                                                                                   "n,m,p,256"};
    const bool tiles = c->p.algorithm && c->p.algorithm->traits.tiles;
    sample->kernel = c->kernel;
    const uint8_t dims = c->p.over == LIB_OVER_FLAT     ? 1
                         : c->p.over == LIB_OVER_WORLDS ? 2
                                                        : (uint8_t)(c->p.dims + (c->p.rows.n > 0));
    sample->launch = c->p.one ? STR("1") : str_c((tiles ? tiled : launches)[dims - 1]);
    sample->nargs = 0;
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (!plan_is_listed(&c->p, a))
            continue;
        gen_arg *g = &sample->args[sample->nargs++];
        *g = a->member.n  ? describe_records(c)
             : a->field.n ? describe_struct(c)
                          : compose_argument(c, a);
        g->shape = relabel(c, g->shape);
        g->values = relabel(c, g->values);
    }
}

static uint32_t lines_of(str text)
{
    return str_count(text, '\n');
}

void compose_begin(composer *c, const gen_request *q)
{
    enum { BRACKETS = 94 }; /* percent of people write wp.array[float] */
    arena_reset(&c->text);
    c->r = rng_stream(q->seed, q->index);
    c->category = q->category;
    for (uint32_t i = 0; i < q->attempt; i++)
        c->r.state = rng_next(&c->r);
    c->goes_on = c->numpy = false;
    c->kept = 0;
    c->wish = NULL;
    c->nwished = 0;
    c->whole = c->moving = false;
    c->options = false;
    c->form = (kernel_form){0};
    rng spelling = rng_stream(q->seed, ~q->index);
    c->brackets = rng_chance(&spelling, BRACKETS);
}

bool compose(composer *c, const gen_request *q, gen_sample *sample)
{
    compose_begin(c, q);
    if (!wish_draw(c, q))
        return false;
    form_draw_spelling(c);
    form_draw_rows(c);
    name_all(c);
    form_draw_entries(c);
    constant_draw(c);
    order_draw(c);
    write_program(c);
    write_prompt(c);
    *sample = (gen_sample){.source = sb_view(&c->source),
                           .prompt = sb_view(&c->prompt),
                           .category = q->category,
                           .target = wish_text(c, q),
                           .lines = lines_of(sb_view(&c->source)),
                           .kernel_lines = c->kernel_lines,
                           .level = wish_level(c, c->kernel_lines)};
    compose_describe(c, sample);
    return true;
}
