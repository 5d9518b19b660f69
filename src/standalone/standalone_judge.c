/* SPDX-License-Identifier: Apache-2.0 */
/* Do the inputs of a run tell the kernel from a changed one? The comparisons are the program's own:
 * the same numbers of the same arrays, with the same tolerance. What survives here would pass
 * there.
 *
 *     expected y, tolerance 6.4e-05     a mutant's y is off by 0.3: killed
 *     y[3] is not compared              a mutant changes y[3] alone: it survives
 *
 * The backward text is judged in the same way, by the gradients that it leaves.
 *
 * Of a large array every so many floats are compared; integers all, by a hash. Where mutants
 * survive that change others alone, those of one thread at a border, say, numbers at other
 * distances are compared, which meet more of them. */
#include "standalone/standalone_internal.h"

/* A column, where it is in the arrays that the text machine works on. */
typedef struct place {
    const launch_leaf *leaf;
    const uint8_t *before, *after; /* after: what is expected; NULL: it is not compared */
    size_t count;
    type_kind scalar;
    sa_sample *sample;
    const sa_limit *limit;
    const sa_column *sorted; /* its items are compared in rising order; or NULL */
} place;

/* A judgement: all columns of a run. */
typedef struct judgement {
    place *v;
    uint32_t n;
    arena *a; /* of `missed` */
    VEC(sa_missed) missed;
} judgement;

/* Numbers of a column into the leaf of its array. */
static void fill_leaf(const launch_leaf *leaf, const uint8_t *from)
{
    const array_data *data = leaf->view->data;
    const size_t step = layout_size(leaf->view->elem), width = layout_size(leaf->type);
    const size_t n = data->size / step;
    if (step == width)
        memcpy(data->bytes, from, data->size);
    for (size_t k = 0; step != width && k < n; k++)
        memcpy(data->bytes + k * step + leaf->offset, from + k * width, width);
}

/* Columns and leaves have one order. */
void sa_reset(const sa_run *r, const launch_args *args)
{
    for (uint32_t i = 0; i < args->leaves.n; i++)
        fill_leaf(&args->leaves.v[i], r->columns.v[i].before);
}

/* For inputs_subject. */
static void reset(void *arg)
{
    const judgement *j = arg;
    for (uint32_t i = 0; i < j->n; i++)
        fill_leaf(j->v[i].leaf, j->v[i].before);
}

/* The first number from `from` on, every so many, that differs; p->count: none does. 5 % are
 * added to the tolerance in the program, too. `sorted`: the numbers in rising order, or NULL. */
static size_t find_difference(const place *p, const uint8_t *sorted, size_t from, size_t every)
{
    const launch_leaf *leaf = p->leaf;
    const array_data *data = leaf->view->data;
    const size_t step = layout_size(leaf->view->elem), run = (size_t)lane_count(leaf->type);
    const size_t width = layout_size(type_scalar_of(leaf->type));
    for (size_t i = from; i < p->count; i += every) {
        const uint8_t *at = sorted ? sorted + i * width
                                   : data->bytes + i / run * step + leaf->offset + i % run * width;
        const num want = num_load(p->scalar, p->after + i * width);
        if (tolerance_error(p->scalar, want, num_load(p->scalar, at), p->limit->floor) >
            1.05 * p->limit->tolerance)
            return i;
    }
    return p->count;
}

/* All integers are compared where no rounding can change one. */
static bool compares_all(const place *p)
{
    return p->sample->all;
}

/* Notes the first numbers that differ where the program does not look. */
static void note_missed(judgement *j)
{
    for (uint32_t i = 0; i < j->n; i++) {
        const place *p = &j->v[i];
        if (!p->after || !p->count || p->limit->hangs || p->sample->step == 1 || p->sorted ||
            compares_all(p))
            continue;
        sa_missed m = {.column = i};
        for (size_t at = 0; m.n < SA_MISSED; at++) {
            at = find_difference(p, NULL, at, 1);
            if (at == p->count)
                break;
            m.at[m.n++] = at;
        }
        if (m.n)
            VEC_PUSH(j->a, &j->missed, m);
    }
}

static const uint8_t *leaf_items(const launch_leaf *leaf, arena *a)
{
    return (const uint8_t *)launch_leaf_items(leaf, a).p;
}

/* For inputs_subject. What a rounding may change tells nothing. */
static uint32_t differs(void *arg)
{
    judgement *j = arg;
    for (uint32_t i = 0; i < j->n; i++) {
        const place *p = &j->v[i];
        if (!p->after || !p->count || p->limit->hangs)
            continue;
        const bool all = compares_all(p);
        const size_t step = all ? 1 : p->sample->step, end = all ? p->count : p->sample->end;
        const arena_mark mark = arena_save(j->a);
        const uint8_t *sorted =
            p->sorted ? sa_sorted(j->a, p->sorted, leaf_items(p->leaf, j->a)) : NULL;
        const bool other = find_difference(p, sorted, (end - 1) % step, step) < end;
        arena_rewind(j->a, mark);
        if (other)
            return i + 1;
    }
    note_missed(j);
    return 0;
}

/* Lets columns compare numbers that meet more of what was missed. Mutants that such a column has
 * killed are alive again. False: nothing can be met. */
static bool look_elsewhere(const judgement *j, const inputs_mutants *before, inputs_mutants *m)
{
    bool any = false;
    for (uint32_t i = 0; i < j->n; i++) {
        const place *p = &j->v[i];
        if (!p->after || !p->count || compares_all(p) ||
            !sa_column_meet(p->count, p->sample, i, j->missed.v, j->missed.n))
            continue;
        any = true;
        for (uint32_t k = 0; k < m->n; k++)
            if (m->dead[k] && !before->dead[k] && m->by[k] == i + 1) {
                m->dead[k] = false;
                m->killed--;
            }
    }
    return any;
}

/* The columns of a forward run. */
static void place_results(judgement *j, sa_run *r, const launch_args *args)
{
    for (uint32_t i = 0; i < args->leaves.n; i++) {
        sa_column *col = &r->columns.v[i];
        const uint8_t *expected = col->sorted ? col->sorted : col->after;
        j->v[j->n++] = (place){.leaf = &args->leaves.v[i],
                               .before = col->before,
                               .after = col->racing ? NULL : expected,
                               .count = col->count,
                               .scalar = col->scalar,
                               .sample = &col->sample,
                               .limit = &col->limit,
                               .sorted = col->sorted ? col : NULL};
    }
}

/* The arrays before a backward run, and its gradients. */
static void place_gradients(judgement *j, sa_run *r, const launch_args *args,
                            const launch_args *adjoints)
{
    for (uint32_t i = 0; i < args->leaves.n; i++) {
        sa_column *col = &r->columns.v[i];
        j->v[j->n++] =
            (place){.leaf = &args->leaves.v[i], .before = r->afresh ? col->before : col->after};
    }
    for (uint32_t i = 0; i < adjoints->leaves.n; i++) {
        const launch_leaf *leaf = &adjoints->leaves.v[i];
        sa_column *col = sa_column_of(r, leaf);
        if (col && col->count)
            j->v[j->n++] = (place){.leaf = leaf,
                                   .before = sa_gradient_before(j->a, col),
                                   .after = col->gradient,
                                   .count = col->count,
                                   .scalar = col->scalar,
                                   .sample = &col->gradient_sample,
                                   .limit = &col->gradient_limit};
    }
}

/* Judges twice where a mutant is only seen in numbers that are not compared: the second time others
 * are, if that kills more. */
static inputs_verdict judge_twice(const inputs_subject *s, judgement *j, inputs_mutants *mutants)
{
    const inputs_mutants before = *mutants;
    sa_sample *samples = ARENA_ARRAY(j->a, sa_sample, j->n + 1);
    for (uint32_t i = 0; i < j->n; i++)
        samples[i] = j->v[i].sample ? *j->v[i].sample : (sa_sample){0};
    inputs_verdict v = inputs_judge(s, mutants);
    inputs_mutants again = *mutants;
    if (!v.judged || v.abandoned || !j->missed.n || !look_elsewhere(j, &before, &again))
        return v;
    const inputs_verdict other = inputs_judge(s, &again);
    v.run += other.run;
    v.steps += other.steps;
    if (again.killed > mutants->killed && !other.abandoned) {
        *mutants = again;
        return v;
    }
    for (uint32_t i = 0; i < j->n; i++)
        if (j->v[i].sample)
            *j->v[i].sample = samples[i];
    return v;
}

inputs_verdict sa_judge(ctx *c, textvm *text, const textvm_launch *launch, sa_run *r,
                        const launch_args *args, const launch_args *adjoints, uint32_t most,
                        inputs_mutants *mutants)
{
    WEFT_ASSERT(r->columns.n == args->leaves.n);
    const arena_mark mark = arena_save(&c->scratch);
    const uint32_t n = args->leaves.n + (adjoints ? adjoints->leaves.n : 0);
    judgement j = {.v = ARENA_ARRAY(&c->scratch, place, n + 1), .a = &c->scratch};
    if (adjoints)
        place_gradients(&j, r, args, adjoints);
    else
        place_results(&j, r, args);
    const inputs_subject s = {.text = text,
                              .launch = launch,
                              .reset = reset,
                              .differs = differs,
                              .arg = &j,
                              .most = most};
    const inputs_verdict v = judge_twice(&s, &j, mutants);
    arena_rewind(&c->scratch, mark);
    return v;
}

uint32_t sa_killed(const inputs_mutants *forward, const inputs_mutants *backward)
{
    return forward->killed + backward->killed;
}

uint32_t sa_alive(const inputs_mutants *forward, const inputs_mutants *backward)
{
    return forward->n + backward->n - sa_killed(forward, backward);
}

/* Where forward tells the branches apart and gradients do not, they are alike. */
void sa_count_alike(const textvm *backward, sa_run *r)
{
    const inputs_mutants *m = &r->adjoint_mutants;
    textvm_mutant alive[INPUTS_MUTANTS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++)
        if (!m->dead[i])
            alive[n++] = m->v[i];
    r->alike = n ? textvm_count_alike(backward, alive, n) : 0;
}

bool sa_pass(const sa_run *r)
{
    const inputs_mutants *backward = &r->adjoint_mutants;
    inputs_mutants rest = *backward; /* vital ones stand first, and none of them is alike */
    rest.n -= r->alike;
    return sa_tell(&r->mutants, &rest);
}

bool sa_tell(const inputs_mutants *forward, const inputs_mutants *backward)
{
    const uint32_t n = forward->n + backward->n;
    return inputs_tell(forward) && sa_killed(forward, backward) * 100 >= n * 95 &&
           backward->killed * 100 >= backward->n * 90 && !inputs_missed(backward);
}
