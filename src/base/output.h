/* Where results go: standard output, or a file that appears whole or not at all. Text is gathered
 * and written in large pieces; the first failure is kept and told at the end. */
#ifndef WEFT_BASE_OUTPUT_H
#define WEFT_BASE_OUTPUT_H

#include "base/arena.h"
#include "base/str.h"

enum { OUTPUT_CLOSED = -1 }; /* instead of an errno value: the reader of a pipe went away */

typedef struct output {
    int fd, error;
    const char *path; /* the final name; NULL: written to fd directly */
    char *temp;       /* what the file is called until then */
    bool any;         /* something was written */
    strbuf text;      /* append here, then call output_flush now and then */
} output;

/* Opens path, or standard output for NULL and "-". A regular file is written under another name in
 * the same folder until output_close; anything else (a device, a pipe) directly. 0 or errno. */
int output_open(output *o, arena *a, const char *path);
/* Writes out what was gathered if it is much. 0, OUTPUT_CLOSED or an errno value. */
int output_flush(output *o);
/* Writes the rest and gives the file its name, or removes it after a failure or if `keep` is false.
 * 0, OUTPUT_CLOSED or an errno value. */
int output_close(output *o, bool keep);

#endif
