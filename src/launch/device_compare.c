/* SPDX-License-Identifier: Apache-2.0 */
/* Results of the device against those of the reference, number by number, by the measure of
 * tolerance.h. Each array, and each field of an array of structs, is a column with its own floor:
 * numbers far below the largest of their column may differ by a part of that. A message:
 *
 *     'y'[3] is 2 on the device, 1 by the reference; 4 of 64 numbers differ by more than 1e-05 of
 *     themselves */
#include "launch/device.h"

#include "base/assert.h"

/* One field of every item of an array, or all of a plain one. */
typedef struct column {
    const device_array *array;
    const type *type;
    size_t offset;
    const char *name;
} column;

/* Numbers in a column: a vec3 has three for each item. */
static size_t count_of(const column *col)
{
    const array_view *v = col->array->view;
    return v->data->size / layout_size(v->elem) * (size_t)lane_count(col->type);
}

/* Lane 5 of a column of vec3 is number 2 of item 1. */
static num number_at(const column *col, const uint8_t *bytes, size_t lane)
{
    WEFT_ASSERT(bytes && lane < count_of(col));
    const type *scalar = type_scalar_of(col->type);
    const size_t lanes = (size_t)lane_count(col->type), step = layout_size(col->array->view->elem);
    return num_load((type_kind)scalar->kind,
                    bytes + lane / lanes * step + col->offset + lane % lanes * layout_size(scalar));
}

/* As a double, for messages and floors. */
static double shown(const column *col, num x)
{
    return type_is_float(type_scalar_of(col->type)) ? x.f : (double)x.i;
}

/* From the reference's results; infinities do not count. */
static double floor_of(const column *col)
{
    double largest = 0;
    for (size_t i = 0, n = count_of(col); i < n; i++) {
        const double x = __builtin_fabs(shown(col, number_at(col, col->array->expected, i)));
        largest = x > largest && x < __builtin_inf() ? x : largest;
    }
    return tolerance_floor(largest);
}

/* Of one number, relative to it or to the floor. */
static double error_at(const column *col, const uint8_t *found, size_t i, double floor)
{
    return tolerance_error((type_kind)type_scalar_of(col->type)->kind,
                           number_at(col, col->array->expected, i), number_at(col, found, i),
                           floor);
}

/* How far the disturbed inputs moved the reference. */
static double moved(const column *col, double floor)
{
    double most = 0;
    for (size_t i = 0, n = count_of(col); i < n; i++) {
        const double error = error_at(col, col->array->disturbed, i, floor);
        most = error > most ? error : most;
    }
    return most;
}

/* Without disturbed results (the first look) the plain tolerance stands. */
static tolerance_limit limit_of(const column *col, double tolerance, double floor, bool unsteady)
{
    if (!type_is_float(type_scalar_of(col->type)))
        tolerance = 0;
    if (unsteady)
        return tolerance_widen(tolerance, __builtin_inf(), floor);
    if (!col->array->disturbed)
        return (tolerance_limit){tolerance, false};
    return tolerance_widen(tolerance, moved(col, floor), floor);
}

/* Counts all that differ, keeps the first for the message and the largest error. */
static void compare_column(const column *col, double tolerance, const device_arrays *m,
                           device_result *r)
{
    const double floor = floor_of(col);
    const tolerance_limit limit = limit_of(col, tolerance, floor, m->unsteady);
    device_difference d = {.array = col->name,
                           .gradient = col->array->gradient,
                           .lanes = count_of(col),
                           .tolerance = limit.tolerance,
                           .hangs = limit.hangs};
    for (size_t i = 0; i < d.lanes; i++) {
        const double error = error_at(col, col->array->found, i, floor);
        d.error = error > d.error ? error : d.error;
        if (error <= limit.tolerance || d.wrong++)
            continue;
        d.lane = i;
        d.expected = shown(col, number_at(col, col->array->expected, i));
        d.found = shown(col, number_at(col, col->array->found, i));
    }
    r->error = d.error > r->error ? d.error : r->error;
    if (d.wrong)
        VEC_PUSH(&m->c->module, &r->differences, d);
}

/* A struct's fields one by one, named "a.pos": each has its own floor. */
static void compare_type(const column *at, double tolerance, const device_arrays *m,
                         device_result *r)
{
    const type *t = at->type;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const struct_field *field = &t->st->fields[i];
        const column inner = {at->array, field->type, at->offset + layout_field(t->st, i),
                              arena_printf(&m->c->module, "%s.%s", at->name, field->name->s)};
        compare_type(&inner, tolerance, m, r);
    }
    if (t->kind != TYPE_STRUCT)
        compare_column(at, tolerance, m, r);
}

/* May be called again, after device_disturb: the former results are dropped. */
void device_compare(const device_arrays *m, double tolerance, device_result *r)
{
    r->error = 0;
    r->differences.n = 0;
    for (uint32_t i = 0; i < m->all.n; i++) {
        const device_array *array = &m->all.v[i];
        const column whole = {array, array->view->elem, 0, array->view->data->name};
        compare_type(&whole, tolerance, m, r);
    }
}

const char *device_difference_text(arena *a, const device_difference *d)
{
    WEFT_ASSERT(d->wrong && d->wrong <= d->lanes && d->lane < d->lanes);
    return arena_printf(
        a,
        "%s'%s'[%zu] is %.9g on the device, %.9g by the reference; %zu of %zu numbers differ%s%s",
        d->gradient ? "the gradient of " : "", d->array, d->lane, d->found, d->expected, d->wrong,
        d->lanes,
        d->tolerance > 0 ? arena_printf(a, " by more than %.2g of themselves", d->tolerance) : "",
        d->hangs ? "; inputs a last place off move the reference as far, so rounding may have sent "
                   "a thread another way"
                 : "");
}
