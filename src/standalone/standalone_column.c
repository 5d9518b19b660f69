/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a program's arrays: what of them is compared, with what, and how. Of y in saxpy,
 * an array of 277 floats, every fifth number:
 *
 *     static const float expected_y[56] = {
 *         -0.6372566, 0.3166542, 0.37841415, ...};
 *     ...
 *     passed &= compare_floats("y", y, 277, 5, expected_y, 6.4e-05, 1, &largest);
 *
 * Without floats in the kernel, a hash of all integers is compared, too:
 *
 *     passed &= compare_integers("n", n, 277, 5, expected_n);
 *     passed &= compare_hash("n", n, 277, 0x5a1c8e2f90b3d7a4);
 *
 * An array of structs has a column for each field: "particles.mass" is one. */
#include <inttypes.h>

#include "standalone/standalone_internal.h"

/* ALL_IF_FEW: so many numbers at most are all compared where a part would have only FEW of those
 * that change. */
enum { ALL_UP_TO = 128, OF_LARGE = 64, WIDTH = 100, ALL_IF_FEW = 1024, FEW = 8 };
/* Of thousands of numbers, those at a border are few. */
enum { VERY_LARGE = 4096, OF_VERY_LARGE = 320 };

/* The columns of the struct at `path`, those of inner structs too. Of particles: wp.array[Particle]
 * with a field pos: wp.vec3:
 *
 *     path     particles.pos      by which the run's column is found
 *     member   pos                in C, behind the element
 *     flat     particles_pos      an identifier: expected_particles_pos */
static void add_fields(sa_text *t, const sa_array *a, const type *st, str path, str member,
                       str flat, sa_slots *out)
{
    const cuda_struct *s = sa_struct_of(t, st);
    for (uint32_t i = 0; s && i < s->nmembers; i++) {
        const cuda_param *m = &s->members[i];
        const str field = sym_str(st->st->fields[m->arg].name);
        const str inner_path = sa_form(t->c, "$.$", path, field);
        const str inner = member.n ? sa_form(t->c, "$.$", member, m->name) : m->name;
        const str inner_flat = sa_form(t->c, "$_$", flat, m->name);
        if (m->type && m->type->kind == TYPE_STRUCT) {
            add_fields(t, a, m->type, inner_path, inner, inner_flat, out);
            continue;
        }
        const sa_column *col = sa_column_find(t->run, inner_path);
        if (col)
            VEC_PUSH(&t->c->module, out, ((sa_slot){a, col, inner, inner_flat}));
    }
}

/* a_b as a field and as an array would be one identifier: the later one gets underscores. A changed
 * name is compared with all others again. */
static void make_flats_unique(sa_text *t, sa_slots *all)
{
    for (uint32_t i = 0; i < all->n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (str_eq(all->v[i].flat, all->v[k].flat)) {
                all->v[i].flat = sa_form(t->c, "$_", all->v[i].flat);
                /* The loop's increment makes it 0. */
                k = UINT32_MAX;
            }
}

/* The columns of all arrays that are adjoints, or of all that are none. */
void sa_slots_of(sa_text *t, const sa_arrays *arrays, bool adjoint, sa_slots *out)
{
    *out = (sa_slots){0};
    for (uint32_t i = 0; i < arrays->n; i++) {
        const sa_array *a = &arrays->v[i];
        const sa_column *col = sa_column_find(t->run, a->path);
        if (a->adjoint != adjoint)
            continue;
        if (col)
            VEC_PUSH(&t->c->module, out, ((sa_slot){a, col, STR(""), a->flat}));
        else if (a->p->type && a->p->type->kind == TYPE_STRUCT)
            add_fields(t, a, a->p->type, a->path, STR(""), a->flat, out);
    }
    make_flats_unique(t, out);
}

/* Behind the columns of arrays those of volumes that the kernel stores to. What main calls their
 * arrays is known once it has made them. */
static void add_volumes(sa_text *t, sa_slots *out)
{
    static const cuda_param written = {.kind = CUDA_PARAM_POINTER};
    for (uint32_t i = 0; i < t->run->objects.n; i++) {
        const sa_object *o = &t->run->objects.v[i];
        const sa_column *col = o->stored ? sa_column_find(t->run, str_c(o->stored)) : NULL;
        if (!col)
            continue;
        sa_array *a = ARENA_NEW(&t->c->module, sa_array);
        *a = (sa_array){.p = &written, .path = str_c(o->stored), .root = o->arg, .ndim = 1};
        for (uint32_t k = 0; k < t->stored.n; k++)
            if (t->stored.v[k].object == o)
                a->flat = t->stored.v[k].values;
        const str name = sym_str(t->s->kernel->code.params[o->arg].name);
        VEC_PUSH(&t->c->module, out, ((sa_slot){a, col, STR(""), sa_form(t->c, "$_values", name)}));
    }
    make_flats_unique(t, out);
}

/* What is compared: the gradient for an adjoint, else the values after the run. NULL: an integer
 * has no gradient, and values that depend on the order of threads are not compared. */
static const uint8_t *wanted(const sa_slot *s)
{
    const sa_column *col = s->column;
    if (s->array->adjoint)
        return col->gradient;
    return col->racing ? NULL : col->sorted ? col->sorted : col->after;
}

/* Inputs that the kernel cannot write need no comparison. */
static bool is_compared(const sa_text *t, const sa_slot *s)
{
    return t->run->good && s->column->count && wanted(s) && !s->array->p->is_const;
}

/* Trial division; n is at most some thousand. */
static bool is_prime(size_t n)
{
    size_t i = 2;
    while (i * i <= n && n % i)
        i++;
    return n > 1 && i * i > n;
}

/* Of large arrays every step-th number. The step is a prime that does not divide their count, so it
 * is no period of a dimension or of an element's lanes, and none of their indexes is left out: of
 * 19 x 15 numbers every 5th would be three columns; 7 meets all of them. 1 for small arrays. */
static size_t column_step(size_t count)
{
    WEFT_ASSERT(count > 0);
    size_t step = count / (count > VERY_LARGE ? OF_VERY_LARGE : OF_LARGE);
    if (count <= ALL_UP_TO)
        return 1;
    /* Ends soon: primes are dense among numbers of this size. */
    while (!is_prime(step) || count % step == 0)
        step++;
    return step;
}

/* How many numbers differ, of every step-th one. */
static size_t count_changed(size_t count, size_t width, const uint8_t *from, const uint8_t *to,
                            size_t step)
{
    size_t n = 0;
    for (size_t i = (count - 1) % step; i < count; i += step)
        n += memcmp(from + i * width, to + i * width, width) != 0;
    return n;
}

size_t sa_column_step_of(size_t count, size_t width, const uint8_t *from, const uint8_t *to)
{
    const size_t step = column_step(count);
    if (!from || step == 1 || count > ALL_IF_FEW)
        return step;
    const size_t hit = count_changed(count, width, from, to, step);
    return hit < FEW && hit < count_changed(count, width, from, to, 1) ? 1 : step;
}

/* How many of the sets have a number of this rest by the step. */
static uint32_t count_met(size_t step, size_t rest, uint32_t column, const sa_missed *missed,
                          uint32_t n)
{
    uint32_t met = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool any = false;
        for (uint32_t k = 0; missed[i].column == column && k < missed[i].n; k++)
            any |= missed[i].at[k] % step == rest;
        met += any;
    }
    return met;
}

/* With the rest that most numbers of the sets have; the last number is only compared where that
 * is as good. */
static uint32_t best_rest(size_t count, size_t step, uint32_t column, const sa_missed *missed,
                          uint32_t n, size_t *rest)
{
    *rest = (count - 1) % step;
    uint32_t most = count_met(step, *rest, column, missed, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; missed[i].column == column && k < missed[i].n; k++) {
            const size_t other = missed[i].at[k] % step;
            const uint32_t met = count_met(step, other, column, missed, n);
            *rest = met > most ? other : *rest;
            most = met > most ? met : most;
        }
    return most;
}

bool sa_column_meet(size_t count, sa_sample *sample, uint32_t column, const sa_missed *missed,
                    uint32_t n)
{
    enum { SETS = 16 };
    uint32_t most = 0;
    const size_t step = sample->step;
    n = n > SETS ? SETS : n;
    for (size_t other = step * 3 / 4 + 1; step > 1 && other < 2 * step; other++) {
        size_t rest;
        if (!is_prime(other) || count % other == 0)
            continue;
        const uint32_t met = best_rest(count, other, column, missed, n, &rest);
        if (met <= most)
            continue;
        most = met;
        sample->step = other;
        sample->end = rest + 1 + (count - 1 - rest) / other * other;
    }
    WEFT_ASSERT(sample->end <= count);
    return most > 0;
}

static const sa_sample *sample_of(const sa_slot *s)
{
    return s->array->adjoint ? &s->column->gradient_sample : &s->column->sample;
}

static size_t step_of(const sa_slot *s)
{
    return sample_of(s)->step;
}

static size_t end_of(const sa_slot *s)
{
    return sample_of(s)->end;
}

static size_t first_of(const sa_slot *s)
{
    return (end_of(s) - 1) % step_of(s);
}

/* The limit of what is compared: a gradient has its own. */
static const sa_limit *limit_of(const sa_slot *s)
{
    return s->array->adjoint ? &s->column->gradient_limit : &s->column->limit;
}

/* "x" or "(float *)positions": a pointer to the numbers of an array. */
str sa_numbers_of(const sa_text *t, const sa_slot *s, str array)
{
    return type_is_scalar(s->column->type)
               ? array
               : sa_form(t->c, "($ *)$", str_c(sa_scalar_name(s->column->scalar)), array);
}

/* Elements of the array, where the column counts numbers. */
size_t sa_elements_of(const sa_slot *s)
{
    WEFT_ASSERT(s->column->count % (size_t)lane_count(s->column->type) == 0);
    return s->column->count / (size_t)lane_count(s->column->type);
}

/* --- expected values ------------------------------------------------------------------------- */

/* Numbers in lines of at most WIDTH columns; one that does not fit is written again on the next. */
static void put_numbers(strbuf *b, const sa_slot *s)
{
    WEFT_ASSERT(wanted(s) != NULL);
    const size_t width = layout_size(type_scalar_of(s->column->type)), step = step_of(s);
    size_t line = b->n;
    for (size_t i = first_of(s); i < end_of(s); i += step) {
        const size_t begin = b->n;
        sb_c(b, i >= step ? ", " : "    ");
        sa_put_number(b, s->column->scalar, num_load(s->column->scalar, wanted(s) + i * width));
        if (b->n - line > WIDTH - 1) { /* on the next line, then */
            memcpy(b->p + begin, ",\n", 2);
            line = begin + 2;
            /* Only the length changes: the buffer belongs to b throughout. */
            strbuf again = *b;
            again.n = line;
            SB_LIT(&again, "    ");
            sa_put_number(&again, s->column->scalar,
                          num_load(s->column->scalar, wanted(s) + i * width));
            *b = again;
        }
    }
}

/* All bytes zero: then "= {}" says the same in one line. */
static bool all_zero(const sa_slot *s)
{
    const size_t n = s->column->count * layout_size(type_scalar_of(s->column->type));
    size_t i = 0;
    while (i < n && !wanted(s)[i])
        i++;
    return i == n;
}

/* "expected_y"; for the second run "expected_2_y". */
static str expected_name(const sa_text *t, const sa_slot *s)
{
    return t->number ? sa_form(t->c, "expected_$_$", sa_uint(t->c, t->number), s->flat)
                     : sa_form(t->c, "expected_$", s->flat);
}

/* Arrays expected_NAME of what is compared; counts the numbers. */
static void put_expected(sa_text *t, const sa_arrays *arrays, bool adjoint)
{
    sa_slots all;
    strbuf *b = t->b;
    sa_slots_of(t, arrays, adjoint, &all);
    if (!adjoint)
        add_volumes(t, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        const sa_slot *s = &all.v[i];
        if (!is_compared(t, s))
            continue;
        const size_t n = (end_of(s) - 1) / step_of(s) + 1;
        sa_put(b, "static const $ $[", str_c(sa_expected_type(s->column->scalar)),
               expected_name(t, s));
        sb_uint(b, n);
        if (all_zero(s)) {
            SB_LIT(b, "] = {};\n");
        } else {
            SB_LIT(b, "] = {\n");
            put_numbers(b, s);
            SB_LIT(b, "};\n");
        }
        t->expected += (uint32_t)n;
    }
}

/* Nothing is printed if there is nothing to compare with. */
void sa_put_expected(sa_text *t)
{
    sa_arrays arrays;
    const size_t before = t->b->n;
    const uint32_t counted = t->expected;
    SB_LIT(t->b, "\n// What weft's interpreter of the Python source computed from ");
    sb_c(t->b, t->number ? "other inputs" : "the same inputs");
    sb_c(t->b,
         t->k->backward_params.n ? ";\n// gradients: what Warp's backward pass gives.\n" : ".\n");
    sa_arrays_of(t, t->k->forward_params.v, t->k->forward_params.n, &arrays);
    put_expected(t, &arrays, false);
    sa_arrays_of(t, t->k->backward_params.v, t->k->backward_params.n, &arrays);
    put_expected(t, &arrays, true);
    if (t->expected == counted)
        t->b->n = before;
}

/* Are gradients compared, as far as there are any? A column that begins and ends as zeros tells
 * nothing; a seed that the backward pass takes away does. */
bool sa_has_gradients(sa_text *t)
{
    sa_arrays arrays;
    sa_slots all;
    bool any = false, wants = false;
    sa_arrays_of(t, t->k->backward_params.v, t->k->backward_params.n, &arrays);
    sa_slots_of(t, &arrays, true, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        wants |= !all.v[i].array->p->is_const;
        any |= is_compared(t, &all.v[i]) && (all.v[i].column->seeded || !all_zero(&all.v[i]));
    }
    return any || !wants;
}

/* --- comparison ------------------------------------------------------------------------------ */

/* Fields lie apart in their structs: gather copies them into an array that can be compared. Returns
 * its name. "gather(particles_mass, particles, 277, offsetof(Particle, mass), 1);" */
static str numbers_of_field(sa_text *t, const sa_slot *s)
{
    WEFT_ASSERT(s->member.n > 0);
    strbuf *b = t->b;
    const str scalar = str_c(sa_scalar_name(s->column->scalar)), of = sa_free_name(t, s->flat.p);
    sa_put(b, "    static $ $[", scalar, of);
    sb_uint(b, s->column->count);
    sa_put(b, "];\n    gather($, $, ", of, s->array->flat);
    sb_uint(b, sa_elements_of(s));
    sa_put(b, ", offsetof($, $), ", s->array->element, s->member);
    sb_int(b, lane_count(s->column->type));
    SB_LIT(b, ");\n");
    t->helpers |= SA_GATHER;
    return of;
}

/* Items that threads put into any places are compared in rising order. Returns the name of the
 * array that has them so. "sort_items(out_sorted, out, 277, 1);" */
static str sorted_numbers(sa_text *t, const sa_slot *s, str numbers)
{
    const str of = sa_free_name(t, sa_form(t->c, "$_sorted", s->flat).p);
    sa_put(t->b, "    static $ $[", str_c(sa_scalar_name(s->column->scalar)), of);
    sb_uint(t->b, s->column->count);
    sa_put(t->b, "];\n    sort_items($, $, ", of, numbers);
    sb_uint(t->b, s->column->count);
    SB_LIT(t->b, ", ");
    sb_int(t->b, lane_count(s->column->type));
    SB_LIT(t->b, ");\n");
    t->helpers |= SA_HELPER_SORT;
    return of;
}

/* Where some integers are left out: the call that compares all, in a kernel without floats. One
 * that is made of a float may be another one elsewhere. */
static void put_hash(sa_text *t, const sa_slot *s, str passed, str title, str got)
{
    const size_t width = layout_size(type_scalar_of(s->column->type));
    if (!sample_of(s)->all || step_of(s) == 1)
        return;
    uint64_t hash = 0;
    for (size_t i = 0; i < s->column->count; i++)
        hash = 31 * hash + (uint64_t)num_load(s->column->scalar, wanted(s) + i * width).i;
    sa_put(t->b, "    $ &= compare_hash($, $, ", passed, title, got);
    sb_uint(t->b, s->column->count);
    sb_printf(t->b, ", 0x%" PRIx64 ");\n", hash);
    t->helpers |= SA_COMPARE_HASH;
}

/* One call, such as
 *
 *     passed &= compare_floats("gradient of x", adj_x, 277, 5, expected_adj_x,
 *                              6.4e-05, 1, &largest);
 *
 * 5 % are added to the tolerance, which is printed with two digits. An array whose values hang on
 * rounding is marked in its name. */
static void put_comparison(sa_text *t, const sa_slot *s, str passed, str largest)
{
    strbuf *b = t->b;
    const bool integers = s->column->scalar < TYPE_FLOAT16;
    const bool sorts = !s->array->adjoint && s->column->sorted;
    str got = s->member.n ? numbers_of_field(t, s) : sa_numbers_of(t, s, s->array->flat);
    got = sorts ? sorted_numbers(t, s, got) : got;
    const str title = sa_form(
        t->c, "\"$$$$\"", s->array->adjoint ? STR("gradient of ") : STR(""), str_c(s->column->path),
        limit_of(s)->hangs ? STR(" (hangs)") : STR(""), sorts ? STR(", sorted") : STR(""));
    sa_put(b, "    $ &= $($, $, ", passed,
           integers ? STR("compare_integers") : STR("compare_floats"), title, got);
    t->helpers |= integers ? SA_COMPARE_INTEGERS : SA_COMPARE_FLOATS;
    t->hangs |= limit_of(s)->hangs;
    /* as_double of the type is needed then. */
    t->compares_half |= s->column->scalar == TYPE_FLOAT16;
    t->compares_bfloat16 |= s->column->scalar == TYPE_BFLOAT16;
    sb_uint(b, end_of(s));
    SB_LIT(b, ", ");
    sb_uint(b, step_of(s));
    const str expected = expected_name(t, s);
    /* A parameter of this name hides the array. */
    sa_put(b, sa_is_param(t, expected) ? ", ::$" : ", $", expected);
    if (!integers) {
        const double tolerance = limit_of(s)->tolerance;
        sb_printf(b, ", %.2g, %.2g", 1.05 * tolerance, limit_of(s)->floor);
        sa_put(b, ", &$", largest);
        t->tolerance = tolerance > t->tolerance ? tolerance : t->tolerance;
    }
    SB_LIT(b, ");\n");
    if (integers)
        put_hash(t, s, passed, title, got);
}

/* The comparisons after one launch. */
void sa_put_comparisons(sa_text *t, const sa_arrays *arrays, bool adjoint, str passed, str largest)
{
    sa_slots all;
    sa_slots_of(t, arrays, adjoint, &all);
    if (!adjoint)
        add_volumes(t, &all);
    for (uint32_t i = 0; i < all.n; i++)
        if (is_compared(t, &all.v[i]))
            put_comparison(t, &all.v[i], passed, largest);
}
