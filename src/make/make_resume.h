/* SPDX-License-Identifier: Apache-2.0 */
/* What a folder holds before a run writes to it, and what of it the run can keep. For make_run.c,
 * which calls make_resume_look once and make_resume_shard for each shard with a note. */
#ifndef WEFT_MAKE_MAKE_RESUME_H
#define WEFT_MAKE_MAKE_RESUME_H

#include "make/make_state.h"

/* Decides whether the run may write here. STATUS_OK: it makes what t->shards does not have, or
 * nothing at all if r->was_there. STATUS_REFUSED with r->message, or an errno value. */
int make_resume_look(make_state *t);
/* Reads a shard that an earlier run has left a note of. t->shards.v[number].state is SHARD_WHOLE
 * after that, or SHARD_MISSING after a message to the user that it is damaged. */
int make_resume_shard(make_state *t, uint32_t number);

#endif
