/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of a run as the formats see it (format_NAME.c, writer_each.c). Others use writer.h. */
#ifndef WEFT_STORE_WRITER_INTERNAL_H
#define WEFT_STORE_WRITER_INTERNAL_H

#include "store/line_reader.h"
#include "store/shard_file.h"
#include "store/store_outcome.h"
#include "store/store_shard.h"

typedef struct store_writer store_writer; /* as writer.h has it */

struct store_writer {
    const record_options *o;
    store_outcome *r;
    arena paths;                  /* scratch; reset as each shard starts */
    uint64_t number;              /* of the shard in work, */
    store_shard shard;            /* and what it has so far */
    strbuf fields;                /* of Parquet, for the shard's file */
    shard_file file;              /* in shards: what is written, */
    line_reader reader;           /* and what is read again */
    void (*on_line)(void *, str); /* takes each record that is read again; or NULL */
    void *on_line_arg;
    sha256 hash;                                /* with a file for each record: of the shard's */
    store_shard categories[GEN_CATEGORY_COUNT]; /* SHA-256 only by writer_categories */
    sha256 category_hash[GEN_CATEGORY_COUNT];
};

/* The path of a name below the folder, in s->paths. */
const char *writer_path(store_writer *s, str name);
/* Leaves the path of what failed for the message; gives the error. */
int writer_fail(store_writer *s, const char *path, int error);

#endif
