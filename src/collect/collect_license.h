/* SPDX-License-Identifier: Apache-2.0 */
/* The licence of a kernel that needs functions of other files: "MIT AND Apache-2.0". */
#ifndef WEFT_COLLECT_COLLECT_LICENSE_H
#define WEFT_COLLECT_COLLECT_LICENSE_H

#include "collect/extract.h"
#include "collect/files.h"

/* The licences of the file and of those that a kernel's definitions were copied from, in *all.
 * `wanted` as collect_options has it; *unread: a licence could not be read. NULL, or why the kernel
 * may not be taken: one of them is not known, or not wanted. Both live in a. */
const char *collect_join_licenses(arena *a, const collect_file *file, const char *wanted,
                                  const extract_sources *sources, bool *unread, str *all);

#endif
