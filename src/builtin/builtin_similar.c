/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the builtin that a misspelled name was meant to be: the one at the least edit distance, if
 * it is near and the only one. Examples:
 *
 *     wp.lenght  ->  length     wp.normalise  ->  normalize     wp.foo  ->  nothing
 *
 * Used for the hint of DIAG_UNKNOWN_FUNCTION: "did you mean 'length'?". */
#include "base/nearest.h"
#include "builtin/table.h"

const sym *builtin_similar(const ctx *c, const sym *name)
{
    const sym *best = NULL;
    nearest n;
    nearest_init(&n, sym_str(name));
    for (uint32_t id = 0; id < c->builtins->nids; id++) {
        const builtin *b = c->builtins->by_id[id];
        if (!b || b->name->s[0] == '_')
            continue;
        nearest_offer(&n, sym_str(b->name));
        if (n.best.p == b->name->s)
            best = b->name;
    }
    return n.best.p ? best : NULL; /* two are as near: no hint */
}
