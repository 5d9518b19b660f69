/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and ends the process behind parquet_pipe.h. Its exit status is an errno value; see
 * bindings/python/weft/_codec.py, which is its program. */
#include "store/parquet_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/io.h"

static const char *python(void)
{
    const char *path = getenv("WEFT_PYTHON");
    return path && *path ? path : NULL;
}

bool parquet_is_here(void)
{
    return python() != NULL;
}

/* Starts the codec; `fields` is NULL for decode. One end of a new pipe becomes its standard input
 * or output, `file` the other of the two, and p->fd is the pipe's end for us. */
static int start(parquet_pipe *p, const char *fields, int file)
{
    const char *path = python();
    int ends[2];
    *p = (parquet_pipe){.fd = -1};
    if (!path)
        return ENOPKG;
    if (io_pipe(ends) < 0)
        return errno;
    const int ours = fields ? 1 : 0;
    const char *argv[] = {path, "-m", "weft._codec", fields ? "encode" : "decode", fields, NULL};
    const int fds[] = {fields ? ends[0] : file, fields ? file : ends[1], STDERR_FILENO};
    const int error = process_start(&p->child, argv, fds);
    io_close(ends[!ours]);
    p->fd = ends[ours];
    if (error) {
        io_close(p->fd);
        *p = (parquet_pipe){.fd = -1};
    }
    return error == ENOENT ? ENOPKG : error;
}

int parquet_encode(parquet_pipe *p, const char *fields, int file)
{
    WEFT_ASSERT(fields && file >= 0);
    return start(p, fields, file);
}

int parquet_decode(parquet_pipe *p, int file)
{
    WEFT_ASSERT(file >= 0);
    return start(p, NULL, file);
}

/* The encoder's input ends with this, so that it writes the end of the file. */
static void close_pipe(parquet_pipe *p)
{
    if (p->fd >= 0)
        io_close(p->fd);
    p->fd = -1;
}

/* Python ends with 1 after an exception that the codec does not expect. */
int parquet_end(parquet_pipe *p)
{
    int status;
    if (!p->child)
        return 0;
    close_pipe(p);
    const int error = process_wait(p->child, &status);
    p->child = 0;
    return error ? error : status == 1 || status >= 128 ? EIO : status;
}

void parquet_drop(parquet_pipe *p)
{
    if (p->child)
        process_kill(p->child);
    (void)parquet_end(p);
}

int parquet_hash(int file, sha256 *hash, uint64_t *bytes)
{
    char piece[1 << 15];
    *bytes = 0;
    for (;;) {
        const ssize_t n = io_read(file, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (!n)
            break;
        sha256_add(hash, piece, (size_t)n);
        *bytes += (uint64_t)n;
    }
    return lseek(file, 0, SEEK_SET) < 0 ? errno : 0;
}
