/* SPDX-License-Identifier: Apache-2.0 */
/* What to write instead of a call whose types do not fit. The call is tried with other types: one
 * that Warp would take is what the user is advised to make of it.
 *
 *     x * i      of float32 and int32     convert the int32 with float(...)
 *     v + 1.0    of vec3f and float32     make a vector of the float32: wp.vec3f(1.0)
 *     a + b      of two arrays            index the array: a[i]
 *     v * w      of two vec3f             for the product of each component write wp.cw_mul(a, b)
 *
 * No advice is given that has not been tried, but for the rows of operator_advice. */
#include "base/assert.h"
#include "builtin/rule.h"

enum { ADVISED_ARGS = 8 };

/* A call with other types. */
typedef struct trial {
    call_request r;
    call_arg args[ADVISED_ARGS];
} trial;

/* False: a call that is not tried, since it has many arguments or some by name. */
static bool trial_init(trial *t, const call_request *r)
{
    if (r->nargs > ADVISED_ARGS || r->nkwargs)
        return false;
    t->r = *r;
    for (uint32_t i = 0; i < r->nargs; i++)
        t->args[i] = r->args[i];
    t->r.args = t->args;
    return true;
}

static bool trial_accepted(ctx *c, const trial *t)
{
    return builtin_accepts(c, &t->r);
}

/* The argument becomes a variable of this type. */
static void trial_set(trial *t, uint32_t i, const type *as)
{
    WEFT_ASSERT(i < t->r.nargs);
    t->args[i] = (call_arg){.kind = ARG_VAR, .type = as};
}

/* The type of a value; NULL: the argument is a type, a function, a tuple. */
static const type *value_type_of(ctx *c, const call_arg *a)
{
    return a->kind == ARG_VAR || (a->kind == ARG_VALUE && value_is_number(a->constant))
               ? rule_arg_type(c, a)
               : NULL;
}

/* The same of vectors and matrices alone. */
static const type *whole_type_of(ctx *c, const call_arg *a)
{
    const type *t = value_type_of(c, a);
    return t && (t->kind == TYPE_VEC || t->kind == TYPE_MAT) ? t : NULL;
}

const char *builtin_cast_name(ctx *c, const type *t)
{
    WEFT_ASSERT(type_is_scalar(t));
    if (t->kind == TYPE_BOOL)
        return "bool";
    if (t->kind == TYPE_FLOAT32)
        return "float";
    if (t->kind == TYPE_INT32)
        return "int";
    return arena_printf(&c->scratch, "wp.%s", t->pyname.p);
}

/* ", or write 2.0": a constant that becomes a float. */
static void put_literal(strbuf *b, const value *k, const type *to)
{
    if (k && k->kind == VALUE_INT && to->kind == TYPE_FLOAT32 && k->i > -1000000 && k->i < 1000000)
        sb_printf(b, ", or write %d.0", (int)k->i);
}

const char *builtin_conversion(ctx *c, const type *from, const type *to, const value *k)
{
    strbuf b;
    sb_init(&b, &c->mem);
    const bool wide = to->kind == TYPE_VEC || to->kind == TYPE_MAT;
    if (type_is_scalar(from) && type_is_scalar(to)) {
        sb_printf(&b, "convert it with %s(...)", builtin_cast_name(c, to));
        put_literal(&b, k, to);
    } else if (from->kind == TYPE_ARRAY && from->elem == to) {
        SB_LIT(&b, "index the array, as in x[i]");
    } else if (wide && (type_is_scalar(from) || from->kind == TYPE_TUPLE)) {
        sb_printf(&b, "make it a %s: wp.%s(...)", to->kind == TYPE_VEC ? "vector" : "matrix",
                  to->pyname.p);
    } else if (wide && from->kind == to->kind && from->rows == to->rows && from->cols == to->cols) {
        sb_printf(&b, "convert it with wp.%s(...)", to->pyname.p);
    } else if (to->kind == TYPE_VEC && from->kind == TYPE_VEC && from->rows > to->rows) {
        sb_printf(&b, "take a part of it, as v[0:%d]", to->rows);
    }
    const char *text = b.n ? arena_dup(&c->scratch, b.p, b.n) : "";
    sb_clear(&b);
    return text;
}

/* --- scalars of another type ------------------------------------------------------------------ */

/* Which of the types in a call the others are converted to: floats before integers, variables
 * before constants, wide before narrow. */
static int preference(const type *t, bool constant)
{
    const int width = t->kind == TYPE_FLOAT64 || t->kind == TYPE_INT64 || t->kind == TYPE_UINT64 ? 8
                      : t->kind == TYPE_FLOAT32 || t->kind == TYPE_INT32                         ? 5
                      : t->kind == TYPE_UINT32                                                   ? 4
                                               : 2;
    return (type_is_float(t) ? 1000 : 0) + (constant ? 0 : 100) + width;
}

static void put_conversion(ctx *c, const call_arg *a, const type *to, strbuf *b)
{
    sb_printf(b, "convert the %s with %s(...)", rule_arg_type(c, a)->pyname.p,
              builtin_cast_name(c, to));
    put_literal(b, a->constant, to);
}

/* All scalars become this type, those of type bool only with `bools`. */
static bool try_conversion(ctx *c, const call_request *r, const type *to, bool bools, strbuf *b)
{
    trial t;
    uint32_t first = r->nargs;
    if (!trial_init(&t, r))
        return false;
    /* The condition of wp.where is no value. */
    for (uint32_t i = strcmp(r->fn->name->s, "where") == 0; i < r->nargs; i++) {
        const type *from = value_type_of(c, &r->args[i]);
        if (!from || !type_is_scalar(from) || from == to || (from->kind == TYPE_BOOL && !bools))
            continue;
        trial_set(&t, i, to);
        first = first == r->nargs ? i : first;
    }
    if (first == r->nargs || !trial_accepted(c, &t))
        return false;
    put_conversion(c, &r->args[first], to, b);
    return true;
}

/* To the types that are there, from the preferred one down. */
static bool try_own_types(ctx *c, const call_request *r, bool bools, strbuf *b)
{
    for (int below = INT32_MAX;;) {
        const type *best = NULL;
        int score = -1;
        for (uint32_t i = 0; i < r->nargs; i++) {
            const type *t = value_type_of(c, &r->args[i]), *s = t ? type_scalar_of(t) : NULL;
            const int p = s && s->kind != TYPE_BOOL ? preference(s, r->args[i].constant) : -1;
            if (p > score && p < below) {
                best = s;
                score = p;
            }
        }
        if (!best)
            return false;
        if (try_conversion(c, r, best, bools, b))
            return true;
        below = score;
    }
}

/* The scalar that a parameter takes; NULL: any, or no scalar. */
static const type *wanted_scalar(ctx *c, const type *want)
{
    return want->kind == TYPE_FLOAT                       ? type_scalar(c, TYPE_FLOAT32)
           : want->kind == TYPE_INT                       ? type_scalar(c, TYPE_INT32)
           : want->kind <= TYPE_FLOAT64 && !want->generic ? want
                                                          : NULL;
}

/* Whatever does not fit the row becomes what it takes. A number is no good handle of an object. */
static bool try_row(ctx *c, const call_request *r, const builtin_row *row, strbuf *b)
{
    trial t;
    rule_call k = {.c = c, .r = r, .row = row};
    uint32_t first = r->nargs;
    if (row->variadic || !trial_init(&t, r) || !rule_bind(&k))
        return false;
    for (uint32_t i = 0; i < row->nparams && i < r->nargs; i++) {
        if (!k.arg[i] || i == row->dtype_at || rule_matches(c, &row->params[i], k.arg[i], false))
            continue;
        const type *from = value_type_of(c, k.arg[i]), *to = wanted_scalar(c, row->params[i].type);
        if (!from || !to || !type_is_scalar(from) || to->kind == TYPE_UINT64 ||
            to->kind == TYPE_BOOL || k.arg[i] != &r->args[i])
            return false;
        trial_set(&t, i, to);
        first = first == r->nargs ? i : first;
    }
    if (first == r->nargs || !trial_accepted(c, &t))
        return false;
    put_conversion(c, &r->args[first], t.args[first].type, b);
    return true;
}

/* x * i, wp.sin(i): the scalars become one of their types, or else what a row takes. Of x += e, x
 * keeps its type. */
static bool advise_conversion(ctx *c, const call_request *r, strbuf *b)
{
    const type *first = r->nargs ? value_type_of(c, &r->args[0]) : NULL;
    for (uint32_t i = 0; i < r->fn->nrows; i++) { /* a number where a type is wanted */
        const uint32_t d = r->fn->rows[i].dtype_at, n = r->fn->rows[i].nparams;
        if (!r->constructs && d < n && d < r->nargs && r->args[d].kind == ARG_VAR)
            return false;
    }
    if (!r->called && strcmp(r->fn->name->s, "unot") == 0 && first && type_is_float(first)) {
        sb_c(b, "compare it with 0, as in x == 0.0");
        return true;
    }
    if (r->is_update)
        return first && type_scalar_of(first) &&
               try_conversion(c, r, type_scalar_of(first), true, b);
    if (try_own_types(c, r, false, b) || try_own_types(c, r, true, b))
        return true;
    for (uint32_t i = 0; i < r->fn->nrows; i++)
        if (try_row(c, r, &r->fn->rows[i], b))
            return true;
    const bool is_bool = first && first->kind == TYPE_BOOL;
    return try_conversion(c, r, type_scalar(c, is_bool ? TYPE_INT32 : TYPE_FLOAT32), true, b) ||
           try_conversion(c, r, type_scalar(c, TYPE_INT32), true, b);
}

/* --- other shapes ----------------------------------------------------------------------------- */

/* The call with each array replaced by its element. */
static bool index_arrays(ctx *c, const call_request *r, trial *t)
{
    bool any = false;
    for (uint32_t i = 0; i < r->nargs; i++) {
        const type *from = value_type_of(c, &r->args[i]);
        if (!from || from->kind != TYPE_ARRAY)
            continue;
        trial_set(t, i, from->elem);
        any = true;
    }
    return any;
}

/* x + y of arrays: of operators, an array is always one index short. */
static bool advise_index(ctx *c, const call_request *r, strbuf *b)
{
    trial t;
    if (!trial_init(&t, r) || !index_arrays(c, r, &t))
        return false;
    if (r->called && !trial_accepted(c, &t))
        return false;
    SB_LIT(b, "a kernel computes with elements: index the array, as in x[i]");
    return true;
}

/* v + 1.0: each scalar becomes a vector or matrix of the other's type. */
static bool advise_fill(ctx *c, const call_request *r, strbuf *b)
{
    trial t;
    const type *whole = NULL, *scalar = NULL;
    if (!trial_init(&t, r))
        return false;
    for (uint32_t i = 0; i < r->nargs && !whole; i++)
        whole = whole_type_of(c, &r->args[i]);
    for (uint32_t i = 0; whole && i < r->nargs; i++) {
        const type *from = value_type_of(c, &r->args[i]);
        if (from && type_is_scalar(from) && from->kind != TYPE_BOOL) {
            trial_set(&t, i, whole);
            scalar = from;
        }
    }
    if (!scalar || !trial_accepted(c, &t))
        return false;
    sb_printf(b, "make the %s a %s: wp.%s(...)", scalar->pyname.p,
              whole->kind == TYPE_VEC ? "vector" : "matrix", whole->pyname.p);
    return true;
}

/* wp.cross(v, w) of vec3f and vec3d: composites of one scalar type. */
static bool advise_elements(ctx *c, const call_request *r, strbuf *b)
{
    trial t;
    const type *to = NULL, *from = NULL;
    if (!trial_init(&t, r))
        return false;
    for (uint32_t i = 0; i < r->nargs; i++) {
        const type *a = whole_type_of(c, &r->args[i]);
        if (a &&
            (!to || (!r->is_update && preference(a->elem, false) > preference(to->elem, false))))
            to = a;
    }
    for (uint32_t i = 0; to && i < r->nargs; i++) {
        const type *a = whole_type_of(c, &r->args[i]);
        if (a && a->kind == to->kind && a->rows == to->rows && a->cols == to->cols && a != to) {
            trial_set(&t, i, to);
            from = a;
        }
    }
    if (!from || !trial_accepted(c, &t))
        return false;
    sb_printf(b, "convert the %s with wp.%s(...)", from->pyname.p, to->pyname.p);
    return true;
}

/* wp.sin(v): scalars only. */
static bool advise_components(ctx *c, const call_request *r, strbuf *b)
{
    trial t;
    const type *whole = NULL;
    if (!trial_init(&t, r))
        return false;
    for (uint32_t i = 0; i < r->nargs; i++) {
        const type *from = whole_type_of(c, &r->args[i]);
        if (from) {
            whole = from;
            trial_set(&t, i, from->elem);
        }
    }
    if (!whole || !trial_accepted(c, &t))
        return false;
    sb_printf(b, "it takes one component at a time, %s",
              whole->kind == TYPE_VEC ? "v[0]" : "m[0, 0]");
    return true;
}

/* wp.quat_rotate(v, q): two arguments in the other order. */
static bool advise_order(ctx *c, const call_request *r, strbuf *b)
{
    trial t;
    for (uint32_t i = 0; r->called && i + 1 < r->nargs; i++) {
        if (!trial_init(&t, r))
            return false;
        t.args[i] = r->args[i + 1];
        t.args[i + 1] = r->args[i];
        if (!trial_accepted(c, &t))
            continue;
        sb_printf(b, "the order is another one: the %s comes before the %s",
                  rule_arg_type(c, &r->args[i + 1])->pyname.p,
                  rule_arg_type(c, &r->args[i])->pyname.p);
        return true;
    }
    return false;
}

/* --- operators -------------------------------------------------------------------------------- */

/* Operators on operands of these kinds; TYPE_KIND_COUNT: any kind. The first row that fits counts.
 */
static const struct {
    const char *name;
    uint8_t left, right;
    bool matmul; /* the operator @ alone */
    const char *advice;
} operator_rows[] = {
    {"mul", TYPE_VEC, TYPE_VEC, true, "for the dot product write wp.dot(v, w)"},
    {"mul", TYPE_VEC, TYPE_VEC, false,
     "write wp.cw_mul(v, w) for the product of each component, wp.dot(v, w) for their sum"},
    {"div", TYPE_VEC, TYPE_VEC, false, "write wp.cw_div(v, w) to divide each component"},
    {"div", TYPE_MAT, TYPE_MAT, false,
     "write wp.cw_div(a, b) to divide each component, a * wp.inverse(b) for a solution"},
    {"mul", TYPE_QUAT, TYPE_VEC, false, "write wp.quat_rotate(q, v) to rotate a vector"},
    {"mul", TYPE_TRANSFORM, TYPE_VEC, false,
     "write wp.transform_point(t, p) for a point, wp.transform_vector(t, v) for a direction"},
    {"pow", TYPE_VEC, TYPE_KIND_COUNT, false, "write wp.cw_mul(v, v) for the square"},
    {"pow", TYPE_MAT, TYPE_KIND_COUNT, false, "write m * m for the product of matrices"},
    {"bit_and", TYPE_BOOL, TYPE_BOOL, false, "write 'and'"},
    {"bit_or", TYPE_BOOL, TYPE_BOOL, false, "write 'or'"},
    {"bit_xor", TYPE_BOOL, TYPE_BOOL, false, "write a != b"},
    {"mod", TYPE_STR, TYPE_KIND_COUNT, false,
     "kernels do not format strings: wp.printf(\"%f\\n\", x) prints with a format"},
    {"add", TYPE_STR, TYPE_KIND_COUNT, false,
     "kernels do not join strings: wp.printf(\"%f\\n\", x) prints with a format"},
};

static bool advise_operator(ctx *c, const call_request *r, strbuf *b)
{
    if (r->called || r->nargs != 2)
        return false;
    const type *left = rule_arg_type(c, &r->args[0]), *right = rule_arg_type(c, &r->args[1]);
    for (size_t i = 0; left && right && i < sizeof operator_rows / sizeof *operator_rows; i++) {
        if (strcmp(operator_rows[i].name, r->fn->name->s) != 0 ||
            operator_rows[i].left != left->kind || (operator_rows[i].matmul && !r->is_matmul))
            continue;
        if (operator_rows[i].right != TYPE_KIND_COUNT && operator_rows[i].right != right->kind)
            continue;
        sb_c(b, operator_rows[i].advice);
        return true;
    }
    return false;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Functions that have a better advice than a conversion of what they were given first. */
static bool advise_function(ctx *c, const call_request *r, strbuf *b)
{
    const type *first = r->nargs ? rule_arg_type(c, &r->args[0]) : NULL;
    const char *name = r->fn->name->s;
    if (!first)
        return false;
    if (strcmp(name, "where") == 0 && first->kind != TYPE_BOOL && !type_is_integer(first)) {
        SB_LIT(b, "a condition is a bool or an integer: compare, as in x != 0.0");
        return true;
    }
    if (strcmp(name, "range") == 0 && (first->kind == TYPE_ARRAY || first->kind == TYPE_NATIVE)) {
        SB_LIT(b, "the length of an array is x.shape[0]");
        return true;
    }
    if (strcmp(name, "clamp") == 0 && first->kind == TYPE_VEC) {
        sb_printf(b, "limit each component: wp.min(wp.max(v, wp.%s(...)), wp.%s(...))",
                  first->pyname.p, first->pyname.p);
        return true;
    }
    return false;
}

const char *builtin_advice(ctx *c, const call_request *r)
{
    strbuf b;
    const char *text = NULL;
    sb_init(&b, &c->mem);
    const bool same =
        r->nargs == 2 && rule_arg_type(c, &r->args[0]) == rule_arg_type(c, &r->args[1]);
    if ((same && advise_operator(c, r, &b)) || advise_function(c, r, &b) ||
        advise_conversion(c, r, &b) || advise_elements(c, r, &b) || advise_operator(c, r, &b) ||
        advise_fill(c, r, &b) || advise_order(c, r, &b) || advise_components(c, r, &b) ||
        advise_index(c, r, &b))
        text = arena_dup(&c->scratch, b.p, b.n);
    sb_clear(&b);
    return text;
}
