/* SPDX-License-Identifier: Apache-2.0 */
/* A wrong gradient as one number that anybody can check: a derivative of one element by another.
 *
 *     for i in range(n):            launched for 1 thread, n = 2:
 *         s = s * x[i]              d y[0] / d x[1] is 1 by the text, and 0.5 in truth
 *     y[t] = s
 *
 * The text gives the derivatives of a weighted sum of all outputs by each input, and the reference
 * those of all outputs by one input. So an input is looked for in which they differ, and then an
 * output that it shows for alone. */
#include "base/assert.h"
#include "base/format.h"
#include "check/check_internal.h"

enum { SMALL = 4 }; /* the largest of the small launches that are tried */

/* A lane of a slot. */
typedef struct element {
    const check_slot *slot;
    size_t lane;
} element;

/* The search in one launch. */
typedef struct example_search {
    checker *k;
    check_inputs *in;
    textvm *text;
    uint8_t *v, *w; /* directions of inputs and outputs */
    check_image jv, jw;
    element input;  /* that was found */
    double differs; /* relative differences above are no rounding */
    check_example *out;
} example_search;

/* --- names of elements ---------------------------------------------------------------------- */

/* "[2, 1]" of an array's element; flat where its shape is not at hand. */
static void put_index(strbuf *b, const array_view *v, size_t at)
{
    int64_t index[LAUNCH_DIMS];
    if (!v || v->ndim < 2 || v->ndim > LAUNCH_DIMS) {
        sb_printf(b, "[%zu]", at);
        return;
    }
    for (int d = v->ndim; d-- > 0; at /= (size_t)v->shape[d])
        index[d] = (int64_t)(at % (size_t)v->shape[d]);
    for (int d = 0; d < v->ndim; d++)
        sb_printf(b, d ? ", %lld" : "[%lld", (long long)index[d]);
    SB_LIT(b, "]");
}

/* "[1]" of a vector's component, "[0, 1]" of a matrix's. */
static void put_component(strbuf *b, const type *t, size_t at)
{
    if (t->kind == TYPE_MAT)
        sb_printf(b, "[%zu, %zu]", at / (size_t)t->cols, at % (size_t)t->cols);
    else if (lane_count(t) > 1)
        sb_printf(b, "[%zu]", at);
}

/* The parameter that the slot belongs to. */
static uint32_t param_of(const checker *k, const check_slot *s)
{
    const code *f = &k->s->kernel->code;
    const size_t n = strcspn(s->name, ".");
    uint32_t i = 0;
    while (i < f->nparams && !str_eq(sym_str(f->params[i].name), (str){s->name, n}))
        i++;
    WEFT_ASSERT(i < f->nparams);
    return i;
}

/* "x[3]", "bodies[2].velocity[0]", "scale". */
static void name_element(const example_search *e, const element *at, char *to, size_t room)
{
    const check_slot *s = at->slot;
    const uint32_t number = param_of(e->k, s);
    const bool array = e->k->s->kernel->code.params[number].type->kind == TYPE_ARRAY;
    const array_view *v = array ? e->in->values.args[number].array : NULL;
    const size_t lanes = s->stride ? s->run : (size_t)lane_count(s->elem),
                 dot = strcspn(s->name, ".");
    strbuf b;
    sb_init(&b, &e->k->c->mem);
    sb_str(&b, (str){s->name, array ? dot : strlen(s->name)});
    if (!s->by_value || s->stride)
        put_index(&b, v, at->lane / lanes);
    if (array)
        sb_c(&b, s->name + dot);
    put_component(&b, s->elem, at->lane % lanes);
    format_text(to, room, "%.*s", (int)b.n, b.p);
    sb_clear(&b);
}

/* --- one launch ------------------------------------------------------------------------------ */

static double load(const element *at, const uint8_t *from)
{
    const size_t width = layout_size(type_scalar_of(at->slot->elem));
    return num_load((type_kind)at->slot->scalar, from + check_lane(at->slot, width, at->lane)).f;
}

static void store(const element *at, uint8_t *to, double x)
{
    const size_t width = layout_size(type_scalar_of(at->slot->elem));
    num_store((type_kind)at->slot->scalar, to + check_lane(at->slot, width, at->lane),
              (num){.f = x});
}

/* The next element of floats behind *at, at first {NULL, 0}; `of`: in slots for which it holds.
 * False: there is none. */
static bool next_element(const check_inputs *in, const bool *of, element *at)
{
    uint32_t i = at->slot ? (uint32_t)(at->slot - in->slots) : 0;
    if (at->slot && ++at->lane < at->slot->lanes)
        return true;
    for (i += at->slot != NULL; i < in->nslots; i++)
        if (in->slots[i].is_float && in->slots[i].lanes && (!of || of[i])) {
            *at = (element){&in->slots[i], 0};
            return true;
        }
    return false;
}

/* The weighted sum of all outputs, and of their absolute values. */
static double weighted(const example_search *e, const uint8_t *jv, double *terms)
{
    double sum = 0;
    *terms = 0;
    for (element at = {NULL, 0}; next_element(e->in, NULL, &at);) {
        const double x = load(&at, e->w) * load(&at, jv);
        sum += x;
        *terms += __builtin_fabs(x);
    }
    return sum;
}

static bool run_text(example_search *e)
{
    textvm_error error = {0};
    check_image_new(e->k, e->in, &e->jw);
    return check_backward(e->k, e->in, e->text, e->w, &e->jw, &error);
}

/* How much they differ, relative to the terms of both; 0: not more than rounding explains. */
static double difference(const example_search *e, double text, double truth, double terms)
{
    if (!__builtin_isfinite(text) && __builtin_isfinite(terms))
        return __builtin_inf();
    const double d = __builtin_fabs(text - truth) / (terms + __builtin_fabs(text));
    return d > e->differs ? d : 0;
}

/* A search by halves: what a text and the truth give for several elements together is the sum of
 * what they give for each, so of two halves one at least shows the difference. `test` says how much
 * it is for the first n of the elements. */
typedef double half_test(example_search *e, const element *v, uint32_t n);
static bool find_by_halves(example_search *e, half_test *test, const element *v, uint32_t n,
                           element *out)
{
    double d = n ? test(e, v, n) : 0;
    while (n > 1 && d > 0) {
        const uint32_t half = n / 2;
        const double first = test(e, v, half), second = test(e, v + half, n - half);
        const bool later = second > first;
        v += later ? half : 0;
        n = later ? n - half : half;
        d = later ? second : first;
    }
    if (d > 0)
        *out = v[0];
    return d > 0;
}

/* All elements of slots for which `of` holds. */
static const element *list_elements(example_search *e, const bool *of, uint32_t *n)
{
    VEC(element) list = {0};
    for (element at = {NULL, 0}; next_element(e->in, of, &at);)
        VEC_PUSH(&e->k->a, &list, at);
    *n = list.n;
    return list.v;
}

/* The derivatives by these inputs, for the weights of all outputs. The text gives them all at once:
 * e->jw. */
static double test_inputs(example_search *e, const element *v, uint32_t n)
{
    double text = 0, terms;
    memset(e->v, 0, e->in->size);
    for (uint32_t i = 0; i < n; i++) {
        store(&v[i], e->v, check_draw_direction(e->k));
        text += load(&v[i], e->v) * load(&v[i], e->jw.bytes);
    }
    if (!check_tangent(e->k, e->in, e->v, &e->jv) || interp_met_kink(e->k->reference) ||
        interp_met_steep(e->k->reference))
        return 0;
    const double truth = weighted(e, e->jv.bytes, &terms);
    return difference(e, text, truth, terms);
}

/* The derivative of these outputs by e->input. The source gives them all at once: e->jv. */
static double test_outputs(example_search *e, const element *v, uint32_t n)
{
    double truth = 0, terms = 0;
    memset(e->w, 0, e->in->size);
    for (uint32_t i = 0; i < n; i++) {
        store(&v[i], e->w, check_draw_direction(e->k));
        const double x = load(&v[i], e->w) * load(&v[i], e->jv.bytes);
        truth += x;
        terms += __builtin_fabs(x);
    }
    return run_text(e) ? difference(e, load(&e->input, e->jw.bytes), truth, terms) : 0;
}

/* Does the input, moved by its own size, change the output so little that rounding, as of numbers
 * near 0, may be all of it? */
static bool is_tiny(const example_search *e, const element *input, const element *output,
                    double derivative)
{
    const double least = 1e-3, x = __builtin_fabs(load(input, e->in->initial)),
                 y = __builtin_fabs(load(output, e->in->expected));
    return __builtin_fabs(derivative) * (x > least ? x : least) < 1e-7 * (y > least ? y : least);
}

/* The output with the input at x; false: the launch fails. The verdict of the proof stays. */
static bool output_at(example_search *e, const element *input, const element *output, double x,
                      double *out)
{
    check_inputs *in = e->in;
    uint8_t *const initial = in->initial;
    const check_result verdict = *e->k->r;
    in->initial = arena_alloc(&e->k->a, in->size + 16);
    memcpy(in->initial, initial, in->size);
    store(input, in->initial, x);
    check_restart(e->k, in);
    const bool ran = check_run_source(e->k, in, false);
    *out = ran ? load(output, in->values.bytes) : 0;
    in->initial = initial;
    check_restart(e->k, in);
    *e->k->r = verdict;
    return ran;
}

/* Do differences agree with the text, and not with the tangent? At a jump or a kink nearby they may
 * agree with neither. */
static bool is_refuted(example_search *e, const element *input, const element *output, double text,
                       double truth)
{
    const double x = load(input, e->in->initial), size = __builtin_fabs(x);
    const double h = 0x1p-9 * (size > 1 ? size : 1);
    double high, low;
    if (!output_at(e, input, output, x + h, &high) || !output_at(e, input, output, x - h, &low))
        return false;
    const double slope = (high - low) / (2 * h);
    return __builtin_fabs(slope - text) < 0.1 * __builtin_fabs(text - truth);
}

/* Fills the example with the derivative of one output by one input, unless it is none. */
static bool take_example(example_search *e, const element *output)
{
    check_example *out = e->out;
    memset(e->w, 0, e->in->size);
    store(output, e->w, 1);
    out->truth = load(output, e->jv.bytes);
    if (!run_text(e))
        return false;
    out->text = load(&e->input, e->jw.bytes);
    if (is_tiny(e, &e->input, output, out->text - out->truth) ||
        is_refuted(e, &e->input, output, out->text, out->truth))
        return false;
    const size_t width = layout_size(type_scalar_of(output->slot->elem));
    out->unordered = check_stores_meet(e->k, e->in, check_lane(output->slot, width, output->lane));
    name_element(e, &e->input, out->input, sizeof out->input);
    name_element(e, output, out->output, sizeof out->output);
    return true;
}

/* An input that is wrong for random weights of the outputs, and then an output that is. */
static bool find_example(example_search *e, const bool *changed)
{
    uint32_t n;
    element output;
    const element *inputs = list_elements(e, check_moves(e->k, e->in), &n);
    if (!run_text(e) || !find_by_halves(e, test_inputs, inputs, n, &e->input))
        return false;
    memset(e->v, 0, e->in->size);
    store(&e->input, e->v, 1);
    const element *outputs = list_elements(e, changed, &n);
    return check_tangent(e->k, e->in, e->v, &e->jv) &&
           find_by_halves(e, test_outputs, outputs, n, &output) && take_example(e, &output);
}

/* By the float type of the text that has the fewest digits. */
static double least_difference(const textvm *text)
{
    return textvm_names_scalar(text, TYPE_BFLOAT16)  ? 0x1p-3
           : textvm_names_scalar(text, TYPE_FLOAT16) ? 0x1p-6
                                                     : 1e-4;
}

/* In the launch in which the proof found the adjoint wrong. */
static bool search_launch(checker *k, check_example *out, strbuf *b)
{
    check_inputs *in = &k->sets[k->wrong_set];
    textvm *text = k->backward[k->backward[0] ? 0 : 1];
    example_search e = {
        .k = k, .in = in, .text = text, .differs = least_difference(text), .out = out};
    bool any;
    e.v = arena_zero(&k->a, in->size + 16);
    e.w = arena_zero(&k->a, in->size + 16);
    for (element at = {NULL, 0}; next_element(in, check_moves(k, in), &at);)
        store(&at, e.v, check_draw_direction(k));
    if (!check_tangent(k, in, e.v, &e.jv))
        return false;
    const bool *changed = check_changed(k, in, e.v, &e.jv, &any);
    memset(e.v, 0, in->size);
    for (element at = {NULL, 0}; next_element(in, changed, &at);)
        store(&at, e.w, check_draw_direction(k));
    if (!find_example(&e, changed))
        return false;
    out->ndim = in->ndim;
    memcpy(out->dim, in->dim, sizeof out->dim);
    check_put_inputs(k, in, b);
    return true;
}

/* --- simple arguments ------------------------------------------------------------------------- */

/* Integers that are passed by value, as counts are, become FEW at most. */
static void make_integers_small(const checker *k, const check_inputs *in)
{
    enum { FEW = 2 };
    const code *f = &k->s->kernel->code;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        uint8_t *at = in->initial + in->params[i];
        if ((t->kind == TYPE_INT32 || t->kind == TYPE_INT64) &&
            num_load((type_kind)t->kind, at).i > FEW)
            num_store((type_kind)t->kind, at, (num){.i = FEW});
    }
}

/* Floats become multiples of 1/100, but not 0. Shorter ones meet each other's kinks: -1 % 0.25. */
static void make_floats_round(const check_inputs *in)
{
    for (element at = {NULL, 0}; next_element(in, NULL, &at);) {
        const double x = load(&at, in->initial), size = __builtin_fabs(x);
        const double parts = __builtin_floor(100 * size + 0.5);
        if (size < 1 << 10)
            store(&at, in->initial, __builtin_copysign(parts < 1 ? 0.01 : parts / 100, x));
    }
}

/* The example with simpler arguments, where the gradient is wrong with these, too. */
static bool simplify(checker *k, bool integers, check_example *out, strbuf *b)
{
    const uint32_t set = k->wrong_set;
    check_inputs *in = &k->sets[set];
    uint8_t *const initial = in->initial;
    check_example simple;
    strbuf text;
    in->initial = arena_alloc(&k->a, in->size + 16);
    memcpy(in->initial, initial, in->size);
    make_floats_round(in);
    if (integers)
        make_integers_small(k, in);
    check_restart(k, in);
    sb_init(&text, &k->c->mem);
    const bool found = check_forward(k, set) && search_launch(k, &simple, &text);
    if (found) {
        *out = simple;
        b->n = 0;
        sb_str(b, sb_view(&text));
    }
    sb_clear(&text);
    in->initial = initial;
    check_restart(k, in);
    return found;
}

/* In the launch in which the proof found the adjoint wrong, with arguments that are as simple as
 * can be. */
static bool search_simple(checker *k, check_example *out, strbuf *b)
{
    if (!search_launch(k, out, b))
        return false;
    if (!simplify(k, true, out, b))
        simplify(k, false, out, b);
    return true;
}

/* --- small launches -------------------------------------------------------------------------- */

/* The launch with each letter's size set:
 *
 *     "n,m|n=61"   ->   "n=2,m=2" */
static str small_launch(checker *k, str launch, int size)
{
    const str first = check_alternative(launch, 0);
    strbuf b;
    sb_init(&b, &k->c->mem);
    for (size_t i = 0; i < first.n;) {
        const char c = first.p[i];
        sb_char(&b, c);
        i++;
        if (c < 'a' || c > 'z')
            continue;
        sb_printf(&b, "=%d", size);
        while (i < first.n && first.p[i] != ',')
            i++;
    }
    const str out = {arena_dup(&k->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return out;
}

/* The proof once more, which finds the adjoint wrong or not, and then the cause. */
static bool is_wrong_again(checker *k, const check_subject *s, check_result *r, check_cause *cause)
{
    check_cause found;
    check_pair(k, s, r);
    if (!check_is_wrong(r))
        return false;
    if (check_find_cause(k, &found))
        *cause = found;
    return true;
}

bool check_explain(checker *k, const check_subject *s, check_cause *cause, check_example *out,
                   strbuf *b)
{
    check_result r;
    check_subject small = *s;
    small.no_mutants = true;
    *cause = (check_cause){.in = &s->kernel->code};
    for (int size = 1; size <= SMALL; size++) {
        small.launch = small_launch(k, s->launch, size);
        if (is_wrong_again(k, &small, &r, cause) && search_simple(k, out, b))
            return true;
    }
    small.launch = s->launch;
    return is_wrong_again(k, &small, &r, cause) && search_simple(k, out, b);
}
