/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels whose structures no sample may have: those of Python files, and of the strings in JSON
 * lines that hold Python. */
#ifndef WEFT_MAKE_EXCLUDE_H
#define WEFT_MAKE_EXCLUDE_H

#include "base/arena.h"
#include "similar/exclude_set.h"

/* Called for each text that cannot be parsed, and why; `line` is 0 for a whole file, else it counts
 * from 1. */
typedef void exclude_note(void *arg, const char *file, uint64_t line, const char *why);

/* Reads files (.jsonl, packed or not, and .json as JSON, others as Python) and folders with all
 * below them. The set lives in a. 0, or an errno value with the path in *failed (also in a). */
int exclude_read(arena *a, const char *const *paths, uint32_t n, exclude_note *note, void *arg,
                 exclude_set *out, const char **failed);
bool exclude_has(const exclude_set *s, fingerprint f);

#endif
