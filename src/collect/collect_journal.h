/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has made so far, beside the output folder, so that --resume need not make it again.
 *
 *     {"collect": "1f0c..."}                          the key: options and files of the run
 *     {"kernel": "k", "line": 3, ..., "record": 1}    a kernel of the first file,
 *     {"id": "0-12", ...}                             and its record
 *     {"end": 1, "sha256": "5c9e..."}                 the first file is complete
 *
 * Groups of lines are appended file by file. The hash is that of the group's lines. What a killed
 * run left behind the last complete group does not count, nor does anything from the first group
 * on that was changed: these files are made anew. */
#ifndef WEFT_COLLECT_COLLECT_JOURNAL_H
#define WEFT_COLLECT_COLLECT_JOURNAL_H

#include "base/sha256.h"
#include "collect/collect_kernel.h"
#include "store/line_reader.h"

typedef struct collect_journal {
    arena *a;
    const char *path, *fresh; /* fresh: its name until the old one has been read */
    int fd;                   /* of the new journal; -1: closed */
    line_reader old;
    bool reads; /* old is open, and is of this run */
    uint32_t files;
    sha256 hash; /* of the lines of the group that is read */
    strbuf text;
} collect_journal;

/* Begins a journal at `path`; with `resume`, an old one of the same key is read first. 0 or an
 * errno value; EEXIST: the old one is of another run. Call journal_close in any case. */
int journal_open(collect_journal *j, arena *a, const char *path, str key, bool resume);
/* The kernels of the next file, if the old journal has them all; out->mem owns them. */
bool journal_next(collect_journal *j, collected_file *out);
/* Appends a file's kernels. After those that journal_next gave, the new journal takes the old one's
 * name. 0 or an errno value. */
int journal_put(collect_journal *j, const collected_file *f);
/* Closes both; `done`: removes the journal. */
void journal_close(collect_journal *j, bool done);

#endif
