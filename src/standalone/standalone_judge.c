/* SPDX-License-Identifier: Apache-2.0 */
/* Do the inputs of a run tell the kernel from a changed one? The comparisons are the program's own:
 * the same numbers of the same arrays, with the same tolerance. What survives here would pass
 * there.
 *
 *     expected y, tolerance 6.4e-05     a mutant's y is off by 0.3: killed
 *     y[3] is not compared              a mutant changes y[3] alone: it survives
 *
 * Of a large array every so many numbers are compared. Where mutants survive that change others
 * alone, those of one thread at a border, say, numbers at other distances are compared, which meet
 * more of them. */
#include "standalone/standalone_internal.h"

/* A judgement: a run, and the leaves of the arrays that the text machine works on. */
typedef struct judgement {
    const sa_run *run;
    const launch_args *args;
    arena *a; /* of `missed` */
    VEC(sa_missed) missed;
} judgement;

/* Columns and leaves have one order. */
void sa_reset(const sa_run *r, const launch_args *args)
{
    for (uint32_t i = 0; i < args->leaves.n; i++) {
        const launch_leaf *leaf = &args->leaves.v[i];
        const array_data *data = leaf->view->data;
        const uint8_t *from = r->columns.v[i].before;
        const size_t step = layout_size(leaf->view->elem), width = layout_size(leaf->type);
        const size_t n = data->size / step;
        if (step == width)
            memcpy(data->bytes, from, data->size);
        for (size_t k = 0; step != width && k < n; k++)
            memcpy(data->bytes + k * step + leaf->offset, from + k * width, width);
    }
}

/* For inputs_subject. */
static void reset(void *arg)
{
    const judgement *j = arg;
    sa_reset(j->run, j->args);
}

/* The first number from `from` on, every so many, that differs; col->count: none does. 5 % are
 * added to the tolerance in the program, too. */
static size_t find_difference(const sa_column *col, const launch_leaf *leaf, size_t from,
                              size_t every)
{
    const array_data *data = leaf->view->data;
    const size_t step = layout_size(leaf->view->elem), run = (size_t)lane_count(leaf->type);
    const size_t width = layout_size(type_scalar_of(leaf->type));
    for (size_t i = from; i < col->count; i += every) {
        const uint8_t *at = data->bytes + i / run * step + leaf->offset + i % run * width;
        const num want = num_load(col->scalar, col->after + i * width);
        if (tolerance_error(col->scalar, want, num_load(col->scalar, at), col->limit.floor) >
            1.05 * col->limit.tolerance)
            return i;
    }
    return col->count;
}

/* Notes the first numbers that differ where the program does not look. */
static void note_missed(judgement *j)
{
    for (uint32_t i = 0; i < j->args->leaves.n; i++) {
        const sa_column *col = &j->run->columns.v[i];
        if (!col->count || col->limit.hangs || col->step == 1)
            continue;
        sa_missed m = {.column = i};
        for (size_t at = 0; m.n < SA_MISSED; at++) {
            at = find_difference(col, &j->args->leaves.v[i], at, 1);
            if (at == col->count)
                break;
            m.at[m.n++] = at;
        }
        if (m.n)
            VEC_PUSH(j->a, &j->missed, m);
    }
}

/* For inputs_subject. What a rounding may change tells nothing. */
static uint32_t differs(void *arg)
{
    judgement *j = arg;
    for (uint32_t i = 0; i < j->args->leaves.n; i++) {
        const sa_column *col = &j->run->columns.v[i];
        if (col->count && !col->limit.hangs &&
            find_difference(col, &j->args->leaves.v[i], (col->end - 1) % col->step, col->step) <
                col->end)
            return i + 1;
    }
    note_missed(j);
    return 0;
}

/* Lets columns compare numbers that meet more of what was missed. Mutants that such a column has
 * killed are alive again. False: nothing can be met. */
static bool look_elsewhere(sa_run *r, const judgement *j, const inputs_mutants *before,
                           inputs_mutants *m)
{
    bool any = false;
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        if (!col->count || !sa_column_meet(col, i, j->missed.v, j->missed.n))
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

inputs_verdict sa_judge(ctx *c, textvm *forward, const textvm_launch *launch, sa_run *r,
                        const launch_args *args, uint32_t most, inputs_mutants *mutants)
{
    WEFT_ASSERT(r->columns.n == args->leaves.n);
    const arena_mark mark = arena_save(&c->scratch);
    judgement j = {.run = r, .args = args, .a = &c->scratch};
    const inputs_subject s = {.forward = forward,
                              .launch = launch,
                              .reset = reset,
                              .differs = differs,
                              .arg = &j,
                              .most = most};
    const inputs_mutants before = *mutants;
    sa_column *columns = ARENA_ARRAY(&c->scratch, sa_column, r->columns.n + 1);
    if (r->columns.n) /* a kernel without arrays has none */
        memcpy(columns, r->columns.v, r->columns.n * sizeof *columns);
    inputs_verdict v = inputs_judge(&s, mutants);
    inputs_mutants again = *mutants;
    if (v.judged && !v.abandoned && j.missed.n && look_elsewhere(r, &j, &before, &again)) {
        const inputs_verdict other = inputs_judge(&s, &again);
        v.run += other.run;
        if (again.killed > mutants->killed && !other.abandoned)
            *mutants = again;
        else
            memcpy(r->columns.v, columns, r->columns.n * sizeof *columns);
    }
    arena_rewind(&c->scratch, mark);
    return v;
}
