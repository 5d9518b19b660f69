/* Where results go: standard output, or a file that appears whole or not at all. Text is gathered
 * and written in large pieces; the first failure is kept and told at the end. */
#ifndef WEFT_BASE_OUTPUT_H
#define WEFT_BASE_OUTPUT_H

#include "base/atomic_file.h"

enum { OUTPUT_CLOSED = -1 }; /* instead of an errno value: the reader of a pipe went away */

typedef struct output {
    int fd;           /* written to directly if there is no file */
    bool has_file;    /* file is open */
    bool any;         /* something was written */
    int error;        /* OUTPUT_CLOSED or an errno value */
    atomic_file file; /* renamed into place when complete */
    strbuf text;      /* append here, then call output_flush now and then */
} output;

/* Opens path, or standard output for NULL and "-". Devices and pipes are written to directly, the
 * rest by way of an atomic_file. 0 or errno. */
int output_open(output *o, arena *a, const char *path);
/* Writes out what was gathered if it is much. 0, OUTPUT_CLOSED or an errno value. */
int output_flush(output *o);
/* Writes out what was gathered and then `text`, which is not copied. The same. */
int output_write(output *o, str text);
/* Writes the rest and gives the file its name, or removes it after a failure or if `keep` is false.
 * 0, OUTPUT_CLOSED or an errno value. */
int output_close(output *o, bool keep);

#endif
