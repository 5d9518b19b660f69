/* Inside of c->builtins. Only for src/builtin. */
#ifndef WEFT_BUILTIN_TABLE_H
#define WEFT_BUILTIN_TABLE_H

#include "builtin/rule.h"

/* What the last calls with these argument types came to: a direct-mapped cache of fixed size. */
enum { MEMO_SIZE = 1024, MEMO_ARGS = 4 };

typedef struct memo {
    const builtin_row *row; /* NULL: empty */
    uint32_t nargs;
    uint32_t ids[MEMO_ARGS]; /* of the argument types, references stripped */
    bool pure;               /* result below holds too */
    const type *result;      /* NULL: nothing */
} memo;

typedef struct builtin_table {
    builtin **by_id; /* by symbol id of the name */
    uint32_t nids, nnames;
    memo memos[MEMO_SIZE];
} builtin_table;

#endif
