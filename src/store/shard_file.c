/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one shard: text -> packer -> SHA-256 and size -> file. Size and hash are those of the
 * packed bytes, as `sha256sum` gives them for the file. The file has a temporary name until it is
 * whole and on the disk:
 *
 *     open     data/.train-00000-of-00001.jsonl.part
 *     close    packer's end, fsync, rename to data/train-00000-of-00001.jsonl, fsync of the folder
 *
 * so a file under its own name is never half a shard, even after a crash of the machine. */
#include "store/shard_file.h"

void shard_file_init(shard_file *s, mem *m, pack_method method)
{
    WEFT_ASSERT(!s->open);
    *s = (shard_file){.open = false};
    packer_init(&s->packer, m, method);
}

/* The packer is used again: it was ended or cleared with the shard before. */
int shard_file_open(shard_file *s, arena *a, const char *path)
{
    WEFT_ASSERT(!s->open);
    s->bytes = 0;
    sha256_start(&s->hash);
    const int error = atomic_file_open(&s->file, a, path);
    s->open = !error;
    return error;
}

/* As the packer calls it with what it has packed. */
static int put(void *arg, str bytes)
{
    shard_file *s = arg;
    s->bytes += bytes.n;
    sha256_add(&s->hash, bytes.p, bytes.n);
    return atomic_file_write(&s->file, bytes);
}

int shard_file_write(shard_file *s, str text)
{
    WEFT_ASSERT(s->open);
    return packer_write(&s->packer, text, put, s);
}

/* The file is whole only after the packer has written its end: a gzip or zstd stream without one is
 * damaged. */
int shard_file_close(shard_file *s, bool keep)
{
    uint8_t digest[SHA256_SIZE];
    if (!s->open)
        return 0;
    const int error = keep ? packer_end(&s->packer, put, s) : 0;
    s->open = false;
    sha256_finish(&s->hash, digest);
    sha256_hex(digest, s->sha256);
    if (keep && !error)
        return atomic_file_commit(&s->file, true);
    packer_clear(&s->packer); /* it holds half a stream */
    atomic_file_discard(&s->file);
    return error;
}

void shard_file_clear(shard_file *s)
{
    shard_file_close(s, false);
    packer_clear(&s->packer);
}
