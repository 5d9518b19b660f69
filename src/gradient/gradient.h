/* SPDX-License-Identifier: Apache-2.0 */
/* Is Warp's gradient of a kernel right? The backward text is executed on inputs that tell, and
 * compared with tangents of the source (prove/proof_search.h).
 *
 *     for i in range(n):        wrong, class loop_body_replayed, variable s, line 9:
 *         s = s * x[i]          d y[0] / d x[0] is 0.25 in Warp, and 0.5 in truth
 *     y[t] = s */
#ifndef WEFT_GRADIENT_GRADIENT_H
#define WEFT_GRADIENT_GRADIENT_H

#include "prove/proof_search.h"

typedef enum gradient_verdict {
    GRADIENT_RIGHT,
    GRADIENT_WRONG,
    GRADIENT_NONDIFFERENTIABLE, /* no float goes in or none comes out, or none has a derivative */
    GRADIENT_NOT_EXECUTED,      /* not judged: `why` says what is missing */
    GRADIENT_CUSTOM,            /* a gradient that the author wrote is not the derivative */
    GRADIENT_VERDICTS
} gradient_verdict;

typedef struct gradient_finding {
    gradient_verdict verdict;
    str why;           /* for people; empty: there is nothing to say */
    check_cause cause; /* of a wrong one; .class is NULL: none is known */
    bool has_example;
    check_example example;
    str arguments; /* of the example: an object in JSON; empty: they are too many */
} gradient_finding;

/* Judges a lowered kernel of the pipeline's program; its text is emitted. Texts of *out live in the
 * module arena. Must run inside mem_try. */
void gradient_judge(pipeline *p, compiled_kernel *k, gradient_finding *out);
/* Has the kernel a backward pass that can be judged? Else gradient_judge says at once why not. */
bool gradient_is_judged(const compiled_kernel *k);
/* "right", "wrong", ... */
const char *gradient_verdict_name(gradient_verdict v);

#endif
