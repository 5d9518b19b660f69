/* SPDX-License-Identifier: Apache-2.0 */
/* Why no overload of a builtin takes a call: how many arguments it takes, which name it does not
 * know, how many results it gives, or else the types that it was given and those it takes.
 *
 *     wp.clamp(x, 1.0)     'wp.clamp' takes 3 arguments, got 2
 *                              hint: the call is wp.clamp(x, low, high) */
#include "base/assert.h"
#include "builtin/rule.h"

/* Writes "vec3f, float32, k=int32": the arguments of a call that no row fits. */
static void put_types(ctx *c, strbuf *b, const call_request *r)
{
    for (uint32_t i = 0; i < r->nargs + r->nkwargs; i++) {
        if (i)
            SB_LIT(b, ", ");
        const call_arg *a = i < r->nargs ? &r->args[i] : &r->kwargs[i - r->nargs].arg;
        const type *t = rule_arg_type(c, a);
        if (i >= r->nargs) {
            sb_str(b, sym_str(r->kwargs[i - r->nargs].name));
            sb_char(b, '=');
        }
        sb_str(b, t ? t->pyname : STR("unknown"));
    }
}

/* Writes the signatures that a user may mean, at most five. */
static void put_forms(strbuf *b, const call_request *r)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < r->fn->nrows && shown < 5; i++) {
        const builtin_row *row = &r->fn->rows[i];
        if (r->min_outputs && row->noutputs != r->min_outputs)
            continue;
        sb_c(b, shown++ ? "; " : "");
        sb_str(b, row->signature);
    }
}

/* Reports, for example: 'wp.dot' does not take (float32, int32); it takes dot(a: vec[Any, Scalar],
 * b: vec[Any, Scalar]); dot(a: quat[Float], b: quat[Float]). */
static void refuse_types(ctx *c, const call_request *r)
{
    strbuf types, forms;
    sb_init(&types, &c->mem);
    sb_init(&forms, &c->mem);
    put_types(c, &types, r);
    put_forms(&forms, r);
    diag_error(c, r->at, DIAG_NO_OVERLOAD, builtin_display(c, r->fn), sb_cstr(&types),
               sb_cstr(&forms));
    sb_clear(&types);
    sb_clear(&forms);
}

/* Arguments that a row takes: from *least to *most. False: as many as one likes. */
static bool row_counts(const builtin_row *row, uint32_t *least, uint32_t *most)
{
    *least = 0;
    *most = row->nparams;
    for (uint32_t i = 0; i < row->nparams; i++) {
        if (row->params[i].kind == PARAM_VARARGS)
            return false;
        *least += row->params[i].default_value.kind == VALUE_UNKNOWN;
    }
    return !row->variadic;
}

static bool has_param(const builtin_row *row, const sym *name)
{
    for (uint32_t i = 0; i < row->nparams; i++)
        if (row->params[i].name == name)
            return true;
    return false;
}

/* "wp.clamp(x, low, high)": how the row is called. */
static void put_call(strbuf *b, const builtin_row *row)
{
    sb_printf(b, "wp.%s(", row->fn->name->s);
    for (uint32_t i = 0; i < row->nparams; i++) {
        sb_c(b, i ? ", " : "");
        sb_str(b, sym_str(row->params[i].name));
    }
    sb_char(b, ')');
}

/* "3 arguments", "1 to 3 arguments". */
static void put_count(strbuf *b, uint32_t least, uint32_t most)
{
    if (least == most && !least)
        sb_c(b, "no arguments");
    else if (least == most)
        sb_printf(b, "%u argument%s", least, least == 1 ? "" : "s");
    else
        sb_printf(b, "%u to %u arguments", least, most);
}

/* Reports a wrong number of arguments. False: a row takes that many. */
static bool refuse_count(ctx *c, const call_request *r)
{
    const uint32_t given = r->nargs + r->nkwargs;
    uint32_t least = UINT32_MAX, most = 0, nearest = UINT32_MAX;
    const builtin_row *near = NULL;
    for (uint32_t i = 0; i < r->fn->nrows; i++) {
        uint32_t from, to;
        if (!row_counts(&r->fn->rows[i], &from, &to) || (given >= from && given <= to))
            return false;
        const uint32_t off = given < from ? from - given : given - to;
        near = off < nearest ? &r->fn->rows[i] : near;
        nearest = off < nearest ? off : nearest;
        least = from < least ? from : least;
        most = to > most ? to : most;
    }
    strbuf counts, call;
    sb_init(&counts, &c->mem);
    sb_init(&call, &c->mem);
    put_count(&counts, least, most);
    put_call(&call, near);
    diag_error(c, r->at, DIAG_ARGUMENT_COUNT, builtin_display(c, r->fn), sb_cstr(&counts), given,
               sb_cstr(&call));
    sb_clear(&counts);
    sb_clear(&call);
    return true;
}

/* Reports an argument by a name that no row has. False: there is none. */
static bool refuse_name(ctx *c, const call_request *r)
{
    for (uint32_t k = 0; k < r->nkwargs; k++) {
        bool known = false;
        for (uint32_t i = 0; i < r->fn->nrows && !known; i++)
            known = has_param(&r->fn->rows[i], r->kwargs[k].name);
        if (known)
            continue;
        strbuf call;
        sb_init(&call, &c->mem);
        put_call(&call, &r->fn->rows[0]);
        diag_error(c, r->at, DIAG_ARGUMENT_NAME, builtin_display(c, r->fn), r->kwargs[k].name->s,
                   sb_cstr(&call));
        sb_clear(&call);
        return true;
    }
    return false;
}

/* Reports that a call gives fewer or more values than unpack it. False: a row gives that many. */
static bool refuse_results(ctx *c, const call_request *r)
{
    uint32_t most = 0;
    if (!r->min_outputs)
        return false;
    for (uint32_t i = 0; i < r->fn->nrows; i++) {
        if (r->fn->rows[i].noutputs == r->min_outputs)
            return false;
        most = r->fn->rows[i].noutputs > most ? r->fn->rows[i].noutputs : most;
    }
    const char *name = builtin_display(c, r->fn);
    if (r->constructs)
        name = r->constructs->pyname.p;
    if (most > 1)
        diag_error(c, r->at, DIAG_RESULT_COUNT, name, most, r->min_outputs);
    else
        diag_error(c, r->at, DIAG_ONE_RESULT, name, r->min_outputs);
    return true;
}

/* Builtins behind operators and subscripts are not called by name, so what they take is told by
 * types alone. */
static bool is_called_by_name(ctx *c, const builtin *b)
{
    return strncmp(builtin_display(c, b), "'wp.", 4) == 0;
}

bool builtin_refuse(ctx *c, const call_request *r)
{
    WEFT_ASSERT(r->fn->nrows > 0);
    const bool named = is_called_by_name(c, r->fn);
    if (named && strcmp(r->fn->name->s, "print") == 0 && r->nargs + r->nkwargs != 1)
        return diag_error(c, r->at, DIAG_PRINT_COUNT, r->nargs + r->nkwargs);
    if (!refuse_results(c, r) && (!named || (!refuse_name(c, r) && !refuse_count(c, r))))
        refuse_types(c, r);
    return false;
}
