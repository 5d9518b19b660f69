/* SPDX-License-Identifier: Apache-2.0 */
/* The command that a collected set states of itself:
 *
 *     weft collect parts --device cuda --no-verify */
#ifndef WEFT_COLLECT_COLLECT_COMMAND_H
#define WEFT_COLLECT_COLLECT_COMMAND_H

#include "base/arena.h"
#include "collect/collect_options.h"

/* What was collected, and the options that the bytes depend on. Lives in a. */
const char *collect_command(arena *a, const collect_options *options);

#endif
