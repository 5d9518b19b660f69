/* SPDX-License-Identifier: Apache-2.0 */
/* Why no overload of a builtin takes a call: how many arguments it takes, which name it does not
 * know, how many results it gives, or else the types that it was given and those it takes.
 *
 *     wp.clamp(x, 1.0)     'wp.clamp' takes 3 arguments, got 2
 *                              hint: the call is wp.clamp(x, low, high) */
#include "base/assert.h"
#include "base/format.h"
#include "builtin/rule.h"

/* The type of an argument as messages name it. */
static str type_text(ctx *c, const call_arg *a)
{
    const type *t = rule_arg_type(c, a);
    return t ? t->pyname : STR("a value without a type");
}

/* Writes "vec3f and float32", "vec3f, float32, k=int32": what a call was given. */
static void put_types(ctx *c, strbuf *b, const call_request *r)
{
    const uint32_t n = r->nargs + r->nkwargs;
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            sb_c(b, n == 2 ? " and " : ", ");
        if (i >= r->nargs) {
            sb_str(b, sym_str(r->kwargs[i - r->nargs].name));
            sb_char(b, '=');
        }
        sb_str(b, type_text(c, i < r->nargs ? &r->args[i] : &r->kwargs[i - r->nargs].arg));
    }
}

/* Writes "vector of floats", "3x3 matrix", "scalar", "uint32": what a parameter takes. */
static void put_wanted(strbuf *b, const row_param *p)
{
    const type *t = p->type;
    const type *elem = t->elem;
    const char *what = NULL;
    switch ((type_kind)t->kind) {
    case TYPE_ANY: what = "value"; break;
    case TYPE_SCALAR: what = p->each ? "scalar or bool" : "scalar"; break;
    case TYPE_FLOAT: what = "float"; break;
    case TYPE_INT: what = "integer"; break;
    case TYPE_CALLABLE: what = "function"; break;
    case TYPE_VEC: what = "vector"; break;
    case TYPE_MAT: what = "matrix"; break;
    case TYPE_QUAT: what = "quaternion"; break;
    case TYPE_TRANSFORM: what = "transform"; break;
    case TYPE_ARRAY: what = "array"; break;
    case TYPE_TILE: what = "tile"; break;
    case TYPE_TUPLE: what = "tuple"; break;
    case TYPE_STR: what = "string"; break;
    default: break;
    }
    if (!what || (!t->generic && type_is_composite(t))) {
        sb_str(b, t->pyname);
        return;
    }
    if (t->kind == TYPE_VEC && t->rows > 0)
        sb_printf(b, "%d-component ", t->rows);
    if (t->kind == TYPE_MAT && t->rows > 0)
        sb_printf(b, "%dx%d ", t->rows, t->cols);
    sb_c(b, what);
    const bool bare = t->kind == TYPE_VEC || t->kind == TYPE_MAT;
    if (bare && (elem->kind == TYPE_FLOAT || elem->kind == TYPE_INT))
        sb_c(b, elem->kind == TYPE_FLOAT ? " of floats" : " of integers");
}

/* Writes "dot(a: vector, b: vector)". What constructs a type leaves its dtype out. */
static void put_form(strbuf *b, const call_request *r, const builtin_row *row)
{
    sb_printf(b, "%s(", r->called ? r->called->s : row->fn->name->s);
    for (uint32_t i = 0, shown = 0; i < row->nparams; i++) {
        if (r->constructs && i == row->dtype_at)
            continue;
        sb_c(b, shown++ ? ", " : "");
        sb_str(b, sym_str(row->params[i].name));
        SB_LIT(b, ": ");
        if (i == row->dtype_at)
            SB_LIT(b, "type");
        else
            put_wanted(b, &row->params[i]);
    }
    sb_char(b, ')');
}

/* Writes "it takes FORM; FORM": the forms that a user may mean, at most four. */
static void put_forms(strbuf *b, const call_request *r)
{
    enum { SHOWN_MAX = 4 };
    uint32_t shown = 0;
    for (uint32_t i = 0; i < r->fn->nrows; i++) {
        const builtin_row *row = &r->fn->rows[i];
        if (r->min_outputs && row->noutputs != r->min_outputs)
            continue;
        if (shown == SHOWN_MAX) {
            SB_LIT(b, "; ...");
            return;
        }
        sb_c(b, shown++ ? "; " : "it takes ");
        put_form(b, r, row);
    }
}

/* The one argument that no row takes: all rows that bind the call refuse it alone. */
typedef struct culprit {
    const row_param *param; /* NULL: there is none */
    const call_arg *arg;
    strbuf wanted;  /* "a vector or a quaternion" */
    uint32_t kinds; /* of these */
} culprit;

/* How many arguments of the call do not fit the row, and which is the last; PARAM_MAX: they do not
 * bind, or a type is wrong. */
static uint32_t count_misfits(ctx *c, const call_request *r, const builtin_row *row,
                              const call_arg **arg, uint32_t *param)
{
    rule_call k = {.c = c, .r = r, .row = row};
    uint32_t n = 0;
    if (row->variadic || !rule_bind(&k))
        return PARAM_MAX;
    for (uint32_t i = 0; i < row->nparams; i++)
        if (k.arg[i] && !rule_matches(c, &row->params[i], k.arg[i], false)) {
            if (i == row->dtype_at)
                return PARAM_MAX;
            n++;
            *param = i;
            *arg = k.arg[i];
        }
    return n;
}

/* Adds "a vector" to what is wanted, once. */
static void add_wanted(ctx *c, culprit *f, const row_param *p)
{
    strbuf one;
    sb_init(&one, &c->mem);
    put_wanted(&one, p);
    if (!f->kinds || !str_contains(sb_view(&f->wanted), sb_view(&one))) {
        sb_c(&f->wanted, f->kinds++ ? " or " : "");
        if (p->type->generic || p->type->kind == TYPE_STR || p->type->kind == TYPE_CALLABLE)
            sb_c(&f->wanted, strchr("aeio", one.p[0]) ? "an " : "a ");
        sb_str(&f->wanted, sb_view(&one));
    }
    sb_clear(&one);
}

/* False: several arguments are wrong, or different ones for different rows, or it may be of many
 * kinds. */
static bool find_culprit(ctx *c, const call_request *r, culprit *f)
{
    enum { KINDS_MAX = 3 };
    for (uint32_t i = 0; i < r->fn->nrows; i++) {
        const builtin_row *row = &r->fn->rows[i];
        const call_arg *arg = NULL;
        uint32_t at = 0;
        if (count_misfits(c, r, row, &arg, &at) != 1)
            continue;
        if (f->param && f->param->name != row->params[at].name)
            return false;
        f->param = &row->params[at];
        f->arg = arg;
        add_wanted(c, f, f->param);
    }
    return f->param && f->kinds <= KINDS_MAX;
}

/* The hint for an argument that a function of Warp makes. */
static const char *source_of(const culprit *f)
{
    const bool is_state = f->param->type->kind == TYPE_UINT32;
    if (is_state && strcmp(f->param->name->s, "state") == 0)
        return "wp.rand_init(seed) makes the state";
    if (f->param->type->kind == TYPE_UINT64 && strcmp(f->param->name->s, "id") == 0)
        return "pass the object's id to the kernel, as a parameter of type wp.uint64";
    return NULL;
}

/* Reports, for example: argument 'x' of 'wp.sin' must be a float, not vec3f; or '*' does not take
 * vec3f and vec3f. The hint says what to write, or the forms of the function. */
static void refuse_types(ctx *c, const call_request *r)
{
    strbuf types, hint;
    culprit f = {0};
    sb_init(&types, &c->mem);
    sb_init(&hint, &c->mem);
    sb_init(&f.wanted, &c->mem);
    const bool one = r->called && !r->constructs && find_culprit(c, r, &f);
    const char *name = call_display(c, r);
    const char *advice = one ? source_of(&f) : NULL;
    if (!advice)
        advice = builtin_advice(c, r);
    if (advice)
        sb_c(&hint, advice);
    else if (r->called)
        put_forms(&hint, r);
    if (one) {
        diag_error(c, r->at, DIAG_WRONG_ARGUMENT, f.param->name->s, name, sb_cstr(&f.wanted),
                   type_text(c, f.arg).p, sb_cstr(&hint));
    } else if (r->nargs + r->nkwargs == 0) {
        diag_error(c, r->at, DIAG_NO_ARGUMENTS, name, sb_cstr(&hint));
    } else {
        put_types(c, &types, r);
        diag_error(c, r->at, DIAG_NO_OVERLOAD, name, sb_cstr(&types), sb_cstr(&hint));
    }
    sb_clear(&f.wanted);
    sb_clear(&types);
    sb_clear(&hint);
}

bool rule_refuse_store(rule_call *k, const type *t, const type *elem)
{
    const value *v = rule_value(k, rule_param(k, "value"));
    return REFUSE(k, DIAG_ELEMENT_TYPE, t->pyname.p, elem->pyname.p,
                  builtin_conversion(k->c, t, elem, v));
}

/* The advice for a mixed call; without any, vectors of two lengths are meant. */
bool rule_mixed(rule_call *k, const type *a, const type *b)
{
    if (k->quiet)
        return false;
    const char *advice = builtin_advice(k->c, k->r);
    if (!advice && a->kind == TYPE_VEC && b->kind == TYPE_VEC && a->rows != b->rows)
        advice = "take a part of the longer one, as v[0:2]";
    return diag_error(k->c, k->r->at, DIAG_MIXED_TYPES, rule_display(k),
                      k->r->called ? "arguments" : "operands", a->pyname.p, b->pyname.p,
                      advice ? advice : "");
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
static void put_call(strbuf *b, const call_request *r, const builtin_row *row)
{
    sb_printf(b, "%s%s(", r->called && !r->has_prefix ? "" : "wp.", row->fn->name->s);
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
        sb_printf(b, "%u argument%s", least, plural_s(least));
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
    put_call(&call, r, near);
    diag_error(c, r->at, DIAG_ARGUMENT_COUNT, call_display(c, r), sb_cstr(&counts), given,
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
        put_call(&call, r, &r->fn->rows[0]);
        diag_error(c, r->at, DIAG_ARGUMENT_NAME, call_display(c, r), r->kwargs[k].name->s,
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
    const char *name = call_display(c, r);
    if (r->constructs)
        name = r->constructs->pyname.p;
    if (most > 1)
        diag_error(c, r->at, DIAG_RESULT_COUNT, name, most, plural_s(most), r->min_outputs);
    else
        diag_error(c, r->at, DIAG_ONE_RESULT, name, r->min_outputs, plural_s(r->min_outputs));
    return true;
}

bool builtin_refuse_rank(ctx *c, span at, const type *array, uint32_t n)
{
    WEFT_ASSERT(array->kind == TYPE_ARRAY);
    static const char *const forms[] = {"x[i]", "x[i, j]", "x[i, j, k]", "x[i, j, k, l]"};
    const int d = array->ndim;
    strbuf b;
    sb_init(&b, &c->mem);
    if (d >= 1 && d <= 4)
        sb_printf(&b, "write %s", forms[d - 1]);
    if (n > (uint32_t)d && n <= 4 && array->array_class == ARRAY_PLAIN)
        sb_printf(&b, ", or declare the parameter as wp.array%ud(dtype=...)", n);
    diag_error(c, at, DIAG_INDEX_COUNT, array->pyname.p, d, d == 1 ? "index" : "indices", n,
               sb_cstr(&b));
    sb_clear(&b);
    return false;
}

/* x[0:3] = v, s[0], v[i, j]: subscripts, which no user knows as calls. False: it is none. */
static bool refuse_subscript(ctx *c, const call_request *r)
{
    const char *name = r->fn->name->s;
    const type *t = r->nargs ? rule_arg_type(c, &r->args[0]) : NULL;
    const bool store = strcmp(name, "array_store") == 0, read = strcmp(name, "extract") == 0;
    if (r->called || !t || (!store && !read))
        return false;
    for (uint32_t i = 1; i < r->nargs - store; i++) {
        const type *index = rule_arg_type(c, &r->args[i]);
        if (store && index && index->kind == TYPE_SLICE)
            return !diag_error(c, r->at, DIAG_SLICE_STORE);
        if (index && !type_is_integer(index) && (store || !type_is_composite(t)))
            return !diag_error(c, r->at, DIAG_INDEX_TYPE, "", index->pyname.p);
    }
    if (store)
        return false;
    if (type_is_composite(t))
        return !diag_error(c, r->at, DIAG_TOO_MANY_INDICES, (int)t->pyname.n, t->pyname.p);
    diag_error(c, r->at, DIAG_TYPE_NOT_INDEXABLE, t->pyname.p,
               type_is_scalar(t) ? "it is a single value: leave the index out" : "");
    return true;
}

bool builtin_refuse(ctx *c, const call_request *r)
{
    WEFT_ASSERT(r->fn->nrows > 0);
    if (refuse_subscript(c, r))
        return false;
    const bool named = r->called != NULL;
    if (named && strcmp(r->fn->name->s, "print") == 0 && r->nargs + r->nkwargs != 1)
        return diag_error(c, r->at, DIAG_PRINT_COUNT, r->nargs + r->nkwargs,
                          plural_s(r->nargs + r->nkwargs));
    if (!refuse_results(c, r) && (!named || (!refuse_name(c, r) && !refuse_count(c, r))))
        refuse_types(c, r);
    return false;
}
