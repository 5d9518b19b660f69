/* SPDX-License-Identifier: Apache-2.0 */
/* Where productions can stand: the plan gives a target to a category that has such places. */
#ifndef WEFT_GEN_GEN_TARGET_H
#define WEFT_GEN_GEN_TARGET_H

#include "gen/gen_production.h"

/* What must stand around a production, so that a plan gives it to a category that has such
 * places. */
typedef enum target_kind {
    TARGET_VALUE,  /* a definition, anywhere */
    TARGET_CHANGE, /* some statements, anywhere */
    TARGET_ATOMIC,
    TARGET_RANDOM,
    TARGET_CONDITION,
    TARGET_NUMBER,   /* the kernel's own type, which not all categories let be an integer */
    TARGET_ELSEWHERE /* where a pilot saw it, or its like */
} target_kind;
target_kind target_kind_of(const gen *g, uint32_t production);

#endif
