/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a plan: its values are loaded, then its formula stands at this place, or is called as
 * a function.
 *
 *     spring_force   ->   rest = rest_lengths[k]
 *                         f = spring_force(x, positions[j], rest, stiffness[k])
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* How often a formula's text needs a parameter. */
static uint32_t param_uses(const lib_formula *f, const sym *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbody; i++)
        n += expr_uses(f->body[i], name);
    return n;
}

bool step_assigns(const lib_formula *f, const sym *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbody; i++)
        n += expr_stores(f->body[i], name);
    return n;
}

/* positions[i] */
static str element_text(composer *c, const plan_arg *a, lib_place place)
{
    if (a->axis == AXIS_NONE || a->axis == AXIS_WHOLE)
        return a->name;
    const str index = c->index[place];
    return str_c(arena_printf(&c->text, "%.*s[%.*s]%s%.*s", (int)a->name.n, a->name.p, (int)index.n,
                              index.p, a->member.n ? "." : "", (int)a->member.n, a->member.p));
}

/* "i", or "i * image.shape[1] + j" of a grid: a number of its own for each element. */
static str element_number(composer *c)
{
    const str index = c->index[PLACE_ELEMENT];
    const char *comma = memchr(index.p, ',', index.n);
    if (!comma)
        return index;
    WEFT_ASSERT(c->p.dims == 2);
    uint8_t grid = 0;
    while (c->p.args[grid].role != ROLE_QUANTITY || c->p.args[grid].axis != AXIS_ELEMENT)
        grid++;
    const str name = c->p.args[grid].name;
    const char *second = comma + 2;
    return str_c(arena_printf(&c->text, "%.*s * %.*s.shape[1] + %.*s", (int)(comma - index.p),
                              index.p, (int)name.n, name.p, (int)(index.p + index.n - second),
                              second));
}

/* state = wp.rand_init(seed, i) */
str step_state(composer *c)
{
    if (c->state.n)
        return c->state;
    const str seed = c->p.args[c->p.seed_arg].name, index = element_number(c);
    c->state = name_from(c, "state rng rand_state");
    line_begin(c);
    sb_str(&c->body, c->state);
    SB_LIT(&c->body, " = wp.rand_init(");
    sb_str(&c->body, seed);
    SB_LIT(&c->body, ", ");
    sb_put(&c->body, index.p, index.n);
    SB_LIT(&c->body, ")\n");
    return c->state;
}

void step_put_assign(composer *c, str name, str value)
{
    line_begin(c);
    sb_str(&c->body, name);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, value);
    sb_char(&c->body, '\n');
}

/* x = positions[i] */
static subst load_local(composer *c, const lib_param *param, str text)
{
    const str local = name_local(c, param);
    step_put_assign(c, local, text);
    return (subst){param->name, local, UNPARSE_ATOM};
}

/* Do several steps take the element's value of the argument? */
static bool is_shared(const plan *p, uint8_t at)
{
    uint32_t n = 0;
    for (uint8_t k = 0; k < p->nsteps; k++)
        for (uint32_t i = 0; i < p->steps[k].f->nparams; i++)
            n += p->steps[k].in[i].from == FROM_ARG && p->steps[k].in[i].at == at &&
                 p->steps[k].f->params[i].place == PLACE_ELEMENT;
    return n > 1;
}

/* Values that look alike get locals together, or none of them does. */
typedef enum like { LIKE_OWN, LIKE_OTHER, LIKE_AROUND, LIKES } like;

static like likeness(lib_place place)
{
    return place == PLACE_OTHER || place == PLACE_LINK     ? LIKE_OTHER
           : place >= PLACE_WEST && place <= PLACE_ABOVE   ? LIKE_AROUND
           : place >= PLACE_FIRST && place <= PLACE_FOURTH ? LIKE_AROUND
                                                           : LIKE_OWN;
}

/* Needs the formula's text the parameter more than once, or one like it: of four neighbors that
 * stand in it once each and one that stands twice all have locals. */
static bool is_needed_again(const lib_formula *f, uint32_t i)
{
    bool again = false;
    for (uint32_t k = 0; k < f->nparams; k++) {
        const lib_param *a = &f->params[i], *b = &f->params[k];
        const bool alike = likeness(a->place) == LIKE_AROUND && likeness(b->place) == LIKE_AROUND &&
                           a->of == b->of;
        again |= (k == i || alike) && (param_uses(f, b->name) > 1 || step_assigns(f, b->name));
    }
    return again;
}

/* Draws once for all values of the step that are alike whether they get locals. */
static bool draws_locals(composer *c, const plan_step *s, lib_place place)
{
    enum { OF_FUNCTION = 50, OF_TEXT = 26, LONG = 70, MANY = 5 }; /* percent; parameters */
    enum { NO = 1, YES = 2 };
    uint8_t *drawn = &c->like[s - c->p.steps][likeness(place)];
    if (!*drawn)
        *drawn = chance(c, !s->function           ? OF_TEXT
                           : s->f->nparams > MANY ? LONG
                                                  : OF_FUNCTION)
                     ? YES
                     : NO;
    return *drawn == YES;
}

/* A result, an element, or a local that holds it. */
subst step_ready(composer *c, const plan_step *s, uint32_t i, bool load)
{
    const lib_param *param = &s->f->params[i];
    const plan_input in = s->in[i];
    if (in.from == FROM_STATE)
        return (subst){param->name, step_state(c), UNPARSE_ATOM};
    if (s->repeat && i == s->again) /* each turn assigns it */
        return load_local(c, param,
                          in.from == FROM_STEP ? c->values[in.at]
                                               : element_text(c, &c->p.args[in.at], param->place));
    if (in.from == FROM_STEP && (s->function || !step_assigns(s->f, param->name)))
        return (subst){param->name, c->values[in.at], c->precs[in.at]};
    if (in.from == FROM_STEP) /* the result stays what it is */
        return load_local(c, param, c->values[in.at]);
    const plan_arg *a = &c->p.args[in.at];
    const bool changed = step_assigns(s->f, param->name);
    if (param->place == PLACE_ELEMENT && !changed && c->loaded[in.at].n)
        return (subst){param->name, c->loaded[in.at], UNPARSE_ATOM};
    const str text = element_text(c, a, param->place);
    const bool shared =
        c->indent == c->base && param->place == PLACE_ELEMENT && is_shared(&c->p, in.at);
    load |= shared;
    if (((a->axis == AXIS_NONE || a->axis == AXIS_WHOLE) && !changed) ||
        (a->axis < AXIS_WHOLE && !load && (s->function || !is_needed_again(s->f, i)) &&
         !draws_locals(c, s, param->place)))
        return (subst){param->name, text, UNPARSE_ATOM};
    const subst local = load_local(c, param, text);
    if (param->place == PLACE_ELEMENT && !changed && c->indent == c->base)
        c->loaded[in.at] = local.text;
    return local;
}

/* x: wp.vec3 */
static void put_function_param(composer *c, const lib_param *p)
{
    sb_str(&c->body, sym_str(p->name));
    const bool whole = p->place == PLACE_WHOLE;
    sb_c(&c->body, !whole ? ": " : c->brackets ? ": wp.array[" : ": wp.array(dtype=");
    if (whole) {
        expr_put_type(c, &c->body, p->of->type);
        sb_char(&c->body, c->brackets ? ']' : ')');
    } else
        expr_put_scalar_type(c, &c->body, p->of->type);
    expr_bind(c, p->name, name_take(c, sym_str(p->name)), UNPARSE_ATOM);
}

/* "the contact force: k times ...", "the share of one grain in the contact force: ..." of what the
 * kernel adds up. */
str step_said(composer *c, const lib_formula *f)
{
    const plan *p = &c->p;
    str what = STR("the ");
    const bool terms = p->pattern && p->pattern->sums && p->pattern->into == LIB_INTO_ELEMENT;
    for (uint8_t i = p->main; terms && i < p->main + p->nmains; i++)
        if (p->steps[i].f == f) {
            const str one = f->places & 1u << PLACE_LINK ? p->field->link.one : p->field->other.one;
            what =
                str_c(arena_printf(&c->text, "the share of one %.*s in the ", (int)one.n, one.p));
        }
    return name_joined(c, what, "", f->result->noun);
}

static str function_says(composer *c, const lib_formula *f)
{
    return f->result ? name_joined(c, step_said(c, f), says_colon(f), f->says) : f->says;
}

function_text step_begin_function(composer *c)
{
    const function_text t = {.outer = c->body,
                             .generic_of = c->generic_of,
                             .frame = c->frame,
                             .nsubsts = c->nsubsts,
                             .ntaken = c->ntaken,
                             .taken_from = c->taken_from,
                             .indent = c->indent,
                             .base = c->base,
                             .in_function = c->in_function};
    sb_init(&c->body, c->m);
    c->indent = c->base = 1;
    c->frame = c->nsubsts;
    c->taken_from = c->ntaken;
    c->in_function = true;
    return t;
}

void step_end_function(composer *c, const function_text *t)
{
    sb_str(&c->functions, sb_view(&c->body));
    sb_clear(&c->body);
    c->body = t->outer;
    c->generic_of = t->generic_of;
    c->frame = t->frame;
    c->nsubsts = t->nsubsts;
    c->ntaken = t->ntaken;
    c->taken_from = t->taken_from;
    c->indent = t->indent;
    c->base = t->base;
    c->in_function = t->in_function;
}

/* The formula as a function, once; its names are its own. */
void step_put_function(composer *c, const lib_formula *f)
{
    for (uint32_t i = 0; i < c->nemitted; i++)
        if (c->emitted[i] == f)
            return;
    WEFT_ASSERT(c->nemitted < EMITTED_MAX);
    c->emitted[c->nemitted++] = f;
    const function_text t = step_begin_function(c);
    c->generic_of = generic_of_function(c, f);
    SB_LIT(&c->body, "@wp.func\ndef ");
    sb_str(&c->body, sym_str(f->def->name));
    sb_char(&c->body, '(');
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (i)
            SB_LIT(&c->body, ", ");
        put_function_param(c, &f->params[i]);
    }
    SB_LIT(&c->body, "):\n");
    if (c->docstrings && !says_the_line(f))
        says_docstring(c, function_says(c, f));
    block_write(c, (node *const *)f->body, f->nbody);
    SB_LIT(&c->body, "\n\n");
    step_end_function(c, &t); /* behind the functions that this one calls */
}

/* spring_force(x, positions[j], rest_lengths[k], stiffness[k]) */
static void call_function(composer *c, uint8_t at, const subst *in)
{
    const plan_step *s = &c->p.steps[at];
    strbuf b;
    sb_init(&b, c->m);
    sb_str(&b, sym_str(s->f->def->name));
    sb_char(&b, '(');
    for (uint32_t i = 0; i < s->f->nparams; i++) {
        if (i)
            SB_LIT(&b, ", ");
        sb_str(&b, in[i].text);
    }
    sb_char(&b, ')');
    c->values[at] = expr_keep(c, &b, 0);
    c->precs[at] = UNPARSE_ATOM;
    sb_clear(&b);
}

/* Is it what the pattern adds up for an element? */
static bool is_summand(const plan *p, uint8_t at)
{
    return p->pattern && p->pattern->sums && p->pattern->into == LIB_INTO_ELEMENT &&
           at >= p->main && at < p->main + p->nmains;
}

/* The name of a step's value. */
static str name_value(composer *c, uint8_t at)
{
    return is_summand(&c->p, at) ? name_summand(c) : name_result(c, at);
}

str step_place(composer *c, uint8_t at)
{
    const str name = c->p.args[c->p.steps[at].stored].name, index = c->index[PLACE_ELEMENT];
    return str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)name.n, name.p, (int)index.n, index.p));
}

/* May branches store the result themselves: is it stored as it is, where the step is written, and
 * nothing else done with it? */
static bool stores_directly(const composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    if (!c->form.direct || s->stored < 0 || s->ending.part || s->repeat || s->uses ||
        c->indent != c->base || at < c->p.main)
        return false;
    return c->p.pattern ? at >= c->p.main + c->p.nmains || joint_ends_in_value(c) : at > 0;
}

/* What the branches of a step assign. */
static str branch_target(composer *c, uint8_t at)
{
    c->precs[at] = UNPARSE_ATOM;
    return stores_directly(c, at) ? step_place(c, at) : name_value(c, at);
}

/* The text of a formula's result; what is one of two may go to a local by branches. */
static void write_result_of(composer *c, uint8_t at, const node *result)
{
    if (c->form.branches && expr_is_where(result)) {
        const node_list *args = &AST(Call, result)->args;
        const str test = expr_text(c, args->v[0]);
        c->values[at] = branch_target(c, at);
        choice_write_where(c, c->values[at], test, args);
        return;
    }
    c->values[at] = expr_text(c, result);
    c->precs[at] = expr_prec(c, result);
}

/* The formula's statements at this place; its result is the text behind its last return. */
static void write_inline(composer *c, uint8_t at, const subst *in)
{
    const plan_step *s = &c->p.steps[at];
    const uint32_t frame = c->frame, nsubsts = c->nsubsts;
    c->frame = c->nsubsts;
    c->inlined = s->f;
    for (uint32_t i = 0; i < s->f->nparams; i++)
        expr_bind(c, in[i].from, in[i].text, in[i].prec);
    if (s->choice == CHOICE_SPLIT) {
        c->values[at] = branch_target(c, at);
        choice_write_split(c, s->f, c->values[at]);
    } else if (s->choice == CHOICE_ONE) {
        c->values[at] = choice_one(c, s->f, &c->precs[at]);
    } else {
        const node *result = AST(Return, s->f->body[s->f->nbody - 1])->value;
        c->returned = result;
        block_write(c, (node *const *)s->f->body, s->f->nbody - 1);
        c->returned = NULL;
        write_result_of(c, at, result);
    }
    c->inlined = NULL;
    c->nsubsts = nsubsts;
    c->frame = frame;
}

/* How often its result is needed. */
static uint32_t result_uses(const plan *p, uint8_t at, const sym *value)
{
    const plan_part *ending = &p->steps[at].ending;
    uint32_t n = !ending->part && p->steps[at].stored >= 0;
    for (uint32_t i = 0; ending->part && i < ending->part->nbody; i++)
        n += expr_uses(ending->part->body[i], value);
    for (uint8_t k = 0; k < p->nsteps; k++)
        for (uint32_t i = 0; i < p->steps[k].f->nparams; i++)
            if (p->steps[k].in[i].from == FROM_STEP && p->steps[k].in[i].at == at)
                n += p->steps[k].function
                         ? 1
                         : param_uses(p->steps[k].f, p->steps[k].f->params[i].name);
    return n;
}

bool step_is_plain(str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_is_letter(text.p[i]) && !ascii_is_digit(text.p[i]) && text.p[i] != '_' &&
            text.p[i] != '.')
            return false;
    return true;
}

/* The step's value in a local of its own: f = spring_force(...). */
void step_name(composer *c, uint8_t at)
{
    const str name = name_value(c, at);
    step_put_assign(c, name, c->values[at]);
    c->values[at] = name;
    c->precs[at] = UNPARSE_ATOM;
}

/* v = velocities[i]
 * for step in range(4):
 *     v = v + a * dt */
static void write_repeated(composer *c, uint8_t at, const subst *in)
{
    const plan_step *s = &c->p.steps[at];
    const str local = in[s->again].text;
    line_begin(c);
    SB_LIT(&c->body, "for ");
    const str counter = name_from(c, "step substep _ s");
    sb_str(&c->body, counter);
    SB_LIT(&c->body, " in ");
    sb_str(&c->body, form_range(c, counter, s->repeat,
                                str_c(arena_printf(&c->text, "range(%u)", s->repeat))));
    SB_LIT(&c->body, ":\n");
    c->indent++;
    if (s->function)
        call_function(c, at, in);
    else
        write_inline(c, at, in);
    if (!str_eq(local, c->values[at]))
        step_put_assign(c, local, c->values[at]);
    c->indent--;
    c->values[at] = local;
    c->precs[at] = UNPARSE_ATOM;
}

void step_write(composer *c, uint8_t at)
{
    enum { PLAIN = 40, PLAIN_SUMMANDS = 45 }; /* percent of values that could do without a local */
    if (joint_is_first(&c->p, at))
        joint_write(c);
    if (joint_is_first(&c->p, at) || joint_is_second(&c->p, at))
        return;
    const plan_step *s = &c->p.steps[at];
    const bool is_main = at >= c->p.main && at < c->p.main + c->p.nmains && c->p.pattern;
    subst in[LIB_PARAMS];
    for (uint32_t i = 0; i < s->f->nparams; i++)
        in[i] = is_main && c->ready[at - c->p.main][i].from ? c->ready[at - c->p.main][i]
                                                            : step_ready(c, s, i, false);
    /* A comment stands above statements: of the formula, or of the local that gets its value. */
    const bool comment = c->comments && !s->function, early = comment && s->f->nbody > 1;
    if (early)
        says_comment(c, s, in);
    if (s->function)
        step_put_function(c, s->f);
    if (s->repeat)
        write_repeated(c, at, in);
    else if (s->function)
        call_function(c, at, in);
    else
        write_inline(c, at, in);
    /* Before loops, and where the value stands in a call of an atomic. */
    const bool named = at < c->p.main || (is_main && c->p.pattern->into != LIB_INTO_ELEMENT);
    if (step_is_plain(c->values[at]) ||
        (stores_directly(c, at) && str_eq(c->values[at], step_place(c, at))))
        return;
    const bool plain = is_main ? !s->function || !is_summand(&c->p, at) || chance(c, PLAIN_SUMMANDS)
                               : chance(c, PLAIN);
    if (!named && result_uses(&c->p, at, c->l->words.value) < 2 && plain)
        return;
    if (comment && !early)
        says_comment(c, s, in);
    step_name(c, at);
}
