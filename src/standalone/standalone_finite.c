/* SPDX-License-Identifier: Apache-2.0 */
/* NaN and infinity among expected values. Two of them are equal whatever the kernel does, so they
 * prove nothing, unless the kernel itself has such a number:
 *
 *     y[i] = x[i] / s            s is 0 in some thread: no expected value
 *     y[i] = -wp.inf             meant so
 *
 * Gradients have none at all. Warp's backward pass replays a loop's sum as 0, for instance, and
 * then divides by it: no inputs help. Such a gradient is not compared. */
#include "standalone/standalone_internal.h"

#include "sema/module.h"

static unsigned special_of(double x)
{
    return x != x ? SA_NAN : __builtin_fabs(x) == __builtin_inf() ? SA_INFINITY : 0;
}

static unsigned specials_of_value(const value *v)
{
    unsigned all = 0;
    if (value_is_number(v) && value_has_f(v))
        return special_of(v->f);
    if (v->kind == VALUE_COMPOSITE && type_is_float(type_scalar_of(v->type)))
        for (int i = 0; i < lane_count(v->type); i++)
            all |= special_of(v->elems[i]);
    return all;
}

/* Native code names them with macros of math.h. */
static unsigned specials_of_snippet(const func *f)
{
    const char *text = f ? f->snippet : NULL;
    return text ? (strstr(text, "INFINITY") ? SA_INFINITY : 0) | (strstr(text, "NAN") ? SA_NAN : 0)
                : 0;
}

static unsigned specials_of_unit(const ir_unit *u)
{
    unsigned all = specials_of_snippet(u->func);
    for (uint32_t i = 0; i < u->vars.n; i++)
        if (u->vars.v[i].constant)
            all |= specials_of_value(u->vars.v[i].constant);
    for (uint32_t i = 0; i < u->literals.n; i++)
        all |= specials_of_value(u->literals.v[i]);
    return all;
}

unsigned sa_specials_of(const ir_module *m)
{
    unsigned all = specials_of_unit(m->kernel);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        all |= specials_of_unit(m->funcs.v[i]);
    return all;
}

bool sa_is_finite(const sa_column *col, const uint8_t *items, unsigned allowed)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    for (size_t i = 0; col->scalar >= TYPE_FLOAT16 && i < col->count; i++)
        if (special_of(num_load(col->scalar, items + i * width).f) & ~allowed)
            return false;
    return true;
}

void sa_leave_not_finite(sa_run *r)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (r->columns.v[i].odd_gradient) {
            r->columns.v[i].gradient = NULL;
            r->columns.v[i].gradient_limit = (sa_limit){0};
        }
    r->finite = r->finite_results;
}

/* Is it such a column, in any of the runs that the program holds? They have the same columns. */
static bool is_odd(const sa_run *r, uint32_t column, bool gradient)
{
    for (; r; r = r->next)
        if (gradient ? r->columns.v[column].odd_gradient : r->columns.v[column].odd)
            return true;
    return false;
}

const char *sa_not_finite(ctx *c, const sa_run *r, bool gradient)
{
    str all = {0};
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (is_odd(r, i, gradient))
            all = sa_form(c, all.n ? "$, $" : "$$", all, str_c(r->columns.v[i].path));
    return all.n ? all.p : NULL;
}
