/* SPDX-License-Identifier: Apache-2.0 */
/* Whole scripts: one to three composed kernels that belong together, and a main() that makes their
 * inputs, launches them one after another, follows them back with a tape and checks the result.
 *
 *     kernel 1   densities     of positions, masses
 *     kernel 2   pressures     of densities
 *     main()     positions = wp.array(rng.uniform(-1.0, 1.0, (num_particles, 3)), dtype=wp.vec3)
 *                wp.launch(compute_density, dim=num_particles, inputs=[positions, masses], ...)
 *                np.testing.assert_allclose(pressures.numpy()[:6], [...], rtol=0.001)
 *
 * Each kernel is proved as any other one (check/check.h). The numbers in the check come from the
 * reference interpreter, which runs the kernels on the very inputs that the script draws; those of
 * the gradient from the backward texts, and tangents of the interpreter confirm them. */
#ifndef WEFT_COMPOSE_SCRIPT_H
#define WEFT_COMPOSE_SCRIPT_H

#include "check/check.h"
#include "compose/compose.h"
#include "driver/pipeline.h"

enum { SCRIPT_KERNELS = 4 }; /* with that of the loss */
/* What comments in the texts call the source. */
#define SCRIPT_FILE "script.py"

/* Text of a script lasts until the next one. */
typedef struct script {
    gen_sample sample; /* source: the whole script; launch and arguments: of the last kernel */
    str kernels[SCRIPT_KERNELS];          /* names, in the order of their launches */
    const gen_sample *is[SCRIPT_KERNELS]; /* launch and arguments of each */
    uint32_t nkernels;
    /* The texts of all kernels, one behind the other. */
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES];
    str cuda_source;
    check_result
        proof; /* of all of them: inputs are the fewest, other counts sums, errors the largest */
    uint32_t longest;        /* lines of the longest kernel */
    bool has_tape, has_loss; /* has_loss: the last kernel makes one number of the result */
} script;

/* Has a compiler of its own. One for each thread. */
typedef struct scripter scripter;

/* Lies in m, and its compiler in memory of its own. NULL: that ran out. The library must outlive
 * it. Must run inside mem_try of m. */
scripter *scripter_new(mem *m, const library *l, const pipeline_options *o);
/* Gives back what its compiler has. */
void scripter_free(scripter *s);

/* For those that prove the kernels of a script again: `is` has launch and arguments, *subject the
 * texts. */
void script_prove_kernel(checker *with, const kernel *k, const gen_sample *is, const gen_request *q,
                         check_subject *subject, check_result *r);
void script_add_proof(check_result *all, const check_result *one, bool first);
/* One text behind another, of kernels as plain CUDA. */
void script_join(strbuf *b, str text);

typedef enum script_end {
    SCRIPT_GOOD,
    SCRIPT_NONE,     /* no kernels were found that belong together */
    SCRIPT_BROKEN,   /* a kernel does not compile: a bug */
    SCRIPT_UNPROVED, /* proof.reason says why; NULL: inputs do not tell a kernel from its mutants */
    SCRIPT_USELESS,  /* what it computes cannot be checked: it is constant, or hangs on rounding */
    SCRIPT_MEMORY
} script_end;

/* The script of a request. *why: a sentence, unless it is good. */
script_end script_make(scripter *s, const gen_request *q, script *out, const char **why);

#endif
