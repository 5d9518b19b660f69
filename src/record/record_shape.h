/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields records have, and records brought to the fields of others: sets of several kinds of
 * kernels become one whose rows all have the same keys.
 *
 *     a found kernel's record      has metadata.provenance, and no prompt
 *     a composed kernel's record   has a prompt, and no metadata.provenance
 *     in one set   ->   both have both, in the order of record_field.def; what a record lacks is
 *                       the empty value of its type: "", 0, null, [] or an object of such
 *
 * `difficulty` and `license` of a found kernel are those of its metadata. The reader takes an empty
 * value for a field that is not there (record_read.c). */
#ifndef WEFT_RECORD_RECORD_SHAPE_H
#define WEFT_RECORD_RECORD_SHAPE_H

#include "record/record_field.h"

typedef struct record_shape {
    bool there[FIELDS];
} record_shape;

/* The traits that depend on the kind of kernel alone: only fields of these can be filled. */
enum { RECORD_KIND_TRAITS = TRAIT_COLLECTED | TRAIT_ORIGIN | TRAIT_COMPOSED | TRAIT_GRADED };

static inline bool record_field_is_of_kind(record_field f)
{
    return (record_fields[f].when & RECORD_KIND_TRAITS) != 0;
}

/* Adds the fields of a record. False: a key is none of a record's, or the text no JSON object. */
bool record_shape_add(record_shape *s, str record);
/* Have records of both shapes the same keys? What lies in lists and in metadata.ptx follows from
 * other fields, and a list may be empty: it is not compared. */
bool record_shape_same(const record_shape *a, const record_shape *b);
/* Can records of both be filled to the same keys? Else: appends the paths of the fields that one of
 * both has, and that cannot be filled. */
bool record_shape_fits(const record_shape *a, const record_shape *b);
void record_shape_put_difference(strbuf *out, const record_shape *a, const record_shape *b);
/* A number for the fields of the shape that depend on the kind of kernel; never 0. */
uint64_t record_shape_key(const record_shape *s);
/* Appends the record with all fields of the shape. Needs: record_shape_add accepts it, and all of
 * its fields are of the shape. */
void record_shape_write(strbuf *out, str record, const record_shape *s);
/* Is it the value that stands for none? */
bool record_field_is_empty(const json_value *v);

#endif
