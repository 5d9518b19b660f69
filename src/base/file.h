/* SPDX-License-Identifier: Apache-2.0 */
/* Reading whole files, and names of files and folders. Errors are errno values, for
 * base/c_locale.h's error_text; nothing here prints. */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include "base/arena.h"
#include "base/str.h"

enum { FILE_MAX = 1 << 28 }; /* 256 MiB: larger input is refused with EFBIG */

/* Reads a regular file or pipe into a; a NUL follows the text. Returns 0, or an errno value: EINTR
 * if a->m->waiting ended the wait for a pipe. */
int file_read(arena *a, const char *path, str *text);
/* As Python's os.path.abspath: behind the current folder if it is relative, "." and ".." taken out
 * by name, links left alone. Returns 0, or an errno value; `out` is NUL-terminated then. */
int file_absolute(const char *path, char *out, size_t size);
/* The names in a folder in the order of their bytes, those that begin with a dot left out. Returns
 * 0, or an errno value. */
int file_list(arena *a, const char *path, const char *const **names, uint32_t *n);

/* Is nothing at the path? False, too, if that cannot be seen. */
bool path_is_free(const char *path);
/* Makes a folder and `inner` in it. 0, EEXIST (it was not empty, or another process was faster) or
 * another errno value; *at is what could not be made or read. */
int file_claim_folder(arena *a, const char *folder, const char *inner, const char **at);

/* FOLDER/NAME, in a. */
const char *path_join(arena *a, const char *folder, str name);

#endif
