/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions of Python's module re, for ASCII text: what modules search names and versions
 * with while they are imported.
 *
 *     regex_compile(a, STR("v(?P<n>\\d+)"), 0), "v12"   ->   group 0 is 0 to 3, group 1 is 1 to 3
 *
 * Not followed: lookbehind of several widths, conditions, atomic groups, Unicode. */
#ifndef WEFT_SEMA_REGEX_H
#define WEFT_SEMA_REGEX_H

#include "base/arena.h"
#include "base/str.h"

enum { REGEX_GROUPS = 50 }; /* group 0, the whole match, included */

/* Flags. */
enum { REGEX_IGNORE_CASE = 1, REGEX_MULTILINE = 2, REGEX_DOT_ALL = 4, REGEX_VERBOSE = 8 };

typedef struct regex {
    const struct regex_inst *code; /* sema/regex_code.h */
    uint32_t n;
    uint32_t ngroups; /* group 0 included */
    uint32_t nslots;  /* two for each group, and one for each loop */
    str names[REGEX_GROUPS];
    unsigned flags;
} regex;

typedef struct regex_match {
    int64_t span[2 * REGEX_GROUPS]; /* start and end of each group; -1: it takes no part */
} regex_match;

typedef enum regex_result { REGEX_NO, REGEX_YES, REGEX_SPENT } regex_result;

/* NULL: it is no regular expression, or one that is not followed here. *steps grows by the work.
 * The result has names from the pattern's text. */
const regex *regex_compile(arena *a, str pattern, unsigned flags, uint64_t *steps);
/* Matches at `from` exactly. `whole`: up to the end of the text; `advance`: not an empty match.
 * *steps is counted down; at 0 nothing is known. */
regex_result regex_match_at(const regex *r, arena *a, str text, size_t from, bool whole,
                            bool advance, uint64_t *steps, regex_match *out);
/* The first match at `from` or behind it; `advance`: at `from` none that is empty. */
regex_result regex_search(const regex *r, arena *a, str text, size_t from, bool advance,
                          uint64_t *steps, regex_match *out);

#endif
