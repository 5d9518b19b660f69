/* SPDX-License-Identifier: Apache-2.0 */
/* What the reference gives from inputs a last place off. Rounding differs between a CPU and a GPU
 * (fused operations, other sine and exponential functions), which a kernel may magnify:
 *
 *     if x[i] < 0.5: ...      x[i] = 0.49999997 here, 0.5 there: another branch, another result
 *
 * If moving each float of the input by its last place changes the reference's result as much as the
 * device's differs, the device is not to blame. The moves follow from a counter: they are the same
 * in every run. */
#include "launch/device.h"

#include "base/assert.h"

/* Floats of a value or item; arrays in structs are left alone. */
static void disturb_value(const type *t, uint8_t *bytes, uint32_t *seed)
{
    const type *scalar = type_scalar_of(t);
    ++*seed;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        disturb_value(t->st->fields[i].type, bytes + layout_field(t->st, i), seed);
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY && scalar && type_is_float(scalar))
        tolerance_disturb((type_kind)scalar->kind, bytes, (size_t)lane_count(t), *seed);
}

/* Item by item, each with another pattern. */
static void disturb_array(const device_array *array, uint32_t *seed)
{
    const array_view *v = array->view;
    const size_t step = layout_size(v->elem);
    WEFT_ASSERT(step && v->data);
    for (size_t at = 0; at + step <= v->data->size; at += step)
        disturb_value(v->elem, v->data->bytes + at, seed);
}

/* A copy of an argument with its floats moved; arrays are moved in place, in their data. */
static rvalue disturbed_value(arena *a, const rvalue *v, uint32_t *seed)
{
    if (v->type->kind == TYPE_ARRAY || !(type_is_value(v->type) || v->type->kind == TYPE_STRUCT))
        return *v;
    uint8_t *bytes = arena_zero(a, layout_size(v->type) + 8);
    rvalue_store(v->type, bytes, v);
    disturb_value(v->type, bytes, seed);
    return rvalue_load(a, v->type, bytes);
}

/* The arrays as they were before the launch, or as the reference left them. */
static void put_back(const device_arrays *m, bool inputs)
{
    for (uint32_t i = 0; i < m->all.n; i++) {
        const device_array *array = &m->all.v[i];
        const size_t n = array->view->data->size;
        if (n)
            memcpy(array->view->data->bytes, inputs ? array->input : array->expected, n);
    }
}

/* Runs the reference again from moved inputs and keeps what it leaves; then memory is as it was. A
 * run that fails now, though it did well before, hangs on rounding: unsteady. */
void device_disturb(device_arrays *m, const launch_job *l)
{
    arena *a = &m->c->module;
    const uint32_t n = l->compiled.kernel->code.nparams;
    rvalue *args = ARENA_ARRAY(a, rvalue, n + 1);
    launch_job again = *l;
    uint32_t seed = 0;
    put_back(m, true);
    for (uint32_t i = 0; i < n; i++)
        args[i] = disturbed_value(a, &l->args[i], &seed);
    for (uint32_t i = 0; i < m->all.n; i++)
        if (!m->all.v[i].gradient)
            disturb_array(&m->all.v[i], &seed);
    again.args = args;
    m->unsteady = !launch_execute(&again);
    for (uint32_t i = 0; !m->unsteady && i < m->all.n; i++) {
        device_array *array = &m->all.v[i];
        array->disturbed = arena_alloc(a, array->view->data->size + 1);
        if (array->view->data->size)
            memcpy(array->disturbed, array->view->data->bytes, array->view->data->size);
    }
    put_back(m, false);
}
