/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs that a collected kernel is executed with: a launch, and for each argument a shape, a
 * magnitude and a range, as a record states them. Sets of inputs take turns among several plans of
 * numbers, the alternatives: a flag is false in one and true in the next.
 *
 *     plan_init(&p, c, &compiled);
 *     plan_state(&p, args);                   launch "n"; idx: shape "n", values "0:n"
 *     plan_grow(&p, &result.outside)          x was too short: shape "17"
 *     p.params[2].way[0] = 3; plan_state(...) the third parameter has other numbers
 *     plan_fork(&p, 0)                        values "0:n|0:n", of which the second may change */
#ifndef WEFT_COLLECT_COLLECT_PLAN_H
#define WEFT_COLLECT_COLLECT_PLAN_H

#include "check/check.h"
#include "driver/pipeline.h"
#include "gen/gen.h"
#include "inputs/inputs.h"

/* Ways to draw numbers; the first PLAN_TRIALS are tried for all parameters alike. */
enum { PLAN_TRIALS = 9, PLAN_WAYS = 23, PLAN_ALTERNATIVES = 4 };

/* Of one parameter. Sizes are letters until an array turns out too short. */
typedef struct plan_param {
    uint8_t way[PLAN_ALTERNATIVES]; /* below PLAN_WAYS */
    int rank;                   /* of its shape; structs whose arrays have grown: all dimensions */
    int64_t sizes[LAUNCH_DIMS]; /* 0: the dimension's letter */
} plan_param;

typedef struct collect_plan {
    ctx *c;
    const kernel *k;
    int ndim;   /* of the launch */
    bool tiled; /* wp.launch_tiled: the launch has the block's threads as one more dimension */
    const inputs_role *roles;
    int64_t reach[INPUTS_DIMS]; /* how long the launch has to be; 0: letters will do */
    plan_param params[SAMPLE_ARGS_MAX];
    uint32_t alternatives;          /* 1 at least */
    uint8_t far[PLAN_ALTERNATIVES]; /* a bit for each dimension that is as long as its reach */
    uint32_t growths;
} collect_plan;

/* Texts of the plan live in c->module. Needs: the kernel has at most SAMPLE_ARGS_MAX parameters. */
void plan_init(collect_plan *p, ctx *c, const compiled_kernel *k);
/* Draws the numbers of all parameters in this way, without alternatives. */
void plan_set_way(collect_plan *p, int way);
/* Adds an alternative like `from`, which is the last then. Needs: fewer than PLAN_ALTERNATIVES. */
void plan_fork(collect_plan *p, uint32_t from);
/* Bits of the dimensions that can be far. */
unsigned plan_can_be_far(const collect_plan *p);
/* Fills args, one for each parameter, and gives the launch. */
str plan_state(collect_plan *p, check_arg *args);
/* Makes the array longer that an access went beyond. False: it does not help. */
bool plan_grow(collect_plan *p, const interp_outside *o);

#endif
