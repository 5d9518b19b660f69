/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that tell a right kernel from a wrong one: whether a set of inputs does (mutation analysis
 * of Warp's forward text). Of use to all that need inputs; its first user is src/standalone. */
#ifndef WEFT_INPUTS_INPUTS_H
#define WEFT_INPUTS_INPUTS_H

#include "textvm/textvm.h"

/* What a judgement needs. */
typedef struct inputs_subject {
    textvm *forward; /* the kernel's forward text, unchanged */
    /* Its arguments point to arrays that `reset` fills with the inputs. The fuel is one run's. */
    const textvm_launch *launch;
    void (*reset)(void *arg);
    /* Would a comparison of the arrays with the expected values fail now? */
    bool (*differs)(void *arg);
    void *arg;
    uint32_t
        most; /* so many survivors end the judgement, since another set does better; 0: none do */
} inputs_subject;

/* Mutants that were run, and those that the inputs kill. */
typedef struct inputs_verdict {
    bool judged;      /* else the text cannot be executed, or differs from what is expected */
    bool abandoned;   /* there are at least inputs_subject.most survivors */
    uint32_t mutants; /* 0: the kernel has none */
    uint32_t killed;
} inputs_verdict;

enum { INPUTS_MUTANTS = 48 }; /* at most so many are run */

/* Runs the kernel's mutants on the inputs; those are drawn evenly from all parts of the text. The
 * text is unchanged afterwards. Must run inside mem_try. */
inputs_verdict inputs_judge(const inputs_subject *s);
/* Do the inputs kill 95 % of the mutants, and is there a mutant? */
bool inputs_tell(const inputs_verdict *v);

#endif
