/* SPDX-License-Identifier: Apache-2.0 */
/* A bundle: the files of one program in a data set of such: FOLDER/NAME.py, NAME.cu, Makefile,
 * metadata.json. One after another, they are the record that sizes and hashes are taken of;
 * metadata.json is its last line, and says how long the others are. */
#ifndef WEFT_RECORD_BUNDLE_H
#define WEFT_RECORD_BUNDLE_H

#include "base/arena.h"
#include "base/str.h"
#include "gen/gen.h"
#include "record/record_field.h"

/* In the order in which a record has them. BUNDLE_METADATA is last: loops over the files that
 * metadata.json describes end there. */
typedef enum bundle_file {
    BUNDLE_PYTHON,
    BUNDLE_CUDA,
    BUNDLE_MAKEFILE,
    BUNDLE_METADATA,
    BUNDLE_FILES
} bundle_file;

/* The texts belong to the record that was split, or to the arena they were loaded into. */
typedef struct bundle {
    str name;               /* of the kernel; empty: metadata.json has none that may name a file */
    str file[BUNDLE_FILES]; /* p is NULL: it is not there */
} bundle;

/* Reads "7-000000042_loop", the name of a folder with a program; false: it is no such name. */
bool bundle_folder_read(str name, uint64_t *seed, uint64_t *index, gen_category *c);
/* "NAME.cu", in a. Needs: the kernel's name, if the file is named after it. */
const char *bundle_file_name(arena *a, str name, bundle_file file);

/* Is this the name of that file? Compared without memory of its own. */
bool bundle_is_file_name(str name, bundle_file file, str is);

/* The fields that describe a file other than metadata.json: its text, in a program's line (see
 * bundle_put_line); its name, SHA-256 and size. */
record_field bundle_text_field(bundle_file file);
record_field bundle_name_field(bundle_file file);
record_field bundle_sha256_field(bundle_file file);
record_field bundle_bytes_field(bundle_file file);

/* Takes a record apart; parts point into it. False: it is none. The name lives in a. */
bool bundle_split(arena *a, str record, bundle *out);
/* Reads a folder's files, as far as they are there, into a. 0, or an errno value about *path. */
int bundle_load(arena *a, const char *folder, bundle *out, const char **path);
/* Are all files there, and the name? */
bool bundle_is_whole(const bundle *p);
/* Makes the folder and writes the files, not durably yet. 0, or an errno value about *path. */
int bundle_store(arena *a, const char *folder, const bundle *p, const char **path);
/* Removes the files that bundle_store wrote, and the folder if it is empty then. Errors are
 * ignored: this cleans up after a failure. */
void bundle_remove(arena *a, const char *folder, const bundle *p);

/* The files one after another: what sizes and hashes are taken of. */
void bundle_put_record(strbuf *b, const bundle *p);
/* metadata.json with the texts of the other files as further members: a line, as other records are,
 * with its newline. One that is no JSON object is left as it is. */
void bundle_put_line(strbuf *b, const bundle *p);
/* Takes such a line of a whole bundle apart again; texts live in a. False: it is none. */
bool bundle_of_line(arena *a, str line, bundle *out);

#endif
