/* SPDX-License-Identifier: Apache-2.0 */
/* The lines in which two texts differ, as `diff -u` prints them:
 *
 *     @@ -1,3 +1,3 @@
 *      a
 *     -b
 *     +B
 *      c */
#ifndef WEFT_CLI_LINE_DIFF_H
#define WEFT_CLI_LINE_DIFF_H

#include "base/arena.h"
#include "base/str.h"

/* Appends the hunks, with three lines around each change; nothing if the texts are equal. A last
 * line without a newline counts as one with it. What the search takes stays in the arena. */
void line_diff(strbuf *out, arena *a, str before, str after);

#endif
