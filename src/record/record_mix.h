/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels a run makes: exercises of the language, drawn from a grammar (gen/), computations
 * with a purpose (compose/), or a mix of both by shares.
 *
 *     "purpose=9,exercise=1"   ->   of ten samples nine have a purpose, on average
 *
 * Which kind a sample has depends on the run's seed and on its index alone. */
#ifndef WEFT_RECORD_RECORD_MIX_H
#define WEFT_RECORD_RECORD_MIX_H

#include "base/str.h"

typedef enum record_kind {
#define KIND(ID, name, origin) RECORD_##ID,
#include "record/record_kind.def"
#undef KIND
    RECORD_KINDS
} record_kind;

/* Shares without a common divisor. All of them 0: exercises only. */
typedef struct record_mix {
    uint32_t share[RECORD_KINDS];
} record_mix;

enum { RECORD_SHARE_MAX = 1000 };

/* "purpose", and what metadata.origin says. */
const char *record_kind_name(record_kind k);
const char *record_kind_origin(record_kind k);
/* A mix of one kind; and what is made if nobody says otherwise. */
record_mix record_mix_of(record_kind k);
record_mix record_mix_default(void);
/* "purpose=9,exercise=1", in any order; shares up to RECORD_SHARE_MAX, at least one above 0. NULL,
 * or what is wrong with it. */
const char *record_mix_read(str text, record_mix *out);
/* Appends the mix as record_mix_read takes it. */
void record_mix_put(strbuf *b, const record_mix *m);
/* Are there samples of the kind, of more kinds than one? */
bool record_mix_has(const record_mix *m, record_kind k);
bool record_mix_is_mixed(const record_mix *m);
/* The kind of a sample. */
record_kind record_mix_at(const record_mix *m, uint64_t seed, uint64_t index);

#endif
