/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the builtin that a misspelled name was meant to be: the one at the least edit distance, if
 * it is near and the only one. Examples:
 *
 *     wp.lenght  ->  length     wp.normalise  ->  normalize     wp.foo  ->  nothing
 *
 * Used for the hint of DIAG_UNKNOWN_FUNCTION: "did you mean 'length'?". */
#include "base/assert.h"
#include "builtin/table.h"

/* Costs of a swap of neighbours and of any other edit. NAME_MAX_LENGTH bounds the table of
 * cost_of; FAR is more than any accepted cost. */
enum { NAME_MAX_LENGTH = 40, FAR = 100, SWAP = 1, EDIT = 2 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The cost of letters put in, left out, replaced, or swapped with their neighbours, which is the
 * most frequent mistake: the optimal string alignment distance. now[k] is the cost of making the
 * first k letters of b from the first i of a; three rows of the table are enough. */
static uint32_t cost_of(str a, str b)
{
    WEFT_ASSERT(a.n <= NAME_MAX_LENGTH && b.n <= NAME_MAX_LENGTH);
    uint32_t rows[3][NAME_MAX_LENGTH + 1];
    uint32_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (uint32_t k = 0; k <= b.n; k++)
        last[k] = EDIT * k;
    for (uint32_t i = 1; i <= a.n; i++) {
        now[0] = EDIT * i;
        for (uint32_t k = 1; k <= b.n; k++) {
            const uint32_t replaced = a.p[i - 1] != b.p[k - 1] ? EDIT : 0;
            now[k] = least(least(last[k], now[k - 1]) + EDIT, last[k - 1] + replaced);
            if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
                now[k] = least(now[k], before[k - 2] + SWAP);
        }
        uint32_t *const oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b.n];
}

/* Short names need a closer match: at one edit from "if" there are too many names. */
const sym *builtin_similar(const ctx *c, const sym *name)
{
    const str word = sym_str(name);
    const uint32_t most = word.n < 4 ? EDIT : 2 * EDIT;
    const sym *best = NULL;
    uint32_t fewest = FAR;
    if (word.n < 2 || word.n > NAME_MAX_LENGTH)
        return NULL;
    for (uint32_t id = 0; id < c->builtins->nids; id++) {
        const builtin *b = c->builtins->by_id[id];
        if (!b || b->name->s[0] == '_' || sym_str(b->name).n > NAME_MAX_LENGTH)
            continue;
        const uint32_t cost = cost_of(word, sym_str(b->name));
        if (cost > most || cost > fewest)
            continue;
        best = cost < fewest ? b->name : NULL; /* two are as near: no hint */
        fewest = cost;
    }
    return best;
}
