/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of a proof as tests, in JSON: what goes in, and what comes out.
 *
 *     y[i] = a * x[i], launched for 2 threads
 *     ->   [{"launch": [2], "inputs": {"a": 0.5, "x": [1.0, -3.0], "y": [0.25, 2.0]},
 *            "expected": {"y": [0.5, -1.5]}, "tolerance": 6.1035e-05}]
 *
 * Needs: the inputs and results that check_pair or check_repeat left in the checker; nothing is
 * drawn. Left out are launches with more than NUMBERS numbers, unless all have more: then the
 * smallest is the one test. Left out are as well those whose result hangs on rounding or on the
 * order of threads, and kernels that take what no JSON says, such as the id of a mesh. */
#include "base/assert.h"
#include "base/decimal.h"
#include "check/check_internal.h"
#include "launch/tolerance.h"

/* Numbers of a launch's inputs, of all that are put, and of the one test where all are large. */
enum { NUMBERS = 128, NUMBERS_OF_ALL = 256, NUMBERS_OF_LARGE = 8192 };

/* --- values as JSON ------------------------------------------------------------------------ */

/* The fewest digits that read back as the same bits. JSON has no word for what is not finite:
 * those are strings. */
static void put_number(strbuf *b, type_kind kind, const uint8_t *at)
{
    const num x = num_load(kind, at);
    if (kind == TYPE_BOOL) {
        sb_c(b, x.i ? "true" : "false");
    } else if (kind == TYPE_UINT64) {
        sb_uint(b, (uint64_t)x.i);
    } else if (kind < TYPE_FLOAT16) {
        sb_int(b, x.i);
    } else {
        const bool finite = x.f - x.f == 0;
        sb_c(b, finite ? "" : "\"");
        (kind == TYPE_FLOAT64 ? sb_float : sb_float32)(b, x.f);
        sb_c(b, finite ? "" : "\"");
    }
}

static void put_value(strbuf *b, const type *t, const uint8_t *at);

/* A vector, quaternion or transform as a list, a matrix as a list of rows. */
static void put_composite(strbuf *b, const type *t, const uint8_t *at)
{
    const type_kind kind = (type_kind)t->elem->kind;
    const size_t width = layout_size(t->elem);
    const int cols = t->kind == TYPE_MAT ? t->cols : 0;
    SB_LIT(b, "[");
    for (int i = 0; i < t->rows; i++) {
        sb_c(b, i ? ", " : "");
        if (!cols) {
            put_number(b, kind, at + (size_t)i * width);
            continue;
        }
        SB_LIT(b, "[");
        for (int j = 0; j < cols; j++) {
            sb_c(b, j ? ", " : "");
            put_number(b, kind, at + (size_t)(i * cols + j) * width);
        }
        SB_LIT(b, "]");
    }
    SB_LIT(b, "]");
}

/* The elements from dimension `dim` on, of which the first lies at `at`. */
static void put_elements(strbuf *b, const array_view *v, int dim, const uint8_t *at)
{
    if (dim == v->ndim || dim == LAUNCH_DIMS) {
        put_value(b, v->elem, at);
        return;
    }
    SB_LIT(b, "[");
    for (int64_t i = 0; i < v->shape[dim]; i++) {
        sb_c(b, i ? ", " : "");
        put_elements(b, v, dim + 1, at + i * v->strides[dim]);
    }
    SB_LIT(b, "]");
}

/* A value, an array as lists in lists, a struct as an object. None is null. */
static void put_value(strbuf *b, const type *t, const uint8_t *at)
{
    if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->st->nfields; i++) {
            sb_c(b, i ? ", \"" : "{\"");
            sb_str(b, sym_str(t->st->fields[i].name));
            SB_LIT(b, "\": ");
            put_value(b, t->st->fields[i].type, at + layout_field(t->st, i));
        }
        SB_LIT(b, "}");
    } else if (t->kind == TYPE_ARRAY) {
        const array_view *v;
        memcpy(&v, at, sizeof v);
        if (v->data)
            put_elements(b, v, 0, v->data->bytes);
        else
            SB_LIT(b, "null");
    } else if (type_is_scalar(t)) {
        put_number(b, (type_kind)t->kind, at);
    } else {
        put_composite(b, t, at);
    }
}

/* --- which launches are tests -------------------------------------------------------------- */

/* Can a value of this type be told by numbers? */
static bool is_told(const type *t)
{
    if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->st->nfields; i++)
            if (!is_told(t->st->fields[i].type))
                return false;
        return true;
    }
    if (t->kind == TYPE_ARRAY)
        return t->array_class == ARRAY_PLAIN && is_told(t->elem);
    return type_is_value(t);
}

/* Why no launch of this kernel is a test, by its parameters; NULL: they do not keep it. */
static const char *kernel_keeps(const checker *k)
{
    static const int64_t letters[26];
    const code *f = &k->s->kernel->code;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const str values = k->s->args[i].values;
        check_values v;
        if (!is_told(f->params[i].type))
            return "a parameter has a type whose values are no numbers";
        for (uint32_t j = check_count_alternatives(values); j-- > 0;)
            if (check_read_values(check_alternative(values, j), letters, &v) &&
                v.form >= CHECK_VALUES_MESH)
                return "a parameter is the id of an object that is built at run time";
    }
    return NULL;
}

static size_t numbers_of(const check_inputs *in)
{
    size_t n = 0;
    for (uint32_t i = 0; i < in->nslots; i++)
        n += in->slots[i].lanes;
    return n;
}

/* Does the slot belong to the parameter: "p", or "p.field"? */
static bool is_of(const check_slot *s, const sym *name)
{
    return strncmp(s->name, name->s, name->len) == 0 &&
           (!s->name[name->len] || s->name[name->len] == '.');
}

/* Does the launch change what the parameter has? */
static bool is_changed(const check_inputs *in, const sym *name)
{
    for (uint32_t i = 0; i < in->nslots; i++)
        if (!in->slots[i].by_value && is_of(&in->slots[i], name) &&
            !check_slot_same(&in->slots[i], in->initial, in->expected))
            return true;
    return false;
}

static double largest_of(const check_slot *s, const uint8_t *state)
{
    const size_t width = layout_size(type_scalar_of(s->elem));
    double most = 0;
    for (size_t i = 0; s->is_float && i < s->lanes; i++) {
        const double x = num_load((type_kind)s->scalar, state + check_lane(s, width, i)).f;
        const double size = x < 0 ? -x : x;
        most = size > most && size < __builtin_inf() ? size : most;
    }
    return most;
}

/* The largest error of the values after another run, relative to what was expected. */
static double error_of(const check_inputs *in, const check_slot *s, double floor)
{
    const size_t width = layout_size(type_scalar_of(s->elem));
    double most = 0;
    for (size_t i = 0; i < s->lanes; i++) {
        const size_t at = check_lane(s, width, i);
        const double error =
            tolerance_error((type_kind)s->scalar, num_load((type_kind)s->scalar, in->expected + at),
                            num_load((type_kind)s->scalar, in->values.bytes + at), floor);
        most = error > most ? error : most;
    }
    return most;
}

/* The least precise float that goes in or comes out. */
static type_kind least_of(const check_inputs *in)
{
    type_kind least = TYPE_FLOAT64;
    for (uint32_t i = 0; i < in->nslots; i++)
        if (in->slots[i].is_float && in->slots[i].scalar < least)
            least = (type_kind)in->slots[i].scalar;
    return least;
}

/* Moves every float of the inputs by about a last place. */
static void disturb(check_inputs *in)
{
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *s = &in->slots[i];
        const size_t width = layout_size(type_scalar_of(s->elem));
        for (size_t j = 0; s->is_float && j < s->lanes; j++)
            tolerance_disturb((type_kind)s->scalar, in->initial + check_lane(s, width, j), 1,
                              (uint32_t)(i * NUMBERS + j));
    }
}

/* Runs the source from moved inputs, its threads in the reverse order; its result is then in
 * in->values. The inputs and the verdict of the proof stay as they are. */
static bool run_otherwise(checker *k, check_inputs *in)
{
    const check_result verdict = *k->r;
    uint8_t *initial = in->initial;
    in->initial = arena_alloc(&k->a, in->size + 16);
    memcpy(in->initial, initial, in->size);
    disturb(in);
    check_restart(k, in);
    const bool ran = check_run_source(k, in, true);
    in->initial = initial;
    *k->r = verdict;
    return ran;
}

/* The difference that a device may have; false: none is sure, since the result hangs on rounding or
 * on the order of threads. */
static bool find_tolerance(checker *k, check_inputs *in, double *tolerance)
{
    const bool ran = run_otherwise(k, in);
    const double usual = tolerance_of(STR(""), least_of(in));
    bool steady = ran;
    *tolerance = 0;
    for (uint32_t i = 0; i < in->nslots && steady; i++) {
        const check_slot *s = &in->slots[i];
        if (s->by_value || check_slot_same(s, in->initial, in->expected))
            continue;
        const double floor = tolerance_floor(largest_of(s, in->expected));
        const double moved = error_of(in, s, floor);
        const tolerance_limit limit = tolerance_widen(s->is_float ? usual : 0, moved, floor);
        steady = s->is_float ? !limit.hangs : !(moved > 0);
        if (s->is_float && limit.tolerance > *tolerance)
            *tolerance = limit.tolerance;
    }
    check_restart(k, in);
    return steady;
}

/* --- a test -------------------------------------------------------------------------------- */

/* `"a": 0.5, "x": [1.0, -3.0]`: all parameters, or those that the launch changes, as in->values
 * has them now. */
static void put_params(const checker *k, strbuf *b, const check_inputs *in, bool changed)
{
    const code *f = &k->s->kernel->code;
    bool first = true;
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (changed && !is_changed(in, f->params[i].name))
            continue;
        sb_c(b, first ? "\"" : ", \"");
        sb_str(b, sym_str(f->params[i].name));
        SB_LIT(b, "\": ");
        put_value(b, f->params[i].type, in->values.bytes + in->params[i]);
        first = false;
    }
}

static void put_test(const checker *k, strbuf *b, check_inputs *in, double tolerance)
{
    SB_LIT(b, "{\"launch\": [");
    for (int d = 0; d < in->ndim; d++) {
        sb_c(b, d ? ", " : "");
        sb_int(b, in->dim[d]);
    }
    SB_LIT(b, "], \"inputs\": {");
    put_params(k, b, in, false);
    SB_LIT(b, "}, \"expected\": {");
    memcpy(in->values.bytes, in->expected, in->size);
    put_params(k, b, in, true);
    memcpy(in->values.bytes, in->initial, in->size);
    SB_LIT(b, "}, \"tolerance\": ");
    sb_printf(b, "%.5g", tolerance);
    SB_LIT(b, "}");
}

bool check_put_inputs(const checker *k, const check_inputs *in, strbuf *b)
{
    if (kernel_keeps(k) || numbers_of(in) > NUMBERS)
        return false;
    memcpy(in->values.bytes, in->initial, in->size);
    SB_LIT(b, "{");
    put_params(k, b, in, false);
    SB_LIT(b, "}");
    return true;
}

/* Puts the launch as a test; else why it is none. */
static const char *try_test(checker *k, strbuf *b, check_inputs *in, bool first)
{
    double tolerance;
    if (!find_tolerance(k, in, &tolerance))
        return "its result hangs on rounding, or on the order of threads";
    sb_c(b, first ? "" : ", ");
    put_test(k, b, in, tolerance);
    return NULL;
}

/* Of launches that are all large the smallest that may be a test; NULL: there is one. */
static const char *put_smallest(checker *k, strbuf *b)
{
    const char *none = "its launches have too many numbers";
    bool tried[CHECK_INPUTS] = {false};
    for (;;) {
        uint32_t best = CHECK_INPUTS;
        size_t least = NUMBERS_OF_LARGE + 1;
        for (uint32_t i = 0; i < CHECK_INPUTS; i++) {
            const check_inputs *in = &k->sets[i];
            const size_t n = numbers_of(in);
            if (tried[i] || n >= least || check_states_equal(in, in->initial, in->expected))
                continue;
            best = i;
            least = n;
        }
        if (best == CHECK_INPUTS)
            return none;
        tried[best] = true;
        none = try_test(k, b, &k->sets[best], true);
        if (!none)
            return NULL;
    }
}

const char *check_put_tests(checker *k, strbuf *b)
{
    const char *why = kernel_keeps(k), *none = "its launches change nothing";
    size_t all = 0;
    bool large = false; /* is one left out for its size alone? */
    SB_LIT(b, "[");
    for (uint32_t i = 0; !why && i < CHECK_INPUTS; i++) {
        check_inputs *in = &k->sets[i];
        const size_t n = numbers_of(in);
        if (check_states_equal(in, in->initial, in->expected))
            continue;
        if (n > NUMBERS || all + n > NUMBERS_OF_ALL) {
            large = true;
            continue;
        }
        const char *why_not = try_test(k, b, in, !all);
        if (why_not)
            none = why_not;
        else
            all += n;
    }
    if (!why && !all && large)
        none = put_smallest(k, b);
    SB_LIT(b, "]");
    return why ? why : all ? NULL : none;
}

bool check_repeat(checker *k, const check_subject *s, check_result *r)
{
    bool good = true;
    check_begin(k, s, r);
    for (int d = 0; d < EMIT_DEVICES; d++)
        k->forward[d] = k->backward[d] = NULL;
    k->reference = interp_new(k->c, s->kernel);
    for (k->nsets = 0; k->nsets < CHECK_INPUTS && good; k->nsets++)
        good = check_draw(k, 0, k->nsets > 0, &k->sets[k->nsets]) && check_forward(k, k->nsets);
    return good;
}
