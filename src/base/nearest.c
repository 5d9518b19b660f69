/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distances of nearest.h. A swap of neighbours, the most frequent mistake, costs half of any
 * other edit:
 *
 *     lenght -> length  1     compil -> compile  2     normalise -> normalize  2 */
#include "base/nearest.h"

#include "base/assert.h"

/* Costs of a swap and of any other edit. LENGTH_MAX bounds the table of cost_of; FAR is more than
 * any accepted cost. */
enum { LENGTH_MAX = 64, FAR = 1000, SWAP = 1, EDIT = 2 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The cost of letters put in, left out, replaced, or swapped with their neighbours: the optimal
 * string alignment distance. now[k] is the cost of making the first k letters of b from the first i
 * of a; three rows of the table are enough. */
static uint32_t cost_of(str a, str b)
{
    WEFT_ASSERT(a.n <= LENGTH_MAX && b.n <= LENGTH_MAX);
    uint32_t rows[3][LENGTH_MAX + 1];
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

void nearest_init(nearest *n, str word)
{
    *n = (nearest){.word = word, .cost = FAR};
}

/* Short words need a closer match: at one edit from "if" there are too many words. A word that is
 * offered twice is no rival of itself. */
void nearest_offer(nearest *n, str word)
{
    const uint32_t most = n->word.n < 4 ? EDIT : 2 * EDIT;
    if (n->word.n < 2 || n->word.n > LENGTH_MAX || word.n > LENGTH_MAX)
        return;
    const uint32_t cost = cost_of(n->word, word);
    if (cost > most || cost > n->cost || (n->best.p && str_eq(n->best, word)))
        return;
    n->best = cost < n->cost ? word : (str){NULL, 0};
    n->cost = cost;
}
