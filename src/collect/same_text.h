/* SPDX-License-Identifier: Apache-2.0 */
/* Are two texts of one kernel the same, but for what depends on where the kernel stands? */
#ifndef WEFT_COLLECT_SAME_TEXT_H
#define WEFT_COLLECT_SAME_TEXT_H

#include "base/arena.h"
#include "base/str.h"

/* Equal, aside from the places in comments (`<L 12>`, `// file.py:12`), the hash behind a struct's
 * name and the counter behind a function's: these are renamed one to one. *where is the line of y
 * that differs. What it notes lives in a. */
bool same_text(arena *a, str x, str y, str *where);

#endif
