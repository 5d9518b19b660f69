/* SPDX-License-Identifier: Apache-2.0 */
/* Two records of one id, or of one source, in what is written: weft validate would call the set
 * bad, so it is refused first.
 *
 *     split_twins_init(&s, a, output);
 *     split_twins_add(&s, record, metadata, number, true);     for each record that stays
 *     split_twins_find(&s, &twins);
 *
 * Memory is bounded: keys beyond it are sorted on the disk, where the output will be. */
#ifndef WEFT_CURATE_SPLIT_TWINS_H
#define WEFT_CURATE_SPLIT_TWINS_H

#include "base/extsort.h"
#include "base/str.h"

typedef struct split_twins {
    extsort sort;
    strbuf text, body; /* an id or a source, in work */
    bool on;           /* sort is initialized */
} split_twins;

/* The numbers of two records, the first one less. Of several pairs that one whose second record
 * comes first. */
typedef struct split_pair {
    uint64_t first, second;
    bool any;
    bool same_id, same_source;
} split_pair;

void split_twins_init(split_twins *s, arena *a, const char *output);
/* `sources`: sources are compared as well. Records of others may have no id: they are let be.
 * 0 or an errno value. */
int split_twins_add(split_twins *s, str record, str metadata, uint64_t number, bool sources);
/* After all. 0 or an errno value. */
int split_twins_find(split_twins *s, split_pair *pair);
void split_twins_clear(split_twins *s);

#endif
