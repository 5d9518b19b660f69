/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one shard: text -> packer -> SHA-256 and size -> file. Size and hash are those of the
 * packed bytes, as `sha256sum` gives them for the file. The file has a temporary name until it is
 * whole and on the disk:
 *
 *     open     data/.train-00000-of-00001.jsonl.part
 *     close    packer's end, fsync, rename to data/train-00000-of-00001.jsonl, fsync of the folder
 *
 * so a file under its own name is never half a shard, even after a crash of the machine. A file of
 * Parquet is written by another process (parquet_pipe.h), and hashed when that has ended. */
#include "store/shard_file.h"

#include <errno.h>
#include <fcntl.h>

#include "base/io.h"

void shard_file_init(shard_file *s, mem *m, pack_method method)
{
    WEFT_ASSERT(!s->open);
    *s = (shard_file){.open = false};
    packer_init(&s->packer, m, method);
}

void shard_file_use_parquet(shard_file *s, const char *fields)
{
    WEFT_ASSERT(fields && !s->open && s->packer.method == PACK_NONE);
    s->fields = fields;
}

/* The packer is used again: it was ended or cleared with the shard before. */
int shard_file_open(shard_file *s, arena *a, const char *path)
{
    WEFT_ASSERT(!s->open);
    s->bytes = 0;
    sha256_start(&s->hash);
    int error =
        s->fields ? atomic_file_renew(&s->file, a, path) : atomic_file_open(&s->file, a, path);
    if (!error && s->fields) {
        error = parquet_encode(&s->parquet, s->fields, s->file.fd);
        if (error)
            atomic_file_discard(&s->file);
    }
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
    if (!s->fields)
        return packer_write(&s->packer, text, put, s);
    int error = write_until(s->parquet.fd, text, s->packer.out.m);
    if (error == EPIPE) { /* the process knows why it has ended */
        const int why = parquet_end(&s->parquet);
        error = why ? why : EIO;
    }
    return error;
}

/* The process ends, and what it has written is read. */
static int end_parquet(shard_file *s)
{
    int error = s->parquet.child ? parquet_end(&s->parquet) : EIO;
    const int fd = error ? -1 : io_open(s->file.temp, O_RDONLY);
    if (!error)
        error = fd < 0 ? errno : parquet_hash(fd, &s->hash, &s->bytes);
    if (fd >= 0)
        io_close(fd);
    return error;
}

/* The file is whole only after the packer has written its end: a gzip or zstd stream without one is
 * damaged. */
int shard_file_close(shard_file *s, bool keep)
{
    uint8_t digest[SHA256_SIZE];
    if (!s->open)
        return 0;
    const int error = !keep ? 0 : s->fields ? end_parquet(s) : packer_end(&s->packer, put, s);
    s->open = false;
    sha256_finish(&s->hash, digest);
    sha256_hex(digest, s->sha256);
    if (keep && !error)
        return atomic_file_commit(&s->file, true);
    packer_clear(&s->packer); /* it holds half a stream */
    parquet_drop(&s->parquet);
    atomic_file_discard(&s->file);
    return error;
}

void shard_file_clear(shard_file *s)
{
    shard_file_close(s, false);
    packer_clear(&s->packer);
}
