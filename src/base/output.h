/* SPDX-License-Identifier: Apache-2.0 */
/* Where results go: standard output, or a file that appears whole or not at all. Text is gathered
 * and written in large pieces; the first failure is kept and reported by output_close. Example:
 *
 *     output o;
 *     output_open(&o, a, path, used);
 *     for (...) sb_str(&o.text, ...), output_flush(&o);
 *     error = output_close(&o, true);
 *
 * output_open is the one place that decides whether a path may be written:
 *
 *     what is no regular file (a device, a pipe)      is written into
 *     a file that the command reads, or writes twice  is refused, also behind a descriptor
 *     a symbolic link                                 stays; the file that it leads to is replaced
 *     another file, or none                           is replaced once the new one is complete;
 *                                                     folders that are missing are made
 */
#ifndef WEFT_BASE_OUTPUT_H
#define WEFT_BASE_OUTPUT_H

#include "base/atomic_file.h"
#include "base/file_set.h"

/* Instead of an errno value: */
enum {
    OUTPUT_CLOSED = -1,   /* the reader of a pipe went away */
    OUTPUT_IS_INPUT = -2, /* the command reads the file that would be replaced */
    OUTPUT_IS_TAKEN = -3  /* another output of the command goes to the same place */
};

/* One output. Also after a failure of output_open it must be closed. */
typedef struct output {
    mem *m;            /* of the text; its `waiting` ends waits for a reader */
    int fd;            /* written to directly if there is no file; -1: not open yet */
    bool owns_fd;      /* fd is to be closed */
    bool has_file;     /* file is open */
    bool durable;      /* the file survives a power cut once it is closed; false after opening */
    bool any;          /* something was written */
    int error;         /* the first: an errno value or one of those above */
    const char *named; /* the pipe with a name that is opened by the first writing; or NULL */
    file_set *used;    /* files that are read and places that are written; may be NULL */
    atomic_file file;  /* renamed into place when complete */
    strbuf text;       /* append here, then call output_flush now and then */
} output;

/* Opens path, or standard output for NULL and "-". `used` holds what the command reads and where
 * its other outputs go; NULL: nothing. Returns 0 or an error, as the functions below. */
int output_open(output *o, arena *a, const char *path, file_set *used);
/* Writes out what was gathered if it is a megabyte or more. */
int output_flush(output *o);
/* Writes out what was gathered and then `text`, which is not copied. */
int output_write(output *o, str text);
/* Writes the rest and gives the file its name, or removes it after a failure or if `keep` is false.
 * Files that were read after output_open count, too. */
int output_close(output *o, bool keep);
/* Opens, writes and closes an output. */
int output_put(arena *a, const char *path, str text, file_set *used);
/* What an error means, to stand behind "cannot write 'PATH': ". */
const char *output_error_text(int error);

#endif
