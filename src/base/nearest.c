/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distances of nearest.h. A swap of neighbours, the most frequent mistake, costs half of any
 * other edit:
 *
 *     lenght -> length  1     compil -> compile  2     normalise -> normalize  2 */
#include "base/nearest.h"

#include "base/ascii.h"
#include "base/assert.h"

/* Costs of a swap and of any other edit. LENGTH_MAX bounds the table of cost_of; FAR is more than
 * any accepted cost. */
enum { LENGTH_MAX = 64, FAR = 1000, SWAP = 1, EDIT = 2 };

/* Costs of words that share a part, behind those that are few edits away. */
enum { SHARES_END = 3 * EDIT + 1, SHARES_MIDDLE, SHARES_BEGIN };

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

static bool begins_with(str a, str b)
{
    return a.n >= b.n && memcmp(a.p, b.p, b.n) == 0;
}

/* Short words need a closer match: at one edit from "if" there are too many words. Of words that
 * are as near, the one that the typed word begins with wins: sine is sin rather than sinh or sign.
 * A word that is offered twice is no rival of itself. */
void nearest_offer(nearest *n, str word)
{
    const uint32_t most = n->word.n < 4 ? EDIT : 2 * EDIT;
    if (n->word.n < 2 || n->word.n > LENGTH_MAX || word.n > LENGTH_MAX)
        return;
    uint32_t cost = cost_of(n->word, word);
    if (cost > most)
        return;
    cost = 2 * cost + !begins_with(n->word, word);
    if (cost > n->cost || (n->best.p && str_eq(n->best, word)))
        return;
    n->best = cost < n->cost ? word : (str){NULL, 0};
    n->cost = cost;
}

/* --- the few that resemble it most ----------------------------------------------------------- */

static bool same_at(str word, size_t at, str part)
{
    for (size_t i = 0; i < part.n; i++)
        if (ascii_lower(word.p[at + i]) != ascii_lower(part.p[i]))
            return false;
    return true;
}

/* A word that begins or ends with the one typed; that has it inside; or with which it shares a
 * beginning of two thirds of its length. Capitals do not count. */
static uint32_t cost_of_part(str typed, str word)
{
    size_t shared = 0;
    if (!typed.n)
        return FAR;
    while (shared < typed.n && shared < word.n &&
           ascii_lower(typed.p[shared]) == ascii_lower(word.p[shared]))
        shared++;
    if (shared == typed.n || (word.n > typed.n && same_at(word, word.n - typed.n, typed)))
        return SHARES_END;
    for (size_t i = 1; i + typed.n < word.n; i++)
        if (same_at(word, i, typed))
            return SHARES_MIDDLE;
    return shared >= 3 && 3 * shared >= 2 * typed.n ? SHARES_BEGIN : FAR;
}

/* More edits are accepted than by nearest_offer, since the user sees all that are found. */
static uint32_t cost_of_resembling(str typed, str word)
{
    const uint32_t most = typed.n < 4 ? EDIT : typed.n < 10 ? 2 * EDIT : 3 * EDIT;
    uint32_t cost = FAR;
    if (typed.n >= 2 && typed.n <= LENGTH_MAX && word.n <= LENGTH_MAX)
        cost = cost_of(typed, word);
    return cost <= most ? cost : cost_of_part(typed, word);
}

void nearest_few_init(nearest_few *f, arena *a, str word)
{
    *f = (nearest_few){.word = word, .a = a};
}

void nearest_few_offer(nearest_few *f, str word)
{
    const uint32_t cost = cost_of_resembling(f->word, word);
    if (cost == FAR || (f->n == NEAREST_FEW && cost >= f->best[f->n - 1].cost))
        return;
    for (uint32_t i = 0; i < f->n; i++)
        if (str_eq(str_c(f->best[i].text), word))
            return;
    f->n += f->n < NEAREST_FEW;
    uint32_t at = f->n - 1;
    for (; at > 0 && f->best[at - 1].cost > cost; at--)
        f->best[at] = f->best[at - 1];
    f->best[at].text = arena_dup(f->a, word.p, word.n);
    f->best[at].cost = cost;
}

const char *nearest_few_list(const nearest_few *f)
{
    const char *list = "";
    for (uint32_t i = 0; i < f->n; i++)
        list = arena_printf(f->a, "%s%s%s", list, i ? ", " : "", f->best[i].text);
    return list;
}
