/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file of records, plain, packed by zstd or gzip, or Parquet, read piece by piece. For
 * dataset_reader.c and validate.c, and for runs that read their own shards again (--resume).
 *
 * Damage is a status and not an error, so that `weft validate` can report it with its place:
 *
 *     "a\nbb\nc" (end)   ->   LINE_GOOD "a", LINE_GOOD "bb", LINE_CUT "c", LINE_END */
#ifndef WEFT_STORE_LINE_READER_H
#define WEFT_STORE_LINE_READER_H

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "store/parquet_pipe.h"

/* Longest line and largest program. Records have some 10 kB; what is longer is no record, and must
 * not fill the memory. */
enum { LINE_MAX_BYTES = 16 << 20 };

/* LINE_READER_PARQUET: a process makes lines of its rows. LINE_READER_WHOLE: the file is one line.
 * LINE_READER_BUNDLE: the path is the folder of a program,
 * which is one line, as bundle.h puts it together. */
typedef enum line_reader_kind {
    LINE_READER_PLAIN,
    LINE_READER_ZSTD,
    LINE_READER_GZIP,
    LINE_READER_PARQUET,
    LINE_READER_WHOLE,
    LINE_READER_BUNDLE
} line_reader_kind;

typedef enum line_status {
    LINE_GOOD,
    LINE_CUT,     /* the last one, without a newline */
    LINE_LONG,    /* more than LINE_MAX_BYTES: passed over, its text is not there */
    LINE_DAMAGED, /* what was packed is broken here: no line; nothing follows */
    LINE_END,     /* no line */
    LINE_FAILED   /* no line: reading failed with `error` */
} line_status;

typedef struct line_reader {
    strbuf text;     /* read and not yet given out, unpacked */
    size_t at, seen; /* in text: where the next line starts; no newline before `seen` */
    line_reader_kind kind;
    int fd, error; /* -1: closed; an errno value, or 0 */
    bool waits;    /* fd is no regular file: a read may block */
    /* ended: nothing more can be read. skipping: the line in work is too long, its text is
     * dropped. damaged: LINE_DAMAGED is still to be returned. in_frame: a zstd frame or gzip member
     * has begun and is not finished. */
    bool ended, skipping, damaged, in_frame;
    ZSTD_DCtx *zstd; /* made when it is first needed, kept for the next file */
    z_stream gzip;
    bool has_gzip;        /* gzip is to be given back */
    char *raw;            /* packed bytes, */
    size_t raw_at, raw_n; /* of which these are not yet unpacked */
    parquet_pipe parquet; /* fd is the end of its pipe */
    arena files;          /* of a program */
    sha256 *hash;         /* of the file's bytes as they lie on the disk; NULL: not wanted */
    uint64_t bytes;       /* read so far, packed; of a program, of all its files */
} line_reader;

/* By the end of a file's name. */
line_reader_kind line_reader_kind_of(const char *path);

/* Needs line_reader_clear in the end. The mem owns the text of lines. */
void line_reader_init(line_reader *r, mem *m);
/* Opens a file; "-" is standard input. 0 or an errno value, as EISDIR for a folder that is no
 * program. With `hash`, which the caller has started, all bytes that are read go into it. Needs:
 * the file before is closed. */
int line_reader_open(line_reader *r, const char *path, line_reader_kind kind, sha256 *hash);
/* The line without its newline, until the next call. */
line_status line_reader_next(line_reader *r, str *line);
/* Closes the file, not standard input; may be called twice. */
void line_reader_close(line_reader *r);
/* Gives back what is not the mem's. */
void line_reader_clear(line_reader *r);

#endif
