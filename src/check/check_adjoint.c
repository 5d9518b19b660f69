/* SPDX-License-Identifier: Apache-2.0 */
/* The dot-product test of a backward text: is it the adjoint of the kernel?
 *
 *     v     a random direction of all floats that go in, in arrays and by value
 *     Jv    what the reference interpreter makes of it with dual numbers
 *     w     a random direction of the floats that come out, in arrays that changed
 *     J'w   what the backward text makes of it, on the state that the forward launch left
 *     <w, Jv> = <J'w, v>     holds for the adjoint, and for nothing else but by chance
 *
 * Warp computes the adjoints of what is passed by value in each thread and then drops them. Here
 * they are taken from the threads and added up.
 *
 * The difference is taken relative to the sum of the absolute terms of both sides and of |w|, so
 * that cancellation between them costs nothing, nor does that inside of a small derivative, as of
 * tanh far from zero. What is left is the rounding inside of both runs, which
 * grows with the number of operations that follow each other; the tolerance is
 * TOLERANCE_BASE epsilons of the least precise float type in the text, and one more for each 2
 * lines of the backward text; for float16 and bfloat16, TOLERANCE_HALF and one for each 16. A
 * kernel that cancels loses more: where a difference lies above the tolerance but is small, the
 * inputs of both runs are moved by a few units in the last place, and the tolerance becomes eight
 * times what that changes, but no more than ROUNDING_MAX. The backward text's inputs stay where it
 * is known to be wrong: moving them would excuse that; equality decides in the adjoint of
 * atomic_max, say, so that moving takes all of the derivative away.
 */
#include "base/format.h"
#include "check/check_internal.h"

/* FOREIGN: as many times FUEL have the kernels that people wrote.
 * SETS_AGAIN: input sets for kernels whose gradient Warp may get wrong for some inputs only.
 * STEPS_AGAIN: kernels of more steps get no further sets where they passed. */
enum {
    FUEL = 1000000,
    FOREIGN = 10,
    TOLERANCE_BASE = 512,
    TOLERANCE_HALF = 24,
    SETS_AGAIN = 5,
    STEPS_AGAIN = 1000
};
#define ROUNDING_MAX 0.01 /* no difference above is called rounding */
#define FEW_DIGITS   0.1  /* nor above, where float16 and bfloat16 leave few digits */
#define UNIT_HALF    0x1p-9

typedef enum verdict {
    VERDICT_PASSED,
    VERDICT_FAILED,
    VERDICT_SILENT, /* all terms are zero, or what rounding leaves of a derivative that is */
    VERDICT_KINK,   /* no derivative here, or none that is finite */
    VERDICT_PART,   /* passed for those inputs whose adjoint is finite, at a kink of others */
    VERDICT_NONE,   /* no float comes out */
    VERDICT_ENDED   /* the judgement is over: undecided */
} verdict;

/* The test on one input set. */
typedef struct dot_test {
    checker *k;
    check_inputs *in;
    uint8_t *v, *w;     /* directions, laid out as the arrays */
    check_image jv, jw; /* what the two runs make of them */
    bool kink, steep;   /* the tangents met one, or an infinite slope */
    double error, unit; /* unit: how far floats are moved, the least precise of them */
} dot_test;

/* Kernels that people wrote walk through their neighbours, and are longer than generated ones; a
 * backward text takes some three times the steps of its forward pass. */
static uint64_t adjoint_fuel(const checker *k)
{
    return check_fuel(k, k->s->foreign ? FOREIGN * FUEL : FUEL);
}

/* A few units in the last place of 1. */
static double unit_of(type_kind kind)
{
    return kind == TYPE_BFLOAT16  ? 0x1p-6
           : kind == TYPE_FLOAT16 ? UNIT_HALF
           : kind == TYPE_FLOAT32 ? 0x1p-22
                                  : 0x1p-51;
}

/* The float type of the text with the fewest digits; it decides how far rounding goes. */
static type_kind least_precise(const textvm *vm)
{
    return textvm_names_scalar(vm, TYPE_BFLOAT16)  ? TYPE_BFLOAT16
           : textvm_names_scalar(vm, TYPE_FLOAT16) ? TYPE_FLOAT16
           : textvm_names_scalar(vm, TYPE_FLOAT32) ? TYPE_FLOAT32
                                                   : TYPE_FLOAT64;
}

static double tolerance(const textvm *vm)
{
    /* Of few digits: no more than they need. */
    const double epsilon = unit_of(least_precise(vm)) / 4;
    if (epsilon >= UNIT_HALF / 4)
        return epsilon * (TOLERANCE_HALF + textvm_lines(vm) / 16.0);
    return epsilon * (TOLERANCE_BASE + 0.5 * textvm_lines(vm));
}

/* Random numbers in the float arrays; with `where`, only in those for which it holds. */
static void draw_direction(dot_test *t, uint8_t *bytes, const bool *where)
{
    for (uint32_t i = 0; i < t->in->nslots; i++) {
        const check_slot *s = &t->in->slots[i];
        const type_kind kind = (type_kind)s->scalar;
        const size_t width = layout_size(type_scalar_of(s->elem));
        for (size_t j = 0; s->is_float && (!where || where[i]) && j < s->lanes; j++)
            num_store(kind, bytes + check_lane(s, width, j),
                      (num){.f = check_draw_direction(t->k)});
    }
}

static void copy_floats(const check_inputs *in, uint8_t *to, const uint8_t *from)
{
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *s = &in->slots[i];
        const size_t width = layout_size(type_scalar_of(s->elem));
        const size_t run = s->stride ? s->run : s->lanes;
        for (size_t j = 0; s->is_float && j < s->lanes; j += run) {
            const size_t at = check_lane(s, width, j);
            memcpy(to + at, from + at, run * width);
        }
    }
}

/* Arguments without floats have no tangent. */
static void drop_others(const checker *k, rvalue *args)
{
    const code *f = &k->s->kernel->code;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type, *scalar = type_scalar_of(t);
        if (t->kind == TYPE_ARRAY ? !args[i].array->data : scalar && !type_is_float(scalar))
            args[i].type = NULL;
    }
}

bool check_tangent(checker *k, check_inputs *in, const uint8_t *v, check_image *jv)
{
    WEFT_ASSERT(v != NULL);
    check_image_new(k, in, jv);
    copy_floats(in, jv->bytes, v);
    check_image_refresh(k, in, jv);
    drop_others(k, jv->args);
    interp_launch launch = {.kernel = k->s->kernel,
                            .args = in->values.args,
                            .tangents = jv->args,
                            .ndim = in->ndim,
                            .block_dim = check_has_tiles(k) ? check_block(k) : 0,
                            .fuel = adjoint_fuel(k),
                            .cuda = check_cuda_alone(k)};
    memcpy(launch.dim, in->dim, sizeof launch.dim);
    check_restart(k, in);
    k->error.n = 0;
    const bool ran = interp_launch_run(k->reference, &launch, &k->error);
    k->r->work += interp_steps(k->reference);
    check_note_volumes(k, in);
    return ran;
}

static bool launch_tangent(dot_test *t, check_image *jv)
{
    return check_tangent(t->k, t->in, t->v, jv);
}

const bool *check_moves(checker *k, const check_inputs *in)
{
    bool *moves = arena_zero(&k->a, (in->nslots + 1) * sizeof *moves);
    for (uint32_t i = 0; i < in->nslots; i++)
        moves[i] = in->slots[i].is_float && !(k->s->gradients && in->slots[i].by_value);
    return moves;
}

/* Jv. The state is then the one that the forward launch leaves, which must be what it is without
 * tangents; a difference would be a bug of the interpreter. */
static bool run_tangent(dot_test *t)
{
    checker *k = t->k;
    check_inputs *in = t->in;
    t->v = arena_zero(&k->a, in->size + 16);
    draw_direction(t, t->v, check_moves(k, in));
    if (!launch_tangent(t, &t->jv))
        return check_end_with_reference_error(k);
    t->kink = interp_met_kink(k->reference);
    t->steep = interp_met_steep(k->reference);
    if (!check_states_equal(in, in->expected, in->values.bytes))
        return check_end(k, CHECK_FAILED, CHECK_REASON_REFERENCE,
                         "the kernel computes other values with tangents than without");
    return true;
}

const bool *check_changed(checker *k, const check_inputs *in, const uint8_t *v,
                          const check_image *jv, bool *any)
{
    bool *changed = arena_zero(&k->a, (in->nslots + 1) * sizeof *changed);
    *any = false;
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *s = &in->slots[i];
        changed[i] =
            !check_slot_same(s, in->initial, in->expected) || !check_slot_same(s, v, jv->bytes);
        *any |= changed[i] && s->is_float;
    }
    return changed;
}

/* w on the arrays that the launch changed, in value or in derivative. False: there are none. Seeds
 * elsewhere would only pass through unchanged. */
static bool draw_seeds(dot_test *t)
{
    WEFT_ASSERT(t->v != NULL && t->jv.bytes != NULL);
    bool any = false;
    const bool *changed = check_changed(t->k, t->in, t->v, &t->jv, &any);
    t->w = arena_zero(&t->k->a, t->in->size + 16);
    draw_direction(t, t->w, changed);
    return any;
}

/* The state is the one after the forward launch, as in Warp, where Tape.backward runs when the
 * forward launches are over. */
static bool run_adjoint(checker *k, check_inputs *in, textvm *vm, const uint8_t *w, check_image *jw,
                        bool unset_is_zero, textvm_error *error)
{
    void **gradients = ARENA_ARRAY(&k->a, void *, k->s->kernel->code.nparams + 1);
    uint64_t steps = 0;
    textvm_launch launch = {.args = in->values.args,
                            .adjoints = jw->args,
                            .gradients = gradients,
                            .ndim = in->ndim,
                            .block_dim = check_block(k),
                            .in_order = true,
                            .unset_is_zero = unset_is_zero,
                            .fuel = adjoint_fuel(k),
                            .steps = &steps};
    memcpy(launch.dim, in->dim, sizeof launch.dim);
    memcpy(in->values.bytes, in->expected, in->size);
    for (uint32_t i = 0; i < k->s->kernel->code.nparams; i++)
        gradients[i] = jw->bytes + in->params[i];
    copy_floats(in, jw->bytes, w);
    const bool ran = textvm_run(vm, &launch, error);
    k->r->work += steps;
    return ran;
}

/* Warp's text may read a variable without a value where a merged one is not used. Whose gradient is
 * judged, that is noted: what an atomic gave is such a value in the backward pass. */
bool check_backward(checker *k, check_inputs *in, textvm *vm, const uint8_t *w, check_image *jw,
                    textvm_error *error)
{
    if (k->s->gradients && !k->r->unset) {
        if (run_adjoint(k, in, vm, w, jw, false, error) || error->kind != TEXTVM_UNSET)
            return error->kind == TEXTVM_OK;
        k->r->unset = true;
        *error = (textvm_error){0};
        check_image_new(k, in, jw);
    }
    return run_adjoint(k, in, vm, w, jw, k->s->foreign, error);
}

static bool run_backward(dot_test *t, textvm *vm, textvm_error *error)
{
    return check_backward(t->k, t->in, vm, t->w, &t->jw, error);
}

/* What is wrong with the backward text, unless Warp's own is known to be (check_class_of). A text
 * that uses a variable without a value computes anything. */
static verdict wrong(dot_test *t, const textvm_error *e)
{
    WEFT_ASSERT(e->kind != TEXTVM_OK);
    checker *k = t->k;
    if (e->kind == TEXTVM_MISSING || e->kind == TEXTVM_FUEL)
        check_end(k, CHECK_CANNOT,
                  e->kind == TEXTVM_MISSING ? CHECK_REASON_MISSING : CHECK_REASON_FUEL,
                  "backward text, line %u: %s", e->line, e->text);
    else if (e->kind == TEXTVM_UNSET)
        check_end(k, CHECK_FAILED, CHECK_REASON_UNINITIALISED, "backward text, line %u: %s",
                  e->line, e->text);
    else if (k->s->foreign && e->array) { /* loops run to their end there: longer arrays will do */
        k->r->outside = (interp_outside){e->array, e->ndim, e->dim, e->index};
        k->r->outside_set = (uint32_t)(t->in - k->sets);
        check_end(k, CHECK_FAILED, CHECK_REASON_FAULT, "backward text, line %u: %s", e->line,
                  e->text);
    } else if (!check_class_of(k) && e->kind == TEXTVM_UNSPECIFIED)
        check_end(k, CHECK_CANNOT, CHECK_REASON_UNSPECIFIED, "backward text, line %u: %s", e->line,
                  e->text);
    else if (!check_class_of(k))
        check_end(k, CHECK_FAILED, CHECK_REASON_FAULT, "backward text, line %u: %s", e->line,
                  e->text);
    else {
        format_text(k->r->detail, sizeof k->r->detail, "backward text, line %u: %s", e->line,
                    e->text);
        return VERDICT_FAILED;
    }
    return VERDICT_ENDED;
}

/* Runs the backward texts; all have to do the same, or fail in the same way. */
static verdict run_all_backward(dot_test *t)
{
    checker *k = t->k;
    uint8_t *first = NULL;
    bool first_good = false;
    textvm_error error = {0};
    check_image_new(k, t->in, &t->jw);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!k->backward[d])
            continue;
        textvm_error e = {0};
        const bool good = run_backward(t, k->backward[d], &e);
        if (first &&
            (good != first_good || (good && !check_states_equal(t->in, first, t->jw.bytes)))) {
            check_end(k, CHECK_FAILED, CHECK_REASON_DEVICES,
                      "the backward texts do not compute the same");
            return VERDICT_ENDED;
        }
        if (!first) {
            first = arena_alloc(&k->a, t->in->size + 16);
            memcpy(first, t->jw.bytes, t->in->size);
            first_good = good;
            error = e;
        }
    }
    return first_good ? VERDICT_PASSED : wrong(t, &error);
}

/* A dot product of two directions with what rounding is measured by: the sum of the absolute terms,
 * and of the absolute first factors. */
typedef struct sum {
    double value, terms, seeds; /* seeds: of the absolute first factors */
} sum;

/* Adds a slot's share of a dot product, in double. */
static void add_products(const check_slot *s, const uint8_t *a, const uint8_t *b, sum *to)
{
    WEFT_ASSERT(s->is_float);
    const size_t width = layout_size(type_scalar_of(s->elem));
    for (size_t j = 0; j < s->lanes; j++) {
        const size_t at = check_lane(s, width, j);
        const double x =
            num_load((type_kind)s->scalar, a + at).f * num_load((type_kind)s->scalar, b + at).f;
        to->value += x;
        to->terms += __builtin_fabs(x);
        to->seeds += __builtin_fabs(num_load((type_kind)s->scalar, a + at).f);
    }
}

/* Inputs whose adjoint is not finite do not move any more. False: there are none that do. */
static bool hold_infinite(dot_test *t)
{
    bool any = false;
    for (uint32_t i = 0; i < t->in->nslots; i++) {
        const check_slot *s = &t->in->slots[i];
        const type_kind kind = (type_kind)s->scalar;
        const size_t width = layout_size(type_scalar_of(s->elem));
        for (size_t j = 0; s->is_float && j < s->lanes; j++) {
            const size_t at = check_lane(s, width, j);
            const bool finite = __builtin_isfinite(num_load(kind, t->jw.bytes + at).f);
            if (!finite) {
                num_store(kind, t->v + at, (num){.f = 0});
                num_store(kind, t->jw.bytes + at, (num){.f = 0});
            }
            any |= finite && num_load(kind, t->jw.bytes + at).f != 0;
        }
    }
    return any;
}

/* The dot product of two states over all floats. */
static void add_all(const dot_test *t, const uint8_t *a, const uint8_t *b, sum *to)
{
    for (uint32_t i = 0; i < t->in->nslots; i++)
        if (t->in->slots[i].is_float)
            add_products(&t->in->slots[i], a, b, to);
}

/* Every float a few units in the last place off. */
static void perturb(dot_test *t, uint8_t *bytes)
{
    for (uint32_t i = 0; i < t->in->nslots; i++) {
        const check_slot *s = &t->in->slots[i];
        const type_kind kind = (type_kind)s->scalar;
        const size_t width = layout_size(type_scalar_of(s->elem));
        const double unit = unit_of(kind);
        for (size_t j = 0; s->is_float && j < s->lanes; j++) {
            uint8_t *p = bytes + check_lane(s, width, j);
            const double x = num_load(kind, p).f * (1 + unit * check_draw_direction(t->k));
            num_store(kind, p, num_wrap(kind, (num){.f = x}));
        }
    }
}

/* A copy with every float a few units in the last place off. */
static uint8_t *perturbed_copy(dot_test *t, const uint8_t *bytes)
{
    uint8_t *copy = arena_alloc(&t->k->a, t->in->size + 16);
    memcpy(copy, bytes, t->in->size);
    perturb(t, copy);
    return copy;
}

/* How far <w, Jv> moves when the inputs are perturbed_copy: what rounding costs a kernel that
 * cancels. 0 if the moved launch fails. */
static double sensitivity(dot_test *t, const sum *left)
{
    check_inputs *in = t->in;
    check_image jv;
    sum moved = {0};
    uint8_t *saved = in->initial;
    in->initial = perturbed_copy(t, saved);
    const bool ran = launch_tangent(t, &jv);
    in->initial = saved;
    check_restart(t->k, in);
    if (ran)
        add_all(t, t->w, jv.bytes, &moved);
    return ran ? __builtin_fabs(moved.value - left->value) : 0;
}

/* The same of <J'w, v>: the text may cancel where the tangent does not, as the adjoint of normalize
 * does for a vector that keeps its direction: what is left is divided by the length. */
static double backward_sensitivity(dot_test *t, const sum *right)
{
    check_inputs *in = t->in;
    textvm *vm = t->k->backward[t->k->backward[0] ? 0 : 1];
    textvm_error e = {0};
    const check_image found = t->jw;
    sum moved = {0};
    uint8_t *saved = in->expected;
    check_image_new(t->k, in, &t->jw);
    in->expected = perturbed_copy(t, saved);
    const bool ran = run_backward(t, vm, &e);
    in->expected = saved;
    if (ran)
        add_all(t, t->jw.bytes, t->v, &moved);
    t->jw = found;
    return ran ? __builtin_fabs(moved.value - right->value) : 0;
}

/* What only the inputs' last places decide has no derivative: where moving them by `unit` of their
 * size moves the derivative by a quarter, or by a thousand times as much. */
static bool is_unstable(const dot_test *t, double most)
{
    const double far = 1024 * t->unit;
    return most >= (far < 0.25 ? far : 0.25);
}

/* The most that moving the inputs of both runs by a few units in the last place changes. The
 * backward text's stay where it is known to be wrong. */
static double most_moved(dot_test *t, const sum *left, const sum *right)
{
    const bool tangent_only = check_class_of(t->k) != NULL;
    double most = 0;
    for (int i = 0; i < 6; i++) {
        if (i & 1 && tangent_only)
            continue;
        const double moved = i & 1 ? backward_sensitivity(t, right) : sensitivity(t, left);
        most = moved > most && moved < __builtin_inf() ? moved : most;
    }
    return most;
}

/* A small difference may still be rounding; a large one that rounding explains says that this is
 * no place for a derivative: normalize(cross(v, 2.0 * v)), say. In types of few digits much can be
 * rounding that is neither; then the pair is not proved. */
static verdict explained_by_rounding(dot_test *t, const sum *left, const sum *right)
{
    checker *k = t->k;
    const double terms = left->terms + right->terms + left->seeds;
    const double most = most_moved(t, left, right) / terms;
    const bool few = t->unit >= UNIT_HALF && t->error <= FEW_DIGITS;
    if (t->error > 8 * most && !few)
        return VERDICT_FAILED;
    if (t->error > ROUNDING_MAX && is_unstable(t, most))
        return VERDICT_KINK;
    if (t->error > ROUNDING_MAX) {
        check_end(k, CHECK_CANNOT, CHECK_REASON_ROUNDING,
                  "a relative error of %.3g, with a tolerance of %.3g, may be rounding", t->error,
                  k->r->adjoint_tolerance);
        return VERDICT_ENDED;
    }
    const double most_allowed = 8 * most < ROUNDING_MAX ? 8 * most : ROUNDING_MAX;
    if (most_allowed > k->r->adjoint_tolerance)
        k->r->adjoint_tolerance = most_allowed;
    return VERDICT_PASSED;
}

/* Is the derivative larger than some float type of the text can hold? Directions lie in [0.5, 1],
 * so terms / 4 bounds it. Half has the smallest range, even beside bfloat16, which has fewer
 * digits:
 *
 *     r = float(wp.randi(state)); y[i] = r * float(x[i])     x of halves: its adjoint, r, is inf */
static bool is_beyond(const dot_test *t, const sum *left)
{
    const textvm *vm = t->k->backward[t->k->backward[0] ? 0 : 1];
    const double most =
        textvm_names_scalar(vm, TYPE_FLOAT16) ? 0x1p16
        : textvm_names_scalar(vm, TYPE_BFLOAT16) || textvm_names_scalar(vm, TYPE_FLOAT32)
            ? 0x1p128
            : 0x1p1023;
    return left->terms > most / 4;
}

/* <w, Jv> against <J'w, v>, with the tolerance that the head of the file explains. Without finite
 * sums there is no derivative to compare, unless only the text's is not finite. */
static verdict compare(dot_test *t)
{
    sum left = {0}, right = {0};
    add_all(t, t->w, t->jv.bytes, &left);
    add_all(t, t->jw.bytes, t->v, &right);
    const bool finite = left.terms < __builtin_inf(), also = right.terms < __builtin_inf();
    const double terms = left.terms + right.terms;
    t->error = 1.0;
    if (!finite)
        return VERDICT_KINK;
    if (!also)
        return t->kink || t->steep || is_beyond(t, &left) ? VERDICT_KINK : VERDICT_FAILED;
    if (terms == 0)
        return VERDICT_SILENT;
    if (terms <= t->k->r->adjoint_tolerance * left.seeds)
        return VERDICT_SILENT;
    t->error = __builtin_fabs(left.value - right.value) / (terms + left.seeds);
    if (t->error <= t->k->r->adjoint_tolerance)
        return VERDICT_PASSED;
    const verdict v = explained_by_rounding(t, &left, &right);
    return v == VERDICT_FAILED && t->kink ? VERDICT_KINK : v;
}

/* Where a slope is infinite, the test of the inputs whose adjoint is finite: no adjoint that is
 * not has reached these.
 *
 *     y[i] = wp.where(n[i] > 0.0, x[i] / n[i], 0.0)      n[0] = 0: the adjoint of x[0] is NaN */
static verdict compare_rest(dot_test *t)
{
    if (!hold_infinite(t) || !launch_tangent(t, &t->jv))
        return VERDICT_KINK;
    t->kink = interp_met_kink(t->k->reference);
    const verdict v = compare(t);
    return v == VERDICT_PASSED ? VERDICT_PART : v;
}

/* The test for the inputs of one slot. */
static bool is_slot_wrong(dot_test *t, uint32_t slot, bool *only)
{
    sum left = {0}, right = {0};
    memset(t->v, 0, t->in->size);
    memset(only, 0, t->in->nslots * sizeof *only);
    only[slot] = true;
    draw_direction(t, t->v, only);
    if (!launch_tangent(t, &t->jv) || interp_met_kink(t->k->reference) ||
        interp_met_steep(t->k->reference))
        return false;
    add_all(t, t->w, t->jv.bytes, &left);
    add_all(t, t->jw.bytes, t->v, &right);
    const double terms = left.terms + right.terms;
    const double off = __builtin_fabs(left.value - right.value);
    if (!(terms < __builtin_inf()) || off <= t->k->r->adjoint_tolerance * terms ||
        off <= 8 * most_moved(t, &left, &right))
        return false;
    t->error = off / terms;
    return true;
}

/* Where the sum over all inputs passes, the test of each array and value by itself: one whose
 * derivative is small may be lost among the others.
 *
 *     y[i] = x[i] + 1.0e-4 * s[i]        without the gradient of s the sum is 3e-5 off
 */
static verdict compare_slots(dot_test *t)
{
    uint32_t floats = 0;
    bool *only = ARENA_ARRAY(&t->k->a, bool, t->in->nslots + 1);
    const bool *moves = check_moves(t->k, t->in);
    for (uint32_t i = 0; i < t->in->nslots; i++)
        floats += moves[i];
    for (uint32_t i = 0; i < t->in->nslots && floats > 1; i++)
        if (moves[i] && t->in->slots[i].lanes && is_slot_wrong(t, i, only))
            return VERDICT_FAILED;
    return VERDICT_PASSED;
}

/* The test on one input set. *error: the relative error, 1 if the texts failed. */
static verdict test_set(checker *k, check_inputs *in, double *error)
{
    const textvm *vm = k->backward[k->backward[0] ? 0 : 1];
    dot_test t = {.k = k, .in = in, .unit = unit_of(least_precise(vm))};
    if (!run_tangent(&t))
        return VERDICT_ENDED;
    const bool any = draw_seeds(&t);
    *error = 1.0;
    if (!any && k->s->gradients) /* whatever the text does, it has nothing to do */
        return VERDICT_NONE;
    const verdict v = run_all_backward(&t);
    if (v != VERDICT_PASSED)
        return v;
    if (!any)
        return VERDICT_NONE;
    verdict found = compare(&t);
    if (found == VERDICT_KINK && t.steep)
        found = compare_rest(&t);
    *error = t.error;
    if (found != VERDICT_PASSED || !(k->s->foreign || check_class_of(k)))
        return found;
    found = compare_slots(&t);
    *error = found == VERDICT_FAILED ? t.error : *error;
    return found;
}

/* A wrong adjoint is Warp's if the source has a known cause, and weft's otherwise. */
static void record_wrong_adjoint(checker *k, double error)
{
    const char *name = check_class_of(k);
    k->r->adjoint_error = error;
    if (!name) {
        check_end(k, CHECK_FAILED, CHECK_REASON_ADJOINT,
                  "the adjoint is wrong: a relative error of %.3g, with a tolerance of %.3g", error,
                  k->r->adjoint_tolerance);
        return;
    }
    k->r->status = CHECK_WARP_DIFFERS;
    k->r->class = name;
}

/* Verdicts over the sets so far. */
typedef struct tally {
    uint32_t passed, undecided; /* undecided: there could have been a derivative */
    bool kink, part;            /* part: passed for some inputs */
} tally;

/* One more set, where those before had no derivative, or none but zero. Of few threads where they
 * had kinks: one thread at a kink spoils a set. */
static bool draw_another(checker *k, const tally *t)
{
    const bool few = k->sets[0].steps > STEPS_AGAIN || (t->kink && !t->passed);
    if (!check_draw(k, k->nsets > SETS_AGAIN, few, &k->sets[k->nsets]) ||
        !check_forward(k, k->nsets))
        return false;
    k->nsets++;
    return true;
}

/* False: the judgement is over. */
static bool test_set_and_tally(checker *k, uint32_t set, tally *t)
{
    double error = 0;
    const verdict v = test_set(k, &k->sets[set], &error);
    if (v == VERDICT_FAILED) {
        k->wrong_set = set;
        record_wrong_adjoint(k, error);
    }
    if ((v == VERDICT_PASSED || v == VERDICT_PART) && error > k->r->adjoint_error)
        k->r->adjoint_error = error;
    t->passed += v == VERDICT_PASSED;
    t->undecided += v == VERDICT_KINK || v == VERDICT_SILENT || v == VERDICT_PART;
    t->kink |= v == VERDICT_KINK || v == VERDICT_PART;
    t->part |= v == VERDICT_PART;
    return v != VERDICT_ENDED && v != VERDICT_FAILED;
}

/* Where nothing could be tested, and where Warp's text may be wrong for some inputs only; or a text
 * may have been changed. */
static bool needs_more_sets(checker *k, const tally *t)
{
    if (!t->passed)
        return t->undecided > 0 && k->nsets < CHECK_INPUTS_MAX;
    return k->nsets < SETS_AGAIN && k->sets[0].steps <= STEPS_AGAIN && check_class_of(k) != NULL;
}

/* Has an array structs with arrays of floats? Warp's gradients of these go to where the arrays
 * themselves say, which the machines do not follow. */
static bool has_inner(const check_inputs *in)
{
    for (uint32_t i = 0; i < in->nslots; i++)
        if (in->slots[i].inner && in->slots[i].is_float)
            return true;
    return false;
}

/* One passed set makes the pair exact, or where there is none, one that passed in part; a failed
 * one ends the proof. The pair is nondifferentiable if no set had a derivative. */
bool check_adjoint(checker *k)
{
    WEFT_ASSERT(k->nsets >= 1 && k->nsets <= CHECK_INPUTS_MAX);
    const textvm *vm = k->backward[k->backward[0] ? 0 : 1];
    tally t = {0};
    if (!vm)
        return true;
    if (has_inner(&k->sets[0]))
        return check_end(k, CHECK_CANNOT, CHECK_REASON_MISSING,
                         "cannot execute the gradients of arrays in the structs of an array");
    k->r->adjoint_tolerance = tolerance(vm);
    for (uint32_t i = 0; i < k->nsets; i++) {
        if (!test_set_and_tally(k, i, &t))
            return !k->r->reason;
        if (i + 1 == k->nsets && needs_more_sets(k, &t) && !draw_another(k, &t))
            return false;
    }
    k->r->status = t.passed || t.part ? CHECK_EXACT : CHECK_NONDIFFERENTIABLE;
    k->r->undecided = !t.passed && !t.part && t.undecided;
    return true;
}
