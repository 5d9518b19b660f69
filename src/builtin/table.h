/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of c->builtins: the table by name, and the memo of resolved calls. Only for src/builtin.
 */
#ifndef WEFT_BUILTIN_TABLE_H
#define WEFT_BUILTIN_TABLE_H

#include "builtin/rule.h"

/* The memo: results of the last calls by argument types, a direct-mapped cache of fixed size.
 * Calls with more arguments than MEMO_ARGS are rare and not kept. */
enum { MEMO_SIZE = 1024, MEMO_ARGS = 4 };

typedef struct memo {
    const builtin_row *row; /* NULL: empty */
    uint32_t nargs;
    uint32_t ids[MEMO_ARGS]; /* of the argument types, references stripped */
    bool pure;               /* result below holds too */
    const type *result;      /* NULL: nothing */
} memo;

/* Made once for each context by builtins_init. */
typedef struct builtin_table {
    builtin **by_id;       /* by symbol id of the name */
    uint32_t nids, nnames; /* length of by_id, many of them NULL; number of builtins */
    memo memos[MEMO_SIZE];
} builtin_table;

#endif
