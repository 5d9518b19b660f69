/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a kernel from its source text, for records that do not state it, and for --near,
 * which needs the tokens and not only the fingerprint. */
#ifndef WEFT_SIMILAR_SOURCE_STRUCTURE_H
#define WEFT_SIMILAR_SOURCE_STRUCTURE_H

#include "driver/pipeline.h"
#include "similar/json_python.h"
#include "similar/structure.h"

/* A parser with its own memory, used for any number of sources by one thread. All zero is its
 * initial state. */
typedef struct structure_finder {
    bool ready; /* the fields below are initialized: that happens at the first search */
    pipeline p;
    structurer *structurer; /* in p.c.perm */
    json_python json;
    str text;        /* the source or record at hand */
    structure found; /* valid if good */
    bool good;       /* the last source that was read has kernels */
} structure_finder;

/* False: memory ran out. *found says whether the text has kernels; *out is that of all, and valid
 * if so, its tokens until the next call. Needs: storage that is zeroed, or was used here before. */
bool structure_find(structure_finder *f, str text, bool *found, structure *out);
/* The same for a record of any kind: its python_source, or else the last source in it, which in a
 * conversation about a broken kernel is the right one. */
bool structure_find_record(structure_finder *f, str record, bool *found, structure *out);
/* Frees all memory; the finder may be used again. */
void structure_finder_clear(structure_finder *f);

#endif
