/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around a kernel's statements: its parameters, its structs, its decorator, and a
 * docstring of what it stores.
 *
 *     @wp.kernel
 *     def compute_energy(masses: wp.array[float], ...):
 *         """Compute the energy of each particle."""
 */
#include "base/ascii.h"
#include "compose/compose_internal.h"

/* "wp.array(dtype=", "wp.array2d[": what a ')' or ']' ends. */
static void put_array(const composer *c, strbuf *b, uint32_t rank)
{
    SB_LIT(b, "wp.array");
    if (rank > 1) {
        sb_uint(b, rank);
        sb_char(b, 'd');
    }
    sb_c(b, c->brackets ? "[" : "(dtype=");
}

static void put_element_type(composer *c, strbuf *b, lib_type t, bool array)
{
    if (array)
        expr_put_type(c, b, t);
    else
        expr_put_scalar_type(c, b, t);
}

void write_parameter(composer *c, strbuf *b, const plan_arg *a)
{
    const uint32_t rank = a->shape                  ? str_count(str_c(a->shape), ',') + 1
                          : a->axis == AXIS_ELEMENT ? c->p.dims + 1u * (c->p.rows.n > 0)
                          : a->axis == AXIS_OTHER   ? 1u + (c->p.rows.n > 0)
                                                    : 1;
    static const char *const types[] = {
#define BINDING(ID, name, type, shape, values, names, noun) type,
#include "compose/library_binding.def"
#undef BINDING
    };
    const char *type = a->role == ROLE_BINDING ? types[a->binding] : "";
    const bool member = a->member.n > 0;
    const bool entry = a->entry.n > 0;
    sb_str(b, a->field.n ? a->field : member ? a->member : entry ? a->entry : a->name);
    SB_LIT(b, ": ");
    if (a->role == ROLE_COUNT || a->role == ROLE_SEED || strcmp(type, "int") == 0) {
        if (entry)
            put_array(c, b, 1);
        put_element_type(c, b, LIB_INT, entry);
        if (entry)
            sb_char(b, c->brackets ? ']' : ')');
    } else if (strcmp(type, "id") == 0) {
        SB_LIT(b, "wp.uint64");
    } else if (a->role == ROLE_QUANTITY) {
        const bool array = (a->axis != AXIS_NONE && !member) || entry;
        if (array)
            put_array(c, b, entry ? 1 : rank);
        put_element_type(c, b, a->of->type, array);
        if (array)
            sb_char(b, c->brackets ? ']' : ')');
    } else {
        const bool flags = strcmp(type, "flags") == 0;
        put_array(c, b, strcmp(type, "table") == 0 ? 2 : flags ? rank : 1);
        if (flags && c->form.bool_flags)
            sb_c(b, c->form.warp_bools ? "wp.bool" : "bool");
        else
            expr_put_type(c, b, LIB_INT);
        sb_char(b, c->brackets ? ']' : ')');
    }
}

/* "particles: wp.array(dtype=Particle)" */
void write_struct_parameter(composer *c, strbuf *b, const plan_arg *first)
{
    const plan *p = &c->p;
    sb_str(b, first->member.n ? p->records : p->params);
    SB_LIT(b, ": ");
    if (first->member.n)
        put_array(c, b, p->dims);
    sb_str(b, first->member.n ? p->record_type : p->params_type);
    if (first->member.n)
        sb_char(b, c->brackets ? ']' : ')');
}

/* The class of the scalars, or of the elements. */
static void put_struct(composer *c, bool records)
{
    strbuf *b = &c->source;
    if (!(records ? c->p.records : c->p.params).n)
        return;
    SB_LIT(b, "@wp.struct\nclass ");
    sb_str(b, records ? c->p.record_type : c->p.params_type);
    SB_LIT(b, ":\n");
    for (uint8_t i = 0; i < c->p.nargs; i++)
        if ((records ? c->p.args[i].member : c->p.args[i].field).n) {
            SB_LIT(b, "    ");
            write_parameter(c, b, &c->p.args[i]);
            sb_char(b, '\n');
        }
    SB_LIT(b, "\n\n");
}

/* Goes a gradient through the kernel: does it take numbers with a fraction, and store some? */
static bool is_smooth(const plan *p)
{
    bool in = false, out = false;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role == ROLE_QUANTITY && !library_is_whole(a->of->type))
            *(a->written ? &out : &in) = true;
    }
    return in && out;
}

/* Draws it random numbers, or asks it a mesh or another object? Few gradients go through these. */
static bool is_seldom_followed(const plan *p)
{
    bool is = p->random;
    for (uint8_t i = 0; i < p->nargs; i++)
        is |= p->args[i].role == ROLE_BINDING &&
              (p->args[i].binding == BIND_MESH || p->args[i].binding == BIND_BVH ||
               p->args[i].binding == BIND_GRID);
    return is;
}

/* Of the decorator, where the sample is to have some. Scripts follow gradients by a tape. */
static const char *options_of(const composer *c)
{
    static const char *const options[] = {"(module=\"unique\")", "(grid_stride=False)",
                                          "(module=\"unique\", grid_stride=False)"};
    static const char *const without[] = {"(enable_backward=False)",
                                          "(enable_backward=False)",
                                          "(enable_backward=False)",
                                          "(enable_backward=False)",
                                          "(module=\"unique\", enable_backward=False)",
                                          "(enable_backward=False, module=\"unique\")"};
    const bool forward = is_smooth(&c->p) ? c->form.forward_seldom && is_seldom_followed(&c->p)
                                          : c->form.forward_only;
    if (!c->options)
        return "";
    return forward && !c->numpy ? without[c->form.without] : options[c->form.option];
}

void write_head(composer *c)
{
    strbuf *b = &c->source;
    if (c->p.generic)
        SB_LIT(b, "from typing import Any\n\n");
    if (!c->goes_on)
        sb_c(b, c->numpy ? "import numpy as np\n\nimport warp as wp\n" : "import warp as wp\n");
    const kernel_form *f = &c->form;
    if (f->constant.n)
        sb_printf(b, f->statics ? "\n%.*s = %d\n" : "\n%.*s = wp.constant(%d)\n",
                  (int)f->constant.n, f->constant.p, (int)f->turns);
    constant_put_all(c, b);
    SB_LIT(b, "\n\n");
    put_struct(c, true);
    put_struct(c, false);
    sb_str(b, sb_view(&c->functions));
    SB_LIT(b, "@wp.kernel");
    sb_c(b, options_of(c));
    SB_LIT(b, "\ndef ");
    sb_str(b, c->kernel);
    sb_char(b, '(');
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (!plan_is_listed(&c->p, a))
            continue;
        SB_LIT(b, "\n    ");
        if (a->field.n || a->member.n)
            write_struct_parameter(c, b, a);
        else
            write_parameter(c, b, a);
        sb_char(b, ',');
    }
    SB_LIT(b, "\n):\n");
}

/* "the velocity, the peak force and the momentum": what steps from `from` on to `to` store. */
static str results_said(composer *c, uint8_t from, uint8_t to)
{
    const plan_step *stored[PLAN_STEPS];
    uint32_t n = 0;
    for (uint8_t i = from; i < to; i++)
        if (c->p.steps[i].stored >= 0)
            stored[n++] = &c->p.steps[i];
    str said = STR("");
    for (uint32_t i = 0; i < n; i++) {
        const lib_quantity *q = stored[i]->f->result;
        const bool renewed = !stored[i]->ending.part && name_renews(&c->p, q);
        const str noun = noun_short(c, noun_given(c, stored[i]), c->p.field->element.one);
        said = str_c(arena_printf(&c->text, "%.*s%sthe %s%.*s", (int)said.n, said.p,
                                  !i           ? ""
                                  : i + 1 == n ? " and "
                                               : ", ",
                                  renewed ? "new " : "", (int)noun.n, noun.p));
    }
    return said;
}

/* ", and add it to counts by an atomic": what the ending of the one result does with it. */
static str ending_said(composer *c, uint8_t from)
{
    const plan_step *s = NULL;
    for (uint8_t i = from; i < c->p.nsteps; i++)
        if (c->p.steps[i].stored >= 0) {
            if (s)
                return STR("");
            s = &c->p.steps[i];
        }
    if (!s || !s->ending.part)
        return STR("");
    const str ending = prompt_ending(c, s, false);
    return name_joined(c, str_contains(ending, STR(", and ")) ? STR(",") : STR(", and"), " ",
                       ending);
}

/* What is done with a result as a sentence of its own. Docstrings of algorithms tell what the
 * kernel does: "Stores the mass in masses, and adds it to total atomically". */
static str ending_sentence(composer *c, const plan_step *s)
{
    static const char *const verbs[] = {"store", "add",   "clamp",    "multiply", "draw",
                                        "lower", "raise", "subtract", "set"};
    const str said = prompt_ending(c, s, true);
    strbuf b;
    sb_init(&b, c->m);
    for (size_t at = 0; at < said.n;) {
        const char *end = memchr(said.p + at, ' ', said.n - at);
        const str word = {said.p + at, end ? (size_t)(end - said.p) - at : said.n - at};
        const bool first = !at || (at > 4 && memcmp(said.p + at - 4, "and ", 4) == 0);
        const bool verb = c->p.algorithm && first && STR_IS_IN(word, verbs);
        const bool y = verb && word.p[word.n - 1] == 'y';
        sb_put(&b, word.p, word.n - y);
        sb_c(&b, y ? "ies" : verb ? "s" : "");
        sb_c(&b, end ? " " : "");
        at += word.n + 1;
    }
    b.p[0] = ascii_upper(b.p[0]);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* ". Store the energy in energies, and add it to total_energy atomically": of several results those
 * with which more is done than to store them. */
static str endings_said(composer *c)
{
    str said = STR("");
    const plan *p = &c->p;
    for (uint8_t i = p->algorithm ? 1 : 0; i < p->nsteps; i++) {
        const plan_step *s = &p->steps[i];
        uint32_t outputs = 0;
        for (uint32_t k = 0; s->ending.part && k < s->ending.part->nparams; k++)
            outputs += s->ending.part->params[k].place == PLACE_OUT;
        if (outputs < 2 && (!s->ending.part || s->ending.part->result >= 0))
            continue;
        said = name_joined(c, said, ". ", ending_sentence(c, s));
    }
    return said;
}

/* The list that says which elements the threads work on; empty: all do. */
static str list_of(const plan *p)
{
    for (uint8_t i = 0; p->over == LIB_OVER_ACTIVE && i < p->nargs; i++)
        if (p->args[i].role == ROLE_BINDING && p->args[i].binding == BIND_ACTIVE)
            return p->args[i].name;
    return STR("");
}

/* " in active", " that takes part", or both: "each particle" would be too many. */
static str whom_said(composer *c)
{
    const plan *p = &c->p;
    const str list = list_of(p);
    const str in = list.n ? name_joined(c, STR(" in"), " ", list) : STR("");
    if (!p->nfilters && p->guard != GUARD_FLAGS)
        return in;
    return name_joined(c, in, "", STR(" that takes part"));
}

/* The last step whose result is stored. */
static const plan_step *last_stored(const plan *p)
{
    uint8_t at = (uint8_t)(p->nsteps - 1);
    while (at && p->steps[at].stored < 0)
        at--;
    return &p->steps[at];
}

/* "the force of each particle"; what is the element itself is said of all: "the new words" */
static str said_of(composer *c, str what, str whose)
{
    const char *of = c->p.one ? " of one " : noun_of_each(what, whose);
    const size_t before = what.n > whose.n ? what.n - whose.n : 0;
    if (before && memcmp(what.p + before, whose.p, whose.n) == 0 &&
        (before == 4 || (before == 8 && str_starts(what, "the new "))))
        return name_joined(c, (str){what.p, before}, "", c->p.field->element.many);
    return str_c(
        arena_printf(&c->text, "%.*s%s%.*s", (int)what.n, what.p, of, (int)whose.n, whose.p));
}

/* The part of a long sentence before its details: up to a colon or a semicolon. */
static str in_short(str says)
{
    enum { LONG = 170, SHORT = 18 }; /* bytes */
    int open = 0;
    for (size_t i = 0; says.n > LONG && i + 1 < says.n; i++) {
        open += says.p[i] == '(' ? 1 : says.p[i] == ')' ? -1 : 0;
        const bool ends = strchr(":;.", says.p[i]) && says.p[i + 1] == ' ';
        if (i > SHORT && !open && ends)
            return (str){says.p, i};
    }
    return says;
}

/* ". Nothing is done for particles whose active is false": which elements do not take part, as the
 * prompt has it. */
static str left_out_said(composer *c)
{
    const plan *p = &c->p;
    str said = STR("");
    if (p->guard == GUARD_FLAGS && p->dims > 1) /* flags of tokens and channels */
        said = str_c(arena_printf(&c->text, ". Nothing is done where %.*s is %s",
                                  (int)p->args[p->guard_arg].name.n, p->args[p->guard_arg].name.p,
                                  c->form.bool_flags ? "false" : "0"));
    else if (p->guard == GUARD_FLAGS)
        said = str_c(arena_printf(&c->text, ". Nothing is done for %.*s whose entry of %.*s is %s",
                                  (int)p->field->element.many.n, p->field->element.many.p,
                                  (int)p->args[p->guard_arg].name.n, p->args[p->guard_arg].name.p,
                                  c->form.bool_flags ? "false" : "0"));
    for (uint8_t i = 0; i < p->nfilters; i++) {
        const str filter = prompt_filter(c, &p->filters[i]);
        char *capital = arena_dup(&c->text, filter.p, filter.n);
        *capital = ascii_upper(*capital);
        said = name_joined(c, said, ". ", (str){capital, filter.n});
    }
    return said;
}

static void write_docstring_of_algorithm(composer *c)
{
    const plan *p = &c->p;
    const bool result = p->algorithm->result != NULL;
    str says = in_short(p->algorithm->says);
    const char *opening = prompt_opening(says);
    if (strcmp(opening, " that computes ") == 0)
        says = name_joined(c, STR("computes"), " ", says);
    if (strcmp(opening, " that stores ") == 0) /* "1 for each row that ..., else 0" */
        says = name_joined(c, STR("stores"), " ", says);
    if (result && p->steps[0].ending.part)
        says = name_joined(c, says, ". ", ending_sentence(c, &p->steps[0]));
    const str more = results_said(c, result, p->nsteps);
    if (more.n)
        says = name_joined(c, says, ". Then computes ", said_of(c, more, p->field->element.one));
    says = name_joined(c, says, "", endings_said(c));
    const str list = list_of(p), many = p->field->element.many;
    if (list.n)
        says = str_c(arena_printf(&c->text, "%.*s. Nothing is done for %.*s that are not in %.*s",
                                  (int)says.n, says.p, (int)many.n, many.p, (int)list.n, list.p));
    says_docstring(c, name_joined(c, says, "", left_out_said(c)));
}

/* What the kernel is for, in a sentence. */
static void put_docstring(composer *c)
{
    const plan *p = &c->p;
    const lib_field *f = p->field;
    if (p->algorithm) {
        write_docstring_of_algorithm(c);
        return;
    }
    const uint8_t end = (uint8_t)(p->main + p->nmains);
    const lib_into into = p->pattern->into;
    const bool ends = into == LIB_INTO_ENDS || into == LIB_INTO_FIRST,
               sum = into == LIB_INTO_ONE || into == LIB_INTO_GROUP;
    const str whose = ends ? f->link.one : into == LIB_INTO_CORNERS ? f->other.one : f->element.one;
    const bool own = into == LIB_INTO_ELEMENT;
    str what = results_said(c, own ? 0 : p->main, own ? p->nsteps : end);
    const str ending = own ? ending_said(c, 0) : STR("");
    if (ending.n) /* it is said of the result itself */
        what =
            name_joined(c, STR("the"), " ", noun_short(c, last_stored(p)->f->result->noun, whose));
    str says = name_joined(c, sum ? STR("add") : STR("compute"), " ", said_of(c, what, whose));
    if (into != LIB_INTO_CORNERS)
        says = name_joined(c, says, "", whom_said(c));
    if (ends) /* "and add it to its first particle and, with the opposite sign, to its second" */
        says = str_c(arena_printf(
            &c->text, "%.*s, and add it to its first %.*s%s", (int)says.n, says.p,
            (int)f->element.one.n, f->element.one.p,
            p->pattern->opposite ? " and, with the opposite sign, to its second" : ""));
    if (sum) /* "to the total of its cluster" */
        says = name_joined(c, says,
                           into == LIB_INTO_ONE ? " to the total of all " : " to the total of its ",
                           into == LIB_INTO_ONE ? f->element.many : f->group.one);
    const str more = own ? STR("") : results_said(c, end, p->nsteps);
    if (more.n)
        says = name_joined(c, says, sum ? ", and compute " : ", and ",
                           said_of(c, more, f->element.one));
    says_docstring(c, name_joined(c, says, "", ending.n ? ending : endings_said(c)));
}

void write_docstring(composer *c, uint32_t nsubsts)
{
    const str body = expr_keep(c, &c->body, 0);
    c->body.n = 0;
    c->nsubsts = nsubsts;
    c->indent = c->base = 1;
    c->gap = false;
    put_docstring(c);
    sb_str(&c->body, body);
}
