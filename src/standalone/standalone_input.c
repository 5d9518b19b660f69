/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the arrays before a launch: numbers by counter, the same here and in the program,
 * exact in their type. An example, what a program has for an array of 277 floats:
 *
 *     fill_floats(x, 277, 1u, 1024, 2.0);  number i: (2 * (hash(1, i) % 1024) + 1 - 1024) / 512
 *
 * Numbers that are no power of two would be rounded differently by narrow types, so steps are. */
#include "standalone/standalone_internal.h"

enum { STEPS = 1024, STEPS_BFLOAT16 = 128, INT_LOG_MAX = 8, INDEXES = 4 };

/* Beside a stream: the bits that are turned over. */
enum { TURNED = SA_STREAMS / 4 };

uint32_t sa_stream_turned(const sa_fill *f)
{
    return f->stream + TURNED;
}

/* NaN or an infinity, by chance. */
static double odd_number(uint32_t x)
{
    return x % 2 ? __builtin_nan("") : x / 2 % 2 ? -__builtin_inf() : __builtin_inf();
}

/* Number i of a stream, by counter: the program computes the same without storing it. */
static num number_at(const sa_fill *f, uint32_t i)
{
    WEFT_ASSERT(f->steps > 0);
    const uint32_t x = inputs_hash(f->stream, i) % f->steps;
    if (f->kind == INPUTS_FILL_OFFSETS)
        return (num){.i = (int64_t)f->steps * i + inputs_hash(f->stream, i) % (f->steps + 1)};
    if (f->kind == INPUTS_FILL_SENTINEL)
        return (num){.i = inputs_hash(f->stream, i) / f->steps % 8 == 0 ? f->least : (int64_t)x};
    if (f->kind == INPUTS_FILL_LATTICE)
        return (num){.i = f->least + inputs_lattice_at(&f->lattice, i, f->steps)};
    if (f->scalar < TYPE_FLOAT16)
        return (num){.i = (int32_t)((uint32_t)(f->least + x) ^
                                    (inputs_hash(sa_stream_turned(f), i) & f->mask))};
    if (f->odd && inputs_hash(f->stream, i) / f->steps % f->odd == f->odd - 1)
        return (num){.f = odd_number(inputs_hash(f->stream, i) / f->steps / f->odd)};
    if (f->zeros && inputs_hash(f->stream, i) / f->steps % 8 < f->zeros)
        return (num){.f = 0};
    const bool turned = f->turn && inputs_hash(f->turn, i) % 8 == 0;
    const double odd = f->positive ? 2.0 * x + 1.0 : 2.0 * x + 1.0 - f->steps;
    const bool pivot = f->columns && i / f->columns % f->rows == i % f->columns;
    return (num){.f = (turned ? -odd : odd) * (f->largest / f->steps) +
                      (pivot ? f->largest * f->columns : 0)};
}

/* widths: bytes of each scalar type, by type_kind. */
void sa_fill_items(const sa_fill *f, uint8_t *to, size_t n)
{
    WEFT_ASSERT(f->scalar <= TYPE_FLOAT64);
    static const uint8_t widths[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
    for (size_t i = 0; i < n; i++)
        num_store(f->scalar, to + i * widths[f->scalar], number_at(f, (uint32_t)i));
}

/* bfloat16 has 8 bits of mantissa: fewer steps keep the numbers exact. Positive numbers have twice
 * the distance. */
static uint32_t steps_of(type_kind scalar, bool positive)
{
    const uint32_t steps = scalar == TYPE_BFLOAT16 ? STEPS_BFLOAT16 : STEPS;
    return positive ? steps / 2 : steps;
}

/* Between -1 and 1, of either sign: gradients are linear in their seeds, so larger ones would show
 * nothing more. */
sa_fill sa_fill_adjoint(const char *path, type_kind scalar, uint32_t stream)
{
    return (sa_fill){.path = path,
                     .scalar = scalar,
                     .stream = stream,
                     .steps = steps_of(scalar, false),
                     .largest = 1};
}

/* Integers by the parameter's role, as far as their type has them. */
static void plan_fill(sa_fill *f, const inputs_arg *a, bool is_signed, int bits)
{
    WEFT_ASSERT(a->steps > 0);
    const int64_t most = bits > 30 ? INT32_MAX : (1 << bits) - 1;
    f->kind = a->kind;
    if (a->kind == INPUTS_FILL_SENTINEL && !is_signed)
        f->kind = INPUTS_FILL_DRAWN;
    f->least = !is_signed && a->least < 0 ? 0 : a->least;
    f->lattice = a->lattice;
    f->mask = f->kind == INPUTS_FILL_DRAWN ? a->mask & (uint32_t)most : 0;
    f->steps = a->steps > most - f->least ? (uint32_t)(most - f->least) + 1 : a->steps;
}

/* The power of two next to mag for which all of the type's numbers, down to a step of 2^-10 of it,
 * are exact: the smallest float16 is 2^-24, the smallest float32 2^-149. */
static int magnitude_of(type_kind scalar, int mag)
{
    const int most = scalar == TYPE_FLOAT16   ? 15
                     : scalar == TYPE_FLOAT64 ? 1000
                                              : 127,
              least = scalar == TYPE_FLOAT16   ? -14
                      : scalar == TYPE_FLOAT64 ? -1000
                                               : -116;
    return mag > most ? most : mag < least ? least : mag;
}

/* How many different integers a field of a struct gets, and the number where it is one. The fields
 * of a queue, say: of `head` and `tail` one is larger now and then, by more than `capacity`. */
static uint32_t field_steps(const sa_inputs *in, const inputs_arg *a)
{
    static const uint8_t steps[] = {INDEXES, 1, 2, 3, 8, 29, INDEXES, 2};
    return a->mix ? steps[inputs_hash(a->mix, in->next) % sizeof steps] : INDEXES;
}

/* Which numbers suit a parameter. Each call takes the next stream of the run's range. */
static sa_fill fill_of(sa_inputs *in, const char *path, type_kind scalar, const inputs_arg *a)
{
    static const uint8_t bits[] = {1, 7, 8, 15, 16, 31, 32, 63, 64};
    sa_fill f = {.path = path, .scalar = scalar, .stream = in->seed * SA_STREAMS + ++in->next};
    if (scalar >= TYPE_FLOAT16) {
        f.positive = in->plan->positive || a->positive;
        f.steps = steps_of(scalar, f.positive);
        f.largest = __builtin_ldexp(1, magnitude_of(scalar, a->mag));
        f.zeros = strchr(path, '.') ? 0 : a->zeros;
        f.odd = strchr(path, '.') ? 0 : a->odd;
        return f;
    }
    const bool is_signed =
        scalar == TYPE_INT8 || scalar == TYPE_INT16 || scalar == TYPE_INT32 || scalar == TYPE_INT64;
    int log = a->mag < 0 ? 0 : a->mag > INT_LOG_MAX ? INT_LOG_MAX : a->mag;
    log = log >= bits[scalar] ? bits[scalar] - 1 : log;
    /* Signed integers from -2^log to 2^log, if their type has 2^log. */
    f.least = is_signed && !a->is_index ? -(1 << log) : 0;
    f.steps = (1u << log) - (uint32_t)f.least + (log < bits[scalar] - 1);
    if (a->is_index)
        f.steps = field_steps(in, a);
    if (a->planned)
        plan_fill(&f, a, is_signed, bits[scalar]);
    if (scalar == TYPE_BOOL) {
        f.steps = 2;
        f.mask = 0;
    }
    return f;
}

/* A path "s.field" belongs to the parameter s. NULL: there is none. Fields have no plan of their
 * own. */
static const inputs_arg *arg_of(const sa_inputs *in, const char *path)
{
    const code *f = &in->k->code;
    const size_t n = strcspn(path, ".");
    for (uint32_t i = 0; i < f->nparams; i++)
        if (str_eq(sym_str(f->params[i].name), (str){path, n}))
            return &in->plan->args[i];
    return NULL;
}

/* The numbers of an array: its own, or those of an earlier one. */
static sa_fill fill_of_array(sa_inputs *in, const char *path, type_kind scalar, const inputs_arg *a)
{
    sa_fill f = fill_of(in, path, scalar, a);
    const sa_fill *twin =
        a->twin ? sa_fill_find(in, sym_str(in->k->code.params[a->twin - 1].name)) : NULL;
    if (!twin || twin->scalar != f.scalar)
        return f;
    const uint32_t stream = f.stream;
    f = *twin;
    f.path = path;
    f.turn = a->turned && scalar >= TYPE_FLOAT16 ? stream : 0;
    return f;
}

/* An array of textures. */
static launch_found give_textures(sa_inputs *in, arena *a, const inputs_arg *shape,
                                  const type *item, int ndim, npy *out)
{
    *out = (npy){.kind = 'u', .width = layout_size(item), .ndim = ndim, .count = 1};
    for (int i = 0; i < ndim; i++) {
        out->shape[i] = shape->shape[i];
        out->count = mem_mul(a->m, out->count, (size_t)shape->shape[i]);
    }
    out->items = arena_zero(a, mem_mul(a->m, out->count, out->width) + 1);
    sa_textures_make(in, in->c, item, out->count, out->items);
    return LAUNCH_GIVEN;
}

/* For launch_source: an array of the planned shape, filled; its fill is kept for the program's
 * text. The arrays of a struct share the shape of the struct. */
static launch_found give_array(void *arg, arena *a, const char *path, const type *item, int ndim,
                               npy *out)
{
    sa_inputs *in = arg;
    const inputs_arg *shape = arg_of(in, path);
    if (!shape || ndim > shape->rank)
        return LAUNCH_ABSENT;
    if (texture_axes(item))
        return give_textures(in, a, shape, item, ndim, out);
    const type_kind scalar = (type_kind)type_scalar_of(item)->kind;
    *out = launch_form(item);
    out->ndim = ndim;
    size_t n = (size_t)lane_count(item);
    for (int i = 0; i < ndim; i++) {
        out->shape[i] = shape->shape[i];
        n = mem_mul(a->m, n, (size_t)shape->shape[i]);
    }
    sa_fill f = fill_of_array(in, path, scalar, shape);
    if (shape->pivots && f.scalar >= TYPE_FLOAT16 && ndim >= 2 && n) {
        f.rows = (uint32_t)shape->shape[ndim - 2];
        f.columns = (uint32_t)shape->shape[ndim - 1];
    }
    VEC_PUSH(in->a, &in->fills, f);
    out->count = n;
    out->items = arena_alloc(a, mem_mul(a->m, n, out->width));
    sa_fill_items(&f, out->items, n);
    if (in->disturbed)
        tolerance_disturb(scalar, out->items, n, f.stream);
    return LAUNCH_GIVEN;
}

/* For launch_source. Integers that are sizes or indexes get what fits the arrays, all else numbers
 * of the stream. */
static launch_found give_value(void *arg, const char *path, const type *t, rvalue *out)
{
    sa_inputs *in = arg;
    const inputs_arg *range = arg_of(in, path);
    uint8_t *bytes = arena_zero(in->a, layout_size(t) + 8);
    if (!range)
        return LAUNCH_ABSENT;
    if (texture_axes(t)) {
        sa_textures_make(in, in->c, t, 1, bytes);
        *out = (rvalue){.type = t, .bytes = bytes};
        return LAUNCH_GIVEN;
    }
    const type_kind scalar = (type_kind)type_scalar_of(t)->kind;
    const size_t n = (size_t)lane_count(t);
    const sa_fill f = fill_of(in, path, scalar, range);
    if (range->is_size && type_is_integer(t))
        /* The size as the type holds it: a launch of 277 threads is 21 in an int8. */
        num_store(scalar, bytes, num_wrap(scalar, (num){.i = range->shape[0]}));
    else if (type_is_integer(t) && range->planned)
        num_store(scalar, bytes, num_wrap(scalar, (num){.i = range->least}));
    else if (type_is_integer(t) && range->is_index)
        num_store(scalar, bytes, (num){.i = field_steps(in, range)});
    else if (!range->zeros)
        sa_fill_items(&f, bytes, n);
    if (in->disturbed)
        tolerance_disturb(scalar, bytes, n, f.stream);
    *out = rvalue_load(in->a, t, bytes);
    return LAUNCH_GIVEN;
}

/* Messages have no reader here: the caller only needs to see that the parameters cannot be filled.
 */
static void ignore(void *arg, const char *path, const char *text)
{
    (void)arg;
    (void)path;
    (void)text;
}

/* Needs: the caller sets source.arg to the struct, which may not move afterwards. */
void sa_inputs_init(sa_inputs *in, ctx *c, arena *a, const kernel *k, unsigned objects,
                    const inputs_plan *plan, uint32_t seed)
{
    WEFT_ASSERT(plan != NULL);
    *in = (sa_inputs){.source = {.array = give_array, .value = give_value, .wrong = ignore},
                      .c = c,
                      .a = a,
                      .k = k,
                      .objects = objects,
                      .plan = plan,
                      .seed = seed};
}

/* The fill of the array at this path; NULL: it got none. */
const sa_fill *sa_fill_find(const sa_inputs *in, str path)
{
    for (uint32_t i = 0; i < in->fills.n; i++)
        if (str_eq(str_c(in->fills.v[i].path), path))
            return &in->fills.v[i];
    return NULL;
}
