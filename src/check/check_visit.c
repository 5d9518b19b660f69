/* SPDX-License-Identifier: Apache-2.0 */
/* Hands the inputs of a proof to a caller that executes the kernel by other means: weft validate
 * --device cuda runs it on a GPU, and standalone programs print the inputs as C.
 *
 *     check_visit(k, &subject, launch_on_gpu, &gpu, &result)    one call of launch_on_gpu per set
 *
 * The sets are those that check_pair draws first, so a program is tested on what its text was
 * proved with. */
#include "check/check_internal.h"

/* Directions for the adjoints of all arrays of floats. Values passed by value get none, since
 * kernels do not return theirs. */
static void fill_adjoints(checker *k, const check_inputs *in, check_image *adjoints)
{
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *s = &in->slots[i];
        const size_t width = layout_size(type_scalar_of(s->elem));
        for (size_t lane = 0; s->is_float && !s->by_value && lane < s->lanes; lane++)
            num_store((type_kind)s->scalar, adjoints->bytes + check_lane(s, width, lane),
                      (num){.f = check_draw_direction(k)});
    }
}

/* The image for the adjoints is drawn after the inputs, from the same stream. */
bool check_visit(checker *k, const check_subject *s, check_visitor *visit, void *arg,
                 check_result *r)
{
    check_begin(k, s, r);
    for (k->nsets = 0; k->nsets < CHECK_INPUTS; k->nsets++) {
        check_inputs *in = &k->sets[k->nsets];
        check_image adjoints;
        if (!check_draw(k, 0, k->nsets > 0, in))
            return false;
        check_image_new(k, in, &adjoints);
        fill_adjoints(k, in, &adjoints);
        memcpy(in->values.bytes, in->initial, in->size);
        const check_launch launch = {in->values.args, adjoints.args, in->ndim, in->dim};
        if (!visit(arg, &launch))
            return false;
    }
    return true;
}
