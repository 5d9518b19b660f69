/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings: equal text is one pointer, so names are compared by `==`. Ids are dense in
 * order of first use, so that a table can be indexed by id (types/type_names.c). Names interned
 * after sym_save are forgotten by sym_restore. Example:
 *
 *     sym_c(t, "x") == sym_c(t, "x"), and its id is 0 in a fresh interner
 */
#ifndef WEFT_BASE_SYM_H
#define WEFT_BASE_SYM_H

#include "base/arena.h"
#include "base/str.h"

typedef struct sym {
    const struct sym *next; /* hash chain */
    uint32_t hash, id, len; /* FNV-1a of the text; number of symbols before it; bytes */
    char s[];               /* NUL-terminated */
} sym;

/* All symbols of a context. */
typedef struct interner {
    mem *m;
    arena text;
    const sym **slots; /* heads of chains; nslots of them, a power of two */
    const sym **by_id; /* n symbols; room for cap */
    uint32_t nslots, n, cap;
} interner;

/* A state of the interner to return to. */
typedef struct sym_mark {
    uint32_t n;
    arena_mark text;
} sym_mark;

void sym_init(interner *t, mem *m);
/* The symbol of these bytes, new or known; it lives until sym_restore or the end of the mem. */
const sym *sym_intern(interner *t, const char *s, size_t n);
const sym *sym_c(interner *t, const char *s);
/* The symbol if it is interned already, else NULL. Nothing is added. */
const sym *sym_find(const interner *t, const char *s, size_t n);
/* Names interned after the mark are forgotten by sym_restore: their ids are used again. */
sym_mark sym_save(const interner *t);
void sym_restore(interner *t, sym_mark mark);

static inline str sym_str(const sym *s)
{
    return (str){s->s, s->len};
}

#endif
