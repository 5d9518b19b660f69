/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of a data set do (jsonl, files, standalone): a row of functions for each, by
 * record_format.def. A new format is a row there and a file format_NAME.c. Below the folder lie
 *
 *     jsonl        data/train-00000-of-00001.jsonl
 *     files        arithmetic/7-000000000.json, conditional/7-000000001.json, ...
 *     standalone   7-000000000_arithmetic/ with Makefile, metadata.json and two sources, ... */
#ifndef WEFT_STORE_STORE_FORMAT_H
#define WEFT_STORE_STORE_FORMAT_H

#include "record/bundle.h"
#include "record/record_options.h"
#include "store/store_outcome.h"
#include "store/store_shard.h"

struct store_writer;
struct record_batch;

/* A record that has a file or a folder of its own, taken apart. All parts are borrowed: from the
 * text that it was taken from, or from the arena that it was loaded into. */
typedef struct store_one {
    str text;     /* as sizes and hashes are taken of it */
    str metadata; /* JSON that has its metadata */
    bundle files; /* of a program */
} store_one;

/* How such records lie in the folder. Paths are full ones; *at is the path that an error is about.
 */
typedef struct store_each {
    /* "loop/7-000000042.json": below the folder. */
    void (*put_name)(strbuf *b, const record_options *o, uint64_t index);
    /* Takes the text of a record apart. False: it is none. */
    bool (*take)(arena *a, str text, store_one *out);
    /* 0 or an errno value; ENOENT: it is not there, or not whole. */
    int (*load)(arena *a, const char *path, store_one *out, const char **at);
    /* Not durably yet. */
    int (*save)(arena *a, const char *path, const store_one *one, const char **at);
    /* Removes what was saved as a copy of the record at `from`. */
    void (*remove)(arena *a, const char *path, const char *from);
    /* The record as a line of JSON. */
    void (*put_line)(strbuf *b, const store_one *one);
    const char *missing; /* what ENOENT means, for a message: "it is missing" */
} store_each;

typedef struct store_format {
    /* For the writer, between them one shard after the other; see writer.h. */
    int (*open)(struct store_writer *s);
    int (*begin)(struct store_writer *s);
    int (*write)(struct store_writer *s, const struct record_batch *batch);
    int (*end)(struct store_writer *s);
    int (*reread)(struct store_writer *s, const store_shard *stated, bool *whole);
    /* Makes the folders of records, and what stands beside them; and takes that back. */
    int (*prepare)(arena *a, const record_options *o, const char **at);
    void (*retract)(arena *a, const record_options *o);
    /* Calls visit for the folders that hold files of records, up to its first error. */
    int (*each_folder)(arena *a, const record_options *o,
                       int (*visit)(void *arg, const char *folder), void *arg, const char **at);
    const char *claim;      /* a folder that, once made, keeps other runs out */
    const store_each *each; /* NULL: in shards */
} store_format;

#define FORMAT(ID, name, programs, shards, data, functions, next, next_cpu)                        \
    extern const store_format store_format_##functions;
#include "record/record_format.def"
#undef FORMAT

const store_format *store_format_of(const record_options *o);
/* Where the record of an index lies, below the folder: its own place, or its shard. */
void store_put_place(strbuf *b, const record_options *o, const store_outcome *r, uint64_t index);
/* A shard in words, for messages: its name, or its rows. */
void store_put_shard_title(strbuf *b, const record_options *o, const store_outcome *r,
                           uint64_t number);

#endif
