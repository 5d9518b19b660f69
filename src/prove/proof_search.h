/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inputs that tell for a kernel that somebody wrote, and proves its texts with them.
 *
 *     proof_search p = {.checker = k, .c = c, .kernel = &compiled, .forward = {...}};
 *     proof_search_run(&p);          p.best.status == CHECK_EXACT, p.inputs.launch: "n" */
#ifndef WEFT_PROVE_PROOF_SEARCH_H
#define WEFT_PROVE_PROOF_SEARCH_H

#include "prove/proof_plan.h"

/* Inputs as a record states them. Texts live in the module arena of the search's context. */
typedef struct proof_inputs {
    str launch;
    check_arg args[SAMPLE_ARGS_MAX];
} proof_inputs;

typedef struct proof_search {
    /* What is proved; all is borrowed. The checker is of the context that compiled the kernel. */
    checker *checker;
    ctx *c;
    const compiled_kernel *kernel;
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES];
    uint64_t seed, index; /* as check_subject has them */
    bool gradients;       /* the adjoint is judged even where inputs do not tell */
    /* What was found: the best proof, with its inputs. */
    check_result best;
    str why; /* of check_found */
    proof_inputs inputs;
} proof_search;

/* Must run inside mem_try. Needs: the kernel has at most SAMPLE_ARGS_MAX parameters. */
void proof_search_run(proof_search *p);

#endif
