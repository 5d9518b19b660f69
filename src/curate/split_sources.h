/* SPDX-License-Identifier: Apache-2.0 */
/* Where the kernels of a set come from, for its card: packages and their licences.
 *
 *     | package   | version | licence    | records |
 *     | warp-lang | 1.19.0  | Apache-2.0 | 293     | */
#ifndef WEFT_CURATE_SPLIT_SOURCES_H
#define WEFT_CURATE_SPLIT_SOURCES_H

#include "base/str.h"
#include "base/vec.h"

/* Records of one package under one licence. */
typedef struct split_source {
    str package, version, license;
    uint64_t records;
} split_source;

/* In the order in which they first occur. */
typedef struct split_sources {
    VEC(split_source) v;
} split_sources;

/* Counts a record by its metadata, if its kernel was found and not made. Copies live in a. */
void split_sources_count(split_sources *s, arena *a, str metadata);
/* The card's section; nothing where all kernels were made. */
void split_sources_put(strbuf *b, const split_sources *s);

#endif
