/* SPDX-License-Identifier: Apache-2.0 */
/* Do the inputs of a run tell the kernel from a changed one? The comparisons are the program's own:
 * the same numbers of the same arrays, with the same tolerance. What survives here would pass
 * there.
 *
 *     expected y, tolerance 6.4e-05     a mutant's y is off by 0.3: killed
 *     y[3] is not compared              a mutant changes y[3] alone: it survives */
#include "standalone/standalone_internal.h"

/* A judgement: a run, and the leaves of the arrays that the text machine works on. */
typedef struct judgement {
    ctx *c;
    const sa_run *run;
    const launch_args *args;
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

/* Does one column differ where the program looks? 5 % are added to the tolerance there, too. */
static bool column_differs(const sa_column *col, const launch_leaf *leaf)
{
    const array_data *data = leaf->view->data;
    const size_t step = layout_size(leaf->view->elem), run = (size_t)lane_count(leaf->type);
    const size_t width = layout_size(type_scalar_of(leaf->type)), every = col->step;
    for (size_t i = (col->count - 1) % every; i < col->count; i += every) {
        const uint8_t *at = data->bytes + i / run * step + leaf->offset + i % run * width;
        const num want = num_load(col->scalar, col->after + i * width);
        if (tolerance_error(col->scalar, want, num_load(col->scalar, at), col->limit.floor) >
            1.05 * col->limit.tolerance)
            return true;
    }
    return false;
}

/* For inputs_subject. What a rounding may change tells nothing. */
static bool differs(void *arg)
{
    const judgement *j = arg;
    for (uint32_t i = 0; i < j->args->leaves.n; i++) {
        const sa_column *col = &j->run->columns.v[i];
        if (col->count && !col->limit.hangs && column_differs(col, &j->args->leaves.v[i]))
            return true;
    }
    return false;
}

inputs_verdict sa_judge(ctx *c, textvm *forward, const textvm_launch *launch, const sa_run *r,
                        const launch_args *args, uint32_t most, inputs_mutants *mutants)
{
    WEFT_ASSERT(r->columns.n == args->leaves.n);
    judgement j = {c, r, args};
    const inputs_subject s = {.forward = forward,
                              .launch = launch,
                              .reset = reset,
                              .differs = differs,
                              .arg = &j,
                              .most = most};
    return inputs_judge(&s, mutants);
}
