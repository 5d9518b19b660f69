/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs that a collected kernel is executed with: a launch, and a shape and a magnitude of
 * each argument, as a record states them. */
#ifndef WEFT_COLLECT_COLLECT_INPUTS_H
#define WEFT_COLLECT_COLLECT_INPUTS_H

#include "check/check.h"

enum { COLLECT_TRIALS = 4 };

/* Fills args, one for each parameter, and gives the launch. `trial` counts from 0: each is another
 * guess, and the first that can be executed is taken. */
str collect_inputs(const kernel *k, int launch_dim, int trial, check_arg *args);

#endif
