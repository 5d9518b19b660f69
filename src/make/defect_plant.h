/* SPDX-License-Identifier: Apache-2.0 */
/* Breaking a kernel in one known way: an edit of its source, as people make it by mistake.
 *
 *     DEFECT_MISSING_PREFIX: wp.sqrt(x)   ->   sqrt(x)
 *
 * What an edit leads to is for repair.h to verify: some change nothing that matters, or break the
 * kernel in another way. */
#ifndef WEFT_MAKE_DEFECT_PLANT_H
#define WEFT_MAKE_DEFECT_PLANT_H

#include "base/arena.h"
#include "base/rng.h"
#include "record/defect.h"

/* Appends a broken version of the source, which has one kernel, at the place that is drawn; false:
 * there is no place for such an edit. Works in a. */
bool defect_plant(arena *a, defect_kind k, str source, rng *r, strbuf *out);

/* Breaks it at two places in two ways: appends the source with both edits, with the first alone and
 * with the second alone. False: there is no place for one of them, or they meet. */
bool defect_plant_two(arena *a, const defect_kind k[2], str source, rng *r, strbuf *both,
                      strbuf *first, strbuf *second);

#endif
