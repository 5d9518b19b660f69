/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the kernels of a script on the numbers that it draws: forward by the reference interpreter,
 * back by the backward texts, as Warp's tape does. What is found is what the script expects. A
 * script is refused if its results say nothing, or if numbers that differ by rounding would give
 * others. Tangents of the interpreter confirm the gradient. */
#include "base/decimal.h"
#include "compose/script_internal.h"

#include <math.h>

enum { FUEL = 4000000 };

static bool is_array(const script_var *v)
{
    return v->kind == VAR_ARRAY;
}

static size_t size_of(const script_var *v)
{
    return 4 * v->lanes;
}

/* --- arguments -------------------------------------------------------------------------------- */

typedef enum which { PRIMAL, TANGENT, ADJOINT } which;

static rvalue array_value(scripter *s, const script_var *v, const type *t, which w)
{
    arena *a = &s->p.c.module;
    array_view *view = ARENA_NEW(a, array_view);
    int64_t stride = (int64_t)layout_size(t->elem);
    *view = (array_view){.elem = t->elem, .ndim = t->ndim};
    for (int i = v->ndim; i-- > 0;) {
        view->shape[i] = v->shape[i];
        view->strides[i] = stride;
        stride *= v->shape[i];
    }
    uint8_t *bytes = w == PRIMAL ? v->bytes : w == TANGENT ? v->tangent : v->adjoint;
    if (w == TANGENT && !bytes)
        return (rvalue){0};
    if (bytes) {
        array_data *data = ARENA_NEW(a, array_data);
        const str name = v->name;
        *data =
            (array_data){.name = arena_dup(a, name.p, name.n), .bytes = bytes, .size = size_of(v)};
        view->data = data;
    }
    WEFT_ASSERT(v->ndim == t->ndim && (size_t)stride == size_of(v));
    return (rvalue){.type = t, .array = view};
}

static rvalue struct_value(scripter *s, const script_kernel *k, const type *t)
{
    uint8_t *bytes = arena_zero(&s->p.c.module, layout_size(t));
    for (uint32_t f = 0; f < t->st->nfields; f++)
        for (uint8_t i = 0; i < k->p.nargs; i++)
            if (k->p.args[i].field.n && str_eq(k->p.args[i].field, sym_str(t->st->fields[f].name)))
                memcpy(bytes + layout_field(t->st, f), s->vars[k->params[i]].bytes, sizeof(float));
    return (rvalue){.type = t, .bytes = bytes};
}

static rvalue *values_of(scripter *s, const script_kernel *k, which w)
{
    arena *a = &s->p.c.module;
    const code *f = &k->compiled.kernel->code;
    rvalue *all = ARENA_ARRAY(a, rvalue, f->nparams + 1);
    WEFT_ASSERT(f->nparams == k->is.nargs);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        const script_var *v = &s->vars[k->vars[i]];
        if (is_array(v))
            all[i] = array_value(s, v, t, w);
        else if (w == TANGENT)
            all[i] = (rvalue){0};
        else if (w == ADJOINT)
            all[i] = rvalue_load(a, t, arena_zero(a, layout_size(t)));
        else if (v->kind == VAR_STRUCT)
            all[i] = struct_value(s, k, t);
        else
            all[i] = rvalue_load(a, t, v->bytes);
    }
    return all;
}

/* --- forward ---------------------------------------------------------------------------------- */

static void restore(scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].bytes && s->vars[i].initial)
            memcpy(s->vars[i].bytes, s->vars[i].initial, size_of(&s->vars[i]));
}

/* Of all kernels, one after another; with tangents as well. False: a kernel fails here, or, with
 * tangents, meets a point where it has no derivative. */
static bool run_all(scripter *s, bool tangents)
{
    strbuf error;
    bool good = true;
    sb_init(&error, &s->p.c.mem);
    for (uint32_t i = 0; i < s->nkernels && good; i++) {
        const script_kernel *k = &s->kernels[i];
        interp *in = interp_new(&s->p.c, k->compiled.kernel);
        interp_launch launch = {.kernel = k->compiled.kernel,
                                .args = values_of(s, k, PRIMAL),
                                .tangents = tangents ? values_of(s, k, TANGENT) : NULL,
                                .ndim = k->ndim,
                                .fuel = FUEL};
        memcpy(launch.dim, k->dim, sizeof launch.dim);
        good = interp_launch_run(in, &launch, &error) && !(tangents && interp_met_kink(in));
    }
    sb_clear(&error);
    return good;
}

static uint8_t *copy_of(scripter *s, const script_var *v, const uint8_t *bytes)
{
    return (uint8_t *)arena_dup(&s->p.c.module, (const char *)bytes, size_of(v));
}

static double lane_of(const script_var *v, const uint8_t *bytes, size_t lane)
{
    const num x = num_load(v->scalar, bytes + 4 * lane);
    return v->scalar == TYPE_FLOAT32 ? x.f : (double)x.i;
}

double script_largest(const script_var *v, const uint8_t *bytes)
{
    double most = 0;
    for (size_t i = 0; i < v->lanes; i++)
        most = fmax(most, fabs(lane_of(v, bytes, i)));
    return most;
}

double script_atol(double largest)
{
    int exponent = -12;
    while (exponent < 12 && decimal_scaled(1, exponent + 1) <= 1e-4 * largest)
        exponent++;
    return decimal_scaled(1, exponent);
}

/* Are the numbers finite, and do they tell something: are they neither all zero nor, of the last
 * kernel, all the same? */
static bool tells(const scripter *s, const script_var *v)
{
    const double least = script_atol(script_largest(v, v->expected));
    bool zero = true, same = v->lanes > 1; /* but for what the check lets pass */
    for (size_t i = 0; i < v->lanes; i++) {
        const double x = lane_of(v, v->expected, i);
        if (!isfinite(x) || fabs(x) > 1e12)
            return false;
        zero &= x == 0;
        same &= fabs(x - lane_of(v, v->expected, 0)) <= least;
    }
    return !zero && !(same && v->written >= s->nkernels - 1);
}

/* --- rounding --------------------------------------------------------------------------------- */

/* Moves the floats that go in by some units in the last place. */
static void disturb(scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++) {
        script_var *v = &s->vars[i];
        for (size_t k = 0; script_is_float(v) && v->drawn && k < v->lanes; k++) {
            const double x = lane_of(v, v->bytes, k);
            num_store(TYPE_FLOAT32, v->bytes + 4 * k,
                      (num){.f = (double)(float)(x + x * ((k * 7 + i) % 3 ? 0x1p-21 : -0x1p-21))});
        }
    }
}

static bool is_near(const script_var *v, const uint8_t *a, const uint8_t *b)
{
    const double least = script_atol(script_largest(v, a)) / 4;
    for (size_t i = 0; i < v->lanes; i++) {
        const double x = lane_of(v, a, i), y = lane_of(v, b, i);
        if (v->scalar != TYPE_FLOAT32 ? x != y
                                      : !(fabs(x - y) <= least + SCRIPT_RTOL / 4 * fabs(x)))
            return false;
    }
    return true;
}

static bool is_steady(scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].written && !is_near(&s->vars[i], s->vars[i].expected, s->vars[i].bytes))
            return false;
    return true;
}

/* --- back ------------------------------------------------------------------------------------- */

static bool is_leaf(const script_var *v)
{
    return is_array(v) && script_is_float(v) && v->drawn && !v->written;
}

/* Follows the loss back, by the backward texts in the reverse order. */
static bool run_back(scripter *s)
{
    arena *a = &s->p.c.module;
    textvm_error error = {0};
    for (uint32_t i = 0; i < s->nvars; i++) {
        script_var *v = &s->vars[i];
        v->adjoint = is_array(v) && script_is_float(v) ? arena_zero(a, size_of(v)) : NULL;
    }
    num_store(TYPE_FLOAT32, s->vars[s->loss].adjoint, (num){.f = 1});
    for (uint32_t i = s->nkernels; i-- > 0;) {
        const script_kernel *k = &s->kernels[i];
        textvm *vm = k->backward.n ? textvm_read(&s->p.c, a, k->backward, &error) : NULL;
        textvm_launch launch = {.args = values_of(s, k, PRIMAL),
                                .adjoints = values_of(s, k, ADJOINT),
                                .ndim = k->ndim,
                                .in_order = true,
                                .block_dim = 1,
                                .fuel = 20 * FUEL};
        memcpy(launch.dim, k->dim, sizeof launch.dim);
        if (!vm || !textvm_run(vm, &launch, &error))
            return false;
    }
    return true;
}

/* Do tangents along a direction say the same of the loss? */
static bool confirms(scripter *s)
{
    double by_gradient = 0, terms = 0;
    for (uint32_t i = 0; i < s->nvars; i++) {
        script_var *v = &s->vars[i];
        v->tangent =
            is_array(v) && script_is_float(v) ? arena_zero(&s->p.c.module, size_of(v)) : NULL;
        for (size_t k = 0; is_leaf(v) && k < v->lanes; k++) {
            const double x = ((double)((k * 37 + i * 11) % 64) - 31.5) / 32;
            num_store(TYPE_FLOAT32, v->tangent + 4 * k, (num){.f = x});
            by_gradient += x * lane_of(v, v->adjoint, k);
            terms += fabs(x * lane_of(v, v->adjoint, k));
        }
    }
    restore(s);
    if (!run_all(s, true))
        return false;
    const script_var *loss = &s->vars[s->loss];
    const double by_tangent = lane_of(loss, loss->tangent, 0);
    return fabs(by_tangent - by_gradient) <= 1e-3 * (terms + fabs(by_tangent)) && terms > 0;
}

/* The first input whose gradient is worth a look. */
static uint8_t choose_leaf(const scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++) {
        const script_var *v = &s->vars[i];
        size_t n = 0;
        for (size_t k = 0; is_leaf(v) && k < v->lanes; k++)
            n += lane_of(v, v->adjoint, k) != 0;
        const double most = n ? script_largest(v, v->adjoint) : 0;
        if (2 * n > v->lanes && most < 1e6 && most > 1e-6)
            return (uint8_t)i;
    }
    return NO_VAR;
}

/* A tape needs that nothing is overwritten. */
static bool allows_tape(const scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].written && s->vars[i].drawn)
            return false;
    return s->differentiable && s->loss != NO_VAR;
}

/* The gradients of the inputs into their adjoints, and s->leaf. Needs: the kernels have run. */
static void find_gradient(scripter *s)
{
    if (!run_back(s))
        return;
    const uint8_t leaf = choose_leaf(s);
    if (leaf == NO_VAR || !confirms(s))
        return;
    script_var *v = &s->vars[leaf];
    const uint8_t *gradient = v->adjoint;
    restore(s);
    disturb(s);
    const bool steady = run_all(s, false) && run_back(s) && is_near(v, gradient, v->adjoint);
    v->gradient = gradient;
    s->leaf = steady ? leaf : NO_VAR;
}

bool script_run(scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].bytes && s->vars[i].lanes)
            s->vars[i].initial = copy_of(s, &s->vars[i], s->vars[i].bytes);
    if (!run_all(s, false))
        return script_stop(s, SCRIPT_USELESS, "a kernel fails on the inputs of the script");
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].written)
            s->vars[i].expected = copy_of(s, &s->vars[i], s->vars[i].bytes);
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].written && !tells(s, &s->vars[i]))
            return script_stop(s, SCRIPT_USELESS, "a result of the script tells nothing");
    restore(s);
    disturb(s);
    if (!run_all(s, false) || !is_steady(s))
        return script_stop(s, SCRIPT_USELESS, "a result of the script hangs on rounding");
    restore(s);
    s->leaf = NO_VAR;
    if (allows_tape(s) && run_all(s, false))
        find_gradient(s);
    return true;
}
