/* SPDX-License-Identifier: Apache-2.0 */
/* By how much results on a device may differ from the reference's. Compilers contract a * b + c,
 * CUDA's functions are not the host's, and atomics add in any order: floats may differ, by what
 * tolerance.def says and by what inputs a last place off change. Integers may not. One rule for
 * `weft run`, `weft validate` and for programs of their own. */
#ifndef WEFT_LAUNCH_TOLERANCE_H
#define WEFT_LAUNCH_TOLERANCE_H

#include "arith/arith.h"
#include "ir/ir.h"

/* The least precise float that a kernel and its functions compute with; TYPE_FLOAT64: none less. */
type_kind tolerance_least(const ir_module *m);
/* For a kernel of this text, whose least precise float is `least`. */
double tolerance_of(str text, type_kind least);

/* Errors are relative to the number expected, or to the array's floor where the number is smaller:
 * its largest number, or 1. */
double tolerance_floor(double largest);
/* |found - expected| by that measure; infinite where one of them is no number, or where integers
 * differ. */
double tolerance_error(type_kind scalar, num expected, num found, double floor);

/* A rounding may send a thread another way: a comparison, an index. Then any result may come, and
 * no tolerance can tell it from a wrong kernel. */
typedef struct tolerance_limit {
    double tolerance; /* what is allowed */
    bool hangs;       /* inputs a last place off move the result further than that */
} tolerance_limit;
/* `moved`: the largest error of the reference itself from inputs a last place off. */
tolerance_limit tolerance_widen(double tolerance, double moved, double floor);
/* Moves floats by about a last place, some up, some down. */
void tolerance_disturb(type_kind scalar, uint8_t *items, size_t n, uint32_t seed);

#endif
