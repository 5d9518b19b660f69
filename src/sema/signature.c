/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Warp's functions for Python that Python ends with a TypeError, so that no kernel of the
 * file would exist:
 *
 *     wp.types.vector(length=3, dtyp=float)     vector() has no parameter 'dtyp'
 *     wp.constant("text")                       no number, vector or the like
 *
 * And inspect.signature of those functions, by which programs ask what a release of Warp can. */
#include "sema/sema.h"

typedef struct signature {
    special_id id;
    uint32_t positional, required;
    const char *name, *names;
} signature;

static const signature rows[] = {
#define SIGNATURE(id, positional, required, names) {SP_##id, positional, required, #id, names},
#include "sema/signature.def"
#undef SIGNATURE
};

static const signature *signature_of(special_id id)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

/* Parameter number i; of length 0: there is none. */
static str parameter(const signature *s, uint32_t i)
{
    const char *p = s->names;
    for (; i; i--)
        str_take_word(&p);
    return str_take_word(&p);
}

static bool is_parameter(const signature *s, const sym *name, uint32_t *at)
{
    for (*at = 0; parameter(s, *at).n; ++*at)
        if (str_eq(parameter(s, *at), sym_str(name)))
            return true;
    return false;
}

static const char *list_of_parameters(ctx *c, const signature *s)
{
    const char *list = "";
    for (uint32_t i = 0; parameter(s, i).n; i++)
        list = arena_printf(&c->module, "%s%s%.*s", list, *list ? ", " : "", (int)parameter(s, i).n,
                            parameter(s, i).p);
    return *list ? arena_printf(&c->module, "its parameters are %s", list) : "it has no parameters";
}

static bool is_given(const signature *s, const py_call *a, uint32_t i)
{
    for (uint32_t k = 0; k < a->nkwargs; k++)
        if (str_eq(parameter(s, i), sym_str(a->names[k])))
            return true;
    return i < a->nargs;
}

/* The first thing that is wrong; false: nothing is. */
static bool report_arguments(evaluator *e, const signature *s, const py_call *a)
{
    const span at = node_span(&e->env->mod->src, &a->node->base);
    uint32_t i;
    for (uint32_t k = 0; k < a->nkwargs; k++) {
        const bool known = is_parameter(s, a->names[k], &i);
        if (!known)
            return !diag_error(e->c, at, DIAG_CALL_KEYWORD, s->name, a->names[k]->s,
                               list_of_parameters(e->c, s));
        if (i < a->nargs && i < s->positional)
            return !diag_error(e->c, at, DIAG_CALL_TWICE, s->name, a->names[k]->s);
    }
    if (a->nargs > s->positional)
        return !diag_error(e->c, at, DIAG_CALL_MANY, s->name, s->positional,
                           s->positional == 1 ? "" : "s", a->nargs, list_of_parameters(e->c, s));
    for (i = 0; i < s->required; i++)
        if (!is_given(s, a, i))
            return !diag_error(e->c, at, DIAG_CALL_MISSING, s->name, (int)parameter(s, i).n,
                               parameter(s, i).p);
    return false;
}

/* What a value is that wp.constant does not take; NULL: it takes the value, or weft does not know.
 * Warp 1.19 is_value. */
static const char *no_constant(const value *v)
{
    switch (v->kind) {
    case VALUE_NONE: return "None";
    case VALUE_BOOL: return value_is_numpy(v) ? "a numpy.bool" : NULL;
    case VALUE_STR: return "a str";
    case VALUE_TUPLE: return "a tuple";
    case VALUE_LIST: return "a list";
    case VALUE_DICT: return "a dict";
    case VALUE_RANGE: return "a range";
    case VALUE_TYPE:
    case VALUE_PYTYPE:
    case VALUE_CLASS: return "a type";
    case VALUE_BUILTIN:
    case VALUE_FUNC:
    case VALUE_PYFUNC: return "a function";
    case VALUE_KERNEL: return "a kernel";
    case VALUE_MODULE:
    case VALUE_WARP: return "a module";
    case VALUE_STRUCT_INSTANCE: return "a struct";
    case VALUE_OBJECT: return v->ns->star ? NULL : "an object of a class";
    case VALUE_UNKNOWN: return v->n == UNKNOWN_ARRAY ? "an array" : NULL;
    default: return NULL;
    }
}

void check_signature(evaluator *e, const py_call *a)
{
    const signature *s = a->node && !a->inexact && is_certain(e) ? signature_of(a->id) : NULL;
    if (!s)
        return;
    bool wrong = report_arguments(e, s, a);
    const value *x = !wrong && a->id == SP_constant ? call_get(a, 0, "x") : NULL;
    if (x && no_constant(x))
        wrong = !diag_error(e->c, node_span(&e->env->mod->src, &a->node->base), DIAG_CONSTANT_TYPE,
                            no_constant(x));
    e->p->undefined = e->p->undefined || wrong;
}

static const value not_looked_into = {.kind = VALUE_UNKNOWN,
                                      .why = "weft does not evaluate this signature"};

static void add_parameter(ctx *c, const value *names, str name)
{
    const value key = {.kind = VALUE_STR, .s = sym_intern(&c->syms, name.p, name.n)};
    dict_set(c, names, key, unknown("weft does not evaluate what inspect says of a parameter"));
}

/* The parameters of a function of Warp's as the keys of a dict; false: it has no row. */
static bool warp_parameters(ctx *c, const value *f, const value *names)
{
    const signature *s = signature_of((special_id)f->n);
    for (uint32_t i = 0; s && parameter(s, i).n; i++)
        add_parameter(c, names, parameter(s, i));
    for (size_t i = 0; f->n == SP_kernel && kernel_option_name(i); i++)
        add_parameter(c, names, str_c(kernel_option_name(i)));
    return s || f->n == SP_kernel;
}

/* inspect.signature(f): the names in `parameters` are known, of functions of Warp's latest release.
 */
value call_signature(evaluator *e, const py_call *a)
{
    ctx *c = e->c;
    const value *f = a->nargs == 1 && !a->nkwargs ? &a->args[0] : NULL;
    const value names = value_dict(c, NULL, 0);
    if (!f || f->kind != VALUE_SPECIAL || c->warp != WARP_DEFAULT || !warp_parameters(c, f, &names))
        return not_looked_into;
    const value made = library_object(c);
    ns_set(c, made.ns, sym_c(&c->syms, "parameters"), names);
    return made;
}
