/* SPDX-License-Identifier: Apache-2.0 */
/* One shard in the making: lines go in, a file appears, packed or not, or as Parquet, with its hash
 * and size.
 * Until it is whole and on the disk it has a temporary name, so that a killed run leaves no part of
 * a shard under a shard's name. For format_jsonl.c, one shard after another: init once, then open,
 * write and close in turn. */
#ifndef WEFT_STORE_SHARD_FILE_H
#define WEFT_STORE_SHARD_FILE_H

#include "base/atomic_file.h"
#include "base/packer.h"
#include "base/sha256.h"
#include "store/parquet_pipe.h"

typedef struct shard_file {
    atomic_file file; /* DIR/data/.NAME.part until it is committed */
    bool open;        /* between shard_file_open and shard_file_close */
    packer packer;
    const char *fields;   /* of Parquet, as parquet_encode takes them; NULL: lines */
    parquet_pipe parquet; /* while such a file is open */
    sha256 hash;
    uint64_t bytes;          /* of the file, so far */
    char sha256[SHA256_HEX]; /* after it was closed */
} shard_file;

/* Needs: storage that is zeroed, or a shard_file that was closed. */
void shard_file_init(shard_file *s, mem *m, pack_method method);
/* Files are Parquet with these fields, a text that outlives s. Needs: after shard_file_init. */
void shard_file_use_parquet(shard_file *s, const char *fields);
/* Each returns 0 or an errno value. Paths live in a. */
int shard_file_open(shard_file *s, arena *a, const char *path);
int shard_file_write(shard_file *s, str text);
/* With `keep` false, or after a failure, the file is gone. */
int shard_file_close(shard_file *s, bool keep);
/* Gives all back; a file that is open is gone. May be called twice. */
void shard_file_clear(shard_file *s);

#endif
