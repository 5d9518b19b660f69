/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet by way of pyarrow, which a process of Python has: weft writes lines of JSON to it, or
 * reads them from it, and the file of Parquet is the process's other end.
 *
 *     lines   ->   pipe   ->   python -m weft._codec encode   ->   data/.train-00000-....part
 *     data/train-00000-....parquet   ->   python -m weft._codec decode   ->   pipe   ->   lines
 *
 * For shard_file.c and line_reader.c, so that all that works with lines works with Parquet. Which
 * Python it is stands in the variable WEFT_PYTHON, which the Python package sets. */
#ifndef WEFT_STORE_PARQUET_PIPE_H
#define WEFT_STORE_PARQUET_PIPE_H

#include "base/process.h"
#include "base/sha256.h"

typedef struct parquet_pipe {
    process child; /* 0: none */
    int fd;        /* where lines go in or come out; -1: closed */
} parquet_pipe;

/* Is there a Python to do it? Without one the functions below give ENOPKG, for which error_text has
 * a sentence. */
bool parquet_is_here(void);
/* Lines that are written to p->fd become a file of Parquet with these fields (a JSON text, see
 * card_put_schema) in `file`, which is empty. 0 or an errno value. */
int parquet_encode(parquet_pipe *p, const char *fields, int file);
/* The rows of the open file can be read from p->fd as lines. 0 or an errno value. */
int parquet_decode(parquet_pipe *p, int file);
/* Closes the pipe and waits: 0, ENOPKG, or what went wrong; EILSEQ for a file or line that
 * cannot be read. */
int parquet_end(parquet_pipe *p);
/* The same for a pipe whose outcome nobody wants. */
void parquet_drop(parquet_pipe *p);
/* Adds all of an open file to a hash that was started, and goes back to its beginning: the bytes
 * pass through the process, and not through weft. 0 or an errno value. */
int parquet_hash(int file, sha256 *hash, uint64_t *bytes);

#endif
