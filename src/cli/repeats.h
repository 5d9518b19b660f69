/* SPDX-License-Identifier: Apache-2.0 */
/* Holds back problems that repeat: of each kind, the first five of a file and the first twenty of
 * all files are shown, and then the number of the others. For `weft validate` and for every command
 * that reports problems on stderr (reporter.h). A file of 5,000 lines that are not JSON gives five
 * lines and
 *
 *     FILE: 4995 more lines like this: schema: not JSON: a word without ...
 *
 * 300 files of one such line each give twenty lines and, at the end,
 *
 *     280 more problems like this in other files: schema: not JSON: a word without ...
 *
 * Two problems are of one kind if their texts are equal but for digits and for what is quoted. */
#ifndef WEFT_CLI_REPEATS_H
#define WEFT_CLI_REPEATS_H

#include "base/str.h"
#include "weft.h"

enum { REPEATS_SHOWN = 5, REPEATS_SHOWN_ALL = 20, REPEATS_KINDS = 256 };

/* One kind of problem. */
typedef struct repeats_kind {
    uint64_t hash;         /* of the check and the reason without its numbers and quotes */
    uint64_t others;       /* held back in files of which no problem of this kind was shown */
    uint64_t held;         /* held back in this file */
    uint32_t shown, total; /* in this file, at most REPEATS_SHOWN; in all, at most _SHOWN_ALL */
    strbuf text;           /* "check: reason" of the first */
} repeats_kind;

/* The kinds of all files, in order of appearance. Beyond REPEATS_KINDS, problems of further kinds
 * are all shown: the table has a fixed size, and hiding what was never shown would be worse. */
typedef struct repeats {
    mem *m;
    strbuf file; /* the path of the last problem's file; empty before the first problem */
    repeats_kind kinds[REPEATS_KINDS];
    uint32_t n;
} repeats;

void repeats_init(repeats *r, mem *m);
/* Counts the problem; true if it is to be shown. The first problem of another file ends the file
 * before: its numbers are appended to b, which the caller prints ahead of the problem. */
bool repeats_show(repeats *r, strbuf *b, const weft_problem *p);
/* Appends to b a line for each kind that was held back, and forgets everything. */
void repeats_end(repeats *r, strbuf *b);

#endif
