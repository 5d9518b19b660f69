/* Holds back lines about problems that say the same: of one kind, a file's first few are shown, and
 * then the number of the others. A file of 5,000 lines that are not JSON gives five lines and
 *
 *   FILE: 4995 more lines like this: schema: not JSON: a token as NaN ...
 */
#ifndef WEFT_CLI_REPEATS_H
#define WEFT_CLI_REPEATS_H

#include "base/str.h"
#include "weft.h"

enum { REPEATS_SHOWN = 5, REPEATS_KINDS = 64 };

typedef struct repeats_kind {
    uint64_t hash; /* of the check and the reason without its numbers and quotes */
    uint64_t count;
    strbuf text; /* "check: reason" of the first */
} repeats_kind;

/* Further kinds of a file, past REPEATS_KINDS, are shown each time. */
typedef struct repeats {
    mem *m;
    strbuf file; /* the one that the kinds are of */
    repeats_kind kinds[REPEATS_KINDS];
    uint32_t n;
} repeats;

void repeats_init(repeats *r, mem *m);
/* Whether to show the problem. Appends to b what was held back of the file before. */
bool repeats_show(repeats *r, strbuf *b, const weft_problem *p);
/* Appends to b what is held back, and forgets the file. */
void repeats_end(repeats *r, strbuf *b);

#endif
