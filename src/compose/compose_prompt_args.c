/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a kernel in words, for compose_prompt.c.
 *
 *     - `masses: wp.array(dtype=float)`: the mass of each particle, in kg
 *     - `offsets: wp.array(dtype=int)`: where the springs of each particle begin, ...
 */
#include "base/ascii.h"
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
    const char *noun = truth && !a->noun ? "whether each {element} takes part"
                       : a->noun         ? a->noun
                                         : nouns[a->binding];
    const size_t from = c->prompt.n;
    prompt_put_says(c, str_c(noun));
    if (a->binding == BIND_FLAGS && c->p.field->pairs && c->p.dims == 2) {
        c->prompt.n = from;
        sb_printf(&c->prompt,
                  truth ? "whether the pair of each %.*s and each %.*s takes part"
                        : "1 for each %.*s and %.*s that take part, else 0",
                  (int)c->p.field->element.one.n, c->p.field->element.one.p,
                  (int)c->p.field->other.one.n, c->p.field->other.one.p);
    }
    if (a->binding == BIND_FLAGS && c->p.rows.n)
        sb_printf(&c->prompt, ", in each %.*s", (int)c->p.rows.n, c->p.rows.p);
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

/* The letter of a size, unless the algorithm's sentence means an index by it: "K" then. n and m are
 * those of the launch, and "a" is a word. */
static char size_letter(const plan *p, char letter)
{
    const bool taken = p->algorithm && ascii_is_letter(letter) && !strchr("amn", letter) &&
                       name_stands_in(p->algorithm->says, (str){&letter, 1});
    return taken ? ascii_upper(letter) : letter;
}

/* The size that all shapes have at least that name the letter: 2 where "r+2,c+2" is all that is
 * said of r and c. Such a shape is "(r, c)", with sizes from 2 on. 0: there is none. */
static uint32_t least_size(const plan *p, char letter)
{
    uint32_t least = 0;
    if (letter == 'n' || (letter == 'm' && p->dims > 1) || (letter == 'l' && p->dims > 2) ||
        (p->algorithm && name_stands_in(p->algorithm->says, (str){&letter, 1})))
        return 0;
    for (uint8_t i = 0; i < p->nargs; i++)
        for (const char *s = p->args[i].shape ? p->args[i].shape : ""; *s; s++) {
            if (*s != letter)
                continue;
            const bool plain = s == p->args[i].shape || s[-1] == ',';
            const bool more = s[1] == '+' && ascii_is_digit(s[2]) && (!s[3] || s[3] == ',');
            const uint32_t by = more ? (uint32_t)(s[2] - '0') : 0;
            if (!plain || !by || (least && least != by))
                return 0;
            least = by;
        }
    return least;
}

/* "(2 n, m + 1)" of "2*n,m+1" */
static void put_shape(composer *c, const char *shape)
{
    strbuf *b = &c->prompt;
    sb_char(b, '(');
    for (const char *p = shape; *p; p++)
        switch (*p) {
        case ',': SB_LIT(b, ", "); break;
        case '*': SB_LIT(b, " "); break;
        case '+': SB_LIT(b, " + "); break;
        default:
            sb_char(b, size_letter(&c->p, *p));
            if (ascii_is_letter(*p) && !memchr(c->letters_of_shapes, *p, c->nletters) &&
                c->nletters < LETTERS_MAX)
                c->letters_of_shapes[c->nletters++] = *p;
            if (ascii_is_letter(*p) && least_size(&c->p, *p))
                p += 2; /* "+2" */
        }
    sb_char(b, ')');
}

/* Is it the length of this array alone, which it says itself? */
static bool is_own_length(const plan *p, const plan_arg *a)
{
    const char letter = a->shape[0];
    const bool alone = ascii_is_letter(letter) && (!a->shape[1] || strcmp(a->shape + 1, "+1") == 0);
    bool own = alone && letter != 'n';
    for (uint8_t i = 0; i < p->nargs; i++)
        own &= &p->args[i] == a || !p->args[i].shape || !strchr(p->args[i].shape, letter);
    return own;
}

/* " In the shapes, r and c stand for any sizes.": of the letters that the launch does not
 * explain. */
void prompt_put_letters(composer *c, const char *explained)
{
    char rest[LETTERS_MAX];
    uint32_t least[LETTERS_MAX], n = 0;
    bool alike = true;
    for (uint32_t i = 0; i < c->nletters; i++)
        if (!strchr(explained, c->letters_of_shapes[i])) {
            least[n] = least_size(&c->p, c->letters_of_shapes[i]);
            alike &= least[n] == least[0];
            rest[n++] = size_letter(&c->p, c->letters_of_shapes[i]);
        }
    if (!n)
        return;
    SB_LIT(&c->prompt, " In the shapes, ");
    for (uint32_t i = 0; i < n; i++) {
        sb_c(&c->prompt, !i ? "" : i + 1 < n ? ", " : " and ");
        sb_char(&c->prompt, rest[i]);
    }
    sb_c(&c->prompt, n > 1 ? " stand for any sizes" : " stands for any size");
    if (alike && least[0])
        sb_printf(&c->prompt, " from %u on", least[0]);
    for (uint32_t i = 0; i < n && !alike; i++)
        if (least[i])
            sb_printf(&c->prompt, ", %c from %u on", rest[i], least[i]);
    sb_char(&c->prompt, '.');
}

/* Has an array of an algorithm, which states its shape, one value for each thread? */
bool prompt_is_of_each(const plan *p, const plan_arg *a)
{
    if (!a->shape || !p->algorithm || p->algorithm->traits.tiles || p->dims != 1 ||
        noun_is_plural(a->of->noun) || noun_is_whole(a->of->noun) || a->noun)
        return false;
    const lib_over over = p->algorithm->over; /* a list of elements names those */
    return over != LIB_OVER_ACTIVE && strcmp(a->shape, over == LIB_OVER_LINKS ? "e" : "n") == 0;
}

/* The axis of an argument, also of an array that states the shape of one. */
static plan_axis real_axis(const plan *p, const plan_arg *a)
{
    if (!prompt_is_of_each(p, a))
        return a->axis;
    return p->algorithm->over == LIB_OVER_LINKS ? AXIS_LINK : AXIS_ELEMENT;
}

/* Is the quantity an input of the same things, too? */
static bool is_renewed(const plan *p, const plan_arg *a)
{
    bool renewed = false;
    for (uint8_t i = 0; i < p->nargs && a->written && !a->adjective; i++) {
        const plan_arg *b = &p->args[i];
        renewed |= b->role == ROLE_QUANTITY && b->of == a->of &&
                   (p->by_value || real_axis(p, b) == real_axis(p, a)) && !b->written &&
                   !b->adjective;
    }
    return renewed && !str_starts(a->of->noun, "new ");
}

/* The unit; the length of a result, for one, has that of the result. */
static str real_unit(const plan *p, const plan_arg *a)
{
    if (!str_eq(a->of->unit, STR("same as the result")))
        return a->of->unit;
    for (uint8_t i = 0; i < p->nsteps; i++)
        for (uint32_t k = 0; p->steps[i].ending.part && k < p->steps[i].ending.part->nparams; k++)
            if (&p->args[p->steps[i].ending.args[k]] == a)
                return p->steps[i].f->result->unit;
    return STR("");
}

/* "the electric charges": no charge of each charge. */
static bool is_last_word(str noun, str of)
{
    return !str_contains(noun, STR(" of ")) && noun.n > of.n && noun.p[noun.n - of.n - 1] == ' ' &&
           memcmp(noun.p + noun.n - of.n, of.p, of.n) == 0;
}

/* ", one for each particle", ", of shape (n, 4)" */
static void put_size(composer *c, const char *shape)
{
    const lib_thing *element = &c->p.field->element;
    if (c->p.pattern && strcmp(shape, "n") == 0) {
        sb_printf(&c->prompt, ", one for each %.*s", (int)element->one.n, element->one.p);
        return;
    }
    SB_LIT(&c->prompt, ", of shape ");
    put_shape(c, shape);
    if (c->p.pattern && strchr(shape, 'n'))
        sb_printf(&c->prompt, " for n %.*s", (int)element->many.n, element->many.p);
}

/* " (-1: none)" of "body index (-1: none)"; empty: the noun ends in no bracket. */
static str bracket_of(str noun)
{
    const char *at = noun.n && noun.p[noun.n - 1] == ')' ? str_find(noun, STR(" (")) : NULL;
    return at ? (str){at, (size_t)(noun.p + noun.n - at)} : STR("");
}

void prompt_put_quantity(composer *c, const plan_arg *arg)
{
    const lib_field *f = c->p.field;
    strbuf *b = &c->prompt;
    plan_arg stated = *arg;
    const plan_arg *a = &stated;
    if (prompt_is_of_each(&c->p, arg)) {
        stated.shape = NULL;
        stated.axis = real_axis(&c->p, arg);
    }
    const bool plain = !a->adjective || a->noun;
    const bool pairs = f->pairs && c->p.dims == 2 && !noun_is_plural(a->of->noun);
    const str pair = str_c(arena_printf(&c->text, "%.*s and %.*s", (int)f->element.one.n,
                                        f->element.one.p, (int)f->other.one.n, f->other.one.p));
    const str of[] = {[AXIS_ELEMENT] = pairs ? pair : f->element.one,
                      [AXIS_OTHER] = f->other.one,
                      [AXIS_LINK] = f->link.one,
                      [AXIS_GROUP] = f->group.one,
                      [AXIS_WHOLE] = STR(""),
                      [AXIS_FACE] = STR("face of the mesh"),
                      [AXIS_NONE] = STR("")};
    if (a->written)
        SB_LIT(b, "output: ");
    if (plain && !a->shape && a->axis == AXIS_ELEMENT && str_eq(a->of->noun, f->element.one)) {
        sb_c(b, is_renewed(&c->p, arg) ? "the new " : "the ");
        sb_str(b, a->member.n ? f->element.one : f->element.many);
        return;
    }
    const bool one = a->shape && strcmp(a->shape, "1") == 0;
    const bool itself =
        !a->shape && !a->member.n && of[a->axis].n && is_last_word(a->of->noun, of[a->axis]);
    const bool all = plain && a->written && one;
    const bool sum = (all && into_one(c, arg)) || a->axis == AXIS_GROUP;
    sb_c(b, sum && !str_starts(a->of->noun, "total ") ? "the total "
            : is_renewed(&c->p, arg)                  ? "the new "
                                                      : "the ");
    for (const char *p = plain ? "" : a->adjective->s; *p; p++)
        sb_char(b, *p == '_' ? ' ' : *p);
    sb_c(b, plain ? "" : " ");
    const bool all_said = noun_is_plural(a->of->noun) && str_contains(a->of->noun, STR(" of the "));
    const bool each = !a->shape && of[a->axis].n && !all_said && !itself;
    const bool group = a->shape && strcmp(a->shape, "g") == 0;
    const bool many = itself || (a->shape && *a->shape && !one && !group && !a->noun);
    const str own = a->noun ? str_c(a->noun) : a->of->noun;
    /* "the body index of each contact (-1: none)" */
    const str tail = each ? bracket_of(own) : STR("");
    const str noun = each   ? noun_short(c, (str){own.p, own.n - tail.n}, of[a->axis])
                     : many ? noun_plural(&c->text, own, true)
                            : own;
    sb_str(b, noun);
    if (sum && all) {
        SB_LIT(b, " of all ");
        sb_str(b, f->element.many);
    } else if (group && !str_contains(noun, STR(" of each "))) {
        SB_LIT(b, " of each ");
        sb_str(b, f->group.one);
    } else if (a->shape && *a->shape && !prompt_is_capacity(a->shape) && !is_own_length(&c->p, a)) {
        put_size(c, a->shape);
    } else if (each && !a->member.n) { /* a struct belongs to one of them */
        sb_c(b, noun_of_each(noun, of[a->axis]));
        sb_str(b, of[a->axis]);
    }
    sb_str(b, tail);
    const bool rows =
        c->p.rows.n && (a->entry.n || a->axis == AXIS_ELEMENT || a->axis == AXIS_OTHER);
    if (rows && !a->shape)
        sb_printf(b, "%s%.*s", each ? " in each " : noun_of_each(noun, c->p.rows), (int)c->p.rows.n,
                  c->p.rows.p);
    else if (a->entry.n)
        SB_LIT(b, ", in an array with one entry");
    if (a->of->unit_length && !a->written && !str_starts(a->of->noun, "unit "))
        SB_LIT(b, ", of length 1");
    const str unit = real_unit(&c->p, arg);
    if (unit.n && !str_eq(unit, STR("1"))) {
        SB_LIT(b, ", in ");
        sb_str(b, unit);
    }
}

static void put_count_noun(composer *c, const plan_arg *a)
{
    static const char *const axes[] = {"first", "second", "third"};
    static const char *const plane[] = {"rows", "columns"};
    SB_LIT(&c->prompt, "the number of ");
    if (c->p.dims == 2)
        sb_c(&c->prompt, plane[a->dim]);
    else
        sb_str(&c->prompt, c->p.field->element.many);
    if (c->p.dims == 3)
        sb_printf(&c->prompt, " along the %s axis", axes[a->dim]);
    SB_LIT(&c->prompt, " to work on");
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
        prompt_put_quantity(c, a);
        sb_char(b, '\n');
    }
}

void prompt_put_arguments(composer *c)
{
    strbuf *b = &c->prompt;
    c->nletters = 0;
    SB_LIT(b, "\n\nArguments, in this order:\n");
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (a->constant.n)
            continue;
        if (a->field.n || a->member.n) {
            put_fields(c, a);
            continue;
        }
        SB_LIT(b, "- `");
        write_parameter(c, b, a);
        SB_LIT(b, "`: ");
        switch (a->role) {
        case ROLE_QUANTITY: prompt_put_quantity(c, a); break;
        case ROLE_COUNT:
            put_count_noun(c, a);
            if (c->p.rows.n)
                sb_printf(b, " in each %.*s", (int)c->p.rows.n, c->p.rows.p);
            else if (a->entry.n)
                SB_LIT(b, ", in an array with one entry");
            break;
        case ROLE_SEED: SB_LIT(b, "the seed of the random numbers"); break;
        case ROLE_BINDING: put_bound_noun(c, a); break;
        }
        sb_char(b, '\n');
    }
}
