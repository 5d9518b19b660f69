/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a set that is made of other sets: those of all records, so that loaders find one
 * schema. Sets of found, composed and other kernels go together; pairs and conversations do not.
 *
 *     keys of the first record: id, python_source, cuda_ir_forward, ...
 *     of another one:           id, messages, task, ...
 *     ->  "its keys are not those of the first record: messages, task, python_source, ..." */
#ifndef WEFT_CURATE_SPLIT_KEYS_H
#define WEFT_CURATE_SPLIT_KEYS_H

#include "record/record_shape.h"

typedef struct split_keys {
    record_shape first, all; /* of the first record; of all that stay */
    bool is_mixed;           /* records that stay have different ones: they must be filled */
    bool is_strange;         /* a record has a key that none of weft's has */
    strbuf names;            /* keys of the first record */
    strbuf filled;           /* the record that was filled last */
} split_keys;

void split_keys_init(split_keys *k, mem *m);
/* Takes the keys of a record; `names`: those of its own members, in order. False: it does not go
 * with those before it, and why gets a sentence. */
bool split_keys_add(split_keys *k, str record, str names, bool stays, strbuf *why);
/* The record with the fields of all; lasts until the next call. Needs: is_mixed, and a record that
 * was added and stays. */
str split_keys_fill(split_keys *k, str record);

#endif
