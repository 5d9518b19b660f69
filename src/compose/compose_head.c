/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around a kernel's statements: its parameters, its structs, its decorator, and a
 * docstring of what it stores.
 *
 *     @wp.kernel
 *     def compute_energy(masses: wp.array[float], ...):
 *         """Compute the energy of each particle."""
 */
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
        expr_put_type(c, b, LIB_INT);
        if (entry)
            sb_char(b, c->brackets ? ']' : ')');
    } else if (strcmp(type, "id") == 0) {
        SB_LIT(b, "wp.uint64");
    } else if (a->role == ROLE_QUANTITY) {
        const bool array = (a->axis != AXIS_NONE && !member) || entry;
        if (array)
            put_array(c, b, entry ? 1 : rank);
        expr_put_type(c, b, a->of->type);
        if (array)
            sb_char(b, c->brackets ? ']' : ')');
    } else {
        const bool flags = strcmp(type, "flags") == 0;
        put_array(c, b, strcmp(type, "table") == 0 ? 2 : flags ? rank : 1);
        if (flags && c->form.bool_flags)
            sb_c(b, c->form.full_types ? "wp.bool" : "bool");
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

void write_head(composer *c)
{
    strbuf *b = &c->source;
    if (!c->goes_on)
        sb_c(b, c->numpy ? "import numpy as np\n\nimport warp as wp\n" : "import warp as wp\n");
    const kernel_form *f = &c->form;
    if (f->constant.n)
        sb_printf(b, f->statics ? "\n%.*s = %d\n" : "\n%.*s = wp.constant(%d)\n",
                  (int)f->constant.n, f->constant.p, (int)f->turns);
    SB_LIT(b, "\n\n");
    put_struct(c, true);
    put_struct(c, false);
    sb_str(b, sb_view(&c->functions));
    static const char *const options[] = {"module=\"unique\"", "module=\"unique\"",
                                          "module=\"unique\"", "grid_stride=False",
                                          "module=\"unique\", grid_stride=False"};
    SB_LIT(b, "@wp.kernel");
    if (c->options)
        sb_printf(b, "(%s)", options[c->form.option]);
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

/* "the velocity, the residual force and the momentum": what steps from `from` on to `to` store. */
static str results_said(composer *c, uint8_t from, uint8_t to)
{
    const plan_step *stored[PLAN_STEPS];
    uint32_t n = 0;
    for (uint8_t i = from; i < to; i++)
        if (c->p.steps[i].stored >= 0)
            stored[n++] = &c->p.steps[i];
    str said = STR("");
    for (uint32_t i = 0; i < n; i++) {
        const str noun = stored[i]->f->result->noun;
        const plan_arg *place = &c->p.args[stored[i]->stored];
        const sym *adjective =
            place->shape ? NULL : place->adjective; /* not the place in a buffer */
        said = str_c(arena_printf(&c->text, "%.*s%sthe %s%s%.*s", (int)said.n, said.p,
                                  !i           ? ""
                                  : i + 1 == n ? " and "
                                               : ", ",
                                  adjective ? adjective->s : "", adjective ? " " : "", (int)noun.n,
                                  noun.p));
    }
    return said;
}

/* What the kernel is for, in a sentence. */
void write_docstring(composer *c)
{
    const plan *p = &c->p;
    const str one = p->field->element.one;
    if (p->algorithm) {
        const str says = p->algorithm->says;
        const str more = results_said(c, p->algorithm->result != NULL, p->nsteps);
        says_docstring(c, more.n ? str_c(arena_printf(
                                       &c->text, "%.*s. Then compute %.*s of each %.*s",
                                       (int)says.n, says.p, (int)more.n, more.p, (int)one.n, one.p))
                                 : says);
        return;
    }
    const uint8_t end = (uint8_t)(p->main + p->nmains);
    const lib_into into = p->pattern->into;
    const bool all = into == LIB_INTO_ENDS || into == LIB_INTO_FIRST || into == LIB_INTO_ONE,
               sum = into == LIB_INTO_ONE || into == LIB_INTO_GROUP;
    const str whose = all                        ? p->field->element.many
                      : into == LIB_INTO_CORNERS ? p->field->other.one
                      : into == LIB_INTO_GROUP   ? p->field->group.one
                                                 : p->field->element.one;
    const bool own = into == LIB_INTO_ELEMENT;
    const str what = results_said(c, own ? 0 : p->main, own ? p->nsteps : end);
    const str more = own ? STR("") : results_said(c, end, p->nsteps);
    const char *and = more.n ? arena_printf(&c->text, ", and %.*s of each %.*s", (int)more.n,
                                            more.p, (int)one.n, one.p)
                             : "";
    says_docstring(c, str_c(arena_printf(&c->text, "%s %s%.*s of %s%.*s%s",
                                         chance(c, 60) ? "compute" : "computes",
                                         sum ? "the sum of " : "", (int)what.n, what.p,
                                         all ? "all " : "each ", (int)whose.n, whose.p, and)));
}
