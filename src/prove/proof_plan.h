/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs that a collected kernel is executed with, as a record states them: plans of
 * src/inputs, in texts that src/check draws numbers from. Sets of inputs take turns among several
 * plans, the alternatives: a flag is false in one and true in the next.
 *
 *     plan_init(&p, c, &compiled);
 *     plan_set(&p, 0, &trial);
 *     plan_state(&p, args);              launch "n"; idx: shape "n", values "0:n"
 *     plan_grow(&p, 0, &r.outside)       x was too short: shape "18"
 *     plan_set(&p, 1, &other);           values "0:n|0:n by 3,1,1" */
#ifndef WEFT_PROVE_PROOF_PLAN_H
#define WEFT_PROVE_PROOF_PLAN_H

#include "check/check.h"
#include "driver/pipeline.h"
#include "gen/gen.h"
#include "inputs/inputs_plan.h"

enum { PLAN_ALTERNATIVES = 6 };

typedef struct proof_plan {
    ctx *c;
    inputs_kernel k;
    int64_t usual[LAUNCH_DIMS]; /* sizes of a launch, for which a letter stands */
    inputs_plan of[PLAN_ALTERNATIVES];
    uint32_t alternatives;
    uint32_t growths;
} proof_plan;

/* Plans and texts live in c->module. Needs: the kernel has at most SAMPLE_ARGS_MAX parameters.
 * Gives: one alternative, by the roles of the parameters. */
void plan_init(proof_plan *p, ctx *c, const compiled_kernel *k);
/* Makes the plan of a trial an alternative, which may be a new one, and is the last one then. */
void plan_set(proof_plan *p, uint32_t at, const inputs_trial *trial);
/* Fills args, one for each parameter, and gives the launch. */
str plan_state(const proof_plan *p, check_arg *args);
/* Makes the array longer that an access went beyond, with the set-th inputs. False: it does not
 * help. A copy of the plan made before stays as it is. */
bool plan_grow(proof_plan *p, uint32_t set, const interp_outside *o);

#endif
